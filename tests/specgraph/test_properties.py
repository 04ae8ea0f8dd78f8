"""What holds of every context of every Spec Graph."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from specgraph.graphs import Data, files_of, index_of, spec, spec_from, written
from specgraph.random_graphs import spec_nodes, written_nodes
from yg.commands.build_context.spec_context import context_document, context_reasons, context_text
from yg.specgraph.context.assemble import assemble
from yg.specgraph.context.context import Context
from yg.specgraph.context.guidance import guidance_of
from yg.specgraph.context.item import sections
from yg.specgraph.context.layers import LayerSearch, PreparedLayers
from yg.specgraph.context.sizes import Sizes
from yg.specgraph.context.surroundings import Surroundings
from yg.specgraph.graph import SpecGraph
from yg.specgraph.model import LinkKind
from yg.specgraph.questions.compare import shifts
from yg.specgraph.questions.deps import dependency_tree, plan_of
from yg.specgraph.questions.impact import node_impact
from yg.specgraph.questions.large import Measured, state_of, to_measure
from yg.specgraph.resolve import ancestors, contents, group_needs
from yg.specgraph.rules.check import RULES, validate
from yg.specgraph.rules.guidance import ambiguous_decisions

DEPTHS: tuple[int | str, ...] = (1, 2, 3, 4, "full")
often = settings(max_examples=50, deadline=None)


@often
@given(spec_nodes(), st.randoms(use_true_random=False))
def test_the_order_of_the_index_never_shows(nodes: dict[str, Data], order: random.Random) -> None:
    index = index_of(nodes)
    extra = {"id": next(iter(nodes)), "path": "nodes/another.json"}
    index["nodes"].append(extra)
    shuffled = {**index, "nodes": order.sample(index["nodes"], len(index["nodes"]))}
    files = {**files_of(nodes), "specgraph/nodes/another.json": "{}"}
    first, second = (
        spec_from({**files, "specgraph/graph.json": written(item)}) for item in (index, shuffled)
    )
    for name in nodes:
        for depth in DEPTHS:
            one, two = assemble(first, name, depth), assemble(second, name, depth)
            assert context_document(one) == context_document(two)
            assert (one.source_files, context_reasons(one)) == (
                two.source_files,
                context_reasons(two),
            )


@often
@given(spec_nodes())
def test_deeper_is_a_superset(nodes: dict[str, Data]) -> None:
    graph = spec(nodes)
    for name in nodes:
        found = [{e.node.id: e for e in assemble(graph, name, depth).entries} for depth in DEPTHS]
        for less, more in pairwise(found):
            assert less.keys() <= more.keys()
            for each, entry in less.items():
                assert set(entry.reasons) <= set(more[each].reasons)
                assert entry.is_walk_target == more[each].is_walk_target
                if not entry.node.is_group:
                    assert entry.level == more[each].level


@often
@given(spec_nodes())
def test_the_target_is_never_in_its_own_context_and_others_once(nodes: dict[str, Data]) -> None:
    graph = spec(nodes)
    for name in nodes:
        context = assemble(graph, name, "full")
        listed = [entry.node.id for entry in context.entries]
        listed += [node.node.id for node in context.affected]
        assert name not in listed
        assert len(set(listed)) == len(listed)


@often
@given(spec_nodes())
def test_a_document_has_the_form_of_a_document(nodes: dict[str, Data]) -> None:
    graph = spec(nodes)
    for name in nodes:
        context = assemble(graph, name, "full")
        title, *lines = context.text.removesuffix("\n").split("\n")
        assert title.startswith(f"# Context for {name}: ")
        headings = [line for line in lines if line.lstrip().startswith("#")]
        assert headings == [f"## {title}" for title, _ in sections(context.parts)]
        assert not re.search(r"\n *(=+|-+) *\n", context.text)
        assert context.tokens == -(-len(context.text) // 4)
        assert context_text(context).endswith("</context-package>\nBudget status: ok\n")


# Guidance, computed a second time straight from its definition.


def reached(links: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for item in links.get(waiting.pop(), set()) - found:
            found.add(item)
            waiting.append(item)
    return found


def guides_by_definition(graph: SpecGraph, target: str) -> set[str]:
    nodes = graph.nodes
    links = {
        kind: {
            name: {to for to in node.targets(kind) if to in nodes} for name, node in nodes.items()
        }
        for kind in (LinkKind.CONTAINS, LinkKind.DEPENDS_ON, LinkKind.CONSTRAINS)
    }
    parents = {name: {p for p in nodes if name in links[LinkKind.CONTAINS][p]} for name in nodes}
    steps = {
        name: links[LinkKind.DEPENDS_ON][name] | {p for p in parents[name] if nodes[p].is_group}
        for name in nodes
    }
    layers = {item for item in reached(steps, target) - {target} if nodes[item].type == "layer"}
    aims = {target} | (reached(parents, target) - {target})
    found = set()
    for layer in layers:
        inside = reached(links[LinkKind.CONTAINS], layer) | {layer}
        found |= {item for item in inside if nodes[item].type == "decision"}
        aims |= inside | {above for item in inside for above in reached(parents, item)}
    found |= {name for name in nodes if links[LinkKind.CONSTRAINS][name] & aims}
    return found - {target}


@often
@given(spec_nodes())
def test_guidance_is_what_its_definition_says(nodes: dict[str, Data]) -> None:
    graph = spec(nodes)
    for node in graph.nodes.values():
        around = Surroundings(graph, node)
        assert {*around.guides, *around.pruned} == guides_by_definition(graph, node.id)


@often
@given(spec_nodes())
def test_ambiguity_is_reported_for_exactly_the_nodes_whose_contexts_warn_of_it(
    nodes: dict[str, Data],
) -> None:
    graph = spec(nodes)
    told = set()
    for finding in ambiguous_decisions.check(graph):
        found = re.fullmatch(r"competes with (.*) about (.*) in .*", finding.message)
        assert found
        decisions = [finding.subject, *found[1].split(", ")]
        reached = finding.also[len(decisions) - 1 :]
        told |= {(name, f"{found[2]}: {', '.join(decisions)}") for name in reached}
    warned = {
        (name, warning.partition(" in category ")[2].rstrip(".").replace("'", ""))
        for name, node in graph.nodes.items()
        for warning in assemble(graph, name).warnings
        if warning.startswith("Ambiguous") and f"'{node.category}'" not in warning
    }
    assert told == warned


@often
@given(spec_nodes(), st.integers(20, 400))
def test_sizes_are_those_of_the_documents(nodes: dict[str, Data], limit: int) -> None:
    graph = spec(nodes)
    sizes = Sizes(graph, limit)
    for node in graph.nodes.values():
        context = assemble(graph, node.id)
        assert sizes.characters(context) == len(context.text)
        tokens = sizes.tokens(node)
        assert tokens == context.tokens if context.tokens <= limit else limit < tokens
        assert tokens <= context.tokens


@often
@given(spec_nodes(), st.data())
def test_contexts_that_a_changed_text_alters_are_measured_again(
    nodes: dict[str, Data], data: st.DataObject
) -> None:
    changed = data.draw(st.sets(st.sampled_from(sorted(nodes)), max_size=2))
    texts = {name: data.draw(written_nodes(nodes[name]["type"])) for name in sorted(changed)}
    edited = {name: {**node, **texts.get(name, {})} for name, node in nodes.items()}
    before, after = spec(nodes), spec(edited)
    old = Measured(*state_of(before), frozenset())
    again = set(to_measure(after, old, state_of(after)))
    altered = {name for name in nodes if assemble(before, name).text != assemble(after, name).text}
    assert altered <= again


@often
@given(spec_nodes())
def test_layers_are_the_same_searched_one_by_one_and_together(nodes: dict[str, Data]) -> None:
    one_by_one, together = LayerSearch(spec(nodes)), PreparedLayers(spec(nodes), len(nodes))
    for name in nodes:
        alone = [replace(path, passed=()) for path in one_by_one.paths(name)]
        assert alone == list(together.paths(name))
        assert len(alone) == one_by_one.count(name)


@often
@given(spec_nodes())
def test_what_was_asked_before_does_not_matter(nodes: dict[str, Data]) -> None:
    used = spec(nodes)
    validate(used)
    for name in nodes:
        assert assemble(used, name) == assemble(spec(nodes), name)


@often
@given(spec_nodes(), spec_nodes())
def test_shifts_are_those_of_the_documents(then: dict[str, Data], now: dict[str, Data]) -> None:
    before, after = spec(then), spec(now)
    for shift in shifts(before, after, sorted({*then, *now})):
        old = assemble(before, shift.node) if shift.node in then else None
        new = assemble(after, shift.node) if shift.node in now else None
        assert [text and text.text for text in (old, new)] == [
            text and text.contents for text in (shift.then, shift.now)
        ]
        assert [text and text.tokens for text in (old, new)] == [
            text and text.tokens for text in (shift.then, shift.now)
        ]
        assert shift.is_changed == ((old and old.text) != (new and new.text))


# Impact, dependencies and plan say of links what contexts say of them.


@often
@given(spec_nodes())
def test_impact_names_exactly_the_nodes_whose_full_context_lists_a_node(
    nodes: dict[str, Data],
) -> None:
    graph = spec(nodes)
    shown = {name: listed_in(assemble(graph, name, "full")) for name in nodes}
    for name in nodes:
        impact = node_impact(graph, name)
        assert set(impact.affected) == {other for other in nodes if name in shown[other]}
        assert all(reason for guided in impact.guided or () for reason in guided.reasons)


def listed_in(context: Context) -> set[str]:
    entries = {entry.node.id for entry in context.entries}
    return entries | {other.node.id for other in context.affected}


@often
@given(spec_nodes())
def test_dependencies_are_what_a_full_context_has_by_links_and_groups(
    nodes: dict[str, Data],
) -> None:
    graph = spec(nodes)
    for name in nodes:
        tree = dependency_tree(graph, name, None)
        direct = {line.path for line in tree.lines if line.level == 1 and line.resolved}
        entries = {e.node.id: e for e in assemble(graph, name, "full").entries}
        assert {line.path for line in tree.lines if line.resolved} <= {name, *entries}
        assert direct - {name} == {
            other for other, entry in entries.items() if entry.is_walk_target or entry.needed_by
        }


@often
@given(spec_nodes())
def test_a_plan_orders_by_the_links_of_nodes_and_of_their_groups(nodes: dict[str, Data]) -> None:
    graph = spec(nodes)
    plan = plan_of(graph, lenient=True)
    stage_of = {name: at for at, stage in enumerate(plan.stages) for name in stage}
    left_out = {item.node for item in plan.unordered}
    assert stage_of.keys().isdisjoint(left_out)
    assert {*stage_of, *left_out} == {n for n, node in graph.nodes.items() if not node.is_group}
    links = {name: needs_by_definition(graph, name) for name in graph.nodes}
    needed = {name: reached(links, name) - {name} for name in (*stage_of, *left_out)}
    for name, stage in stage_of.items():
        assert all(stage_of[to] < stage for to in needed[name] if to in needed)
    if all(len(group) == 1 for group in graph.dependency_cycles):
        cyclic = {name for name in needed if any(name in needed.get(to, ()) for to in needed[name])}
        assert left_out == {name for name in needed if cyclic & {name, *needed[name]}}


def needs_by_definition(graph: SpecGraph, name: str) -> set[str]:
    """Return what is to be built before a node; of a group, also what it contains."""
    node = graph.nodes[name]
    found = {*contents(graph, [name])} if node.is_group else {*node.targets(LinkKind.DEPENDS_ON)}
    for group in (name, *ancestors(graph, name)):
        found |= {to for _, to in group_needs(graph.nodes[group]) if to != group}
    return found & graph.nodes.keys()


@often
@given(spec_nodes())
def test_every_rule_comes_to_an_end(nodes: dict[str, Data]) -> None:
    graph = spec(nodes)
    assert [rule.code for rule in RULES if len(list(rule.check(graph))) > 1_000] == []


@pytest.mark.parametrize("kind", ["contains", "depends_on", "constrains", "supersedes"])
def test_a_ring_of_two_thousand_nodes_works(kind: str) -> None:
    count = 2_000
    nodes = {
        f"N-{at}": {
            "type": "layer",
            "title": "A layer",
            "description": "One of many",
            "links": {kind: [f"N-{(at + 1) % count}"]},
        }
        for at in range(count)
    }
    graph = spec(nodes)
    assert len(guidance_of(graph).constraining) == count
    assert len(Surroundings(graph, graph.nodes["N-0"]).ancestors) == (count - 1) * (
        kind == "contains"
    )
