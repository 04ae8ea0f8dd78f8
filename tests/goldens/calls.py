"""The calls whose outputs are recorded, for each corpus and in groups of one file each.

A line is a call of `yg`. Before it may stand `*` (once as text and once with `--json`), `+` (it
writes: it runs in another copy, and the changed files are recorded and undone), `@STATE` (the
corpus with the edits of that name) and `cd DIR;`. After ` < ` stands the standard input.
"""

from __future__ import annotations

import shlex
from typing import NamedTuple


class Call(NamedTuple):
    """One call, with the state of the corpus it finds."""

    argv: tuple[str, ...]
    state: str = ""
    directory: str = "."
    stdin: str = ""
    writes: bool = False

    @property
    def title(self) -> str:
        """The call as it is written in a shell."""
        directory = f"cd {self.directory}; " if self.directory != "." else ""
        stdin = f" < {self.stdin!r}" if self.stdin else ""
        state = f"  # {self.state}" if self.state else ""
        return f"{directory}yg {shlex.join(self.argv)}{stdin}{state}"


class Edit(NamedTuple):
    """A change of a corpus: a text added to a file or in place of another one, or a removal."""

    path: str
    old: str | None = None  # None: at the end
    new: str | None = None  # None: the file or folder is removed


PATCH = """\
--- a/.yggdrasil/model/shared/money/interface.md
+++ b/.yggdrasil/model/shared/money/interface.md
@@ -1,1 +1,2 @@
+A line more about money.
"""

EDITED_SHOP = (
    Edit("src/shop/payments/service.py", None, "\n\ndef settle() -> None:\n    pass\n"),
    Edit(".yggdrasil/model/payments/payment-service/interface.md", None, "\n`settle()` ends.\n"),
    Edit(".yggdrasil/aspects/idempotency/content.md", None, "\nAlso at night.\n"),
    Edit("src/shop/inventory/service.py", None, "\n# A comment.\n"),
    Edit("src/shop/orders/pricing.py"),
    Edit(".yggdrasil/.drift-state/shared/money.json"),
)
STATES: dict[str, dict[str, tuple[Edit, ...]]] = {
    "shop": {
        "edited": EDITED_SHOP,
        "unsynced": (Edit(".yggdrasil/.drift-state"),),
        "bare": (Edit(".yggdrasil"),),
        "faulty": (
            Edit(".yggdrasil/model/orders/order-service/yg-node.yaml", "inventory/inv", "inv"),
            Edit(".yggdrasil/model/orders/pricing/responsibility.md"),
        ),
        "unowned": (Edit("src/shop/new.py", None, "X = 1\n"),),
    },
    "shop-0x": {
        "edited": (Edit("yggdrasil/orders/business-rules.md", None, "No order is empty.\n"),),
    },
    "spec-shop": {
        "edited": (
            Edit("specgraph/nodes/decisions/DEC-REST.json", "resources over", "things over"),
            Edit("specgraph/nodes/behaviors/CART-03.json", '"title"', '"titel"'),
            Edit("specgraph/nodes/policies/POL-SPEED.json"),
        ),
    },
    "broken": {
        "no-config": (Edit(".yggdrasil/yg-config.yaml"),),
        "wrong-config": (
            Edit(".yggdrasil/yg-config.yaml", "node_types:", "node_types: [service]\nother:"),
        ),
        "damaged-config": (Edit(".yggdrasil/yg-config.yaml", "name: broken", "name: [broken"),),
    },
    "own": {"edited": (Edit("src/yg/kernel/tokens.py", None, "\n\nX = 1\n"),)},
    "synthetic": {},
}

