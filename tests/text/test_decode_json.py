"""JSON is decoded with exact positions; what is wrong with it is reported, never raised."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from text.decoded import damaged, outside, plain, soups
from yg.text.decode import MAX_DEPTH, Datum, Decoded, Entry, Problem
from yg.text.decode_json import decode_json, quick_json
from yg.text.paths import is_utf8

DOCUMENT = '{\r\n  "a": [1, -2.5e3, "\\u00e9\\ud83d\\ude00"],\n  "b": {"c": null, "d": true}\n}\n'
PIECES = (
    *'[]{}:,"\\ \n\r\t0-.eE+',
    *("true", "null", "NaN", '"a"', '"a":', "\\u", "\\ud800", "\ud800", "\ufeff", "😀", "\x00"),
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def test_every_value_and_every_key_knows_where_it_is() -> None:
    assert decode_json('{"a": [1,\r\n  "😀", null],\n "b": {}}') == Decoded(
        Datum(
            {
                "a": Entry(
                    1,
                    2,
                    Datum(
                        [
                            Datum(1, 1, 8, 7, 8),
                            Datum("😀", 2, 3, 13, 16),
                            Datum(None, 2, 8, 18, 22),
                        ],
                        1,
                        7,
                        6,
                        23,
                    ),
                    1,
                    4,
                ),
                "b": Entry(3, 2, Datum({}, 3, 7, 31, 33), 26, 29),
            },
            1,
            1,
            0,
            34,
        )
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        ("true", True),
        ("false", False),
        ("0", 0),
        ("-0", 0),
        ("-0.0", -0.0),
        ("12", 12),
        ("-1.50", -1.5),
        ("1e2", 100.0),
        ("1E+2", 100.0),
        ("25e-1", 2.5),
        ('""', ""),
        ('"a\\"\\\\\\/\\b\\f\\n\\r\\t"', 'a"\\/\b\f\n\r\t'),
        ('"\\u0041\\u00e9"', "Aé"),
        ('"\\ud83d\\ude00"', "😀"),
        ('"\u2028\x7f"', "\u2028\x7f"),
        (" \t\r\n[ ] \n", []),
        ("{ }", {}),
        ('{"": {"": []}}', {"": {"": []}}),
        ("[[],[[]]]", [[], [[]]]),
    ],
)
def test_values_are_those_of_rfc_8259(text: str, value: object) -> None:
    decoded = decode_json(text)
    assert repr((plain(decoded.datum), decoded.problems)) == repr((value, ()))


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("", "expected a value, found the end of the file", 1, 1),
        ("\n ", "expected a value, found the end of the file", 2, 2),
        ("[", "expected a value, found the end of the file", 1, 2),
        ("[1,\n", "expected a value, found the end of the file", 2, 1),
        ('{"a":', "expected a value, found the end of the file", 1, 6),
        ("[1,]", "expected a value, found ']'", 1, 4),
        ("[,1]", "expected a value, found ','", 1, 2),
        ('{"a":}', "expected a value, found '}'", 1, 6),
        ("]", "expected a value, found ']'", 1, 1),
        ("-", "expected a value, found '-'", 1, 1),
        ("-Infinity", "expected a value, found '-'", 1, 1),
        (".5", "expected a value, found '.'", 1, 1),
        ("+1", "expected a value, found '+'", 1, 1),
        ("// c\n1", "expected a value, found '/'", 1, 1),
        ("'a'", "expected a value, found '''", 1, 1),
        ("\ufeff1", "expected a value, found '\ufeff'", 1, 1),
        ("\x0c1", "expected a value, found '\x0c'", 1, 1),
        ("[\u00a01]", "expected a value, found '\u00a0'", 1, 2),
        ("\u0663", "expected a value, found '\u0663'", 1, 1),
        ("[1 2]", "expected ',' or ']'", 1, 4),
        ("[1", "expected ',' or ']'", 1, 3),
        ("[1}", "expected ',' or ']'", 1, 3),
        ("[1.]", "expected ',' or ']'", 1, 3),
        ("[01]", "expected ',' or ']'", 1, 3),
        ('{"a":1 "b":2}', "expected ',' or '}'", 1, 8),
        ('{"a":1', "expected ',' or '}'", 1, 7),
        ('{"a":1]', "expected ',' or '}'", 1, 7),
        ("{", "expected a key in double quotes", 1, 2),
        ('{"a":1,}', "expected a key in double quotes", 1, 8),
        ("{,}", "expected a key in double quotes", 1, 2),
        ("{a: 1}", "expected a key in double quotes", 1, 2),
        ("{1: 1}", "expected a key in double quotes", 1, 2),
        ('{"a" 1}', "expected ':'", 1, 6),
        ('{"a"}', "expected ':'", 1, 5),
        ('{"a"', "expected ':'", 1, 5),
        ("NaN", "'NaN' is not a JSON value", 1, 1),
        ('{"a":\r\n\tInfinity}', "'Infinity' is not a JSON value", 2, 2),
        ("True", "'True' is not a JSON value", 1, 1),
        ("nul", "'nul' is not a JSON value", 1, 1),
        ("nullx", "'nullx' is not a JSON value", 1, 1),
        ('["😀", x]', "'x' is not a JSON value", 1, 7),
        ("1 2", "text after the end of the document", 1, 3),
        ("{}\n{}", "text after the end of the document", 2, 1),
        ("[1]]", "text after the end of the document", 1, 4),
        ("01", "text after the end of the document", 1, 2),
        ("1e", "text after the end of the document", 1, 2),
        ("1\x00", "text after the end of the document", 1, 2),
        (f"[{'9' * 501}]", "a number with too many digits", 1, 2),
        (f"[1.{'9' * 500}]", "a number with too many digits", 1, 2),
        ("[0, -1e999]", "a number that is too large", 1, 5),
    ],
)
def test_a_syntax_error_is_one_problem_at_the_letter_that_is_wrong(
    text: str, message: str, line: int, column: int
) -> None:
    assert decode_json(text) == Decoded(
        None, (Problem(f"not valid JSON: {message}", line, column),)
    )


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('"', 1, 1),
        ('["a', 1, 2),
        ('{"a', 1, 2),
        ('"\\', 1, 1),
        ('"a\\q"', 1, 3),
        ('"\\u12"', 1, 3),
        ('"\\u+123"', 1, 3),
        ('"\\uD83', 1, 3),
        ('"a\nb"', 1, 3),
        ('[1,\n"a\tb"]', 2, 3),
        ('"\x00"', 1, 2),
    ],
)
def test_a_broken_string_is_one_problem_at_its_place(text: str, line: int, column: int) -> None:
    decoded = decode_json(text)
    assert decoded.datum is None
    assert [(problem.line, problem.column) for problem in decoded.problems] == [(line, column)]
    assert decoded.problems[0].message.startswith("not valid JSON: a broken string (")


def test_of_two_equal_keys_the_first_counts_and_each_other_is_reported() -> None:
    decoded = decode_json('{"a": 1,\n "b": {"a": 2},\n "a": 3, "\\u0061": 4}')
    hint = "It is already defined in line 1; keep one of the two."
    assert plain(decoded.datum) == {"a": 1, "b": {"a": 2}}
    assert decoded.problems == (
        Problem("duplicate key 'a'", 3, 2, hint),
        Problem("duplicate key 'a'", 3, 10, hint),
    )


@pytest.mark.parametrize("half", ["\\ud800", "\\udc00", "\\ud83dx", "\\ude00\\ud83d", "\ud800"])
def test_half_of_a_surrogate_pair_is_reported_at_its_string(half: str) -> None:
    problem = Problem("half of a surrogate pair", 1, 2, "Write the character itself.")
    for text in (f'["{half}"]', f'{{"{half}": 1}}'):
        decoded = decode_json(text)
        assert decoded.problems == (problem,)
        assert "\ufffd" in str(plain(decoded.datum))
        assert is_utf8(str(plain(decoded.datum)))


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_nesting_ends_at_its_limit(opening: str, closing: str) -> None:
    deepest = opening * (MAX_DEPTH - 1) + "[]" + closing * (MAX_DEPTH - 1)
    assert decode_json(deepest).problems == ()
    told = Problem(
        "nested more than 64 levels deep", 1, len(opening) * MAX_DEPTH + 1, "Flatten it."
    )
    assert decode_json(opening * (MAX_DEPTH + 1) + "1").problems == (told,)
    assert decode_json(opening * 30_000) == Decoded(None, (told,))


def test_a_long_flat_document_is_decoded() -> None:
    decoded = decode_json(json.dumps([{"a": [number]} for number in range(5_000)]))
    assert decoded.problems == ()
    assert plain(decoded.datum)[4_999] == {"a": [4_999]}


@given(VALUES, st.booleans(), st.sampled_from([None, 0, 2, "\t"]))
def test_every_value_that_json_can_write_comes_back(
    value: Any,
    ensure_ascii: bool,  # noqa: FBT001
    indent: int | str | None,
) -> None:
    decoded = decode_json(json.dumps(value, ensure_ascii=ensure_ascii, indent=indent))
    assert repr((plain(decoded.datum), decoded.problems)) == repr((value, ()))


@given(st.text() | st.text(st.characters()) | soups(PIECES) | damaged(DOCUMENT, PIECES))
@example(DOCUMENT)
def test_every_text_is_decoded_or_has_its_problems_reported_inside_it(text: str) -> None:
    decoded = decode_json(text)
    assert outside(decoded, text) == []
    assert decoded.datum is not None or decoded.problems


@given(soups(PIECES) | damaged(DOCUMENT, PIECES))
@example('["\\ud83d[\\ude00"]')
def test_the_texts_that_decode_are_those_the_standard_library_takes(text: str) -> None:
    def refuse(word: str) -> None:
        raise ValueError(word)

    try:
        known = json.loads(text, parse_constant=refuse)
    except ValueError:
        assert decode_json(text).datum is None
    else:
        decoded = decode_json(text)
        # The standard library takes duplicate keys and lone surrogates as they are.
        is_repaired = any(word in str(decoded.problems) for word in ("duplicate", "surrogate"))
        assert is_repaired or repr(plain(decoded.datum)) == repr(known)


@given(soups(PIECES) | damaged(DOCUMENT, PIECES) | VALUES.map(json.dumps))
@example("[" * MAX_DEPTH + "]" * MAX_DEPTH)
@example("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))
@example('{"a": 1, "a": 1}')
@example("NaN")
def test_what_is_quickly_decoded_is_what_is_decoded_without_a_problem(text: str) -> None:
    assume(is_utf8(text))  # like every text of a file
    try:
        value = quick_json(text)
    except ValueError:
        return
    decoded = decode_json(text)
    assert repr((plain(decoded.datum), decoded.problems)) == repr((value, ()))


@pytest.mark.parametrize(
    "text",
    ["", "[1,]", "NaN", '{"a": 1, "a": 2}', '"\\u00e9"', "[" * 100_000, "1" * 5_000, "\ufeff1"],
)
def test_whatever_is_in_doubt_is_not_quickly_decoded(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        quick_json(text)


@given(VALUES)
def test_most_documents_are_quickly_decoded(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False)
    if "\\u" not in text:
        assert repr(quick_json(text)) == repr(value)
