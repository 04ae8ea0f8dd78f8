"""The examples of the document "Context Builder": the 0.x edition and its package."""

from __future__ import annotations

from specification.writing import Example, Files, Place

# The graph of the specification's example; every file says one short thing.
EXAMPLE = {
    "config.yaml": """\
name: My E-Commerce System
stack:
  language: TypeScript
  runtime: Node 22
  framework: NestJS
  database: PostgreSQL
  cache: Redis
standards: |
  ESLint + Prettier configuration.
  Clean Architecture pattern.
  camelCase for functions, PascalCase for classes.
testing: |
  Jest as test framework.
  Test coverage target: 80%.
  Co-locate test files with source (*.spec.ts).
""",
    "orders/node.yaml": "name: Orders\ntype: module\ntags: [requires-audit]\n",
    "orders/description.md": "Orders are placed here.\n",
    "orders/business-rules.md": "A paid order stays.\n",
    "orders/order-service/node.yaml": """\
name: OrderService
type: service
relations:
  - {target: auth/auth-api, type: uses}
  - {target: payments/payment-service, type: calls}
mapping: src/modules/orders/order.service.ts
""",
    "orders/order-service/description.md": "Takes orders.\n",
    "orders/order-service/state-machine.md": "pending -> paid\n",
    "auth/node.yaml": "name: Auth\ntype: module\n",
    "auth/auth-api/node.yaml": "name: AuthApi\ntype: interface\n",
    "auth/auth-api/openapi.yaml": "openapi: 3.1.0\n",
    "auth/login-service/node.yaml": "name: LoginService\ntype: service\n",
    "auth/login-service/description.md": "Nobody asked for this.\n",
    "payments/node.yaml": "name: Payments\ntype: module\n",
    "payments/payment-service/node.yaml": """\
name: PaymentService
type: service
relations: [{target: auth/login-service, type: uses}]
""",
    "payments/payment-service/description.md": "Charges cards.\n",
    "payments/payment-service/interface.yaml": "charge: {}\n",
    "aspects/audit-logging.yaml": "name: Audit Logging\ntag: requires-audit\nrule: log it\n",
    "flows/checkout-flow/flow.yaml": "name: Checkout Flow\nnodes: [orders/order-service]\n",
    "flows/checkout-flow/description.md": "From cart to order.\n",
    "flows/checkout-flow/sequence.md": "1. charge\n",
}


def old_graph(files: Files = {}) -> Files:
    """Return a repository with the example of the document, and some files changed."""
    return {f"yggdrasil/{path}": text for path, text in {**EXAMPLE, **files}.items()}


DEEP = ("platform", "platform/commerce", "platform/commerce/orders")
FOLDERS = {f"{path}/node.yaml": f"name: {path}\ntype: module\n" for path in DEEP}
TEXTS = {f"{path}/description.md": f"This is {path}.\n" for path in DEEP}
SERVICE = {
    "platform/commerce/orders/order-service/node.yaml": "name: OrderService\ntype: service\n"
}
LIMITED = {"config.yaml": "name: Small\nlimits:\n  context_warning_tokens: 20\n"}

GOLDENS = {
    "builder-package": Place(old_graph()),
    "builder-deep": Place(old_graph({**FOLDERS, **TEXTS, **SERVICE})),
    "builder-limits": Place(old_graph(LIMITED)),
}
WORKFLOW = "a story about how agents work; nothing is printed"
EXAMPLES = (
    Example("The Six Layers", "the layers, in order", "builder-package"),
    Example("Layer 2: Hierarchical Context", "one ancestor", "builder-package"),
    Example("Layer 2: Hierarchical Context", "three ancestors, root first", "builder-deep"),
    Example("Layer 4: Relational Context", "a target without its siblings", "builder-package"),
    Example("Layer 5: Aspect Context", "a tag that brings an aspect", "builder-package"),
    Example(
        "Output Format",
        "the Markdown package",
        "builder-package",
        differs="the size follows after one more rule, as the section on the budget asks",
    ),
    Example("Why This Solves the Context Problem", "work without packages", reason=WORKFLOW),
    Example("Why This Solves the Context Problem", "work with packages", reason=WORKFLOW),
    Example("Context Budget", "the threshold in the configuration", "builder-limits"),
    Example("Context Budget", "a package above the threshold", "builder-limits"),
)
