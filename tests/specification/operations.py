"""The repositories in which the operations of the document "Tools" print its examples."""

from __future__ import annotations

from specification.writing import (
    PROJECT,
    TEXT,
    Files,
    aspect,
    calls,
    flow,
    graph,
    maps,
    node,
    plain,
)


def modules(*names: str) -> Files:
    """Return nodes that only have children."""
    return {path: text for name in names for path, text in plain(name, kind="module").items()}


def relation(target: str, kind: str = "calls", more: str = "") -> str:
    """Return one entry of a list of relations."""
    return f"{{target: {target}, type: {kind}{more}}}"


def relations(*entries: str) -> str:
    """Return a list of relations."""
    return f"relations: [{', '.join(entries)}]"


TREE = graph(
    {
        **modules("auth", "orders"),
        **plain("auth/login-service", "aspects: [{aspect: requires-auth}]", calls("orders")),
        **plain("auth/token-service"),
        **plain(
            "orders/order-service",
            "aspects: [{aspect: requires-audit}, {aspect: requires-auth}]",
            calls("payments", "payments/payment-service"),
        ),
        **plain("payments", "blackbox: true", kind="module"),
        **plain("payments/payment-service", "blackbox: true"),
        **aspect("requires-audit"),
        **aspect("requires-auth"),
    }
)
LISTED_ASPECTS = graph(
    {
        "aspects/observability/logging/yg-aspect.yaml": (
            "name: Audit Logging\ndescription: One entry for every change of state\n"
            "implies: [observability/tracing]\nstability: protocol\n"
        ),
        "aspects/deterministic/yg-aspect.yaml": "name: Determinism\nstability: schema\n",
    }
)
LISTED_FLOWS = graph(
    {
        **modules("orders", "auth"),
        **plain("orders/order-service"),
        **plain("auth/auth-api"),
        **flow(
            "Checkout Flow", "orders/order-service", "auth/auth-api", aspects=("requires-audit",)
        ),
        **aspect("requires-audit"),
    }
)
EIGHT_TYPES = PROJECT.replace("always", "never").replace(
    "{when: has_incoming_relations}", "never"
) + "".join(
    f'  {name}.md: {{required: never, description: "More"}}\n'
    for name in ("states", "limits", "failures", "examples", "history")
)
HEALTH = {
    **modules("orders", "payments"),
    **node(
        "auth",
        f"name: Auth\ntype: module\naspects: [{{aspect: requires-audit}}]\n{maps('src/auth.ts')}\n",
    ),
    **plain(
        "orders/order-service",
        "aspects: [{aspect: requires-saga}]",
        relations(
            relation("payments/payment-service"),
            relation("money"),
            relation("dates"),
            relation("auth/login-service"),
            relation("orders/cart-service", "emits"),
        ),
        maps("src/order.ts"),
    ),
    **plain(
        "orders/cart-service",
        "aspects: [{aspect: requires-saga}]",
        relations(
            relation("money"),
            relation("dates"),
            relation("auth/login-service"),
            relation("orders/order-service", "listens"),
        ),
        maps("src/cart.ts"),
    ),
    **plain(
        "payments/payment-service",
        "aspects: [{aspect: requires-auth}]",
        calls("money", "dates", "stripe"),
        maps("src/payment.ts"),
    ),
    **plain(
        "payments/refund-service",
        "aspects: [{aspect: requires-auth}]",
        calls("payments/payment-service", "money"),
        maps("src/refund.ts"),
    ),
    **plain(
        "auth/login-service",
        relations(
            relation("auth/token-service"),
            relation("legacy"),
            relation("auth/session-service", "emits"),
        ),
        maps("src/login.ts"),
    ),
    **plain(
        "auth/session-service",
        relations(relation("auth/token-service"), relation("auth/login-service", "listens")),
        maps("src/session.ts"),
    ),
    **plain("auth/token-service", maps("src/token.ts")),
    **plain("money", maps("src/money.ts"), kind="library"),
    **plain("dates", maps("src/dates.ts"), kind="library"),
    **plain("stripe", "blackbox: true", maps("src/stripe.ts")),
    **plain("legacy", "blackbox: true", maps("src/legacy.ts")),
    **aspect("requires-audit"),
    **aspect("requires-auth"),
    **aspect("requires-saga"),
    **flow("Checkout", "orders/order-service"),
    **flow("Login", "auth/login-service"),
}
HEALTH_SOURCES = tuple(
    f"src/{name}.ts"
    for name in (
        *("auth", "order", "payment", "refund", "login", "token", "money", "dates"),
        *("stripe", "legacy"),
    )
)
FILLED = [path.removesuffix("/yg-node.yaml") for path in HEALTH if path.endswith("/yg-node.yaml")]
STATUS = graph(
    {
        **HEALTH,
        **{f"{path}/internals.md": TEXT for path in FILLED},
        **{f"{path}/states.md": TEXT for path in FILLED[:6]},
    },
    EIGHT_TYPES,
    HEALTH_SOURCES,
)
PREFLIGHT = graph(
    {
        **HEALTH,
        **{f"model/{name}/internals.md": "Short.\n" for name in ("orders", "money", "dates")},
    },
    sources=(*HEALTH_SOURCES, "src/cart.ts", "src/session.ts"),
)
OWNER = graph(
    {
        **modules("orders"),
        **plain("orders/order-service", maps("src/modules/orders")),
        **plain("orders/rules", maps("src/modules/rules.ts")),
    },
    sources=(
        "src/modules/orders/subdir/helper.ts",
        "src/modules/rules.ts",
        "src/utils/helpers.ts",
    ),
)
DEPS = graph(
    {
        **modules("orders", "payments", "inventory", "notifications", "stripe"),
        **plain(
            "orders/order-service",
            relations(
                relation("payments/payment-service"),
                relation("inventory/inventory-service"),
                relation("notifications/notification-service", "emits"),
            ),
        ),
        **plain("payments/payment-service", calls("stripe/stripe-gateway")),
        **plain("inventory/inventory-service"),
        **plain("notifications/notification-service"),
        **plain("stripe/stripe-gateway", "blackbox: true"),
    }
)
CHARGE = ", consumes: [charge]"
IMPACT = graph(
    {
        **modules("payments", "orders", "subscriptions", "checkout", "notifications"),
        **plain(
            "payments/payment-service",
            relations(
                relation("notifications/email-service", "emits", ", event_name: PaymentCompleted")
            ),
        ),
        **plain("payments/payment-service/stripe-adapter"),
        **plain(
            "orders/order-service",
            relations(
                relation("payments/payment-service", "calls", ", consumes: [charge, refund]")
            ),
        ),
        **plain(
            "subscriptions/billing-service",
            relations(relation("payments/payment-service", "calls", CHARGE)),
            maps("src/billing/charge.ts"),
        ),
        **plain("checkout/checkout-controller", calls("orders/order-service")),
        **plain(
            "notifications/email-service",
            relations(
                relation("payments/payment-service", "listens", ", event_name: PaymentCompleted")
            ),
        ),
        **flow(
            "Checkout",
            "orders/order-service",
            "payments/payment-service",
            aspects=("requires-saga", "requires-idempotency"),
        ),
        **aspect("requires-saga"),
        **aspect("requires-idempotency"),
    }
)
IMPACT_ASPECT = graph(
    {
        **plain("orders", "aspects: [{aspect: requires-audit}]", kind="module"),
        **plain("orders/order-service"),
        **modules("payments"),
        **plain("payments/payment-service"),
        **flow("Checkout", "payments/payment-service", aspects=("requires-audit",)),
        **aspect("requires-audit"),
    }
)
IMPACT_FLOW = graph(
    {
        **modules("auth", "orders", "payments"),
        **plain("auth/auth-api"),
        **plain("orders/order-service"),
        **plain("payments/payment-service"),
        **plain("payments/payment-service/stripe-adapter"),
        **flow(
            "Checkout Flow",
            "auth/auth-api",
            "orders/order-service",
            "payments/payment-service",
            aspects=("requires-saga",),
        ),
        **aspect("requires-saga"),
    }
)
SIMULATED = graph(
    {
        **modules("payments", "orders", "subscriptions"),
        **plain("payments/payment-service"),
        **plain(
            "orders/order-service",
            relations(
                relation("payments/payment-service", "calls", ", consumes: [charge, refund]")
            ),
            maps("src/orders/order.ts"),
        ),
        **plain(
            "subscriptions/billing-service",
            relations(relation("payments/payment-service", "calls", CHARGE)),
            maps("src/billing/charge.ts"),
        ),
    },
    sources=("src/orders/order.ts", "src/billing/charge.ts"),
)
MESSAGES = graph(
    {
        **modules("orders", "payments", "auth", "checkout", "subscriptions"),
        **plain("payments/payment-service"),
        **plain("orders/broken", calls("payment/svc")),
        **node("orders/order-service", "name: OrderService\ntype: service\n", interface=""),
        **plain("auth/login-service", calls("orders/order-service")),
        **plain("checkout/controller", calls("orders/order-service")),
        **plain("subscriptions/billing-service", calls("orders/order-service")),
        **node(
            "orders/archive",
            "name: Archive\ntype: service\n",
            internals="A sentence of 32 characters....\n" * 1462,
        ),
    }
)
DRIFT = graph(
    {
        **modules("orders", "auth", "notifications", "payments"),
        **plain("orders/order-service", maps("src/modules/orders/order.service.ts")),
        **plain("auth/token-service", maps("src/token.ts")),
        **plain("notifications/email-service", maps("src/email.ts")),
        **plain("payments/payment-service", maps("src/payment.ts")),
    },
    sources=("src/modules/orders/order.service.ts", "src/token.ts", "src/payment.ts"),
)
STATE = graph(
    {
        **modules("cli"),
        **plain("cli/commands", "aspects: [{aspect: requires-audit}]", kind="module"),
        **plain("cli/commands/aspects", maps("lib/b.txt", "lib/a.txt")),
        **aspect("requires-audit"),
    },
    sources=("lib/a.txt", "lib/b.txt"),  # no code: a baseline says more about that
)
