"""`yg inventory` and `yg import`: what one repository publishes, and another takes in."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from inventories import billing, billing_import, published
from schemas import faults_in
from support import CONFIG, NODE, git, run, write, write_graph
from yg.kernel.inventory import inventory_text, read_import

IMPORT = ".yggdrasil/imports/billing.jsonl"
LEDGER = ".yggdrasil/model/payments/ledger"
BILLING = {
    "yg-config.yaml": CONFIG.replace("name: test", "name: acme-billing"),
    "model/payments/yg-node.yaml": "name: Payments\ntype: module\n",
    "model/payments/ledger/yg-node.yaml": "name: Ledger\ntype: service\n",
    "model/payments/ledger/responsibility.md": "# Ledger\n\nKeeps the books.\nForever.\n",
    "model/payments/ledger/interface.md": "## post(entry)\r\n",
    "model/payments/ledger/internals.md": "Nobody else may read this.\n",
}
ORDERS = f"""\
{NODE}external:
  - {{target: "billing::payments/ledger", type: calls}}
  - {{target: "billing::payments", type: listens}}
"""


def commit(root: Path) -> str:
    """Commit everything, and return the commit."""
    if not (root / ".git").exists():
        git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "state")
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Make the repository that publishes an inventory."""
    root = write_graph(tmp_path / "billing", BILLING)
    commit(root)
    return root


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Make the repository that imports it."""
    return write_graph(tmp_path / "shop", {"model/orders/yg-node.yaml": ORDERS})


def data(*argv: str) -> dict[str, Any]:
    """Return the JSON document of a command."""
    document: dict[str, Any] = json.loads(run(*argv, "--json").text)
    assert faults_in(document) == []
    return document


def taken(root: Path) -> list[dict[str, Any]]:
    """Return the lines of the import."""
    return [json.loads(line) for line in (root / IMPORT).read_text("utf-8").splitlines()]


def test_an_inventory_names_the_repository_its_commit_and_all_nodes(other: Path) -> None:
    outcome = run("inventory", "-C", str(other))
    first, payments, ledger = map(json.loads, outcome.text.splitlines())
    head = git(other, "rev-parse", "HEAD")
    assert first == {"format": "yg-inventory/1", "name": "acme-billing", "commit": head}
    assert list(payments) == ["path", "type", "name", "summary", "digest"]
    assert (ledger["path"], ledger["summary"]) == ("payments/ledger", "Keeps the books.")
    assert (outcome.code, outcome.notes) == (0, "")


def test_without_contracts_no_more_of_a_text_is_published_than_its_first_line(other: Path) -> None:
    text = run("inventory", "-C", str(other)).text
    assert "Keeps the books." in text
    for private in ("Forever", "post(entry)", "Nobody else"):
        assert private not in text


def test_contracts_are_what_dependents_see_with_the_same_line_ends_everywhere(other: Path) -> None:
    outcome = run("inventory", "--contracts", "-C", str(other))
    ledger = json.loads(outcome.text.splitlines()[-1])
    assert list(ledger["contracts"].items()) == [
        ("responsibility.md", "# Ledger\n\nKeeps the books.\nForever.\n"),
        ("interface.md", "## post(entry)\n"),
    ]
    without = run("inventory", "-C", str(other)).text.splitlines()[-1]
    assert json.loads(without)["digest"] == ledger["digest"]
    write(other, {f"{LEDGER}/interface.md": "## post(entry)\n", f"{LEDGER}/internals.md": "New."})
    assert json.loads(run("inventory", "-C", str(other)).text.splitlines()[-1]) == json.loads(
        without
    )


def test_an_inventory_in_a_file_and_as_json(other: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    assert run("inventory", "-C", str(other), "-o", str(file)).text == ""
    text = run("inventory", "-C", str(other)).text
    assert file.read_text("utf-8") == text
    document = data("inventory", "-C", str(other))
    assert document["nodes"] == [json.loads(line) for line in text.splitlines()[1:]]


def test_an_inventory_says_if_it_is_not_that_of_its_commit(other: Path) -> None:
    before = run("inventory", "-C", str(other)).text
    write(other, {f"{LEDGER}/interface.md": "## post(entry, key)\n"})
    changed = run("inventory", "-C", str(other))
    head = git(other, "rev-parse", "HEAD")[:12]
    warning = f"1 file in .yggdrasil/ differs from commit {head}, which the inventory names"
    assert changed.notes == f"warning: {warning}\n"
    assert changed.text != before
    assert run("inventory", "-C", str(other), "--at", "HEAD").text == before


def test_an_inventory_of_a_repository_without_git_names_no_commit(tmp_path: Path) -> None:
    write_graph(tmp_path, BILLING)
    outcome = run("inventory", "-C", str(tmp_path))
    assert json.loads(outcome.text.splitlines()[0])["commit"] == ""
    assert "no commit" in outcome.notes


def test_what_cannot_be_read_is_left_out_and_said_to_be(other: Path) -> None:
    write(other, {".yggdrasil/model/bad/yg-node.yaml": "- no\n", f"{LEDGER}/interface.md": b"\xff"})
    outcome = run("inventory", "-C", str(other))
    assert [json.loads(line).get("path") for line in outcome.text.splitlines()] == [
        None,
        "payments",
    ]
    assert "bad" in outcome.notes
    assert "payments/ledger is left out" in outcome.notes


def test_a_broken_configuration_gives_no_inventory(other: Path) -> None:
    write(other, {".yggdrasil/yg-config.yaml": "{bad"})
    outcome = run("inventory", "-C", str(other), "--contracts")
    assert (outcome.text, outcome.code) == ("", 1)
    assert "no inventory: .yggdrasil/yg-config.yaml:1:" in outcome.notes


def test_a_draft_has_no_summary(other: Path) -> None:
    assert run("new", "node", "fresh", "-C", str(other)).code == 0
    lines = run("inventory", "-C", str(other)).text.splitlines()
    assert [json.loads(line)["summary"] for line in lines if '"fresh"' in line] == [""]


@pytest.mark.parametrize(
    ("path", "content"),
    [
        (".yggdrasil/yg-config.yaml", b"{bad"),
        (f"{LEDGER}/yg-node.yaml", b"name: ["),
        (f"{LEDGER}/interface.md", b"\xff"),
    ],
    ids=["configuration", "node", "text"],
)
def test_an_import_is_kept_while_its_source_cannot_be_read(
    shop: Path, other: Path, path: str, content: bytes
) -> None:
    assert run("import", "add", "billing", str(other), "-C", str(shop)).code == 0
    kept = (shop / IMPORT).read_bytes()
    write(other, {path: content})
    outcome = run("import", "update", "billing", "-C", str(shop))
    assert outcome.code == 1
    assert "error: no inventory of " in outcome.notes
    assert (shop / IMPORT).read_bytes() == kept


def test_a_graph_of_the_0x_edition_has_an_inventory_too(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "yggdrasil/config.yaml": "name: old\n",
            "yggdrasil/ledger/node.yaml": "name: Ledger\ntype: service\n",
            "yggdrasil/ledger/description.md": "Keeps the books.\n",
            "yggdrasil/ledger/picture.png": b"\0\1",
        },
    )
    lines = run("inventory", "--contracts", "-C", str(tmp_path)).text.splitlines()
    node = json.loads(lines[1])
    assert (node["path"], node["summary"]) == ("ledger", "Keeps the books.")
    assert node["contracts"] == {"description.md": "Keeps the books.\n"}


def test_a_spec_graph_has_no_inventory(tmp_path: Path) -> None:
    run("init", "--kind", "specgraph", "-C", str(tmp_path))
    outcome = run("inventory", "-C", str(tmp_path))
    assert outcome.code == 1
    assert "belongs to Yggdrasil graphs" in outcome.notes


@pytest.mark.parametrize("from_file", [False, True])
def test_an_import_is_taken_from_a_repository_or_a_file(
    other: Path, shop: Path, tmp_path: Path, *, from_file: bool
) -> None:
    source = tmp_path / "inventory.jsonl" if from_file else other
    if from_file:
        run("inventory", "--contracts", "-C", str(other), "-o", str(source))
    outcome = run("import", "add", "billing", str(source), "-C", str(shop))
    head = git(other, "rev-parse", "HEAD")
    name = os.path.relpath(source, shop)
    said = f"imported billing from {name} at {head[:12]} (2 nodes, with contracts)\n"
    assert (outcome.text, outcome.notes, outcome.code) == (said, "", 0)
    first, _, ledger = taken(shop)
    assert list(first) == ["format", "name", "commit", "source", "digest"]
    assert (first["name"], first["commit"], first["source"]) == ("acme-billing", head, name)
    assert ledger["contracts"]["interface.md"] == "## post(entry)\n"
    assert "E02" not in run("validate", "-C", str(shop)).text


def test_the_path_is_meant_from_where_the_user_is(other: Path, shop: Path) -> None:
    (shop / "deep/er").mkdir(parents=True)
    here = str(shop / "deep/er")
    assert run("import", "add", "billing", "../../../billing", "-C", here).code == 0
    assert taken(shop)[0]["source"] == "../billing"
    inside = write_graph(shop / "vendor/tax", BILLING)
    assert run("import", "add", "tax", str(inside), "-C", here).code == 0
    assert "from vendor/tax" in run("import", "list", "-C", here).text


def test_a_source_far_away_is_stored_as_it_is_and_read_only_if_named(
    other: Path, tmp_path: Path
) -> None:
    shop = write_graph(tmp_path / "far/away/shop", {"model/orders/yg-node.yaml": ORDERS})
    run("import", "add", "billing", str(other), "-C", str(shop))
    assert taken(shop)[0]["source"] == str(other)
    outcome = run("import", "update", "-C", str(shop))
    assert (outcome.code, outcome.text) == (1, "")
    assert f"error: billing: its source '{other}' is not beside this rep" in outcome.notes
    assert "yg import update billing" in outcome.notes
    assert run("import", "update", "billing", "-C", str(shop)).code == 0


def test_contracts_can_be_left_out_and_stay_so(other: Path, shop: Path) -> None:
    here = ("-C", str(shop))
    run("import", "add", "billing", "../billing", "--no-contracts", *here)
    write(other, {f"{LEDGER}/interface.md": "## post(entry, key)\n"})
    commit(other)
    assert "without contracts" in run("import", "update", *here).text
    first, *nodes = taken(shop)
    assert first["contracts"] is False
    assert [node for node in nodes if "contracts" in node] == []
    run("import", "add", "billing", "../billing", *here)
    assert "contracts" in taken(shop)[1]


def test_an_update_names_the_contracts_in_use_that_changed(other: Path, shop: Path) -> None:
    here = ("-C", str(shop))
    run("import", "add", "billing", "../billing", *here)
    then = git(other, "rev-parse", "HEAD")
    assert run("import", "update", *here).text == (
        f"billing: unchanged since {then[:12]} (2 nodes, with contracts)\n"
    )
    write(other, {f"{LEDGER}/interface.md": "## post(entry, key)\n"})
    write(other, {".yggdrasil/model/tax/yg-node.yaml": NODE})
    now = commit(other)
    planned = run("import", "update", "--dry-run", *here)
    assert (shop / IMPORT).read_text("utf-8").count(then) == 1
    document = data("import", "update", "--dry-run", *here)
    outcome = run("import", "update", "billing", *here)
    assert (
        outcome.text
        == f"""\
