"""Layers of types: the order that `may_use` gives them."""

from __future__ import annotations

import pytest

from support import graph_from
from yg.yggdrasil.questions.layers import type_layers

CONFIG = """\
version: "2.2.0"
name: shop
node_types:
{types}
artifacts:
  responsibility.md: {{required: always, description: What it does}}
"""
ORDERED = {"library": "[]", "storage": "[library]", "ui": "[service]", "service": "[storage]"}


def layers(types: dict[str, str]) -> tuple[str, ...]:
    lines = (
        f"  {name}: {{description: D{f', may_use: {used}' if used else ''}}}"
        for name, used in types.items()
    )
    graph = graph_from({"yg-config.yaml": CONFIG.format(types="\n".join(lines))})
    return type_layers(graph.config.node_types)


def test_a_type_stands_above_those_that_it_may_use() -> None:
    assert layers(ORDERED) == ("ui", "service", "storage", "library")


def test_types_that_know_nothing_of_each_other_stay_as_they_are_listed() -> None:
    types = {"tool": "[]", "ui": "[worker, service]", "service": "[ui-kit]", "worker": "[]"}
    assert layers(types | {"ui-kit": "[]"}) == ("tool", "ui", "service", "worker", "ui-kit")


@pytest.mark.parametrize(
    "types",
    [
        {**ORDERED, "tool": ""},
        {**ORDERED, "library": "[ui]"},
        {**ORDERED, "library": "[storage]"},
    ],
    ids=["a type that may use all", "a long circle", "a short circle"],
)
def test_without_an_order_there_are_no_layers(types: dict[str, str]) -> None:
    assert layers(types) == ()


def test_a_type_may_name_itself_and_types_that_do_not_exist() -> None:
    assert layers({"ui": "[ui, lib]", "library": "[gone]"}) == ("ui", "library")
