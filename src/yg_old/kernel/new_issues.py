"""Issues that another state of a graph does not have, whatever was renamed between the two."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg_old.kernel.issue import arranged
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from yg_old.kernel.issue import Issue

    Key = tuple[str, str, str, str]

# Numbers that stand alone. Those in names, which are quoted or part of a word, tell things apart.
_NUMBER = re.compile(r"(?<!\w)('[^']*')|(?<![\w/.-])\d[\d.,]*(?!\w)")
_PLURAL = re.compile(r"s\b")
_NAME = re.compile(r"(?<!\w)'([^']*)'|[^\s'\",;:()]+")
_CYCLE = " -> "


def new_issues(
    then: Sequence[Issue], now: Sequence[Issue], renamed: Callable[[], Mapping[str, str]]
) -> tuple[Issue, ...]:
    """Return the issues of a later state that an earlier one does not have.

    Issues are the same if they have the same code, file, subject and message; lines and numbers do
    not matter. `renamed` returns the new names of nodes and paths by their old ones; it is called
    only if some issue may be known by an old name.
    """
    left, new = _unmatched(then, now, lambda issue: (_key(issue),))
    if {issue.code for issue in left}.isdisjoint(issue.code for issue in new):
        return arranged(new)
    names = renamed()
    if names:
        _, new = _unmatched(left, new, lambda issue: _keys_with(names, issue))
    return arranged(new)


def _unmatched(
    then: Sequence[Issue], now: Iterable[Issue], keys: Callable[[Issue], Iterable[Key]]
) -> tuple[list[Issue], list[Issue]]:
    """Return the issues of each state that have no counterpart in the other.

    `keys` returns the keys that the counterpart of an earlier issue may have.
    """
    known: dict[Key, list[int]] = {}
    for number, issue in enumerate(then):
        for key in keys(issue):
            known.setdefault(key, []).append(number)
    matched: set[int] = set()
    new = []
    for issue in now:
        numbers = known.get(_key(issue), [])
        while numbers and numbers[-1] in matched:
            numbers.pop()
        if numbers:
            matched.add(numbers.pop())
        else:
            new.append(issue)
    return [issue for number, issue in enumerate(then) if number not in matched], new


def _key(issue: Issue) -> Key:
    return _key_of(issue.code, issue.place.file, issue.subject, issue.message)


def _key_of(code: str, file: str, subject: str, message: str) -> Key:
    if _CYCLE in message:  # which is found at the first of its members, by name
        return code, "", "", " ".join(sorted({*message.split()}))
    words = _NUMBER.sub(lambda found: found[1] or "#", message)
    return code, file, subject, message if words == message else _PLURAL.sub("", words)


def _keys_with(names: Mapping[str, str], issue: Issue) -> Iterable[Key]:
    """Return the keys of an issue with new names; a word of its message may be no name."""

    def renamed(text: str) -> str:
        return _NAME.sub(lambda found: _new_name(names, found), text)

    code, message = issue.code, issue.message
    file, subject = new_path(names, issue.place.file), renamed(issue.subject)
    messages = dict.fromkeys((renamed(message), message))
    return [_key_of(code, file, subject, text) for text in messages]


def _new_name(names: Mapping[str, str], found: re.Match[str]) -> str:
    return f"'{new_path(names, found[1])}'" if found[1] else new_path(names, found[0])


def new_path(names: Mapping[str, str], path: str) -> str:
    """Return the new name of a path, which may be below one that has another name now."""
    for known in (path, *reversed(paths.lineage(path))):
        if known in names:
            return names[known] + path.removeprefix(known)
    return path
