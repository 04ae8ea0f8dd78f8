"""Which files version control sees: asked of git where there is git, worked out where not."""

from __future__ import annotations

import os
import subprocess
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from yg.kernel import paths

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_Specs: TypeAlias = "tuple[tuple[str, GitIgnoreSpec], ...]"  # directory and patterns, nearest first

# Nothing a repository configures may run or write while we only look.
_GIT = ("git", "-c", "core.fsmonitor=false", "--no-optional-locks")
_SEEN = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
_ALWAYS_LEFT_OUT = frozenset({".git", ".yggdrasil"})


class Visibility:
    """The files below a directory that are not ignored, as git sees them."""

    def __init__(self, root: str) -> None:
        self._root = root

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Every visible file, sorted; each is listed once, some may be gone."""
        seen = self._seen_by_git()
        found = _walk(self._root) if seen is None else seen
        return tuple(sorted(set(found)))

    def below(self, directory: str) -> tuple[str, ...]:
        """Return the visible files inside a directory."""
        if directory == paths.ROOT:
            return self.files
        start = bisect_left(self.files, f"{directory}/")
        end = bisect_left(self.files, f"{directory}0")  # '0' comes right after '/'
        return self.files[start:end]

    def _seen_by_git(self) -> list[str] | None:
        answer = _git(self._root, *_SEEN)
        if answer is None:
            return None
        names = (os.fsdecode(name) for name in answer.split(b"\0") if name)
        # A trailing slash marks a repository inside this one.
        return [name for name in names if not name.endswith("/") and not _is_left_out(name)]


def _git(root: str, *arguments: str) -> bytes | None:
    """Ask git; None where there is no git, no repository, or no answer."""
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        done = subprocess.run(  # noqa: S603
            [*_GIT, "-C", root, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            check=False,
        )
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def _is_left_out(path: str) -> bool:
    return not _ALWAYS_LEFT_OUT.isdisjoint(path.split("/"))


def _walk(root: str) -> list[str]:
    """Walk a directory without git, obeying the .gitignore files on the way."""
    found: list[str] = []
    waiting: list[tuple[str, _Specs]] = [("", ())]
    while waiting:
        directory, specs = waiting.pop()
        entries = _entries(os.path.join(root, directory))
        names = {entry.name for entry in entries}
        if directory and ".git" in names:
            continue  # a repository inside this one
        if ".gitignore" in names:
            specs = ((directory, _spec(os.path.join(root, directory, ".gitignore"))), *specs)
        for entry in entries:
            path = f"{directory}{entry.name}"
            is_directory = entry.is_dir(follow_symlinks=False)
            if entry.name in _ALWAYS_LEFT_OUT or _is_excluded(path, specs, is_directory):
                continue
            if is_directory:
                waiting.append((f"{path}/", specs))
            elif entry.is_file(follow_symlinks=False):
                found.append(path)
    return found


def _entries(directory: str) -> list[os.DirEntry[str]]:
    """List a directory; one that may not be looked into shows nothing, as with git."""
    try:
        with os.scandir(directory) as listing:
            return list(listing)
    except PermissionError:
        return []


def _spec(file: str) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec  # noqa: PLC0415

    with open(file, encoding="utf-8", errors="surrogateescape") as lines:
        return GitIgnoreSpec.from_lines(lines)


def _is_excluded(path: str, specs: _Specs, is_directory: bool) -> bool:  # noqa: FBT001
    """Ask the .gitignore files from the nearest outwards; the first that knows decides."""
    for directory, spec in specs:
        inside = path.removeprefix(directory) + ("/" if is_directory else "")
        verdict = spec.check_file(inside).include
        if verdict is not None:
            return verdict
    return False


def has_file(directory: str) -> bool:
    """Tell whether a regular file lies anywhere below a directory, visible or not."""
    waiting = [directory]
    while waiting:
        entries = _entries(waiting.pop())
        if any(entry.name == ".git" for entry in entries):
            continue
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                return True
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
    return False
