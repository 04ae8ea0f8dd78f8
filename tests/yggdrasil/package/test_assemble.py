"""A package is the five steps of the specification, to the byte."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support import CONFIG, NODE, graph_from
from yg.commands.build_context.package import package_text
from yg.yggdrasil.package.assemble import Assembler, assemble
from yg.yggdrasil.package.blocks import ContextPackage
from yggdrasil.random_graphs import graphs

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

Files = Mapping[str, str | bytes]

SHOP: dict[str, str] = {
    "yg-config.yaml": CONFIG,
    "model/yg-node.yaml": "name: Shop\ntype: module\naspects:\n  - aspect: logging\n",
    "model/internals.md": "Python, everywhere.\n",
    "model/orders/yg-node.yaml": "name: Orders\ntype: module\n",
    "model/orders/responsibility.md": "The life of an order.\n",
    "model/orders/service/yg-node.yaml": """\
name: OrderService
type: service
aspects:
  - aspect: audit
    exceptions: ["Batch import: one event"]
relations:
  - {target: payments, type: calls, consumes: [charge, refund], failure: retry 3x}
  - {target: mail, type: emits, event_name: OrderPlaced}
mapping: {paths: [src/orders.py, src/orders]}
""",
    "model/orders/service/interface.md": "place(order)\n",
    "model/orders/service/responsibility.md": "Takes orders.\n",
    "model/payments/yg-node.yaml": NODE,
    "model/payments/interface.md": "charge, refund\n",
    "model/payments/internals.md": "Secret.\n",
    "model/payments/responsibility.md": "Takes money.\n",
    "model/mail/yg-node.yaml": "name: Mail\ntype: service\n",
    "aspects/audit/yg-aspect.yaml": "name: Audit\nimplies: [logging]\nstability: protocol\n",
    "aspects/audit/content.md": "Write it down.\n",
    "aspects/logging/yg-aspect.yaml": "name: Logging\n",
    "aspects/logging/content.md": "Log it.\n",
    "aspects/saga/yg-aspect.yaml": "name: Saga\n",
    "flows/checkout/yg-flow.yaml": "name: Checkout\nnodes: [orders]\naspects: [saga]\n",
    "flows/checkout/description.md": "From cart to mail.\n",
}

SHOP_PACKAGE = """\
<context-package node-path="orders/service" node-name="OrderService" token-count="205">

<global>
**Project:** test
</global>

<hierarchy path="./" aspects="logging">
### internals.md
Python, everywhere.
</hierarchy>

<hierarchy path="orders/">
### responsibility.md
The life of an order.
</hierarchy>

<own-artifacts aspects="audit,logging">
### yg-node.yaml
name: OrderService
type: service
aspects:
  - aspect: audit
    exceptions: ["Batch import: one event"]
relations:
  - {target: payments, type: calls, consumes: [charge, refund], failure: retry 3x}
  - {target: mail, type: emits, event_name: OrderPlaced}
mapping: {paths: [src/orders.py, src/orders]}
### responsibility.md
Takes orders.
### interface.md
place(order)
</own-artifacts>

<materialization-target paths="src/orders.py, src/orders"/>

<aspect name="Logging" id="logging">
### content.md
Log it.
</aspect>

<aspect name="Audit" id="audit">
### content.md
Write it down.
**Stability tier:** protocol
**Exception for this node:** Batch import: one event
</aspect>

<aspect name="Saga" id="saga">
</aspect>

<dependency target="payments" type="calls" consumes="charge, refund" failure="retry 3x">
Consumes: charge, refund
On failure: retry 3x

### responsibility.md
Takes money.
### interface.md
charge, refund
</dependency>

<event target="mail" type="emits" event-name="OrderPlaced">
Target: mail
You publish OrderPlaced.
</event>

<flow name="Checkout" aspects="saga">
### description.md
From cart to mail.
</flow>

