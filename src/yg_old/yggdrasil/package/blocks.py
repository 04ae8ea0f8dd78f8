"""Context packages: blocks of documents, each with its source files and reasons.

The text of a package, its size in tokens and the files to track for drift are all derived from
this value. So are the packages of several nodes and those with parts left out: see `views`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from yg_old.kernel.cuts import LIST_OF_CUTS
from yg_old.kernel.document import Record, Text, about
from yg_old.kernel.parts import Package, Part
from yg_old.kernel.snapshot import given_text
from yg_old.text.escapes import one_line, visible
from yg_old.yggdrasil.block_kind import COMPUTED, BlockKind, Role

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Sequence
    from typing import Self

    from yg_old.kernel.parts import Cut

SEPARATOR = 2  # length of the blank line between the contents of two blocks


class AspectException(Struct, frozen=True):
    """An exception from an aspect that a node of a package, or an ancestor, declares."""

    node: str  # the node that declares it
    text: str
    whose: str  # as the line shows it

    @property
    def line(self) -> str:
        """The line of the package."""
        return f"**Exception {self.whose}:** {one_line(self.text)}"


class Block(Part, frozen=True, kw_only=True, dict=True):
    """A part of a package with attributes, lines and the files that it depends on."""

    SAME: ClassVar[str] = "same as in"

    kind: BlockKind
    attributes: tuple[tuple[str, str], ...] = ()
    opening: tuple[str, ...] = ()  # lines before the documents
    closing: tuple[str, ...] = ()  # lines after the documents
    exceptions: tuple[AspectException, ...] = ()  # more lines after the documents
    left_out: tuple[str, ...] = ()  # those of all lines about content that could not be read
    source_files: tuple[str, ...] = ()
    contract: str = ""  # the digest of a contract in another repository
    consumes: tuple[str, ...] = ()  # the names that a relation uses; empty: everything
    role: Role = Role.OWN  # of the node whose code it is about

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
    def address(self) -> tuple[str, str]:
        """The kind and the subject, as a selection knows them."""
        return self.kind.word, "" if self.kind is BlockKind.GLOBAL else self.subject

    @property
    def is_always_shown(self) -> bool:
        """Whether it has the documents of a node itself, or is about code."""
        return self.kind in (BlockKind.OWN, *COMPUTED)

    @property
    def identity(self) -> Hashable:
        """Everything that decides how it is written, except the nodes it applies to."""
        if self.kind not in _WHOLE:
            return None
        attributes = tuple(attribute for attribute in self.attributes if attribute[0] != "nodes")
        files = tuple(document.source.path for document in self.documents)
        lines = (self.lines_before, self.lines_after)
        return self.kind, self.subject, attributes, lines, files

    def without(self, places: Collection[int]) -> Self:
        """Return the block without some documents; of changed code the headings are kept."""
        if self.kind is not BlockKind.STALE:
            return super().without(places)
        documents = tuple(
            replace(document, source=given_text(document.source.path, ""))
            if place in places
            else document
            for place, document in enumerate(self.documents)
        )
        return replace(self, documents=documents)

    def in_short(self, node: str) -> Self:
        """Return the block without content."""
        return replace(
            self, opening=(), documents=(), closing=(), exceptions=(), left_out=(), same_as=node
        )

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
        has_gap = lines and self.documents and self.kind is not BlockKind.STALE
        return (*lines, "") if has_gap else lines

    @property
    def _last_break(self) -> int:
        if self.documents and not self.lines_after:
            return self.documents[-1].break_length
        return 1


class PackageNode(Record, frozen=True):
    """The node that the package is for."""

    path: Annotated[Text, about("The path of the node below `model/`; `.` for the root node.")]
    name: Annotated[Text, about("Its display name.")]
    type: Annotated[Text, about("Its type, a key of `node_types` in the configuration.")]


_WHOLE = (BlockKind.HIERARCHY, BlockKind.ASPECT, BlockKind.FLOW)  # left out as a whole if the same
_QUOTING = (BlockKind.DEPENDENCY, BlockKind.HIERARCHY, BlockKind.EVENT)


class ContextPackage(Package, frozen=True, kw_only=True, dict=True):
    """The context of one node, or of several."""

    nodes: tuple[PackageNode, ...]
    parts: tuple[Block, ...]
    has_limit: bool = True  # packages of blackbox nodes may have any size
    stale: tuple[str, ...] = ()  # nodes whose code changed after their texts were confirmed

    @property
    def node_ids(self) -> tuple[str, ...]:
        """The paths of the nodes."""
        return tuple(node.path for node in self.nodes)

    @property
    def characters(self) -> int:
        """The length of all contents joined by blank lines."""
        sizes = [block.characters for block in self.parts if block.has_content]
        return sum(sizes) + SEPARATOR * max(0, len(sizes) - 1)

    @property
    def text(self) -> str:
        """All contents joined by blank lines."""
        return "\n\n".join(block.text for block in self.parts if block.has_content)

    @property
    def contents(self) -> tuple[tuple[object, ...], ...]:
        """The content by block, with normalised line endings; the commit of an import is none."""
        return tuple(
            (
                block.kind,
                tuple(attribute for attribute in block.attributes if attribute[0] != "source"),
                _lf(block.content),
            )
            for block in self.parts
        )

    def quoted(self, node: str) -> list[str]:
        """Return what it includes from another node: its texts or the event between them."""
        return [
            _lf(block.content)
            if block.kind is BlockKind.EVENT
            else _lf("".join(document.text for document in block.documents))
            for block in self.parts
            if block.subject == node and block.kind in _QUOTING
        ]

    @property
    def status(self) -> str:
        """The status of the size against the budget."""
        return self.budget.status(self.tokens) if self.has_limit else "ok"

    @property
    def stale_line(self) -> str:
        """The line after the package that names the nodes with stale texts; empty if none."""
        return f"Stale: {', '.join(map(visible, self.stale))}\n" if self.stale else ""

    @property
    def left_out(self) -> tuple[str, ...]:
        """The lines about content that could not be read."""
        return tuple(line for block in self.parts for line in block.left_out)

    def cut_cost(self, cut: Cut) -> int:
        """Return the size of what is cut; the heading of changed code stays."""
        document = cut.document
        if document is None or cut.part.kind is not BlockKind.STALE:
            return super().cut_cost(cut)
        start = len(document.heading)
        return self.cost_of(document.characters - start, lambda: document.text[start:])

    @property
    def source_files(self) -> tuple[str, ...]:
        """Every file that the package depends on, sorted."""
        return tuple(sorted({file for block in self.parts for file in block.source_files}))

    @property
    def contracts(self) -> dict[str, str]:
        """The digests of the contracts in other repositories, by target."""
        return {block.subject: block.contract for block in self.parts if block.contract}

    @property
    def references(self) -> tuple[str, ...]:
        """The documents outside the graph that it quotes, sorted."""
        quoted = (document for block in self.parts for document in block.documents)
        return tuple(sorted({document.reference for document in quoted if document.reference}))

    def listing(self, cuts: Sequence[Cut]) -> Block:
        """Return the block that lists what was cut."""
        return Block(
            kind=BlockKind.LEFT_OUT,
            attributes=(("tokens", str(sum(cut.tokens for cut in cuts))),),
            opening=tuple(cut.line for cut in cuts),
            reasons=("--fit",),
        )

    def named_sizes(self) -> Iterator[tuple[str, int]]:
        """Yield the blocks with their sizes."""
        for block in self.parts:
            if block.has_content:
                yield LIST_OF_CUTS if block.is_listing else block.label, self.size_of(block)


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n")
