"""git, asked for what only it knows: commits, and which files have changed."""

from __future__ import annotations

import os
import subprocess
import weakref
from functools import cached_property

from yg.kernel import paths
from yg.kernel.errors import UnreadableError, YgError
from yg.kernel.snapshot import MAX_TEXT, PIECE, Kind, Text, too_large
from yg.kernel.typed import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from yg.kernel.packing import Packs

T = TypeVar("T")

# Nothing a repository configures may run or write while we only look.
COMMAND = ("git", "-c", "core.fsmonitor=false", "--no-optional-locks")
_MISLEADING = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_COMMON_DIR"})
_KINDS = {b"120000": Kind.LINK, b"160000": Kind.DIRECTORY}  # a link, a submodule


class GitError(YgError):
    """A question that git could not answer."""

    code = "git"


def ask(
    directory: str, *arguments: str, index: str = ""
) -> subprocess.CompletedProcess[bytes] | None:
    """Run git, with another index if one is named; None where there is no git to run."""
    try:
        return subprocess.run(  # noqa: S603
            [*COMMAND, "-C", directory, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={**_environment(), **({"GIT_INDEX_FILE": index} if index else {})},
            check=False,
        )
    except OSError:
        return None


def _environment() -> dict[str, str]:
    """Return an environment in which git finds the repository by itself.

    Hooks run with variables that name a repository and an index; those of another directory would
    mislead. An index named by an absolute path is the one a commit is being made from: it stays.
    """
    kept = {key: value for key, value in os.environ.items() if key not in _MISLEADING}
    if not os.path.isabs(kept.get("GIT_INDEX_FILE", "")):
        kept.pop("GIT_INDEX_FILE", None)
    return {**kept, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}


def commit_of(directory: str, revision: str) -> str:
    """Return the id of the commit that a revision names, or say why there is none."""
    asked = f"{revision}^{{commit}}"
    found = ask(directory, "rev-parse", "--verify", "--quiet", "--end-of-options", asked)
    if found is None:
        raise GitError("git is not installed", hint="Reading a commit needs the git program.")
    if found.returncode == 0:
        return found.stdout.decode().strip()
    raise _why_not(directory, revision)


def _why_not(directory: str, revision: str) -> GitError:
    def says(*arguments: str) -> str:
        answer = ask(directory, *arguments)
        return answer.stdout.decode().strip() if answer and answer.returncode == 0 else ""

    looked = ask(directory, "rev-parse", "--git-dir")
    if looked is not None and b"dubious ownership" in looked.stderr:
        hint = "'git status' there tells how to trust it (safe.directory)."
        return GitError("git does not trust this repository: somebody else owns it", hint=hint)
    if not says("rev-parse", "--git-dir"):
        hint = "Run it inside one, or without asking for a commit."
        return GitError("this is not a git repository", hint=hint)
    if not says("rev-list", "--all", "--max-count=1"):
        return GitError("this git repository has no commits yet", hint="Commit something first.")
    if says("rev-parse", "--is-shallow-repository") == "true":
        hint = "This clone is shallow; 'git fetch --unshallow' brings the rest of the history."
        return GitError(f"there is no revision '{revision}' here", hint=hint)
    return GitError(f"there is no revision '{revision}'", hint="'git log' lists the commits.")


def prefix_of(directory: str) -> str:
    """Return where a directory lies in its git repository; empty at the top or in a bare one."""
    answer = ask(directory, "rev-parse", "--show-prefix")
    if answer is None or answer.returncode != 0:
        return ""
    return os.fsdecode(answer.stdout).rstrip("\n").rstrip("/")


def standing(directory: str) -> tuple[str | None, bool] | None:
    """Return the commit a work tree stands on and whether it has changed since; None without git.

    Untracked files that are not ignored are changes too.
    """
    answer = ask(
        directory, "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal"
    )
    if answer is None or answer.returncode != 0:
        return None
    rows = answer.stdout.split(b"\0")
    commit = next(row.split()[-1] for row in rows if row.startswith(b"# branch.oid "))
    is_dirty = any(row and not row.startswith(b"# ") for row in rows)
    return None if commit == b"(initial)" else commit.decode(), is_dirty


def changed_files(directory: str, since: str, *, staged: bool) -> tuple[str, ...]:
    """Return the files below a directory that differ from a commit, untracked ones included.

    With `staged`, only what the next commit would change.
    """
    diff = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--relative"]
    diff += ["--cached", since] if staged else [since]
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        # `git diff` refreshes the index it looks at, so it gets a copy to look at.
        found = _names(directory, *diff, "--", index=_copied_index(directory, folder))
    if not staged:
        found |= _names(directory, "ls-files", "-z", "--others", "--exclude-standard")
    return tuple(sorted(found))


def _copied_index(directory: str, folder: str) -> str:
    """Copy the index of a repository; empty when it has none."""
    answer = ask(directory, "rev-parse", "--git-path", "index")
    if answer is None or answer.returncode != 0:
        return ""
    named = os.environ.get("GIT_INDEX_FILE", "")
    source = named if os.path.isabs(named) else os.fsdecode(answer.stdout).rstrip("\n")
    copy = os.path.join(folder, "index")
    try:
        with open(os.path.join(directory, source), "rb") as original, open(copy, "wb") as file:
            file.write(original.read())
            status = os.fstat(original.fileno())
    except FileNotFoundError:
        return ""
    # By its time git tells which entries are too young to be trusted.
    os.utime(copy, ns=(status.st_atime_ns, status.st_mtime_ns))
    return copy


def _names(directory: str, *arguments: str, index: str = "") -> set[str]:
    answer = ask(directory, *arguments, index=index)
    if answer is None or answer.returncode != 0:
        reason = answer.stderr.decode(errors="replace").strip() if answer else "git is missing"
        raise GitError(f"git could not compare: {reason}")
    return {os.fsdecode(name).rstrip("/") for name in answer.stdout.split(b"\0") if name}


class GitSnapshot:
    """The files of one commit, or of the index, below a directory; nothing is checked out."""

    def __init__(self, directory: str, commit: str, prefix: str) -> None:
        """Open a commit; paths are relative to `prefix`. An empty commit means the index."""
        self._directory = directory
        self._commit = commit
        self._prefix = prefix
        self._texts: dict[str, Text] = {}

    def entries(self, directory: str) -> Mapping[str, Kind]:
        """Return the names in a directory in code-point order; raises UnreadableError."""
        found = self._listing[0].get(directory)
        if found is None:
            raise UnreadableError(directory, "no such directory in that commit")
        return dict(sorted(found.items()))

    def kind(self, path: str) -> Kind | None:
        """Tell what stands at a path."""
        if path in self._listing[0]:
            return Kind.DIRECTORY
        return self._listing[0].get(paths.parent(path), {}).get(paths.name_of(path))

    def text(self, path: str) -> Text:
        """Return the text of a file, which is read when it is first looked at."""
        if path not in self._texts:
            self._texts[path] = Text(path, self.read)
        return self._texts[path]

    def recall(self, name: str, packing: Packs[T], find: Callable[[], T]) -> T:  # noqa: ARG002
        """Find something out: of commits nothing is remembered."""
        return find()

    def read(self, path: str) -> bytes:
        """Return the bytes of a file; raises UnreadableError."""
        blob = self._listing[1].get(path)
        if blob is None:
            raise UnreadableError(path, "no such file in that commit")
        return self._objects.read(path, blob)

    def pieces(self, path: str, length: int) -> Iterator[bytes]:
        """Yield the bytes of a file of any size piece by piece; raises UnreadableError."""
        blob = self._listing[1].get(path)
        if blob is None:
            raise UnreadableError(path, "no such file in that commit")
        return self._objects.pieces(path, blob, length)

    @cached_property
    def _objects(self) -> _Objects:
        return _Objects(self._directory)

    @cached_property
    def _listing(self) -> tuple[dict[str, dict[str, Kind]], dict[str, bytes]]:
        """List the whole tree once: names by directory, and the object of each file."""
        directories: dict[str, dict[str, Kind]] = {paths.ROOT: {}}
        blobs: dict[str, bytes] = {}
        for mode, blob, path in self._rows():
            if path == paths.ROOT or paths.normalise(path) != path:
                where = self._commit[:12] or "the index"
                hint = "Its trees are damaged; 'git fsck' tells where."
                raise GitError(f"{where} has a file '{path}', and no work tree can", hint=hint)
            kind = _KINDS.get(mode, Kind.FILE)
            if kind is Kind.DIRECTORY:
                directories.setdefault(path, {})
            _place(directories, path, kind)
            if kind is Kind.FILE:
                blobs[path] = blob
        return directories, blobs

    def _rows(self) -> Iterator[tuple[bytes, bytes, str]]:
        """Yield mode, object and path of every file."""
        if self._commit:
            tree = f"{self._commit}:{self._prefix}" if self._prefix else self._commit
            answer = ask(self._directory, "ls-tree", "-r", "-z", "--full-tree", tree)
        else:
            answer = ask(self._directory, "ls-files", "--stage", "-z")
        if answer is None or (answer.returncode != 0 and not self._prefix):
            raise GitError(f"git could not list the files of {self._commit[:12] or 'the index'}")
        # A commit without the directory that is looked for simply has nothing there.
        for row in answer.stdout.split(b"\0"):
            if row:
                facts, _, name = row.partition(b"\t")
                mode, *rest = facts.split(b" ")
                yield mode, rest[1] if self._commit else rest[0], os.fsdecode(name)


def _place(directories: dict[str, dict[str, Kind]], path: str, kind: Kind) -> None:
    """Enter a path into its directory, and that directory into its own."""
    while path != paths.ROOT:
        directory = paths.parent(path)
        is_known = directory in directories
        directories.setdefault(directory, {})[paths.name_of(path)] = kind
        if is_known:
            return
        path, kind = directory, Kind.DIRECTORY


class _Objects:
    """One `git cat-file --batch` that hands out the content of objects."""

    def __init__(self, directory: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603
            [*COMMAND, "-C", directory, "cat-file", "--batch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        weakref.finalize(self, _end, self._process)

    def read(self, path: str, blob: bytes) -> bytes:
        """Return the content of an object; raises UnreadableError, also for more than MAX_TEXT."""
        return b"".join(self.pieces(path, blob, PIECE, MAX_TEXT))

    def pieces(
        self, path: str, blob: bytes, length: int, most: int | None = None
    ) -> Iterator[bytes]:
        """Yield the content of an object, unless it is too large; raises UnreadableError."""
        source, sink = self._process.stdout, self._process.stdin
        if source is None or sink is None:
            raise UnreadableError(path, "git gave no answer")
        sink.write(blob + b"\n")
        sink.flush()
        header = source.readline().split()
        if len(header) != 3 or header[1] != b"blob":  # noqa: PLR2004
            raise UnreadableError(path, "git does not have its content (a partial clone?)")
        size = left = int(header[2])
        try:
            if most is not None and size > most:
                raise too_large(path, size)
            while piece := source.read(min(left, length)):
                left -= len(piece)
                yield piece
            if left:
                raise UnreadableError(path, "git gave only a part of its content")
        finally:  # skip what is left: the next answer comes behind it
            while piece := source.read(min(left, PIECE)):
                left -= len(piece)
            source.read(1)


def _end(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    process.wait()
