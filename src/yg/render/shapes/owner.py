"""The shape of `yg owner --json`."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from yg.render.shapes.base import JsonDocument, Record, Text, about
from yg.render.shapes.issues import SkippedEntries


def _only(*keys: str, status: str) -> dict[str, Any]:
    """Return a schema that requires a status and which keys are not null."""
    types = {
        key: {"type": "string" if key in keys else "null"}
        for key in ("node", "mapping", "aspect", "flow")
    }
    return {"properties": {"status": {"const": status}, **types}}


class OwnedFile(Record, frozen=True, kw_only=True):
    """One file and its owner."""

    CONDITIONS: ClassVar[dict[str, Any]] = {
        "oneOf": [
            _only("node", "mapping", status="owned"),
            _only("node", status="graph"),
            _only("aspect", status="graph"),
            _only("flow", status="graph"),
            _only(status="graph"),
            _only(status="uncovered"),
            _only(status="outside"),
        ]
    }

    file: Annotated[
        Text, about("The file, relative to the root of the repository; as named when outside.")
    ]
    status: Annotated[
        Literal["owned", "uncovered", "graph", "outside"],
        about(
            "Whether it has an owner, has none, is a file of the graph, or is outside the "
            "repository."
        ),
    ]
    exists: Annotated[bool, about("Whether the path exists.")]
    ignored: Annotated[bool, about("Whether git ignores it, so that drift does not track it.")]
    node: Annotated[
        Text | None, about("The path of the node that it belongs to; null when there is none.")
    ]
    mapping: Annotated[
        Text | None, about("The path in that node's mapping that covers it; null when none does.")
    ]
    aspect: Annotated[
        Text | None, about("The id of the aspect it belongs to, for a file of the graph; or null.")
    ]
    flow: Annotated[
        Text | None, about("The id of the flow it belongs to, for a file of the graph; or null.")
    ]


class OwnerDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-owner/1"):
    """What `yg owner --json` prints: the node that each file belongs to."""

    files: Annotated[list[OwnedFile], about("One entry per file, in the order given.")]
    skipped: SkippedEntries
