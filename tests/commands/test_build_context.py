"""A package as tagged text, as data, and as a table of reasons."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import REPOSITORY, SHOP_ROOT, json_of, run_shop
from yg.commands.build_context import COMMAND, ask, for_node
from yg.commands.build_context.context import DIGEST, WHY
from yg.commands.build_context.package import package_document, package_reasons, package_text
from yg.commands.command import Run
from yg.kernel.package import Budget, Document
from yg.kernel.snapshot import Text
from yg.workspace.opening import open_workspace
from yg.yggdrasil.block_kind import BlockKind
from yg.yggdrasil.package.blocks import Block, ContextPackage, PackageNode

ORDER = "orders/order-service"


def document(path: str, text: str) -> Document:
    return Document(path.rpartition("/")[2], Text(path, lambda _: text.encode()))


BUDGET = Budget(warning=100, error=200)


def package(*blocks: Block, name: str = "N", budget: Budget = BUDGET) -> ContextPackage:
    return ContextPackage(nodes=(PackageNode("a/b", name, "service"),), parts=blocks, budget=budget)


PROJECT = Block(
    kind=BlockKind.GLOBAL,
    subject="shop",
    opening=("**Project:** shop",),
    reasons=("configuration",),
)
OWN = Block(
    kind=BlockKind.OWN,
    subject="a/b",
    documents=(document("model/a/b/yg-node.yaml", "name: N\n"), document("model/a/b/x.md", "")),
    source_files=("model/a/b/yg-node.yaml", "model/a/b/x.md"),
    reasons=("own",),
)
TARGET = Block(
    kind=BlockKind.TARGET,
    subject="a/b",
    attributes=(("paths", "src, lib"),),
    reasons=("own",),
)
ASPECT = Block(
    kind=BlockKind.ASPECT,
    subject="x",
    attributes=(("name", "X"), ("id", "x")),
    documents=(document("aspects/x/c.md", "One\r\nTwo\r\n\r\n"),),
    closing=("**Stability tier:** schema",),
    source_files=("aspects/x/yg-aspect.yaml", "aspects/x/c.md"),
    reasons=("hierarchy from a", "implied by y"),
)
DEPENDENCY = Block(
    kind=BlockKind.DEPENDENCY,
    subject="t",
    attributes=(("target", "t"), ("type", "uses"), ("consumes", "go")),
    opening=("Consumes: go",),
    documents=(document("model/t/x.md", "T"),),
    source_files=("model/t/x.md",),
    reasons=("relation uses t",),
)
EVENT = Block(
    kind=BlockKind.EVENT,
    subject="t",
    attributes=(("target", "t"),),
    opening=("Target: t", "You publish E."),
    reasons=("relation emits t",),
)
EMPTY = Block(
    kind=BlockKind.FLOW,
    subject="f",
    attributes=(("name", "F"),),
    source_files=("flows/f/yg-flow.yaml",),
    reasons=("own",),
)
EVERYTHING = package(PROJECT, OWN, TARGET, ASPECT, DEPENDENCY, EVENT, EMPTY)

# The contents, without their last line breaks and joined by blank lines, are
# 17 + 2 + 33 + 2 + 45 + 2 + 24 + 2 + 24 + 2 + 0 = 153 characters, that is 39 tokens.


def test_a_package_is_tags_with_content_between_them() -> None:
    assert package_text(EVERYTHING) == (
        '<context-package node-path="a/b" node-name="N" token-count="39">\n'
        "\n"
        "<global>\n"
        "**Project:** shop\n"
        "</global>\n"
        "\n"
        "<own-artifacts>\n"
        "### yg-node.yaml\n"
        "name: N\n"
        "### x.md\n"
        "</own-artifacts>\n"
        "\n"
        '<materialization-target paths="src, lib"/>\n'
        "\n"
        '<aspect name="X" id="x">\n'
        "### c.md\n"
        "One\r\n"
        "Two\r\n"
        "**Stability tier:** schema\n"
        "</aspect>\n"
        "\n"
        '<dependency target="t" type="uses" consumes="go">\n'
        "Consumes: go\n"
        "\n"
        "### x.md\n"
        "T\n"
        "</dependency>\n"
        "\n"
        '<event target="t">\n'
        "Target: t\n"
        "You publish E.\n"
        "</event>\n"
        "\n"
        '<flow name="F">\n'
        "</flow>\n"
        "\n"
        "</context-package>\n"
        "Budget status: ok\n"
    )


@pytest.mark.parametrize(
    ("budget", "status"),
    [
        (Budget(39, 39), "ok"),
        (Budget(38, 39), "warning"),
        (Budget(38, 38), "error"),
        (Budget(0, 0), "error"),
    ],
)
def test_the_last_line_is_the_verdict_of_the_budget(budget: Budget, status: str) -> None:
    text = package_text(package(*EVERYTHING.parts, budget=budget))
    assert text.endswith(f"\n</context-package>\nBudget status: {status}\n")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("a & b", "a &amp; b"),
        ("<i>", "&lt;i&gt;"),
        ('"q"', "&quot;q&quot;"),
        ("a\nb", "a&#10;b"),
        ("a\r\nb", "a&#13;&#10;b"),
        ("&lt;", "&amp;lt;"),
        ("it's ä 😀", "it's ä 😀"),
        ("a/b, c", "a/b, c"),
    ],
)
def test_attribute_values_are_escaped_as_in_xml(value: str, written: str) -> None:
    block = Block(kind=BlockKind.FLOW, subject="f", attributes=(("name", value),))
    assert package_text(package(block, name=value)) == (
        f'<context-package node-path="a/b" node-name="{written}" token-count="0">\n'
        "\n"
        f'<flow name="{written}">\n'
        "</flow>\n"
        "\n"
        "</context-package>\n"
        "Budget status: ok\n"
    )


@given(st.text())
def test_an_attribute_is_on_one_line_and_can_be_read_back(value: str) -> None:
    block = Block(kind=BlockKind.TARGET, subject="f", attributes=(("paths", value),))
    line = package_text(package(block)).split("\n")[2]
    written = re.fullmatch(r'<materialization-target paths="([^<>"\r\n]*)"/>', line)
    assert written is not None
    # Undo only the escapes of the writer; unescape() would also change invalid HTML characters.
    read_back = re.sub(r"&#(\d+);", lambda match: chr(int(match[1])), written[1])
    assert re.sub(r"&(amp|lt|gt|quot);", lambda match: unescape(match[0]), read_back) == value


def test_content_is_raw() -> None:
    text = 'a & b <i>"q"</i>\n</own-artifacts>\n&amp;\x01\n'
    block = Block(kind=BlockKind.OWN, subject="a/b", documents=(document("m/x.md", text),))
    assert package_text(package(block)).split("\n\n")[1] == (
        f"<own-artifacts>\n### x.md\n{text}</own-artifacts>"
    )


def test_data_has_every_block_with_its_documents_and_reasons() -> None:
    assert json_of(package_document(package(OWN, TARGET, ASPECT, budget=Budget(20, 30)))) == {
        "schema": "yg-build-context/1",
        "node": {"path": "a/b", "name": "N", "type": "service"},
        "tokens": 20,
        "characters": 80,
        "budget": {"status": "ok", "warning": 20, "error": 30},
        "blocks": [
            {
                "kind": "own-artifacts",
                "subject": "a/b",
                "attributes": {},
                "opening": [],
                "documents": [
                    {
                        "name": "yg-node.yaml",
                        "path": "model/a/b/yg-node.yaml",
                        "binary": False,
                        "text": "name: N\n",
                        "characters": 8,
                        "tokens": 2,
                    },
                    {
                        "name": "x.md",
                        "path": "model/a/b/x.md",
                        "binary": False,
                        "text": "",
                        "characters": 0,
                        "tokens": 0,
                    },
                ],
                "closing": [],
                "characters": 33,
                "tokens": 9,
                "because": ["own"],
                "files": ["model/a/b/yg-node.yaml", "model/a/b/x.md"],
            },
            {
                "kind": "materialization-target",
                "subject": "a/b",
                "attributes": {"paths": "src, lib"},
                "opening": [],
                "documents": [],
                "closing": [],
                "characters": 0,
                "tokens": 0,
                "because": ["own"],
                "files": [],
            },
            {
                "kind": "aspect",
                "subject": "x",
                "attributes": {"name": "X", "id": "x"},
                "opening": [],
                "documents": [
                    {
                        "name": "c.md",
                        "path": "aspects/x/c.md",
                        "binary": False,
                        "text": "One\r\nTwo\r\n\r\n",
                        "characters": 12,
                        "tokens": 3,
                    }
                ],
                "closing": ["**Stability tier:** schema"],
                "characters": 45,
                "tokens": 12,
                "because": ["hierarchy from a", "implied by y"],
                "files": ["aspects/x/yg-aspect.yaml", "aspects/x/c.md"],
            },
        ],
        "files": [
            "aspects/x/c.md",
            "aspects/x/yg-aspect.yaml",
            "model/a/b/x.md",
            "model/a/b/yg-node.yaml",
        ],
    }


def test_reasons_are_a_table_of_block_tokens_share_and_because() -> None:
    assert (
        package_reasons(EVERYTHING)
        == """\
