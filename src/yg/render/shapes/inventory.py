"""The shapes of `yg inventory --json` and `yg import --json`."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType

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
from yg.render.shapes.edits import DryRun, PlannedEdits
from yg.render.shapes.issues import SkippedEntries
from yg.yggdrasil.importing import TargetChange


class InventoryRecord(Record, frozen=True, kw_only=True):
    """A node as other repositories see it."""

    path: Annotated[Text, about("The path of the node below `model/`, `.` for the root node.")]
    type: Annotated[str, about("Its type.")]
    name: Annotated[str, about("Its display name.")]
    summary: Annotated[
        str, about("The first line of its responsibility that is not a heading; may be empty.")
    ]
    digest: Annotated[
        Text, about("The SHA-256 of its contract: the documents that dependents see.")
    ]
    contracts: Annotated[
        dict[str, str] | UnsetType,
        about("With --contracts: these documents by name, in the order of the configuration."),
    ] = UNSET


class InventoryDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-inventory/1"):
    """What `yg inventory --json` prints: the nodes of a repository for others to import."""

    name: Annotated[Text, about("The name of the repository.")]
    commit: Annotated[str, about("The commit of the inventory; empty if there is none.")]
    nodes: Annotated[list[InventoryRecord], about("The nodes in the order of paths.")]
    skipped: SkippedEntries
    notes: Annotated[Texts, about("Warnings about texts that could not be read, and the commit.")]


class UsedNodeChange(Record, frozen=True, kw_only=True):
    """A change of a node of another repository that nodes here rely on."""

    target: Annotated[Text, about("The node, as relations name it: IMPORT::NODE.")]
    change: Annotated[
        str,
        one_of(*TargetChange),
        about("Whether its contract is another one, or the node is gone or new."),
    ]
    nodes: Annotated[SomeTexts, about("The nodes that rely on it, by path.")]


class ReplacedImport(Record, frozen=True, kw_only=True):
    """The earlier import of a name, from another source or of another repository."""

    source: Annotated[str, about("The file or repository it was taken from.")]
    repository: Annotated[str, about("The name that the other repository gave itself.")]
    commit: Annotated[str, about("The commit it was pinned to; empty if there was none.")]


class TakenImport(Record, frozen=True, kw_only=True):
    """An import that was added or updated."""

    name: Annotated[Text, about("Its name in this repository.")]
    file: Annotated[Text, about("Its file.")]
    source: Annotated[
        Text, about("The file or repository it is taken from; relative to this repository if near.")
    ]
    repository: Annotated[str, about("The name that the other repository gives itself.")]
    commit: Annotated[str, about("The commit it is pinned to; empty if there is none.")]
    previous_commit: Annotated[
        str | None, about("The commit before; null if the import is new or was damaged.")
    ]
    replaced: Annotated[
        ReplacedImport | None,
        about("The import that had this name before, if it was of another source or repository."),
    ]
    nodes: Annotated[Count, about("How many nodes it lists.")]
    contracts: Annotated[bool, about("Whether it has the texts that dependents see.")]
    changes: Annotated[
        list[UsedNodeChange], about("Changes of nodes that are in use here, by target.")
    ]


class ImportDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-import/1"):
    """What `yg import add` and `yg import update` print with `--json`."""

    action: Annotated[str, one_of("add", "update"), about("What was done.")]
    dry_run: DryRun
    imports: Annotated[list[TakenImport], about("The imports, by name.")]
    edits: Annotated[PlannedEdits, about("The changes to files; none if nothing changed.")]
    notes: Annotated[Texts, about("Warnings, and why some imports could not be updated.")]


class ImportRecord(Record, frozen=True, kw_only=True):
    """An import; what it says is null if it is damaged."""

    name: Annotated[Text, about("Its name in this repository.")]
    file: Annotated[Text, about("Its file.")]
    source: Annotated[str | None, about("The file or repository it was taken from.")]
    repository: Annotated[str | None, about("The name that the other repository gives itself.")]
    commit: Annotated[str | None, about("The commit it is pinned to; empty if there is none.")]
    nodes: Annotated[Count | None, about("How many nodes it lists.")]
    contracts: Annotated[bool | None, about("Whether it has the texts that dependents see.")]
    used_by: Annotated[Texts, about("The nodes with a relation to one of its nodes, by path.")]
    problem: Annotated[str, about("Why it cannot be read; empty if it can.")]


class ImportsDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-imports/1"):
    """What `yg import list --json` prints: the inventories taken in from other repositories."""

    imports: Annotated[list[ImportRecord], about("The imports, by name.")]
