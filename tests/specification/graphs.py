"""Two graphs with the same parts: one with the default configuration, one from the documents.

Files are a dict of texts. Paths of the graph are relative to `.yggdrasil/`; all others are sources.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

Files = dict[str, Any]  # the values are str, or bytes that are not UTF-8

SENTENCE = "A sentence of our own that is long enough to count as a text.\n"
SCHEMAS: Files = {f"schemas/yg-{kind}.yaml": "" for kind in ("node", "aspect", "flow")}

# 004, Default configuration: the text, but for the name, which a person fills in.
DEFAULT = """\
name: ""
node_types:
  module:
    description: "Business logic unit with clear domain responsibility"
  service:
    description: "Component providing functionality to other nodes"
  library:
    description: "Shared utility code with no domain knowledge"
  infrastructure:
    description: "Guards, middleware, interceptors — invisible in call graphs but affect blast radius"
artifacts:
  responsibility.md:
    required: always
    description: "What this node is responsible for, and what it is not"
    included_in_relations: true
  interface.md:
    required:
      when: has_incoming_relations
    description: "Public API — methods, parameters, return types, contracts, failure modes, exposed data structures"
    included_in_relations: true
  internals.md:
    required: never
    description: "How the node works and why — algorithms, business rules, state machines, design decisions with rejected alternatives"
quality:
  min_artifact_length: 50
  max_direct_relations: 10
  context_budget:
    warning: 10000
    error: 20000
"""  # noqa: E501
NAMED = DEFAULT.replace('name: ""', "name: plain")

# 002, Configuration: its examples, put together.
EXAMPLE = (
    DEFAULT.replace('name: ""', "name: my-project")
    .replace(
        'functionality to other nodes"\n',
        'functionality to other nodes"\n    required_aspects: [requires-audit]\n',
    )
    .replace(
        "quality:\n",
        """\
  compliance.md:
    required:
      when: has_aspect:regulated
    description: Regulatory requirements and constraints
  performance.txt:
    required:
      when: has_aspect:high-throughput
    description: Performance budgets, SLAs, optimization constraints
quality:
""",
    )
)


class Graph(NamedTuple):
    """A graph without issues, and the names of its parts."""

    name: str
    files: Files
    parent: str  # a module with children
    node: str  # a service below it: mapped, with relations of every class, aspects and a flow
    target: str  # a service that the node calls, and whose event it listens for
    blackbox: str  # a blackbox that the node calls
    listener: str  # a service that listens for the node's event
    aspect: str  # an aspect of the node, which implies another
    implied: str
    flow: str
    flow_aspect: str  # an aspect that the flow gives to its participants
    source: str  # the file that the node maps

    def __str__(self) -> str:
        return self.name

    def plus(self, more: Files) -> Files:
        """Return the files with some added or replaced."""
        return {**self.files, **more}

    def without(self, *paths: str) -> Files:
        """Return the files without those at or below some paths."""
        below = tuple(f"{path}/" for path in paths)
        return {
            path: text
            for path, text in self.files.items()
            if path not in paths and not path.startswith(below)
        }

    def replaced(self, path: str, old: str, new: str) -> Files:
        """Return the files with another text in one of them."""
        assert old in self.files[path]
        return self.plus({path: self.files[path].replace(old, new)})

    @property
    def extra(self) -> str:
        """The path of a node that tests add below the parent."""
        return f"{self.parent}/extra"

    def adding(self, more: Files = {}, **keys: Any) -> Files:
        """Return the files with one more node below the parent, `extra`, and other files."""
        return self.plus({**described(self.extra, **keys), **more})


def node(**keys: Any) -> str:
    """Write a yg-node.yaml; the values are YAML in one line each."""
    values = {"name": "Extra", "type": "module", **keys}
    return "".join(
        f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items()
    )


def described(path: str, **keys: Any) -> Files:
    """Return a node with a responsibility and an interface."""
    return {
        f"model/{path}/yg-node.yaml": node(**keys),
        f"model/{path}/responsibility.md": SENTENCE,
        f"model/{path}/interface.md": SENTENCE,
    }


def aspect(path: str, **keys: Any) -> Files:
    """Return an aspect with one text."""
    values = {"name": f"Aspect {path}", **keys}
    lines = [f"{key}: {json.dumps(value)}\n" for key, value in values.items()]
    return {
        f"aspects/{path}/yg-aspect.yaml": "".join(lines),
        f"aspects/{path}/content.md": f"What {path} asks for.\n",
    }


def flow(path: str, *nodes: str, **keys: Any) -> Files:
    """Return a flow with one text."""
    values = {"name": f"Flow {path}", "nodes": nodes, **keys}
    lines = [f"{key}: {json.dumps(value)}\n" for key, value in values.items()]
    return {
        f"flows/{path}/yg-flow.yaml": "".join(lines),
        f"flows/{path}/description.md": f"What happens in {path}.\n",
    }


PLAIN = Graph(
    "plain",
    {
        "yg-config.yaml": NAMED,
        **SCHEMAS,
        "model/app/yg-node.yaml": "name: App\ntype: module\naspects:\n  - aspect: tidy\n",
        "model/app/responsibility.md": f"App. {SENTENCE}",
        "model/app/internals.md": f"Inside the app. {SENTENCE}",
        "model/app/web/yg-node.yaml": """\
