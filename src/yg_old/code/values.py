"""Numbers and quoted strings in source texts, in a form in which texts can be searched for them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.languages import language_of
from yg_old.code.read import code_tokens, normalised
from yg_old.code.scan import ScanError

if TYPE_CHECKING:
    from collections.abc import Iterator

# Not the end of a name, such as SHA-256.
NUMBER = re.compile(r"(?<!\w)(?<![A-Za-z]-)(?<!\d[_.,])\d+(?:[_.,]\d+)*")
BETWEEN = str.maketrans("", "", "_.,")
STRING = re.compile(r"""[\w$@#]{0,3}("{3}|'{3}|["'`])(.*)\1#*""", re.DOTALL)
OTHER_BASE = re.compile(r"0[xXbBoO]")
SHORTEST_STRING = 3
LONGEST_STRING = 200  # longer ones are not quoted in texts


class Value(Struct, frozen=True):
    """A number or a string of a source text."""

    key: str  # the digits of a number; the content of a string
    text: str  # as the code writes it
    is_number: bool = True


def digits(number: str) -> str:
    """Return the digits of a number without what stands between them and without leading zeros."""
    return number.translate(BETWEEN).lstrip("0")


def numbers_in(text: str) -> Iterator[Value]:
    """Yield the numbers in a text; a letter before a number makes it a part of a name."""
    for match in NUMBER.finditer(text):
        if key := digits(match[0]):
            yield Value(key, match[0])


def values_by_line(path: str, text: str) -> dict[int, list[Value]]:
    """Return the numbers and strings in the code of a source text, by line.

    Comments and documentation have none; nor has a text that cannot be read.
    """
    language = language_of(path)
    if language is None:
        return {}
    found: dict[int, list[Value]] = {}
    line, at = 1, 0
    source = normalised(text)
    try:
        for _, token, start in code_tokens(language, source):
            if start > at:
                line += source.count("\n", at, start)
                at = start
            if values := list(_values(token)):
                found.setdefault(line, []).extend(values)
    except ScanError:
        return {}
    return found


def _values(token: str) -> Iterator[Value]:
    if token[:1].isdigit():
        if not OTHER_BASE.match(token):
            yield from numbers_in(token)
        return
    match = STRING.fullmatch(token)
    if match is None:
        return
    content = match[2]
    if SHORTEST_STRING <= len(content) <= LONGEST_STRING and "\n" not in content:
        yield Value(content, token, is_number=False)
    yield from numbers_in(content)
