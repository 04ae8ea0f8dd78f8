"""A stranger's repository makes git run nothing, fetch nothing and read nothing outside."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from hostile import (
    Trap,
    commit_all,
    config_text,
    configure,
    files_below,
    needs_shell,
    sh,
    touch_everything,
    write,
)
from yg.disk.commit import CommitSnapshot, merge_base, resolve_commit
from yg.disk.git import GitError
from yg.disk.repository import Repository, find_repository, require_repository
from yg.disk.visible import changed_files, is_ignored, visible_files
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Kind

pytestmark = needs_shell
SOURCES = Path(__file__).parent.parent.parent / "src" / "yg"
FILES = {
    ".gitattributes": "* filter=trap diff=trap merge=trap\n",
    ".gitignore": "*.log\n",
    ".mailmap": "Other Name <a@example.org>\n",
    "src/a.py": "a = 1\n",
    "src/b.py": "b = 1\n",
}


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path / "trap")


def repository(root: Path) -> Repository:
    return require_repository(str(root))


def sign(root: Path) -> None:
    """Replace the last commit by one with a signature."""
    content = sh(root, "cat-file", "commit", "HEAD")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\n"
    write(root.parent, {"signed": content.replace("\n\n", f"\n{signature}", 1) + "\n"})
    signed = sh(root, "hash-object", "-t", "commit", "-w", str(root.parent / "signed"))
    sh(root, "update-ref", "HEAD", signed)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a repository whose objects would make git use much of its configuration.

    It has attributes, a signed commit, a submodule, a file that may be fetched, and changed files.
    """
    commit_all(tmp_path / "inner", {"x": "1\n", ".gitattributes": "* filter=own\n"})
    root = tmp_path / "root"
    commit_all(root, FILES)
    sh(root, "submodule", "-q", "add", str(tmp_path / "inner"), "sub")
    commit_all(root, {"src/b.py": "b = 2\n", "src/gone.py": "gone\n"})
    sign(root)
    blob = sh(root, "rev-parse", "HEAD:src/gone.py")
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    configure(
        root,
        {
            "core.repositoryFormatVersion": "1",
            "extensions.partialClone": "origin",
            "remote.origin.promisor": "true",
            "remote.origin.partialCloneFilter": "blob:none",
            "remote.origin.url": str(tmp_path / "inner"),
        },
    )
    write(root, {"src/a.py": "a = 2\n", "src/new.py": "", "src/x.log": "", "sub/x": "2\n"})
    touch_everything(root)
    return root


def read_all(snapshot: CommitSnapshot, directory: str = ".") -> dict[str, bytes | None]:
    """Read every file of a commit that git has."""
    found: dict[str, bytes | None] = {}
    for name, kind in snapshot.entries(directory).items():
        path = name if directory == "." else f"{directory}/{name}"
        if kind is Kind.DIRECTORY:
            found |= read_all(snapshot, path)
        else:
            try:
                found[path] = snapshot.read(path)
            except UnreadableError:
                found[path] = None
    return found


def ask_everything(root: Path) -> list[object]:
    """Use git in every way there is."""
    opened = repository(root)
    head, base = resolve_commit(opened, "HEAD"), merge_base(opened, "HEAD~1")
    logged = opened.run("log", "--format=%H %G?%n%an", "--raw", "-z", "-p")
    compared = opened.run("diff-tree", "-r", "-p", base, head)
    return [
        head,
        base,
        read_all(CommitSnapshot(opened, head)),
        changed_files(opened, base),
        visible_files(str(root)).files,
        is_ignored(str(root), "src/x.log"),
        (logged.code, compared.code),
    ]


def expected(root: Path) -> list[object]:
    return [
        sh(root, "rev-parse", "HEAD"),
        sh(root, "rev-parse", "HEAD~1"),
        {
            **{path: text.encode() for path, text in FILES.items()},
            ".gitmodules": sh(root, "show", "HEAD:.gitmodules").encode() + b"\n",
            "src/b.py": b"b = 2\n",
            "src/gone.py": None,
        },
        (".gitmodules", "src/a.py", "src/b.py", "src/gone.py", "src/new.py", "sub"),
    ]