</context-package>
Budget status: ok
"""


def package_of(files: Files, path: str) -> ContextPackage:
    graph = graph_from(files)
    node = graph.nodes.get(path)
    assert node is not None
    return assemble(graph, node)


def text_of(files: Files, path: str) -> str:
    return package_text(package_of(files, path))


def blocks_of(files: Files, path: str, kind: str) -> list[str]:
    """Return the blocks of one kind as they are in a package."""
    pattern = rf"^<{kind}(?: [^\n]*)?(?:/>|>\n.*?^</{kind}>)"
    return [
        item[0] for item in re.finditer(pattern, text_of(files, path), re.DOTALL | re.MULTILINE)
    ]


def block_of(files: Files, path: str, kind: str) -> str:
    (block,) = blocks_of(files, path, kind)
    return block


def tokens_written(text: str) -> int:
    """Count a package's tokens from its text alone; its contents must not hold a `<`."""
    pattern = re.compile(r"<([a-z-]+)(?: [^<>]*)?>\n([^<]*)</\1>")
    body = text.partition("\n\n")[2]
    contents = [re.sub(r"\r?\n\Z", "", item[2]) for item in pattern.finditer(body)]
    return -(-len("\n\n".join(contents)) // 4)


def test_a_lone_node_has_the_project_and_itself() -> None:
    text = package_text(package_of({"model/a/yg-node.yaml": NODE}, "a"))
    assert text == (
        '<context-package node-path="a" node-name="N" token-count="15">\n'
        "\n"
        "<global>\n"
        "**Project:** test\n"
        "</global>\n"
        "\n"
        "<own-artifacts>\n"
        "### yg-node.yaml\n"
        "name: N\n"
        "type: service\n"
        "</own-artifacts>\n"
        "\n"
        "</context-package>\n"
        "Budget status: ok\n"
    )


def test_a_package_is_the_five_steps_in_their_order() -> None:
    assert text_of(SHOP, "orders/service") == SHOP_PACKAGE


def test_the_token_count_in_the_example_is_that_of_its_contents() -> None:
    assert tokens_written(SHOP_PACKAGE) == 205


# Step 1: the project.


def test_the_project_has_one_line_whatever_its_name() -> None:
    config = CONFIG.replace("name: test", 'name: "A <shop>\\n\\n & more"')
    files = {"yg-config.yaml": config, "model/a/yg-node.yaml": NODE}
    assert block_of(files, "a", "global") == "<global>\n**Project:** A <shop> & more\n</global>"


# Step 2: the hierarchy.


def test_the_root_node_is_named_by_a_dot_in_its_own_package() -> None:
    files = {"model/yg-node.yaml": NODE, "model/responsibility.md": "All.\n"}
    assert (
        text_of(files, ".")
        == """\
<context-package node-path="." node-name="N" token-count="21">

<global>
**Project:** test
</global>

<own-artifacts>
### yg-node.yaml
name: N
type: service
### responsibility.md
All.
</own-artifacts>

</context-package>
Budget status: ok
"""
    )


def test_every_ancestor_has_a_block_even_without_artifacts_the_root_first() -> None:
    files = {
        "model/a/b/c/yg-node.yaml": NODE,
        "model/a/b/yg-node.yaml": NODE,
        "model/a/yg-node.yaml": NODE,
        "model/yg-node.yaml": NODE,
    }
    assert blocks_of(files, "a/b/c", "hierarchy") == [
        '<hierarchy path="./">\n</hierarchy>',
        '<hierarchy path="a/">\n</hierarchy>',
        '<hierarchy path="a/b/">\n</hierarchy>',
    ]


def test_directories_that_are_not_nodes_have_no_block() -> None:
    files = {
        "model/a/yg-node.yaml": NODE,
        "model/a/bare/c/yg-node.yaml": NODE,
        "model/a/bare/responsibility.md": "Nobody's.\n",
    }
    assert blocks_of(files, "a/bare/c", "hierarchy") == ['<hierarchy path="a/">\n</hierarchy>']


def test_an_ancestor_shows_its_artifacts_but_not_its_declaration() -> None:
    files = {
        "model/a/yg-node.yaml": "name: A\ntype: module\naspects: [{aspect: x}]\n",
        "model/a/interface.md": "I.\n",
        "model/a/internals.md": "H.\n",
        "model/a/notes.md": "Not configured.\n",
        "model/a/responsibility.md": "R.\n",
        "model/a/b/yg-node.yaml": NODE,
        "aspects/x/yg-aspect.yaml": "name: X\n",
    }
    assert block_of(files, "a/b", "hierarchy") == (
        '<hierarchy path="a/" aspects="x">\n'
        "### responsibility.md\nR.\n"
        "### interface.md\nI.\n"
        "### internals.md\nH.\n"
        "</hierarchy>"
    )


# Step 3: the node itself.


def test_artifacts_come_in_the_order_of_the_configuration_not_of_the_alphabet() -> None:
    config = (
        "name: test\nnode_types: {service: {description: S}}\n"
        "artifacts: {z.md: {}, a.md: {}, m.md: {}}\n"
    )
    files = {
        "yg-config.yaml": config,
        "model/a/yg-node.yaml": NODE,
        "model/a/a.md": "A\n",
        "model/a/m.md": "M\n",
        "model/a/z.md": "Z\n",
    }
    assert block_of(files, "a", "own-artifacts") == (
        "<own-artifacts>\n"
        "### yg-node.yaml\nname: N\ntype: service\n"
        "### z.md\nZ\n"
        "### a.md\nA\n"
        "### m.md\nM\n"
        "</own-artifacts>"
    )


def test_the_declaration_is_quoted_raw_with_comments_and_line_endings() -> None:
    text = "# why\r\nname:   N # what\r\n\r\ntype: service\r\n"
    block = block_of({"model/a/yg-node.yaml": text}, "a", "own-artifacts")
    assert block == f"<own-artifacts>\n### yg-node.yaml\n{text}</own-artifacts>"


def test_files_that_are_not_configured_artifacts_reach_nobody() -> None:
    files = {
        "model/a/yg-node.yaml": NODE,
        "model/a/Responsibility.md": "Another case.\n",
        "model/a/.responsibility.md": "Hidden.\n",
        "model/a/responsibility.md/x.md": "A directory.\n",
        "model/a/interface.md.orig": "A leftover.\n",
    }
    assert text_of(files, "a") == text_of({"model/a/yg-node.yaml": NODE}, "a")


@pytest.mark.parametrize(
    ("content", "written"),
    [
        pytest.param("text\n", "### responsibility.md\ntext\n", id="one line break"),
        pytest.param("text", "### responsibility.md\ntext\n", id="none"),
        pytest.param("text\n\n\n", "### responsibility.md\ntext\n", id="many"),
        pytest.param("\n\ntext\n", "### responsibility.md\n\n\ntext\n", id="leading ones"),
        pytest.param("a\n\n\nb\n", "### responsibility.md\na\n\n\nb\n", id="inner ones"),
        pytest.param("a\r\nb\r\n", "### responsibility.md\na\r\nb\r\n", id="CRLF"),
        pytest.param("a\r\nb\r\n\r\n", "### responsibility.md\na\r\nb\r\n", id="many CRLF"),
        pytest.param("a\r\nb", "### responsibility.md\na\r\nb\n", id="no final CRLF"),
        pytest.param("text \t\n", "### responsibility.md\ntext \t\n", id="spaces before it"),
        pytest.param("  \n", "### responsibility.md\n  \n", id="spaces alone"),
        pytest.param("", "### responsibility.md\n", id="empty"),
        pytest.param("\n\n", "### responsibility.md\n", id="line breaks alone"),
        pytest.param("\r\n\r\n", "### responsibility.md\n", id="CRLF alone"),
        pytest.param("\ufefftext\n", "### responsibility.md\ntext\n", id="byte order mark"),
        pytest.param("\x01\x1b[0m\n", "### responsibility.md\n\x01\x1b[0m\n", id="controls"),
        pytest.param("<a> & </own>\n", "### responsibility.md\n<a> & </own>\n", id="raw"),
    ],
)
def test_a_document_ends_in_exactly_one_line_break_and_is_verbatim_otherwise(
    content: str, written: str
) -> None:
    files = {
        "model/a/yg-node.yaml": NODE,
        "model/a/responsibility.md": content,
        "model/a/interface.md": "Next.\n",
    }
    assert block_of(files, "a", "own-artifacts") == (
        "<own-artifacts>\n### yg-node.yaml\nname: N\ntype: service\n"
        f"{written}### interface.md\nNext.\n</own-artifacts>"
    )


def test_a_mapped_node_names_its_target_right_after_itself() -> None:
    files = {"model/a/yg-node.yaml": NODE + 'mapping: {paths: [./src//a/, "b, c", d]}\n'}
    assert (
        text_of(files, "a")
        == """\
<context-package node-path="a" node-name="N" token-count="25">

<global>
**Project:** test
</global>

<own-artifacts>
### yg-node.yaml
name: N
type: service
mapping: {paths: [./src//a/, "b, c", d]}
</own-artifacts>

<materialization-target paths="./src//a/, b, c, d"/>

</context-package>
Budget status: ok
"""
    )


# Step 4: aspects.


def aspect(name: str, *implies: str) -> str:
    return f"name: {name}\nimplies: [{', '.join(implies)}]\n"


def ids_of(files: Files, path: str) -> list[str]:
    return [block.subject for block in package_of(files, path).parts if block.kind == "aspect"]


def test_aspects_come_from_the_root_down_then_own_then_from_flows() -> None:
    uses = "name: N\ntype: service\naspects: [{{aspect: {}}}]\n"
    files = {
        "model/yg-node.yaml": uses.format("z-root"),
        "model/a/yg-node.yaml": uses.format("y-above"),
        "model/a/b/yg-node.yaml": uses.format("x-own"),
        "flows/2/yg-flow.yaml": "name: A\nnodes: [a/b]\naspects: [v-second]\n",
        "flows/1/yg-flow.yaml": "name: B\nnodes: [a]\naspects: [w-first]\n",
        **{
            f"aspects/{item}/yg-aspect.yaml": aspect(item)
            for item in ("v-second", "w-first", "x-own", "y-above", "z-root")
        },
    }
    assert ids_of(files, "a/b") == ["z-root", "y-above", "x-own", "w-first", "v-second"]


def test_implied_aspects_follow_depth_first_and_the_first_occurrence_wins() -> None:
    files = {
        "model/a/yg-node.yaml": NODE + "aspects: [{aspect: a}, {aspect: e}, {aspect: d}]\n",
        "aspects/a/yg-aspect.yaml": aspect("A", "c", "b"),
        "aspects/b/yg-aspect.yaml": aspect("B"),
        "aspects/c/yg-aspect.yaml": aspect("C", "d"),
        "aspects/d/yg-aspect.yaml": aspect("D", "b"),
        "aspects/e/yg-aspect.yaml": aspect("E"),
    }
    assert ids_of(files, "a") == ["a", "c", "d", "b", "e"]


def test_every_block_shows_its_own_aspects_expanded() -> None:
    files = {
        "model/a/yg-node.yaml": "name: A\ntype: module\naspects: [{aspect: x}]\n",
        "model/a/b/yg-node.yaml": NODE + "aspects: [{aspect: y}, {aspect: x}]\n",
        "aspects/x/yg-aspect.yaml": aspect("X", "y"),
        "aspects/y/yg-aspect.yaml": aspect("Y", "z"),
        "aspects/z/yg-aspect.yaml": aspect("Z", "x"),
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a/b]\naspects: [z]\n",
    }
    first_lines = [
        block_of(files, "a/b", kind).partition("\n")[0]
        for kind in ("hierarchy", "own-artifacts", "flow")
    ]
    assert first_lines == [
        '<hierarchy path="a/" aspects="x,y,z">',
        '<own-artifacts aspects="y,z,x">',
        '<flow name="F" aspects="z,x,y">',
    ]


