"""Selections: which parts of a package to show, by kind and subject."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.errors import NotFoundError, UsageError
from yg.text.suggest import listing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Part = tuple[str, str]  # the kind and the subject of a part; an empty subject if it has none


class Selector(Struct, frozen=True):
    """A kind of parts, or those of that kind with one subject."""

    kind: str
    subject: str = ""  # empty: every part of the kind

    def matches(self, part: Part) -> bool:
        """Tell whether a part is meant."""
        return self.kind == part[0] and self.subject in ("", part[1])

    def __str__(self) -> str:
        return f"{self.kind}:{self.subject}" if self.subject else self.kind


class Selection(Struct, frozen=True):
    """The parts to show, or the parts to leave out; without selectors, everything is shown."""

    only: tuple[Selector, ...] = ()
    without: tuple[Selector, ...] = ()

    def shows(self, part: Part) -> bool:
        """Tell whether a part is shown."""
        if self.only:
            return any(selector.matches(part) for selector in self.only)
        return not any(selector.matches(part) for selector in self.without)

    def check(self, parts: Iterable[Part]) -> None:
        """Raise NotFoundError for a subject that no part of its kind has."""
        subjects: dict[str, dict[str, None]] = {}
        for kind, subject in parts:
            if subject:
                subjects.setdefault(kind, {})[subject] = None
        for selector in (*self.only, *self.without):
            known = subjects.get(selector.kind, {})
            if selector.subject and selector.subject not in known:
                raise _unknown_subject(selector, known)


def selection(only: Sequence[str], without: Sequence[str], kinds: Sequence[str]) -> Selection:
    """Parse the selectors that a user typed; `kinds` are the kinds of parts that exist."""
    if only and without:
        raise UsageError("--only cannot be combined with --without")
    return Selection(
        tuple(_selector(text, kinds) for text in only),
        tuple(_selector(text, kinds) for text in without),
    )


def _selector(text: str, kinds: Sequence[str]) -> Selector:
    kind, colon, subject = text.partition(":")
    if kind not in kinds:
        raise UsageError(f"unknown kind '{kind}'", hint=f"Use one of: {', '.join(kinds)}.")
    subject = subject.rstrip("/")
    if colon and not subject:
        raise UsageError(f"no subject in '{text}'", hint=f"Write {kind} or {kind}:SUBJECT.")
    return Selector(kind, subject)


def _unknown_subject(selector: Selector, known: dict[str, None]) -> NotFoundError:
    """Return the error for a subject that does not occur; it names all that do."""
    message = f"the package has no {selector.kind} '{selector.subject}'"
    if not known:
        return NotFoundError(message, hint="--why lists the blocks that it has.")
    return NotFoundError(message, hint=f"It has: {listing(tuple(known), len(known))}.")
