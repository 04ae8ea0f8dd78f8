"""`yg drift-sync`: record the current files of nodes as their baseline."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from yg_old.commands.command import Command, Tool
from yg_old.commands.drift.find import TrackedFiles, left_out, nodes_in_scope
from yg_old.commands.drift.steps import REASON, left_over, named, sync_command
from yg_old.commands.drift_sync.recorder import Recorder, uncommitted_note
from yg_old.commands.issues import Notes
from yg_old.commands.refusal import refuse_unnamed
from yg_old.commands.request import Argument, Operand, Option, Request
from yg_old.commands.review.documents import SentenceToCheck
from yg_old.commands.review.text import sentence_lines
from yg_old.disk.files.apply import ApplyError, cleared_applier
from yg_old.disk.writing.lock import writing
from yg_old.kernel.digest import canonical_digest
from yg_old.kernel.document import Document, Record, Text, about
from yg_old.kernel.errors import UsageError, YgError
from yg_old.kernel.palette import visible
from yg_old.text.paths import is_utf8
from yg_old.text.plural import counted
from yg_old.workspace.migration import migrate_baselines
from yg_old.yggdrasil.drift.baseline import FOLDER
from yg_old.yggdrasil.drift.states import NodePath
from yg_old.yggdrasil.drift.sync import Synced, edits_of, garbage, unresolved
from yg_old.yggdrasil.drift.tracking import mapped_nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg_old.commands.command import Run
    from yg_old.commands.drift.find import OnFile
    from yg_old.disk.files.apply import Applier
    from yg_old.kernel.edit import Edit
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Node

SHORT = 8  # digits of a hash in the text
_WORD = re.compile(r"[^\W\d_]{3}")


class DriftSyncRequest(Request["DriftSync"], frozen=True, kw_only=True):
    """The nodes to record: some, maybe with all below, or all, which removes stale baselines."""

    nodes: Annotated[
        tuple[str, ...],
        Operand("NODE", "nodes to record", option="--node"),
        Argument("Node to record.", "orders/order-service", "node", is_single=True),
        Argument(
            "Several nodes to record; if one cannot be, none is.",
            ["orders/order-service", "orders/pricing"],
            "nodes",
        ),
    ] = ()
    recursive: Annotated[
        bool, Option(help="include all nodes below them"), Argument("Include all nodes below.")
    ] = False
    all: Annotated[
        bool,
        Option(help="record all mapped nodes, and remove stale baselines"),
        Argument("Record all mapped nodes, and remove stale baselines."),
    ] = False
    cosmetic: Annotated[
        bool,
        Option(help="record all nodes of which only formatting, comments or documentation changed"),
    ] = False
    resolve: Annotated[
        bool,
        Option(help="clean up baselines with merge conflicts whose nodes match one of the sides"),
    ] = False
    reason: Annotated[
        str | None,
        Option(metavar="TEXT", help="why no text of the node had to change; it is recorded"),
        Argument(
            "Why no text of the node had to change; recorded with the baseline.",
            "the new parameter is internal; interface.md does not promise it",
        ),
    ] = None

    def check(self) -> None:
        """Raise UsageError if the options exclude each other."""
        if self.resolve and (self.all or self.cosmetic):
            raise UsageError("--resolve records nothing", hint="Use it without other options.")
        if "" in self.nodes:
            raise UsageError("empty node name", hint="'yg tree' lists all nodes.")
        is_all = self.all or self.cosmetic or self.resolve
        if bool(self.nodes) == is_all:
            hint = "'yg drift' shows what has drifted."
            raise UsageError("name a node, or use --all", hint=hint)
        if self.reason is None:
            return
        if is_all:
            hint = "Give it with the nodes: yg drift-sync NODE --reason TEXT"
            raise UsageError("a reason is about nodes that are named", hint=hint)
        if not self.reason.strip():
            raise UsageError("the reason is empty", hint="Say why no text had to change.")
        if not _WORD.search(self.reason):
            hint = "Say in words why no text had to change."
            raise UsageError("the reason has no word of at least three letters", hint=hint)
        if not is_utf8(self.reason):
            raise UsageError("the reason is not valid UTF-8")


class SyncedNode(Record, frozen=True, kw_only=True):
    """One node."""

    HIDDEN = ("has_same_files", "is_rewritten", "is_resolved")
    HIDING = ("sentences",)

    node: NodePath
    status: Annotated[
        Literal["synchronized", "unchanged", "failed", "needs-reason"],
        about(
            "The result for the node; needs-reason: its code changed, but none of its texts, so it "
            "was not recorded."
        ),
    ]
    before: Annotated[
        str | None,
        about("The hash of the files in the old baseline; null when there was none."),
    ]
    after: Annotated[
        Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] | None,
        about("The hash of the current files; null when it failed."),
    ]
    failure: Annotated[Text | None, about("Why it could not be recorded; null unless it failed.")]
    sentences: Annotated[
        tuple[SentenceToCheck, ...] | UnsetType,
        about(
            "The sentences about it that are most likely untrue, as in yg-review/1; left out if "
            "there are none."
        ),
    ] = UNSET
    has_same_files: bool  # only what is known about the code has changed
    is_rewritten: bool = False  # only the layout of its file has changed
    is_resolved: bool = False  # its file had a merge conflict


class DriftSync(Document, frozen=True, kw_only=True, tag="yg-drift-sync/1"):
    """What `yg drift-sync --json` prints: what became of the baselines."""

    HIDDEN = ("is_complete", "is_named")
    HIDING = ("nodes",)

    nodes: Annotated[
        tuple[SyncedNode, ...],
        about("The nodes that were to be recorded, in the order of their paths."),
    ]
    removed: Annotated[
        tuple[Annotated[str, Meta(pattern=r"^\.yggdrasil/\.drift-state/.")], ...],
        about("The files below `.yggdrasil/.drift-state/` that were removed."),
    ]
    notes: Notes
    is_complete: bool = True  # all nodes could be read
    is_named: bool = False  # each of the nodes was asked for

    @property
    def exit_code(self) -> int:
        """1 if a node could not be recorded."""
        return 0 if self.is_complete and not any(node.failure for node in self.nodes) else 1


def ask(run: Run, request: DriftSyncRequest) -> DriftSync:
    """Record new baselines; without --all, one failure means that nothing is written."""
    first = run.workspace
    first.require_baselines()
    refuse_unnamed(first, "baselines")
    notes = list(migrate_baselines(first))
    with writing(first.root, first.format.folder):
        # Reopen after taking the lock: another process may have changed files in the meantime.
        workspace = run.reopen()
        results, removed, found, sentences = _synchronize(workspace, request, run.on_file)
        notes += found
        notes += [f"{file}: {reason}" for file, reason in workspace.baselines.problems.items()]
    missing = left_out(workspace) if request.all and not request.cosmetic else []
    document = sync_of(
        results, removed, [*notes, *missing], is_complete=not missing, sentences=sentences
    )
    return replace(document, is_named=bool(request.nodes) and not request.recursive)


def sync_of(
    results: Iterable[Synced],
    removed: Iterable[Edit],
    notes: Sequence[str],
    *,
    is_complete: bool = True,
    sentences: Mapping[str, tuple[SentenceToCheck, ...]] = {},
) -> DriftSync:
    """Return the document of some results."""
    return DriftSync(
        nodes=tuple(_synced_node(result, sentences.get(result.node, ())) for result in results),
        removed=tuple(edit.path for edit in removed),
        notes=list(notes),
        is_complete=is_complete,
    )


def _synced_node(result: Synced, sentences: tuple[SentenceToCheck, ...]) -> SyncedNode:
    status: Literal["synchronized", "unchanged", "failed", "needs-reason"]
    if result.failure:
        status = "needs-reason" if result.needs_reason else "failed"
    else:
        status = "synchronized" if result.is_changed else "unchanged"
    return SyncedNode(
        node=result.node,
        status=status,
        before=canonical_digest(result.before.files) if result.before else None,
        after=canonical_digest(result.after.files) if result.after else None,
        failure=result.failure or None,
        sentences=sentences or UNSET,
        has_same_files=result.has_same_files,
        is_rewritten=result.is_rewritten,
        is_resolved=result.after is not None and bool(result.before and result.before.merged),
    )


def _synchronize(
    workspace: OpenWorkspace, request: DriftSyncRequest, on_file: OnFile
) -> tuple[list[Synced], list[Edit], list[str], Mapping[str, tuple[SentenceToCheck, ...]]]:
    """Compute and write new baselines; return the results, removals, notes and sentences."""
    nodes = _chosen_nodes(workspace, request)
    files = TrackedFiles(workspace, nodes, on_file)
    recorder = Recorder(
        workspace, files, request.reason, cosmetic=request.cosmetic, resolve=request.resolve
    )
    results = recorder.synced(nodes)
    recorded = [result.node for result in results if result.is_changed]
    notes = [*recorder.notes, *_unresolved(workspace.graph, recorded)]
    notes += uncommitted_note(workspace, files, results)
    notes += _hash_note(workspace)
    notes += _untracked_conflicts(workspace) if request.resolve else []
    failed = [result for result in results if result.failure]
    if failed and request.nodes:
        raise _sync_error(failed)
    applier = cleared_applier(workspace.root, FOLDER)
    if request.nodes:
        applier.apply(edits_of(results))
        return results, [], notes, recorder.sentences
    removed = (
        []
        if request.cosmetic or request.resolve
        else list(garbage(workspace.graph, workspace.baselines))
    )
    results = _write(applier, results)
    applier.apply(removed)
    return results, removed, notes, recorder.sentences


def _unresolved(graph: Graph, nodes: Iterable[str]) -> Iterator[str]:
    """Yield a note for each relation without a target, of which a baseline has no contract."""
    for node in nodes:
        for target in unresolved(graph, node):
            yield f"{node}: no contract of '{target}' is recorded: there is no such node"


def _write(applier: Applier, results: list[Synced]) -> list[Synced]:
    """Write all baselines together; if one of the paths is blocked, write them one by one."""
    try:
        applier.apply(edits_of(results))
    except ApplyError as error:
        if not error.is_local:
            raise
        return [_write_one(applier, result) for result in results]
    return results


def _write_one(applier: Applier, result: Synced) -> Synced:
    try:
        applier.apply(edits_of([result]))
    except ApplyError as error:
        if not error.is_local:
            raise
        return replace(result, after=None, failure=error.message)
    return result


def _sync_error(failed: Sequence[Synced]) -> YgError:
    reasons = "; ".join(f"{result.node}: {result.failure}" for result in failed)
    hint = "Nothing was written. Restore the files, or correct the mapping."
    if all(result.has_errors for result in failed):
        hint = "Nothing was written. 'yg validate' shows how to fix the errors."
    elif all(result.needs_reason for result in failed):
        nodes = [result.node for result in failed]
        what = "the text, or say why it is" if len(nodes) == 1 else "the texts, or say why they are"
        hint = (
            f"Nothing was written. 'yg review {named(nodes)}' shows what to check. "
            f"Change {what} still true: {sync_command(nodes, REASON)}"
        )
    return YgError(f"cannot synchronize {reasons}", hint=hint)


def _chosen_nodes(workspace: OpenWorkspace, request: DriftSyncRequest) -> tuple[Node, ...]:
    if not request.nodes:
        nodes = mapped_nodes(workspace.graph)
        return tuple(_with_conflicts(workspace, nodes)) if request.resolve else nodes
    chosen: dict[str, Node] = {}
    for name in request.nodes:
        is_single = not request.recursive
        nodes = (_tracked_node(workspace, name),) if is_single else nodes_in_scope(workspace, name)
        chosen.update((node.path, node) for node in nodes)
    return tuple(chosen[path] for path in sorted(chosen))


def _tracked_node(workspace: OpenWorkspace, name: str) -> Node:
    """Return a node by its name; raise an error if it has nothing to synchronize."""
    node = workspace.node(name)
    if not node.mapping:
        raise YgError(
            f"node '{node.path}' has no mapping, so there is nothing to synchronize",
            hint="Use --recursive for the mapped nodes below it.",
        )
    if not node.is_tracked:
        raise YgError(
            f"node '{node.path}' is not tracked, so there is nothing to synchronize",
            hint=f"Remove 'drift: off' from {node.file} to track it.",
        )
    return node


def _with_conflicts(workspace: OpenWorkspace, nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield the nodes whose baselines have a merge conflict, also one that cannot be read."""
    for node in nodes:
        baseline = workspace.baselines.get(node.path)
        if _has_markers(workspace, node.path) if baseline is None else baseline.merged is not None:
            yield node


