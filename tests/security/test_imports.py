"""Hostile inventories and imports: nothing crashes, leaks, or is read that nobody named."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from inventories import billing, billing_import, published
from support import NODE, run, write, write_graph
from yg.kernel.inventory import inventory_text

IMPORT = ".yggdrasil/imports/billing.jsonl"
ORDERS = {
    "model/orders/yg-node.yaml": (
        f'{NODE}external: [{{target: "billing::payments/ledger", type: calls}}]\n'
        "mapping: {paths: [src]}\n"
    )
}
QUESTIONS = (
    "validate",
    "validate --json",
    "build-context orders",
    "build-context orders --lenient --json",
    "build-context orders --format markdown",
    "build-context orders --why",
    "drift",
    "drift --show",
    "tree",
    "deps orders",
    "impact billing::payments/ledger",
    "find ledger",
    "export",
    "export --format csv --table edges",
    "export --format dot",
    "import list",
    "import list --json",
    "status",
)
HEADER = '{"format":"yg-inventory/1","name":"b","commit":""}\n'
ESCAPE = "\x1b[2J\u202e"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    write(tmp_path / "shop", {"src/a.py": "1\n"})
    return write_graph(tmp_path / "shop", ORDERS)


def ask_everything(root: Path) -> str:
    """Ask all questions, and return all that is said to people."""
    said = []
    for question in QUESTIONS:
        command, *rest = question.split()
        outcome = run(command, "-C", str(root), *rest)
        assert outcome.code in (0, 1), f"{question}: {outcome.notes}"
        said.append(outcome.notes)
        if command in ("validate", "tree", "deps", "impact", "drift", "find", "import", "status"):
            said.append(outcome.text)
    return "".join(said)


HOSTILE = {
    "deep JSON": HEADER + '{"path":' * 200_000,
    "a deep list": "[" * 200_000,
    "a long line": HEADER + '{"path":"' + "a" * 2_000_000 + '"}',
    "a number": HEADER + '{"path":' + "9" * 100_000 + "}",
    "NUL": "\0" * 100,
    "a node twice": HEADER + '{"path":"a","type":"","name":"","summary":"","digest":""}\n' * 2,
    "an unpaired surrogate": HEADER.replace("b", "\\ud800"),
    "no line break": HEADER.strip(),
    "many empty lines": "\n" * 200_000,
    "a source that is NUL": billing_import(source="\0"),
    "escape sequences": billing_import(
        published("payments/ledger", {f"{ESCAPE}.md": ESCAPE, "a/../b": "\0"}),
        published(f"payments/{ESCAPE}"),
        commit=ESCAPE,
        source=ESCAPE,
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_import_gets_an_answer(shop: Path, name: str) -> None:
    write(shop, {IMPORT: HOSTILE[name]})
    said = ask_everything(shop)
    assert not {"\x1b", "\u202e", "\0"} & set(said)
    for action in (("update",), ("update", "billing")):
        assert run("import", *action, "-C", str(shop)).code == 1


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_inventory_is_refused_or_taken(shop: Path, tmp_path: Path, name: str) -> None:
    write(tmp_path, {"given.jsonl": HOSTILE[name]})
    outcome = run("import", "add", "billing", str(tmp_path / "given.jsonl"), "-C", str(shop))
    taken = name in {"escape sequences", "a source that is NUL", "no line break"}
    assert outcome.code == (0 if taken else 1)
    assert "\x1b" not in outcome.text + outcome.notes
    assert (shop / IMPORT).exists() == taken


def test_a_huge_file_is_not_read(shop: Path, tmp_path: Path) -> None:
    with (tmp_path / "huge.jsonl").open("wb") as file:
        file.truncate(100_000_000)
    outcome = run("import", "add", "billing", str(tmp_path / "huge.jsonl"), "-C", str(shop))
    assert "larger than 16 MB (100000000 bytes)" in outcome.notes
    (shop / IMPORT).parent.mkdir()
    (tmp_path / "huge.jsonl").rename(shop / IMPORT)
    assert "E024 imports/billing -> the import cannot be read: larger than 16 MB" in (
        run("validate", "-C", str(shop)).text
    )


@pytest.mark.parametrize("linked", ["file", "folder"])
def test_a_link_to_an_import_elsewhere_is_not_followed(
    shop: Path, tmp_path: Path, linked: str
) -> None:
    write(tmp_path / "secret", {"billing.jsonl": billing_import()})
    if linked == "file":
        (shop / IMPORT).parent.mkdir()
        (shop / IMPORT).symlink_to(tmp_path / "secret/billing.jsonl")
    else:
        (shop / IMPORT).parent.symlink_to(tmp_path / "secret")
    text = run("validate", "-C", str(shop)).text
    assert "W019" in text
    assert "E022 orders" in text
    assert "post(entry)" not in run("build-context", "orders", "-C", str(shop)).text
    assert "Keeps the books" not in ask_everything(shop)
    write(tmp_path, {"b.jsonl": inventory_text(billing())})
    outcome = run("import", "add", "billing", str(tmp_path / "b.jsonl"), "-C", str(shop))
    assert (tmp_path / "secret/billing.jsonl").read_text("utf-8") == billing_import()
    assert (outcome.code, outcome.text) == (1, "")


@pytest.mark.parametrize("source", ["/", "../../secret", "{secret}", "../shop/../../secret"])
def test_an_update_reads_nothing_far_away_unless_it_is_named(tmp_path: Path, source: str) -> None:
    secret = write_graph(tmp_path / "secret", {"model/payments/ledger/yg-node.yaml": NODE})
    write(secret, {".yggdrasil/model/payments/ledger/interface.md": "A secret.\n"})
    shop = write_graph(tmp_path / "work/shop", ORDERS)
    stored = billing_import(source=source.format(secret=secret))
    write(shop, {IMPORT: stored})
    outcome = run("import", "update", "-C", str(shop))
    assert (outcome.code, outcome.text) == (1, "")
    assert "is not beside this repository" in outcome.notes
    assert (shop / IMPORT).read_text("utf-8") == stored


def test_an_update_follows_no_link_that_leads_far_away(tmp_path: Path) -> None:
    secret = write_graph(tmp_path / "secret", {"model/payments/ledger/yg-node.yaml": NODE})
    shop = write_graph(tmp_path / "work/shop", ORDERS)
    (shop / "vendor").symlink_to(secret)
    write(shop, {IMPORT: billing_import(source="vendor")})
    outcome = run("import", "update", "-C", str(shop))
    assert outcome.code == 1
    assert "is not beside this repository" in outcome.notes


def test_a_repository_inside_is_not_mistaken_for_this_one(shop: Path) -> None:
    (shop / "vendor/empty").mkdir(parents=True)
    outcome = run("import", "add", "x", str(shop / "vendor/empty"), "-C", str(shop))
    assert outcome.code == 1
    assert "there is no Yggdrasil graph in" in outcome.notes


def test_nothing_runs_in_a_repository_that_is_imported(shop: Path, tmp_path: Path) -> None:
    other = write_graph(tmp_path / "other", {"model/payments/ledger/yg-node.yaml": NODE})
    mark = tmp_path / "mark"
    script = other / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n", "utf-8")
    script.chmod(0o755)
    for arguments in (
        ("init", "--quiet"),
        ("add", "--all"),
        ("commit", "--quiet", "--message", "x"),
        ("config", "core.fsmonitor", str(script)),
        ("config", "core.hooksPath", str(other)),
        ("config", "filter.evil.clean", str(script)),
        ("config", "filter.evil.process", str(script)),
        ("config", "diff.external", str(script)),
    ):
        subprocess.run(["git", "-C", other, *arguments], check=True)
    write(other, {".gitattributes": "* filter=evil diff=evil\n"})
    write(other, {".yggdrasil/model/payments/ledger/interface.md": "changed\n"})
    os.utime(other / ".git/index", ns=(0, 0))
    assert run("import", "add", "billing", str(other), "-C", str(shop)).code == 0
    assert run("import", "update", "-C", str(shop)).code == 0
    assert not mark.exists()


def test_a_source_in_an_import_is_only_a_path(shop: Path, tmp_path: Path) -> None:
    write(shop, {IMPORT: billing_import(source="$(touch x); https://example.org/b.jsonl")})
    outcome = run("import", "update", "billing", "-C", str(shop))
    assert outcome.code == 1
    assert "no such file or directory" in outcome.notes
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shop"]


def test_private_texts_are_in_no_inventory_without_contracts(shop: Path) -> None:
    words = {name: f"{name} secret-{name}\nsecond secret-{name}\n" for name in ("one", "two")}
    write(
        shop,
        {
            ".yggdrasil/model/orders/responsibility.md": words["one"],
            ".yggdrasil/model/orders/interface.md": words["two"],
            ".yggdrasil/model/orders/internals.md": "secret-three\n",
            ".yggdrasil/aspects/x/yg-aspect.yaml": "name: secret-four\n",
        },
    )
    text = run("inventory", "-C", str(shop)).text
    assert text.count("secret-") == 1
    line = json.loads(text.splitlines()[-1])
    assert line["summary"] == "one secret-one"
    assert sorted(line) == ["digest", "name", "path", "summary", "type"]
