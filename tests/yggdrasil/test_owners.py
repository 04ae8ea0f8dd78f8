"""What a mapped path means, and which files it brings to its node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from support import graph_from, snapshot_from
from yg.kernel.snapshot import DictSnapshot, Kind
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.owners import (
    Ownership,
    mapping_fault,
    mappings,
    own_files,
    sound_paths,
)
from yg.yggdrasil.places import mapped_path

if TYPE_CHECKING:
    from support import Content

SOURCES: dict[str, Content] = {
    "src/a.py": "a",
    "src/b/c.py": "c",
    "src/b/d/e.py": "e",
    "link": Kind.LINK,
    "src/link": Kind.LINK,
    "src/fifo": Kind.OTHER,
    "top.py": "t",
}


def node(*paths: str) -> str:
    listed = ", ".join(f"'{path}'" for path in paths)
    return f"name: N\ntype: service\nmapping: {{paths: [{listed}]}}\n"


def files_of(nodes: Mapping[str, str], path: str) -> list[str]:
    """Return the source files of one node, of nodes given by what they map."""
    declared = {f"model/{name}/yg-node.yaml": text for name, text in nodes.items()}
    snapshot = snapshot_from(declared, SOURCES)
    graph = graph_from(declared, SOURCES)
    found = graph.nodes.get(path)
    assert found is not None
    sources = SnapshotSources(snapshot)
    return list(own_files(sources, Ownership(graph, sources), found))


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("src", "src"),
        ("src/", "src"),
        ("./src//b/", "src/b"),
        ("src\\b", "src/b"),
        ("src/x/../b", "src/b"),
        (".", "."),
        ("./", "."),
        ("..", None),
        ("src/../..", None),
        ("/src", None),
        ("\\src", None),
    ],
)
def test_a_mapped_path_has_one_spelling(text: str, path: str | None) -> None:
    assert mapped_path(text) == path


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("src/a.py", ""),
        ("src", ""),
        (".", ""),
        ("not/there/yet.py", ""),
        (".yggdrasil-notes/a", ""),
        (".github/workflows", ""),
        ("", "is empty"),
        (" ", "is empty"),
        ("/src", "is absolute"),
        ("\\src", "is absolute"),
        ("C:\\src", "is absolute"),
        ("c:/src", "is absolute"),
        ("..", "leaves the repository"),
        ("src/../../x", "leaves the repository"),
        (".yggdrasil", "lies inside .yggdrasil/"),
        ("./.yggdrasil/model", "lies inside .yggdrasil/"),
        ("src/../.yggdrasil/model", "lies inside .yggdrasil/"),
        (".git", "lies inside .git/"),
        (".git/config", "lies inside .git/"),
        ("link", "is a link"),
        ("link/x.py", "passes through the link 'link'"),
        ("src/link/x/y.py", "passes through the link 'src/link'"),
        ("src/fifo", "is not a plain file or directory"),
        ("src/fifo/x", "is not a plain file or directory"),
    ],
)
def test_a_path_that_cannot_be_mapped_says_why(text: str, fault: str) -> None:
    assert mapping_fault(SnapshotSources(DictSnapshot(SOURCES)), text) == fault


def test_each_mapping_of_a_node_is_known_by_its_path_and_its_fault() -> None:
    graph = graph_from({"model/a/yg-node.yaml": node("./src/", "../x", "link", "src")}, SOURCES)
    found = graph.nodes.get("a")
    assert found is not None
    sources = SnapshotSources(DictSnapshot(SOURCES))
    assert [
        (str(mapping.entry), mapping.path, mapping.fault) for mapping in mappings(sources, found)
    ] == [
        ("./src/", "src", ""),
        ("../x", "", "leaves the repository"),
        ("link", "link", "is a link"),
        ("src", "src", ""),
    ]


def test_sound_paths_are_what_could_be_files_or_directories_each_once() -> None:
    texts = ["src/", "./src", "/etc", "link", "../x", "nothing", ".git", "src/a.py"]
    graph = graph_from({"model/a/yg-node.yaml": node(*texts)}, SOURCES)
    found = graph.nodes.get("a")
    assert found is not None
    sources = SnapshotSources(DictSnapshot(SOURCES))
    assert sound_paths(sources, found) == ("src", "nothing", "src/a.py")


@pytest.mark.parametrize(
    ("paths", "files"),
    [
        (["src/a.py"], ["src/a.py"]),
        (["src/b"], ["src/b/c.py", "src/b/d/e.py"]),
        (["src"], ["src/a.py", "src/b/c.py", "src/b/d/e.py"]),
        (["src/b", "src/a.py", "src"], ["src/a.py", "src/b/c.py", "src/b/d/e.py"]),
        (["src/b/", ".\\src\\b"], ["src/b/c.py", "src/b/d/e.py"]),
        (["nothing", "top.py"], ["top.py"]),
        (["link", "src/link", "src/fifo"], []),
        (["/etc", "../x", ".yggdrasil", ""], []),
    ],
)
def test_a_mapping_brings_the_regular_files_below_it_sorted_and_each_once(
    paths: list[str], files: list[str]
) -> None:
    assert files_of({"a": node(*paths)}, "a") == files


def test_files_of_a_child_are_left_out_of_its_parent() -> None:
    nodes = {"a": node("src"), "a/b": node("src/b"), "a/b/c": node("src/b/d/e.py")}
    assert files_of(nodes, "a") == ["src/a.py"]
    assert files_of(nodes, "a/b") == ["src/b/c.py"]
    assert files_of(nodes, "a/b/c") == ["src/b/d/e.py"]


def test_a_child_wins_however_far_below_it_is() -> None:
    nodes = {"a": node("src"), "a/x/y/z": node("src/b")}
    assert files_of(nodes, "a") == ["src/a.py"]
    assert files_of(nodes, "a/x/y/z") == ["src/b/c.py", "src/b/d/e.py"]


def test_a_name_that_only_begins_alike_is_another() -> None:
    nodes = {"a": node("src"), "a/b": node("src/b/d", "src/b/c")}
    assert files_of(nodes, "a") == ["src/a.py", "src/b/c.py"]


def test_the_root_of_the_repository_can_be_mapped() -> None:
    nodes = {"a": node("."), "a/b": node("src")}
    assert "top.py" in files_of(nodes, "a")
    assert not any(path.startswith("src/") for path in files_of(nodes, "a"))


def test_excluded_files_belong_to_whoever_else_maps_them() -> None:
    nodes = {
        "a": "name: A\ntype: service\nmapping: {paths: [src], exclude: [src/b]}\n",
        "a/b": "name: B\ntype: t\nmapping: {paths: [src/b], exclude: ['*.py', '!src/b/c.py']}\n",
        "c": "name: C\ntype: service\nmapping: {paths: [src/b/d]}\n",
    }
    assert files_of(nodes, "a") == ["src/a.py"]
    assert files_of(nodes, "a/b") == ["src/b/c.py"]
    assert files_of(nodes, "c") == ["src/b/d/e.py"]


def test_a_directory_that_is_excluded_has_no_owner() -> None:
    declared = {
        "model/a/yg-node.yaml": "name: A\ntype: t\nmapping: {paths: [src], exclude: [src/b/]}\n"
    }
    ownership = Ownership(
        graph_from(declared, SOURCES), SnapshotSources(snapshot_from(declared, SOURCES))
    )
    owners = {path: ownership.get(path) is not None for path in ("src", "src/b", "src/b/new.py")}
    assert owners == {"src": True, "src/b": False, "src/b/new.py": False}
