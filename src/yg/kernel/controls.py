"""Control characters: what makes a terminal do something, or changes the order of what it shows."""

from __future__ import annotations

import re

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
