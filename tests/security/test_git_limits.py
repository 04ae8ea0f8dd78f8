"""git gets little time and memory, and reads only the files that its user configured."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import sys
import zlib
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import new
from pathlib import Path
from struct import pack
from subprocess import Popen
from subprocess import run as run_program

import pytest

import yg
from hostile import COMMANDS, commit_all, config_text, configure, needs_shell, replace_git, sh
from support import run, write, write_graph
from yg.disk.git import config as git_config
from yg.disk.git import process as git
from yg.disk.git import timeouts
from yg.disk.git.changed_files import changed_files
from yg.disk.git.config import may_name_files
from yg.disk.git.history import History
from yg.disk.git.ignore import Visibility, would_ignore
from yg.disk.git.process import (
    GitMemoryError,
    GitTimeoutError,
    ask,
    commit_of,
    head_commit,
)
from yg.disk.git.repository import Repository, find_repository
from yg.kernel.errors import YgError
from yg.surfaces.explorer.source import PageSource
from yg.surfaces.lsp.checks import Checker
from yg.surfaces.lsp.documents import Documents
from yg.surfaces.lsp.positions import UTF16
from yg.surfaces.lsp.session import Session
from yg.surfaces.mcp.calls import call_tool
from yg.surfaces.mcp.service import Service, roots_of
from yg.surfaces.mcp.worker import Outstanding, Worker
from yg.workspace.opening import open_workspace

GRAPH: dict[str, str | bytes] = {
    "model/a/yg-node.yaml": "name: A\ntype: service\nmapping: {paths: [src]}\n",
    "model/a/responsibility.md": "Does what has to be done first, and nothing but that.\n",
}
needs_limit = pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux can do it")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a repository with a graph and two source files."""
    root = write_graph(tmp_path / "root", GRAPH)
    commit_all(write(root, {"src/a.py": "a = 1\n", "src/b.log": "b\n"}))
    return root


# Memory.

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


def greedy(monkeypatch: pytest.MonkeyPatch, folder: Path, size: int) -> None:
    replace_git(monkeypatch, folder, GREEDY.format(python=sys.executable, size=size))


@needs_shell
@needs_limit
def test_git_gets_at_most_one_gigabyte(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    greedy(monkeypatch, tmp_path / "little", 100_000_000)
    assert head_commit(str(root)) == "a" * 40
    greedy(monkeypatch, tmp_path / "much", 1_100_000_000)
    with pytest.raises(GitMemoryError) as caught:
        head_commit(str(root))
    assert caught.value.message == "'git rev-parse' needs more than 1 GB of memory"
    outcome = run("tree", "--at", "HEAD", "-C", str(root))
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith("error: 'git rev-parse' needs more than 1 GB of memory\n")


@needs_shell
@needs_limit
def test_files_are_found_without_a_git_that_wants_too_much(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    greedy(monkeypatch, tmp_path / "much", 1_100_000_000)
    outcome = run("coverage", "-C", str(root), "--no-cache")
    assert outcome.code == 0
    assert outcome.notes == (
        "warning: 'git ls-files' needs more than 1 GB of memory; .gitignore files are read"
        " without it\n"
    )


@needs_limit
def test_a_limit_that_is_lower_already_is_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_limits: list[object] = []
    monkeypatch.setattr(resource, "prlimit", lambda *limit: set_limits.append(limit))
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (-1, 500_000_000))
    assert head_commit(str(root)) != ""
    assert set_limits == []
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (-1, 2_000_000_000))
    assert head_commit(str(root)) != ""
    assert len(set_limits) == 1


def test_a_sandbox_that_forbids_limits_forbids_nothing_else(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object) -> None:
        raise PermissionError

    monkeypatch.setattr(resource, "prlimit", refuse, raising=False)
    assert head_commit(str(root)) != ""
    monkeypatch.delattr(resource, "prlimit")
    assert head_commit(str(root)) != ""


