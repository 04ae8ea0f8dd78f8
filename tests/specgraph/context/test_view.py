"""Views of contexts: several nodes, what a reader has, selected sections, and what fits."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas import faults_in
from specgraph.graphs import Data, node, spec
from specgraph.random_graphs import spec_nodes
from support import json_of
from yg.commands.build_context.spec_context import context_document, context_reasons, context_text
from yg.kernel.cuts import fit_package
from yg.kernel.errors import NoRoomError, NotFoundError, UsageError
from yg.kernel.selection import selection
from yg.kernel.tokens import count_tokens
from yg.kernel.view import PackageView
from yg.specgraph.context.assemble import assemble
from yg.specgraph.context.cuts import cuttable
from yg.specgraph.context.entry import IncludedNode
from yg.specgraph.context.item import (
    AFFECTED,
    VERIFICATION,
    WARNINGS,
    Item,
    kind_word,
    sections,
)
from yg.specgraph.context.package import ContextView, whole
from yg.specgraph.context.view import kinds, view_of
from yg.specgraph.graph import SpecGraph

often = settings(max_examples=50, deadline=None)

WORDS = st.sampled_from([0, 0, 10, 40])


@st.composite
def wordy_nodes(draw: st.DrawFn) -> dict[str, Data]:
    """Make random nodes, some of which say a lot."""
    nodes = draw(spec_nodes())
    for data in nodes.values():
        if words := draw(WORDS):
            data["constraints"] = ["word " * words]
    return nodes


def shown(
    graph: SpecGraph,
    *names: str,
    only: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    **view: Any,
) -> ContextView:
    """Return a view of the contexts of some nodes."""
    chosen = selection(only, without, kinds())
    contexts = [assemble(graph, name) for name in names]
    view["known"] = tuple(assemble(graph, name) for name in view.get("known", ()))
    return view_of(contexts, PackageView(selection=chosen, **view))


def subjects(view: ContextView) -> list[str]:
    """Return the nodes of all entries and affected nodes."""
    return [item.subject for item in view.parts if item.entry]


def kept_always(view: ContextView) -> list[tuple[str, ...]]:
    """Return the lines that no limit may take away."""
    always = [VERIFICATION, WARNINGS, *(one.target.kind.heading for one in view.contexts)]
    return [item.lines for item in view.parts if item.kind in always or item.is_binding]


# What holds of every view.


@often
@given(wordy_nodes())
def test_a_view_of_everything_is_the_document(nodes: dict[str, Data]) -> None:
    graph = spec(nodes)
    for name in nodes:
        context = assemble(graph, name)
        view = shown(graph, name)
        assert view == whole(context)
        assert view.text == context.text
        assert (view.source_files, view.tokens) == (context.source_files, context.tokens)
        assert context_document(view) == context_document(context)


@often
@given(wordy_nodes(), st.sampled_from([(), ("A",), ("H", "A")]))
def test_what_fits_is_never_above_the_limit(nodes: dict[str, Data], more: tuple[str, ...]) -> None:
    graph = spec(nodes)
    names = ["A", *(name for name in more if name in nodes and name != "A")]
    everything = shown(graph, *names)
    always = kept_always(everything)
    before = 0
    for limit in range(1, everything.tokens + 3, 1 + everything.tokens // 40):
        try:
            view = shown(graph, *names, fit=limit)
        except NoRoomError:
            assert before == 0
            continue
        assert view.fit is not None
        assert before <= view.tokens <= limit
        assert view.fit.floor <= view.tokens
        assert view.fit.before == everything.tokens
        assert kept_always(view) == always
        cut = {omission.part.subject for omission in view.omissions}
        assert sorted([*subjects(view), *cut]) == sorted(subjects(everything))
        assert bool(view.fit.cuts) == (limit < everything.tokens)
        before = view.tokens


@often
@given(wordy_nodes())
def test_entries_that_the_reader_has_are_left_out_and_no_others(nodes: dict[str, Data]) -> None:
    graph = spec(nodes)
    known = list(nodes)[-2:]
    had = {
        (item.kind, item.lines)
        for name in known
        for item in assemble(graph, name).parts
        if item.entry
    }
    for name in nodes:
        full = {item.subject: item for item in _entries(shown(graph, name))}
        view = shown(graph, name, known=tuple(known))
        assert kept_always(view) == kept_always(shown(graph, name))
        for item in _entries(view):
            before = full[item.subject]
            short = f"- {item.subject}: as in {item.same_as or known[0]}"
            is_known = (before.kind, before.lines) in had and not before.is_binding
            assert bool(item.same_as) == (is_known and len(short) + 1 < len(before.text))
            assert item.lines == ((short,) if item.same_as else before.lines)


def _entries(view: ContextView) -> list[Item]:
    return [item for item in view.parts if item.entry]


@often
@given(wordy_nodes(), st.randoms(use_true_random=False))
def test_several_nodes_have_every_entry_once(nodes: dict[str, Data], order: Any) -> None:
    graph = spec(nodes)
    names = order.sample(list(nodes), min(3, len(nodes)))
    view = shown(graph, *names)
    contexts = [assemble(graph, name) for name in names]
    entries = {entry.node.id for one in contexts for entry in one.entries}
    affected = {other.node.id for one in contexts for other in one.affected}
    listed = subjects(view)
    assert len(set(listed)) == len(listed)
    assert set(listed) == entries | (affected - set(names) if len(names) > 1 else affected)
    for item in _entries(view):
        found = [one for one in contexts if item.subject in {e.node.id for e in one.entries}]
        if len(names) > 1 and isinstance(item.entry, IncludedNode):
            assert item.nodes == tuple(one.target.id for one in found)
            assert item.is_binding == any(
                e.is_binding for one in found for e in one.entries if e.node.id == item.subject
            )
    headings = [line for line in view.text.split("\n")[1:] if line.lstrip().startswith("#")]
    assert headings == [f"## {title}" for title, _ in sections(view.parts)]
    assert context_text(view).endswith("</context-package>\nBudget status: ok\n")
    assert context_reasons(view).startswith("part")


@often
@given(wordy_nodes())
def test_sections_and_their_complement_are_everything(nodes: dict[str, Data]) -> None:
    graph = spec(nodes)
    for name in nodes:
        everything = shown(graph, name)
        for title, items in sections(everything.parts):
            only = shown(graph, name, only=(kind_word(title),))
            rest = shown(graph, name, without=(kind_word(title),))
            assert only.parts == tuple(items)
            assert rest.parts == tuple(item for item in everything.parts if item.kind != title)


# Examples.

LONG = "What follows from it is told here at some length, so that cutting it pays off."
SHOP: dict[str, Data] = {
    "A": node("behavior", depends_on=["F", "D"], constrains=["X", "Y", "Z"]),
    "B": node("behavior", depends_on=["F", "A"], verification="make b"),
    "D": node("domain", depends_on=["E"], constraints=[LONG]),
    "E": node("domain", constraints=[LONG]),
    "F": node("foundation", constraints=[LONG]),
    "G": node("feature", contains=["A", "B"]),
    "P": node("policy", constrains=["A"], severity="soft", constraints=[LONG]),
    "Q": node("policy", constrains=["G"], severity="hard", statement="Other things hold."),
    "U": node("behavior"),
    **{name: node("behavior", title=f"The affected {name} " * 3) for name in "XYZ"},
}


@pytest.fixture(scope="module")
def shop() -> SpecGraph:
    return spec(SHOP)


def test_the_farthest_entries_are_cut_first(shop: SpecGraph) -> None:
    full = shown(shop, "A")
    cuts = []
    for limit in range(full.tokens - 1, 0, -1):
        try:
            view = shown(shop, "A", fit=limit)
        except NoRoomError:
            break
        assert view.fit is not None
        cuts.append([(cut.step, cut.subject or cut.part.kind) for cut in view.fit.cuts])
    steps = {(step, name) for found in cuts for step, name in found}
    assert steps == {(1, AFFECTED), (2, "E"), (4, "D"), (4, "F")}
    assert cuts[0] == [(1, AFFECTED)]
    assert [name for _, name in cuts[-1]] == ["F", "D", "E", AFFECTED]


def test_what_was_cut_is_listed_with_commands(shop: SpecGraph) -> None:
    least = shown(shop, "A", fit=9999, options=("--depth", "2")).fit
    assert least is not None
    floor = shown(shop, "A", fit=least.floor, options=("--depth", "2"))
    assert floor.text.split("\n## Left Out\n")[1] == (
        "- F (29) -> yg build-context A --only foundations:F --depth 2\n"
        "- D (32) -> yg build-context A --only domain-concepts:D --depth 2\n"
        "- E (32) -> yg build-context A --only domain-concepts:E --depth 2\n"
        "- Affected Nodes (48) -> yg build-context A --only affected-nodes --depth 2\n"
    )
    assert floor.fit is not None
    assert floor.fit.floor == floor.tokens


def fit(view: ContextView, limit: int) -> ContextView:
    """Cut entries until a document fits."""
    return fit_package(view, limit, cuttable(view.parts))


@pytest.mark.parametrize("names", [("A",), ("B", "A")])
def test_exact_counts_are_those_of_the_whole_document(
    shop: SpecGraph, names: tuple[str, ...]
) -> None:
    estimated = shown(shop, *names)
    view = replace(estimated, budget=replace(estimated.budget, tokenizer="o200k"))
    least = fit(view, view.tokens).fit
    assert least is not None
    sizes = []
    for budget in range(least.floor, view.tokens + 1, 3):
        fitted = fit(view, budget)
        assert fitted.tokens == count_tokens(fitted.text, "o200k") <= budget
        sizes.append(fitted.tokens)
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]
    with pytest.raises(NoRoomError, match=f"^1 o200k token is not enough: .* {least.floor} "):
        fit(view, 1)


def test_a_limit_below_the_floor_names_the_largest_parts(shop: SpecGraph) -> None:
    with pytest.raises(NoRoomError) as error:
        shown(shop, "A", fit=1)
    assert re.fullmatch(
        r"1 token is not enough: the floor is \d+ \(list of cuts \d+, Policies P \d+, .* \d+\)\.",
        str(error.value),
    )
    with pytest.raises(NoRoomError, match=r"the floor is 7 \(title 7\)\.$"):
        shown(shop, "A", fit=1, only=("warnings",))


def test_several_nodes_in_one_document(shop: SpecGraph) -> None:
    assert shown(shop, "B", "A").text == (
        "# Context for B, A\n"
        "\n## Behavior B: A behavior\nSomething can be seen.\n"
        "\n## Behavior A: A behavior\nSomething can be seen.\n"
        "\n## Namespace\n- G: A feature (feature) — What belongs together.\n"
        f"\n## Foundations\n- F: Something holds.\n  Constraints: {LONG}\n"
        "\n## Domain Concepts\n"
        f"- D: A domain — Something holds.\n  Constraints: {LONG}\n"
        f"- E: A domain — Something holds. (for A)\n  Constraints: {LONG}\n"
        "\n## Related Behaviors\n- A: see Behavior A (for B)\n"
        "\n## Policies\n"
        "- Q: Other things hold. (severity: hard; inherited via G)\n"
        f"- P: Something holds. (severity: soft; for A)\n  Constraints: {LONG}\n"
        "\n## Affected Nodes\n"
        + "".join(
            f"- {name}: {' '.join([f'The affected {name}'] * 3)} (constrains; for A)\n"
            for name in "XYZ"
        )
        + "\n## Verification B\nmake b\n- Q: make test\n"
        "\n## Verification A\nmake test\n- Q: as for B\n- P: make test\n"
    )


def test_different_reasons_name_their_nodes() -> None:
    graph = spec(
        {
            "A": node("behavior"),
            "B": node("behavior", depends_on=["GONE"]),
            "C": node("behavior"),
            "G": node("feature", contains=["B"]),
            "P": node("policy", constrains=["A", "G"], severity="soft"),
        }
    )
    text = shown(graph, "A", "B", "C").text
    assert "\n- P: Something holds. (severity: soft; for B: inherited via G; for A, B)\n" in text
    assert "\n## Warnings\nMissing target: B depends_on GONE. (for B)\n" in text


def test_nodes_of_one_group_share_the_path_to_a_layer() -> None:
    graph = spec(
        {
            "A": node("behavior", depends_on=["K"]),
            "B": node("behavior"),
            "G": node("feature", contains=["A", "B"], depends_on=["L"]),
            "K": node("layer"),
            "L": node("layer"),
        }
    )
    lines = shown(graph, "A", "B").text.split("\n")
    assert "- L: A layer (layer) — What belongs together. (via G -> L)" in lines
    assert "- K: A layer (layer) — What belongs together. (via A -> K; for A)" in lines


def test_entries_of_several_nodes_are_compared_without_their_names(shop: SpecGraph) -> None:
    view = shown(shop, "B", "U", known=("A",))
    assert "\n- F: as in A (for B)\n" in view.text
    assert "\n- D: as in A (for B)\n" in view.text
    assert "- Q: Other things hold. (severity: hard; inherited via G; for B)\n" in view.text


def test_a_selection_is_of_sections_and_nodes(shop: SpecGraph) -> None:
    view = shown(shop, "A", only=("affected-nodes:X", "policies"), fit=100)
    assert [title for title, _ in sections(view.parts)] == ["Policies", AFFECTED]
    assert subjects(view) == ["Q", "P", "X"]
    two = shown(shop, "A", "B", only=("behavior:B", "verification:A"))
    assert [item.title for item in two.parts] == ["Behavior B: A behavior", "Verification A"]
    with pytest.raises(NotFoundError, match="no affected-nodes 'Q'"):
        shown(shop, "A", without=("affected-nodes:Q",))
    with pytest.raises(UsageError, match="unknown kind 'Policies'"):
        shown(shop, "A", only=("Policies",))


def test_data_says_what_is_shown(shop: SpecGraph) -> None:
    view = shown(shop, "A", "B", known=("D",), without=("verification", "namespace"), fit=200)
    data = json_of(context_document(view))
    assert faults_in(data) == []
    assert [target["id"] for target in data["targets"]] == ["A", "B"]
    assert "node" not in data
    assert {entry["id"]: entry.get("as_in") for entry in data["nodes"]}["E"] == "D"
    assert {entry["id"]: entry.get("see") for entry in data["nodes"]}["A"] == "Behavior A"
    assert [cut["section"] for cut in data["fit"]["cut"]] == ["Affected Nodes"]
    assert data["fit"]["after"] == data["tokens"] <= data["fit"]["budget"]
    assert data["affected"] == []