SHOP = """
# program
yg
*frobnicate
*validat
tree --dept 1
tree --depth
tree --depth x
tree --depth -1
tree --format xml
tree --kind specgraph
*tree --kind yggdrasil
tree --kind other
tree -C nowhere
tree -C src/shop
-C src tree --depth 0
cd src/shop/orders; tree --depth 0
tree --no-cache --depth 0
*@bare tree
@bare validate
@bare build-context orders
@bare drift
@bare owner src/shop/app.py
tree --at HEAD --depth 0
*tree --at nope
--version --json

# build-context
*build-context orders/order-service
build-context --node orders/order-service
build-context orders/order-service --format markdown
*build-context orders/order-service --why
build-context orders/order-service --why --format markdown
*build-context orders
*build-context orders/pricing
*build-context email-service
*build-context payments/payment-service
*build-context payments/stripe-gateway
*build-context inventory/inventory-service
*build-context shared/money
*build-context shared
build-context shared/money --format markdown
*build-context --file src/shop/orders/models.py
build-context --file src/shop/inventory/store.py
*build-context --file src/shop/app.py
*build-context --file nowhere.py
*build-context orders/pricing shared/money
build-context orders/pricing shared/money --format markdown
build-context payments/payment-service orders/order-service email-service
build-context orders/order-service --only own
*build-context orders/order-service --only dependencies
build-context orders/order-service --only hierarchy --only aspects
build-context orders/order-service --only flows
build-context orders/order-service --only events
build-context orders/order-service --only global
build-context orders/order-service --only nothing
build-context orders/order-service --depth 1
*build-context orders/order-servic
*build-context order-service
build-context src/shop/orders/pricing.py
build-context orders/order-service/
build-context ./orders/order-service
*build-context
build-context orders/order-service --at HEAD
build-context orders/order-service --at nope
*@faulty build-context orders/order-service
@faulty build-context orders/order-service --lenient
@faulty build-context shared/money
@faulty build-context shared/money --lenient
@edited build-context orders/order-service --at HEAD
@edited build-context payments/payment-service

# tree
*tree
*tree orders
tree --root orders
tree --depth 0
*tree --depth 1
tree orders --depth 0
*tree order
tree src/shop/orders
@faulty tree

# aspects
*aspects
aspects --at HEAD
aspects audit

# flows
*flows
flows --at HEAD

# status
*status
*@edited status
@faulty status
@unsynced status
status --at HEAD

# preflight
*preflight
*preflight --quick
*@edited preflight
@edited preflight --quick
*@edited preflight --since HEAD
@faulty preflight
@unsynced preflight
preflight --since nope

# owner
*owner src/shop/orders/service.py
owner --file src/shop/orders/service.py
*owner src/shop/orders/service.py src/shop/inventory/store.py src/shop/app.py nowhere.py
*owner src/shop/inventory
owner src/shop
owner .yggdrasil/model/orders/yg-node.yaml
owner orders/order-service
owner ../elsewhere.py
cd src/shop/orders; owner service.py
cd src/shop; owner orders/service.py ../../pyproject.toml
owner - < 'src/shop/orders/models.py'
*owner
owner src/shop/orders/service.py --at HEAD

# deps
*deps orders/order-service
deps --node orders/order-service
*deps orders/order-service --depth 1
deps orders/order-service --depth 0
deps orders/order-service --depth x
*deps orders/order-service --type structural
*deps orders/order-service --type event
deps orders/order-service --type all
deps orders/order-service --type other
deps email-service
*deps shared/money
*deps orders/orderservice
deps src/shop/orders/service.py
*deps
deps orders/order-service --at HEAD
@faulty deps orders/order-service

# impact
*impact shared/money
*impact payments/payment-service
impact --node payments/payment-service
impact orders/order-service
impact orders
impact email-service
*impact payments/payment-service --method refund
impact payments/payment-service --method nothing
*impact --aspect idempotency
*impact --aspect observability/logging
impact --aspect logging
*impact --flow checkout
impact --flow chekout
*impact shared/moneys
impact src/shop/shared/money.py
*impact
*impact shared/money --flow checkout
impact payments/payment-service --simulate
*@edited impact payments/payment-service --simulate
@edited impact --aspect idempotency --simulate
@edited impact --flow checkout --simulate
@edited impact payments/payment-service --simulate --since HEAD
impact payments/payment-service --simulate --since nope
impact shared/money --at HEAD
impact --patch - < PATCH
impact shared/money --patch - < PATCH
impact shared/money --patch nowhere.diff

# validate
*validate
check
*check orders
validate --strict
*validate orders
validate --scope orders
validate --scope all
*validate order
validate --format sarif
validate --format github
validate --format xml
*@faulty validate
@faulty validate --strict
*@faulty validate orders/order-service
@faulty validate shared
@faulty validate --since HEAD
*@faulty validate --since HEAD --strict
@faulty validate --format sarif
@faulty validate --format github
validate --since nope
@faulty validate --at HEAD
@edited validate

# drift
*drift
*@edited drift
*@edited drift --drifted-only
@edited drift --limit 1
@edited drift --limit 0
*@edited drift payments
@edited drift --scope payments
@edited drift orders/pricing --drifted-only
*@edited drift --since HEAD
*@unsynced drift
*drift orders/order-service
drift shared
*drift orders/nothing
drift --limit x
drift --since nope
@faulty drift

# drift-sync
*drift-sync
+@edited drift-sync payments/payment-service
+@edited drift-sync --node payments/payment-service
+@edited drift-sync payments --recursive
+@edited drift-sync payments
*+@edited drift-sync --all
*+@edited drift-sync orders/pricing
+@unsynced drift-sync --all
+@unsynced drift-sync orders/order-service shared/money
+@unsynced drift-sync orders --recursive
+drift-sync --all
*+drift-sync shared/mony
drift-sync shared/money --all

# plan
*plan
*plan orders/order-service
plan --node orders/order-service
plan orders
*plan shared/money
*plan orders/orders
plan --at HEAD
@faulty plan
*+plan --packages out
+plan orders/order-service --packages out

# review
*review
*@edited review
@edited review --format sarif
@edited review --format github
*@edited review payments
@edited review shared/money
@edited review --since HEAD
review payment

# brief
*brief orders/order-service
*brief src/shop/orders/pricing.py
brief shared/money payments/payment-service
brief src/shop/app.py
*brief orders/order
@edited brief payments/payment-service

# find
*find idempotency
*find refund --limit 2
find "nothing at all here"
find refund charge
*find xyzzy
find
find refund --limit 0
find refund --at HEAD

# coverage
*coverage
*coverage --uncovered
coverage --at HEAD

# export
export
*export --format json
export --format dot
export --format mermaid
export --format csv
export --format csv --table nodes
export --format csv --table texts
export --format csv --repository other
export --format parquet
export --format xml
export --format csv --table nothing
+export -o out.json
+export --format csv -o nodes.csv
export --format dot --at HEAD

# new
*+new node orders/returns
+new node orders/returns --type service
+new node orders/returns --type library --dry-run
+new node returns --type other
+new node orders/app --type library --map src/shop/app.py
+new node orders/app --type library --map src/shop/nothing.py
+new node orders/app --blackbox --map src/shop/audit.py
*+new node orders/pricing
+new node
+new node ../escape
*+new aspect requires-auth
+new aspect idempotency
*+new flow returning orders/order-service payments/payment-service
+new flow returning orders/order
+new flow returning
+new flow checkout orders/order-service
+new thing x

# mv
*+mv orders/pricing orders/prices
+mv payments billing
+mv orders/pricing shared/pricing --dry-run
+mv orders/pricing orders/order-service
*+mv orders/prising orders/prices
+mv idempotency idempotent
+mv --aspect idempotency idempotent
*+mv --aspect observability/logging logging
+mv --flow checkout buying
+mv checkout buying
+mv orders orders/inner
+mv orders/pricing
+mv orders/pricing orders/prices --flow

# draft
*+@bare draft
+@bare draft --dry-run
+@bare draft --max-nodes 3
@bare draft --max-nodes x
*+draft
+@unowned draft --add
*+draft --add --dry-run

# init
*+@bare init
+@bare init --dry-run
+@bare init --name other
+@bare init --platform claude-code
+@bare init --platform cursor
+@bare init --platform copilot
+@bare init --platform cline
+@bare init --platform roocode
+@bare init --platform codex
+@bare init --platform windsurf
+@bare init --platform aider
+@bare init --platform gemini
+@bare init --platform amp
+@bare init --platform generic
*+@bare init --platform emacs
+@bare init --platform claude-code --hooks
+@bare init --upgrade
*+init
+init --upgrade
*+init --upgrade --dry-run
+init --upgrade --platform codex

# explain
explain
EXPLAINED
explain E004 --json
explain W001 --format markdown
explain e004
*explain E999
explain missing-artifact
explain --schema
explain --schema yg-tree/1
explain --schema yg-owner/1
*explain --schema yg-nothing/1

# completions
completions
completions bash
completions zsh
completions fish
completions tcsh

# explore
explore --port x
explore --port 99999
"""
KEPT_CODES = (
    *(f"E{at:03d}" for at in (1, 2, 3, 4, 6, 7, 9, 10, *range(12, 22), 25)),
    *(f"W{at:03d}" for at in (1, 2, 5, 6, 7, *range(9, 15), 16, 18, 19, 20, 21, 22)),
    *("W027", "W028", "W033", "W037"),
    *(f"E{at}" for at in (*range(101, 114), 115)),
    *("W101", "W102", "W103", "W104", "W106", "W107", "W108"),
)

