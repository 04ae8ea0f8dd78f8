"""The shape of `yg export --json`."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET

from yg.code.changes import ChangeClass
from yg.kernel.export import Backing, EdgeKind, Presence, VertexKind
from yg.render.shapes.base import Count, JsonDocument, Record, Text, Texts, about, one_of
from yg.render.shapes.context import Tokenizer
from yg.render.shapes.issues import SkippedEntries

# Written out, so that the export of a Spec Graph does not import Yggdrasil graphs.
DRIFT = ("source-drift", "graph-drift", "full-drift", "missing", "unmaterialized", "ok", "unknown")


class ExportedNode(Record, frozen=True, kw_only=True):
    """One node, aspect or flow."""

    id: Annotated[
        Text,
        about(
            "Its id, unique among all repositories: repository, kind and path with colons between "
            "them."
        ),
    ]
    repository: Annotated[Text, about("The repository it is of.")]
    kind: Annotated[VertexKind, about("The kind of vertex.")]
    path: Annotated[Text, about("Its path or id inside the graph.")]
    name: Annotated[str, about("Its display name.")]
    type: Annotated[
        str, about("The type of a node; empty for aspects and flows, and where nothing is known.")
    ]
    presence: Annotated[
        Presence, about("Whether it exists, could not be read, or is only referenced.")
    ]
    description: Annotated[str, about("Its description, if declared; otherwise empty.")]
    category: Annotated[str, about("The subject of a decision.")]
    severity: Annotated[str, about("How strict a policy is.")]
    stability: Annotated[str, about("How firmly an aspect holds, if it says so.")]
    blackbox: Annotated[bool, about("Whether it is a blackbox.")]
    aspects: Annotated[
        list[str],
        about("The ids of the aspects that apply to a node, wherever they are declared."),
    ]
    mapping: Annotated[
        list[str], about("The files and directories that a node describes, as declared.")
    ]
    tokens: Annotated[
        Count | None,
        about(
            "The size of a node's package in tokens, estimated or counted; null when there is none "
            "or it was not computed."
        ),
    ]
    budget: Annotated[
        str,
        one_of("", "ok", "warning", "error"),
        about("That size compared with the budget; empty when there is none."),
    ]
    drift: Annotated[
        str,
        one_of("", *DRIFT),
        about(
            "The state of a node compared with its baseline; empty if it was not checked or has "
            "no mapping."
        ),
    ]
    change: Annotated[
        str,
        one_of("", *(kind.value for kind in ChangeClass)),
        about(
            "The highest class of the changes of a node's sources since its baseline, also of "
            "tolerated ones; empty if none changed."
        ),
    ]


class ExportedEdge(Record, frozen=True, kw_only=True):
    """One connection between two of the nodes."""

    id: Annotated[
        Text,
        about(
            "Its id: source, type and target with spaces between them, and a number if there are "
            "several."
        ),
    ]
    source: Annotated[Text, about("The id of the node it leads from.")]
    target: Annotated[Text, about("The id of the node it leads to.")]
    kind: Annotated[EdgeKind, about("The kind of connection.")]
    type: Annotated[
        str, about("The type of a relation or an event as declared; otherwise the kind once more.")
    ]
    consumes: Annotated[
        list[str], about("The methods of the target that the source uses, as declared.")
    ]
    failure: Annotated[
        str, about("The behaviour of the source when the target fails, as declared.")
    ]
    event: Annotated[str, about("The name of the event, as declared.")]
    exceptions: Annotated[
        list[str], about("In which ways the source deviates from an aspect, as declared.")
    ]
    code: Annotated[
        Backing,
        about(
            "With --code: whether the code imports the target of a relation, or imports it without "
            "a relation; otherwise empty."
        ),
    ]
    repository: Annotated[Text, about("The repository of the source.")]
    target_repository: Annotated[Text, about("The repository of the target.")]


class ExportDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-export/1"):
    """What `yg export --json` prints: the graph as nodes and edges."""

    graph: Annotated[Text, about("The kind of graph it was made from.")]
    repository: Annotated[Text, about("The prefix of all ids.")]
    nodes: Annotated[
        list[ExportedNode], about("Nodes, then aspects, then flows, each in the order of paths.")
    ]
    tokenizer: Tokenizer = UNSET
    edges: Annotated[
        list[ExportedEdge], about("Every connection between them, in the order of ids.")
    ]
    skipped: SkippedEntries
    notes: Annotated[Texts, about("Warnings about drift.")]
