"""Write the tokens of a header on one line, with the same spaces whatever the file has."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST = 400  # characters of a header line; the digest still covers all of it

TIGHT_BEFORE = frozenset(", ; : ) ] . ? ?. :: ! ++ --".split())
TIGHT_AFTER = frozenset("( [ . @ ~ ! :: ?. & # ++ -- ...".split())
KEYWORDS = frozenset(
    "and as assert async await case catch class const def default del elif else enum except export"
    " extends extern finally fn for from func function if impl implements import in interface is"
    " lambda let mod mut new not of or pub raise return static struct trait type var where while"
    " with yield".split()
)
OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
UNARY = frozenset("* ** - + &".split())


def header_line(tokens: Sequence[str], *, tight: bool = False) -> str:
    """Return the tokens as one line; if tight, `a=1` in brackets, as Python has it.

    A name with an annotation keeps its spaces: `a: int = 1`.
    """
    if tight:
        tokens = list(_with_tight_defaults(tokens))
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


def _with_tight_defaults(tokens: Sequence[str]) -> Iterator[str]:
    """Join a name, the `=` behind it and what follows, unless the name has an annotation."""
    annotated: list[bool] = []  # of each open bracket: since its last comma
    waiting: list[str] = []
    for index, token in enumerate(tokens):
        if token in OPENING:
            annotated.append(False)
        elif token in CLOSING and annotated:
            annotated.pop()
        elif token in (",", ":") and annotated:
            annotated[-1] = token == ":"
        following = tokens[index + 1] if index + 1 < len(tokens) else ""
        is_default = bool(annotated) and not annotated[-1]
        waiting.append(token)
        if is_default and (token == "=" or (following == "=" and token.isidentifier())):
            continue
        yield "".join(waiting)
        waiting = []
    if waiting:
        yield "".join(waiting)


def _is_spaced(before: str, previous: str, token: str) -> bool:
    if token in TIGHT_BEFORE or previous in TIGHT_AFTER:
        return False
    if previous == "<" or token == ">":
        return False  # type arguments; a comparison is rare in a header
    if token == "<":
        return not (previous[-1].isalnum() or previous[-1] in "_$")
    if token in ("(", "["):
        is_name = previous[-1].isalnum() or previous[-1] in "_)]>"
        return not is_name or previous in KEYWORDS
    if previous in UNARY:
        is_operand = before and (before[-1].isalnum() or before[-1] in "_)]}\"'")
        return bool(is_operand) and before not in KEYWORDS
    return True
