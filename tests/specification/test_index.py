"""The index is that of the tests, and no statement is listed twice."""

from __future__ import annotations

from collections import Counter

from specification.index import README, statements, updated


def test_the_page_has_the_tables_of_the_present_tests() -> None:
    page = README.read_text(encoding="utf-8")
    assert page == updated(page)


def test_no_statement_is_quoted_twice_under_the_same_section() -> None:
    quoted = Counter(statements())
    assert [entry for entry, times in quoted.items() if times > 1] == []
