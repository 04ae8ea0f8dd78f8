"""The first sentence of the documentation of a source file, as its author wrote it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg.code.languages import ENDINGS, ending
from yg.text.escapes import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 240  # characters
_PYTHON = re.compile(
    r"(?:[ \t\f]*(?:#[^\n]*)?\n)*[rRuU]?"
    r"""(?:\"{3}(.+?)\"{3}|'{3}(.+?)'{3}|"([^"\n]+)"|'([^'\n]+)')""",
    re.DOTALL,
)
# Comments, each matched whole; those about the file as a whole have the group `end`.
_SLASHES = re.compile(r"((?:^//[^\n]*+\n)++)(?P<end>package\s)?", re.MULTILINE)
_INNER = re.compile(r"//(?!!)[^\n]*+|((?://![^\n]*+\n)++)(?P<end>)")
_BLOCK = re.compile(r"/\*\*(.*?)(?:(?P<end>\*/)|\Z)", re.DOTALL)
_MARKS = re.compile(r"^[ \t]*(?:\*+|//[/!]?)[ \t]?", re.MULTILINE)
_TAGS = re.compile(r"@(?:fileoverview|file|module|packageDocumentation)\b[ \t]*", re.IGNORECASE)
_END = re.compile(r"(?<=[.!?])\s|\n[ \t]*\n|\n[ \t]*[=\-~^*#]{3,}|\n@")
_LEGAL = re.compile(r"copyright|licen[cs]e|spdx", re.IGNORECASE)
_HEAD = 20_000  # characters of a file that are searched


def first_sentence(path: str, text: str) -> str:
    """Return the first sentence about a file as a whole, on one line; empty if there is none."""
    head = text[:_HEAD].replace("\r\n", "\n")
    match ENDINGS.get(ending(path)):
        case "python":
            found = _PYTHON.match(head)
            said = next((part for part in found.groups() if part), "") if found else ""
        case "go":
            said = _first(_SLASHES, head)
        case "rust":
            said = _first(_INNER, head)
        case "java" if path.endswith("package-info.java"):
            said = _first(_BLOCK, head)
        case "javascript" | "typescript":
            said = next(filter(_TAGS.search, _comments(_BLOCK, head)), "")
        case _:
            said = ""
    return _sentence(_TAGS.sub("", _MARKS.sub("", said)))


def _first(pattern: re.Pattern[str], text: str) -> str:
    return next((said for said in _comments(pattern, text) if not _LEGAL.search(said)), "")


def _comments(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    return (found[1] for found in pattern.finditer(text) if found["end"] is not None)


def _sentence(text: str) -> str:
    sentence = " ".join(_END.split(text.strip(), maxsplit=1)[0].split())
    sentence = visible(sentence.lstrip("# "))
    if not any(map(str.isalnum, sentence)) or _LEGAL.search(sentence):
        return ""
    return sentence if len(sentence) <= LONGEST else sentence[: LONGEST - 3].rstrip() + "..."
