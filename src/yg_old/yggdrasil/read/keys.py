"""Keys of the files that people write: name, description, form and meaning of a value, stated once.

Reading, the JSON Schemas for editors and the roles of values follow from the same keys.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.kernel.fields import Fields
    from yg_old.kernel.issue import Located
    from yg_old.text.decode import Datum

    E = TypeVar("E", bound=StrEnum)

T = TypeVar("T")

NOT_BLANK = r"\S"
DIGITS = re.compile(r"[0-9]{1,9}")


class ValueRole(StrEnum):
    """The meaning of a value."""

    NAME = "name"  # of the node, aspect or flow that the file declares
    NODE = "node"
    EXTERNAL = "external"  # a node of another repository
    ASPECT = "aspect"
    TYPE = "type"
    KIND = "kind"  # of a relation
    EVENT = "event"
    CONSUMED = "consumed"
    PATH = "path"
    DOCUMENT = "document"
    DECISION = "decision"
    TAG = "tag"  # of an aspect, in 0.x


class Keys:
    """The keys of a mapping, as attributes of a subclass."""

    one_of: tuple[str, ...] = ()  # keys of which one is required


class Key(Struct, Generic[T], frozen=True, kw_only=True):
    """A key of a mapping; its value may be missing or null unless it is required."""

    name: str
    about: str  # one sentence, which editors show
    of: Callable[[Fields], T]  # reads the value, and reports what is wrong with it
    schema: dict[str, Any]  # the value in JSON Schema, but for null and the keys inside
    is_required: bool = False
    role: ValueRole | None = None
    inside: type[Keys] | None = None  # the keys of the mapping that is the value
    each: bool = False  # whether the role and the keys inside are those of each entry


def keys_of(mapping: type[Keys]) -> tuple[Key[Any], ...]:
    """Return the keys of a mapping in order; inherited ones are first."""
    found: dict[str, Any] = {}
    for part in reversed(mapping.__mro__):
        found |= vars(part)
    return tuple(key for key in found.values() if isinstance(key, Key))


def text_form(pattern: str = NOT_BLANK) -> dict[str, Any]:
    """Return the JSON Schema of a text."""
    return {"type": "string", "pattern": pattern}


def text(name: str, about: str, role: ValueRole | None = None) -> Key[str]:
    """Return a key with an optional text; empty if it is missing."""
    form = text_form()
    return Key(name=name, about=about, of=lambda fields: fields.text(name), schema=form, role=role)


def optional_description(about: str) -> Key[str]:
    """Return the key of a description in one line; a value that is not text is ignored."""

    def read(fields: Fields) -> str:
        datum = fields.get("description")
        return datum.value.strip() if datum and isinstance(datum.value, str) else ""

    return Key(name="description", about=about, of=read, schema={"type": "string"})


def required_text(
    name: str, about: str, role: ValueRole | None = None, pattern: str = NOT_BLANK
) -> Key[Located | None]:
    """Return a key with a required text; whether it fits another pattern is checked later."""
    return Key(
        name=name,
        about=about,
        of=lambda fields: fields.required_text(name),
        schema=text_form(pattern),
        is_required=True,
        role=role,
    )


def texts(
    name: str,
    about: str,
    role: ValueRole | None = None,
    *,
    if_empty: str = "",
    pattern: str = NOT_BLANK,
) -> Key[tuple[Located, ...]]:
    """Return a key with a list of texts; with advice `if_empty`, it must not be empty."""
    return Key(
        name=name,
        about=about,
        of=lambda fields: fields.located_texts(name, if_empty=if_empty),
        schema=_list_of(text_form(pattern), if_empty),
        role=role,
        each=True,
    )


def optional_texts(name: str, about: str, role: ValueRole) -> Key[tuple[Located, ...] | None]:
    """Return a key with a list of texts; None if there is none, unlike an empty list."""

    def read(fields: Fields) -> tuple[Located, ...] | None:
        datum, found = fields.get(name), fields.located_texts(name)
        return found if datum is not None and isinstance(datum.value, list) else None

    schema = _list_of(text_form())
    return Key(name=name, about=about, of=read, schema=schema, role=role, each=True)


def numbers(name: str, about: str, role: ValueRole) -> Key[tuple[Located, ...]]:
    """Return a key with a list of whole numbers, each as digits without zeros in front."""

    def read(fields: Fields) -> tuple[Located, ...]:
        from yg_old.kernel.issue import Located

        found = []
        for datum in fields.items(name):
            written = str(datum.value)
            if not isinstance(datum.value, bool) and DIGITS.fullmatch(written):
                found.append(Located(written.lstrip("0") or "0", datum.line, datum.column))
            else:
                hint = "Write a list of numbers, such as [18, 26]."
                message = f"an item of '{name}' cannot be {shown(datum)}"
                fields.report.add_problem(message, datum, hint)
        return tuple(found)

    each = {"anyOf": [_counted(), {"type": "string", "pattern": "^[0-9]+$"}]}
    form = {"type": "array", "items": each}
    return Key(name=name, about=about, of=read, schema=form, role=role, each=True)


def plain_texts(name: str, about: str, role: ValueRole | None = None) -> Key[tuple[str, ...]]:
    """Return a key with a list of texts whose positions do not matter."""
    return Key(
        name=name,
        about=about,
        of=lambda fields: fields.texts(name),
        schema=_list_of(text_form()),
        role=role,
        each=True,
    )


def required_texts(
    name: str, about: str, role: ValueRole, *, hint: str, may_be_blank: bool = False
) -> Key[tuple[Located, ...]]:
    """Return a key with a required list of texts."""

    def read(fields: Fields) -> tuple[Located, ...]:
        found = fields.located_texts(name, if_empty=hint, may_be_blank=may_be_blank)
        if fields.lacks(name):
            fields.report.add_problem(f"{fields.what} has no '{name}'", fields.datum, hint)
        return found

    return Key(
        name=name,
        about=about,
        of=read,
        schema=_list_of({"type": "string"} if may_be_blank else text_form(), hint),
        is_required=True,
        role=role,
        each=True,
    )


def _list_of(form: dict[str, Any], if_empty: str = "") -> dict[str, Any]:
    return {"type": "array", **({"minItems": 1} if if_empty else {}), "items": form}


def flag(name: str, about: str) -> Key[bool]:
    """Return a key that is true or false; false if it is missing."""
    form = {"type": "boolean"}
    return Key(name=name, about=about, of=lambda fields: fields.flag(name), schema=form)


def count(name: str, about: str, default: int) -> Key[int]:
    """Return a key with a whole number that is not negative."""
    return Key(
        name=name, about=about, of=lambda fields: fields.count(name, default), schema=_counted()
    )


def limit(name: str, about: str) -> Key[int | None]:
    """Return a key with the largest allowed number; None if there is no limit."""
    return Key(
        name=name,
        about=about,
        of=lambda fields: None if fields.get(name) is None else fields.count(name, 0),
        schema=_counted(),
    )


def positive(name: str, about: str) -> Key[float | None]:
    """Return a key with a number above 0; None if it is missing."""

    def read(fields: Fields) -> float | None:
        datum = fields.get(name)
        if datum is None:
            return None
        value = datum.value
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0:
            return value
        hint = "Correct it, or remove the key."
        fields.report.add_problem(f"'{name}' must be a number above 0", datum, hint)
        return None

    form = {"type": "number", "exclusiveMinimum": 0}
    return Key(name=name, about=about, of=read, schema=form)


def _counted() -> dict[str, Any]:
    return {"type": "integer", "minimum": 0}


def percentage(name: str, about: str) -> Key[float | None]:
    """Return a key with a number from 0 to 100."""

    def read(fields: Fields) -> float | None:
        datum = fields.get(name)
        if datum is None:
            return None
        value, written = datum.value, shown(datum)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if 0 <= value <= 100:  # noqa: PLR2004
                return value
            written = str(value)
        hint = "Write a number from 0 to 100."
        fields.report.add_problem(f"'{name}' cannot be {written}", datum, hint)
        return None

    form = {"type": "number", "minimum": 0, "maximum": 100}
    return Key(name=name, about=about, of=read, schema=form)


def choice(
    name: str, about: str, words: tuple[str, ...], offered: tuple[str, ...] = ()
) -> Key[str]:
    """Return a key with one of a few words; empty if it is missing or another one.

    `offered` are the words in the order of the JSON Schema, if it is another one.
    """

    def read(fields: Fields) -> str:
        datum = fields.get(name)
        if datum is None:
            return ""
        if datum.value in words:
            return str(datum.value)
        hint = f"Write one of: {', '.join(words)}."
        fields.report.add_problem(f"'{name}' cannot be {shown(datum)}", datum, hint)
        return ""

    return Key(name=name, about=about, of=read, schema={"enum": list(offered or words)})


def kind(  # noqa: PLR0913
    name: str,
    about: str,
    kinds: type[E],
    what: str,
    role: ValueRole | None = None,
    *,
    is_required: bool = False,
) -> Key[E | None]:
    """Return a key with a member of an enumeration."""

    def read(fields: Fields) -> E | None:
        word = fields.required_text(name) if is_required else fields.located_text(name)
        if word is None:
            return None
        try:
            return kinds(word.text)
        except ValueError:
            hint = f"Use one of: {', '.join(kinds)}."
            fields.report.add_problem(f"unknown {what} '{word.text}'", word, hint)
            return None

    form = {"enum": list(kinds)}
    return Key(name=name, about=about, of=read, schema=form, is_required=is_required, role=role)


def section(name: str, about: str, inside: type[Keys]) -> Key[Fields | None]:
    """Return a key with a mapping of certain keys."""
    return Key(
        name=name,
        about=about,
        of=lambda fields: fields.mapping(name),
        schema={"type": "object"},
        inside=inside,
    )


def sections(name: str, about: str, inside: type[Keys]) -> Key[list[Datum]]:
    """Return a key with a list of mappings, which the reader opens."""
    return Key(
        name=name,
        about=about,
        of=lambda fields: fields.items(name),
        schema={"type": "array"},
        inside=inside,
        each=True,
    )


def by_name(  # noqa: PLR0913
    name: str,
    about: str,
    *,
    hint: str = "",
    inside: type[Keys] | None = None,
    is_required: bool = False,
    role: ValueRole | None = None,
    **form: Any,
) -> Key[Fields | None]:
    """Return a key with a mapping whose keys are names that the user chose."""
    return Key(
        name=name,
        about=about,
        of=lambda fields: fields.mapping(name, hint),
        schema={"type": "object", **form},
        is_required=is_required,
        role=role,
        inside=inside,
        each=True,
    )


def either(name: str, about: str, inside: type[Keys], schema: dict[str, Any]) -> Key[Datum | None]:
    """Return a key whose value the reader looks at before it opens the mapping, if it is one."""
    return Key(
        name=name, about=about, of=lambda fields: fields.get(name), schema=schema, inside=inside
    )


def shown(datum: Datum) -> str:
    """Write a wrong value: a text as it is, any other value by its type."""
    from yg_old.text.decode import type_name

    return f"'{datum.value}'" if isinstance(datum.value, str) else type_name(datum.value)
