"""The index saves time and nothing else: it never changes what a digest is."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import SimpleNamespace
from zlib import crc32

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from yg.disk.index import NAME, SETTLED_NS, Index, Stamp

often = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])

NOW = 1_700_000_000_000_000_000
OLD = NOW - SETTLED_NS - 1
STAMP: Stamp = (3, OLD, OLD, 77)
FILE = f".yggdrasil/.cache/{NAME}"


@pytest.fixture(autouse=True)
def a_clock_that_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yg.disk.index.time", SimpleNamespace(time_ns=lambda: NOW))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".yggdrasil").mkdir()
    return tmp_path


def remember(root: Path, path: str = "a", stamp: Stamp = STAMP, digest: str = "d") -> None:
    index = Index(str(root))
    index.put(path, stamp, digest)
    index.save()


def recalled(root: Path, path: str = "a", stamp: Stamp = STAMP) -> str | None:
    return Index(str(root)).get(path, stamp)


def mark(file: Path) -> tuple[int, ...]:
    """Return what changes whenever a file is written, and not when it is read."""
    status = os.stat(file)
    return status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size


def test_a_digest_is_remembered_for_the_next_run(root: Path) -> None:
    remember(root)
    assert recalled(root) == "d"


def test_what_was_never_seen_is_not_known(root: Path) -> None:
    assert recalled(root) is None
    remember(root)
    assert recalled(root, "b") is None


@pytest.mark.parametrize(
    "stamp",
    [(4, OLD, OLD, 77), (3, OLD - 1, OLD, 77), (3, OLD, OLD - 1, 77), (3, OLD, OLD, 78)],
    ids=["size", "mtime", "ctime", "inode"],
)
def test_a_file_that_differs_in_anything_is_looked_at_again(root: Path, stamp: Stamp) -> None:
    remember(root)
    assert recalled(root, stamp=stamp) is None


@pytest.mark.parametrize(
    ("modified", "changed", "is_kept"),
    [
        (OLD, OLD, True),
        (OLD + 1, OLD, False),
        (OLD, OLD + 1, False),
        (NOW, OLD, False),
        (OLD, NOW, False),
        (NOW + 1, OLD, False),
        (2 * NOW, 0, False),
        (-1, OLD, True),
    ],
)
def test_a_file_touched_not_long_before_this_run_is_not_trusted(
    root: Path, modified: int, changed: int, *, is_kept: bool
) -> None:
    stamp = (3, modified, changed, 77)
    remember(root, stamp=stamp)
    assert (recalled(root, stamp=stamp) == "d") is is_kept


def test_a_newer_digest_takes_the_place_of_the_older(root: Path) -> None:
    remember(root)
    newer = (3, OLD, OLD - 5, 77)
    remember(root, stamp=newer, digest="e")
    assert (recalled(root), recalled(root, stamp=newer)) == (None, "e")


def test_what_others_remembered_stays(root: Path) -> None:
    remember(root, "a")
    remember(root, "b", digest="e")
    assert (recalled(root, "a"), recalled(root, "b")) == ("d", "e")


def test_a_run_without_news_writes_nothing(root: Path) -> None:
    Index(str(root)).save()
    assert list((root / ".yggdrasil").iterdir()) == []
    remember(root)
    before = mark(root / FILE)
    index = Index(str(root))
    assert index.get("a", STAMP) == "d"
    index.save()
    assert mark(root / FILE) == before


def test_the_order_of_files_never_shows(root: Path) -> None:
    contents = []
    for order in ("ab", "ba"):
        index = Index(str(root))
        for path in order:
            index.put(path, STAMP, path)
        index.save()
        contents.append((root / FILE).read_bytes())
        (root / FILE).unlink()
    assert contents[0] == contents[1]


@often
@given(st.binary(min_size=1).map(os.fsdecode))
def test_any_name_can_be_remembered(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    root = tmp_path_factory.mktemp("root")
    (root / ".yggdrasil").mkdir()
    remember(root, name)
    assert recalled(root, name) == "d"


def test_nothing_but_the_index_is_left_in_the_cache(root: Path) -> None:
    remember(root)
    assert sorted(os.listdir(root / ".yggdrasil/.cache")) == [".gitignore", NAME]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"{",
        b"\xff\xfe\0",
        b"null\n[]",
        b"[]\n[]",
        b'{"version": 1}\n[]',
        b'{"version": 1, "check": 0}\n[["a",[3,1,1,77],"d"]]',
        b'{"version": 0, "check": 223132457}\n[]',
        b'{"version": 1, "check": 223132457}\n[]trailing',
    ],
)
def test_a_damaged_or_foreign_index_is_empty(root: Path, content: bytes) -> None:
    (root / ".yggdrasil/.cache").mkdir()
    (root / FILE).write_bytes(content)
    assert recalled(root) is None
    remember(root)
    assert recalled(root) == "d"


def test_an_index_that_lost_its_end_or_a_bit_is_empty(root: Path) -> None:
    remember(root)
    whole = (root / FILE).read_bytes()
    for at in range(len(whole)):
        (root / FILE).write_bytes(whole[:at])
        assert recalled(root) is None
        (root / FILE).write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert recalled(root) is None


def test_an_index_of_another_shape_is_empty_though_its_check_is_right(root: Path) -> None:
    remember(root)
    header, _, body = (root / FILE).read_bytes().partition(b"\n")
    assert (json.loads(header).keys(), json.loads(body)) == (
        {"version", "check"},
        [["a", list(STAMP), "d"]],
    )
    for rows in (b"{}", b"[1]", b'[["a"]]', b'[["a",1,"d"]]', b'[[[],[1],"d"]]', b"null", b"["):
        (root / FILE).write_bytes(_checked(rows))
        assert recalled(root) is None


def _checked(body: bytes) -> bytes:
    return json.dumps({"version": 1, "check": crc32(body)}).encode() + b"\n" + body


def test_an_index_that_is_a_directory_is_empty(root: Path) -> None:
    (root / FILE).mkdir(parents=True)
    assert recalled(root) is None
    remember(root)
    assert recalled(root) is None
    assert sorted(os.listdir(root / ".yggdrasil/.cache")) == [".gitignore", NAME]


def test_an_index_that_is_a_link_is_not_written_through(root: Path) -> None:
    (root / ".yggdrasil/.cache").mkdir()
    (root / "elsewhere").write_bytes(b"precious")
    (root / FILE).symlink_to(root / "elsewhere")
    remember(root)
    assert (root / "elsewhere").read_bytes() == b"precious"
    assert recalled(root) == "d"


@pytest.mark.parametrize("target", ["elsewhere", "nowhere"])
def test_nothing_is_written_to_a_linked_cache(root: Path, target: str) -> None:
    (root / "elsewhere").mkdir()
    (root / ".yggdrasil/.cache").symlink_to(root / target)
    remember(root)
    assert list((root / "elsewhere").iterdir()) == []
    assert not (root / "nowhere").exists()


def test_where_nothing_can_be_written_nothing_is_remembered(root: Path) -> None:
    (root / ".yggdrasil/.cache").write_bytes(b"in the way")
    remember(root)
    assert recalled(root) is None
    assert (root / ".yggdrasil/.cache").read_bytes() == b"in the way"


def test_a_write_that_fails_leaves_the_old_index_whole(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(root)
    before = (root / FILE).read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    remember(root, "b")
    assert (root / FILE).read_bytes() == before
    assert sorted(os.listdir(root / ".yggdrasil/.cache")) == [".gitignore", NAME]


def test_deleting_the_cache_loses_nothing_but_time(root: Path) -> None:
    remember(root)
    for each in (root / ".yggdrasil/.cache").iterdir():
        each.unlink()
    (root / ".yggdrasil/.cache").rmdir()
    assert recalled(root) is None
    remember(root)
    assert recalled(root) == "d"
