"""The examples of the document "Graph": what files a graph has, and what they declare."""

from __future__ import annotations

from specification.writing import Example, Place, aspect, calls, flow, graph, maps, node, plain

VOCABULARY = """\
version: "2.2.0"
name: my-project
node_types:
  module:
    description: "A domain"
  service:
    description: "A component that others use"
    required_aspects: [requires-audit]
artifacts:
  responsibility.md:
    required: always
    description: "What it does"
    included_in_relations: true
  interface.md:
    required:
      when: has_incoming_relations
    description: "What it offers"
    included_in_relations: true
  internals.md:
    required: never
    description: "How it works"
  compliance.md:
    required:
      when: has_aspect:regulated
    description: "Rules to keep"
  performance.txt:
    required:
      when: has_tag:high-throughput
    description: "Speed to keep"
quality:
  min_artifact_length: 50
  max_direct_relations: 1
  context_budget:
    warning: 90
    error: 20000
"""
CONFIGURED = graph(
    {
        **plain("stock", "aspects: [{aspect: regulated}]", kind="module"),
        **plain("search", "aspects: [{aspect: high-throughput}]", kind="module"),
        **node("bare", "name: Bare\ntype: module\n", responsibility="", interface=""),
        **node("short", "name: Short\ntype: module\n", responsibility="Too short.\n", interface=""),
        **node("audited", "name: Audited\ntype: service\n", interface=""),
        **plain("wide", calls("stock", "search"), kind="module"),
        **aspect("requires-audit"),
        **aspect("regulated"),
        **aspect("high-throughput"),
    },
    VOCABULARY,
)
HIERARCHY = graph(
    {
        **node("auth", "name: Auth\ntype: module\n", interface=""),
        **node("auth/login-service", "name: LoginService\ntype: service\n", interface=""),
        **node("orders", "name: Orders\ntype: module\n", responsibility="", interface=""),
        **node("orders/order-service", "name: OrderService\ntype: service\n", interface=""),
    }
)
ORDER_NODE = """\
name: OrderService
type: service

aspects:
  - aspect: requires-audit
    exceptions:
      - "An import writes one summary for all its records"
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

mapping:
  paths:
    - src/modules/orders/order.service.ts
"""
ORDERS = {
    **graph(
        {
            **node("orders", "name: Orders\ntype: module\n"),
            **node("orders/order-service", ORDER_NODE),
            **plain("payments", kind="module"),
            **node("payments/payment-service", "name: PaymentService\ntype: service\n"),
            **plain("inventory", kind="module"),
            **node(
                "inventory/inventory-service",
                "name: InventoryService\ntype: service\nblackbox: true\n",
            ),
            **aspect("requires-audit"),
            **aspect("requires-auth"),
        }
    ),
    "src/modules/orders/order.service.ts": "auditLog(createAuditEntry());\n",
}
ASPECTS = graph(
    {
        **plain("records", "aspects: [{aspect: hipaa}]", kind="module"),
        "aspects/hipaa/yg-aspect.yaml": (
            "name: HIPAA Compliance\nimplies:\n  - requires-audit\n"
            "  - requires-encryption\n  - requires-access-control\n"
        ),
        "aspects/hipaa/content.md": "Records of patients are protected.\n",
        "aspects/requires-audit/yg-aspect.yaml": (
            'name: Audit logging\ndescription: "Every change leaves a trace"\n'
        ),
        "aspects/requires-audit/content.md": "- actor\n- action\n",
        **aspect("requires-encryption"),
        **aspect("requires-access-control"),
        "aspects/observability/logging/yg-aspect.yaml": "name: Logging\n",
        "aspects/observability/logging/requirements.md": "One line for each request.\n",
    }
)
PARTICIPANTS = (
    *("orders/order-service", "payments/payment-service"),
    *("inventory/inventory-service", "notifications/email-service"),
)
FLOWS = graph(
    {
        **{
            path: text
            for name in PARTICIPANTS
            for path, text in {
                **plain(name.partition("/")[0], kind="module"),
                **plain(name),
            }.items()
        },
        **plain("orders/order-service/lines"),
        **flow(
            "Checkout flow",
            *PARTICIPANTS,
            aspects=("requires-saga", "requires-idempotency"),
            sequence="1. charge\n",
        ),
        **flow("Bare", "orders", description="Nothing yet.\n"),
        **aspect("requires-saga"),
        **aspect("requires-idempotency"),
    }
)
MAPPED = graph(
    {
        **plain("one", maps("src/modules/orders/order.service.ts")),
        **plain("directory", maps("src/modules/payments")),
        **plain(
            "several",
            maps(
                "src/modules/stock/stock.service.ts",
                "src/modules/stock/stock.repository.ts",
                "src/shared/stock/stock.types.ts",
            ),
        ),
        **plain("concept", kind="module"),
    },
    sources=(
        "src/modules/orders/order.service.ts",
        "src/modules/payments/card.ts",
        "src/modules/stock/stock.service.ts",
        "src/modules/stock/stock.repository.ts",
        "src/shared/stock/stock.types.ts",
    ),
)

GOLDENS = {
    "graph-layout": Place(),
    "graph-configuration": Place(CONFIGURED),
    "graph-hierarchy": Place(HIERARCHY),
    "graph-node": Place(ORDERS),
    "graph-aspects": Place(ASPECTS),
    "graph-flows": Place(FLOWS),
    "graph-mapping": Place(MAPPED),
}
EXAMPLES = (
    Example(
        "Top-Level Directory Structure",
        "the folders of a graph",
        "graph-layout",
        differs="so are the rules for agents and what git ignores",
    ),
    Example("Reserved vs user-owned names", "the same folders, all reserved", "graph-layout"),
    Example("Configuration", "the name of a project", "graph-configuration"),
    Example("Node types", "descriptions and required aspects", "graph-configuration"),
    Example("Artifact types", "three artifacts and their conditions", "graph-configuration"),
    Example("Artifact types", "artifacts of a project's own", "graph-configuration"),
    Example("Quality thresholds", "all thresholds", "graph-configuration"),
    Example("Component Model", "nodes in nodes", "graph-hierarchy"),
    Example("Node metadata", "a node with every key", "graph-node"),
    Example("Blackbox nodes", "a node that is a black box", "graph-node"),
    Example("Relation fields", "one relation with every key", "graph-node"),
    Example("Aspects", "folders of aspects, one below another", "graph-aspects"),
    Example("Aspects", "the declaration of an aspect", "graph-aspects"),
    Example("Aspects", "an aspect that implies others", "graph-aspects"),
    Example("Aspects", "the content of an aspect", "graph-aspects"),
    Example("Flows", "the folder of a flow", "graph-flows"),
    Example("Flows", "the declaration of a flow", "graph-flows"),
    Example(
        "Flow description.md format",
        "the sections of a description",
        "graph-flows",
        differs="a missing section is a warning",
    ),
    Example(
        "Path Conventions",
        "references relative to their folder",
        "graph-node",
    ),
    Example("Mapping format", "one file", "graph-mapping"),
    Example("Mapping format", "a directory", "graph-mapping"),
    Example("Mapping format", "several files", "graph-mapping"),
    Example("Schemas for Graph Layers", "the three schema files", "graph-layout"),
)
