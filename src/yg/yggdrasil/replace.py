"""Replacing files that this program writes: one that somebody has edited is kept beside the new."""

from __future__ import annotations

from functools import cache
from itertools import count
from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.digest import file_digest
from yg.kernel.edit import Copy, Write
from yg.kernel.errors import UnreadableError, YgError
from yg.kernel.snapshot import Kind
from yg.yggdrasil.templates import template

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.kernel.edit import Edit
    from yg.kernel.snapshot import Snapshot

SUFFIX = ".before-upgrade"
DIGESTS = "written.txt"  # a line for every version of every file that was ever written


def replaced(snapshot: Snapshot, write: Write, lost: bytes | None = None) -> Iterator[Edit]:
    """Yield a write that replaces a file, after a copy of what somebody has edited.

    `lost` is the part of the old content that the new one does not have; None stands for all of it.
    A file that has its new content already needs no edit.
    """
    old = existing(snapshot, write.path)
    if old == write.content:
        return
    if old is not None:
        yield from kept(snapshot, write.path, old, old if lost is None else lost)
    yield write


def kept(snapshot: Snapshot, path: str, content: bytes, lost: bytes) -> Iterator[Copy]:
    """Yield the copy of a file that loses what this program never wrote.

    No earlier copy is replaced, and none is made twice: an upgrade that was stopped after it had
    made the copy is simply run again.
    """
    if not lost or is_ours(lost):
        return
    for number in count(1):
        to = f"{path}{SUFFIX}" if number == 1 else f"{path}{SUFFIX}.{number}"
        if snapshot.kind(to) is None:
            yield Copy(path, to)
            return
        if _holds(snapshot, to, content):
            return


def _holds(snapshot: Snapshot, path: str, content: bytes) -> bool:
    try:
        return snapshot.kind(path) is Kind.FILE and snapshot.read(path) == content
    except UnreadableError:
        return False  # another name will do


def is_ours(content: bytes) -> bool:
    """Tell whether some version of this program wrote this content; line endings do not count."""
    return file_digest([content]) in _digests()


@cache
def _digests() -> frozenset[str]:
    return frozenset(line.split()[0] for line in template(DIGESTS).splitlines())


def existing(snapshot: Snapshot, path: str) -> bytes | None:
    """Return the content of a file that is to be replaced; None if there is none."""
    for above in paths.lineage(path)[1:]:
        if snapshot.kind(above) not in (Kind.DIRECTORY, None):
            raise YgError(
                f"'{above}' is not a directory", hint="Move it away; nothing was written."
            )
    kind = snapshot.kind(path)
    if kind is None:
        return None
    if kind is not Kind.FILE:
        hint = "Replace it by a plain file; nothing was written."
        raise YgError(f"'{path}' is a {kind}, not a file", hint=hint)
    try:
        return snapshot.read(path)
    except UnreadableError as error:
        raise YgError(error.message, hint="Nothing was written.") from error


def copies_told(edits: Iterable[Edit]) -> list[str]:
    """Return a line for each copy among edits."""
    copies = (edit for edit in edits if isinstance(edit, Copy))
    return [f"{copy.path}: your version is kept as {copy.to}" for copy in copies]
