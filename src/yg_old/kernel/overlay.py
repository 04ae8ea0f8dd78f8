"""A Snapshot with some files replaced, added or removed: a state that is not written yet.

Such a state is the result of a change before it is made, or the unsaved documents of an editor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from yg_old.kernel.digest import HEAD, file_digests
from yg_old.kernel.edit import Copy, Delete, Rename, Write
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import MAX_TEXT, Kind, Text, too_large, visible_names
from yg_old.kernel.sources import is_source, words_lacking
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from yg_old.kernel.codec import Codec, FileRecipe
    from yg_old.kernel.digest import FileDigest
    from yg_old.kernel.edit import Edit
    from yg_old.kernel.snapshot import Names, Snapshot
    from yg_old.kernel.sources import Sources

T = TypeVar("T")


def after_edits(base: Snapshot, edits: Iterable[Edit]) -> OverlaySnapshot:
    """Return the state after some edits, before they are applied; raises UnreadableError."""
    state = OverlaySnapshot(base, {})
    for edit in edits:
        match edit:
            case Write():
                state.put(edit.path, edit.content)
            case Delete():
                state.put(edit.path, None)
            case Rename() | Copy():
                for file in [*_files(state, edit.path)]:
                    state.put(edit.to + file.removeprefix(edit.path), state.read(file))
                    if isinstance(edit, Rename):
                        state.put(file, None)
    return OverlaySnapshot(base, state.changes)  # without the directories that are empty now


def _files(snapshot: Snapshot, path: str) -> Iterator[str]:
    """Yield a file, or all files below a directory."""
    waiting = [path]
    while waiting:
        path = waiting.pop()
        if snapshot.kind(path) is Kind.FILE:
            yield path
        elif snapshot.kind(path) is Kind.DIRECTORY:
            waiting += [paths.join(path, name) for name in snapshot.entries(path)]


class OverlaySnapshot:
    """Another snapshot with changes on top; only facts about its unchanged files are cached."""

    def __init__(self, base: Snapshot, changes: Mapping[str, bytes | None]) -> None:
        """Put contents by path over a snapshot; None removes a file."""
        self._base = base
        self._changes: dict[str, bytes | None] = {}
        self._changed_in: set[str] = set()  # directories
        self._texts: dict[str, Text] = {}
        self._added: dict[str, dict[str, Kind]] = {}  # names in directories
        for path, content in changes.items():
            self.put(path, content)

    def put(self, path: str, content: bytes | None) -> None:
        """Add or replace one more file; None removes it."""
        self._changes[path] = content
        self._changed_in.add(paths.parent(path))
        self._texts.pop(path, None)
        if content is None:
            self._added.get(paths.parent(path), {}).pop(paths.name_of(path), None)
        else:
            self._add(path)

    @property
    def changes(self) -> Mapping[str, bytes | None]:
        """The contents by path; None for a file that is removed."""
        return self._changes

    def _add(self, path: str) -> None:
        kind = Kind.FILE
        while path != paths.ROOT:
            self._added.setdefault(paths.parent(path), {})[paths.name_of(path)] = kind
            path, kind = paths.parent(path), Kind.DIRECTORY

    @property
    def contents(self) -> dict[str, bytes]:
        """The files that are replaced or added, by path."""
        return {path: data for path, data in self._changes.items() if data is not None}

    @property
    def new_files(self) -> tuple[str, ...]:
        """The files that the other snapshot does not have."""
        return tuple(path for path in self.contents if self._base.kind(path) is None)

    def entries(self, directory: str) -> Mapping[str, Kind]:
        """Return the names in a directory in code-point order; raises UnreadableError."""
        added = self._added.get(directory, {})
        if added and self._base.kind(directory) is None:
            return dict(sorted(added.items()))
        found = {
            name: kind
            for name, kind in self._base.entries(directory).items()
            if self._changes.get(paths.join(directory, name), b"") is not None
        }
        return dict(sorted({**added, **found}.items()))

    def names(self, directory: str) -> Names:
        """Return the names in a directory by kind, without dot-names; raises UnreadableError."""
        if directory not in self._added and directory not in self._changed_in:
            return self._base.names(directory)
        return visible_names(self.entries(directory))

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a path; None if it is missing or behind a link."""
        if path in self._changes:
            return None if self._changes[path] is None else Kind.FILE
        found = self._base.kind(path)
        return Kind.DIRECTORY if found is None and path in self._added else found

    def text(self, path: str) -> Text:
        """Return the text of a file, which is read on first access."""
        if path not in self._changes:
            return self._base.text(path)
        return self._texts.setdefault(path, Text(path, self.read))

    def read(self, path: str) -> bytes:
        """Return the bytes of a file; raises UnreadableError, also for more than MAX_TEXT."""
        if path not in self._changes:
            return self._base.read(path)
        data = self._changed(path)
        if len(data) > MAX_TEXT:
            raise too_large(path, len(data), data[:HEAD])
        return data

    def pieces(self, path: str, length: int) -> Iterator[bytes]:
        """Yield the bytes of a file of any size piece by piece; raises UnreadableError."""
        if path not in self._changes:
            yield from self._base.pieces(path, length)
            return
        content = self._changed(path)
        for start in range(0, len(content), length):
            yield content[start : start + length]

    def _changed(self, path: str) -> bytes:
        content = self._changes[path]
        if content is None:
            raise UnreadableError(path, "no such file or directory")
        return content

    def recall(self, name: str, codec: Codec[T], compute: Callable[[], T]) -> T:  # noqa: ARG002
        """Compute a result; nothing is cached."""
        return compute()

    def revise(self, name: str, codec: Codec[T], update: Callable[[T | None], T]) -> T:  # noqa: ARG002
        """Compute a result; nothing is cached."""
        return update(None)

    def readings(self, tree: str, file: str, recipe: str) -> Mapping[str, bytes]:
        """Return the cached results of a recipe for all files of one name, by directory."""
        known = dict(self._base.readings(tree, file, recipe))
        for path in self._changes:
            if paths.name_of(path) == file:
                known.pop(paths.parent(path), None)
        return known

    def measured(self, directory: str) -> Collection[str]:
        """Return the names of files in a directory that are known to be readable text."""
        known = self._base.measured(directory)
        if directory not in self._changed_in:
            return known
        return [name for name in known if paths.join(directory, name) not in self._changes]


