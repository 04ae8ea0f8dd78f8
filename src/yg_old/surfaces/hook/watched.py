"""Files on which it depends what there is to say about a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.yggdrasil.package.assemble import assemble
from yg_old.yggdrasil.places import FOLDER

if TYPE_CHECKING:
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.model import Node

ANY_GRAPH = (".git/index", f"{FOLDER}/model", f"{FOLDER}/yg-config.yaml")


def files_about(workspace: OpenWorkspace, node: Node) -> tuple[str, ...]:
    """Return the files of the graph that a node's brief is from."""
    return (*ANY_GRAPH, *assemble(workspace.graph, node).source_files)
