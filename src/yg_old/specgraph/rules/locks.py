"""The rule about the lock file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.issue import Finding, Place, Severity
from yg_old.kernel.rule import rule
from yg_old.specgraph.lock_file import LOCK, differences, locked_digests
from yg_old.text.decode import plain
from yg_old.text.suggest import listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.specgraph.graph import SpecGraph

SHOWN = 3  # nodes of each kind of difference


@rule("W110", "stale-lock", Severity.WARNING)
def stale_lock(graph: SpecGraph) -> Iterator[Finding]:
    """`manifest.lock.json`, if it exists, has the digests of the current nodes.

    Why: the lock file records a reviewed state of the graph; a difference means that the graph has
    changed since.
    Fix: review the nodes that differ, then run `yg lock`.
    Example:
        {"nodes": {"AUTH-01": "0000.."}}    # W110: nodes/behaviors/AUTH-01.json has digest 9f86..
    """
    file = f"{graph.folder}/{LOCK}"
    if graph.snapshot.kind(file) is None:
        return
    if message := _difference(graph, file):
        yield Finding(LOCK, message, Place(file))


def _difference(graph: SpecGraph, file: str) -> str:
    """Describe how the lock file differs from the graph; empty if it does not."""
    try:
        decoded = graph.files.decoded(file)
    except UnreadableError as error:
        return f"cannot be read: {error.reason}"
    if decoded.problems:
        return decoded.problems[0].message
    locked = locked_digests(plain(decoded.datum))
    if locked is None:
        return "has no 'nodes' with the digest of each node"
    found: dict[str, list[str]] = {}
    for name, state in differences(graph, locked):
        found.setdefault(state, []).append(name)
    parts = [f"{state} {listing(names, SHOWN)}" for state, names in sorted(found.items())]
    return f"does not match the graph: {'; '.join(parts)}" if parts else ""
