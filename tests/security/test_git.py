"""A stranger's repository makes yg run nothing, read nothing outside, and wait for nothing."""

from __future__ import annotations

import ast
import os
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agent import agent
from hostile import COMMANDS, commit_all, config_text, configure, needs_shell, replace_git, sh
from support import REPOSITORY, run, write, write_graph
from yg.commands.table import BY_NAME
from yg.disk.git import process as git
from yg.disk.git.changed_files import changed_files
from yg.disk.git.process import GitError, GitTimeoutError, commit_of
from yg.disk.git.repository import find_repository

GRAPH: dict[str, str | bytes] = {
    "model/a/yg-node.yaml": "name: A\ntype: service\nmapping: {paths: [src]}\n",
    "model/a/responsibility.md": "Does what has to be done first, and nothing but that.\n",
}


class Trap:
    """A program that leaves a mark when somebody runs it."""

    def __init__(self, folder: Path) -> None:
        self.mark = folder / "sprung"
        self.program = folder / "trap.sh"
        folder.mkdir(parents=True, exist_ok=True)
        self.program.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{self.mark}'\ncat\n")
        self.program.chmod(0o755)
        self.hooks = folder / "hooks"
        self.hooks.mkdir()
        for hook in ("post-index-change", "reference-transaction", "fsmonitor-watchman"):
            shutil.copy(self.program, self.hooks / hook)

    @property
    def settings(self) -> dict[str, str]:
        program = str(self.program)
        return {
            "filter.trap.clean": program,
            "filter.trap.smudge": program,
            "filter.trap.required": "true",
            "core.fsmonitor": program,
            "core.hooksPath": str(self.hooks),
            "core.sshCommand": program,
            "core.pager": program,
            "core.editor": program,
            "core.askPass": program,
            "core.alternateRefsCommand": program,
            "diff.external": program,
            "diff.trap.command": program,
            "diff.trap.textconv": program,
            "credential.helper": program,
            "uploadpack.packObjectsHook": program,
            "gpg.program": program,
            "log.showSignature": "true",
        }

    @property
    def config(self) -> str:
        return config_text(self.settings)

    def set_in(self, root: Path) -> None:
        configure(root, self.settings)

    def assert_unsprung(self) -> None:
        assert not self.mark.exists(), self.mark.read_text()


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path / "trap")


def touch_everything(root: Path) -> None:
    """Make git unsure of every file: same content, other times."""
    for file in sorted(root.rglob("*")):
        if ".git" not in file.parts and file.is_file():
            os.utime(file, (1, 1))


def ask_everything(directory: Path) -> list[int]:
    """Run every command that may look at git, in a directory."""
    codes = []
    for command, *options in COMMANDS:
        outcome = run(command, "-C", str(directory), *options)
        assert outcome.code in (0, 1), outcome.notes
        codes.append(outcome.code)
    return codes


# Nothing runs.


def clone_with_git_directory(folder: Path, trap: Trap) -> Path:
    """Clone a repository in which `src/inner` is a whole git directory, kept as plain files."""
    prepared = write_graph(folder / "prepared", GRAPH)
    write(prepared, {"src/a.py": "a = 1\n", ".gitattributes": "* filter=trap diff=trap\n"})
    commit_all(prepared)
    (prepared / ".git").rename(folder / "git")
    stranger = write_graph(folder / "stranger", GRAPH)
    inner = stranger / "src" / "inner"
    shutil.copytree(folder / "git", inner)
    shutil.copytree(prepared, inner / "work")
    core = "[core]\nrepositoryFormatVersion = 0\nbare = false\nworktree = work\n"
    (inner / "config").write_text(core + trap.config)
    write(inner, {"refs/x": "", "objects/x": ""})
    commit_all(stranger)
    sh(folder, "clone", "-q", "stranger", "clone")
    return folder / "clone"


@needs_shell
def test_a_git_directory_inside_a_clone_is_not_adopted(tmp_path: Path, trap: Trap) -> None:
    clone = clone_with_git_directory(tmp_path, trap)
    inner = clone / "src" / "inner"
    write(inner / "work", {"src/a.py": "a = 2\n"})
    touch_everything(clone)
    places = (clone, inner, inner / "refs", inner / "work")
    for place in places:
        ask_everything(place)
    with agent(*(word for place in places for word in ("--root", str(place)))) as client:
        for place in places:
            client.call("validate", root=str(place))
            client.call("impact", root=str(place), diff="HEAD")
    trap.assert_unsprung()
    found = find_repository(str(inner))
    assert found is not None
    assert (found.top, found.prefix) == (os.path.realpath(clone), "src/inner")


