"""Every change of the examples has the class that it must have."""

from __future__ import annotations

import pytest

from source_code.cases import ALL_CHANGES, EXAMPLES, example_text
from source_code.second_reading import is_valid
from yg.code.change_class import compare
from yg.code.languages import ENDINGS, ending
from yg.code.read import read_facts

CHANGES = {
    language: [change for change in ALL_CHANGES if ENDINGS[ending(change.file)] == language]
    for language in sorted({ENDINGS[ending(change.file)] for change in ALL_CHANGES})
}


@pytest.mark.parametrize("language", CHANGES)
def test_a_change_has_its_class_and_names(language: str) -> None:
    for change in CHANGES[language]:
        before = read_facts(change.file, change.before.encode())
        found = compare(before, read_facts(change.file, change.after.encode()))
        names = tuple(f"{name.name} {name.change}" for name in found.names)
        assert (found.kind, names) == (change.kind, change.names), change.title


@pytest.mark.parametrize("language", CHANGES)
def test_a_change_looks_the_same_from_the_other_side(language: str) -> None:
    for change in CHANGES[language]:
        before = read_facts(change.file, change.before.encode())
        after = read_facts(change.file, change.after.encode())
        assert compare(after, before).kind == compare(before, after).kind, change.title


@pytest.mark.parametrize("language", CHANGES)
def test_both_sides_of_a_change_are_valid_for_tree_sitter(language: str) -> None:
    for change in CHANGES[language]:
        if change.kind != "unknown":
            assert is_valid(change.file, change.before), change.title
            assert is_valid(change.file, change.after), change.title


@pytest.mark.parametrize("path", EXAMPLES)
def test_an_example_can_be_read_by_both(path: str) -> None:
    text = example_text(path)
    assert is_valid(path, text)
    assert read_facts(path, text.encode()) is not None
