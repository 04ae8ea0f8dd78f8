"""What a node needs, and what that needs: every node opened once, nothing left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import NODE, graph_from
from yg.commands import deps as deps_command
from yg.kernel.dependencies import Dependency, DependencyTree, Repeat
from yg.kernel.palette import PLAIN
from yg.yggdrasil.questions.deps import RelationClass, dependency_tree


def needing(**relations: str) -> dict[str, str]:
    """Write nodes, each with relations like `uses:b calls:c`."""
    return {
        f"model/{name}/yg-node.yaml": NODE + "relations:\n" + "".join(map(entry, text.split()))
        for name, text in relations.items()
    }


def entry(relation: str) -> str:
    kind, _, target = relation.partition(":")
    return f"  - {{type: {kind}, target: {target}}}\n"


def tree_of(
    files: dict[str, str], path: str, depth: int | None = None, only: str = "all"
) -> DependencyTree:
    graph = graph_from(files)
    return dependency_tree(graph, path, depth, RelationClass(only))


def line(  # noqa: PLR0913
    level: int, kind: str, path: str, *, blackbox: bool, is_last: bool, repeat: Repeat | None = None
) -> Dependency:
    return Dependency(
        level=level,
        kind=kind,
        path=path,
        blackbox=blackbox,
        repeated=repeat is not None,
        is_last=is_last,
        repeat=repeat,
    )


def drawn(files: dict[str, str], path: str, depth: int | None = None, only: str = "all") -> str:
    return deps_command.text(deps_command.deps_of(tree_of(files, path, depth, only)), PLAIN)


SHOP = {
    **needing(
        order="calls:payment uses:inventory emits:mail",
        payment="calls:stripe",
        inventory="",
        mail="listens:order uses:stripe",
    ),
    "model/stripe/yg-node.yaml": f"{NODE}blackbox: true\n",
}


def test_the_tree_is_drawn_as_the_specification_draws_it() -> None:
    assert (
        drawn(SHOP, "order")
        == """\
order
├── calls payment
│   └── calls stripe ■ blackbox
├── uses inventory
└── emits mail
    ├── listens order (see above)
    └── uses stripe ■ blackbox (see above)
"""
    )


def test_a_tree_is_its_lines_in_order() -> None:
    tree = tree_of(SHOP, "mail", depth=1)
    assert tree.root == "mail"
    assert tree.lines == (
        line(1, "listens", "order", blackbox=False, is_last=False),
        line(1, "uses", "stripe", blackbox=True, is_last=True),
    )


@pytest.mark.parametrize(
    ("only", "text"),
    [
        (
            "structural",
            ("order\n├── calls payment\n│   └── calls stripe ■ blackbox\n└── uses inventory\n"),
        ),
        ("event", "order\n└── emits mail\n    └── listens order (see above)\n"),
    ],
)
def test_one_class_of_relations_may_be_followed_alone(only: str, text: str) -> None:
    assert drawn(SHOP, "order", only=only) == text


@pytest.mark.parametrize(
    ("depth", "text"),
    [
        (0, "order\n"),
        (1, "order\n├── calls payment\n├── uses inventory\n└── emits mail\n"),
    ],
)
def test_depth_counts_the_levels_below_the_node(depth: int, text: str) -> None:
    assert drawn(SHOP, "order", depth) == text


def test_a_node_without_relations_is_one_line() -> None:
    assert drawn(SHOP, "inventory") == "inventory\n"


def test_the_blackbox_flag_of_the_node_itself_is_shown() -> None:
    assert drawn(SHOP, "stripe") == "stripe ■ blackbox\n"


def test_a_relation_to_nothing_or_to_a_bad_node_is_shown_as_such() -> None:
    files = {**needing(a="uses:x uses:bad"), "model/bad/yg-node.yaml": "name: 1\n"}
    assert (
        drawn(files, "a")
        == """\
a
├── uses x (does not resolve)
└── uses bad (cannot be read)
"""
    )


def test_a_node_is_opened_once_and_named_again_wherever_it_is_met() -> None:
    files = needing(a="uses:b calls:b uses:c", b="uses:d", c="uses:b uses:d", d="")
    assert (
        drawn(files, "a")
        == """\
a
├── uses b
│   └── uses d
├── calls b (see above)
└── uses c
    ├── uses b (see above)
    └── uses d (see above)
"""
    )


def test_cycles_come_to_an_end() -> None:
    files = needing(a="uses:b uses:a", b="uses:c", c="uses:a uses:b")
    assert (
        drawn(files, "a")
        == """\
