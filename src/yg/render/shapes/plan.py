"""The shape of `yg plan --json`."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta, UnsetType

from yg.render.shapes.base import (
    Count,
    JsonDocument,
    Record,
    SomeUniqueTexts,
    Text,
    UniqueTexts,
    about,
)
from yg.render.shapes.issues import SkippedEntries


class LeftOut(Record, frozen=True, kw_only=True):
    """Nodes that the plan does not contain, by reason."""

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


class UnorderedNode(Record, frozen=True, kw_only=True):
    """A node that has no place in the order."""

    node: Annotated[Text, about("The node.")]
    reason: Annotated[Text, about("Why it has none.")]


class PlanDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-plan/1"):
    """What `yg plan --json` prints: the order in which nodes can be built."""

    stages: Annotated[
        list[SomeUniqueTexts],
        about("The nodes by stage; each stage needs only the ones before it."),
    ]
    states: Annotated[
        dict[Text, Text] | None,
        about(
            "The drift state of each node, `unmapped` for one without a mapping; "
            "null without baselines."
        ),
    ]
    cycles: Annotated[
        list[Annotated[UniqueTexts, Meta(min_length=2)]],
        about("Groups of nodes that need each other; each is in one stage."),
    ]
    over_budget: Annotated[
        UniqueTexts,
        about("The nodes whose packages are above the error budget, in the order of the stages."),
    ]
    critical_path: Annotated[UniqueTexts, about("A longest chain of dependencies, in build order.")]
    left_out: Annotated[LeftOut, about("The numbers of nodes that are not part of this plan.")]
    unordered: Annotated[
        list[UnorderedNode], about("With `--lenient`: the nodes that cannot be ordered.")
    ]
    total: Annotated[Count, about("How many nodes the stages hold.")]
    skipped: SkippedEntries
