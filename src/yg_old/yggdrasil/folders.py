"""The directories of a graph; links and names that start with a dot are skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import Kind
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.kernel.snapshot import Snapshot


class Folder(Struct, frozen=True):
    """One directory of a tree and its entries by kind, sorted."""

    id: str  # its path inside the tree
    directory: str  # its path in the repository
    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    unreadable: tuple[tuple[str, str], ...] = ()  # path and reason

    def files_except(self, *names: str) -> tuple[str, ...]:
        """Return all files but those of some names."""
        return tuple([file for file in self.files if file not in names])


def folder_at(snapshot: Snapshot, tree: str, folder_id: str) -> Folder:
    """List one directory of a tree."""
    directory = tree if folder_id == paths.ROOT else f"{tree}/{folder_id}"
    try:
        names = snapshot.names(directory)
    except UnreadableError as error:
        return Folder(folder_id, directory, unreadable=((directory, error.reason),))
    if not names.others and all(
        map(paths.is_utf8, (*names.files, *names.directories, *names.links))
    ):
        return Folder(folder_id, directory, names.files, names.directories, names.links)
    unreadable = [(f"{directory}/{name}", "not a regular file") for name in names.others]
    kept = []
    for group in (names.files, names.directories, names.links):
        kept.append(tuple([name for name in group if paths.is_utf8(name)]))
        bad = (name for name in group if not paths.is_utf8(name))
        unreadable += [(f"{directory}/{name}", "its name is not UTF-8") for name in bad]
    files, folders, links = kept
    return Folder(folder_id, directory, files, folders, links, tuple(sorted(unreadable)))


def walk(snapshot: Snapshot, tree: str) -> Iterator[Folder]:
    """Yield the top of a tree and every directory below it; nothing if the tree is missing."""
    match snapshot.kind(tree):
        case None:
            return
        case Kind.DIRECTORY:
            pending = [paths.ROOT]
        case Kind.LINK:
            yield Folder(paths.ROOT, paths.parent(tree), links=(paths.name_of(tree),))
            return
        case _:
            yield Folder(paths.ROOT, tree, unreadable=((tree, "not a directory"),))
            return
    while pending:
        folder = folder_at(snapshot, tree, pending.pop())
        yield folder
        pending.extend(paths.join(folder.id, name) for name in folder.folders)


def is_folder(snapshot: Snapshot, tree: str, folder_id: str) -> bool:
    """Tell whether an id is a directory of a tree."""
    if folder_id == paths.ROOT:
        return snapshot.kind(tree) is Kind.DIRECTORY
    if len(folder_id) > paths.LONGEST or not paths.is_plain(folder_id):
        return False
    return snapshot.kind(f"{tree}/{folder_id}") is Kind.DIRECTORY
