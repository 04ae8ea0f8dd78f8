"""Full-text search: what is indexed, what a query matches, and how the results are ranked.

**Documents.** Each file of a node, an aspect or a flow is a document: its declaration and its
texts. A document has four columns of tokens:

- `name` and `path`, of a declaration only: the words of the name or path, then the parts of those
  words that have several, each group after a token `_`;
- `body`: the words of the text;
- `parts`: the parts of those words of the text that have several, each group after a token `_`.

A word is a run of letters, digits and underscores, case folded, without underscores at its ends
(`words.py`). In JSON files the escapes of strings are replaced by their characters first.

**Matches.** A term of a query is one word, or several that must follow one another: those of a
quoted phrase, or of an argument such as `order-service`. A term occurs where a column has its words
one after another, or the parts of its words. With `*`, the last of them may be the beginning of a
longer one; without `*` and quotes, it may be its English plural or singular (`other_numbers`). A
document matches if all terms occur in it, and none of those after `-`.

If no document has all terms, those match that have the highest number of them, and those with the
rarest terms come first: terms are compared by the number of documents that have them, and then by
their order in the query.

**Order.** First come the documents in which the words of every term occur in `name`, `path` or
`body`; the others have some only in parts. In both groups, first come the documents in which a term
occurs in `name` or `path`. Then the highest score comes first, then the smallest path, document and
kind.

**Score.** BM25 as FTS5 computes it, over all documents of the graph, rounded to nine digits. The
phrases are, for each term, its words, the parts of its words if those differ, and both in the other
number. With N documents, n of which contain a phrase p, and |D| tokens in all columns of a document
D, `avgdl` on average:

    idf(p)   = ln((N - n + 0.5) / (n + 0.5)), or 1e-6 if that is not positive
    f(p, D)  = the occurrences of p in the columns of D, each times the weight of its column
    score(D) = the sum of idf(p) * f * (k1 + 1) / (f + k1 * (1 - b + b * |D| / avgdl))

k1 is 1.2, b is 0.75, and WEIGHTS has the weights of the columns.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, NamedTuple

from msgspec import Struct

from yg_old.kernel.codec import Codec
from yg_old.kernel.document import Count, File, Positive, Record, Text, about, one_of
from yg_old.kernel.errors import UsageError
from yg_old.kernel.issue import Finding  # noqa: TC001  # decoding needs it
from yg_old.text.plural import other_numbers
from yg_old.text.suggest import Candidates, Suggester
from yg_old.text.words import Word, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

WEIGHTS = {"name": 8.0, "path": 4.0, "body": 1.0, "parts": 0.5}
DIGITS = 9  # of a score: the last ones depend on the order of additions
MOST_WORDS = 64  # in a query
SEPARATOR = "_"  # a token before the parts of a word
JSON = ".json"

_TERM = re.compile(r'(-?)(?:"([^"]*)"?(\*?)|(\S+))')
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_BLANKS = "nrtbf"  # letters that stand for control characters after a backslash

DECISION = "decision"  # the kind of decision records, which belong to no part of the graph


class SearchedText(Struct, frozen=True, kw_only=True):
    """A document of the graph, without its text."""

    kind: str  # node, aspect, flow or decision
    path: str  # of the node, or `aspects/ID`, `flows/DIR` or `decision NUMBER`
    document: str  # its file name, or FILE#HEADING outside the graph
    file: str  # from the root of the repository
    name: str = ""  # of what it declares; empty if it is not a declaration
    key: str = "name"  # the key of the name in the file


class Scope(Struct, frozen=True, kw_only=True):
    """The documents to search: of one kind, or of a node and those inside it; empty: all."""

    kind: str = ""
    node: str = ""


EVERYWHERE = Scope()


class Texts(Struct, frozen=True):
    """The documents of a graph, and findings about declarations that cannot be read."""

    entries: Iterable[SearchedText]
    unread: tuple[Finding, ...] = ()


class Columns(NamedTuple):
    """The tokens of a document, separated by blanks."""

    name: str
    path: str
    body: str
    parts: str


class SyncedTexts(Struct, frozen=True, array_like=True):
    """A state of the full-text index that holds all documents of the graph, and what it lacks."""

    generation: int
    unread: tuple[Finding, ...]


SYNCED: Codec[SyncedTexts] = Codec(SyncedTexts)


class Ranked(Struct, frozen=True):
    """A document that matches, and where."""

    entry: SearchedText
    is_whole: bool  # whether every term occurs as whole words
    is_named: bool  # whether a term occurs in the name or path


class FoundLine(Record, frozen=True, kw_only=True):
    """One line with words of the query."""

    line: Annotated[Positive, about("Its number, from 1.")]
    text: Annotated[str, about("The line, without blanks at both ends, cut around the match.")]


class Found(Record, frozen=True, kw_only=True):
    """One document that was found."""

    kind: Annotated[str, one_of("node", "aspect", "flow", DECISION), about("What it belongs to.")]
    path: Annotated[
        Text,
        about(
            "The path or id of the node, `aspects/` and an id, `flows/` and a directory, or "
            "`decision` and its number."
        ),
    ]
    document: Annotated[Text, about("The name of the document.")]
    file: File
    line: Annotated[Positive, about("The number of the best line, from 1.")]
    text: Annotated[str, about("That line, without blanks at both ends, cut around the match.")]
    whole: Annotated[bool, about("Whether all words of the query occur as whole words.")]
    named: Annotated[bool, about("Whether a word of the query occurs in the name or path.")]
    others: Annotated[tuple[FoundLine, ...], about("Other lines with words of the query.")]
    hidden: Annotated[Count, about("The number of further lines with words of the query.")]


class Unknown(Record, frozen=True, kw_only=True):
    """One word that does not occur in the graph."""

    word: Annotated[Text, about("The word, in lower case.")]
    near: Annotated[tuple[Text, ...], about("The most similar words that occur, the best first.")]


class Search(Struct, frozen=True, kw_only=True):
    """The result of a search."""

    found: tuple[Found, ...]  # the best
    total: int  # the number of documents that match
    is_partial: bool = False  # whether no document has all terms
    unknown: tuple[Unknown, ...] = ()  # only if none has all terms
    unread: tuple[Finding, ...] = ()


class Term(Struct, frozen=True, kw_only=True, dict=True):
    """One or more words that must follow one another."""

    words: tuple[Word, ...]
    is_prefix: bool = False
    is_excluded: bool = False
    is_quoted: bool = False  # then the last word has no other number

    @property
    def wholes(self) -> tuple[str, ...]:
        """Its words."""
        return tuple(word.whole for word in self.words)

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of its words."""
        return tuple(part for word in self.words for part in word.parts)

    @property
    def text(self) -> str:
        """The term as it is shown."""
        return " ".join(self.wholes) + ("*" if self.is_prefix else "")

    @property
    def whole(self) -> str:
        """The FTS5 phrase of its words."""
        return self._phrase(self.wholes)

    @cached_property
    def phrases(self) -> tuple[tuple[str, ...], ...]:
        """Its words, their parts if those differ, and both in the other number."""
        given = dict.fromkeys((self.wholes, self.parts))
        if self.is_prefix or self.is_quoted:
            return tuple(given)
        others = ((*words, form) for *words, last in given for form in other_numbers(last))
        return tuple(dict.fromkeys((*given, *others)))

    @cached_property
    def _tokens(self) -> frozenset[str]:
        return frozenset(token for phrase in self.phrases for token in phrase)

    @property
    def match(self) -> str:
        """The FTS5 expression for any of its phrases."""
        return f"({' OR '.join(map(self._phrase, self.phrases))})"

    def _phrase(self, tokens: tuple[str, ...]) -> str:
        return f'"{" ".join(tokens)}"{" *" if self.is_prefix else ""}'

    def is_whole_in(self, words: Sequence[Word]) -> bool:
        """Return whether its words follow one another in a text."""
        return self._occurs([word.whole for word in words], self.wholes)

    def is_in(self, words: Sequence[Word]) -> bool:
        """Return whether one of its phrases occurs in a text."""
        wholes = [word.whole for word in words]
        return any(
            self._occurs(wholes, phrase) or any(self._occurs(word.parts, phrase) for word in words)
            for phrase in self.phrases
        )

    def touches(self, word: Word) -> bool:
        """Return whether a word of a text is, or has, one of its words or parts."""
        if not self._tokens.isdisjoint((word.whole, *word.parts)):
            return True
        ends = (self.wholes[-1], self.parts[-1])
        return self.is_prefix and any(text.startswith(ends) for text in (word.whole, *word.parts))

    def _occurs(self, tokens: Sequence[str], phrase: tuple[str, ...]) -> bool:
        """Return whether a phrase is among tokens."""
        *before, last = phrase
        for at, token in enumerate(tokens):
            if token == last or (self.is_prefix and token.startswith(last)):
                start = at - len(before)
                if start >= 0 and list(tokens[start:at]) == before:
                    return True
        return False


