"""Edits of YAML text in place, which keep comments and formatting."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

import yaml

from yg.text.decode import MAX_DEPTH
from yg.text.decode_yaml import disguise, make_parser, plain_scalar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


MOST_VALUES = 100_000  # of a text to edit; each takes a few hundred bytes of memory


class YamlText:
    """A YAML text whose document is a block mapping."""

    def __init__(self, text: str) -> None:
        """Parse a text; raises yaml.YAMLError if it is not YAML."""
        self.text = text
        self.root = spans_of(text) or Span(0, len(text), entries={})
        self.line_break = "\r\n" if "\r\n" in text else "\n"

    @property
    def is_editable(self) -> bool:
        """Whether the document is a mapping and every key starts a line."""
        entries = self.root.entries
        if entries is None or self.root.is_flow:
            return False
        starts = (key.start for key, _ in entries.values())
        has_end = any(line.rstrip() == "..." for line in self.text.split("\n"))
        return not has_end and all(at == 0 or self.text[at - 1] in "\n\ufeff" for at in starts)

    def has(self, key: str) -> bool:
        """Return whether the document has a top-level key."""
        return key in (self.root.entries or {})

    def replaced(self, key: str, block: str) -> YamlText:
        """Return the text with the lines of a key replaced; its comments precede the new lines.

        An empty block removes the key. A missing key is added at the end.
        """
        block = block.replace("\n", self.line_break)
        if not self.has(key):
            gap = "" if not self.text or self.text.endswith("\n") else self.line_break
            return YamlText(f"{self.text}{gap}{block}")
        start, end = self._lines_of(key)
        comments = "".join(f"{comment}{self.line_break}" for comment in self._comments(start, end))
        return YamlText(self.text[:start] + comments + block + self.text[end:])

    def with_items(self, key: str, name: str, items: Sequence[str]) -> YamlText:
        """Return the text with items, in flow style, added to a list in the mapping of a key."""
        above, value = (self.root.entries or {})[key]
        if value.entries is not None and name in value.entries:
            above, value = value.entries[name]
            return self._extended(above, value, [f"- {item}" for item in items], ", ".join(items))
        lines = [f"{name}:", *(f"  - {item}" for item in items)]
        return self._extended(above, value, lines, f"{name}: [{', '.join(items)}]")

    def with_mappings(
        self, key: str, items: Sequence[Sequence[str]], flow: Sequence[str]
    ) -> YamlText:
        """Return the text with mappings added to the list of a key.

        They are given as lines, and in flow style; between brackets each is added at the start.
        """
        lines = [line for first, *rest in items for line in (f"- {first}", *_indented(rest))]
        if not self.has(key):
            return self.replaced(
                key, "".join(f"{line}\n" for line in (f"{key}:", *_indented(lines)))
            )
        above, value = (self.root.entries or {})[key]
        return self._extended(above, value, lines, ", ".join(reversed(flow)))

    def _extended(self, key: Span, value: Span, lines: Sequence[str], flow: str) -> YamlText:
        """Return the text with more in a list or a mapping: at the start of it in flow style."""
        if value.is_flow:
            at = value.start + 1
            comma = ", " if value.items or value.entries else ""
            return YamlText(f"{self.text[:at]}{flow}{comma}{self.text[at:]}")
        is_empty = value.items is None and value.entries is None
        first = key.start if is_empty else value.start
        indent = self.text[self.text.rfind("\n", 0, first) + 1 : first] + "  " * is_empty
        end = self.text.find("\n", max(key.end, _last_end(value) - 1))
        at = len(self.text) if end == -1 else end + 1
        gap = self.line_break if end == -1 else ""
        block = "".join(f"{indent}{line}{self.line_break}" for line in lines)
        return YamlText(f"{self.text[:at]}{gap}{block}{self.text[at:]}")

    def renamed(self, spans: list[Span], name: str) -> YamlText:
        """Return the text with some keys, at any depth, renamed."""
        pieces, at = [], 0
        for span in sorted(spans, key=lambda span: span.start):
            pieces += [self.text[at : span.start], name]
            at = span.end
        return YamlText("".join((*pieces, self.text[at:])))

    def _lines_of(self, key: str) -> tuple[int, int]:
        """Return the start and end of a key's lines, without comments above the next key."""
        own, value = (self.root.entries or {})[key]
        last = max((span.end for span in _scalars(value)), default=own.end)
        closing = value.end if value.is_flow else last
        line_end = self.text.find("\n", max(closing - 1, own.end))
        return own.start, len(self.text) if line_end == -1 else line_end + 1

    def _comments(self, start: int, end: int) -> list[str]:
        """Return the comments between two offsets, one line each."""
        ends: dict[int, int] = {}
        for span in _scalars(self.root):
            ends[span.start] = max(span.end, ends.get(span.start, 0))
        starts = sorted(ends)
        found, at = [], start
        while (at := self.text.find("#", at, end)) != -1:
            before = bisect_right(starts, at) - 1
            holder_end = ends[starts[before]] if before >= 0 else 0
            if at < holder_end:
                at = holder_end
            elif at and not self.text[at - 1].isspace():
                at += 1
            else:
                line_end = self.text.find("\n", at)
                line_end = len(self.text) if line_end == -1 else line_end
                found.append(self.text[at:line_end].rstrip())
                at = line_end
        return found


