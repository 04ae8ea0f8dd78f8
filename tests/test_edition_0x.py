"""The 0.x edition to the byte: the example of its specification, and the one in this repository."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from hashlib import sha256
from math import ceil
from pathlib import Path
from typing import Any

import pytest

from schemas import faults_in
from specification.builder_document import EXAMPLE
from support import REPOSITORY, run
from yg.surfaces.cli.outcome import Outcome

SHOP = REPOSITORY / "examples" / "shop-0x"
ORDER = "orders/order-service"
EPOCH = "1770647400"  # 2026-02-09T14:30:00Z

SECTIONS = """\

---

## Global Context

**Project:** My E-Commerce System

**Stack:**
- Language: TypeScript
- Runtime: Node 22
- Framework: NestJS
- Database: PostgreSQL
- Cache: Redis

**Standards:**
ESLint + Prettier configuration.
Clean Architecture pattern.
camelCase for functions, PascalCase for classes.

**Testing:**
Jest as test framework.
Test coverage target: 80%.
Co-locate test files with source (*.spec.ts).

---

## Module Context (orders/)

Orders are placed here.

A paid order stays.

---

## Node: OrderService

### description.md
Takes orders.

### state-machine.md
pending -> paid

---

## Dependencies

### auth/auth-api (uses)

#### openapi.yaml
openapi: 3.1.0

### payments/payment-service (calls)

#### description.md
Charges cards.

#### interface.yaml
charge: {}

---

## Aspects

### Audit Logging (tag: requires-audit)

name: Audit Logging
tag: requires-audit
rule: log it

---

## Flows

### Checkout Flow

From cart to order.

1. charge

---

## Materialization Target

**Mapping:** src/modules/orders/order.service.ts

---

"""
TITLE = "# Context Package: OrderService\n# Path: orders/order-service\n"
STAMP = "# Generated: 2026-02-09T14:30:00Z\n"
GLOBAL = """\
**Project:** My E-Commerce System

**Stack:**
- Language: TypeScript
- Runtime: Node 22
- Framework: NestJS
- Database: PostgreSQL
- Cache: Redis

**Standards:**
ESLint + Prettier configuration.
Clean Architecture pattern.
camelCase for functions, PascalCase for classes.

**Testing:**
Jest as test framework.
Test coverage target: 80%.
Co-locate test files with source (*.spec.ts)."""
TEXT = f"""\
<context-package node-path="orders/order-service" node-name="OrderService" token-count="276">

<global>
{GLOBAL}
</global>

<hierarchy path="orders/">
### description.md
Orders are placed here.
### business-rules.md
A paid order stays.
</hierarchy>

<own-artifacts>
### description.md
Takes orders.
### state-machine.md
pending -> paid
</own-artifacts>

<dependency target="auth/auth-api" type="uses">
### openapi.yaml
openapi: 3.1.0
</dependency>

<dependency target="payments/payment-service" type="calls">
### description.md
Charges cards.
### interface.yaml
charge: {{}}
</dependency>

<aspect name="Audit Logging" tag="requires-audit">
### audit-logging.yaml
name: Audit Logging
tag: requires-audit
rule: log it
</aspect>

<flow name="Checkout Flow">
### description.md
From cart to order.
### sequence.md
1. charge
</flow>

<materialization-target paths="src/modules/orders/order.service.ts"/>

