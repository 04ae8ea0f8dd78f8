"""Write several files as one change, which a later run completes if this one is killed.

The new contents are first written to a journal. From then on the change holds: whoever finds the
journal writes the files that are still missing, or reads them from it. Before that, nothing has
changed. A journal is in the private folder of the graph, so none can come with a repository.
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import DecodeError, Struct
from msgspec.msgpack import Decoder, encode

from yg_old.disk.files.apply import ApplyError, cleared_applier, read_file
from yg_old.disk.index.private import known_state_folder, read_private, remove_private, write_private
from yg_old.disk.writing.generation import NAME as GENERATION
from yg_old.disk.writing.generation import FoundState, generation_of, journal_in, new_generation
from yg_old.disk.writing.lock import writing
from yg_old.kernel.edit import Delete, Write

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg_old.kernel.edit import Edit

LARGEST = 256_000_000  # bytes of a journal; a larger change is written without one
UNREADABLE = "unreadable"
READERS_PATIENCE = 2.0  # seconds to wait for a writer, which has only some files left to write
ATTEMPTS = 3


class FileChange(Struct, frozen=True, array_like=True):
    """The change of one file."""

    path: str
    before: str  # the digest of its content; empty if it did not exist
    content: bytes | None  # None: delete it

    @property
    def edit(self) -> Edit:
        """The edit that carries it out."""
        return Delete(self.path) if self.content is None else Write(self.path, self.content)

    @property
    def after(self) -> str:
        """The digest of the new content; empty if the file is deleted."""
        return "" if self.content is None else _digest(self.content)


_DECODER = Decoder(list[FileChange])


def commit(
    root: str, folder: str, edits: Sequence[Write | Delete], read: Mapping[str, bytes | None]
) -> None:
    """Write all edits or none; the caller holds the lock.

    `read` holds the content that the edits are based on; None if there was no file. Raises
    ApplyError if a file has changed since.
    """
    applier = cleared_applier(root, folder)
    for path, content in read.items():
        if _content(root, path) != content:
            hint = "Nothing was written. Run the command again."
            raise ApplyError(f"'{path}' changed while the command was running", hint=hint)
    # Files are deleted last: until one has its new content, the write has not begun.
    edits = sorted(edits, key=lambda edit: isinstance(edit, Delete))
    journal = _journal(edits, read) if len(edits) > 1 else b""
    _begin(root, folder, journal)
    try:
        applier.apply(edits)
    except ApplyError:
        _begin(root, folder)
        applier.apply(_undone(root, edits, read))
        _remove(root, folder)
        raise
    if journal:
        _remove(root, folder)
    elif len(edits) > 1:
        _begin(root, folder)  # for readers that came in between


def commit_over(root: str, folder: str, edits: Iterable[Edit]) -> None:
    """Write all files of some edits or none, whatever is there; the caller holds the lock.

    Other edits, which can be repeated, are made first.
    """
    every = list(edits)
    writes = [edit for edit in every if isinstance(edit, Write)]
    cleared_applier(root, folder).apply(edit for edit in every if not isinstance(edit, Write))
    commit(root, folder, writes, {edit.path: _content(root, edit.path) for edit in writes})


def settled_state(root: str, folder: str) -> FoundState:
    """Complete a write that was interrupted, or wait for the end of one.

    If that takes too long, or the disk is read-only, the contents of the journal are pending.
    """
    notes: tuple[str, ...] = ()
    entries: list[FileChange] = []
    generation = b""
    for _ in range(ATTEMPTS):
        generation = generation_of(root, folder)
        entries = _entries(root, folder)
        if not entries:
            return FoundState(generation=generation, notes=notes)
        try:
            with writing(root, folder, READERS_PATIENCE):
                notes += complete(root, folder)
        except ApplyError:
            break
    if edited := _edited_since(root, folder, entries):
        return FoundState(generation=generation, notes=(*notes, *edited))
    pending = {entry.path: entry.content for entry in entries}
    note = f"a write to {folder}/ is not complete; its new contents are read from the journal"
    return FoundState(generation=generation, pending=pending, notes=(*notes, note))


def recover(root: str, folder: str) -> tuple[str, ...]:
    """Complete a write that was interrupted, if there is one; return notes for the user."""
    if not _entries(root, folder):
        return ()
    with writing(root, folder):
        return complete(root, folder)


def complete(root: str, folder: str) -> tuple[str, ...]:
    """Do the same; the caller holds the lock."""
    entries = _entries(root, folder)
    notes: tuple[str, ...] = ()
    if entries:
        applier = cleared_applier(root, folder)
        # Otherwise it was killed before the first file, or another repository is here now.
        if _has_begun(root, entries) and not (notes := _edited_since(root, folder, entries)):
            applier.apply(_missing(root, entries))
            notes = (f"completed a write to {folder}/ that was interrupted",)
    _remove(root, folder)
    return notes


def _undone(
    root: str, edits: Sequence[Write | Delete], read: Mapping[str, bytes | None]
) -> Iterator[Edit]:
    """Yield the edits that restore the files of a write that failed."""
    for edit in edits:
        before = read.get(edit.path)
        if _content(root, edit.path) != before:
            yield Delete(edit.path) if before is None else Write(edit.path, before)


def _missing(root: str, entries: Iterable[FileChange]) -> list[Edit]:
    return [entry.edit for entry in entries if _current(root, entry.path) != entry.after]


def _edited_since(root: str, folder: str, entries: Iterable[FileChange]) -> tuple[str, ...]:
    """Return a note if a write cannot be completed, because one of its files was edited."""
    changed = [entry.path for entry in entries if not _is_expected(root, entry)]
    if not changed:
        return ()
    reason = f"'{changed[0]}' was edited since"
    return (f"a write to {folder}/ was interrupted and is not completed, because {reason}",)


def _is_expected(root: str, entry: FileChange) -> bool:
    """Return whether a file has its content from before or after the write."""
    return _current(root, entry.path) in (entry.before, entry.after)


def _has_begun(root: str, entries: Sequence[FileChange]) -> bool:
    """Return whether at least one file has its new content."""
    written = [entry for entry in entries if entry.content is not None]
    return any(
        entry.after != entry.before and _current(root, entry.path) == entry.after
        for entry in written or entries
    )


def _journal(edits: Sequence[Write | Delete], read: Mapping[str, bytes | None]) -> bytes:
    """Return the journal of a write; empty if it would be too large."""
    entries = [
        FileChange(
            edit.path,
            "" if (before := read.get(edit.path)) is None else _digest(before),
            edit.content if isinstance(edit, Write) else None,
        )
        for edit in edits
    ]
    journal = encode(entries)
    return journal if len(journal) <= LARGEST else b""


def _begin(root: str, folder: str, journal: bytes = b"") -> None:
    """Write the journal, then another generation."""
    private = known_state_folder(root, folder)
    try:
        if journal:
            write_private(journal_in(private), journal)
        write_private(os.path.join(private, GENERATION), new_generation())
    except OSError as error:
        hint = "Nothing was written."
        raise ApplyError(f"cannot write to '{private}': {error.strerror}", hint=hint) from error


def _entries(root: str, folder: str) -> list[FileChange]:
    """Read the journal; empty if there is none."""
    content = read_private(journal_in(known_state_folder(root, folder)), LARGEST)
    try:
        return _DECODER.decode(content) if content else []
    except DecodeError:
        return []  # of another version


def _current(root: str, path: str) -> str:
    """Return the digest of the content of a file; empty if it is missing."""
    try:
        content = _content(root, path)
    except ApplyError:
        return UNREADABLE  # not a file that a write has left
    return "" if content is None else _digest(content)


def _content(root: str, path: str) -> bytes | None:
    """Return the content of a file; None if it is missing."""
    try:
        return read_file(os.path.join(root, path))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ApplyError(f"cannot read '{path}': {error.strerror}") from error


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def _remove(root: str, folder: str) -> None:
    remove_private(journal_in(known_state_folder(root, folder)))
