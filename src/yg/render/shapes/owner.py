"""The shape of `yg owner --json`."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from yg.render.shapes.base import Document, Record, Text, about
from yg.render.shapes.issues import SkippedEntries

OwnerPath = Annotated[Text | None, about("The path of the node that owns it; null when none does.")]


class OwnedFile(Record, frozen=True, kw_only=True):
    """One file and its owner."""

    CONDITIONS: ClassVar[dict[str, Any]] = {
        "if": {"properties": {"status": {"const": "owned"}}},
        "then": {"properties": {"node": {"type": "string"}, "mapping": {"type": "string"}}},
        "else": {"properties": {"node": {"type": "null"}, "mapping": {"type": "null"}}},
    }

    file: Annotated[
        Text, about("The file, relative to the root of the repository; as named when outside.")
    ]
    status: Annotated[
        Literal["owned", "uncovered", "outside"],
        about("Whether it has an owner, has none, or is outside the repository."),
    ]
    exists: Annotated[bool, about("Whether the path exists.")]
    node: OwnerPath
    mapping: Annotated[
        Text | None, about("The path in that node's mapping that covers it; null when none does.")
    ]


class OwnerDocument(Document, frozen=True, kw_only=True, tag="yg-owner/1"):
    """What `yg owner --json` prints: the node that each file belongs to."""

    files: Annotated[list[OwnedFile], about("One entry per file, in the order given.")]
    skipped: SkippedEntries
