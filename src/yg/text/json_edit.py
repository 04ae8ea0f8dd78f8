"""Edits of JSON text in place, which keep the order of keys and the formatting of the rest."""

from __future__ import annotations

import json
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

Path: TypeAlias = "tuple[str | int, ...]"
Splice: TypeAlias = "tuple[int, int, str]"  # replace the text between two offsets

BOM = "\ufeff"
_TOKEN = re.compile(
    r'[ \t\n\r]*("[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]:,]|[^ \t\n\r{}\[\]:,"]+)', re.DOTALL
)
_MARGIN = re.compile(r"[ \t]*")
USUAL_INDENT = "  "


class JsonSpan:
    """A value with its start and end offset."""

    __slots__ = ("end", "entries", "items", "start")

    def __init__(self, start: int, end: int = -1) -> None:
        self.start = start
        self.end = end
        self.items: list[JsonSpan] | None = None  # of a list
        self.entries: dict[str, tuple[JsonSpan, JsonSpan]] | None = None  # key and value

    @property
    def parts(self) -> list[tuple[int, int]]:
        """The start and end of each item or entry."""
        if self.entries is not None:
            return [(key.start, value.end) for key, value in self.entries.values()]
        return [(item.start, item.end) for item in self.items or ()]


class JsonText:
    """A JSON text that `decode_json` reads without problems."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.line_break = "\r\n" if "\r\n" in text else "\n"

    @cached_property
    def root(self) -> JsonSpan:
        """The span of the document."""
        return _spans(self.text)

    def find(self, path: Path) -> JsonSpan | None:
        """Return the span of a value; None if there is none at this path."""
        span: JsonSpan | None = self.root
        for step in path:
            span = _inside(span, step) if span else None
        return span

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
        holder = self.find(path)
        if holder is None or holder.items is None:
            raise ValueError(f"'{_name(path)}' is not a list")
        return self._spliced([self._added(holder, "", value)])

    def remove(self, path: Path) -> JsonText:
        """Return the text without a key or an item; the same text if it is missing."""
        holder = self.find(path[:-1])
        if holder is None or self.find(path) is None:
            return self
        last = path[-1]
        at = last if isinstance(last, int) else list(holder.entries or ()).index(last)
        return self.remove_parts(path[:-1], {at})

    def remove_parts(self, path: Path, positions: Collection[int]) -> JsonText:
        """Return the text without some items of a list, or entries of an object."""
        holder = self.find(path)
        return self if holder is None else self._spliced(_cuts(holder, positions))

    def document(self, value: Any) -> str:
        """Write another document in the style of this one, on several lines."""
        other = JsonText(f"{{{self.line_break}{self._indent or USUAL_INDENT}}}")
        return f"{other._written(value, '')}{self.line_break}"

    def _put(self, path: Path, value: Any) -> Splice:
        span = self.root
        for number, step in enumerate(path):
            inner = _inside(span, step)
            if inner is None:
                if span.entries is None or not isinstance(step, str):
                    raise ValueError(f"'{_name(path[:number])}' is not an object")
                for outer in reversed(path[number + 1 :]):
                    value = {outer: value}
                return self._added(span, f"{_scalar(step)}{self._colon}", value)
            span = inner
        is_inline = "\n" not in self.text[span.start : span.end]
        is_list = isinstance(value, list) and bool(span.items) and is_inline
        written = self._inline(value) if is_list else self._written(value, self._margin(span.start))
        return span.start, span.end, written

    def _added(self, holder: JsonSpan, prefix: str, value: Any) -> Splice:
        """Add a part at the end of a list or an object, formatted like its last part."""
        parts = holder.parts
        if not parts:
            return self._first(holder, prefix, value)
        start, end = parts[-1]
        before = self.text[parts[-2][1] if len(parts) > 1 else holder.start + 1 : start]
        if "\n" not in before:
            separator = before if len(parts) > 1 else self._comma
            return end, end, f"{separator}{prefix}{self._like(value, start, end)}"
        margin = self._margin(start)
        written = self._like(value, start, end, margin)
        return end, end, f",{self.line_break}{margin}{prefix}{written}"

    def _first(self, holder: JsonSpan, prefix: str, value: Any) -> Splice:
        """Add a part to an empty list or object."""
        opening, closing = self.text[holder.start], self.text[holder.end - 1]
        is_short = holder.items is not None and self._has_short_lists and _is_scalar(value)
        if self._indent is None or is_short:
            return holder.start, holder.end, f"{opening}{prefix}{self._inline(value)}{closing}"
        margin = self._margin(holder.start)
        inner = f"{self.line_break}{margin}{self._indent}"
        written = self._written(value, margin + self._indent)
        end = f"{self.line_break}{margin}{closing}"
        return holder.start, holder.end, f"{opening}{inner}{prefix}{written}{end}"

    def _like(self, value: Any, start: int, end: int, margin: str | None = None) -> str:
        """Format a value; an object on one line if its neighbour between two offsets is."""
        neighbour = self.text[start:end]
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
        parts = self.root.parts
        first = parts[0][0] if parts else self.root.end
        if "\n" in self.text[self.root.start : first]:
            return self._margin(first) or USUAL_INDENT
        return None if parts else USUAL_INDENT

    @cached_property
    def _colon(self) -> str:
        key, value = next(iter((self.root.entries or {}).values()), (None, None))
        between = self.text[key.end : value.start] if key and value else ": "
        return ": " if "\n" in between else between

    @property
    def _comma(self) -> str:
        return "," if self._colon == ":" else ", "

    @cached_property
    def _has_short_lists(self) -> bool:
        """Whether the first list of single values in the document is on one line."""
        waiting = [self.root]
        for span in waiting:
            if span.items and not any(map(_is_collection, span.items)):
                return "\n" not in self.text[span.start : span.end]
            waiting += span.items or [value for _, value in (span.entries or {}).values()]
        return False

    def _margin(self, at: int) -> str:
        """Return the blanks at the beginning of the line that an offset lies in."""
        start = self.text.rfind("\n", 0, at) + 1
        found = _MARGIN.match(self.text, start, at)
        return found[0] if found else ""

    def _spliced(self, splices: Iterable[Splice]) -> JsonText:
        pieces, at = [], 0
        for start, end, text in sorted(splices):
            pieces += [self.text[at:start], text]
            at = end
        return JsonText("".join((*pieces, self.text[at:])))


def _name(path: Path) -> str:
    return ".".join(map(str, path)) or "the document"


def _scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _is_scalar(value: Any) -> bool:
    return not isinstance(value, (list, dict))


def _is_collection(span: JsonSpan) -> bool:
    return span.items is not None or span.entries is not None


def _inside(span: JsonSpan, step: str | int) -> JsonSpan | None:
    if isinstance(step, int):
        items = span.items or []
        return items[step] if step < len(items) else None
    entry = (span.entries or {}).get(step)
    return entry[1] if entry else None


def _cuts(holder: JsonSpan, positions: Collection[int]) -> Iterator[Splice]:
    """Yield what to cut out: a part up to the next one; from the last part kept to the end."""
    parts = holder.parts
    kept = [at for at in range(len(parts)) if at not in positions]
    if not kept:
        yield holder.start + 1, holder.end - 1, ""
        return
    for at in sorted(positions):
        if at < kept[-1]:
            yield parts[at][0], parts[at + 1][0], ""
    if kept[-1] < len(parts) - 1:
        yield parts[kept[-1]][1], parts[-1][1], ""


def _spans(text: str) -> JsonSpan:
    """Find the span of every value, with a stack instead of recursion."""
    top = JsonSpan(0)
    top.items = []
    stack = [top]
    keys: list[JsonSpan | None] = [None]  # the key that waits for its value, if any
    at = len(BOM) if text.startswith(BOM) else 0
    while token := _TOKEN.match(text, at):
        at = token.end()
        word = token[1]
        if word in "[{":
            span = JsonSpan(token.start(1))
            span.items, span.entries = ([], None) if word == "[" else (None, {})
            stack.append(span)
            keys.append(None)
        elif word in "]}":
            span = stack.pop()
            keys.pop()
            span.end = at
            keys[-1] = _placed(text, stack[-1], keys[-1], span)
        elif word not in ":,":
            keys[-1] = _placed(text, stack[-1], keys[-1], JsonSpan(token.start(1), at))
    return top.items[0] if top.items else top


def _placed(text: str, holder: JsonSpan, key: JsonSpan | None, span: JsonSpan) -> JsonSpan | None:
    """Add a complete value to the collection that holds it; return the key that waits now."""
    if holder.items is not None:
        holder.items.append(span)
    elif key is None:
        return span
    elif holder.entries is not None:
        holder.entries[json.loads(text[key.start : key.end])] = (key, span)
    return None
