"""The longest mapping that covers a file says who owns it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import NODE, graph_from
from yg.kernel.sources import Owner, SnapshotSources
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.owners import Ownership


def ownership(**mappings: str) -> Ownership:
    """Make nodes, each with one or more mapped paths, and ask who owns what."""
    return ownership_in(
        graph_from(
            {
                f"model/{name}/yg-node.yaml": f"{NODE}mapping: {{paths: [{paths}]}}\n"
                for name, paths in mappings.items()
            }
        )
    )


def ownership_in(graph: Graph) -> Ownership:
    return Ownership(graph, SnapshotSources(graph.snapshot))


@pytest.mark.parametrize(
    ("file", "owner"),
    [
        ("src/a.py", Owner("file", "src/a.py")),
        ("src/b.py", Owner("outer", "src")),
        ("src/deep/c.py", Owner("inner", "src/deep")),
        ("src/deep/er/c.py", Owner("inner", "src/deep")),
        ("src/deep/d.py", Owner("outer", "src/deep/d.py")),
        ("src", Owner("outer", "src")),
        ("src/deeper.py", Owner("outer", "src")),
        ("srcs/a.py", None),
        ("SRC/a.py", None),
        ("other.py", None),
        (".", None),
    ],
)
def test_the_longest_matching_mapping_wins(file: str, owner: Owner | None) -> None:
    found = ownership(
        outer="src, src/deep/d.py",
        inner="src/deep",
        file="src/a.py",
    )
    assert found.get(file) == owner


@pytest.mark.parametrize(
    "path", ["src/a", "./src/a", "src//a/", "src/./a", "src/b/../a", "src\\\\a"]
)
def test_a_mapping_may_be_spelled_in_many_ways(path: str) -> None:
    assert ownership(n=f'"{path}"').get("src/a/b.py") == Owner("n", "src/a")


@pytest.mark.parametrize("path", [".", "./", "a/.."])
def test_the_repository_itself_may_be_mapped(path: str) -> None:
    found = ownership(everything=path, part="src")
    assert [found.get("readme.md"), found.get("src/a.py")] == [
        Owner("everything", "."),
        Owner("part", "src"),
    ]


@pytest.mark.parametrize("path", ["/src", "../src", "src/../../src"])
def test_a_mapping_that_leaves_the_repository_owns_nothing(path: str) -> None:
    assert ownership(n=path).get("src") is None


def test_of_two_equal_mappings_the_first_node_by_path_wins() -> None:
    assert ownership(b="src", a="./src/").get("src/x.py") == Owner("a", "src")


def test_nodes_without_mapping_and_bad_nodes_own_nothing() -> None:
    graph = graph_from(
        {
            "model/a/yg-node.yaml": NODE,
            "model/b/yg-node.yaml": "name: 1\ntype: service\nmapping: {paths: [src]}\n",
        }
    )
    assert ownership_in(graph).get("src/a.py") is None


def test_blackbox_nodes_and_the_root_node_own_like_any_other() -> None:
    graph = graph_from(
        {
            "model/yg-node.yaml": f"{NODE}mapping: {{paths: [src]}}\n",
            "model/a/yg-node.yaml": f"{NODE}blackbox: true\nmapping: {{paths: [lib]}}\n",
        }
    )
    found = ownership_in(graph)
    assert [found.get("src/a.py"), found.get("lib/b.py")] == [Owner(".", "src"), Owner("a", "lib")]


PARTS = st.lists(st.sampled_from("ab"), min_size=1, max_size=4).map("/".join)


@given(st.lists(PARTS, unique=True, max_size=5), PARTS)
def test_the_owner_is_the_one_found_by_comparing_with_every_mapping(
    mapped: list[str], file: str
) -> None:
    found = ownership(**{f"n{at}": path for at, path in enumerate(mapped)})
    covering = [path for path in mapped if f"{file}/".startswith(f"{path}/")]
    longest = max(covering, key=len, default=None)
    expected = None if longest is None else Owner(f"n{mapped.index(longest)}", longest)
    assert found.get(file) == expected
