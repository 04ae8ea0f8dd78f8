"""Packages: which blocks a node has, in which order, their size, and the files behind them."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import CONFIG, NODE, Content, graph_from, package_from
from yg.kernel.errors import UnreadableError
from yg.yggdrasil.package import Assembler, Block, BlockKind, Package, tokens_of
from yg.yggdrasil.render import block_text
from yg.yggdrasil.texts import TextFacts

Files = Mapping[str, Content]

USE = "name: N\ntype: service\naspects: [{{aspect: {}}}]\n"
PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\xff" * 11_200


def blocks_of(files: Files, path: str, kind: str) -> list[str]:
    """Return the blocks of one kind as they are written."""
    return [block_text(block) for block in package_from(files, path).blocks if block.kind == kind]


def subjects(files: Files, path: str) -> list[str]:
    return [f"{block.kind} {block.subject}" for block in package_from(files, path).blocks]


def opening(files: Files, path: str, kind: str) -> str:
    """Return the opening tag of the only block of a kind."""
    (block,) = blocks_of(files, path, kind)
    return block.partition("\n")[0]


# Blocks and their order.


SHOP = {
    "model/yg-node.yaml": USE.format("x"),
    "model/a/yg-node.yaml": "name: A\ntype: module\n",
    "model/a/b/yg-node.yaml": f"""\
{NODE}aspects: [{{aspect: z}}]
relations:
  - {{target: t, type: listens}}
  - {{target: t, type: uses}}
  - {{target: u, type: emits}}
  - {{target: u, type: calls}}