SHOP_0X = """
# graph
*validate
*validate orders
validate --format sarif
check
*tree
tree orders --depth 1
*tree --kind yggdrasil-0x
tree --kind yggdrasil
*aspects
*flows
*status
*preflight
preflight --quick
*owner src/orders/service.py nowhere.py
*deps orders/order-service
deps orders/order-service --type structural
*impact payments/payment-service
impact auth/auth-api
*impact --aspect requires-audit
impact --flow checkout-flow
@edited impact orders/order-service --simulate
*plan
plan orders/order-service
*find audit
*coverage
brief orders/order-service
export
export --format dot
export --format mermaid
export --format csv

# build-context
*build-context orders/order-service
build-context orders/order-service --format markdown
build-context orders/order-service --why
*build-context payments/payment-service
build-context auth/auth-api auth/login-service
build-context orders
*build-context --file src/orders/service.py
build-context orders/order-service --only own
*build-context orders/order
@edited build-context orders/order-service

# not-possible
*drift
drift-sync --all
review
+new node orders/returns
+mv orders sales
*+init
+draft --add

# upgrade
*+init --upgrade --dry-run
+init --upgrade
+init --upgrade --platform claude-code
"""

SPEC_SHOP = """
# graph
*validate
*validate CART
validate --format sarif
validate --format github
*@edited validate
@edited validate --strict
@edited validate --format sarif
@edited validate --since HEAD
*validate CARD
check
*tree
tree CART
tree --depth 1
tree --kind specgraph
tree --kind yggdrasil
tree NOTHING
*status
*preflight
*@edited preflight
*deps CART-01
deps CART-01 --depth 1
deps CARD-01
*impact CART
*impact DEC-REST
@edited impact DEC-REST --simulate
impact --aspect x
*plan
plan CART
*find cart
find cart --limit 1
export
export --format dot
export --format mermaid
export --format csv

# build-context
*build-context CART-01
build-context CART-01 --format markdown
*build-context CART-01 --depth 1
build-context CART-01 --depth full
build-context CART-01 --depth x
build-context CART-01 --why
*build-context CART CART-02
build-context SHOP
build-context SIGNIN-01
build-context DEC-IDP-02
build-context POL-ACCESS
*build-context CARD
build-context --file api/cart.openapi.yaml
@edited build-context CART-01
@edited build-context CART-01 --lenient

# not-possible
*drift
drift-sync --all
*aspects
flows
owner api/cart.openapi.yaml
coverage
review
brief CART
+new node x
+mv CART BASKET
+draft
+init
+init --upgrade
"""

