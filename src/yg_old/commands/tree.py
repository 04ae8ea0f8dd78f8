"""`yg tree`: show the nodes of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from yg_old.commands.branches import BLACKBOX, Branches
from yg_old.commands.command import PAGE, Command, Tool
from yg_old.commands.issues import SkippedEntries, skipped_data
from yg_old.commands.request import Argument, Depth, Operand, Option, Request, Revision
from yg_old.kernel.document import Document, Text, about
from yg_old.kernel.overview import Outline, TreeNode
from yg_old.kernel.palette import visible
from yg_old.text.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.commands.command import Run
    from yg_old.kernel.issue import Finding
    from yg_old.kernel.overview import OutlineEntry
    from yg_old.kernel.palette import Palette


class TreeRequest(Request["Tree"], frozen=True, kw_only=True):
    """Which part of the tree to show."""

    root: Annotated[
        str | None,
        Operand("ROOT", "start at this node", option="--root"),
        Argument(
            "Only this node and the nodes below it.", "orders", "node", example_in_specs="AUTH-01"
        ),
    ] = None
    depth: Annotated[
        Depth | None,
        Option(metavar="N", help="show N levels below the root"),
        Argument("Levels to show.", 1),
    ] = None
    at: Revision = None


class Tree(Document, frozen=True, kw_only=True, tag="yg-tree/1"):
    """What `yg tree --json` prints: the nodes of the graph, parents first."""

    HIDDEN = ("outline",)

    root: Annotated[
        Text,
        about(
            "The root of the tree: a directory of the model, the id of a node, or `.` for the "
            "whole graph."
        ),
    ]
    nodes: Annotated[
        tuple[TreeNode, ...],
        about(
            "The nodes, parents before children; in a Spec Graph a node with several parents is "
            "listed under each."
        ),
    ]
    skipped: SkippedEntries
    outline: Outline  # with directories, and nodes that cannot be read


def ask(run: Run, request: TreeRequest) -> Tree:
    """List the nodes, optionally below one node and down to a depth."""
    workspace = run.workspace
    start = ROOT if request.root is None else workspace.directory(request.root)
    outline = workspace.queries.outline(start, request.depth)
    return tree_of(outline, workspace.skipped(start))


def tree_of(outline: Outline, skipped: Sequence[Finding] = ()) -> Tree:
    """Return the document of an outline and of the nodes that could not be read."""
    return Tree(
        root=outline.root,
        nodes=tuple(entry.node for entry in outline.entries if entry.node is not None),
        skipped=skipped_data(skipped),
        outline=outline,
    )


def text(tree: Tree, palette: Palette) -> str:
    """Write the tree with path, type, aspects, blackbox flag and number of relations."""
    outline = tree.outline
    branches = Branches()
    lines = []
    for entry in outline.entries:
        prefix = branches.before(entry.level, is_last=entry.is_last) if entry.level else ""
        lines.append(f"{prefix}{visible(entry.label)}{_facts(entry, outline, palette)}\n")
    return "".join(lines)


def _facts(entry: OutlineEntry, outline: Outline, palette: Palette) -> str:
    node = entry.node
    if node is None:
        return palette.red(" (cannot be read)") if entry.is_bad else ""
    facts = [palette.dim(f"[{visible(node.type)}]")]
    if outline.shows_names:
        facts.append(visible(node.name))
    if node.aspects:
        facts.append(visible(f"aspects:{','.join(node.aspects)}"))
    if node.blackbox:
        facts.append(palette.yellow(BLACKBOX))
    external = f" ({node.external} external)" if node.external else ""
    links = outline.one_link if node.relations == 1 else outline.links
    facts.append(palette.dim(f"-> {node.relations} {links}{external}"))
    if entry.repeat:
        facts.append(palette.dim(f"({entry.repeat})"))
    return f" {' '.join(facts)}"


COMMAND = Command(
    request=TreeRequest,
    documents=(Tree,),
    ask=ask,
    text=text,
    tool=Tool(
        title="List the nodes",
        when="Use to see which nodes exist. In a large graph, start with depth 1 or use find.",
        limit=PAGE,
    ),
)
