"""Where have code and graph moved apart? The drift of mapped nodes."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg.answers.answer import STANDARD, Answer, warnings
from yg.disk.hashes import WorkTreeHashes
from yg.disk.index import EVERYTHING as ANY_CHANGE
from yg.kernel.codec import Codec
from yg.kernel.errors import NotFoundError, YgError
from yg.render.drift import drift_data, drift_text
from yg.yggdrasil.drift import NodeDrift, State, Tracker, concerned, mapped_nodes, node_drift

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yg.answers.answer import Hashing
    from yg.workspace import Workspace
    from yg.yggdrasil.drift import Tracked
    from yg.yggdrasil.model import Node


EVERYTHING = "all"


def drift(  # noqa: PLR0913
    workspace: Workspace,
    *,
    scope: str = EVERYTHING,
    files: Iterable[str] | None = None,
    drifted_only: bool = False,
    limit: int | None = None,
    hashing: Hashing = STANDARD,
    may_migrate: bool = True,
) -> Answer:
    """Compare mapped nodes with their baselines: those of a scope that some files concern."""
    changed = None if files is None else known_here(workspace, files)
    found = drift_of(workspace, scope, changed, hashing, may_migrate=may_migrate)
    is_clean = all(each.state is State.OK for each in found.drifts) and not found.skipped
    return Answer(
        schema="drift",
        data=lambda: {
            "scope": scope,
            "files": changed,
            **drift_data(found.drifts, drifted_only=drifted_only, limit=limit),
            "notes": list(found.notes),
        },
        forms={
            "text": lambda palette: drift_text(
                found.drifts, palette, drifted_only=drifted_only, limit=limit
            )
        },
        notes=warnings(found.notes),
        code=0 if is_clean else 1,
    )


def drift_of(
    workspace: Workspace,
    scope: str = EVERYTHING,
    files: list[str] | None = None,
    hashing: Hashing = STANDARD,
    *,
    may_migrate: bool = True,
) -> Look:
    """Look for drift, which only graphs with baselines have."""
    workspace.require_baselines()
    nodes = _nodes(workspace, scope, files)
    return look(workspace, nodes, hashing, may_migrate=may_migrate)


def known_here(workspace: Workspace, files: Iterable[str]) -> list[str]:
    """Return files as the repository names them; those outside it concern no node."""
    known = (workspace.relative(file) for file in files)
    return sorted({path for path in known if path is not None})


def _nodes(workspace: Workspace, scope: str, files: list[str] | None) -> tuple[Node, ...] | None:
    """Return the nodes to look at; None for all."""
    is_all = scope == EVERYTHING
    if is_all and files is None:
        return None
    nodes = mapped_nodes(workspace.graph) if is_all else nodes_in_scope(workspace, scope)
    if files is None:
        return nodes
    return tuple(concerned(workspace.graph, workspace.baselines, nodes, files))


class Look(Struct, frozen=True):
    """What was found, and what is to be said beside it."""

    drifts: tuple[NodeDrift, ...]
    notes: tuple[str, ...]
    skipped: bool  # some node could not be read, so nobody knows about its drift


class Watch:
    """The tracked files of nodes, hashed as they are asked for."""

    def __init__(self, workspace: Workspace, nodes: Sequence[Node], hashing: Hashing) -> None:
        tracker = Tracker(workspace.graph, workspace.sources)
        self.tracked: dict[str, Tracked] = {node.path: tracker.tracked(node) for node in nodes}
        files = {file for each in self.tracked.values() for file in each.files}
        done = count(1)
        self.hashes = WorkTreeHashes(
            workspace.tree,
            lambda: hashing.on_file(next(done), len(files)),
        )


def nodes_in_scope(workspace: Workspace, scope: str) -> tuple[Node, ...]:
    """Return the mapped nodes of a scope; a scope without any is an error."""
    path = workspace.directory(scope)
    nodes = mapped_nodes(workspace.graph, path)
    if not nodes:
        raise NotFoundError(
            f"'{path}' has no mapping, and neither has any node below it",
            hint="Drift is about mapped files: add 'mapping' to a yg-node.yaml.",
        )
    return nodes


LOOK: Codec[Look] = Codec(Look)


def look(
    workspace: Workspace,
    nodes: Sequence[Node] | None,
    hashing: Hashing,
    *,
    may_migrate: bool = True,
) -> Look:
    """Compare nodes with their baselines; None stands for all that are mapped."""
    notes = _migrated(workspace) if may_migrate else ()
    if nodes is None:
        found = workspace.result(
            "drift",
            ANY_CHANGE,
            LOOK,
            lambda: _compared(workspace, mapped_nodes(workspace.graph), hashing),
        )
    else:
        found = _compared(workspace, nodes, hashing)
    return replace(found, notes=(*notes, *found.notes)) if notes else found


def _compared(workspace: Workspace, nodes: Sequence[Node], hashing: Hashing) -> Look:
    notes: list[str] = []
    watch = Watch(workspace, nodes, hashing)
    baselines = workspace.baselines
    drifts = tuple(
        node_drift(path, tracked, baselines.get(path), watch.hashes)
        for path, tracked in watch.tracked.items()
    )
    notes += [
        f"{file}: {reason}; taken as no baseline" for file, reason in baselines.problems.items()
    ]
    notes += [failure.message for failure in watch.hashes.failures]
    notes += [f"cannot look into '{path}'" for path in workspace.sources.unseen()]
    notes += [
        f"'{path}' is not tracked: its name is not UTF-8" for path in workspace.sources.misnamed()
    ]
    missing = left_out(workspace)
    return Look(drifts, (*notes, *missing), bool(missing))


def left_out(workspace: Workspace) -> list[str]:
    """Tell of the nodes that could not be read, so that nobody knows about their drift."""
    missing = workspace.skipped()
    return [f"{each.subject} is left out: {each.message}" for each in missing]


def _migrated(workspace: Workspace) -> tuple[str, ...]:
    """Bring older baselines over; where that cannot be done, they are used as they are."""
    try:
        return workspace.migrate_baselines()
    except YgError as error:
        return (f"the old drift state stays as it is: {error.message}",)
