"""Text that stays on its line and cannot play with a terminal."""

from __future__ import annotations

import re

_SPACES = frozenset("\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))))
_LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")

# What XML 1.0 has no way of writing, and databases refuse or cut texts at.
_UNSTORABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def visible(text: str) -> str:
    """Write control characters and line breaks as escapes."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter in _SPACES else _escaped(letter) for letter in text
    )


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape", "surrogatepass").decode("ascii")


def one_line(text: str) -> str:
    """Put text that spans lines on one, its white space collapsed; other text stays as it is."""
    if _LINE_BREAKS.isdisjoint(text):
        return text
    return " ".join(text.split())


def storable(text: str) -> str:
    """Write what files and databases may not hold as escapes; tabs and line breaks stay."""
    return _UNSTORABLE.sub(lambda found: _escaped(found[0]), text)
