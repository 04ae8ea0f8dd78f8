"""Patterns with a star match as if each were compared by itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from yg.code.resolvers.stars import MOST_ENDS, StarPatterns

TEXTS = st.text("ab", max_size=4)
PATTERNS = st.lists(st.text("ab*", max_size=5), unique=True, max_size=8)


@given(PATTERNS, TEXTS)
def test_patterns_match_a_text_that_starts_and_ends_like_them(
    patterns: list[str], text: str
) -> None:
    found = StarPatterns((pattern, pattern) for pattern in patterns).matching(text)
    expected = []
    for number, pattern in enumerate(patterns):
        before, star, after = pattern.partition("*")
        stop = len(text) - len(after)
        if star and text.startswith(before) and text.endswith(after) and stop >= len(before):
            expected.append((number, text[len(before) : stop], pattern))
    assert sorted((match.number, match.middle, match.value) for match in found) == expected
    assert [match.start for match in found] == sorted(
        (match.start for match in found), reverse=True
    )


def test_patterns_with_too_many_lengths_after_the_star_match_nothing() -> None:
    for number, found in ((MOST_ENDS, 1), (MOST_ENDS + 1, 0)):
        patterns = StarPatterns((f"a*{'z' * length}", length) for length in range(number))
        assert len(patterns.matching("ab")) == found