def entry(kind: int, content: bytes, size: int | None = None, base: bytes = b"") -> bytes:
    """Return an object as it is in a pack; the size is that of the content if not given."""
    left = len(content) if size is None else size
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
    if rest:
        delta += b"\xb0" + pack("<H", rest)
    blob = b"blob %d\0" % len(base) + base
    body = entry(3, base) + entry(7, delta, base=sha1(blob))
    content = b"PACK" + pack(">II", 2, 2) + body
    file = root / "bomb.pack"
    file.write_bytes(content + sha1(content))
    run_program(
        ["git", "-C", root, "index-pack", "--stdin"],
        input=file.read_bytes(),
        check=True,
        capture_output=True,
    )
    file.unlink()
    whole = b"blob %d\0" % size + b"x" * size
    return sha1(whole).hex()


@needs_limit
def test_a_small_pack_that_unpacks_to_much_is_a_clear_error(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blob = add_bomb(root, 15_000_000)
    path = ".yggdrasil/model/a/responsibility.md"
    sh(root, "update-index", "--cacheinfo", f"100644,{blob},{path}")
    sh(root, "commit", "-q", "-m", "bomb")
    assert sum(file.stat().st_size for file in (root / ".git").rglob("*.pack")) < 20_000
    assert run("build-context", "a", "--at", "HEAD", "-C", str(root)).code == 0
    monkeypatch.setattr(git, "MEMORY_LIMIT", 12_000_000)
    outcome = run("build-context", "a", "--at", "HEAD", "-C", str(root))
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith("error: 'git cat-file' needs more than 0.01 GB of memory\n")


@needs_shell
def test_many_complaints_of_git_do_not_stop_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = f"""\
for word in "$@"; do
  if [ "$word" = cat-file ]; then head -c 300000 /dev/zero | tr '\\0' x >&2; fi
done
exec '{shutil.which("git")}' "$@"
"""
    replace_git(monkeypatch, tmp_path / "bin", script)
    assert run("tree", "--at", "HEAD", "-C", str(root)).code == 0


# Files that a configuration names.

KEYS = ("core.attributesFile", "core.excludesFile")


def name_files(root: Path, settings: Mapping[str, str], way: str) -> None:
    """Set values in a configuration that belongs to a repository."""
    match way:
        case "config":
            configure(root, settings)
        case "other case":
            configure(root, {key.upper(): value for key, value in settings.items()})
        case "include":
            (root / "included").write_text(config_text(settings))
            configure(root, {"include.path": "../included"})
        case "conditional include":
            (root / "included").write_text(config_text(settings))
            configure(root, {"includeIf.gitdir:**.path": "../included"})
        case "work tree":
            configure(root, {"extensions.worktreeConfig": "true"})
            (root / ".git/config.worktree").write_text(config_text(settings))
        case "link":
            (root / "included").write_text(
                (root / ".git/config").read_text() + config_text(settings)
            )
            (root / ".git/config").unlink()
            (root / ".git/config").symlink_to("../included")
        case _:
            filler = "# and so on\n" * 100_000
            with (root / ".git/config").open("a") as file:
                file.write(filler + config_text(settings))


WAYS = ["config", "other case", "include", "conditional include", "work tree", "link", "large"]


@pytest.mark.parametrize("way", WAYS)
def test_patterns_that_the_repository_names_are_not_read(
    root: Path, tmp_path: Path, way: str
) -> None:
    write(tmp_path, {"private": "*.txt\n"})
    write(root, {"src/notes.txt": "x\n"})
    name_files(root, {"core.excludesFile": str(tmp_path / "private")}, way)
    assert "src/notes.txt" not in sh(root, "ls-files", "-o", "--exclude-standard")
    assert "src/notes.txt" in Visibility(str(root)).files
    assert not would_ignore(str(root), "src/more.txt")
    assert "src/notes.txt" in changed_files(str(root), head_commit(str(root)), staged=False).files


@pytest.mark.parametrize("way", WAYS)
def test_attributes_that_the_repository_names_are_not_read(
    root: Path, tmp_path: Path, way: str
) -> None:
    write(tmp_path, {"private": "*.py filter=trap\n"})
    name_files(root, {"core.attributesFile": str(tmp_path / "private")}, way)
    write(root, {"src/a.py": "a = 1\r\n"})
    assert sh(root, "check-attr", "filter", "src/a.py").endswith(": trap")
    reply = ask(str(root), "check-attr", "filter", "--", "src/a.py")
    assert reply is not None
    assert reply.text == "src/a.py: filter: unspecified"
    found = changed_files(str(root), head_commit(str(root)), staged=False)
    assert found.uncertain == ()


@pytest.mark.parametrize("way", ["config", "include"])
def test_a_fifo_that_the_repository_names_does_not_block(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr(git, "TIME_LIMIT", 5.0)
    os.mkfifo(tmp_path / "fifo")
    name_files(root, dict.fromkeys(KEYS, str(tmp_path / "fifo")), way)
    write(root, {"src/a.py": "a = 2\n"})
    for command, *options in COMMANDS:
        outcome = run(command, *options, "-C", str(root))
        assert outcome.code in (0, 1)
        assert "did not answer" not in outcome.notes, command


@pytest.mark.usefixtures("hurried")
def test_a_configuration_that_is_a_fifo_is_a_time_out(root: Path) -> None:
    (root / ".git/config").unlink()
    os.mkfifo(root / ".git/config")
    with pytest.raises(GitTimeoutError):
        commit_of(str(root), "HEAD")


@pytest.mark.parametrize("where", ["global", "environment", "included", "default", "home"])
@pytest.mark.parametrize("is_named", [True, False])
def test_the_files_of_the_user_count(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, *, is_named: bool
) -> None:
    """Also if the repository names others."""
    home = tmp_path / "home"
    own = {"ignore": "*.txt\n", "attributes": "*.py filter=own\n"}
    write(home / "own", own)
    write(tmp_path / "bad", {"ignore": "*.log\n*.py\n", "attributes": "*.py filter=bad\n"})
    monkeypatch.setenv("HOME", str(home))
    settings = {"core.excludesFile": "~/own/ignore", "core.attributesFile": "~/own/attributes"}
    if where == "global":
        (home / "config").write_text(config_text(settings))
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "config"))
    elif where == "included":
        (home / "more").write_text(config_text(settings))
        (home / "config").write_text(config_text({"include.path": str(home / "more")}))
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "config"))
    elif where == "environment":
        monkeypatch.setenv("GIT_CONFIG_COUNT", "2")
        for at, (key, value) in enumerate(settings.items()):
            monkeypatch.setenv(f"GIT_CONFIG_KEY_{at}", key)
            monkeypatch.setenv(f"GIT_CONFIG_VALUE_{at}", value)
    elif where == "default":
        monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "xdg"))
        write(home / "xdg/git", own)
    else:
        monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
        write(home / ".config/git", own)
    if is_named:
        bad = tmp_path / "bad"
        configure(root, {KEYS[0]: str(bad / "attributes"), KEYS[1]: str(bad / "ignore")})
    write(root, {"src/notes.txt": "x\n", "src/new.py": "x\n"})
    assert Visibility(str(root), ".yggdrasil").files == ("src/a.py", "src/b.log", "src/new.py")
    reply = ask(str(root), "check-attr", "filter", "--", "src/a.py")
    assert reply is not None
    assert reply.text == "src/a.py: filter: own"


