"""Impact as text, in the layouts of the specification, and as data."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schemas import faults_in
from support import NODE, graph_from, json_of
from yg.commands.impact.node import impact_of_node, node_text
from yg.commands.impact.parts import aspect_text, flow_text, impact_of_aspect, impact_of_flow
from yg.kernel.impact import NodeImpact
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.questions.impact import (
    AspectImpact,
    FlowImpact,
    aspect_impact,
    flow_impact,
    node_impact,
)

PAYMENT, ORDER = "payments/payment-service", "orders/order-service"
SAGAS = "aspects: [{aspect: requires-saga}, {aspect: requires-idempotency}]\n"
SHOP = {
    f"model/{PAYMENT}/yg-node.yaml": f"{NODE}{SAGAS}",
    f"model/{PAYMENT}/stripe-adapter/yg-node.yaml": NODE,
    "model/orders/yg-node.yaml": f"{NODE}aspects: [{{aspect: requires-audit}}]\n",
    f"model/{ORDER}/yg-node.yaml": (
        f"{NODE}{SAGAS}"
        f"relations: [{{target: {PAYMENT}, type: calls, consumes: [charge, refund]}}]\n"
    ),
    "model/subscriptions/billing-service/yg-node.yaml": (
        f"{NODE}relations: [{{target: {PAYMENT}, type: calls, consumes: [charge]}}]\n"
    ),
    "model/checkout/checkout-controller/yg-node.yaml": (
        f"{NODE}relations: [{{target: {ORDER}, type: uses}}]\n"
    ),
    "model/notifications/email-service/yg-node.yaml": (
        f"{NODE}relations: [{{target: {PAYMENT}, type: listens, event_name: PaymentCompleted}}]\n"
    ),
    "model/auth/auth-api/yg-node.yaml": NODE,
    "aspects/requires-saga/yg-aspect.yaml": "name: Saga\n",
    "aspects/requires-idempotency/yg-aspect.yaml": "name: Idempotency\n",
    "aspects/requires-audit/yg-aspect.yaml": "name: Audit\nimplies: [requires-log]\n",
    "aspects/requires-log/yg-aspect.yaml": "name: Log\n",
    "flows/checkout/yg-flow.yaml": (
        f"name: Checkout Flow\nnodes: [auth/auth-api, {ORDER}, {PAYMENT}]\n"
        "aspects: [requires-saga]\n"
    ),
}


def of_node(graph: Graph, path: str, method: str = "") -> NodeImpact:
    node = graph.nodes.get(path)
    assert node is not None
    return node_impact(graph, node, method)


def of_aspect(graph: Graph, aspect_id: str) -> AspectImpact:
    aspect = graph.aspects.get(aspect_id)
    assert aspect is not None
    return aspect_impact(graph, aspect)


def of_flow(graph: Graph, flow_id: str) -> FlowImpact:
    flow = graph.flows.get(flow_id)
    assert flow is not None
    return flow_impact(graph, flow)


def chain(length: int) -> Graph:
    """Return a target and a chain of nodes a, b, c, each using the previous one."""
    names = ["target", *"abcdefghijklmnopqrstuvwxyz"[:length]]
    files = {"model/target/yg-node.yaml": NODE}
    for at in range(1, length + 1):
        relation = f"relations: [{{type: uses, target: {names[at - 1]}}}]\n"
        files[f"model/{names[at]}/yg-node.yaml"] = NODE + relation
    return graph_from(files)


# A node.


def test_a_node_is_written_as_the_specification_writes_it() -> None:
    assert (
        node_text(impact_of_node(of_node(graph_from(SHOP), PAYMENT)))
        == """\
Impact of changes in payments/payment-service:

Directly dependent:
  <- orders/order-service (calls, you consume: charge, refund)
  <- subscriptions/billing-service (calls, you consume: charge)
Transitively dependent:
  <- orders/order-service <- checkout/checkout-controller
Event-dependent:
  <- notifications/email-service (listens: PaymentCompleted)
Descendants (hierarchy impact):
  payments/payment-service/stripe-adapter
Flows: checkout
Aspects (scope covers node): requires-saga, requires-idempotency
Nodes sharing aspects:
  auth/auth-api (requires-saga)
  orders/order-service (requires-saga, requires-idempotency)

Total scope: 5 nodes, 1 flows, 2 aspects
"""
    )


def test_a_node_that_reaches_nobody_has_every_heading() -> None:
    assert (
        node_text(impact_of_node(of_node(graph_from({"model/a/yg-node.yaml": NODE}), "a")))
        == """\
