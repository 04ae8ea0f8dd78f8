"""What the values of a declaration are: names of nodes, aspects and types, paths and others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.text import paths
from yg_old.text.yaml_outline import outline, values_of
from yg_old.yggdrasil.parts import PartKind
from yg_old.yggdrasil.read.config_shapes import RequirementKeys
from yg_old.yggdrasil.read.keys import ValueRole, keys_of
from yg_old.yggdrasil.read.shapes import FILES, NodeKeys, RelationKeys

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.text.decode import Keys
    from yg_old.text.yaml_outline import YamlValue
    from yg_old.yggdrasil.read.keys import Keys as ShapeKeys

    Pattern = tuple[str, ...]

ANY = "*"  # any key of a mapping or index of a list
CONDITION_KEY = RequirementKeys.when.name
CONDITION = re.compile(r"(has_aspect:\s*|has_tag:\s*)(.*\S)(\s*)", re.DOTALL)


def _roles_in(
    mapping: type[ShapeKeys], before: Pattern = ()
) -> Iterator[tuple[Pattern, ValueRole]]:
    """Yield where values with a role are in a mapping; mappings nest a few levels deep."""
    for key in keys_of(mapping):
        pattern = (*before, key.name, ANY) if key.each else (*before, key.name)
        if key.role:
            yield pattern, key.role
        if key.inside:
            yield from _roles_in(key.inside, pattern)


ROLES: dict[str, dict[Pattern, ValueRole]] = {
    **{file: dict(_roles_in(shape.keys)) for file, shape in FILES.items()},
    "node.yaml": {
        ("name",): ValueRole.NAME,
        ("tags", ANY): ValueRole.TAG,
        ("relations", ANY, "target"): ValueRole.NODE,
        ("relations", ANY, "type"): ValueRole.KIND,
        ("mapping",): ValueRole.PATH,
        ("mapping", ANY): ValueRole.PATH,
    },
    "flow.yaml": {("name",): ValueRole.NAME, ("nodes", ANY): ValueRole.NODE},
}
_ASPECT_0X: dict[Pattern, ValueRole] = {("name",): ValueRole.NAME, ("tag",): ValueRole.NAME}
_SECTIONS = (NodeKeys.relations.name, NodeKeys.external.name)  # the lists of relations
_PART_ROLES = {PartKind.NODE: ValueRole.NODE, PartKind.ASPECT: ValueRole.ASPECT}


def references_in(kind: PartKind, file_name: str) -> tuple[Pattern, ...]:
    """Return where files of a name refer to parts of a kind."""
    role = _PART_ROLES.get(kind)
    roles = ROLES.get(file_name, {})
    return tuple(pattern for pattern, found in roles.items() if found is role)


def fits(keys: Keys, pattern: Pattern) -> bool:
    """Return whether the keys around a value match a pattern."""
    return len(keys) == len(pattern) and all(
        part in (ANY, key) for key, part in zip(keys, pattern, strict=True)
    )


class NamedValue(Struct, frozen=True):
    """A value with a meaning, and where it begins and ends in its file."""

    role: ValueRole
    text: str  # of an aspect in a condition, only the id
    start: int
    end: int
    target: str = ""  # of a relation, for what is consumed and for events
    prefix: str = ""  # of a condition


def mentions(file: str, text: str) -> tuple[NamedValue, ...]:
    """Return the values with a meaning in the text of a declaration."""
    return tuple(_mentions(file, values_of(text)))


def written_at(file: str, text: str, offset: int) -> NamedValue | None:
    """Return the value at an offset of a text that is being written, even if it is empty."""
    values = outline(text)
    near = [value for value in values if value.start <= offset <= value.end]
    found = near or _on_line(values, text, offset)
    span = (found[-1].start, found[-1].end) if found else None
    every = _mentions(file, values)
    return next((mention for mention in every if (mention.start, mention.end) == span), None)


def _on_line(values: Iterable[YamlValue], text: str, offset: int) -> list[YamlValue]:
    """Return the empty value before the blanks in front of an offset."""
    start = offset
    while start and text[start - 1] == " ":
        start -= 1
    return [value for value in values if not value.text and start <= value.start <= offset]


def _mentions(file: str, values: Iterable[YamlValue]) -> Iterator[NamedValue]:
    patterns = _patterns(file)
    values = tuple(values)
    targets: dict[Keys, str] = {
        value.keys[:2]: value.text
        for value in values
        if len(value.keys) == 3  # noqa: PLR2004
        and value.keys[0] in _SECTIONS
        and value.keys[2] == RelationKeys.target.name
    }
    for value in values:
        role = next((role for pattern, role in patterns.items() if fits(value.keys, pattern)), None)
        if role is not None:
            yield _mention(role, value, targets.get(value.keys[:2], ""))


def _mention(role: ValueRole, value: YamlValue, target: str) -> NamedValue:
    text, prefix = value.text, ""
    if value.keys[-1] == CONDITION_KEY and role is ValueRole.ASPECT:
        found = CONDITION.fullmatch(text)
        prefix = found[1] if found else "has_aspect:"
        text = found[2] if found else ""
    return NamedValue(role, text, value.start, value.end, target, prefix)


def _patterns(file: str) -> dict[Pattern, ValueRole]:
    name = paths.name_of(file)
    is_aspect_0x = paths.name_of(paths.parent(file)) == "aspects" and name not in ROLES
    return _ASPECT_0X if is_aspect_0x else ROLES.get(name, {})
