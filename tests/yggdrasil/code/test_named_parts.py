"""Parts of source files by the names that users give them."""

from __future__ import annotations

import pytest

from support import graph_from, node_owning
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.code.evidence import read_imports
from yg.yggdrasil.code.named_parts import named_parts

CART = """\
def total():
    pass


class Cart:
    def total(self):
        return 1

    def add(self):
        pass
"""
GRAPH = graph_from(
    {
        "model/orders/yg-node.yaml": node_owning("src/orders"),
        "model/orders/pricing/yg-node.yaml": node_owning("src/orders/pricing.py"),
    },
    {
        "src/orders/cart.py": CART,
        "src/orders/pricing.py": "def quote():\n    pass\n",
        "src/store.rs": "pub struct Cart;\nimpl Cart { pub fn total(&self) {} }\n",
        "notes.txt": "total\n",
    },
)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("quote", ["src/orders/pricing.py:1 quote orders/pricing"]),
        ("total", ["src/orders/cart.py:1 total orders"]),
        ("Cart.total", ["src/orders/cart.py:6 Cart.total orders"]),
        ("Cart::total", ["src/orders/cart.py:6 Cart.total orders"]),
        ("Cart#total", ["src/orders/cart.py:6 Cart.total orders"]),
        ("add", ["src/orders/cart.py:9 Cart.add orders"]),
        ("src/orders/pricing.py::quote", ["src/orders/pricing.py:1 quote orders/pricing"]),
        ("orders::quote", ["src/orders/pricing.py:1 quote orders/pricing"]),
        ("orders/pricing::total", []),
        ("src/store.rs::Cart::total", ["src/store.rs:2 Cart.total "]),
        ("notes.txt::total", []),
        ("nobody::total", []),
        ("::", []),
        ("", []),
        ("(file)", []),
        ("tal", []),
    ],
)
def test_a_name_finds_the_parts_that_have_it(name: str, found: list[str]) -> None:
    imports = read_imports(GRAPH, SnapshotSources(GRAPH.snapshot))
    parts = named_parts(imports, name)
    assert [f"{part.path}:{part.first} {part.name} {part.node}" for part in parts] == found