def test_without_a_home_there_are_no_files_of_a_user(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"private": "*.txt\n"})
    write(root, {"src/notes.txt": "x\n"})
    configure(root, {"core.excludesFile": str(tmp_path / "private")})
    monkeypatch.delenv("HOME")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert "src/notes.txt" in Visibility(str(root)).files


def test_a_linked_work_tree_has_the_configuration_of_the_main_one(
    root: Path, tmp_path: Path
) -> None:
    write(tmp_path, {"private": "*.txt\n"})
    sh(root, "worktree", "add", "-q", str(tmp_path / "tree"))
    linked = find_repository(str(tmp_path / "tree"))
    assert linked is not None
    assert not may_name_files(linked)
    configure(root, {"core.excludesFile": str(tmp_path / "private")})
    assert may_name_files(linked)
    write(tmp_path / "tree", {"src/notes.txt": "x\n"})
    assert "src/notes.txt" in Visibility(str(tmp_path / "tree")).files


def test_git_is_asked_for_the_files_of_the_user_only_if_it_matters(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = started(monkeypatch)
    head_commit(str(root))
    assert asked == ["rev-parse"]
    configure(root, {"include.path": "nowhere"})
    head_commit(str(root))
    assert asked == ["rev-parse", "config", "rev-parse"]


def test_a_configuration_that_cannot_be_read_may_contain_anything(root: Path) -> None:
    repository = find_repository(str(root))
    assert repository is not None
    assert not may_name_files(repository)
    config = root / ".git/config"
    config.write_bytes(b"#" * (git_config.LARGEST + 1))
    assert may_name_files(repository)
    config.unlink()
    assert not may_name_files(repository)
    config.symlink_to("config")
    assert may_name_files(repository)


# One time-out is enough.


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "TIME_LIMIT", 0.3)