@needs_shell
def test_nothing_that_a_hostile_configuration_names_is_run(tmp_path: Path, trap: Trap) -> None:
    root = write_graph(tmp_path / "root", GRAPH)
    write(root, {"src/a.py": "a = 1\n", ".gitattributes": "* filter=trap diff=trap\n"})
    commit_all(root)
    trap.set_in(root)
    sh(root, "config", "protocol.file.allow", "always")
    write(root, {"src/b.py": "b = 1\n"})
    touch_everything(root)
    assert ask_everything(root)
    with agent("-C", str(root)) as client:
        client.call("validate")
    trap.assert_unsprung()


@needs_shell
def test_a_filter_process_is_not_started(tmp_path: Path, trap: Trap) -> None:
    root = write_graph(tmp_path / "root", GRAPH)
    write(root, {"src/a.py": "a = 1\n", ".gitattributes": "* filter=trap\n"})
    made = commit_all(root)
    sh(root, "config", "filter.trap.process", str(trap.program))
    touch_everything(root)
    assert changed_files(str(root), made, staged=False).files == ()
    ask_everything(root)
    trap.assert_unsprung()


@needs_shell
def test_the_filters_of_the_user_and_of_a_submodule_are_not_run_either(
    tmp_path: Path, trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = write(tmp_path / "inner", {"x": "1\n", ".gitattributes": "* filter=own\n"})
    commit_all(inner)
    root = write_graph(tmp_path / "root", GRAPH)
    write(root, {"src/a.py": "a = 1\n", ".gitattributes": "* filter=trap\n"})
    commit_all(root)
    sh(root, "submodule", "-q", "add", str(inner), "src/sub")
    made = commit_all(root)
    (tmp_path / "gitconfig").write_text(trap.config)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    write(root, {"src/sub/x": "2\n"})
    sh(root / "src" / "sub", "config", "filter.own.clean", str(trap.program))
    touch_everything(root)
    ask_everything(root)
    trap.assert_unsprung()
    assert changed_files(str(root / "src"), made, staged=False).files == ()


@needs_shell
@pytest.mark.parametrize("way", ["uploadpack", "ssh", "ext", "helper"])
def test_a_missing_object_is_not_fetched(tmp_path: Path, trap: Trap, way: str) -> None:
    root = write_graph(tmp_path / "root", GRAPH)
    commit_all(root)
    blob = sh(root, "rev-parse", "HEAD:.yggdrasil/model/a/responsibility.md")
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    address = {"ssh": "git@example.org:x", "ext": f"ext::{trap.program}"}.get(way, str(tmp_path))
    settings = {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.url": address,
        "remote.origin.promisor": "true",
        "remote.origin.partialCloneFilter": "blob:none",
        "remote.origin.uploadpack": str(trap.program),
        "protocol.file.allow": "always",
        "protocol.ext.allow": "always",
        "protocol.ssh.allow": "always",
        "core.sshCommand": str(trap.program),
    }
    configure(root, settings | ({"remote.origin.vcs": "trap"} if way == "helper" else {}))
    assert sh(root, "config", "remote.origin.url") == address
    outcome = run("build-context", "-C", str(root), "a", "--at", "HEAD")
    assert outcome.code == 1
    assert "git does not have its content" in outcome.notes
    trap.assert_unsprung()


def test_only_git_and_yg_verify_start_processes() -> None:
    allowed = ("disk/git/process.py", "disk/shell.py")
    forbidden = {"subprocess", "multiprocessing", "pty", "_posixsubprocess"}
    calls = {"system", "popen", "fork", "forkpty", "posix_spawn", "posix_spawnp", "startfile"}
    words = rf"\b({'|'.join(forbidden | calls)}|shell|ProcessPoolExecutor|exec\w*|spawn\w*)\b"
    starts: list[str] = []
    for file in sorted((REPOSITORY / "src").rglob("*.py")):
        name = file.relative_to(REPOSITORY / "src" / "yg").as_posix()
        text = file.read_text(encoding="utf-8")
        if name == "surfaces/hook/main.py":  # a copy of itself, to be killed if it hangs
            text = text.replace("os.fork()", "0")
        for node in ast.walk(ast.parse(text)) if re.search(words, text) else ():
            match node:
                case ast.Import(names=names):
                    assert name in allowed or forbidden.isdisjoint(
                        alias.name.split(".")[0] for alias in names
                    ), name
                case ast.ImportFrom(module="yg.disk.shell"):
                    assert name == "commands/verify.py"
                case ast.ImportFrom(module=str(module)):
                    assert module.split(".")[0] not in forbidden, name
                    assert "ProcessPoolExecutor" not in {alias.name for alias in node.names}, name
                case ast.Attribute(value=ast.Name(id="os"), attr=attribute):
                    assert attribute not in calls, name
                    assert not attribute.startswith(("exec", "spawn")), name
                case ast.Attribute(value=ast.Name(id="subprocess"), attr="Popen") if not _is_type(
                    node, file
                ):
                    starts.append(name)
                case ast.Attribute(value=ast.Name(id="subprocess"), attr=attribute):
                    assert attribute in {"Popen", "PIPE", "DEVNULL", "STDOUT", "TimeoutExpired"}, (
                        name
                    )
    assert tuple(starts) == allowed


def _is_type(node: ast.Attribute, file: Path) -> bool:
    """Tell a use in an annotation, `subprocess.Popen[bytes]`, from a call."""
    line = file.read_text(encoding="utf-8").splitlines()[node.lineno - 1]
    return "Popen[bytes]" in line


# Nothing outside is read.


def test_a_work_tree_that_is_configured_elsewhere_is_refused(tmp_path: Path) -> None:
    root = write_graph(tmp_path / "root", GRAPH)
    commit_all(write(root, {"src/a.py": "a = 1\n"}))
    outside = write(tmp_path / "outside", {"secret.txt": "s\n", "src/secret.py": "s\n"})
    sh(root, "config", "core.worktree", str(outside))
    for options in (("impact", "--diff"), ("impact", "a", "--simulate"), ("tree", "--at", "HEAD")):
        outcome = run(options[0], "-C", str(root), *options[1:])
        assert outcome.code == 1
        assert "configured to be in another directory" in outcome.notes
    for command in ("coverage", "drift", "validate", "status", "preflight"):
        outcome = run(command, "-C", str(root))
        assert "secret" not in outcome.text + outcome.notes
    assert run("owner", "-C", str(root), "src/a.py").text.startswith("src/a.py -> a")


def test_a_work_tree_that_is_configured_to_be_where_it_is_works(tmp_path: Path) -> None:
    root = write_graph(tmp_path / "root", GRAPH)
    made = commit_all(root)
    sh(root, "config", "core.worktree", str(root))
    assert commit_of(str(root), "HEAD") == made
    assert run("impact", "-C", str(root), "--diff").code == 0


@pytest.mark.parametrize("place", ["outside", "relative", "link"])
def test_an_index_elsewhere_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    root, other = tmp_path / "root", tmp_path / "other"
    made = commit_all(write(root, {"a": "1\n"}))
    commit_all(write(other, {"b": "1\n"}))
    link = root / ".git" / "link"
    link.symlink_to(other / ".git" / "index")
    named = {"outside": str(other / ".git" / "index"), "relative": ".git/index", "link": str(link)}
    monkeypatch.setenv("GIT_INDEX_FILE", named[place])
    assert changed_files(str(root), made, staged=True).files == ()


def test_the_index_of_a_commit_in_progress_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "root"
    made = commit_all(write(root, {"a": "1\n", "b": "1\n"}))
    write(root, {"a": "2\n", "b": "2\n"})
    shutil.copy(root / ".git" / "index", root / ".git" / "next-index")
    monkeypatch.setenv("GIT_INDEX_FILE", str(root / ".git" / "next-index"))
    sh(root, "add", "a")
    assert changed_files(str(root), made, staged=True).files == ("a",)


def test_a_bare_repository_is_read_where_no_work_tree_surrounds_it(tmp_path: Path) -> None:
    made = commit_all(write(tmp_path / "main", {"a": "1\n"}))
    sh(tmp_path, "clone", "-q", "--bare", "main", "bare")
    assert commit_of(str(tmp_path / "bare"), "HEAD") == made
    sh(tmp_path, "clone", "-q", "--bare", "main", "main/bare")
    found = find_repository(str(tmp_path / "main" / "bare"))
    assert found is not None
    assert not found.is_bare


# Files that filters write are compared without them.


@needs_shell
def test_a_file_that_a_filter_wrote_is_compared_by_its_times(tmp_path: Path) -> None:
    root = write_graph(tmp_path / "root", GRAPH)
    write(root, {".gitattributes": "*.big filter=upper\n", "src/x.big": "small\n"})
    sh(root.parent, "init", "-q", str(root))
    sh(root, "config", "filter.upper.clean", "tr a-z A-Z")
    sh(root, "config", "filter.upper.smudge", "tr A-Z a-z")
    made = commit_all(root)
    past = time.time() - 60
    os.utime(root / "src" / "x.big", (past, past))
    sh(root, "update-index", "--refresh")
    assert changed_files(str(root), made, staged=False).files == ()
    write(root, {"src/x.big": "small\n"})
    found = changed_files(str(root), made, staged=False)
    assert (found.files, found.uncertain) == (("src/x.big",), ("src/x.big",))
    outcome = run("impact", "-C", str(root), "--diff")
    assert outcome.notes.count("yg runs no filter") == 1


@pytest.mark.parametrize(
    ("attributes", "setting"), [("* text=auto\n", "false"), ("", "true"), ("* eol=crlf\n", "false")]
)
def test_line_ends_that_git_converts_are_not_a_change(
    tmp_path: Path, attributes: str, setting: str
) -> None:
    root = write(tmp_path / "root", {".gitattributes": attributes, "a": "1\r\n2\r\n", "b": "1\r\n"})
    sh(tmp_path, "init", "-q", str(root))
    sh(root, "config", "core.autocrlf", setting)
    made = commit_all(root)
    assert sh(root, "cat-file", "-s", "HEAD:a") == "4"
    touch_everything(root)
    assert changed_files(str(root), made, staged=False).files == ()
    write(root, {"a": "1\r\n3\r\n"})
    assert changed_files(str(root), made, staged=False).files == ("a",)


def test_line_ends_that_git_keeps_are_a_change(tmp_path: Path) -> None:
    root = write(tmp_path / "root", {"a": "1\n", "b": "1\n", ".gitattributes": "b -text\n"})
    made = commit_all(root)
    write(root, {"a": "1\r\n", "b": "1\r\n"})
    assert changed_files(str(root), made, staged=False).files == ("a", "b")


def test_a_mode_counts_unless_git_is_told_that_it_does_not(tmp_path: Path) -> None:
    root = tmp_path / "root"
    made = commit_all(write(root, {"a": "1\n"}))
    (root / "a").chmod(0o755)
    assert changed_files(str(root), made, staged=False).files == ("a",)
    sh(root, "config", "core.fileMode", "false")
    assert changed_files(str(root), made, staged=False).files == ()


def test_a_sparse_checkout_and_assumed_files_are_not_a_change(tmp_path: Path) -> None:
    root = tmp_path / "root"
    made = commit_all(write(root, {"in/a": "1\n", "out/b": "1\n", "c": "1\n"}))
    sh(root, "sparse-checkout", "set", "in")
    sh(root, "update-index", "--assume-unchanged", "c")
    write(root, {"c": "2\n"})
    assert not (root / "out").exists()
    assert changed_files(str(root), made, staged=False).files == ()


def test_files_behind_a_link_are_gone(tmp_path: Path) -> None:
    root = tmp_path / "root"
    made = commit_all(write(root, {"folder/a": "1\n"}))
    (root / "folder").rename(tmp_path / "elsewhere")
    (root / "folder").symlink_to(tmp_path / "elsewhere")
    assert changed_files(str(root), made, staged=False).files == ("folder", "folder/a")


def test_a_submodule_on_another_commit_is_a_change(tmp_path: Path) -> None:
    commit_all(write(tmp_path / "inner", {"x": "1\n"}))
    root = tmp_path / "root"
    commit_all(write(root, {"a": "1\n"}))
    sh(root, "submodule", "-q", "add", str(tmp_path / "inner"), "sub")
    made = commit_all(root)
    assert changed_files(str(root), made, staged=False).files == ()
    commit_all(write(root / "sub", {"x": "2\n"}))
    assert changed_files(str(root), made, staged=False).files == ("sub",)


def replace_by_link(file: Path) -> None:
    file.unlink()
    file.symlink_to("x")


def test_the_same_files_differ_as_git_says_whatever_happened(tmp_path: Path) -> None:
    root = tmp_path / "root"
    names = [f"d{at % 3}/f{at}" for at in range(30)]
    made = commit_all(write(root, dict.fromkeys(names, "one\n")))
    changes: list[Callable[[Path], object]] = [
        lambda file: file.write_text("two\n"),
        Path.unlink,
        lambda file: file.chmod(0o755),
        lambda file: os.utime(file, (5, 5)),
        replace_by_link,
        lambda file: file.write_text("one\n"),
    ]
    for at, name in enumerate(names):
        changes[at % len(changes)](root / name)
        if at % 4 == 0:
            sh(root, "add", "-A", name)
    for staged in (False, True):
        cached = ("--cached",) if staged else ()
        expected = sh(root, "diff", "--name-only", "--no-renames", *cached, made).split("\n")
        assert list(changed_files(str(root), made, staged=staged).files) == expected


# Nothing waits for ever.


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "TIME_LIMIT", 0.5)


