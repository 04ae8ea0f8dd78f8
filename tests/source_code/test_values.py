"""Numbers and strings in source texts."""

from __future__ import annotations

import pytest

from yg.code.values import digits, numbers_in, values_by_line


def shown(path: str, text: str) -> dict[int, list[str]]:
    return {
        line: [value.text for value in found] for line, found in values_by_line(path, text).items()
    }


@pytest.mark.parametrize(
    ("number", "key"),
    [("4_90", "490"), ("4.90", "490"), ("1,000", "1000"), ("0.05", "5"), ("007", "7"), ("0", "")],
)
def test_numbers_are_compared_by_their_digits(number: str, key: str) -> None:
    assert digits(number) == key


def test_a_number_in_a_text_does_not_begin_inside_of_a_word() -> None:
    found = [
        value.key for value in numbers_in("In 300ms -42, sha256, SHA-256, v2.10: 1,000.50. Not x9.")
    ]
    assert found == ["300", "42", "100050"]


def test_values_of_python_are_those_of_its_code() -> None:
    text = (
        '"""Doc 111."""\n'
        "A = 4_90  # not 222\n"
        'B = ["one two", b"abc", f"{x} 333", "ab"]\n'
        "def f():\n"
        '    """Doc 444."""\n'
        "    return -0.5, 0xFF, 10_000\n"
    )
    assert shown("a.py", text) == {
        2: ["4_90"],
        3: ['"one two"', 'b"abc"', 'f"{x} 333"', "333"],
        6: ["0.5", "10_000"],
    }


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.ts", "// 111\nconst a = 4_90; const b = 'one two' /* 222 */\n"),
        ("a.go", 'package a // 111\nvar a, b = 4_90, "one two" /* 222 */\n'),
        ("a.rs", '// 111\nconst A: u32 = 4_90; const B: &str = "one two"; /* 222 */\n'),
        ("A.java", '// 111\nclass A { int a = 4_90; String b = "one two"; /* 222 */ }\n'),
        ("a.rb", "# 111\nA = 4_90; B = 'one two' # 222\n"),
        ("a.c", '// 111\nint a = 490; char *b = "one two"; /* 222 */\n'),
    ],
)
def test_values_of_other_languages_are_found_on_their_lines(path: str, text: str) -> None:
    (found,) = values_by_line(path, text).items()
    assert found[0] == 2
    assert [value.key for value in found[1]] == ["490", "one two"]


@pytest.mark.parametrize(("path", "text"), [("a.py", "x = (490"), ("a.unknown", "490")])
def test_a_text_that_cannot_be_read_has_no_values(path: str, text: str) -> None:
    assert values_by_line(path, text) == {}
