"""Edits of a YAML text by its top-level keys; comments and all that is not edited stay."""

from __future__ import annotations

from bisect import bisect_right

from yg.kernel.yaml_spans import Span, spans_of


class YamlText:
    """A text whose document is a mapping written line by line."""

    def __init__(self, text: str) -> None:
        """Look at a text; raises yaml.YAMLError for one that is not YAML."""
        self.text = text
        self.root = spans_of(text) or Span(0, len(text), entries={})
        self.line_break = "\r\n" if "\r\n" in text else "\n"

    @property
    def is_editable(self) -> bool:
        """Whether the document is a mapping with a line of its own for each key."""
        entries = self.root.entries
        if entries is None or self.root.is_flow:
            return False
        starts = (key.start for key, _ in entries.values())
        has_end = any(line.rstrip() == "..." for line in self.text.split("\n"))
        return not has_end and all(at == 0 or self.text[at - 1] in "\n\ufeff" for at in starts)

    def has(self, key: str) -> bool:
        """Tell whether the document has a top-level key."""
        return key in (self.root.entries or {})

    def replaced(self, key: str, block: str) -> YamlText:
        """Return the text with a key's lines replaced; its comments stay in front of the new ones.

        An empty block removes the key. A key that is not there is added at the end.
        """
        block = block.replace("\n", self.line_break)
        if not self.has(key):
            gap = "" if not self.text or self.text.endswith("\n") else self.line_break
            return YamlText(f"{self.text}{gap}{block}")
        start, end = self._lines_of(key)
        comments = "".join(f"{each}{self.line_break}" for each in self._comments(start, end))
        return YamlText(self.text[:start] + comments + block + self.text[end:])

    def renamed(self, spans: list[Span], name: str) -> YamlText:
        """Return the text with some keys, at any depth, called otherwise."""
        pieces, at = [], 0
        for span in sorted(spans, key=lambda each: each.start):
            pieces += [self.text[at : span.start], name]
            at = span.end
        return YamlText("".join((*pieces, self.text[at:])))

    def _lines_of(self, key: str) -> tuple[int, int]:
        """Return where a key's lines begin and end; comments above the next key are its own."""
        own, value = (self.root.entries or {})[key]
        last = max((span.end for span in _scalars(value)), default=own.end)
        closing = value.end if value.is_flow else last
        line_end = self.text.find("\n", max(closing - 1, own.end))
        return own.start, len(self.text) if line_end == -1 else line_end + 1

    def _comments(self, start: int, end: int) -> list[str]:
        """Return the comments between two offsets, each as a line of its own."""
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
