"""One description of a field, from which reading YAML, JSON Schema and argparse follow.

A mapping of a file is a frozen Struct. Its keys are the attributes with metadata. An attribute
without `Annotated` is no key of the file: the reader of the file fills it.

    class Relation(Struct, frozen=True, kw_only=True):
        target: Annotated[Located, Meta(description="The path of another node.")]
        kind: Annotated[
            RelationKind,
            Meta(description="How they are tied together.", extra={"what": "relation type"}),
        ] = field(name="type")
        consumes: Annotated[tuple[Located, ...], Meta(description="..")] = ()

A key without a value (`key:` or `key: ~`) is absent. A key is required if its attribute has no
default, or with `extra={"required": True}`, where the default stands in for a missing value.

Types: `str` and `Located` (text that is not blank), `bool`, `int`, a StrEnum, a Struct (a mapping),
`tuple[X, ...]` (a list), `dict[str, X]` (a mapping whose keys are names that the user chose); each
also `| None`. `ge` of Meta is the least number; `min_length=1` forbids an empty list or mapping.
`extra` may have:

- `hint`: how to write the value or, in a list, an item; shown if it has the wrong type. A text, or
  a function of the datum, such as `like("- {target: .., type: uses}")`.
- `if_empty`: advice on a missing key and on an empty list or mapping, which it forbids.
- `what`: what the words of a StrEnum are: "unknown relation type 'x'". Without it the message is
  "'type' cannot be 'x'".
- `entry`: how messages name an entry of a `dict`, such as "the level of {}"; default "'{}'".
- `may_be_blank`: whether blank text is allowed.
- `alias`: another name of the key; only one of the two may be there.
- `own_name`: the attribute (`str` or `Located`) is no key, but holds the name under which the
  Struct stands in a `dict`.
- `schema`: additions to the JSON Schema of the value.

A class that is written differently has a class method `read_yaml(datum, what, report, name)`,
which returns a value, or None after a report; `name` is the name of the entry in a `dict`, else
None. It may call `read_keys(cls, ..)`. Its class method `yaml_schema()` returns its JSON Schema, if
that is not the one of its keys.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from sys import intern
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from yg.kernel.issue import Located
from yg.text.decode import Datum, Problem, type_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from msgspec import Meta

    from yg.text.decode import Entry

    Hint: TypeAlias = str | Callable[[Datum], str]

_LIST_HINT = "Write '- ' before each item, or put it in '[ ]'."
_FILL_HINT = "Fill it, or leave it out."
_LAST_IN_SCHEMA = ("oneOf", "propertyNames", "properties", "additionalProperties")


class UnknownKey(Struct, frozen=True, array_like=True, gc=False):
    """A key that its mapping does not define, and the keys that it does."""

    name: Located
    known: tuple[str, ...]


class Report:
    """Problems, warnings and unknown keys of one file."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []  # problems that do not make the value invalid
        self.unknown_keys: list[UnknownKey] = []

    def add_problem(self, message: str, at: Datum | Entry | Located, hint: str = "") -> None:
        """Add a problem at the position of a value."""
        self.problems.append(Problem(message, at.line, at.column, hint))

    def warn(self, message: str, at: Datum | Entry | Located, hint: str = "") -> None:
        """Add a warning at the position of a value."""
        self.warnings.append(Problem(message, at.line, at.column, hint))