def _has_markers(workspace: OpenWorkspace, node: str) -> bool:
    from yg_old.yggdrasil.drift.conflicts import has_markers

    content = workspace.baselines.content(node)
    return content is not None and has_markers(content.decode(errors="replace"))


def _untracked_conflicts(workspace: OpenWorkspace) -> Iterator[str]:
    """Yield a note for each baseline with a merge conflict that is not of a tracked node."""
    tracked = {node.path for node in mapped_nodes(workspace.graph)}
    for node, _ in workspace.baselines.all():
        if node not in tracked and _has_markers(workspace, node):
            yield (
                f"merge conflict in the baseline of {node}, which is not tracked; "
                "'yg drift-sync --all' removes it"
            )


def _hash_note(workspace: OpenWorkspace) -> list[str]:
    """Return a note if a conflict would not have been without the hash of all files."""
    is_avoidable = workspace.graph.config.drift.stores_hash and any(
        merged.is_only_hash for merged in workspace.baselines.merged.values()
    )
    if not is_avoidable:
        return []
    file = workspace.graph.config.file
    return [f"with 'drift: {{hash: derived}}' in {file} the hash would not have been in conflict"]


def text(sync: DriftSync, palette: Palette) -> str:
    """Write which baselines were recorded, which were removed, and which failed."""
    lines = []
    for node in sync.nodes:
        if node.failure:
            what = "Needs a reason:" if node.status == "needs-reason" else "Failed:"
            lines.append(f"{palette.red(what)} {visible(node.node)}: {visible(node.failure)}")
        elif node.status == "synchronized" and not node.has_same_files:
            lines += [f"Synchronized: {visible(node.node)}", f"  {_recorded(node)}"]
            lines += _doubtful(node, palette)
    lines += _reason_step([node.node for node in sync.nodes if node.status == "needs-reason"])
    lines += [f"Removed: {visible(path)}" for path in sync.removed]
    resolved = sum(node.is_resolved for node in sync.nodes)
    if resolved:
        lines.append(f"Merge conflicts resolved: {counted(resolved, 'baseline')}")
    rewritten = sum(node.is_rewritten and not node.is_resolved for node in sync.nodes)
    if rewritten:
        lines.append(f"Written in the current layout: {counted(rewritten, 'baseline')}")
    lines += _same_files(sync)
    return "".join(f"{line}\n" for line in lines)


