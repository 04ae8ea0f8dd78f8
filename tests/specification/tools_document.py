"""The examples of the document "Tools": files, and what each operation prints."""

from __future__ import annotations

from specification import operations
from specification.writing import Example, Place, aspect, flow, graph, node, plain

COMMIT = "git init -q -b main . && git add -A && git commit -q -m Begin"
SYNC = "yg drift-sync --all >/dev/null 2>&1"

CONFIG = """\
version: "2.2.0"
name: my-project # a comment stays
node_types:
  module:
    description: "A domain"
  service:
    description: "A component"
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
  clients.md:
    required:
      when: has_outgoing_relations
    description: "What it needs"
  audit.md:
    required:
      when: has_aspect:requires-audit
    description: "What it records"
quality:
  min_artifact_length: 50
  max_direct_relations: 10
  context_budget:
    warning: 10000
    error: 20000
"""
NODE = """\
name: OrderService
type: service
aspects:
  - aspect: requires-audit
    exceptions:
      - "An import writes one summary"
    anchors: [answer]
  - aspect: requires-auth
blackbox: false
relations:
  - target: payments/payment-service
    type: calls
    consumes: [charge, refund]
    failure: "retry 3x, then payment-failed"
  - target: payments/payment-service
    type: emits
    event_name: OrderPlaced
mapping:
  paths:
    - src/modules/orders/order.service.ts
"""
LISTENER = """\
name: PaymentService
type: module
relations:
  - {target: orders/order-service, type: listens, event_name: OrderPlaced}
"""
FILES = graph(
    {
        **plain("orders", kind="module"),
        **node("orders/order-service", NODE),
        **plain("payments", kind="module"),
        **node("payments/payment-service", LISTENER),
        "aspects/requires-audit/yg-aspect.yaml": (
            'name: Audit logging\ndescription: "Every change leaves a trace"\n'
            "implies: [requires-logging]\nstability: protocol\n"
        ),
        "aspects/requires-audit/content.md": "- actor\n- action\n",
        **aspect("requires-auth"),
        **aspect("requires-logging", stability="implementation"),
        **aspect("requires-saga", stability="schema"),
        **flow(
            "Checkout flow",
            "orders/order-service",
            "payments/payment-service",
            aspects=("requires-saga",),
        ),
    },
    CONFIG,
    ("src/modules/orders/order.service.ts",),
)

