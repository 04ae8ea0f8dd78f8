"""What the contexts of all kinds of graphs have in common: documents, sizes and budgets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from yg.kernel.escapes import visible

if TYPE_CHECKING:
    from yg.kernel.snapshot import Text

CHARACTERS_PER_TOKEN = 4


def tokens_of(characters: int) -> int:
    """Estimate tokens from characters, rounded up."""
    return -(-characters // CHARACTERS_PER_TOKEN)


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
    def source_files(self) -> tuple[str, ...]:
        """Every file that decided what it says, sorted."""
