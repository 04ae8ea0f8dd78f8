"""Parts of a source file: its declarations, each with a digest of its own tokens and its lines."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FILE = "(file)"  # the part outside of all declarations
SEPARATOR = "\0"  # a text with this character has no facts
DIGEST_SIZE = 12
NOTHING = blake2b(digest_size=DIGEST_SIZE).hexdigest()


class Part(Struct, frozen=True):
    """A declaration, public or not: the digest of its tokens without those of the parts inside.

    Lines start with its decorators, attributes or doc comment; all of them are 0 in a baseline.
    """

    digest: str
    first: int = 0
    last: int = 0


class Span(Struct, gc=False):
    """A range of tokens that one declaration consists of, and where it is in the text.

    A declaration of several variables has their names; what belongs to no part has none.
    """

    names: tuple[str, ...]
    start: int
    end: int  # the token after the last one
    first: int = 0  # the offset of the first character, also of decorators and documentation
    last: int = 0  # the offset of the last character


class LineNumbers:
    """The numbers of the lines of a text, the first of which is 1."""

    def __init__(self, text: str) -> None:
        self._ends = array("q", _line_ends(text))
        self.last = max(1, len(self._ends) + (text[-1:] != "\n"))

    def of(self, offset: int) -> int:
        """Return the line of a character; a line break belongs to the line that it ends."""
        return bisect_left(self._ends, offset) + 1


def _line_ends(text: str) -> Iterator[int]:
    at = text.find("\n")
    while at >= 0:
        yield at
        at = text.find("\n", at + 1)


def parts_of(texts: Sequence[str], spans: list[Span], lines: LineNumbers) -> dict[str, Part]:
    """Return the parts of a text by name; the tokens outside of all spans are one, too.

    Spans are inside of each other, or apart. Those of one name, as of overloads, are one part.
    """
    spans.sort(key=lambda span: (span.start, -span.end))
    *digests, outside = _digests(texts, spans)
    found: dict[str, list[int]] = {}
    for number, span in enumerate(spans):
        for name in dict.fromkeys(span.names):
            found.setdefault(name, []).append(number)
    parts = {
        name: Part(
            _joined([digests[number] for number in numbers]),
            lines.of(min(spans[number].first for number in numbers)),
            lines.of(max(spans[number].last for number in numbers)),
        )
        for name, numbers in found.items()
    }
    parts[FILE] = Part(outside if outside != NOTHING else "", 1, lines.last)
    return dict(sorted(parts.items()))


def _joined(digests: list[str]) -> str:
    if len(digests) == 1:
        return digests[0]
    return blake2b("".join(digests).encode(), digest_size=DIGEST_SIZE).hexdigest()


def _digests(texts: Sequence[str], spans: Sequence[Span]) -> list[str]:
    """Return the digest of each span without the spans in it, and at last that of the rest."""
    found = [""] * (len(spans) + 1)
    whole = Span((), 0, len(texts))
    opened = [(len(spans), whole.end, blake2b(digest_size=DIGEST_SIZE))]
    at = 0

    def read_to(end: int) -> None:
        nonlocal at
        if at < end:
            tokens = chain.from_iterable((text, SEPARATOR) for text in texts[at:end] if text)
            opened[-1][2].update("".join(tokens).encode())
            at = end

    def close(start: int) -> None:
        while opened and opened[-1][1] <= start:
            read_to(opened[-1][1])
            number, _, hasher = opened.pop()
            found[number] = hasher.hexdigest()

    for number, span in enumerate(spans):
        if len(opened) > 1:
            close(span.start)
        read_to(span.start)
        end = min(span.end, opened[-1][1])
        opened.append((number, end, blake2b(digest_size=DIGEST_SIZE)))
    close(whole.end)
    return found


def digest_of(texts: Iterable[str]) -> str:
    """Return a digest of some texts."""
    return blake2b(SEPARATOR.join(texts).encode(), digest_size=DIGEST_SIZE).hexdigest()