def read_keys(  # noqa: PLR0913
    cls: type[Struct],
    datum: Datum,
    what: str,
    report: Report,
    *,
    hint: Hint = "",
    name: Located | None = None,
) -> dict[str, Any] | None:
    """Return the attributes whose keys have valid values; None if one without a default lacks it.

    Everything wrong is reported. Messages call the mapping `what`; `hint` is for a value that is no
    mapping, `name` is the name of an entry of a `dict`.
    """
    entries = datum.value
    if not isinstance(entries, dict):
        _report_type(what, "a mapping", datum, report, hint)
        return None
    plan = _plan(cls)
    keys = plan.keys
    values: dict[str, Any] = {}
    for written, entry in entries.items():
        if (key := keys.get(written)) is None:
            found = Located(written, entry.line, entry.column)
            report.unknown_keys.append(UnknownKey(found, plan.known))
        elif key.is_alias and has(datum, key.other):
            report.add_problem(
                f"{what} has both '{key.other}' and '{written}', which is another name of it",
                entry,
                "Keep one of them.",
            )
        elif entry.datum.value is not None:
            value = key.form.read(entry.datum, key.what, report, None)
            if value is not None:
                values[key.attribute] = value
    if not plan.required <= values.keys():
        _report_missing(plan, datum, what, report)
    if name is not None and plan.own_name:
        values[plan.own_name] = name if plan.own_name_is_located else name.text
    return values if plan.needed <= values.keys() else None


def json_schema(cls: type[Struct]) -> dict[str, Any]:
    """Return the JSON Schema (draft 7) of a mapping."""
    required, either, properties = [], [], {}
    for key in _plan(cls).keys.values():
        properties[key.name] = _value_schema(key)
        if key.is_required and key.other:
            either.append({"required": [key.name]})
        elif key.is_required:
            required.append(key.name)
    return {
        "type": "object",
        **({"required": required} if required else {}),
        **({"anyOf": either} if either else {}),
        "properties": properties,
    }


def has(datum: Datum, key: str) -> bool:
    """Return whether a value is a mapping in which a key has a value other than null."""
    entry = datum.value.get(key) if isinstance(datum.value, dict) else None
    return entry is not None and entry.datum.value is not None


def shown(datum: Datum) -> str:
    """Write a wrong value: a text as it is, any other value by its type."""
    return f"'{datum.value}'" if isinstance(datum.value, str) else type_name(datum.value)


def like(form: str) -> Callable[[Datum], str]:
    """Return a hint on how to write a value; a text that stands there replaces '..' in the form."""

    def hint(datum: Datum) -> str:
        written = datum.value if isinstance(datum.value, str) else ".."
        return f"Write '{form.replace('..', written)}'."

    return hint


def _report_missing(plan: _Plan, datum: Datum, what: str, report: Report) -> None:
    """Report the required keys that have no value, under neither name."""
    for key in plan.keys.values():
        is_expected = key.is_required and not key.is_alias
        if is_expected and not has(datum, key.name) and not has(datum, key.other):
            hint = key.if_empty or f"Add '{key.name}: ..'."
            report.add_problem(f"{what} has no '{key.name}'", datum, hint)


def _report_type(what: str, expected: str, datum: Datum, report: Report, hint: Hint = "") -> None:
    advice = hint if isinstance(hint, str) else hint(datum)
    report.add_problem(f"{what} must be {expected}, found {type_name(datum.value)}", datum, advice)


def _value_schema(key: _Key) -> dict[str, Any]:
    """Return the JSON Schema of the value of a key, with its description."""
    schema = {**key.form.schema(), **key.schema}
    if not key.is_required:
        if "type" in schema:
            kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
            schema["type"] = [*kinds, "null"]
        elif "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
    last = {word: schema.pop(word) for word in _LAST_IN_SCHEMA if word in schema}
    return {**schema, "description": key.description, **last}


# The forms of values. `read` returns None if a value is not valid, after a report; its last
# argument is the name of an entry of a `dict`.


class _Text(Struct, frozen=True):
    is_located: bool
    may_be_blank: bool
    hint: Hint
    is_item: bool

    def read(self, datum: Datum, what: str, report: Report, _name: Located | None) -> Any:
        text = datum.value
        if not isinstance(text, str):
            is_scalar = text is None or isinstance(text, (int, float))
            hint = "Put it in quotes if it is meant as text." if is_scalar else "Write one text."
            _report_type(what, "text", datum, report, self.hint or hint)
            return None
        if (not text or text.isspace()) and not self.may_be_blank:
            hint = "Write the text, or remove the item." if self.is_item else "Write the text."
            report.add_problem(f"{what} must not be empty", datum, hint)
            return None
        text = intern(text)  # a large graph repeats few distinct texts
        return Located(text, datum.line, datum.column) if self.is_located else text

    def schema(self) -> dict[str, Any]:
        return {"type": "string", **({} if self.may_be_blank else {"pattern": r"\S"})}


