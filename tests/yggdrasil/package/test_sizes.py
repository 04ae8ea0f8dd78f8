"""Sizes of packages are those of the packages, and shared aspects are measured once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given

from executed import lines
from security.instructions import is_steep
from support import NODE, graph_from, snapshot_from
from yg.kernel.errors import UnreadableError
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.package.assemble import assemble
from yg.yggdrasil.package.sizes import package_sizes
from yg.yggdrasil.read.v2 import read
from yg.yggdrasil.rules.check import validate
from yggdrasil.random_graphs import graphs

if TYPE_CHECKING:
    from support import Content


@given(graphs())
def test_sizes_are_those_of_assembled_packages(files: dict[str, str]) -> None:
    assert sizes(files) == packages(files)


def sizes(files: dict[str, str], sources: dict[str, str] = {}) -> dict[str, int]:
    graph = graph_from(files, sources)
    return {node.path: tokens for node, tokens in package_sizes(graph, graph.nodes)}


def packages(files: dict[str, str], sources: dict[str, str] = {}) -> dict[str, int]:
    graph = graph_from(files, sources)
    found = {}
    for node in graph.nodes:
        if not node.is_blackbox:
            try:
                found[node.path] = assemble(graph, node).tokens
            except UnreadableError:
                continue
    return found


def test_a_document_that_two_aspects_refer_to_counts_once() -> None:
    aspects = {
        f"aspects/{name}/yg-aspect.yaml": "name: A\ndocuments: [docs/a.md]\n" for name in "xy"
    }
    nodes = {
        "model/a/yg-node.yaml": f"{NODE}aspects: [{{aspect: x}}, {{aspect: y}}]\n",
        "model/b/yg-node.yaml": f"{NODE}aspects: [{{aspect: x}}]\ndocuments: [docs/a.md]\n",
        "model/c/yg-node.yaml": NODE,
    }
    sources = {"docs/a.md": "Words that stand outside the graph, and are quoted.\n" * 9}
    found = sizes({**aspects, **nodes}, sources)
    assert found == packages({**aspects, **nodes}, sources)
    assert found["c"] < found["b"]


def test_an_aspect_that_cannot_be_read_leaves_its_nodes_without_a_size() -> None:
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": f"{NODE}aspects: [{{aspect: x}}]\n",
        "model/b/yg-node.yaml": f"{NODE}aspects: [{{aspect: x}}]\n",
        "model/c/yg-node.yaml": NODE,
        "aspects/x/yg-aspect.yaml": "name: A\nimplies: [y]\n",
        "aspects/y/yg-aspect.yaml": "name: A\n",
        "aspects/y/content.md": b"\xff\xfe",
    }
    graph = graph_from(files)
    assert [node.path for node, _ in package_sizes(graph, graph.nodes)] == ["c"]


def test_nodes_that_share_a_chain_of_aspects_take_lines_that_grow_with_their_number() -> None:
    def validated(count: int) -> int:
        files = {}
        for number in range(count):
            implied = f"implies: [a{number + 1}]\n" if number + 1 < count else ""
            files[f"aspects/a{number}/yg-aspect.yaml"] = f"name: A\n{implied}"
            files[f"aspects/a{number}/content.md"] = "It holds for all that it concerns.\n"
            exception = ", exceptions: [not here]" if number % 2 else ""
            use = f"{{aspect: a0{exception}}}"
            files[f"model/n{number}/yg-node.yaml"] = f"{NODE}aspects: [{use}]\n"
        snapshot = snapshot_from(files)
        return lines(lambda: validate(read(snapshot), SnapshotSources(snapshot)))

    validated(2)  # what is imported and compiled on first use counts once
    assert not is_steep([validated(count) for count in (25, 50, 100)])
