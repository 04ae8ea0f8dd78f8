"""Context packages: blocks of documents, each with its source files and reasons.

The text of a package, its size in tokens and the files to track for drift are all derived from
this value.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property

from msgspec import Struct

from yg.kernel.package import Budget, Document  # noqa: TC001  # tests build blocks at random

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


class Block(Struct, frozen=True, kw_only=True, dict=True):
    """One part of a package: its attributes, lines, documents, source files and reasons."""

    kind: BlockKind
    subject: str  # a node path, an aspect id or a flow id
    attributes: tuple[tuple[str, str], ...] = ()
    opening: tuple[str, ...] = ()  # lines before the documents
    documents: tuple[Document, ...] = ()
    closing: tuple[str, ...] = ()  # lines after the documents
    left_out: tuple[str, ...] = ()  # those of them about content that could not be read
    source_files: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()

    @property
    def has_content(self) -> bool:
        """Whether the block can have text between its tags."""
        return self.kind is not BlockKind.TARGET

    @property
    def content(self) -> str:
        """The text between the tags; every line ends with a line break."""
        return "".join(
            [
                *(f"{line}\n" for line in self._opening_lines),
                *(document.text for document in self.documents),
                *(f"{line}\n" for line in self.closing),
            ]
        )

    @cached_property
    def characters(self) -> int:
        """The length of the content without its last line break, computed without reading texts."""
        lines = (*self._opening_lines, *self.closing)
        total = sum(len(line) + 1 for line in lines)
        total += sum(document.characters for document in self.documents)
        return total - self._last_break if total else 0

    @property
    def text(self) -> str:
        """The content without its last line break."""
        return self.content[: self.characters]

    @property
    def _opening_lines(self) -> tuple[str, ...]:
        needs_blank = self.opening and self.documents
        return (*self.opening, "") if needs_blank else self.opening

    @property
    def _last_break(self) -> int:
        if self.documents and not self.closing:
            return self.documents[-1].break_length
        return 1


class ContextPackage(Struct, frozen=True, kw_only=True, dict=True):
    """The context of one node."""

    path: str
    name: str
    type: str
    blocks: tuple[Block, ...]
    budget: Budget
    has_limit: bool = True  # a blackbox node may have a package of any size

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