def test_a_cycle_of_implications_comes_to_an_end() -> None:
    files = {
        "model/a/yg-node.yaml": NODE + "aspects: [{aspect: x}]\n",
        "aspects/x/yg-aspect.yaml": aspect("X", "x", "y"),
        "aspects/y/yg-aspect.yaml": aspect("Y", "x"),
    }
    assert ids_of(files, "a") == ["x", "y"]


def test_an_aspect_shows_its_files_by_name_but_no_sub_directories_and_no_dot_files() -> None:
    files = {
        "model/a/yg-node.yaml": NODE + "aspects: [{aspect: x}]\n",
        "aspects/x/yg-aspect.yaml": "name: X\ndescription: Not shown\n",
        "aspects/x/b.md": "B\n",
        "aspects/x/a.txt": "A\n",
        "aspects/x/description.md": "D\n",
        "aspects/x/Z.md": "Z\n",
        "aspects/x/.hidden.md": "H\n",
        "aspects/x/below/c.md": "C\n",
        "aspects/x/other/yg-aspect.yaml": "name: Other\n",
    }
    assert blocks_of(files, "a", "aspect") == [
        (
            '<aspect name="X" id="x">\n'
            "### Z.md\nZ\n"
            "### a.txt\nA\n"
            "### b.md\nB\n"
            "### description.md\nD\n"
            "</aspect>"
        )
    ]


