"""The shape of `yg plan --json`."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import UNSET, UnsetType

from yg.render.shapes.base import Count, Document, Record, SomeUniqueTexts, UniqueTexts, about
from yg.render.shapes.issues import SkippedEntries


class LeftOut(Record, frozen=True, kw_only=True):
    """Nodes that no plan contains, by reason."""

    CONDITIONS: ClassVar[dict[str, Any]] = {
        "oneOf": [{"required": ["blackbox", "unmapped"]}, {"required": ["grouping"]}]
    }

    blackbox: Annotated[
        Count | UnsetType, about("The number of blackbox nodes; absent in Spec Graphs.")
    ] = UNSET
    unmapped: Annotated[
        Count | UnsetType, about("How many have no mapping; absent in Spec Graphs.")
    ] = UNSET
    grouping: Annotated[
        Count | UnsetType, about("How many are features and layers; only in Spec Graphs.")
    ] = UNSET


class PlanDocument(Document, frozen=True, kw_only=True, tag="yg-plan/1"):
    """What `yg plan --json` prints: the order in which nodes can be built."""

    stages: Annotated[
        list[SomeUniqueTexts],
        about("The nodes by stage; each stage needs only the ones before it."),
    ]
    critical_path: Annotated[UniqueTexts, about("A longest chain of dependencies, in build order.")]
    left_out: Annotated[LeftOut, about("The numbers of nodes that are not part of any plan.")]
    total: Annotated[Count, about("How many nodes the stages hold.")]
    skipped: SkippedEntries
