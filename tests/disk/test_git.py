"""git gets little time, memory and room for its output; the files of the user still count."""

from __future__ import annotations

import os
import resource
import shutil
import sys
import time
import zlib
from hashlib import new
from pathlib import Path
from struct import pack
from subprocess import run as run_program

import pytest

from hostile import commit_all, config_text, configure, needs_shell, replace_git, sh, write
from yg.disk import git
from yg.disk.commit import CommitSnapshot, resolve_commit
from yg.disk.git import GitError, GitLimitError
from yg.disk.repository import Repository, find_repository, require_repository
from yg.disk.visible import Visible, changed_files, visible_files

needs_limit = pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux can do it")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a repository with two files."""
    commit_all(tmp_path / "root", {"src/a.py": "a = 1\n", "src/b.log": "b\n"})
    return tmp_path / "root"


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "TIME_LIMIT", 0.5)


def opened(root: Path) -> Repository:
    return require_repository(str(root))


def head(root: Path) -> str:
    return resolve_commit(opened(root), "HEAD")


# Time.


def test_the_limits_are_half_a_minute_and_one_gigabyte() -> None:
    assert (git.TIME_LIMIT, git.MEMORY_LIMIT) == (30.0, 1_000_000_000)


@pytest.mark.usefixtures("hurried")
def test_a_fifo_that_git_waits_for_stops_nobody(root: Path) -> None:
    write(root, {"src/ignored.py": "", ".gitignore": "ignored.py\n"})
    os.mkfifo(root / "src" / ".gitignore")
    found = visible_files(str(root))
    note = "'git ls-files' did not answer within 0 seconds; .gitignore files are read without it"
    assert found == Visible((".gitignore", "src/a.py", "src/b.log"), (note,))


