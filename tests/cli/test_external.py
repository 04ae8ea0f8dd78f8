"""Commands in a repository with relations to nodes of another one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inventories import COMMIT, LEDGER, billing_import, published
from schemas import faults_in
from support import NODE, git, run, write, write_graph
from yg.disk.files import stamps

IMPORT = ".yggdrasil/imports/billing.jsonl"
TARGET = "billing::payments/ledger"
USES = f'{{target: "{TARGET}", type: uses}}'
OTHER = {**LEDGER, "interface.md": "## post(entry, key)\n"}
FILES = {
    "model/orders/yg-node.yaml": f"""\
{NODE}external:
  - {{target: "{TARGET}", type: calls, consumes: [post], failure: wait}}
  - {{target: "billing::payments", type: listens}}
mapping: {{paths: [src/orders.py]}}
""",
    "model/refunds/yg-node.yaml": f"""\
{NODE}external: [{USES}]
relations: [{{target: orders, type: calls}}]
mapping: {{paths: [src/refunds.py]}}
""",
    "model/web/yg-node.yaml": f"{NODE}mapping: {{paths: [src/web.py]}}\n",
    "imports/billing.jsonl": billing_import(),
}
CHANGED = billing_import(
    published("payments"), published("payments/ledger", OTHER), commit="1" * 40
)
UNRELATED = billing_import(
    published("payments", OTHER), published("payments/ledger", LEDGER), commit="2" * 40
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Make a repository with baselines."""
    root = write_graph(tmp_path / "shop", FILES)
    write(root, {f"src/{name}.py": f"{name} = 1\n" for name in ("orders", "refunds", "web")})
    assert run("drift-sync", "--all", "-C", str(root)).code == 0
    return root


def data(root: Path, *argv: str) -> dict[str, Any]:
    """Return the JSON document of a command."""
    document: dict[str, Any] = json.loads(run(*argv, "--json", "-C", str(root)).text)
    assert faults_in(document) == []
    return document


def states(root: Path) -> dict[str, str]:
    return {node["node"]: node["state"] for node in data(root, "drift")["nodes"]}


def test_a_changed_contract_is_graph_drift_of_the_nodes_that_rely_on_it(shop: Path) -> None:
    assert set(states(shop).values()) == {"ok"}
    write(shop, {IMPORT: CHANGED})
    assert states(shop) == {"orders": "graph-drift", "refunds": "graph-drift", "web": "ok"}
    outcome = run("drift", "orders", "-C", str(shop))
    assert f"  [drift] orders\n    {TARGET} (changed)\n" in outcome.text
    assert outcome.code == 1
    orders = data(shop, "drift")["nodes"][0]
    assert orders["graph"] == [{"path": TARGET, "how": "changed", "to": None}]
    assert run("drift-sync", "orders", "-C", str(shop)).text.startswith("Synchronized: orders\n")
    assert states(shop)["orders"] == "ok"
    assert states(shop)["refunds"] == "graph-drift"


def test_other_contracts_and_commits_are_not_drift(shop: Path) -> None:
    write(shop, {IMPORT: UNRELATED})
    assert set(states(shop).values()) == {"ok"}
    write(shop, {IMPORT: billing_import(contracts=False)})
    assert set(states(shop).values()) == {"ok"}


def test_a_sync_that_changes_nothing_writes_nothing(shop: Path) -> None:
    state = shop / ".yggdrasil/.drift-state/orders.json"
    before = state.read_bytes(), state.stat().st_mtime_ns
    assert json.loads(before[0])["external"] == {TARGET: published("x", LEDGER).digest}
    assert "Unchanged: 3 nodes" in run("drift-sync", "--all", "-C", str(shop)).text
    assert (state.read_bytes(), state.stat().st_mtime_ns) == before


