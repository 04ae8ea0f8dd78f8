"""`yg brief`: what to know before changing a node or a file, on one page."""

from __future__ import annotations

from itertools import groupby, starmap
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Struct

from yg_old.commands.command import Command, Tool, standard_notes
from yg_old.commands.request import Argument, Operand, Option, Request
from yg_old.commands.stale import own_stale_block
from yg_old.kernel.document import Document, Positive, Text, about
from yg_old.kernel.palette import visible
from yg_old.text.escapes import shell_word
from yg_old.text.excerpt import whole_sentences, within
from yg_old.text.plural import counted
from yg_old.text.suggest import listing
from yg_old.workspace.brief_facts import mapped_nodes, relying_on
from yg_old.yggdrasil.names import declared_path, path_named
from yg_old.yggdrasil.owners import Ownership
from yg_old.yggdrasil.questions.brief import HEADINGS, BriefBlock, BriefKind, left_out, node_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.model import Node

TOKENS = 2_000
CHARACTERS = 4  # of a token
CLOSING = 300  # characters that are kept free for the last line
STALE_SHARE = 2  # changed code may take up a half of the brief
LEAST = 200  # characters of a text that is not worth showing if it has to be cut shorter


class BriefRequest(Request["Brief"], frozen=True, kw_only=True):
    """The nodes, or the files whose owners are meant."""

    targets: Annotated[
        tuple[str, ...],
        Operand(
            "NODE|FILE",
            "nodes, or files that nodes own",
            missing=("no node and no file given", "'yg tree' lists all nodes."),
        ),
        Argument("Paths of nodes, or of files that nodes own.", ["src/shop/orders/pricing.py"]),
    ]
    limit: Annotated[
        Positive,
        Option(metavar="N", help=f"at most N tokens of four characters (default {TOKENS})"),
        Argument(f"At most so many tokens (default {TOKENS}).", 500, most=100_000),
    ] = TOKENS


class Brief(Document, frozen=True, kw_only=True, tag="yg-brief/1"):
    """What `yg brief --json` prints: what to know before a change."""

    nodes: Annotated[tuple[Text, ...], about("The paths of the nodes, in the order given.")]
    blocks: Annotated[
        tuple[BriefBlock, ...],
        about("What is said, in order; empty if nobody has written about the nodes."),
    ]
    left_out: Annotated[tuple[Text, ...], about("What is not said, for the lack of space or need.")]
    command: Annotated[Text | None, about("The command that shows everything; null without nodes.")]
    unowned: Annotated[tuple[Text, ...], about("The files among those given that no node owns.")]

    @property
    def exit_code(self) -> int:
        """1 if no node was found."""
        return 0 if self.nodes else 1


class NodeBlocks(Struct, frozen=True):
    """The blocks of the brief of one node, and what the brief does not have."""

    node: str
    blocks: tuple[BriefBlock, ...]
    left_out: tuple[str, ...]


def ask(run: Run, request: BriefRequest) -> Brief:
    """Return the brief of some nodes and of the owners of some files."""
    workspace = run.workspace
    workspace.require_yggdrasil("a brief")
    named = [_node_of(workspace, target) for target in request.targets]
    nodes = dict.fromkeys(node for node in named if node)
    unowned = tuple(target for target, node in zip(request.targets, named, strict=True) if not node)
    most = request.limit * CHARACTERS
    found = [blocks_of(workspace, workspace.node(node), most) for node in nodes]
    return brief_of(found, most, unowned)


def _node_of(workspace: OpenWorkspace, target: str) -> str | None:
    """Return the node of a name, or the owner of a file; None if nobody owns it."""
    if (node := declared_path(workspace.graph, target)) is not None:
        return node
    from yg_old.commands.owner import look_up  # hooks do not need it

    found = look_up(workspace, owners_of(workspace), target)
    is_file = found.exists or found.is_expected
    return found.node if is_file else path_named(workspace.graph, target)  # which raises


def owners_of(workspace: OpenWorkspace) -> Ownership:
    """Return the owners of files; from a stored list of mappings if nothing has changed."""
    return Ownership(workspace.graph, workspace.sources, mapped_nodes(workspace), ())


