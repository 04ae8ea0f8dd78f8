"""Entries that a declaration lists more than once: each is reported once and kept once."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from yg_old.kernel.fields import Report
    from yg_old.kernel.issue import Located
    from yg_old.yggdrasil.model import AspectUse, Relation

T = TypeVar("T")

_KEEP_ONE = "Keep one entry."
_MERGE = "Merge the entries into one; until then they are read as one."


def merged_relations(report: Report, relations: tuple[Relation, ...]) -> tuple[Relation, ...]:
    """Merge relations with the same target, type and event name."""
    groups = _grouped(
        relations, lambda relation: (relation.target.text, str(relation.kind), relation.event_name)
    )
    for first, *others in groups:
        if others:
            event = f" {first.event_name}" if first.event_name else ""
            what = f"relation '{first.kind}{event}' to '{first.target}'"
            _report(report, what, [other.target for other in others], _MERGE)
    return tuple(map(_merged_relation, groups)) if len(groups) < len(relations) else relations


def _merged_relation(group: list[Relation]) -> Relation:
    consumed: dict[str, Located] = {}
    for relation in group:
        for name in relation.consumed:
            consumed.setdefault(name.text, name)
    consumes_all = any(not relation.consumed for relation in group)
    return replace(
        group[0],
        consumed=() if consumes_all else tuple(consumed.values()),
        failures=tuple(dict.fromkeys(text for relation in group for text in relation.failures)),
    )


def merged_aspects(report: Report, uses: tuple[AspectUse, ...]) -> tuple[AspectUse, ...]:
    """Merge the entries of one aspect, with their exceptions and anchors."""
    groups = _grouped(uses, lambda use: use.aspect.text)
    for first, *others in groups:
        if others:
            what = f"aspect '{first.aspect}'"
            _report(report, what, [other.aspect for other in others], _MERGE)
    return tuple(map(_merged_use, groups)) if len(groups) < len(uses) else uses


def _merged_use(group: list[AspectUse]) -> AspectUse:
    anchors = {word.text: word for use in reversed(group) for word in reversed(use.anchors)}
    return replace(
        group[0],
        exceptions=tuple(dict.fromkeys(text for use in group for text in use.exceptions)),
        anchors=tuple(reversed(anchors.values())),
    )


def unique_texts(report: Report, what: str, texts: tuple[Located, ...]) -> tuple[Located, ...]:
    """Keep the first of equal texts."""
    groups = _grouped(texts, lambda text: text.text)
    for first, *others in groups:
        if others:
            _report(report, f"{what} '{first}'", others, _KEEP_ONE)
    return tuple(group[0] for group in groups) if len(groups) < len(texts) else texts


def _grouped(items: Iterable[T], key: Callable[[T], Hashable]) -> list[list[T]]:
    groups: dict[Hashable, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return list(groups.values())


def _report(report: Report, what: str, others: list[Located], hint: str) -> None:
    """Report a repeated entry once, at its second occurrence."""
    times = "twice" if len(others) == 1 else f"{len(others) + 1} times"
    report.warn(f"{what} is listed {times}", others[0], hint)
