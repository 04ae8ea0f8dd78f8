"""The files, nodes and parts of the code that a user names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg_old.code.parts import FILE
from yg_old.kernel.snapshot import Kind
from yg_old.kernel.sources import is_source
from yg_old.workspace.given import file_exists, path_from_root, relative_path
from yg_old.workspace.results import code_table
from yg_old.yggdrasil.code.named_parts import SEPARATOR, named_parts

if TYPE_CHECKING:
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.code.imports import NodeImports
    from yg_old.yggdrasil.code.named_parts import NamedPart


def source_file(workspace: OpenWorkspace, given: str) -> str:
    """Return the path of a source file from the root; empty if there is none."""
    here, from_root = relative_path(workspace, given), path_from_root(given)
    for path in (here if file_exists(workspace, given) else None, from_root):
        if path and is_source(path) and workspace.sources.kind(path) is Kind.FILE:
            return path
    return ""


def node_path(workspace: OpenWorkspace, given: str) -> str:
    """Return the path of a node; empty if there is none."""
    path = given.removesuffix("/")
    spellings = (path, path.removeprefix("model/"))
    return next((path for path in spellings if path and workspace.graph.nodes.get(path)), "")


def meant_parts(
    workspace: OpenWorkspace, imports: NodeImports, given: str
) -> tuple[NamedPart, ...]:
    """Return the parts that a user may mean; `imports` gets the owners of all files.

    Without a place, parts in nodes with `drift: off`, such as tests and generated code, are meant
    only if there are no others.
    """
    table = code_table(workspace)
    imports.owners = table.owners
    place, colons, name = given.partition(SEPARATOR)
    place = colons and (source_file(workspace, place) or node_path(workspace, place))
    found = named_parts(imports, f"{place}{colons}{name}" if place else given, table.names)
    if place or len(found) <= 1:
        return found
    nodes = {part.node: workspace.graph.nodes.get(part.node) for part in found}
    return tuple(part for part in found if (node := nodes[part.node]) and node.is_tracked) or found


def like_names(workspace: OpenWorkspace, given: str) -> str:
    """Return the question whether a similar name was meant; empty if there is none."""
    from yg_old.text.suggest import did_you_mean, nearest

    known = code_table(workspace).names.keys() - {FILE}
    return did_you_mean(nearest(re.split(r"::|[.#]", given)[-1], known))
