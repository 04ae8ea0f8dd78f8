"""The shapes of the JSON documents of commands that write files."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from yg.render.shapes.base import Count, JsonDocument, Record, Text, Texts, about, one_of
from yg.render.shapes.issues import IssueRecord
from yg.yggdrasil.parts import PartKind
from yg.yggdrasil.platforms import PLATFORMS


class WriteFile(Record, frozen=True, kw_only=True, tag_field="edit", tag="write"):
    """Create or overwrite a file."""

    path: Annotated[Text, about("The file.")]
    bytes: Annotated[Count, about("The size of its new content.")]


class DeleteFile(Record, frozen=True, kw_only=True, tag_field="edit", tag="delete"):
    """Delete a file, and directories that become empty."""

    path: Annotated[Text, about("The file.")]


class RenamePath(Record, frozen=True, kw_only=True, tag_field="edit", tag="rename"):
    """Rename a file or directory to a new name; directories that become empty are removed."""

    path: Annotated[Text, about("Its old name.")]
    to: Annotated[Text, about("Its new name.")]


class CopyFile(Record, frozen=True, kw_only=True, tag_field="edit", tag="copy"):
    """Copy a file before its content is replaced; the new name does not exist yet."""

    path: Annotated[Text, about("The file.")]
    to: Annotated[Text, about("The name of its copy.")]


class CreateDirectory(Record, frozen=True, kw_only=True, tag_field="edit", tag="make-directory"):
    """Create a directory if it does not exist."""

    path: Annotated[Text, about("The directory.")]


PlannedEdit = WriteFile | DeleteFile | RenamePath | CopyFile | CreateDirectory


PlatformName = Annotated[str, one_of(*PLATFORMS)]


PlannedEdits = Annotated[
    list[PlannedEdit],
    about(
        "The changes to files, in order; paths are relative to the repository, with "
        "forward slashes."
    ),
]
DryRun = Annotated[bool, about("Whether this was a dry run, which writes nothing.")]


class InitDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-init/1"):
    """What `yg init --json` prints: the files of a new graph, or what an upgrade does."""

    platform: Annotated[
        PlatformName | UnsetType,
        about("The agent platform that the rules are for; not with a Spec Graph."),
    ] = UNSET
    platforms: Annotated[
        list[PlatformName] | UnsetType,
        Meta(min_length=1),
        about("All agent platforms whose rules were written; not with a Spec Graph."),
    ] = UNSET
    dry_run: DryRun
    edits: PlannedEdits
    done: Annotated[Texts, about("One line for each step of an upgrade and each backup copy.")]
    warnings: Annotated[
        Texts,
        about("One line for each thing that an upgrade drops, keeps, or leaves for you to do."),
    ]
    unfinished: Annotated[
        Texts,
        about("Files of the 1.x form that could not be rewritten; a later upgrade rewrites them."),
    ]


Family = Annotated[str, one_of(*PartKind), about("What it is.")]


class NewDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-new/1"):
    """What `yg new --json` prints: the files of a new node, aspect or flow."""

    kind: Family
    id: Annotated[Text, about("The path of the node, or the id of the aspect or flow.")]
    dry_run: DryRun
    edits: PlannedEdits
    notes: Annotated[Texts, about("What is left for you to do.")]


class MoveDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-mv/1"):
    """What `yg mv --json` prints: what a new name changes."""

    kind: Family
    old: Annotated[Text, about("The old path or id.")]
    new: Annotated[Text, about("The new path or id.")]
    dry_run: DryRun
    moved: Annotated[Count, about("How many nodes, aspects or flows have a new name.")]
    references: Annotated[Count, about("How many references to them were rewritten.")]
    files: Annotated[Count, about("The number of files with these references.")]
    baselines: Annotated[Count, about("How many baselines were rewritten.")]
    edits: PlannedEdits
    notes: Annotated[Texts, about("What could not be rewritten, or is left for you to do.")]


class WriteDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-write/1"):
    """What the commands that write a Spec Graph print with `--json`: the files they change."""

    command: Annotated[
        str,
        one_of("node add", "node set", "node remove", "link", "unlink", "pin", "lock"),
        about("The command."),
    ]
    dry_run: DryRun
    edits: Annotated[PlannedEdits, about("The changes to files; none if it was so already.")]
    stale_pins: Annotated[
        list[IssueRecord],
        about("The pins of other nodes that no longer match, as `yg validate` reports them."),
    ]
    notes: Annotated[Texts, about("What else was done, such as an interrupted write completed.")]
