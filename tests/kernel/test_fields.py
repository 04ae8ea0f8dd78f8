"""Fields return values of the right type, report all others, and coerce nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.kernel.fields import Fields, Report
from yg.kernel.issue import Located, UnknownKey
from yg.text.decode import Datum, Entry, Problem, Scalar
from yg.text.decode_yaml import decode_yaml

ONE_TEXT = "Write one text."
COUNT = "Write 0 or a larger whole number."
QUOTES = "Put it in quotes if it is meant as text."
ITEMS = "Write '- ' before each item, or put it in '[ ]'."
ONE_TWO = "YAML 1.2 has only true and false."


def fields_of(text: str) -> Fields:
    """Return the fields of a YAML text, with a report that is still empty."""
    datum = decode_yaml(text).datum
    assert datum is not None
    return Fields(datum, "x.yaml", Report())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "nothing"),
        ("12", "a whole number"),
        ("1.5", "a number"),
        ("true", "true or false"),
        ("text", "text"),
        ("[a]", "a list"),
    ],
)
def test_a_value_that_is_not_a_mapping_is_reported_once(text: str, found: str) -> None:
    fields = fields_of(text)
    assert (
        fields.located_text("k"),
        fields.text("k"),
        fields.required_text("k"),
        fields.flag("k"),
        fields.count("k", 7),
        fields.located_texts("k", if_empty="Fill it."),
        fields.items("k"),
        fields.mapping("k"),
        list(fields.named()),
    ) == (None, "", None, False, 7, (), [], None, [])
    fields.close()
    assert fields.report.problems == [Problem(f"x.yaml must be a mapping, found {found}", 1, 1)]
    assert fields.report.unknown_keys == []


@pytest.mark.parametrize("text", ["{}", "k:", "k: ~", "k: null"])
def test_a_key_without_a_value_is_absent(text: str) -> None:
    fields = fields_of(text)
    assert (
        fields.lacks("k"),
        fields.get("k"),
        fields.located_text("k"),
        fields.text("k"),
        fields.flag("k"),
        fields.count("k", 7),
        fields.located_texts("k", if_empty="Fill it."),
        fields.items("k", if_empty="Fill it."),
        fields.mapping("k"),
    ) == (True, None, None, "", False, 7, (), [], None)
    assert fields.report.problems == []


@pytest.mark.parametrize("text", ["{a: 1}", "a: 1\nk:", "a: 1\nk: ~"])
def test_a_required_text_that_is_absent_is_reported_at_the_mapping(text: str) -> None:
    fields = fields_of(text)
    assert fields.required_text("k") is None
    assert fields.report.problems == [Problem("x.yaml has no 'k'", 1, 1, "Add 'k: ..'.")]


def test_values_of_the_right_type_are_handed_out_with_their_places() -> None:
    fields = fields_of("w: ' a '\nf: true\nc: 0\nl: [a,\n  b]\nm: {x: y}\n")
    assert fields.required_text("w") == fields.located_text("w") == Located(" a ", 1, 4)
    assert (fields.text("w"), str(fields.located_text("w"))) == (" a ", " a ")
    assert fields.flag("f") is True
    assert fields.count("c", 7) == 0
    assert fields.located_texts("l", if_empty="Fill it.") == (
        Located("a", 4, 5),
        Located("b", 5, 3),
    )
    assert fields.items("l") == [Datum("a", 4, 5, 26, 27), Datum("b", 5, 3, 31, 32)]
    inner = fields.mapping("m")
    assert inner is not None
    assert (inner.what, inner.text("x")) == ("'m'", "y")
    assert fields.get("m") == Datum(
        {"x": Entry(6, 5, Datum("y", 6, 8, 41, 42), 38, 39)}, 6, 4, 37, 43, is_flow=True
    )
    assert not fields.lacks("c")
    assert fields.report.problems == []


@pytest.mark.parametrize(
    ("value", "found", "hint"),
    [
        ("12", "a whole number", QUOTES),
        ("1.5", "a number", QUOTES),
        ("true", "true or false", QUOTES),
        ("[a]", "a list", ONE_TEXT),
        ("{a: b}", "a mapping", ONE_TEXT),
    ],
)
def test_text_must_be_text(value: str, found: str, hint: str) -> None:
    problem = Problem(f"'k' must be text, found {found}", 2, 4, hint)
    fields = fields_of(f"a: b\nk: {value}")
    assert (fields.required_text("k"), fields.report.problems) == (None, [problem])
    fields = fields_of(f"a: b\nk: {value}")
    assert (fields.text("k"), fields.report.problems) == ("", [problem])


@pytest.mark.parametrize("blank", ["''", "' '", '"\\t\\n"', '"\\u00a0\\u2003"', "|\n \n"])
def test_text_must_not_be_blank(blank: str) -> None:
    problem = Problem("'k' must not be empty", 1, 4, "Write the text.")
    fields = fields_of(f"k: {blank}")
    assert (fields.required_text("k"), fields.report.problems) == (None, [problem])


@pytest.mark.parametrize(
    ("value", "found", "hint"),
    [
        ("yes", "text", ONE_TWO),
        ("'true'", "text", ONE_TWO),
        ("''", "text", ONE_TWO),
        ("1", "a whole number", ""),
        ("0", "a whole number", ""),
        ("1.0", "a number", ""),
        ("[true]", "a list", ""),
        ("{}", "a mapping", ""),
    ],
)
def test_a_flag_must_be_true_or_false(value: str, found: str, hint: str) -> None:
    fields = fields_of(f"k: {value}")
    assert fields.flag("k") is False
    assert fields.report.problems == [
        Problem(f"'k' must be true or false, found {found}", 1, 4, hint)
    ]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("many", "text"),
        ("'3'", "text"),
        ("3.0", "a number"),
        (".inf", "a number"),
        ("true", "true or false"),
        ("[3]", "a list"),
        ("{}", "a mapping"),
    ],
)
def test_a_count_must_be_a_whole_number(value: str, found: str) -> None:
    fields = fields_of(f"k: {value}")
    assert fields.count("k", 7) == 7
    assert fields.report.problems == [
        Problem(f"'k' must be a whole number, found {found}", 1, 4, COUNT)
    ]


def test_a_count_must_not_be_negative() -> None:
    fields = fields_of("k: -1")
    assert fields.count("k", 7) == 7
    assert fields.report.problems == [Problem("'k' must not be negative", 1, 4, COUNT)]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("a, b", "text"),
        ("''", "text"),
        ("12", "a whole number"),
        ("1.5", "a number"),
        ("false", "true or false"),
        ("{a: b}", "a mapping"),
    ],
)
def test_a_list_must_be_a_list(value: str, found: str) -> None:
    problem = Problem(f"'k' must be a list, found {found}", 1, 4, ITEMS)
    fields = fields_of(f"k: {value}")
    assert (fields.items("k", if_empty="Fill it."), fields.report.problems) == ([], [problem])
    fields = fields_of(f"k: {value}")
    assert (fields.located_texts("k"), fields.report.problems) == ((), [problem])


def test_every_item_of_the_wrong_type_is_reported_and_the_others_are_kept() -> None:
    fields = fields_of("k: [a, 1, 2.5, true, ~, [b], {c: d}, '', e]")
    what = "each item of 'k' must"
    assert fields.located_texts("k") == (Located("a", 1, 5), Located("e", 1, 42))
    assert fields.report.problems == [
        Problem(f"{what} be text, found a whole number", 1, 8, QUOTES),
        Problem(f"{what} be text, found a number", 1, 11, QUOTES),
        Problem(f"{what} be text, found true or false", 1, 16, QUOTES),
        Problem(f"{what} be text, found nothing", 1, 22, QUOTES),
        Problem(f"{what} be text, found a list", 1, 25, ONE_TEXT),
        Problem(f"{what} be text, found a mapping", 1, 30, ONE_TEXT),
        Problem(f"{what} not be empty", 1, 38, "Write the text, or remove the item."),
    ]


def test_texts_are_the_items_of_a_list_without_their_positions() -> None:
    text = "k: [a, 1, ~, '', e]\nl: x\n"
    fields, other = fields_of(text), fields_of(text)
    for key in ("k", "l", "m"):
        assert fields.texts(key) == tuple(item.text for item in other.located_texts(key))
    assert fields.report.problems == other.report.problems
    assert len(fields.report.problems) == 4


def test_a_text_that_occurs_many_times_is_held_once() -> None:
    fields = fields_of("a: orders/store\nb: [orders/store]\nc: 'orders/store'\n")
    first = fields.text("a")
    assert fields.texts("b")[0] is first
    assert fields.text("c") is first


def test_blank_items_are_kept_where_they_may_be_blank() -> None:
    fields = fields_of("k: ['', ' ', 1]")
    assert fields.located_texts("k", may_be_blank=True) == (Located("", 1, 5), Located(" ", 1, 9))
    assert fields.report.problems == [
        Problem("each item of 'k' must be text, found a whole number", 1, 14, QUOTES)
    ]


def test_an_empty_list_is_reported_where_it_must_not_be_empty() -> None:
    fields = fields_of("k: []")
    assert (fields.items("k"), fields.report.problems) == ([], [])
    assert fields.located_texts("k", if_empty="Fill it.") == ()
    assert fields.report.problems == [Problem("'k' must not be empty", 1, 4, "Fill it.")]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("a", "text"),
        ("12", "a whole number"),
        ("1.5", "a number"),
        ("true", "true or false"),
        ("[a]", "a list"),
    ],
)
def test_a_mapping_must_be_a_mapping(value: str, found: str) -> None:
    fields = fields_of(f"k: {value}")
    inner = fields.mapping("k")
    assert inner is not None
    assert (inner.required_text("a"), list(inner.named())) == (None, [])
    assert fields.report.problems == [Problem(f"'k' must be a mapping, found {found}", 1, 4)]


def test_a_problem_inside_a_mapping_names_that_mapping() -> None:
    inner = fields_of("k:\n  a: b\n").mapping("k")
    assert inner is not None
    assert inner.required_text("name") is None
    assert inner.report.problems == [Problem("'k' has no 'name'", 2, 3, "Add 'name: ..'.")]


def test_names_of_the_user_come_in_the_order_of_the_file() -> None:
    fields = fields_of("b: 1\na: [x]\n'': ~\n")
    assert list(fields.named()) == [
        (Located("b", 1, 1), Datum(1, 1, 4, 3, 4)),
        (Located("a", 2, 1), Datum([Datum("x", 2, 5, 9, 10)], 2, 4, 8, 11, is_flow=True)),
        (Located("", 3, 1), Datum(None, 3, 5, 16, 17)),
    ]
    fields.close()
    assert fields.report.unknown_keys == []


def test_keys_that_nothing_asked_for_are_reported_with_those_that_are_known() -> None:
    fields = fields_of("nmae: x\ntype: y\n\nextra: ~\n")
    fields.required_text("type")
    fields.text("name")
    fields.text("type")
    fields.close()
    assert fields.report.unknown_keys == [
        UnknownKey(Located("nmae", 1, 1), ("type", "name")),
        UnknownKey(Located("extra", 4, 1), ("type", "name")),
    ]
    assert fields.report.problems == []


def test_a_problem_has_the_position_of_a_value_a_key_or_a_text() -> None:
    report = Report()
    report.add_problem("a", Datum(1, 2, 3))
    report.add_problem("b", Entry(4, 5, Datum(1, 6, 7)), "Fix it.")
    report.add_problem("c", Located("x", 8, 9))
    assert report.problems == [
        Problem("a", 2, 3),
        Problem("b", 4, 5, "Fix it."),
        Problem("c", 8, 9),
    ]


SCALARS = st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
ASK: dict[str, Callable[[Fields], object]] = {
    "text": lambda fields: fields.text("k"),
    "flag": lambda fields: fields.flag("k"),
    "count": lambda fields: fields.count("k", 7),
    "located_texts": lambda fields: fields.located_texts("k"),
    "mapping": lambda fields: [*fields.mapping("k").named()],  # type: ignore[union-attr]
}
INSTEAD: dict[str, object] = {
    "text": "",
    "flag": False,
    "count": 7,
    "located_texts": (),
    "mapping": [],
}


@given(SCALARS, st.sampled_from(sorted(ASK)))
def test_a_scalar_is_handed_out_as_it_is_or_reported_exactly_once(
    value: Scalar, asked: str
) -> None:
    fields = Fields(Datum({"k": Entry(1, 1, Datum(value, 1, 4))}, 1, 1), "x.yaml", Report())
    answer = ASK[asked](fields)
    if fields.report.problems:
        assert repr(answer) == repr(INSTEAD[asked])
        assert [(problem.line, problem.column) for problem in fields.report.problems] == [(1, 4)]
    else:
        assert repr(answer) == repr(value)