@pytest.mark.parametrize("tier", ["schema", "protocol", "implementation"])
def test_the_stability_tier_follows_the_documents(tier: str) -> None:
    files = {
        "model/a/yg-node.yaml": NODE + "aspects: [{aspect: x}]\n",
        "aspects/x/yg-aspect.yaml": f"name: X\nstability: {tier}\n",
        "aspects/x/c.md": "No line break",
    }
    assert block_of(files, "a", "aspect") == (
        f'<aspect name="X" id="x">\n### c.md\nNo line break\n**Stability tier:** {tier}\n</aspect>'
    )


def test_exceptions_of_ancestors_come_before_the_own_ones_one_line_each() -> None:
    files = {
        "model/a/yg-node.yaml": (
            "name: A\ntype: module\naspects: [{aspect: x, exceptions: [Of the parent]}]\n"
        ),
        "model/a/b/yg-node.yaml": NODE
        + 'aspects: [{aspect: x, exceptions: [One, "Two\\n  lines"]}, {aspect: y}]\n',
        "aspects/x/yg-aspect.yaml": "name: X\nstability: schema\nimplies: [y]\n",
        "aspects/y/yg-aspect.yaml": "name: Y\n",
    }
    assert blocks_of(files, "a/b", "aspect") == [
        (
            '<aspect name="X" id="x">\n'
            "**Stability tier:** schema\n"
            "**Exception from a:** Of the parent\n"
            "**Exception for this node:** One\n"
            "**Exception for this node:** Two lines\n"
            "</aspect>"
        ),
        '<aspect name="Y" id="y">\n</aspect>',
    ]


def test_the_exceptions_of_an_aspect_hold_though_an_ancestor_brings_it_first() -> None:
    files = {
        "model/a/yg-node.yaml": "name: A\ntype: module\naspects: [{aspect: x}]\n",
        "model/a/b/yg-node.yaml": NODE + "aspects: [{aspect: y, exceptions: [Not here]}]\n",
        "aspects/x/yg-aspect.yaml": "name: X\nimplies: [y]\n",
        "aspects/y/yg-aspect.yaml": "name: Y\n",
    }
    assert blocks_of(files, "a/b", "aspect") == [
        '<aspect name="X" id="x">\n</aspect>',
        '<aspect name="Y" id="y">\n**Exception for this node:** Not here\n</aspect>',
    ]


