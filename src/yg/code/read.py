"""Read source files: bytes in, facts out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.code.facts import SEPARATOR
from yg.code.languages import language_of
from yg.code.scan import ScanError, scan

if TYPE_CHECKING:
    from yg.code.facts import FileFacts
    from yg.code.scan import Lexicon


def read_facts(path: str, data: bytes) -> FileFacts | None:
    """Return the facts of a source file; None if its language or its text cannot be read.

    The path tells the language, and in Python whether the file is the `__init__` of a package.
    """
    language = language_of(path)
    if language is None:
        return None
    try:
        text = data.decode("utf-8-sig")
        if SEPARATOR in text:
            return None
        return language.read(path, normalised(text)).facts()
    except Exception:  # noqa: BLE001 - a text that cannot be read is a result: a change of unknown class
        return None


def normalised(text: str) -> str:
    """Return a text with a line feed for every line break."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def contains_tokens(path: str, text: str, anchor: str) -> bool | None:
    """Tell whether the tokens of an anchor occur in a source text, in a row and not in a comment.

    The anchor may also stand inside of a string. None if the language or the text cannot be read.
    """
    language = language_of(path)
    if language is None:
        return None
    try:
        tokens = scan(normalised(text), language.lexicon)
        sought = _texts(anchor, replace(language.lexicon, balanced=False))
    except ScanError:
        return None
    code = SEPARATOR.join(("", *(token for kind, token, _ in tokens if kind != "line"), ""))
    if SEPARATOR.join(("", *sought, "")) in code:
        return True
    return any(anchor in token for kind, token, _ in tokens if kind == "string")


def _texts(text: str, lexicon: Lexicon) -> list[str]:
    return [token for kind, token, _ in scan(text, lexicon) if kind != "line"]
