"""Parts of a package that is too large which could belong to a node of their own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from yg_old.kernel.document import Count, Record, Text, about, one_of
from yg_old.kernel.snapshot import given_text
from yg_old.text.escapes import visible
from yg_old.text.headings import headings
from yg_old.yggdrasil.block_kind import BlockKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from yg_old.yggdrasil.package.blocks import Block, ContextPackage

MOST = 3  # parts that are named
SECTION = 2  # the level of the headings of parts
# A node takes these with it when it is split off: texts, relations and participation in a flow.
MOVABLE = (BlockKind.OWN, BlockKind.HIERARCHY, BlockKind.DEPENDENCY, BlockKind.FLOW)


class MovablePart(Record, frozen=True, kw_only=True):
    """A part of a package that could belong to another node."""

    block: Annotated[str, one_of(*MOVABLE), about("The kind of the block.")]
    subject: Annotated[Text, about("The node or flow that the block describes.")]
    document: Annotated[
        Text | UnsetType, about("The file, in the block of the node itself; else absent.")
    ] = UNSET
    section: Annotated[
        Text | UnsetType, about("The heading in that file; absent for all of it.")
    ] = UNSET
    tokens: Annotated[Count, about("Its size in tokens.")]

    @property
    def label(self) -> str:
        """The name of the part, with its size."""
        name = f"{self.block} {self.subject}" if self.document is UNSET else self.document
        section = "" if self.section is UNSET else f" '{self.section}'"
        return f"{visible(name)}{visible(section)} ({self.tokens})"


class Split(Record, frozen=True, kw_only=True):
    """The largest parts of a package which could belong to nodes of their own."""

    threshold: Annotated[Count, about("The size that the package exceeds.")]
    parts: Annotated[
        tuple[MovablePart, ...],
        Meta(min_length=1, max_length=MOST),
        about("The parts to move, the largest first: as few as are enough, and at most three."),
    ]
    after: Annotated[Count, about("The size of the package without them.")]

    @property
    def text(self) -> str:
        """One sentence that names the parts."""
        names = ", ".join(part.label for part in self.parts)
        nodes = "a node of its own" if len(self.parts) == 1 else "nodes of their own"
        is_enough = self.after <= self.threshold
        verb = "leaves" if len(self.parts) == 1 else "leave"
        lead = f"{nodes[0].upper()}{nodes[1:]}" if is_enough else f"Even {nodes}"
        return f"{lead} for {names} {verb} {self.after} tokens."


class _Candidate(Struct, frozen=True, kw_only=True):
    """A part of a package by its position: a block, a document, or a section of a document."""

    block: int
    document: int | None = None
    span: tuple[int, int] | None = None  # of a section, in characters
    part: MovablePart


def split_of(package: ContextPackage) -> Split | None:
    """Name the parts to move out of a package that is too large; None if there are none."""
    if len(package.nodes) != 1 or package.status == "ok":
        return None
    budget = package.budget
    threshold = budget.error if package.status == "error" else budget.warning
    found = sorted(_candidates(package), key=lambda candidate: -candidate.part.tokens)
    if not found:
        return None
    chosen: list[_Candidate] = []
    after = package.tokens
    for candidate in found[:MOST]:
        chosen.append(candidate)
        after = _without(package, chosen).tokens
        if after <= threshold:
            break
    parts = tuple(candidate.part for candidate in chosen)
    return Split(threshold=threshold, parts=parts, after=after)


def _candidates(package: ContextPackage) -> Iterator[_Candidate]:
    """Yield the texts of the node by section, and the other blocks that it could do without."""
    for at, block in enumerate(package.parts):
        if block.kind is BlockKind.OWN:
            yield from _own(package, at, block)
        elif block.kind in MOVABLE and block.documents:
            part = MovablePart(
                block=block.kind, subject=block.subject, tokens=package.size_of(block)
            )
            yield _Candidate(block=at, part=part)


def _own(package: ContextPackage, at: int, block: Block) -> Iterator[_Candidate]:
    """Yield the texts of a node except its declaration; one with several sections by section."""
    declaration = block.source_files[:1]
    for number, document in enumerate(block.documents):
        if document.source.path in declaration or not document.has_text:
            continue
        whole = MovablePart(
            block=block.kind,
            subject=block.subject,
            document=document.name,
            tokens=package.size_of(document),
        )
        found = [part for part in headings(document.body) if part.level == SECTION]
        if len(found) < 2:  # noqa: PLR2004 - one section is the whole text
            yield _Candidate(block=at, document=number, part=whole)
        for heading in found if len(found) > 1 else ():
            span = heading.start, heading.end
            text = document.body[slice(*span)]
            tokens = package.budget.measure(len(text), partial(str, text))
            part = replace(whole, section=heading.title or UNSET, tokens=tokens)
            yield _Candidate(block=at, document=number, span=span, part=part)


def _without(package: ContextPackage, chosen: Iterable[_Candidate]) -> ContextPackage:
    """Return the package without some of its parts."""
    gone: set[int] = set()
    spans: dict[int, dict[int, list[tuple[int, int]]]] = {}
    for candidate in chosen:
        if candidate.document is None:
            gone.add(candidate.block)
        else:
            cuts = spans.setdefault(candidate.block, {}).setdefault(candidate.document, [])
            cuts += [candidate.span] if candidate.span else []
    return replace(
        package,
        parts=tuple(
            _reduced(block, spans.get(at, {}))
            for at, block in enumerate(package.parts)
            if at not in gone
        ),
    )


def _reduced(block: Block, spans: Mapping[int, list[tuple[int, int]]]) -> Block:
    """Return a block without some documents, which have no spans here, or parts of documents."""
    if not spans:
        return block
    left = []
    for number, document in enumerate(block.documents):
        if number not in spans:
            left.append(document)
        elif spans[number]:
            source = given_text(document.source.path, _cut(document.body, spans[number]))
            left.append(replace(document, source=source))
    return replace(block, documents=tuple(left))


def _cut(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text without some spans, which do not overlap."""
    kept, at = [], 0
    for start, end in sorted(spans):
        kept.append(text[at:start])
        at = end
    return "".join([*kept, text[at:]])
