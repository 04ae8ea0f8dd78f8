"""`yg preflight`: run all checks before you start working."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from yg.commands.command import Command
from yg.commands.drift.find import find_drift, migrate_first
from yg.commands.drift.text import drifted_lines
from yg.commands.issues import MOST_ADVICE, IssueRecord, Notes, issue_data, issues_text
from yg.commands.request import Option, Request, Tokenizer
from yg.commands.status.graph import CheckedGraph, checked, graph_text
from yg.commands.status.yggdrasil import CheckedYggdrasil, numbers, summary_text
from yg.disk.git.changed_files import uncommitted_among
from yg.kernel.document import Record, Text, about
from yg.kernel.issue import Verdict
from yg.kernel.palette import visible
from yg.text.paths import is_utf8
from yg.text.patterns import Patterns
from yg.workspace import results
from yg.yggdrasil.drift.states import NodeDrift, StateCounts, summary_of
from yg.yggdrasil.owners import Ownership

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.commands.command import Run
    from yg.commands.drift.find import DriftReport
    from yg.kernel.palette import Palette
    from yg.workspace.opened import OpenWorkspace

MOST_FILES = 10  # named in the text

Issues = Annotated[
    tuple[IssueRecord, ...],
    about("The issues that validation finds, in the order of `yg validate`."),
]


class PreflightRequest(Request["Preflight | GraphPreflight"], frozen=True, kw_only=True):
    """Which checks to run, and what counts tokens."""

    quick: Annotated[bool, Option(help="skip the drift check")] = False
    tokenizer: Tokenizer = None


class CheckedDrift(Record, frozen=True, kw_only=True):
    """The mapped nodes compared with their baselines."""

    nodes: Annotated[tuple[NodeDrift, ...], about("Every mapped node, in the order of paths.")]
    summary: StateCounts


class Preflight(CheckedYggdrasil, frozen=True, kw_only=True, tag="yg-preflight/1"):
    """What `yg preflight --json` prints: drift, a graph in numbers, and every issue."""

    HIDDEN = ("verdict", "is_complete")

    drift: Annotated[
        CheckedDrift | None,
        about("The mapped nodes compared with their baselines; null with `--quick`."),
    ]
    unowned: Annotated[tuple[Text, ...], about("The changed files that no node owns, by path.")]
    issues: Issues
    notes: Notes
    verdict: Verdict  # with the issues, for the text
    is_complete: bool = True  # the drift of all nodes is known

    @property
    def exit_code(self) -> int:
        """1 if there are errors, or a node has drifted."""
        has_drift = self.drift is not None and bool(drifted_lines(self.drift.nodes))
        return 1 if self.errors or has_drift or not self.is_complete else 0


class GraphPreflight(CheckedGraph, frozen=True, kw_only=True, tag="yg-graph-preflight/1"):
    """What `yg preflight --json` prints for a Spec Graph: the graph in numbers, and all issues."""

    HIDDEN = (*CheckedGraph.HIDDEN, "verdict")

    issues: Issues
    verdict: Verdict  # with the issues, for the text

    @property
    def exit_code(self) -> int:
        """1 if there are errors."""
        return 1 if self.errors else 0


def ask(run: Run, request: PreflightRequest) -> Preflight | GraphPreflight:
    """Check whether the graph is ready for work."""
    workspace = run.workspace
    if not workspace.format.has_owners:
        return _without_sources(workspace)
    migrated: tuple[str, ...] = ()
    found = None
    if not request.quick:
        workspace.require_baselines()
        migrated = migrate_first(run)
        workspace = run.workspace
        found = find_drift(workspace, None, run.on_file)
    unowned = uncommitted_among(workspace.root, _unowned(workspace))
    verdict = results.verdict(workspace)
    return Preflight(
        **checked(numbers(workspace), verdict),
        drift=_checked_drift(found) if found else None,
        unowned=tuple(unowned.files),
        issues=tuple(map(issue_data, verdict.issues)),
        notes=[*migrated, *(found.notes if found else ()), *unowned.notes],
        verdict=verdict,
        is_complete=not (found and found.skipped),
    )


def _checked_drift(found: DriftReport) -> CheckedDrift:
    return CheckedDrift(nodes=found.drifts, summary=summary_of(found.drifts))


def _without_sources(workspace: OpenWorkspace) -> GraphPreflight:
    """Report the status and the issues of a graph whose nodes own no source files."""
    verdict = results.verdict(workspace)
    return GraphPreflight(
        **checked(workspace.queries.status(), verdict),
        issues=tuple(map(issue_data, verdict.issues)),
        verdict=verdict,
    )


def _unowned(workspace: OpenWorkspace) -> list[str]:
    """Return the files that no node owns, as `coverage` counts them."""
    ownership = Ownership(workspace.graph, workspace.sources)
    patterns = Patterns.from_lines(workspace.graph.config.uncounted)
    return [
        file
        for file in workspace.tree.visible.files
        if ownership.get(file) is None and is_utf8(file) and not patterns.excludes(file)
    ]


def text(document: Preflight | GraphPreflight, palette: Palette) -> str:
    """Write drift, changed files without an owner, the status and all issues."""
    issues = issues_text(document.verdict, palette, MOST_ADVICE)
    if isinstance(document, GraphPreflight):
        parts = [graph_text(document), issues]
    else:
        drift = document.drift
        parts = [
            _drift_text(drift),
            _unowned_text(document.unowned),
            summary_text(document, drift.summary if drift else None, with_mapping=True),
            issues,
        ]
    return "\n".join(part for part in parts if part)


def _drift_text(drift: CheckedDrift | None) -> str:
    if drift is None:
        return "Drift: skipped (--quick)\n"
    lines = drifted_lines(drift.nodes)
    return "Drift:\n" + "".join(f"  {line}\n" for line in lines) if lines else "Drift: none\n"


def _unowned_text(files: Sequence[str]) -> str:
    if not files:
        return ""
    lines = [f"  {visible(file)}" for file in files[:MOST_FILES]]
    if len(files) > MOST_FILES:
        lines.append(f"  and {len(files) - MOST_FILES} more; see 'yg coverage --uncovered'")
    return "Changed files without an owner:\n" + "".join(f"{line}\n" for line in lines)


COMMAND = Command(
    request=PreflightRequest, documents=(Preflight, GraphPreflight), ask=ask, text=text
)