</context-package>
Budget status: ok
"""


@pytest.fixture(autouse=True)
def _the_same_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("YG_KIND", raising=False)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)


def write(root: Path, files: Mapping[str, str | bytes]) -> str:
    for path, text in files.items():
        file = root / "yggdrasil" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(root)


def package(root: Path, *argv: str) -> str:
    outcome = run("build-context", ORDER, "-C", write(root, EXAMPLE), *argv)
    assert (outcome.code, outcome.notes) == (0, "")
    return outcome.text


def footer(text: str, threshold: int = 8000, verdict: str = "ok") -> str:
    return f"Context size: {ceil(len(text) / 4)} tokens (threshold {threshold}: {verdict})\n"


# The example of the specification.


def test_the_package_is_that_of_the_specification(tmp_path: Path) -> None:
    assert package(tmp_path) == TITLE + STAMP + SECTIONS + footer(TITLE + SECTIONS)


def test_without_a_stamp_only_the_stamp_is_missing(tmp_path: Path) -> None:
    assert package(tmp_path, "--no-stamp") == TITLE + SECTIONS + footer(TITLE + SECTIONS)


def test_markdown_is_what_is_printed_unless_something_else_is_asked_for(tmp_path: Path) -> None:
    assert package(tmp_path) == package(tmp_path, "--format", "markdown")


def test_without_an_epoch_the_stamp_is_the_time_in_utc(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    lines = package(tmp_path).splitlines()
    assert len(lines[2]) == len(STAMP) - 1
    assert lines[2].startswith("# Generated: 20")
    assert lines[2].endswith("Z")


@pytest.mark.parametrize(
    ("epoch", "stamp"),
    [("0", "1970-01-01T00:00:00Z"), ("1770647400", "2026-02-09T14:30:00Z")],
)
def test_the_epoch_decides_the_stamp(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, epoch: str, stamp: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    assert f"\n# Generated: {stamp}\n" in package(tmp_path)


def test_the_threshold_is_exceeded_by_one_token_more(tmp_path: Path) -> None:
    tokens = ceil(len(TITLE + SECTIONS) / 4)
    for threshold, verdict in ((tokens, "ok"), (tokens - 1, "exceeded")):
        limits = f"limits: {{context_warning_tokens: {threshold}}}\n"
        files = {**EXAMPLE, "config.yaml": EXAMPLE["config.yaml"] + limits}
        outcome = run("build-context", ORDER, "-C", write(tmp_path, files))
        line = f"Context size: {tokens} tokens (threshold {threshold}: {verdict})\n"
        assert (outcome.code, outcome.notes) == (0, "")
        assert outcome.text.endswith(line)


def test_the_package_as_text_has_the_same_blocks(tmp_path: Path) -> None:
    assert package(tmp_path, "--format", "text") == TEXT


def block(  # noqa: PLR0913
    kind: str,
    subject: str,
    attributes: dict[str, str],
    characters: int,
    because: str,
    *files: str,
    declared: str = "",
) -> dict[str, Any]:
    """Return a block as data; its documents are files of the example."""
    sizes = [(file, EXAMPLE[file]) for file in files]
    return {
        "kind": kind,
        "subject": subject,
        "attributes": attributes,
        "opening": GLOBAL.split("\n") if kind == "global" else [],
        "documents": [
            {
                "name": file.rpartition("/")[2],
                "path": f"yggdrasil/{file}",
                "binary": False,
                "text": text,
                "characters": len(text),
                "tokens": ceil(len(text) / 4),
            }
            for file, text in sizes
        ],
        "closing": [],
        "characters": characters,
        "tokens": ceil(characters / 4),
        "because": [because],
        "files": [f"yggdrasil/{file}" for file in (declared, *files) if file],
    }


def test_the_package_as_json_has_the_same_blocks(tmp_path: Path) -> None:
    auth, pay = "auth/auth-api", "payments/payment-service"
    order, flow = "orders/order-service", "flows/checkout-flow"
    blocks = [
        block("global", "My E-Commerce System", {}, 382, "configuration"),
        block(
            "hierarchy",
            "orders",
            {"path": "orders/"},
            84,
            "hierarchy from orders",
            "orders/description.md",
            "orders/business-rules.md",
            declared="orders/node.yaml",
        ),
        block(
            "own-artifacts",
            order,
            {},
            69,
            "own",
            f"{order}/description.md",
            f"{order}/state-machine.md",
            declared=f"{order}/node.yaml",
        ),
        block(
            "dependency",
            auth,
            {"target": auth, "type": "uses"},
            31,
            f"relation uses {auth}",
            f"{auth}/openapi.yaml",
        ),
        block(
            "dependency",
            pay,
            {"target": pay, "type": "calls"},
            63,
            f"relation calls {pay}",
            f"{pay}/description.md",
            f"{pay}/interface.yaml",
        ),
        block(
            "aspect",
            "audit-logging.yaml",
            {"name": "Audit Logging", "tag": "requires-audit"},
            75,
            "hierarchy from orders",
            "aspects/audit-logging.yaml",
        ),
        block(
            "flow",
            "checkout-flow",
            {"name": "Checkout Flow"},
            64,
            "own",
            f"{flow}/description.md",
            f"{flow}/sequence.md",
            declared=f"{flow}/flow.yaml",
        ),
        block(
            "materialization-target",
            order,
            {"paths": "src/modules/orders/order.service.ts"},
            0,
            "own",
        ),
    ]
    document = {
        "schema": "yg-build-context/1",
        "node": {"path": order, "name": "OrderService", "type": "service"},
        "digest": sha256(package(tmp_path, "--no-stamp").encode()).hexdigest()[:12],
        "tokens": 276,
        "characters": 1103,
        "budget": {"status": "ok", "warning": 8000},
        "blocks": blocks,
        "files": sorted({file for each in blocks for file in each["files"]}),
    }
    text = package(tmp_path, "--json")
    found = json.loads(text)
    assert text == json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    for each in found["blocks"]:
        each["files"] = list(dict.fromkeys(each["files"]))
    assert json.dumps(found) == json.dumps(document)


@pytest.mark.parametrize("style", ["text", "json"])
def test_the_other_formats_know_no_time(tmp_path: Path, style: str) -> None:
    text = package(tmp_path, "--format", style)
    assert "Generated" not in text
    assert text == package(tmp_path, "--format", style, "--no-stamp")


# The example in this repository.

SHOP_HEAD = """\
# Context Package: {name}
# Path: {path}
# Generated: 2026-02-09T14:30:00Z