def test_a_baseline_without_contracts_notices_the_new_one(shop: Path) -> None:
    state = shop / ".yggdrasil/.drift-state/orders.json"
    recorded = json.loads(state.read_text("utf-8"))
    for damaged in ({}, {"external": ["no map"]}):
        content = {**{key: recorded[key] for key in ("hash", "files")}, **damaged}
        state.write_text(json.dumps(content), "utf-8")
        assert f"{TARGET} (added)" in run("drift", "orders", "-C", str(shop)).text
    run("drift-sync", "orders", "-C", str(shop))
    assert json.loads(state.read_text("utf-8"))["external"] == recorded["external"]


def test_a_contract_that_is_gone_or_no_longer_used_is_drift(shop: Path) -> None:
    write(shop, {IMPORT: billing_import(published("payments"))})
    assert f"{TARGET} (deleted)" in run("drift", "orders", "-C", str(shop)).text
    write(shop, {".yggdrasil/model/refunds/yg-node.yaml": f"{NODE}mapping: {{paths: [src]}}\n"})
    assert f"{TARGET} (deleted)" in run("drift", "refunds", "-C", str(shop)).text
    run("drift-sync", "--all", "-C", str(shop))
    state = json.loads((shop / ".yggdrasil/.drift-state/refunds.json").read_text("utf-8"))
    assert "external" not in state


@pytest.mark.parametrize(
    ("content", "reason"), [("damaged", "cannot be read"), (None, "does not exist")]
)
def test_nobody_can_tell_what_drifts_by_a_damaged_or_missing_import(
    shop: Path, content: str | None, reason: str
) -> None:
    if content:
        write(shop, {IMPORT: content})
    else:
        (shop / IMPORT).unlink()
    assert states(shop) == {"orders": "unknown", "refunds": "unknown", "web": "ok"}
    text = run("drift", "orders", "-C", str(shop)).text
    assert f"cannot tell: import 'billing' {reason}" in text
    outcome = run("drift-sync", "orders", "-C", str(shop))
    assert outcome.code == 1
    assert f"import 'billing' {reason}" in outcome.notes


def test_a_sync_says_which_contracts_it_cannot_record(shop: Path) -> None:
    write(shop, {IMPORT: billing_import(published("payments"))})
    refunds = FILES["model/refunds/yg-node.yaml"].replace("orders", "gone")
    write(shop, {".yggdrasil/model/refunds/yg-node.yaml": refunds})
    outcome = run("drift-sync", "--all", "-C", str(shop))
    warning = "no contract of '{}' is recorded: there is no such node"
    assert outcome.notes.splitlines() == [
        f"warning: orders: {warning.format(TARGET)}",
        f"warning: refunds: {warning.format('gone')}",
        f"warning: refunds: {warning.format(TARGET)}",
    ]
    assert run("drift-sync", "--all", "-C", str(shop)).notes == ""
    write(shop, {IMPORT: billing_import()})
    assert f"{TARGET} (added)" in run("drift", "orders", "-C", str(shop)).text


def test_drift_of_some_files_knows_imports(shop: Path) -> None:
    write(shop, {IMPORT: CHANGED})
    document = data(shop, "drift", "--file", str(shop / IMPORT))
    assert [node["node"] for node in document["nodes"]] == ["orders", "refunds"]


def shown(root: Path, node: str) -> str:
    """Return what `drift --show` prints about one node, without its name and the summary."""
    text = run("drift", "--show", node, "-C", str(root)).text
    return text.partition("\n")[2].partition("\nSummary: ")[0]


@pytest.mark.parametrize("is_committed", [False, True])
def test_the_difference_of_a_contract_is_found_in_git(shop: Path, *, is_committed: bool) -> None:
    git(shop, "init", "--quiet")
    for content in (FILES["imports/billing.jsonl"], "damaged", UNRELATED, CHANGED):
        write(shop, {IMPORT: content})
        if is_committed or content is not CHANGED:
            git(shop, "add", "--all")
            git(shop, "commit", "--quiet", "--message", "x")
    assert (
        shown(shop, "orders")
        == f"""\
{TARGET} (changed)
  --- a/{TARGET}\t(222222222222)
  +++ b/{TARGET}\t(111111111111)
  @@ -1,4 +1,4 @@
   ### responsibility.md
   Keeps the books.
   ### interface.md
  -## post(entry)
  +## post(entry, key)
"""
    )
    assert "see above" in run("drift", "--show", "-C", str(shop)).text
    difference = data(shop, "drift", "orders", "--show")["nodes"][0]["graph"][0]["difference"]
    assert difference["diff"].startswith(f"--- a/{TARGET}\t(222222222222)\n+++ ")