def test_a_hostile_configuration_changes_no_answer_and_runs_nothing(root: Path, trap: Trap) -> None:
    program = str(trap.program)
    before = ask_everything(root)
    assert before[:4] == expected(root)
    settings = {
        **{f"filter.trap.{key}": program for key in ("clean", "smudge", "process")},
        "filter.trap.required": "true",
        **{f"diff.trap.{key}": program for key in ("command", "textconv")},
        "diff.external": program,
        "core.hooksPath": str(trap.hooks),
        **{f"core.{key}": program for key in ("fsmonitor", "sshCommand", "pager", "editor")},
        **{f"core.{key}": program for key in ("askPass", "alternateRefsCommand", "gitProxy")},
        "credential.helper": program,
        "uploadpack.packObjectsHook": program,
        "gpg.program": program,
        "log.showSignature": "true",
        "remote.origin.uploadpack": program,
        "protocol.file.allow": "always",
        **{f"alias.{name}": f"!{program}" for name in ("ls-files", "cat-file", "config")},
    }
    configure(root, settings)
    with (root / ".git/modules/sub/config").open("a") as file:
        file.write(config_text({"filter.own.clean": program, "core.fsmonitor": program}))
    files = files_below(root)
    assert ask_everything(root) == before
    assert files_below(root) == files
    trap.assert_unsprung()
    with suppress(subprocess.CalledProcessError):
        sh(root, "status")  # as its user would, with nothing switched off
    assert trap.mark.exists()


@pytest.mark.parametrize("name", ["a=b", "a.b", "ü ü", "a\\\\b", '\\"'])
def test_a_filter_is_off_whatever_its_name_is(tmp_path: Path, trap: Trap, name: str) -> None:
    plain = name.encode().decode("unicode_escape") if "\\" in name else name
    attributes = f"* filter={plain}\n"
    commit_all(tmp_path / "root", {".gitattributes": attributes, "a": "1\n"})
    configure(
        tmp_path / "root",
        {f"filter.{name}.{key}": str(trap.program) for key in ("clean", "process")},
    )
    touch_everything(tmp_path / "root")
    opened = repository(tmp_path / "root")
    assert changed_files(opened, resolve_commit(opened, "HEAD")) == ()
    trap.assert_unsprung()


@pytest.mark.parametrize("where", ["global", "environment", "included"])
def test_the_filters_of_the_user_are_off_too(
    tmp_path: Path, trap: Trap, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    root = tmp_path / "root"
    commit_all(root, {".gitattributes": "* filter=own\n", "a": "1\n"})
    write(tmp_path, {"more": config_text({"filter.own.clean": str(trap.program)})})
    if where == "environment":
        monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
        monkeypatch.setenv("GIT_CONFIG_KEY_0", "filter.own.clean")
        monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(trap.program))
    else:
        write(tmp_path, {"config": config_text({"include.path": str(tmp_path / "more")})})
        named = tmp_path / ("more" if where == "global" else "config")
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(named))
    touch_everything(root)
    opened = repository(root)
    assert changed_files(opened, resolve_commit(opened, "HEAD")) == ()
    trap.assert_unsprung()


# Every setting that git documents.


PLACEHOLDERS = {
    "<driver>": "trap",
    "<tool>": "trap",
    "<name>": "origin",
    "<url>": "https://example.org",
    "<base>": "https://example.org",
    "<format>": "openpgp",
    "<condition>": "gitdir:**",
    "<cmd>": "ls-tree",
    "*": "log",
}
# They say how bad an object may be, or which advice is given.
HARMLESS = re.compile(r"(fsck|fetch[.]fsck|receive[.]fsck|advice|color|column)[.]")


def documented_keys() -> list[str]:
    listed = subprocess.run(["git", "help", "--config"], capture_output=True, text=True, check=True)
    keys = [line for line in listed.stdout.split("\n") if re.fullmatch(r"[\w.<>*-]+", line)]
    for placeholder, name in PLACEHOLDERS.items():
        keys = [key.replace(placeholder, name) for key in keys]
    extra = ["alias.rev-parse", "filter.trap.process", "submodule.sub.update", "remote.origin.vcs"]
    return [key for key in (*keys, *extra) if not HARMLESS.match(key) and "<" not in key]


