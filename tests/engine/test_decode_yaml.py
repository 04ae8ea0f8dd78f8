"""YAML 1.2 is decoded with exact positions; what is wrong is reported, never raised."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from engine.decoded import damaged, outside, places, plain, soups
from yg.text.decode import MAX_DEPTH, Datum, Decoded, Entry, Problem
from yg.text.decode_yaml import MAX_BORROWED, decode_yaml

DOCUMENT = """\
# a node
name: &n "Orders \\u00e9"
type: service
flags: {blackbox: false, ports: [80, 0x1F, .5]}
relations:
  - target: payments/ledger
    consumes: [*n, 'it''s']
  -  # nothing
text: |
  first
    second
folded: >-
  one
  two
"""
VALUE = {
    "name": "Orders é",
    "type": "service",
    "flags": {"blackbox": False, "ports": [80, 31, 0.5]},
    "relations": [
        {"target": "payments/ledger", "consumes": ["Orders é", "it's"]},
        None,
    ],
    "text": "first\n  second\n",
    "folded": "one two",
}
FEWER = "Write the values out, or use fewer aliases."
PIECES = (
    *"[]{}:,\"'\\ \n\t#-?|>&*!%@`0.~",
    *("\n  ", "\n- ", ": ", "---\n", "\n...\n", "&a ", "*a", "!!int ", "!x ", "<<: ", "\r\n"),
    *("a", "b: 1\n", "😀", "\ufeff", "\x00", "\x7f", "9" * 5000),
)
# A mark at the start of a text is dropped by whoever reads the file, and libyaml breaks lines at
# more characters than YAML 1.2 does.
LINES = st.text(st.characters(exclude_characters="\r\x85\u2028\u2029", exclude_categories=["Cs"]))
# What JSON leaves unescaped and YAML allows, and no line break among it.
SAFE = st.text(
    st.characters(
        exclude_characters="\x7f\x85\u2028\u2029\ufeff\ufffe\uffff",
        exclude_categories=["Cs", "Cc"],
    )
    | st.sampled_from("\x00\t\n\r\x1b"),
    max_size=20,
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | SAFE
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(SAFE, inner, max_size=4),
    max_leaves=20,
)


def told(text: str) -> list[tuple[str, int, int]]:
    """Return the problems of a text without their hints."""
    return [
        (problem.message, problem.line, problem.column) for problem in decode_yaml(text).problems
    ]


def test_every_value_and_every_key_knows_where_it_is() -> None:
    assert decode_yaml("# c\na: 1\n😀: [x,\n  {y: ''}]\nb:\n- |\n  z\n") == Decoded(
        Datum(
            {
                "a": Entry(2, 1, Datum(1, 2, 4, 7, 8), 4, 5),
                "😀": Entry(
                    3,
                    1,
                    Datum(
                        [
                            Datum("x", 3, 5, 13, 14),
                            Datum(
                                {"y": Entry(4, 4, Datum("", 4, 7, 22, 24), 19, 20)},
                                4,
                                3,
                                18,
                                25,
                            ),
                        ],
                        3,
                        4,
                        12,
                        26,
                    ),
                    9,
                    10,
                ),
                "b": Entry(5, 1, Datum([Datum("z\n", 6, 3, 32, 38)], 6, 1, 30, 38), 27, 28),
            },
            2,
            1,
            4,
            38,
        )
    )


def test_a_document_in_all_styles_is_decoded() -> None:
    decoded = decode_yaml(DOCUMENT)
    assert (plain(decoded.datum), decoded.problems) == (VALUE, ())


def test_without_libyaml_the_same_values_stand_at_the_same_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = decode_yaml(DOCUMENT)
    monkeypatch.setattr("yg.text.decode_yaml._Parser", yaml.Loader)
    assert decode_yaml(DOCUMENT) == expected
    assert decode_yaml("a: \x01").problems == (
        Problem(
            "character U+0001 is not allowed in YAML",
            1,
            4,
            "Remove it, or write it as an escape inside double quotes.",
        ),
    )


@pytest.mark.parametrize("text", ["", "\n", " \n\n", "# only\n# comments", "---\n", "~", "null"])
def test_a_file_without_a_value_holds_nothing(text: str) -> None:
    decoded = decode_yaml(text)
    assert (plain(decoded.datum), decoded.problems) == (None, ())


@pytest.mark.parametrize(
    "text",
    [
        *("on", "off", "On", "OFF", "yes", "no", "Yes", "NO", "y", "n", "Y", "N"),
        *("tRue", "nULL", "12:30", "1:30:00", "2026-01-01", "2026-01-01T12:00:00Z"),
        *("1_000", "0b1", "0o8", "0xg", "-0x1F", "+0o7", "1e", "e1", "1.2.3", "1,000"),
        *(".", "..", "+", "+.", "-.", "inf", "nan", ".iNf", "-.nan", "=", "<<"),
        *("\u0663", "1\u0663", "0x\u0663", "\uff11", "1 2", "a b", "é", "😀"),
    ],
)
def test_what_only_yaml_1_1_reads_otherwise_is_text(text: str) -> None:
    decoded = decode_yaml(f"{text}\n")
    assert (plain(decoded.datum), decoded.problems) == (text, ())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("True", True),
        ("TRUE", True),
        ("false", False),
        ("False", False),
        ("FALSE", False),
        ("Null", None),
        ("NULL", None),
        ("0", 0),
        ("017", 17),
        ("0o17", 15),
        ("0x1F", 31),
        ("-12", -12),
        ("+12", 12),
        ("-0", 0),
        ("1.0", 1.0),
        ("1.", 1.0),
        (".5", 0.5),
        ("-.5", -0.5),
        ("-0.0", -0.0),
        ("1e3", 1000.0),
        ("+12.5E-1", 1.25),
        ("08.5", 8.5),
        (".inf", float("inf")),
        ("+.Inf", float("inf")),
        ("-.INF", float("-inf")),
        (".nan", float("nan")),
        (".NaN", float("nan")),
        ("9" * 500, 10**500 - 1),
        ("0x" + "f" * 498, 16**498 - 1),
        ("-1.7e308", -1.7e308),
        ("1e-999", 0.0),
    ],
    ids=lambda value: str(value)[:12],
)
def test_plain_scalars_follow_the_core_schema(text: str, value: object) -> None:
    decoded = decode_yaml(f"- {text}\n")
    assert repr((plain(decoded.datum), decoded.problems)) == repr(([value], ()))


@pytest.mark.parametrize("word", ["true", "null", "~", "12", "1.5", "0x1F", ".inf", ""])
def test_whatever_is_in_quotes_is_text(word: str) -> None:
    text = f"- '{word}'\n- \"{word}\"\n- !!str {word}\n- ! {word}\n- |-\n  {word}\n"
    assert plain(decode_yaml(text).datum) == [word] * 5


def test_a_number_with_too_many_digits_is_reported_and_left_empty() -> None:
    hint = "Put it in quotes."
    decoded = decode_yaml(f"a: {'9' * 5000}\nb: [-{'9' * 5000}]\nc: '{'9' * 5000}'\n")
    assert plain(decoded.datum) == {"a": None, "b": [None], "c": "9" * 5000}
    assert decoded.problems == (
        Problem("a number with too many digits", 1, 4, hint),
        Problem("a number with too many digits", 2, 5, hint),
    )


@pytest.mark.parametrize(
    ("number", "message"),
    [
        ("9" * 501, "a number with too many digits"),
        ("0x" + "f" * 4200, "a number with too many digits"),
        ("0o" + "7" * 4200, "a number with too many digits"),
        ("1." + "1" * 500, "a number with too many digits"),
        ("1e999", "a number that is too large"),
        ("-1e999", "a number that is too large"),
        ("1" * 400 + ".5", "a number that is too large"),
    ],
    ids=lambda text: text[:12],
)
def test_a_number_out_of_range_is_a_problem_at_its_place(number: str, message: str) -> None:
    decoded = decode_yaml(f"a: 1\nb: {number}\n")
    assert plain(decoded.datum) == {"a": 1, "b": None}
    assert decoded.problems == (Problem(message, 2, 4, "Put it in quotes."),)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[?x]", ["?x"]),
        ("[?x, y]", ["?x", "y"]),
        ("[a,?x]", ["a", "?x"]),
        ("[??x, ?-]", ["??x", "?-"]),
        ('[?"x", ?#y, ?x ?y]', ['?"x"', "?#y", "?x ?y"]),
        ("{?x: 1}", {"?x": 1}),
        ("{?x, a: ?y}", {"?x": None, "a": "?y"}),
        ('{"a":?x}', {"a": "?x"}),
        ("- ?x\n- a ?x\n", ["?x", "a ?x"]),
        ("?x: ?y\n", {"?x": "?y"}),
        ("- '?x'\n- \"?y\"\n- |-\n  ?z\n- >-\n  ?z  # ?\n", ["?x", "?y", "?z", "?z  # ?"]),
        ("- ?x\u2028?y\n- \ue000\n", ["?x\u2028?y", "\ue000"]),
        ("[? x]", [{"x": None}]),
        ("[?\nx : y]", [{"x": "y"}]),
        ("{? x : 1}", {"x": 1}),
        ("? x\n: y\n", {"x": "y"}),
    ],
)
def test_a_question_mark_is_a_sign_for_a_key_only_before_a_space(text: str, value: object) -> None:
    decoded = decode_yaml(text)
    assert (plain(decoded.datum), decoded.problems) == (value, ())


def test_text_that_begins_with_a_question_mark_keeps_its_position() -> None:
    decoded = decode_yaml("[?x, {?y: ?z}]")
    assert sorted(places(decoded.datum)) == [(1, 1), (1, 2), (1, 6), (1, 7), (1, 11)]


def test_of_two_equal_keys_the_first_counts_and_each_other_is_reported() -> None:
    decoded = decode_yaml("a: 1\nb: {a: 2, a: 3}\n'a': 4\n\"\\x61\": 5\n")
    assert plain(decoded.datum) == {"a": 1, "b": {"a": 2}}
    first = "It is already defined in line 1; keep one of the two."
    second = "It is already defined in line 2; keep one of the two."
    assert decoded.problems == (
        Problem("duplicate key 'a'", 2, 11, second),
        Problem("duplicate key 'a'", 3, 1, first),
        Problem("duplicate key 'a'", 4, 1, first),
    )


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("1: x", 1),
        ("1.5: x", 1),
        ("true: x", 1),
        ("~: x", 1),
        ("? [a, b]\n: x", 3),
        ("? {a: b}\n: x", 3),
        ("{[a]: x}", 2),
    ],
)
def test_a_key_that_is_not_text_is_reported_and_left_out(text: str, column: int) -> None:
    problem = Problem("a key must be text", 1, column, "Put the key in quotes.")
    decoded = decode_yaml(text)
    assert (plain(decoded.datum), decoded.problems) == ({}, (problem,))


def test_words_of_yaml_1_1_are_good_keys() -> None:
    decoded = decode_yaml("on: 1\nyes: 2\n12:30: 3\n'1': 4\n<<: {a: 5}\n")
    assert (plain(decoded.datum), decoded.problems) == (
        {"on": 1, "yes": 2, "12:30": 3, "1": 4, "<<": {"a": 5}},
        (),
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: 1\n---\nb: 2\n", (2, 1)),
        ("---\na\n--- b\n", (3, 1)),
        ("---\n---\n", (2, 1)),
        ("a\n...\n---\n", (3, 1)),
    ],
)
def test_a_second_document_is_reported(text: str, place: tuple[int, int]) -> None:
    assert decode_yaml(text) == Decoded(
        None, (Problem("a second document begins", *place, "Keep one document in this file."),)
    )


@pytest.mark.parametrize(
    ("tagged", "tag", "value"),
    [
        ("!secret 12", "!secret", 12),
        ("!!binary aGk=", "tag:yaml.org,2002:binary", "aGk="),
        ("!!timestamp 2026-01-01", "tag:yaml.org,2002:timestamp", "2026-01-01"),
        ("!!python/name:os.system ''", "tag:yaml.org,2002:python/name:os.system", None),
        (
            "!!python/object/apply:os.system [ls]",
            "tag:yaml.org,2002:python/object/apply:os.system",
            ["ls"],
        ),
        ("!!python/object:x.Y {a: 1}", "tag:yaml.org,2002:python/object:x.Y", {"a": 1}),
        ("!!set {a, b}", "tag:yaml.org,2002:set", {"a": None, "b": None}),
        ("!!map [a]", "tag:yaml.org,2002:map", ["a"]),
        ("!!seq {a: 1}", "tag:yaml.org,2002:seq", {"a": 1}),
        ("!<x:y> [a]", "x:y", ["a"]),
    ],
)
def test_an_unknown_tag_is_reported_and_means_nothing(tagged: str, tag: str, value: object) -> None:
    decoded = decode_yaml(f"k: {tagged}")
    assert plain(decoded.datum) == {"k": value}
    assert decoded.problems == (Problem(f"unknown tag '{tag}'", 1, 4, "Remove the tag."),)


@pytest.mark.parametrize(
    ("tagged", "value"),
    [
        ("!!int 3", 3),
        ("!!int '3'", 3),
        ("!!float 1.5", 1.5),
        ("!!float 3", 3),
        ("!!bool 'true'", True),
        ("!!null ''", None),
        ("!!null", None),
        ("!!str", ""),
        ("!!map {a: 1}", {"a": 1}),
        ("!!seq [a]", ["a"]),
        ("!<tag:yaml.org,2002:int> 3", 3),
    ],
)
def test_a_tag_of_the_core_schema_is_taken_where_it_fits(tagged: str, value: object) -> None:
    decoded = decode_yaml(f"k: {tagged}")
    assert repr((plain(decoded.datum), decoded.problems)) == repr(({"k": value}, ()))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("int", "1.5"),
        ("int", "x"),
        ("int", ""),
        ("float", "x"),
        ("bool", "yes"),
        ("bool", "1"),
        ("null", "x"),
    ],
)
def test_a_tag_of_the_core_schema_is_reported_where_it_does_not_fit(kind: str, text: str) -> None:
    message = f"'{text}' does not fit its tag 'tag:yaml.org,2002:{kind}'"
    assert decode_yaml(f"k: !!{kind} {text}").problems == (
        Problem(message, 1, 4, "Remove the tag."),
    )


def test_an_alias_stands_for_the_last_value_of_its_name_at_its_own_place() -> None:
    assert decode_yaml("- &a [x]\n- *a\n- &a y\n- *a\n").datum == Datum(
        [
            Datum([Datum("x", 1, 7, 6, 7)], 1, 3, 2, 8),
            Datum([Datum("x", 1, 7, 6, 7)], 2, 3, 11, 13),
            Datum("y", 3, 3, 16, 20),
            Datum("y", 4, 3, 23, 25),
        ],
        1,
        1,
        0,
        26,
    )


def test_a_key_may_be_an_alias() -> None:
    decoded = decode_yaml("- &a x\n- *a : 1\n  *a : 2\n")
    hint = "It is already defined in line 2; keep one of the two."
    assert plain(decoded.datum) == ["x", {"x": 1}]
    assert decoded.problems == (Problem("duplicate key 'x'", 3, 3, hint),)


@pytest.mark.parametrize(
    ("text", "value", "column"),
    [("&a [*a]", [None], 5), ("&a {k: *a}", {"k": None}, 8), ("[*a, &a x]", [None, "x"], 2)],
)
def test_an_alias_of_what_is_not_complete_is_reported_and_left_empty(
    text: str, value: object, column: int
) -> None:
    problem = Problem(
        "alias '*a' is not defined above",
        1,
        column,
        "Define it with '&a' further up, or write the value out.",
    )
    decoded = decode_yaml(text)
    assert (plain(decoded.datum), decoded.problems) == (value, (problem,))


def test_aliases_that_multiply_are_stopped() -> None:
    lines = ["a: &a [" + ", ".join("x" * 10) + "]"]
    for one, other in ("ab", "bc", "cd", "de", "ef", "fg", "gh", "hi"):
        lines.append(f"{other}: &{other} [" + ", ".join([f"*{one}"] * 10) + "]")
    text = "\n".join(lines)
    message = f"aliases stand for more than {MAX_BORROWED + len(text)} characters"
    assert decode_yaml(text) == Decoded(None, (Problem(message, 4, 24, FEWER),))


@pytest.mark.parametrize(("number", "found"), [(100, 101), (1000, 0)])
def test_aliases_stand_for_about_as_much_as_the_rest_of_the_file(number: int, found: int) -> None:
    text = "- &a [x, x, x, x, x, x, x, x, x]\n" + "- *a\n" * number
    datum = decode_yaml(text).datum
    assert len(plain(datum) if datum else ()) == found


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"%TAG !a{number}! b\n" for number in range(100)) + "---\na: 1\n",
        "%TAG !a! tag:" + "x" * 1000 + "\n---\na: !a!b c\n",
    ],
    ids=["many", "long"],
)
def test_directives_are_limited(text: str) -> None:
    (problem,) = decode_yaml(text).problems
    assert problem.message == "not valid YAML: more than 1000 characters of directives"
    assert (problem.line, problem.column) == (1 if "tag:" in text else 85, 1)


def test_percent_signs_elsewhere_are_text() -> None:
    text = "a: |\n" + " %A b\n" * 1000
    assert (plain(decode_yaml(text).datum), decode_yaml(text).problems) == (
        {"a": "%A b\n" * 1000},
        (),
    )


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        (f"- &a {'x' * 400_000}\n- [*a, *a, *a]\n", 2, 8),
        (f"- &a {{k: {'x' * 400_000}}}\n- [*a]\n- *a\n", 3, 3),
        (f"- &a {'x' * 15_000}\n- &b [*a]\n- &c [*a]\n- *c\n", 4, 3),
    ],
    ids=["text", "mapping", "aliases of aliases"],
)
def test_aliases_that_multiply_a_long_text_are_stopped(text: str, line: int, column: int) -> None:
    message = f"aliases stand for more than {MAX_BORROWED + len(text)} characters"
    assert decode_yaml(text) == Decoded(None, (Problem(message, line, column, FEWER),))


def test_aliases_that_do_not_multiply_are_as_many_as_one_likes() -> None:
    decoded = decode_yaml("- &a x\n" + "- *a\n" * 20_000)
    assert (plain(decoded.datum), decoded.problems) == (["x"] * 20_001, ())


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("&a []", 1),
        ("&a [x, {k: y}, z]", 2),
        ("&a {? [[x]] : y}", 3),
        ("&a [&b [[x]], *b, [*b]]", 4),
        ("[[[x]], &a [y]]", 1),
        ("[&a [y], [[x]]]", 1),
    ],
)
def test_an_alias_is_as_deep_as_what_it_stands_for(text: str, levels: int) -> None:
    def nested(times: int) -> str:
        return f"- {text}\n- {'[' * times}*a{']' * times}\n"

    deepest = MAX_DEPTH - 1 - levels
    deep = "nested more than 64 levels deep"
    assert deep not in [message for message, *_ in told(nested(deepest))]
    assert told(nested(deepest + 1))[-1] == (deep, 2, deepest + 4)


@pytest.mark.parametrize(
    ("opening", "step"), [("[", 1), ("{a: ", 4), ("- ", 2), ("? ", 2), ("[{a: ", 2.5)]
)
def test_nesting_in_one_line_ends_at_its_limit(opening: str, step: float) -> None:
    column = int(step * MAX_DEPTH) + 1
    assert decode_yaml(opening * 30_000) == Decoded(
        None, (Problem("nested more than 64 levels deep", 1, column, "Flatten it."),)
    )


def test_nesting_by_indentation_ends_at_its_limit() -> None:
    lines = [" " * level + "a:" for level in range(2_000)]
    deepest = decode_yaml("\n".join(lines[:MAX_DEPTH]))
    assert deepest.problems == ()
    assert told("\n".join(lines)) == [("nested more than 64 levels deep", 65, 65)]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a:\n\tb: 1", 2, 1),
        ("\ta: 1", 1, 1),
        ("- a\n\t- b", 2, 1),
        ("a:\r\n  b: 1\r\n\tc: 2\r\n", 3, 1),
        ("a: |\n\tx", 2, 1),
    ],
)
def test_a_tab_in_the_indentation_is_reported_as_such(text: str, line: int, column: int) -> None:
    problem = Problem("a tab where YAML requires spaces", line, column, "Indent with spaces.")
    assert decode_yaml(text) == Decoded(None, (problem,))


def test_a_tab_elsewhere_is_space_or_text() -> None:
    decoded = decode_yaml('a:\t1\nb: "x\ty"\nc: x\t# y\nd: [x,\n\ty]\n')
    assert (plain(decoded.datum), decoded.problems) == (
        {"a": 1, "b": "x\ty", "c": "x", "d": ["x", "y"]},
        (),
    )


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("\x00", "0000", 1, 1),
        ("a: \x1b[31m", "001B", 1, 4),
        ("a: 1\r\n😀: '\x07'", "0007", 2, 5),
        ("# \x7f", "007F", 1, 3),
        ("a: \x80", "0080", 1, 4),
        ("a: \uffff", "FFFF", 1, 4),
        ("a: 1\n" * 5_000 + "b\x0c", "000C", 5_001, 2),
    ],
)
def test_a_control_character_is_reported_with_its_number(
    text: str, code: str, line: int, column: int
) -> None:
    hint = "Remove it, or write it as an escape inside double quotes."
    problem = Problem(f"character U+{code} is not allowed in YAML", line, column, hint)
    decoded = decode_yaml(text)
    assert (decoded.datum, decoded.problems[-1]) == (None, problem)


def test_a_control_character_may_be_written_as_an_escape() -> None:
    decoded = decode_yaml(r'"\0\a\e\x1f\u2028\U0001F600\N"')
    assert (plain(decoded.datum), decoded.problems) == ("\0\a\x1b\x1f\u2028😀\x85", ())


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a: b: c", 1, 5),
        ("a: 1\n b: 2", 2, 3),
        ("a: [1, 2\nb: 3\n", 1, 4),
        ("a: [1\n", 1, 4),
        ("a: {b\n", 1, 4),
        ("a: 'b\nc\n", 3, 1),
        ('a: "\\q"', 1, 5),
        (r'a: "\ud800"', 1, 7),
        ("a: @b", 1, 4),
        ("a: `b`", 1, 4),
        ("%x\n---\n", 1, 3),
        ("%YAML 2.0\n---\na\n", 1, 1),
        ("- a\nb: c\n", 2, 1),
        ("a\nb: c\n", 2, 2),
        ("a: 'b' c\n", 1, 8),
        ("]", 1, 1),
        ("a: *\n", 1, 4),
        ("a: &\n", 1, 5),
        ("!e!x a\n", 1, 1),
        ("x: 1\r\ny: [\r\nz: }\r\n", 3, 4),
    ],
)
def test_a_syntax_error_is_one_problem_at_its_place(text: str, line: int, column: int) -> None:
    decoded = decode_yaml(text)
    assert decoded.datum is None
    assert [(problem.line, problem.column) for problem in decoded.problems] == [(line, column)]


def test_a_syntax_error_says_what_was_being_read_and_where_that_began() -> None:
    assert decode_yaml("a:\n  b: [1 [2]]\nc: 3\n").problems == (
        Problem(
            "not valid YAML: did not find expected ',' or ']'",
            2,
            9,
            "Found while parsing a list in brackets that began in line 2."
            " Check the indentation, quotes and brackets there.",
        ),
    )


@pytest.mark.parametrize(
    ("text", "bracket", "closing", "line", "column"),
    [
        ("name: [", "[", "]", 1, 7),
        ("a:\n  b: [1,\n      2\nc: 3\n", "[", "]", 2, 6),
        ("a: {b: [1]\nc: 2", "{", "}", 1, 4),
    ],
)
def test_a_bracket_without_its_end_is_reported_where_it_is(
    text: str, bracket: str, closing: str, line: int, column: int
) -> None:
    message = f"not valid YAML: '{bracket}' is not closed"
    assert decode_yaml(text).problems == (
        Problem(message, line, column, f"Add the missing '{closing}'."),
    )


def test_a_text_that_starts_with_a_star_needs_quotes() -> None:
    message = "not valid YAML: a text that starts with '*'"
    assert decode_yaml("paths:\n  - **/*.py\n").problems == (
        Problem(message, 2, 5, "Put it in quotes."),
    )


def test_problems_before_a_syntax_error_are_kept() -> None:
    assert [message.split(":")[0] for message, *_ in told("a: !x 1\na: 2\nb: 'c\n")] == [
        "unknown tag '!x'",
        "duplicate key 'a'",
        "not valid YAML",
    ]


def test_line_ends_of_any_machine_give_the_same_values_and_places() -> None:
    known = decode_yaml(DOCUMENT)
    for line_break in ("\r\n", "\r"):
        decoded = decode_yaml(DOCUMENT.replace("\n", line_break))
        assert (plain(decoded.datum), decoded.problems) == (plain(known.datum), known.problems)
        assert list(places(decoded.datum)) == list(places(known.datum))


@given(VALUES, st.sampled_from([None, 0, 2]))
def test_every_value_that_json_can_write_comes_back(value: Any, indent: int | None) -> None:
    decoded = decode_yaml(json.dumps(value, ensure_ascii=False, indent=indent))
    assert repr((plain(decoded.datum), decoded.problems)) == repr((value, ()))


@given(VALUES)
def test_every_value_that_yaml_can_write_comes_back(value: Any) -> None:
    written = yaml.safe_dump(value, default_style='"', allow_unicode=True, sort_keys=False)
    decoded = decode_yaml(written)
    assert repr((plain(decoded.datum), decoded.problems)) == repr((value, ()))


@given(st.text() | soups(PIECES) | damaged(DOCUMENT, PIECES))
@example(DOCUMENT)
def test_every_text_is_decoded_or_has_its_problems_reported(text: str) -> None:
    decoded = decode_yaml(text)
    assert decoded.datum is not None or decoded.problems


@given(LINES | soups(PIECES) | damaged(DOCUMENT, PIECES))
@example("[")
@example('\r[\nname: "\x00"')
def test_every_value_and_every_problem_is_inside_the_text(text: str) -> None:
    lines = f"{text}\n"
    as_yaml_breaks_them = lines.replace("\r\n", "\n").replace("\r", "\n")
    assert outside(decode_yaml(lines), as_yaml_breaks_them) == []
