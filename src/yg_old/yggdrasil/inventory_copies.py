"""The imports of a graph: copies of the inventories of other repositories, read on demand."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct

from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.inventory_names import NAME_HINT, is_import_name
from yg_old.kernel.issue import Finding, Place
from yg_old.kernel.snapshot import conflict_line
from yg_old.yggdrasil.collection import folder_notes
from yg_old.yggdrasil.folders import Folder, walk
from yg_old.yggdrasil.model import Note, ReadIssue
from yg_old.yggdrasil.places import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.kernel.inventory import Inventory, InventoryNode
    from yg_old.kernel.snapshot import Snapshot

IMPORTS = f"{FOLDER}/imports"
SUFFIX = ".jsonl"
SHORT_COMMIT = 12  # digits in messages


def import_file(name: str) -> str:
    """Return the file of an import."""
    return f"{IMPORTS}/{name}{SUFFIX}"


def is_import_file(path: str) -> bool:
    """Return whether a file of a graph is an import."""
    return path.startswith(f"{IMPORTS}/")


class InventoryCopy(Struct, frozen=True, kw_only=True, dict=True):
    """An inventory of another repository, under the name it has here."""

    name: str
    repository: str  # the name that the other repository gives itself
    commit: str  # empty: it is not known
    source: str  # where it was taken from
    leaves_out_contracts: bool
    nodes: dict[str, InventoryNode]

    @property
    def file(self) -> str:
        """The file of the import."""
        return import_file(self.name)

    @cached_property
    def lines(self) -> dict[str, int]:
        """The line of each node in the file, from 1."""
        return {path: line for line, path in enumerate(self.nodes, 2)}

    @property
    def has_contracts(self) -> bool:
        """Whether it has the contract of a node."""
        return any(node.contracts is not UNSET for node in self.nodes.values())

    @property
    def at_commit(self) -> str:
        """The commit that it is pinned to, for messages; empty if it is not known."""
        return f" at {self.commit[:SHORT_COMMIT]}" if self.commit else ""

    @property
    def label(self) -> str:
        """The name with the commit that it is pinned to."""
        return f"{self.name}@{self.commit}" if self.commit else self.name


class InventoryCopies:
    """The imports of a graph, by name; each is read at most once."""

    def __init__(self, snapshot: Snapshot, tree: str = IMPORTS) -> None:
        """Open the imports in a folder; an edition without imports has the folder ''."""
        self._snapshot = snapshot
        self._tree = tree
        self._read: dict[str, InventoryCopy | Note] = {}

    @property
    def is_supported(self) -> bool:
        """Whether graphs of this edition have imports."""
        return bool(self._tree)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all imports, damaged or not, sorted."""
        return self._listed[0]

    @property
    def notes(self) -> tuple[Note, ...]:
        """The issues of files that are not imports."""
        return self._listed[1]

    def get(self, name: str) -> InventoryCopy | None:
        """Return an import; None if it is missing or damaged."""
        found = self._reading(name)
        return found if isinstance(found, InventoryCopy) else None

    def fault(self, name: str) -> Note | None:
        """Return why an import cannot be read; None if it can, or does not exist."""
        found = self._reading(name)
        return found if isinstance(found, Note) else None

    @cached_property
    def _listed(self) -> tuple[tuple[str, ...], tuple[Note, ...]]:
        folder = next(walk(self._snapshot, self._tree), None) if self._tree else None
        if folder is None:
            return (), ()
        names = [file.removesuffix(SUFFIX) for file in folder.files if file.endswith(SUFFIX)]
        sound = tuple(name for name in names if is_import_name(name))
        return sound, (*folder_notes(folder, "imports"), *_unused(folder, sound))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.names)

    def _reading(self, name: str) -> InventoryCopy | Note | None:
        if name in self._known and name not in self._read:
            self._read[name] = _read(self._snapshot, name)
        return self._read.get(name)


def _unused(folder: Folder, names: tuple[str, ...]) -> Iterator[Note]:
    """Yield a note for each file that is not an import, and each directory."""
    imports = {f"{name}{SUFFIX}" for name in names}
    for name in (*folder.files, *folder.folders):
        if name not in imports:
            message = f"'{name}' is not an import"
            advice = (f"Imports are files NAME{SUFFIX}. {NAME_HINT}",)
            place = Place(f"{folder.directory}/{name}")
            yield Note(ReadIssue.UNUSED, Finding("imports", message, place, advice))


def _read(snapshot: Snapshot, name: str) -> InventoryCopy | Note:
    from yg_old.kernel.inventory import InventoryError, read_import  # few graphs have imports

    file = import_file(name)
    try:
        text = snapshot.text(file).value
    except UnreadableError as error:
        return _damaged(name, f"cannot be read: {error.reason}", Place(file))
    if line := conflict_line(text):
        return _damaged(name, "has an unresolved merge conflict", Place(file, line, 1), text)
    try:
        return _imported(name, read_import(text))
    except InventoryError as error:
        return _damaged(name, f"is damaged: {error.reason}", Place(file, error.line, 1), text)


def _damaged(name: str, problem: str, place: Place, text: str = "") -> Note:
    finding = Finding(f"imports/{name}", f"the import {problem}", place, (_advice(name, text),))
    return Note(ReadIssue.IMPORT, finding)


def _advice(name: str, text: str) -> str:
    """Return how to repair an import; an update reads the source from its first line."""
    from yg_old.kernel.inventory import stored_source

    if stored_source(text):
        return f"Take it again: 'yg import update {name}', or restore it from git."
    return f"Restore it from git, or take it again: 'yg import add {name} PATH'."


def _imported(name: str, inventory: Inventory) -> InventoryCopy:
    header = inventory.header
    return InventoryCopy(
        name=name,
        repository=header.name,
        commit=header.commit,
        source=header.source or "",
        leaves_out_contracts=header.contracts is False,
        nodes={node.path: node for node in inventory.nodes},
    )