Impact of changes in a:

Directly dependent: (none)
Transitively dependent: (none)
Event-dependent: (none)
Descendants (hierarchy impact): (none)
Flows: (none)
Aspects (scope covers node): (none)
Nodes sharing aspects: (none)

Total scope: 0 nodes, 0 flows, 0 aspects
"""
    )


def test_relations_to_ancestors_follow_the_events() -> None:
    files = {
        "model/a/yg-node.yaml": NODE,
        "model/a/b/yg-node.yaml": NODE,
        "model/c/yg-node.yaml": f"{NODE}relations: [{{target: a, type: emits}}]\n",
    }
    impact = of_node(graph_from(files), "a/b")
    lines = node_text(impact_of_node(impact)).splitlines()
    at = lines.index("Event-dependent: (none)")
    assert lines[at + 1 : at + 4] == [
        "Through ancestors:",
        "  <- c (emits a)",
        "Descendants (hierarchy impact): (none)",
    ]
    assert lines[-1] == "Total scope: 0 nodes, 0 flows, 0 aspects"
    data = json_of(impact_of_node(impact))
    assert data["through_ancestors"] == [{"node": "c", "type": "emits", "ancestor": "a"}]
    assert faults_in(data) == []


@pytest.mark.parametrize(
    ("others", "every", "last"),
    [
        (10, False, "  n09 (x)"),
        (11, False, "  .. and 1 more (--all lists them)"),
        (11, True, "  n10 (x)"),
        (37, False, "  .. and 27 more (--all lists them)"),
    ],
)
def test_ten_nodes_that_share_an_aspect_are_listed(*, others: int, every: bool, last: str) -> None:
    files = {
        f"model/{name}/yg-node.yaml": f"{NODE}aspects: [{{aspect: x}}]\n"
        for name in ("a", *(f"n{number:02}" for number in range(others)))
    }
    impact = of_node(graph_from({**files, "aspects/x/yg-aspect.yaml": "name: X\n"}), "a")
    text = node_text(impact_of_node(impact, every=every))
    sharing = text.split("Nodes sharing aspects:\n")[1].split("\n\n")[0].splitlines()
    assert sharing[-1] == last
    assert len(sharing) == (others if every else min(others, 11))
    assert len(json_of(impact_of_node(impact))["sharing"]) == others


def test_the_method_is_in_the_first_line() -> None:
    lines = node_text(impact_of_node(of_node(graph_from(SHOP), PAYMENT, "refund"))).splitlines()
    assert lines[0] == "Impact of changes in payments/payment-service (method refund):"
    assert lines[3:5] == [
        "  <- orders/order-service (calls, you consume: charge, refund)",
        "Transitively dependent:",
    ]


def test_several_relations_share_a_line_and_equal_ones_are_written_once() -> None:
    relations = (
        "{type: uses, target: t, consumes: [x]}, {type: calls, target: t}, "
        "{type: uses, target: t, consumes: [x]}, {type: uses, target: t, consumes: [y]}"
    )
    graph = graph_from(
        {
            "model/t/yg-node.yaml": NODE,
            "model/a/yg-node.yaml": f"{NODE}relations: [{relations}]\n",
        }
    )
    line = node_text(impact_of_node(of_node(graph, "t"))).splitlines()[3]
    assert line == "  <- a (uses, you consume: x, y; calls)"


def test_a_chain_of_eight_links_is_written_out_and_a_longer_one_is_shortened() -> None:
    lines = node_text(impact_of_node(of_node(chain(20), "target"))).splitlines()
    assert lines[2:16] == [
        "Directly dependent:",
        "  <- a (uses)",
        "Transitively dependent:",
        "  <- a <- b",
        "  <- a <- b <- c",
        "  <- a <- b <- c <- d",
        "  <- a <- b <- c <- d <- e",
        "  <- a <- b <- c <- d <- e <- f",
        "  <- a <- b <- c <- d <- e <- f <- g",
        "  <- a <- b <- c <- d <- e <- f <- g <- h",
        "  <- a <- b <- .. 6 more .. <- i",
        "  <- a <- b <- .. 7 more .. <- j",
        "  <- a <- b <- .. 8 more .. <- k",
        "  <- a <- b <- .. 9 more .. <- l",
    ]
    assert "  <- a <- b <- .. 17 more .. <- t" in lines


# An aspect.


def test_an_aspect_is_written_as_the_specification_writes_it() -> None:
    flow = f"name: Checkout\nnodes: [{PAYMENT}]\naspects: [requires-audit]\n"
    files = {**SHOP, "flows/checkout/yg-flow.yaml": flow}
    del files[f"model/{PAYMENT}/stripe-adapter/yg-node.yaml"]
    assert (
        aspect_text(impact_of_aspect(of_aspect(graph_from(files), "requires-audit")))
        == """\
