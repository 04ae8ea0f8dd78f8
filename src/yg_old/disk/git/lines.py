"""When lines were written, and what a repository contained then."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from yg_old.disk.git.commits import Objects, Row, tree_rows
from yg_old.disk.git.process import GitError, ask
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import MAX_TEXT, PIECE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MOST_RANGES = 500  # lines named on one command line; above, all lines are attributed
PROCESSES = 4  # that attribute lines at once
MOST_STEPS = 8  # renames of one file, one after the other
_DIFFERENCE = ("--no-ext-diff", "--no-textconv", "-r", "-z")
_SUBMODULE = b"160000"


class Written(NamedTuple):
    """The commit that wrote a line, and its time."""

    commit: str
    time: int


class Tracked(NamedTuple):
    """A path in the index."""

    path: str
    mode: bytes
    is_left_out: bool  # of a sparse work tree

    @property
    def is_submodule(self) -> bool:
        """Whether it is the place of another repository."""
        return self.mode == _SUBMODULE


def tracked(top: str) -> list[Tracked]:
    """Return the paths in the index."""
    found = []
    for row in _output(top, "ls-files", "-z", "-t", "--stage").split(b"\0"):
        if row:
            facts, _, name = row.partition(b"\t")
            tag, mode, *_ = facts.split(b" ")
            found.append(Tracked(os.fsdecode(name), mode, tag == b"S"))
    return found


def is_shallow(top: str) -> bool:
    """Return whether a clone lacks the beginning of its history."""
    return _output(top, "rev-parse", "--is-shallow-repository").strip() == b"true"


def attributed(
    top: str, commit: str, wanted: Mapping[str, Sequence[int]]
) -> dict[tuple[str, int], Written]:
    """Return who wrote which lines of files, as they are in a commit."""
    found: dict[tuple[str, int], Written] = {}
    with ThreadPoolExecutor(PROCESSES) as pool:
        asked = sorted(wanted.items())
        for (path, _), lines in zip(
            asked, pool.map(lambda item: _attributed(top, commit, *item), asked), strict=True
        ):
            found |= {(path, number): written for number, written in lines.items()}
    return found


def _attributed(top: str, commit: str, path: str, lines: Sequence[int]) -> dict[int, Written]:
    ranges = [f"-L{line},{line}" for line in lines] if len(lines) <= MOST_RANGES else []
    settings = ("--porcelain", "--no-textconv", "--ignore-revs-file", "")
    out = _output(top, "blame", *settings, *ranges, commit, "--", path)
    commits: dict[int, str] = {}
    times: dict[str, int] = {}
    current, is_header = "", True
    for row in out.split(b"\n"):
        if row.startswith(b"\t"):
            is_header = True
        elif is_header and row:
            current, _, number, *_ = row.decode().split(" ")
            commits[int(number)] = current
            is_header = False
        elif row.startswith(b"committer-time "):
            times[current] = int(row.split(b" ")[1])
    return {number: Written(found, times[found]) for number, found in commits.items()}


def existed(top: str, wanted: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the pairs of a commit and a path that exist: files and directories."""
    asked = sorted(pair for pair in set(wanted) if "\n" not in pair[1])
    if not asked:
        return set()
    given = b"".join(os.fsencode(f"{commit}:{path}\n") for commit, path in asked)
    # The name of a missing object may contain anything, but a line for each is printed.
    check = "--batch-check=%(objecttype)"
    rows = _output(top, "cat-file", check, given=given).split(b"\n")
    pairs = zip(asked, rows, strict=False)
    return {pair for pair, row in pairs if row in (b"blob", b"tree", b"commit")}


def replaced_files(top: str, old: str, new: str) -> list[Row]:
    """Return the files of a commit that another one does not have like that, without links."""
    found = []
    settings = (*_DIFFERENCE, "--no-renames")
    fields = _output(top, "diff-tree", *settings, old, new).split(b"\0")
    for facts, name in zip(fields[::2], fields[1::2], strict=False):
        mode, _, blob, *_ = facts.removeprefix(b":").split(b" ")
        if mode.startswith(b"100"):
            found.append(Row(mode, blob, os.fsdecode(name)))
    return found