class Query(Struct, frozen=True):
    """A query: the terms that a document must have, and those that it must not have."""

    wanted: tuple[Term, ...]
    excluded: tuple[Term, ...] = ()

    @property
    def match(self) -> str:
        """The FTS5 expression for the documents with all terms."""
        return self._allowed(" AND ")

    @property
    def any(self) -> str:
        """The FTS5 expression for the documents with at least one term."""
        return self._allowed(" OR ")

    def _allowed(self, between: str) -> str:
        wanted = f"({between.join(term.match for term in self.wanted)})"
        excluded = " OR ".join(term.match for term in self.excluded)
        return f"{wanted} NOT ({excluded})" if excluded else wanted

    @property
    def whole(self) -> str:
        """The FTS5 expression for the documents in which every term occurs as whole words."""
        return " AND ".join(f"({{name path body}} : {term.whole})" for term in self.wanted)

    def touched_by(self, word: Word) -> tuple[Term, ...]:
        """Return the wanted terms that a word of a text is, or has, a part of."""
        return tuple(term for term in self.wanted if term.touches(word))

    @property
    def named(self) -> str:
        """The FTS5 expression for the documents with a term in their name or path."""
        return f"{{name path}} : ({' OR '.join(term.match for term in self.wanted)})"


def parse_query(text: str) -> Query:
    """Parse the text of a query; raise UsageError if it has no words or too many."""
    terms = dict.fromkeys(
        filter(None, (_term(*match.groups("")) for match in _TERM.finditer(text)))
    )
    wanted = tuple(term for term in terms if not term.is_excluded)
    if not wanted:
        raise UsageError("no words to search for", hint="For example: yg find payment refund")
    if sum(len(term.parts) for term in terms) > MOST_WORDS:
        raise UsageError(f"too many words; at most {MOST_WORDS} can be searched for at once")
    return Query(wanted, tuple(term for term in terms if term.is_excluded))


