"""Whole sessions: what the model gets at each event, in a file for each harness."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from hook.sessions import (
    AGENT,
    ALL,
    PRICING,
    RESPONSIBILITY,
    SERVICE,
    Copilot,
    Cursor,
    Gemini,
    Harness,
    Opencode,
    VsCode,
    change,
    shop_at,
    told,
)
from support import REPOSITORY

GOLDEN = REPOSITORY / "tests" / "hook" / "golden"
GATEWAY = "src/shop/payments/stripe_gateway.py"
PAYMENTS = "src/shop/payments/service.py"
IS_UPDATE = os.environ.get("YG_UPDATE_GOLDEN") == "1"


class Script:
    """A session that is written down."""

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.lines: list[str] = []

    def step(self, what: str, event: tuple[str, dict[str, Any]], after: float = 10.0) -> None:
        where, text = told(self.harness.send(*event, after=after))
        self.lines.append(f"=== {what} ({event[0]})")
        if text or where != "plain text":
            self.lines.append(f"--- {where}")
        self.lines.append(text.rstrip("\n") or "(nothing)")
        self.lines.append("")

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def played(harness: Harness) -> str:
    """Play a session in which the price of shipping changes."""
    root, script = harness.root, Script(harness)
    script.step("The session starts", harness.start("startup"))
    script.step("A file that no node owns is read", harness.read("pyproject.toml"))
    script.step("pricing.py is read", harness.read(PRICING))
    script.step("pricing.py is read again", harness.read(PRICING))
    script.step("pricing.py is about to be edited", harness.before(PRICING))
    change(root, PRICING, "SHIPPING_MINOR = 4_90", "SHIPPING_MINOR = 5_90")
    edit = harness.edit(PRICING, "SHIPPING_MINOR = 4_90", "SHIPPING_MINOR = 5_90")
    script.step("Shipping in pricing.py becomes 5.90", edit)
    script.step("The same event is delivered a second time, one second later", edit, after=1)
    change(root, PRICING, "DISCOUNT_PERCENT = 5\n", "DISCOUNT_PERCENT = 5  # of the line\n")
    comment = harness.edit(PRICING, "DISCOUNT_PERCENT = 5", "DISCOUNT_PERCENT = 5  # of the line")
    script.step("A comment is added to pricing.py", comment)
    if harness.name in ("claude", "codex"):
        is_reading = harness.name == "claude"
        event, payload = harness.read(PRICING) if is_reading else comment
        payload = {**payload, "agent_id": AGENT, "agent_type": "Explore"}
        what = "reads" if is_reading else "edits"
        script.step(f"A subagent {what} pricing.py", (event, payload))
    script.step("service.py of orders is read", harness.read(SERVICE))
    script.step("The context is compacted", harness.compact())
    if harness.name in ("claude", "codex"):
        script.step("The session goes on", harness.start("compact"))
    script.step("The user writes something", harness.prompt())
    script.step("A file that no node owns is read", harness.read("pyproject.toml"))
    script.step("pricing.py is read", harness.read(PRICING))
    change(root, RESPONSIBILITY, "Vouchers do not exist yet and would go\nhere.", "Vouchers too.")
    script.step("Meanwhile somebody changed a text; pricing.py is read", harness.read(PRICING))
    script.step("The agent ends its turn", harness.stop())
    script.step("It ends its turn again", harness.stop(again=True))
    if harness.name != "cursor":  # where only a new conversation has a start
        script.step("The session is resumed", harness.start("resume"))
    script.step("pricing.py is read", harness.read(PRICING))
    return script.text


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_a_session_is_told_what_it_needs_once_and_in_time(
    kind: type[Harness], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = played(kind(shop_at(tmp_path / "shop")))
    name = "vs-code" if kind is VsCode else kind.name
    assert found == expected(name, found)


def test_a_session_that_changes_several_nodes_ends_with_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    script = Script(Harness(shop_at(tmp_path / "shop")))
    harness, root = script.harness, script.harness.root
    script.step("The session starts", harness.start("startup"))
    script.step("pricing.py is read", harness.read(PRICING))
    change(root, PRICING, "SHIPPING_MINOR = 4_90", "SHIPPING_MINOR = 5_90")
    edit = harness.edit(PRICING, "SHIPPING_MINOR = 4_90", "SHIPPING_MINOR = 5_90")
    script.step("Shipping in pricing.py becomes 5.90", edit)
    for file in (GATEWAY, PAYMENTS):
        change(root, file, "find_charge(", "charge_of(")
        edit = harness.edit(file, "find_charge(", "charge_of(")
        script.step(f"A function has another name in {Path(file).name}", edit)
    script.step("The agent ends its turn", harness.stop())
    script.step("It ends its turn again", harness.stop(again=True))
    assert script.text == expected("several-nodes", script.text)


def expected(name: str, found: str) -> str:
    """Return the session in a golden file, which is replaced if goldens are to be updated."""
    golden = GOLDEN / f"{name}.txt"
    if IS_UPDATE:
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(found, encoding="utf-8")
    return golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", [Gemini, Cursor, Copilot, Opencode])
def test_what_a_compaction_makes_necessary_is_said_once(
    kind: type[Harness], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    harness = kind(shop_at(tmp_path / "shop"))
    harness.send(*harness.start("startup"))
    harness.send(*harness.edit(SERVICE, "a", "b"))
    outputs = [
        harness.send(*event)
        for _ in range(2)
        for event in (harness.compact(), harness.prompt(), harness.read("pyproject.toml"))
    ]
    assert sum("the task goes on" in output for output in outputs) == 2
