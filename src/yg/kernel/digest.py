"""File digests that do not depend on the line endings of a checkout."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

HEAD = 8_000  # bytes in which a NUL makes a file binary, as in git


def file_digest(pieces: Iterable[bytes]) -> str:
    """Hash a file given piece by piece; in text, CRLF counts as LF."""
    digest = sha256()
    for piece in _normalised(pieces):
        digest.update(piece)
    return digest.hexdigest()


def _normalised(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest = iter(pieces)
    head = b""
    for piece in rest:
        head += piece
        if len(head) >= HEAD:
            break
    if b"\0" in head[:HEAD]:
        yield head
        yield from rest
        return
    held = b""  # a CR at the end of a piece waits for the LF that may follow
    for piece in _chained(head, rest):
        text = held + piece
        held = b"\r" if text.endswith(b"\r") else b""
        yield text[: len(text) - len(held)].replace(b"\r\n", b"\n")
    yield held


def _chained(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def canonical_digest(files: Mapping[str, str]) -> str:
    """Hash a mapping from path to digest, independent of its order."""
    lines = "\n".join(f"{path}:{files[path]}" for path in sorted(files))
    return sha256(lines.encode()).hexdigest()