def _same_files(sync: DriftSync) -> Iterator[str]:
    """Yield the nodes whose files are those of their baselines, if they were named, or a count."""
    unchanged = [node for node in sync.nodes if node.status == "unchanged"]
    described = [
        node for node in sync.nodes if node.status == "synchronized" and node.has_same_files
    ]
    if sync.is_named:
        for node in described:
            yield from _with_hash("Synchronized", node)
    if described:
        yield f"Facts about the code recorded: {counted(len(described), 'node')}"
    if sync.is_named:
        for node in unchanged:
            yield from _with_hash("Unchanged", node)
    elif unchanged:
        yield f"Unchanged: {counted(len(unchanged), 'node')}"


def _reason_step(nodes: Sequence[str]) -> list[str]:
    """Return what to do about nodes that need a reason."""
    if not nodes:
        return []
    what = "the text, or say why it is" if len(nodes) == 1 else "the texts, or say why they are"
    first = f"Next: change {what} still true: {sync_command(nodes, REASON)}"
    return [first, *(f"Next: {step}" for step in left_over(nodes))]


def _doubtful(node: SyncedNode, palette: Palette) -> list[str]:
    """Return the sentences of a recorded node that are most likely untrue."""
    sentences = node.sentences or ()
    head = ["  Recorded, but still to check:"] if sentences else []
    return [*head, *(line for found in sentences for line in sentence_lines(found, palette))]


def _with_hash(status: str, node: SyncedNode) -> tuple[str, str]:
    """Return the lines about a node whose files are those of its baseline."""
    return f"{status}: {visible(node.node)}", f"  Hash: {_short(node.after)}"


def _recorded(node: SyncedNode) -> str:
    before, after = _short(node.before), _short(node.after)
    if before != after:
        return f"Hash: {before} -> {after}"
    return "Contracts of other repositories recorded"


def _short(digest: str | None) -> str:
    return "none" if digest is None else visible(digest[:SHORT])


COMMAND = Command(
    request=DriftSyncRequest,
    documents=(DriftSync,),
    ask=ask,
    text=text,
    tool=Tool(
        title="Record new baselines",
        when="Use only after the user agreed that code and graph match: records the current state "
        "of nodes as their baselines. If the code changed but no text of the node had to, say why "
        "in reason.",
        writes=True,
        levels=0,
    ),
)
