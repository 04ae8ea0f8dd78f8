"""Names of code in sentences: which parts of a source file a sentence mentions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg_old.code.parts import FILE
from yg_old.text.paths import name_of, parent
from yg_old.text.sentences import code_spans
from yg_old.yggdrasil.code.quoted_names import FILE_ENDINGS, SHORTEST, WORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg_old.text.sentences import Sentence

# A name and what it is qualified by. Words of paths, options and names with hyphens are no names.
CHAIN = re.compile(r"(?<![\w$/@-])[^\W\d][\w$]*+(?:(?:\.|::|#|->)[^\W\d][\w$]*+)*+")
GOES_ON = re.compile(r"[/@]|-(?!>)")
SEPARATOR = re.compile(r"\.|::|#|->")
LINK = re.compile(r"\]\([^()\s]*\)|<?https?://[^\s>)]*")  # the targets of links
NOT_ENGLISH = re.compile(r"_|\d|\B[A-Z]")  # in no English word
CALL = re.compile(r"\((?!e?s\))")  # but not in "file(s)"
ITSELF = frozenset(("self", "this", "cls", "Self"))
INSIDE = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")  # the words of a name
MOST_WORDS = 8  # of a class after which a variable is named

ARGUMENT = "("  # instead of a qualifier: the name stands alone among the arguments of a call

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
    depth = at = 0
    for match in _chains(code):
        depth += code.count("(", at, match.start()) - code.count(")", at, match.start())
        at = match.start()
        is_argument = depth > 0 and not code.startswith("(", match.end())
        for name, qualifier in _qualified(match[0]):
            found.setdefault(name, set()).add(qualifier or (ARGUMENT if is_argument else ""))


def _add_plain(found: Mentions, text: str) -> None:
    """Add the words of a plain text that cannot be English, and those behind a dot."""
    for match in _chains(text):
        is_call = bool(CALL.match(text, match.end()))
        for name, qualifier in _qualified(match[0]):
            if qualifier or is_call or NOT_ENGLISH.search(name):
                found.setdefault(name, set()).add(qualifier)


def _chains(text: str) -> Iterator[re.Match[str]]:
    return (match for match in CHAIN.finditer(text) if not GOES_ON.match(text, match.end()))


def _qualified(chain: str) -> Iterator[tuple[str, str]]:
    """Yield the names of a chain like `Cart.total`, each with the one before it."""
    names = SEPARATOR.split(chain)
    pairs = zip(names, ("", *names), strict=False)
    is_file = len(names) > 1 and names[-1] in FILE_ENDINGS  # or a member of that name
    yield from list(pairs)[-1:] if is_file else pairs


class PartName:
    """The name of a part of a file, in the forms in which sentences mention it."""

    def __init__(self, name: str, path: str, *, is_common: bool = False) -> None:
        """Take the name as in the facts of the file, and the path of the file.

        A common name is one of many members; alone it does not tell which.
        """
        words = WORD.findall(name) if name != FILE else []
        self.last = words[-1] if words and len(words[-1]) >= SHORTEST else ""
        self._owner = words[-2] if len(words) > 1 else ""
        self._is_common = is_common
        self._qualifiers = _member_of(self._owner) if self._owner else _modules(path)

    def is_in(self, mentions: Mapping[str, set[str]]) -> bool:
        """Return whether a sentence with these names mentions the part."""
        qualifiers = mentions.get(self.last, ()) if self.last else ()
        return any(self._allows(qualifier, mentions) for qualifier in qualifiers)

    def _allows(self, qualifier: str, mentions: Mapping[str, set[str]]) -> bool:
        """Return whether the part can be meant by its name with a qualifier, or with none."""
        if qualifier == ARGUMENT:
            return not self._owner  # a parameter is named like many members
        if not qualifier:
            return not (self._owner and self._is_common) or self._owner in mentions
        return qualifier.casefold() in self._qualifiers


def _member_of(owner: str) -> frozenset[str]:
    """Return what may stand before a member: its class, or a variable named like the class."""
    words = [word.casefold() for word in INSIDE.findall(owner)]
    variables = ("_".join(words[start:]) for start in range(-min(len(words), MOST_WORDS), 0))
    return frozenset((owner.casefold(), "".join(words), *variables, *ITSELF, *words[-1:]))


def _modules(path: str) -> frozenset[str]:
    """Return what may stand before a name at the top of a file: its module or its directory."""
    modules = (name_of(path).partition(".")[0], name_of(parent(path)))
    return frozenset(module.casefold() for module in modules if module)
