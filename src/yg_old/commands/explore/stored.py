"""Store packages for a page: every text and every block once, packages as references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET
from msgspec.structs import astuple, replace

from yg_old.commands.explore.document import (
    ShownEdge,
    ShownGraph,
    ShownNode,
    StoredBlock,
    StoredPackage,
    StoredText,
)
from yg_old.kernel.errors import UnreadableError
from yg_old.specgraph.context.cuts import cut_steps
from yg_old.specgraph.context.document import title_line
from yg_old.specgraph.context.item import explained, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from msgspec import UnsetType

    from yg_old.commands.issues import Skipped
    from yg_old.kernel.export import Export, ExportEdge, Vertex
    from yg_old.kernel.package import Budget, Document
    from yg_old.specgraph.context.context import Context
    from yg_old.yggdrasil.model import CutPattern
    from yg_old.yggdrasil.package.blocks import Block, ContextPackage


class Store:
    """The texts and blocks of a page; equal ones are stored once."""

    def __init__(self) -> None:
        self.texts: list[StoredText] = []
        self.blocks: list[StoredBlock] = []
        self._places: dict[Hashable, int] = {}
        self._contents: dict[int, Hashable] = {}

    def document(self, document: Document) -> int:
        """Return the place of a text, which is stored when it is first met."""
        # The text object is a part of the key, so that it lives as long as its identity counts.
        key = (document.name, id(document.source), document.source)
        if key not in self._places:
            stored = _stored_text(document)
            self._places[key] = self._place(astuple(stored), stored, self.texts)
        return self._places[key]

    def block(self, block: StoredBlock) -> int:
        """Return the place of a block, which is stored when it is first met."""
        return self._place(_hashable(block), block, self.blocks)

    def content(self, place: int) -> Hashable:
        """Return what a block says, without the reasons for it.

        Line endings and the commit of an import do not count.
        """
        if place not in self._contents:
            block = self.blocks[place]
            quoted = (self.texts[text] for text in block.texts)
            self._contents[place] = (
                block.kind,
                tuple((name, value) for name, value in block.attributes if name != "source"),
                tuple(block.opening),
                tuple((text.heading, text.body.replace("\r\n", "\n")) for text in quoted),
                tuple(block.closing),
            )
        return self._contents[place]

    def _place(self, key: Hashable, value: Any, stored: list[Any]) -> int:
        if key not in self._places:
            self._places[key] = len(stored)
            stored.append(value)
        return self._places[key]


def _hashable(block: StoredBlock) -> Hashable:
    return (
        block.kind,
        block.subject,
        block.heading,
        tuple(map(tuple, block.attributes)),
        tuple(block.opening),
        tuple(block.texts),
        tuple(block.closing),
        tuple(block.reasons),
        block.characters,
        block.tokens,
        tuple(block.steps or ()),
        block.turn,
    )


def _stored_text(document: Document) -> StoredText:
    """Read a text; one that cannot be read has a reason instead."""
    source = document.source
    fault = "binary" if document.is_binary else source.fault
    fault = fault or ("draft" if source.is_draft else "")
    body = "" if fault else document.body
    ending = ("\r\n" if document.break_length > 1 else "\n") if body else ""
    heading = document.heading
    return StoredText(
        name=document.name,
        path=source.path,
        heading=heading,
        body=body,
        ending=ending,
        characters=len(heading) + len(body) + len(ending),
        fault=fault,
    )


def stored_package(
    store: Store, package: ContextPackage, form: str, patterns: Sequence[CutPattern] | None
) -> StoredPackage:
    """Store the package of a Yggdrasil graph; only one in Markdown has headings.

    `patterns` say in which order `--fit` cuts texts, if not in the standard order.
    """
    from yg_old.yggdrasil.package.cuts import cut_turn
    from yg_old.yggdrasil.package.markdown import block_heading, package_title

    is_markdown = form == "markdown"
    try:
        tokens, status = package.tokens, package.status
    except UnreadableError:
        tokens, status = None, "ok"
    blocks = (
        replace(
            _stored_block(store, block, package.budget),
            heading=block_heading(package, block) if is_markdown else "",
            steps=_steps(block, patterns),
            turn=cut_turn(block) or UNSET,
        )
        for block in package.parts
    )
    return StoredPackage(
        node=package.nodes[0].path,
        title=package_title(package) if is_markdown else "",
        blocks=[store.block(block) for block in blocks],
        tokens=tokens,
        status=status,
    )


def _stored_block(store: Store, block: Block, budget: Budget) -> StoredBlock:
    tokens: int | UnsetType = UNSET
    try:
        characters = block.characters
        if budget.tokenizer:
            tokens = budget.measure(characters, lambda: block.text)
    except UnreadableError:
        characters = 0
    return StoredBlock(
        kind=block.kind.value,
        subject=block.subject,
        heading="",
        attributes=[[name, value] for name, value in block.attributes],
        opening=list(block.lines_before),
        texts=[store.document(document) for document in block.documents],
        closing=list(block.lines_after),
        reasons=list(block.reasons),
        characters=characters,
        tokens=tokens,
    )


def _steps(block: Block, patterns: Sequence[CutPattern] | None) -> list[int] | UnsetType:
    """Return in which step each text is cut, 0 for never; nothing if none ever is.

    Of a code block it is the step of the whole.
    """
    from yg_old.yggdrasil.block_kind import BlockKind
    from yg_old.yggdrasil.package.cuts import code_step, cut_step

    if block.kind is BlockKind.CODE:
        return [code_step(patterns)]
    documents = enumerate(block.documents)
    steps = [cut_step(block, index, document, patterns) for index, document in documents]
    return steps if any(steps) else UNSET


def stored_context(store: Store, context: Context) -> StoredPackage:
    """Store the context of a Spec Graph node, one block for each entry of a section."""
    parts = list(explained(context.parts))
    steps = cut_steps(context.parts)
    return StoredPackage(
        node=context.target.id,
        title=title_line(context.target),
        blocks=[store.block(_section_entry(*part, context.budget)) for part in parts],
        tokens=context.tokens,
        status=context.status,
        steps=[steps.get((heading, subject), 0) for heading, subject, _, _ in parts],
    )


def _section_entry(
    heading: str, subject: str, lines: list[str], reason: str, budget: Budget
) -> StoredBlock:
    text = text_of(lines)
    return StoredBlock(
        kind=heading,
        subject=subject,
        heading="",
        attributes=[],
        opening=lines,
        texts=[],
        closing=[],
        reasons=[reason] if reason else [],
        characters=len(text),
        tokens=budget.measure(len(text), lambda: text) if budget.tokenizer else UNSET,
    )


def shown_graph(
    export: Export, kind: str, skipped: list[Skipped], external: Mapping[tuple[str, str], str]
) -> ShownGraph:
    """Return a graph as data: edges as pairs of numbers, empty fields left out.

    `external` has the names of nodes of other repositories, by repository and path.
    """
    numbers = {vertex.id: number for number, vertex in enumerate(export.vertices)}
    return ShownGraph(
        kind=kind,
        nodes=[
            _shown_node(vertex)
            if vertex.repository == export.repository
            else _external_node(vertex, external[vertex.repository, vertex.path])
            for vertex in export.vertices
        ],
        edges=[
            _shown_edge(edge, numbers[edge.source], numbers[edge.target]) for edge in export.edges
        ],
        skipped=skipped,
    )


def with_guides(
    shown: ShownGraph, guides: Mapping[str, int], members: Callable[[int], Iterable[str]]
) -> ShownGraph:
    """Add the guides of each node, by its path; equal sets of guides are stored once.

    `guides` has a number for each set, and `members` returns the paths of its nodes.
    """
    places = {number: place for place, number in enumerate(dict.fromkeys(guides.values()))}
    numbers = {node.path: number for number, node in enumerate(shown.nodes)}
    nodes = (
        replace(node, guides=places[guides[node.path]]) if guides.get(node.path) else node
        for node in shown.nodes
    )
    return replace(
        shown,
        nodes=list(nodes),
        guidance=[[numbers[path] for path in members(number)] for number in places],
    )


def _shown_node(vertex: Vertex) -> ShownNode:
    return ShownNode(
        kind=vertex.kind,
        path=vertex.path,
        name=vertex.name,
        presence=vertex.presence,
        type=vertex.type or UNSET,
        description=vertex.description or UNSET,
        category=vertex.category or UNSET,
        severity=vertex.severity or UNSET,
        stability=vertex.stability or UNSET,
        blackbox=vertex.blackbox or UNSET,
        mapping=list(vertex.mapping) or UNSET,
    )


def _external_node(vertex: Vertex, name: str) -> ShownNode:
    return replace(_shown_node(vertex), path=name, repository=vertex.repository)


def _shown_edge(edge: ExportEdge, source: int, target: int) -> ShownEdge:
    return ShownEdge(
        source=source,
        target=target,
        kind=edge.kind,
        type=edge.type if edge.type and edge.type != edge.kind else UNSET,
        consumes=list(edge.consumes) or UNSET,
        failure=edge.failure or UNSET,
        event=edge.event or UNSET,
        exceptions=list(edge.exceptions) or UNSET,
        code=edge.code or UNSET,
    )
