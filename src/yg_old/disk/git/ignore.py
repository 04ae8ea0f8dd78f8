"""The files that are not ignored: from git if possible, else from .gitignore files."""

from __future__ import annotations

import os
import re
import stat
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from yg_old.kernel.sources import GIT, is_source
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg_old.disk.git.process import Listing
    from yg_old.text.patterns import Patterns

_Specs: TypeAlias = "tuple[tuple[str, Patterns], ...]"  # directory and patterns, nearest first

LARGEST = 2_000_000  # bytes; a larger .gitignore file is not used
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)

_SEEN = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
_CLOSED = re.compile(rb"could not open directory '(.*?)/?':")


class Visibility:
    """The files below a directory that git does not ignore, without those of the graph."""

    def __init__(self, root: str, graph: str = "") -> None:
        self._root = root
        self._graph = graph
        self.notes: tuple[str, ...] = ()  # for the user, on how files were found

    @property
    def files(self) -> tuple[str, ...]:
        """All visible files, sorted, without duplicates; some may have been deleted."""
        return self._seen[0]

    @property
    def unseen(self) -> tuple[str, ...]:
        """The directories and .gitignore files that could not be read, sorted."""
        return self._seen[1]

    @cached_property
    def digest(self) -> str:
        """A digest of the visible files: equal digests mean equal files."""
        from hashlib import sha256

        if self._listing is not None:
            return sha256(self._listing.reply.out + self._listing.reply.err).hexdigest()
        seen = "\0".join((*self.files, "", *self.unseen))
        return sha256(os.fsencode(seen)).hexdigest()

    @cached_property
    def _listing(self) -> Listing | None:
        """The files as git lists them; None without git."""
        from yg_old.disk.git.process import GitLimitError, names_below

        try:
            return names_below(self._root, *_SEEN, without=self._graph)
        except GitLimitError as error:
            self.notes = (f"{error.message}; .gitignore files are read without it",)
            return None

    @cached_property
    def _seen(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        listing = self._listing
        files, closed = _walk(self._root) if listing is None else self._decoded(listing)
        return tuple(sorted(set(files))), tuple(sorted(closed))

    def below(self, directory: str) -> tuple[str, ...]:
        """Return the visible files inside a directory."""
        if directory == paths.ROOT:
            return self.files
        start = bisect_left(self.files, f"{directory}/")
        end = bisect_left(self.files, f"{directory}0")  # '0' comes right after '/'
        return self.files[start:end]

    def _decoded(self, listed: Listing) -> tuple[list[str], list[str]]:
        from yg_old.disk.git.repository import prefix_of

        # A trailing slash marks a repository inside this one.
        names = listed.names()
        files = [name for name in names if not name.endswith("/") and is_source(name)]
        closed = [os.fsdecode(name) for name in _CLOSED.findall(listed.reply.err)]
        prefix = f"{prefix_of(self._root)}/" if closed else ""  # git paths start at its own root
        return files, [path.removeprefix(prefix) for path in closed]


def _walk(root: str) -> tuple[list[str], list[str]]:
    """Walk a directory without git, applying its .gitignore files."""
    found: list[str] = []
    closed: list[str] = []
    waiting: list[tuple[str, _Specs]] = [("", ())]
    while waiting:
        directory, specs = waiting.pop()
        entries = _entries(os.path.join(root, directory))
        if entries is None:
            closed.append(directory.rstrip("/"))
            continue
        names = {entry.name for entry in entries}
        if directory and GIT in names:
            continue  # a repository inside this one
        if ".gitignore" in names:
            file = f"{directory}.gitignore"
            patterns = _patterns(os.path.join(root, file))
            if patterns is None:
                closed.append(file)
            else:
                specs = ((directory, patterns), *specs)
        for entry in entries:
            path = f"{directory}{entry.name}"
            is_directory = entry.is_dir(follow_symlinks=False)
            if not is_source(path) or _is_excluded(path, specs, is_directory):
                continue
            if is_directory:
                waiting.append((f"{path}/", specs))
            elif entry.is_file(follow_symlinks=False):
                found.append(path)
    return found, closed


def _entries(directory: str) -> list[os.DirEntry[str]] | None:
    """List a directory; return None if it cannot be read."""
    try:
        with os.scandir(directory) as listing:
            return list(listing)
    except OSError:
        return None


def _patterns(file: str) -> Patterns | None:
    """Read a .gitignore file; return None if it cannot be read or is too large.

    As in git, a file that is not regular has no patterns.
    """
    from yg_old.text.patterns import Patterns

    content = b""
    try:
        if stat.S_ISREG(os.lstat(file).st_mode):
            with open(os.open(file, _FLAGS), "rb") as opened:
                content = opened.read(LARGEST + 1)
    except OSError:
        return None
    return Patterns(content) if len(content) <= LARGEST else None


def _is_excluded(path: str, specs: _Specs, is_directory: bool) -> bool:  # noqa: FBT001
    """Check the .gitignore files, the nearest first; the first one with a match decides."""
    for directory, patterns in specs:
        inside = os.fsencode(path.removeprefix(directory))
        verdict = patterns.verdict(inside, is_directory=is_directory)
        if verdict is not None:
            return verdict
    return False


def would_ignore(root: str, file: str) -> bool:
    """Return whether git would ignore a file that does not exist yet; False without git."""
    return bool(ignored_among(root, (file,)))


def ignored_among(root: str, files: Iterable[str]) -> set[str]:
    """Return the files, existing or not, that git ignores; none without git.

    git refuses to answer for any of them if one is behind a link: those are not asked for.
    """
    from yg_old.disk.git.process import ask

    asked = {os.fsencode(f"{root}/{file}"): file for file in files if not _has_link(root, file)}
    if not asked:
        return set()
    # Names are not patterns here, and git refuses to be told so.
    command = ("--no-literal-pathspecs", "check-ignore", "-z", "--stdin", "--no-index")
    reply = ask(root, *command, given=b"\0".join(asked))
    return {asked[name] for name in reply.out.split(b"\0") if name in asked} if reply else set()


def _has_link(root: str, file: str) -> bool:
    return any(os.path.islink(f"{root}/{place}") for place in paths.lineage(file)[1:])


def has_file(root: str, directory: str) -> bool:
    """Return whether a directory of a tree contains a source file at any depth, ignored or not."""
    waiting = [directory]
    while waiting:
        place = waiting.pop()
        entries = _entries(f"{root}/{place}") or []
        if any(entry.name == GIT for entry in entries):
            continue
        for entry in entries:
            path = paths.join(place, entry.name)
            if not is_source(path):
                continue
            if entry.is_file(follow_symlinks=False):
                return True
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
    return False
