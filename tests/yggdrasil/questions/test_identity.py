"""Nodes, aspects and flows are recognised under another name."""

from __future__ import annotations

import pytest

from support import NODE, graph_from
from yg.yggdrasil.questions.identity import renamed

MAPPED = f"{NODE}mapping: {{paths: [src/a]}}\n"


@pytest.mark.parametrize(
    ("then", "now", "pairs"),
    [
        ({"model/a/yg-node.yaml": MAPPED}, {"model/b/yg-node.yaml": MAPPED}, ["node a b"]),
        # The files are the same, whatever is said about them.
        (
            {"model/a/yg-node.yaml": MAPPED, "model/a/internals.md": "1"},
            {"model/b/yg-node.yaml": MAPPED.replace("N", "M"), "model/b/internals.md": "2"},
            ["node a b"],
        ),
        # The texts are the same.
        (
            {"model/a/yg-node.yaml": NODE, "model/a/internals.md": "x\r\n"},
            {"model/b/c/yg-node.yaml": MAPPED, "model/b/c/internals.md": "x\n"},
            ["node a b/c"],
        ),
        # What is below them, too.
        (
            {
                "model/a/yg-node.yaml": MAPPED,
                "model/a/x/y/yg-node.yaml": NODE,
                "model/a/x/yg-node.yaml": NODE,
            },
            {
                "model/b/yg-node.yaml": MAPPED,
                "model/b/x/y/yg-node.yaml": NODE,
                "model/b/x/yg-node.yaml": NODE,
            },
            ["node a b", "node a/x b/x", "node a/x/y b/x/y"],
        ),
        # Nothing says that these are the same, or which of them.
        ({"model/a/yg-node.yaml": NODE}, {"model/b/yg-node.yaml": NODE}, []),
        (
            {"model/a/yg-node.yaml": NODE, "model/a/internals.md": "x"},
            {
                "model/b/yg-node.yaml": NODE,
                "model/b/internals.md": "x",
                "model/c/yg-node.yaml": NODE,
                "model/c/internals.md": "x",
            },
            [],
        ),
        # Nothing is gone.
        (
            {"model/a/yg-node.yaml": MAPPED},
            {"model/a/yg-node.yaml": MAPPED, "model/b/yg-node.yaml": MAPPED},
            [],
        ),
        ({"model/a/yg-node.yaml": "name: 1\n"}, {"model/b/yg-node.yaml": "name: 1\n"}, []),
        (
            {"aspects/a/yg-aspect.yaml": "name: A\n", "aspects/a/content.md": "x"},
            {"aspects/b/yg-aspect.yaml": "name: A\n", "aspects/b/content.md": "x"},
            ["aspect a b"],
        ),
        (
            {"flows/a/yg-flow.yaml": "name: A\nnodes: [x]\n", "flows/a/description.md": "x"},
            {"flows/b/yg-flow.yaml": "name: A\nnodes: [y]\n", "flows/b/description.md": "x"},
            ["flow a b"],
        ),
    ],
)
def test_what_is_the_same_under_another_name(
    then: dict[str, str], now: dict[str, str], pairs: list[str]
) -> None:
    found = renamed(graph_from(then), graph_from(now))
    assert [f"{pair.kind} {pair.old} {pair.new}" for pair in found] == pairs
