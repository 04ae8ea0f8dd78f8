"""Run git without running any program that a repository configures.

A repository may not be trustworthy. Its configuration can name programs (hooks, filters, file
system monitors, remote helpers), so every call disables them and uses only git commands that do not
pass file contents through filters. It can also name files anywhere with attributes and patterns to
ignore; only those of the user's own configuration are used. Time and memory are limited.

Only `disk/shell.py` starts processes besides this module: the commands of `yg verify`.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.disk.git import groups, timeouts
from yg_old.disk.git.config import may_name_files
from yg_old.disk.git.repository import find_repository
from yg_old.kernel.errors import YgError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from yg_old.disk.git.repository import Repository

MOST_ENTRIES = 500  # of a directory, named on a command line
TIME_LIMIT = 30.0  # seconds; git may hang, for example on a FIFO named .gitignore
MEMORY_LIMIT = 1_000_000_000  # bytes that git may allocate; a small pack can unpack to far more

_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.sshCommand=",
    "core.pager=cat",
    "diff.external=",
    "protocol.allow=never",
)
_OPTIONS = ("--no-optional-locks", "--literal-pathspecs", "--no-pager")
# Bare repositories are only used as described in disk/git/repository.py.
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


# Files outside that git reads, and the names of those that it reads if nothing is configured.
_USER_FILES = {"core.attributesfile": "attributes", "core.excludesfile": "ignore"}
_OF_REPOSITORY = (b"local", b"worktree")  # scopes of settings
_BRANCH = re.compile(r"\w[\w./-]*")
_HASH = re.compile(r"[0-9a-f]{7,}")
_OUT_OF_MEMORY = (b"ut of memory", b"Cannot allocate memory")

_running: set[subprocess.Popen[bytes]] = set()


class GitError(YgError):
    """A git command failed."""

    code = "git"


class NoCommitsError(GitError):
    """There is no git, no repository, or no commit yet."""


class GitLimitError(GitError):
    """git took too much time or memory."""


class GitTimeoutError(GitLimitError):
    """git did not answer in time; in this command it is not asked again."""

    def __init__(self, command: str) -> None:
        super().__init__(
            f"'git {command}' did not answer within {TIME_LIMIT:.0f} seconds",
            hint="Run 'git status' to see what it is waiting for.",
        )


def timed_out(command: str) -> GitTimeoutError:
    """Note that git did not answer a command in time, and return the error to raise."""
    timeouts.note(command)
    return GitTimeoutError(command)


class GitMemoryError(GitLimitError):
    """git needs more memory than it may have."""

    def __init__(self, command: str) -> None:
        super().__init__(
            f"'git {command}' needs more than {MEMORY_LIMIT / 1e9:.1g} GB of memory",
            hint="Run 'git fsck' to find an object of unusual size.",
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

    Raises GitTimeoutError if git has timed out in this command before.
    """
    if command := timeouts.noted():
        raise GitTimeoutError(command)
    settings = _user_files(repository) if may_name_files(repository) else ()
    return _started(repository, settings, arguments, has_work_tree=has_work_tree)


def _started(
    repository: Repository,
    settings: Sequence[str],
    arguments: Sequence[str],
    *,
    has_work_tree: bool = True,
) -> subprocess.Popen[bytes] | None:
    """Start git with some more settings. This is the only place that does so."""
    bare = () if repository.is_bare else (_NO_BARE,)
    command = ["git", "-C", repository.top]
    for setting in (*bare, *_SETTINGS, *settings):
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
            stderr=subprocess.PIPE,
            env=_environment(repository),
            bufsize=0,
            start_new_session=not groups.is_shared(),  # to kill it with its children
        )
    except OSError:
        return None
    _running.add(process)
    _limit_memory(process.pid)
    return process


def _limit_memory(process: int) -> None:
    """Limit what a process that has just been started may allocate, if the system can do that.

    What it maps of files, such as packs, does not count. A `preexec_fn` would do it before the
    process starts, but makes each start twice as slow and is not safe with threads.
    """
    if hasattr(resource, "prlimit"):  # Linux
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        if most == resource.RLIM_INFINITY or most > MEMORY_LIMIT:
            with suppress(OSError):  # it has ended already, or a sandbox forbids it
                resource.prlimit(process, resource.RLIMIT_DATA, (MEMORY_LIMIT, MEMORY_LIMIT))


def _user_files(repository: Repository) -> list[str]:
    """Return settings that name the user's files of attributes and of patterns to ignore.

    They replace those that the configuration of the repository names.
    """
    values = {key: _user_file(name) for key, name in _USER_FILES.items()}
    asked = ("config", "--show-scope", "-z", "--get-regexp", "^core[.](attributes|excludes)file$")
    process = _started(repository, (), asked)
    reply = None if process is None else _reply(process, asked[0], b"")
    fields = reply.out.split(b"\0") if reply else []
    for scope, setting in zip(fields[::2], fields[1::2], strict=False):
        key, _, value = setting.partition(b"\n")
        if scope not in _OF_REPOSITORY:
            values[os.fsdecode(key)] = os.fsdecode(value)
    return [f"{key}={value}" for key, value in values.items()]


