"""Packages as text between tags, as Markdown, and as a table of reasons."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from graphs import CONFIG, NODE, package_from
from yg.yggdrasil.package import BlockKind, Package
from yg.yggdrasil.render import block_text, package_markdown, package_text, reason_rows

SERVICE = """\
name: OrderService
type: service
aspects: [{aspect: audit, exceptions: [Batch import]}]
relations:
  - {target: payments, type: calls, consumes: [charge, refund], failure: retry 3x}
  - {target: mail, type: emits, event_name: OrderPlaced}
  - {target: orders, type: uses, consumes: [id]}
  - {target: payments, type: listens, consumes: [id]}
mapping: {paths: [src/orders.py, src/orders]}
"""
SHOP = {
    "model/yg-node.yaml": "name: Shop\ntype: module\n",
    "model/orders/yg-node.yaml": "name: Orders\ntype: module\ndescription: Orders live here\n",
    "model/orders/responsibility.md": "The life of an order.\n\n",
    "model/orders/internals.md": "Event sourcing.",
    "model/orders/service/yg-node.yaml": SERVICE,
    "model/orders/service/responsibility.md": "Takes orders.\n",
    "model/payments/yg-node.yaml": "name: Payments\ntype: service\n",
    "model/payments/responsibility.md": "Takes money.\n",
    "model/payments/interface.md": "charge, refund\n",
    "model/mail/yg-node.yaml": NODE,
    "aspects/audit/yg-aspect.yaml": "name: Audit\nstability: protocol\nimplies: [logging]\n",
    "aspects/audit/content.md": "Write it down.\n",
    "aspects/audit/more.png": "\0",
    "aspects/logging/yg-aspect.yaml": "name: Logging\n",
    "flows/checkout/yg-flow.yaml": "name: Checkout\nnodes: [orders]\n",
    "flows/checkout/description.md": "From cart to mail.\n",
    "flows/checkout/a-sequence.md": "1, 2, 3.\n",
}
TEXT = f"""\
<context-package node-path="orders/service" node-name="OrderService" token-count="251">

<global>
**Project:** test
</global>

<hierarchy path="./">
</hierarchy>

<hierarchy path="orders/">
Description: Orders live here

### responsibility.md
The life of an order.
### internals.md
Event sourcing.
</hierarchy>

<own-artifacts aspects="audit,logging">
### yg-node.yaml
{SERVICE}### responsibility.md
Takes orders.
</own-artifacts>

<materialization-target paths="src/orders.py, src/orders"/>

<aspect name="Audit" id="audit">
### content.md
Write it down.
### more.png (binary, 1 kB, left out)
**Stability tier:** protocol
**Exception for this node:** Batch import
</aspect>

<aspect name="Logging" id="logging">
</aspect>

<dependency target="payments" type="calls" consumes="charge, refund" failure="retry 3x">
Consumes: charge, refund
On failure: retry 3x

### responsibility.md
Takes money.
### interface.md
charge, refund
</dependency>

<dependency target="orders" type="uses" consumes="id">
Consumes: id
</dependency>

<event target="mail" type="emits" event-name="OrderPlaced">
Target: mail
You publish OrderPlaced.
</event>

<event target="payments" type="listens" event-name="Payments" consumes="id">
Source: payments
You listen for Payments.
Consumes: id
</event>

<flow name="Checkout">
### description.md
From cart to mail.
### a-sequence.md
1, 2, 3.
</flow>

</context-package>
Budget status: ok
"""
MARKDOWN = f"""\
# Context Package: OrderService
# Path: orders/service

---

## Global Context

**Project:** test

---

## Module Context (orders/)

Description: Orders live here

The life of an order.

Event sourcing.

---

## Node: OrderService

### yg-node.yaml
{SERVICE}
### responsibility.md
Takes orders.

---

## Materialization Target

**Mapping:** src/orders.py, src/orders

---

## Aspects

### Audit (aspect: audit)

Write it down.

### more.png (binary, 1 kB, left out)

**Stability tier:** protocol
**Exception for this node:** Batch import

### Logging (aspect: logging)

---

## Dependencies

### payments (calls)

