"""Every change of the examples has the class that it must have."""

from __future__ import annotations

import pytest

from source_code.cases import ALL_CHANGES, EXAMPLES, Change, example_text
from source_code.second_reading import is_valid
from yg.code.changes import compare
from yg.code.read import read_facts


def named(change: Change) -> str:
    return f"{change.file}: {change.title}"


@pytest.mark.parametrize("change", ALL_CHANGES, ids=named)
def test_a_change_has_its_class_and_names(change: Change) -> None:
    before = read_facts(change.file, change.before.encode())
    found = compare(before, read_facts(change.file, change.after.encode()))
    names = tuple(f"{name.name} {name.change}" for name in found.names)
    assert (found.kind, names) == (change.kind, change.names)


@pytest.mark.parametrize("change", ALL_CHANGES, ids=named)
def test_a_change_looks_the_same_from_the_other_side(change: Change) -> None:
    before = read_facts(change.file, change.before.encode())
    after = read_facts(change.file, change.after.encode())
    assert compare(after, before).kind == compare(before, after).kind


@pytest.mark.parametrize("change", ALL_CHANGES, ids=named)
def test_both_sides_of_a_change_are_valid_for_tree_sitter(change: Change) -> None:
    if change.kind != "unknown":
        assert is_valid(change.file, change.before)
        assert is_valid(change.file, change.after)


@pytest.mark.parametrize("path", EXAMPLES)
def test_an_example_can_be_read_by_both(path: str) -> None:
    text = example_text(path)
    assert is_valid(path, text)
    assert read_facts(path, text.encode()) is not None
