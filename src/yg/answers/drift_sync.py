"""The `drift-sync` command: record new baselines. No other query writes files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg.answers.answer import STANDARD, Answer, warnings
from yg.answers.drift import TrackedFiles, left_out, nodes_in_scope
from yg.disk.apply import Applier, ApplyError
from yg.disk.lock import writing
from yg.kernel.errors import UsageError, YgError
from yg.render.drift import sync_data, sync_text
from yg.yggdrasil.baseline import FOLDER
from yg.yggdrasil.drift import mapped_nodes
from yg.yggdrasil.sync import edits_of, garbage, synced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yg.answers.answer import Hashing
    from yg.kernel.edit import Edit
    from yg.workspace import OpenWorkspace
    from yg.yggdrasil.model import Node
    from yg.yggdrasil.sync import Synced


class Choice(Struct, frozen=True, kw_only=True):
    """The nodes to record: one, one and all below it, or all, which removes stale baselines too."""

    node: str | None = None
    recursive: bool = False
    every: bool = False


def drift_sync(
    reopen: Callable[[], OpenWorkspace], choice: Choice, *, hashing: Hashing = STANDARD
) -> Answer:
    """Record new baselines; without --all, one failure means that nothing is written."""
    if (choice.node is None) != choice.every:
        raise UsageError("name one node, or use --all", hint="'yg drift' shows what has drifted.")
    first = reopen()
    first.require_baselines()
    notes = list(first.migrate_baselines())
    with writing(first.root, first.format.folder):
        # Reopen after taking the lock: another process may have changed files in the meantime.
        workspace = reopen()
        results, removed = _synchronize(workspace, choice, hashing)
        notes += [f"{file}: {reason}" for file, reason in workspace.baselines.problems.items()]
    missing = left_out(workspace) if choice.every else []
    notes += missing
    return Answer(
        data=lambda: sync_data(results, removed, notes),
        forms={"text": lambda palette: sync_text(results, removed, palette)},
        notes=warnings(notes),
        code=1 if missing or any(result.failure for result in results) else 0,
    )


def _synchronize(
    workspace: OpenWorkspace, choice: Choice, hashing: Hashing
) -> tuple[list[Synced], list[Edit]]:
    """Compute and write new baselines; return the result for each node and the removals."""
    baselines = workspace.baselines
    files = TrackedFiles(workspace, _chosen_nodes(workspace, choice), hashing)
    results = [
        synced(path, tracked, baselines.get(path), files.hashes)
        for path, tracked in files.tracked.items()
    ]
    failed = [result for result in results if result.failure]
    if failed and not choice.every:
        raise _sync_error(failed)
    applier = Applier(workspace.root, FOLDER)
    applier.clear(FOLDER, below=True)
    if not choice.every:
        applier.apply(edits_of(results))
        return results, []
    removed = list(garbage(workspace.graph, baselines))
    results = _write(applier, results)
    applier.apply(removed)
    return results, removed


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
