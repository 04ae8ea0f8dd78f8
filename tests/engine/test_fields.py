"""A file is read by the description of its keys; all that is wrong is reported, with its place."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated, Any, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from msgspec import Meta, Struct, field

from yg.kernel.fields import Report, UnknownKey, has, json_schema, like, read_keys, shown
from yg.kernel.issue import Located
from yg.text.decode import Datum, Problem
from yg.text.decode_yaml import decode_yaml

QUOTES = "Put it in quotes if it is meant as text."
ONE_TEXT = "Write one text."
COUNT = "Write 0 or a larger whole number."
ITEMS = "Write '- ' before each item, or put it in '[ ]'."


class Kind(StrEnum):
    USES = "uses"
    CALLS = "calls"


class Level(StrEnum):
    ERROR = "error"
    OFF = "off"


class Relation(Struct, frozen=True, kw_only=True):
    target: Annotated[Located, Meta(description="Another node.")]
    kind: Annotated[Kind, Meta(description="How.", extra={"what": "relation type"})] = field(
        name="type"
    )
    consumes: Annotated[tuple[str, ...], Meta(description="What is used.")] = ()


class Mapping(Struct, frozen=True, kw_only=True):
    paths: Annotated[
        tuple[Located, ...],
        Meta(description="Files.", extra={"if_empty": "List files.", "may_be_blank": True}),
    ]


class Requirement(Struct, frozen=True):
    """Written as `always`, or as a mapping with `when`."""

    when: Annotated[str, Meta(description="A condition.")]

    @classmethod
    def read_yaml(
        cls, datum: Datum, what: str, report: Report, _name: Located | None
    ) -> Self | None:
        if datum.value == "always":
            return cls("always")
        values = read_keys(cls, datum, what, report, hint="Write 'always'.")
        return None if values is None else cls(**values)

    @classmethod
    def yaml_schema(cls) -> dict[str, Any]:
        return {"oneOf": [{"enum": ["always", None]}, json_schema(cls)]}


class Type(Struct, frozen=True, kw_only=True):
    name: Annotated[Located | None, Meta(extra={"own_name": True})] = None
    description: Annotated[str, Meta(description="When.", extra={"required": True})] = ""


class Node(Struct, frozen=True, kw_only=True):
    """All forms of values at once; `path` is no key."""

    path: str = "x"
    name: Annotated[str, Meta(description="The name.")]
    count: Annotated[int, Meta(description="How many.", ge=0)] = 7
    ports: Annotated[int | None, Meta(description="Limit.", ge=2)] = None
    blackbox: Annotated[bool, Meta(description="Unknown inside.")] = False
    level: Annotated[Level | None, Meta(description="The level.")] = None
    members: Annotated[tuple[str, ...], Meta(description="Who.", extra={"alias": "nodes"})] = ()
    relations: Annotated[
        tuple[Relation, ...],
        Meta(description="Edges.", extra={"hint": like("- {target: .., type: uses}")}),
    ] = ()
    mapping: Annotated[
        Mapping | None, Meta(description="Code.", extra={"hint": "Write 'paths'."})
    ] = None
    required: Annotated[Requirement | None, Meta(description="When it is needed.")] = None
    types: Annotated[dict[str, Type], Meta(description="Types.", min_length=1)] = {}
    rules: Annotated[
        dict[str, Level], Meta(description="Levels.", extra={"entry": "the level of {}"})
    ] = {}


class Flow(Struct, frozen=True, kw_only=True):
    nodes: Annotated[
        tuple[str, ...],
        Meta(extra={"required": True, "alias": "participants", "if_empty": "List nodes."}),
    ] = ()


def reading(text: str, cls: type[Struct] = Node) -> tuple[dict[str, Any] | None, Report]:
    datum, report = decode_yaml(text).datum, Report()
    assert datum is not None
    return read_keys(cls, datum, "x.yaml", report), report


def problems(text: str, cls: type[Struct] = Node) -> list[Problem]:
    return reading(text, cls)[1].problems


def test_the_values_of_all_forms_are_read_with_their_places() -> None:
    values, report = reading(
        "name: ' N '\ncount: 0\nports: 2\nblackbox: true\nlevel: off\nnodes: [a, b]\n"
        "relations:\n- target: p\n  type: uses\n  consumes: [c]\n"
        "mapping: {paths: ['', b]}\nrequired: {when: w}\n"
        "types:\n  t: {description: d}\nrules: {W1: error}\n"
    )
    assert values == {
        "name": " N ",
        "count": 0,
        "ports": 2,
        "blackbox": True,
        "level": Level.OFF,
        "members": ("a", "b"),
        "relations": (Relation(target=Located("p", 8, 11), kind=Kind.USES, consumes=("c",)),),
        "mapping": Mapping(paths=(Located("", 11, 19), Located("b", 11, 23))),
        "required": Requirement("w"),
        "types": {"t": Type(name=Located("t", 14, 3), description="d")},
        "rules": {"W1": Level.ERROR},
    }
    assert (report.problems, report.warnings, report.unknown_keys) == ([], [], [])


def test_of_one_hostile_file_every_problem_is_reported_where_it_is() -> None:
    values, report = reading(
        "nmae: x\n"
        "name: 12\n"
        "count: -1\n"
        "blackbox: yes\n"
        "level: loud\n"
        "members: a\n"
        "relations:\n"
        "- pay\n"
        "- {target: [], type: users}\n"
        "- {target: b, type: 3}\n"
        "mapping: {path: a}\n"
        "types: {t: ~, '': {description: ' '}}\n"
        "rules: {W1: 1}\n"
    )
    assert values is None
    assert report.problems == [
        Problem("'name' must be text, found a whole number", 2, 7, QUOTES),
        Problem("'count' must not be negative", 3, 8, COUNT),
        Problem(
            "'blackbox' must be true or false, found text",
            4,
            11,
            "YAML 1.2 has only true and false.",
        ),
        Problem("'level' cannot be 'loud'", 5, 8, "Write one of: error, off."),
        Problem("'members' must be a list, found text", 6, 10, ITEMS),
        Problem(
            "each item of 'relations' must be a mapping, found text",
            8,
            3,
            "Write '- {target: pay, type: uses}'.",
        ),
        Problem("'target' must be text, found a list", 9, 12, ONE_TEXT),
        Problem("unknown relation type 'users'", 9, 22, "Use one of: uses, calls."),
        Problem("'type' must be text, found a whole number", 10, 21, QUOTES),
        Problem("'mapping' has no 'paths'", 11, 10, "List files."),
        Problem("'t' must be a mapping, found nothing", 12, 12),
        Problem("'description' must not be empty", 12, 33, "Write the text."),
        Problem("the level of W1 cannot be a whole number", 13, 13, "Write one of: error, off."),
    ]
    assert [(str(key.name), key.name.line) for key in report.unknown_keys] == [
        ("nmae", 1),
        ("path", 11),
    ]


def test_an_invalid_value_leaves_the_others_of_the_mapping() -> None:
    values, report = reading(
        "name: N\ncount: many\nrelations: [{type: uses}, {target: a, type: calls}]"
    )
    assert values == {
        "name": "N",
        "relations": (Relation(target=Located("a", 3, 36), kind=Kind.CALLS),),
    }
    assert [problem.message for problem in report.problems] == [
        "'count' must be a whole number, found text",
        "each item of 'relations' has no 'target'",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [("", "nothing"), ("12", "a whole number"), ("true", "true or false"), ("[a]", "a list")],
)
def test_what_is_no_mapping_is_reported_once(text: str, found: str) -> None:
    assert reading(text)[0] is None
    assert problems(text) == [Problem(f"x.yaml must be a mapping, found {found}", 1, 1)]


@pytest.mark.parametrize("text", ["a: 1", "a: 1\nname:", "a: 1\nname: ~"])
def test_a_required_key_without_a_value_is_missing(text: str) -> None:
    assert reading(text)[0] is None
    assert problems(text) == [Problem("x.yaml has no 'name'", 1, 1, "Add 'name: ..'.")]


def test_a_default_stands_in_for_a_required_value_that_is_missing() -> None:
    values, report = reading("name: N\ntypes: {t: {}}")
    assert values == {"name": "N", "types": {"t": Type(name=Located("t", 2, 9))}}
    assert report.problems == [Problem("'t' has no 'description'", 2, 12, "Add 'description: ..'.")]


def test_null_counts_as_absent_where_a_value_is_optional() -> None:
    assert reading("name: N\ncount: ~\nmapping:\nrelations: null")[0] == {"name": "N"}


@pytest.mark.parametrize(
    ("key", "value", "message", "hint"),
    [
        ("name", "1.5", "'name' must be text, found a number", QUOTES),
        ("name", "true", "'name' must be text, found true or false", QUOTES),
        ("name", "{a: b}", "'name' must be text, found a mapping", ONE_TEXT),
        ("name", "''", "'name' must not be empty", "Write the text."),
        ("name", '"\\u00a0\\t"', "'name' must not be empty", "Write the text."),
        ("blackbox", "1", "'blackbox' must be true or false, found a whole number", ""),
        ("count", "3.0", "'count' must be a whole number, found a number", COUNT),
        ("count", "true", "'count' must be a whole number, found true or false", COUNT),
        ("ports", "1", "'ports' must be at least 2", "Write 2 or a larger whole number."),
        ("members", "[~]", "each item of 'members' must be text, found nothing", QUOTES),
        (
            "members",
            "['']",
            "each item of 'members' must not be empty",
            "Write the text, or remove the item.",
        ),
        ("mapping", "[a.py]", "'mapping' must be a mapping, found a list", "Write 'paths'."),
        ("mapping", "{paths: []}", "'paths' must not be empty", "List files."),
        ("types", "{}", "'types' must not be empty", "Fill it, or leave it out."),
        ("types", "[t]", "'types' must be a mapping, found a list", ""),
        ("required", "never", "'required' must be a mapping, found text", "Write 'always'."),
    ],
)
def test_a_value_of_another_form_is_reported(key: str, value: str, message: str, hint: str) -> None:
    found = [problem for problem in problems(f"{key}: {value}") if "has no" not in problem.message]
    assert [(problem.message, problem.line, problem.hint) for problem in found] == [
        (message, 1, hint)
    ]


def test_another_name_of_a_key_counts_where_the_key_has_no_value() -> None:
    values = {"nodes": ("b",)}
    assert reading("participants: [b]", Flow)[0] == values
    assert reading("nodes: ~\nparticipants: [b]", Flow)[0] == values
    assert reading("participants: [a]\nnodes: [b]", Flow)[0] == values
    assert problems("participants: []", Flow) == [
        Problem("'participants' must not be empty", 1, 15, "List nodes.")
    ]
    assert problems("{}", Flow) == [Problem("x.yaml has no 'nodes'", 1, 1, "List nodes.")]


def test_unknown_keys_are_reported_with_those_that_are_known() -> None:
    report = reading("nodes: [a]\nnode: [b]\npath: c\n", Flow)[1]
    assert report.unknown_keys == [
        UnknownKey(Located("node", 2, 1), ("nodes", "participants")),
        UnknownKey(Located("path", 3, 1), ("nodes", "participants")),
    ]
    assert report.problems == []


def test_a_text_that_occurs_many_times_is_held_once() -> None:
    values = reading("name: orders/store\nmembers: [orders/store]")[0]
    assert values is not None
    assert values["members"][0] is values["name"]


def test_a_wrong_value_is_shown_as_it_is_written() -> None:
    datum = decode_yaml("a: x\nb: [1]\nc:").datum
    assert datum is not None
    assert isinstance(datum.value, dict)
    assert [shown(entry.datum) for entry in datum.value.values()] == ["'x'", "a list", "nothing"]
    assert [has(datum, key) for key in "abcd"] == [True, True, False, False]


def test_the_json_schema_says_the_same_as_the_reader() -> None:
    Draft7Validator.check_schema(json_schema(Node))
    assert json_schema(Relation) == {
        "type": "object",
        "required": ["target", "type"],
        "properties": {
            "target": {"type": "string", "pattern": r"\S", "description": "Another node."},
            "type": {"enum": ["uses", "calls"], "description": "How."},
            "consumes": {
                "type": ["array", "null"],
                "items": {"type": "string", "pattern": r"\S"},
                "description": "What is used.",
            },
        },
    }
    assert json_schema(Flow)["anyOf"] == [{"required": ["nodes"]}, {"required": ["participants"]}]


KEYS = st.sampled_from(
    [*json_schema(Node)["properties"], "target", "type", "consumes", "paths", "when", "description"]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", " ", "a", "uses", "off", "always", "12"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)
NODES = st.dictionaries(KEYS, VALUES, max_size=5) | VALUES


@given(NODES)
def test_what_the_json_schema_rejects_the_reader_reports(value: Any) -> None:
    values, report = reading(json.dumps(value))
    if not Draft7Validator(json_schema(Node)).is_valid(value):
        assert report.problems
    if values is None:
        assert report.problems
    else:
        Node(**values)