@pytest.mark.parametrize(
    ("content", "how", "note"),
    [
        (CHANGED, "changed", "the old contract is not known: git does not have it"),
        (
            billing_import(published("payments/ledger", OTHER), contracts=False),
            "changed",
            "the import has no contracts",
        ),
        (
            billing_import(published("payments")),
            "deleted",
            "the import does not list it any more",
        ),
    ],
)
def test_the_difference_of_a_contract_may_not_be_known(
    shop: Path, content: str, how: str, note: str
) -> None:
    write(shop, {IMPORT: content})
    assert shown(shop, "refunds") == f"{TARGET} ({how})\n  {note}\n"


def test_the_difference_of_a_contract_that_is_used_no_more_or_newly(shop: Path) -> None:
    own = ".yggdrasil/model/web/yg-node.yaml"
    write(shop, {own: FILES["model/web/yg-node.yaml"] + f"external: [{USES}]\n"})
    text = shown(shop, "web")
    assert f"{TARGET} (added)\n  --- /dev/null\n  +++ b/{TARGET}\t({COMMIT[:12]})\n" in text
    assert "  +## post(entry)\n" in text
    own = ".yggdrasil/model/refunds/yg-node.yaml"
    write(shop, {own: FILES["model/refunds/yg-node.yaml"].replace(f"external: [{USES}]\n", "")})
    gone = f"{TARGET} (deleted)\n  the node has no relation to it any more\n"
    assert gone in shown(shop, "refunds")


def test_a_damaged_import_prevents_packages_and_lenient_ones_of_its_users(shop: Path) -> None:
    write(shop, {IMPORT: "damaged"})
    for node, code in (("orders", 1), ("web", 0)):
        outcome = run("build-context", node, "--lenient", "-C", str(shop))
        assert outcome.code == code
        assert ("E024 imports/billing" in outcome.notes) == bool(code)
        assert run("build-context", node, "-C", str(shop)).code == 1


@pytest.mark.parametrize("name", ["billing::x", TARGET, f"{TARGET}:0123456789ab"])
def test_a_reader_has_packages_of_this_repository_only(shop: Path, name: str) -> None:
    outcome = run("build-context", "refunds", "--have", name, "-C", str(shop))
    assert (outcome.code, outcome.text) == (1, "")
    assert f"error: no node at '{name}'\n  --have takes NODE or NODE:DIGEST" in outcome.notes


def test_a_reader_may_have_an_imported_contract_already(shop: Path) -> None:
    text = run("build-context", "refunds", "--have", "orders", "-C", str(shop)).text
    assert "### interface.md (as in orders)\n" in text
    assert "## post(entry)" not in text


def test_blocks_of_imports_can_be_selected_and_cut(shop: Path) -> None:
    here = ("-C", str(shop))
    only = run("build-context", "orders", "--only", f"dependency:{TARGET}", *here).text
    assert only.count("<dependency") == 1
    assert "<own-artifacts" not in only
    without = run("build-context", "orders", "--without", f"dependency:{TARGET}", *here).text
    assert "<dependency" not in without
    long = {**LEDGER, "interface.md": "A long contract. " * 40}
    write(shop, {IMPORT: billing_import(published("payments"), published("payments/ledger", long))})
    document = data(shop, "build-context", "orders", "--fit", "160")
    (cut,) = document["fit"]["cut"]
    assert (cut["subject"], cut["document"], cut["step"]) == (TARGET, "interface.md", 6)
    assert cut["command"] == f"yg build-context orders --only dependency:{TARGET}"
    assert run(*cut["command"].split()[1:], *here).code == 0


