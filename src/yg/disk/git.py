"""Run git without running any program that a repository configures.

A repository may not be trustworthy. Its configuration can name programs (hooks, filters, file
system monitors, remote helpers), so every call disables them and uses only git commands that do not
pass file contents through filters. No other module starts a process.
"""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.disk.repository import find_repository
from yg.kernel.errors import YgError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.disk.repository import Repository

MOST_ENTRIES = 500  # of a directory, named on a command line
TIME_LIMIT = 30.0  # seconds; git may hang, for example on a FIFO named .gitignore

_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.sshCommand=",
    "core.pager=cat",
    "diff.external=",
    "protocol.allow=never",
)
_OPTIONS = ("--no-optional-locks", "--literal-pathspecs", "--no-pager")
# Bare repositories are only used as described in disk/repository.py.
_NO_BARE = "safe.bareRepository=explicit"
# Hooks run with variables that name a repository, which may be another one.
_MISLEADING = frozenset(
    {"GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_INDEX_FILE"}
)
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "",  # for versions without GIT_NO_LAZY_FETCH
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}


_running: set[subprocess.Popen[bytes]] = set()


class GitError(YgError):
    """A git command failed."""

    code = "git"


class GitTimeoutError(GitError):
    """git did not answer in time."""

    def __init__(self, command: str) -> None:
        super().__init__(
            f"'git {command}' did not answer within {TIME_LIMIT:.0f} seconds",
            hint="Run 'git status' to see what it is waiting for.",
        )


