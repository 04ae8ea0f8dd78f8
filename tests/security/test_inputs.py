"""Hostile input: whatever the files of a repository hold or are, every command answers."""

from __future__ import annotations

import os
import socket
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random

import pytest

from graphs import NODE, write
from hostile import commit_all, needs_root, sh
from security.asking import LINES, SHOP, TEXT, ask, ask_all
from security.hostile_texts import YAML
from yg.text.escapes import visible

FOLDER = ".yggdrasil"
DECLARATIONS = [path for path in SHOP if path.endswith(".yaml") and "schemas" not in path]
TEXTS = [path for path in SHOP if path.endswith(".md")]
CONFIG = SHOP["yg-config.yaml"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "root", SHOP)


def placed(root: Path, path: str) -> Path:
    """Return where a file of the shop is."""
    return root / path if path.startswith(("src", "other")) else root / FOLDER / path


# What is no file.


def fifo(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    os.mknod(path, 0o020666, os.makedev(1, 5))  # zeros without end


def listener(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the path of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def directory(path: Path) -> None:
    path.mkdir()


SPECIAL = [fifo, pytest.param(device, marks=needs_root), listener]
KINDS = [*SPECIAL, directory]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note the names of files that are opened."""
    names: list[str] = []
    real = os.open

    def noted(path: str | bytes, *arguments: int, **named: int) -> int:
        names.append(os.path.basename(os.fsdecode(path)))
        return real(path, *arguments, **named)

    monkeypatch.setattr(os, "open", noted)
    return names


@pytest.mark.parametrize("make", KINDS)
def test_nothing_is_opened_that_is_no_file(
    root: Path, opened: list[str], make: Callable[[Path], None]
) -> None:
    for place in (".", "src", "other", *(f"{FOLDER}/{part}" for part in ("", "model", "model/a"))):
        for name in ("trap.md", "trap.yaml", "trap.py"):
            make(root / place / name)
    make(root / FOLDER / "aspects/z/trap.md")
    make(root / FOLDER / "flows/f/trap.md")
    ask_all(root)
    for file in ("src/trap.py", "trap.py", f"{FOLDER}/model/a/trap.md"):
        ask(root, ("owner", file))
        ask(root, ("build-context", "--file", file))
    assert [name for name in opened if name.startswith("trap")] == []


@pytest.mark.parametrize("make", SPECIAL)
@pytest.mark.parametrize("path", [*DECLARATIONS, *TEXTS])
def test_what_takes_the_place_of_a_file_is_reported(
    root: Path, path: str, make: Callable[[Path], None]
) -> None:
    (root / FOLDER / path).unlink()
    make(root / FOLDER / path)
    found = ask_all(root)["validate"].text
    assert f"'{Path(path).name}' cannot be read: not a regular file." in found


@pytest.mark.parametrize("path", [*DECLARATIONS, *TEXTS, "src/a.py"])
def test_a_directory_with_the_name_of_a_file_is_no_crash(root: Path, path: str) -> None:
    placed(root, path).unlink()
    placed(root, path).mkdir()
    is_declaration = path in DECLARATIONS
    assert ask_all(root)["validate"].code == is_declaration


PLACES = {
    "": "No .yggdrasil/ directory found.",
    "model": "'model' cannot be read: not a directory.",
    "aspects": "'aspects' cannot be read: not a directory.",
    "flows": "'flows' cannot be read: not a directory.",
    "model/a": "'a' cannot be read: not a regular file.",
    "schemas": "schemas/yg-node.yaml is missing.",
}


@pytest.mark.parametrize("make", SPECIAL)
@pytest.mark.parametrize("path", PLACES)
def test_what_takes_the_place_of_a_directory_is_reported(
    root: Path, path: str, make: Callable[[Path], None]
) -> None:
    place = root / FOLDER / path
    place.rename(root.parent / "away")
    make(place)
    found = ask_all(root)["validate"]
    assert PLACES[path] in found.text + found.notes


@pytest.mark.parametrize("make", KINDS)
def test_a_mapped_path_that_is_no_file_is_not_opened(
    root: Path, opened: list[str], make: Callable[[Path], None]
) -> None:
    uses = "aspects: [{aspect: z, anchors: [needle]}]\n"
    write(root, {"model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [trap.py, src]}}\n{uses}"})
    for path in ("trap.py", "src/trap.py"):
        make(root / path)
    found = ask_all(root)["validate"].text
    is_directory = make is directory
    assert ("'trap.py' is not a plain file or directory" in found) is not is_directory
    assert "trap.py" not in opened or is_directory


@pytest.mark.parametrize("make", KINDS)
def test_patterns_that_are_no_file_are_not_opened(
    root: Path, opened: list[str], make: Callable[[Path], None]
) -> None:
    for place in (".", "src", "other"):
        make(root / place / ".gitignore")
    assert "other/b.py" in ask(root, "coverage --uncovered").text
    assert ask(root, "owner src/gone.py src/a.py").code == 0
    assert ".gitignore" not in opened


@pytest.mark.parametrize("make", KINDS)
def test_git_that_waits_for_patterns_is_stopped_once(
    root: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], None]
) -> None:
    monkeypatch.setattr("yg.disk.git.TIME_LIMIT", 0.5)
    commit_all(root, {"other/c.py": "", "d.py": ""})
    for place in (".", "src", "other"):
        make(root / place / ".gitignore")
    for line in ("coverage --uncovered", "owner other/b.py other/c.py d.py other src/a.py"):
        outcome = ask(root, line)
        assert "other/b.py" in outcome.text
        stopped = "'git ls-files' did not answer within 0 seconds; .gitignore files are read"
        assert outcome.notes.count(stopped) == (make is fifo)


# What cannot be read.


@pytest.mark.parametrize("place", [f"{FOLDER}/model/a", f"{FOLDER}/aspects", "src", FOLDER, "."])
def test_a_directory_that_cannot_be_listed_is_no_crash(
    root: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, closed = os.scandir, os.path.normpath(root / place)

    def refuse(path: str = ".") -> Iterator[os.DirEntry[str]]:
        if os.path.normpath(path) == closed:
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    found = ask_all(root, "--no-cache")["validate"]
    if place.startswith(FOLDER):
        assert found.code == 1
        assert "permission denied" in found.text


@pytest.mark.parametrize("path", [*DECLARATIONS, *TEXTS, "src/a.py"])
def test_a_file_that_cannot_be_opened_is_an_error_that_names_it(
    root: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, closed = os.open, str(placed(root, path))

    def refuse(file: str, *arguments: int, **named: int) -> int:
        if os.path.normpath(file) == closed:
            raise PermissionError(13, "Permission denied", file)
        return real(file, *arguments, **named)

    monkeypatch.setattr(os, "open", refuse)
    found = ask_all(root, "--no-cache")["validate"]
    if not path.startswith("src"):
        assert f"'{Path(path).name}' cannot be read: permission denied." in found.text
        assert [line[:4] for line in found.text.splitlines() if "denied" in line] == ["E021"]


# Names.

LONG = "n" * 255
STRANGE = ("a\nb", " ", "-rf", "--json", "*", "a b", "'", '"', "\\", "$(id)", "%s", "\u202e", "é")


def test_names_may_be_as_long_as_the_system_lets_them(root: Path) -> None:
    part = LONG[:200]
    write(
        root,
        {
            f"model/{LONG}/yg-node.yaml": f"{NODE}mapping: {{paths: [{LONG}]}}\n",
            f"model/{LONG}/{LONG}": TEXT,
            f"aspects/{LONG}/yg-aspect.yaml": f"name: {LONG}\n",
            f"flows/{LONG}/yg-flow.yaml": f"name: {LONG}\nnodes: [{LONG}]\n",
            LONG: "",
            "/".join([part] * 10): "",
            f"model/{'/'.join([part] * 10)}/yg-node.yaml": NODE,
        },
    )
    assert LONG in ask_all(root)["tree"].text
    for name in (LONG * 2, "/".join([LONG] * 20), f"{LONG}/{LONG}", "x" * 70_000):
        for line in ("owner", "build-context", "tree", "validate"):
            ask(root, (line, name))
        ask(root, ("build-context", "--file", name))


def test_a_path_longer_than_the_system_takes_is_no_crash(root: Path) -> None:
    for top in (root / "src", root / FOLDER / "model/a"):
        handle = os.open(top, os.O_RDONLY)
        for _ in range(18):
            os.mkdir("d" * 250, dir_fd=handle)
            inner = os.open("d" * 250, os.O_RDONLY, dir_fd=handle)
            os.close(handle)
            handle = inner
        os.close(os.open("file.md", os.O_CREAT | os.O_WRONLY, dir_fd=handle))
        os.close(handle)
    ask_all(root)
    ask_all(commit_only(root, "."))


def commit_only(root: Path, path: str) -> Path:
    sh(root, "init", "-q")
    sh(root, "add", "--", f"{FOLDER}/yg-config.yaml", path)
    sh(root, "commit", "-q", "-m", "one")
    return root


@pytest.mark.parametrize("has_git", [False, True])
def test_names_may_be_any_bytes_and_mean_nothing(root: Path, *, has_git: bool) -> None:
    names = [*STRANGE, os.fsdecode(b"caf\xe9"), os.fsdecode(b"\xff\xfe")]
    files = {
        "src/{}.py": "",
        "model/{}/yg-node.yaml": NODE,
        "model/a/{}.md": "",
        "aspects/{}/yg-aspect.yaml": "name: A\n",
        "aspects/z/{}.md": TEXT,
        "flows/{}/yg-flow.yaml": "name: F\nnodes: [a]\n",
    }
    write(root, {path.format(name): text for path, text in files.items() for name in names})
    if has_git:
        commit_all(root)
    plain = [name for name in STRANGE if not name.startswith("-")]
    assert b"caf\\351" in ask_all(root)["validate"].text.encode()
    for name in plain:
        owner = ask(root, ("owner", f"src/{name}.py"))
        assert owner.text.startswith(f"{visible(f'src/{name}.py')} -> a\n")
        assert f" {visible(name)}/ [service]" in ask(root, "tree").text
    for name in names:
        ask(root, ("owner", "--", f"src/{name}.py", name))
        ask(root, ("build-context", "--lenient", "--", name))


# Sizes and numbers.

HUGE = 1_000_000_000
LITTLE = 40_000_000  # bytes that a command may hold at once
NUMBERS = {
    "hexadecimal": "0x" + "f" * 4200,
    "octal": "0o" + "7" * 4760,
    "decimal": "9" * 4300,
    "fraction": "1." + "1" * 100_000,
    "exponent": "1e999999999",
    "small": "1e-999999999",
    "infinite": "-.inf",
    "none": ".nan",
    "negative": "-1",
    "largest": "9" * 19,
}


@contextmanager
def with_little_memory() -> Iterator[None]:
    """Fail if somebody holds what is too large."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < LITTLE
    finally:
        tracemalloc.stop()


def enlarge(file: Path) -> None:
    """Make a text huge, without a disk that could hold it."""
    with file.open("ab") as text:
        text.write(b"\n" * 8_000)  # so that it does not count as binary
    os.truncate(file, HUGE)


@pytest.mark.parametrize("path", [*DECLARATIONS, *TEXTS])
def test_a_text_larger_than_the_limit_is_an_error_that_names_it(root: Path, path: str) -> None:
    enlarge(root / FOLDER / path)
    with with_little_memory():
        found = ask(root, "validate")
        ask_all(root)
    reason = f"'{Path(path).name}' cannot be read: larger than 16 MB ({HUGE} bytes)"
    assert found.code == 1
    assert [line[:4] for line in found.text.splitlines() if reason in line] == ["E021"]


def test_nobody_holds_a_huge_source_file_or_huge_patterns(root: Path) -> None:
    uses = "aspects: [{aspect: z, anchors: [needle]}]\n"
    write(root, {"model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src]}}\n{uses}"})
    write(root, {".gitignore": "", "src/.gitignore": ""})
    for path in ("src/a.py", "src/.gitignore", ".gitignore"):
        enlarge(root / path)
    with with_little_memory():
        ask_all(root)


def test_a_huge_text_in_a_commit_is_the_same_error(root: Path) -> None:
    commit_all(root, {f"{FOLDER}/model/a/responsibility.md": bytes(16_000_001)})
    write(root, SHOP)
    with with_little_memory():
        outcome = ask(root, "build-context a --at HEAD")
    assert outcome.code == 1
    assert "'responsibility.md' cannot be read: larger than 16 MB (16000001 bytes)" in outcome.notes
    assert ask(root, "build-context a").code == 0


@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS.keys())
def test_a_number_of_any_size_in_a_configuration_does_not_crash(root: Path, number: str) -> None:
    budget = f"context_budget: {{warning: {number}, error: {number}}}"
    limits = f"min_artifact_length: {number}, max_direct_relations: {number}, {budget}"
    for text in (f"quality: {{{limits}}}\n", f"version: {number}\n", f"version: '{number}'\n"):
        write(root, {"yg-config.yaml": f"{CONFIG!s}{text}"})
        ask_all(root)


# Contents.

BYTES = {
    "nothing": b"",
    "a NUL": b"name: a\0b\n",
    "many NULs": bytes(1000),
    "not UTF-8": b"name: caf\xe9\n",
    "UTF-16": "name: é\ntype: service\n".encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbfname: N\ntype: service\nnodes: [a]\n",
    "a surrogate": b'name: "\\ud800"\ntype: service\nnodes: ["\\udfff"]\n',
    "controls": b'name: "\\x1b\\0\\x9b"\ntype: service\nnodes: ["\\x1b"]\n',
    "a conflict": b"<<<<<<< ours\nname: N\n=======\n>>>>>>> theirs\n",
    "a document of Python": b"!!python/object/apply:os.system ['touch sprung']\n",
    "a list": b"- a\n",
    "a text": b"just text\n",
    "wrong types": b"name: [1]\ntype: {}\nnodes: 1\naspects: x\nrelations: x\nmapping: 1\n",
    "wrong items": b"name: N\ntype: service\nnodes: [1, [], {}]\nimplies: [null]\naspects: [[]]\n",
}


@pytest.mark.parametrize("content", BYTES.values(), ids=BYTES.keys())
def test_every_declaration_may_hold_anything(root: Path, content: bytes) -> None:
    for path in DECLARATIONS:
        write(root, {path: content})
        ask_all(root)
        write(root, {path: SHOP[path]})
    for path in TEXTS:
        write(root, {path: content})
    ask_all(root)
    assert not Path("sprung").exists()


@pytest.mark.parametrize("name", YAML)
def test_hostile_yaml_ends_every_command_soon(root: Path, name: str) -> None:
    text = YAML[name](20_000).encode("utf-8", "surrogatepass")
    write(root, dict.fromkeys(("model/b/yg-node.yaml", "aspects/z/yg-aspect.yaml"), text))
    for line in ("validate", "build-context a --lenient", "tree", "owner src/a.py"):
        ask(root, line)


# Changes while a command runs.


def test_files_that_change_while_a_command_runs_are_no_crash(root: Path) -> None:
    is_over = threading.Event()
    paths = [placed(root, path) for path in SHOP if "schemas" not in path]
    chance = Random(1)  # noqa: S311

    def disturb() -> None:
        while not is_over.is_set():
            path = chance.choice(paths)
            acts: list[Callable[[], object]] = [
                partial(path.unlink, missing_ok=True),
                partial(path.write_bytes, b""),
                partial(path.symlink_to, "/dev/zero"),
                partial(path.parent.rename, path.parent.with_name("moved")),
                partial(path.parent.with_name("moved").rename, path.parent),
                partial(write, root, SHOP),
            ]
            with suppress(OSError):
                chance.choice(acts)()

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        for _ in range(3):
            ask_all(root)
    finally:
        is_over.set()
        thread.join()


@pytest.mark.parametrize("call", ["scandir", "lstat", "stat", "open"])
def test_a_graph_that_vanishes_at_any_moment_is_no_crash(
    root: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    real: Callable[..., object] = getattr(os, call)
    away, graph = root / "away", root / FOLDER
    for line in ("validate", "build-context a", "coverage"):
        for at in range(1, 30, 2):
            calls = iter(range(1, 10_000))

            def vanishing(
                *arguments: object, calls: Iterator[int] = calls, at: int = at, **named: object
            ) -> object:
                if next(calls) == at:
                    graph.rename(away)
                return real(*arguments, **named)

            with monkeypatch.context() as patch:
                patch.setattr(os, call, vanishing)
                ask(root, line)
            if away.exists():
                away.rename(graph)
    assert ask(root, LINES[0]).code == 0
