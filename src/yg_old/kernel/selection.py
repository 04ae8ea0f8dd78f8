"""Selections: which pieces of a package to show, by kind, subject, document and heading."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from yg_old.kernel.errors import NotFoundError, UsageError
from yg_old.kernel.snapshot import given_text
from yg_old.text.escapes import visible
from yg_old.text.headings import MARKDOWN_NAMES, headings
from yg_old.text.suggest import listing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg_old.kernel.package import Document
    from yg_old.kernel.parts import Part
    from yg_old.text.headings import Heading

    Span = tuple[int, int]  # of characters in the text of a document

P = TypeVar("P", bound="Part")

FORM = "KIND[:SUBJECT[:DOCUMENT[#HEADING]]]"


class Selector(Struct, frozen=True):
    """A kind of parts and, after a colon, what is meant of it.

    Subjects and names of files may contain `:` and `#`, so a package decides where each ends.
    """

    kind: str
    place: str = ""  # `SUBJECT`, `SUBJECT:DOCUMENT` or `SUBJECT:DOCUMENT#HEADING`; empty: all

    def __str__(self) -> str:
        return f"{self.kind}:{self.place}" if self.place else self.kind


class Selection(Struct, frozen=True):
    """The pieces to show, or those to leave out; without selectors, everything is shown."""

    only: tuple[Selector, ...] = ()
    without: tuple[Selector, ...] = ()

    def apply(self, parts: Sequence[P]) -> tuple[tuple[P, ...], tuple[P, ...]]:
        """Return what is shown of the parts, and the parts of which nothing is.

        Raise NotFoundError if a part has no such subject, document or heading.
        """
        chosen = _chosen(parts, (*self.only, *self.without))
        if self.only:
            shown = {at: part for at, part in enumerate(parts) if at in chosen}
            kept = {at: _with_only(part, chosen[at]) for at, part in shown.items()}
        else:
            kept = {
                at: _without(part, chosen.get(at, _NOTHING))
                for at, part in enumerate(parts)
                if not chosen.get(at, _NOTHING).is_whole
            }
        hidden = tuple(part for at, part in enumerate(parts) if at not in kept)
        return tuple(kept.values()), hidden


class _Pieces(Struct, frozen=True):
    """What selectors mean of one part."""

    is_whole: bool = False
    documents: Mapping[int, tuple[Span, ...] | None] = {}  # by place; None: the whole text

    def joined(self, other: _Pieces) -> _Pieces:
        """Return the union of two."""
        documents = dict(self.documents)
        for at, spans in other.documents.items():
            before = documents.get(at, ())
            documents[at] = None if before is None or spans is None else (*before, *spans)
        return _Pieces(self.is_whole or other.is_whole, documents)


_NOTHING = _Pieces()


def selection(only: Sequence[str], without: Sequence[str], kinds: Sequence[str]) -> Selection:
    """Parse the selectors that a user typed; `kinds` are the kinds of parts that exist."""
    if only and without:
        raise UsageError("--only cannot be combined with --without")
    return Selection(
        tuple(_selector(text, kinds) for text in only),
        tuple(_selector(text, kinds) for text in without),
    )


def _selector(text: str, kinds: Sequence[str]) -> Selector:
    kind, _, place = text.partition(":")
    if kind not in kinds:
        raise UsageError(f"unknown kind '{kind}'", hint=f"Use one of: {', '.join(kinds)}.")
    return Selector(kind, place)


def has_headings(document: Document) -> bool:
    """Tell whether a document is shown and can have headings."""
    name = document.source.path if document.reference else document.name
    return document.has_text and name.endswith(MARKDOWN_NAMES)


def headings_of(document: Document) -> tuple[Heading, ...]:
    """Return the sections of a document that can be selected: those with a title."""
    if not has_headings(document):
        return ()
    return tuple(section for section in headings(document.body) if section.title)


def _chosen(parts: Sequence[Part], selectors: Iterable[Selector]) -> dict[int, _Pieces]:
    """Return what selectors mean, by the place of the part."""
    chosen: dict[int, _Pieces] = {}
    for selector in selectors:
        for at, pieces in _meant(parts, selector):
            chosen[at] = chosen.get(at, _NOTHING).joined(pieces)
    return chosen


def _meant(parts: Sequence[Part], selector: Selector) -> Iterator[tuple[int, _Pieces]]:
    """Yield the places of the parts that a selector means, with what it means of them."""
    of_kind = [(at, part) for at, part in enumerate(parts) if part.address[0] == selector.kind]
    subjects = dict.fromkeys(part.address[1] for _, part in of_kind if part.address[1])
    subject, name = _split(selector, subjects)
    matching = [(at, part) for at, part in of_kind if subject in ("", part.address[1])]
    if not name:
        yield from ((at, _Pieces(is_whole=True)) for at, _ in matching)
        return
    title, documents = _named(name, matching, selector)
    if not title:
        yield from ((at, _Pieces(documents={place: None})) for at, place, _ in documents)
        return
    found = [
        (at, _Pieces(documents={place: spans}))
        for at, place, document in documents
        if (spans := _spans(document, title))
    ]
    if not found:
        raise _no_heading(title, [document for _, _, document in documents])
    yield from found


def _split(selector: Selector, subjects: Mapping[str, None]) -> tuple[str, str]:
    """Return the subject of a selector, and what follows it."""
    place = selector.place
    if place.rstrip("/") in ("", *subjects):
        return place.rstrip("/"), ""
    for at, character in enumerate(place):
        if character == ":" and place[:at].rstrip("/") in ("", *subjects):
            return place[:at].rstrip("/"), place[at + 1 :]
    message = f"the package has no {selector.kind} '{place}'"
    if not subjects:
        raise NotFoundError(message, hint="--why lists the blocks that it has.")
    raise NotFoundError(message, hint=f"It has: {listing(tuple(subjects), len(subjects))}.")


def _named(
    name: str, parts: Sequence[tuple[int, Part]], selector: Selector
) -> tuple[str, list[tuple[int, int, Document]]]:
    """Return the heading in `DOCUMENT#HEADING`, and the documents with their places."""
    documents = [
        (at, place, document) for at, part in parts for place, document in enumerate(part.documents)
    ]
    borders = (at for at, character in enumerate(name) if character == "#")
    for border in (len(name), *borders):
        wanted = name[:border]
        found = [one for one in documents if wanted in (one[2].name, one[2].source.path)]
        if found:
            return name[border + 1 :], found
    names = tuple(dict.fromkeys(document.name for _, _, document in documents))
    hint = f"It has: {listing(names, len(names))}." if names else "It has no documents."
    raise NotFoundError(f"'{selector}': there is no document '{name}'", hint=hint)


def _spans(document: Document, title: str) -> tuple[Span, ...]:
    """Return the sections with a title, or else the first whose title begins so."""
    wanted, found = _key(title), headings_of(document)
    same = [section for section in found if _key(section.title) == wanted]
    near = [section for section in found if _key(section.title).startswith(wanted)]
    return tuple((section.start, section.end) for section in same or near[:1])


def _key(title: str) -> str:
    return visible(title).casefold()


def _no_heading(title: str, documents: Sequence[Document]) -> NotFoundError:
    titles = tuple(
        dict.fromkeys(section.title for document in documents for section in headings_of(document))
    )
    hint = f"It has: {listing(titles, len(titles))}." if titles else "It has no headings."
    return NotFoundError(f"'{documents[0].name}' has no heading '{title}'", hint=hint)


def _with_only(part: P, pieces: _Pieces) -> P:
    """Return a part with only some pieces of it."""
    if pieces.is_whole:
        return part
    documents = (
        document if spans is None else _cut(document, _united(spans))
        for at, document in enumerate(part.documents)
        if (spans := pieces.documents.get(at, ())) != ()
    )
    return replace(part, documents=tuple(documents))


def _without(part: P, pieces: _Pieces) -> P:
    """Return a part without some pieces of it."""
    if not pieces.documents:
        return part
    documents = (
        _cut(document, _between(_united(spans or ()), len(document.body))) if spans else document
        for at, document in enumerate(part.documents)
        if (spans := pieces.documents.get(at, ())) is not None
    )
    return replace(part, documents=tuple(documents))


def _cut(document: Document, spans: Iterable[Span]) -> Document:
    """Return a document with only some spans of its text."""
    body = document.body
    text = "".join(body[start:end] for start, end in spans)
    return replace(document, source=given_text(document.source.path, text))


def _united(spans: Iterable[Span]) -> list[Span]:
    """Return spans in order; those of sections inside other sections are left out."""
    united: list[Span] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not united or start >= united[-1][1]:
            united.append((start, end))
    return united


def _between(spans: Sequence[Span], end: int) -> Iterator[Span]:
    """Yield what is between spans."""
    at = 0
    for start, stop in spans:
        yield at, start
        at = stop
    yield at, end
