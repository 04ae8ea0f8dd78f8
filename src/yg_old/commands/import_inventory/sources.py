"""The sources of imports: files of inventories, and repositories on this machine."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.commands.inventory import commit_notes, inventory_of
from yg_old.commands.issues import place_text
from yg_old.commands.request import HEAD
from yg_old.disk.files.graph_folder import require_own_folder
from yg_old.disk.git.process import commit_of
from yg_old.disk.git.repository import find_repository
from yg_old.disk.reading.worktree import WorkTree
from yg_old.formats import YGGDRASIL, YGGDRASIL_0X
from yg_old.kernel.errors import NotFoundError, UnreadableError, UsageError, YgError
from yg_old.kernel.inventory import (
    FORMAT,
    InventoryError,
    read_header,
    read_inventory,
)
from yg_old.kernel.snapshot import decode_utf8
from yg_old.text.escapes import shell_quoted
from yg_old.text.paths import folded, is_utf8
from yg_old.text.suggest import did_you_mean, nearest
from yg_old.workspace.opened import OpenWorkspace
from yg_old.yggdrasil.inventories.take_in import taken
from yg_old.yggdrasil.inventory_copies import IMPORTS, import_file
from yg_old.yggdrasil.places import CONFIG_V0, FOLDER

if TYPE_CHECKING:
    from yg_old.kernel.inventory import Inventory
    from yg_old.yggdrasil.inventories.take_in import TakenImport

_SOURCES = f"Name a repository with {FOLDER}/, or a file written by 'yg inventory'."
_NO_GRAPH = "there is no Yggdrasil graph in it"
_URL = r"[A-Za-z][A-Za-z0-9+.-]*://|[^/]+@[^/]+:"  # also that of ssh: user@host:path


class ImportSource(Struct, frozen=True):
    """Where an import is taken from."""

    place: str  # the path on this machine
    stored: str  # the path in the import


def require_distinct(workspace: OpenWorkspace, name: str) -> None:
    """Raise an error if another import has the same name on a file system that ignores case."""
    for other in workspace.graph.inventories.names:
        if other != name and folded(other) == folded(name):
            hint = "Some file systems do not distinguish them; choose another name."
            raise YgError(f"there is an import '{other}' already", hint=hint)


def existing(workspace: OpenWorkspace, name: str) -> str:
    """Return the name of an import; raise NotFoundError if there is none."""
    names = workspace.graph.inventories.names
    if name in names:
        return name
    hint = did_you_mean(nearest(name, names)) or f"Add it: yg import add {shell_quoted(name)} PATH"
    raise NotFoundError(f"there is no import '{name}'", hint=hint)


def updated(
    workspace: OpenWorkspace, name: str, *, is_named: bool
) -> tuple[TakenImport, tuple[str, ...]]:
    """Take an import again from its source; also one that is damaged, if it names the source."""
    again = f"yg import add {name} PATH"
    try:
        header = read_header(workspace.snapshot.text(import_file(name)).value)
    except UnreadableError as error:
        raise YgError(error.message, hint=f"Take it again: {again}") from error
    if header is None or not header.source:
        raise YgError("it does not say where it came from", hint=f"Take it again: {again}")
    source = _stored_source(workspace, header.source)
    # A link in the repository may lead anywhere.
    place = os.path.realpath(source.place)
    if not is_named and not _is_near(os.path.realpath(workspace.root), place):
        message = f"its source '{header.source}' is not beside this repository"
        raise YgError(message, hint=f"To read it nevertheless, name it: yg import update {name}")
    contracts = header.contracts is not False
    inventory, notes = read_source(workspace, source, name, contracts=contracts, again=again)
    update = taken(workspace.graph, name, inventory, source.stored, contracts=contracts)
    return update, notes


def source_of(workspace: OpenWorkspace, path: str) -> ImportSource:
    """Return a source that a user named; one near the repository is stored relative to it."""
    _require_path(path)
    place = os.path.abspath(os.path.join(workspace.start, path))
    if not path:
        raise UsageError("empty path", hint=_SOURCES)
    if not os.path.lexists(place) and re.match(_URL, path):
        hint = "yg opens no network connection: clone it, and name the directory."
        raise UsageError(f"'{path}' is not a path", hint=hint)
    if not _is_near(workspace.root, place):
        return ImportSource(place, place)
    return ImportSource(place, os.path.relpath(place, workspace.root).replace(os.sep, "/"))


def _stored_source(workspace: OpenWorkspace, stored: str) -> ImportSource:
    _require_path(stored)
    return ImportSource(os.path.normpath(os.path.join(workspace.root, stored)), stored)


def _require_path(path: str) -> None:
    """Raise an error for a path that no file can have, or that no import can store."""
    if "\0" in path or not is_utf8(path):
        raise YgError(f"'{path}' is not a path in UTF-8", hint="Choose another name for it.")


def _is_near(root: str, place: str) -> bool:
    """Return whether a path is inside a repository or beside it."""
    return place.startswith(os.path.join(os.path.dirname(root), ""))


def read_source(
    importing: OpenWorkspace, source: ImportSource, name: str, *, contracts: bool, again: str = ""
) -> tuple[Inventory, tuple[str, ...]]:
    """Read the inventory in a file, or make that of a repository; return also warnings."""
    place = source.place
    _require_foreign(importing, place)
    if not os.path.isdir(place):
        return _inventory_file(place, again), ()
    try:
        workspace = _foreign(place)
        found, left_out = inventory_of(workspace, contracts=contracts)
    except YgError as error:  # for example a graph of the 1.x layout
        raise YgError(f"no inventory of '{place}': {error.message}", hint=error.hint) from error
    unread = [f"{place_text(entry.place)}: {entry.message}" for entry in workspace.skipped()]
    if problems := [*unread, *left_out]:
        hint = "Correct it there, or import a file that 'yg inventory' wrote without it."
        raise YgError(f"no inventory of '{place}': {problems[0]}", hint=hint)
    notes = commit_notes(workspace, found.header.commit)
    return found, tuple(f"{name}: {note}" for note in notes)


def _require_foreign(workspace: OpenWorkspace, place: str) -> None:
    """Raise an error for a source that is this repository, or one of its imports."""
    real = os.path.realpath(place)
    if real == os.path.realpath(workspace.root):
        hint = "Declare relations inside a repository under 'relations'."
        raise YgError("a repository cannot import itself", hint=hint)
    if os.path.dirname(real) == os.path.realpath(os.path.join(workspace.root, IMPORTS)):
        hint = "Name the repository or the file that it came from: see 'yg import list'."
        raise YgError(f"'{place}' is an import of this repository", hint=hint)


def _foreign(place: str) -> OpenWorkspace:
    """Open the graph in a directory without its index; nothing is written there."""
    repository = find_repository(place)
    if repository and repository.is_bare and repository.top == os.path.realpath(place):
        return _committed(place)
    is_old = not os.path.isdir(os.path.join(place, FOLDER))
    if is_old and not os.path.isfile(os.path.join(place, CONFIG_V0)):
        raise YgError(_NO_GRAPH, hint=_SOURCES)
    kind = YGGDRASIL_0X if is_old else YGGDRASIL
    require_own_folder(place, kind.folder)
    return OpenWorkspace(place, place, kind, uses_index=False)


def _committed(place: str) -> OpenWorkspace:
    """Open the graph in the current commit of a bare repository."""
    commit = commit_of(place, HEAD)
    for kind, marker in ((YGGDRASIL, FOLDER), (YGGDRASIL_0X, CONFIG_V0)):
        workspace = OpenWorkspace(place, place, kind, commit, uses_index=False)
        if workspace.snapshot.kind(marker) is not None:
            return workspace
    raise YgError(_NO_GRAPH, hint=_SOURCES)


def _inventory_file(place: str, again: str) -> Inventory:
    folder, name = os.path.split(place)
    try:
        text = decode_utf8(place, WorkTree(folder, "").read(name))
        return read_inventory(text)
    except UnreadableError as error:
        hint = f"If it is elsewhere now: {again}" if again else _SOURCES
        raise YgError(f"cannot read '{place}': {error.reason}", hint=hint) from error
    except InventoryError as error:
        hint = f"Write it again with 'yg inventory' ({FORMAT}) in the other repository."
        raise YgError(f"'{place}' is not an inventory: {error.message}", hint=hint) from error
