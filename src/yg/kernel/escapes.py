"""Escapes for text that could break a line, play with a terminal or not be stored."""

from __future__ import annotations

import re

_SPACES = frozenset("\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))))
_LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


def visible(text: str) -> str:
    """Write control characters and line breaks as escapes."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter in _SPACES else escaped(letter) for letter in text
    )


def escaped(letter: str) -> str:
    """Write one character as an escape."""
    return letter.encode("unicode_escape", "surrogatepass").decode("ascii")


def one_line(text: str) -> str:
    """Put text that spans lines on one, its white space collapsed; other text stays as it is."""
    if _LINE_BREAKS.isdisjoint(text):
        return text
    return " ".join(text.split())


# What XML 1.0 has no way of writing, and databases refuse or cut texts at.
_UNSTORABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def storable(text: str) -> str:
    """Write what files and databases may not hold as escapes; tabs and line breaks stay."""
    return _UNSTORABLE.sub(lambda found: escaped(found[0]), text)


# C0 without tab and line feed, DEL and C1, then the bidirectional marks (ALM, LRM, RLM),
# embeddings and overrides, and isolates of Unicode.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def escape_controls(text: str) -> str:
    """Write control characters as escapes; tabs and line feeds stay."""
    return _CONTROL.sub(_escape, text)


def escape_controls_in_json(text: str) -> str:
    """Write the control characters that a JSON text may hold as escapes of JSON."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")
