"""Read source files: bytes in, facts out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.code.facts import ALGORITHM, SEPARATOR, FileFacts
from yg.code.languages import language_of
from yg.code.scan import ScanError, scan
from yg.kernel.codec import Codec, FileRecipe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.code.scan import Token

LONE_RETURN = re.compile(r"\r(?!\n)")  # a line break in some languages, a part of strings in others
SILENT = frozenset(("line", "doc", "directive"))  # kinds of tokens that are no code
TEXTS = frozenset("string fstring template raw verbatim heredoc".split())


def read_facts(path: str, data: bytes) -> FileFacts | None:
    """Return the facts of a source file; None if its language or its text cannot be read.

    The path tells the language, and in Python whether the file is the `__init__` of a package.
    """
    language = language_of(path)
    if language is None:
        return None
    try:
        text = data.decode("utf-8-sig")
        if SEPARATOR in text or LONE_RETURN.search(text):
            return None
        return language.read(path, normalised(text)).facts()
    except Exception:  # noqa: BLE001 - a text that cannot be read is a result: a change of unknown class
        return None


def normalised(text: str) -> str:
    """Return a text with a line feed for every line break."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def contains_tokens(path: str, text: str, anchor: str) -> bool | None:
    """Tell whether the tokens of an anchor occur in a source text, in a row.

    They may also stand inside of a string, but not in a comment or in a docstring. None if the
    language or the text cannot be read.
    """
    language = language_of(path)
    if language is None:
        return None
    try:
        tokens = scan("\n" + normalised(text), language.lexicon)
        sought = scan(anchor, replace(language.lexicon, balanced=False))
    except ScanError:
        return None
    code = list(_code(tokens, docstrings=language.docstrings))
    joined = SEPARATOR.join(("", *(token for _, token in code), ""))
    if SEPARATOR.join(("", *(token for _, token in _code(sought, docstrings=False)), "")) in joined:
        return True
    word = re.compile(rf"(?<!\w){re.escape(anchor)}(?!\w)")
    return any(word.search(token) for kind, token in code if kind in TEXTS)


def _code(tokens: list[Token], *, docstrings: bool) -> Iterator[tuple[str, str]]:
    """Yield the kinds and texts of the tokens that are code."""
    previous = "line"
    depth = 0
    following = [*(kind for kind, _, _ in tokens[1:]), "line"]
    for (kind, text, _), next_kind in zip(tokens, following, strict=True):
        depth += (kind == "open") - (kind == "close")
        is_alone = not depth and previous == "line" and next_kind == "line"
        if kind not in SILENT and not (docstrings and kind == "string" and is_alone):
            yield kind, text
        previous = kind


def read_words(path: str, data: bytes) -> tuple[str, ...] | None:
    """Return the words in the code of a source file, sorted; None if it cannot be read.

    Strings are code; comments and docstrings are not.
    """
    language = language_of(path)
    if language is None:
        return None
    try:
        tokens = scan("\n" + normalised(data.decode("utf-8-sig")), language.lexicon)
    except (ScanError, UnicodeDecodeError):
        return None
    texts = {token for _, token in _code(tokens, docstrings=language.docstrings)}
    return tuple(sorted({word for text in texts for word in WORD.findall(text)}))


WORD = re.compile(r"[^\W\d]\w*")
FACTS: FileRecipe[FileFacts | None] = FileRecipe(ALGORITHM, read_facts, Codec(FileFacts | None))
WORDS: FileRecipe[tuple[str, ...] | None] = FileRecipe(
    "words-1", read_words, Codec(tuple[str, ...] | None)
)
