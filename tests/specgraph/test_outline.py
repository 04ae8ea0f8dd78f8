"""The tree of a Spec Graph: every node, under each that contains it, opened once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from specgraph.graphs import spec_from
from specgraph.sketches import sketched, sketched_files
from yg.commands import tree as tree_command
from yg.kernel.document import plain
from yg.kernel.palette import PLAIN
from yg.specgraph.graph import SpecGraph
from yg.specgraph.questions.overview import outline
from yg.text.paths import ROOT

SHARED = (
    "AUTH feature: contains LOGIN SESSION",
    "LOGIN behavior: depends_on DEC; implements DEC",
    "SESSION domain: contains LOGIN",
    "DEC decision",
    "WEB layer: contains SESSION DEC",
)


def drawn(graph: SpecGraph, root: str = ROOT, depth: int | None = None) -> str:
    return tree_command.text(tree_command.tree_of(outline(graph, root, depth)), PLAIN)


def test_a_node_with_several_parents_is_under_each_and_is_opened_once() -> None:
    assert (
        drawn(sketched(*SHARED))
        == """\
specgraph/
├── AUTH [feature] Title AUTH -> 2 links
│   ├── LOGIN [behavior] Title LOGIN -> 2 links
│   └── SESSION [domain] Title SESSION -> 1 link
│       └── LOGIN [behavior] Title LOGIN -> 2 links (see above)
└── WEB [layer] Title WEB -> 2 links
    ├── SESSION [domain] Title SESSION -> 1 link (see above)
    └── DEC [decision] Title DEC -> 0 links
"""
    )


def test_with_a_depth_a_node_is_opened_where_it_is_nearest() -> None:
    assert (
        drawn(sketched("A feature: contains B C", "B domain: contains C", "C domain"), "A", 1)
        == """\
A [feature] Title A -> 2 links
├── B [domain] Title B -> 1 link
└── C [domain] Title C -> 0 links
"""
    )
    assert (
        drawn(sketched("A feature: contains B C", "B domain: contains C", "C domain"), "A", 2)
        == """\
A [feature] Title A -> 2 links
├── B [domain] Title B -> 1 link
│   └── C [domain] Title C -> 0 links (see below)
└── C [domain] Title C -> 0 links
"""
    )


def test_any_node_may_be_the_root_and_depth_zero_shows_it_alone() -> None:
    graph = sketched(*SHARED)
    assert [drawn(graph, "SESSION"), drawn(graph, "WEB", 0), drawn(graph, depth=0)] == [
        ("SESSION [domain] Title SESSION -> 1 link\n└── LOGIN [behavior] Title LOGIN -> 2 links\n"),
        "WEB [layer] Title WEB -> 2 links\n",
        "specgraph/\n",
    ]


def test_a_circle_that_nothing_contains_begins_at_its_smallest_id() -> None:
    circle = sketched("C domain: contains A", "A domain: contains B", "B domain: contains C")
    assert (
        drawn(circle)
        == """\
specgraph/
└── A [domain] Title A -> 1 link
    └── B [domain] Title B -> 1 link
        └── C [domain] Title C -> 1 link
            └── A [domain] Title A -> 1 link (see above)
"""
    )
    itself = "specgraph/\n└── A [domain] Title A -> 1 link\n"
    assert drawn(sketched("A domain: contains A")).startswith(itself)


def test_a_node_that_cannot_be_read_has_a_line_and_no_data() -> None:
    files = sketched_files("A feature: contains B GONE", "B behavior")
    graph = spec_from({**files, "specgraph/nodes/B.json": b"\xff"})
    assert (
        drawn(graph)
        == "specgraph/\n└── A [feature] Title A -> 2 links\n    └── B (cannot be read)\n"
    )
    assert plain(tree_command.tree_of(outline(graph)))["nodes"] == [
        {"path": "A", "level": 1, "name": "Title A", "type": "feature", "relations": 2},
    ]


def test_data_says_what_is_repeated() -> None:
    assert [node.repeated for node in tree_command.tree_of(outline(sketched(*SHARED))).nodes] == [
        UNSET, UNSET, UNSET, True, UNSET, True, UNSET,
    ]  # fmt: skip


def test_a_deep_chain_works() -> None:
    deep = 2_000
    lines = [f"N{at} domain: contains N{at + 1}" for at in range(deep)]
    assert len(outline(sketched(*lines, f"N{deep} domain")).entries) == deep + 2


NAMES = "ABCDE"
EDGES = st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=12)


@given(EDGES)
def test_every_node_is_shown_and_opened_exactly_once(edges: set[tuple[str, str]]) -> None:
    inside = {name: [to for at, to in sorted(edges) if at == name] for name in NAMES}
    lines = [
        f"{name} domain: contains {' '.join(to)}" if to else f"{name} domain"
        for name, to in inside.items()
    ]
    entries = outline(sketched(*lines)).entries[1:]
    opened = [entry.path for entry in entries if entry.repeat is None]
    assert sorted(opened) == sorted(NAMES)
    for entry in entries:
        if entry.repeat is None:
            at = entries.index(entry) + 1
            below = []
            while at < len(entries) and entries[at].level > entry.level:
                below += [entries[at].path] if entries[at].level == entry.level + 1 else []
                at += 1
            assert below == inside[entry.path]