def unanswered(
    root: Path, clean: str, keys: Sequence[str], value: str, answers: Sequence[object]
) -> Iterator[str]:
    """Yield the keys with which git cannot answer; with all others, the answers are the same."""
    (root / ".git/config").write_text(clean + config_text(dict.fromkeys(keys, value)))
    try:
        given = ask_everything(root)
    except GitError:
        given = []
    if given == answers:
        return
    if len(keys) == 1:
        assert given == [], keys  # another answer would be wrong
        yield keys[0]
    else:
        middle = len(keys) // 2
        yield from unanswered(root, clean, keys[:middle], value, answers)
        yield from unanswered(root, clean, keys[middle:], value, answers)


# Keys that name a program or a path.
NAMING = re.compile(
    r"(cmd|command|path|program|file|hooks?|hookspath|pager|editor|helper|driver|[.]textconv|clean|"
    r"smudge|process|tool|browser|proxy|template|worktree|fsmonitor|dir|directory|target|blob|"
    r"askpass|pack|vcs|url|update|filter|cert|key|uploadpack)$",
    re.IGNORECASE,
)


@pytest.mark.parametrize(
    "is_naming", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["naming", "others"]
)
def test_no_key_that_git_knows_runs_or_shows_anything(
    root: Path, trap: Trap, *, is_naming: bool
) -> None:
    clean = (root / ".git/config").read_text()
    answers = ask_everything(root)
    keys = [key for key in documented_keys() if bool(NAMING.search(key)) == is_naming]
    assert len(keys) > 80
    files = files_below(root / "src")
    rejected = sorted(unanswered(root, clean, keys, str(trap.program), answers))
    if is_naming:  # the program is no truth value, not the work tree, and no configuration
        assert rejected == ["core.quotePath", "core.worktree", "include.path"]
    assert files_below(root / "src") == files
    trap.assert_unsprung()


# Nothing is fetched.


@pytest.mark.parametrize("way", ["uploadpack", "ssh", "ext", "helper"])
def test_a_missing_object_is_not_fetched(root: Path, trap: Trap, way: str) -> None:
    program = str(trap.program)
    address = {"ssh": "git@example.org:x", "ext": f"ext::{program}"}.get(way, str(root))
    settings = {
        "remote.origin.url": address,
        "remote.origin.uploadpack": program,
        **{f"protocol.{name}.allow": "always" for name in ("file", "ext", "ssh")},
        "core.sshCommand": program,
    }
    config = (root / ".git/config").read_text().replace(f"url = {root.parent / 'inner'}", "", 1)
    (root / ".git/config").write_text(config)
    configure(root, settings | ({"remote.origin.vcs": "trap"} if way == "helper" else {}))
    snapshot = CommitSnapshot(repository(root), sh(root, "rev-parse", "HEAD"))
    with pytest.raises(UnreadableError, match="git does not have its content"):
        snapshot.read("src/gone.py")
    assert snapshot.read("src/b.py") == b"b = 2\n"
    trap.assert_unsprung()


# What looks like a repository.


def clone_with_git_directory(folder: Path, trap: Trap) -> Path:
    """Clone a repository in which `src/inner` is a whole git directory, kept as plain files."""
    commit_all(folder / "prepared", FILES)
    (folder / "prepared/.git").rename(folder / "git")
    inner = folder / "stranger/src/inner"
    shutil.copytree(folder / "git", inner)
    shutil.copytree(folder / "prepared", inner / "work")
    core = "[core]\nrepositoryFormatVersion = 0\nbare = false\nworktree = work\n"
    settings = {"core.fsmonitor": str(trap.program), "filter.trap.clean": str(trap.program)}
    write(inner, {"config": core + config_text(settings), "refs/x": "", "objects/x": ""})
    commit_all(folder / "stranger")
    sh(folder, "clone", "-q", "stranger", "clone")
    return folder / "clone"


def test_a_git_directory_inside_a_clone_is_not_adopted(tmp_path: Path, trap: Trap) -> None:
    clone = clone_with_git_directory(tmp_path, trap)
    touch_everything(clone)
    head = sh(clone, "rev-parse", "HEAD")
    for place in ("src/inner", "src/inner/refs", "src/inner/work"):
        opened = repository(clone / place)
        assert (opened.top, opened.prefix) == (str(clone), place)
        assert resolve_commit(opened, "HEAD") == head
        assert changed_files(opened, head) == ()
        assert visible_files(str(clone / place)).notes == ()
    trap.assert_unsprung()


def test_a_bare_repository_is_none(tmp_path: Path) -> None:
    commit_all(tmp_path / "main", {"a": "1\n"})
    sh(tmp_path, "clone", "-q", "--bare", "main", "bare")
    assert find_repository(str(tmp_path / "bare")) is None


