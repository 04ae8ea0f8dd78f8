"""`yg tree`: show the nodes of the graph as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from yg.commands.command import (
    Command,
    Document,
    Level,
    Record,
    Request,
    Revision,
    SkippedEntries,
    operand,
    option,
    skipped_below,
    skipped_notes,
)
from yg.kernel.report import BLACKBOX
from yg.kernel.report import tree as tree_lines
from yg.text import paths
from yg.text.escapes import visible
from yg.yggdrasil.owner import directory_of, has_bad_declaration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.commands.workspace import Workspace
    from yg.kernel.palette import Palette
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node

_TOP = "model"
Below = Annotated[Level, Meta(description="How many levels it lies below the root.")]


class TreeRequest(Request, frozen=True, kw_only=True):
    """Which part of the tree to show."""

    root: Annotated[str | None, operand("ROOT", "start at this node")] = None
    depth: Annotated[Level | None, option("show N levels below the root", "N")] = None
    at: Revision = None


class TreeNode(Record, frozen=True, kw_only=True):
    """One node of the graph."""

    path: Annotated[
        str, Meta(description="The path of the node below `model/`, `.` for the root node.")
    ]
    level: Below
    name: Annotated[str, Meta(description="Its display name.")]
    type: Annotated[str, Meta(description="Its type, a key of `node_types`.")]
    aspects: Annotated[
        tuple[str, ...], Meta(description="The ids of the aspects it declares, in its own order.")
    ]
    blackbox: Annotated[bool, Meta(description="Whether it is a blackbox.")]
    relations: Annotated[int, Meta(description="How many relations go out from it.", ge=0)]
    mapping: Annotated[
        tuple[str, ...], Meta(description="The files and directories it describes, as declared.")
    ]


class TreeDirectory(Record, frozen=True, kw_only=True):
    """A directory of the tree without a node that can be read."""

    path: Annotated[str, Meta(description="Its path below `model/`, which is `.`.")]
    level: Below
    unreadable: Annotated[bool, Meta(description="Whether it has a node that cannot be read.")]


class Tree(Document, frozen=True, kw_only=True, tag="yg-tree/1"):
    """What `yg tree --json` prints: the nodes of the graph, parents first."""

    root: Annotated[
        str,
        Meta(description="The root of the tree: a directory of the model, `.` for all of it."),
    ]
    nodes: Annotated[tuple[TreeNode, ...], Meta(description="The nodes, parents before children.")]
    directories: Annotated[
        tuple[TreeDirectory, ...],
        Meta(description="The directories that are no nodes, or cannot be read, sorted alike."),
    ]
    skipped: SkippedEntries

    @property
    def notes(self) -> tuple[str, ...]:
        """A line for each node that could not be read."""
        return skipped_notes(self.skipped)


def ask(workspace: Workspace, request: TreeRequest) -> Tree:
    """List the nodes, optionally below one node and down to a depth."""
    graph = workspace.graph
    root = paths.ROOT if request.root is None else workspace.directory_of(request.root)
    levels = {
        path: _depth(path) - _depth(root)
        for path in sorted(_places(graph, root), key=paths.tree_order)
    }
    depth = len(levels) if request.depth is None else request.depth
    places = [(path, level) for path, level in levels.items() if level <= depth]
    nodes = graph.nodes
    return Tree(
        root=root,
        nodes=tuple(_node(nodes[path], level) for path, level in places if path in nodes),
        directories=tuple(
            TreeDirectory(path=path, level=level, unreadable=has_bad_declaration(graph, _TOP, path))
            for path, level in places
            if path not in nodes
        ),
        skipped=skipped_below(graph, directory_of(graph, _TOP, root)),
    )


def _places(graph: Graph, root: str) -> set[str]:
    """Return a directory, the nodes below it and the directories on the way to them."""
    unread = (path for path in graph.unread_nodes if has_bad_declaration(graph, _TOP, path))
    found = {root}
    for declared in (*graph.nodes, *unread):
        path = declared
        while path not in found and paths.is_inside(path, root):
            found.add(path)
            path = paths.parent(path)
    return found


def _depth(path: str) -> int:
    return 0 if path == paths.ROOT else path.count("/") + 1


def _node(node: Node, level: int) -> TreeNode:
    return TreeNode(
        path=node.path,
        level=level,
        name=node.name,
        type=node.type.text,
        aspects=node.aspect_ids,
        blackbox=node.blackbox,
        relations=len(node.relations),
        mapping=tuple(entry.text for entry in node.mapped),
    )


def text(tree: Tree, palette: Palette) -> str:
    """Write the tree with path, type, aspects, blackbox flag and number of relations."""
    entries: list[TreeNode | TreeDirectory] = [*tree.nodes, *tree.directories]
    entries.sort(key=lambda entry: paths.tree_order(entry.path))
    last = _last_siblings([entry.level for entry in entries])
    return "".join(
        tree_lines(
            (entry.level, is_last, f"{_label(entry)}/{_facts(entry, palette)}")
            for entry, is_last in zip(entries, last, strict=True)
        )
    )


def _last_siblings(levels: Sequence[int]) -> list[bool]:
    """Return which entries of a tree, parents first, are the last of their siblings."""
    found, later = [], [-1]  # the levels, rising, at which siblings of what comes before follow
    for level in reversed(levels):
        while later[-1] > level:
            later.pop()
        found.append(later[-1] < level)
        if found[-1]:
            later.append(level)
    return found[::-1]


def _label(entry: TreeNode | TreeDirectory) -> str:
    """Return the name of a directory, or the whole path of the root."""
    if entry.level:
        return visible(paths.name_of(entry.path))
    return _TOP if entry.path == paths.ROOT else visible(f"{_TOP}/{entry.path}")


def _facts(entry: TreeNode | TreeDirectory, palette: Palette) -> str:
    if isinstance(entry, TreeDirectory):
        return palette.red(" (cannot be read)") if entry.unreadable else ""
    facts = [palette.dim(f"[{visible(entry.type)}]")]
    if entry.aspects:
        facts.append(visible(f"aspects:{','.join(entry.aspects)}"))
    if entry.blackbox:
        facts.append(palette.yellow(BLACKBOX))
    # The specification writes "1 relations".
    facts.append(palette.dim(f"-> {entry.relations} relations"))
    return f" {' '.join(facts)}"


COMMAND = Command("tree", TreeRequest, (Tree,), ask, text)
