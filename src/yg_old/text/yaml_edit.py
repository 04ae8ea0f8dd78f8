"""Edits of YAML text in place, which keep comments and formatting."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import yaml

from yg_old.text.decode import Datum
from yg_old.text.decode_yaml import decode_yaml, plain_scalar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yg_old.text.decode import Entry

_MARK = "\ufeff"


class YamlText:
    """A YAML text whose document is a block mapping."""

    def __init__(self, text: str) -> None:
        """Parse a text; raises yaml.YAMLError if it is not YAML."""
        self.text = text
        self.root = tree_of(text) or Datum({}, 1, 1, 0, len(text))
        self.line_break = "\r\n" if "\r\n" in text else "\n"

    @property
    def is_editable(self) -> bool:
        """Whether the document is a mapping and every key starts a line."""
        entries = self.root.entries
        if entries is None or self.root.is_flow:
            return False
        starts = (entry.start for entry in entries.values())
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
        entry = (self.root.entries or {})[key]
        inner = entry.datum.entries
        if inner is not None and name in inner:
            return self._extended(inner[name], [f"- {item}" for item in items], ", ".join(items))
        lines = [f"{name}:", *(f"  - {item}" for item in items)]
        return self._extended(entry, lines, f"{name}: [{', '.join(items)}]")

    def with_values(self, key: str, items: Sequence[str]) -> YamlText:
        """Return the text with scalars added to the list of a top-level key."""
        if not self.has(key):
            return self.replaced(key, f"{key}: [{', '.join(items)}]\n")
        entry = (self.root.entries or {})[key]
        return self._extended(entry, [f"- {item}" for item in items], ", ".join(items))

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
        entry = (self.root.entries or {})[key]
        return self._extended(entry, lines, ", ".join(reversed(flow)))

    def _extended(self, entry: Entry, lines: Sequence[str], flow: str) -> YamlText:
        """Return the text with more in a list or a mapping: at the start of it in flow style."""
        value = entry.datum
        if value.is_flow:
            at = value.start + 1
            comma = ", " if value.items or value.entries else ""
            return YamlText(f"{self.text[:at]}{flow}{comma}{self.text[at:]}")
        is_empty = value.items is None and value.entries is None
        first = entry.start if is_empty else value.start
        indent = self.text[self.text.rfind("\n", 0, first) + 1 : first] + "  " * is_empty
        end = self.text.find("\n", max(entry.end, last_end(value) - 1))
        at = len(self.text) if end == -1 else end + 1
        gap = self.line_break if end == -1 else ""
        block = "".join(f"{indent}{line}{self.line_break}" for line in lines)
        return YamlText(f"{self.text[:at]}{gap}{block}{self.text[at:]}")

    def renamed(self, entries: list[Entry], name: str) -> YamlText:
        """Return the text with the keys of some entries, at any depth, renamed."""
        pieces, at = [], 0
        for entry in sorted(entries, key=lambda entry: entry.start):
            pieces += [self.text[at : entry.start], name]
            at = entry.end
        return YamlText("".join((*pieces, self.text[at:])))

    def _lines_of(self, key: str) -> tuple[int, int]:
        """Return the start and end of a key's lines, without comments above the next key."""
        own = (self.root.entries or {})[key]
        last = max((end for _, end in _scalars(own.datum)), default=own.end)
        closing = own.datum.end if own.datum.is_flow else last
        line_end = self.text.find("\n", max(closing - 1, own.end))
        return own.start, len(self.text) if line_end == -1 else line_end + 1

    def _comments(self, start: int, end: int) -> list[str]:
        """Return the comments between two offsets, one line each."""
        ends: dict[int, int] = {}
        for begin, last in _scalars(self.root):
            ends[begin] = max(last, ends.get(begin, 0))
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


def last_end(datum: Datum) -> int:
    """Return where the last scalar or bracket of a value ends."""
    while not datum.is_flow and (datum.items or datum.entries):
        entries = datum.entries or {}
        datum = datum.items[-1] if datum.items else [*entries.values()][-1].datum
    return datum.end


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _scalars(root: Datum) -> list[tuple[int, int]]:
    """Return where each scalar begins and ends, keys and aliases included."""
    found, waiting = [], [root]
    while waiting:
        datum = waiting.pop()
        if datum.items is not None:
            waiting += datum.items
        elif datum.entries is not None:
            found += [(entry.start, entry.end) for entry in datum.entries.values()]
            waiting += [entry.datum for entry in datum.entries.values()]
        else:
            found.append((datum.start, datum.end))
    return found


def tree_of(text: str) -> Datum | None:
    """Return the document of a text; None if it is empty. Raises yaml.YAMLError."""
    # A mark at the start becomes a line break, so that all offsets stay the same.
    decoded = decode_yaml(f"\n{text[1:]}" if text.startswith(_MARK) else text)
    if decoded.datum is None:
        raise yaml.YAMLError(decoded.problems[0].message)
    has_document = decoded.datum.value is not None or decoded.datum.end > 0
    return decoded.datum if has_document else None


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
