"""Coverage: every file has an owner, a blackbox for an owner, or none."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import NODE, graph_from
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.coverage import Coverage, Tally, coverage_of, tally
from yg.yggdrasil.owners import Ownership


def coverage(files: Iterable[str], blackbox: str = "", **mappings: str) -> Coverage:
    """Make nodes, each with mapped paths, some of them blackboxes, and look at files."""
    graph = graph_from(
        {
            f"model/{name}/yg-node.yaml": f"{NODE}mapping: {{paths: [{paths}]}}\n"
            + ("blackbox: true\n" if name in blackbox.split() else "")
            for name, paths in mappings.items()
        }
    )
    return coverage_of(graph, Ownership(graph, SnapshotSources(graph.snapshot)), files)


def test_files_are_added_up_for_every_directory_above_them() -> None:
    found = coverage(
        ("README.md", "lib/old.py", "src/a/x.py", "src/a/y/z.py", "src/b.py"),
        blackbox="old",
        a="src/a",
        old="lib",
    )
    assert found.tallies == (
        tally(".", covered=2, blackbox=1, uncovered=2),
        tally("lib", covered=0, blackbox=1, uncovered=0),
        tally("src", covered=2, blackbox=0, uncovered=1),
        tally("src/a", covered=2, blackbox=0, uncovered=0),
        tally("src/a/y", covered=1, blackbox=0, uncovered=0),
    )
    assert found.total == found.tallies[0]
    assert found.uncovered == ("README.md", "src/b.py")


def test_the_longest_mapping_decides_whether_a_file_is_in_a_blackbox() -> None:
    found = coverage(
        ("src/x.py", "src/old/y.py", "src/old/new/z.py"),
        blackbox="old",
        all="src",
        old="src/old",
        new="src/old/new",
    )
    assert found.total == tally(".", covered=2, blackbox=1, uncovered=0)


def test_a_repository_that_is_mapped_as_a_whole_has_nothing_uncovered() -> None:
    found = coverage(("a", "b/c"), blackbox="all", all=".")
    assert (found.total, found.uncovered) == (tally(".", 0, 2, 0), ())


def test_a_repository_without_files_is_covered() -> None:
    found = coverage((), a="src")
    assert found == Coverage((tally(".", 0, 0, 0),), ())
    assert found.total.percent == 100.0


@pytest.mark.parametrize(
    ("counted", "percent"),
    [
        (tally("x", 0, 0, 1), 0.0),
        (tally("x", 1, 0, 1), 50.0),
        (tally("x", 0, 1, 1), 50.0),
        (tally("x", 1, 1, 2), 50.0),
        (tally("x", 3, 0, 0), 100.0),
        (tally("x", 0, 3, 0), 100.0),
        (tally("x", 199, 0, 1), 99.5),
    ],
)
def test_a_blackbox_counts_as_covered(counted: Tally, percent: float) -> None:
    assert counted.share == percent


def test_directories_come_before_what_is_below_them_and_after_their_neighbours() -> None:
    found = coverage(("b/x", "a/b/x", "a-b/x", "a/x", "a.b/x", "Z/x", "ä/x"))
    assert [item.directory for item in found.tallies] == [
        ".",
        "Z",
        "a",
        "a/b",
        "a-b",
        "a.b",
        "b",
        "ä",
    ]


PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join)


@given(st.sets(PATHS, max_size=12), st.lists(PATHS, unique=True, max_size=4))
def test_every_file_is_counted_once(files: set[str], mapped: list[str]) -> None:
    mappings = {f"n{at}": path for at, path in enumerate(mapped)}
    found = coverage(sorted(files), blackbox="n0 n2", **mappings)
    total = found.total
    assert total.files == len(files) == total.covered + total.blackbox + total.uncovered
    assert found.uncovered == tuple(
        file
        for file in sorted(files)
        if not any(f"{file}/".startswith(f"{path}/") for path in mapped)
    )
    for counted in found.tallies:
        below = [file for file in files if f"./{file}".startswith(f"./{counted.directory}/")]
        assert counted.directory == "." or counted.files == len(below)