@pytest.mark.slow
@pytest.mark.usefixtures("hurried")
def test_a_fifo_that_git_waits_for_stops_nobody(tmp_path: Path) -> None:
    root = write_graph(tmp_path / "root", GRAPH)
    write(root, {"src/a.py": "a = 1\n", "src/ignored.py": "", ".gitignore": "ignored.py\n"})
    commit_all(root)
    os.mkfifo(root / "src" / ".gitignore")
    for command in ("drift", "coverage", "validate", "preflight"):
        outcome = run(command, "-C", str(root), "--no-cache")
        assert outcome.code in (0, 1)
        assert "did not answer within" in outcome.notes
    outcome = run("impact", "-C", str(root), "--diff")
    assert outcome.code == 1
    assert "'git ls-files' did not answer within" in outcome.notes


@needs_shell
@pytest.mark.usefixtures("hurried")
def test_a_git_that_hangs_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_graph(tmp_path / "root", GRAPH)
    commit_all(root)
    pids = tmp_path / "pids"
    replace_git(monkeypatch, tmp_path / "bin", f"sleep 600 & echo $! $$ >> '{pids}'\nwait\n")
    with pytest.raises(GitTimeoutError):
        commit_of(str(root), "HEAD")
    for pid in pids.read_text().split():
        assert is_ended(int(pid))


