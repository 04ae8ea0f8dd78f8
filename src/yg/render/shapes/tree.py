"""The shape of `yg tree --json`."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, UnsetType

from yg.render.shapes.base import Count, JsonDocument, Positive, Record, Text, Texts, about
from yg.render.shapes.issues import SkippedEntries


class TreeNode(Record, frozen=True, kw_only=True):
    """One node of the graph."""

    CONDITIONS: ClassVar[dict[str, Any]] = {
        "dependentRequired": {
            "aspects": ["blackbox", "mapping"],
            "blackbox": ["aspects", "mapping"],
            "mapping": ["aspects", "blackbox"],
        }
    }

    path: Annotated[
        Text,
        about(
            "The path of the node below `model/`, `.` for the root node; in a Spec Graph its id."
        ),
    ]
    level: Annotated[Count, about("How many levels it lies below the root of this tree.")]
    name: Annotated[
        str, about("Its display name; in a Spec Graph its title, which may be missing.")
    ]
    type: Annotated[
        str,
        about(
            "Its type, a key of `node_types` in the configuration or a type of Spec Graphs; empty "
            "when missing."
        ),
    ]
    aspects: Annotated[
        Texts | UnsetType,
        about("The ids of the aspects it declares, in its own order; absent in Spec Graphs."),
    ] = UNSET
    blackbox: Annotated[
        bool | UnsetType, about("Whether it is a blackbox; absent in Spec Graphs.")
    ] = UNSET
    relations: Annotated[Count, about("How many relations or links go out from it.")]
    external: Annotated[
        Positive | UnsetType, about("How many of them lead to other repositories, if any.")
    ] = UNSET
    mapping: Annotated[
        Texts | UnsetType,
        about("The files and directories it describes, as declared; absent in Spec Graphs."),
    ] = UNSET
    repeated: Annotated[
        Literal[True] | UnsetType,
        about("Present if its contents are listed at another entry for it; only in Spec Graphs."),
    ] = UNSET


class TreeDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-tree/1"):
    """What `yg tree --json` prints: the nodes of the graph, parents first."""

    root: Annotated[
        Text,
        about(
            "The root of the tree: a directory of the model, the id of a node, or `.` for the "
            "whole graph."
        ),
    ]
    nodes: Annotated[
        list[TreeNode],
        about(
            "The nodes, parents before children; in a Spec Graph a node with several parents is "
            "listed under each."
        ),
    ]
    skipped: SkippedEntries