a
├── uses b
│   └── uses c
│       ├── uses a (see above)
│       └── uses b (see above)
└── uses a (see above)
"""
    )


def test_with_a_depth_nothing_within_it_is_missing() -> None:
    files = needing(a="uses:b uses:d", b="uses:c", c="uses:d", d="uses:e", e="uses:f", f="")
    tree = tree_of(files, "a", depth=3)
    opened = {line.path: line.level for line in tree.lines if line.repeat is None}
    assert opened == {"b": 1, "c": 2, "d": 1, "e": 2, "f": 3}


def test_a_node_met_too_deep_is_opened_where_it_is_nearest() -> None:
    files = needing(a="uses:b uses:c", b="uses:c", c="uses:d", d="")
    assert tree_of(files, "a", depth=2).lines == (
        line(1, "uses", "b", blackbox=False, is_last=False),
        line(2, "uses", "c", blackbox=False, is_last=True, repeat=Repeat.BELOW),
        line(1, "uses", "c", blackbox=False, is_last=True),
        line(2, "uses", "d", blackbox=False, is_last=True),
    )


def test_a_ladder_of_eighteen_diamonds_has_a_line_for_each_relation() -> None:
    ladder = {
        **{f"top{at}": f"uses:left{at} uses:right{at}" for at in range(18)},
        **{f"left{at}": f"uses:top{at + 1}" for at in range(18)},
        **{f"right{at}": f"uses:top{at + 1}" for at in range(18)},
        "top18": "",
    }
    assert len(tree_of(needing(**ladder), "top0").lines) == 18 * 4


def test_below_level_forty_a_number_replaces_indentation() -> None:
    chain = {f"n{at}": f"uses:n{at + 1}" for at in range(43)}
    chain["n39"] = "uses:n40 calls:last"
    files = needing(**chain, n43="emits:last", last="")
    assert drawn(files, "n0").splitlines()[39:] == [
        "    " * 38 + "└── uses n39",
        "    " * 39 + "├── uses n40",
        "(level 41) uses n41",
        "(level 42) uses n42",
        "(level 43) uses n43",
        "(level 44) emits last",
        "    " * 39 + "└── calls last (see above)",
    ]


def test_a_chain_of_two_thousand_relations_works_and_stays_linear() -> None:
    length = 2_000
    files = {
        f"model/{at}/yg-node.yaml": f"{NODE}relations: [{{target: '{at + 1}', type: uses}}]\n"
        for at in range(length)
    }
    lines = drawn({**files, f"model/{length}/yg-node.yaml": NODE}, "0").splitlines()
    assert len(lines) == length + 1
    assert lines[-1] == "(level 2000) uses 2000"
    assert max(map(len, lines)) == len("    " * 39 + "└── uses 40")


NAMES = "abcdef"
GRAPHS = st.fixed_dictionaries({name: st.text(NAMES, max_size=3) for name in NAMES})


def distances(relations: dict[str, str], start: str) -> dict[str, int]:
    """Return how far every node is, found level by level."""
    found = {start: 0}
    level = [start]
    while level:
        level = list(dict.fromkeys(t for n in level for t in relations[n] if t not in found))
        found |= dict.fromkeys(level, max(found.values()) + 1)
    return found


def uses(relations: dict[str, str]) -> dict[str, str]:
    return needing(**{each: " ".join(f"uses:{t}" for t in ts) for each, ts in relations.items()})


@given(GRAPHS, st.none() | st.integers(0, 5))
def test_every_node_within_the_depth_is_opened_exactly_once(
    relations: dict[str, str], depth: int | None
) -> None:
    near = distances(relations, "a")
    within = {node for node, far in near.items() if far and (depth is None or far <= depth)}
    lines = tree_of(uses(relations), "a", depth).lines
    assert sorted(line.path for line in lines if line.repeat is None) == sorted(within)


@given(GRAPHS, st.none() | st.integers(0, 5))
def test_every_relation_of_a_node_within_the_depth_is_one_line(
    relations: dict[str, str], depth: int | None
) -> None:
    near = distances(relations, "a")
    opened = [node for node, far in near.items() if depth is None or far < depth]
    lines = tree_of(uses(relations), "a", depth).lines
    assert len(lines) == sum(len(set(relations[node])) for node in opened)


@given(GRAPHS, st.none() | st.integers(0, 5))
def test_above_and_below_say_where_a_node_is_opened(
    relations: dict[str, str], depth: int | None
) -> None:
    lines = tree_of(uses(relations), "a", depth).lines
    opened_at = {line.path: at for at, line in enumerate(lines) if line.repeat is None}
    for at, line in enumerate(lines):
        opened = opened_at.get(line.path, -1)
        expected = None if opened == at else Repeat.ABOVE if opened < at else Repeat.BELOW
        assert line.repeat is expected
