"""Items: the parts of the document of a context, which stand in sections."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg_old.kernel.parts import Part
from yg_old.specgraph.context.entry import Affected, IncludedNode

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator
    from typing import Self

AFFECTED, WARNINGS, VERIFICATION = "Affected Nodes", "Warnings", "Verification"
LEFT_OUT = "Left Out"  # the heading of the list of cuts
TARGET_REASON = "the target"

# The sections that are explained as a whole, with the reasons for them.
_EXPLAINED_ONCE = {
    AFFECTED: "links of the target",
    WARNINGS: "the state of the graph",
    VERIFICATION: "the target, its policies and what verifies it",
    LEFT_OUT: "--fit",
}


class Item(Part, frozen=True, kw_only=True, dict=True):
    """One thing that a section lists; its kind is the heading of the section."""

    lines: tuple[str, ...]
    suffix: str = ""  # of the heading, if the document has several targets
    entry: IncludedNode | Affected | None = None
    note: str = ""  # names the targets that it concerns, unless these are all
    original: tuple[str, ...] | None = None  # its lines in the document of one of them, if others

    @property
    def address(self) -> tuple[str, str]:
        """The kind and the subject, as a selection knows them."""
        return kind_word(self.kind), self.subject

    @property
    def title(self) -> str:
        """The heading with what distinguishes it from others."""
        return f"{self.kind} {self.suffix}" if self.suffix else self.kind

    @property
    def text(self) -> str:
        """The lines with their line breaks."""
        return text_of(self.lines)

    @property
    def is_listing(self) -> bool:
        """Whether it is the list of cuts."""
        return self.kind == LEFT_OUT

    @property
    def is_binding(self) -> bool:
        """Whether it is an entry that the target has to obey."""
        return isinstance(self.entry, IncludedNode) and self.entry.is_binding

    @property
    def identity(self) -> Hashable:
        """The section and the lines of an entry, as the document of one target has them."""
        lines = self.lines if self.original is None else self.original
        return (self.kind, lines) if self.entry and lines else None

    def in_short(self, node: str) -> Self:
        """Return one line that names the document with its text, if that is shorter.

        An entry that the target has to obey is always shown.
        """
        short = replace(self, lines=(f"- {self.subject}: as in {node}{self.note}",), same_as=node)
        return self if self.is_binding or len(short.text) >= len(self.text) else short


def kind_word(heading: str) -> str:
    """Return the word for the sections with a heading."""
    return heading.lower().replace(" ", "-")


def text_of(lines: Iterable[str]) -> str:
    """Return lines with their line breaks."""
    return "".join(f"{line}\n" for line in lines)


def sections(items: Iterable[Item]) -> Iterator[tuple[str, list[Item]]]:
    """Yield the titles of the sections with their items."""
    for title, listed in groupby(items, key=lambda item: item.title):
        yield title, list(listed)


def section_lines(items: Iterable[Item]) -> list[str]:
    """Return the lines below the heading of a section."""
    return [line for item in items for line in item.lines]


def section_text(title: str, items: Iterable[Item]) -> str:
    """Return a section with its heading."""
    return text_of([f"## {title}", *section_lines(items)])


def document_text(title: str, items: Iterable[Item]) -> str:
    """Join a title and sections to a document."""
    listed = (f"\n{section_text(heading, inside)}" for heading, inside in sections(items))
    return "".join([f"{title}\n", *listed])


def explained(items: Iterable[Item]) -> Iterator[tuple[str, str, list[str], str]]:
    """Yield the section, the node, the lines and the reason of what the document has."""
    for title, inside in sections(items):
        kind = inside[0].kind
        if kind in _EXPLAINED_ONCE:
            yield title, "", section_lines(inside), _EXPLAINED_ONCE[kind]
        else:
            for item in inside:
                yield kind, item.subject, list(item.lines), ", ".join(item.reasons)