def _user_file(name: str) -> str:
    """Return the file that git reads if the user configures none; empty without a home."""
    home = os.environ.get("HOME")
    folder = os.environ.get("XDG_CONFIG_HOME") or (f"{home}/.config" if home else "")
    return f"{folder}/git/{name}" if folder else ""


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
            (os.kill if groups.is_shared() else os.killpg)(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # it has just exited


def ask(
    directory: str, *arguments: str, given: bytes = b"", has_work_tree: bool = True
) -> Reply | None:
    """Run git at the top of the repository that contains a directory.

    Returns None if there is no git program. Raises GitLimitError if git takes too much time or
    memory, or did not answer in time before in this command.
    """
    repository = find_repository(directory)
    if repository is None:
        return _NO_REPOSITORY
    process = start(repository, *arguments, has_work_tree=has_work_tree)
    return None if process is None else _reply(process, arguments[0], given)


@contextmanager
def begun(repository: Repository, *arguments: str) -> Iterator[Callable[[], Reply | None]]:
    """Start git, and provide the function that waits for its reply; else git is killed at the end.

    The function returns None if there is no git program.
    """
    process = start(repository, *arguments)
    try:
        yield lambda: None if process is None else _reply(process, arguments[0], b"")
    finally:
        if process is not None:
            stop(process)


def _reply(process: subprocess.Popen[bytes], command: str, given: bytes) -> Reply:
    """Wait for the end of a process that was started for a command."""
    try:
        out, err = process.communicate(given, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        raise timed_out(command) from None
    finally:
        stop(process)
    if process.returncode != 0 and is_out_of_memory(err):
        raise GitMemoryError(command)
    return Reply(process.returncode, out, err)


def is_out_of_memory(messages: bytes) -> bool:
    """Return whether git said that it could not get memory."""
    return any(said in messages for said in _OUT_OF_MEMORY)


def commit_of(directory: str, revision: str) -> str:
    """Resolve a revision to a commit id; raise GitError with the reason if it fails."""
    wanted = f"{revision}^{{commit}}"
    found = ask(directory, "rev-parse", "--verify", "--quiet", "--end-of-options", wanted)
    if found is None:
        hint = "Reading a commit needs the git program."
        raise NoCommitsError("git is not installed", hint=hint)
    if found.code == 0:
        _require_own_work_tree(directory)
        return found.text
    raise _revision_error(directory, revision)


def base_of(directory: str, revision: str) -> str:
    """Return the last commit that a revision and HEAD have in common; raise GitError without one.

    A revision or a history that a shallow clone does not have is never replaced by another one.
    """
    found = ask(directory, "merge-base", commit_of(directory, revision), "HEAD")
    if found is not None and found.text:
        return found.text
    if _is_shallow(directory):
        raise GitError(
            f"this clone does not have the last common commit of '{revision}' and HEAD",
            hint=f"It is shallow; {_fetch(directory)} fetches the rest of the history.",
        )
    raise GitError(
        f"'{revision}' and HEAD have no commit in common", hint="'git log' lists the commits."
    )


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
        return NoCommitsError("this is not a git repository", hint=hint)
    if not _output(directory, "rev-list", "--all", "--max-count=1"):
        hint = "Commit something first."
        return NoCommitsError("this git repository has no commits yet", hint=hint)
    if _is_shallow(directory):
        hint = f"This clone is shallow; {_fetch(directory, revision)} fetches "
        hint += "the rest of the history."
        return GitError(f"there is no revision '{revision}' here", hint=hint)
    return GitError(f"there is no revision '{revision}'", hint="'git log' lists the commits.")


def _is_shallow(directory: str) -> bool:
    return _output(directory, "rev-parse", "--is-shallow-repository") == "true"


def _fetch(directory: str, revision: str = "") -> str:
    """Return the command that fetches the whole history, with a branch that is not here."""
    remotes = _output(directory, "remote").split("\n")
    remote = "origin" if "origin" in remotes else remotes[0]
    whole = "git fetch --unshallow"
    if not remote or not _BRANCH.fullmatch(revision) or _HASH.fullmatch(revision):
        return f"'{whole}'"
    branch = revision.removeprefix(f"{remote}/")
    target = revision if branch == revision else f"refs/remotes/{revision}"
    return f"'{whole} {remote} {branch}:{target}'"


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
    inside = entries_but(directory, prefix, without) if without else []
    wanted = inside or filter(None, [prefix])
    reply = ask(directory, *arguments, "--", *wanted)
    if reply is None or reply.code != 0:
        return None
    return Listing(reply, prefix)


def entries_but(directory: str, prefix: str, without: str) -> list[str]:
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
