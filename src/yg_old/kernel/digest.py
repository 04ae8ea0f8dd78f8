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
    """The digests of a file: with LF, as it is, and with CRLF at the end of each line."""

    lf: str
    raw: str = ""  # empty: the same as `lf`
    crlf: str = ""  # empty: the same as `raw`, as in binary files

    @property
    def forms(self) -> tuple[str, ...]:
        """The digests that a tool may have stored; other tools hash the bytes of a checkout."""
        raw = self.raw or self.lf
        return tuple(dict.fromkeys((self.lf, raw, self.crlf or raw)))

    def matches(self, stored: str) -> bool:
        """Tell whether a stored digest is of this content, whatever its line endings."""
        return stored in (self.lf, self.raw, self.crlf) and bool(stored)


def file_digest(pieces: Iterable[bytes]) -> str:
    """Hash a file given piece by piece; in text, CRLF counts as LF."""
    return file_digests(pieces).lf


def file_digests(pieces: Iterable[bytes]) -> FileDigest:
    """Hash a file in all ways, in one pass."""
    digest = sha256()
    raw = None  # separate from the first CRLF on
    crlf = None  # separate from the first end of a line on
    for piece, lf_form, crlf_form in _forms(pieces):
        if raw is None and len(piece) != len(lf_form):
            raw = digest.copy()
        if crlf is None and len(crlf_form) != len(lf_form):
            crlf = digest.copy()
        if raw is not None:
            raw.update(piece)
        if crlf is not None:
            crlf.update(crlf_form)
        digest.update(lf_form)
    as_is = raw.hexdigest() if raw else ""
    with_crlf = crlf.hexdigest() if crlf else ""
    return FileDigest(digest.hexdigest(), as_is, "" if with_crlf == as_is else with_crlf)


def _forms(pieces: Iterable[bytes]) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield the pieces of a file, each with its forms with LF and with CRLF."""
    rest = iter(pieces)
    head = b""
    for piece in rest:
        head += piece
        if len(head) >= HEAD:
            break
    if b"\0" in head[:HEAD]:
        for piece in _chained(head, rest):
            yield piece, piece, piece
        return
    held = b""  # a CR at the end of a piece waits for the LF that may follow
    for piece in _chained(head, rest):
        text = held + piece
        held = b"\r" if text.endswith(b"\r") else b""
        complete = text[: len(text) - len(held)]
        with_lf = complete.replace(b"\r\n", b"\n")
        yield complete, with_lf, with_lf.replace(b"\n", b"\r\n")
    yield held, held, held


def _chained(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def canonical_digest(files: Mapping[str, str]) -> str:
    """Hash a mapping from path to digest, independent of its order."""
    lines = "\n".join(f"{path}:{files[path]}" for path in sorted(files))
    return sha256(lines.encode()).hexdigest()
