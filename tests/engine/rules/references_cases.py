"""Rules about references between the files of a graph."""

from __future__ import annotations

from engine.rules.judged import ASPECT, CONFIG, FLOW, Case, calls, carries, layered, page
from graphs import NODE

CASES = (
    Case(code="E002", name="a configured type", files={"model/a/yg-node.yaml": NODE}),
    Case(
        code="E002",
        name="without any configured type only the configuration is wrong",
        files={
            "yg-config.yaml": "name: test\nartifacts: {a.md: {}}\n",
            "model/a/yg-node.yaml": NODE,
        },
        issues="""\
E012 yg-config.yaml -> yg-config.yaml has no 'node_types'.
  Describe at least one entry under 'node_types'.
  .yggdrasil/yg-config.yaml:1:1
""",
    ),
    Case(
        code="E002",
        name="a misspelt type, and one unlike any other",
        files={
            "model/a/yg-node.yaml": "name: A\ntype: servce\n",
            "model/b/yg-node.yaml": "name: B\ntype: Zoo\n",
        },
        issues="""\
E002 a -> type 'servce' is not in node_types.
  Existing types: service (A component)
  Did you mean 'service'?
  .yggdrasil/model/a/yg-node.yaml:2:7
E002 b -> type 'Zoo' is not in node_types.
  Existing types: service (A component)
  .yggdrasil/model/b/yg-node.yaml:2:7
""",
    ),
    Case(
        code="E002",
        name="targets of a restricted type that do not exist or have no type that does",
        files={
            "yg-config.yaml": layered(),
            "model/a/yg-node.yaml": page(calls("gone", "b")),
            "model/b/yg-node.yaml": NODE.replace("service", "servce"),
        },
        issues="""\
E004 a -> relation to 'gone' does not resolve.
  Existing nodes in model/: b
  .yggdrasil/model/a/yg-node.yaml:4:14
E002 b -> type 'servce' is not in node_types.
  Existing types: page (A page), service (A component)
  Did you mean 'service'?
  .yggdrasil/model/b/yg-node.yaml:2:7
""",
    ),
    Case(
        code="E003",
        name="aspects by their whole path",
        files={
            "model/a/yg-node.yaml": carries("group/x"),
            "aspects/group/x/yg-aspect.yaml": ASPECT,
        },
    ),
    Case(
        code="E003",
        name="a misspelt aspect, and a path that is not an id",
        files={
            "model/a/yg-node.yaml": carries("group/audits", "../aspects/group/audit"),
            "aspects/group/audit/yg-aspect.yaml": ASPECT,
        },
        issues="""\
E003 a -> aspect 'group/audits' does not resolve.
  Existing aspects: group/audit
  Did you mean 'group/audit'?
  .yggdrasil/model/a/yg-node.yaml:4:13
E003 a -> aspect '../aspects/group/audit' does not resolve.
  Existing aspects: group/audit
  Did you mean 'group/audit'?
  .yggdrasil/model/a/yg-node.yaml:5:13
""",
    ),
    Case(
        code="E003",
        name="an aspect where there are none",
        files={"model/a/yg-node.yaml": carries("x")},
        issues="""\
E003 a -> aspect 'x' does not resolve.
  There are no aspects yet: add .yggdrasil/aspects/x/yg-aspect.yaml.
  .yggdrasil/model/a/yg-node.yaml:4:13
""",
    ),
    Case(
        code="E004",
        name="relations to other branches, to the root and to an ancestor",
        files={
            "model/yg-node.yaml": NODE,
            "model/a/yg-node.yaml": NODE,
            "model/a/b/yg-node.yaml": calls("a", ".", "c/d"),
            "model/c/yg-node.yaml": NODE,
            "model/c/d/yg-node.yaml": NODE,
        },
    ),
    Case(
        code="E004",
        name="a relation into a missing folder",
        files={
            "model/orders/yg-node.yaml": calls("payment/svc-payment"),
            "model/payments/yg-node.yaml": NODE,
            "model/payments/payment-service/yg-node.yaml": NODE,
        },
        issues="""\
E004 orders -> relation to 'payment/svc-payment' does not resolve.
  Existing nodes in payments/: payment-service
  Did you mean 'payments/payment-service'?
  .yggdrasil/model/orders/yg-node.yaml:4:14
""",
    ),
    Case(
        code="E004",
        name="paths compare exactly",
        files={
            "model/a/yg-node.yaml": NODE,
            "model/b/yg-node.yaml": calls("./a", "a/", "A"),
        },
        issues="""\
E004 b -> relation to './a' does not resolve.
  Existing nodes in model/: a
  Did you mean 'a'?
  .yggdrasil/model/b/yg-node.yaml:4:14
E004 b -> relation to 'a/' does not resolve.
  Existing nodes in model/: a
  Did you mean 'a'?
  .yggdrasil/model/b/yg-node.yaml:5:14
E004 b -> relation to 'A' does not resolve.
  Existing nodes in model/: a
  Did you mean 'a'?
  .yggdrasil/model/b/yg-node.yaml:6:14
""",
    ),
    Case(
        code="E004",
        name="a target that could not be read",
        files={"model/a/yg-node.yaml": calls("b"), "model/b/yg-node.yaml": "name: B\n"},
        issues="""\
(follows) E004 a -> relation to 'b' does not resolve.
  It exists but could not be read: fix .yggdrasil/model/b/yg-node.yaml first.
  .yggdrasil/model/a/yg-node.yaml:4:14
E001 b -> yg-node.yaml has no 'type'.
  Add 'type: ..'.
  .yggdrasil/model/b/yg-node.yaml:1:1
""",
    ),
    Case(
        code="E004",
        name="suggestions by parts, by name, and never the node itself",
        files={
            "model/payments/yg-node.yaml": NODE,
            "model/payments/payment-service/yg-node.yaml": calls("payments/payment-servce"),
            "model/payments/ledger/yg-node.yaml": "name: GeneralLedger\ntype: service\n",
            "model/orders/yg-node.yaml": calls("payment/svc", "GeneralLedger", "x/PaymentService"),
        },
        issues="""\
E004 orders -> relation to 'payment/svc' does not resolve.
  Existing nodes in payments/: ledger, payment-service
  Did you mean 'payments/payment-service'?
  .yggdrasil/model/orders/yg-node.yaml:4:14
E004 orders -> relation to 'GeneralLedger' does not resolve.
  Existing nodes in model/: payments
  Did you mean 'payments/ledger'?
  .yggdrasil/model/orders/yg-node.yaml:5:14
E004 orders -> relation to 'x/PaymentService' does not resolve.
  Existing nodes in payments/: ledger, payment-service
  Did you mean 'payments/payment-service'?
  .yggdrasil/model/orders/yg-node.yaml:6:14
E004 payments/payment-service -> relation to 'payments/payment-servce' does not resolve.
  Existing nodes in payments/: ledger
  .yggdrasil/model/payments/payment-service/yg-node.yaml:4:14
""",
    ),
    Case(
        code="E006",
        name="participants on any level",
        files={
            "model/yg-node.yaml": NODE,
            "model/a/yg-node.yaml": NODE,
            "model/a/b/yg-node.yaml": NODE,
            "flows/f/yg-flow.yaml": "name: F\nnodes: [., a, a/b]\n",
        },
    ),
    Case(
        code="E006",
        name="a misspelt participant, and one that could not be read",
        files={
            "model/orders/yg-node.yaml": NODE,
            "model/bad/yg-node.yaml": "",
            "flows/f/yg-flow.yaml": "name: F\nnodes:\n  - order\n  - bad\n",
        },
        issues="""\
E006 flows/f -> participant 'order' does not resolve.
  Existing nodes in model/: bad, orders
  Did you mean 'orders'?
  .yggdrasil/flows/f/yg-flow.yaml:3:5
(follows) E006 flows/f -> participant 'bad' does not resolve.
  It exists but could not be read: fix .yggdrasil/model/bad/yg-node.yaml first.
  .yggdrasil/flows/f/yg-flow.yaml:4:5
E001 bad -> yg-node.yaml must be a mapping, found nothing.
  Correct the value at the given position; a node needs at least `name` and `type`.
  .yggdrasil/model/bad/yg-node.yaml:1:1
""",
    ),
    Case(
        code="E007",
        name="a flow that brings an aspect",
        files={
            "model/a/yg-node.yaml": NODE,
            "aspects/saga/yg-aspect.yaml": ASPECT,
            "flows/f/yg-flow.yaml": f"{FLOW}aspects: [saga]\n",
        },
    ),
    Case(
        code="E007",
        name="a flow that brings nothing",
        files={
            "model/a/yg-node.yaml": NODE,
            "aspects/saga/yg-aspect.yaml": ASPECT,
            "flows/f/yg-flow.yaml": f"{FLOW}aspects: [sagas]\n",
        },
        issues="""\
E007 flows/f -> aspect 'sagas' does not resolve.
  Existing aspects: saga
  Did you mean 'saga'?
  .yggdrasil/flows/f/yg-flow.yaml:3:11
""",
    ),
    Case(
        code="E013",
        name="conditions on aspects, in both spellings",
        files={
            "yg-config.yaml": f"""\
{CONFIG}\
  a.md: {{required: {{when: "has_aspect:x"}}}}
  b.md: {{required: {{when: "has_tag: x"}}}}
""",
            "aspects/x/yg-aspect.yaml": ASPECT,
        },
    ),
    Case(
        code="E013",
        name="conditions on a missing aspect",
        files={
            "yg-config.yaml": f"""\
{CONFIG}\
  a.md: {{required: {{when: "has_aspect:regulatd"}}}}
  b.md: {{required: {{when: "has_tag:regulatd"}}}}
""",
            "aspects/regulated/yg-aspect.yaml": ASPECT,
        },
        issues="""\
E013 yg-config.yaml -> 'a.md' depends on aspect 'regulatd', which does not resolve.
  Existing aspects: regulated
  Did you mean 'regulated'?
  .yggdrasil/yg-config.yaml:6:27
E013 yg-config.yaml -> 'b.md' depends on aspect 'regulatd', which does not resolve.
  Existing aspects: regulated
  Did you mean 'regulated'?
  .yggdrasil/yg-config.yaml:7:27
""",
    ),
    Case(
        code="E016",
        name="an implied aspect",
        files={
            "aspects/x/yg-aspect.yaml": f"{ASPECT}implies: [group/y]\n",
            "aspects/group/y/yg-aspect.yaml": ASPECT,
        },
    ),
    Case(
        code="E016",
        name="missing implied aspects",
        files={
            "aspects/audit/yg-aspect.yaml": f"{ASPECT}implies:\n  - loging\n  - zzz\n",
            "aspects/logging/yg-aspect.yaml": ASPECT,
        },
        issues="""\
E016 aspects/audit -> implied aspect 'loging' does not resolve.
  Existing aspects: audit, logging
  Did you mean 'logging'?
  .yggdrasil/aspects/audit/yg-aspect.yaml:3:5
E016 aspects/audit -> implied aspect 'zzz' does not resolve.
  Existing aspects: audit, logging
  .yggdrasil/aspects/audit/yg-aspect.yaml:4:5
""",
    ),
)
