"""Names of code in sentences: which parts of a source file a sentence mentions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg.code.change_class import FILE
from yg.text.paths import name_of, parent
from yg.text.sentences import code_spans
from yg.yggdrasil.code.quoted_names import FILE_ENDINGS, SHORTEST, WORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg.text.sentences import Sentence

# A name and what it is qualified by. Words of paths, options and names with hyphens are no names.
CHAIN = re.compile(r"(?<![\w$/@-])[^\W\d][\w$]*+(?:(?:\.|::|#|->)[^\W\d][\w$]*+)*+(?![/@]|-(?!>))")
SEPARATOR = re.compile(r"\.|::|#|->")
LINK = re.compile(r"\]\([^()\s]*\)|<?https?://[^\s>)]*")  # the targets of links
# What no English word has: an underscore, a digit, or a capital after a small letter or before one.
NOT_ENGLISH = re.compile(r"_|\d|[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
CALL = re.compile(r"\((?!e?s\))")  # but not in "file(s)"
ITSELF = frozenset(("self", "this", "cls", "Self"))
INSIDE = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")  # the words of a name

Mentions = dict[str, set[str]]  # a name, and the names before its dots; empty: it stands alone


def mentions_in(sentence: Sentence) -> Mentions:
    """Return the names of code in a sentence, with what qualifies them."""
    found: Mentions = {}
    if sentence.is_code:
        _add_code(found, sentence.text)
        return found
    text, at = sentence.text, 0
    plain = []
    for start, end in code_spans(text):
        plain.append(text[at:start])
        _add_code(found, text[start:end].strip("`"))
        at = end
    for part in (*plain, text[at:]):
        _add_plain(found, LINK.sub("]", part))
    return found


def _add_code(found: Mentions, code: str) -> None:
    for match in CHAIN.finditer(code):
        for name, qualifier in _qualified(match[0]):
            found.setdefault(name, set()).add(qualifier)


def _add_plain(found: Mentions, text: str) -> None:
    """Add the words of a plain text that cannot be English, and those behind a dot."""
    for match in CHAIN.finditer(text):
        is_call = bool(CALL.match(text, match.end()))
        for name, qualifier in _qualified(match[0]):
            if qualifier or is_call or NOT_ENGLISH.search(name):
                found.setdefault(name, set()).add(qualifier)


def _qualified(chain: str) -> Iterator[tuple[str, str]]:
    """Yield the names of a chain like `Cart.total`, each with the one before it."""
    names = SEPARATOR.split(chain)
    if len(names) > 1 and names[-1] in FILE_ENDINGS:
        return  # the name of a file
    yield from zip(names, ("", *names), strict=False)


class PartName:
    """The name of a part of a file, in the forms in which sentences mention it."""

    def __init__(self, name: str, path: str) -> None:
        """Take the name as in the facts of the file, and the path of the file."""
        words = WORD.findall(name) if name != FILE else []
        self.last = words[-1] if words and len(words[-1]) >= SHORTEST else ""
        self._owner = words[-2] if len(words) > 1 else ""
        self._qualifiers = _member_of(self._owner) if self._owner else _modules(path)

    def is_in(self, mentions: Mapping[str, set[str]]) -> bool:
        """Return whether a sentence with these names mentions the part."""
        qualifiers = mentions.get(self.last, ()) if self.last else ()
        return any(not each or each.casefold() in self._qualifiers for each in qualifiers)


def _member_of(owner: str) -> frozenset[str]:
    """Return what may stand before a member: its class, or a variable named like the class."""
    words = [word.casefold() for word in INSIDE.findall(owner)]
    variables = ("_".join(words[start:]) for start in range(len(words)))
    return frozenset((owner.casefold(), "".join(words), *variables, *ITSELF, *words[-1:]))


def _modules(path: str) -> frozenset[str]:
    """Return what may stand before a name at the top of a file: its module or its directory."""
    modules = (name_of(path).partition(".")[0], name_of(parent(path)))
    return frozenset(module.casefold() for module in modules if module)
