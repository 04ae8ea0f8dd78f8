"""The shape of `yg deps --json`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, UnsetType

from yg.render.shapes.base import Count, JsonDocument, Positive, Record, SomeTexts, Text, about
from yg.render.shapes.imports import ImportingNode


class DependencyLine(Record, frozen=True, kw_only=True):
    """One relation or link of the node, or of something it needs."""

    level: Annotated[Positive, about("How many relations or links away from the node it is.")]
    type: Annotated[Text, about("The type of the relation or link that leads to it.")]
    target: Annotated[Text, about("The path or id of the node that it names.")]
    blackbox: Annotated[
        bool | UnsetType, about("Whether the target is a blackbox; absent in Spec Graphs.")
    ] = UNSET
    resolved: Annotated[bool, about("Whether the target exists and could be read.")]
    external: Annotated[
        Literal[True] | UnsetType,
        about("Present if the target is a node of another repository: IMPORT::NODE."),
    ] = UNSET
    repeated: Annotated[
        bool, about("Whether the dependencies of the target are listed at another entry for it.")
    ]
    required_by: Annotated[
        SomeTexts | UnsetType,
        about("In Spec Graphs: the groups around the node that have the link, if not the node."),
    ] = UNSET
    imports: Annotated[
        Count | UnsetType, about("With --code: how many imports back the relation.")
    ] = UNSET


class DepsDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-deps/1"):
    """What `yg deps --json` prints: what a node depends on, as the lines of a tree."""

    node: Annotated[Text, about("The path or id of the requested node.")]
    dependencies: Annotated[
        list[DependencyLine],
        about("The lines below that node, depth first, in the order they are drawn."),
    ]
    undeclared: Annotated[
        list[ImportingNode] | UnsetType,
        about("With --code: the nodes that it imports without a relation, by path."),
    ] = UNSET
