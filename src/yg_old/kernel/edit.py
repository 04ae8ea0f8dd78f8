"""Edits: changes to files as values, to be shown or applied."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import field
from msgspec.structs import force_setattr

from yg_old.kernel.document import Count, Record, Text, about


class Write(Record, frozen=True, tag_field="edit", tag="write"):
    """Create or overwrite a file."""

    HIDDEN = ("content",)

    path: Annotated[Text, about("The file.")]
    content: bytes
    size: Annotated[Count, about("The size of its new content.")] = field(name="bytes", default=0)

    def __post_init__(self) -> None:
        """Count the bytes, which documents show instead of the content."""
        force_setattr(self, "size", len(self.content))


class Delete(Record, frozen=True, tag_field="edit", tag="delete"):
    """Delete a file, and directories that become empty."""

    path: Annotated[Text, about("The file.")]


class Rename(Record, frozen=True, tag_field="edit", tag="rename"):
    """Rename a file or directory to a new name; directories that become empty are removed."""

    path: Annotated[Text, about("Its old name.")]
    to: Annotated[Text, about("Its new name.")]


class Copy(Record, frozen=True, tag_field="edit", tag="copy"):
    """Copy a file before its content is replaced; the new name does not exist yet."""

    path: Annotated[Text, about("The file.")]
    to: Annotated[Text, about("The name of its copy.")]


class MakeDirectory(Record, frozen=True, tag_field="edit", tag="make-directory"):
    """Create a directory if it does not exist."""

    path: Annotated[Text, about("The directory.")]


Edit: TypeAlias = Write | Delete | Rename | Copy | MakeDirectory

# Fields of documents; a document that has edits names them in HIDING.
Edits = Annotated[
    tuple[Edit, ...],
    about(
        "The changes to files, in order; paths are relative to the repository, with "
        "forward slashes."
    ),
]
WasDryRun = Annotated[bool, about("Whether this was a dry run, which writes nothing.")]