billing: {then[:12]} -> {now[:12]} (3 nodes, with contracts)
  changed  billing::payments/ledger  used by orders
Next: 'yg drift --show' shows what changed; 'yg drift-sync' records the nodes again.
"""
    )
    size = (shop / IMPORT).stat().st_size
    assert f"write   {IMPORT} ({size} bytes)\n" in planned.text
    assert document["imports"][0]["changes"] == [
        {"target": "billing::payments/ledger", "change": "changed", "nodes": ["orders"]}
    ]
    assert (document["imports"][0]["previous_commit"], document["dry_run"]) == (then, True)
    assert document["edits"] == [{"edit": "write", "path": IMPORT, "bytes": size}]


def test_an_update_names_nodes_in_use_that_are_gone_or_new(other: Path, shop: Path) -> None:
    here = ("-C", str(shop))
    write(shop, {".yggdrasil/model/tax/yg-node.yaml": ORDERS.replace("payments/ledger", "tax")})
    run("import", "add", "billing", "../billing", *here)
    (other / LEDGER / "yg-node.yaml").rename(other / ".yggdrasil/model/tax.yaml")
    write(other, {".yggdrasil/model/tax/yg-node.yaml": NODE})
    changes = [
        "  gone     billing::payments/ledger  used by orders",
        "  new      billing::tax  used by tax",
    ]
    planned = run("import", "update", "--dry-run", *here).text
    assert planned.splitlines()[1:3] == changes
    assert "Next:" not in planned
    assert run("import", "update", *here).text.splitlines()[1:] == [
        *changes,
        "Next: 'yg validate' shows the relations to nodes that are gone.",
        "Next: 'yg drift --show' shows what changed; 'yg drift-sync' records the nodes again.",
    ]


def test_an_update_says_if_only_the_content_changes(other: Path, shop: Path) -> None:
    here = ("-C", str(shop))
    run("import", "add", "billing", "../billing", *here)
    head = git(other, "rev-parse", "HEAD")[:12]
    write(other, {".yggdrasil/model/tax/yg-node.yaml": NODE})
    planned = run("import", "update", "--dry-run", *here)
    assert planned.text.startswith(f"billing: would change at {head} (3 nodes, with contracts)\n")
    outcome = run("import", "update", *here)
    assert outcome.text == f"billing: changed at {head} (3 nodes, with contracts)\n"
    assert outcome.notes.startswith("warning: billing: 1 file in .yggdrasil/ differs from commit")


def test_an_import_without_a_commit_has_none_in_messages(shop: Path) -> None:
    here = ("-C", str(shop))
    file = {"b.jsonl": inventory_text(billing(commit=""))}
    write(shop.parent, file)
    added = run("import", "add", "billing", "../b.jsonl", *here).text
    assert added == "imported billing from ../b.jsonl (2 nodes, with contracts)\n"
    same = run("import", "update", *here).text
    assert same == "billing: unchanged (2 nodes, with contracts)\n"
    write(shop.parent, {"b.jsonl": inventory_text(billing(published("x"), commit=""))})
    changed = run("import", "update", *here).text
    assert changed.startswith("billing: changed (1 node, with contracts)\n")


def test_the_line_ends_of_a_checkout_are_not_a_change(other: Path, shop: Path) -> None:
    here = ("-C", str(shop))
    run("import", "add", "billing", "../billing", *here)
    checked_out = (shop / IMPORT).read_bytes().replace(b"\n", b"\r\n")
    (shop / IMPORT).write_bytes(checked_out)
    assert "unchanged since" in run("import", "update", *here).text
    assert (shop / IMPORT).read_bytes() == checked_out
    for file in other.rglob("*.*"):
        if ".git" not in file.parts and file.suffix in (".md", ".yaml"):
            text = file.read_bytes().replace(b"\r\n", b"\n")
            file.write_bytes(text.replace(b"\n", b"\r\n"))
    assert "unchanged since" in run("import", "update", *here).text


def test_an_import_that_replaces_one_of_another_source_says_so(
    other: Path, shop: Path, tmp_path: Path
) -> None:
    here = ("-C", str(shop))
    run("import", "add", "billing", "../billing", *here)
    head = git(other, "rev-parse", "HEAD")
    assert "replace" not in run("import", "add", "billing", "../billing", *here).text
    tax = {**BILLING, "yg-config.yaml": CONFIG.replace("name: test", "name: tax")}
    write_graph(tmp_path / "tax", tax)
    was = f"../billing (repository acme-billing at {head[:12]}), now repository tax\n"
    planned = run("import", "add", "billing", "../tax", "--dry-run", *here).text
    assert f"\n  would replace {was}" in planned
    document = data("import", "add", "billing", "../tax", "--dry-run", *here)
    assert document["imports"][0]["replaced"] == {
        "source": "../billing",
        "repository": "acme-billing",
        "commit": head,
    }
    assert f"\n  replaced {was}" in run("import", "add", "billing", "../tax", *here).text
    document = data("import", "update", *here)
    assert document["imports"][0]["replaced"] is None
    other.rename(tmp_path / "moved")
    run("import", "add", "billing", "../moved", *here)
    (tmp_path / "moved").rename(other)
    moved = run("import", "add", "billing", "../billing", *here).text
    assert moved.endswith(f"\n  replaced ../moved (repository acme-billing at {head[:12]})\n")


def test_an_update_says_if_the_source_is_another_repository_now(
    other: Path, shop: Path, tmp_path: Path
) -> None:
    here = ("-C", str(shop))
    run("import", "add", "billing", "../billing", *here)
    other.rename(tmp_path / "old")
    write_graph(other, {**BILLING, "yg-config.yaml": CONFIG.replace("name: test", "name: tax")})
    assert "), now repository tax\n" in run("import", "update", *here).text


def test_a_bare_repository_is_taken_at_its_current_commit(
    other: Path, shop: Path, tmp_path: Path
) -> None:
    head = git(other, "rev-parse", "HEAD")
    git(tmp_path, "clone", "--quiet", "--bare", str(other), "billing.git")
    outcome = run("import", "add", "billing", "../billing.git", "-C", str(shop))
    said = f"imported billing from ../billing.git at {head[:12]} (2 nodes, with contracts)\n"
    assert (outcome.text, outcome.notes, outcome.code) == (said, "", 0)
    assert "unchanged since" in run("import", "update", "-C", str(shop)).text


@pytest.mark.parametrize(
    ("has_commit", "said"),
    [
        (False, "this git repository has no commits yet"),
        (True, "there is no Yggdrasil graph in it"),
    ],
)
def test_a_bare_repository_without_a_graph_is_refused(
    shop: Path, tmp_path: Path, said: str, *, has_commit: bool
) -> None:
    write_graph(tmp_path, BILLING)  # the graph of a directory above is another one
    write(tmp_path / "plain", {"README.md": "No graph.\n"})
    git(tmp_path / "plain", "init", "--quiet")
    if has_commit:
        commit(tmp_path / "plain")
    git(tmp_path, "clone", "--quiet", "--bare", "plain", "plain.git")
    outcome = run("import", "add", "plain", "../plain.git", "-C", str(shop))
    assert outcome.code == 1
    assert f"plain.git': {said}" in outcome.notes


def test_a_damaged_import_is_updated_from_its_source(other: Path, shop: Path) -> None:
    here = ("-C", str(shop))
    run("import", "add", "billing", "../billing", *here)
    whole = (shop / IMPORT).read_bytes()
    (shop / IMPORT).write_bytes(whole.replace(b"Keeps", b"Lost"))
    assert "E024 imports/billing" in run("validate", *here).text
    assert "damaged" in run("import", "list", *here).text
    assert data("import", "list", *here)["imports"][0]["commit"] is None
    assert run("import", "update", *here).text.startswith("billing: damaged -> ")
    assert (shop / IMPORT).read_bytes() == whole


def test_a_merge_conflict_in_an_import_is_resolved_by_an_update(other: Path, shop: Path) -> None:
    here = ("-C", str(shop))
    run("import", "add", "billing", "../billing", *here)
    whole = (shop / IMPORT).read_text("utf-8")
    sides = f"<<<<<<< HEAD\n{whole}=======\n{billing_import()}>>>>>>> theirs\n"
    write(shop, {IMPORT: sides})
    assert "unresolved merge conflict" in run("import", "list", *here).text
    assert run("import", "update", *here).text.startswith("billing: damaged -> ")
    assert (shop / IMPORT).read_text("utf-8") == whole


def test_an_import_that_says_nothing_of_its_source_is_taken_again_by_name(shop: Path) -> None:
    write(shop, {IMPORT: "<<<<<<< ours\n"})
    outcome = run("import", "update", "-C", str(shop))
    assert outcome.code == 1
    assert "error: billing: it does not say where it came from" in outcome.notes
    assert "yg import add billing PATH" in outcome.notes
    write(shop.parent, {"b.jsonl": inventory_text(billing())})
    assert run("import", "add", "billing", "../b.jsonl", "-C", str(shop)).code == 0


def test_an_update_goes_on_after_a_source_that_is_gone(other: Path, shop: Path) -> None:
    here = ("-C", str(shop))
    run("import", "add", "billing", "../billing", *here)
    run("import", "add", "again", str(other), *here)
    text = (shop / IMPORT).read_text("utf-8")
    write(shop, {IMPORT: billing_import(source="../moved.jsonl")})
    outcome = run("import", "update", *here)
    assert outcome.code == 1
    assert outcome.text.startswith("again: unchanged")
    assert outcome.notes.startswith("error: billing: cannot read '")
    assert "moved.jsonl': no such file or directory\n" in outcome.notes
    assert "If it is elsewhere now: yg import add billing PATH" in outcome.notes
    named = run("import", "update", "billing", *here)
    assert (named.code, named.text) == (1, "")
    write(shop.parent, {"moved.jsonl": text})
    assert run("import", "update", "billing", *here).code == 0


def test_the_list_of_imports(other: Path, shop: Path) -> None:
    here = ("-C", str(shop))
    assert run("import", "list", *here).text == (
        "There are no imports; 'yg import add NAME PATH' takes one in.\n"
    )
    run("import", "add", "billing", "../billing", *here)
    head = git(other, "rev-parse", "HEAD")
    assert run("import", "list", *here).text == (
        f"billing  acme-billing at {head[:12]}, 2 nodes with contracts, "
        "used by 1 node, from ../billing\n"
    )
    assert data("import", "list", *here)["imports"] == [
        {
            "name": "billing",
            "file": IMPORT,
            "source": "../billing",
            "repository": "acme-billing",
            "commit": head,
            "nodes": 2,
            "contracts": True,
            "used_by": ["orders"],
            "problem": "",
        }
    ]


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (("add", "a/b", "."), 2, "'a/b' cannot be the name of an import"),
        (("add", "\x1b", "."), 2, "Use letters, digits"),
        (("add", "x", "."), 1, "a repository cannot import itself"),
        (("add", "x", "model"), 1, "model': there is no Yggdrasil graph in it"),
        (("add", "x", ""), 2, "empty path"),
        (("add", "x", "https://host/acme/billing"), 2, "no network connection: clone it"),
        (("add", "x", "git@host:acme/billing.git"), 2, "no network connection: clone it"),
        (("add", "x", f"../{IMPORT}"), 1, "billing.jsonl' is an import of this repository"),
        (("add", "x", "nowhere"), 1, "no such file or directory"),
        (("add", "x", "nul\0"), 1, "is not a path in UTF-8"),
        (("add", "x", "\udcff"), 1, "is not a path in UTF-8"),
        (("add", "x", "fifo"), 1, "not a regular file"),
        (("add", "x", "link"), 1, "it is a link"),
        (("add", "x", "note.md"), 1, "is not an inventory: line 1: not valid JSON"),
        (("add", "x", "later"), 1, "its format is 'yg-inventory/2', not yg-inventory/1"),
        (("add", "x", "huge"), 1, "larger than 16 MB"),
        (("add", "Billing", "good"), 1, "there is an import 'billing' already"),
        (("add", "x"), 2, "'yg import add' takes NAME PATH"),
        (("update", "bill"), 1, "Did you mean 'billing'?"),
        (("update", "x", "y"), 2, "'yg import update' takes [NAME]"),
        (("list", "x"), 2, "'yg import list' takes no names"),
        (("list", "--dry-run"), 2, "--dry-run requires"),
        (("update", "--no-contracts"), 2, "--no-contracts requires"),
    ],
)
def test_what_is_wrong_gets_a_message(
    shop: Path, argv: tuple[str, ...], code: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = shop / "here"
    write(here, {"note.md": "# A note\n", "later": '{"format":"yg-inventory/2"}\n'})
    write(here, {"good": inventory_text(billing()), "model/x": ""})
    write(shop, {IMPORT: billing_import()})
    os.mkfifo(here / "fifo")
    (here / "link").symlink_to("good")
    with (here / "huge").open("wb") as file:
        file.truncate(16_000_001)
    monkeypatch.chdir(here)
    if argv[-1] == ".":
        monkeypatch.chdir(shop)
    outcome = run("import", *argv)
    assert (outcome.code, outcome.text) == (code, "")
    assert said in outcome.notes
    assert sorted(path.name for path in (shop / IMPORT).parent.iterdir()) == ["billing.jsonl"]


def test_an_import_that_would_be_too_large_can_leave_the_contracts_out(
    shop: Path, tmp_path: Path
) -> None:
    large = {f"model/n{at}/yg-node.yaml": NODE for at in range(2)}
    large |= {f"model/n{at}/interface.md": "x" * 8_100_000 for at in range(2)}
    write_graph(tmp_path / "large", large)
    outcome = run("import", "add", "large", str(tmp_path / "large"), "-C", str(shop))
    assert (outcome.code, outcome.text) == (1, "")
    assert "more than 16 MB" in outcome.notes
    assert "--no-contracts" in outcome.notes
    again = ("import", "add", "large", str(tmp_path / "large"), "--no-contracts", "-C", str(shop))
    assert run(*again).code == 0


def test_nothing_is_written_in_the_other_repository(other: Path, shop: Path) -> None:
    before = sorted(path for path in other.rglob("*") if ".git" not in path.parts)
    run("import", "add", "billing", "../billing", "-C", str(shop))
    run("import", "update", "-C", str(shop))
    assert sorted(path for path in other.rglob("*") if ".git" not in path.parts) == before


def test_a_repository_with_an_old_graph_has_no_inventory(shop: Path, tmp_path: Path) -> None:
    write(tmp_path / "old", {".yggdrasil/config.yaml": "name: old\n"})
    outcome = run("import", "add", "old", str(tmp_path / "old"), "-C", str(shop))
    assert outcome.code == 1
    assert f"no inventory of '{tmp_path / 'old'}': the graph in .yggdrasil/ has" in outcome.notes


def test_a_graph_of_another_kind_takes_in_nothing(other: Path, tmp_path: Path) -> None:
    write(tmp_path / "old", {"yggdrasil/config.yaml": "name: old\n"})
    outcome = run("import", "add", "billing", str(other), "-C", str(tmp_path / "old"))
    assert outcome.code == 1
    assert "does not support 0.x graphs" in outcome.notes


def test_the_same_bytes_come_from_the_same_inventory(other: Path, shop: Path) -> None:
    run("import", "add", "billing", "../billing", "-C", str(shop))
    first = (shop / IMPORT).read_bytes()
    (shop / IMPORT).unlink()
    run("import", "add", "billing", "../billing", "-C", str(shop))
    assert (shop / IMPORT).read_bytes() == first
    assert read_import(first.decode()).header.name == "acme-billing"
