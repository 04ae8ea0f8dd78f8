"""Requests in repositories with a Spec Graph or a 0.x graph."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from lsprotocol import types

from lsp_server.editor import Editor
from support import REPOSITORY
from yg.kernel.errors import YgError
from yg.surfaces.lsp import completion, hover, lens, navigation
from yg.surfaces.lsp import edits as changes
from yg.surfaces.lsp.settings import LensSetting

EXAMPLES = REPOSITORY / "examples"
CART = "specgraph/nodes/behaviors/CART-01.json"
SERVICE = "yggdrasil/orders/order-service/node.yaml"


def example(root: Path, name: str) -> Editor:
    shutil.copytree(EXAMPLES / name, root)
    return Editor(root, {})


@pytest.fixture
def specs(tmp_path: Path) -> Editor:
    return example(tmp_path / "specs", "spec-shop")


@pytest.fixture
def old(tmp_path: Path) -> Editor:
    return example(tmp_path / "old", "shop-0x")


def hovered(editor: Editor, path: str, word: str) -> str:
    found = hover.hover(editor.session, editor.issues, *editor.at(path, word))
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


def test_an_id_of_a_spec_graph_leads_to_its_node_and_back(specs: Editor) -> None:
    place = specs.at(CART, '"DM-CART"')
    definition = navigation.definition(*place)
    assert [specs.place(found) for found in definition] == [
        "specgraph/nodes/data_models/DM-CART.json:0:0"
    ]
    found = navigation.references(*place, with_declaration=False)
    assert [specs.place(location).split(":")[0] for location in found] == [
        "specgraph/graph.json",
        "specgraph/nodes/behaviors/CART-01.json",
        "specgraph/nodes/layers/DATA.json",
    ]
    links = navigation.links(specs.view, CART)
    assert [link.tooltip for link in links] == [
        "specgraph/nodes/api_contracts/API-CART.json",
        "specgraph/nodes/ui_contracts/UI-CART.json",
        "specgraph/nodes/data_models/DM-CART.json",
    ]


def test_a_hover_in_a_spec_graph_describes_the_node_and_the_issue(specs: Editor) -> None:
    assert hovered(specs, CART, "UI-CART").startswith("**UI-CART** (UI Contract)\n\n")
    text = specs.view.lines(CART).text
    specs.type(CART, text.replace('"UI-CART"', '"UI-CRT"'))
    assert "**E107 broken-link**" in hovered(specs, CART, "UI-CRT")


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ('{"links": {"depends_on": [|', '{"links": {"depends_on": ["DM-CART"'),
        ('{"links": {"depends_on": ["X", "D|M"]}}', '{"links": {"depends_on": ["X", "DM-CART"]}}'),
        ('{"links": {"contains": ["A|\n', '{"links": {"contains": ["DM-CART"\n'),
        ('{"root": "|"}', '{"root": "DM-CART"}'),
        ('{"links": {"depends_on": ["X"|]}}', None),
        ('{"links": {"depends_on": ["X"], |', None),
        ('{"title": "|"}', None),
    ],
)
def test_ids_of_a_spec_graph_are_completed_in_links(
    specs: Editor, text: str, new: str | None
) -> None:
    specs.type(CART, text.replace("|", ""))
    offered = completion.completion(specs.view, CART, text.index("|")).items
    if new is None:
        assert not offered
        return
    (item,) = (item for item in offered if item.label == "DM-CART")
    assert item.detail == "Cart"
    assert isinstance(item.text_edit, types.TextEdit)
    lines = specs.view.lines(CART)
    start, end = item.text_edit.range.start, item.text_edit.range.end
    first = lines.offset_of(start.line, start.character, "utf-16")
    last = lines.offset_of(end.line, end.character, "utf-16")
    assert lines.text[:first] + item.text_edit.new_text + lines.text[last:] == new


def test_a_spec_graph_has_symbols_but_no_renames_and_lenses(specs: Editor) -> None:
    assert [found.name for found in navigation.symbols(specs.view, "dm-ca")] == ["DM-CART"]
    assert changes.renamable(*specs.at(CART, "UI-CART")) is None
    assert lens.lenses(specs.session, specs.view, "Makefile", LensSetting.ALWAYS) == []


def test_names_of_a_0x_graph_lead_to_their_declarations_and_back(old: Editor) -> None:
    place = old.at(SERVICE, "payments/payment-service")
    assert [old.place(found) for found in navigation.definition(*place)] == [
        "yggdrasil/payments/payment-service/node.yaml:0:6 PaymentService"
    ]
    found = navigation.references(*place, with_declaration=False)
    assert [old.place(location).split(" ")[1] for location in found] == [
        "payments/payment-service"
    ] * len(found)
    assert found
    assert hovered(old, SERVICE, "payments/payment-service").startswith(
        "**payments/payment-service** ("
    )
    assert "payments/payment-service" in [
        found.name for found in navigation.symbols(old.view, "pay")
    ]


def test_a_0x_graph_is_completed_and_fixed_but_not_renamed(old: Editor) -> None:
    text = old.view.lines(SERVICE).text
    offset = text.index("payments/payment-service")
    offered = completion.completion(old.view, SERVICE, offset).items
    assert "payments/payment-service" in [item.label for item in offered]
    assert changes.renamable(old.view, SERVICE, offset) is None
    with pytest.raises(YgError, match="does not support"):
        changes.renamed(old.view, SERVICE, offset, "payments/other")
    old.type(SERVICE, text.replace("payments/payment-service", "payments/payment-servce"))
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    fixes = changes.actions(old.view, SERVICE, whole, old.issues)
    assert "Change to 'payments/payment-service'" in [fix.title for fix in fixes]
