"""The nodes that may be meant by a mistyped path."""

from __future__ import annotations

import pytest

from graphs import graph_from
from yg.yggdrasil.rules.nearby import nearest_nodes

GRAPH = graph_from(
    {
        f"model/{path}/yg-node.yaml": f"name: {name}\ntype: service\n"
        for path, name in {
            "orders": "Orders",
            "orders/cart": "ShoppingCart",
            "payments": "Payments",
            "payments/payment-service": "PaymentService",
            "broken": "[",
        }.items()
    }
)


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("cart", ("orders/cart",)),
        ("x/shopping-cart", ("orders/cart",)),
        ("payment/svc", ("payments/payment-service",)),
        ("order", ("orders",)),
        ("brokn", ("broken",)),
        ("warehouse", ()),
        ("x" * 300, ()),
    ],
)
def test_names_parts_of_paths_and_abbreviations_count(path: str, near: tuple[str, ...]) -> None:
    assert nearest_nodes(GRAPH, path) == near
