"""Text that stays on its line and cannot play with a terminal."""

from __future__ import annotations

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
