"""Earlier versions of files in git, found by the digest of their content."""

from __future__ import annotations

import os
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from yg_old.disk.git.commits import Objects
from yg_old.disk.git.process import GitError, GitLimitError, ask
from yg_old.disk.git.repository import find_repository
from yg_old.kernel.digest import FileDigest, file_digests
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import MAX_TEXT, PIECE
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

MOST_PATHS = 500  # on one command line; above, the changes of all files are listed
MOST_COMMITS = 1_000  # the newest ones, searched for a content at any path
YEAR = 365 * 24 * 60 * 60  # seconds
MOST_BLOBS = 5_000  # read in such a search
_FILE = b"100"  # modes of regular files start with it


class OldVersion(Struct, frozen=True):
    """A version of a file that git has."""

    path: str
    commit: str  # empty: it is only staged
    digest: FileDigest
    content: bytes


class _Candidate(NamedTuple):
    """A version of a file that has not been read."""

    path: str
    commit: str
    blob: bytes


class History:
    """The versions of files in the repository that contains a directory."""

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._repository = find_repository(directory)
        self._digests: dict[bytes, FileDigest] = {}  # of the blobs read so far

    @property
    def has_git(self) -> bool:
        """Whether the directory is in a git repository."""
        return self._repository is not None

    def at_paths(self, wanted: Mapping[str, Collection[str]]) -> dict[tuple[str, str], OldVersion]:
        """Return the newest version of each path with each of its digests, by path and digest.

        The staged files and the last commit come first; the history is searched only for the rest.
        """
        left = {path: {*digests} for path, digests in wanted.items() if _is_askable(path)}
        found: dict[tuple[str, str], OldVersion] = {}
        for source in (self._staged, self._last, self._changes):
            asked = tuple(path for path, digests in left.items() if digests)
            for candidate in source(asked) if asked else ():
                digests = left.get(candidate.path, set())
                version = self._read(candidate, digests) if digests else None
                if version is not None:
                    matching = {digest for digest in digests if version.digest.matches(digest)}
                    found |= {(candidate.path, digest): version for digest in matching}
                    digests -= matching
        return found

    def anywhere(self, wanted: Mapping[str, str]) -> dict[str, OldVersion]:
        """Return the newest version with each digest at any path; `wanted` maps it to its path.

        Versions with the same file name are read first, then those with the same suffix.
        """
        if not wanted:
            return {}
        names = {paths.name_of(path) for path in wanted.values()}
        suffixes = {_suffix(path) for path in wanted.values()}
        candidates: dict[bytes, _Candidate] = {}  # the newest of each blob
        for candidate in (*self._last(()), *self._changes(())):
            candidates.setdefault(candidate.blob, candidate)
        ordered = sorted(
            candidates.values(),
            key=lambda candidate: (
                paths.name_of(candidate.path) not in names,
                _suffix(candidate.path) not in suffixes,
            ),
        )
        left = set(wanted)
        found: dict[str, OldVersion] = {}
        for candidate in ordered[:MOST_BLOBS]:
            if not left:
                break
            version = self._read(candidate, left)
            if version is not None:
                matching = {digest for digest in left if version.digest.matches(digest)}
                found |= dict.fromkeys(matching, version)
                left -= matching
        return found

    def versions(self, path: str) -> Iterator[bytes]:
        """Yield the contents of a file: the staged one, that of the last commit, earlier ones."""
        seen: set[bytes] = set()
        for source in (self._staged, self._last, self._changes) if _is_askable(path) else ():
            for candidate in source((path,)):
                if candidate.path == path and candidate.blob not in seen:
                    seen.add(candidate.blob)
                    content = self._content(candidate)
                    if content is not None:
                        yield content

    def _read(self, candidate: _Candidate, digests: Collection[str]) -> OldVersion | None:
        """Read a version; None if it has another digest, or git does not have its content."""
        known = self._digests.get(candidate.blob)
        if known is not None and not _matches(known, digests):
            return None
        content = self._content(candidate)
        if content is None:
            return None
        digest = self._digests[candidate.blob] = file_digests([content])
        if not _matches(digest, digests):
            return None
        return OldVersion(candidate.path, candidate.commit, digest, content)

    def _content(self, candidate: _Candidate) -> bytes | None:
        """Read a version; None if git does not have its content, or it is too large."""
        try:
            pieces = self._objects.pieces(candidate.path, candidate.blob, PIECE, MAX_TEXT)
            return b"".join(pieces)
        except GitLimitError:
            raise  # every other version would take as long
        except (UnreadableError, GitError):
            return None

    @cached_property
    def _objects(self) -> Objects:
        return Objects(self._directory)

    def _staged(self, wanted: Sequence[str]) -> Iterator[_Candidate]:
        for row in self._rows("ls-files", "--stage", "-z", "--full-name", *self._limit(wanted)):
            facts, _, name = row.partition(b"\t")
            mode, blob, _ = facts.split(b" ")
            if mode.startswith(_FILE):
                yield from self._candidate(name, "", blob)

    def _last(self, wanted: Sequence[str]) -> Iterator[_Candidate]:
        """Yield the files of the last commit."""
        head = self._head
        if not head:
            return
        command = ("ls-tree", "-r", "-z", "--full-tree", head)
        for row in self._rows(*command, *self._limit(wanted)):
            facts, _, name = row.partition(b"\t")
            mode, _, blob = facts.split(b" ")
            if mode.startswith(_FILE):
                yield from self._candidate(name, head, blob)

    def _changes(self, wanted: Sequence[str]) -> Iterator[_Candidate]:
        """Yield the versions that each commit made, the newest first."""
        if not self._head:
            return
        # These two commands show and run nothing that a configuration can name; `git log` may
        # start a program to check signatures.
        most = () if wanted else (f"--max-count={MOST_COMMITS}",)
        commits = ask(self._directory, "rev-list", *most, self._head, *self._limit(wanted))
        if commits is None or commits.code != 0 or not commits.out:
            return
        for commit, facts, name in self._differences(commits.out, "-m", *self._limit(wanted)):
            _, mode, _, blob, _ = facts.split(b" ")
            if mode.startswith(_FILE):
                yield from self._candidate(name, commit, blob)

    def _differences(self, commits: bytes, *options: str) -> Iterator[tuple[str, bytes, bytes]]:
        """Yield what each commit changed: the commit, the modes and blobs, and the path."""
        command = ("diff-tree", "--stdin", "-r", "--root", "--raw", "-z", "--no-renames")
        commit, facts = "", b""
        for row in self._rows(*command, "--no-abbrev", *options, given=commits):
            if facts:  # the path that they are about; it may start with a colon
                yield commit, facts, row
                facts = b""
            elif row.startswith(b":"):
                facts = row
            else:
                commit = row.decode("ascii", "replace")

    def last_year(self) -> list[list[str]]:
        """Return the files that each commit of the year before the last commit changed.

        Merges are left out, and so is what is older than the newest commits.
        """
        if not self._head:
            return []
        newest = ("--timestamp", f"--max-count={MOST_COMMITS}", "--no-merges", self._head)
        reply = ask(self._directory, "rev-list", *newest, *self._limit(()))
        rows = [row.split() for row in reply.out.splitlines()] if reply and not reply.code else []
        recent = [commit for time, commit in rows if int(time) >= int(rows[0][0]) - YEAR]
        found: dict[str, list[str]] = {}
        given = b"".join(commit + b"\n" for commit in recent)
        for commit, _, name in self._differences(given, *self._limit(())):
            files = found.setdefault(commit, [])
            files += (candidate.path for candidate in self._candidate(name, commit, b""))
        return [*found.values()]

    @cached_property
    def _head(self) -> str:
        """The last commit; empty if there is none."""
        reply = ask(self._directory, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        return reply.text if reply else ""

    def _rows(self, *arguments: str, given: bytes = b"") -> Iterable[bytes]:
        """Run a command that ends its rows with NUL; return no rows if it fails."""
        reply = ask(self._directory, *arguments, given=given)
        if reply is None or reply.code != 0:
            return ()
        return (row for row in reply.out.split(b"\0") if row)

    def _limit(self, wanted: Sequence[str]) -> tuple[str, ...]:
        """Limit a command to some paths, or to the directory if there are none or too many."""
        prefix = self._repository.prefix if self._repository else ""
        if 0 < len(wanted) <= MOST_PATHS:
            return ("--", *(paths.join(prefix, path) for path in wanted))
        return ("--", prefix) if prefix else ()

    def _candidate(self, name: bytes, commit: str, blob: bytes) -> Iterator[_Candidate]:
        """Yield a version if it lies below the directory."""
        prefix = self._repository.prefix if self._repository else ""
        path = os.fsdecode(name)
        if not prefix or path.startswith(f"{prefix}/"):
            yield _Candidate(path.removeprefix(f"{prefix}/"), commit, blob)


def commits_by_node(directory: str, owners: Mapping[str, str]) -> dict[str, int]:
    """Count the commits of the last year that changed files of each node; none without git."""
    found: Counter[str] = Counter()
    for files in History(directory).last_year():
        found.update({owners[file] for file in files if file in owners})
    return found


def _matches(digest: FileDigest, wanted: Collection[str]) -> bool:
    return any(form in wanted for form in digest.forms)


def _suffix(path: str) -> str:
    return paths.name_of(path).rpartition(".")[2]


def _is_askable(path: str) -> bool:
    """Return whether git can be asked for a path; a baseline may contain any text."""
    is_name = "\0" not in path and paths.is_utf8(path) and len(path) <= paths.LONGEST
    return is_name and path != paths.ROOT and paths.normalise(path) == path
