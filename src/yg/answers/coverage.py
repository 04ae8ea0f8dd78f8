"""The `coverage` command: the share of files that are mapped to a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import warnings, with_skipped
from yg.kernel.paths import is_inside
from yg.kernel.patterns import Patterns
from yg.render.coverage import coverage_data, coverage_text, names_text, uncovered_text
from yg.yggdrasil.coverage import coverage_of
from yg.yggdrasil.mapping import Ownership

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from yg.answers.answer import Answer
    from yg.workspace import OpenWorkspace
    from yg.yggdrasil.evidence import UnmentionedName

DEPTH = 2
UNCOVERED = "uncovered"  # the form that lists the files without an owner
NAMES = "names"  # the form that lists the public names that no interface mentions


def coverage(
    workspace: OpenWorkspace,
    *,
    fail_under: float | None = None,
    depth: int = DEPTH,
    names: bool = False,
) -> Answer:
    """Count the files with an owner; exit with 1 if their share is below `fail_under`.

    With `names`, list also the public names that other nodes import and no interface mentions.
    """
    workspace.require(workspace.format.has_owners, "coverage")
    graph = workspace.graph
    found = coverage_of(
        graph,
        Ownership(graph, workspace.sources),
        _source_files(workspace),
        _uncounted(workspace),
    )
    is_low = fail_under is not None and found.total.percent < fail_under
    too_low = f"coverage {found.total.percent:.2f}% is below {fail_under:g}%\n" if is_low else ""
    unmentioned = _unmentioned(workspace) if names else None
    misnamed = workspace.sources.misnamed()
    misnamed_notes = warnings(
        [f"'{file}' is not counted: its name is not UTF-8" for file in misnamed]
    )
    return with_skipped(
        workspace.skipped(),
        data=lambda skipped: coverage_data(found, skipped, unmentioned),
        forms={
            "text": lambda _palette: coverage_text(found, depth),
            UNCOVERED: lambda _palette: uncovered_text(found),
            NAMES: lambda _palette: names_text(unmentioned or ()),
        },
        remarks=lambda palette: misnamed_notes(palette) + too_low,
        code=1 if is_low else 0,
    )


def _unmentioned(workspace: OpenWorkspace) -> tuple[UnmentionedName, ...]:
    from yg.yggdrasil.code_names import CodeNames
    from yg.yggdrasil.evidence import read_imports, unmentioned_names

    imports = read_imports(workspace.graph, workspace.sources)
    return unmentioned_names(workspace.graph, imports, CodeNames(workspace.graph, imports))


def _source_files(workspace: OpenWorkspace) -> Iterator[str]:
    """Yield the files of the repository outside the graph folder."""
    folder = workspace.format.folder
    return (file for file in workspace.sources.files(".") if not is_inside(file, folder))


def _uncounted(workspace: OpenWorkspace) -> Callable[[str], bool]:
    """Return whether the configuration leaves a file out of the count."""
    return Patterns.from_lines(workspace.graph.config.uncounted).excludes


def counted_files(workspace: OpenWorkspace) -> Iterator[str]:
    """Yield the files that coverage counts."""
    is_excluded = _uncounted(workspace)
    return (file for file in _source_files(workspace) if not is_excluded(file))
