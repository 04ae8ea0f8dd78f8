"""The shape of `yg draft --json`."""

from __future__ import annotations

from typing import Annotated

from yg.render.shapes.base import Count, JsonDocument, Record, Text, Texts, about
from yg.render.shapes.edits import PlannedEdit


class DraftedRelation(Record, frozen=True, kw_only=True):
    """A relation of type `uses`."""

    target: Annotated[Text, about("The path of the node that is used.")]
    consumes: Annotated[Texts, about("The imported names; empty if everything is imported.")]
    imports: Annotated[Texts, about("The places of the imports, as `file:line`.")]


class DraftedNode(Record, frozen=True, kw_only=True):
    """One node of a draft."""

    path: Annotated[Text, about("The path of the node.")]
    blackbox: Annotated[bool, about("Whether it is known only from outside, such as tests.")]
    mapping: Annotated[Texts, about("The mapped files and directories.")]
    files: Annotated[Count, about("The number of its source files; of a blackbox, of all files.")]
    relations: Annotated[list[DraftedRelation], about("Its relations, by target.")]
    left_out: Annotated[
        list[DraftedRelation], about("Relations that are left out: each would close a cycle.")
    ]


class DraftDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-draft/1"):
    """What `yg draft --json` prints: the nodes of a first graph for the code."""

    dry_run: Annotated[bool, about("Whether this was a dry run, which writes nothing.")]
    new_graph: Annotated[bool, about("Whether the graph is created, too, as by `yg init`.")]
    nodes: Annotated[list[DraftedNode], about("The new nodes, by path.")]
    first: Annotated[
        Texts, about("The new nodes that are most worth describing: most others use them.")
    ]
    edits: Annotated[
        list[PlannedEdit],
        about(
            "The changes to files, in order; paths are relative to the repository, with forward "
            "slashes."
        ),
    ]