Impact of changes in aspect requires-audit:

Affected nodes (3):
  orders (own)
  orders/order-service (hierarchy from orders)
  payments/payment-service (flow: checkout)
Flows propagating this aspect: checkout
Implied by: (none)
Implies: requires-log

Total scope: 3 nodes, 1 flows
"""
    )


def test_all_reasons_for_an_aspect_share_a_line() -> None:
    graph = graph_from(
        {
            "model/a/yg-node.yaml": f"{NODE}aspects: [{{aspect: x}}]\n",
            "model/a/b/yg-node.yaml": f"{NODE}aspects: [{{aspect: y}}, {{aspect: x}}]\n",
            "aspects/x/yg-aspect.yaml": "name: X\n",
            "aspects/y/yg-aspect.yaml": "name: Y\nimplies: [x]\n",
            "flows/f/yg-flow.yaml": "name: F\nnodes: [a/b]\naspects: [x]\n",
        }
    )
    assert (
        aspect_text(impact_of_aspect(of_aspect(graph, "x")))
        == """\
Impact of changes in aspect x:

Affected nodes (2):
  a (own)
  a/b (hierarchy from a, implied by y, own, flow: f)
Flows propagating this aspect: f
Implied by: y
Implies: (none)

Total scope: 2 nodes, 1 flows
"""
    )


def test_an_aspect_that_nobody_has_is_written_with_every_heading() -> None:
    graph = graph_from({"aspects/x/yg-aspect.yaml": "name: X\n"})
    assert (
        aspect_text(impact_of_aspect(of_aspect(graph, "x")))
        == """\
Impact of changes in aspect x:

Affected nodes (0): (none)
Flows propagating this aspect: (none)
Implied by: (none)
Implies: (none)

Total scope: 0 nodes, 0 flows
"""
    )


# A flow.


def test_a_flow_is_written_as_the_specification_writes_it() -> None:
    assert (
        flow_text(impact_of_flow(of_flow(graph_from(SHOP), "checkout")))
        == """\
Impact of changes in flow Checkout Flow:

Participants:
  auth/auth-api
  orders/order-service
  payments/payment-service
  payments/payment-service/stripe-adapter (descendant)
Flow aspects: requires-saga

Total scope: 4 nodes
"""
    )


def test_a_flow_of_nobody_is_written_with_every_heading() -> None:
    graph = graph_from({"flows/f/yg-flow.yaml": "name: F\nnodes: [gone]\n"})
    assert (
        flow_text(impact_of_flow(of_flow(graph, "f")))
        == """\
Impact of changes in flow F:

Participants: (none)
Flow aspects: (none)

