"""Run git: the only module that starts a process, so that nothing a repository configures runs.

A repository may come from a stranger. Its configuration can name programs (hooks, filters, file
system monitors, remote helpers), so every call switches them off, and git is only asked questions
that it answers without reading file contents through a filter.
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

TIME_LIMIT = 30.0  # seconds until git is taken to hang, for example on a FIFO named .gitignore

_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.sshCommand=",
    "core.pager=cat",
    "diff.external=",
    "protocol.allow=never",
)
_OPTIONS = ("--no-optional-locks", "--literal-pathspecs", "--no-pager")
# A bare repository is only read when it was found on purpose: see disk/repository.py.
_NO_BARE = "safe.bareRepository=explicit"
# Hooks run with variables that name a repository; another directory's would mislead.
_MISLEADING = frozenset(
    {"GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_INDEX_FILE"}
)
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "",  # older versions know nothing of GIT_NO_LAZY_FETCH
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}


_running: set[subprocess.Popen[bytes]] = set()


class GitError(YgError):
    """A question that git could not answer."""

    code = "git"


class GitTimeoutError(GitError):
    """git did not answer in time."""

    def __init__(self, command: str) -> None:
        super().__init__(
            f"'git {command}' did not answer within {TIME_LIMIT:.0f} seconds",
            hint="Run 'git status' to see what it waits for.",
        )


class Reply(Struct, frozen=True):
    """How a call of git ended."""

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
        # Overrides `core.worktree`, which may lead anywhere.
        command.append(f"--work-tree={repository.top}")
    try:
        process = subprocess.Popen(  # noqa: S603
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if arguments[0] != "cat-file" else subprocess.DEVNULL,
            env=_environment(repository),
            bufsize=0,
            start_new_session=True,  # a group of its own, to be ended with all its children
        )
    except OSError:
        return None
    _running.add(process)
    return process


def _environment(repository: Repository) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in _MISLEADING}
    if repository.index_file != os.path.join(repository.git_directory, "index"):
        kept["GIT_INDEX_FILE"] = repository.index_file
    # If git rejects the repository found here, it must not adopt another one further up.
    ceilings = (os.path.dirname(repository.top), kept.get("GIT_CEILING_DIRECTORIES", ""))
    kept["GIT_CEILING_DIRECTORIES"] = os.pathsep.join(filter(None, ceilings))
    return {**kept, **_ENVIRONMENT}


def stop(process: subprocess.Popen[bytes]) -> None:
    """End git and all its children."""
    _kill(process)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            try:
                pipe.close()
            except BrokenPipeError:
                pass  # nothing was waiting to be written
    process.wait()
    _running.discard(process)


def stop_all() -> None:
    """End every git that is still running, because nobody waits for its answer any more."""
    for process in tuple(_running):
        _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # it ended by itself in this moment


def ask(
    directory: str, *arguments: str, given: bytes = b"", has_work_tree: bool = True
) -> Reply | None:
    """Run git in the repository of a directory, seen from its top.

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
    """Return the id of the commit that a revision names, or say why there is none."""
    wanted = f"{revision}^{{commit}}"
    found = ask(directory, "rev-parse", "--verify", "--quiet", "--end-of-options", wanted)
    if found is None:
        raise GitError("git is not installed", hint="Reading a commit needs the git program.")
    if found.code == 0:
        _require_own_work_tree(directory)
        return found.text
    raise _why_not(directory, revision)


def _require_own_work_tree(directory: str) -> None:
    """Refuse a repository whose configuration says that its files are somewhere else."""
    repository = find_repository(directory)
    if repository is None or repository.is_bare:
        return
    configured = _said(directory, "rev-parse", "--show-toplevel", has_work_tree=False)
    if configured and os.path.realpath(configured) != repository.top:
        raise GitError(
            "the files of this git repository are configured to be in another directory",
            hint="'git config core.worktree' shows where; yg reads no files from there.",
        )


def _said(directory: str, *arguments: str, has_work_tree: bool = True) -> str:
    """Return what git prints; empty if it fails."""
    reply = ask(directory, *arguments, has_work_tree=has_work_tree)
    return reply.text if reply else ""


def _why_not(directory: str, revision: str) -> GitError:
    looked = ask(directory, "rev-parse", "--git-dir")
    if looked is not None and b"dubious ownership" in looked.err:
        hint = "'git status' there tells how to trust it (safe.directory)."
        return GitError("git does not trust this repository: somebody else owns it", hint=hint)
    if looked is None or looked.code != 0:
        hint = "Run it inside one, or without asking for a commit."
        return GitError("this is not a git repository", hint=hint)
    if not _said(directory, "rev-list", "--all", "--max-count=1"):
        return GitError("this git repository has no commits yet", hint="Commit something first.")
    if _said(directory, "rev-parse", "--is-shallow-repository") == "true":
        hint = "This clone is shallow; 'git fetch --unshallow' brings the rest of the history."
        return GitError(f"there is no revision '{revision}' here", hint=hint)
    return GitError(f"there is no revision '{revision}'", hint="'git log' lists the commits.")


def names_below(directory: str, *arguments: str) -> tuple[Reply, list[str]] | None:
    """Run a git command that lists paths with `-z`; return those below a directory.

    Paths are relative to the directory. Returns None if there is no repository, or if git fails.
    """
    repository = find_repository(directory)
    if repository is None or repository.is_bare:
        return None
    inside = ("--", repository.prefix) if repository.prefix else ()
    reply = ask(directory, *arguments, *inside)
    if reply is None or reply.code != 0:
        return None
    return reply, below(repository.prefix, reply.out.split(b"\0"))


def below(prefix: str, names: Sequence[bytes]) -> list[str]:
    """Return the names inside a prefix, relative to it."""
    start = f"{prefix}/" if prefix else ""
    decoded = (os.fsdecode(name) for name in names if name)
    return [name.removeprefix(start) for name in decoded if name.startswith(start)]
