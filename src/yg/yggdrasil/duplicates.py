"""Entries that a declaration lists more than once: each is reported once and kept once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from yg.kernel.fields import Report
    from yg.kernel.issue import Located
    from yg.text.decode import Datum
    from yg.yggdrasil.model import AspectUse, Relation

T = TypeVar("T")

_KEEP_ONE = "Keep one entry."
_MERGE = "Merge the entries into one; until then they are read as one."
_TEXTS = {"implies": "implied aspect", "nodes": "participant"}  # lists of names, by key


def merge_duplicates(values: dict[str, Any], _datum: Datum, report: Report) -> None:
    """Merge the repeated entries in the values of a declaration."""
    relations, uses = values.get("relations", ()), values.get("aspects", ())
    if len(relations) > 1:
        values["relations"] = _merged(
            relations, lambda relation: relation.identity, _relation_name, _one_relation, report
        )
    if len(uses) > 1 and hasattr(uses[0], "aspect"):
        values["aspects"] = _merged(
            uses,
            lambda use: use.aspect.text,
            lambda use: f"aspect '{use.aspect}'",
            _one_use,
            report,
        )
    elif len(uses) > 1:
        values["aspects"] = _unique(uses, "aspect", report)
    for key, what in _TEXTS.items():
        if len(values.get(key, ())) > 1:
            values[key] = _unique(values[key], what, report)


def _merged(
    items: tuple[T, ...],
    identity: Callable[[T], Hashable],
    name: Callable[[T], str],
    merge: Callable[[list[T]], T],
    report: Report,
) -> tuple[T, ...]:
    groups: dict[Hashable, list[T]] = {}
    for item in items:
        groups.setdefault(identity(item), []).append(item)
    if len(groups) == len(items):
        return items
    for group in groups.values():
        if len(group) > 1:
            _warn(name(group[0]), [_place(item) for item in group[1:]], _MERGE, report)
    return tuple(merge(group) if len(group) > 1 else group[0] for group in groups.values())


def _place(item: Any) -> Located:
    """Return the position of a relation or of the use of an aspect."""
    found: Located = item.target if hasattr(item, "target") else item.aspect
    return found


def _relation_name(relation: Relation) -> str:
    event = f" {relation.event_name}" if relation.event_name else ""
    return f"relation '{relation.type}{event}' to '{relation.target}'"


def _one_relation(group: list[Relation]) -> Relation:
    consumed = dict.fromkeys(name for relation in group for name in relation.consumes)
    failures = dict.fromkeys(relation.failure for relation in group if relation.failure)
    consumes_all = any(not relation.consumes for relation in group)
    return replace(
        group[0],
        consumes=() if consumes_all else tuple(consumed),
        failure="; ".join(failures),
    )


def _one_use(group: list[AspectUse]) -> AspectUse:
    anchors = {word.text: word for use in reversed(group) for word in reversed(use.anchors)}
    return replace(
        group[0],
        exceptions=tuple(dict.fromkeys(text for use in group for text in use.exceptions)),
        anchors=tuple(reversed(anchors.values())),
    )


def _unique(texts: tuple[Located, ...], what: str, report: Report) -> tuple[Located, ...]:
    """Keep the first of equal texts."""
    groups: dict[str, list[Located]] = {}
    for text in texts:
        groups.setdefault(text.text, []).append(text)
    for name, (_, *others) in groups.items():
        if others:
            _warn(f"{what} '{name}'", others, _KEEP_ONE, report)
    return tuple(group[0] for group in groups.values())


def _warn(what: str, others: list[Located], hint: str, report: Report) -> None:
    """Report a repeated entry once, at its second occurrence."""
    times = "twice" if len(others) == 1 else f"{len(others) + 1} times"
    report.warn(f"{what} is listed {times}", others[0], hint)
