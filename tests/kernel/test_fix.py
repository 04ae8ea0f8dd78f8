"""Fixes: what they change of a text, and what they leave as it is."""

from __future__ import annotations

import pytest

from yg.kernel.fix import all_changed
from yg.kernel.issue import AddItem, AddLine, Change, Place, SetNeighbour, SetValue

RELATION = AddItem("f", "relations", (("target", "b"), ("type", "uses"), ("consumes", ("x", "y"))))
BLOCK = "relations:\n  - target: b\n    type: uses\n    consumes: [x, y]\n"


def after(text: str, *changes: Change) -> str:
    result, done = all_changed(text, changes)
    assert set(done) == set(changes)
    return result


def value(line: int, column: int, new: str) -> SetValue:
    return SetValue(Place("f", line, column), new)


@pytest.mark.parametrize(
    ("text", "change", "expected"),
    [
        ("type: servce # old\n", value(1, 7, "service"), "type: service # old\n"),
        ("type: 'servce'\r\nx: 1\r\n", value(1, 7, "service"), "type: 'service'\r\nx: 1\r\n"),
        ("😀: 1\ntyp: a\n", value(2, 1, "type"), "😀: 1\ntype: a\n"),
        ("{a: b, c: d}", value(1, 11, "e, f"), '{a: b, c: "e, f"}'),
        (
            "rel:\n- {target: t, consumes: [chrage, pay]}\n- {target: u, consumes: [chrage]}\n",
            SetNeighbour(Place("f", 2, 12), "consumes", "chrage", "charge"),
            "rel:\n- {target: t, consumes: [charge, pay]}\n- {target: u, consumes: [chrage]}\n",
        ),
        ("name: A\n", RELATION, f"name: A\n{BLOCK}"),
        ("name: A", RELATION, f"name: A\n{BLOCK}"),
        ("name: A\nrelations:\nx: 1\n", RELATION, f"name: A\n{BLOCK}x: 1\n"),
        (
            "name: A\nrelations: []\n",
            RELATION,
            "name: A\nrelations: [{target: b, type: uses, consumes: [x, y]}]\n",
        ),
        (
            "relations:\n- target: a # why\n  type: uses\n# end\nx: 1\n",
            RELATION,
            (
                "relations:\n- target: a # why\n  type: uses\n- target: b\n  type: uses\n"
                "  consumes: [x, y]\n# end\nx: 1\n"
            ),
        ),
        (
            "relations:\n    - target: a\n      consumes:\n        - z\n",
            RELATION,
            (
                "relations:\n    - target: a\n      consumes:\n        - z\n    - target: b\n"
                "      type: uses\n      consumes: [x, y]\n"
            ),
        ),
        (
            "relations: [{target: a, type: uses}]\nx: 1\n",
            RELATION,
            (
                "relations: [{target: b, type: uses, consumes: [x, y]}, {target: a, type: uses}]\n"
                "x: 1\n"
            ),
        ),
        ("", AddLine("f", "- pay"), "- pay\n"),
        ("# Offers", AddLine("f", "- pay"), "# Offers\n\n- pay\n"),
        ("# Offers\n\n- sell\n\n", AddLine("f", "- pay"), "# Offers\n\n- sell\n- pay\n"),
        ("# Offers\r\n", AddLine("f", "- pay"), "# Offers\r\n\r\n- pay\r\n"),
    ],
)
def test_a_fix_changes_its_place_and_nothing_else(text: str, change: Change, expected: str) -> None:
    assert after(text, change) == expected


def test_several_fixes_of_one_file_are_made_together() -> None:
    text = "type: servce\naspects:\n- aspect: audt\nrelations:\n- {target: a, type: uses}\n"
    assert after(text, value(1, 7, "service"), value(3, 11, "audit"), RELATION) == (
        "type: service\naspects:\n- aspect: audit\nrelations:\n- {target: a, type: uses}\n"
        "- target: b\n  type: uses\n  consumes: [x, y]\n"
    )


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("a: [1\n", value(1, 4, "b")),  # not YAML
        ("a: [1\n", RELATION),
        ("- a\n", RELATION),  # no mapping
        ("{relations: []}\n", RELATION),  # braces have no lines for keys
        ("relations: text\n", RELATION),
        ("a: b\n", value(7, 1, "c")),  # no value there
        ("a: b\n", SetNeighbour(Place("f", 1, 4), "consumes", "x", "y")),
        ("a: &x b\nc: {d: *x}\ne: f\n", RELATION.__class__("f", "a", RELATION.item)),
    ],
)
def test_a_text_without_a_place_for_a_fix_stays_as_it_is(text: str, change: Change) -> None:
    assert all_changed(text, [change]) == (text, ())


def test_a_fix_that_cannot_be_made_does_not_prevent_the_others() -> None:
    bad, good = value(9, 9, "x"), value(1, 4, "c")
    assert all_changed("a: b\n", [bad, good]) == ("a: c\n", (good,))


def test_an_empty_block_is_left_alone() -> None:
    change = SetValue(Place("a.yaml", 1, 4), "c")
    assert all_changed("a: |\n", [change]) == ("a: |\n", ())


ITEMS = "  - target: x\n    type: uses\n  - target: y\n    type: uses\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\n", f"a: 1\nrelations:\n{ITEMS}"),
        ("relations:\n  - target: w\n", f"relations:\n  - target: w\n{ITEMS}"),
        ("relations: []\n", "relations: [{target: y, type: uses}, {target: x, type: uses}]\n"),
    ],
)
def test_many_items_are_added_at_once(text: str, expected: str) -> None:
    changes = [AddItem("f", "relations", (("target", name), ("type", "uses"))) for name in "xy"]
    assert all_changed(text, changes) == (expected, tuple(changes))
