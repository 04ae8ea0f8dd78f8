"""File digests that do not depend on the line endings of a checkout."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

HEAD = 8_000  # bytes in which a NUL makes a file binary, as in git
EMPTY = sha256().hexdigest()  # the digest of an empty file


class FileDigest(Struct, frozen=True):
    """The digest of a file; text with CRLF has another one for its bytes as they are."""

    lf: str  # in text, CRLF counts as LF
    raw: str = ""  # empty: the same

    def matches(self, stored: str) -> bool:
        """Tell whether a stored digest is of this content; other tools may hash the bytes."""
        return stored in (self.lf, self.raw or self.lf)


def file_digest(pieces: Iterable[bytes]) -> str:
    """Hash a file given piece by piece; in text, CRLF counts as LF."""
    return file_digests(pieces).lf


def file_digests(pieces: Iterable[bytes]) -> FileDigest:
    """Hash a file in both ways, in one pass."""
    digest = sha256()
    raw = None  # separate from the first CRLF on
    for piece, normalised in _normalised(pieces):
        if raw is None and len(piece) != len(normalised):
            raw = digest.copy()
        if raw is not None:
            raw.update(piece)
        digest.update(normalised)
    return FileDigest(digest.hexdigest(), raw.hexdigest() if raw else "")


def _normalised(pieces: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the pieces of a file, each with its normalised form."""
    rest = iter(pieces)
    head = b""
    for piece in rest:
        head += piece
        if len(head) >= HEAD:
            break
    if b"\0" in head[:HEAD]:
        for piece in _chained(head, rest):
            yield piece, piece
        return
    held = b""  # a CR at the end of a piece waits for the LF that may follow
    for piece in _chained(head, rest):
        text = held + piece
        held = b"\r" if text.endswith(b"\r") else b""
        complete = text[: len(text) - len(held)]
        yield complete, complete.replace(b"\r\n", b"\n")
    yield held, held


def _chained(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def canonical_digest(files: Mapping[str, str]) -> str:
    """Hash a mapping from path to digest, independent of its order."""
    lines = "\n".join(f"{path}:{files[path]}" for path in sorted(files))
    return sha256(lines.encode()).hexdigest()
