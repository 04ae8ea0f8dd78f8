"""Context packages: blocks of documents, each with its source files and reasons.

The text of a package, its size in tokens and the files to track for drift are all derived from
this value. So are the packages of several nodes and those with parts left out: see `views`.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.escapes import one_line, visible
from yg.kernel.package import Budget, Document  # noqa: TC001  # tests build blocks at random

if TYPE_CHECKING:
    from collections.abc import Callable

SEPARATOR = 2  # length of the blank line between the contents of two blocks


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
    LEFT_OUT = "left-out"  # the list of cuts

    @property
    def word(self) -> str:
        """The kind as users type it."""
        return _WORDS.get(self, self.value)


_WORDS = {BlockKind.OWN: "own", BlockKind.TARGET: "target"}
CONTENT_KINDS = tuple(kind for kind in BlockKind if kind is not BlockKind.LEFT_OUT)
KIND_WORDS = tuple(kind.word for kind in CONTENT_KINDS)


class AspectException(Struct, frozen=True):
    """An exception from an aspect that a node of a package, or an ancestor, declares."""

    node: str  # the node that declares it
    text: str
    whose: str  # as the line shows it

    @property
    def line(self) -> str:
        """The line of the package."""
        return f"**Exception {self.whose}:** {one_line(self.text)}"


class Block(Struct, frozen=True, kw_only=True, dict=True):
    """One part of a package: its attributes, lines, documents, source files and reasons."""

    kind: BlockKind
    subject: str  # a node path, an aspect id or a flow id
    attributes: tuple[tuple[str, str], ...] = ()
    opening: tuple[str, ...] = ()  # lines before the documents
    documents: tuple[Document, ...] = ()
    closing: tuple[str, ...] = ()  # lines after the documents
    exceptions: tuple[AspectException, ...] = ()  # more lines after the documents
    left_out: tuple[str, ...] = ()  # those of all lines about content that could not be read
    source_files: tuple[str, ...] = ()
    contract: str = ""  # the digest of a contract in another repository
    reasons: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()  # in a package of several nodes: those whose packages have it
    see: str = ""  # the block that has its documents
    same_as: str = ""  # the node whose package has the same block

    @property
    def has_content(self) -> bool:
        """Whether the block can have text between its tags."""
        return self.kind is not BlockKind.TARGET and not self.same_as

    @property
    def is_listing(self) -> bool:
        """Whether the block is the list of cuts."""
        return self.kind is BlockKind.LEFT_OUT

    @property
    def label(self) -> str:
        """The kind and the subject, for tables and messages."""
        is_alone = self.kind is BlockKind.GLOBAL or self.is_listing
        return self.kind if is_alone else f"{self.kind} {visible(self.subject)}"

    @property
    def part(self) -> tuple[str, str]:
        """The kind and the subject, as a selection knows them."""
        return self.kind.word, "" if self.kind is BlockKind.GLOBAL else self.subject

    @property
    def content(self) -> str:
        """The text between the tags; every line ends with a line break."""
        return "".join(
            [
                *(f"{line}\n" for line in self._opening_lines),
                *(document.text for document in self.documents),
                *(f"{line}\n" for line in self.lines_after),
            ]
        )

    @cached_property
    def characters(self) -> int:
        """The length of the content without its last line break, computed without reading texts."""
        lines = (*self._opening_lines, *self.lines_after)
        total = sum(len(line) + 1 for line in lines)
        total += sum(document.characters for document in self.documents)
        return total - self._last_break if total else 0

    @property
    def text(self) -> str:
        """The content without its last line break."""
        return self.content[: self.characters]

    @property
    def lines_before(self) -> tuple[str, ...]:
        """The lines before the documents."""
        return (*self.opening, f"See: {self.see}") if self.see else self.opening

    @property
    def lines_after(self) -> tuple[str, ...]:
        """The lines after the documents."""
        return (*self.closing, *(exception.line for exception in self.exceptions))

    @property
    def _opening_lines(self) -> tuple[str, ...]:
        lines = self.lines_before
        return (*lines, "") if lines and self.documents else lines

    @property
    def _last_break(self) -> int:
        if self.documents and not self.lines_after:
            return self.documents[-1].break_length
        return 1


class PackageNode(Struct, frozen=True):
    """A node that a package is for."""

    path: str
    name: str
    type: str


class Omission(Struct, frozen=True, kw_only=True):
    """A block or a document that a package does not show, and why."""

    block: Block
    document: Document | None = None  # None: the whole block
    reason: str


class Cut(Struct, frozen=True, kw_only=True):
    """A document that was cut so that a package fits."""

    block: Block
    document: Document
    tokens: int  # of its text, without the heading
    step: int  # of the order in which documents are cut, from 1
    command: str  # shows the document

    @property
    def line(self) -> str:
        """The line in the list of cuts."""
        document = f"{visible(self.document.name)} ({self.tokens})"
        return f"{self.block.label}: {document} -> {visible(self.command)}"


class Fit(Struct, frozen=True, kw_only=True):
    """How a package was made to fit; all sizes are in tokens."""

    budget: int
    before: int
    floor: int  # the size with everything cut that can be
    cuts: tuple[Cut, ...]


_QUOTING = (BlockKind.DEPENDENCY, BlockKind.HIERARCHY, BlockKind.EVENT)


class ContextPackage(Struct, frozen=True, kw_only=True, dict=True):
    """The context of one node, or of several."""

    nodes: tuple[PackageNode, ...]
    blocks: tuple[Block, ...]
    budget: Budget
    has_limit: bool = True  # packages of blackbox nodes may have any size
    omissions: tuple[Omission, ...] = ()
    fit: Fit | None = None

    @property
    def node_ids(self) -> tuple[str, ...]:
        """The paths of the nodes."""
        return tuple(node.path for node in self.nodes)

    @property
    def characters(self) -> int:
        """The length of all contents joined by blank lines."""
        sizes = [block.characters for block in self.blocks if block.has_content]
        return sum(sizes) + SEPARATOR * max(0, len(sizes) - 1)

    @cached_property
    def tokens(self) -> int:
        """The number of tokens, estimated or counted."""
        return self.budget.measure(self.characters, lambda: self.text)

    @property
    def text(self) -> str:
        """All contents joined by blank lines."""
        return "\n\n".join(block.text for block in self.blocks if block.has_content)

    @property
    def contents(self) -> tuple[tuple[object, ...], ...]:
        """The content by block, with normalised line endings; the commit of an import is none."""
        return tuple(
            (
                block.kind,
                tuple(attribute for attribute in block.attributes if attribute[0] != "source"),
                _lf(block.content),
            )
            for block in self.blocks
        )

    def quoted(self, node: str) -> list[str]:
        """Return what it includes from another node: its texts or the event between them."""
        return [
            _lf(block.content)
            if block.kind is BlockKind.EVENT
            else _lf("".join(document.text for document in block.documents))
            for block in self.blocks
            if block.subject == node and block.kind in _QUOTING
        ]

    @property
    def status(self) -> str:
        """The status of the size against the budget."""
        return self.budget.status(self.tokens) if self.has_limit else "ok"

    @property
    def left_out(self) -> tuple[str, ...]:
        """The lines about content that could not be read."""
        return tuple(line for block in self.blocks for line in block.left_out)

    @property
    def source_files(self) -> tuple[str, ...]:
        """Every file that the package depends on, sorted."""
        return tuple(sorted({file for block in self.blocks for file in block.source_files}))

    @property
    def contracts(self) -> dict[str, str]:
        """The digests of the contracts in other repositories, by target."""
        return {block.subject: block.contract for block in self.blocks if block.contract}

    # What cutting documents saves, in characters or, if a tokenizer counts them, in tokens. The
    # tokens of parts do not add up to those of the whole, so the latter are counted again.

    @property
    def cost(self) -> int:
        """The size of the package."""
        return self.tokens if self.budget.tokenizer else self.characters

    def cost_of(self, length: int, text: Callable[[], str]) -> int:
        """Return the size of a text in the package."""
        return self.budget.measure(length, text) if self.budget.tokenizer else length

    def document_cost(self, _block: Block, document: Document) -> int:
        """Return the size of a document in the package."""
        return self.cost_of(document.characters, lambda: document.text)

    def first_cost(self, block: Block) -> int:
        """Return what the next document of a block costs besides its size, if it is the first."""
        if block.documents:
            return 0
        if block.lines_before:
            return 1  # the blank line between the lines and the documents
        return 0 if block.lines_after else -1  # its last line break does not count

    def trim(self, block: Block, document: Document) -> int:
        """Return what a document saves if it is the last one of its block: CRLF, not LF."""
        return 0 if block.lines_after else document.break_length - 1

    def line_cost(self, line: str) -> int:
        """Return the size of a line in the list of cuts."""
        return self.cost_of(len(line) + 1, lambda: f"{line}\n")

    @property
    def listing_cost(self) -> int:
        """The size of the list of cuts besides its lines: a blank line, but no last line break."""
        return SEPARATOR - 1


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n")
