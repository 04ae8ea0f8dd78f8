"""Text written as YAML so that YAML reads the same text back."""

from __future__ import annotations

from yg.kernel.decode_yaml import plain_scalar

# Text to us, something else to readers that follow YAML 1.1.
_OTHER_IN_1_1 = frozenset({"yes", "no", "on", "off", "=", "<<"})
# Numbers, times and dates of YAML 1.1 are many (`0_`, `1_000`, `12:30`), and all begin like this.
_NUMERIC = frozenset("0123456789+.")
# A plain scalar must not begin with any of these, nor hold the others.
_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@` ")
_UNSAFE_INSIDE = (": ", " #", "\t")


def yaml_scalar(text: str) -> str:
    """Write text so that YAML reads the same text back; in double quotes only where needed."""
    is_plain = (
        text.isprintable()
        and text == text.strip()
        and text[:1] not in _INDICATORS | _NUMERIC
        and not text.endswith(":")
        and not any(each in text for each in _UNSAFE_INSIDE)
        and text.lower() not in _OTHER_IN_1_1
        and _reads_as_text(text)
    )
    return text if is_plain else f'"{"".join(map(_quoted, text))}"'


_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _quoted(letter: str) -> str:
    """Write one character inside double quotes; YAML has no surrogate pairs, unlike JSON."""
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
    except ValueError:  # so many digits that it reads as no number either
        return False