Consumes: charge, refund
On failure: retry 3x

#### responsibility.md
Takes money.

#### interface.md
charge, refund

### orders (uses)

Consumes: id

### mail (emits)

Target: mail
You publish OrderPlaced.

### payments (listens)

Source: payments
You listen for Payments.
Consumes: id

---

## Flows

### Checkout

From cart to mail.

1, 2, 3.

---

Context size: 251 tokens (threshold 10000: ok)
"""


def own(text: str, name: str = "responsibility.md") -> Package:
    """Return the package of a node with one text and another one after it."""
    files = {"model/a/yg-node.yaml": NODE, f"model/a/{name}": text, "model/a/internals.md": "H.\n"}
    return package_from(files, "a")


def test_a_package_is_tags_with_content_between_them() -> None:
    assert package_text(package_from(SHOP, "orders/service")) == TEXT


def test_markdown_is_sections_under_headings_and_the_size() -> None:
    assert package_markdown(package_from(SHOP, "orders/service")) == MARKDOWN


def test_reasons_are_a_table_of_blocks() -> None:
    rows = list(reason_rows(package_from(SHOP, "orders/service")))
    assert [rows[0], rows[3], rows[6], rows[-1]] == [
        ("block", "tokens", "share", "because"),
        ("hierarchy orders", "27", "10.7%", "hierarchy from orders"),
        ("aspect audit", "35", "13.8%", "own"),
        ("total", "251", "100.0%", "ok, warning above 10000"),
    ]
    assert [row[0].split()[0] for row in rows[1:-1]] == re.findall(
        r"^<([a-bd-z][a-z-]+)", TEXT, re.MULTILINE
    )


# Documents.


@pytest.mark.parametrize(
    ("content", "written"),
    [
        pytest.param("text\n", "text\n", id="one line break"),
        pytest.param("text", "text\n", id="none"),
        pytest.param("text\n\n\n", "text\n", id="many"),
        pytest.param("\n\ntext\n", "\n\ntext\n", id="leading ones"),
        pytest.param("a\n\n\nb\n", "a\n\n\nb\n", id="inner ones"),
        pytest.param("a\r\nb\r\n\r\n", "a\r\nb\r\n", id="CRLF"),
        pytest.param("a\r\nb", "a\r\nb\n", id="no final CRLF"),
        pytest.param("a\r\nb\n", "a\r\nb\n", id="mixed"),
        pytest.param("text \t\n", "text \t\n", id="spaces before it"),
        pytest.param("  \n", "  \n", id="blanks alone"),
        pytest.param("", "", id="empty"),
        pytest.param("\n\n", "", id="line breaks alone"),
        pytest.param("\r\n\r\n", "", id="CRLF alone"),
        pytest.param("\ufefftext\n", "text\n", id="byte order mark"),
        pytest.param("a\x85b\u2028\n", "a\x85b\u2028\n", id="other line breaks"),
        pytest.param("\x01\x1b[0m\n", "\x01\x1b[0m\n", id="controls"),
        pytest.param("<a> & </own-artifacts>\n", "<a> & </own-artifacts>\n", id="raw"),
    ],
)
def test_a_document_ends_in_exactly_one_line_break_and_is_verbatim_otherwise(
    content: str, written: str
) -> None:
    assert block_text(own(content).blocks[1]) == (
        "<own-artifacts>\n### yg-node.yaml\nname: N\ntype: service\n"
        f"### responsibility.md\n{written}### internals.md\nH.\n</own-artifacts>"
    )


def test_in_markdown_texts_are_verbatim_but_for_the_line_breaks_that_end_them() -> None:
    assert package_markdown(own("\ufeff\n<b> & \r\n\r\nx \r\n\r\n")).split("\n\n---\n\n")[2] == (
        "## Node: N\n\n"
        "### yg-node.yaml\nname: N\ntype: service\n\n"
        "### responsibility.md\n\n<b> & \r\n\r\nx \n\n"
        "### internals.md\nH."
    )


@given(st.text("aä😀 \n#-", max_size=30))
def test_the_size_is_the_same_in_every_format(text: str) -> None:
    package = own(text)
    assert f'token-count="{package.tokens}"' in package_text(package)
    size = f"{package.tokens} tokens (threshold 10000: ok)\n"
    assert package_markdown(package).endswith(f"\n\nContext size: {size}")
    assert list(reason_rows(package))[-1][1] == str(package.tokens)


@pytest.mark.parametrize(
    ("warning", "status", "verdict"), [(15, "ok", "ok"), (14, "warning", "exceeded")]
)
def test_more_than_the_warning_of_the_budget_shows(warning: int, status: str, verdict: str) -> None:
    quality = f"quality: {{context_budget: {{warning: {warning}}}}}\n"
    package = package_from({"yg-config.yaml": CONFIG + quality, "model/a/yg-node.yaml": NODE}, "a")
    assert package_text(package).endswith(f"\n\n</context-package>\nBudget status: {status}\n")
    assert package_markdown(package).endswith(f"15 tokens (threshold {warning}: {verdict})\n")


def test_a_block_that_an_earlier_package_has_is_its_opening_tag() -> None:
    hierarchy, target = (
        block
        for block in package_from(SHOP, "orders/service").blocks
        if block.subject[:6] == "orders" and block.kind in (BlockKind.HIERARCHY, BlockKind.TARGET)
    )
    assert [block_text(replace(block, same_as='a"b')) for block in (hierarchy, target)] == [
        '<hierarchy path="orders/" same-as="a&quot;b"/>',
        '<materialization-target paths="src/orders.py, src/orders" same-as="a&quot;b"/>',
    ]


# Names.

HOSTILE = r'"A\n\n# Forged\r\n## <b> & \"c\" \u2028\e[31m"'


def hostile() -> Package:
    return package_from(
        {
            "yg-config.yaml": CONFIG.replace("name: test", f"name: {HOSTILE}"),
            "model/a/yg-node.yaml": f"name: {HOSTILE}\ntype: service\naspects: [{{aspect: x}}]\n",
            "aspects/x/yg-aspect.yaml": f"name: {HOSTILE}\n",
            "flows/f/yg-flow.yaml": f"name: {HOSTILE}\nnodes: [a]\n",
        },
        "a",
    )


def test_names_stay_on_the_line_of_their_tag() -> None:
    text = package_text(hostile())
    escaped = "A&#10;&#10;# Forged&#13;&#10;## &lt;b&gt; &amp; &quot;c&quot; \u2028&#27;[31m"
    tags = [line for line in text.split("\n") if re.match(r"<[a-z-]+ ", line)]
    assert tags == [
        f'<context-package node-path="a" node-name="{escaped}" token-count="39">',
        '<own-artifacts aspects="x">',
        f'<aspect name="{escaped}" id="x">',
        f'<flow name="{escaped}">',
    ]
    line = text.split("\n")[3]
    assert line == '**Project:** A # Forged ## <b> & "c" \x1b[31m'  # as all content, raw


def test_names_cannot_forge_headings() -> None:
    name = 'A # Forged ## <b> & "c" \\x1b[31m'
    headings = [line for line in package_markdown(hostile()).splitlines() if line[:1] == "#"]
    assert headings == [
        f"# Context Package: {name}",
        "# Path: a",
        "## Global Context",
        f"## Node: {name}",
        "### yg-node.yaml",
        "## Aspects",
        f"### {name} (aspect: x)",
        "## Flows",
        f"### {name}",
    ]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_an_attribute_is_on_one_line_and_can_be_read_back(value: str) -> None:
    (target,) = (
        block
        for block in package_from(SHOP, "orders/service").blocks
        if block.kind is BlockKind.TARGET
    )
    line = block_text(replace(target, attributes={"paths": value}))
    written = re.fullmatch(r'<materialization-target paths="([^<>"\x00-\x08\r\n\x1b]*)"/>', line)
    assert written is not None
    # Undo only the escapes of the writer; unescape() would also change invalid HTML characters.
    read_back = re.sub(r"&#(\d+);", lambda match: chr(int(match[1])), written[1])
    assert re.sub(r"&(amp|lt|gt|quot);", lambda match: unescape(match[0]), read_back) == value
