"""The memory saves time and nothing else: whatever has changed is no longer known."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from yg.disk.lines import HEADER, NAME, Lines
from yg.disk.memory import (
    DIGEST,
    EXTENT,
    SETTLED_NS,
    Change,
    Memory,
    Stamp,
    change_of,
    stamp_of,
    visible_names,
)

from support import write
from yg.kernel.snapshot import Kind

often = settings(max_examples=40)

GRAPH = ".yggdrasil"
FILE = f"{GRAPH}/.cache/{NAME}"
NOW = 1_700_000_000_000_000_000
OLD = NOW - SETTLED_NS - 1
STAMP: Stamp = f"3 {OLD} {OLD} 77"
READING = "reading"


class Machine:
    """A clock that stands still, and files that have the stamp that is wanted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.stamp = STAMP
        monkeypatch.setattr("yg.disk.memory.time", SimpleNamespace(time_ns=lambda: NOW))
        monkeypatch.setattr("yg.disk.memory.stamp_of", lambda _: self.stamp)
        monkeypatch.setattr("yg.disk.memory.touched", lambda _: self.touched)

    @property
    def touched(self) -> int:
        _, modified, changed, _ = self.stamp.split(" ")
        return max(int(modified), int(changed))


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough to be trusted."""
    clock = SimpleNamespace(time_ns=lambda: time.time_ns() + 2 * SETTLED_NS)
    monkeypatch.setattr("yg.disk.memory.time", clock)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path, {f"{GRAPH}/a": "abc", f"{GRAPH}/b": "abc", f"{GRAPH}/d/c": "abc"})


def opened(root: Path) -> Memory:
    return Memory(str(root), GRAPH)


def remember(root: Path, path: str = "a", name: str = DIGEST, fact: Any = "d") -> None:
    memory = opened(root)
    memory.keep(f"{GRAPH}/{path}", name, fact)
    memory.save()


def recalled(root: Path, path: str = "a") -> dict[str, Any]:
    return opened(root).facts(f"{GRAPH}/{path}")


def list_names(root: Path, directory: str, **names: Kind) -> None:
    memory = opened(root)
    memory.keep_listing(directory, names)
    memory.save()


def tick(root: Path) -> None:
    """Wait until the clock of the file system has moved on."""
    (root / "probe").touch()
    before = (root / "probe").stat().st_ctime_ns
    while (root / "probe").stat().st_ctime_ns == before:
        (root / "probe").write_bytes(b"")


# Facts about files.


@pytest.mark.usefixtures("machine")
def test_what_was_found_out_in_this_run_is_known_in_it(root: Path) -> None:
    memory = opened(root)
    memory.keep(f"{GRAPH}/a", DIGEST, "d")
    memory.keep(f"{GRAPH}/a", EXTENT, 1)
    memory.keep(f"{GRAPH}/a", DIGEST, "e")
    assert memory.facts(f"{GRAPH}/a") == {EXTENT: 1, DIGEST: "e"}
    assert (memory.stamp(f"{GRAPH}/a"), memory.stamp_of_directory(GRAPH)) == (STAMP, STAMP)


@pytest.mark.usefixtures("machine")
def test_a_fact_is_remembered_for_the_next_run(root: Path) -> None:
    remember(root)
    assert recalled(root) == {DIGEST: "d"}


@pytest.mark.usefixtures("machine")
def test_what_was_never_seen_is_not_known(root: Path) -> None:
    assert recalled(root) == {}
    remember(root)
    assert (recalled(root, "b"), recalled(root, "d/c"), recalled(root, "gone")) == ({}, {}, {})


@pytest.mark.parametrize(
    "stamp",
    [f"4 {OLD} {OLD} 77", f"3 {OLD - 1} {OLD} 77", f"3 {OLD} {OLD - 1} 77", f"3 {OLD} {OLD} 78"],
    ids=["size", "mtime", "ctime", "inode"],
)
def test_a_file_that_differs_in_anything_is_looked_at_again(
    root: Path, machine: Machine, stamp: Stamp
) -> None:
    remember(root)
    machine.stamp = stamp
    assert recalled(root) == {}


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
def test_what_was_touched_not_long_before_this_run_is_not_trusted(
    root: Path, machine: Machine, modified: int, changed: int, *, is_kept: bool
) -> None:
    machine.stamp = f"3 {modified} {changed} 77"
    memory = opened(root)
    memory.keep(f"{GRAPH}/a", DIGEST, "d")
    memory.keep_listing(GRAPH, {"a": Kind.FILE})
    memory.save()
    assert memory.is_settled is is_kept
    assert (recalled(root) == {DIGEST: "d"}) is is_kept
    assert (opened(root).listing(GRAPH) == {"a": Kind.FILE}) is is_kept


def test_a_newer_fact_takes_the_place_of_the_older(root: Path, machine: Machine) -> None:
    remember(root)
    machine.stamp = f"3 {OLD} {OLD - 5} 77"
    remember(root, fact="e")
    assert recalled(root) == {DIGEST: "e"}
    machine.stamp = STAMP
    assert recalled(root) == {}


def test_facts_of_a_file_as_it_was_do_not_mix_with_those_of_what_it_is(
    root: Path, machine: Machine
) -> None:
    remember(root, name=READING, fact=[1])
    machine.stamp = f"4 {OLD} {OLD} 77"
    remember(root, name=DIGEST, fact="d")
    assert recalled(root) == {DIGEST: "d"}


@pytest.mark.usefixtures("machine")
def test_facts_about_one_file_add_up(root: Path) -> None:
    remember(root, name=DIGEST, fact="d")
    remember(root, name=EXTENT, fact=[1, 2])
    assert recalled(root) == {DIGEST: "d", EXTENT: [1, 2]}


@pytest.mark.usefixtures("machine")
def test_what_others_remembered_stays(root: Path) -> None:
    remember(root, "a")
    remember(root, "d/c", fact="e")
    remember(root, "b", fact="f")
    assert [recalled(root, each)[DIGEST] for each in ("a", "b", "d/c")] == ["d", "f", "e"]


@pytest.mark.usefixtures("machine")
def test_a_run_without_news_writes_nothing(root: Path) -> None:
    opened(root).save()
    assert not (root / GRAPH / ".cache").exists()
    remember(root)
    before = stamp_of(os.stat(root / FILE))
    memory = opened(root)
    assert memory.facts(f"{GRAPH}/a") == {DIGEST: "d"}
    memory.save()
    assert stamp_of(os.stat(root / FILE)) == before


@pytest.mark.usefixtures("machine")
def test_the_order_of_files_never_shows(root: Path) -> None:
    contents = set()
    for order in ("ab", "ba"):
        memory = opened(root)
        for name in order:
            memory.keep(f"{GRAPH}/{name}", DIGEST, name)
        memory.save()
        found = Lines(str(root)).get(GRAPH)
        contents.add(repr(sorted(found[2].items())))
        (root / FILE).unlink()
    assert len(contents) == 1


@often
@given(st.binary(min_size=1, max_size=20).filter(lambda name: not {0, 47} & {*name}))
def test_any_name_can_be_remembered(tmp_path_factory: pytest.TempPathFactory, name: bytes) -> None:
    root = write(tmp_path_factory.mktemp("root"), {f"{GRAPH}/keep": ""})
    decoded = os.fsdecode(name)
    if decoded in (".", ".."):
        return
    try:
        (root / GRAPH / decoded).mkdir()
    except OSError:
        return  # no name on this machine
    (root / GRAPH / decoded / decoded).write_bytes(b"")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("yg.disk.memory.SETTLED_NS", -(1 << 62))
        remember(root, f"{decoded}/{decoded}")
        assert recalled(root, f"{decoded}/{decoded}") == {DIGEST: "d"}


@pytest.mark.usefixtures("later")
def test_links_and_what_is_not_there_are_never_remembered(root: Path) -> None:
    (root / GRAPH / "link").symlink_to("a")
    os.mkfifo(root / GRAPH / "fifo")
    for name in ("link", "fifo", "gone", "a/b", "nul\0"):
        memory = opened(root)
        memory.keep(f"{GRAPH}/{name}", DIGEST, "d")
        memory.save()
        assert (memory.is_settled, recalled(root, name)) == (False, {})


@pytest.mark.usefixtures("later")
def test_the_graph_alone_may_be_a_link(root: Path) -> None:
    (root / GRAPH / ".cache").mkdir()
    (root / GRAPH).rename(root / "store")
    (root / GRAPH).symlink_to("store")
    list_names(root, GRAPH, a=Kind.FILE)
    assert opened(root).listing(GRAPH) == {"a": Kind.FILE}
    (root / "link").symlink_to("store")
    list_names(root, "link", a=Kind.FILE)
    assert opened(root).listing("link") is None


# Listings.


@pytest.mark.usefixtures("machine")
def test_a_listing_is_remembered_with_what_each_name_is(root: Path) -> None:
    names = {"a": Kind.FILE, "d": Kind.DIRECTORY, "l": Kind.LINK, "o": Kind.OTHER, ".h": Kind.FILE}
    list_names(root, GRAPH, **names)
    assert opened(root).listing(GRAPH) == names
    assert opened(root).names(GRAPH) == ["fa", "dd", "ll", "oo"] == visible_names(names)


@pytest.mark.usefixtures("machine")
def test_an_empty_listing_is_a_listing(root: Path) -> None:
    list_names(root, GRAPH)
    assert (opened(root).listing(GRAPH), opened(root).listing(f"{GRAPH}/d")) == ({}, None)


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize(
    "edit",
    [
        lambda folder: (folder / "new").touch(),
        lambda folder: (folder / "c").unlink(),
        lambda folder: (folder / "c").rename(folder / "e"),
        lambda folder: folder.chmod(0o700),
        lambda folder: os.utime(folder, ns=(1, 1)),
        lambda folder: (folder.rename(folder.parent / "e"), folder.mkdir()),
    ],
    ids=["added", "removed", "renamed", "mode", "time", "another"],
)
def test_a_directory_that_changed_is_listed_again(
    root: Path, edit: Callable[[Path], object]
) -> None:
    list_names(root, f"{GRAPH}/d", c=Kind.FILE)
    tick(root)
    edit(root / GRAPH / "d")
    assert opened(root).listing(f"{GRAPH}/d") is None


@pytest.mark.usefixtures("machine")
def test_facts_about_files_that_are_gone_are_forgotten(root: Path) -> None:
    remember(root, "a")
    remember(root, "b")
    list_names(root, GRAPH, b=Kind.FILE)
    assert (recalled(root, "a"), recalled(root, "b")) == ({}, {DIGEST: "d"})


# How much has changed.


@pytest.mark.parametrize(
    ("facts", "change"),
    [
        ({}, Change.TEXT),
        ({EXTENT: [1, 0]}, Change.TEXT),
        ({EXTENT: [1, 0], DIGEST: "d"}, Change.TEXT),
        ({READING: []}, Change.STRUCTURE),
        ({EXTENT: [1, 0], READING: []}, Change.STRUCTURE),
    ],
)
def test_a_file_of_which_only_its_size_is_known_is_a_text(
    facts: dict[str, Any], change: int
) -> None:
    assert change_of(facts) is change


def known(root: Path) -> None:
    """Remember a little graph."""
    memory = opened(root)
    memory.keep_listing(f"{GRAPH}/d", {"c": Kind.FILE})
    memory.keep(f"{GRAPH}/d/c", EXTENT, [3, 0])
    memory.keep(f"{GRAPH}/a", READING, [])
    memory.keep(f"{GRAPH}/.hidden/x", EXTENT, [3, 0])
    memory.keep_state()
    memory.save()


@pytest.mark.usefixtures("later")
def test_what_has_not_changed_is_as_before(root: Path) -> None:
    known(root)
    memory = opened(root)
    assert (memory.is_as_before, memory.changed(GRAPH)) == (True, ([], []))
    assert memory.met == Change.NOTHING


@pytest.mark.usefixtures("later")
def test_what_was_never_looked_at_can_be_anything(root: Path) -> None:
    known(root)
    tick(root)
    write(root, {f"{GRAPH}/b": "other", "src/x": "", f"{GRAPH}/e/x": ""})
    memory = opened(root)
    assert (memory.is_as_before, memory.changed(GRAPH)) == (True, ([], []))


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize(
    ("edit", "changes"),
    [
        (lambda graph: write(graph, {"d/c": "xyz"}), ([], [f"{GRAPH}/d/c"])),
        (lambda graph: write(graph, {"a": "xyz"}), ([], [f"{GRAPH}/a"])),
        (lambda graph: write(graph, {"d/e": ""}), ([f"{GRAPH}/d"], [])),
        (lambda graph: (graph / "d/c").unlink(), ([f"{GRAPH}/d"], [f"{GRAPH}/d/c"])),
        (lambda graph: (graph / "a").unlink(), ([], [f"{GRAPH}/a"])),
    ],
    ids=["text", "declaration", "added", "removed", "removed unlisted"],
)
def test_what_has_changed_is_told(
    root: Path, edit: Callable[[Path], object], changes: tuple[list[str], list[str]]
) -> None:
    known(root)
    tick(root)
    edit(root / GRAPH)
    memory = opened(root)
    assert (memory.is_as_before, memory.changed(GRAPH)) == (False, changes)


@pytest.mark.usefixtures("later")
def test_a_directory_that_is_gone_is_met_once(root: Path) -> None:
    known(root)
    shutil.rmtree(root / GRAPH / "d")
    memory = opened(root)
    assert (memory.changed(GRAPH), memory.met) == (([], []), Change.STRUCTURE)
    memory.save()
    again = opened(root)
    assert (again.changed(GRAPH), again.met) == (([], []), Change.NOTHING)


@pytest.mark.usefixtures("later")
def test_a_change_that_is_written_down_is_remembered_as_met(root: Path) -> None:
    known(root)
    tick(root)
    write(root, {f"{GRAPH}/d/c": "xyz", f"{GRAPH}/a": "xyz", f"{GRAPH}/d/e": ""})
    memory, met = opened(root), []
    for path, name in (("d/c", EXTENT), ("a", READING), ("d/c", EXTENT)):
        memory.keep(f"{GRAPH}/{path}", name, [])
        met.append(memory.met)
    assert met == [Change.TEXT, Change.STRUCTURE, Change.STRUCTURE]
    memory, met = opened(root), []
    for name in (".h", "e"):
        memory.keep_listing(f"{GRAPH}/d", {"c": Kind.FILE, name: Kind.FILE})
        met.append(memory.met)
    assert met == [Change.NOTHING, Change.STRUCTURE]


MEMOS = {
    "texts": {"sensitivity": Change.TEXT},
    "structure": {"sensitivity": Change.STRUCTURE},
    "odd": ["no memo"],
}


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize(
    ("path", "name", "kept"),
    [
        ("d/c", EXTENT, ["structure"]),
        ("a", READING, []),
        ("b", READING, ["odd", "structure", "texts"]),  # of which nothing was known
    ],
)
def test_what_a_change_makes_untrue_is_forgotten(
    root: Path, path: str, name: str, kept: list[str]
) -> None:
    known(root)
    memory = opened(root)
    for each, memo in MEMOS.items():
        memory.keep_memo(each, memo)
    memory.save()
    tick(root)
    write(root, {f"{GRAPH}/{path}": "xyz"})
    remember(root, path, name, [])
    memory = opened(root)
    assert [each for each in sorted(MEMOS) if memory.memo(each) is not None] == kept


@pytest.mark.usefixtures("later")
def test_what_was_found_out_after_a_change_is_kept(root: Path) -> None:
    known(root)
    tick(root)
    write(root, {f"{GRAPH}/a": "xyz"})
    memory = opened(root)
    memory.keep(f"{GRAPH}/a", READING, [1])
    memory.keep_memo("new", {"sensitivity": Change.TEXT})
    memory.keep_state()
    memory.save()
    memory = opened(root)
    assert memory.memo("new") == {"sensitivity": Change.TEXT}
    assert memory.is_as_before


# Whatever it is given.


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\0", HEADER, b"null\n[]"])
def test_a_damaged_or_foreign_index_is_empty(root: Path, content: bytes) -> None:
    write(root, {FILE: content})
    assert recalled(root) == {}
    remember(root)
    assert recalled(root) == {DIGEST: "d"}


def row(root: Path, entry: str) -> Memory:
    """Open a memory of one row that has a right checksum, whatever it is."""
    body = f'"{GRAPH}"\t{entry}'
    line = f"{crc32(body.encode()):08x} {body}\n"
    table = f'\t{{"rows":{len(line)},"large":{{}}}}'
    write(root, {FILE: HEADER + f"{crc32(table.encode()):08x} {table}\n{line}".encode()})
    return opened(root)


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize(
    "entry",
    [
        "7",
        "[]",
        "{}",
        '"abc"',
        "[null,null]",
        "[null,null,{},null]",
        "[7,null,{}]",
        "[null,7,{}]",
        '[null,{"fa":1},{}]',
        '[null,"fa",{}]',
        "[null,[7],{}]",
        "[null,[[]],{}]",
        '[null,[{"f":1}],{}]',
        '[null,[""],{}]',
        '[null,["xa"],{}]',
        "[null,null,[]]",
        '[null,null,{"a":7}]',
        '[null,null,{"a":[]}]',
        '[null,null,{"a":["3 1 1 77"]}]',
        '[null,null,{"a":[7,{}]}]',
        '[null,null,{"a":[[3,1,1,77],{}]}]',
        '[null,null,{"a":["3 1 1 77",[]]}]',
        "[[3,1,1,77],null,{}]",
        '[null,null,{"a":[null,null]}]',
        '[null,null,{"a":"ab"}]',
    ],
)
def test_a_row_of_another_shape_is_none_though_its_checksum_is_right(
    root: Path, entry: str
) -> None:
    memory = row(root, entry)
    assert (memory.facts(f"{GRAPH}/a"), memory.listing(GRAPH)) == ({}, None)
    assert (memory.names(GRAPH), memory.old_facts(f"{GRAPH}/a")) == (None, {})
    assert (memory.met, memory.is_settled) == (Change.STRUCTURE, False)
    assert row(root, entry).changed(GRAPH) == ([], [])
    memory.keep(f"{GRAPH}/b", DIGEST, "d")
    memory.keep_state()
    memory.save()
    assert recalled(root, "b") == {DIGEST: "d"}


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize(
    "stamp", ["", "3", "3 1 1 x", "3  1 1 77", "3 1 1 77 9", "3 1e5 1 77", "3 1 1", "\\u0663 1 1 7"]
)
def test_a_stamp_of_another_shape_is_that_of_no_file(root: Path, stamp: str) -> None:
    entry = f'["{stamp}",["fa"],{{"a":["{stamp}",{{"{DIGEST}":"d"}}]}}]'
    memory = row(root, entry)
    assert (memory.facts(f"{GRAPH}/a"), memory.listing(GRAPH)) == ({}, None)
    memory.keep_state()
    memory.save()
    assert not opened(root).is_as_before
    assert f"{GRAPH}/a" in opened(root).changed(GRAPH)[1]


@pytest.mark.usefixtures("machine")
def test_a_large_inode_can_be_remembered(root: Path, machine: Machine) -> None:
    machine.stamp = f"3 {OLD} {OLD} {(1 << 64) - 1}"
    known(root)
    assert (recalled(root), opened(root).is_as_before) == ({READING: []}, False)
