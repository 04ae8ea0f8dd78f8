"""Escapes for characters that break lines, control terminals or cannot be stored."""

from __future__ import annotations

import re

_SPACES = frozenset("\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))))
_FIRST_BYTE, _LAST_BYTE = "\udc80", "\udcff"
_LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


def visible(text: str) -> str:
    """Escape control characters and line breaks."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter in _SPACES else _shown(letter) for letter in text
    )


def _shown(letter: str) -> str:
    """Escape one character; a byte that is not UTF-8 becomes octal, as in the output of git."""
    is_byte = _FIRST_BYTE <= letter <= _LAST_BYTE
    return f"\\{ord(letter) - 0xDC00:o}" if is_byte else escaped(letter)


def escape_bytes(text: str) -> str:
    """Escape the bytes of a file name that are not UTF-8, which Python reads as surrogates."""
    return re.sub(f"[{_FIRST_BYTE}-{_LAST_BYTE}]", lambda found: _shown(found[0]), text)


def escaped(letter: str) -> str:
    """Escape one character."""
    return letter.encode("unicode_escape", "surrogatepass").decode("ascii")


def one_line(text: str) -> str:
    """Join the lines of a text and collapse its whitespace; keep a single line unchanged."""
    if text.isprintable() or _LINE_BREAKS.isdisjoint(text):
        return text
    return " ".join(text.split())


# Patterns are compiled when they are first used, because that takes time.
_PLAIN_WORD = r"[\w@%+=:,./-]+"


def shell_quoted(word: str) -> str:
    """Quote a word of a command that a user may copy, if the shell would split or change it."""
    if re.fullmatch(_PLAIN_WORD, word):
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"


def shell_word(name: str) -> str:
    """Quote a name for a command in a message, with control characters escaped."""
    return visible(shell_quoted(name))


# C0 without tab and line feed, DEL and C1, then the bidirectional marks (ALM, LRM, RLM),
# embeddings and overrides, and isolates of Unicode.
_CONTROL = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"


def escape_controls(text: str) -> str:
    """Escape control characters except tabs and line feeds."""
    return re.sub(_CONTROL, _escape, text)


def escape_controls_in_json(text: str) -> str:
    """Escape the control characters in a JSON text as JSON does."""
    return re.sub(_CONTROL, lambda found: f"\\u{ord(found[0]):04x}", text)


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")
