"""Find the git repository of a directory, and decide whether to trust it.

A clone cannot contain a `.git` entry, but an archive or a shared directory can, and it may lead to
another repository of the user. git itself leads out of a work tree only in three ways: linked work
trees, which name each other; submodules, whose `core.worktree` leads back; and separate git
directories, which are neither bare nor the `.git` of another directory. Everything else that leads
out is refused: the repository then counts as a directory without git, and the error says why.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.disk.git import GitError, GitLimitError, Reply, start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.disk.git import Command, GitProcess

_ENTRY = ".git"
_LONGEST = 65_536  # bytes of a file in a git directory that is read here
_LINK = "gitdir: "
_CHECKED = ("", "info", "refs", "refs/heads", "objects", "objects/info", "objects/pack")
_FALSE = ("false", "no", "off", "0")
_OWN_SCOPES = ("system", "global", "command")  # of settings: those of the user
_KEYS = r"^(core\.(bare|worktree|excludesfile)|filter\..*\.(clean|process|required|smudge))$"


class UntrustedError(GitError):
    """There is a repository, but git is not used in it."""


class NoCommitsError(GitError):
    """There is no repository, or no commit yet."""


class Repository:
    """A git repository with a work tree, as seen from a directory in it."""

    def __init__(self, top: str, git_directory: str, prefix: str, *, is_linked: bool) -> None:
        self.top = top
        self.git_directory = git_directory
        self.prefix = prefix  # the directory, relative to the top; empty for the top itself
        self.is_linked = is_linked  # a linked work tree, which has a git directory of its own
        self._failure: GitLimitError | None = None

    def start(self, command: Command, *arguments: str) -> GitProcess:
        """Start a git command at the top of the work tree.

        Raises GitError. If git has timed out before, it is not asked again.
        """
        if self._failure is not None:
            raise self._failure
        return start(self.top, self.git_directory, self._overrides, command, arguments)

    def run(self, command: Command, *arguments: str) -> Reply:
        """Run a git command and return its reply; raises GitError."""
        process = self.start(command, *arguments)
        try:
            return process.reply()
        except GitLimitError as error:
            self._failure = error
            raise

    @cached_property
    def _overrides(self) -> dict[str, str]:
        """The settings that replace those of the repository: no filters, and the user's excludes.

        Filters are programs, and each one has to be named to be disabled.
        """
        found = {"core.excludesFile": _excludes_file()}
        for setting in self.settings:
            if setting.key == "core.excludesfile" and setting.scope in _OWN_SCOPES:
                found["core.excludesFile"] = setting.value
            elif setting.key.startswith("filter."):
                name = setting.key.rpartition(".")[0]
                found |= dict.fromkeys((f"{name}.clean", f"{name}.process", f"{name}.smudge"), "")
                found[f"{name}.required"] = "false"
        return found

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """The settings of the user and of the repository that matter here; raises GitError."""
        arguments = ("--show-scope", "-z", "--get-regexp", _KEYS)
        reply = start(self.top, self.git_directory, {}, "config", arguments).reply()
        if reply.code not in (0, 1):  # 1: there are none
            raise UntrustedError("git cannot read the configuration of this repository")
        fields = os.fsdecode(reply.out).split("\0")
        rows = zip(fields[::2], fields[1::2], strict=False)
        return tuple(Setting(scope, *setting.partition("\n")[::2]) for scope, setting in rows)


class Setting(Struct, frozen=True):
    """One value of the configuration, and where it comes from."""

    scope: str
    key: str
    value: str


def find_repository(directory: str) -> Repository | None:
    """Return the repository that a directory belongs to; None if there is none.

    Raises UntrustedError if git is not used there. Only a `.git` entry makes a repository: a clone
    can contain a directory that looks like a bare one.
    """
    start_ = os.path.realpath(directory)
    top = work_tree_top(start_)
    if not top:
        return None
    git_directory = git_directory_of(top)
    if not git_directory:
        raise UntrustedError("the .git file of this work tree leads to no git directory")
    common = _common_directory(git_directory)
    allowed = tuple(os.path.join(place, "") for place in (top, git_directory, common))
    for place in dict.fromkeys((git_directory, common)):
        _require_no_links(place, allowed)
    _require_no_alternates(common)
    if not all(is_trusted(place, top) for place in (top, git_directory)):
        hint = "Run 'git status' there to see how to trust it (safe.directory)."
        raise UntrustedError("git does not trust this repository: somebody else owns it", hint=hint)
    prefix = os.path.relpath(start_, top)
    found = Repository(
        top, git_directory, "" if prefix == "." else prefix, is_linked=common != git_directory
    )
    _require_own_work_tree(found)
    return found


def require_repository(directory: str) -> Repository:
    """Return the repository that a directory belongs to; raises GitError if there is none."""
    found = find_repository(directory)
    if found is None:
        hint = "Run it inside one, or without a revision."
        raise NoCommitsError("this is not a git repository", hint=hint)
    return found


def upwards(place: str) -> Iterator[str]:
    """Yield a directory and all directories above it."""
    yield place
    while (above := os.path.dirname(place)) != place:
        yield above
        place = above


def work_tree_top(directory: str) -> str:
    """Return the top of the git work tree of a directory without links; empty if there is none."""
    for place in upwards(directory):
        entry = os.path.join(place, _ENTRY)
        if _is_git_directory(entry) or _text(entry).startswith(_LINK):
            return place
    return ""


def is_trusted(path: str, top: str) -> bool:
    """Return whether the user owns a path, or their own `safe.directory` names the directory."""
    return os.stat(path).st_uid == os.geteuid() or _is_safe(top)


def _is_safe(top: str) -> bool:
    try:
        reply = start("/", "", {}, "config", ("-z", "--get-all", "safe.directory")).reply()
    except GitError:
        return False  # without git there is nobody to ask
    is_safe = False
    for value in os.fsdecode(reply.out).split("\0")[:-1]:
        place = os.path.expanduser(value)
        is_above = place.endswith("/*") and top.startswith(place[:-1])
        # An empty value revokes all before it.
        is_safe = value != "" and (is_safe or value == "*" or place == top or is_above)
    return is_safe


def _excludes_file() -> str:
    """Return the file that git reads if the user configures none; empty without a home."""
    home = os.environ.get("HOME")
    folder = os.environ.get("XDG_CONFIG_HOME") or (f"{home}/.config" if home else "")
    return f"{folder}/git/ignore" if folder else ""


# The git directory.


def git_directory_of(top: str) -> str:
    """Return the git directory of a work tree; empty if its `.git` file leads nowhere.

    Raises UntrustedError if it is that of another work tree.
    """
    entry = os.path.join(top, _ENTRY)
    content = _text(entry)
    link = content.removeprefix(_LINK).rstrip("\r\n") if content else _ENTRY
    place = os.path.realpath(os.path.join(top, link))
    if not _is_git_directory(place):
        return ""
    if place.startswith(os.path.join(top, "")):
        return place
    back = _text(os.path.join(place, "gitdir")).rstrip("\r\n")
    is_back = bool(back) and os.path.realpath(os.path.join(place, back)) == os.path.realpath(entry)
    # One called `.git` is that of the directory it is in.
    is_separate = not back and os.path.basename(place) != _ENTRY
    if os.path.islink(entry) or not (is_back or is_separate):
        raise _of_another()
    return place


def _common_directory(git_directory: str) -> str:
    """Return what a linked work tree shares with the main one, or the git directory itself."""
    named = _text(os.path.join(git_directory, "commondir")).rstrip("\r\n")
    if not named:
        return git_directory
    common = os.path.realpath(os.path.join(git_directory, named))
    if git_directory != os.path.join(common, "worktrees", os.path.basename(git_directory)):
        raise _of_another()
    return common


def _require_no_links(place: str, allowed: tuple[str, ...]) -> None:
    for name in _CHECKED:
        directory = os.path.join(place, name)
        if not os.path.isdir(directory):
            continue
        with os.scandir(directory) as entries:
            for entry in entries:
                target = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
                if not f"{target}/".startswith(allowed):
                    message = "git is not used here: a link in its git directory leads out of it"
                    hint = f"The link is '{os.path.join(name, entry.name)}'."
                    raise UntrustedError(message, hint=hint)


def _require_no_alternates(common: str) -> None:
    alternates = os.path.join(common, "objects", "info", "alternates")
    if os.path.lexists(alternates) and (
        _text(alternates).strip() or not os.path.isfile(alternates)
    ):
        raise UntrustedError(
            "git is not used here: the repository has its objects in another one",
            hint="So does a clone made with --shared or --reference; clone it without them.",
        )


def _require_own_work_tree(repository: Repository) -> None:
    """Raise UntrustedError if the configuration names another work tree, or none."""
    # A linked work tree ignores what the main one configures for itself.
    scopes = ("worktree",) if repository.is_linked else ("local", "worktree")
    for setting in repository.settings:
        if setting.scope not in scopes:
            continue
        if setting.key == "core.worktree":
            place = os.path.join(repository.git_directory, setting.value)
            if os.path.realpath(place) != repository.top:
                raise UntrustedError(
                    "the files of this git repository are configured to be in another directory",
                    hint="'git config core.worktree' shows where; yg reads no files from there.",
                )
        is_outside = not repository.git_directory.startswith(os.path.join(repository.top, ""))
        is_bare = setting.key == "core.bare" and setting.value.lower() not in _FALSE
        if is_bare and is_outside:
            raise _of_another()


def _of_another() -> UntrustedError:
    message = "git is not used here: the .git entry leads to the git directory of another work tree"
    return UntrustedError(message, hint="Clone the repository again, or replace the entry.")


def _is_git_directory(place: str) -> bool:
    if not os.path.lexists(os.path.join(place, "HEAD")):
        return False
    if os.path.isfile(os.path.join(place, "commondir")):  # of a linked work tree
        return True
    return all(os.path.isdir(os.path.join(place, name)) for name in ("objects", "refs"))


def _text(path: str) -> str:
    """Return the text of a small regular file; empty if there is none."""
    try:
        if not os.path.isfile(path):
            return ""
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            content = file.read(_LONGEST)
    except (OSError, ValueError):
        return ""
    return "" if b"\0" in content else os.fsdecode(content)
