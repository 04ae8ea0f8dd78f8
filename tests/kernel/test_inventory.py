"""Inventories as JSON lines, and imports that notice every change by hand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inventories import COMMIT, LEDGER, billing, billing_import, published
from yg.kernel.inventory import (
    InventoryError,
    contract_digest,
    import_text,
    inventory_text,
    read_header,
    read_import,
    read_inventory,
    without_contracts,
)
from yg.kernel.inventory_names import is_import_name

HEADER = '{"format":"yg-inventory/1","name":"b","commit":""}\n'
NODE = '{"path":"%s","type":"t","name":"n","summary":"","digest":"d"}\n'


def test_an_inventory_has_one_line_for_itself_and_one_for_each_node_by_path() -> None:
    first, *rest = inventory_text(billing()).splitlines()
    assert json.loads(first) == {
        "format": "yg-inventory/1",
        "name": "acme-billing",
        "commit": COMMIT,
    }
    payments, ledger = map(json.loads, rest)
    assert payments["path"] == "payments"
    assert ledger == {
        "path": "payments/ledger",
        "type": "service",
        "name": "Ledger",
        "summary": "Keeps the books.",
        "digest": contract_digest(LEDGER),
        "contracts": LEDGER,
    }


def test_the_order_of_nodes_makes_no_difference() -> None:
    nodes = (published("a"), published("a/b"), published("."))
    assert inventory_text(billing(*nodes)) == inventory_text(billing(*reversed(nodes)))


def test_without_contracts_only_digests_are_left_of_them() -> None:
    text = inventory_text(without_contracts(billing()))
    assert "contracts" not in text
    assert "post(entry)" not in text
    assert contract_digest(LEDGER) in text


def test_the_digest_of_a_contract_depends_on_names_texts_and_their_order() -> None:
    contracts: tuple[dict[str, str], ...] = (
        {},
        {"a": ""},
        {"a": "b"},
        {"ab": ""},
        {"a": "", "b": ""},
        {"b": "", "a": ""},
    )
    assert len({contract_digest(contract) for contract in contracts}) == len(contracts)


def test_what_is_written_is_read_again() -> None:
    assert read_inventory(inventory_text(billing())) == billing()
    found = read_import(import_text(billing(), "../b", contracts=True))
    assert found.nodes == billing().nodes
    assert (found.header.source, found.header.name) == ("../b", "acme-billing")
    assert read_import(billing_import(contracts=False)).header.contracts is False


@given(st.text(min_size=1), st.text(), st.dictionaries(st.text(), st.text(), max_size=3))
def test_any_text_survives(name: str, summary: str, contract: dict[str, str]) -> None:
    from msgspec.structs import replace

    node = replace(published("a", contract), name=name, summary=summary)
    try:
        text = billing_import(node)
    except UnicodeEncodeError:
        return  # a lone surrogate, which no file in UTF-8 has
    assert read_import(text).nodes == (node,)
    assert text.count("\n") == 2


@given(st.data())
def test_any_change_of_one_character_is_noticed(data: st.DataObject) -> None:
    text = billing_import()
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.characters(codec="utf-8"))
    changed = text[:at] + other + text[at + 1 :]
    if changed != text:
        with pytest.raises(InventoryError):
            read_import(changed)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: not valid JSON"),
        ("{}\n", "line 1: not the first line of yg-inventory/1: object missing required field"),
        ('{"format":"other/9","x":1}\n', "line 1: its format is 'other/9', not yg-inventory/1"),
        ('{"format":"yg-inventory/1"}\n', "line 1: not the first line of yg-inventory/1: object"),
        (HEADER.replace('"b"', '""'), "line 1: the repository has no name"),
        (f"{HEADER}\n", "line 2: not valid JSON"),
        (f"{HEADER}[]\n", "line 2: not a node: expected `object`, got `array`"),
        (HEADER + NODE % "a" + "{", "line 3: not valid JSON"),
        (HEADER + NODE % "a" + NODE % "a", "line 3: the node 'a' is listed twice"),
        (HEADER + NODE % "../a", "line 2: '../a' is not the path of a node"),
        (HEADER + NODE % "/etc", "line 2: '/etc' is not the path of a node"),
        (HEADER + NODE % "", "line 2: '' is not the path of a node"),
        (HEADER + NODE % "a/.b", "line 2: 'a/.b' is not the path of a node"),
        (HEADER + NODE % "\\ud800", "line 2: not valid JSON"),
        (HEADER + NODE % ("a" * 5000), "line 2: '" + "a" * 4096 + "' is not the path of a node"),
        (HEADER + '{"path":' * 100_000, "line 2: not a node: expected `str`"),
        (HEADER + "[" * 100_000, "line 2: not a node: expected `object`, got `array`"),
        (
            HEADER + (NODE % "a").replace("}", ',"contracts":{"a.md":"x"}}'),
            "line 2: the digest of 'a' is wrong",
        ),
    ],
)
def test_a_bad_inventory_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InventoryError) as caught:
        read_inventory(text)
    assert caught.value.message.startswith(message)


def test_a_key_of_a_later_version_is_ignored_in_an_inventory() -> None:
    text = HEADER.replace("}", ',"later":[1]}') + (NODE % "a").replace("}", ',"later":{}}')
    assert [node.path for node in read_inventory(text).nodes] == ["a"]


def test_the_source_of_a_damaged_import_is_known_if_its_first_line_is_whole() -> None:
    header = read_header(billing_import().replace("books", "box"))
    assert header is not None
    assert header.source == "../billing"
    assert read_header("<<<<<<< ours\n") is None


@pytest.mark.parametrize("name", ["billing", "B-2_x.y", "_", "9", "n" * 100])
def test_names_of_imports(name: str) -> None:
    assert is_import_name(name)


@pytest.mark.parametrize(
    "name", ["", ".", "..", ".x", "-x", "a/b", "a\\b", "a:b", "a b", "a\n", "\x1b", "ä", "n" * 101]
)
def test_what_cannot_be_the_name_of_an_import(name: str) -> None:
    assert not is_import_name(name)
