"""The shape of `yg find --json`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from yg.render.shapes.base import (
    Count,
    JsonDocument,
    Record,
    SomeTexts,
    Text,
    Texts,
    about,
    one_of,
)
from yg.render.shapes.issues import File, SkippedEntries


class FoundDocument(Record, frozen=True, kw_only=True):
    """One document that was found."""

    kind: Annotated[str, one_of("node", "aspect", "flow"), about("What it belongs to.")]
    path: Annotated[
        Text,
        about("The path or id of the node, `aspects/` and an id, or `flows/` and a directory."),
    ]
    document: Annotated[Text, about("The name of the document.")]
    file: File
    line: Annotated[int, Meta(ge=1), about("The number of the line that is shown, from 1.")]
    text: Annotated[str, about("That line, without blanks at both ends.")]
    whole: Annotated[bool, about("Whether all words of the query occur as whole words.")]
    named: Annotated[bool, about("Whether a word of the query occurs in the name or path.")]


class UnknownWord(Record, frozen=True, kw_only=True):
    """One word that does not occur in the graph."""

    word: Annotated[Text, about("The word, in lower case.")]
    near: Annotated[Texts, about("The most similar words that occur, the best first.")]


class FindDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-find/1"):
    """What `yg find --json` prints: the documents that match a query, the best first."""

    words: Annotated[SomeTexts, about("The words and phrases of the query, in lower case.")]
    excluded: Annotated[Texts, about("The words and phrases that must not occur.")]
    total: Annotated[Count, about("The number of documents that match.")]
    results: Annotated[list[FoundDocument], about("The best of them, in order.")]
    unknown: Annotated[
        list[UnknownWord], about("If nothing was found: the words that do not occur.")
    ]
    skipped: SkippedEntries
