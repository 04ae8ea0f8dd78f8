"""Next steps about drifted nodes: the cheapest commands that are right."""

from __future__ import annotations

from posixpath import commonpath
from typing import TYPE_CHECKING

from yg.kernel.palette import visible
from yg.text import paths
from yg.text.escapes import shell_word
from yg.text.plural import listed
from yg.yggdrasil.drift.states import How, State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.commands.drift.documents import View
    from yg.yggdrasil.drift.states import NodeDrift

_SYNC = "yg drift-sync"
_REMOVE = "yg rm"
RESTORE = "restore the missing files, or correct the mapping of the node"
FIX = "correct the mapping of moved files, run: yg validate --fix"
MORE = "'yg drift --drifted-only' shows what changed"


class Steps:
    """What to do about some nodes, among all that were compared."""

    def __init__(self, every: Sequence[NodeDrift], view: View) -> None:
        self._drifted = [drift.node for drift in every if drift.state is not State.OK]
        self._total = len(every)
        self._view = view

    def about_sources(self, drifts: Sequence[NodeDrift]) -> Iterator[str]:
        """Yield what to do next about the nodes of the source section."""
        moved = [drift for drift in drifts if is_fixable(drift)]
        left = [drift for drift in drifts if not is_fixable(drift)]
        incomplete = [drift for drift in left if drift.missing_paths]
        complete = [drift for drift in left if not drift.missing_paths]
        new = [drift for drift in complete if drift.is_unrecorded]
        settled = (State.MISSING, State.OK)
        changed = [drift for drift in complete if drift.source and drift.state not in settled]
        gated = [drift for drift in changed if drift.node in self._view.gated]
        free = [drift for drift in changed if drift.node not in self._view.gated]
        if gated:
            each = _for_each(_SYNC, gated)
            yield f"change the texts, or say why they are still true; {each} --reason TEXT"
        if free:
            yield f"check that the graph still describes the code, then {self._sync(free)}"
        if moved:
            yield FIX
        if incomplete:
            yield f"{completion(incomplete)}; then {self._sync(incomplete)}"
        yield from _about_missing([drift for drift in left if drift.state is State.MISSING])
        if any(drift.state is State.UNMATERIALIZED for drift in drifts):
            yield "write the code of unmaterialized nodes, or remove their mapping"
        if len(new) == self._total > 1 and self._view.whole:
            yield f"compare code and graph, then run: {_SYNC} {self._view.whole}"
        elif new:
            yield f"compare code and graph, then {self._sync(new)}"

    def about_graph(self, drifts: Sequence[NodeDrift]) -> Iterator[str]:
        """Yield what to do next about the nodes of the graph section."""
        # A node with missing files cannot be recorded; the source section says what to do.
        changed = [drift for drift in drifts if drift.graph and not drift.missing_paths]
        if changed:
            what = "check that the code still does what the graph says"
            yield f"{what}, then {self._sync(changed)}"
        if any(drift.reason for drift in drifts):
            yield "fix the files that cannot be read; 'yg validate' shows the errors"

    def _sync(self, drifts: Sequence[NodeDrift]) -> str:
        """Return the command that records nodes: one, if nothing else below a parent drifted."""
        nodes = {drift.node for drift in drifts}
        parent = commonpath(nodes) if self._view.whole else ""
        if len(nodes) > 1 and parent not in ("", paths.ROOT):
            below = {node for node in self._drifted if paths.is_inside(node, parent)}
            if below <= nodes:
                return f"run: {_SYNC} {shell_word(parent)} --recursive"
        return _for_each(_SYNC, drifts)


def _about_missing(drifts: Sequence[NodeDrift]) -> Iterator[str]:
    """Yield what to do about nodes whose mapped paths are all gone."""
    gone = [drift for drift in drifts if not drift.source]
    if gone:
        what = "it" if len(gone) == 1 else "such nodes"
        yield f"{RESTORE}; to remove {what} too, {_for_each(_REMOVE, gone)}"
    if len(gone) < len(drifts):
        yield RESTORE


def _for_each(command: str, drifts: Sequence[NodeDrift]) -> str:
    if len(drifts) == 1:
        return f"run: {command} {shell_word(drifts[0].node)}"
    return f"run for each: {command} NODE"


def is_fixable(drift: NodeDrift) -> bool:
    """Tell whether `yg validate --fix` corrects the mapping of a node: a mapped file moved.

    A new place that is added to the node is mapped already; no node has any other one.
    """
    own = {change.path for change in drift.source if change.how is How.ADDED}
    moved = [change.path for change in drift.source if change.to and change.to not in own]
    if drift.state is State.MISSING:
        return bool(moved)
    missing = drift.missing_paths or ()
    return any(paths.is_inside(file, path) for file in moved for path in missing)


def completion(drifts: Sequence[NodeDrift]) -> str:
    """Say how to complete nodes of which some files are missing: they cannot be recorded."""
    if len(drifts) > 1:
        return "write the missing files, or correct the mappings"
    missing = drifts[0].missing_paths or ()
    return f"write {listed([visible(path) for path in missing])}, or correct the mapping"


def short_steps(drifts: Sequence[NodeDrift]) -> list[str]:
    """Return how to go on after a list of drifted nodes; nothing if none drifted."""
    if all(drift.state is State.OK for drift in drifts):
        return []
    return [*fix_step(drifts), MORE]


def fix_step(drifts: Sequence[NodeDrift]) -> list[str]:
    """Return the step that corrects mappings, if it corrects one."""
    return [f"Next: {FIX}"] if any(map(is_fixable, drifts)) else []
