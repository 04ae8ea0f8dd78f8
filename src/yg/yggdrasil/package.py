"""Context packages: the blocks of a node, each with its documents and the files behind it.

The text of a package, its size and the files to track for drift are all derived from its blocks.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from yg.kernel.errors import UnreadableError
from yg.text import paths
from yg.text.escapes import one_line, visible
from yg.yggdrasil.model import NODE_FILE, RelationType
from yg.yggdrasil.resolve import (
    ancestors,
    artifact_names,
    description_first,
    effective_aspects,
    expanded,
    flows_of,
    offered_names,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Aspect, Flow, Node, Relation
    from yg.yggdrasil.resolve import Effective
    from yg.yggdrasil.texts import TextFacts

CHARACTERS_PER_TOKEN = 4
_SEPARATOR = 2  # length of the blank line between the contents of two blocks
_HEADING = len("### \n")
_KILOBYTE = 1_000  # bytes


def tokens_of(characters: int) -> int:
    """Estimate tokens from characters, rounded up."""
    return -(-characters // CHARACTERS_PER_TOKEN)


class BlockKind(StrEnum):
    """The kind of a block; the value is its tag."""

    GLOBAL = "global"
    HIERARCHY = "hierarchy"
    OWN = "own-artifacts"
    TARGET = "materialization-target"
    ASPECT = "aspect"
    DEPENDENCY = "dependency"
    EVENT = "event"
    FLOW = "flow"


class Selection(StrEnum):
    """What can be selected of a package."""

    GLOBAL = "global"
    HIERARCHY = "hierarchy"
    OWN = "own"
    ASPECTS = "aspects"
    DEPENDENCIES = "dependencies"
    EVENTS = "events"
    FLOWS = "flows"

    @property
    def kinds(self) -> tuple[BlockKind, ...]:
        """The kinds of its blocks; the target belongs to the node itself."""
        return _SELECTED[self]


_SELECTED = {
    Selection.GLOBAL: (BlockKind.GLOBAL,),
    Selection.HIERARCHY: (BlockKind.HIERARCHY,),
    Selection.OWN: (BlockKind.OWN, BlockKind.TARGET),
    Selection.ASPECTS: (BlockKind.ASPECT,),
    Selection.DEPENDENCIES: (BlockKind.DEPENDENCY,),
    Selection.EVENTS: (BlockKind.EVENT,),
    Selection.FLOWS: (BlockKind.FLOW,),
}


def _size(of: str) -> Meta:
    return Meta(description=f"The size of {of}: a quarter of its characters, rounded up.", ge=0)


class Document(Struct, frozen=True):
    """A file of the graph as a package quotes it, under its name."""

    name: Annotated[str, Meta(description="The name of the file.")]
    path: Annotated[str, Meta(description="The file, relative to the root of the repository.")]
    characters: Annotated[
        int, Meta(description="Its length in the package, with its heading.", ge=0)
    ]
    tokens: Annotated[int, _size("the document")]
    binary: Annotated[
        int, Meta(description="The size in bytes of a file that is not text; 0 for a text.", ge=0)
    ] = 0
    text: Annotated[
        str | UnsetType, Meta(description="Its full text; empty for a file that is not text.")
    ] = UNSET

    @property
    def title(self) -> str:
        """The name of the file and, if its content is left out, why."""
        return _title(self.name, self.binary)


def _title(name: str, binary: int) -> str:
    kilobytes = -(-binary // _KILOBYTE)
    return f"{visible(name)} (binary, {kilobytes} kB, left out)" if binary else visible(name)


class Block(Struct, frozen=True):
    """A part of a package."""

    kind: Annotated[BlockKind, Meta(description="The kind of block, which is its tag.")]
    subject: Annotated[
        str, Meta(description="The project, node, aspect or flow that it describes.")
    ]
    attributes: Annotated[
        dict[str, str], Meta(description="The attributes of its tag, those with a value.")
    ]
    opening: Annotated[tuple[str, ...], Meta(description="The lines before the documents.")]
    documents: Annotated[tuple[Document, ...], Meta(description="The files it quotes, in order.")]
    closing: Annotated[tuple[str, ...], Meta(description="The lines after the documents.")]
    reasons: Annotated[tuple[str, ...], Meta(description="The declarations that brought it in.")]
    files: Annotated[
        tuple[str, ...], Meta(description="The files of the graph that it depends on.")
    ]
    characters: Annotated[
        int, Meta(description="The length of its content, without the last line break.", ge=0)
    ]
    tokens: Annotated[int, _size("its content")]
    same_as: Annotated[
        str | UnsetType,
        Meta(description="The node whose package, earlier in the same answer, has the block."),
    ] = UNSET

    @property
    def has_content(self) -> bool:
        """Whether the block can have text between its tags."""
        return self.kind is not BlockKind.TARGET

    @property
    def identity(self) -> Hashable:
        """What blocks that are written alike have in common."""
        attributes = tuple(self.attributes.items())
        content = (self.opening, self.documents, self.closing)
        return self.kind, self.subject, attributes, content


class PackageNode(Struct, frozen=True):
    """The node of a package."""

    path: Annotated[str, Meta(description="The path below `model/`; `.` for the root node.")]
    name: Annotated[str, Meta(description="The display name.")]
    type: Annotated[str, Meta(description="The type, a key of `node_types`.")]


class PackageBudget(Struct, frozen=True):
    """The size of a package compared with the configuration."""

    status: Annotated[
        Literal["ok", "warning", "error"], Meta(description="The size compared with the budget.")
    ]
    warning: Annotated[int, Meta(description="More tokens are a warning.", ge=0)]
    error: Annotated[int, Meta(description="More tokens are too large to work with.", ge=0)]


class Package(Struct, frozen=True):
    """The context of one node."""

    node: Annotated[PackageNode, Meta(description="The node that the package is for.")]
    tokens: Annotated[int, _size("the package")]
    characters: Annotated[
        int, Meta(description="The length of the contents of its blocks, and blank lines.", ge=0)
    ]
    budget: Annotated[PackageBudget, Meta(description="The budget in the configuration.")]
    blocks: Annotated[tuple[Block, ...], Meta(description="The parts, in order.")]
    files: Annotated[
        tuple[str, ...],
        Meta(description="All files of the graph that the package depends on, sorted."),
    ]


class Assembler:
    """Assembles the packages of one graph; blocks that packages share are made once."""

    def __init__(self, graph: Graph, facts: Callable[[str], TextFacts]) -> None:
        """Take a graph, and a function that returns what is known of each of its texts."""
        self._graph = graph
        self._facts = facts
        self._known: dict[str, Document] = {}
        self._ancestors: dict[str, Block] = {}
        self._offers: dict[str, tuple[Document, ...]] = {}
        self._contents: dict[str, tuple[Document, ...]] = {}
        self._aspects: dict[object, Block] = {}
        self._participants: dict[str, frozenset[str]] = {}
        self._shared: dict[object, int] = {}  # lengths of blocks that siblings have in common

    def package(self, node: Node) -> Package:
        """Assemble the package of a node; raises UnreadableError."""
        blocks = tuple(self._blocks(node))
        characters = _joined(blocks)
        tokens = tokens_of(characters)
        budget = self._graph.config.quality.context_budget
        # The packages of blackbox nodes may have any size.
        status = "ok" if node.blackbox else budget.status(tokens)
        return Package(
            node=PackageNode(node.path, node.name, node.type.text),
            tokens=tokens,
            characters=characters,
            budget=PackageBudget(status, budget.warning, budget.error),
            blocks=blocks,
            files=tuple(sorted({file for block in blocks for file in block.files})),
        )

    def tokens(self, node: Node) -> int:
        """Return the size of the package of a node; raises UnreadableError.

        It is that of `package`, without making the blocks that no other package has: `validate`
        asks for the sizes of all packages.
        """
        length = self._shared_length(node) + self._length(documents=self._own_documents(node))
        for relation in node.relations:
            content = self._content_of(relation, node.path)
            if content is not None:
                length += self._length(*content) + _SEPARATOR
        return tokens_of(length)

    def _shared_length(self, node: Node) -> int:
        """Return the length of the blocks that siblings may share, each with a blank line."""
        graph = self._graph
        above, flows = ancestors(graph, node.path), flows_of(graph, node.path)
        exceptions = _exceptions((*above, node))
        nearest = above[-1].path if above else ""
        key = (nearest, node.aspect_ids, tuple([flow.path for flow in flows]))
        if key in self._shared and not exceptions:
            return self._shared[key]
        blocks = [
            self._global,
            *map(self._hierarchy, above),
            *[
                self._aspect(effective, exceptions.get(effective.aspect.path, ()))
                for effective in effective_aspects(graph, node)
            ],
            *[self._flow(flow, (*above, node)) for flow in flows],
        ]
        length = sum([block.characters + _SEPARATOR for block in blocks])
        if not exceptions:
            self._shared[key] = length
        return length

    def _blocks(self, node: Node) -> Iterator[Block]:
        above = ancestors(self._graph, node.path)
        yield self._global
        yield from map(self._hierarchy, above)
        yield self._own(node)
        if node.mapped and not node.blackbox:
            yield self._target(node)
        exceptions = _exceptions((*above, node))
        for effective in effective_aspects(self._graph, node):
            yield self._aspect(effective, exceptions.get(effective.aspect.path, ()))
        events = []
        for relation in node.relations:
            if not relation.type.is_structural:
                events.append(relation)
            elif content := self._content_of(relation, node.path):
                yield self._dependency(relation, *content)
        yield from map(self._event, events)
        for flow in flows_of(self._graph, node.path):
            yield self._flow(flow, (*above, node))

    @cached_property
    def _global(self) -> Block:
        name = self._graph.config.name
        lines = (f"**Project:** {one_line(name)}",)
        return self._block(BlockKind.GLOBAL, name, opening=lines, reasons=("configuration",))

    def _hierarchy(self, node: Node) -> Block:
        if node.path not in self._ancestors:
            self._ancestors[node.path] = self._block(
                BlockKind.HIERARCHY,
                node.path,
                (("path", f"{node.path}/"), ("aspects", self._expanded(node.aspect_ids))),
                opening=_described(node),
                documents=self._documents(node.directory, artifact_names(self._graph, node)),
                decided_by=(node.file,),
                reasons=(f"hierarchy from {node.path}",),
            )
        return self._ancestors[node.path]

    def _own(self, node: Node) -> Block:
        return self._block(
            BlockKind.OWN,
            node.path,
            (("aspects", self._expanded(node.aspect_ids)),),
            documents=self._own_documents(node),
            reasons=("own",),
        )

    def _own_documents(self, node: Node) -> tuple[Document, ...]:
        names = (NODE_FILE, *artifact_names(self._graph, node))
        return self._documents(node.directory, names)

    def _target(self, node: Node) -> Block:
        mapped = ", ".join([word.text for word in node.mapped])
        return self._block(BlockKind.TARGET, node.path, (("paths", mapped),), reasons=("own",))

    def _aspect(self, effective: Effective, exceptions: tuple[str, ...]) -> Block:
        aspect = effective.aspect
        key = (aspect.path, exceptions, effective.reasons)
        if key not in self._aspects:
            documents = self._content(aspect, aspect.files)
            stability = (f"**Stability tier:** {aspect.stability}",) if aspect.stability else ()
            is_empty = aspect.description and not documents
            self._aspects[key] = self._block(
                BlockKind.ASPECT,
                aspect.path,
                (("name", aspect.name), ("id", aspect.path)),
                opening=(aspect.description.rstrip(),) if is_empty else (),
                documents=documents,
                closing=(*stability, *exceptions),
                decided_by=(aspect.file,),
                reasons=tuple(map(str, effective.reasons)),
            )
        return self._aspects[key]

    def _content_of(
        self, relation: Relation, path: str
    ) -> tuple[tuple[str, ...], tuple[Document, ...]] | None:
        """Return the lines and documents of a relation of a node; None if it has no block.

        The documents of an ancestor are in the package already.
        """
        target = self._graph.nodes[relation.target.text]
        if not relation.type.is_structural:
            return _event_lines(relation, target), ()
        lines = _annotations(relation)
        if target.path != path and paths.is_inside(path, target.path):
            return (lines, ()) if lines else None
        return _described(target, lines), self._offered(target)

    def _dependency(
        self, relation: Relation, opening: tuple[str, ...], documents: tuple[Document, ...]
    ) -> Block:
        path = relation.target.text
        return self._block(
            BlockKind.DEPENDENCY,
            path,
            (
                ("target", path),
                ("type", relation.type),
                ("consumes", ", ".join(relation.consumes)),
                ("failure", relation.failure),
            ),
            opening=opening,
            documents=documents,
            reasons=(f"relation {relation.type} {path}",),
        )

    def _event(self, relation: Relation) -> Block:
        target = self._graph.nodes[relation.target.text]
        return self._block(
            BlockKind.EVENT,
            target.path,
            (
                ("target", target.path),
                ("type", relation.type),
                ("event-name", relation.event_name or target.name),
                ("consumes", ", ".join(relation.consumes)),
            ),
            opening=_event_lines(relation, target),
            reasons=(f"relation {relation.type} {target.path}",),
        )

    def _flow(self, flow: Flow, lineage: tuple[Node, ...]) -> Block:
        if flow.path not in self._participants:
            self._participants[flow.path] = frozenset([node.text for node in flow.nodes])
        listed = self._participants[flow.path]
        return self._block(
            BlockKind.FLOW,
            flow.path,
            (("name", flow.name), ("aspects", self._expanded(flow.aspect_ids))),
            opening=_described(flow),
            documents=self._content(flow, description_first(flow.files)),
            decided_by=(flow.file,),
            reasons=tuple(
                "own" if node is lineage[-1] else f"hierarchy from {node.path}"
                for node in lineage
                if node.path in listed
            ),
        )

    def _offered(self, target: Node) -> tuple[Document, ...]:
        """Return the artifacts that dependents of a node see."""
        if target.path not in self._offers:
            names = offered_names(self._graph, target)
            self._offers[target.path] = self._documents(target.directory, names)
        return self._offers[target.path]

    def _content(self, part: Aspect | Flow, names: tuple[str, ...]) -> tuple[Document, ...]:
        """Return the texts of an aspect or a flow."""
        if part.directory not in self._contents:
            self._contents[part.directory] = self._documents(part.directory, names)
        return self._contents[part.directory]

    def _documents(self, directory: str, names: Iterable[str]) -> tuple[Document, ...]:
        return tuple([self._document(f"{directory}/{name}", name) for name in names])

    def _document(self, path: str, name: str) -> Document:
        if path not in self._known:
            facts = self._facts(path)
            if facts.fault and not facts.binary:
                raise UnreadableError(path, facts.fault)
            characters = len(_title(name, facts.binary)) + _HEADING
            if facts.body:
                characters += facts.body + (facts.ending or 1)
            tokens = tokens_of(characters)
            self._known[path] = Document(name, path, characters, tokens, facts.binary)
        return self._known[path]

    def _expanded(self, ids: tuple[str, ...]) -> str:
        return ",".join(expanded(self._graph, ids)) if ids else ""

    def _block(  # noqa: PLR0913
        self,
        kind: BlockKind,
        subject: str,
        attributes: tuple[tuple[str, str], ...] = (),
        *,
        opening: tuple[str, ...] = (),
        documents: tuple[Document, ...] = (),
        closing: tuple[str, ...] = (),
        decided_by: tuple[str, ...] = (),
        reasons: tuple[str, ...],
    ) -> Block:
        """Build a block: measure its content, and add its documents to the files behind it."""
        characters = self._length(opening, documents, closing)
        return Block(
            kind,
            subject,
            {name: value for name, value in attributes if value},
            (*opening, "") if opening and documents else opening,
            documents,
            closing,
            reasons,
            (*decided_by, *[document.path for document in documents]),
            characters,
            tokens_of(characters),
        )

    def _length(
        self,
        opening: tuple[str, ...] = (),
        documents: tuple[Document, ...] = (),
        closing: tuple[str, ...] = (),
    ) -> int:
        """Return the length of a content without its last line break."""
        length = 1 if opening and documents else 0  # the empty line between
        for line in opening:
            length += len(line) + 1
        for document in documents:
            length += document.characters
        for line in closing:
            length += len(line) + 1
        if documents and not closing:
            last = self._facts(documents[-1].path)
            return length - (last.ending or 1 if last.body else 1)
        return length - 1 if length else 0


def _joined(blocks: Iterable[Block]) -> int:
    """Return the length of the contents of blocks, joined by blank lines."""
    sizes = [block.characters for block in blocks if block.kind is not BlockKind.TARGET]
    return sum(sizes) + _SEPARATOR * max(0, len(sizes) - 1)


def _exceptions(carriers: tuple[Node, ...]) -> dict[str, tuple[str, ...]]:
    """Return the lines about exceptions by aspect, those of the node itself first."""
    found: dict[str, tuple[str, ...]] = {}
    for carrier in (carriers[-1], *carriers[:-1]):
        for use in carrier.aspects:
            if use.exceptions:
                is_own = carrier is carriers[-1]
                whose = "for this node" if is_own else f"from {visible(carrier.path)}"
                lines = [f"**Exception {whose}:** {one_line(text)}" for text in use.exceptions]
                found[use.aspect.text] = (*found.get(use.aspect.text, ()), *lines)
    return found


def _described(part: Node | Flow, lines: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Put the line with the description of a node or a flow, if it has one, before others."""
    if not part.description:
        return lines
    line = f"Description: {one_line(part.description)}"
    return (line, "", *lines) if lines else (line,)


def _annotations(relation: Relation) -> tuple[str, ...]:
    """Return the lines of a structural relation."""
    lines = []
    if relation.consumes:
        lines.append(f"Consumes: {one_line(', '.join(relation.consumes))}")
    if relation.failure:
        lines.append(f"On failure: {one_line(relation.failure)}")
    return tuple(lines)


def _event_lines(relation: Relation, target: Node) -> tuple[str, ...]:
    """Return the lines of an event."""
    event = one_line(relation.event_name or target.name)
    lines = (f"Source: {visible(target.path)}", f"You listen for {event}.")
    if relation.type is RelationType.EMITS:
        lines = (f"Target: {visible(target.path)}", f"You publish {event}.")
    if not relation.consumes:
        return lines
    return (*lines, f"Consumes: {one_line(', '.join(relation.consumes))}")
