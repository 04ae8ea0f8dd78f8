"""The example repositories fit together, and those of benchmarks have no issues."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import REPOSITORY, SHOP_ROOT, benchmark, run
from yg.kernel.inventory import read_import, read_inventory

BILLING = REPOSITORY / "examples" / "billing"


def test_the_billing_team_has_a_valid_graph_and_no_drift() -> None:
    assert run("validate", "-C", str(BILLING)).text == "No issues found. 6 nodes checked.\n"
    assert run("drift", "-C", str(BILLING)).code == 0


def test_the_import_of_the_shop_is_the_inventory_of_the_billing_team() -> None:
    file = SHOP_ROOT / ".yggdrasil" / "imports" / "billing.jsonl"
    taken = read_import(file.read_text(encoding="utf-8"))
    published = read_inventory(run("inventory", "--contracts", "-C", str(BILLING)).text)
    assert taken.nodes == published.nodes
    assert (taken.header.name, taken.header.source) == ("billing", "../billing")
    assert len(taken.header.commit) == 40


def test_every_target_of_the_shop_resolves() -> None:
    assert run("validate", "-C", str(SHOP_ROOT)).code == 0
    said = run("build-context", "payments/payment-service", "-C", str(SHOP_ROOT)).text
    assert "`post(entry) -> None`" in said


@pytest.mark.parametrize("chained", [0, 30])
def test_a_generated_repository_has_no_issues(tmp_path: Path, chained: int) -> None:
    benchmark("generate").generate(tmp_path, 60, chained=chained)
    assert run("validate", "-C", str(tmp_path)).text == "No issues found. 60 nodes checked.\n"
