"""The surroundings of a file that no node owns: what the code around it says about its place."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.snapshot import Kind
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.kernel.sources import Sources
    from yg_old.yggdrasil.owners import Ownership


class Case(StrEnum):
    """What a file without an owner is, as far as the files around it tell."""

    NEW = "new-code"  # its folder has no other files
    PARTLY = "partly-mapped"  # nodes own other files of its folder
    EXISTING = "existing-code"  # no node owns anything in its folder


class Surroundings(Struct, frozen=True):
    """The case of a file, the path that a node for it would map, and the nodes around it."""

    case: Case
    folder: str
    mapping: str
    neighbours: tuple[str, ...] = ()

    @property
    def is_of_file(self) -> bool:
        """Whether a node for it would map the file alone."""
        return self.mapping != self.folder


class _Folder(Struct, frozen=True):
    """Some files of a folder, and the nodes that own files of it."""

    first: tuple[str, ...]  # two files are enough to know whether there is another one
    neighbours: tuple[str, ...]


class Neighbourhood:
    """Looks at the folders of files without an owner, at each once."""

    def __init__(
        self, ownership: Ownership, sources: Sources, is_new: Callable[[str], bool]
    ) -> None:
        """`is_new` tells whether a folder with a single file is younger than the last commit."""
        self._ownership = ownership
        self._sources = sources
        self._is_new = is_new
        self._folders: dict[str, _Folder] = {}

    def around(self, file: str) -> Surroundings:
        """Return the surroundings of a file that no node owns; it need not exist."""
        is_folder = self._sources.kind(file) is Kind.DIRECTORY
        folder = file if is_folder else paths.parent(file)
        if folder not in self._folders:
            self._folders[folder] = self._read(folder)
        known = self._folders[folder]
        if known.neighbours:
            return Surroundings(Case.PARTLY, folder, file, known.neighbours)
        is_alone = all(other == file for other in known.first)
        is_new = is_alone and (not known.first or self._is_new(folder))
        mapping = file if folder == paths.ROOT else folder
        return Surroundings(Case.NEW if is_new else Case.EXISTING, folder, mapping)

    def _read(self, folder: str) -> _Folder:
        """Find the nodes that own files in a folder; if there are none, the nodes below it."""
        files = self._sources.files(folder)
        beside = [file for file in files if paths.parent(file) == folder]
        neighbours = self._owners(beside)
        if not neighbours and folder != paths.ROOT:  # below the root is everything
            neighbours = self._owners(files)
        return _Folder(tuple(files[:2]), neighbours)

    def _owners(self, files: list[str] | tuple[str, ...]) -> tuple[str, ...]:
        owners = map(self._ownership.get_listed, files)
        return tuple(sorted({owner.node for owner in owners if owner is not None}))
