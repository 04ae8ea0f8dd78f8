"""The words in the code of a repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support import snapshot_from
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.code.words import CodeWords

if TYPE_CHECKING:
    from collections.abc import Mapping


def words(files: Mapping[str, str]) -> CodeWords:
    return CodeWords(SnapshotSources(snapshot_from({}, files)))


def test_a_name_is_in_the_code_but_not_in_a_comment_or_in_prose() -> None:
    found = words({"a.py": "charge(1)  # refund\n", "b.md": "pay\n", "c.toml": "x = 'run'\n"})
    assert [found.has_name(name) for name in ("charge", "refund", "pay", "run")] == [
        *(True, False, False, False)
    ]
    assert found.lacking_everywhere(("charge", "refund", "pay", "run")) == {"refund", "pay"}


def test_of_a_source_file_that_cannot_be_divided_the_whole_text_counts() -> None:
    found = words({"a.py": "def charge():\n    '''not closed\n", "b.py": "other = 1\n"})
    assert found.has_name("charge")
    assert found.has_words(("charge", "closed"))
    assert not found.has_words(("charge", "other"))


def test_words_are_in_the_code_if_one_file_has_all_of_them() -> None:
    found = words({"a.py": "one = 'two words'\n", "b.py": "three = 3\n"})
    assert found.has_words(("two", "words", "300"))
    assert not found.has_words(("two", "three"))
