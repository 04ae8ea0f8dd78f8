"""Facts are computed once for a content, wherever it lies, and again by another algorithm."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from support import write
from yg.code import read
from yg.code.facts import FileFacts
from yg.disk.files import stamps
from yg.disk.index import database
from yg.disk.reading.facts import WorkTreeFacts
from yg.disk.reading.hashes import WorkTreeHashes
from yg.disk.reading.worktree import WorkTree

CODE = "def f(a):\n    return a\n"


@pytest.fixture
def scanned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the paths that are scanned, as they are."""
    found: list[str] = []
    original = read.read_facts

    def counted(path: str, data: bytes) -> FileFacts | None:
        found.append(path)
        return original(path, data)

    monkeypatch.setattr(read, "FACTS", replace(read.FACTS, make=counted))
    monkeypatch.setattr(stamps, "SETTLED_NS", -(10**12))
    return found


def facts_of(root: Path, *paths: str, uses_index: bool = True) -> list[FileFacts | None]:
    """Read facts in a run of its own."""
    tree = WorkTree(str(root), ".yggdrasil", uses_index=uses_index)
    reader = WorkTreeFacts(tree, WorkTreeHashes(tree))
    found = [reader.of(path) for path in paths]
    if tree.index is not None:
        tree.index.save()
        tree.index.close()
    return found


def repository(root: Path, files: dict[str, str | bytes]) -> Path:
    return write(root, {".yggdrasil/yg-config.yaml": "name: t\n", **files})


def test_a_content_is_scanned_once(tmp_path: Path, scanned: list[str]) -> None:
    root = repository(tmp_path, {"a.py": CODE, "b.txt": CODE})
    first = facts_of(root, "a.py", "b.txt")
    assert (first[1], scanned) == (None, ["a.py"])
    assert facts_of(root, "a.py", "b.txt") == first
    assert scanned == ["a.py"]
    write(root, {"a.py": f"{CODE}# more\n"})
    facts_of(root, "a.py")
    write(root, {"a.py": CODE, "sub/a.py": CODE})
    assert facts_of(root, "a.py", "sub/a.py") == [first[0]] * 2
    assert scanned == ["a.py", "a.py"]


def test_without_an_index_a_content_is_scanned_once_in_a_run(
    tmp_path: Path, scanned: list[str]
) -> None:
    root = repository(tmp_path, {"a.py": CODE, "b.py": "'"})
    found = facts_of(root, "a.py", "a.py", "b.py", "b.py", uses_index=False)
    assert found == [*facts_of(root, "a.py") * 2, None, None]
    assert scanned == ["a.py", "b.py", "a.py"]


def test_line_endings_make_no_other_facts(tmp_path: Path, scanned: list[str]) -> None:
    root = repository(tmp_path, {"a.py": CODE, "b/a.py": CODE.replace("\n", "\r\n")})
    one, other = facts_of(root, "a.py", "b/a.py")
    assert one == other
    assert facts_of(root, "b/a.py", uses_index=False) == [one]


def test_a_text_without_facts_is_remembered_too(tmp_path: Path, scanned: list[str]) -> None:
    root = repository(tmp_path, {"a.py": "'"})
    assert facts_of(root, "a.py") + facts_of(root, "a.py") == [None, None]
    assert scanned == ["a.py"]


def test_facts_of_another_algorithm_are_computed_again(
    tmp_path: Path, scanned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path, {"a.py": CODE})
    facts_of(root, "a.py")
    monkeypatch.setattr(read, "FACTS", replace(read.FACTS, name="lex-99"))
    facts_of(root, "a.py")
    assert scanned == ["a.py", "a.py"]


def test_a_missing_file_has_no_facts(tmp_path: Path) -> None:
    assert facts_of(repository(tmp_path, {}), "a.py") == [None]


def test_a_file_that_changes_after_it_was_hashed_has_no_facts(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": CODE})
    tree = WorkTree(str(root), ".yggdrasil", uses_index=True)
    hashes = WorkTreeHashes(tree)
    hashes.of("a.py")
    write(root, {"a.py": "x = 1\n"})
    assert WorkTreeFacts(tree, hashes).of("a.py") is None
    assert tree.index is not None
    assert not tree.index.stamps.is_cacheable


def test_facts_of_contents_that_are_gone_do_not_pile_up(
    tmp_path: Path, scanned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "SPARE_FACTS", 2)
    root = repository(tmp_path, {"a.py": CODE})
    for number in range(20):
        write(root, {"a.py": f"x = {number}\n"})
        facts_of(root, "a.py")
    tree = WorkTree(str(root), ".yggdrasil", uses_index=True)
    assert tree.index is not None
    assert len(tree.index._database.facts.all()) <= 2 + 3 + 1