class Reply(Struct, frozen=True):
    """The exit code and the output of a git command."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        """The first line of the output; empty if git failed."""
        return os.fsdecode(self.out).rstrip("\n") if self.code == 0 else ""


_NO_REPOSITORY = Reply(128, b"", b"not a git repository")


def start(
    repository: Repository, *arguments: str, has_work_tree: bool = True
) -> subprocess.Popen[bytes] | None:
    """Start git at the top of a repository; None if there is no git program.

    This is the only place in the code base that starts a process.
    """
    settings = _SETTINGS if repository.is_bare else (_NO_BARE, *_SETTINGS)
    command = ["git", "-C", repository.top]
    for setting in settings:
        command += ["-c", setting]
    command += _OPTIONS
    if has_work_tree and not repository.is_bare:
        # Overrides `core.worktree`, which may point anywhere.
        command.append(f"--work-tree={repository.top}")
    try:
        process = subprocess.Popen(  # noqa: S603
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if arguments[0] != "cat-file" else subprocess.DEVNULL,
            env=_environment(repository),
            bufsize=0,
            start_new_session=True,  # a process group, to kill it with its children
        )
    except OSError:
        return None
    _running.add(process)
    return process


def _environment(repository: Repository) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in _MISLEADING}
    if repository.index_file != os.path.join(repository.git_directory, "index"):
        kept["GIT_INDEX_FILE"] = repository.index_file
    # If git rejects this repository, it must not use one in a parent directory.
    ceilings = (os.path.dirname(repository.top), kept.get("GIT_CEILING_DIRECTORIES", ""))
    kept["GIT_CEILING_DIRECTORIES"] = os.pathsep.join(filter(None, ceilings))
    return {**kept, **_ENVIRONMENT}


def stop(process: subprocess.Popen[bytes]) -> None:
    """Kill git and its children."""
    _kill(process)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            try:
                pipe.close()
            except BrokenPipeError:
                pass  # no data was pending
    process.wait()
    _running.discard(process)


def stop_all() -> None:
    """Kill all git processes that are still running, before the program exits."""
    for process in tuple(_running):
        _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # it has just exited


def ask(
    directory: str, *arguments: str, given: bytes = b"", has_work_tree: bool = True
) -> Reply | None:
    """Run git at the top of the repository that contains a directory.

    Returns None if there is no git program; raises GitTimeoutError if git hangs.
    """
    repository = find_repository(directory)
    if repository is None:
        return _NO_REPOSITORY
    process = start(repository, *arguments, has_work_tree=has_work_tree)
    if process is None:
        return None
    try:
        out, err = process.communicate(given, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        raise GitTimeoutError(arguments[0]) from None
    finally:
        stop(process)
    return Reply(process.returncode, out, err)


def commit_of(directory: str, revision: str) -> str:
    """Resolve a revision to a commit id; raise GitError with the reason if it fails."""
    wanted = f"{revision}^{{commit}}"
    found = ask(directory, "rev-parse", "--verify", "--quiet", "--end-of-options", wanted)
    if found is None:
        raise GitError("git is not installed", hint="Reading a commit needs the git program.")
    if found.code == 0:
        _require_own_work_tree(directory)
        return found.text
    raise _revision_error(directory, revision)


def head_commit(directory: str) -> str:
    """Return the current commit of the repository of a directory; empty if there is none."""
    return _output(directory, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")


def _require_own_work_tree(directory: str) -> None:
    """Raise GitError if `core.worktree` points to another directory."""
    repository = find_repository(directory)
    if repository is None or repository.is_bare:
        return
    configured = _output(directory, "rev-parse", "--show-toplevel", has_work_tree=False)
    if configured and os.path.realpath(configured) != repository.top:
        raise GitError(
            "the files of this git repository are configured to be in another directory",
            hint="'git config core.worktree' shows where; yg reads no files from there.",
        )


def _output(directory: str, *arguments: str, has_work_tree: bool = True) -> str:
    """Return the output of git; empty if it fails."""
    reply = ask(directory, *arguments, has_work_tree=has_work_tree)
    return reply.text if reply else ""


def _revision_error(directory: str, revision: str) -> GitError:
    looked = ask(directory, "rev-parse", "--git-dir")
    if looked is not None and b"dubious ownership" in looked.err:
        hint = "Run 'git status' there to see how to trust it (safe.directory)."
        return GitError("git does not trust this repository: somebody else owns it", hint=hint)
    if looked is None or looked.code != 0:
        hint = "Run it inside one, or without a revision."
        return GitError("this is not a git repository", hint=hint)
    if not _output(directory, "rev-list", "--all", "--max-count=1"):
        return GitError("this git repository has no commits yet", hint="Commit something first.")
    if _output(directory, "rev-parse", "--is-shallow-repository") == "true":
        hint = "This clone is shallow; 'git fetch --unshallow' fetches the rest of the history."
        return GitError(f"there is no revision '{revision}' here", hint=hint)
    return GitError(f"there is no revision '{revision}'", hint="'git log' lists the commits.")


class Listing(Struct, frozen=True):
    """Paths that a git command listed."""

    reply: Reply
    prefix: str  # of the directory in its repository

    def names(self) -> list[str]:
        """Return the paths below the directory, relative to it."""
        return below(self.prefix, self.reply.out.split(b"\0"))


def names_below(directory: str, *arguments: str, without: str = "") -> Listing | None:
    """Run a git command that lists paths with `-z`, limited to those below a directory.

    The entry `without` of the directory is left out. Returns None if there is no repository, or if
    git fails.
    """
    repository = find_repository(directory)
    if repository is None or repository.is_bare:
        return None
    prefix = repository.prefix
    inside = _entries_but(directory, prefix, without) if without else []
    wanted = inside or filter(None, [prefix])
    reply = ask(directory, *arguments, "--", *wanted)
    if reply is None or reply.code != 0:
        return None
    return Listing(reply, prefix)


def _entries_but(directory: str, prefix: str, without: str) -> list[str]:
    """Return the paths of the entries of a directory except one; none if there are too many.

    git walks a directory that a pathspec excludes, but not one that no pathspec names.
    """
    try:
        names = os.listdir(directory)
    except OSError:
        return []
    wanted = sorted({*names} - {without, ".git"})
    start = f"{prefix}/" if prefix else ""
    return [start + name for name in wanted] if len(wanted) <= MOST_ENTRIES else []


def below(prefix: str, names: Sequence[bytes]) -> list[str]:
    """Return the names inside a prefix, relative to it."""
    start = f"{prefix}/" if prefix else ""
    decoded = (os.fsdecode(name) for name in names if name)
    return [name.removeprefix(start) for name in decoded if name.startswith(start)]
