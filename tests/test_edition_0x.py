"""The 0.x edition to the byte: the example of its specification, and the one in this repository."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from support import REPOSITORY, run
from yg.cli.outcome import Outcome

SHOP = REPOSITORY / "examples" / "shop-0x"
ORDER = "orders/order-service"
EPOCH = "1770647400"  # 2026-02-09T14:30:00Z

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
TEXT = """\
<context-package node-path="orders/order-service" node-name="OrderService" token-count="TOKENS">

<global>
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
</global>

<hierarchy path="orders/" aspects="">
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


@pytest.mark.parametrize("style", ["text", "json"])
def test_the_other_formats_know_no_time(tmp_path: Path, style: str) -> None:
    text = package(tmp_path, "--format", style)
    assert "Generated" not in text
    assert text == package(tmp_path, "--format", style, "--no-stamp")
