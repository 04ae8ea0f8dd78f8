"""Context packages: blocks of documents that know the files that decided them.

The text of a package, its size in tokens, the files to track for drift and the reason for each
block are all views of this one value.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from yg.kernel.visible import visible

if TYPE_CHECKING:
    from yg.kernel.snapshot import Text

CHARACTERS_PER_TOKEN = 4
SEPARATOR = 2  # the characters of the blank line between two blocks' contents


def tokens_of(characters: int) -> int:
    """Estimate tokens from characters, rounded up."""
    return -(-characters // CHARACTERS_PER_TOKEN)


class BlockKind(StrEnum):
    """The kinds of blocks, named as their tags are."""

    GLOBAL = "global"
    HIERARCHY = "hierarchy"
    OWN = "own-artifacts"
    TARGET = "materialization-target"
    ASPECT = "aspect"
    DEPENDENCY = "dependency"
    EVENT = "event"
    FLOW = "flow"


class Document(Struct, frozen=True):
    """One file of the graph as it stands in a package, under its own name."""

    name: str
    source: Text

    @property
    def heading(self) -> str:
        """The line that opens the document."""
        return f"### {visible(self.name)}\n"

    @property
    def body(self) -> str:
        """The text without the line breaks that end it."""
        return self.source.value[: self.source.extent.body]

    @property
    def text(self) -> str:
        """The heading and the text, ending in exactly one line break."""
        if not self.source.extent.body:
            return self.heading
        return self.heading + self.body + ("\r\n" if self.break_length > 1 else "\n")

    @property
    def characters(self) -> int:
        """The length of the text, known without the text itself."""
        extent = self.source.extent
        if not extent.body:
            return len(self.heading)
        return len(self.heading) + extent.body + self.break_length

    @property
    def break_length(self) -> int:
        """The length of the line break that ends the text."""
        extent = self.source.extent
        return extent.ending if extent.body and extent.ending else 1


class Block(Struct, frozen=True, kw_only=True, dict=True):
    """One part of a package: its attributes, lines and documents, and why it is there."""

    kind: BlockKind
    subject: str  # what the block is about: a node path, an aspect id, a flow id
    attributes: tuple[tuple[str, str], ...] = ()
    opening: tuple[str, ...] = ()  # lines before the documents
    documents: tuple[Document, ...] = ()
    closing: tuple[str, ...] = ()  # lines after the documents
    decided_by: tuple[str, ...] = ()
    because: tuple[str, ...] = ()

    @property
    def has_content(self) -> bool:
        """Whether anything can stand between the block's tags."""
        return self.kind is not BlockKind.TARGET

    @property
    def content(self) -> str:
        """The text between the tags, every line of it ended."""
        return "".join(
            [
                *(f"{line}\n" for line in self._opening_lines),
                *(document.text for document in self.documents),
                *(f"{line}\n" for line in self.closing),
            ]
        )

    @cached_property
    def characters(self) -> int:
        """The length of the content without its last line break, known without its texts."""
        lines = (*self._opening_lines, *self.closing)
        total = sum(len(line) + 1 for line in lines)
        total += sum(document.characters for document in self.documents)
        return total - self._last_break if total else 0

    @property
    def _opening_lines(self) -> tuple[str, ...]:
        needs_blank = self.opening and self.documents
        return (*self.opening, "") if needs_blank else self.opening

    @property
    def _last_break(self) -> int:
        if self.documents and not self.closing:
            return self.documents[-1].break_length
        return 1


class Budget(Struct, frozen=True, array_like=True, gc=False):
    """The sizes, in tokens, above which a package is a warning and an error."""

    warning: int
    error: int

    def status(self, tokens: int) -> str:
        """Judge a size: ok, warning or error."""
        if tokens > self.error:
            return "error"
        return "warning" if tokens > self.warning else "ok"


class Measured(Protocol):
    """What can be asked of the context of a node, however its kind of graph puts it together."""

    @property
    def characters(self) -> int:
        """The length of the whole."""

    @property
    def tokens(self) -> int:
        """The estimated size of the whole."""

    @property
    def budget(self) -> Budget:
        """What is too large."""

    @property
    def status(self) -> str:
        """The verdict of the budget on the size."""

    @property
    def decided_by(self) -> tuple[str, ...]:
        """Every file that decided what it says, sorted."""


class Package(Struct, frozen=True, kw_only=True):
    """Exactly what a reader needs to know for one node."""

    path: str
    name: str
    type: str
    blocks: tuple[Block, ...]
    budget: Budget

    @property
    def characters(self) -> int:
        """The length of all contents, joined by blank lines."""
        sizes = [block.characters for block in self.blocks if block.has_content]
        return sum(sizes) + SEPARATOR * max(0, len(sizes) - 1)

    @property
    def tokens(self) -> int:
        """The estimated size."""
        return tokens_of(self.characters)

    @property
    def status(self) -> str:
        """The verdict of the budget on the size."""
        return self.budget.status(self.tokens)

    @property
    def decided_by(self) -> tuple[str, ...]:
        """Every file that decided what the package says, sorted."""
        return tuple(sorted({file for block in self.blocks for file in block.decided_by}))