class _Flag(Struct, frozen=True):
    def read(self, datum: Datum, what: str, report: Report, _name: Located | None) -> bool | None:
        if isinstance(datum.value, bool):
            return datum.value
        hint = "YAML 1.2 has only true and false." if isinstance(datum.value, str) else ""
        _report_type(what, "true or false", datum, report, hint)
        return None

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


class _Number(Struct, frozen=True):
    least: int

    def read(self, datum: Datum, what: str, report: Report, _name: Located | None) -> int | None:
        number, least = datum.value, self.least
        hint = f"Write {least} or a larger whole number."
        if not isinstance(number, int) or isinstance(number, bool):
            _report_type(what, "a whole number", datum, report, hint)
            return None
        if number < least:
            fault = f"be at least {least}" if least else "not be negative"
            report.add_problem(f"{what} must {fault}", datum, hint)
            return None
        return number

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least}


class _Word(Struct, frozen=True):
    words: type[StrEnum]
    text: _Text
    what: str  # they are; empty if messages need not say it

    def read(self, datum: Datum, what: str, report: Report, name: Located | None) -> Any:
        for word in self.words:
            if datum.value == word:
                return word
        listed = ", ".join(self.words)
        if not self.what:
            hint = f"Write one of: {listed}."
            report.add_problem(f"{what} cannot be {shown(datum)}", datum, hint)
        elif self.text.read(datum, what, report, name) is not None:
            hint = f"Use one of: {listed}."
            report.add_problem(f"unknown {self.what} '{datum.value}'", datum, hint)
        return None

    def schema(self) -> dict[str, Any]:
        return {"enum": [word.value for word in self.words]}


class _List(Struct, frozen=True):
    item: _Form
    if_empty: str

    def read(self, datum: Datum, what: str, report: Report, _name: Located | None) -> Any:
        items = datum.value
        if not isinstance(items, list):
            _report_type(what, "a list", datum, report, _LIST_HINT)
            return None
        if not items and self.if_empty:
            report.add_problem(f"{what} must not be empty", datum, self.if_empty)
            return None
        each = f"each item of {what}"
        found = [self.item.read(item, each, report, None) for item in items]
        return tuple([value for value in found if value is not None])

    def schema(self) -> dict[str, Any]:
        least = {"minItems": 1} if self.if_empty else {}
        return {"type": "array", **least, "items": self.item.schema()}


class _Names(Struct, frozen=True):
    value: _Form
    entry: str  # an entry in messages
    hint: Hint
    if_empty: str

    def read(self, datum: Datum, what: str, report: Report, _name: Located | None) -> Any:
        entries = datum.value
        if not isinstance(entries, dict):
            _report_type(what, "a mapping", datum, report, self.hint)
            return None
        if not entries and self.if_empty:
            report.add_problem(f"{what} must not be empty", datum, self.if_empty)
            return None
        found = {}
        for key, entry in entries.items():
            name = Located(key, entry.line, entry.column)
            value = self.value.read(entry.datum, self.entry.replace("{}", key), report, name)
            if value is not None:
                found[key] = value
        return found

    def schema(self) -> dict[str, Any]:
        least = {"minProperties": 1} if self.if_empty else {}
        return {"type": "object", **least, "additionalProperties": self.value.schema()}


class _Mapping(Struct, frozen=True):
    cls: Any
    hint: Hint

    def read(self, datum: Datum, what: str, report: Report, name: Located | None) -> Any:
        if hasattr(self.cls, "read_yaml"):
            return self.cls.read_yaml(datum, what, report, name)
        values = read_keys(self.cls, datum, what, report, hint=self.hint, name=name)
        return None if values is None else self.cls(**values)

    def schema(self) -> dict[str, Any]:
        own = getattr(self.cls, "yaml_schema", None)
        return own() if own else json_schema(self.cls)


