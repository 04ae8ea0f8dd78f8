"""The sources of nodes compared with their baselines, in the work tree or in a commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.errors import UnreadableError
from yg_old.yggdrasil.drift.baseline import source_files

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg_old.kernel.digest import FileDigest
    from yg_old.kernel.sources import Sources
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.drift.states import NodeDrift
    from yg_old.yggdrasil.model import Node


class SourceHashes:
    """The digests of sources in any state of the repository."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def of(self, path: str) -> FileDigest:
        """Return the digest of a file; raises UnreadableError."""
        return self._sources.digest(path)


def changed_sources(workspace: OpenWorkspace, nodes: Iterable[Node]) -> tuple[NodeDrift, ...]:
    """Return the drift of nodes whose sources differ from their baselines, without classes.

    Nodes without a baseline are left out, and so are those that only have new files: what no
    text can be about yet is not worth a listing of the whole repository.
    """
    hashes = SourceHashes(workspace.sources)
    recorded = ((node, workspace.baselines.get(node.path)) for node in nodes)
    changed = [
        (node, baseline)
        for node, baseline in recorded
        if baseline and any(_differs(hashes, *file) for file in source_files(baseline).items())
    ]
    if not changed:
        return ()
    from yg_old.yggdrasil.drift.tracking import Tracker, source_drift

    sources = workspace.sources
    tracker = Tracker(workspace.graph, sources)
    drifts = (
        source_drift(tracker.tracked_sources(node), node.path, baseline, hashes, sources)
        for node, baseline in changed
    )
    return tuple(drift for drift in drifts if drift.source)


def _differs(hashes: SourceHashes, path: str, digest: str) -> bool:
    try:
        return not hashes.of(path).matches(digest)
    except UnreadableError:
        return True
