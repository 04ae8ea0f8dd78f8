"""Manifests and configurations of languages: the text of each, and the object or table in it.

They are read within limits, because parsers take much more memory than the text they read. One
that is larger, nested deeper or not valid is not usable: it is read as if it were empty, so that
an import that needs it is not resolved.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from yg_old.code.resolvers.tree import ReadText

LARGEST = 256_000  # characters
DEEPEST = 32  # parts of a dotted key of TOML; the table of each holds the next

# Strings are matched to be kept. Without its last quote a string ends with the line or the text,
# so that no character is read twice.
_JSON_STRING = r'"(?: [^"\\\n]++ | \\. )*+"?+'
_COMMENTS = re.compile(
    rf"{_JSON_STRING} | //[^\n]*+ | /\*(?: [^*]++ | \*(?!/) )*+(?:\*/)?+", re.DOTALL | re.VERBOSE
)
_COMMAS = re.compile(rf"{_JSON_STRING} | ,(?=\s*+[\]}}])", re.DOTALL | re.VERBOSE)

_PART = r"""(?: [\w-]++ | "(?: [^"\\\n]++ | \\. )*+"?+ | '[^'\n]*+'?+ )"""
_TOML = re.compile(
    rf"""
    \"{{3}}(?: [^"\\]++ | \\. | "(?!"") )*+(?:\"{{3}})?+
    | '{{3}}(?: [^']++ | '(?!'') )*+(?:'{{3}})?+
    | \#[^\n]*+
    | (?P<key> {_PART}(?: [ \t]*+\.[ \t]*+{_PART} )*+ )
    """,
    re.DOTALL | re.VERBOSE,
)
_PARTS = re.compile(_PART, re.DOTALL | re.VERBOSE)


class Manifests:
    """The manifests of a repository; each is read when it is asked for."""

    def __init__(self, read: ReadText) -> None:
        self._read = read

    def text(self, file: str) -> str:
        """Return the text of a file; empty if it is not usable."""
        text = self._read(file)
        return "" if text is None or len(text) > LARGEST else text

    def json(self, file: str) -> dict[str, Any]:
        """Return the JSON object of a file, which may have comments and trailing commas."""
        text = self.text(file)
        value = _decoded(text)
        if value is None:
            for lacking in (_COMMENTS, _COMMAS):
                text = lacking.sub(lambda match: match[0] if match[0][0] == '"' else " ", text)
            value = _decoded(text)
        return value if isinstance(value, dict) else {}

    def toml(self, file: str) -> dict[str, Any]:
        """Return the TOML table of a file."""
        import tomllib

        text = self.text(file)
        if _is_deep(text):
            return {}
        try:
            return tomllib.loads(text)
        except (ValueError, RecursionError):
            return {}  # its own tools report it


def _decoded(text: str) -> Any:
    """Return the value of a JSON text; None if it is not valid, which its own tools report."""
    from msgspec import DecodeError
    from msgspec.json import decode

    try:
        return decode(text)
    except (DecodeError, UnicodeError, RecursionError):
        return None


def _is_deep(text: str) -> bool:
    """Return whether a key of a TOML text has more than DEEPEST parts."""
    if text.count(".") < DEEPEST:
        return False
    keys = (found["key"] for found in _TOML.finditer(text) if found["key"])
    return any(key.count(".") >= DEEPEST and len(_PARTS.findall(key)) > DEEPEST for key in keys)