def blocks_of(workspace: OpenWorkspace, node: Node, most: int) -> NodeBlocks:
    """Return all blocks about a node; changed code has its share of so many characters."""
    stale = None
    if workspace.format.has_drift:
        stale = own_stale_block(workspace, node, most // STALE_SHARE // CHARACTERS)
    graph = workspace.graph
    blocks = node_blocks(graph, node, stale, relying_on(workspace, node.path))
    return NodeBlocks(node.path, blocks, tuple(left_out(graph, node)) if blocks else ())


def brief_of(found: Sequence[NodeBlocks], most: int, unowned: tuple[str, ...] = ()) -> Brief:
    """Return the brief of some nodes with at most so many characters; rules come once."""
    nodes = tuple(entry.node for entry in found)
    shown, cut = _within(nodes, tuple(_ordered(found)), most - CLOSING)
    rest = found[0].left_out if len(found) == 1 else ()
    more = ("their other texts",) if len(found) > 1 and any(each.left_out for each in found) else ()
    return Brief(
        nodes=nodes,
        blocks=shown,
        left_out=(*cut, *rest, *more),
        command=f"yg build-context {' '.join(map(shell_word, nodes))}" if nodes else None,
        unowned=unowned,
    )


def _ordered(found: Sequence[NodeBlocks]) -> Iterator[BriefBlock]:
    """Yield the blocks of all nodes; of several, the rules come first, each once."""
    if len(found) == 1:
        yield from found[0].blocks
        return
    every = [block for entry in found for block in entry.blocks]
    rules = {block.key: block for block in every if block.kind is BriefKind.RULE}
    yield from rules.values()
    yield from (block for block in every if block.kind is not BriefKind.RULE)


def _within(
    nodes: tuple[str, ...], blocks: Sequence[BriefBlock], most: int
) -> tuple[tuple[BriefBlock, ...], tuple[str, ...]]:
    """Return the blocks that fit, the last texts shortened; and what was cut."""
    shown: list[BriefBlock] = []
    cut: dict[BriefKind, int] = {}
    room = most - sum(len(node) + 4 for node in nodes)
    headings: set[tuple[str | None, BriefKind]] = set()
    for block in blocks:
        heading = (block.node, block.kind)
        cost = 2 + (0 if heading in headings else len(HEADINGS[block.kind]) + 5)
        fitting = _shortened(block, room - cost)
        if fitting != block:
            cut[block.kind] = cut.get(block.kind, 0) + 1
        if fitting is not None:
            room -= cost + len(fitting.text)
            headings.add(heading)
            shown.append(fitting)
    return tuple(shown), tuple(starmap(_cut_text, cut.items()))


def _cut_text(kind: BriefKind, number: int) -> str:
    """Say which blocks were shortened or left out."""
    if kind in (BriefKind.RULE, BriefKind.EXCEPTION, BriefKind.DECISION):
        return counted(number, str(kind))
    return {
        BriefKind.STALE: "some of the changed code",
        BriefKind.RESPONSIBILITY: "a part of the responsibility",
        BriefKind.DEPENDENTS: "who relies on it",
    }.get(kind, str(kind))


def _shortened(block: BriefBlock, room: int) -> BriefBlock | None:
    """Return a block with at most so many characters; None if that is too little to be of use."""
    if len(block.text) <= room:
        return block
    if room < LEAST:
        return None
    paragraphs = block.text.split("\n\n")
    text = within(paragraphs, room) or whole_sentences(paragraphs[0], room)
    return BriefBlock(kind=block.kind, node=block.node, subject=block.subject, text=text)


def text(brief: Brief, _palette: Palette | None = None) -> str:
    """Write the blocks under headings, and what was left out."""
    return blocks_text(brief.blocks, brief.nodes, _closing(brief)) if brief.blocks else ""


def blocks_text(blocks: Iterable[BriefBlock], nodes: Sequence[str], closing: str = "") -> str:
    """Write blocks; the rules of several nodes stand before the first of these."""
    parts: list[str] = []
    open_node = nodes[0] if len(nodes) == 1 else None
    if open_node is not None:
        parts.append(f"# {visible(open_node)}")
    for (node, kind), group in groupby(blocks, key=lambda block: (block.node, block.kind)):
        if node is not None and node != open_node:
            parts.append(f"# {visible(node)}")
            open_node = node
        separator = "\n" if kind is not BriefKind.RESPONSIBILITY else "\n\n"
        body = separator.join(block.text for block in group)
        parts.append(f"## {HEADINGS[kind]}\n\n{body}")
    return "\n\n".join([*parts, *([closing] if closing else [])]) + "\n"


def _closing(brief: Brief) -> str:
    if not brief.left_out:
        return ""
    return f"Left out: {listing(brief.left_out, 5)}. `{brief.command}` shows everything."


def _notes(brief: Brief, palette: Palette) -> str:
    lines = [f"no node owns '{visible(file)}'\n" for file in brief.unowned]
    if brief.nodes and not brief.blocks:
        nodes = visible(listing(brief.nodes))
        lines.append(f"nothing is written about {nodes} yet; '{brief.command}' shows the rest\n")
    return "".join(lines) + standard_notes(brief, palette)


COMMAND: Command[BriefRequest, Any] = Command(
    request=BriefRequest,
    documents=(Brief,),
    ask=ask,
    text=text,
    notes=_notes,
    tool=Tool(
        title="What to know before a change",
        when="Use before a small change: returns on one page what is stale, the rules that apply, "
        "the responsibility, and who relies on it.",
        when_in_specs=None,
        levels=0,
    ),
)