def can_be_file(base: Snapshot, path: str) -> bool:
    """Return whether a path is a regular file, or could become one: not through a link."""
    for place in (*paths.lineage(path), path):
        kind = base.kind(place)
        if kind is None:
            return paths.normalise(path) == path
        if kind is not (Kind.FILE if place == path else Kind.DIRECTORY):
            return False
    return path != paths.ROOT


class OverlaySources:
    """The source files of a repository, as they are with the changes."""

    def __init__(
        self, base: Sources, overlay: OverlaySnapshot, ignores: Callable[[str], bool]
    ) -> None:
        """`ignores` tells of a file that does not exist yet whether it would be ignored."""
        self._base = base
        self._overlay = overlay
        self._contents = overlay.contents
        self._new = [file for file in overlay.new_files if is_source(file) and not ignores(file)]

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a path; None if it is missing or behind a link."""
        return self._overlay.kind(path)

    def files(self, path: str) -> tuple[str, ...]:
        """Return a file, or the files below a directory that are not ignored."""
        if path in self._contents:
            return (path,)
        found = self._base.files(path)
        new = [file for file in self._new if paths.is_inside(file, path)]
        return tuple(sorted({*found, *new})) if new else found

    def is_ignored(self, directory: str) -> bool:
        """Return whether version control ignores a directory."""
        is_new = self._base.kind(directory) is None
        if is_new or any(paths.is_inside(file, directory) for file in self._new):
            return is_new and not self.files(directory)
        return self._base.is_ignored(directory)

    def unseen(self) -> tuple[str, ...]:
        """Return the directories that could not be read."""
        return self._base.unseen()

    def misnamed(self) -> tuple[str, ...]:
        """Return the files whose names are not UTF-8, which cannot be tracked."""
        return self._base.misnamed()

    def ignores(self, file: str) -> bool:
        """Return whether version control ignores a file."""
        if file in self._contents and self._base.kind(file) is None:
            return is_source(file) and file not in self._new
        return self._base.ignores(file)

    def digest(self, file: str) -> FileDigest:
        """Return the digest of a file; raises UnreadableError."""
        data = self._contents.get(file)
        return self._base.digest(file) if data is None else file_digests([data])

    def lacking(self, file: str, words: frozenset[str]) -> frozenset[str]:
        """Return the words that do not occur in a file; raises UnreadableError."""
        data = self._contents.get(file)
        return self._base.lacking(file, words) if data is None else words_lacking([data], words)

    def read(self, file: str) -> bytes:
        """Return the content of a file; raises UnreadableError, also if it is too large."""
        if file in self._contents:
            return self._overlay.read(file)
        return self._base.read(file)

    def computed(self, file: str, recipe: FileRecipe[T]) -> T:
        """Return the value of a recipe for a file; raises UnreadableError."""
        if file in self._contents:
            return recipe.make(file, self._overlay.read(file))
        return self._base.computed(file, recipe)
