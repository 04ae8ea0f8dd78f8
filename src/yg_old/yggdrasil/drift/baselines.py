"""The folder of baselines, and the file that held all of them in earlier versions."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg_old.kernel.edit import Delete, Edit, Rename, Write
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import Kind, decode_utf8
from yg_old.text import paths
from yg_old.yggdrasil.drift.baseline import (
    FOLDER,
    Baseline,
    Merged,
    baseline_shaped,
    node_of,
    state_file,
)
from yg_old.yggdrasil.drift.parse import baseline_from

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from yg_old.kernel.snapshot import Snapshot

NEW = f"{FOLDER}.new"  # the directory while the legacy file is being converted
OLD = f"{FOLDER}.old"  # the legacy file, after the directory is complete
LONGEST = 250  # maximum bytes of a name, which leaves room for a suffix on every file system
REJECTED = f"{FOLDER}.rejected"  # the legacy file, if not all entries could be converted


class Legacy(Struct, frozen=True):
    """The content of the legacy file, which held all baselines in earlier versions."""

    entries: dict[str, Baseline]
    problems: tuple[str, ...]
    bare: tuple[str, ...] = ()  # nodes of which it holds only a hash


class Baselines:
    """The baselines in `.drift-state/`, and the problems of their files."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.problems: dict[str, str] = {}  # message by file
        self.merged: dict[str, Merged] = {}  # by node: those with a merge conflict

    def get(self, node: str) -> Baseline | None:
        """Return the baseline of a node; None if it is missing or invalid."""
        if self.legacy is not None:
            return self.legacy.entries.get(node)
        file = state_file(node)
        kind = self.snapshot.kind(file)
        if kind is Kind.FILE:
            found = self.read(file)
            if found is not None and found.merged is not None:
                self.merged[node] = found.merged
            return found
        if kind is not None:
            what = "special file" if kind is Kind.OTHER else kind
            self.problems[file] = f"it is not a file but a {what}"
        elif self.snapshot.kind(FOLDER) not in (Kind.DIRECTORY, None):
            self.problems[FOLDER] = "it is a link or a special file, and is not followed"
        return None

    def read(self, file: str) -> Baseline | None:
        """Read one baseline file; record the problem if it is invalid."""
        found = self._parsed(file)
        if isinstance(found, str):
            self.problems[file] = found
            return None
        return found

    def all(self) -> Iterator[tuple[str, str]]:
        """Yield the node and the path of every baseline file; the legacy file has no node."""
        if self.snapshot.kind(FOLDER) is Kind.FILE:
            yield paths.name_of(FOLDER), FOLDER
        for file in self.files():
            node = node_of(file)
            if node is not None and paths.is_utf8(file):
                yield node, file

    def is_readable(self, file: str) -> bool:
        """Tell whether a file can be read at all; record the problem if not."""
        try:
            self.snapshot.read(file)
        except UnreadableError as error:
            self.problems[file] = error.reason
            return False
        return True

    def content(self, node: str) -> bytes | None:
        """Return the bytes of the baseline file of a node; None if there is none to read."""
        try:
            return self.snapshot.read(state_file(node))
        except UnreadableError:
            return None

    def _parsed(self, file: str) -> Baseline | str:
        try:
            return baseline_from(decode_utf8(file, self.snapshot.read(file)))
        except UnreadableError as error:
            return error.reason

    def unknown(self, files: Collection[str]) -> set[str]:
        """Return the files among some that no baseline lists, also none of a deleted node."""
        left = set(files)
        if self.legacy is not None:
            left.difference_update(*(entry.files for entry in self.legacy.entries.values()))
            return left
        for file in self.files():
            found = self._parsed(file) if left and node_of(file) is not None else ""
            if not isinstance(found, str):
                left.difference_update(found.files)
        return left

    def files(self) -> Iterator[str]:
        """Yield every file below `.drift-state/`, sorted; links are not followed."""
        pending = [FOLDER] if self.snapshot.kind(FOLDER) is Kind.DIRECTORY else []
        found = []
        while pending:
            directory = pending.pop()
            try:
                entries = self.snapshot.entries(directory)
            except UnreadableError as error:
                self.problems[directory] = error.reason
                continue
            for name, kind in entries.items():
                path = f"{directory}/{name}"
                if kind is Kind.DIRECTORY:
                    pending.append(path)
                elif kind is Kind.FILE:
                    found.append(path)
        return iter(sorted(found))

    @cached_property
    def legacy(self) -> Legacy | None:
        """The baselines of the legacy file, if the repository has one."""
        for file in (FOLDER, OLD):
            kind = self.snapshot.kind(file)
            if kind is Kind.FILE:
                return self._read_legacy(file)
            if kind is not None:
                return None
        return None

    def migration_notes(self) -> tuple[str, ...]:
        """Say what a conversion of the legacy file did, and what it could not convert."""
        legacy = self.legacy
        if legacy is None:
            legacy = self._read_legacy(OLD)
        count = len(legacy.entries)
        baselines = "1 baseline" if count == 1 else f"{count} baselines"
        converted = f"the file {FOLDER} was converted to a directory with {baselines}"
        kept = f"the old file is kept as {paths.name_of(REJECTED)}"
        return (
            converted if count else f"the file {FOLDER} had no baseline that could be converted",
            *(
                f"'{node}' has no baseline now: the old file had only a hash"
                for node in legacy.bare
            ),
            *(f"{problem}; {kept}" for problem in legacy.problems),
        )

    def _read_legacy(self, file: str) -> Legacy:
        try:
            text = self.snapshot.text(file).value
        except UnreadableError as error:
            return Legacy({}, (f"{file}: {error.reason}",))
        # Imported here because few repositories still have such a file.
        from yg_old.text.decode import plain
        from yg_old.text.decode_json import decode_json
        from yg_old.text.decode_yaml import decode_yaml

        decoded = decode_json(text) if text.lstrip().startswith("{") else decode_yaml(text)
        if decoded.problems:
            decoded = decode_yaml(text)
        content = plain(decoded.datum)
        if decoded.problems or not isinstance(content, dict):
            return Legacy({}, (f"{file}: not a map from node to baseline",))
        entries, problems, bare = {}, [], []
        for node, entry in content.items():
            if not _is_node_path(node):
                problems.append(f"{file}: '{node}' is not a node path")
            elif _is_bare(entry):
                bare.append(node)
            elif isinstance(found := baseline_shaped(entry), str):
                problems.append(f"{file}: '{node}': {found}")
            else:
                entries[node] = found
        return Legacy(entries, tuple(problems), tuple(sorted(bare)))

    def migration(self) -> list[Edit]:
        """Return the edits that convert the legacy file to the current layout.

        The new files are complete before the old file is removed, so the conversion can be
        interrupted after any edit and run again.
        """
        legacy = self.legacy
        if legacy is None:
            return self._finish_migration()
        from yg_old.yggdrasil.drift.layout import baseline_text

        edits: list[Edit] = [
            Write(f"{NEW}{state_file(node).removeprefix(FOLDER)}", baseline_text(entry).encode())
            for node, entry in sorted(legacy.entries.items())
        ]
        if self.snapshot.kind(FOLDER) is Kind.FILE:
            edits.append(Rename(FOLDER, OLD))
        if legacy.entries:
            edits.append(Rename(NEW, FOLDER))
        edits.append(Rename(OLD, REJECTED) if legacy.problems else Delete(OLD))
        return edits

    def _finish_migration(self) -> list[Edit]:
        """Return the edits that remove the old file after an interrupted conversion."""
        is_moved = self.snapshot.kind(FOLDER) is Kind.DIRECTORY
        if not is_moved or self.snapshot.kind(OLD) is not Kind.FILE:
            return []
        old = self._read_legacy(OLD)
        moved = ((self.read(state_file(node)), entry) for node, entry in old.entries.items())
        if not old.entries or not all(_is_moved(found, entry) for found, entry in moved):
            return []  # not the converted file: leave it
        return [Rename(OLD, REJECTED) if old.problems else Delete(OLD)]


def _is_moved(found: Baseline | None, entry: Baseline) -> bool:
    return found is not None and found.files == entry.files


def _is_node_path(text: str) -> bool:
    """Tell whether a key of the legacy file is a node path, and so safe as a file name."""
    if text == paths.ROOT:
        return True
    if "\0" in text or any(len(part.encode()) > LONGEST for part in text.split("/")):
        return False
    return paths.is_plain(text)


def _is_bare(content: Any) -> bool:
    """Tell whether an entry of the legacy file is only a hash, which says nothing about files."""
    if isinstance(content, dict):
        return isinstance(content.get("hash"), str) and content.get("files") in (None, {})
    return isinstance(content, str)