def test_a_nested_aspect_is_named_by_its_path_and_nothing_is_inherited_from_above_it() -> None:
    files = {
        "model/a/yg-node.yaml": NODE + "aspects: [{aspect: seen/logs}]\n",
        "aspects/seen/yg-aspect.yaml": "name: Seen\n",
        "aspects/seen/content.md": "S\n",
        "aspects/seen/logs/yg-aspect.yaml": "name: Logs\n",
        "aspects/seen/logs/content.md": "L\n",
    }
    assert blocks_of(files, "a", "aspect") == [
        '<aspect name="Logs" id="seen/logs">\n### content.md\nL\n</aspect>'
    ]


# Step 5: relations.

TARGET = {
    "model/t/yg-node.yaml": "name: T\ntype: service\n",
    "model/t/interface.md": "I\n",
    "model/t/internals.md": "H\n",
    "model/t/responsibility.md": "R\n",
}


def relating(*relations: str) -> dict[str, str]:
    lines = "".join(f"  - {relation}\n" for relation in relations)
    return {**TARGET, "model/a/yg-node.yaml": f"{NODE}relations:\n{lines}"}


OFFERED = "### responsibility.md\nR\n### interface.md\nI\n"


@pytest.mark.parametrize(
    ("relation", "block"),
    [
        (
            "{target: t, type: uses}",
            f'<dependency target="t" type="uses">\n{OFFERED}</dependency>',
        ),
        (
            "{target: t, type: extends, consumes: [go]}",
            (
                '<dependency target="t" type="extends" consumes="go">\n'
                f"Consumes: go\n\n{OFFERED}</dependency>"
            ),
        ),
        (
            "{target: t, type: implements, failure: give up}",
            (
                '<dependency target="t" type="implements" failure="give up">\n'
                f"On failure: give up\n\n{OFFERED}</dependency>"
            ),
        ),
        (
            '{target: t, type: calls, consumes: [a, "b, c"], failure: "give up"}',
            (
                '<dependency target="t" type="calls" consumes="a, b, c" failure="give up">\n'
                f"Consumes: a, b, c\nOn failure: give up\n\n{OFFERED}</dependency>"
            ),
        ),
        (
            "{target: t, type: calls, consumes: []}",
            f'<dependency target="t" type="calls">\n{OFFERED}</dependency>',
        ),
        (
            '{target: t, type: calls, failure: "first\\n then <second> & \\"third\\"\\n"}',
            (
                '<dependency target="t" type="calls" '
                'failure="first&#10; then &lt;second&gt; &amp; &quot;third&quot;&#10;">\n'
                f'On failure: first then <second> & "third"\n\n{OFFERED}</dependency>'
            ),
        ),
    ],
)
def test_a_dependency_is_its_annotations_a_blank_line_and_what_the_target_offers(
    relation: str, block: str
) -> None:
    assert blocks_of(relating(relation), "a", "dependency") == [block]


def test_dependencies_come_in_the_order_of_declaration_the_same_target_as_often_as_named() -> None:
    files = relating(
        "{target: t, type: uses}",
        "{target: b, type: calls}",
        "{target: t, type: extends}",
    )
    files["model/b/yg-node.yaml"] = NODE
    assert blocks_of(files, "a", "dependency") == [
        f'<dependency target="t" type="uses">\n{OFFERED}</dependency>',
        '<dependency target="b" type="calls">\n</dependency>',
        f'<dependency target="t" type="extends">\n{OFFERED}</dependency>',
    ]


def test_events_follow_all_dependencies_each_class_in_its_own_order() -> None:
    files = relating(
        "{target: t, type: listens}",
        "{target: t, type: uses}",
        "{target: t, type: emits}",
        "{target: t, type: calls}",
    )
    kinds = [dict(block.attributes).get("type") for block in package_of(files, "a").parts]
    assert kinds == [None, None, "uses", "calls", "listens", "emits"]


def test_a_target_that_offers_nothing_to_relations_shows_all_it_has() -> None:
    files = {
        "model/a/yg-node.yaml": NODE + "relations: [{target: t, type: uses, consumes: [x]}]\n",
        "model/t/yg-node.yaml": NODE,
        "model/t/internals.md": "H\n",
        "model/t/notes.md": "Not configured.\n",
    }
    assert blocks_of(files, "a", "dependency") == [
        (
            '<dependency target="t" type="uses" consumes="x">\n'
            "Consumes: x\n\n### internals.md\nH\n</dependency>"
        )
    ]


def test_a_target_without_artifacts_leaves_the_annotations_alone() -> None:
    files = {
        "model/a/yg-node.yaml": NODE + "relations: [{target: t, type: uses, consumes: [x]}]\n",
        "model/t/yg-node.yaml": NODE,
    }
    assert blocks_of(files, "a", "dependency") == [
        '<dependency target="t" type="uses" consumes="x">\nConsumes: x\n</dependency>'
    ]


