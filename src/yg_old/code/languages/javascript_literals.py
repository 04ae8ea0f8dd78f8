"""Write the literals of JavaScript in one way, as formatters do."""

from __future__ import annotations

import re

IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*+", re.ASCII)
INTEGER = re.compile(r"0|[1-9]\d{0,14}", re.ASCII)
QUOTE = re.compile(r"""\\(.)|"|'""", re.DOTALL)
EXPONENT = re.compile(r"(?<=[\d.])e[+]?(-?)")
FRACTION = re.compile(r"\.(\d*?)0*+(?=e|\Z)")


def normal_string(text: str) -> str:
    """Return a string in double quotes, with a backslash in front of these and no other quotes."""
    if "\\" not in text:
        if text[0] == '"':
            return text  # the same object, to save memory
        if '"' not in text:
            return f'"{text[1:-1]}"'
    return f'"{QUOTE.sub(_quote, text[1:-1])}"'


def _quote(match: re.Match[str]) -> str:
    """Return a quote or an escape as it is in double quotes."""
    character = match[1] or match[0]
    if character == '"':
        return '\\"'
    return "'" if character == "'" else match[0]


def normal_attribute(text: str) -> str:
    """Return the string of an attribute in double quotes; in it, a backslash is one."""
    plain = text[1:-1].replace("&apos;", "'").replace("&quot;", '"')
    return '"{}"'.format(plain.replace('"', "&quot;"))


def normal_number(text: str) -> str:
    """Return a number in lower case, with a digit before its point and no zeros at its end."""
    if text.isdigit():
        return text
    number = text.lower()
    if number[:2] in ("0x", "0b", "0o"):
        return number
    number = FRACTION.sub(lambda match: f".{match[1]}" if match[1] else "", number)
    number = EXPONENT.sub(r"e\1", number)
    return number if number[0] != "." else f"0{number}"
