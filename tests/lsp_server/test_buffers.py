"""Diagnostics of unsaved documents are those of `yg validate` after saving."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from inventories import billing_import
from lsp_server.editor import MODEL, SHOP, Editor
from support import REPOSITORY, run, write
from yg.disk.files import stamps
from yg.kernel.steps import finished
from yg.surfaces.lsp.checks import Checker
from yg.surfaces.lsp.uris import path_of

CONFIG_FILE = ".yggdrasil/yg-config.yaml"
EXAMPLES = REPOSITORY / "examples"
WORDS = (
    *(
        "orders",
        "pay",
        "pay/gateway",
        "mail",
        "audit",
        "log",
        "service",
        "module",
        "uses",
        "charge",
    ),
    *(
        "src/pay.py",
        ":",
        "",
        "-",
        "[",
        "]",
        "{",
        "}",
        "'",
        '"',
        "\n",
        "#",
        "😀",
        "é",
        "\t",
        "&",
        "*",
    ),
    *("name:", "type:", "relations:", "target:", "nodes:", "aspects:", "mapping:", "x:"),
    *("external:", "\nexternal: [{target: 'b::x', type: calls}]\n", "\nexternal: []\n"),
    *("<<<<<<<", "&", "*", "\u2028", "\r\n"),
)


def checked(editor: Editor, checker: Checker) -> list[tuple[Any, ...]]:
    """Return what the server would send, in the terms of `validate`."""
    result = finished(checker.steps(editor.documents, "utf-32"))
    return sorted(
        (
            Path(str(path_of(uri))).relative_to(editor.root).as_posix(),
            found.range.start.line,
            found.range.start.character,
            str(found.code),
            found.message,
            found.severity is types.DiagnosticSeverity.Error,
        )
        for uri, listed in result.diagnostics.items()
        for found in listed
    )


def validated(root: Path, config: str = CONFIG_FILE) -> list[tuple[Any, ...]]:
    """Return the issues of `yg validate --json`, without the index."""
    issues = json.loads(run("validate", "-C", str(root), "--json", "--no-cache").text)["issues"]
    found = []
    for issue in issues:
        file = issue["file"]
        if (root / file).is_dir():
            file = config
        line, column = (issue["line"] or 1) - 1, (issue["column"] or 1) - 1
        text = (root / file).read_bytes().decode("utf-8-sig", "replace") if line or column else ""
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        column = min(column, len(lines[line])) if line < len(lines) else 0
        is_error = issue["severity"] == "error"
        found.append((file, line, column, issue["code"], issue["message"], is_error))
    return sorted(found)


def mutated(chance: random.Random, text: str) -> str:
    """Insert a word somewhere, cut something out, or repeat a line."""
    start = chance.randrange(len(text) + 1)
    match chance.randrange(3):
        case 0:
            return text[:start] + chance.choice(WORDS) + text[start:]
        case 1:
            return text[:start] + text[start + chance.randrange(12) :]
        case _:
            lines = text.split("\n")
            return "\n".join([*lines, chance.choice(lines)])


PAY = f"{MODEL}/pay/yg-node.yaml"
EXTERNAL = "external: [{target: 'billing::payments/ledger', type: calls}]\n"
# So that every package is reported with its size, and two relations are too many.
QUALITY = "quality: {max_direct_relations: 1, context_budget: {warning: 10, error: 90}}\n"
SIZED = {
    **SHOP,
    PAY: f"{SHOP[PAY]}{EXTERNAL}",
    ".yggdrasil/imports/billing.jsonl": billing_import(),
    CONFIG_FILE: f"{SHOP[CONFIG_FILE]}{QUALITY}",
}


def edit_at_random(root: Path, seed: int, steps: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    editor = Editor(root / "edited", SIZED)
    checker = Checker(editor.session)
    texts: dict[str, str] = dict(SIZED)
    names = [*SIZED, f"{MODEL}/new/yg-node.yaml", f"{MODEL}/pay/internals.md", "src/new.py"]
    for step in range(steps):
        path = chance.choice([name for name in names if step % 5 == 0 or name != CONFIG_FILE])
        texts[path] = mutated(chance, texts.get(path, SHOP[f"{MODEL}/mail/yg-node.yaml"]))
        editor.type(path, texts[path])
        saved = write(root / f"saved{step}", texts)
        assert checked(editor, checker) == validated(saved), (seed, step, path, texts[path])
        if chance.randrange(4) == 0:
            editor.save()
            editor.session.forget()
            assert checked(editor, checker) == validated(editor.root), (seed, step, "saved")


def test_a_few_random_edits_give_the_issues_of_validate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stamps, "SETTLED_NS", -(10**18))  # the index stores everything
    edit_at_random(tmp_path, 1, 12)


# Of other kinds: the example, its configuration, and the endings of its declarations.
OTHERS = {
    "shop-0x": ("yggdrasil/config.yaml", ".yaml"),
    "spec-shop": ("specgraph/graph.json", ".json"),
}


def edit_another_kind(root: Path, example: str, seed: int, steps: int) -> None:
    config, ending = OTHERS[example]
    chance = random.Random(seed)  # noqa: S311
    texts: dict[str, str] = {
        path.relative_to(EXAMPLES / example).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((EXAMPLES / example).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    declared = [name for name in texts if name.endswith(ending) and name.split("/")[0] in config]
    editor = Editor(root / "edited", texts)
    checker = Checker(editor.session)
    for step in range(steps):
        path = chance.choice(declared)
        texts[path] = mutated(chance, texts[path])
        editor.type(path, texts[path])
        saved = write(root / f"saved{step}", texts)
        assert checked(editor, checker) == validated(saved, config), (seed, step, path, texts[path])


@pytest.mark.parametrize("example", OTHERS)
def test_edits_of_other_kinds_of_graphs_give_the_issues_of_validate(
    tmp_path: Path, example: str
) -> None:
    edit_another_kind(tmp_path, example, 1, 3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 5))
@pytest.mark.parametrize("example", OTHERS)
def test_random_edits_of_other_kinds_give_the_issues_of_validate(
    tmp_path: Path, example: str, seed: int
) -> None:
    edit_another_kind(tmp_path, example, seed, 15)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_random_edits_give_the_issues_of_validate(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if seed % 2:
        monkeypatch.setattr(stamps, "SETTLED_NS", -(10**18))
    edit_at_random(tmp_path, seed, 25)


def test_a_file_in_another_encoding_is_reported_until_it_is_edited(tmp_path: Path) -> None:
    path = f"{MODEL}/pay/responsibility.md"
    editor = Editor(tmp_path, {**SHOP, path: "é".encode("latin-1") * 60})
    editor.documents = editor.documents.opened(editor.uri(path), "é" * 60, 1)
    assert [issue.code for issue in editor.issues] == ["E021"]
    editor.type(path, "é" * 61)
    assert editor.issues == ()


def test_a_restored_document_counts_without_an_edit(tmp_path: Path) -> None:
    path = f"{MODEL}/pay/yg-node.yaml"
    editor = Editor(tmp_path)
    editor.documents = editor.documents.opened(editor.uri(path), "name: P\ntype: servce\n", 1)
    assert [issue.code for issue in editor.issues] == ["E002"]


def test_an_open_document_follows_its_file_unless_it_was_edited(tmp_path: Path) -> None:
    path = f"{MODEL}/pay/yg-node.yaml"
    editor = Editor(tmp_path)
    editor.documents = editor.documents.opened(editor.uri(path), SHOP[path], 1)
    write(tmp_path, {path: "name: P\ntype: servce\n"})
    assert [issue.code for issue in editor.issues] == ["E002"]


def test_a_document_behind_a_link_does_not_count(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    (tmp_path / "docs.md").write_text("x", encoding="utf-8")
    link = f"{MODEL}/pay/internals.md"
    (tmp_path / link).symlink_to(tmp_path / "docs.md")
    editor.type(link, "edited")
    assert [issue.code for issue in editor.issues] == ["W019"]


def test_a_lone_surrogate_is_not_utf8(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.type(f"{MODEL}/pay/yg-node.yaml", "name: \ud800\ntype: service\n")
    assert [issue.code for issue in editor.issues][:1] == ["E021"]
