"""The counter of instructions distinguishes a cost that grows with the size from a higher one."""

from __future__ import annotations

import pytest

from security.instructions import instructions, needs_valgrind, steep

pytestmark = [pytest.mark.slow, needs_valgrind]


def test_equal_calls_take_equally_many_instructions_and_a_longer_text_takes_more() -> None:
    few, again, more = instructions(
        "builtins:list", ["a" * 500, "a" * 500, "a" * 5000], first=["a"]
    )
    assert abs(few - again) < few // 10
    assert more > 3 * few


def test_only_an_input_whose_cost_outgrows_its_size_is_steep() -> None:
    texts = {"text": lambda size: "a" * size}
    assert steep("builtins:list", texts, 1000) == {}
    assert list(steep("math:factorial", {"number": lambda size: size}, 1000)) == ["number"]
