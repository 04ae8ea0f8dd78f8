"""A Snapshot with some files replaced, added or removed: a state that is not written yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from yg.kernel import paths
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Kind, Text, visible_names

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from yg.kernel.codec import Codec
    from yg.kernel.snapshot import Names, Snapshot

T = TypeVar("T")


class OverlaySnapshot:
    """Another snapshot with changes on top; nothing computed from it is cached."""

    def __init__(self, base: Snapshot, changes: Mapping[str, bytes | None]) -> None:
        """Put contents by path over a snapshot; None removes a file."""
        self._base = base
        self._changes = changes
        self._texts: dict[str, Text] = {}
        self._added: dict[str, dict[str, Kind]] = {}  # names in directories
        for path, content in changes.items():
            if content is not None:
                self._add(path)

    def _add(self, path: str) -> None:
        kind = Kind.FILE
        while path != paths.ROOT:
            self._added.setdefault(paths.parent(path), {})[paths.name_of(path)] = kind
            path, kind = paths.parent(path), Kind.DIRECTORY

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
        return self._base.read(path) if path not in self._changes else self._changed(path)

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

    def readings(self, tree: str, file: str, recipe: str) -> Mapping[str, bytes]:  # noqa: ARG002
        """Return an empty mapping; nothing is cached."""
        return {}

    def measured(self, directory: str) -> Collection[str]:  # noqa: ARG002
        """Return nothing; nothing is cached."""
        return ()
