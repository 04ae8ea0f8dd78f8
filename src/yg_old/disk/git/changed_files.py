"""Find the files that differ from a commit, without running filters.

git passes file contents through configured filters, which are programs. So git only lists the
commit and the index, and files are hashed here. A file written by a filter cannot be compared by
hash: it is unchanged if its size and times match the index, and counts as changed otherwise.
"""

from __future__ import annotations

import os
import re
import stat
from functools import cached_property
from hashlib import new
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from yg_old.disk.git import timeouts
from yg_old.disk.git.commits import LINK, SUBMODULE, tree_rows
from yg_old.disk.git.process import (
    MOST_ENTRIES,
    GitError,
    ask,
    below,
    entries_but,
    names_below,
)
from yg_old.disk.git.repository import find_repository
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg_old.disk.git.process import Reply
    from yg_old.disk.git.repository import Repository

# Tag, mode, blob, stage, path, ctime, mtime, inode, size and flags.
_ENTRY = re.compile(
    rb"([A-Za-z?]) (\d{6}) ([0-9a-f]+) ([0-3])\t([^\0]*)\0"
    rb"  ctime: (\d+:\d+)\n  mtime: (\d+:\d+)\n"
    rb"  dev: \d+\tino: (\d+)\n  uid: \d+\tgid: \d+\n"
    rb"  size: (\d+)\tflags: ([0-9a-f]+)\n"
)
# With --cached, git compares two lists and opens no file.
DIFFERENCES = (
    *("diff-index", "--cached", "--raw", "-z", "--no-abbrev"),
    *("--no-renames", "--ignore-submodules=none", "--ita-visible-in-index"),
)
UNTRACKED = ("ls-files", "-z", "--others", "--exclude-standard")
_INTENT_TO_ADD = 1 << 29  # a flag of the index
_NO_WORK_TREE = "git could not compare: there is no work tree"
_NEVER = (-1, -1, -1, -1)  # the stamp of no file
STORED_BITS = 0xFFFFFFFF  # the index stores sizes and inodes in 32 bits
_NANOSECONDS = 1_000_000_000
_PLAIN, _EXECUTABLE, _ABSENT_MODE = b"100644", b"100755", b"000000"
_PIECE = 1 << 20
_ALGORITHMS = {40: "sha1", 64: "sha256"}
# Attributes for conversions that are not implemented here.
_REWRITING = ("filter", "ident", "working-tree-encoding")
_ATTRIBUTES = (*_REWRITING, "text", "crlf", "eol")
_ABSENT = ("unspecified", "unset", "")
_SNIFFED = 8000  # bytes in which git searches for a NUL to detect binary files

State = tuple[bytes, bytes]  # mode and blob
IndexStamp = tuple[int, int, int, int]  # ctime and mtime in nanoseconds, inode and size


