"""`yg coverage`: how much of the repository belongs to some node."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from yg.cli.arguments import add_revision, command_parser, count, workspace_of
from yg.cli.drifting import notes_text
from yg.cli.skipped import with_skipped
from yg.kernel.paths import is_inside
from yg.render.coverage import coverage_data, coverage_text
from yg.render.plain import visible
from yg.yggdrasil.coverage import coverage_of
from yg.yggdrasil.owner import Ownership

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome
    from yg.workspace import Workspace
    from yg.yggdrasil.coverage import Coverage

DEPTH = 2


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary)
    result.add_argument("--uncovered", action="store_true", help="list the files nobody owns")
    result.add_argument(
        "--fail-under", type=_share, metavar="N", help="exit 1 when less than N percent are owned"
    )
    result.add_argument(
        "--depth", type=count, default=DEPTH, metavar="N", help="show N levels (default 2)"
    )
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Ask for the owner of every file."""
    workspace = workspace_of(call.args)
    graph = workspace.graph
    coverage = coverage_of(graph, Ownership(graph), _source_files(workspace))
    least = call.args.fail_under
    is_low = least is not None and coverage.total.percent < least
    notes = f"coverage {coverage.total.percent:.2f}% is below {least:g}%\n" if is_low else ""
    code = 1 if is_low else 0
    outcome = with_skipped(
        call,
        graph.nodes,
        text=lambda: _text(call, coverage),
        data=lambda: ("coverage", coverage_data(coverage)),
        code=code,
    )
    misnamed = workspace.sources.misnamed()
    told = [f"'{file}' is not counted: its name is not UTF-8" for file in misnamed]
    return replace(outcome, notes=outcome.notes + notes_text(call, told) + notes)


def _text(call: Call, coverage: Coverage) -> str:
    if call.args.uncovered:
        return "".join(f"{visible(file)}\n" for file in coverage.uncovered)
    return coverage_text(coverage, call.args.depth)


def _source_files(workspace: Workspace) -> Iterator[str]:
    """Yield the files of the repository that are not the graph's own."""
    folder = workspace.format.folder
    return (file for file in workspace.sources.files(".") if not is_inside(file, folder))


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:  # noqa: PLR2004
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 100")
    return value