def test_a_package_as_json_names_the_import(shop: Path) -> None:
    document = data(shop, "build-context", "orders")
    block = next(block for block in document["blocks"] if block["kind"] == "dependency")
    assert block["attributes"] == {
        "target": TARGET,
        "source": f"import billing@{COMMIT}",
        "type": "calls",
        "consumes": "post",
        "failure": "wait",
    }
    assert block["files"] == [IMPORT]
    assert [quoted["path"] for quoted in block["documents"]] == [
        f"{TARGET}/responsibility.md",
        f"{TARGET}/interface.md",
    ]
    assert IMPORT in document["files"]


def test_any_commit_can_be_asked(shop: Path) -> None:
    for arguments in (("init", "--quiet"), ("add", "--all"), ("commit", "-q", "-m", "x")):
        git(shop, *arguments)
    questions = (
        ("build-context", "orders"),
        ("impact", TARGET),
        ("deps", "orders"),
        ("tree",),
        ("find", "books"),
        ("export", "--format", "csv", "--table", "edges"),
        ("validate",),
    )
    before = [run(*question, "-C", str(shop)).text for question in questions]
    write(shop, {IMPORT: "damaged"})
    (shop / ".yggdrasil/model/orders/yg-node.yaml").unlink()
    assert [run(*question, "--at", "HEAD", "-C", str(shop)).text for question in questions] == (
        before
    )


def test_a_comparison_with_a_commit_shows_changed_contracts_only(shop: Path) -> None:
    for arguments in (("init", "--quiet"), ("add", "--all"), ("commit", "-q", "-m", "x")):
        git(shop, *arguments)
    write(shop, {IMPORT: UNRELATED})
    assert data(shop, "impact", "--diff")["packages"] == []
    write(shop, {IMPORT: CHANGED})
    packages = data(shop, "impact", "--diff")["packages"]
    assert [package["node"] for package in packages] == ["orders", "refunds"]
    simulated = run("impact", TARGET, "--simulate", "-C", str(shop)).text
    assert f"+ Changed dependency interface: {TARGET}" in simulated


def test_a_node_here_may_have_colons_in_its_name(shop: Path) -> None:
    write(shop, {".yggdrasil/model/billing::x/yg-node.yaml": NODE})
    outcome = run("impact", "billing::x", "-C", str(shop))
    assert outcome.text.startswith("Impact of changes in billing::x:\n")


def test_a_search_finds_external_targets_as_such(shop: Path) -> None:
    found = data(shop, "find", "books")["results"]
    assert [(entry["path"], entry["document"], entry["line"]) for entry in found] == [
        (TARGET, "responsibility.md", 1),
        (TARGET, "billing.jsonl", 3),
    ]
    named = data(shop, "find", "ledger")["results"][0]
    assert (named["path"], named["file"], named["line"]) == (TARGET, IMPORT, 3)
    assert named["text"] == "name: Ledger (service): Keeps the books."


def test_the_index_knows_imports(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stamps, "SETTLED_NS", -(10**18))
    questions = (
        ("validate",),
        ("build-context", "orders"),
        ("drift",),
        ("status",),
        ("find", "books"),
        ("find", "key"),
        ("tree",),
        ("import", "list"),
    )
    contents = (CHANGED, UNRELATED, "damaged", billing_import(contracts=False), CHANGED)
    for content in contents:
        write(shop, {IMPORT: content})
        for _ in range(2):
            for question in questions:
                cached = run(*question, "-C", str(shop))
                plain = run(*question, "--no-cache", "-C", str(shop))
                assert (cached.text, cached.code) == (plain.text, plain.code)
    (shop / IMPORT).unlink()
    assert "E022" in run("validate", "-C", str(shop)).text


def test_a_large_package_of_contracts_is_over_budget(shop: Path) -> None:
    long = {"interface.md": "A long contract. " * 5_000}
    write(shop, {IMPORT: billing_import(published("payments"), published("payments/ledger", long))})
    assert "W006 orders" in run("validate", "-C", str(shop)).text
