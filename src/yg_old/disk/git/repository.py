"""Find the git repository that contains a directory, without running git."""

from __future__ import annotations

import os

from msgspec import Struct

from yg_old.disk.upwards import upwards

_LONGEST_LINK = 4096  # bytes of a .git file
_LINK = b"gitdir: "


class Repository(Struct, frozen=True):
    """The git repository that contains a directory."""

    top: str  # the top of the work tree, or the bare repository itself
    git_directory: str
    prefix: str  # the directory, relative to the top; empty for the top itself
    is_bare: bool = False

    @property
    def index_file(self) -> str:
        """The index file; during a hook, the one that git names in GIT_INDEX_FILE."""
        named = os.environ.get("GIT_INDEX_FILE", "")
        inside = os.path.join(os.path.realpath(self.git_directory), "")
        if os.path.isabs(named) and os.path.realpath(named).startswith(inside):
            return named
        return os.path.join(self.git_directory, "index")


def find_repository(directory: str) -> Repository | None:
    """Find the repository that a directory belongs to.

    Only a `.git` entry makes a directory the top of a work tree. git also accepts a directory that
    looks like a bare repository, which a clone can contain; here a bare repository counts only
    outside of any work tree.
    """
    start = os.path.realpath(directory)
    for place in upwards(start):
        found = _linked(os.path.join(place, ".git"))
        if found:
            prefix = os.path.relpath(start, place).replace(os.sep, "/")
            return Repository(place, found, "" if prefix == "." else prefix)
    for place in upwards(start):
        if _is_git_directory(place):
            return Repository(place, place, "", is_bare=True)
    return None


def nearest_top(directory: str) -> str:
    """Return the top of the repository that git would use in a directory; empty if there is none.

    It may only look like a bare repository, so it can be named, but git must not be started there.
    """
    for place in upwards(os.path.realpath(directory)):
        is_inside = os.path.basename(place) == ".git"  # of the directory above
        if _linked(os.path.join(place, ".git")) or (_is_git_directory(place) and not is_inside):
            return place
    return ""


def _linked(entry: str) -> str:
    """Return the git directory of a `.git` directory or file; empty if it is not valid."""
    if os.path.isdir(entry):
        return entry if _is_git_directory(entry) else ""
    if not os.path.isfile(entry):
        return ""
    try:
        with open(entry, "rb") as file:
            content = file.read(_LONGEST_LINK)
    except OSError:
        return ""
    if not content.startswith(_LINK) or b"\0" in content:
        return ""
    target = os.fsdecode(content.removeprefix(_LINK).rstrip(b"\r\n"))
    place = os.path.normpath(os.path.join(os.path.dirname(entry), target))
    return place if _is_git_directory(place) else ""


def _is_git_directory(place: str) -> bool:
    if not os.path.lexists(os.path.join(place, "HEAD")):
        return False
    if os.path.isfile(os.path.join(place, "commondir")):  # of a linked work tree
        return True
    return all(os.path.isdir(os.path.join(place, name)) for name in ("objects", "refs"))


def prefix_of(directory: str) -> str:
    """Return the path of a directory in its repository; empty at the top or if it is bare."""
    repository = find_repository(directory)
    return repository.prefix if repository else ""
