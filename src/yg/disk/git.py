"""Run git without running any program that a repository configures.

A repository may not be trustworthy. Its configuration can name programs (hooks, filters, file
system monitors, remote helpers) and files anywhere. So every call uses plumbing commands only,
disables programs and files of the configuration, and is limited in time, memory and output. What
git prints to standard error may quote files, so it is never shown.
"""

from __future__ import annotations

import os
import resource
import signal
import time
import weakref
from select import POLLIN, poll
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from yg.kernel.errors import YgError

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping, Sequence

TIME_LIMIT = 30.0  # seconds; git may hang, for example on a FIFO named .gitignore
MEMORY_LIMIT = 1_000_000_000  # bytes that git may allocate; a small pack can unpack to far more
OUTPUT_LIMIT = 500_000_000  # bytes; a few small trees can list as billions of files

Command = Literal[
    "rev-parse",
    "merge-base",
    "rev-list",
    "log",
    "diff-tree",
    "diff-index",
    "ls-files",
    "ls-tree",
    "cat-file",
    "config",
]
_COMPARING = ("log", "diff-tree", "diff-index")
_SETTINGS = (
    "safe.bareRepository=explicit",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "protocol.allow=never",
    "core.sshCommand=",
    "diff.external=",
    "core.pager=cat",
    "log.showSignature=false",
    "blame.ignoreRevsFile=",
    "diff.orderFile=",
    "mailmap.file=",
    "core.attributesFile=",
)
_OPTIONS = ("--no-optional-locks", "--literal-pathspecs", "--no-pager")
# A hook runs with variables that describe its own repository, which may be another one.
_INHERITED = (
    *("GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS"),
    *("GIT_DIR", "GIT_GRAFT_FILE", "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY"),
    *("GIT_PREFIX", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE"),
)
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "",  # for versions without GIT_NO_LAZY_FETCH
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
_OUT_OF_MEMORY = (b"ut of memory", b"annot allocate memory")
_PIECE = 1 << 16


class GitError(YgError):
    """A git command failed."""

    code = "git"


class GitLimitError(GitError):
    """git took too much time or memory, or printed too much."""


class Reply(Struct, frozen=True):
    """The exit code and the output of a git command."""

    code: int
    out: bytes
    has_messages: bool  # it printed something to standard error

    @property
    def text(self) -> str:
        """The output without the last line break; empty if git failed."""
        return os.fsdecode(self.out).rstrip("\n") if self.code == 0 else ""


def start(
    top: str,
    git_directory: str,
    overrides: Mapping[str, str],
    command: Command,
    arguments: Sequence[str],
) -> GitProcess:
    """Start git at the top of a work tree, with some more settings. Nothing else starts git.

    Without a git directory, git runs outside of any repository.
    """
    import subprocess

    words = ["git", "-C", top]
    for setting in _SETTINGS:
        words += ("-c", setting)
    # Without a work tree given, `core.worktree` may name any directory.
    words += (*_OPTIONS, f"--work-tree={top}" if git_directory else f"--git-dir={os.devnull}")
    words += (command, *(("--no-ext-diff", "--no-textconv") if command in _COMPARING else ()))
    try:
        process = subprocess.Popen(  # noqa: S603
            [*words, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(top, git_directory, overrides),
            bufsize=0,
            start_new_session=True,  # to kill it with its children
        )
    except OSError as error:
        hint = "Reading a commit needs the git program."
        raise GitError("git is not installed", hint=hint) from error
    _limit_memory(process.pid)
    return GitProcess(process, command)


def _environment(top: str, git_directory: str, overrides: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _INHERITED}
    index = os.environ.get("GIT_INDEX_FILE", "")  # git names it while it makes a commit
    inside = os.path.join(os.path.realpath(git_directory), "")
    if git_directory and os.path.isabs(index) and os.path.realpath(index).startswith(inside):
        kept["GIT_INDEX_FILE"] = index
    # If git rejects this repository, it must not use one in a directory above.
    ceilings = (os.path.dirname(top), kept.get("GIT_CEILING_DIRECTORIES", ""))
    kept["GIT_CEILING_DIRECTORIES"] = os.pathsep.join(filter(None, ceilings))
    # On the command line, a name with '=' would be read as another name.
    given = kept.get("GIT_CONFIG_COUNT", "")
    count = int(given) if given.isdecimal() else 0
    for number, (key, value) in enumerate(overrides.items(), count):
        kept |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    kept["GIT_CONFIG_COUNT"] = str(count + len(overrides))
    return kept | _ENVIRONMENT


def _limit_memory(process: int) -> None:
    """Limit what a process that has just been started may allocate, if the system can do that.

    What it maps of files, such as packs, does not count. A `preexec_fn` would do it before the
    process starts, but makes each start twice as slow and is not safe with threads.
    """
    if not hasattr(resource, "prlimit"):  # only Linux has it
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    if most == resource.RLIM_INFINITY or most > MEMORY_LIMIT:
        try:
            resource.prlimit(process, resource.RLIMIT_DATA, (MEMORY_LIMIT, MEMORY_LIMIT))
        except OSError:
            pass  # it has ended already, or a sandbox forbids it


class GitProcess:
    """A git process, whose output is read within the limits; each request has its own time."""

    def __init__(self, process: subprocess.Popen[bytes], command: str) -> None:
        self._process = process
        self._command = command
        self.stop = weakref.finalize(self, _stop, process)
        self._deadline = time.monotonic() + TIME_LIMIT
        self._rest = b""  # output that was read too early
        self._messages = b""  # the beginning of its standard error
        self._source, self._errors = (
            pipe.fileno() for pipe in (process.stdout, process.stderr) if pipe is not None
        )
        self._poll = poll()
        self._poll.register(self._source, POLLIN)
        self._poll.register(self._errors, POLLIN)
        self._has_errors = True  # its standard error is still open

    def send(self, request: bytes) -> None:
        """Write a short request to its standard input."""
        self._deadline = time.monotonic() + TIME_LIMIT
        if self._process.stdin is not None:
            try:
                self._process.stdin.write(request)
            except BrokenPipeError:
                pass  # it has ended, and so has its output

    def line(self) -> bytes:
        """Return the next line, without its end; empty at the end of the output."""
        while b"\n" not in self._rest:
            piece = self._piece()
            if not piece:
                return b""
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def take(self, length: int) -> bytes:
        """Return this many bytes, or fewer at the end of the output."""
        pieces = [self._rest]
        missing = length - len(self._rest)
        while missing > 0 and (piece := self._piece()):
            pieces.append(piece)
            missing -= len(piece)
        whole = b"".join(pieces)
        self._rest = whole[length:]
        return whole[:length]

    def reply(self) -> Reply:
        """Wait for its end and return all of its output."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        out = self.take(OUTPUT_LIMIT + 1)
        if len(out) > OUTPUT_LIMIT:
            self.stop()
            message = f"'git {self._command}' prints more than {OUTPUT_LIMIT // 1_000_000} MB"
            raise GitLimitError(message, hint="Run 'git fsck' to look for damage.")
        code = self.end()
        return Reply(code, out, bool(self._messages))

    def end(self) -> int:
        """Wait for its end after its output, and return the exit code.

        Raises GitLimitError if git could not get memory.
        """
        self._poll.unregister(self._source)
        while self._has_errors:
            self._wait()
        from subprocess import TimeoutExpired

        try:
            code = self._process.wait(max(0.0, self._deadline - time.monotonic()))
        except TimeoutExpired:
            raise self._timed_out() from None
        finally:
            self.stop()
        if code != 0 and any(said in self._messages for said in _OUT_OF_MEMORY):
            raise GitLimitError(
                f"'git {self._command}' needs more than {MEMORY_LIMIT / 1e9:.1g} GB of memory",
                hint="Run 'git fsck' to find an object of unusual size.",
            )
        return code

    def _piece(self) -> bytes:
        """Return the next bytes of the output; empty at its end."""
        while self._source not in self._wait():
            pass
        return os.read(self._source, _PIECE)

    def _wait(self) -> dict[int, int]:
        """Wait until a pipe has something, and read what comes from standard error."""
        left = max(0.0, self._deadline - time.monotonic())
        ready = dict(self._poll.poll(left * 1000))
        if not ready:
            self.stop()
            raise self._timed_out()
        if self._errors in ready:
            found = os.read(self._errors, _PIECE)
            self._messages = (self._messages + found)[:_PIECE]
            if not found:
                self._has_errors = False
                self._poll.unregister(self._errors)
        return ready

    def _timed_out(self) -> GitLimitError:
        return GitLimitError(
            f"'git {self._command}' did not answer within {TIME_LIMIT:.0f} seconds",
            hint="Run 'git status' to see what it is waiting for.",
        )


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Kill git and its children."""
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # it has just ended
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
    process.wait()
