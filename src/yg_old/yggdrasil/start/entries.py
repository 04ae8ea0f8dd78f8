"""Entries of ours in JSON files of others: added at the end, and taken out again to the byte.

A list or an object that was empty before our first entry gets a blank line behind its bracket.
So a removal knows which brackets were there: it keeps these, and removes the others with us.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg_old.text.decode_json import decode_json
from yg_old.text.json_edit import BOM, JsonText

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from yg_old.text.json_edit import Path

_SPACE = re.compile(r"\s*")
_MARGIN = re.compile(rf"{BOM}?[ \t]*")
COMMANDS = ("command", "bash", "powershell")  # keys of a handler that have what is run


class Entry(Struct, frozen=True):
    """A value under a key, or with `command` an item of the list under a key."""

    keys: tuple[str, ...]
    value: Any
    command: str = ""  # what an item of a list runs, without what guards it

    def is_in(self, document: JsonText) -> bool:
        """Return whether the file has it, perhaps in another form."""
        if not self.command:
            return document.has(self.keys)
        return any(self.command in text for text in _commands(document.value(self.keys)))


class ForeignFileError(ValueError):
    """A file that has another form than its program wants."""


def with_entries(text: str | None, entries: Sequence[Entry], needed: dict[str, Any]) -> str:
    """Add entries to a file, which is created if there is none; those that it has stay.

    `needed` are keys that such a file must have. Raises ForeignFileError if the file is not JSON,
    has comments, or has another form.
    """
    is_new = text is None
    document = opened("{}\n" if text is None else text)
    for key, value in () if is_new else needed.items():
        if document.value((key,)) != value:
            raise ForeignFileError(f"it has no '\"{key}\": {value}'")
    for entry in entries:
        if not entry.is_in(document):
            document = _added(document, entry, is_new=is_new)
    # In a file of ours these keys come last; to one that had them, the others were added behind.
    for key, value in needed.items() if is_new else ():
        document = document.put((key,), value)
    return document.text


def without_entries(text: str, entries: Sequence[Entry], needed: Iterable[str]) -> str | None:
    """Take entries out of a file; None if the file was created for them and has nothing else."""
    document = opened(text)
    for entry in reversed(entries):  # each removal finds the text that its addition has left
        found = document.value(entry.keys)
        reduced: JsonText | None = document
        if entry.command:
            reduced = _without_command(document, entry, found, needed)
        elif found is not None and found == entry.value:
            reduced = _without(document, entry.keys[:-1], {_place(document, entry.keys)}, needed)
        if reduced is None:
            return None
        document = reduced
    return document.text


def opened(text: str) -> JsonText:
    """Return a JSON object for editing; raises ForeignFileError if it is none."""
    decoded = decode_json(text.removeprefix(BOM))
    if decoded.problems:
        problem = decoded.problems[0]
        raise ForeignFileError(f"line {problem.line}: {problem.message}")
    document = JsonText(text)
    if not document.is_object:
        raise ForeignFileError("it is not a JSON object")
    return document


def _added(document: JsonText, entry: Entry, *, is_new: bool) -> JsonText:
    keys = entry.keys
    holder = next(keys[:n] for n in range(len(keys), -1, -1) if document.has(keys[:n]))
    try:
        if holder == keys:
            result = document.append(keys, entry.value)
        else:
            result = document.put(keys, [entry.value] if entry.command else entry.value)
    except ValueError as error:
        raise ForeignFileError(str(error)) from error
    is_empty = not document.value(holder) and not (is_new and not holder)
    return _marked(document, result, holder) if is_empty else result


def _marked(before: JsonText, after: JsonText, holder: Path) -> JsonText:
    """Put a blank line behind the bracket of an empty value, and keep the blanks it had."""
    start, end = before.span(holder)
    inside = before.text[start + 1 : end - 1]
    text, line_break = after.text, before.line_break
    closing = len(text) - (len(before.text) - end) - 1
    is_inline = text[start + 1] not in "\r\n"
    mark = line_break * 2 if is_inline else line_break
    return JsonText(text[: start + 1] + mark + text[start + 1 : closing] + inside + text[closing:])


def _unmarked(document: JsonText, holder: Path) -> JsonText | None:
    """Empty a value that was there, and empty, before our first entry; None if it was not."""
    text = document.text
    start, end = document.span(holder)
    space = _matched(_SPACE, text, start + 1)
    if space.count("\n") < 2:  # noqa: PLR2004
        return None
    inside = text[start + 1 : end - 1]
    tail = inside[len(inside.rstrip()) :]
    if not space.endswith("\n"):
        margin = _matched(_MARGIN, text, text.rfind("\n", 0, start) + 1).removeprefix(BOM)
        tail = tail.removeprefix(f"{document.line_break}{margin}")
    return JsonText(text[: start + 1] + tail + text[end - 1 :])


def _matched(pattern: re.Pattern[str], text: str, at: int) -> str:
    found = pattern.match(text, at)
    return found[0] if found else ""


def _without_command(
    document: JsonText, entry: Entry, items: Any, needed: Iterable[str]
) -> JsonText | None:
    """Remove the handlers that run a command of ours, and groups that have no other."""
    ours = set(_commands([entry.value]))
    whole: set[int] = set()
    for at, item in enumerate(items if isinstance(items, list) else ()):
        handlers = item.get("hooks") if isinstance(item, dict) else None
        group = handlers if isinstance(handlers, list) else [item]
        found = {n for n, handler in enumerate(group) if ours & set(_commands([handler]))}
        if found and len(found) == len(group):
            whole.add(at)
        elif found:
            document = document.remove_parts((*entry.keys, at, "hooks"), found)
    return _without(document, entry.keys, whole, needed) if whole else document


def _without(
    document: JsonText, path: Path, positions: Collection[int], needed: Iterable[str]
) -> JsonText | None:
    """Remove parts of a value, and the values around it that become empty and came with them."""
    while True:
        parts = list(document.value(path))
        rest = [part for at, part in enumerate(parts) if at not in positions]
        if not path and 0 in positions and rest == [*needed]:
            return _unmarked(document, path) if not rest else None
        if rest:
            return document.remove_parts(path, positions)
        kept = _unmarked(document, path)
        if kept is not None:
            return kept
        positions = {_place(document, path)}
        path = path[:-1]


def _place(document: JsonText, path: Path) -> int:
    """Return the position of a key among those beside it."""
    return list(document.value(path[:-1])).index(path[-1])


def _commands(items: Any) -> list[str]:
    """Return what the handlers in a list run."""
    groups = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    inner = (group["hooks"] for group in groups if isinstance(group.get("hooks"), list))
    handlers = [*groups, *(handler for hooks in inner for handler in hooks)]
    known = (handler for handler in handlers if isinstance(handler, dict))
    values = (handler.get(key) for handler in known for key in COMMANDS)
    return [value for value in values if isinstance(value, str)]
