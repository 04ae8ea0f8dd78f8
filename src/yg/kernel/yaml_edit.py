"""Edits of a YAML text by its top-level keys; comments and all that is not edited stay."""

from __future__ import annotations

import re

from yg.kernel.yaml_spans import Span, spans_of

_COMMENT = re.compile(r"(?:(?<=\s)|(?<![^\n]))#[^\n]*")


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
        return self.root.entries is not None and not self.root.is_flow

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
        text = self.text
        for span in sorted(spans, key=lambda each: -each.start):
            text = text[: span.start] + name + text[span.end :]
        return YamlText(text)

    def _lines_of(self, key: str) -> tuple[int, int]:
        """Return where a key's lines begin and end; comments above the next key are its own."""
        entries = self.root.entries or {}
        starts = sorted(each.start for each, _ in entries.values())
        own, value = entries[key]
        start = self.text.rfind("\n", 0, own.start) + 1
        following = next((each for each in starts if each > own.start), None)
        end = len(self.text) if following is None else self.text.rfind("\n", 0, following) + 1
        body_end = self.text.find("\n", max(value.end - 1, own.end))
        after_body = len(self.text) if body_end == -1 else body_end + 1
        return start, min(end, max(after_body, start))

    def _comments(self, start: int, end: int) -> list[str]:
        """Return the comments between two offsets, each as a line of its own."""
        scalars = list(_scalars(self.root))
        return [
            found[0].rstrip()
            for found in _COMMENT.finditer(self.text, start, end)
            if not any(span.start <= found.start() < span.end for span in scalars)
        ]


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