@pytest.fixture
def calls(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let git hang, and note the commands for which it is started."""
    assert root.exists()
    replace_git(monkeypatch, tmp_path / "bin", "exec sleep 600\n")
    return started(monkeypatch)


def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that the commands of git are added to."""
    found: list[str] = []
    start = git._started

    def watched(
        repository: Repository,
        settings: Sequence[str],
        arguments: Sequence[str],
        *,
        has_work_tree: bool = True,
    ) -> Popen[bytes] | None:
        found.append(arguments[0])
        return start(repository, settings, arguments, has_work_tree=has_work_tree)

    monkeypatch.setattr(git, "_started", watched)
    return found


def count(calls: list[str]) -> int:
    found = len(calls)
    calls.clear()
    return found


@needs_shell
@pytest.mark.usefixtures("hurried")
def test_a_command_waits_for_git_only_once(root: Path, calls: list[str]) -> None:
    write(root, {"src/a.py": "a = 2\n"})
    for command, *options in COMMANDS:
        outcome = run(command, *options, "-C", str(root), "--no-cache")
        assert outcome.code in (0, 1)
        called = count(calls)
        assert called <= 1, command
        assert ("did not answer within" in outcome.notes) == (called == 1), command


@needs_shell
@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("command", ["drift", "coverage", "validate", "preflight"])
def test_commands_that_can_go_on_without_git_do_so(
    root: Path, calls: list[str], command: str
) -> None:
    outcome = run(command, "-C", str(root), "--no-cache")
    assert outcome.text != ""
    assert outcome.notes.startswith("warning: 'git ls-files' did not answer within")
    assert count(calls) == 1


@needs_shell
@pytest.mark.usefixtures("hurried")
def test_the_next_command_asks_git_again(root: Path, calls: list[str]) -> None:
    for _ in range(2):
        assert run("coverage", "-C", str(root), "--no-cache").code == 0
        assert count(calls) == 1


@needs_shell
@pytest.mark.usefixtures("hurried")
def test_the_api_and_the_servers_ask_again_with_each_request(root: Path, calls: list[str]) -> None:
    for _ in range(2):
        yg.open_workspace(root).issues()
        assert count(calls) == 1
    checker = Checker(Session(str(root), uses_index=False))
    for _ in range(2):
        checker._session.forget()
        list(checker.steps(Documents(), UTF16))
        assert count(calls) == 1
    source = lambda: open_workspace(str(root), uses_index=False)  # noqa: E731
    for _ in range(2):
        with pytest.raises(YgError, match="did not answer"):
            PageSource(source)
        assert count(calls) == 1


@needs_shell
@pytest.mark.usefixtures("hurried")
def test_the_mcp_server_asks_again_with_each_call(root: Path, calls: list[str]) -> None:
    service = Service(roots=roots_of(str(root), ()))

    async def call() -> bool | None:
        worker = Worker(Outstanding())
        result = await worker.run(partial(call_tool, service, "validate", {}))
        return result.is_error

    for _ in range(2):
        assert asyncio.run(call())
        assert count(calls) == 1


@needs_shell
@pytest.mark.usefixtures("hurried")
def test_objects_are_not_waited_for_one_by_one(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = f"""\
for word in "$@"; do
  if [ "$word" = cat-file ]; then exec sleep 600; fi
done
exec '{shutil.which("git")}' "$@"
"""
    for text in "abcdef":
        write(root, {"src/a.py": text})
        commit_all(root)
    replace_git(monkeypatch, tmp_path / "bin", script)
    waits: list[str] = []
    monkeypatch.setattr(timeouts, "note", waits.append)
    with pytest.raises(GitTimeoutError):
        list(History(str(root)).versions("src/a.py"))
    assert waits == ["cat-file"]
