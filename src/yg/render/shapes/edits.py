"""The shape of `yg init --json`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from yg.render.shapes.base import Count, JsonDocument, Record, Text, Texts, about, one_of
from yg.yggdrasil.platforms import PLATFORMS


class WriteFile(Record, frozen=True, kw_only=True, tag_field="edit", tag="write"):
    """Create or overwrite a file."""

    path: Annotated[Text, about("The file.")]
    bytes: Annotated[Count, about("The size of its new content.")]


class DeleteFile(Record, frozen=True, kw_only=True, tag_field="edit", tag="delete"):
    """Delete a file, and directories that become empty."""

    path: Annotated[Text, about("The file.")]


class RenamePath(Record, frozen=True, kw_only=True, tag_field="edit", tag="rename"):
    """Rename a file or directory; the new name does not exist yet."""

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


class InitDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-init/1"):
    """What `yg init --json` prints: the files of a new graph, or what an upgrade does."""

    platform: Annotated[PlatformName, about("The agent platform that the rules are for.")]
    platforms: Annotated[
        list[PlatformName],
        Meta(min_length=1),
        about("All agent platforms whose rules were written."),
    ]
    dry_run: Annotated[bool, about("Whether this was a dry run, which writes nothing.")]
    edits: Annotated[
        list[PlannedEdit],
        about(
            "The changes to files, in order; paths are relative to the repository, with forward "
            "slashes."
        ),
    ]
    done: Annotated[Texts, about("One line for each step of an upgrade and each backup copy.")]
    warnings: Annotated[
        Texts,
        about("One line for each thing that an upgrade drops, keeps, or leaves for you to do."),
    ]
    unfinished: Annotated[
        Texts,
        about("Files of the 1.x form that could not be rewritten; a later upgrade rewrites them."),
    ]
