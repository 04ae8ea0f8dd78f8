"""The shape of imports between nodes, which several documents have."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from yg.render.shapes.base import Positive, Record, Text, about
from yg.render.shapes.issues import File


class ImportPlace(Record, frozen=True, kw_only=True):
    """One import."""

    file: File
    line: Annotated[Positive, about("The line of the import.")]


class ImportingNode(Record, frozen=True, kw_only=True):
    """Another node, and the imports that lead to it or come from it."""

    node: Annotated[Text, about("The path of the other node.")]
    places: Annotated[
        list[ImportPlace], Meta(min_length=1), about("The imports, by file and line.")
    ]
