"""Documents and decisions in an editor: completed, and followed to their place."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from lsp_server.editor import MODEL, Editor
from support import write
from yg.surfaces.lsp import completion, navigation

ORDERS = f"{MODEL}/orders/yg-node.yaml"
README = "# Shop\n\n## Prices\n\nIn cents.\n"


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    files = {"README.md": README, "docs/a.md": "", "docs/adr/0007-x.md": "# 7. Cents\n"}
    write(tmp_path, files)
    return Editor(tmp_path)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("documents: [|", ["README.md", "docs/a.md", "docs/adr/0007-x.md"]),
        ("documents:\n- README.md#|", ["README.md#Shop", "README.md#Prices"]),
        ("documents:\n- gone.md#|", []),
        ("artifacts:\n  interface.md: |", ["README.md", "docs/a.md", "docs/adr/0007-x.md"]),
        ("decisions: [|", ["7"]),
    ],
)
def test_completion_offers_texts_headings_and_decisions(
    editor: Editor, text: str, labels: list[str]
) -> None:
    editor.type(ORDERS, text.replace("|", ""))
    found = completion.completion(editor.view, ORDERS, text.index("|"))
    assert [item.label for item in found.items] == labels


@pytest.mark.parametrize(
    ("text", "end", "line"),
    [
        ("documents: [README.md#|prices]\n", "README.md", 2),
        ("documents: [|docs/a.md]\n", "docs/a.md", 0),
        ("decisions: [0|7]\n", "docs/adr/0007-x.md", 0),
    ],
)
def test_a_document_or_a_decision_leads_to_its_place(
    editor: Editor, text: str, end: str, line: int
) -> None:
    editor.type(ORDERS, text.replace("|", ""))
    [found] = navigation.definition(editor.view, ORDERS, text.index("|"))
    assert found.uri.endswith(f"/{end}")
    assert found.range.start == types.Position(line, 0)
    [link] = navigation.links(editor.view, ORDERS)
    assert link.tooltip == end


@pytest.mark.parametrize(
    "text", ["documents: [|gone.md]\n", "decisions: [|9]\n", "decisions: [|x]\n"]
)
def test_what_does_not_exist_leads_nowhere(editor: Editor, text: str) -> None:
    editor.type(ORDERS, text.replace("|", ""))
    assert navigation.definition(editor.view, ORDERS, text.index("|")) == []
