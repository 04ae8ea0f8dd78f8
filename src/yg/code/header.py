"""Write the tokens of a header on one line, with the same spaces whatever the file has."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST = 400  # characters of a header line; the digest still covers all of it

TIGHT_BEFORE = frozenset(", ; : ) ] . ? ?. :: ! ++ --".split())
TIGHT_AFTER = frozenset("( [ . @ ~ ! :: ?. & # ++ -- ...".split())
CALLABLE_END = frozenset(")]>")
KEYWORDS = frozenset(
    "and as assert async await case catch class const def default del elif else enum except export"
    " extends extern finally fn for from func function if impl implements import in interface is"
    " lambda let mod mut new not of or pub raise return static struct trait type var where while"
    " with yield".split()
)
UNARY = frozenset("* ** - + &".split())


def header_line(tokens: Sequence[str]) -> str:
    """Return the tokens as one line."""
    parts: list[str] = []
    length = 0
    previous = before = ""
    for token in tokens:
        if parts and _is_spaced(before, previous, token):
            parts.append(" ")
        text = token if "\n" not in token else " ".join(token.split())
        parts.append(text)
        length += len(text) + 1
        if length > LONGEST:
            return "".join(parts)[:LONGEST].rstrip() + "..."
        before, previous = previous, token
    return "".join(parts)


def _is_spaced(before: str, previous: str, token: str) -> bool:
    if token in TIGHT_BEFORE or previous in TIGHT_AFTER:
        return False
    if token in ("(", "["):
        is_name = previous[-1].isalnum() or previous[-1] in "_)]>"
        return not is_name or previous in KEYWORDS
    if previous in UNARY:
        is_operand = before and (before[-1].isalnum() or before[-1] in "_)]}\"'")
        return bool(is_operand) and before not in KEYWORDS
    return True