---

## Global Context

**Project:** Corner Shop

**Stack:**
- Language: Python
- Runtime: CPython 3.11
- Framework: Starlette
- Database: PostgreSQL

**Standards:**
Formatted and linted with ruff.
Ports and adapters: no framework import below the api package.

**Testing:**
- pytest, tests beside the sources
- every bug gets a test first

---

"""
SHOP_ASPECT = """\
## Aspects

### Audit Logging (tag: requires-audit)

name: Audit Logging
tag: requires-audit
rules:
  - Every change of state writes one audit entry.
  - Entries name who, what and when.

---

"""
SHOP_FLOW = """\
## Flows

### Checkout Flow

A cart becomes a paid order, or nothing at all.

1. reserve stock
2. charge
3. confirm

---

"""
SHOP_OPENAPI = """\
#### openapi.yaml
openapi: 3.1.0
paths:
  /session:
    get: {summary: The session of the caller}

"""
SHOP_PACKAGES = {
    "auth": (
        "Auth",
        116,
        "## Node: Auth\n\n### description.md\nWho is calling, and what they may do.\n\n---\n\n",
    ),
    "auth/login-service": (
        "LoginService",
        179,
        f"""\
## Module Context (auth/)

Who is calling, and what they may do.

---

## Node: LoginService

### description.md
Checks passwords and opens sessions.

---

## Dependencies

### auth/auth-api (implements)

{SHOP_OPENAPI}---

""",
    ),
    "orders/order-service": (
        "OrderService",
        360,
        f"""\
## Module Context (orders/)

Everything between a full cart and a paid order.

An order that was paid is never deleted, only cancelled.

---

## Node: OrderService

### description.md
Takes an order from checkout to paid.

### state-machine.md
pending -> paid -> shipped
pending -> cancelled

---

## Dependencies

### auth/auth-api (uses)

{SHOP_OPENAPI}### payments/payment-service (calls)

#### description.md
Charges cards and refunds them.

#### interface.yaml
charge: {{takes: [order, amount], gives: receipt}}
refund: {{takes: [receipt], gives: receipt}}

---

{SHOP_ASPECT}{SHOP_FLOW}## Materialization Target

**Mapping:** src/orders/service.py

---

""",
    ),
    "payments/payment-service": (
        "PaymentService",
        246,
        f"""\
## Module Context (payments/)

Money in, money back.

---

## Node: PaymentService

### description.md
Charges cards and refunds them.

### interface.yaml
charge: {{takes: [order, amount], gives: receipt}}
refund: {{takes: [receipt], gives: receipt}}

---

