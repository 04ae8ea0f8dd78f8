"""The shape of `yg coverage --json`."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from yg.render.shapes.base import (
    Count,
    JsonDocument,
    Record,
    SomeUniqueTexts,
    Text,
    UniqueTexts,
    about,
)
from yg.render.shapes.issues import SkippedEntries


class DirectoryTally(Record, frozen=True, kw_only=True):
    """The numbers of owned and unowned files below a directory."""

    directory: Annotated[
        Text, about("The directory, relative to the root of the repository, which is `.`.")
    ]
    files: Annotated[Count, about("How many files there are.")]
    covered: Annotated[Count, about("How many of them are owned by a node that is not a blackbox.")]
    blackbox: Annotated[Count, about("How many of them are owned by a blackbox.")]
    uncovered: Annotated[Count, about("How many of them have no owner.")]
    parent: Annotated[
        Count,
        about(
            "How many of the owned files belong to a node only because it maps a directory as a "
            "whole, while nodes below it are mapped too."
        ),
    ]
    percent: Annotated[
        float,
        Meta(ge=0, le=100),
        about("The share of owned files; 100 when there are no files."),
    ]


class ImportedName(Record, frozen=True, kw_only=True):
    """A public name that other nodes import."""

    node: Annotated[Text, about("The path of the node that has it.")]
    name: Annotated[Text, about("The name.")]
    file: Annotated[Text, about("The file that it is imported from.")]
    imported_by: Annotated[SomeUniqueTexts, about("The nodes that import it, sorted.")]


class CoverageDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-coverage/1"):
    """What `yg coverage --json` prints: how many files some node owns."""

    total: Annotated[DirectoryTally, about("The tally of the whole repository.")]
    directories: Annotated[
        list[DirectoryTally],
        Meta(min_length=1),
        about("The tally of every directory, the root first."),
    ]
    uncovered: Annotated[UniqueTexts, about("The files that no node owns, sorted.")]
    excluded: Annotated[
        Count, about("How many files `coverage.exclude` of the configuration leaves out.")
    ]
    names: Annotated[
        list[ImportedName] | UnsetType,
        about(
            "With --names: the public names that other nodes import and that neither interface.md "
            "of the node nor those above it mention."
        ),
    ] = UNSET
    skipped: SkippedEntries
