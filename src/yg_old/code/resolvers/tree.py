"""The files of a repository, as resolvers of imports see them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterable

ReadText: TypeAlias = Callable[[str], str | None]  # None: the file cannot be read


class ImportTarget(Struct, frozen=True):
    """A file that an import leads to, or a folder whose files it leads to."""

    path: str
    names: tuple[str, ...] = ()  # imported from it; empty: the module itself; "*": all
    is_folder: bool = False


class FileTree:
    """The paths of all files, and the names in each folder."""

    def __init__(self, files: Iterable[str]) -> None:
        self.files = frozenset(files)
        self.names: dict[str, list[str]] = {paths.ROOT: []}  # of the files and folders in a folder
        self._by_name: dict[str, list[str]] = {}
        self._above: dict[tuple[str, str], str | None] = {}
        for path in sorted(self.files):
            self._add(path)

    def _add(self, path: str) -> None:
        while True:
            folder, name = paths.parent(path), paths.name_of(path)
            is_known = folder in self.names
            self.names.setdefault(folder, []).append(name)
            if is_known:
                return
            path = folder

    def has_folder(self, path: str) -> bool:
        """Return whether there is a file below a folder."""
        return path in self.names

    def first(self, candidates: Iterable[str]) -> str | None:
        """Return the first of some paths that is a file."""
        return next((path for path in candidates if path in self.files), None)

    def named(self, name: str) -> list[str]:
        """Return all files of a name, sorted."""
        if not self._by_name:
            for path in sorted(self.files):
                self._by_name.setdefault(paths.name_of(path), []).append(path)
        return self._by_name.get(name, [])

    def above(self, file: str, name: str) -> str | None:
        """Return the innermost folder around a file that has a file of a name."""
        passed = []
        found: str | None = None
        folder = paths.parent(file)
        while (folder, name) not in self._above:
            passed.append(folder)
            if paths.join(folder, name) in self.files:
                found = folder
                break
            if folder == paths.ROOT:
                break
            folder = paths.parent(folder)
        else:
            found = self._above[folder, name]
        self._above.update(((folder, name), found) for folder in passed)
        return found
