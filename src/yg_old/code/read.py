"""Read source files: bytes in, facts out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg_old.code.facts import ALGORITHM, FileFacts
from yg_old.code.languages import language_of
from yg_old.code.parts import SEPARATOR, SHORT
from yg_old.code.scan import ScanError, scan
from yg_old.kernel.codec import Codec, FileRecipe
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.sources import words_lacking

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg_old.code.language import Language
    from yg_old.code.scan import Token
    from yg_old.kernel.sources import Sources

LONE_RETURN = re.compile(r"\r(?!\n)")  # a line break in some languages, a part of strings in others
SILENT = frozenset(("line", "doc", "directive"))  # kinds of tokens that are no code
TEXTS = frozenset("string fstring template raw verbatim heredoc".split())
NO_WORD_BEFORE, NO_WORD_AFTER = re.compile(r"(?<!\w)"), re.compile(r"(?!\w)")


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


def lacking_anchors(path: str, text: str, anchors: frozenset[str]) -> frozenset[str]:
    """Return the anchors that a source text does not have: their tokens, in a row.

    They may also be inside of a string, but not in a comment or in a docstring. An anchor without
    tokens, such as a comment, is sought as text, and so is every anchor if the language or the
    text cannot be read.
    """
    text = normalised(text)
    as_text = {anchor: normalised(anchor) for anchor in anchors}
    language = language_of(path)
    if language is None:
        return _without(text, as_text)
    try:
        tokens = scan("\n" + text, language.lexicon)
    except ScanError:
        return _without(text, as_text)
    rows = {anchor: row for anchor, sought in as_text.items() if (row := _row(language, sought))}
    code = (text for _, text, _ in _code(tokens, docstrings=language.docstrings))
    missing = _without(SEPARATOR.join(("", *code, "")), rows)
    texts = _code(tokens, docstrings=language.docstrings)
    strings = (SEPARATOR * 3).join(_with_ends(text) for kind, text, _ in texts if kind in TEXTS)
    return _without(strings, {anchor: _with_ends(as_text[anchor]) for anchor in missing}) | (
        _without(text, {anchor: as_text[anchor] for anchor in as_text.keys() - rows.keys()})
    )


def _row(language: Language, anchor: str) -> str:
    """Return the tokens of an anchor, joined; nothing if it has none or cannot be read."""
    start = language.start
    try:
        found = scan(start + anchor, replace(language.lexicon, balanced=False))
    except ScanError:
        return ""
    sought = [text for _, text, _ in _code([token for token in found if token[2] >= len(start)])]
    return SEPARATOR.join(("", *sought, "")) if sought else ""


def _without(text: str, sought: Mapping[str, str]) -> frozenset[str]:
    """Return the keys whose texts do not occur in another."""
    lacking = words_lacking([text.encode()], frozenset(sought.values())) if sought else frozenset()
    return frozenset(key for key, part in sought.items() if part in lacking)


def _with_ends(text: str) -> str:
    """Return a text with marks where no word goes on, so that a part is found only between them."""
    return NO_WORD_BEFORE.sub(SEPARATOR, NO_WORD_AFTER.sub(SEPARATOR, text))


def code_tokens(language: Language, text: str) -> Iterator[Token]:
    """Yield the tokens of a text that are code; raise ScanError if it cannot be read."""
    found = scan("\n" + text, language.lexicon)
    for kind, token, start in _code(found, docstrings=language.docstrings):
        yield kind, token, max(0, start - 1)


def _code(tokens: list[Token], *, docstrings: bool = False) -> Iterator[Token]:
    """Yield the tokens that are code: neither comments nor documentation."""
    previous = "line"
    depth = 0
    for index, token in enumerate(tokens, 1):
        kind = token[0]
        depth += (kind == "open") - (kind == "close")
        is_last = index == len(tokens) or tokens[index][0] == "line"
        is_alone = not depth and previous == "line" and is_last
        if kind not in SILENT and not (docstrings and kind == "string" and is_alone):
            yield token
        previous = kind


def read_words(path: str, data: bytes) -> tuple[str, ...] | None:
    """Return the words in the code of a source file, sorted; None if it cannot be read.

    Strings are code; comments and docstrings are not.
    """
    language = language_of(path)
    if language is None:
        return None
    try:
        tokens = code_tokens(language, normalised(data.decode("utf-8-sig")))
        texts = {text for _, text, _ in tokens}
    except (ScanError, UnicodeDecodeError):
        return None
    return tuple(sorted({word for text in texts for word in WORD.findall(text)}))


WORD = re.compile(r"[^\W\d]\w*")
# The index has lines of parts and names of imports, which baselines do not have.
FACTS: FileRecipe[FileFacts | None] = FileRecipe(
    f"{ALGORITHM}/{SHORT}/aliases/pieces", read_facts, Codec(FileFacts | None)
)
WORDS: FileRecipe[tuple[str, ...] | None] = FileRecipe(
    "words-1", read_words, Codec(tuple[str, ...] | None)
)


def facts_of(sources: Sources, path: str) -> FileFacts | None:
    """Return the facts of a source file; None if it has none or cannot be read."""
    try:
        return sources.computed(path, FACTS)
    except UnreadableError:
        return None
