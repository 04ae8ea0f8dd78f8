"""What kind of change lies between two versions of a source file."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Struct, UnsetType

from yg_old.kernel.document import Positive, Record, Text, about

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg_old.code.facts import FileFacts, Signature
    from yg_old.code.parts import Part


class ChangeClass(StrEnum):
    """How much a change of a file can matter, from the least to the most."""

    COSMETIC = "cosmetic"  # white space, comments, order of imports
    DOCS = "docs"  # documentation in the code
    IMPORTS = "imports"
    BODY = "body"
    SIGNATURE = "signature"  # a public name, or what its users rely on
    UNKNOWN = "unknown"  # cannot be told; counts as a body

    @property
    def rank(self) -> int:
        """How much it matters; the classes themselves compare as texts."""
        return _RANKS[self]


_RANKS = {
    ChangeClass.COSMETIC: 0,
    ChangeClass.DOCS: 1,
    ChangeClass.IMPORTS: 2,
    ChangeClass.BODY: 3,
    ChangeClass.UNKNOWN: 3,
    ChangeClass.SIGNATURE: 4,
}


class NameChangeKind(StrEnum):
    """What happened to a public name, or to a part."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class NameChange(Record, frozen=True):
    """One public name of a source file that changed."""

    name: Annotated[Text, about("The name, qualified by the names that it is inside of.")]
    change: Annotated[NameChangeKind, about("What happened to it.")]
    before: Annotated[
        str | None,
        about("Its header at the baseline; null if it is new, or if git does not have that text."),
    ] = None
    after: Annotated[str | None, about("Its header now; null if it is gone.")] = None


class PartChange(Record, frozen=True):
    """One part of a source file that changed."""

    name: Annotated[
        Text,
        about(
            "The name of the declaration, qualified by the names that it is inside of; `(file)` "
            "for what is outside of all declarations."
        ),
    ]
    change: Annotated[NameChangeKind, about("What happened to it.")]
    first: Annotated[
        Positive | UnsetType,
        about("Its first line now, with decorators and documentation; left out if it is gone."),
    ] = UNSET
    last: Annotated[Positive | UnsetType, about("Its last line now; left out if it is gone.")] = (
        UNSET
    )


class CodeChange(Struct, frozen=True):
    """The class of a change, and the public names and the parts that it touches."""

    kind: ChangeClass
    names: tuple[NameChange, ...] = ()
    parts: tuple[PartChange, ...] = ()  # by line, removed ones at last


UNKNOWN_CHANGE = CodeChange(ChangeClass.UNKNOWN)


def compare(before: FileFacts | None, after: FileFacts | None) -> CodeChange:
    """Classify a change of content; without facts of both versions it is unknown."""
    if before is None or after is None:
        return UNKNOWN_CHANGE
    names = tuple(_changed_names(before.signatures, after.signatures))
    parts = _changed_parts(before.parts, after.parts) if before.parts and after.parts else ()
    if names:
        return CodeChange(ChangeClass.SIGNATURE, names, parts)
    if before.tokens != after.tokens:
        return CodeChange(ChangeClass.BODY, (), parts)
    if before.imports != after.imports:
        return CodeChange(ChangeClass.IMPORTS)
    if before.docs != after.docs:
        return CodeChange(ChangeClass.DOCS)
    return CodeChange(ChangeClass.COSMETIC)


def of_added(facts: FileFacts | None) -> CodeChange:
    """Classify a new file."""
    return _whole(None, facts) if facts else UNKNOWN_CHANGE


def of_removed(facts: FileFacts | None) -> CodeChange:
    """Classify a deleted file."""
    return _whole(facts, None) if facts else UNKNOWN_CHANGE


def _whole(before: FileFacts | None, after: FileFacts | None) -> CodeChange:
    names = tuple(
        _changed_names(before.signatures if before else {}, after.signatures if after else {})
    )
    parts = _changed_parts(_written(before), _written(after))
    return CodeChange(ChangeClass.SIGNATURE if names else ChangeClass.BODY, names, parts)


def _written(facts: FileFacts | None) -> Mapping[str, Part]:
    """Return the parts of a file that have tokens: there may be none outside of declarations."""
    found = facts.parts if facts else {}
    return {name: part for name, part in found.items() if part.digest}


def _changed_parts(before: Mapping[str, Part], after: Mapping[str, Part]) -> tuple[PartChange, ...]:
    removed = sorted(before.keys() - after.keys())
    present = sorted(
        (part.first, name)
        for name, part in after.items()
        if name not in before or before[name].digest != part.digest
    )
    return (
        *(_present(name, after[name], is_new=name not in before) for _, name in present),
        *(PartChange(name, NameChangeKind.REMOVED) for name in removed),
    )


def _present(name: str, part: Part, *, is_new: bool) -> PartChange:
    change = NameChangeKind.ADDED if is_new else NameChangeKind.CHANGED
    return PartChange(name, change, part.first, part.last)


def _changed_names(
    before: Mapping[str, Signature], after: Mapping[str, Signature]
) -> Iterator[NameChange]:
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old is None and new is not None:
            yield NameChange(name, NameChangeKind.ADDED, None, new.header)
        elif old is not None and new is None:
            yield NameChange(name, NameChangeKind.REMOVED, old.header or None, None)
        elif old is not None and new is not None and old.digest != new.digest:
            yield NameChange(name, NameChangeKind.CHANGED, old.header or None, new.header)