GRAPH_CHANGE = "echo More. >> .yggdrasil/model"
GOLDENS = {
    "tools-files": Place(FILES),
    "tools-drift-state": Place(operations.STATE),
    "tools-commands": Place(operations.SIMULATED, f"{COMMIT} && {SYNC}"),
    "tools-init": Place(),
    "tools-platforms": Place(),
    "tools-tree": Place(operations.TREE),
    "tools-aspects": Place(operations.LISTED_ASPECTS),
    "tools-flows": Place(operations.LISTED_FLOWS),
    "tools-status": Place(
        operations.STATUS,
        f"{SYNC}; echo 'export const more = 1;' >> src/order.ts; rm src/token.ts; "
        f"{GRAPH_CHANGE}/payments/refund-service/internals.md",
    ),
    "tools-preflight": Place(
        operations.PREFLIGHT, f"{SYNC}; echo 'export const more = 1;' >> src/order.ts"
    ),
    "tools-owner": Place(operations.OWNER),
    "tools-deps": Place(operations.DEPS),
    "tools-impact-node": Place(operations.IMPACT),
    "tools-impact-aspect": Place(operations.IMPACT_ASPECT),
    "tools-impact-flow": Place(operations.IMPACT_FLOW),
    "tools-impact-simulate": Place(
        operations.SIMULATED,
        f"{SYNC}; {COMMIT}; echo 'export const more = 1;' >> src/billing/charge.ts; "
        f"{GRAPH_CHANGE}/payments/payment-service/interface.md",
    ),
    "tools-codes": Place(operations.TREE),
    "tools-messages": Place(operations.MESSAGES),
    "tools-drift": Place(
        operations.DRIFT,
        f"{SYNC}; echo 'export const more = 1;' >> src/modules/orders/order.service.ts; "
        f"rm src/token.ts; {GRAPH_CHANGE}/orders/order-service/responsibility.md",
    ),
    "tools-drift-sync": Place(operations.STATE, f"{SYNC}; echo More. >> lib/a.txt"),
}
EXAMPLES = (
    Example("yg-config.yaml", "every key of the configuration", "tools-files"),
    Example("yg-config.yaml", "the conditions of artifacts", "tools-files"),
    Example("yg-node.yaml", "every key of a node", "tools-files"),
    Example("yg-aspect.yaml", "every key of an aspect", "tools-files"),
    Example("yg-flow.yaml", "every key of a flow", "tools-files"),
    Example("description.md", "the sections of a description", "graph-flows"),
    Example(
        ".drift-state/",
        "the baseline of a node",
        "tools-drift-state",
        differs="sorted by path, and without times of modification",
    ),
    Example("Naming convention", "one call of each operation", "tools-commands"),
    Example(
        "Init",
        "the files of a new graph",
        "tools-init",
        differs="there are schemas for editors, and the rules for agents",
    ),
    Example(
        "Init",
        "the default configuration",
        "tools-init",
        differs="it has a version, a name, and settings for editors, baselines and imports",
    ),
    Example("Tree view", "a tree of seven nodes", "tools-tree"),
    Example("Aspects", "two aspects", "tools-aspects"),
    Example("Flows", "one flow", "tools-flows", differs="the id comes first"),
    Example(
        "Status",
        "a graph of fourteen nodes",
        "tools-status",
        differs="one more line gives the sizes of packages",
    ),
    Example(
        "Preflight",
        "the same graph with one change",
        "tools-preflight",
        differs="mappings are counted, the warnings are listed, and a line says how to see more",
    ),
    Example("Ownership resolution", "the owner of a file", "tools-owner"),
    Example(
        "Ownership resolution",
        "a file in a mapped directory",
        "tools-owner",
        differs="the second line is in English",
    ),
    Example("Ownership resolution", "a file without an owner", "tools-owner"),
    Example("Ownership resolution", "a file that does not exist", "tools-owner"),
    Example("Dependency analysis", "a tree of dependencies", "tools-deps"),
    Example("Node mode", "every kind of impact of a node", "tools-impact-node"),
    Example(
        "Aspect mode",
        "three ways in which an aspect arrives",
        "tools-impact-aspect",
        differs="the flow that brings the aspect is named as propagating it",
    ),
    Example("Flow mode", "participants and a descendant", "tools-impact-flow"),
    Example("Simulation mode", "two packages that change", "tools-impact-simulate"),
    Example("Validate", "the codes and names of errors", "tools-codes"),
    Example("Validate", "the codes and names of warnings", "tools-codes"),
    Example(
        "Validate",
        "a broken relation",
        "tools-messages",
        differs="the place follows the first line",
    ),
    Example(
        "Validate",
        "a missing artifact",
        "tools-messages",
        differs="the place follows the first line, and no line is wrapped",
    ),
    Example(
        "Validate",
        "a package that is too large",
        "tools-messages",
        differs="the place follows the first line, and more advice the last one",
    ),
    Example(
        "Drift",
        "nodes in every state",
        "tools-drift",
        differs="entries are sorted by node, a change of code is named by its kind, and each "
        "section ends with the next steps",
    ),
    Example("Drift sync", "a new baseline", "tools-drift-sync"),
    Example("Platform rules file", "the file of each platform", "tools-platforms"),
    Example(
        "Rules content",
        "what an agent does first and last",
        reason="rules for agents; the document leaves their text to the program",
    ),
)
