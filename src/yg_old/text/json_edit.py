"""Edits of JSON text in place, which keep the order of keys and the formatting of the rest."""

from __future__ import annotations

import json
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from yg_old.text.decode import Datum, plain
from yg_old.text.decode_json import decode_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

Path: TypeAlias = "tuple[str | int, ...]"
Splice: TypeAlias = "tuple[int, int, str]"  # replace the text between two offsets

BOM = "\ufeff"
_MARGIN = re.compile(r"[ \t]*")
USUAL_INDENT = "  "


class JsonText:
    """A JSON text that `decode_json` reads without problems."""

    def __init__(self, text: str) -> None:
        self._text = text.removeprefix(BOM)
        self._mark = text[: len(text) - len(self._text)]
        self.line_break = "\r\n" if "\r\n" in text else "\n"

    @property
    def text(self) -> str:
        """The text, with the mark that it may begin with."""
        return self._mark + self._text

    @cached_property
    def _root(self) -> Datum:
        """The document."""
        return decode_json(self._text).datum or Datum(None, 1, 1)

    @property
    def is_object(self) -> bool:
        """Whether the document is an object."""
        return isinstance(self._root.value, dict)

    def _find(self, path: Path) -> Datum | None:
        """Return a value; None if there is none at this path."""
        datum: Datum | None = self._root
        for step in path:
            datum = _inside(datum, step) if datum else None
        return datum

    def value(self, path: Path) -> Any:
        """Return a value as plain data; None if there is none at this path."""
        return plain(self._find(path))

    def has(self, path: Path) -> bool:
        """Return whether there is a value at this path."""
        return self._find(path) is not None

    def span(self, path: Path) -> tuple[int, int]:
        """Return where a value that is there begins and ends in the text."""
        datum = self._find(path)
        if datum is None:
            raise ValueError(f"there is no '{_name(path)}'")
        return datum.start + len(self._mark), datum.end + len(self._mark)

    def put(self, path: Path, value: Any) -> JsonText:
        """Return the text with a value replaced or, if its key is missing, added at the end.

        Missing objects on the way are added too. Raises ValueError if the path leads through a
        value that is not an object.
        """
        return self.put_all({path: value})

    def put_all(self, values: Mapping[Path, Any]) -> JsonText:
        """Do the same for several values; at most one of them may be new in each object."""
        return self._spliced(self._put(path, value) for path, value in values.items())

    def append(self, path: Path, value: Any) -> JsonText:
        """Return the text with an item added to a list; raises ValueError if there is none."""
        holder = self._find(path)
        if holder is None or not isinstance(holder.value, list):
            raise ValueError(f"'{_name(path)}' is not a list")
        return self._spliced([self._added(holder, "", value)])

    def remove(self, path: Path) -> JsonText:
        """Return the text without a key or an item; the same text if it is missing."""
        holder = self._find(path[:-1])
        if holder is None or self._find(path) is None:
            return self
        last = path[-1]
        keys = list(holder.value) if isinstance(holder.value, dict) else []
        return self.remove_parts(path[:-1], {last if isinstance(last, int) else keys.index(last)})

    def remove_parts(self, path: Path, positions: Collection[int]) -> JsonText:
        """Return the text without some items of a list, or entries of an object."""
        holder = self._find(path)
        return self if holder is None else self._spliced(_cuts(holder, positions))

    def document(self, value: Any) -> str:
        """Write another document in the style of this one, on several lines."""
        other = JsonText(f"{{{self.line_break}{self._indent or USUAL_INDENT}}}")
        return f"{other._written(value, '')}{self.line_break}"

    def _put(self, path: Path, value: Any) -> Splice:
        datum = self._root
        for number, step in enumerate(path):
            inner = _inside(datum, step)
            if inner is None:
                if not isinstance(datum.value, dict) or not isinstance(step, str):
                    raise ValueError(f"'{_name(path[:number])}' is not an object")
                for outer in reversed(path[number + 1 :]):
                    value = {outer: value}
                return self._added(datum, f"{_scalar(step)}{self._colon}", value)
            datum = inner
        if isinstance(value, list) and self._is_inline_list(datum):
            written = self._inline(value)
        else:
            written = self._written(value, self._margin(datum.start))
        return datum.start, datum.end, written

    def _added(self, holder: Datum, prefix: str, value: Any) -> Splice:
        """Add a part at the end of a list or an object, formatted like its last part."""
        parts = _parts(holder)
        if not parts:
            return self._first(holder, prefix, value)
        start, end = parts[-1]
        before = self._text[parts[-2][1] if len(parts) > 1 else holder.start + 1 : start]
        if "\n" not in before:
            separator = before if len(parts) > 1 else self._comma
            return end, end, f"{separator}{prefix}{self._like(value, start, end)}"
        margin = self._margin(start)
        written = self._like(value, start, end, margin)
        return end, end, f",{self.line_break}{margin}{prefix}{written}"

    def _first(self, holder: Datum, prefix: str, value: Any) -> Splice:
        """Add a part to an empty list or object."""
        opening, closing = self._text[holder.start], self._text[holder.end - 1]
        is_short = isinstance(holder.value, list) and self._has_short_lists and _is_scalar(value)
        if self._indent is None or is_short:
            return holder.start, holder.end, f"{opening}{prefix}{self._inline(value)}{closing}"
        margin = self._margin(holder.start)
        inner = f"{self.line_break}{margin}{self._indent}"
        written = self._written(value, margin + self._indent)
        end = f"{self.line_break}{margin}{closing}"
        return holder.start, holder.end, f"{opening}{inner}{prefix}{written}{end}"

    def _like(self, value: Any, start: int, end: int, margin: str | None = None) -> str:
        """Format a value; an object on one line if its neighbour between two offsets is."""
        neighbour = self._text[start:end]
        if margin is not None and not (neighbour[:1] == "{" and "\n" not in neighbour):
            return self._written(value, margin)
        written = self._inline(value)
        is_padded = neighbour[:2] == "{ " and written[:1] == "{"
        return f"{{ {written[1:-1]} }}" if is_padded else written

    def _written(self, value: Any, margin: str) -> str:
        """Format a value whose first line has a margin."""
        # Values are as deep as the decoder allows, so recursion is safe.
        if self._indent is None or _is_scalar(value) or not value:
            return self._inline(value)
        if isinstance(value, list) and all(map(_is_scalar, value)) and self._has_short_lists:
            return self._inline(value)
        inner = margin + self._indent
        is_object = isinstance(value, dict)
        heads = (
            [f"{_scalar(key)}{self._colon}" for key in value] if is_object else [""] * len(value)
        )
        items = value.values() if is_object else value
        lines = [
            f"{inner}{head}{self._written(item, inner)}"
            for head, item in zip(heads, items, strict=True)
        ]
        opening, closing = "{}" if is_object else "[]"
        joined = f",{self.line_break}".join(lines)
        return f"{opening}{self.line_break}{joined}{self.line_break}{margin}{closing}"

    def _inline(self, value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(self._comma, self._colon))

    @cached_property
    def _indent(self) -> str | None:
        """What one level of nesting is indented by; None if the document is on one line."""
        parts = _parts(self._root)
        first = parts[0][0] if parts else self._root.end
        if "\n" in self._text[self._root.start : first]:
            return self._margin(first) or USUAL_INDENT
        return None if parts else USUAL_INDENT

    @cached_property
    def _colon(self) -> str:
        entries = self._root.value.values() if isinstance(self._root.value, dict) else ()
        first = next(iter(entries), None)
        between = self._text[first.end : first.datum.start] if first else ": "
        return ": " if "\n" in between else between

    @property
    def _comma(self) -> str:
        return "," if self._colon == ":" else ", "

    @cached_property
    def _has_short_lists(self) -> bool:
        """Whether the first list of single values in the document is on one line."""
        waiting = [self._root]
        for datum in waiting:
            items = datum.value if isinstance(datum.value, list) else []
            if items and all(_is_scalar(item.value) for item in items):
                return self._is_inline_list(datum)
            waiting += _inner(datum)
        return False

    def _is_inline_list(self, datum: Datum) -> bool:
        """Return whether a value is a list, not empty, on one line."""
        is_list = isinstance(datum.value, list) and bool(datum.value)
        return is_list and "\n" not in self._text[datum.start : datum.end]

    def _margin(self, at: int) -> str:
        """Return the blanks at the beginning of the line that an offset lies in."""
        start = self._text.rfind("\n", 0, at) + 1
        found = _MARGIN.match(self._text, start, at)
        return found[0] if found else ""

    def _spliced(self, splices: Iterable[Splice]) -> JsonText:
        pieces, at = [], 0
        for start, end, text in sorted(splices):
            pieces += [self._text[at:start], text]
            at = end
        return JsonText("".join((self._mark, *pieces, self._text[at:])))


