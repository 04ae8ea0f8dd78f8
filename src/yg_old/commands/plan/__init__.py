"""`yg plan`: show the order in which nodes can be built."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import UNSET, Meta, Struct, UnsetType, to_builtins
from msgspec.structs import replace

from yg_old.commands.command import PAGE, Command, Tool, warnings
from yg_old.commands.issues import SkippedEntries, errors_text, skipped_data
from yg_old.commands.plan.documents import PackageFolder
from yg_old.commands.request import Argument, Operand, Option, Request, Revision, Tokenizer
from yg_old.kernel.document import UNIQUE, Count, Document, Record, Text, about
from yg_old.kernel.errors import RefusedError, UsageError
from yg_old.kernel.package import STANDARD_BUDGET, Budget
from yg_old.kernel.palette import visible
from yg_old.kernel.plan import Unordered
from yg_old.text.plural import counted
from yg_old.workspace import results

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg_old.commands.command import Run
    from yg_old.commands.drift.find import DriftReport
    from yg_old.kernel.issue import Finding
    from yg_old.kernel.palette import Palette
    from yg_old.kernel.plan import Plan
    from yg_old.workspace.opened import OpenWorkspace

OK, UNMAPPED = "ok", "unmapped"

Nodes = Annotated[tuple[Text, ...], Meta(extra_json_schema=UNIQUE)]


class PlanRequest(Request["PlanDocument"], frozen=True, kw_only=True):
    """Which nodes to order."""

    node: Annotated[
        str | None,
        Operand("NODE", "plan only this node and its dependencies", option="--node"),
        Argument(
            "Only this node and its dependencies.",
            "orders/order-service",
            example_in_specs="AUTH-01",
        ),
    ] = None
    at: Revision = None
    changed: Annotated[
        bool,
        Option(help="plan only nodes that have drifted"),
        Argument("Only nodes that have drifted.", in_specs=None),
    ] = False
    all: Annotated[
        bool,
        Option(help="include nodes without a mapping"),
        Argument("Include nodes without source files.", in_specs=None),
    ] = False
    lenient: Annotated[
        bool,
        Option(help="despite errors: leave out what cannot be ordered, and list it"),
        Argument("Despite errors: leave out what cannot be ordered, and list it."),
    ] = False
    packages: Annotated[
        str | None,
        Option(metavar="DIR", help="write the package of each node to a file in DIR, by stage"),
    ] = None
    tokenizer: Tokenizer = None

    def check(self) -> None:
        """Raise UsageError if the options exclude each other."""
        if self.changed and self.at is not None:
            raise UsageError("--changed reads the work tree and cannot be combined with --at")
        if self.changed and self.all:
            raise UsageError("--changed cannot be combined with --all: only mapped nodes can drift")
        if self.packages is not None and not self.packages:
            raise UsageError("empty directory name")


class LeftOut(Record, frozen=True, kw_only=True):
    """Nodes that the plan does not contain, by reason."""

    CONDITIONS: ClassVar[dict[str, Any]] = {
        "oneOf": [{"required": ["blackbox", "unmapped"]}, {"required": ["grouping"]}]
    }

    blackbox: Annotated[
        Count | UnsetType, about("The number of blackbox nodes; absent in Spec Graphs.")
    ] = UNSET
    unmapped: Annotated[
        Count | UnsetType, about("How many have no mapping; absent in Spec Graphs.")
    ] = UNSET
    grouping: Annotated[
        Count | UnsetType, about("How many are features and layers; only in Spec Graphs.")
    ] = UNSET


class Details(Struct, frozen=True, kw_only=True):
    """What the text shows besides the document."""

    is_whole: bool = True  # the plan is not limited to some nodes
    unrecorded: frozenset[str] = frozenset()  # mapped nodes without a baseline
    oversized: Mapping[str, int] = {}  # tokens of packages above the error budget
    budget: Budget = STANDARD_BUDGET


NO_DETAILS = Details()


class PlanDocument(Document, frozen=True, kw_only=True, tag="yg-plan/1"):
    """What `yg plan --json` prints: the order in which nodes can be built."""

    HIDDEN = ("details", "remarks")

    stages: Annotated[
        tuple[Annotated[Nodes, Meta(min_length=1)], ...],
        about("The nodes by stage; each stage needs only the ones before it."),
    ]
    states: Annotated[
        dict[Text, Text] | None,
        about(
            "The drift state of each node, `unmapped` for one without a mapping; "
            "null without baselines."
        ),
    ]
    cycles: Annotated[
        tuple[Annotated[Nodes, Meta(min_length=2)], ...],
        about("Groups of nodes that need each other; each is in one stage."),
    ]
    over_budget: Annotated[
        Nodes,
        about("The nodes whose packages are above the error budget, in the order of the stages."),
    ]
    critical_path: Annotated[Nodes, about("A longest chain of dependencies, in build order.")]
    left_out: Annotated[LeftOut, about("The numbers of nodes that are not part of this plan.")]
    unordered: Annotated[
        tuple[Unordered, ...], about("With `--lenient`: the nodes that cannot be ordered.")
    ]
    total: Annotated[Count, about("How many nodes the stages hold.")]
    packages: Annotated[
        PackageFolder | UnsetType, about("With --packages: the files that were written.")
    ] = UNSET
    skipped: SkippedEntries
    details: Details = NO_DETAILS
    remarks: tuple[str, ...] = ()  # about drift

    @property
    def exit_code(self) -> int:
        """1 if the package of a node is too large."""
        return 1 if self.over_budget else 0


def ask(run: Run, request: PlanRequest) -> PlanDocument:
    """Order nodes by dependency: all, the dependencies of one node, or the drifted nodes.

    If the graph has errors, raise RefusedError or, with `lenient`, leave out the nodes that have no
    place in the order.
    """
    workspace = run.workspace
    if request.all:
        workspace.require_yggdrasil("a mapping (--all)")
    if request.changed:
        workspace.require_yggdrasil("drift (--changed)")
        workspace.require_baselines()
    only = needed(workspace, request.node)
    if not request.lenient:
        refuse_plan(workspace)
    migrated = _migrate(run) if request.changed else ()
    workspace = run.workspace
    found = _drift(run)
    if request.changed and found:
        drifted = frozenset(drift.node for drift in found.drifts if drift.state != OK)
        only = drifted if only is None else drifted & only
    if only is None and not (request.all or request.lenient):
        order, skipped = results.plan(workspace)
    else:
        order = workspace.queries.plan(only, unmapped=request.all, lenient=request.lenient)
        skipped = tuple(workspace.skipped())
    document = document_of(
        order,
        states=None if found is None else {drift.node: drift.state for drift in found.drifts},
        details=_details(workspace, order, found, is_whole=only is None),
        skipped=skipped,
        remarks=(*migrated, *_notes(workspace, found)),
    )
    if request.packages is None:
        return document
    from yg_old.commands.plan.packages import write_packages

    written = write_packages(run, order, request.packages, is_lenient=request.lenient)
    return replace(document, packages=written)


def document_of(
    order: Plan,
    *,
    states: Mapping[str, str] | None = None,
    details: Details = NO_DETAILS,
    skipped: Iterable[Finding] = (),
    remarks: tuple[str, ...] = (),
) -> PlanDocument:
    """Return the document of an order; `states` are those of mapped nodes."""
    nodes = [node for stage in order.stages for node in stage]
    return PlanDocument(
        stages=order.stages,
        states=None if states is None else {node: states.get(node, UNMAPPED) for node in nodes},
        cycles=order.cycles,
        over_budget=tuple(node for node in nodes if node in details.oversized),
        critical_path=order.critical,
        left_out=LeftOut(**dict(order.left_out)),
        unordered=order.unordered,
        total=order.total,
        skipped=skipped_data(skipped),
        details=details,
        remarks=remarks,
    )


def needed(workspace: OpenWorkspace, node: str | None) -> frozenset[str] | None:
    """Return a node and its dependencies; None stands for all nodes."""
    return None if node is None else workspace.queries.needed(workspace.find(node))


BROKEN_RELATION = "E004"


def refuse_plan(workspace: OpenWorkspace) -> None:
    """Raise RefusedError if the graph has errors that prevent packages."""
    if not workspace.format.refuses_errors:
        return
    issues = results.errors(workspace)
    if not workspace.graph.edition.refuses_on_any_error:
        # In 0.x, a node that cannot be read is only left out, but an order needs its targets.
        issues = tuple(
            issue for issue in issues if issue.code == BROKEN_RELATION and issue.follows is None
        )
    if issues:
        own = sum(issue.follows is None for issue in issues)
        message = f"no plan: the graph has {errors_text(own, len(issues) - own)}"
        hint = "Fix the errors first, or use --lenient, which leaves out what cannot be ordered."
        raise RefusedError(message, hint=hint, issues=issues)


def _migrate(run: Run) -> tuple[str, ...]:
    from yg_old.commands.drift.find import migrate_first

    return migrate_first(run)


def _drift(run: Run) -> DriftReport | None:
    """Return the drift of all nodes; None if there are no baselines to compare with."""
    workspace = run.workspace
    if not workspace.format.has_drift or workspace.commit:
        return None
    from yg_old.commands.drift.find import find_drift

    return find_drift(workspace, None, run.on_file)


def _details(
    workspace: OpenWorkspace, order: Plan, found: DriftReport | None, *, is_whole: bool
) -> Details:
    large: dict[str, int] = {}
    if workspace.format.refuses_errors:
        sizes = results.package_sizes(workspace).oversized
        large = {node: sizes[node] for stage in order.stages for node in stage if node in sizes}
    drifts = found.drifts if found else ()
    return Details(
        is_whole=is_whole,
        unrecorded=frozenset(
            drift.node for drift in drifts if not drift.has_baseline and not drift.is_not_recorded
        ),
        oversized=large,
        budget=workspace.graph.budget if large else STANDARD_BUDGET,
    )


def _notes(workspace: OpenWorkspace, found: DriftReport | None) -> list[str]:
    """Return the notes on drift, except those about nodes that the answer lists as skipped."""
    if found is None or not found.notes:
        return []
    from yg_old.commands.drift.find import left_out

    skipped = set(left_out(workspace))
    return [note for note in found.notes if note not in skipped]


def text(plan: PlanDocument, palette: Palette) -> str:
    """Write the stages with their nodes, the critical path and the totals."""
    parts = []
    cycles = {cycle[0]: cycle for cycle in plan.cycles}
    width = max((len(visible(node)) for stage in plan.stages for node in stage), default=0)
    for number, stage in enumerate(plan.stages, 1):
        found = [cycles[node] for node in stage if node in cycles]
        is_one = len(found) == 1 and len(found[0]) == len(stage)
        lines = [_node(node, width, plan, palette) for node in stage]
        lines += [] if is_one else map(_cycle, found)
        how = "on a cycle, to be built together" if is_one else "in parallel"
        count = "1 node" if len(stage) == 1 else f"{len(stage)} nodes, {how}"
        parts.append(f"Stage {number} ({count}):\n{''.join(lines)}")
    if plan.unordered:
        width = max(len(visible(left.node)) for left in plan.unordered)
        lines = [
            f"  {visible(left.node):<{width}}  {visible(left.reason)}\n" for left in plan.unordered
        ]
        parts.append(f"Cannot be ordered, left out:\n{''.join(lines)}")
    parts.append("".join(f"{line}\n" for line in _totals(plan)))
    return "\n".join(parts)


def _node(node: str, width: int, plan: PlanDocument, palette: Palette) -> str:
    name, details = visible(node), plan.details
    columns = []
    if plan.states is not None:
        state = plan.states[node]
        paint = palette.dim if state in (OK, UNMAPPED) else palette.yellow
        columns.append(paint(f"{state} (no baseline)" if node in details.unrecorded else state))
    if node in details.oversized:
        size = f"{details.oversized[node]} {details.budget.unit}, limit {details.budget.error}"
        columns.append(palette.red(f"package too large ({size})"))
    return f"  {name:<{width}}  {'  '.join(columns)}\n" if columns else f"  {name}\n"


def _cycle(cycle: Sequence[str]) -> str:
    return f"  On a cycle, to be built together: {', '.join(map(visible, cycle))}\n"


def _totals(plan: PlanDocument) -> Iterator[str]:
    chain = " -> ".join(visible(node) for node in plan.critical_path) or "(none)"
    yield f"Critical path ({len(plan.critical_path)}): {chain}"
    if plan.details.is_whole:
        left_out = to_builtins(plan.left_out)
        counts = ", ".join(f"{count} {reason}" for reason, count in left_out.items())
        is_hint_due = not plan.total and left_out.get(UNMAPPED)
        yield f"Left out: {counts}{' (--all includes them)' if is_hint_due else ''}"
    yield f"Total: {counted(plan.total, 'node')} in {counted(len(plan.stages), 'stage')}"
    if plan.packages is not UNSET:
        count = counted(len(plan.packages.files), "package")
        yield f"Wrote {count} to {visible(plan.packages.directory)}, in a folder for each stage"


def remarks(plan: PlanDocument, palette: Palette) -> str:
    """Write the notes on drift, which are no part of the document."""
    return warnings(plan.remarks, palette)


COMMAND = Command(
    request=PlanRequest,
    documents=(PlanDocument,),
    ask=ask,
    text=text,
    remarks=remarks,
    tool=Tool(
        title="Show the build order",
        when="Use to build or change several nodes: returns stages; each depends only on earlier "
        "ones.",
        when_in_specs="Use to build several nodes: returns stages; each depends only on earlier "
        "ones.",
        limit=PAGE,
    ),
)
