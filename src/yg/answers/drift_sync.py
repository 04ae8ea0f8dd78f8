"""The `drift-sync` command: record new baselines. No other query writes files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg.answers.answer import STANDARD, Answer, warnings
from yg.answers.drift import TrackedFiles, left_out, nodes_in_scope
from yg.disk.apply import ApplyError, cleared_applier
from yg.disk.lock import writing
from yg.kernel.errors import UsageError, YgError
from yg.kernel.escapes import shell_word
from yg.kernel.paths import is_utf8
from yg.render.drift import listed, sync_data, sync_text
from yg.yggdrasil.baseline import FOLDER, state_file
from yg.yggdrasil.classify import Classifier, is_cosmetic, needs_reason
from yg.yggdrasil.drift import mapped_nodes, node_drift
from yg.yggdrasil.recorded import Review, recorded_reviews
from yg.yggdrasil.sync import Synced, edits_of, garbage, synced, unresolved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from yg.answers.answer import Hashing
    from yg.disk.apply import Applier
    from yg.kernel.edit import Edit
    from yg.workspace import OpenWorkspace
    from yg.yggdrasil.baseline import Baseline
    from yg.yggdrasil.drift import NodeDrift, Tracked
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node


class Choice(Struct, frozen=True, kw_only=True):
    """The nodes to record: one, one and all below it, or all, which removes stale baselines too."""

    node: str | None = None
    recursive: bool = False
    every: bool = False
    cosmetic: bool = False  # all nodes whose changes are at most documentation
    reason: str | None = None  # why no text of the node had to change

    def check(self) -> None:
        """Raise UsageError if the options exclude each other."""
        is_all = self.every or self.cosmetic
        if (self.node is None) != is_all:
            hint = "'yg drift' shows what has drifted."
            raise UsageError("name one node, or use --all", hint=hint)
        if self.reason is None:
            return
        if is_all:
            hint = "Give it with each node: yg drift-sync NODE --reason TEXT"
            raise UsageError("a reason is about one node", hint=hint)
        if not self.reason.strip():
            raise UsageError("the reason is empty", hint="Say why no text had to change.")
        if not is_utf8(self.reason):
            raise UsageError("the reason is not valid UTF-8")


def drift_sync(
    reopen: Callable[[], OpenWorkspace], choice: Choice, *, hashing: Hashing = STANDARD
) -> Answer:
    """Record new baselines; without --all, one failure means that nothing is written."""
    choice.check()
    first = reopen()
    first.require_baselines()
    notes = list(first.migrate_baselines())
    with writing(first.root, first.format.folder):
        # Reopen after taking the lock: another process may have changed files in the meantime.
        workspace = reopen()
        results, removed, found = _synchronize(workspace, choice, hashing)
        notes += found
        notes += [f"{file}: {reason}" for file, reason in workspace.baselines.problems.items()]
    missing = left_out(workspace) if choice.every and not choice.cosmetic else []
    notes += missing
    return Answer(
        data=lambda: sync_data(results, removed, notes),
        forms={"text": lambda palette: sync_text(results, removed, palette)},
        notes=warnings(notes),
        code=1 if missing or any(result.failure for result in results) else 0,
    )


def _synchronize(
    workspace: OpenWorkspace, choice: Choice, hashing: Hashing
) -> tuple[list[Synced], list[Edit], list[str]]:
    """Compute and write new baselines; return the results, the removals and notes."""
    nodes = {node.path: node for node in _chosen_nodes(workspace, choice)}
    files = TrackedFiles(workspace, tuple(nodes.values()), hashing)
    results = []
    recorder = _Recorder(workspace, files, choice)
    for path, node in nodes.items():
        result = recorder.synced(node, files.tracked[path])
        if result is not None:
            results.append(result)
    recorded = [result.node for result in results if result.is_changed]
    notes = [*recorder.notes, *_unresolved(workspace.graph, recorded)]
    failed = [result for result in results if result.failure]
    if failed and choice.node is not None:
        raise _sync_error(failed)
    applier = cleared_applier(workspace.root, FOLDER)
    if choice.node is not None:
        applier.apply(edits_of(results))
        return results, [], notes
    removed = [] if choice.cosmetic else list(garbage(workspace.graph, workspace.baselines))
    results = _write(applier, results)
    applier.apply(removed)
    return results, removed, notes


def _unresolved(graph: Graph, nodes: Iterable[str]) -> Iterator[str]:
    """Yield a note for each relation without a target, of which a baseline has no contract."""
    for node in nodes:
        for target in unresolved(graph, node):
            yield f"{node}: no contract of '{target}' is recorded: there is no such node"


class _Recorder:
    """Computes the new baseline of one node after the other."""

    def __init__(self, workspace: OpenWorkspace, files: TrackedFiles, choice: Choice) -> None:
        self._workspace = workspace
        self._files = files
        self._choice = choice
        self._gate = workspace.graph.config.drift.gate
        self._classifier = Classifier(workspace.graph, files.facts)
        self.notes: list[str] = []

    def synced(self, node: Node, tracked: Tracked) -> Synced | None:
        """Return the new baseline of a node; None if it is not to be recorded."""
        before = self._workspace.baselines.get(node.path)
        drift = self._drift(node, tracked, before)
        if self._choice.cosmetic and not (drift and is_cosmetic(drift)):
            return None
        reason = self._choice.reason
        if drift and reason is None and needs_reason(drift, node, self._gate):
            return Synced(node.path, before, None, _what_changed(drift), needs_reason=True)
        review = self._review(drift, before) if drift and reason is not None else None
        files = self._files
        return synced(node.path, tracked, before, files.hashes, files.facts, review=review)

    def _drift(self, node: Node, tracked: Tracked, before: Baseline | None) -> NodeDrift | None:
        """Compare a node with its baseline, if anything depends on what changed."""
        choice = self._choice
        if self._gate is None and choice.reason is None and not choice.cosmetic:
            return None
        sources = self._workspace.sources
        found = node_drift(node.path, tracked, before, self._files.hashes, sources)
        return self._classifier.classified(found, before)

    def _review(self, drift: NodeDrift, before: Baseline | None) -> Review | None:
        """Return the review to record; None if nothing has changed since the last sync."""
        if before is not None and not drift.source and not drift.graph:
            self.notes.append(f"{drift.node}: nothing changed, so the reason is not recorded")
            return None
        problem = recorded_reviews(before)[1] if before else ""
        if problem:
            self.notes.append(f"{state_file(drift.node)}: {problem}")
        names = dict.fromkeys(name.name for change in drift.source for name in change.names)
        return Review((self._choice.reason or "").strip(), drift.worst, tuple(names))


def _what_changed(drift: NodeDrift) -> str:
    """Return why a node needs a reason."""
    names = tuple(dict.fromkeys(name.name for change in drift.source for name in change.names))
    what = f"its public names changed ({listed(names)})" if names else "its code changed"
    return f"{what}, but none of its texts did"


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
    if all(result.needs_reason for result in failed):
        hint = (
            "Nothing was written. Change the text, or say why it is still true: "
            f"yg drift-sync {shell_word(failed[0].node)} --reason TEXT"
        )
    return YgError(f"cannot synchronize {reasons}", hint=hint)


def _chosen_nodes(workspace: OpenWorkspace, choice: Choice) -> tuple[Node, ...]:
    if choice.node is None:
        return mapped_nodes(workspace.graph)
    if choice.recursive:
        return nodes_in_scope(workspace, choice.node)
    node = workspace.node(choice.node)
    if not node.mapping:
        raise YgError(
            f"node '{node.path}' has no mapping, so there is nothing to synchronize",
            hint="Use --recursive for the mapped nodes below it.",
        )
    return (node,)
