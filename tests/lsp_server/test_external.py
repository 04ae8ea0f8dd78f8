"""Relations to nodes of other repositories in an editor."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from inventories import COMMIT, billing_import
from lsp_server.editor import MODEL, SHOP, Editor
from yg.surfaces.lsp import completion, navigation
from yg.surfaces.lsp.hover import hover

ORDERS = f"{MODEL}/orders/yg-node.yaml"
MAIL = f"{MODEL}/mail/yg-node.yaml"
IMPORT = ".yggdrasil/imports/billing.jsonl"
TARGET = "billing::payments/ledger"
RELATION = f"external:\n  - target: {TARGET}\n    type: calls\n    consumes: [post]\n"
FILES = {
    **SHOP,
    IMPORT: billing_import(),
    ORDERS: SHOP[ORDERS] + RELATION,
    MAIL: SHOP[MAIL] + RELATION,
}


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    return Editor(tmp_path, FILES)


def described(editor: Editor, word: str) -> str | None:
    view, file, offset = editor.at(ORDERS, word)
    found = hover(session=editor.session, issues=(), view=view, file=file, offset=offset)
    if found is None:
        return None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("external:\n  - target: |", ["billing::payments", TARGET]),
        ('external: [{target: "bill|ing::p"}]', ["billing::payments", TARGET]),
        (f"external:\n- consumes: [|]\n  target: {TARGET}\n", ["post"]),
        ("external:\n- consumes: [|]\n  target: billing::nowhere\n", []),
        (
            f"external:\n- target: {TARGET}\n  type: |",
            ["uses", "calls", "extends", "implements", "emits", "listens"],
        ),
    ],
)
def test_completion_offers_what_the_imports_have(
    editor: Editor, text: str, labels: list[str]
) -> None:
    editor.type(ORDERS, text.replace("|", ""))
    found = completion.completion(editor.view, ORDERS, text.index("|"))
    assert [item.label for item in found.items] == labels


def test_a_completion_shows_the_first_line_of_the_responsibility(editor: Editor) -> None:
    text = "external:\n  - target: \n"
    editor.type(ORDERS, text)
    items = completion.completion(editor.view, ORDERS, len(text) - 1).items
    assert [item.detail for item in items] == [None, "Keeps the books."]
    assert [item.text_edit.new_text for item in items if item.text_edit] == [
        "billing::payments",
        TARGET,
    ]


def test_a_hover_says_what_the_target_is_and_of_which_commit(editor: Editor) -> None:
    commit = COMMIT[:12]
    expected = f"**{TARGET}** (service of acme-billing at {commit})\n\nKeeps the books."
    assert described(editor, TARGET) == expected


def test_a_target_leads_to_its_line_in_the_import(editor: Editor) -> None:
    for word in (TARGET, "post"):
        (place,) = navigation.definition(*editor.at(ORDERS, word))
        assert place.uri == editor.uri(IMPORT)
        assert place.range.start == types.Position(2, 0)
    assert "payments/ledger" in FILES[IMPORT].splitlines()[2]


def test_links_lead_to_the_import(editor: Editor) -> None:
    assert [link.tooltip for link in navigation.links(editor.view, ORDERS)][-1] == IMPORT


def test_references_are_all_relations_to_the_target(editor: Editor) -> None:
    found = navigation.references(*editor.at(ORDERS, TARGET), with_declaration=True)
    assert [place.uri for place in found] == [editor.uri(MAIL), editor.uri(ORDERS)]


@pytest.mark.parametrize("text", ["", billing_import()[:-10]])
def test_an_import_that_is_damaged_offers_nothing(editor: Editor, text: str) -> None:
    editor.type(IMPORT, text)
    assert described(editor, TARGET) is None
    assert navigation.definition(*editor.at(ORDERS, TARGET)) == []
    assert IMPORT not in [link.tooltip for link in navigation.links(editor.view, ORDERS)]
    assert "E024" in {issue.code for issue in editor.issues}


def test_a_wrong_target_can_be_corrected(editor: Editor) -> None:
    editor.type(ORDERS, FILES[ORDERS].replace(TARGET, "billing::payments/ledgr"))
    (issue,) = [issue for issue in editor.issues if issue.code == "E023"]
    assert [fix.title for fix in issue.fixes] == [f"Change to '{TARGET}'"]
