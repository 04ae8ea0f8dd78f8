"""Shapes of JSON objects: with certain keys, or chosen among several by one of them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from yg.kernel.decode import Problem
from yg.kernel.suggest import did_you_mean, listing, nearest
from yg.specgraph.shapes import Choice, Shape, Text, inside, wrong_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg.kernel.decode import Datum, Entry


class Key(Struct, frozen=True):
    """A key of an object: the shape of its value, and what it is for."""

    shape: Shape
    about: str
    is_required: bool = False


class Record(Struct, frozen=True, kw_only=True, dict=True):
    """An object with certain keys."""

    keys: Mapping[str, Key]
    is_open: bool = False  # whether other keys may stand there
    # Words for keys that belong elsewhere, and sets of keys that are often mistaken.
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    alike: frozenset[str] = frozenset()

    def fits(self, value: Any) -> bool:
        """Tell whether nothing is wrong with a plain value."""
        if not isinstance(value, dict) or not self.required <= value.keys():
            return False
        for key, inner in value.items():
            known = self.keys.get(key)
            if not (known.shape.fits(inner) if known else self.is_open):
                return False
        return True

    @cached_property
    def required(self) -> frozenset[str]:
        """The keys that must not be missing."""
        return frozenset(name for name, key in self.keys.items() if key.is_required)

    def problems(self, datum: Datum, what: str) -> Iterator[Problem]:
        """Tell what is wrong with each value, which keys are missing and which mean nothing."""
        if not isinstance(datum.value, dict):
            yield wrong_type(datum, what, "an object")
            return
        for key, entry in datum.value.items():
            if key in self.keys:
                yield from self.keys[key].shape.problems(entry.datum, inside(what, key))
        entries = {} if self.is_open else datum.value
        strays = {key: entry for key, entry in entries.items() if key not in self.keys}
        for key in self.keys:
            if key in self.required and key not in datum.value:
                yield self._missing(key, strays, datum, what)
        for key, entry in strays.items():
            yield self._stray(key, entry)

    def _missing(self, key: str, strays: dict[str, Entry], datum: Datum, what: str) -> Problem:
        """Tell of a missing key, and at once of the stray one that stands in its place."""
        message = f"{what} has no '{key}'"
        stray = self._meant(key, strays)
        if not stray:
            return Problem(message, datum.line, datum.column, f"Add '\"{key}\": ..'.")
        entry = strays.pop(stray)
        message += f", but an unknown key '{stray}'"
        return Problem(message, entry.line, entry.column, f"Write '{key}' in its place.")

    def _meant(self, key: str, strays: Mapping[str, Entry]) -> str:
        """Return the stray key that stands there by mistake for a missing one, if any."""
        if not strays:
            return ""
        alike = [each for each in strays if each in self.alike and key in self.alike]
        return next(iter((*nearest(key, strays), *alike)), "")

    def _stray(self, key: str, entry: Entry) -> Problem:
        if key in self.elsewhere:
            message = f"'{key}' is for {self.elsewhere[key]} only"
            return Problem(message, entry.line, entry.column, "Remove it, or correct the type.")
        near = did_you_mean(nearest(key, self.keys)[:1])
        hint = near or f"Known here: {listing(self.keys, most=len(self.keys))}."
        return Problem(f"unknown key '{key}'", entry.line, entry.column, hint)

    @property
    def schema(self) -> dict[str, Any]:
        """The same as a JSON Schema."""
        required = [name for name in self.keys if name in self.required]
        return {
            "type": "object",
            **({"required": required} if required else {}),
            "properties": {
                name: {"description": key.about, **key.shape.schema}
                for name, key in self.keys.items()
            },
            **({} if self.is_open else {"additionalProperties": False}),
        }


class Tagged(Struct, frozen=True, kw_only=True):
    """An object whose shape is chosen by one of its keys, so that one mistake is told once."""

    tag: str
    about: str
    branches: Mapping[str, Record]
    otherwise: Record  # what is looked at when the tag makes no sense
    may_be_text: Text | None = None  # plain text in place of the object

    @property
    def words(self) -> tuple[str, ...]:
        """What the tag may be."""
        return tuple(self.branches)

    def fits(self, value: Any) -> bool:
        """Tell whether nothing is wrong with a plain value."""
        if self.may_be_text and isinstance(value, str):
            return self.may_be_text.fits(value)
        word = value.get(self.tag) if isinstance(value, dict) else None
        branch = self.branches.get(word) if isinstance(word, str) else None
        return branch is not None and branch.fits(value)

    def problems(self, datum: Datum, what: str) -> Iterator[Problem]:
        """Tell what is wrong with the tag, or else with the object it stands for."""
        if self.may_be_text and isinstance(datum.value, str):
            yield from self.may_be_text.problems(datum, what)
            return
        if not isinstance(datum.value, dict):
            yield wrong_type(datum, what, "text or an object" if self.may_be_text else "an object")
            return
        entry = datum.value.get(self.tag)
        if entry is not None and isinstance(entry.datum.value, str):
            branch = self.branches.get(entry.datum.value)
            if branch is not None:
                yield from branch.problems(datum, what)
                return
        if entry is None:
            hint = f"Use one of: {', '.join(self.branches)}."
            yield Problem(f"{what} has no '{self.tag}'", datum.line, datum.column, hint)
        else:
            yield from Choice(self.words).problems(entry.datum, inside(what, self.tag))
        yield from self.otherwise.problems(datum, what)

    @property
    def schema(self) -> dict[str, Any]:
        """The same as a JSON Schema: a condition for each of the shapes."""
        tag = {"description": self.about, "enum": list(self.branches)}
        shared: dict[int, list[str]] = {}
        for word, branch in self.branches.items():
            shared.setdefault(id(branch), []).append(word)
        whole = {
            "type": "object",
            "required": [self.tag],
            "properties": {self.tag: tag},
            "allOf": [
                {
                    "if": {
                        "required": [self.tag],
                        "properties": {self.tag: {"enum": words}},
                    },
                    "then": self.branches[words[0]].schema,
                }
                for words in shared.values()
            ],
        }
        return {"anyOf": [self.may_be_text.schema, whole]} if self.may_be_text else whole