def _term(minus: str, phrase: str, star: str, bare: str) -> Term | None:
    words = tuple(words_of(phrase or bare))
    if not words:
        return None
    is_prefix = bool(star) or (phrase or bare).endswith("*")
    return Term(words=words, is_prefix=is_prefix, is_excluded=bool(minus), is_quoted=bool(phrase))


def columns_of(entry: SearchedText, text: str) -> Columns:
    """Return the tokens of a document."""
    body = words_of(searchable(entry.file, text))
    name, path = "", ""
    if entry.name:
        name, path = (_with_parts(words_of(label)) for label in (entry.name, entry.path))
    return Columns(name, path, " ".join([word.whole for word in body]), _parts(body))


def _with_parts(words: Sequence[Word]) -> str:
    return f"{' '.join(word.whole for word in words)} {_parts(words)}".strip()


def _parts(words: Iterable[Word]) -> str:
    return " ".join([f"_ {' '.join(parts)}" for _, parts in words if len(parts) > 1])


def searchable(file: str, text: str) -> str:
    """Return a text with the escapes of JSON strings replaced; its lines stay where they are."""
    return _ESCAPE.sub(_unescaped, text) if file.endswith(JSON) and "\\" in text else text


def _unescaped(escape: re.Match[str]) -> str:
    code, letter = escape.groups()
    if code:
        character = chr(int(code, 16))
        return character if character.isprintable() else " "
    return " " if letter in _BLANKS else letter


class Vocabulary:
    """All words and parts that occur in the texts of a graph."""

    def __init__(self, words: Iterable[str], generation: int = 0) -> None:
        self.words = frozenset(words)
        self.candidates = Candidates(self.words)
        self.generation = generation  # of the texts


def unknown_words(query: Query, vocabulary: Vocabulary) -> tuple[Unknown, ...]:
    """Return the words of a query that do not occur, each with the most similar ones that do."""
    known, near = vocabulary.words, Suggester(vocabulary.candidates)
    words = dict.fromkeys(word for term in query.wanted for word in _absent(term, known))
    return tuple(Unknown(word=word.whole, near=near(word.whole)) for word in words)


def _absent(term: Term, known: frozenset[str]) -> Iterator[Word]:
    for number, word in enumerate(term.words, 1):
        is_prefix = term.is_prefix and number == len(term.words)
        is_known = word.whole in known or known.issuperset(word.parts)
        if not term.is_quoted:
            is_known = is_known or not known.isdisjoint(other_numbers(word.whole))
        if not is_known and not (
            is_prefix and any(entry.startswith(word.whole) for entry in known)
        ):
            yield word
