"""The exact Markdown of a package of a 2.x graph."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import CONFIG, NODE, graph_from
from yg.commands.build_context.package import package_document, package_text
from yg.yggdrasil.package.assemble import assemble
from yg.yggdrasil.package.markdown import package_markdown


def markdown_of(files: dict[str, str], path: str) -> str:
    graph = graph_from(files)
    node = graph.nodes.get(path)
    assert node is not None
    return package_markdown(assemble(graph, node))


SERVICE = """\
name: OrderService
type: service
aspects: [{aspect: audit, exceptions: [Batch import]}]
relations:
  - {target: payments, type: calls, consumes: [charge, refund], failure: retry 3x}
  - {target: mail, type: emits, event_name: OrderPlaced}
  - {target: stock, type: uses}
  - {target: payments, type: listens, consumes: [id]}
mapping: {paths: [src/orders.py, src/orders]}
"""

SHOP = {
    "model/yg-node.yaml": "name: Shop\ntype: module\n",
    "model/responsibility.md": "A shop.\n",
    "model/orders/yg-node.yaml": "name: Orders\ntype: module\n",
    "model/orders/responsibility.md": "The life of an order.\n\n",
    "model/orders/internals.md": "Event sourcing.",
    "model/orders/service/yg-node.yaml": SERVICE,
    "model/orders/service/responsibility.md": "Takes orders.\n",
    "model/payments/yg-node.yaml": "name: Payments\ntype: service\n",
    "model/payments/responsibility.md": "Takes money.\n",
    "model/payments/interface.md": "charge, refund\n",
    "model/stock/yg-node.yaml": NODE,
    "model/mail/yg-node.yaml": NODE,
    "aspects/audit/yg-aspect.yaml": "name: Audit\nstability: protocol\nimplies: [logging]\n",
    "aspects/audit/content.md": "Write it down.\n",
    "aspects/audit/more.md": "All of it.\n",
    "aspects/logging/yg-aspect.yaml": "name: Logging\n",
    "flows/checkout/yg-flow.yaml": "name: Checkout\nnodes: [orders]\n",
    "flows/checkout/description.md": "From cart to mail.\n",
    "flows/checkout/a-sequence.md": "1, 2, 3.\n",
}

ABOVE = f"""\
# Context Package: OrderService
# Path: orders/service

---

## Global Context

**Project:** test

---

## Module Context (./)

A shop.

---

## Module Context (orders/)

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

All of it.

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

### stock (uses)

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

"""


def test_a_package_is_sections_under_headings_and_its_size() -> None:
    assert markdown_of(SHOP, "orders/service") == (
        f"{ABOVE}Context size: 239 tokens (threshold 10000: ok)\n"
    )


LONE = """\
# Context Package: N
# Path: a

---

## Global Context

**Project:** test

---

## Node: N

### yg-node.yaml
name: N
type: service

---

"""


def test_empty_sections_are_left_out() -> None:
    files = {"model/yg-node.yaml": NODE, "model/a/yg-node.yaml": NODE}
    assert markdown_of(files, "a") == f"{LONE}Context size: 15 tokens (threshold 10000: ok)\n"


@pytest.mark.parametrize(
    ("warning", "verdict"), [(16, "ok"), (15, "ok"), (14, "exceeded"), (0, "exceeded")]
)
def test_only_more_than_the_warning_of_the_budget_exceeds_it(warning: int, verdict: str) -> None:
    quality = f"quality: {{context_budget: {{warning: {warning}}}}}\n"
    files = {"yg-config.yaml": CONFIG + quality, "model/a/yg-node.yaml": NODE}
    assert markdown_of(files, "a") == (
        f"{LONE}Context size: 15 tokens (threshold {warning}: {verdict})\n"
    )


def test_an_ancestor_that_only_brings_annotations_keeps_them() -> None:
    node = f"{NODE}relations: [{{target: a, type: uses, consumes: [x]}}]\n"
    files = {"model/a/yg-node.yaml": NODE, "model/a/b/yg-node.yaml": node}
    assert "\n\n---\n\n## Dependencies\n\n### a (uses)\n\nConsumes: x\n\n---\n\n" in (
        markdown_of(files, "a/b")
    )


def test_names_cannot_forge_headings() -> None:
    name = '"N\\n\\n## Global Context"'
    files = {
        "model/a/yg-node.yaml": f"name: {name}\ntype: service\naspects: [{{aspect: x}}]\n",
        "aspects/x/yg-aspect.yaml": f"name: {name}\n",
        "flows/f/yg-flow.yaml": f"name: {name}\nnodes: [a]\n",
    }
    headings = [line for line in markdown_of(files, "a").splitlines() if line.startswith("#")]
    assert headings == [
        "# Context Package: N ## Global Context",
        "# Path: a",
        "## Global Context",
        "## Node: N ## Global Context",
        "### yg-node.yaml",
        "## Aspects",
        "### N ## Global Context (aspect: x)",
        "## Flows",
        "### N ## Global Context",
    ]


def test_texts_are_verbatim_but_for_the_line_breaks_that_end_them() -> None:
    files = {
        "model/a/yg-node.yaml": NODE,
        "model/a/responsibility.md": "\ufeff\n<b> & \r\n\r\nx \r\n\r\n",
        "model/a/interface.md": "# I",
    }
    assert markdown_of(files, "a").split("\n\n---\n\n")[2] == (
        "## Node: N\n\n"
        "### yg-node.yaml\nname: N\ntype: service\n\n"
        "### responsibility.md\n\n<b> & \r\n\r\nx \n\n"
        "### interface.md\n# I"
    )


@given(st.text("aä😀 \n#-", max_size=30))
def test_the_size_is_the_same_in_every_format(text: str) -> None:
    graph = graph_from({"model/a/yg-node.yaml": NODE, "model/a/responsibility.md": text})
    node = graph.nodes.get("a")
    assert node is not None
    package = assemble(graph, node)
    size = f"{package.tokens} tokens (threshold 10000: ok)\n"
    assert package_markdown(package).endswith(f"\n\nContext size: {size}")
    assert f'token-count="{package.tokens}"' in package_text(package)
    assert package_document(package).tokens == package.tokens