def test_a_dependency_brings_neither_the_targets_declaration_nor_its_aspects_nor_its_parents() -> (
    None
):
    files = {
        "model/a/yg-node.yaml": NODE + "relations: [{target: t/u, type: uses}]\n",
        "model/t/yg-node.yaml": NODE,
        "model/t/responsibility.md": "Of the parent.\n",
        "model/t/u/yg-node.yaml": NODE + "aspects: [{aspect: x}]\nmapping: {paths: [u.py]}\n",
        "model/t/u/responsibility.md": "U\n",
        "aspects/x/yg-aspect.yaml": "name: X\n",
    }
    blocks = [(block.kind.value, block.subject) for block in package_of(files, "a").parts]
    assert blocks == [("global", "test"), ("own-artifacts", "a"), ("dependency", "t/u")]


ABOVE = {
    "model/yg-node.yaml": NODE,
    "model/responsibility.md": "Root.\n",
    "model/a/yg-node.yaml": NODE,
    "model/a/responsibility.md": "Above.\n",
}


@pytest.mark.parametrize("target", ["a", "."])
def test_a_bare_relation_to_an_ancestor_adds_no_block(target: str) -> None:
    node = f"{NODE}relations: [{{target: {target}, type: uses}}]\n"
    assert blocks_of({**ABOVE, "model/a/b/yg-node.yaml": node}, "a/b", "dependency") == []


@pytest.mark.parametrize(
    ("fields", "attributes", "lines"),
    [
        ("consumes: [x, y]", 'consumes="x, y"', "Consumes: x, y\n"),
        ("failure: stop", 'failure="stop"', "On failure: stop\n"),
        (
            "consumes: [x], failure: stop",
            'consumes="x" failure="stop"',
            "Consumes: x\nOn failure: stop\n",
        ),
    ],
)
def test_a_relation_to_an_ancestor_that_says_more_keeps_its_lines_alone(
    fields: str, attributes: str, lines: str
) -> None:
    node = f"{NODE}relations: [{{target: a, type: uses, {fields}}}]\n"
    files = {**ABOVE, "model/a/b/yg-node.yaml": node}
    assert blocks_of(files, "a/b", "dependency") == [
        f'<dependency target="a" type="uses" {attributes}>\n{lines}</dependency>'
    ]


def test_a_relation_to_a_child_or_a_sibling_is_quoted_like_any_other() -> None:
    files = {
        "model/a/yg-node.yaml": NODE
        + "relations: [{target: a/b, type: uses}, {target: ab, type: uses}]\n",
        "model/a/b/yg-node.yaml": NODE,
        "model/a/b/responsibility.md": "Child.\n",
        "model/ab/yg-node.yaml": NODE,
        "model/ab/responsibility.md": "Sibling.\n",
    }
    assert blocks_of(files, "a", "dependency") == [
        '<dependency target="a/b" type="uses">\n### responsibility.md\nChild.\n</dependency>',
        '<dependency target="ab" type="uses">\n### responsibility.md\nSibling.\n</dependency>',
    ]


@pytest.mark.parametrize(
    ("relation", "block"),
    [
        (
            "{target: t, type: emits, event_name: Paid}",
            (
                '<event target="t" type="emits" event-name="Paid">\n'
                "Target: t\nYou publish Paid.\n</event>"
            ),
        ),
        (
            "{target: t, type: listens, event_name: Paid, consumes: [id, sum]}",
            (
                '<event target="t" type="listens" event-name="Paid" consumes="id, sum">\n'
                "Source: t\nYou listen for Paid.\nConsumes: id, sum\n</event>"
            ),
        ),
        (
            "{target: t, type: emits}",
            '<event target="t" type="emits" event-name="T">\nTarget: t\nYou publish T.\n</event>',
        ),
    ],
)
def test_an_event_says_who_and_what_and_is_named_after_its_target_by_default(
    relation: str, block: str
) -> None:
    assert blocks_of(relating(relation), "a", "event") == [block]


def test_an_event_of_an_ancestor_is_reported_like_any_other() -> None:
    node = f"{NODE}relations: [{{target: a, type: listens, event_name: E}}]\n"
    assert blocks_of({**ABOVE, "model/a/b/yg-node.yaml": node}, "a/b", "event") == [
        '<event target="a" type="listens" event-name="E">\nSource: a\nYou listen for E.\n</event>'
    ]


# Step 5: flows.


def test_flows_come_by_directory_with_the_description_first() -> None:
    files = {
        "model/a/yg-node.yaml": NODE,
        "flows/b/yg-flow.yaml": "name: First by name\nnodes: [a]\n",
        "flows/b/.hidden.md": "H\n",
        "flows/b/below/x.md": "X\n",
        "flows/b/alpha.md": "A\n",
        "flows/b/description.md": "D\n",
        "flows/b/Zulu.md": "Z\n",
        "flows/B/yg-flow.yaml": "name: Zuletzt\nnodes: [a]\n",
        "flows/other/yg-flow.yaml": "name: Other\nnodes: [b]\n",
    }
    assert blocks_of(files, "a", "flow") == [
        '<flow name="Zuletzt">\n</flow>',
        (
            '<flow name="First by name">\n'
            "### description.md\nD\n"
            "### Zulu.md\nZ\n"
            "### alpha.md\nA\n"
            "</flow>"
        ),
    ]


