"""Many words are found in one pass, as if each were looked for by itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.kernel.sources import FEW_WORDS, words_lacking
from yg.text.occurrences import absent

LETTERS = st.sampled_from([b"a", b"b", b"ab", b"\xff"])
WORDS = st.lists(LETTERS, max_size=5).map(b"".join)
PIECES = st.lists(st.lists(LETTERS, max_size=8).map(b"".join), max_size=4)


@given(PIECES, st.sets(WORDS, max_size=12), st.sampled_from([1, 3, 1000]))
def test_words_are_absent_that_no_piece_or_two_contain(
    pieces: list[bytes], words: set[bytes], largest: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("yg.text.occurrences.LARGEST_TRIE", largest)
        found = absent(pieces, sorted(words))
    expected = {word for word in words if word not in b"".join(pieces) or not pieces}
    assert set(found) == expected


@pytest.mark.parametrize("number", [FEW_WORDS, FEW_WORDS + 1])
def test_few_and_many_words_are_looked_for_alike(number: int) -> None:
    words = frozenset(f"word{at:03}" for at in range(number))
    pieces = [b"word", b"000 wo", b"rd001word", b"063x"]
    assert words - words_lacking(pieces, words) == {"word000", "word001", "word063"}