# The pages.
name: Web
type: service
aspects:
  - aspect: small
relations:
  - {target: store/db, type: uses, consumes: [read], failure: show a page}
  - {target: store/old, type: uses}
  - {target: store/mail, type: emits}
  - {target: store/db, type: listens, event_name: Full}
mapping:
  paths: [src/web.py]
""",
        "model/app/web/responsibility.md": f"Web. {SENTENCE}",
        "model/app/web/interface.md": f"Pages of the web. {SENTENCE}",
        "model/store/yg-node.yaml": "name: Store\ntype: module\n",
        "model/store/responsibility.md": f"Store. {SENTENCE}",
        "model/store/db/yg-node.yaml": """\
name: Db
type: service
relations:
  - {target: app/web, type: emits, event_name: Full}
mapping:
  paths: [src/db]
""",
        "model/store/db/responsibility.md": f"Db. {SENTENCE}",
        "model/store/db/interface.md": f"read(key). {SENTENCE}",
        "model/store/db/internals.md": f"Pages on a disk. {SENTENCE}",
        "model/store/mail/yg-node.yaml": """\
name: Mail
type: service
relations:
  - {target: app/web, type: listens}
""",
        "model/store/mail/responsibility.md": f"Mail. {SENTENCE}",
        "model/store/mail/interface.md": f"send(letter). {SENTENCE}",
        "model/store/old/yg-node.yaml": """\
name: Old
type: library
blackbox: true
mapping:
  paths: [lib]
""",
        "model/store/old/responsibility.md": "Old code.\n",
        "aspects/small/yg-aspect.yaml": "name: Small\nimplies: [group/short]\n",
        "aspects/small/content.md": "Stay small.\n",
        "aspects/group/short/yg-aspect.yaml": "name: Short\nstability: schema\n",
        "aspects/group/short/content.md": "Stay short.\n",
        "aspects/tidy/yg-aspect.yaml": "name: Tidy\ndescription: Nothing lies around\n",
        "aspects/quick/yg-aspect.yaml": "name: Quick\n",
        "aspects/quick/content.md": "Be quick.\n",
        "flows/visit/yg-flow.yaml": "name: Visit\nnodes: [app, store/db]\naspects: [quick]\n",
        "flows/visit/description.md": "Somebody looks at a page.\n",
        "flows/visit/aside.md": "Or does not.\n",
        "src/web.py": "print('web')\n",
        "src/db/pages.py": "print('db')\n",
        "src/db/deep/down.py": "print('down')\n",
        "lib/old.py": "print('old')\n",
        "other.py": "print('other')\n",
    },
    parent="app",
    node="app/web",
    target="store/db",
    blackbox="store/old",
    listener="store/mail",
    aspect="small",
    implied="group/short",
    flow="visit",
    flow_aspect="quick",
    source="src/web.py",
)

ORDER_SERVICE = """\
name: OrderService
type: service

aspects:
  - aspect: requires-audit
    exceptions:
      - "Batch import skips per-record audit — emits single summary event instead"
    anchors: [auditLog, createAuditEntry]
  - aspect: requires-auth

relations:
  - target: payments/payment-service
    type: calls
    consumes: [charge, refund]
    failure: retry 3x, then mark order as payment-failed

  - target: inventory/inventory-service
    type: calls
    consumes: [reserve, release]

  - target: notifications/email-service
    type: emits
    event_name: OrderPlaced

  - target: payments/payment-service
    type: listens
    event_name: PaymentCompleted
    consumes: [orderId, amount, status]

mapping:
  paths:
    - src/modules/orders/order.service.ts