def _last_end(span: Span) -> int:
    """Return where the last scalar or bracket of a value ends."""
    while not span.is_flow and (span.items or span.entries):
        span = span.items[-1] if span.items else [*(span.entries or {}).values()][-1][1]
    return span.end


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _scalars(root: Span) -> list[Span]:
    found, waiting = [], [root]
    while waiting:
        span = waiting.pop()
        if span.items is not None:
            waiting.extend(span.items)
        elif span.entries is not None:
            for key, value in span.entries.values():
                waiting += [key, value]
        else:
            found.append(span)
    return found


class Span:
    """A value with its start and end offset."""

    __slots__ = ("end", "entries", "is_flow", "items", "key", "start", "text")

    def __init__(  # noqa: PLR0913
        self,
        start: int,
        end: int = -1,
        text: str = "",
        *,
        is_flow: bool = False,
        items: list[Span] | None = None,
        entries: dict[str, tuple[Span, Span]] | None = None,
    ) -> None:
        self.start = start
        self.end = end
        self.text = text  # of a scalar
        self.is_flow = is_flow  # written with brackets or braces
        self.items = items  # of a list
        self.entries = entries  # of a mapping: key and value
        self.key: Span | None = None  # whose value comes next


def spans_of(text: str) -> Span | None:
    """Return the span of the document; None if it is empty.

    Raises yaml.YAMLError, also for a text that is nested too deeply or has too many values.
    """
    mark = text.startswith("\ufeff")
    root: Span | None = None
    stack: list[Span] = []
    disguised, undisguise = disguise(text.removeprefix("\ufeff"))
    parser: Any = make_parser(disguised)
    values = 0
    while True:
        event: Any = parser.get_event()
        if event is None:
            return root
        span = _opened(event, mark)
        values += span is not None
        if values > MOST_VALUES:
            raise yaml.YAMLError(f"more than {MOST_VALUES} values")
        if span is not None and undisguise:
            span.text = span.text.translate(undisguise)
        if span is not None and span.end == -1:
            stack.append(span)
            if len(stack) > MAX_DEPTH:
                raise yaml.YAMLError(f"nested more than {MAX_DEPTH} levels deep")
            continue
        if span is None and isinstance(event, yaml.CollectionEndEvent):
            span = stack.pop()
            span.end = _index(event.end_mark if span.is_flow else event.start_mark) + mark
        if span is not None:
            root = _placed(stack, span, root)


def _opened(event: Any, mark: bool) -> Span | None:  # noqa: FBT001
    """Return the span that an event starts; the span of a scalar is complete."""
    if isinstance(event, (yaml.ScalarEvent, yaml.AliasEvent)):
        text = event.value if isinstance(event, yaml.ScalarEvent) else ""
        begin, end = event.start_mark, event.end_mark
        return Span(_index(begin) + mark, _index(end) + mark, text)
    if isinstance(event, yaml.SequenceStartEvent):
        return Span(_index(event.start_mark) + mark, is_flow=bool(event.flow_style), items=[])
    if isinstance(event, yaml.MappingStartEvent):
        return Span(_index(event.start_mark) + mark, is_flow=bool(event.flow_style), entries={})
    return None


def _index(mark: Any) -> int:
    index: int = mark.index
    return index


def _placed(stack: list[Span], span: Span, root: Span | None) -> Span | None:
    if not stack:
        return span
    holder = stack[-1]
    if holder.items is not None:
        holder.items.append(span)
    elif holder.key is not None and holder.entries is not None:
        holder.entries[holder.key.text] = (holder.key, span)
        holder.key = None
    else:
        holder.key = span
    return root


# Text in YAML 1.2, but not in YAML 1.1.
_OTHER_IN_1_1 = frozenset({"yes", "no", "on", "off", "=", "<<"})
# All numbers, times and dates of YAML 1.1 (`0_`, `1_000`, `12:30`) start with one of these.
_NUMERIC = frozenset("0123456789+.")
# A plain scalar must not start with an indicator, nor contain an unsafe sequence.
_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@` ")
_FLOW = frozenset(",[]{}")  # end a plain scalar between brackets or braces
_UNSAFE_INSIDE = (": ", " #", "\t")


def yaml_scalar(text: str) -> str:
    """Format text as a YAML scalar, in double quotes only if needed."""
    is_plain = (
        text.isprintable()
        and text == text.strip()
        and text[:1] not in _INDICATORS | _NUMERIC
        and not text.endswith(":")
        and not any(sequence in text for sequence in _UNSAFE_INSIDE)
        and text.lower() not in _OTHER_IN_1_1
        and _reads_as_text(text)
    )
    return text if is_plain else quoted_scalar(text)


def flow_scalar(text: str) -> str:
    """Format text as a YAML scalar between brackets or braces."""
    return quoted_scalar(text) if _FLOW.intersection(text) else yaml_scalar(text)


def quoted_scalar(text: str) -> str:
    """Format text as a YAML scalar in double quotes."""
    return f'"{"".join(map(_quoted, text))}"'


_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _quoted(letter: str) -> str:
    """Escape one character for double quotes; unlike JSON, YAML has no surrogate pairs."""
    if letter in _SHORT:
        return _SHORT[letter]
    if letter.isprintable():
        return letter
    number = ord(letter)
    if number <= 0xFF:  # noqa: PLR2004
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"  # noqa: PLR2004


def _reads_as_text(text: str) -> bool:
    try:
        return plain_scalar(text) == text
    except ValueError:  # too many digits for a number
        return False
