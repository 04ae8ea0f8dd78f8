"""Facts for briefs that need all declarations; the index keeps them while these do not change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.disk.index.changes import DECLARATIONS
from yg_old.kernel.codec import Codec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.owners import Claim
    from yg_old.yggdrasil.questions.brief import Relying

_CLAIMS: Codec[tuple[Claim, ...]] = Codec(tuple[tuple[str, str, tuple[str, ...]], ...])
_RELYING: Codec[dict[str, list[Relying]]] = Codec(dict[str, list[tuple[str, str, tuple[str, ...]]]])


def mapped_nodes(workspace: OpenWorkspace) -> tuple[Claim, ...]:
    """Return all mapped paths with their nodes, and what these exclude."""

    def find() -> tuple[Claim, ...]:
        from yg_old.yggdrasil.owners import claims

        return tuple(claims(workspace.graph.nodes))

    return workspace.result("mapped nodes", DECLARATIONS, _CLAIMS, find)


def relying_on(workspace: OpenWorkspace, node: str) -> Sequence[Relying]:
    """Return the nodes that rely on a node, by path."""

    def find() -> dict[str, list[Relying]]:
        from yg_old.yggdrasil.questions.brief import all_relying

        return all_relying(workspace.graph)

    return workspace.result("relying", DECLARATIONS, _RELYING, find).get(node, ())
