"""The parts of a package that is too large which could belong to other nodes."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from support import CONFIG, NODE, graph_from
from yg.yggdrasil.package.assemble import assemble
from yg.yggdrasil.package.split import Split, split_of

LIMITS = f"{CONFIG}quality: {{context_budget: {{warning: 300, error: 400}}}}\n"
USES = "relations: [{target: big, type: uses}, {target: small, type: uses}]\n"


def found(files: dict[str, str], node: str = "a") -> Split | None:
    graph = graph_from({"yg-config.yaml": LIMITS, f"model/{node}/yg-node.yaml": NODE, **files})
    declared = graph.nodes.get(node)
    assert declared is not None
    return split_of(assemble(graph, declared))


def test_a_package_that_fits_needs_no_split() -> None:
    assert found({"model/a/internals.md": "x" * 800}) is None


def test_the_largest_part_is_named_alone_if_it_is_enough() -> None:
    files = {
        "model/a/yg-node.yaml": NODE + USES,
        "model/big/yg-node.yaml": NODE,
        "model/big/interface.md": "x" * 1200,
        "model/small/yg-node.yaml": NODE,
        "model/small/interface.md": "x" * 600,
    }
    split = found(files)
    assert split is not None
    assert [(part.block, part.subject) for part in split.parts] == [("dependency", "big")]
    assert split.threshold == 400
    graph = graph_from({"yg-config.yaml": LIMITS, **files})
    node = graph.nodes.get("a")
    assert node is not None
    whole = assemble(graph, node)
    assert (whole.tokens, split.after) == (491, 186)
    assert split.text == f"A node of its own for dependency big (305) leaves {split.after} tokens."


def test_the_warning_threshold_counts_below_the_error() -> None:
    split = found({"model/a/internals.md": "x" * 1300})
    assert split is not None
    assert split.threshold == 300
    assert [part.document for part in split.parts] == ["internals.md"]


def test_a_text_with_several_sections_is_named_by_section() -> None:
    fenced = "```\n## no heading\n```\n"
    text = f"Intro\n\n## Refunds\n{'x' * 900}\n\n{fenced}\n## Charges ##\n{'y' * 600}\n"
    split = found({"model/a/internals.md": text})
    assert split is not None
    assert [(part.document, part.section) for part in split.parts] == [("internals.md", "Refunds")]
    assert split.after < 400
    assert "internals.md 'Refunds' (" in split.text


def test_one_section_is_the_whole_text() -> None:
    split = found({"model/a/internals.md": f"## Only\n{'x' * 2000}\n"})
    assert split is not None
    [part] = split.parts
    assert part.section is UNSET


def test_at_most_three_parts_are_named_and_the_rest_is_said_to_remain() -> None:
    text = "".join(f"## Part {number}\n{'x' * 900}\n" for number in range(6))
    split = found({"model/a/internals.md": text})
    assert split is not None
    assert [part.section for part in split.parts] == ["Part 0", "Part 1", "Part 2"]
    assert split.after > split.threshold
    assert split.text.startswith("Even nodes of their own for internals.md 'Part 0' (")


def test_texts_of_ancestors_and_flows_count() -> None:
    files = {
        "model/a/yg-node.yaml": NODE,
        "model/a/internals.md": "x" * 900,
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a/b]\n",
        "flows/f/description.md": "y" * 800,
    }
    split = found(files, "a/b")
    assert split is not None
    assert [(part.block, part.subject) for part in split.parts] == [("hierarchy", "a")]


@pytest.mark.parametrize(
    "files",
    [
        {"model/a/yg-node.yaml": f"{NODE}# {'x' * 2000}\n"},
        {"model/a/yg-node.yaml": f"{NODE}blackbox: true\n", "model/a/internals.md": "x" * 9000},
        {
            "model/a/yg-node.yaml": f"{NODE}aspects: [{{aspect: x}}]\n",
            "aspects/x/yg-aspect.yaml": "name: X\n",
            "aspects/x/content.md": "z" * 4000,
        },
    ],
    ids=["its declaration", "a blackbox", "an aspect"],
)
def test_there_is_nothing_to_move_out_of(files: dict[str, str]) -> None:
    assert found(files) is None
