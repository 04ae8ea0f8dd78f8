"""Next steps about drifted nodes: the cheapest commands that are right."""

from __future__ import annotations

from itertools import chain
from posixpath import commonpath
from typing import TYPE_CHECKING

from yg_old.kernel.palette import visible
from yg_old.text import paths
from yg_old.text.escapes import shell_word
from yg_old.text.plural import counted, listed
from yg_old.yggdrasil.drift.states import How, State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.commands.drift.documents import View
    from yg_old.yggdrasil.drift.states import NodeDrift

REASON = "--reason TEXT"
MOST_NAMED = 10  # nodes in one command
_RECURSIVE = "--recursive"
_REMOVE = "yg rm"
COMPLETE = "write the missing files, or correct the mappings"
RESTORE = "restore the missing files, or correct the mapping of the node"
FIX = "correct the mapping of moved files, run: yg validate --fix"


def named(nodes: Sequence[str]) -> str:
    """Return nodes as words of a command, at most so many that it can still be read."""
    return " ".join(map(shell_word, nodes[:MOST_NAMED]))


def sync_command(nodes: Sequence[str], *options: str) -> str:
    """Return the command that records nodes; `left_over` says what to do about the others."""
    return " ".join(("yg drift-sync", named(nodes), *options))


def left_over(nodes: Sequence[str]) -> list[str]:
    """Return what to do about the nodes that a command does not name; nothing if it names all."""
    rest = len(nodes) - MOST_NAMED
    return [f"run 'yg drift' again for {counted(rest, 'other node')}"] if rest > 0 else []


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
            nodes = _paths(gated)
            command = sync_command(nodes, REASON)
            yield f"change the texts, or say why they are still true; run: {command}"
            yield from left_over(nodes)
        if free:
            yield from self._sync("check that the graph still describes the code, then", free)
        if moved:
            yield FIX
        if incomplete:
            yield from self._sync(f"{completion(incomplete)}; then", incomplete)
        yield from _about_missing([drift for drift in left if drift.state is State.MISSING])
        if any(drift.state is State.UNMATERIALIZED for drift in drifts):
            yield "write the code of unmaterialized nodes, or remove their mapping"
        if len(new) == self._total > 1 and self._view.whole:
            yield f"compare code and graph, then run: yg drift-sync {self._view.whole}"
        elif new:
            yield from self._sync("compare code and graph, then", new)

    def about_graph(self, drifts: Sequence[NodeDrift]) -> Iterator[str]:
        """Yield what to do next about the nodes of the graph section."""
        # The source section says what to do about a node that cannot be recorded as it is.
        changed = [
            drift
            for drift in drifts
            if drift.graph and not drift.missing_paths and drift.node not in self._view.gated
        ]
        if changed:
            what = "check that the code still does what the graph says, then"
            yield from self._sync(what, changed)
        if any(drift.reason for drift in drifts):
            yield "fix the files that cannot be read; 'yg validate' shows the errors"

    def _sync(self, what: str, drifts: Sequence[NodeDrift]) -> Iterator[str]:
        """Yield what to do, with the one command that records nodes."""
        nodes = _paths(drifts)
        above = self._above(nodes) if self._view.whole and len(nodes) > 1 else []
        if len(above) == 1 or (len(nodes) > MOST_NAMED >= len(above) > 0):
            yield f"{what} run: {sync_command(above, _RECURSIVE)}"
        elif len(nodes) > MOST_NAMED and self._is_everything(nodes):
            yield f"{what} run: yg drift-sync --all"
        else:
            yield f"{what} run: {sync_command(nodes)}"
            yield from left_over(nodes)

    def _is_everything(self, nodes: Sequence[str]) -> bool:
        """Tell whether nothing else in the graph has drifted."""
        return self._view.whole == "--all" and set(self._drifted) == set(nodes)

    def _above(self, nodes: Sequence[str]) -> list[str]:
        """Return the nodes at or above some nodes below which nothing else has drifted.

        There are none if something else has drifted below one of the nodes themselves.
        """
        others = set(self._drifted) - set(nodes)
        mixed = {paths.ROOT, *others, *chain.from_iterable(map(paths.lineage, others))}
        groups: dict[str, list[str]] = {}
        for node in nodes:
            line = (*paths.lineage(node), node)
            top = next((path for path in line if path not in mixed), None)
            if top is None:
                return []
            groups.setdefault(top, []).append(node)
        return [commonpath(group) for group in groups.values()]


def _paths(drifts: Sequence[NodeDrift]) -> list[str]:
    return [drift.node for drift in drifts]


def _about_missing(drifts: Sequence[NodeDrift]) -> Iterator[str]:
    """Yield what to do about nodes whose mapped paths are all gone."""
    gone = [drift for drift in drifts if not drift.source]
    if gone:
        what = "it" if len(gone) == 1 else "such nodes"
        commands = (f"{_REMOVE} {shell_word(drift.node)}" for drift in gone[:MOST_NAMED])
        yield f"{RESTORE}; to remove {what} too, run: {' && '.join(commands)}"
        yield from left_over(_paths(gone))
    if len(gone) < len(drifts):
        yield RESTORE


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
        return COMPLETE
    missing = drifts[0].missing_paths or ()
    return f"write {listed([visible(path) for path in missing])}, or correct the mapping"


def short_steps(drifts: Sequence[NodeDrift], since: str = "") -> list[str]:
    """Return how to go on after a list of drifted nodes; nothing if none drifted.

    `since` is the revision, if the list has only what is new.
    """
    if all(drift.state is State.OK for drift in drifts):
        return []
    only = f" --since {shell_word(since)}" if since else ""
    return [*fix_step(drifts), f"'yg drift --drifted-only{visible(only)}' shows what changed"]


def fix_step(drifts: Sequence[NodeDrift]) -> list[str]:
    """Return the step that corrects mappings, if it corrects one."""
    return [f"Next: {FIX}"] if any(map(is_fixable, drifts)) else []