@pytest.mark.parametrize("content", [b"", b"x" * 9_000, "directory", "fifo", "link"])
def test_what_is_only_called_like_a_repository_is_none(
    tmp_path: Path, content: bytes | str
) -> None:
    entry = tmp_path / ".git"
    match content:
        case "directory":
            entry.mkdir()
        case "fifo":
            os.mkfifo(entry)
        case "link":
            entry.symlink_to(".git")
        case bytes():
            entry.write_bytes(content)
    assert find_repository(str(tmp_path)) is None


# What the process may have.


def test_only_one_module_starts_processes() -> None:
    forbidden = {"subprocess", "multiprocessing", "pty", "_posixsubprocess"}
    calls = {"system", "popen", "fork", "forkpty", "posix_spawn", "posix_spawnp", "startfile"}
    starts: list[str] = []
    for file in sorted(SOURCES.rglob("*.py")):
        name = file.relative_to(SOURCES).as_posix()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=names) if name != "disk/git.py":
                    assert forbidden.isdisjoint(alias.name.split(".")[0] for alias in names), name
                case ast.ImportFrom(module=str(module)) if name != "disk/git.py":
                    assert module.split(".")[0] not in forbidden, name
                    assert "ProcessPoolExecutor" not in {alias.name for alias in node.names}, name
                case ast.Attribute(value=ast.Name(id="os"), attr=attribute):
                    assert attribute not in calls, name
                    assert not attribute.startswith(("exec", "spawn")), name
                case ast.Call(func=ast.Attribute(value=ast.Name(id="subprocess"))):
                    starts.append(name)
    assert starts == ["disk/git.py"]


def test_git_gets_the_switches_that_turn_everything_off(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []
    environments: list[Mapping[str, str]] = []
    popen = subprocess.Popen

    def watched(command: list[str], env: Mapping[str, str], **options: object) -> object:
        commands.append(command)
        environments.append(env)
        return popen(command, env=env, **options)  # type: ignore[call-overload]

    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CONFIG_PARAMETERS"):
        monkeypatch.setenv(name, "/nowhere")
    monkeypatch.setattr(subprocess, "Popen", watched)
    ask_everything(root)
    settings = [
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
    ]
    plumbing = {
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
    }
    for command, environment in zip(commands, environments, strict=True):
        assert set(settings) <= set(command)
        (asked,) = plumbing & set(command)
        is_comparing = asked in ("log", "diff-tree", "diff-index")
        assert ({"--no-ext-diff", "--no-textconv"} <= set(command)) == is_comparing
        switches = {"GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
        assert switches.items() <= environment.items()
        assert environment["GIT_ALLOW_PROTOCOL"] == ""
        assert "/nowhere" not in environment.values()


@pytest.mark.parametrize(
    "name", ["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"]
)
def test_variables_that_name_another_repository_mislead_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    made = commit_all(tmp_path / "main", {"a/x": "1"})
    commit_all(tmp_path / "other", {"y": "1"})
    monkeypatch.setenv(name, str(tmp_path / "other/.git"))
    opened = repository(tmp_path / "main/a")
    assert (resolve_commit(opened, "HEAD"), opened.prefix) == (made, "a")
    assert changed_files(opened, made) == ()


@pytest.mark.parametrize("place", ["outside", "relative", "link"])
def test_an_index_elsewhere_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    root, other = tmp_path / "root", tmp_path / "other"
    commit_all(root, {"a": "1\n"})
    commit_all(other, {"b": "1\n"})
    (tmp_path / "link").symlink_to(other / ".git/index")
    link = str(tmp_path / "link")
    named = {"outside": str(other / ".git/index"), "relative": ".git/index", "link": link}
    monkeypatch.setenv("GIT_INDEX_FILE", named[place])
    assert visible_files(str(root)).files == ("a",)


def test_the_index_of_a_commit_in_progress_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "root"
    commit_all(root, {"a": "1\n", ".gitignore": "x\n"})
    shutil.copy(root / ".git/index", root / ".git/next-index")
    monkeypatch.setenv("GIT_INDEX_FILE", str(root / ".git/next-index"))
    write(root, {"x": "1\n"})
    sh(root, "add", "-f", "x")
    assert visible_files(str(root)).files == (".gitignore", "a", "x")