mapping: {{paths: [./src//b/, "b, c"]}}
""",
    "model/t/yg-node.yaml": NODE,
    "model/t/interface.md": "T\n",
    "model/u/yg-node.yaml": NODE,
    "aspects/x/yg-aspect.yaml": "name: X\nimplies: [y]\n",
    "aspects/y/yg-aspect.yaml": "name: Y\n",
    "aspects/y/text.md": "Y\n",
    "aspects/z/yg-aspect.yaml": "name: Z\nimplies: [y]\n",
    "aspects/v/yg-aspect.yaml": "name: V\n",
    "flows/2/yg-flow.yaml": "name: A\nnodes: [a/b]\naspects: [v]\n",
    "flows/1/yg-flow.yaml": "name: B\nnodes: [., a]\naspects: [z]\n",
    "flows/1/text.md": "1\n",
    "flows/other/yg-flow.yaml": "name: C\nnodes: [t]\n",
}


def test_a_package_has_its_blocks_in_order_each_with_its_reasons() -> None:
    package = package_from(SHOP, "a/b")
    assert [(block.kind, block.subject, block.reasons) for block in package.blocks] == [
        ("global", "test", ("configuration",)),
        ("hierarchy", ".", ("hierarchy from .",)),
        ("hierarchy", "a", ("hierarchy from a",)),
        ("own-artifacts", "a/b", ("own",)),
        ("materialization-target", "a/b", ("own",)),
        ("aspect", "x", ("hierarchy from .",)),
        ("aspect", "y", ("implied by x", "implied by z")),
        ("aspect", "z", ("own", "flow 1")),
        ("aspect", "v", ("flow 2",)),
        ("dependency", "t", ("relation uses t",)),
        ("dependency", "u", ("relation calls u",)),
        ("event", "t", ("relation listens t",)),
        ("event", "u", ("relation emits u",)),
        ("flow", "1", ("hierarchy from .", "hierarchy from a")),
        ("flow", "2", ("own",)),
    ]


def test_a_package_knows_the_files_that_decided_it() -> None:
    paths = (
        *("aspects/v/yg-aspect.yaml", "aspects/x/yg-aspect.yaml"),
        *("aspects/y/text.md", "aspects/y/yg-aspect.yaml", "aspects/z/yg-aspect.yaml"),
        *("flows/1/text.md", "flows/1/yg-flow.yaml", "flows/2/yg-flow.yaml"),
        *("model/a/b/yg-node.yaml", "model/a/yg-node.yaml"),
        *("model/t/interface.md", "model/yg-node.yaml"),
    )
    assert package_from(SHOP, "a/b").files == tuple(f".yggdrasil/{path}" for path in paths)


def test_the_root_node_is_named_by_a_dot() -> None:
    files = {"model/yg-node.yaml": NODE, "model/a/yg-node.yaml": NODE}
    assert subjects(files, ".") == ["global test", "own-artifacts ."]
    assert opening(files, "a", "hierarchy") == '<hierarchy path="./">'


def test_a_mapped_node_names_its_target_as_written_unless_it_is_a_blackbox() -> None:
    mapping = 'mapping: {paths: [./src//a/, "b, c"]}\n'
    files = {"model/a/yg-node.yaml": NODE + mapping, "model/b/yg-node.yaml": NODE}
    assert blocks_of(files, "a", "materialization-target") == [
        '<materialization-target paths="./src//a/, b, c"/>'
    ]
    assert blocks_of(files, "b", "materialization-target") == []
    black = {"model/a/yg-node.yaml": f"{NODE}blackbox: true\n{mapping}"}
    assert blocks_of(black, "a", "materialization-target") == []


# Hierarchy.


def test_a_description_stands_at_the_beginning_of_a_block() -> None:
    files = {
        "model/a/yg-node.yaml": 'name: A\ntype: module\ndescription: "About\\n  A"\n',
        "model/a/b/yg-node.yaml": f"{NODE}relations: [{{target: t, type: uses, consumes: [x]}}]\n",
        "model/t/yg-node.yaml": f"{NODE}description: About T\n",
        "model/t/interface.md": "T.\n",
        "flows/f/yg-flow.yaml": "name: F\ndescription: About F\nnodes: [a]\n",
        "flows/f/description.md": "F.\n",
        "flows/g/yg-flow.yaml": "name: G\ndescription: About G\nnodes: [a]\n",
    }
    written = [block_text(block) for block in package_from(files, "a/b").blocks]
    assert [block for block in written if "Description" in block] == [
        '<hierarchy path="a/">\nDescription: About A\n</hierarchy>',
        (
            '<dependency target="t" type="uses" consumes="x">\n'
            "Description: About T\n\nConsumes: x\n\n### interface.md\nT.\n</dependency>"
        ),
        '<flow name="F">\nDescription: About F\n\n### description.md\nF.\n</flow>',
        '<flow name="G">\nDescription: About G\n</flow>',
    ]
    described = [line for line in written[2].split("\n") if line.startswith("Description")]
    assert described == []  # its own is in its declaration


# Aspects.


def test_a_binary_file_is_named_and_left_out() -> None:
    files: Files = {
        "model/a/yg-node.yaml": USE.format("x"),
        "aspects/x/yg-aspect.yaml": "name: X\n",
        "aspects/x/diagram.png": PICTURE,
        "aspects/x/rule.md": "Rule.\n",
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\n",
        "flows/f/tiny.bin": b"\0",
    }
    assert [*blocks_of(files, "a", "aspect"), *blocks_of(files, "a", "flow")] == [
        (
            '<aspect name="X" id="x">\n'
            "### diagram.png (binary, 12 kB, left out)\n### rule.md\nRule.\n</aspect>"
        ),
        '<flow name="F">\n### tiny.bin (binary, 1 kB, left out)\n</flow>',
    ]


def test_exceptions_follow_the_stability_tier_the_own_ones_first() -> None:
    files = {
        "model/yg-node.yaml": "name: R\ntype: module\naspects: [{aspect: x, exceptions: [Root]}]\n",
        "model/a/yg-node.yaml": "name: A\ntype: module\naspects: [{aspect: x, exceptions: [Up]}]\n",
        "model/a/b/yg-node.yaml": NODE
        + 'aspects: [{aspect: x, exceptions: [One, "Two\\n  lines"]}, {aspect: y}]\n',
        "aspects/x/yg-aspect.yaml": "name: X\nstability: protocol\nimplies: [y]\n",
        "aspects/x/text.md": "No line break",
        "aspects/y/yg-aspect.yaml": "name: Y\n",
    }
    assert blocks_of(files, "a/b", "aspect") == [
        (
            '<aspect name="X" id="x">\n'
            "### text.md\nNo line break\n"
            "**Stability tier:** protocol\n"
            "**Exception for this node:** One\n"
            "**Exception for this node:** Two lines\n"
            "**Exception from .:** Root\n"
            "**Exception from a:** Up\n"
            "</aspect>"
        ),
        '<aspect name="Y" id="y">\n</aspect>',
    ]


# Relations.

OFFERED = "### responsibility.md\nR\n### interface.md\nI\n"


def relating(*relations: str) -> dict[str, str]:
    lines = "".join(f"  - {{target: t, {relation}}}\n" for relation in relations)
    return {
        "model/a/yg-node.yaml": f"{NODE}relations:\n{lines}",
        "model/t/yg-node.yaml": "name: T & Sons\ntype: service\n",
        "model/t/interface.md": "I\n",
        "model/t/internals.md": "H\n",
        "model/t/responsibility.md": "R\n",
    }


@pytest.mark.parametrize(
    ("relation", "attributes", "lines"),
    [
        ("type: uses", 'type="uses"', ""),
        ("type: calls, consumes: []", 'type="calls"', ""),
        ("type: extends, consumes: [go]", 'type="extends" consumes="go"', "Consumes: go\n\n"),
        (
            "type: implements, failure: give up",
            'type="implements" failure="give up"',
            "On failure: give up\n\n",
        ),
        (
            'type: calls, consumes: [a, "b, c"], failure: "x\\n <y> & \\"z\\"\\n"',
            'type="calls" consumes="a, b, c" failure="x&#10; &lt;y&gt; &amp; &quot;z&quot;&#10;"',
            'Consumes: a, b, c\nOn failure: x <y> & "z"\n\n',
        ),
    ],
)
def test_a_dependency_is_its_annotations_a_blank_line_and_what_the_target_offers(
    relation: str, attributes: str, lines: str
) -> None:
    assert blocks_of(relating(relation), "a", "dependency") == [
        f'<dependency target="t" {attributes}>\n{lines}{OFFERED}</dependency>'
    ]


@pytest.mark.parametrize("target", ["a", "."])
@pytest.mark.parametrize(
    ("keys", "attributes", "lines"),
    [
        ("", "", ""),
        (", consumes: [x, y]", ' consumes="x, y"', "Consumes: x, y\n"),
        (", failure: stop", ' failure="stop"', "On failure: stop\n"),
    ],
)
def test_a_relation_to_an_ancestor_adds_no_block_but_its_lines(
    target: str, keys: str, attributes: str, lines: str
) -> None:
    files = {
        "model/yg-node.yaml": f"{NODE}description: Root\n",
        "model/a/yg-node.yaml": f"{NODE}description: Above\n",
        "model/a/responsibility.md": "Above.\n",
        "model/a/b/yg-node.yaml": f"{NODE}relations: [{{target: {target}, type: uses{keys}}}]\n",
    }
    block = f'<dependency target="{target}" type="uses"{attributes}>\n{lines}</dependency>'
    assert blocks_of(files, "a/b", "dependency") == ([block] if lines else [])


@pytest.mark.parametrize(
    ("relation", "attributes", "lines"),
    [
        (
            "type: emits, event_name: Paid",
            'type="emits" event-name="Paid"',
            "Target: t\nYou publish Paid.\n",
        ),
        (
            "type: listens, event_name: Paid, consumes: [id, sum]",
            'type="listens" event-name="Paid" consumes="id, sum"',
            "Source: t\nYou listen for Paid.\nConsumes: id, sum\n",
        ),
        (
            "type: emits",
            'type="emits" event-name="T &amp; Sons"',
            "Target: t\nYou publish T & Sons.\n",
        ),
        (
            'type: listens, event_name: "A\\nB", consumes: ["x\\ny"]',
            'type="listens" event-name="A&#10;B" consumes="x&#10;y"',
            "Source: t\nYou listen for A B.\nConsumes: x y\n",
        ),
    ],
)
def test_an_event_says_who_and_what_and_is_named_after_its_target_by_default(
    relation: str, attributes: str, lines: str
) -> None:
    expected = f'<event target="t" {attributes}>\n{lines}</event>'
    assert blocks_of(relating(relation), "a", "event") == [expected]


def test_an_event_of_an_ancestor_is_reported_like_any_other() -> None:
    files = {
        "model/a/yg-node.yaml": NODE,
        "model/a/b/yg-node.yaml": f"{NODE}relations: [{{target: a, type: emits}}]\n",
    }
    assert opening(files, "a/b", "event") == '<event target="a" type="emits" event-name="N">'


# Flows.


def test_a_flow_has_its_description_first_and_then_its_files_by_name() -> None:
    files = {
        "model/a/yg-node.yaml": NODE,
        "flows/b/yg-flow.yaml": "name: B\nnodes: [a]\n",
        **{f"flows/b/{name}.md": "x\n" for name in ("alpha", "description", "Zulu", ".hidden")},
        "flows/b/below/x.md": "X\n",
    }
    expected = "### description.md\nx\n### Zulu.md\nx\n### alpha.md\nx\n"
    assert blocks_of(files, "a", "flow") == [f'<flow name="B">\n{expected}</flow>']


# Sizes.


def written(package: Package) -> str:
    """Return the contents of the blocks, as they are written, joined as the token count says."""
    pattern = re.compile(r"<([a-z-]+)[^>]*>\n((?s:.*))</\1>")
    found = (pattern.fullmatch(block_text(block)) for block in package.blocks)
    return "\n\n".join(re.sub(r"\r?\n\Z", "", match[2]) for match in found if match)


TEXTS = st.text("ab \n\x85é\U0001f600", max_size=9) | st.sampled_from(
    ["a\r\n", "\r\n\r\n", "a\r\nb"]
)


@given(st.lists(TEXTS, min_size=5, max_size=5), st.sampled_from(["", ", consumes: [x]"]))
def test_the_size_is_that_of_the_written_contents(texts: list[str], keys: str) -> None:
    own, above, target, aspect, flow = texts
    files: Files = {
        "model/a/yg-node.yaml": NODE,
        "model/a/responsibility.md": above,
        "model/a/b/yg-node.yaml": USE.format("x")
        + f"relations: [{{target: t, type: uses{keys}}}, {{target: t, type: emits}}]\n"
        + "mapping: {paths: [src]}\n",
        "model/a/b/interface.md": own,
        "model/t/yg-node.yaml": NODE,
        "model/t/interface.md": target,
        "aspects/x/yg-aspect.yaml": "name: X\n" + "stability: schema\n" * bool(keys),
        "aspects/x/text.md": aspect,
        "aspects/x/picture.png": b"\0",
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\n",
        "flows/f/text.md": flow,
    }
    package = package_from(files, "a/b")
    assert package.characters == len(written(package))
    assert package.tokens == -(-len(written(package)) // 4)


@pytest.mark.parametrize(("characters", "tokens"), [(0, 0), (1, 1), (4, 1), (5, 2), (8, 2)])
def test_four_characters_are_a_token_rounded_up(characters: int, tokens: int) -> None:
    assert tokens_of(characters) == tokens


# "**Project:** test", a blank line, "### yg-node.yaml", "name: N", "type: service" and
# "### responsibility.md" with their line breaks are 80 characters before the artifact's text.
@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 20), ("x", 21), ("xxxx", 21), ("xxxxx", 22), ("äöü😀", 21), ("x\r\n\r\n", 21)],
)
def test_a_package_is_counted_by_code_points(text: str, tokens: int) -> None:
    files = {"model/a/yg-node.yaml": NODE, "model/a/responsibility.md": text}
    assert package_from(files, "a").tokens == tokens


@pytest.mark.parametrize(
    ("warning", "error", "status"),
    [
        (15, 15, "ok"),
        (14, 15, "warning"),
        (14, 14, "error"),
        (0, 14, "error"),
        (0, 15, "warning"),
    ],
)
def test_only_more_than_a_threshold_is_a_warning_or_an_error(
    warning: int, error: int, status: str
) -> None:
    budget = f"quality: {{context_budget: {{warning: {warning}, error: {error}}}}}\n"
    files = {"yg-config.yaml": CONFIG + budget, "model/a/yg-node.yaml": NODE}
    assert package_from(files, "a").budget.status == status
    black = {**files, "model/a/yg-node.yaml": f"{NODE}blackbox: true\n"}
    assert package_from(black, "a").budget.status == "ok"


def test_a_document_knows_its_length_with_its_heading() -> None:
    files = {"model/a/yg-node.yaml": NODE, "model/a/responsibility.md": "ä\r\n\r\n"}
    (block,) = [block for block in package_from(files, "a").blocks if block.kind == "own-artifacts"]
    assert [(part.name, part.characters, part.tokens) for part in block.documents] == [
        ("yg-node.yaml", len(f"### yg-node.yaml\n{NODE}"), 10),
        ("responsibility.md", len("### responsibility.md\nä\r\n"), 7),
    ]
    assert (block.characters, block.tokens) == (62, 16)


def test_a_text_that_cannot_be_read_stops_the_assembly() -> None:
    graph = graph_from({"model/a/yg-node.yaml": NODE})
    assembler = Assembler(graph, lambda _: TextFacts(fault="permission denied"))
    with pytest.raises(UnreadableError, match=r"cannot read '.*/yg-node\.yaml': permission denied"):
        assembler.package(graph.nodes["a"])


# Blocks that several packages share.


def test_blocks_are_the_same_if_they_are_written_alike() -> None:
    files = {
        "model/p/yg-node.yaml": NODE,
        "model/p/responsibility.md": "P\n",
        **{f"model/p/{name}/yg-node.yaml": USE.format("x") for name in "ab"},
        "model/p/c/yg-node.yaml": f"{NODE}aspects: [{{aspect: x, exceptions: [No]}}]\n",
        "aspects/x/yg-aspect.yaml": "name: X\n",
    }
    a, b, c = (
        {block.kind: block for block in package_from(files, f"p/{name}").blocks} for name in "abc"
    )

    def same(one: dict[BlockKind, Block], two: dict[BlockKind, Block]) -> list[BlockKind]:
        return [kind for kind, block in one.items() if block.identity == two[kind].identity]

    assert same(a, b) == ["global", "hierarchy", "aspect"]
    assert same(a, c) == ["global", "hierarchy"]
