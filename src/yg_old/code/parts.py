"""Parts of a source file: its declarations, each with a digest of its own tokens and its lines."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from hashlib import blake2b
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FILE = "(file)"  # the part outside of all declarations
SEPARATOR = "\0"  # a text with this character has no facts
DIGEST_SIZE = 12
# Characters of a digest of one part or signature. They are only compared with those of the same
# name, and tell which names changed, never whether a file did; a baseline has one for every name.
SHORT = 9
DIVIDING = frozenset((",", ";", ";;", "", "\n"))  # tokens between declarations
PIECE = 4096  # tokens that are joined
NOTHING = blake2b(digest_size=DIGEST_SIZE).hexdigest()


class Part(Struct, frozen=True):
    """A declaration, public or not: the digest of its tokens without those of the parts inside.

    Lines start with its decorators, attributes or doc comment; all of them are 0 in a baseline.
    """

    digest: str
    first: int = 0
    last: int = 0
    pieces: tuple[tuple[int, int], ...] = ()  # if it is declared in several places: their lines

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The first and last lines of each place where it is declared."""
        return self.pieces or ((self.first, self.last),)


class Spans:
    """Ranges of tokens that declarations consist of, and where they are in the text.

    A declaration of several variables has their names; what belongs to no part has none. These are
    columns of numbers, because a file may be nothing but declarations.
    """

    def __init__(self) -> None:
        self.names: list[tuple[str, ...]] = []
        self.starts = array("i")
        self.ends = array("i")  # the tokens after the last ones
        self.firsts = array("i")  # the offsets of the first characters, also of documentation
        self.lasts = array("i")  # the offsets of the last characters

    def add(
        self, names: tuple[str, ...], start: int, end: int, first: int = 0, last: int = 0
    ) -> int:
        """Add a range of tokens, and return its number."""
        self.names.append(names)
        self.starts.append(start)
        self.ends.append(end)
        self.firsts.append(first)
        self.lasts.append(last)
        return len(self.names) - 1

    def close(self, number: int, end: int, last: int) -> None:
        """Set the end of a range."""
        self.ends[number] = end
        self.lasts[number] = last

    def outside_in(self) -> list[int]:
        """Return the numbers of all ranges by their starts, the outer before the inner ones."""
        size = max(self.ends, default=0) + 1
        return sorted(
            range(len(self.names)),
            key=lambda number: self.starts[number] * size - self.ends[number],
        )


class LineNumbers:
    """The numbers of the lines of a text, the first of which is 1."""

    def __init__(self, text: str) -> None:
        self._ends = array("i", _line_ends(text))
        self.last = max(1, len(self._ends) + (text[-1:] != "\n"))

    def of(self, offset: int) -> int:
        """Return the line of a character; a line break belongs to the line that it ends."""
        return bisect_left(self._ends, offset) + 1


def _line_ends(text: str) -> Iterator[int]:
    at = text.find("\n")
    while at >= 0:
        yield at
        at = text.find("\n", at + 1)


def parts_of(texts: Sequence[str], spans: Spans, lines: LineNumbers) -> dict[str, Part]:
    """Return the parts of a text by name; the tokens outside of all spans are one, too.

    Spans are inside of each other, or apart. Those of one name, as of overloads, are one part.
    """
    order = spans.outside_in()
    digests = _digests(texts, spans, order)
    found: dict[str, list[int]] = {}
    for number in order:
        for name in dict.fromkeys(spans.names[number]):
            found.setdefault(name, []).append(number)
    outside = digests[-1]
    parts = {FILE: Part(outside[:SHORT] if outside != NOTHING else "", 1, lines.last)}
    for name in sorted(found):
        numbers = found.pop(name)  # to save memory
        ends = ((spans.firsts[number], spans.lasts[number]) for number in numbers)
        pieces = _pieces((lines.of(first), lines.of(last)) for first, last in ends)
        parts[name] = Part(
            _joined([digests[number] for number in numbers])[:SHORT],
            pieces[0][0],
            pieces[-1][1],
            tuple(pieces) if len(pieces) > 1 else (),
        )
    return dict(sorted(parts.items()))


def _pieces(lines: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ranges of lines in order; those without a line between are one."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(lines):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return found


def _joined(digests: list[str]) -> str:
    if len(digests) == 1:
        return digests[0]
    return blake2b("".join(digests).encode(), digest_size=DIGEST_SIZE).hexdigest()


def _digests(texts: Sequence[str], spans: Spans, order: Iterable[int]) -> list[str]:
    """Return the digest of each span without the spans in it, and at last that of the rest.

    A token that divides a declaration from the next one belongs to no part, so that a list can
    become longer.
    """
    found = [""] * (len(spans.names) + 1)
    # The numbers and ends of the spans around, and what was read of them.
    opened = [(len(spans.names), len(texts), blake2b(digest_size=DIGEST_SIZE))]
    at = 0

    def read_to(end: int) -> None:
        nonlocal at
        while at < end:
            tokens = SEPARATOR.join(filter(None, texts[at : min(end, at + PIECE)]))
            if tokens:
                opened[-1][2].update(f"{tokens}{SEPARATOR}".encode(errors="surrogatepass"))
            at = min(end, at + PIECE)

    def close() -> None:
        nonlocal at
        number, end, hasher = opened[-1]
        read_to(end)
        opened.pop()
        found[number] = hasher.hexdigest()
        if opened and spans.names[number] and end < opened[-1][1] and texts[end] in DIVIDING:
            at = end + 1

    for number in order:
        start = spans.starts[number]
        while len(opened) > 1 and opened[-1][1] <= start:
            close()
        read_to(start)
        end = min(spans.ends[number], opened[-1][1])
        opened.append((number, end, blake2b(digest_size=DIGEST_SIZE)))
    while opened:
        close()
    return found


def digest_of(texts: Iterable[str]) -> str:
    """Return a digest of some texts."""
    return blake2b(SEPARATOR.join(texts).encode(), digest_size=DIGEST_SIZE).hexdigest()
