"""Two states of a graph side by side: which packages differ, and what a change reaches."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from support import CONFIG, NODE, graph_from
from yg.kernel.compare import ChangedSource, DiffImpact, Shift
from yg.kernel.impact import Reached
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.owners import Ownership
from yg.yggdrasil.questions.compare import Comparison, diff_impact

# a calls b, which lies below top and takes part in a flow; c only uses a.
FILES = {
    "model/a/yg-node.yaml": f"{NODE}relations: [{{type: calls, target: top/b, consumes: [x]}}]\n",
    "model/a/responsibility.md": "A is here for its callers.\n",
    "model/top/yg-node.yaml": "name: Top\ntype: module\naspects: [{aspect: x}]\n",
    "model/top/responsibility.md": "Top is above.\n",
    "model/top/b/yg-node.yaml": f"{NODE}mapping: {{paths: [src/b]}}\n",
    "model/top/b/responsibility.md": "B does the work.\n",
    "model/top/b/interface.md": "charge(amount)\n",
    "model/top/b/internals.md": "A loop.\n",
    "model/c/yg-node.yaml": f"{NODE}relations: [{{type: uses, target: a}}]\n",
    "aspects/x/yg-aspect.yaml": "name: X\n",
    "aspects/x/content.md": "Always be careful.\n",
    "aspects/other/yg-aspect.yaml": "name: Other\n",
    "flows/f/yg-flow.yaml": "name: F\nnodes: [top/b, c]\n",
    "flows/f/description.md": "How it flows.\n",
}


def changed(changes: Mapping[str, str | None]) -> dict[str, str]:
    """Return the files after a change; None takes one away."""
    files: dict[str, str | None] = {**FILES, **changes}
    return {path: text for path, text in files.items() if text is not None}


def comparison(changes: Mapping[str, str | None]) -> Comparison:
    return Comparison(graph_from(FILES), graph_from(changed(changes)))


def shift(node: str, changes: Mapping[str, str | None]) -> Shift:
    return comparison(changes).shift(node)


def sizes(each: Shift) -> tuple[str, int | None, int | None]:
    then = each.then.tokens if each.then else None
    return each.node, then, each.now.tokens if each.now else None


# One package.


@pytest.mark.parametrize("node", ["a", "c", "top", "top/b"])
def test_the_same_state_is_not_a_change(node: str) -> None:
    found = shift(node, {})
    assert not found.is_changed
    assert not any(found.sees_change_of(item) for item in ("a", "c", "top", "top/b"))


@pytest.mark.parametrize(
    ("file", "nodes"),
    [
        ("model/a/responsibility.md", "a c"),
        ("model/top/b/interface.md", "a top/b"),
        ("model/top/b/internals.md", "top/b"),
        ("model/top/responsibility.md", "top top/b"),
        ("aspects/x/content.md", "top top/b"),
        ("aspects/other/content.md", ""),
        ("flows/f/description.md", "c top/b"),
        ("flows/f/more.md", "c top/b"),
    ],
)
def test_a_package_is_changed_when_its_reader_sees_a_difference(file: str, nodes: str) -> None:
    found = comparison({file: "Something else.\n"})
    every = ("a", "c", "top", "top/b")
    assert [node for node in every if found.shift(node).is_changed] == nodes.split()


def test_a_new_line_break_at_the_end_is_not_a_difference() -> None:
    assert not shift(
        "a", {"model/a/responsibility.md": "A is here for its callers.\n\n\n"}
    ).is_changed


def test_a_node_sees_a_change_of_what_its_target_offers() -> None:
    found = shift("a", {"model/top/b/interface.md": "charge(amount, currency)\n"})
    assert found.is_changed
    assert found.sees_change_of("top/b")
    assert not found.sees_change_of("top")


def test_a_node_does_not_see_what_its_target_keeps_to_itself() -> None:
    found = shift("a", {"model/top/b/internals.md": "A recursion.\n"})
    assert not found.is_changed
    assert not found.sees_change_of("top/b")


def test_a_node_sees_everything_of_a_target_that_offers_nothing_special() -> None:
    alone = {"model/top/b/responsibility.md": None, "model/top/b/interface.md": None}
    then = graph_from(changed(alone))
    now = graph_from(changed({**alone, "model/top/b/internals.md": "A recursion.\n"}))
    assert Comparison(then, now).shift("a").sees_change_of("top/b")


@pytest.mark.parametrize(
    "file",
    [
        "model/a/responsibility.md",
        "model/a/internals.md",
        "aspects/x/content.md",
        "flows/f/description.md",
    ],
)
def test_other_changes_are_not_taken_for_a_change_of_the_target(file: str) -> None:
    for node in ("a", "c", "top/b"):
        assert not shift(node, {file: "Something else.\n"}).sees_change_of("top/b")


def test_another_relation_to_an_unchanged_target_is_not_a_change_of_it() -> None:
    relation = "{type: uses, target: top/b, consumes: [x, y], failure: retry}"
    found = shift("a", {"model/a/yg-node.yaml": f"{NODE}relations: [{relation}]\n"})
    assert found.is_changed
    assert not found.sees_change_of("top/b")


def test_a_node_sees_a_change_of_its_ancestor() -> None:
    found = shift("top/b", {"model/top/responsibility.md": "Top is high above.\n"})
    assert found.sees_change_of("top")


def test_a_node_sees_another_name_of_an_event() -> None:
    then = {**FILES, "model/e/yg-node.yaml": f"{NODE}relations: [{{type: emits, target: top}}]\n"}
    now = {**then, "model/top/yg-node.yaml": "name: Summit\ntype: module\n"}
    found = Comparison(graph_from(then), graph_from(now)).shift("e")
    assert found.is_changed
    assert found.sees_change_of("top")


def test_a_node_that_is_new_has_no_package_then() -> None:
    found = shift("new", {"model/new/yg-node.yaml": NODE})
    assert (found.then, found.is_changed) == (None, True)
    assert found.now is not None


def test_a_node_that_is_gone_has_no_package_now() -> None:
    gone = dict.fromkeys(path for path in FILES if path.startswith("model/a/"))
    found = shift("a", gone)
    assert (found.now, found.is_changed) == (None, True)
    assert found.then is not None


@pytest.mark.parametrize("file", ["model/a/yg-node.yaml", "model/a/responsibility.md"])
def test_what_cannot_be_read_has_no_package(file: str) -> None:
    now = graph_from({**FILES, file: b"\xff"})
    found = Comparison(graph_from(FILES), now).shift("a")
    assert (found.now, found.is_changed) == (None, True)


def test_a_node_that_never_was_is_unchanged() -> None:
    assert shift("nowhere", {}) == Shift("nowhere", None, None)
    assert not shift("nowhere", {}).is_changed


# All packages.


@pytest.mark.parametrize(
    ("changes", "nodes"),
    [
        ({"model/top/b/interface.md": "pay()\n"}, ["a", "top/b"]),
        ({"model/top/b/internals.md": None}, ["top/b"]),
        ({"aspects/x/yg-aspect.yaml": "name: Xylophone\n"}, ["top", "top/b"]),
        ({"aspects/x/yg-aspect.yaml": "name: X\nimplies: [other]\n"}, ["top", "top/b"]),
        ({"aspects/x/yg-aspect.yaml": "name: X\ndescription: Nothing\n"}, []),
        ({"aspects/x/more.md": "More.\n"}, ["top", "top/b"]),
        ({"flows/f/yg-flow.yaml": "name: F\nnodes: [top/b, a]\n"}, ["a", "c"]),
        ({"flows/f/yg-flow.yaml": "name: F\nnodes: [top/b, c]\naspects: [x]\n"}, ["c", "top/b"]),
        ({"model/top/yg-node.yaml": "name: Top\ntype: module\n"}, ["top", "top/b"]),
        ({"model/d/yg-node.yaml": NODE}, ["d"]),
        ({"model/c/yg-node.yaml": None}, ["c"]),
        ({"model/a/unknown.md": "Nobody reads this.\n"}, []),
        ({"yg-config.yaml": CONFIG.replace("test", "x")}, ["a", "c", "top", "top/b"]),
    ],
)
def test_packages_that_differ_come_by_path(
    changes: dict[str, str | None], nodes: list[str]
) -> None:
    found = list(comparison(changes).differences())
    assert [entry.node for entry in found] == nodes


# From changed files to all they reach.


def impact(changes: Mapping[str, str | None], *sources: str) -> DiffImpact:
    now = graph_from(changed(changes))
    files = sorted([*sources, *(f".yggdrasil/{path}" for path in changes)])
    return diff_impact(
        graph_from(FILES), now, Ownership(now, SnapshotSources(now.snapshot)), files, "HEAD"
    )


def test_changed_sources_lead_to_their_owners_and_nodes_that_depend_on_them() -> None:
    found = impact({}, "src/b/x.py", "src/other.py")
    assert found == DiffImpact(
        since="HEAD",
        sources=(
            ChangedSource("src/b/x.py", "top/b"),
            ChangedSource("src/other.py", None),
        ),
        graph_files=(),
        moved=(),
        shifts=(),
        reached=(Reached("a", "top/b", 2, ("top/b", "a")), Reached("c", "a", 3, ("top/b", "a"))),
    )
    assert (found.changed, found.affected) == (("top/b",), ("a", "c", "top/b"))


def test_changed_graph_files_lead_to_packages_and_nodes_that_depend_on_them() -> None:
    found = impact({"model/top/b/interface.md": "pay()\n"})
    assert found.graph_files == (".yggdrasil/model/top/b/interface.md",)
    assert [sizes(item) for item in found.shifts] == [("a", 62, 60), ("top/b", 72, 69)]
    assert [(item.node, item.by) for item in found.reached] == [("c", "a")]
    assert (found.changed, found.affected) == (("a", "top/b"), ("a", "c", "top/b"))


def test_a_node_may_change_in_both_ways() -> None:
    found = impact({"model/top/b/internals.md": "A recursion.\n"}, "src/b/x.py")
    assert (found.changed, [item.node for item in found.reached]) == (("top/b",), ["a", "c"])


def test_bookkeeping_is_neither_source_nor_graph() -> None:
    found = impact({".drift-state/a.json": "{}", ".gitignore": "x", ".cache/index": "x"})
    assert (found.sources, found.graph_files, found.affected) == ((), (), ())


def test_files_of_the_graph_that_reach_no_package_are_listed_alone() -> None:
    found = impact({"schemas/yg-node.yaml": "x", "agent-rules.md": "x"})
    assert found.graph_files == (".yggdrasil/agent-rules.md", ".yggdrasil/schemas/yg-node.yaml")
    assert found.affected == ()


def test_a_configuration_that_says_the_same_reaches_nobody() -> None:
    assert impact({"yg-config.yaml": f"# The same.\n{CONFIG}"}).affected == ()


def test_who_needs_a_node_that_is_gone_is_reached() -> None:
    gone = dict.fromkeys(path for path in FILES if path.startswith("model/top/b/"))
    found = impact(gone)
    assert [sizes(item)[0] for item in found.shifts] == ["a", "top/b"]
    assert found.affected == ("a", "c", "top/b")


def test_no_change_reaches_nobody() -> None:
    found = impact({})
    assert (found.sources, found.graph_files, found.shifts, found.affected) == ((), (), (), ())
