"""A language that can be read: its lexical rules, and the function that finds its facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.facts import SourceReading
from yg_old.code.scan import Lexicon, scan

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.code.scan import Token


class Language(Struct, frozen=True):
    """One language."""

    name: str
    lexicon: Lexicon
    read: Callable[[str, str], SourceReading]  # from a path and a text; may raise ScanError
    docstrings: bool = False  # a string alone on its line documents
    start: str = ""  # of a text, in front of its code


def tokens_only(
    name: str,
    lexicon: Lexicon,
    layout: Callable[[list[Token]], list[Token]] | None = None,
    start: str = "",
) -> Language:
    """Return a language of which only the tokens are read; a layout drops or adds some."""

    def read(_path: str, text: str) -> SourceReading:
        tokens = scan(text, lexicon)
        reading = SourceReading(len(text))
        reading.tokens = [text for _, text, _ in (layout(tokens) if layout else tokens)]
        return reading

    return Language(name, lexicon, read, start=start)