BROKEN = """
# issues
validate

# validate
validate --json
validate --strict
*validate orders
validate orders/order-service
validate cart
*validate legacy
validate ghos
validate --format sarif
validate --format github
validate --since HEAD
check payments
*@no-config validate
*@wrong-config validate
*@damaged-config validate

# read
*tree
*aspects
*flows
*status
*preflight
preflight --quick
*@no-config status
@wrong-config tree
*owner src/orders/service.py src/orders/money.py src/payments.py src/ghost/x.py
*deps orders/order-service
deps cart
deps legacy
*impact shared/money
impact cart
impact --aspect ring/a
impact --aspect audit
impact --flow buying
impact --flow refund
*plan
plan cart
plan shared/money
*drift
drift ghost
find order
brief orders/order-service
coverage
export
export --format mermaid

# build-context
*build-context orders/order-service
build-context orders/order-service --lenient
build-context cart
build-context cart --lenient
build-context listener --lenient
*build-context legacy
build-context legacy --lenient
build-context large
*build-context large --lenient
build-context outside --lenient
build-context shared/money
build-context shared/money --lenient
build-context drafts
build-context ghost --lenient
@no-config build-context shared/money --lenient
@damaged-config build-context shared/money --lenient

# write
+drift-sync --all
+drift-sync payments/payment-service
+drift-sync ghost
+drift-sync shared/money
+drift-sync legacy
+new node orders/returns --type module
+mv cart basket
+init --upgrade
+@no-config init --upgrade
"""

