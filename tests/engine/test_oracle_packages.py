"""Packages, tracked files and lists of random graphs are those that the documents describe."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pytest
import yaml

from graphs import graph_from, package_from, snapshot_from
from specification import naive
from specification.program import Program
from specification.random_graphs import random_graph
from yg.yggdrasil.owner import Owners
from yg.yggdrasil.package import Assembler
from yg.yggdrasil.read import read_graph
from yg.yggdrasil.render import package_text
from yg.yggdrasil.texts import facts_of


def seeds(most: int, quick: int = 25) -> Iterable[object]:
    """Return a few seeds, and many that are slow."""
    return (*range(quick), *[pytest.param(n, marks=pytest.mark.slow) for n in range(quick, most)])


@pytest.mark.parametrize("seed", seeds(1_000))
def test_packages_and_what_they_track_are_those_of_the_documents(seed: int) -> None:
    files = random_graph(seed)
    graph = naive.load(files)
    assert graph.nodes
    for path in graph.nodes:
        found = package_from(files, path)
        assert package_text(found) == naive.package(graph, path)
        tracked = [file.removeprefix(".yggdrasil/") for file in found.files]
        assert tracked == naive.tracked(graph, path)


@pytest.mark.parametrize("seed", seeds(1_000))
def test_the_owners_of_files_are_those_of_the_documents(seed: int) -> None:
    files = random_graph(seed, faults=True)
    graph, owners = naive.load(files), Owners(graph_from(files))
    mapped = [path for node in graph.nodes for path in naive.mapped_paths(graph, node)]
    overlapping = {path for code, path in naive.mapping_issues(graph) if code == "E009"}
    for file in (*files, *mapped, *(f"{path}/deep/down.py" for path in mapped), "nowhere.py"):
        found, expected = owners.get(file), naive.owner(graph, file)
        if file.split("/")[0] in (*naive.DECLARATIONS, "schemas", "yg-config.yaml"):
            continue
        if expected is None or not overlapping:
            assert (found and (found.node, found.mapping)) == expected


@pytest.mark.parametrize("seed", seeds(200, 12))
def test_the_lists_are_those_of_the_documents(tmp_path: Path, seed: int) -> None:
    files, yg = random_graph(seed), Program(tmp_path)
    graph = naive.load(files)
    assert yg.text(files, "tree") == naive.tree(graph)
    for command, expected in (
        ("aspects", naive.aspect_list(graph)),
        ("flows", naive.flow_list(graph)),
    ):
        printed = yg.text(files, command)
        assert yaml.safe_load(printed) == expected
        assert [list(item) for item in yaml.safe_load(printed)] == [*map(list, expected)]


@pytest.mark.parametrize("seed", seeds(200, 25))
def test_a_size_is_that_of_the_package(seed: int) -> None:
    snapshot = snapshot_from(random_graph(seed))
    graph = read_graph(snapshot)
    assembler = Assembler(graph, partial(facts_of, snapshot))
    nodes = graph.nodes.values()
    assert [*map(assembler.tokens, nodes)] == [assembler.package(node).tokens for node in nodes]