_Form: TypeAlias = "_Text | _Flag | _Number | _Word | _List | _Names | _Mapping"


# What is known of a class, from its type hints. Imports that only this needs stand inside, because
# it is not needed when everything comes from the cache.


class _Key(Struct, frozen=True, kw_only=True):
    name: str
    what: str  # it in messages
    attribute: str
    form: _Form
    is_required: bool
    if_empty: str  # advice on a missing key
    description: str
    schema: dict[str, Any]  # additions to that of its form
    other: str  # another name of the same key, if any
    is_alias: bool = False


class _Plan(Struct, frozen=True):
    keys: dict[str, _Key]
    known: tuple[str, ...]  # their names
    required: frozenset[str]  # attributes
    needed: frozenset[str]  # attributes without a default
    own_name: str  # the attribute, if any
    own_name_is_located: bool


@cache
def _plan(cls: type[Struct]) -> _Plan:
    from typing import get_type_hints

    from msgspec.structs import fields

    hints = get_type_hints(cls, include_extras=True)
    keys: dict[str, _Key] = {}
    needed = []
    own_name, is_located = "", False
    for field in fields(cls):
        kind, meta = _without_metadata(hints[field.name])
        if meta is None:
            continue
        if (meta.extra or {}).get("own_name"):
            own_name, is_located = field.name, kind is Located
            continue
        for key in _names(field, kind, meta):
            keys[key.name] = key
        if field.required:
            needed.append(field.name)
    required = frozenset(key.attribute for key in keys.values() if key.is_required)
    return _Plan(keys, tuple(keys), required, frozenset(needed), own_name, is_located)


def _without_metadata(hint: Any) -> tuple[Any, Meta | None]:
    """Split a type hint into its type, without `| None`, and its metadata."""
    from types import NoneType
    from typing import Annotated, get_args, get_origin

    meta = None
    if get_origin(hint) is Annotated:
        hint, meta = get_args(hint)[:2]
    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    return kinds[0] if NoneType in get_args(hint) else hint, meta


def _names(field: Any, kind: Any, meta: Meta) -> list[_Key]:
    """Return the key of an attribute, and that of its other name."""
    from msgspec.structs import replace

    extra = meta.extra or {}
    if_empty = extra.get("if_empty", _FILL_HINT if meta.min_length else "")
    key = _Key(
        name=field.encode_name,
        what=f"'{field.encode_name}'",
        attribute=field.name,
        form=_form(kind, meta, if_empty, extra.get("hint", "")),
        is_required=field.required or bool(extra.get("required")),
        if_empty=if_empty,
        description=meta.description or "",
        schema=extra.get("schema", {}),
        other=extra.get("alias", ""),
    )
    if not key.other:
        return [key]
    alias = replace(
        key,
        name=key.other,
        what=f"'{key.other}'",
        description=f"Another name of {key.name}, for files without that key.",
        other=key.name,
        is_alias=True,
    )
    return [key, alias]


def _form(kind: Any, meta: Meta, if_empty: str, hint: Hint, *, is_item: bool = False) -> _Form:
    """Return the form of the values of a type."""
    from typing import get_args, get_origin

    extra = meta.extra or {}
    if get_origin(kind) is tuple:
        return _List(_form(get_args(kind)[0], meta, "", hint, is_item=True), if_empty)
    if get_origin(kind) is dict:
        value = _form(get_args(kind)[1], meta, "", "")
        return _Names(value, extra.get("entry", "'{}'"), hint, if_empty)
    text = _Text(kind is Located, extra.get("may_be_blank", False), hint, is_item)
    simple: dict[Any, _Form] = {
        str: text,
        Located: text,
        bool: _Flag(),
        int: _Number(int(meta.ge or 0)),
    }
    if issubclass(kind, StrEnum) and not hasattr(kind, "read_yaml"):
        return _Word(kind, text, extra.get("what", ""))
    return simple.get(kind) or _Mapping(kind, hint)