def is_ended(pid: int) -> bool:
    """Wait until a process is gone, or a zombie that nobody has collected yet."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


@needs_shell
@pytest.mark.usefixtures("hurried")
def test_a_git_that_stops_in_the_middle_of_an_object_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_graph(tmp_path / "root", GRAPH)
    commit_all(root)
    script = f"""\
for word in "$@"; do
  if [ "$word" = cat-file ]; then read line; echo "$line blob 100"; echo begun; sleep 600; fi
done
exec '{shutil.which("git")}' "$@"
"""
    replace_git(monkeypatch, tmp_path / "bin", script)
    outcome = run("tree", "-C", str(root), "--at", "HEAD")
    assert outcome.code == 1
    assert "'git cat-file' did not answer" in outcome.notes


def test_a_repository_that_is_none_is_not_a_repository(tmp_path: Path) -> None:
    for content in (b"", b"gitdir: /nowhere\n", b"gitdir: \0", b"x" * 9_000):
        write(tmp_path, {"a/.git": content})
        assert find_repository(str(tmp_path / "a")) is None
    os.unlink(tmp_path / "a" / ".git")
    os.mkfifo(tmp_path / "a" / ".git")
    assert find_repository(str(tmp_path / "a")) is None
    with pytest.raises(GitError, match="not a git repository"):
        commit_of(str(tmp_path / "a"), "HEAD")


def test_every_command_is_known_here() -> None:
    asked = {command for command, *_ in COMMANDS}
    without_git = {"init", "aspects", "flows", "owner", "deps", "explain", "mcp", "completions"}
    without_git |= {"new", "mv", "rm", "node", "link", "unlink", "pin", "lock", "verify", "lsp"}
    without_git |= {"hook"}  # tests/hook/
    without_git |= {"explore"}  # serves what `export --format html` writes
    assert {command.name for command in BY_NAME.values()} - asked <= without_git
