"""Parts of packages, which views select, leave out and cut, for all kinds of graphs.

A kind of graph adds how its parts are written, and what identifies them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from yg_old.kernel.package import Document, Sized
from yg_old.text.escapes import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
    from typing import Self


class Part(Struct, frozen=True, kw_only=True, dict=True):
    """One part of a package: a kind, a subject, documents, and the reasons for it."""

    SAME: ClassVar[str] = "as in"  # before the node whose package has it too

    kind: str
    subject: str = ""  # a node or something else that it is about
    documents: tuple[Document, ...] = ()
    reasons: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()  # in a package of several nodes: those whose packages have it
    see: str = ""  # the part that has its documents
    same_as: str = ""  # the node in whose package the reader has it

    @property
    def address(self) -> tuple[str, str]:
        """The kind and the subject, as a selection knows them."""
        return self.kind, self.subject

    @property
    def label(self) -> str:
        """The kind and the subject, for tables and messages."""
        return f"{self.kind} {self.subject}" if self.subject else self.kind

    @property
    def text(self) -> str:
        """The text that counts for the size of the package."""
        raise NotImplementedError

    @property
    def characters(self) -> int:
        """The length of the text."""
        return len(self.text)

    @property
    def is_listing(self) -> bool:
        """Whether it is the list of cuts."""
        return False

    @property
    def is_always_shown(self) -> bool:
        """Whether it is shown in full to a reader who has it."""
        return False

    @property
    def identity(self) -> Hashable:
        """What is equal if two packages have the same part; None if they cannot."""
        return None

    def without(self, places: Collection[int]) -> Self:
        """Return it without the documents at some places."""
        kept = (document for place, document in enumerate(self.documents) if place not in places)
        return replace(self, documents=tuple(kept))

    def in_short(self, node: str) -> Self:
        """Return how it is shown to a reader who has it in the package of a node."""
        raise NotImplementedError


class Omission(Struct, frozen=True, kw_only=True):
    """A part or a document that a package does not show, and why."""

    part: Part
    document: Document | None = None  # None: the whole part
    reason: str

    @property
    def label(self) -> str:
        """The name of what is left out."""
        return f"{self.part.label}: {self.document.name}" if self.document else self.part.label


class Cut(Struct, frozen=True, kw_only=True, dict=True):
    """A document, or whole parts, that were cut so that a package fits."""

    parts: tuple[Part, ...]
    document: Document | None = None  # of the only part; None: the parts as a whole
    subject: str  # of the part; empty if all parts of a kind were cut
    name: str  # as the list of cuts names it
    tokens: int  # without the heading of a document
    step: int  # of the order in which a package is cut, from 1
    command: str  # shows it

    @property
    def part(self) -> Part:
        """The part, or the first of them."""
        return self.parts[0]

    @cached_property
    def line(self) -> str:
        """The line in the list of cuts."""
        return f"{self.name} ({self.tokens}) -> {visible(self.command)}"


class Fit(Struct, frozen=True, kw_only=True):
    """How a package was made to fit; all sizes are in tokens."""

    budget: int
    before: int
    floor: int  # the size with everything cut that can be
    cuts: tuple[Cut, ...]  # in the order of the package


class Package(Sized, frozen=True, kw_only=True, dict=True):
    """What is shown to a reader of the context of some nodes."""

    parts: tuple[Part, ...]
    omissions: tuple[Omission, ...] = ()
    fit: Fit | None = None

    @property
    def node_ids(self) -> tuple[str, ...]:
        """The nodes that it is for, by path or id."""
        raise NotImplementedError

    @property
    def source_files(self) -> tuple[str, ...]:
        """Every file that decided what it says, sorted."""
        raise NotImplementedError

    def size_of(self, part: Part | Document) -> int:
        """Return the tokens of a part."""
        return self.budget.measure(part.characters, lambda: part.text)

    def tokens_of(self, text: str) -> int:
        """Return the tokens of a text."""
        return self.budget.measure(len(text), lambda: text)

    def listing(self, cuts: Sequence[Cut]) -> Part:
        """Return the part that lists what was cut."""
        raise NotImplementedError

    def named_sizes(self) -> Iterator[tuple[str, int]]:
        """Yield the parts with their sizes, for a message."""
        raise NotImplementedError

    # The sizes of a text and of its line in the list of cuts, in characters or, if a tokenizer
    # counts them, in tokens: only what is longer than its line is worth cutting.

    def cost_of(self, length: int, text: Callable[[], str]) -> int:
        """Return the size of a text."""
        return self.budget.measure(length, text) if self.budget.tokenizer else length

    def cut_cost(self, cut: Cut) -> int:
        """Return the size of what is cut."""
        shown = (cut.document,) if cut.document else cut.parts
        length = sum(piece.characters for piece in shown)
        return self.cost_of(length, lambda: "".join(piece.text for piece in shown))

    def line_cost(self, line: str) -> int:
        """Return the size of a line in the list of cuts."""
        return self.cost_of(len(line) + 1, lambda: f"{line}\n")