class Changes(Struct, frozen=True):
    """Files that differ from a commit, sorted."""

    files: tuple[str, ...]
    uncertain: tuple[str, ...] = ()  # files among them that only a filter could compare

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user about files that could not be compared."""
        if not self.uncertain:
            return ()
        first, *others = self.uncertain
        files = f"'{first}' and {len(others)} more count" if others else f"'{first}' counts"
        return (f"{files} as changed: git attributes rewrite it, and yg runs no filter",)


def changed_files(directory: str, since: str, *, staged: bool) -> Changes:
    """Return the files below a directory that differ from a commit, untracked ones included.

    With `staged`, return only the files that the next commit would change.
    """
    repository = find_repository(directory)
    if repository is None or repository.is_bare:
        raise GitError(_NO_WORK_TREE)
    entries = _entries(directory, repository)
    tree = _tree(directory, since, entries)
    if staged:
        return Changes(tuple(sorted(_staged(tree, entries))))
    comparison = _Comparison(directory, repository, entries)
    changed, uncertain = comparison.differing(tree)
    names = {*changed, *untracked_files(directory)}
    return Changes(tuple(sorted(names)), tuple(sorted(uncertain)))


def changed_among(directory: str, since: str, files: Iterable[str], without: str = "") -> Changes:
    """Return the files among some that differ from a commit; git ignores none of them.

    Paths are relative to the directory. None of the files is in its entry `without`.
    """
    repository = find_repository(directory)
    if repository is None or repository.is_bare:
        raise GitError(_NO_WORK_TREE)
    inside = entries_but(directory, "", without) if without else []
    entries = _entries(directory, repository, inside)
    comparison = _Comparison(directory, repository, entries)
    changed, uncertain = comparison.differing(_tree(directory, since, entries))
    found = [file for file in files if file in changed or file not in entries]
    return Changes(tuple(found), tuple(file for file in found if file in uncertain))


def renamed_files(directory: str, since: str) -> dict[str, str]:
    """Return the new paths of the files below a directory that were renamed since a commit.

    git compares that commit with HEAD, which runs no filters.
    """
    listing = names_below(
        directory, "diff-tree", "-r", "-z", "-M", "--name-status", "--diff-filter=R", since, "HEAD"
    )
    if listing is None:
        raise GitError("git could not list the renamed files")
    fields = listing.reply.out.split(b"\0")
    pairs = (below(listing.prefix, pair) for pair in zip(fields[1::3], fields[2::3], strict=False))
    return {pair[0]: pair[1] for pair in pairs if len(pair) > 1}


def changed_since(repository: Repository, commit: str, only: Sequence[str] = ()) -> set[str]:
    """Return the tracked files of a work tree, or of some among them, that are not as in a commit.

    Paths are relative to the top of the work tree. A file that only a filter could compare counts.
    """
    repository = replace(repository, prefix="")
    rows = tree_rows(repository.top, commit, "", only)
    entries = _entries(repository.top, repository, only)
    comparison = _Comparison(repository.top, repository, entries)
    changed, _ = comparison.differing({row.path: (row.mode, row.blob) for row in rows})
    return set(changed)


def untracked_files(directory: str) -> list[str]:
    """Return the files below a directory that git neither tracks nor ignores."""
    untracked = names_below(directory, *UNTRACKED)
    if untracked is None:
        raise GitError("git could not list the untracked files")
    return [name.rstrip("/") for name in untracked.names()]


def uncommitted_among(directory: str, files: Sequence[str]) -> Changes:
    """Return the existing files among some, which git does not ignore, that are not as in HEAD.

    Paths are relative to the directory. Without git, or if it has timed out in this command, no
    file is returned.
    """
    repository = None if timeouts.noted() else find_repository(directory)
    if repository is None or repository.is_bare or not files:
        return Changes(())
    reply = head_commit(repository)
    if reply is None:
        return Changes(())
    present = [file for file in files if os.path.isfile(f"{directory}/{file}")]
    if reply.code != 0:  # there is no commit yet
        return Changes(tuple(present))
    only = present if len(present) <= MOST_ENTRIES else ()
    rows = tree_rows(directory, reply.text, repository.prefix, only)
    entries = _entries(directory, repository, only)
    comparison = _Comparison(directory, repository, entries)
    changed, uncertain = comparison.differing({row.path: (row.mode, row.blob) for row in rows})
    found = tuple(file for file in present if file in changed or file not in entries)
    return Changes(found, tuple(file for file in found if file in uncertain))


def head_commit(repository: Repository) -> Reply | None:
    """Ask git for the current commit; None if there is no git program."""
    return ask(repository.top, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")


def head_state(directory: str) -> tuple[str | None, bool] | None:
    """Return the current commit and whether the work tree has changes; None without git.

    Untracked files count as changes unless they are ignored.
    """
    repository = find_repository(directory)
    if repository is None or repository.is_bare:
        return None
    reply = head_commit(repository)
    if reply is None:
        return None
    if reply.code == 0:
        return reply.text, bool(changed_files(repository.top, reply.text, staged=False).files)
    listed = names_below(repository.top, "ls-files", "-z", "-co", "--exclude-standard")
    return None if listed is None else (None, bool(listed.names()))


def checked_out(repository: Repository, commit: str) -> dict[str, IndexStamp] | None:
    """Return what the index has of each file; None if it is not exactly the commit.

    Files are those of the whole work tree. The index was not written just now.
    """
    repository = replace(repository, prefix="")
    entries = _entries(repository.top, repository)
    tree = {row.path: (row.mode, row.blob) for row in tree_rows(repository.top, commit, "")}
    index = {path: found[0].state for path, found in entries.items() if found[0].is_ordinary}
    if index != tree or len(entries) != len(tree):
        return None
    stamps = {path: _numbers(found[0]) for path, found in entries.items()}
    # A file that is as recent as the index may have been changed since, and have the same stamp.
    written = _time_of(repository.index_file)
    recent = {path: entries[path] for path, stamp in stamps.items() if stamp[1] >= written}
    comparison = _Comparison(repository.top, repository, recent)
    changed, _ = comparison.differing({path: tree[path] for path in recent})
    stamps.update((path, _NEVER) for path in changed)
    return stamps


def unstaged_files(directory: str) -> tuple[str, ...] | None:
    """Return the files below a directory that were not added to git as they are; None without git.

    Deleted files are included, ignored ones are not. If git fails, the answer is None too.
    """
    repository = find_repository(directory)
    if repository is None or repository.is_bare:
        return None
    try:
        entries = _entries(directory, repository)
        index = {path: found[0].state for path, found in entries.items()}
        changed, _ = _Comparison(directory, repository, entries).differing(index)
    except GitError:
        return None
    untracked = names_below(directory, *UNTRACKED)
    return None if untracked is None else tuple(sorted({*changed, *untracked.names()}))


class _Entry(NamedTuple):
    """An entry of the index."""

    tag: bytes
    mode: bytes
    blob: bytes
    stage: int
    stamp: tuple[bytes, bytes, int, int]  # ctime, mtime, inode, size
    is_intended: bool  # added with `git add --intent-to-add`

    @property
    def state(self) -> State:
        """The mode and blob of the unchanged file."""
        return self.mode, self.blob

    @property
    def is_assumed(self) -> bool:
        """Whether the file is marked `assume-unchanged`."""
        return self.tag.islower()

    @property
    def is_skipped(self) -> bool:
        """Whether a sparse checkout omits the file."""
        return self.tag in b"Ss"

    @property
    def is_ordinary(self) -> bool:
        """Whether it is a file that git compares with the work tree."""
        is_special = self.stage or self.is_intended or self.is_assumed or self.is_skipped
        return not is_special and self.mode != SUBMODULE


def _entries(
    directory: str, repository: Repository, only: Sequence[str] = ()
) -> dict[str, list[_Entry]]:
    """Return the index entries below a directory, or only those of some files there.

    Several entries for one path are a conflict.
    """
    start = f"{repository.prefix}/" if repository.prefix else ""
    wanted = [start + file for file in only] or filter(None, [repository.prefix])
    reply = ask(directory, "ls-files", "-s", "-v", "--debug", "-z", "--", *wanted)
    if reply is None or reply.code != 0:
        raise GitError("git could not list the files of the index")
    found: dict[str, list[_Entry]] = {}
    end = 0
    for match in _ENTRY.finditer(reply.out):
        if match.start() != end:
            break
        end = match.end()
        tag, mode, blob, stage, name, ctime, mtime, inode, size, flags = match.groups()
        path = os.fsdecode(name)
        if path.startswith(start):
            stamp = (ctime, mtime, int(inode), int(size))
            is_intended = bool(int(flags, 16) & _INTENT_TO_ADD)
            entry = _Entry(tag, mode, blob, int(stage), stamp, is_intended)
            found.setdefault(path.removeprefix(start), []).append(entry)
    if end != len(reply.out):
        raise GitError("git lists its index in an unknown format")
    return found


def _tree(directory: str, commit: str, entries: dict[str, list[_Entry]]) -> dict[str, State]:
    """Return the files of a commit below a directory, from the index and where it differs."""
    listing = names_below(directory, *DIFFERENCES, commit)
    if listing is None:
        raise GitError(f"git could not list the files of {commit[:12]}")
    tree = {path: found[0].state for path, found in entries.items()}
    fields = listing.reply.out.split(b"\0")
    for facts, name in zip(fields[::2], fields[1::2], strict=False):
        mode, _, blob, *_ = facts.removeprefix(b":").split(b" ")
        for path in below(listing.prefix, [name]):
            if mode == _ABSENT_MODE:
                tree.pop(path, None)
            else:
                tree[path] = (mode, blob)
    return tree


def _staged(tree: dict[str, State], entries: dict[str, list[_Entry]]) -> set[str]:
    """Return the paths that the index changes."""
    index = {
        path: None if len(found) > 1 or found[0].stage else found[0].state
        for path, found in entries.items()
        if not found[0].is_intended
    }
    return {path for path in tree.keys() | index.keys() if tree.get(path) != index.get(path)} | {
        path for path, state in index.items() if state is None
    }


class _Comparison:
    """Compares the files of a work tree with a commit."""

    def __init__(
        self, directory: str, repository: Repository, entries: dict[str, list[_Entry]]
    ) -> None:
        self._directory = os.path.realpath(directory)
        self._repository = repository
        self._entries = entries
        self._plain: dict[str, bool] = {paths.ROOT: True}

    def differing(self, tree: dict[str, State]) -> tuple[set[str], set[str]]:
        """Return the paths that differ, and those among them that only a filter could compare."""
        changed = {path for path in tree if path not in self._entries}
        rewritten: dict[str, _Entry] = {}  # differ, but maybe only by conversion on checkout
        for path, found in self._entries.items():
            entry = found[0]
            if len(found) > 1 or entry.stage:
                changed.add(path)
            elif (state := self._state(path, entry)) != tree.get(path):
                changed.add(path)
                if state and state[1] and path in tree and state[0] == tree[path][0]:
                    rewritten[path] = entry
        converted, uncertain = self._conversions(rewritten, tree)
        return changed - converted, uncertain

    def _state(self, path: str, entry: _Entry) -> State | None:
        """Return the current mode and blob of a file; None if it is missing."""
        if entry.is_assumed:
            return entry.state
        status = self._status(path)
        if status is None:
            return entry.state if entry.is_skipped else None
        if entry.mode == SUBMODULE:
            return self._submodule(path, entry) if stat.S_ISDIR(status.st_mode) else None
        if _stamp(status) == entry.stamp and status.st_mtime_ns < self._index_time:
            return entry.state
        return self._hashed(path, entry, status)

    def _status(self, path: str) -> os.stat_result | None:
        if not self._is_plain(paths.parent(path)):
            return None
        try:
            return os.lstat(f"{self._directory}/{path}")
        except (OSError, ValueError):
            return None

    def _is_plain(self, directory: str) -> bool:
        """Return whether neither a directory nor any of its parents is a link."""
        waiting = []
        while directory not in self._plain:
            waiting.append(directory)
            directory = paths.parent(directory)
        is_plain = self._plain[directory]
        for inner in reversed(waiting):
            is_plain = is_plain and not os.path.islink(f"{self._directory}/{inner}")
            self._plain[inner] = is_plain
        return is_plain

    def _submodule(self, path: str, entry: _Entry) -> State:
        """Return the current commit of a submodule; one without a checkout is unchanged."""
        place = f"{self._directory}/{path}"
        found = find_repository(place)
        if found is None or found.top != os.path.realpath(place):
            return entry.state
        reply = ask(place, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        return (SUBMODULE, reply.out.strip()) if reply and reply.code == 0 else entry.state

    def _hashed(self, path: str, entry: _Entry, status: os.stat_result) -> State | None:
        place = f"{self._directory}/{path}"
        algorithm = _ALGORITHMS[len(entry.blob)]
        if stat.S_ISLNK(status.st_mode):
            target = os.fsencode(os.readlink(place))
            return LINK, _blob(algorithm, len(target), [target])
        if not stat.S_ISREG(status.st_mode):
            return None
        try:
            blob = _blob(algorithm, status.st_size, _pieces(place))
        except OSError:
            blob = b""  # unreadable, so it counts as changed
        return self._mode(entry, status), blob

    def _mode(self, entry: _Entry, status: os.stat_result) -> bytes:
        if entry.mode == LINK:
            return _PLAIN if self._settings.get("core.symlinks") != "false" else LINK
        if self._settings.get("core.filemode") == "false":
            return entry.mode
        return _EXECUTABLE if status.st_mode & stat.S_IXUSR else _PLAIN

    def _conversions(
        self, entries: dict[str, _Entry], tree: dict[str, State]
    ) -> tuple[set[str], set[str]]:
        """Return the paths that differ only by conversion, and those that need a filter."""
        converted: set[str] = set()
        uncertain: set[str] = set()
        for path, attributes in self._attributes(entries):
            if any(attributes[name] not in _ABSENT for name in _REWRITING):
                if entries[path].state == tree[path]:
                    uncertain.add(path)
            elif self._differs_in_line_endings(path, attributes, tree[path][1]):
                converted.add(path)
        return converted, uncertain

    def _differs_in_line_endings(self, path: str, attributes: dict[str, str], blob: bytes) -> bool:
        """Return whether a file differs from a blob only in line endings that git converts."""
        place, algorithm = f"{self._directory}/{path}", _ALGORITHMS[len(blob)]
        if not _converts_lines(attributes, self._settings.get("core.autocrlf", "false")):
            return False
        if attributes["text"] != "set" and _is_binary(place):
            return False
        length = sum(map(len, _with_lf(_pieces(place))))
        return _blob(algorithm, length, _with_lf(_pieces(place))) == blob

    def _attributes(self, asked: Iterable[str]) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the attributes that control conversions; `git check-attr` runs no filter."""
        start = f"{self._repository.prefix}/" if self._repository.prefix else ""
        given = b"".join(os.fsencode(start + path) + b"\0" for path in asked)
        if not given:
            return
        reply = ask(self._directory, "check-attr", "-z", "--stdin", *_ATTRIBUTES, given=given)
        if reply is None or reply.code != 0:
            raise GitError("git could not read the attributes of files")
        words = [os.fsdecode(word) for word in reply.out.split(b"\0")]
        size = 3 * len(_ATTRIBUTES)  # path, name and value of each
        for at in range(0, len(words) - 1, size):
            values = dict(
                zip(words[at + 1 : at + size : 3], words[at + 2 : at + size : 3], strict=True)
            )
            yield words[at].removeprefix(start), values

    @cached_property
    def _settings(self) -> dict[str, str]:
        """The git settings that affect comparison."""
        wanted = "^core[.](filemode|symlinks|autocrlf)$"
        reply = ask(self._directory, "config", "-z", "--get-regexp", wanted)
        rows = reply.out.split(b"\0") if reply and reply.code == 0 else []
        pairs = (row.decode("utf-8", "replace").partition("\n") for row in rows if row)
        return {name.lower(): value.strip().lower() for name, _, value in pairs}

    @cached_property
    def _index_time(self) -> int:
        """The time the index was written; newer files may have changed since."""
        return _time_of(self._repository.index_file)


