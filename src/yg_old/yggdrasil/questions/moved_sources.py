"""Moved source files between two states of a repository."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from yg_old.code.languages import language_name
from yg_old.code.read import facts_of
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import Kind
from yg_old.yggdrasil.drift.moves import Finder, Lost

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg_old.code.facts import FileFacts
    from yg_old.kernel.sources import Sources


def moved_sources(then: Sources, now: Sources, files: Sequence[str]) -> dict[str, str]:
    """Return the new paths of those among some changed files that moved, by old path."""
    is_there = {file: now.kind(file) is Kind.FILE for file in files}
    new = tuple(file for file in files if is_there[file] and then.kind(file) is None)
    gone = [file for file in files if not is_there[file] and then.kind(file) is Kind.FILE]
    if not new or not gone:
        return {}
    lost = Lost(dict(_digests(then, gone)), new)
    found = _moves(lost, now)
    left = [file for file in gone if file not in found]
    free = tuple(file for file in new if file not in found.values())
    changed = Lost({}, free, dict(_facts(then, left, free)))
    return {**found, **_moves(changed, now)}


def _moves(lost: Lost, now: Sources) -> dict[str, str]:
    return Finder({"": lost}, tuple, now.digest, set, partial(facts_of, now)).moves("")


def _digests(then: Sources, files: Iterable[str]) -> Iterator[tuple[str, str]]:
    for file in files:
        try:
            yield file, then.digest(file).lf
        except UnreadableError:
            continue  # too large to compare


def _facts(
    then: Sources, files: Iterable[str], new: Iterable[str]
) -> Iterator[tuple[str, FileFacts]]:
    """Yield the facts of files in the languages of new ones."""
    languages = {language_name(file) for file in new}
    for file in files:
        if language_name(file) in languages and (found := facts_of(then, file)):
            yield file, found
