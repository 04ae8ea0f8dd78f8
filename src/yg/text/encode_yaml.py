"""Texts as YAML scalars: plain where every YAML reader takes them for text, else in quotes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# No texts in YAML 1.2 or in YAML 1.1.
_CONSTANTS = frozenset({"true", "false", "null", "~", "yes", "no", "on", "off", "=", "<<"})
# All numbers, times and dates of YAML 1.1 (`0_`, `1_000`, `12:30`) start with one of these.
_NUMERIC = frozenset("0123456789+.")
# A plain scalar must not start with an indicator, nor contain an unsafe sequence.
_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@` ")
_UNSAFE_INSIDE = (": ", " #", "\t")
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def yaml_list(entries: Iterable[Mapping[str, str | Sequence[str]]]) -> str:
    """Format flat mappings of texts and lists of texts as a YAML list; `[]` if it is empty."""
    return "".join(map(_entry, entries)) or "[]\n"


def _entry(entry: Mapping[str, str | Sequence[str]]) -> str:
    lines = []
    for key, value in entry.items():
        if isinstance(value, str):
            lines.append(f"{key}: {yaml_scalar(value)}\n")
        else:
            lines += [f"{key}:\n", *[f"  - {yaml_scalar(item)}\n" for item in value]]
    return "- " + "  ".join(lines)


def yaml_scalar(text: str) -> str:
    """Format text as a YAML scalar, in double quotes only if needed."""
    is_plain = (
        text.isprintable()
        and text == text.strip()
        and text[:1] not in _INDICATORS | _NUMERIC
        and not text.endswith(":")
        and not any(sequence in text for sequence in _UNSAFE_INSIDE)
        and text.lower() not in _CONSTANTS
        and text != ""
    )
    return text if is_plain else f'"{"".join(map(_quoted, text))}"'


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