OWN = """
# read
*validate
validate surfaces
validate --format sarif
*tree
tree surfaces --depth 1
*aspects
*flows
*status
*preflight
preflight --quick
*owner src/yg/kernel/tokens.py src/yg/version.py tests/support.py docs/rules.md README.md
*deps surfaces/cli
deps surfaces/cli --depth 2
deps surfaces/cli --type structural
*impact kernel/values
impact kernel/decoding
impact --aspect determinism
impact --aspect bad-input
*plan
plan surfaces/cli
*drift
drift kernel
@edited drift --since HEAD
@edited validate --since HEAD
@edited preflight --since HEAD
@edited impact kernel/files --simulate
find tokens
*coverage
brief kernel/files
export
export --format dot
export --format csv
export --format csv --table texts

# build-context
*build-context kernel/values
*build-context yggdrasil/rules
build-context yggdrasil/rules --why
build-context yggdrasil/edit
build-context surfaces/cli
build-context surfaces/mcp --format markdown
build-context workspace
build-context specgraph/context specgraph/impact
build-context tests
*build-context --file src/yg/kernel/tokens.py
build-context commands --only own
build-context commands --only dependencies
+plan --packages out

# write
+drift-sync --all
+drift-sync kernel/values
+drift-sync kernel --recursive
+mv kernel core
+mv --aspect determinism same-bytes
"""

SYNTHETIC = """
# read
*validate
validate n0001
validate --strict
validate --format sarif
*tree
tree n0003
tree --depth 1
*aspects
*flows
*status
*preflight
preflight --quick
*owner src/n0003/n0083/n0523.py src/n0001.py src/other.py
*deps n0002/n0032/n0472
deps n0003/n0083/n0523 --depth 2
deps n0003/n0083/n0523 --type structural
*impact n0000
impact n0005 --method payport
impact n0001/n0011/n0101
impact --aspect aspect02
impact --flow flow03
*plan
plan n0003/n0083/n0523
*drift
drift n0001 --drifted-only
drift --limit 3
find invoice
*coverage
export
export --format dot
export --format mermaid
export --format csv

# build-context
*build-context n0003/n0083/n0523
build-context n0003/n0083/n0523 --why
build-context n0000
build-context n0002/n0032/n0472
build-context n0002/n0032/n0472 n0003/n0083/n0523 --format markdown
build-context --file src/n0001/n0011/n0101.py
build-context n0003/n0083/n0524
+plan --packages out

# write
+drift-sync --all
+drift-sync n0003 --recursive
+mv n0003/n0083 m0083
"""
TABLES = {
    "shop": SHOP,
    "shop-0x": SHOP_0X,
    "spec-shop": SPEC_SHOP,
    "broken": BROKEN,
    "own": OWN,
    "synthetic": SYNTHETIC,
}


def calls_of(corpus: str) -> dict[str, list[Call]]:
    """Return the calls in a corpus, by group."""
    groups: dict[str, list[Call]] = {}
    explained = "\n".join(f"explain {code}" for code in KEPT_CODES)
    for line in TABLES[corpus].replace("EXPLAINED", explained).splitlines():
        if line.startswith("# "):
            groups[line[2:]] = []
        elif line:
            groups[list(groups)[-1]] += parsed(line)
    return groups


def parsed(line: str) -> list[Call]:
    """Return the call that a line stands for, or its two calls."""
    rest = line.removeprefix("*")
    writes = rest.startswith("+")
    rest, state = rest.removeprefix("+"), ""
    if rest.startswith("@"):
        state, _, rest = rest[1:].partition(" ")
    directory = "."
    if rest.startswith("cd "):
        directory, _, rest = rest[3:].partition("; ")
    words, _, stdin = rest.partition(" < ")
    given = PATCH if stdin == "PATCH" else "".join(f"{word}\n" for word in shlex.split(stdin))
    argv = () if words == "yg" else tuple(shlex.split(words))
    call = Call(argv, state, directory, given, writes)
    return [call, call._replace(argv=(*argv, "--json"))] if line.startswith("*") else [call]