Total scope: 0 nodes
"""
    )


# Data, and names with terminal escape sequences.


def test_a_node_as_data_gives_the_predecessor_of_each_transitive_dependent() -> None:
    data = json_of(impact_of_node(of_node(graph_from(SHOP), PAYMENT, "charge")))
    assert data == {
        "schema": "yg-impact/1",
        "mode": "node",
        "node": PAYMENT,
        "method": "charge",
        "consumed": ["charge", "refund"],
        "direct": [
            {"node": ORDER, "relations": [{"type": "calls", "consumes": ["charge", "refund"]}]},
            {
                "node": "subscriptions/billing-service",
                "relations": [{"type": "calls", "consumes": ["charge"]}],
            },
        ],
        "transitive": [{"node": "checkout/checkout-controller", "by": ORDER}],
        "events": [
            {
                "node": "notifications/email-service",
                "type": "listens",
                "event": "PaymentCompleted",
            }
        ],
        "through_ancestors": [],
        "descendants": [f"{PAYMENT}/stripe-adapter"],
        "flows": ["checkout"],
        "aspects": ["requires-saga", "requires-idempotency"],
        "sharing": [
            {"node": "auth/auth-api", "aspects": ["requires-saga"]},
            {"node": ORDER, "aspects": ["requires-saga", "requires-idempotency"]},
        ],
        "affected": [
            "checkout/checkout-controller",
            "notifications/email-service",
            ORDER,
            f"{PAYMENT}/stripe-adapter",
            "subscriptions/billing-service",
        ],
        "skipped": [],
    }
    assert faults_in(data) == []


def test_a_long_chain_as_data_has_no_chains() -> None:
    data = json_of(impact_of_node(of_node(chain(20), "target")))
    assert data["transitive"][-1] == {"node": "t", "by": "s"}
    assert (data["method"], faults_in(data)) == (None, [])


def test_an_aspect_as_data_shows_every_reason() -> None:
    data = json_of(impact_of_aspect(of_aspect(graph_from(SHOP), "requires-log")))
    assert data == {
        "schema": "yg-impact/1",
        "mode": "aspect",
        "aspect": "requires-log",
        "carriers": [
            {"node": "orders", "because": ["implied by requires-audit"]},
            {"node": ORDER, "because": ["implied by requires-audit"]},
        ],
        "flows": [],
        "implied_by": ["requires-audit"],
        "implies": [],
        "affected": ["orders", ORDER],
        "skipped": [],
    }
    assert faults_in(data) == []


def test_a_flow_as_data_says_who_is_there_as_a_descendant() -> None:
    data = json_of(impact_of_flow(of_flow(graph_from(SHOP), "checkout")))
    assert data == {
        "schema": "yg-impact/1",
        "mode": "flow",
        "flow": "checkout",
        "name": "Checkout Flow",
        "participants": [
            {"node": "auth/auth-api", "descendant": False},
            {"node": ORDER, "descendant": False},
            {"node": PAYMENT, "descendant": False},
            {"node": f"{PAYMENT}/stripe-adapter", "descendant": True},
        ],
        "aspects": ["requires-saga"],
        "affected": ["auth/auth-api", ORDER, PAYMENT, f"{PAYMENT}/stripe-adapter"],
        "skipped": [],
    }
    assert faults_in(data) == []


@pytest.mark.parametrize("letter", ["\x1b[31m", "\n", "\u202e", "\r"])
def test_names_do_not_play_with_the_terminal(letter: str) -> None:
    evil = f"e{letter}"
    quoted = json.dumps(evil)
    graph = graph_from(
        {
            f"model/{evil}/yg-node.yaml": f"{NODE}aspects: [{{aspect: {quoted}}}]\n",
            f"model/{evil}/{evil}/yg-node.yaml": NODE,
            "model/a/yg-node.yaml": (
                f"{NODE}relations: [{{type: uses, target: {quoted}, consumes: [{quoted}]}}, "
                f"{{type: emits, target: {quoted}, event_name: {quoted}}}]\n"
            ),
            f"model/{evil}2/yg-node.yaml": f"{NODE}relations: [{{type: uses, target: a}}]\n",
            f"aspects/{evil}/yg-aspect.yaml": f"name: {quoted}\nimplies: [{quoted}]\n",
            f"flows/{evil}/yg-flow.yaml": (
                f"name: {quoted}\nnodes: [{quoted}]\naspects: [{quoted}]\n"
            ),
        }
    )
    for text in (
        node_text(impact_of_node(of_node(graph, evil, evil))),
        aspect_text(impact_of_aspect(of_aspect(graph, evil))),
        flow_text(impact_of_flow(of_flow(graph, evil))),
    ):
        assert [line for line in text.split("\n") if not line.isprintable()] == []
        assert letter.encode("unicode_escape").decode() in text
    assert faults_in(json_of(impact_of_node(of_node(graph, evil)))) == []


# The schema.


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"mode": "galaxy"}, True),
        ({"colour": "green"}, True),
        ({"method": ""}, True),
        ({"affected": ["a", "a"]}, True),
        ({"packages": [{"node": "a"}], "notes": []}, True),
        ({"packages": []}, True),
        ({"notes": []}, True),
        ({"packages": [], "notes": []}, False),
        ({"method": "x"}, False),
    ],
)
def test_the_schema_notices_what_does_not_belong(change: dict[str, Any], *, fault: bool) -> None:
    data = json_of(impact_of_node(of_node(graph_from({"model/a/yg-node.yaml": NODE}), "a")))
    assert faults_in(data) == []
    assert bool(faults_in({**data, **change})) is fault


@pytest.mark.parametrize("key", ["node", "direct", "transitive", "affected", "mode"])
def test_the_schema_notices_what_is_missing(key: str) -> None:
    data = json_of(impact_of_node(of_node(graph_from({"model/a/yg-node.yaml": NODE}), "a")))
    del data[key]
    assert faults_in(data) != []