def files_of(top: str, commit: str) -> dict[str, bytes]:
    """Return the files of a commit with their blobs."""
    return {row.path: row.blob for row in tree_rows(top, commit, "") if row.mode.startswith(b"100")}


def contents(top: str, rows: Iterable[tuple[str, bytes]]) -> Iterator[tuple[bytes, bytes]]:
    """Yield blobs with their contents; those that cannot be read, or are too large, are empty."""
    objects = Objects(top)
    for path, blob in rows:
        try:
            yield blob, b"".join(objects.pieces(path, blob, PIECE, MAX_TEXT))
        except UnreadableError:
            yield blob, b""


class Rename(NamedTuple):
    """The new name of a path, and the commit that renamed it; empty if it is not committed."""

    path: str
    commit: str


def renames(top: str, wanted: Mapping[str, str]) -> dict[str, Rename]:
    """Return the present names of paths that are gone; `wanted` has commits that had them."""
    found: dict[str, Rename] = {}
    current = {path: path for path in wanted}  # the last known name of each
    for _ in range(MOST_STEPS):
        removed = _removals(top, set(current.values()))
        moved = _moves(top, set(removed.values()))
        following = {}
        for path, name in current.items():
            target = _target(moved.get(removed.get(name, ""), {}), name)
            if target and target != name:
                found[path] = Rename(target, removed.get(name, ""))
                following[path] = target
        current = following
        if not current:
            break
    return found


def _removals(top: str, gone: set[str]) -> dict[str, str]:
    """Return the newest commit that removed each path; empty if the removal is only staged."""
    asked = sorted(gone)[:MOST_RANGES]
    settings = (*_DIFFERENCE, "--no-renames", "--diff-filter=D", "--name-only")
    out = _output(top, "log", "--format=%x01%H", *settings, "HEAD", "--", *asked)
    found: dict[str, str] = {}
    for record in out.split(b"\x01")[1:]:
        commit, *names = record.split(b"\0")
        for name in (os.fsdecode(name.removeprefix(b"\n")) for name in names):
            for path in _lineage_in(name, gone):
                found.setdefault(path, commit.decode().strip())
    return {path: found.get(path, "") for path in asked}


def _lineage_in(name: str, gone: set[str]) -> Iterator[str]:
    while name:
        if name in gone:
            yield name
        name = name.rpartition("/")[0]


def _moves(top: str, commits: set[str]) -> dict[str, dict[str, str]]:
    """Return the renames of each commit; those that are only staged for an empty one."""
    found: dict[str, dict[str, str]] = {}
    settings = (*_DIFFERENCE, "-M", "-l2000", "--diff-filter=R", "--name-status")
    for commit in sorted(commits):
        if commit:
            out = _output(top, "diff-tree", "--no-commit-id", "--root", "-m", *settings, commit)
        else:
            out = _output(top, "diff-index", "--cached", *settings, "HEAD")
        fields = [os.fsdecode(field) for field in out.split(b"\0")]
        found[commit] = dict(zip(fields[1::3], fields[2::3], strict=False))
    return found


def _target(moved: Mapping[str, str], path: str) -> str:
    """Return the new name of a file, or of a directory whose files all went to one other."""
    if path in moved:
        return moved[path]
    inside = f"{path}/"
    targets = {
        new.removesuffix(old.removeprefix(path)) if new.endswith(old.removeprefix(path)) else ""
        for old, new in moved.items()
        if old.startswith(inside)
    }
    return targets.pop() if len(targets) == 1 else ""


def _output(top: str, *arguments: str, given: bytes = b"") -> bytes:
    reply = ask(top, *arguments, given=given)
    if reply is None or reply.code != 0:
        said = "" if reply is None else os.fsdecode(reply.err).partition("\n")[0]
        hint = said or "Install the git program."
        raise GitError(f"'git {arguments[0]}' failed", hint=hint)
    return reply.out
