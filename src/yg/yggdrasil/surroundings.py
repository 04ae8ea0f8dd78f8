"""The surroundings of a file that no node owns: what the code around it says about its place."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.text import paths
from yg.yggdrasil.owner import is_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.owner import Owners

NO_NAME = "NODE"  # stands for a name that the reader chooses
_LONGEST_NAME = 200  # bytes; leaves room for the suffixes of baselines and temporary names


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


class Neighbourhood:
    """Looks at the folders of files without an owner, at each once."""

    def __init__(
        self, owners: Owners, files: Callable[[str], Sequence[str]], is_new: Callable[[str], bool]
    ) -> None:
        """Take the files below a folder, and whether a folder is younger than the last commit."""
        self._owners = owners
        self._files = files
        self._is_new = is_new
        self._folders: dict[str, tuple[list[str], tuple[str, ...]]] = {}

    def around(self, path: str, *, is_folder: bool) -> Surroundings:
        """Return the surroundings of a file or folder without an owner; it need not exist."""
        folder = path if is_folder else paths.parent(path)
        if folder not in self._folders:
            self._folders[folder] = self._look(folder)
        first, neighbours = self._folders[folder]
        if neighbours:
            return Surroundings(Case.PARTLY, folder, path, neighbours)
        is_alone = all(other == path for other in first)
        is_new = is_alone and (not first or self._is_new(folder))
        mapping = path if folder == paths.ROOT else folder
        return Surroundings(Case.NEW if is_new else Case.EXISTING, folder, mapping)

    def _look(self, folder: str) -> tuple[list[str], tuple[str, ...]]:
        """Return two files of a folder, and the nodes that own files in it or else below it."""
        files = [file for file in self._files(folder) if is_source(file)]
        neighbours = self._nodes(file for file in files if paths.parent(file) == folder)
        if not neighbours and folder != paths.ROOT:  # below the root is everything
            neighbours = self._nodes(files)
        return files[:2], neighbours

    def _nodes(self, files: Iterable[str]) -> tuple[str, ...]:
        owners = map(self._owners.get, files)
        return tuple(sorted({owner.node for owner in owners if owner is not None}))


def proposed_node(graph: Graph, surroundings: Surroundings) -> str:
    """Return a free name for the node of a file or folder; NO_NAME if its path gives none."""
    path = surroundings.mapping
    last = paths.name_of(path).lstrip(".")
    if path != surroundings.folder and "." in last:
        last = last.rpartition(".")[0]
    nodes = (*graph.nodes, *graph.unread_nodes)
    taken = {paths.folded(node.partition("/")[0]) for node in nodes}
    for name in (last, path.replace("/", "-").lstrip(".")):
        if _is_name(name) and paths.folded(name) not in taken:
            return name
    return NO_NAME


def _is_name(text: str) -> bool:
    """Return whether a text can be the name of a node."""
    is_plain = text.isprintable() and text == text.strip() and "\\" not in text
    return is_plain and 0 < len(text.encode("utf-8", "replace")) <= _LONGEST_NAME