@pytest.mark.parametrize("listed", [".", "a", "a/b"])
def test_a_flow_reaches_those_it_lists_and_all_below_them(listed: str) -> None:
    files = {
        "model/yg-node.yaml": NODE,
        "model/a/yg-node.yaml": NODE,
        "model/a/b/yg-node.yaml": NODE,
        "flows/f/yg-flow.yaml": f"name: F\nnodes: [{listed}]\n",
    }
    assert blocks_of(files, "a/b", "flow") == ['<flow name="F">\n</flow>']


def test_a_flow_that_lists_a_node_twice_or_with_its_parent_appears_once() -> None:
    files = {
        "model/a/yg-node.yaml": NODE,
        "model/a/b/yg-node.yaml": NODE,
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a/b, a, a/b]\n",
    }
    assert blocks_of(files, "a/b", "flow") == ['<flow name="F">\n</flow>']


@pytest.mark.parametrize("path", ["a", "ab", "c"])
def test_a_flow_does_not_reach_parents_or_neighbours(path: str) -> None:
    files = {
        "model/a/yg-node.yaml": NODE,
        "model/a/b/yg-node.yaml": NODE,
        "model/ab/yg-node.yaml": NODE,
        "model/c/yg-node.yaml": NODE,
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a/b]\n",
    }
    assert blocks_of(files, path, "flow") == []


# Attributes.


def test_attribute_values_are_escaped_as_in_xml_and_content_is_not() -> None:
    name = "a<b> & \"c\" 'd'\te\r\nf"
    quoted = json.dumps(name)
    files = {
        "model/a/yg-node.yaml": f"name: {quoted}\ntype: service\naspects: [{{aspect: x}}]\n",
        "aspects/x/yg-aspect.yaml": f"name: {quoted}\n",
        "flows/f/yg-flow.yaml": f"name: {quoted}\nnodes: [a]\n",
    }
    escaped = "a&lt;b&gt; &amp; &quot;c&quot; 'd'\te&#13;&#10;f"
    package = (
        f'<context-package node-path="a" node-name="{escaped}" token-count="28">\n\n'
        "<global>\n**Project:** test\n</global>\n\n"
        '<own-artifacts aspects="x">\n### yg-node.yaml\n'
        f"name: {quoted}\ntype: service\naspects: [{{aspect: x}}]\n</own-artifacts>\n\n"
        f'<aspect name="{escaped}" id="x">\n</aspect>\n\n'
        f'<flow name="{escaped}">\n</flow>\n\n'
        "</context-package>\nBudget status: ok\n"
    )
    assert text_of(files, "a") == package


# Tokens and the budget.


def budgeted(warning: int, error: int, text: str) -> dict[str, str]:
    quality = f"quality: {{context_budget: {{warning: {warning}, error: {error}}}}}\n"
    return {
        "yg-config.yaml": CONFIG + quality,
        "model/a/yg-node.yaml": NODE,
        "model/a/responsibility.md": text,
    }


# "**Project:** test", a blank line, "### yg-node.yaml", "name: N", "type: service" and
# "### responsibility.md" with their line breaks are 80 characters before the artifact's text.
@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 20), ("x", 21), ("xxxx", 21), ("xxxxx", 22), ("äöü😀", 21), ("x\r\n\r\n", 21)],
)
def test_four_code_points_are_a_token_rounded_up(text: str, tokens: int) -> None:
    assert package_of(budgeted(10_000, 20_000, text), "a").tokens == tokens


@pytest.mark.parametrize(
    ("warning", "error", "status"),
    [
        (21, 21, "ok"),
        (20, 21, "warning"),
        (20, 20, "error"),
        (0, 20, "error"),
        (0, 21, "warning"),
    ],
)
def test_only_more_than_a_threshold_is_a_warning_or_an_error(
    warning: int, error: int, status: str
) -> None:
    assert text_of(budgeted(warning, error, "xxxx"), "a").splitlines()[-1] == (
        f"Budget status: {status}"
    )


def test_a_mapping_counts_nothing_but_the_line_that_declares_it() -> None:
    line = "mapping: {paths: [x]}\n"
    mapped = package_of({"model/a/yg-node.yaml": NODE + line}, "a")
    alone = package_of({"model/a/yg-node.yaml": NODE}, "a")
    assert mapped.characters - alone.characters == len(line)


def test_an_empty_block_counts_the_blank_line_that_joins_it() -> None:
    below = {"model/a/b/yg-node.yaml": NODE}
    alone = package_of(below, "a/b")
    with_parent = package_of({**below, "model/a/yg-node.yaml": NODE}, "a/b")
    assert with_parent.characters - alone.characters == 2


# Which files decided, and why.


