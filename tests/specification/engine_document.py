"""The examples of the document "Engine": packages, tracked files, the order of work."""

from __future__ import annotations

from specification.writing import TEXT, Example, Place, calls, flow, graph, maps, node, plain

PACKAGE = graph(
    {
        **node("orders", "name: Orders\ntype: module\n", interface=""),
        **node(
            "orders/order-service",
            "name: OrderService\ntype: service\naspects:\n  - aspect: requires-audit\n"
            "  - aspect: requires-auth\nrelations:\n  - target: payments/payment-service\n"
            "    type: calls\n    consumes: [charge, refund]\n    failure: retry 3x\n",
            interface="",
        ),
        **plain("payments", kind="module"),
        **node("payments/payment-service", "name: PaymentService\ntype: service\n", internals=TEXT),
        "aspects/requires-audit/yg-aspect.yaml": "name: Audit logging\n",
        "aspects/requires-audit/content.md": "- actor\n- action\n",
        "aspects/requires-auth/yg-aspect.yaml": "name: Authentication\n",
        "aspects/requires-auth/content.md": "Every call has a user.\n",
        **flow("Checkout flow", "orders/order-service"),
    }
)
EVENTS = graph(
    {
        **plain("notifications", kind="module"),
        **node(
            "notifications/notification-service",
            "name: NotificationService\ntype: service\nrelations:\n"
            "  - {target: orders, type: listens, event_name: OrderPlaced}\n",
        ),
        **plain("payments", kind="module"),
        **node(
            "payments/payment-service",
            "name: PaymentService\ntype: service\nrelations:\n"
            "  - {target: orders, type: emits, event_name: PaymentCompleted}\n",
        ),
        **node(
            "orders",
            "name: Orders\ntype: module\nrelations:\n"
            "  - target: payments/payment-service\n    type: calls\n"
            "    consumes: [charge, refund]\n"
            "    failure: retry 3x, then mark order as payment-failed\n"
            "  - target: notifications/notification-service\n    type: emits\n"
            "    event_name: OrderPlaced\n"
            "  - target: payments/payment-service\n    type: listens\n"
            "    event_name: PaymentCompleted\n    consumes: [orderId, amount, status]\n",
        ),
    }
)
COMPLETE = graph(
    {
        **node("orders", "name: Orders\ntype: module\n"),
        **node(
            "orders/order-service",
            "name: OrderService\ntype: service\naspects:\n  - aspect: requires-audit\n"
            "relations:\n  - target: payments/payment-service\n    type: calls\n"
            "    consumes: [charge, refund]\n    failure: retry 3x, then payment-failed\n"
            "mapping:\n  paths:\n    - src/orders.txt\n",
            internals=TEXT,
        ),
        **plain("payments", kind="module"),
        **node("payments/payment-service", "name: PaymentService\ntype: service\n", internals=TEXT),
        "aspects/requires-audit/yg-aspect.yaml": "name: Audit logging\n",
        "aspects/requires-audit/content.md": "- actor\n- action\n",
        **flow("Checkout flow", "orders/order-service", sequence="1. charge\n"),
    },
    sources=("src/orders.txt",),  # no code: a baseline says more about that
)
STAGES = graph(
    {
        **plain("leaf", maps("src/leaf.ts")),
        **plain("other-leaf", maps("src/other-leaf.ts")),
        **plain("middle", calls("leaf"), maps("src/middle.ts")),
        **plain(
            "listener",
            "relations: [{target: top, type: listens}]",
            maps("src/listener.ts"),
        ),
        **plain(
            "top",
            "relations: [{target: middle, type: calls}, {target: leaf, type: uses},"
            " {target: listener, type: emits}]",
            maps("src/top.ts"),
        ),
    }
)

GOLDENS = {
    "engine-package": Place(PACKAGE),
    "engine-annotations": Place(EVENTS),
    "engine-complete": Place(COMPLETE),
    "engine-stages": Place(STAGES),
}
EXAMPLES = (
    Example("Multi-Layered Model", "from the most general to the most specific", "engine-package"),
    Example("Assembly Algorithm", "the five steps, in order", "engine-complete"),
    Example(
        "Relational Annotations",
        "a dependency",
        "engine-annotations",
        differs="the heading is the tag of a block, as in the format of the package",
    ),
    Example(
        "Relational Annotations",
        "an event that is sent and one that is received",
        "engine-annotations",
        differs="the heading is the tag of a block, as in the format of the package",
    ),
    Example(
        "Context Package Format",
        "a whole package",
        "engine-package",
        differs="aspects of a block are an attribute; both annotations stand before a blank line; "
        "the budget status follows the package",
    ),
    Example("Tracked file collection", "the six layers", "engine-complete"),
    Example("Drift States", "the six states", "tools-drift"),
    Example("Complete Assembly Example", "a graph and its package", "engine-complete"),
    Example("Dependency Resolution Order", "stages", "engine-stages"),
)
