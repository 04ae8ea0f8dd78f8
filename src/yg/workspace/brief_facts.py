"""Facts for briefs that need all declarations; the index keeps them while these do not change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.disk.index.changes import DECLARATIONS
from yg.kernel.codec import Codec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.workspace.opened import OpenWorkspace
    from yg.yggdrasil.questions.brief import Relying

_PAIRS: Codec[tuple[tuple[str, str], ...]] = Codec(tuple[tuple[str, str], ...])
_RELYING: Codec[dict[str, list[Relying]]] = Codec(dict[str, list[tuple[str, str, tuple[str, ...]]]])


def mapped_nodes(workspace: OpenWorkspace) -> tuple[tuple[str, str], ...]:
    """Return all mapped paths with their nodes."""

    def find() -> tuple[tuple[str, str], ...]:
        from yg.yggdrasil.owners import mapped_paths

        return tuple(mapped_paths(workspace.graph.nodes).items())

    return workspace.result("mapped nodes", DECLARATIONS, _PAIRS, find)


def relying_on(workspace: OpenWorkspace, node: str) -> Sequence[Relying]:
    """Return the nodes that rely on a node, by path."""

    def find() -> dict[str, list[Relying]]:
        from yg.yggdrasil.questions.brief import all_relying

        return all_relying(workspace.graph)

    return workspace.result("relying", DECLARATIONS, _RELYING, find).get(node, ())