block                       tokens   share  because
global shop                      5   11.1%  configuration
own-artifacts a/b                9   21.6%  own
materialization-target a/b       0    0.0%  own
aspect x                        12   29.4%  hierarchy from a, implied by y
dependency t                     6   15.7%  relation uses t
event t                          6   15.7%  relation emits t
flow f                           0    0.0%  own
total                           39  100.0%  ok, warning above 100
"""
    )


def test_reasons_keep_each_block_on_its_line() -> None:
    block = Block(kind=BlockKind.FLOW, subject="a\nb\x1b[31m", reasons=("flow a\nb",))
    assert package_reasons(package(block)).splitlines()[1] == (
        r"flow a\nb\x1b[31m       0    0.0%  flow a\nb"
    )


def test_the_reasons_are_a_form_of_the_same_document() -> None:
    document = ask(Run(lambda _kind: open_workspace(str(SHOP_ROOT))), for_node(ORDER))
    assert COMMAND.written(document, WHY) == run_shop("build-context", ORDER, "--why").text
    assert COMMAND.written(document, DIGEST) == run_shop("build-context", ORDER, "--digest").text


def test_nodes_and_files_keep_the_order_of_the_command_line() -> None:
    file = "examples/shop/src/shop/orders/pricing.py"
    words = ("shared/money", "--file", str(REPOSITORY / file), "email-service", "--json")
    nodes = json.loads(run_shop("build-context", *words).text)["nodes"]
    assert [node["path"] for node in nodes] == ["shared/money", "orders/pricing", "email-service"]
