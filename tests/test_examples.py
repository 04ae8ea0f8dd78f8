"""The example repositories fit together."""

from __future__ import annotations

from support import REPOSITORY, SHOP_ROOT, run
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
