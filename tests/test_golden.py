"""What commands answer in the example repositories, byte for byte.

The expected bytes stand in tests/golden/: NAME.out for stdout and NAME.err for stderr, where a
missing file means no byte at all. `YG_UPDATE_GOLDEN=1 make test` writes them anew; look at the
difference before committing it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from forked import shared
from support import REPOSITORY, write

EXAMPLES = REPOSITORY / "examples"
GOLDEN = Path(__file__).parent / "golden"
IS_UPDATE = os.environ.get("YG_UPDATE_GOLDEN") == "1"
FROM_OUTSIDE = ("FORCE_COLOR", "NO_COLOR", "YG_DEBUG", "YG_KIND")


@dataclass(frozen=True, slots=True)
class Case:
    """One call: the name of its golden files, its arguments, its exit code, its input."""

    name: str
    argv: tuple[str, ...]
    code: int = 0
    stdin: bytes = b""
    directory: str = "."  # below the example repository
    example: str = "shop"


def spec(name: str, *argv: str, code: int = 0) -> Case:
    """Make a case of the example that is a Spec Graph."""
    return Case(f"spec-{name}", argv, code, example="spec-shop")


CHANGED = "changed-spec-shop"  # the same, with changes that are not committed
CHANGES = (  # by file, a text and what it becomes
    ("nodes/decisions/DEC-REST.json", "resources over HTTP", "resources over HTTP/2"),
    ("nodes/artifacts/ART-OPENAPI.json", '"sha256": "109674f8', '"sha256": "000074f8'),
    ("nodes/features/CART.json", '"CART-03"', '"CART-03", "CART-04"'),
    (
        "graph.json",
        '"nodes": [',
        '"nodes": [{"id": "CART-04", "path": "nodes/behaviors/CART-04.json"},',
    ),
)
ADDED = """\
{
  "id": "CART-04",
  "type": "behavior",
  "title": "Emptying the cart",
  "expectation": "A customer can take everything out of the cart at once",
  "verification": "pytest tests/cart/test_empty.py",
  "links": {"depends_on": ["API-CART"]}
}
"""


def changed(name: str, *argv: str, code: int = 0) -> Case:
    """Make a case of that example with changes."""
    return Case(f"spec-changed-{name}", argv, code, example=CHANGED)


DOCUMENTED = "documented-shop"  # the example with documents and decisions outside the graph
DOCUMENTS = {
    "README.md": "# Shop\n\n## Prices\n\nGross prices, in whole cents.\n\n"
    "### Rounding\n\nHalf up.\n\n## Orders\n\nAn order has lines and a price.\n",
    "docs/adr/0001-cents.md": "# 1. Cents\n\n## Status\n\nAccepted\n\n## Decision\n\n"
    "Whole cents.\n",
    "docs/adr/0002-floats.md": "# 2. Floats\n\n## Status\n\nRejected\n\n## Decision\n\nNo.\n",
    "docs/adr/0003-lines.md": "# 3. Rounding per line\n\n## Context\n\n"
    + "Carts show lines. " * 120
    + "\n\n## Decision\n\nEach line is rounded.\n\n## Alternatives\n\nThe total.\n",
}
LISTED = {
    "orders": "decisions: [1]\ndocuments: [README.md#Orders]\n",
    "orders/pricing": "documents: [README.md#prices]\ndecisions: [3, 1]\n",
    "shared/money": "decisions: [1]\n",
}


def documented(name: str, *argv: str, code: int = 0) -> Case:
    """Make a case of that example."""
    return Case(f"documents-{name}", argv, code, example=DOCUMENTED)


ORDER, EMAIL = "orders/order-service", "email-service"
STOCK = "inventory/inventory-service"
FILES = (
    "src/shop/orders/service.py",
    "src/shop/inventory/store.py",
    "src/shop/app.py",
    "src/shop/orders/gone.py",
    "src/shop/gone.py",
    "../../README.md",
    ".",
)

NEW_BEHAVIOR = (
    *("node", "add", "behavior", "SIGNIN-03", "--title", "Staying signed in"),
    *("--statement", "A customer who comes back within a day is still signed in"),
    *("--verification", "pytest tests/signin/test_stay.py -k SIGNIN_03"),
)

CASES = (
    # The program itself.
    Case("help", ("--help",)),
    Case("no-arguments", (), code=2),
    Case("version", ("--version",)),
    Case("unknown-command", ("tre",), code=2),
    Case("unknown-command-json", ("tre", "--json"), code=2),
    Case("unlike-any-command", ("frobnicate",), code=2),
    # Context packages.
    Case("build-context", ("build-context", ORDER)),
    Case("build-context-markdown", ("build-context", ORDER, "--format", "markdown")),
    Case("build-context-json", ("build-context", ORDER, "--json")),
    Case("build-context-why", ("build-context", ORDER, "--why")),
    Case("build-context-module", ("build-context", "payments")),
    Case("build-context-module-json", ("build-context", "payments", "--json")),
    Case("build-context-library", ("build-context", "--node", "shared/money")),
    Case("build-context-library-markdown", ("build-context", "shared/money", "--format=markdown")),
    Case("build-context-blackbox", ("build-context", "payments/stripe-gateway")),
    Case("build-context-blackbox-why", ("build-context", "payments/stripe-gateway", "--why")),
    Case("build-context-exception", ("build-context", STOCK)),
    Case("build-context-inherited", ("build-context", "payments/payment-service")),
    Case("build-context-inherited-why", ("build-context", "payments/payment-service", "--why")),
    Case("build-context-listener", ("build-context", EMAIL)),
    Case("build-context-listener-markdown", ("build-context", EMAIL, "--format", "markdown")),
    Case("build-context-listener-json", ("build-context", EMAIL, "--format", "json")),
    Case("build-context-listener-why", ("build-context", EMAIL, "--why")),
    Case("build-context-lenient", ("build-context", "orders/pricing", "--lenient")),
    Case("build-context-spelled-oddly", ("build-context", "./model/orders/pricing/")),
    Case("build-context-file", ("build-context", "--file", "src/shop/orders/pricing.py")),
    Case(
        "build-context-file-below-a-directory",
        ("build-context", "--file", "templates.py", "--why"),
        directory="src/shop/notifications",
    ),
    Case("build-context-several", ("build-context", EMAIL, "orders/pricing", STOCK)),
    Case("build-context-several-why", ("build-context", ORDER, "orders/pricing", STOCK, "--why")),
    Case(
        "build-context-several-json",
        ("build-context", "orders/pricing", "--file", "src/shop/shared/__init__.py", "--json"),
    ),
    Case(
        "build-context-several-markdown",
        ("build-context", "orders/pricing", "shared/money", "--format=markdown"),
    ),
    Case("build-context-have", ("build-context", EMAIL, "--have", ORDER)),
    Case("build-context-have-json", ("build-context", "orders/pricing", "--have", ORDER, "--json")),
    Case("build-context-have-why", ("build-context", EMAIL, "--have", ORDER, "--why")),
    Case("build-context-have-changed", ("build-context", EMAIL, "--have", f"{ORDER}:0123")),
    Case("build-context-digest", ("build-context", EMAIL, "--digest")),
    Case("build-context-only", ("build-context", ORDER, "--only=global", "--only=flow:checkout")),
    Case("build-context-only-nothing", ("build-context", "orders/pricing", "--only", "flow")),
    Case(
        "build-context-only-heading", ("build-context", ORDER, "--only=flow::description.md#goal")
    ),
    Case("build-context-outline", ("build-context", ORDER, "--outline", "--have=payments")),
    Case("build-context-outline-json", ("build-context", "orders/pricing", "--outline", "--json")),
    Case("build-context-only-unknown", ("build-context", ORDER, "--only", "flow:x"), code=1),
    Case("build-context-only-wrong", ("build-context", ORDER, "--only", "flows"), code=2),
    Case("build-context-without", ("build-context", EMAIL, "--without=aspect", "--without=flow")),
    Case("build-context-fit", ("build-context", ORDER, "--fit", "2500")),
    Case("build-context-fit-json", ("build-context", ORDER, "--fit", "2000", "--json")),
    Case("build-context-fit-why", ("build-context", ORDER, EMAIL, "--fit", "2100", "--why")),
    Case("build-context-fit-markdown", ("build-context", EMAIL, "--fit=1500", "--format=markdown")),
    Case("build-context-fit-floor", ("build-context", ORDER, "--fit", "10"), code=1),
    Case("build-context-fit-nothing", ("build-context", ORDER, "--fit", "0"), code=2),
    Case("build-context-uncovered-file", ("build-context", "--file", "src/shop/app.py"), code=1),
    Case("build-context-nothing-named", ("build-context",), code=2),
    Case("build-context-unknown-node", ("build-context", "order/order-service"), code=1),
    Case("build-context-unknown-node-json", ("build-context", "shared/mony", "--json"), code=1),
    # Briefs and the overview.
    Case("brief", ("brief", ORDER)),
    Case("brief-file", ("brief", "src/shop/orders/pricing.py")),
    Case("brief-several", ("brief", STOCK, "src/shop/payments/service.py")),
    Case("brief-json", ("brief", STOCK, "--json")),
    Case("brief-limit", ("brief", ORDER, "--limit", "300")),
    Case("brief-uncovered", ("brief", "src/shop/app.py"), code=1),
    Case("brief-partly-uncovered", ("brief", "src/shop/app.py", "orders/pricing")),
    Case("brief-unknown", ("brief", "orders/prices"), code=1),
    Case("brief-nothing-named", ("brief",), code=2),
    Case("overview", ("overview", "--no-cache")),
    Case("overview-json", ("overview", "--no-cache", "--json")),
    # The tree.
    Case("tree", ("tree",)),
    Case("tree-json", ("tree", "--json")),
    Case("tree-depth-0", ("tree", "--depth", "0")),
    Case("tree-depth-1", ("tree", "--depth", "1")),
    Case("tree-depth-1-json", ("tree", "--depth", "1", "--json")),
    Case("tree-root", ("tree", "payments")),
    Case("tree-root-json", ("tree", "--root", "payments", "--json")),
    Case("tree-root-depth-0", ("tree", "--root", "model/payments/", "--depth", "0")),
    Case("tree-unknown-root", ("tree", "payment"), code=1),
    Case("tree-wrong-depth", ("tree", "--depth", "abc"), code=2),
    # Finding.
    Case("find", ("find", "order", "Payment")),
    Case("find-json", ("find", "orders/pricing", "--json")),
    Case("find-phrase", ("find", '"at most once"', "-stripe")),
    Case("find-parts", ("find", "checkoutId", "--limit", "3")),
    Case("find-prefix", ("find", "idempot*", "--kind-of", "aspect")),
    Case("find-nothing", ("find", "ordr", "submarine"), code=1),
    Case("find-nothing-json", ("find", "ordr", "--json"), code=1),
    Case("find-no-limit", ("find", "order", "--limit", "0"), code=2),
    Case("find-no-word", ("find", "--", "//"), code=2),
    # Code.
    Case("show", ("show", "quote", "Money.percent")),
    Case("show-json", ("show", "shared/money::percent", "--json")),
    Case("show-line", ("show", "money.py:35"), directory="src/shop/shared"),
    Case("show-no-part", ("show", "src/shop/orders/pricing.py:1"), code=1),
    Case("show-several", ("show", "total"), code=1),
    Case("show-several-json", ("show", "total", "nowhere", "--json"), code=1),
    Case("show-outline", ("show", "--outline", "shared/money", "src/shop/orders/models.py::Order")),
    Case("show-outline-json", ("show", "--outline", "orders/pricing", "--json")),
    Case("show-a-node", ("show", "orders/pricing"), code=1),
    Case("show-unknown", ("show", "qoute"), code=1),
    Case("show-nothing-named", ("show",), code=2),
    # Aspects and flows.
    Case("aspects", ("aspects",)),
    Case("aspects-json", ("aspects", "--json")),
    Case("flows", ("flows",)),
    Case("flows-json", ("flows", "--json")),
    # Owners.
    Case("owner", ("owner", *FILES)),
    Case("owner-json", ("owner", "--json", *FILES)),
    Case("owner-option", ("owner", "--file", FILES[0])),
    Case("owner-below-a-directory", ("owner", "service.py"), directory="src/shop/orders"),
    Case("owner-stdin", ("owner", "-"), stdin="\n".join(FILES).encode()),
    Case("owner-stdin-json", ("owner", "-", "--json"), stdin=b"src/shop/audit.py\r\n\n"),
    Case("owner-empty-stdin", ("owner", "-")),
    Case("owner-empty-stdin-json", ("owner", "-", "--json")),
    Case("owner-nothing-named", ("owner",), code=2),
    # Dependencies.
    Case("uses", ("uses", "quote")),
    Case("uses-json", ("uses", "shared/money::percent", "--json")),
    Case("uses-limit", ("uses", "Money", "--limit", "2")),
    Case("uses-several", ("uses", "total"), code=1),
    Case("uses-unknown", ("uses", "qoute"), code=1),
    Case("uses-nothing-named", ("uses",), code=2),
    Case("deps", ("deps", ORDER)),
    Case("deps-json", ("deps", ORDER, "--json")),
    Case("deps-depth-0", ("deps", ORDER, "--depth", "0")),
    Case("deps-depth-1", ("deps", ORDER, "--depth", "1")),
    Case("deps-depth-2", ("deps", ORDER, "--depth", "2")),
    Case("deps-depth-2-json", ("deps", ORDER, "--depth", "2", "--json")),
    Case("deps-structural", ("deps", ORDER, "--type", "structural")),
    Case("deps-event", ("deps", ORDER, "--type", "event")),
    Case("deps-event-json", ("deps", "--node", ORDER, "--type", "event", "--json")),
    Case("deps-leaf", ("deps", "shared/money")),
    Case("deps-leaf-json", ("deps", "shared/money", "--json")),
    Case("deps-unknown-node", ("deps", "orders/order-servcie"), code=1),
    Case("deps-nothing-named", ("deps",), code=2),
    # Checking.
    Case("validate", ("validate",)),
    Case("validate-json", ("validate", "--json")),
    Case("validate-scope", ("validate", "--scope", "orders")),
    Case("validate-sarif", ("validate", "--format", "sarif")),
    Case("validate-github", ("validate", "--format", "github")),
    Case("validate-junit", ("validate", "--format", "junit")),
    Case("imports", ("import", "list")),
    Case("imports-json", ("import", "list", "--json")),
    Case("import-unknown", ("import", "update", "biling"), code=1),
    Case("impact-external", ("impact", "billing::payments/ledger")),
    Case("impact-external-unknown", ("impact", "billing::payments/ledgr"), code=1),
    Case("deps-external", ("deps", "billing::payments/ledger"), code=1),
    Case("validate-unknown-scope", ("validate", "--scope", "order"), code=1),
    Case("explain", ("explain",)),
    Case("explain-one", ("explain", "E010")),
    Case("explain-one-json", ("explain", "W015", "--json")),
    Case("explain-schema", ("explain", "--schema", "yg-tree/1")),
    Case("explain-schema-json", ("explain", "--schema", "yg-owner/1", "--json")),
    Case("explain-schema-unknown", ("explain", "--schema", "yg-owners"), code=1),
    Case("explain-schemas", ("explain", "--schema")),
    Case("explain-types", ("explain", "types")),
    Case("explain-types-json", ("explain", "types", "--json")),
    Case("explain-artifacts", ("explain", "artifacts")),
    Case("explain-artifacts-json", ("explain", "artifacts", "--json")),
    Case("explain-code-first", ("explain", "code-first")),
    Case("explain-graph-first-json", ("explain", "graph-first", "--json")),
    Case("explain-unknown", ("explain", "missing-artifacts"), code=1),
    Case("status", ("status", "--no-cache")),
    Case("status-json", ("status", "--no-cache", "--json")),
    Case("preflight", ("preflight", "--no-cache")),
    Case("preflight-quick", ("preflight", "--quick")),
    Case("preflight-quick-json", ("preflight", "--quick", "--json")),
    Case("drift", ("drift", "--no-cache")),
    Case("drift-json", ("drift", "--no-cache", "--json", "--scope", "orders")),
    Case("drift-limited", ("drift", "--no-cache", "--drifted-only", "--limit", "2")),
    Case("drift-unmapped", ("drift", "--no-cache", "--scope", "shard"), code=1),
    Case("drift-file", ("drift", "--no-cache", "--file", *FILES)),
    Case(
        "drift-file-json",
        ("drift", "--no-cache", "--json", "--file", "-"),
        stdin=b".yggdrasil/model/orders/pricing/interface.md\nREADME.md\n",
    ),
    Case("drift-show", ("drift", "--no-cache", "--show")),
    Case("drift-reviews", ("drift", "--reviews", "orders/pricing")),
    Case("drift-reviews-json", ("drift", "--reviews", "orders/pricing", "--json")),
    Case("review", ("review", "--no-cache")),
    Case("review-json", ("review", "--no-cache", "--json", "orders")),
    Case("drift-sync-nothing-named", ("drift-sync",), code=2),
    Case("advise", ("advise",)),
    Case("advise-json", ("advise", "--json")),
    Case("coverage", ("coverage",)),
    Case("coverage-json", ("coverage", "--json")),
    Case("coverage-uncovered", ("coverage", "--uncovered", "--fail-under", "90"), code=1),
    # Changes.
    Case("impact", ("impact", "shared/money")),
    Case("impact-json", ("impact", "shared/money", "--json")),
    Case("impact-method", ("impact", "payments/payment-service", "--method", "refund")),
    Case("impact-events", ("impact", EMAIL)),
    Case("impact-aspect", ("impact", "--aspect", "observability/logging")),
    Case("impact-aspect-json", ("impact", "--aspect", "idempotency", "--json")),
    Case("impact-flow", ("impact", "--flow", "checkout")),
    Case("impact-flow-json", ("impact", "--flow", "checkout", "--json")),
    Case("impact-two-modes", ("impact", ORDER, "--flow", "checkout"), code=2),
    Case("plan", ("plan",)),
    Case("plan-json", ("plan", "--json")),
    Case("plan-node", ("plan", "payments/payment-service")),
    # For other programs.
    Case("export", ("export", "--no-cache")),
    Case("export-mermaid", ("export", "--format", "mermaid")),
    Case("export-dot", ("export", "--format", "dot")),
    Case("export-graphml", ("export", "--format", "graphml", "--no-cache")),
    Case("export-csv", ("export", "--format", "csv", "--no-cache")),
    Case("export-csv-edges", ("export", "--format", "csv", "--table", "edges")),
    Case("export-cypher", ("export", "--format", "cypher", "--no-cache", "--repository", "a: b")),
    Case("export-sql", ("export", "--format", "sql", "--no-cache", "--repository", "it's")),
    Case("export-csv-texts", ("export", "--format", "csv", "--table", "texts")),
    Case("export-node", ("export", "orders/pricing", "--no-drift", "--json")),
    Case("export-node-depth-0", ("export", "--node", EMAIL, "--depth", "0", "--format", "dot")),
    Case("export-drift", ("export", "payments", "--format", "mermaid", "--drift", "--no-cache")),
    Case("export-depth-alone", ("export", "--depth", "2"), code=2),
    Case("export-unknown-node", ("export", "order"), code=1),
    # Starting.
    Case("completions-json", ("completions", "fish", "--json")),
    Case("init-again", ("init",), code=1),
    Case("draft-add", ("draft", "--add", "--dry-run")),
    Case("draft-add-json", ("draft", "--add", "--dry-run", "--json")),
    Case("init-upgrade-dry-run", ("init", "--upgrade", "--dry-run", "--platform", "codex")),
    # Spec Graphs.
    spec("build-context", "build-context", "CART-01"),
    spec("build-context-depth-1", "build-context", "CART-01", "--depth", "1"),
    spec("build-context-depth-full", "build-context", "CART-02", "--depth", "full"),
    spec("build-context-json", "build-context", "SIGNIN-01", "--json"),
    spec("build-context-text", "build-context", "SIGNIN-02", "--format", "text"),
    spec("build-context-why", "build-context", "CART-01", "--why"),
    spec("build-context-outline", "build-context", "CART-01", "--outline"),
    spec("build-context-feature", "build-context", "CART"),
    spec("build-context-policy", "build-context", "POL-SPEED"),
    spec("build-context-superseded", "build-context", "DEC-RPC", "--json"),
    spec("build-context-several", "build-context", "SIGNIN-02", "DEC-IDP-01", "CART-03"),
    spec("build-context-have", "build-context", "CART-02", "--have", "CART-01", "--format", "text"),
    spec("build-context-fit", "build-context", "SIGNIN-01", "CART-01", "--fit", "760"),
    spec("build-context-fit-why", "build-context", "DEC-IDP-01", "--fit", "420", "--why"),
    spec("build-context-no-room", "build-context", "CART-01", "--fit", "100", code=1),
    spec("build-context-unknown-kind", "build-context", "CART-01", "--only", "flow", code=2),
    spec("build-context-unknown-node", "build-context", "CART-04", code=1),
    spec("build-context-unknown-node-json", "build-context", "cart-01", "--json", code=1),
    spec("build-context-wrong-depth", "build-context", "CART-01", "--depth", "0", code=2),
    spec("find", "find", "cart", "put"),
    spec("find-json", "find", "CART-01", "--json"),
    spec("find-aspect", "find", "cart", "--kind-of", "aspect", code=1),
    spec("build-context-file", "build-context", "--file", "api/cart.openapi.yaml", code=1),
    spec("tree", "tree"),
    spec("tree-json", "tree", "--json"),
    spec("tree-root", "tree", "SIGNIN"),
    spec("tree-depth-1", "tree", "--depth", "1"),
    spec("tree-unknown-root", "tree", "SIGNUP", code=1),
    spec("deps", "deps", "CART-02"),
    spec("deps-json", "deps", "CART-02", "--depth", "1", "--json"),
    spec("impact", "impact", "DEC-IDP-02"),
    spec("impact-json", "impact", "--node", "POL-SPEED", "--json"),
    spec("impact-aspect", "impact", "--aspect", "x", code=1),
    spec("preflight", "preflight"),
    spec("preflight-json", "preflight", "--json"),
    spec("plan", "plan"),
    spec("plan-json", "plan", "--json"),
    spec("plan-node", "plan", "CART-02"),
    spec("status", "status"),
    spec("status-json", "status", "--json"),
    spec("validate", "validate"),
    spec("validate-json", "validate", "--json"),
    spec("validate-scope", "validate", "--scope", "CART", "--json"),
    spec("validate-sarif", "validate", "--format", "sarif"),
    spec("validate-github", "validate", "--format", "github"),
    spec("validate-junit", "validate", "--format", "junit"),
    spec("drift", "drift", code=1),
    spec("owner-json", "owner", "api/cart.openapi.yaml", "--json", code=1),
    spec("export", "export", "CART", "--json"),
    spec("link-dry-run", "link", "SIGNIN-02", "depends_on", "SIGNIN-01", "--dry-run"),
    spec(
        "link-dry-run-json", "link", "SIGNIN-02", "depends_on", "SIGNIN-01", "--dry-run", "--json"
    ),
    spec("link-refused", "link", "DEC-STORE", "depends_on", "GONE", code=1),
    spec("node-add-dry-run", *NEW_BEHAVIOR, "--dry-run"),
    spec("node-remove-refused", "node", "remove", "DEC-STORE", code=1),
    spec("node-remove-dry-run", "node", "remove", "DEC-STORE", "--force", "--dry-run"),
    spec("pin", "pin", "API-CART"),
    spec("node-show", "node", "show", "API-CART"),
    spec("node-show-json", "node", "show", "API-CART", "--json"),
    spec("verify-dry-run", "verify", "SIGNIN-01", "--with-guides", "--dry-run"),
    spec("verify-dry-run-json", "verify", "SIGNIN-01", "--dry-run", "--json"),
    Case("link", ("link", "orders", "depends_on", "payments"), code=1),
    Case("pin", ("pin", "orders"), code=1),
    Case("verify", ("verify", "orders"), code=1),
    spec("export-mermaid", "export", "--format", "mermaid"),
    changed("impact-diff", "impact", "--diff"),
    changed("impact-diff-show", "impact", "--diff", "--show"),
    changed("impact-diff-json", "impact", "--diff", "--json"),
    changed("impact-diff-markdown", "impact", "--diff", "--format", "markdown"),
    changed("impact-simulate", "impact", "DEC-REST", "--simulate"),
    changed("impact-simulate-json", "impact", "DEC-REST", "--simulate", "--json"),
    changed("build-context-diff", "build-context", "--diff"),
    changed("build-context-diff-json", "build-context", "--diff", "--only", "decision", "--json"),
    changed("preflight", "preflight", code=1),
    changed("preflight-json", "preflight", "--json", code=1),
    documented("build-context", "build-context", "orders/pricing"),
    documented("build-context-json", "build-context", "orders/pricing", "--json"),
    documented("build-context-several", "build-context", "orders/pricing", "shared/money"),
    documented("owner", "owner", "README.md", "docs/adr/0003-lines.md", "docs/adr/0002-floats.md"),
    documented("find", "find", "cents"),
    documented("decisions", "decisions"),
    documented("decisions-json", "decisions", "--json"),
    documented("decisions-node", "decisions", "orders/pricing"),
    documented("explain", "explain", "0003"),
    documented("explain-json", "explain", "2", "--json"),
    documented("explain-unknown", "explain", "7", code=1),
    documented(
        *("new-dry-run", "new", "decision", "Round totals", "--supersedes", "3"),
        *("--node", "orders", "--dry-run"),
    ),
    Case("decisions", ("decisions",)),
    Case("explain-spec-rule", ("explain", "E109")),
    Case("explain-spec-rule-json", ("explain", "ambiguous-decisions", "--json")),
)


@pytest.fixture(scope="session")
def changed_specs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Commit the example that is a Spec Graph, then change it."""
    root = tmp_path_factory.mktemp("changed") / CHANGED
    shutil.copytree(EXAMPLES / "spec-shop", root)
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
        subprocess.run(["git", *words], cwd=root, check=True)
    for name, before, after in CHANGES:
        file = root / "specgraph" / name
        text = file.read_text(encoding="utf-8")
        assert before in text
        file.write_text(text.replace(before, after), encoding="utf-8")
    (root / "specgraph/nodes/behaviors/CART-04.json").write_text(ADDED, encoding="utf-8")
    return root