def _name(path: Path) -> str:
    return ".".join(map(str, path)) or "the document"


def _scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _is_scalar(value: Any) -> bool:
    return not isinstance(value, (list, dict))


def _inside(datum: Datum, step: str | int) -> Datum | None:
    """Return an item or the value of a key; None if there is none."""
    if isinstance(datum.value, list) and isinstance(step, int):
        return datum.value[step] if step < len(datum.value) else None
    if isinstance(datum.value, dict) and isinstance(step, str) and step in datum.value:
        return datum.value[step].datum
    return None


def _inner(datum: Datum) -> list[Datum]:
    """Return the items of a list, or the values of an object."""
    if isinstance(datum.value, dict):
        return [entry.datum for entry in datum.value.values()]
    return datum.value if isinstance(datum.value, list) else []


def _parts(datum: Datum) -> list[tuple[int, int]]:
    """Return the start and end of each item or entry."""
    if isinstance(datum.value, dict):
        return [(entry.start, entry.datum.end) for entry in datum.value.values()]
    return [(item.start, item.end) for item in _inner(datum)]


def _cuts(holder: Datum, positions: Collection[int]) -> Iterator[Splice]:
    """Yield what to cut out: a part up to the next one; from the last part kept to the end."""
    parts = _parts(holder)
    kept = [at for at in range(len(parts)) if at not in positions]
    if not kept:
        yield holder.start + 1, holder.end - 1, ""
        return
    for at in sorted(positions):
        if at < kept[-1]:
            yield parts[at][0], parts[at + 1][0], ""
    if kept[-1] < len(parts) - 1:
        yield parts[kept[-1]][1], parts[-1][1], ""
