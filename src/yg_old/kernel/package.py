"""Documents, sizes and budgets of packages, for all kinds of graphs."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Protocol

from msgspec import Struct

from yg_old.kernel.document import Count, Positive, Record, about
from yg_old.text.escapes import visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.kernel.snapshot import Text

CHARACTERS_PER_TOKEN = 4
KILOBYTE = 1_000  # bytes


def tokens_of(characters: int) -> int:
    """Estimate tokens from characters, rounded up."""
    return -(-characters // CHARACTERS_PER_TOKEN)


def unit_of(tokenizer: str) -> str:
    """Return the unit of sizes, for messages; an empty tokenizer is the default."""
    return f"{tokenizer} tokens" if tokenizer else "tokens"


class Document(Struct, frozen=True):
    """A file of the graph as it appears in a package, under its name."""

    name: str
    source: Text
    as_in: str = ""  # the node in whose package the reader has it; then only the heading is shown
    is_escaped: bool = False  # whether the name is shown as it is
    reference: str = ""  # where the text stands, if not among the files of the graph: FILE#HEADING

    @property
    def is_binary(self) -> bool:
        """Whether the file is not text, so that the package has only its heading."""
        return self.source.binary_size > 0

    @property
    def has_text(self) -> bool:
        """Whether the package has more of it than the heading."""
        if self.as_in or self.is_binary:
            return False
        extent = self.source.extent
        return extent.body > 0 and not extent.is_draft

    @property
    def title(self) -> str:
        """The name of the file, and why its text is not below: binary, a draft, or elsewhere."""
        name = self.name if self.is_escaped else visible(self.name)
        origin = self.reference if self.reference != self.name else ""
        remarks = (f" ({visible(remark)})" for remark in (origin, self.omission) if remark)
        return f"{name}{''.join(remarks)}"

    @property
    def omission(self) -> str:
        """Why the text is not below the heading; empty if it is."""
        if self.as_in:
            return f"as in {self.as_in}"
        if size := self.source.binary_size:
            return f"binary, {-(-size // KILOBYTE)} kB, left out"
        return "draft" if self.source.is_draft else ""

    @property
    def heading(self) -> str:
        """The line that opens the document."""
        return f"### {self.title}\n"

    @property
    def body(self) -> str:
        """The text without its final line breaks; empty if only the heading is shown."""
        return self.source.value[: self.source.extent.body] if self.has_text else ""

    @property
    def text(self) -> str:
        """The heading and the text, ending in exactly one line break."""
        if not self.has_text:
            return self.heading
        return self.heading + self.body + ("\r\n" if self.break_length > 1 else "\n")

    @property
    def characters(self) -> int:
        """The length of the text, computed without reading it."""
        if not self.has_text:
            return len(self.heading)
        return len(self.heading) + self.source.extent.body + self.break_length

    @property
    def break_length(self) -> int:
        """The length of the line break that ends the text."""
        return (self.source.extent.ending or 1) if self.has_text else 1


class Budget(Struct, frozen=True, array_like=True, gc=False):
    """The sizes in tokens above which a package causes a warning or an error.

    Sizes are estimates, unless a tokenizer counts them.
    """

    warning: int
    error: int
    tokenizer: str = ""

    def status(self, tokens: int) -> str:
        """Return 'ok', 'warning' or 'error' for a size."""
        if tokens > self.error:
            return "error"
        return "warning" if tokens > self.warning else "ok"

    def measure(self, length: int, text: Callable[[], str]) -> int:
        """Return the tokens of a text, which is read only if a tokenizer counts them."""
        if not self.tokenizer:
            return tokens_of(length)
        from yg_old.kernel.tokens import count_tokens

        return count_tokens(text(), self.tokenizer)

    @property
    def units_per_token(self) -> int:
        """The units of a cost in a token: characters, unless a tokenizer counts."""
        return 1 if self.tokenizer else CHARACTERS_PER_TOKEN

    @property
    def unit(self) -> str:
        """The unit of sizes, for messages."""
        return unit_of(self.tokenizer)


NO_LIMIT = 1_000_000_000  # instead of an error threshold
STANDARD_BUDGET = Budget(warning=10_000, error=20_000)


class Sized(Struct, frozen=True, kw_only=True, dict=True):
    """Something with a text, and a budget for the size of that text."""

    budget: Budget = STANDARD_BUDGET

    @property
    def text(self) -> str:
        """The text that counts."""
        raise NotImplementedError

    @property
    def characters(self) -> int:
        """The length of the text."""
        return len(self.text)

    @cached_property
    def tokens(self) -> int:
        """The size of the text, estimated or counted."""
        return self.budget.measure(self.characters, lambda: self.text)

    @property
    def status(self) -> str:
        """The status of its size: 'ok', 'warning' or 'error'."""
        return self.budget.status(self.tokens)


class Fitted(Record, frozen=True, kw_only=True):
    """The sizes of a package that was made to fit; each kind of graph adds what was cut."""

    budget: Annotated[Positive, about("The number of tokens it had to fit.")]
    before: Annotated[Count, about("Its size before anything was cut.")]
    after: Annotated[Count, about("Its size, with the list of cuts.")]
    floor: Annotated[Count, about("Its size if everything is cut that can be.")]


class Measured(Protocol):
    """A package, as far as all kinds of graphs share it."""

    @property
    def node_ids(self) -> tuple[str, ...]:
        """The nodes that it is for, by path or id."""

    @property
    def characters(self) -> int:
        """The length of the package."""

    @property
    def tokens(self) -> int:
        """The size of the package."""

    @property
    def budget(self) -> Budget:
        """The limits for its size."""

    @property
    def status(self) -> str:
        """The status of its size: 'ok', 'warning' or 'error'."""

    @property
    def source_files(self) -> tuple[str, ...]:
        """Every file that decided what it says, sorted."""
