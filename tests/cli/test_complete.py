"""Completion: what is suggested at each place of a command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schemas import SCHEMAS
from support import NODE, SHOP_ROOT, write, write_graph
from yg.commands.table import COMMANDS
from yg.formats import FORMATS
from yg.surfaces.cli.complete import NOTHING, CompletionKind, Suggestions, suggested

SHOP = ("-C", str(SHOP_ROOT))
NODES = (
    "email-service",
    "inventory",
    "inventory/inventory-service",
    "orders",
    "orders/order-service",
    "orders/pricing",
    "payments",
    "payments/payment-service",
    "payments/stripe-gateway",
    "shared",
    "shared/money",
)
ASPECTS = ("idempotency", "observability/logging", "requires-audit")


def words(*before: str, current: str = "") -> tuple[str, ...]:
    """Return the words that are suggested, whatever they mean."""
    found = suggested(before, current)
    assert found.kind is CompletionKind.WORDS
    return tuple(word for word, _ in found.words)


@pytest.mark.parametrize("before", [(), ("-C", "/"), ("--kind=yggdrasil",), ("help",)], ids=str)
def test_first_comes_a_command(before: tuple[str, ...]) -> None:
    every = tuple((each.name, each.summary) for each in COMMANDS)
    assert suggested(before, "") == Suggestions(CompletionKind.WORDS, every)


@pytest.mark.parametrize(
    "before",
    [
        ("build-context",),
        ("build-context", "--why", "--node"),
        ("build-context", "orders", "--have"),
        ("deps", "--depth", "2"),
        ("deps", "--"),
        ("tree", "--root"),
        ("tree",),
        ("validate", "--scope"),
        ("check",),
        ("impact",),
        ("export", "--format", "dot"),
    ],
    ids=" ".join,
)
def test_where_a_node_belongs_nodes_are_suggested(before: tuple[str, ...]) -> None:
    assert words(*SHOP, *before) == NODES


def test_aspects_flows_and_rules_are_suggested_where_they_belong() -> None:
    assert words("impact", *SHOP, "--aspect") == ASPECTS
    assert words("impact", *SHOP, "--flow") == ("checkout",)
    assert words("build-context", *SHOP, "--only")[:3] == ("global", "hierarchy", "own")
    assert ("E004", "broken-relation") in suggested(["explain"], "").words
    assert "code-first" in dict(suggested(["explain"], "").words)
    assert ("E101", "invalid-graph-index") in suggested(["explain"], "").words
    named = suggested(["explain", "--schema"], "").words
    assert [name for name, _ in named] == sorted(SCHEMAS)


def test_options_are_suggested_once_they_are_begun() -> None:
    found = suggested(["tree", "--depth", "1", "--json"], "--")
    assert found == Suggestions(
        CompletionKind.WORDS,
        (
            ("-h", "show this help message and exit"),
            ("--help", "show this help message and exit"),
            ("-C", "run as if started in DIR"),
            ("--format", "output format (default text)"),
            ("--no-cache", "do not read or write the local index"),
            ("--kind", "kind of graph to open"),
            ("--root", "same as ROOT"),
            ("--at", "read the graph from this commit"),
        ),
    )


def test_an_option_that_may_come_again_is_suggested_again() -> None:
    assert "--file" in words("owner", "--file", "a", current="-")


def test_before_the_command_there_are_options_of_the_program() -> None:
    assert words(current="-") == ("-C", "--help", "--version")


def test_where_no_operand_belongs_options_are_suggested() -> None:
    assert "--format" in words("status")
    assert "--format" in words("tree", "orders")


def test_values_of_an_option_come_behind_it_or_behind_an_equals_sign() -> None:
    assert words("tree", "--format") == ("text", "json")
    assert words("tree", current="--format=j") == ("--format=text", "--format=json")
    assert words("impact", *SHOP, current="--flow=") == ("--flow=checkout",)
    assert words("tree", "--kind") == tuple(each.name for each in FORMATS)


def test_a_value_that_may_be_left_out_can_be_an_option_instead() -> None:
    assert words("impact", "--diff") == ()
    assert "--staged" in words("impact", "--diff", current="-")
    assert words("impact", *SHOP, "--diff", "--aspect") == ASPECTS


@pytest.mark.parametrize(
    ("before", "kind"),
    [
        (("-C",), CompletionKind.DIRECTORIES),
        (("tree", "-C"), CompletionKind.DIRECTORIES),
        (("owner",), CompletionKind.FILES),
        (("owner", "a.py", "b.py"), CompletionKind.FILES),
        (("build-context", "--file"), CompletionKind.FILES),
    ],
    ids=str,
)
def test_places_are_left_to_the_shell(before: tuple[str, ...], kind: CompletionKind) -> None:
    assert suggested(before, "x") == Suggestions(kind)


@pytest.mark.parametrize(
    "before",
    [
        ("nonsense",),
        ("tree", "--depth"),
        ("tree", "--nonsense"),
        ("tree", "--at"),
        ("deps", "a", "b"),
    ],
    ids=str,
)
def test_nothing_is_suggested_where_nothing_is_known(
    before: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)  # where there is no graph
    assert [word for word in words(*before) if not word.startswith("-")] == []


def test_without_a_graph_there_are_no_names(tmp_path: Path) -> None:
    assert suggested(["deps", "-C", str(tmp_path)], "") == NOTHING
    assert suggested(["deps", "-C", str(tmp_path / "gone")], "") == NOTHING
    assert suggested(["deps", "--at", "gone", *SHOP], "") == NOTHING


def test_nodes_that_cannot_be_read_have_names_all_the_same(tmp_path: Path) -> None:
    write_graph(tmp_path, {"model/a/yg-node.yaml": "name: [\n", "model/b/x/yg-node.yaml": NODE})
    assert words("deps", "-C", str(tmp_path)) == ("a", "b/x")


def test_every_kind_of_graph_lists_its_names(tmp_path: Path) -> None:
    old = {
        "yggdrasil/config.yaml": "name: old\n",
        "yggdrasil/a/node.yaml": "name: A\ntype: t\n",
        "yggdrasil/aspects/x.yaml": "name: X\ntag: x\n",
        "yggdrasil/flows/f/flow.yaml": "name: F\nnodes: [a]\n",
    }
    here = ("-C", str(write(tmp_path / "old", old)))
    assert (words("deps", *here), words("impact", *here, "--aspect")) == (("a",), ("x.yaml",))
    index = {"specgraphVersion": "1.0.0", "nodes": [{"id": "A-1", "path": "gone.json"}]}
    here = ("-C", str(write(tmp_path / "spec", {"specgraph/graph.json": json.dumps(index)})))
    assert (words("deps", *here), words("impact", *here, "--aspect")) == (("A-1",), ())


def test_the_directory_and_the_kind_that_are_typed_count(tmp_path: Path) -> None:
    write_graph(tmp_path, {"model/new/yg-node.yaml": NODE})
    write(tmp_path, {"yggdrasil/config.yaml": "name: o\n", "yggdrasil/old/node.yaml": NODE})
    here = ("deps", "-C", str(tmp_path))
    assert words(*here) == ()  # which of the two is not said
    assert words(*here, "--kind", "yggdrasil") == ("new",)
    assert words(*here, "--kind=yggdrasil-0x") == ("old",)


def test_what_can_be_moved_and_created_is_suggested() -> None:
    others = (*(f"aspects/{aspect}" for aspect in ASPECTS), "flows/checkout")
    assert words("mv", *SHOP) == (*NODES, *others)
    assert words("mv", *SHOP, "orders") == ()
    assert words("rm", *SHOP) == NODES
    assert words("new", *SHOP) == ("node", "aspect", "flow", "decision")
    assert words("new", *SHOP, "node", "x") == NODES
    assert words("new", *SHOP, "flow", "x", "orders") == NODES
    types = ("module", "service", "library", "infrastructure")
    assert words("new", *SHOP, "node", "x", "--type") == types
    assert suggested(("new", "node", "x", "--map"), "").kind is CompletionKind.FILES