@needs_shell
@pytest.mark.usefixtures("hurried")
def test_a_git_that_hangs_is_ended_with_its_children_and_not_asked_again(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = opened(root)
    pids = tmp_path / "pids"
    replace_git(monkeypatch, tmp_path / "bin", f"sleep 600 & echo $! $$ >> '{pids}'\nwait\n")
    for _ in range(2):
        with pytest.raises(GitLimitError, match="'git rev-parse' did not answer within"):
            resolve_commit(repository, "HEAD")
    (line,) = pids.read_text().splitlines()
    for pid in line.split():
        assert is_ended(int(pid))


def is_ended(pid: int) -> bool:
    """Wait until a process is gone, or a zombie that nobody has collected yet."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


INSTEAD = """\
for word in "$@"; do
  if [ "$word" = cat-file ]; then {what}; fi
done
exec '{git}' "$@"
"""


def instead_of_cat_file(monkeypatch: pytest.MonkeyPatch, folder: Path, what: str) -> None:
    replace_git(monkeypatch, folder, INSTEAD.format(what=what, git=shutil.which("git")))


@needs_shell
@pytest.mark.usefixtures("hurried")
def test_a_git_that_stops_in_the_middle_of_an_object_is_reported(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    what = 'read line; echo "$line blob 100"; echo begun; sleep 600'
    instead_of_cat_file(monkeypatch, tmp_path / "bin", what)
    snapshot = CommitSnapshot(opened(root), head(root))
    with pytest.raises(GitLimitError, match="'git cat-file' did not answer within"):
        snapshot.read("src/a.py")


@pytest.mark.usefixtures("hurried")
def test_a_configuration_that_is_a_fifo_is_a_time_out(root: Path) -> None:
    (root / ".git/config").unlink()
    os.mkfifo(root / ".git/config")
    with pytest.raises(GitLimitError, match="'git config' did not answer within"):
        find_repository(str(root))


# Memory and output.


# A git that takes memory until it gets no more, as its own `malloc` would report it.
GREEDY = """\
exec '{python}' -c "
import sys
try:
    taken = bytearray({size})
except MemoryError:
    sys.exit('fatal: Out of memory, malloc failed (tried to allocate {size} bytes)')
print('a' * 40)
"
"""


@needs_shell
@needs_limit
def test_git_gets_at_most_one_gigabyte(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = opened(root)
    for size in (100_000_000, 1_100_000_000):
        script = GREEDY.format(python=sys.executable, size=size)
        replace_git(monkeypatch, tmp_path / str(size), script)
        if size < git.MEMORY_LIMIT:
            assert resolve_commit(repository, "HEAD") == "a" * 40
            continue
        with pytest.raises(GitLimitError) as caught:
            resolve_commit(repository, "HEAD")
        assert caught.value.message == "'git rev-parse' needs more than 1 GB of memory"


@needs_limit
def test_a_limit_that_is_lower_already_is_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_limits: list[object] = []
    monkeypatch.setattr(resource, "prlimit", lambda *limit: set_limits.append(limit))
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (-1, 500_000_000))
    assert head(root) != ""
    assert set_limits == []
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (-1, 2_000_000_000))
    assert head(root) != ""
    assert len(set_limits) == 2


def test_a_sandbox_that_forbids_limits_forbids_nothing_else(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object) -> None:
        raise PermissionError

    monkeypatch.setattr(resource, "prlimit", refuse, raising=False)
    assert head(root) != ""
    monkeypatch.delattr(resource, "prlimit")
    assert head(root) != ""


def entry(kind: int, content: bytes, base: bytes = b"") -> bytes:
    """Return an object as it is in a pack."""
    left = len(content)
    head = bytearray([kind << 4 | left & 15])
    left >>= 4
    while left:
        head[-1] |= 128
        head.append(left & 127)
        left >>= 7
    return bytes(head) + base + zlib.compress(content, 9)


def sha1(content: bytes) -> bytes:
    """Return what git names an object by."""
    return new("sha1", content, usedforsecurity=False).digest()


def number(value: int) -> bytes:
    """Return a size as it is in a delta."""
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


def add_bomb(root: Path, size: int) -> str:
    """Add a pack of some kilobytes with an object of a given size; return the id of the object."""
    base = b"x" * 0xFFFF
    copies, rest = divmod(size, len(base))
    delta = number(len(base)) + number(size) + b"\xb0\xff\xff" * copies
    delta += b"\xb0" + pack("<H", rest)
    blob = b"blob %d\0" % len(base) + base
    content = b"PACK" + pack(">II", 2, 2) + entry(3, base) + entry(7, delta, base=sha1(blob))
    command = ["git", "-C", str(root), "index-pack", "--stdin"]
    (root / ".git/objects/pack").mkdir(exist_ok=True)
    run_program(command, input=content + sha1(content), check=True, capture_output=True)
    return sha1(b"blob %d\0" % size + b"x" * size).hex()


@needs_limit
def test_a_small_pack_that_unpacks_to_much_is_a_clear_error(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blob = add_bomb(root, 15_000_000)
    sh(root, "update-index", "--cacheinfo", f"100644,{blob},src/a.py")
    sh(root, "commit", "-q", "-m", "bomb")
    assert len(CommitSnapshot(opened(root), head(root)).read("src/a.py")) == 15_000_000
    snapshot = CommitSnapshot(opened(root), head(root))
    snapshot.kind(".")
    monkeypatch.setattr(git, "MEMORY_LIMIT", 12_000_000)
    with pytest.raises(GitLimitError) as caught:
        snapshot.read("src/a.py")
    assert caught.value.message == "'git cat-file' needs more than 0.01 GB of memory"


def test_trees_that_list_as_billions_of_files_are_a_clear_error(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "OUTPUT_LIMIT", 5_000_000)
    lines = "100644 blob " + sh(root, "rev-parse", "HEAD:src/a.py") + "\tx"
    for _ in range(10):
        command = ["git", "-C", str(root), "mktree"]
        made = run_program(command, input=lines.encode(), check=True, capture_output=True)
        tree = made.stdout.decode().strip()
        lines = "\n".join(f"040000 tree {tree}\t{name}" for name in "abcdefghij")
    commit = sh(root, "commit-tree", "-m", "bomb", tree)
    with pytest.raises(GitLimitError) as caught:
        CommitSnapshot(opened(root), commit).entries(".")
    assert caught.value.message == "'git ls-tree' prints more than 5 MB"


@needs_shell
def test_many_messages_of_git_do_not_stop_it_and_are_not_shown(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    what = "head -c 300000 /dev/zero | tr '\\0' x >&2"
    instead_of_cat_file(monkeypatch, tmp_path / "bin", what)
    assert CommitSnapshot(opened(root), head(root)).read("src/a.py") == b"a = 1\n"
    replace_git(monkeypatch, tmp_path / "other", "echo 'the secret' >&2; exit 1")
    with pytest.raises(GitError) as caught:
        head(root)
    assert "secret" not in caught.value.message + caught.value.hint
    assert "secret" not in str(visible_files(str(root)).notes)


def test_that_git_could_not_read_something_is_said(root: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("nothing is closed to root")
    (root / "closed").mkdir(mode=0)
    note = "git could not read everything here; 'git status' shows what"
    assert visible_files(str(root)) == Visible(("src/a.py", "src/b.log"), (note,))


# Files that a configuration names.


def name_files(root: Path, settings: dict[str, str], way: str) -> None:
    """Set values in a configuration that belongs to a repository."""
    match way:
        case "config":
            configure(root, settings)
        case "other case":
            configure(root, {key.upper(): value for key, value in settings.items()})
        case "include":
            write(root, {"included": config_text(settings)})
            configure(root, {"include.path": "../included"})
        case "conditional include":
            write(root, {"included": config_text(settings)})
            configure(root, {"includeIf.gitdir:**.path": "../included"})
        case _:
            configure(root, {"extensions.worktreeConfig": "true"})
            write(root, {".git/config.worktree": config_text(settings)})


WAYS = ["config", "other case", "include", "conditional include", "work tree"]


@pytest.mark.parametrize("way", WAYS)
def test_files_that_the_repository_names_are_not_read(root: Path, tmp_path: Path, way: str) -> None:
    write(tmp_path, {"ignore": "*.txt\n", "attributes": "*.py filter=trap\n"})
    write(root, {"src/notes.txt": "x\n"})
    settings = {
        "core.excludesFile": str(tmp_path / "ignore"),
        "core.attributesFile": str(tmp_path / "attributes"),
    }
    name_files(root, settings, way)
    assert "src/notes.txt" not in sh(root, "ls-files", "-o", "--exclude-standard")
    assert "src/notes.txt" in visible_files(str(root)).files
    assert "src/notes.txt" in changed_files(opened(root), head(root))


def test_a_fifo_that_the_repository_names_does_not_block(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "TIME_LIMIT", 5.0)
    os.mkfifo(tmp_path / "fifo")
    keys = ("core.excludesFile", "core.attributesFile", "diff.orderFile", "mailmap.file")
    configure(root, dict.fromkeys((*keys, "blame.ignoreRevsFile"), str(tmp_path / "fifo")))
    write(root, {"src/a.py": "a = 2\n"})
    assert changed_files(opened(root), head(root)) == ("src/a.py",)
    assert visible_files(str(root)) == Visible(("src/a.py", "src/b.log"))


@pytest.mark.parametrize("where", ["global", "environment", "included", "default", "home"])
@pytest.mark.parametrize("is_named", [True, False])
def test_the_patterns_of_the_user_count_even_if_the_repository_names_others(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, *, is_named: bool
) -> None:
    home = write(tmp_path / "home", {"own/ignore": "*.txt\n"})
    write(tmp_path, {"bad": "*.log\n*.py\n"})
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    settings = {"core.excludesFile": "~/own/ignore"}
    match where:
        case "global":
            write(home, {"config": config_text(settings)})
            monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "config"))
        case "included":
            write(home, {"more": config_text(settings)})
            write(home, {"config": config_text({"include.path": str(home / "more")})})
            monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "config"))
        case "environment":
            monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
            monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.excludesFile")
            monkeypatch.setenv("GIT_CONFIG_VALUE_0", "~/own/ignore")
        case "default":
            monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "xdg"))
            write(home, {"xdg/git/ignore": "*.txt\n"})
        case _:
            write(home, {".config/git/ignore": "*.txt\n"})
    if is_named:
        configure(root, {"core.excludesFile": str(tmp_path / "bad")})
    write(root, {"src/notes.txt": "x\n", "src/new.py": "x\n"})
    assert visible_files(str(root)).files == ("src/a.py", "src/b.log", "src/new.py")


def test_without_a_home_there_are_no_patterns_of_a_user(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"ignore": "*.txt\n"})
    write(root, {"src/notes.txt": "x\n"})
    configure(root, {"core.excludesFile": str(tmp_path / "ignore")})
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert "src/notes.txt" in visible_files(str(root)).files
