"""Many words looked for in one pass over a text (Aho and Corasick, 1975)."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LARGEST_TRIE = 300_000  # bytes of words; more are looked for in several passes


def absent(pieces: Iterable[bytes], words: Iterable[bytes]) -> list[bytes]:
    """Return the words that do not occur in a text, read piece by piece."""
    tries = [_Trie(batch) for batch in _batches(words)]
    for piece in pieces:
        for trie in tries:
            trie.read(piece)
    return [word for trie in tries for word in trie.absent()]


def _batches(words: Iterable[bytes]) -> Iterator[Sequence[bytes]]:
    batch: list[bytes] = []
    size = 0
    for word in words:
        if size + len(word) > LARGEST_TRIE and batch:
            yield batch
            batch, size = [], 0
        batch.append(word)
        size += len(word)
    yield batch


class _Trie:
    """A tree of all prefixes of some words, numbered; the empty one is 0.

    Most prefixes have one that is longer by a byte; further ones are in a dict, which takes more
    memory. For each prefix, `_shorter` is the longest other one that it ends with.
    """

    def __init__(self, words: Sequence[bytes]) -> None:
        self._bytes, self._longer = bytearray(1), array("i", [0])  # by prefix: the first one added
        self._others: dict[int, int] = {}  # by prefix and byte
        self._ends: dict[bytes, int] = {}
        self._parents, self._last, lengths = array("i", [0]), bytearray(1), array("i", [0])
        for word in words:
            at = 0
            for length, byte in enumerate(word, 1):
                longer = self._step(at, byte)
                if not longer:
                    longer = self._add(at, byte)
                    lengths.append(length)
                at = longer
            self._ends[word] = at
        # The shortest first.
        self._order = array("i", sorted(range(len(lengths)), key=lengths.__getitem__))
        self._shorter = array("i", [0]) * len(lengths)
        for prefix in self._order:
            if lengths[prefix] > 1:
                shorter = self._shorter[self._parents[prefix]]
                self._shorter[prefix] = self._next(shorter, self._last[prefix])
        self._was_reached = bytearray(len(lengths))
        self._at = 0  # the longest prefix that the text read so far ends with

    def _add(self, prefix: int, byte: int) -> int:
        """Add the prefix that is longer than another by a byte."""
        number = len(self._parents)
        self._parents.append(prefix)
        self._last.append(byte)
        self._bytes.append(0)
        self._longer.append(0)
        if self._longer[prefix]:
            self._others[prefix << 8 | byte] = number
        else:
            self._bytes[prefix], self._longer[prefix] = byte, number
        return number

    def _step(self, prefix: int, byte: int) -> int:
        """Return the prefix that is longer by a byte; 0 if there is none."""
        if self._bytes[prefix] == byte and self._longer[prefix]:
            return self._longer[prefix]
        return self._others.get(prefix << 8 | byte, 0)

    def _next(self, prefix: int, byte: int) -> int:
        """Return the longest prefix that a prefix and a byte end with."""
        longer = self._step(prefix, byte)
        while not longer and prefix:
            prefix = self._shorter[prefix]
            longer = self._step(prefix, byte)
        return longer

    def read(self, piece: bytes) -> None:
        """Read the next part of the text."""
        at, was_reached = self._at, self._was_reached
        was_reached[0] = 1
        for byte in piece:
            at = self._next(at, byte)
            was_reached[at] = 1
        self._at = at

    def absent(self) -> list[bytes]:
        """Return the words that did not occur."""
        for prefix in reversed(self._order):  # a prefix contains the shorter ones it ends with
            if self._was_reached[prefix]:
                self._was_reached[self._shorter[prefix]] = 1
        return [word for word, end in self._ends.items() if not self._was_reached[end]]