def _time_of(file: str) -> int:
    """Return the time of the last change of a file; 0 if it is missing."""
    try:
        return os.stat(file).st_mtime_ns
    except OSError:
        return 0


def index_stamp(status: os.stat_result) -> IndexStamp:
    """Return what the index would have of a file."""
    inode, size = status.st_ino & STORED_BITS, status.st_size & STORED_BITS
    return status.st_ctime_ns, status.st_mtime_ns, inode, size


def _numbers(entry: _Entry) -> IndexStamp:
    """Return what the index has of a file."""
    ctime, mtime, inode, size = entry.stamp
    return _nanoseconds(ctime), _nanoseconds(mtime), inode, size


def _nanoseconds(written: bytes) -> int:
    seconds, rest = written.split(b":")
    return int(seconds) * _NANOSECONDS + int(rest)


def _stamp(status: os.stat_result) -> tuple[bytes, bytes, int, int]:
    times = (status.st_ctime_ns, status.st_mtime_ns)
    ctime, mtime = (b"%d:%d" % divmod(time, _NANOSECONDS) for time in times)
    return ctime, mtime, status.st_ino & STORED_BITS, status.st_size & STORED_BITS


def _converts_lines(attributes: dict[str, str], autocrlf: str) -> bool:
    text = attributes["text"] if attributes["text"] != "unspecified" else attributes["crlf"]
    if text == "unset":
        return False
    if text == "unspecified" and attributes["eol"] in _ABSENT:
        return autocrlf in ("true", "input")
    return True


def _is_binary(place: str) -> bool:
    try:
        with open(place, "rb") as file:
            return b"\0" in file.read(_SNIFFED)
    except OSError:
        return True


def _pieces(place: str) -> Iterator[bytes]:
    handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        while piece := os.read(handle, _PIECE):
            yield piece
    finally:
        os.close(handle)


def _with_lf(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Replace every CRLF with LF."""
    held = b""  # a carriage return whose line feed may be in the next piece
    for piece in pieces:
        whole = held + piece
        held = b"\r" if whole.endswith(b"\r") else b""
        yield whole.removesuffix(held).replace(b"\r\n", b"\n")
    yield held


def _blob(algorithm: str, size: int, pieces: Iterable[bytes]) -> bytes:
    """Return the git object id of a blob."""
    digest = new(algorithm, b"blob %d\0" % size, usedforsecurity=False)
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest().encode()