@pytest.fixture(scope="session")
def documented_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Add documents and decisions to the example, and list them in nodes."""
    root = tmp_path_factory.mktemp("documented") / DOCUMENTED
    shutil.copytree(EXAMPLES / "shop", root)
    write(root, DOCUMENTS)
    for node, lines in LISTED.items():
        with (root / ".yggdrasil/model" / node / "yg-node.yaml").open(
            "a", encoding="utf-8"
        ) as file:
            file.write(lines)
    return root


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_example_gives_exactly_these_bytes(
    case: Case, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in FROM_OUTSIDE:
        monkeypatch.delenv(name, raising=False)
    made = {CHANGED: "changed_specs", DOCUMENTED: "documented_shop"}.get(case.example)
    root = request.getfixturevalue(made) if made else EXAMPLES / case.example
    place = root / case.directory
    ran = shared().run(*case.argv, cwd=place, stdin=case.stdin)
    streams = {f"{case.name}.out": ran.out, f"{case.name}.err": ran.err}
    if IS_UPDATE:
        for file, content in streams.items():
            _rewrite(GOLDEN / file, content)
    expected = {file: _bytes_of(GOLDEN / file) for file in streams}
    assert (streams, ran.code) == (expected, case.code)


def test_every_case_has_a_name_of_its_own() -> None:
    names = [case.name for case in CASES]
    assert sorted(names) == sorted(set(names))


def test_every_golden_file_belongs_to_a_case() -> None:
    used = {f"{case.name}.{stream}" for case in CASES for stream in ("out", "err")}
    unused = sorted(path.name for path in GOLDEN.iterdir() if path.name not in used)
    if IS_UPDATE:
        for name in unused:
            (GOLDEN / name).unlink()
    assert sorted(path.name for path in GOLDEN.iterdir() if path.name not in used) == []


def _bytes_of(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _rewrite(path: Path, content: bytes) -> None:
    if content:
        path.write_bytes(content)
    else:
        path.unlink(missing_ok=True)
