"""The shape of `yg find --json`."""

from __future__ import annotations

from typing import Annotated

from msgspec import field

from yg.render.shapes.base import JsonDocument, Record, SomeTexts, Text, about, one_of
from yg.render.shapes.issues import SkippedEntries


class FoundWord(Record, frozen=True, kw_only=True):
    """One word, and where it was found."""

    word: Annotated[Text, about("The word, in lower case.")]
    spot: Annotated[
        str,
        one_of("name", "path", "responsibility"),
        about("The best field it was found in."),
    ] = field(name="in")


class FoundNode(Record, frozen=True, kw_only=True):
    """One node that was found."""

    path: Annotated[Text, about("The path of the node below `model/`; `.` for the root node.")]
    name: Annotated[Text, about("Its display name.")]
    type: Annotated[str, about("Its type, a key of `node_types` in the configuration.")]
    summary: Annotated[
        str, about("The first sentence of its responsibility; empty when it has none.")
    ]
    exact: Annotated[bool, about("Whether its path equals the search text.")]
    found: Annotated[
        list[FoundWord],
        about("The words found, in the order of the query, each with its best field."),
    ]


class FindDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-find/1"):
    """What `yg find --json` prints: the nodes that have some words, the best first."""

    words: Annotated[SomeTexts, about("The search words, in lower case.")]
    nodes: Annotated[
        list[FoundNode], about("The nodes with at least one of the words, best matches first.")
    ]
    skipped: SkippedEntries
