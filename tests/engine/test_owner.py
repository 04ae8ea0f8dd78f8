"""The owner of a file is the node with the longest mapped path around it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import NODE, Content, graph_from
from yg.text import paths
from yg.yggdrasil.owner import (
    Owner,
    Owners,
    Part,
    PartKind,
    mapped_path,
    mapped_paths,
    part_of,
    spelling_fault,
)


def node(*mapped: str) -> str:
    listed = ", ".join(f"'{path}'" for path in mapped)
    return f"{NODE}mapping: {{paths: [{listed}]}}\n"


def owners(nodes: Mapping[str, str]) -> Owners:
    return Owners(graph_from({f"model/{path}/yg-node.yaml": text for path, text in nodes.items()}))


@pytest.mark.parametrize(
    ("file", "owner"),
    [
        ("src/a.py", Owner("a", "src/a.py")),
        ("src/b.py", Owner("b", "src")),
        ("src/deep/er/c.py", Owner("b", "src")),
        ("src", Owner("b", "src")),
        ("src2/x", None),
        ("lib/x", Owner("c", "lib")),
        (".git/config", None),
        (".yggdrasil/model/a/yg-node.yaml", None),
        ("README.md", None),
    ],
)
def test_the_longest_mapped_path_wins(file: str, owner: Owner | None) -> None:
    found = owners({"a": node("src/a.py"), "b": node("./src/", "../x", ".git"), "c": node("lib\\")})
    assert found.get(file) == owner


def test_the_whole_repository_can_be_mapped_but_the_graph_and_git_belong_to_nobody() -> None:
    found = owners({"a": node(".")})
    assert found.get("x/y") == Owner("a", ".")
    assert found.get(".yggdrasil/yg-config.yaml") is None
    assert found.get("vendor/.git/HEAD") is None


def test_of_the_same_path_the_child_wins_over_its_ancestor() -> None:
    found = owners(
        {"a": node("src"), "a/b": node("src/"), "a/b/c": node("./src"), "d": node("src")}
    )
    assert found.get("src/x.py") == Owner("a/b/c", "src")


def test_an_ancestor_keeps_what_it_maps_inside_a_path_of_its_child() -> None:
    found = owners({"a": node("src/main.py"), "a/b": node("src")})
    assert found.get("src/main.py") == Owner("a", "src/main.py")
    assert found.get("src/x.py") == Owner("a/b", "src")


def test_mapped_paths_are_valid_and_listed_once() -> None:
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": node("src", "./src", "../x", "lib"),
        "model/b/yg-node.yaml": node("src/", "/etc", ""),
    }
    assert mapped_paths(graph_from(files)) == ("src", "lib")


@pytest.mark.parametrize(
    ("file", "part"),
    [
        ("model/a/yg-node.yaml", Part(PartKind.NODE, "a")),
        ("model/a/img/x.png", Part(PartKind.NODE, "a")),
        ("model/bad/notes.md", Part(PartKind.NODE, "bad")),
        ("model/loose/notes.md", Part(PartKind.NODE, ".")),
        ("model/yg-node.yaml", Part(PartKind.NODE, ".")),
        ("aspects/g/x/more/content.md", Part(PartKind.ASPECT, "g/x")),
        ("aspects/g/README.md", None),
        ("flows/f/description.md", Part(PartKind.FLOW, "f")),
        ("yg-config.yaml", None),
        ("schemas/yg-node.yaml", None),
    ],
)
def test_a_file_of_the_graph_belongs_to_a_node_an_aspect_or_a_flow(
    file: str, part: Part | None
) -> None:
    graph = graph_from(
        {
            "model/yg-node.yaml": NODE,
            "model/a/yg-node.yaml": NODE,
            "model/bad/yg-node.yaml": "",
            "model/loose/notes.md": "",
            "aspects/g/x/yg-aspect.yaml": "name: X\n",
            "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\n",
        }
    )
    assert part_of(graph, f".yggdrasil/{file}") == part
    assert part_of(graph, file) is None


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
        (".", ""),
        (".yggdrasil-notes/a", ""),
        (".github/workflows", ""),
        ("a/.gitignore", ""),
        ("c:x", ""),
        ("", "is empty"),
        (" ", "is empty"),
        ("x" * 5000, "is longer than a path can be"),
        ("/src", "is absolute"),
        ("\\src", "is absolute"),
        ("C:\\src", "is absolute"),
        ("c:/src", "is absolute"),
        ("..", "leaves the repository"),
        ("src/../../x", "leaves the repository"),
        (".yggdrasil", "lies inside .yggdrasil/"),
        ("src/../.yggdrasil/model", "lies inside .yggdrasil/"),
        (".git", "lies inside .git/"),
        ("vendor/.git/config", "lies inside .git/"),
        ("a\\.git\\x", "lies inside .git/"),
    ],
)
def test_a_text_that_is_no_mapped_path_says_why(text: str, fault: str) -> None:
    assert spelling_fault(text) == fault


PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map("/".join)


@given(st.dictionaries(PATHS, st.lists(PATHS, min_size=1, max_size=3), max_size=4), PATHS)
def test_the_owner_is_the_one_that_a_search_of_all_mappings_finds(
    nodes: dict[str, list[str]], file: str
) -> None:
    claims = [
        (len(mapped), name, mapped)
        for name, listed in nodes.items()
        for mapped in listed
        if paths.is_inside(file, mapped)
    ]
    longest = max((length for length, _, _ in claims), default=0)
    names = sorted({(name, mapped) for length, name, mapped in claims if length == longest})
    expected = None
    for name, mapped in names:  # the first, unless one inside it follows
        if expected is None or paths.is_inside(name, expected.node):
            expected = Owner(name, mapped)
    assert owners({name: node(*listed) for name, listed in nodes.items()}).get(file) == expected