"""
CHECKOUT = """\
## Business context
Money for goods.
## Trigger
A customer orders.
## Goal
The order is paid.
## Participants
orders/order-service
## Paths
### Happy path
The card is charged.
### Payment failed
The order waits.
## Invariants across all paths
No order is charged twice.
"""
AUDIT = """\
Every operation that modifies data must emit an audit event containing:

- actor (user ID or system identifier)
- action (create, update, delete)
"""

SHOP = Graph(
    "shop",
    {
        "yg-config.yaml": EXAMPLE,
        **SCHEMAS,
        "model/orders/yg-node.yaml": "name: Orders\ntype: module\n",
        "model/orders/responsibility.md": f"Orders have a lifecycle. {SENTENCE}",
        "model/orders/order-service/yg-node.yaml": ORDER_SERVICE,
        "model/orders/order-service/responsibility.md": f"Creates orders. {SENTENCE}",
        "model/orders/order-service/interface.md": f"place(order). {SENTENCE}",
        "model/orders/order-service/internals.md": f"pending, paid, failed. {SENTENCE}",
        "model/payments/yg-node.yaml": "name: Payments\ntype: module\n",
        "model/payments/responsibility.md": f"Payments move money. {SENTENCE}",
        "model/payments/payment-service/yg-node.yaml": """\
name: PaymentService
type: service
aspects:
  - aspect: requires-audit
relations:
  - target: orders/order-service
    type: emits
    event_name: PaymentCompleted
mapping:
  paths:
    - src/modules/payments
""",
        "model/payments/payment-service/responsibility.md": f"Charges cards. {SENTENCE}",
        "model/payments/payment-service/interface.md": f"charge(), refund(). {SENTENCE}",
        "model/payments/payment-service/internals.md": f"Retries at night. {SENTENCE}",
        "model/inventory/yg-node.yaml": "name: Inventory\ntype: module\n",
        "model/inventory/responsibility.md": f"What is in stock. {SENTENCE}",
        "model/inventory/inventory-service/yg-node.yaml": """\
name: InventoryService
type: service
blackbox: true
mapping:
  paths:
    - src/modules/inventory
""",
        "model/inventory/inventory-service/interface.md": "reserve(), release()\n",
        "model/notifications/yg-node.yaml": "name: Notifications\ntype: module\n",
        "model/notifications/responsibility.md": f"Tells people. {SENTENCE}",
        "model/notifications/email-service/yg-node.yaml": """\
name: EmailService
type: service
aspects:
  - aspect: requires-audit
relations:
  - target: orders/order-service
    type: listens
    event_name: OrderPlaced
""",
        "model/notifications/email-service/responsibility.md": f"Sends letters. {SENTENCE}",
        "model/notifications/email-service/interface.md": f"send(). {SENTENCE}",
        "aspects/requires-audit/yg-aspect.yaml": """\
name: Audit logging
description: "Short description for discovery via yg aspects"
implies: [requires-logging]
stability: protocol
""",
        "aspects/requires-audit/content.md": AUDIT,
        "aspects/requires-logging/yg-aspect.yaml": "name: Logging\n",
        "aspects/requires-logging/content.md": "One line for each request.\n",
        **aspect("requires-auth"),
        **aspect("requires-saga"),
        **aspect("requires-idempotency"),
        **aspect("regulated"),
        **aspect("high-throughput"),
        "flows/checkout/yg-flow.yaml": """\
name: Checkout flow

nodes:
  - orders/order-service
  - payments/payment-service
  - inventory/inventory-service
  - notifications/email-service

aspects:
  - requires-saga
  - requires-idempotency
""",
        "flows/checkout/description.md": CHECKOUT,
        "flows/checkout/sequence.md": "1. charge\n2. mail\n",
        "src/modules/orders/order.service.ts": "auditLog(createAuditEntry());\n",
        "src/modules/payments/card.ts": "export {};\n",
        "src/modules/inventory/stock.ts": "export {};\n",
        "src/utils/helpers.ts": "export {};\n",
    },
    parent="orders",
    node="orders/order-service",
    target="payments/payment-service",
    blackbox="inventory/inventory-service",
    listener="notifications/email-service",
    aspect="requires-audit",
    implied="requires-logging",
    flow="checkout",
    flow_aspect="requires-saga",
    source="src/modules/orders/order.service.ts",
)

BOTH = pytest.mark.parametrize("graph", [PLAIN, SHOP], ids=str)
