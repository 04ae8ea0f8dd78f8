"""`yg preflight`: show drift and issues before you start working."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType

from yg_old.commands.command import Command, Tool
from yg_old.commands.drift.find import find_drift, migrate_first
from yg_old.commands.drift.new import new_drift
from yg_old.commands.drift.steps import short_steps
from yg_old.commands.drift.text import drifted_lines
from yg_old.commands.issues import (
    MOST_ADVICE,
    Compared,
    IssueRecord,
    Notes,
    Since,
    counts_text,
    issue_data,
    issues_text,
    older_text,
)
from yg_old.commands.preflight.closing import Closed, Closing, closing_of, closing_text
from yg_old.commands.preflight.gate import GateCheck, gate_checks, gate_text
from yg_old.commands.request import (
    HEAD,
    Argument,
    Option,
    Request,
    SinceRevision,
    Tokenizer,
    check_since,
)
from yg_old.commands.since import ChangesSince, new_since
from yg_old.commands.status.graph import CheckedGraph, checked, graph_text
from yg_old.commands.status.yggdrasil import CheckedYggdrasil, numbers, summary_text
from yg_old.disk.git.changed_files import uncommitted_among
from yg_old.kernel.document import Count, Record, Text, about
from yg_old.kernel.errors import UsageError
from yg_old.kernel.issue import Verdict
from yg_old.kernel.palette import visible
from yg_old.text.paths import is_utf8
from yg_old.text.patterns import Patterns
from yg_old.text.plural import and_more, counted
from yg_old.workspace import results
from yg_old.yggdrasil.drift.states import NodeDrift, StateCounts, summary_of
from yg_old.yggdrasil.owners import Ownership

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yg_old.commands.command import Run
    from yg_old.commands.drift.find import DriftReport
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace

MOST_FILES = 10  # named in the text

Issues = Annotated[
    tuple[IssueRecord, ...],
    about("The issues that validation finds, in the order of `yg validate`."),
]


class PreflightRequest(Request["Preflight | GraphPreflight"], frozen=True, kw_only=True):
    """Which checks to run, and what counts tokens."""

    quick: Annotated[
        bool, Option(help="skip the drift check"), Argument("Skip the drift check.")
    ] = False
    closing: Annotated[
        bool,
        Option(help="list what was changed, and what is still to do about it"),
        Argument("What was changed, and what is still to do about it."),
    ] = False
    since: SinceRevision = None
    tokenizer: Tokenizer = None

    def check(self) -> None:
        """Refuse options that only make sense with others."""
        check_since(self.since)
        if self.closing and self.quick:
            raise UsageError("--quick cannot be combined with --closing")


class CheckedDrift(Record, frozen=True, kw_only=True):
    """The mapped nodes compared with their baselines."""

    nodes: Annotated[tuple[NodeDrift, ...], about("Every mapped node, in the order of paths.")]
    summary: StateCounts
    older: Annotated[
        Count | UnsetType, about("With `--since`: how many drifted nodes are older, and left out.")
    ] = UNSET


class Preflight(CheckedYggdrasil, frozen=True, kw_only=True, tag="yg-preflight/1"):
    """What `yg preflight --json` prints: drift, a graph in numbers, and every issue."""

    HIDDEN = ("verdict", "is_complete", "closed")

    drift: Annotated[
        CheckedDrift | None,
        about("The mapped nodes compared with their baselines; null with `--quick`."),
    ]
    unowned: Annotated[tuple[Text, ...], about("The changed files that no node owns, by path.")]
    gate: Annotated[
        tuple[GateCheck, ...] | UnsetType,
        Meta(min_length=1),
        about("The numbers that `quality.gate` of the configuration limits; absent without it."),
    ] = UNSET
    closing: Annotated[
        Closing | UnsetType,
        about("The changes since a commit, and what is still to do; only with `--closing`."),
    ] = UNSET
    issues: Issues
    notes: Notes
    since: Since = UNSET
    verdict: Verdict  # with the issues, for the text
    closed: Closed | None = None  # the closing, for the text
    is_complete: bool = True  # the drift of all nodes is known

    @property
    def exit_code(self) -> int:
        """1 if there are errors, a node has drifted, or a number of the gate is not good enough."""
        has_drift = self.drift is not None and bool(drifted_lines(self.drift.nodes))
        has_failed = not all(check.passed for check in self.gate or ())
        return 1 if self.errors or has_drift or has_failed or not self.is_complete else 0


class GraphPreflight(CheckedGraph, frozen=True, kw_only=True, tag="yg-graph-preflight/1"):
    """What `yg preflight --json` prints for a Spec Graph: the graph in numbers, and all issues."""

    HIDDEN = (*CheckedGraph.HIDDEN, "verdict")

    issues: Issues
    since: Since = UNSET
    verdict: Verdict  # with the issues, for the text

    @property
    def exit_code(self) -> int:
        """1 if there are errors."""
        return 1 if self.errors else 0


def ask(run: Run, request: PreflightRequest) -> Preflight | GraphPreflight:
    """Check whether the graph is ready for work."""
    workspace = run.workspace
    if not workspace.format.is_yggdrasil:
        if request.closing:
            workspace.require_yggdrasil("preflight --closing")
        return _without_sources(workspace, request.since)
    migrated: tuple[str, ...] = ()
    found = None
    if not request.quick:
        workspace.require_baselines()
        migrated = migrate_first(run)
        workspace = run.workspace
        found = find_drift(workspace, None, run.on_file)
    return _checked(workspace, request, found, migrated)


def _checked(
    workspace: OpenWorkspace,
    request: PreflightRequest,
    found: DriftReport | None,
    migrated: Iterable[str],
) -> Preflight:
    """Return the results of all checks, or only what is new since a commit."""
    verdict, unowned = results.verdict(workspace), _unowned(workspace)
    since: Since = UNSET
    older: Since = UNSET
    notes: tuple[str, ...] = ()
    closed = None
    if request.since is not None or request.closing:
        changes = ChangesSince(workspace, request.since or HEAD)
        new = changes.new_issues(verdict)
        if request.since is not None:
            count = len(verdict.issues) - len(new.issues)
            verdict, unowned = new, _among(unowned, changes.files)
            if found is not None:
                found, older = new_drift(changes, found)
        if request.closing and found is not None:
            closed = closing_of(changes, new, found)
        if request.since is not None:
            since = changes.compared(count)
        else:
            notes = changes.notes
    if request.since is None:
        uncommitted = uncommitted_among(workspace.root, unowned)
        unowned, notes = list(uncommitted.files), (*uncommitted.notes, *notes)
    return Preflight(
        **checked(numbers(workspace), verdict),
        drift=_checked_drift(found, older) if found else None,
        unowned=tuple(unowned),
        gate=gate_checks(workspace) or UNSET,
        closing=closed.closing if closed else UNSET,
        issues=tuple(map(issue_data, verdict.issues)),
        notes=[*dict.fromkeys((*migrated, *(found.notes if found else ()), *notes))],
        since=since,
        verdict=verdict,
        closed=closed,
        is_complete=not (found and found.skipped),
    )


def _checked_drift(found: DriftReport, older: Compared | UnsetType) -> CheckedDrift:
    return CheckedDrift(
        nodes=found.drifts,
        summary=summary_of(found.drifts, found.not_tracked),
        older=older.older if older else UNSET,
    )


def _without_sources(workspace: OpenWorkspace, revision: str | None) -> GraphPreflight:
    """Report the status and the issues of a graph whose nodes own no source files."""
    verdict = results.verdict(workspace)
    since: Since = UNSET
    if revision is not None:
        verdict, since = new_since(workspace, revision, verdict)
    return GraphPreflight(
        **checked(workspace.queries.status(), verdict),
        issues=tuple(map(issue_data, verdict.issues)),
        since=since,
        verdict=verdict,
    )


def _among(files: Iterable[str], some: Iterable[str]) -> list[str]:
    wanted = frozenset(some)
    return [file for file in files if file in wanted]


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
    if isinstance(document, Preflight) and document.closed:
        return _closing_text(document, document.closed, palette)
    issues = issues_text(document.verdict, palette, MOST_ADVICE)
    issues += older_text(document.since, "issue")
    if isinstance(document, GraphPreflight):
        parts = [graph_text(document), issues]
    else:
        drift = document.drift
        parts = [
            _drift_text(drift, document.since.revision if document.since else ""),
            _unowned_text(document.unowned),
            summary_text(document, drift.summary if drift else None, with_mapping=True),
            gate_text(document.gate or ()),
            issues,
        ]
    return "\n".join(part for part in parts if part)


def _closing_text(document: Preflight, closed: Closed, palette: Palette) -> str:
    """Write what was changed and what is still to do, and the numbers of the checks."""
    drifts = document.drift.nodes if document.drift else ()
    parts = [
        *closing_text(closed, drifts, palette),
        gate_text(document.gate or ()),
        f"Validation: {counts_text(document)}\n{older_text(document.since, 'issue')}",
    ]
    return "\n".join(part for part in parts if part)


def _drift_text(drift: CheckedDrift | None, since: str) -> str:
    if drift is None:
        return "Drift: skipped (--quick)\n"
    lines = [*drifted_lines(drift.nodes), *short_steps(drift.nodes, since)]
    text = "Drift:\n" + "".join(f"  {line}\n" for line in lines) if lines else "Drift: none\n"
    return text + (
        f"{counted(drift.older, 'older drifted node')} not shown\n" if drift.older else ""
    )


def _unowned_text(files: Sequence[str]) -> str:
    if not files:
        return ""
    lines = [f"  {visible(file)}" for file in files[:MOST_FILES]]
    if len(files) > MOST_FILES:
        lines.append(f"  {and_more(len(files) - MOST_FILES, 'yg coverage --uncovered')}")
    return "Changed files without an owner:\n" + "".join(f"{line}\n" for line in lines)


COMMAND = Command(
    request=PreflightRequest,
    documents=(Preflight, GraphPreflight),
    ask=ask,
    text=text,
    tool=Tool(
        title="Show drift and issues",
        when="Use before the first change and, with closing, when the work is done: returns drift, "
        "issues, and what is still to do about changed files.",
        when_in_specs=None,
        levels=0,
    ),
)