{SHOP_ASPECT}{SHOP_FLOW}""",
    ),
}


@pytest.mark.parametrize("path", SHOP_PACKAGES)
def test_a_package_of_the_example_shop(path: str) -> None:
    name, tokens, body = SHOP_PACKAGES[path]
    size = f"Context size: {tokens} tokens (threshold 8000: ok)\n"
    expected = SHOP_HEAD.format(name=name, path=path) + body + size
    assert run("build-context", path, "-C", str(SHOP)) == Outcome(expected)


SHOP_ANSWERS = {
    ("tree",): """\
yggdrasil/
├── auth/ [module] -> 0 relations
│   ├── auth-api/ [interface] -> 0 relations
│   └── login-service/ [service] -> 1 relations
├── orders/ [module] aspects:requires-audit -> 0 relations
│   └── order-service/ [service] -> 2 relations
└── payments/ [module] -> 0 relations
    └── payment-service/ [service] aspects:requires-audit -> 0 relations
""",
    ("deps", ORDER): """\
orders/order-service
├── uses auth/auth-api
└── calls payments/payment-service
""",
    ("owner", "src/orders/service.py"): "src/orders/service.py -> orders/order-service\n",
    ("validate",): "No issues found. 7 nodes checked.\n",
    ("flows",): """\
- id: checkout-flow
  name: Checkout Flow
  nodes:
    - orders/order-service
    - payments/payment-service
""",
}


@pytest.mark.parametrize("argv", SHOP_ANSWERS, ids=" ".join)
def test_an_answer_about_the_example_shop(argv: tuple[str, ...]) -> None:
    assert run(*argv, "-C", str(SHOP)) == Outcome(SHOP_ANSWERS[argv])


def test_the_impact_of_a_node_in_the_example_shop() -> None:
    text = run("impact", "--node", "auth/auth-api", "-C", str(SHOP)).text
    assert (
        "Directly dependent:\n"
        "  <- auth/login-service (implements)\n"
        "  <- orders/order-service (uses)\n"
        "Transitively dependent: (none)\n"
    ) in text


def test_the_status_of_the_example_shop() -> None:
    text = run("status", "-C", str(SHOP)).text
    assert text.startswith(
        "Graph: Corner Shop\n"
        "Nodes: 7 (1 interface, 3 modules, 3 services) + 0 blackbox\n"
        "Relations: 3 structural, 0 event\n"
        "Aspects: 1  Flows: 1\n"
        "Validation: 0 errors, 0 warnings\n"
    )


def test_the_older_name_of_check_is_validate() -> None:
    assert run("check", "-C", str(SHOP)) == run("validate", "-C", str(SHOP))


def test_without_a_configuration_the_threshold_is_that_of_the_edition(tmp_path: Path) -> None:
    shutil.copytree(SHOP, tmp_path, dirs_exist_ok=True)
    (tmp_path / "yggdrasil" / "config.yaml").write_text("name: [\n", encoding="utf-8")
    outcome = run("build-context", ORDER, "-C", str(tmp_path), "--no-stamp")
    assert outcome.text.endswith(" tokens (threshold 8000: ok)\n")


def test_the_budget_as_data_has_one_threshold() -> None:
    found = json.loads(run("build-context", ORDER, "-C", str(SHOP), "--json").text)
    assert found["budget"] == {"status": "ok", "warning": 8000}
    assert faults_in(found) == []


def test_a_plan_names_a_broken_relation(tmp_path: Path) -> None:
    shutil.copytree(SHOP, tmp_path, dirs_exist_ok=True)
    assert run("plan", "-C", str(tmp_path)).code == 0
    node = tmp_path / "yggdrasil" / ORDER / "node.yaml"
    text = node.read_text(encoding="utf-8")
    node.write_text(text.replace("payments/payment-service", "payments/gone"), encoding="utf-8")
    outcome = run("plan", "-C", str(tmp_path))
    assert (outcome.code, outcome.text) == (1, "")
    named = f"E004 {ORDER} -> relation to 'payments/gone' does not resolve.\n"
    assert outcome.notes.startswith(named)
    assert "error: no plan: the graph has 1 error\n" in outcome.notes
    assert run("plan", "--lenient", "-C", str(tmp_path)).code == 0