def test_the_files_that_decided_are_those_of_layers_one_to_five() -> None:
    assert package_of(SHOP, "orders/service").source_files == (
        ".yggdrasil/aspects/audit/content.md",
        ".yggdrasil/aspects/audit/yg-aspect.yaml",
        ".yggdrasil/aspects/logging/content.md",
        ".yggdrasil/aspects/logging/yg-aspect.yaml",
        ".yggdrasil/aspects/saga/yg-aspect.yaml",
        ".yggdrasil/flows/checkout/description.md",
        ".yggdrasil/flows/checkout/yg-flow.yaml",
        ".yggdrasil/model/internals.md",
        ".yggdrasil/model/orders/responsibility.md",
        ".yggdrasil/model/orders/service/interface.md",
        ".yggdrasil/model/orders/service/responsibility.md",
        ".yggdrasil/model/orders/service/yg-node.yaml",
        ".yggdrasil/model/orders/yg-node.yaml",
        ".yggdrasil/model/payments/interface.md",
        ".yggdrasil/model/payments/responsibility.md",
        ".yggdrasil/model/yg-node.yaml",
    )


def test_the_artifacts_shown_for_want_of_others_decide_too() -> None:
    files = {
        "model/a/yg-node.yaml": NODE + "relations: [{target: t, type: uses}]\n",
        "model/t/yg-node.yaml": NODE,
        "model/t/internals.md": "H\n",
    }
    assert package_of(files, "a").source_files == (
        ".yggdrasil/model/a/yg-node.yaml",
        ".yggdrasil/model/t/internals.md",
    )


def test_a_file_that_decides_in_two_ways_is_named_once() -> None:
    files = relating("{target: t, type: uses}", "{target: t, type: calls}")
    assert package_of(files, "a").source_files == (
        ".yggdrasil/model/a/yg-node.yaml",
        ".yggdrasil/model/t/interface.md",
        ".yggdrasil/model/t/responsibility.md",
    )


def test_every_block_knows_the_declarations_that_brought_it_in() -> None:
    files = {
        **SHOP,
        "flows/checkout/yg-flow.yaml": (
            "name: Checkout\nnodes: [orders/service, orders]\naspects: [saga, audit]\n"
        ),
    }
    blocks = package_of(files, "orders/service").parts
    assert [(block.kind.value, block.subject, block.reasons) for block in blocks] == [
        ("global", "test", ("configuration",)),
        ("hierarchy", ".", ("hierarchy from .",)),
        ("hierarchy", "orders", ("hierarchy from orders",)),
        ("own-artifacts", "orders/service", ("own",)),
        ("materialization-target", "orders/service", ("own",)),
        ("aspect", "logging", ("hierarchy from .", "implied by audit")),
        ("aspect", "audit", ("own", "flow checkout")),
        ("aspect", "saga", ("flow checkout",)),
        ("dependency", "payments", ("relation calls payments",)),
        ("event", "mail", ("relation emits mail",)),
        ("flow", "checkout", ("hierarchy from orders", "own")),
    ]


# What holds for every graph.


@settings(CALM, max_examples=20)
@given(st.permutations(sorted(SHOP.items())))
def test_the_order_of_files_never_shows(files: list[tuple[str, str]]) -> None:
    assert text_of(dict(files), "orders/service") == SHOP_PACKAGE


def texts_of(files: Files) -> dict[str, str]:
    """Return the package of every node."""
    graph = graph_from(files)
    return {node.path: package_text(assemble(graph, node)) for node in graph.nodes}


@CALM
@given(graphs())
def test_every_node_has_a_package_whose_token_count_is_that_of_its_text(
    files: dict[str, str],
) -> None:
    graph = graph_from(files)
    for node in graph.nodes:
        package = assemble(graph, node)
        assert package.tokens == tokens_written(package_text(package))


ORDER = (
    "global",
    "hierarchy",
    "own-artifacts",
    "materialization-target",
    "aspect",
    "dependency",
    "event",
    "flow",
)


@settings(CALM, max_examples=20)
@given(graphs())
def test_the_blocks_of_a_package_keep_the_order_of_the_steps(files: dict[str, str]) -> None:
    graph = graph_from(files)
    for node in graph.nodes:
        kinds = [block.kind.value for block in assemble(graph, node).parts]
        assert kinds == sorted(kinds, key=ORDER.index)


@settings(CALM, max_examples=25)
@given(graphs(), st.data())
def test_the_order_of_files_shows_in_no_graph(files: dict[str, str], data: st.DataObject) -> None:
    shuffled = dict(data.draw(st.permutations(list(files.items()))))
    assert texts_of(shuffled) == texts_of(files)


@settings(CALM, max_examples=20)
@given(graphs())
def test_packages_put_together_side_by_side_are_as_each_alone(files: dict[str, str]) -> None:
    graph = graph_from(files)
    assembler = Assembler(graph)
    together = {node.path: package_text(assembler.package(node)) for node in graph.nodes}
    assert together == texts_of(files)
