"""`yg drift`: show which nodes changed since their baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET

from yg_old.code.change_class import ChangeClass
from yg_old.commands.command import PAGE, Command, Tool
from yg_old.commands.drift.documents import Drift, Reviews, View
from yg_old.commands.drift.find import EVERYTHING, Tolerance, drift_in_scope, known_here
from yg_old.commands.drift.text import drift_text, reviews_text, shown_nodes
from yg_old.commands.issues import Since, older_text
from yg_old.commands.request import Argument, Operand, Option, Request, SinceRevision, check_since
from yg_old.disk.git.changed_files import unstaged_files
from yg_old.kernel.document import Count
from yg_old.kernel.errors import UsageError
from yg_old.text.escapes import shell_word
from yg_old.yggdrasil.drift.baseline import FOLDER, node_of, state_file
from yg_old.yggdrasil.drift.baseline_parts import recorded_reviews
from yg_old.yggdrasil.drift.classify import fails
from yg_old.yggdrasil.drift.states import summary_of
from yg_old.yggdrasil.model import TOLERABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.commands.command import Run
    from yg_old.commands.drift.find import DriftReport
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.drift.states import NodeDrift


def _tolerable() -> list[str]:
    return [kind.value for kind in TOLERABLE]


def _failing() -> list[str]:
    return [kind.value for kind in ChangeClass if kind is not ChangeClass.UNKNOWN]


class DriftRequest(Request["Drift | Reviews"], frozen=True, kw_only=True):
    """Which nodes to compare with their baselines, and what to show of them."""

    scope: Annotated[
        str,
        Operand(
            "SCOPE",
            "check this node and the nodes below it",
            option="--scope",
            option_help="same as SCOPE (default all)",
        ),
        Argument("Only this node and the nodes below it.", "orders"),
    ] = EVERYTHING
    files: Annotated[
        tuple[str, ...] | None,
        Option(
            names=("--file",),
            metavar="FILE",
            takes_many=True,
            reads_input=True,
            help="check the nodes affected by these files; - reads stdin",
        ),
    ] = None
    drifted_only: Annotated[
        bool,
        Option(help="hide nodes without drift"),
        Argument("Omit nodes without drift."),
    ] = False
    limit: Annotated[
        Count | None, Option(metavar="N", help="show at most N entries per section")
    ] = None
    show: Annotated[bool, Option(help="show the difference of each changed file")] = False
    tolerate: Annotated[
        str | None,
        Option(
            choices=_tolerable(),
            help="changes of sources up to this class are not drift",
        ),
    ] = None
    strict: Annotated[bool, Option(help="tolerate nothing, whatever the configuration says")] = (
        False
    )
    fail_on: Annotated[
        str | None,
        Option(
            choices=_failing(),
            help="the lowest class of a source change that gives exit code 1",
        ),
    ] = None
    since: SinceRevision = None
    reviews: Annotated[bool, Option(help="show the reasons recorded for node SCOPE")] = False

    @property
    def tolerance(self) -> Tolerance:
        """The classes of changes that count."""
        return Tolerance(tolerate=_class(self.tolerate), strict=self.strict)

    def check(self) -> None:
        """Raise UsageError if reviews are asked for without a node, or for an empty commit name."""
        check_since(self.since)
        if self.reviews and self.scope == EVERYTHING:
            raise UsageError("no node given", hint="Give its path: yg drift --reviews NODE")


def _class(name: str | None) -> ChangeClass | None:
    return ChangeClass(name) if name else None


def ask(run: Run, request: DriftRequest) -> Drift | Reviews:
    """Compare mapped nodes with their baselines, or return the reviews of a node."""
    return reviews(run, request.scope) if request.reviews else drift(run, request)


def drift(run: Run, request: DriftRequest) -> Drift:
    """Report the drift of mapped nodes, optionally limited to a scope and to given files."""
    files = None if request.files is None else known_here(run.workspace, request.files)
    found = drift_in_scope(run, request.scope, files, request.tolerance)
    workspace, least = run.workspace, _class(request.fail_on)
    since: Since = UNSET
    if request.since:
        from yg_old.commands.drift.new import new_drift
        from yg_old.commands.since import ChangesSince

        found, since = new_drift(ChangesSince(workspace, request.since), found)
    drifts = _with_differences(workspace, found.drifts) if request.show else found.drifts
    view = _view(request, found)
    return Drift(
        scope=request.scope,
        files=files,
        nodes=shown_nodes(drifts, view),
        summary=summary_of(drifts, found.not_tracked),
        uncommitted=_uncommitted(workspace),
        notes=list(found.notes),
        drifts=drifts,
        view=view,
        fails=found.skipped or any(fails(node, least) for node in drifts),
        since=since,
    )


def _view(request: DriftRequest, found: DriftReport) -> View:
    scope = request.scope
    everything = "--all" if scope == EVERYTHING else f"{shell_word(scope)} --recursive"
    return View(
        drifted_only=request.drifted_only,
        limit=request.limit,
        show=request.show,
        whole=everything if request.files is None and request.since is None else "",
        tolerated=found.tolerate,
        gated=frozenset(found.gated),
        textless=frozenset(found.textless),
    )


def _with_differences(
    workspace: OpenWorkspace, drifts: Sequence[NodeDrift]
) -> tuple[NodeDrift, ...]:
    from yg_old.commands.drift.differences import with_differences

    return with_differences(workspace, drifts)


def _uncommitted(workspace: OpenWorkspace) -> int | None:
    """Count the baselines that were changed but not added to git; None if git cannot tell."""
    files = unstaged_files(f"{workspace.root}/{FOLDER}")
    return None if files is None else sum(node_of(f"{FOLDER}/{file}") is not None for file in files)


def reviews(run: Run, node: str) -> Reviews:
    """Return why changes of a node were recorded without a change of its texts."""
    workspace = run.workspace
    workspace.require_baselines()
    path = workspace.node(node).path
    baseline = workspace.baselines.get(path)
    found, problem = recorded_reviews(baseline) if baseline else ((), "")
    problems = dict(workspace.baselines.problems)
    if problem:
        problems[state_file(path)] = problem
    notes = [f"{file}: {reason}" for file, reason in problems.items()]
    return Reviews(node=path, reviews=found, notes=notes)


def text(document: Drift | Reviews, palette: Palette) -> str:
    """Write the drift of nodes, or the reviews of one."""
    if isinstance(document, Reviews):
        return reviews_text(document)
    return drift_text(document, palette) + older_text(document.since, "drifted node")


COMMAND = Command(
    request=DriftRequest,
    documents=(Drift, Reviews),
    ask=ask,
    text=text,
    tool=Tool(
        title="Show changes since the baseline",
        when="Use when you start and finish work: returns which mapped nodes changed, in code or "
        "graph, since their baseline, the class of each change and the public names in it. Never "
        "resolve drift without asking the user.",
        when_in_specs=None,
        limit=PAGE,
        documents=(Drift,),
    ),
)
