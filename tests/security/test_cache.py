"""Nothing that a repository or somebody else has prepared is opened by SQLite or believed.

Whole commands run here; `tests/disk` has the same for the file of the cache and its folder.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from disk.test_cache_file import super_journal
from disk.trees import cache_of, tick, trust_all_stamps
from graphs import NODE, write
from hostile import commit_all, files_below, give_away, needs_root
from security.asking import LINES, SHOP, TEXT, ask, ask_all
from yg.disk.cache import NAME
from yg.surfaces.cli.main import Outcome

FORGED = "This is forged, and nobody has written it."


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the user an empty cache directory, and let no file be too young for it."""
    trust_all_stamps(monkeypatch)
    (tmp_path / "cache").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "root", SHOP)


@pytest.fixture
def right(root: Path) -> dict[str, Outcome]:
    """What the commands answer about the repository without any cache."""
    return ask_all(root, "--no-cache")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note what SQLite opens."""
    names: list[str] = []
    real = sqlite3.connect

    def noted(path: str | Path, **named: object) -> sqlite3.Connection:
        names.append(str(path).removeprefix("file:").partition("?")[0])
        return real(path, **named)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", noted)
    return names


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    return write(tmp_path, {"precious": "precious"}) / "precious"


def assert_right(root: Path, right: dict[str, Outcome]) -> None:
    """Assert that commands say what is true, twice, and change nothing in the repository."""
    before = files_below(root)
    for _ in range(2):
        assert ask_all(root) == right
    assert files_below(root) == before


# Where a cache is not.


@pytest.mark.parametrize(
    "place",
    [".", ".yggdrasil", ".yggdrasil/.cache", ".yggdrasil/model/a", ".cache/yg", ".git", "src"],
)
def test_a_database_in_a_repository_is_not_opened(
    root: Path, cache: Path, opened: list[str], victim: Path, place: str
) -> None:
    commit_all(root)
    folder = root / place
    folder.mkdir(parents=True, exist_ok=True)
    super_journal(folder, victim)
    shutil.copytree(folder, folder / cache_of(root).parent.name)
    opened.clear()
    assert_right(root, ask_all(root, "--no-cache"))
    assert opened
    assert {Path(name).parent.parent for name in opened} == {cache / "yg"}
    assert victim.read_text() == "precious"


VARIABLES: dict[str, dict[str, str | None]] = {
    "no home": {"XDG_CACHE_HOME": None, "HOME": ""},
    "a relative directory": {"XDG_CACHE_HOME": "cache", "HOME": ""},
    "the repository": {"XDG_CACHE_HOME": "{root}"},
    "a directory of the repository": {"XDG_CACHE_HOME": "{root}/.cache"},
    "a link into the repository": {"XDG_CACHE_HOME": "{root}/../way"},
    "the git directory": {"XDG_CACHE_HOME": "{root}/.git"},
    "a home in the repository": {"XDG_CACHE_HOME": None, "HOME": "{root}"},
    "a file": {"XDG_CACHE_HOME": "{root}/../precious"},
    "the null device": {"XDG_CACHE_HOME": "/dev/null"},
}


@pytest.mark.parametrize("name", VARIABLES)
def test_without_a_place_outside_of_the_repository_there_is_no_cache(
    root: Path, opened: list[str], victim: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    commit_all(root)
    write(root, {".cache/yg/x": ""})
    (root.parent / "way").symlink_to("root/src")
    monkeypatch.chdir(root)
    right = ask_all(root, "--no-cache")
    for variable, value in VARIABLES[name].items():
        if value is None:
            monkeypatch.delenv(variable)
        else:
            monkeypatch.setenv(variable, value.format(root=root))
    assert_right(root, right)
    assert opened == []
    assert victim.read_text() == "precious"


def test_without_a_cache_nothing_is_opened_or_written(
    root: Path, cache: Path, opened: list[str]
) -> None:
    ask_all(root, "--no-cache")
    assert (opened, os.listdir(cache)) == ([], [])


# What somebody else has put where the cache is.


def journal(folder: Path) -> None:
    (folder / NAME).unlink()
    super_journal(folder, folder.parents[2] / "precious")
    for path in folder.iterdir():
        path.chmod(0o600)


def other_tables(folder: Path) -> None:
    with closing(sqlite3.connect(folder / NAME)) as connection, connection:
        connection.execute("DROP TABLE results")
        connection.execute("CREATE VIEW results AS SELECT 1 AS name, 1 AS digest, 1 AS value")


def another_cache(folder: Path) -> None:
    """Put the cache of another repository there, with texts that this one does not have."""
    other = write(folder.parents[2] / "other", {**SHOP, "model/a/responsibility.md": FORGED})
    ask_all(other)
    shutil.copy(cache_of(other), folder / NAME)


def a_link(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to("elsewhere")


def a_pipe(folder: Path) -> None:
    (folder / NAME).unlink()
    os.mkfifo(folder / NAME, 0o600)


def a_directory(folder: Path) -> None:
    (folder / NAME).unlink()
    (folder / NAME).mkdir(0o700)


def noise(folder: Path) -> None:
    size = (folder / NAME).stat().st_size
    (folder / NAME).write_bytes(b"SQLite format 3\0" + Random(1).randbytes(size))  # noqa: S311


@pytest.mark.parametrize(
    "plant", [journal, other_tables, another_cache, a_link, a_pipe, a_directory, noise]
)
def test_what_is_planted_in_the_cache_changes_no_answer(
    root: Path, right: dict[str, Outcome], victim: Path, plant: Callable[[Path], None]
) -> None:
    ask_all(root)
    plant(cache_of(root).parent)
    assert_right(root, right)
    assert victim.read_text() == "precious"


@needs_root
@pytest.mark.parametrize("levels", [0, 1, 2, 3])
def test_a_cache_of_somebody_else_is_neither_read_nor_written(
    root: Path, right: dict[str, Outcome], opened: list[str], levels: int
) -> None:
    ask_all(root)
    place = [cache_of(root), *cache_of(root).parents][levels]
    give_away(place)
    before = files_below(place) if place.is_dir() else place.read_bytes()
    opened.clear()
    assert_right(root, right)
    if levels:  # a folder, which nobody but its owner can replace
        assert opened == []
        assert files_below(place) == before


# No answer differs with the cache.

LONGER = "Does what has to be done, and nothing else that somebody could think of.\n"


def _edits(root: Path) -> Iterator[None]:
    """Edit a repository step by step, in ways that caches overlook."""
    graph = root / ".yggdrasil"
    text = graph / "model/a/responsibility.md"
    before = text.stat()
    text.write_text(TEXT.replace("anybody", "someone"))  # of the same length
    os.utime(text, ns=(before.st_atime_ns, before.st_mtime_ns))
    yield
    write(root, {"model/a/yg-node.yaml": "name: ["})
    yield
    write(root, {"model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [other]}}\n"})
    yield
    (graph / "aspects/z").rename(graph / "aspects/y")
    yield
    shutil.move(graph / "aspects/y", graph / "aspects/z")
    text.unlink()
    os.mkfifo(text)
    yield
    text.unlink()
    text.symlink_to("../b/responsibility.md")
    yield
    text.unlink()
    write(root, {"model/a/responsibility.md": LONGER, "other/c.py": ""})
    yield
    shutil.rmtree(root / "other")
    yield
    (root / "other").symlink_to("src")
    yield
    graph.rename(root / "graph")
    graph.symlink_to("graph")
    yield
    (root / "graph/model").rename(root / "graph/models")
    yield
    write(root, {"yg-config.yaml": "name: other\n"})
    yield


def test_whatever_is_edited_no_answer_differs_with_the_cache(root: Path) -> None:
    ask_all(root)
    for step, _ in enumerate(_edits(root)):
        tick(root)
        for _ in range(2):
            assert (step, ask_all(root)) == (step, ask_all(root, "--no-cache"))


def test_an_archive_with_the_times_of_the_old_files_is_read(root: Path) -> None:
    commit_all(root)
    ask_all(root)
    times = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    write(root, {"model/a/responsibility.md": TEXT.replace("anybody", "someone")})
    for path, time in times.items():
        os.utime(path, ns=(time, time))
    assert "that someone could" in ask(root, "build-context a").text


# Folders that others can write.


@pytest.mark.parametrize("mode", [0o775, 0o777, 0o1777])
def test_folders_that_others_can_write_are_read_as_usual(
    root: Path, right: dict[str, Outcome], mode: int
) -> None:
    for directory in (root, *(path for path in root.rglob("*") if path.is_dir())):
        directory.chmod(mode)
    assert_right(root, right)


WATCHED = """\
import os, sys
from yg.surfaces.cli.main import answer
touched = set()
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
EVENTS = ["sqlite3.connect"] + [f"os.{call}" for call in (
    "mkdir remove rename rmdir link symlink truncate chmod chown utime setxattr".split()
)]
def watch(event, arguments):
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING:
        arguments = arguments[:1]
    elif event not in EVENTS:
        return
    touched.update(os.fsdecode(word) for word in arguments if isinstance(word, (str, bytes)))
sys.addaudithook(watch)
for line in sys.argv[2:]:
    name, *words = line.split()
    assert answer([name, "-C", sys.argv[1], *words]).code in (0, 1)
print(*sorted(touched), sep="\\n")
"""


def test_commands_write_to_the_cache_and_to_nothing_else(root: Path, cache: Path) -> None:
    commit_all(root)
    command = [sys.executable, "-c", WATCHED, str(root), *LINES]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    touched = [path.removeprefix("file:") for path in done.stdout.splitlines()]
    assert f"{cache}/yg" in touched
    others = [path for path in touched if not path.startswith(str(cache))]
    assert {path for path in others if "__pycache__" not in path} <= {os.devnull}
