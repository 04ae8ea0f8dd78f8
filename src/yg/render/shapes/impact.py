"""The shapes of `yg impact --json`: one for each kind of query."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from yg.kernel.compare import Alteration
from yg.render.shapes.base import (
    Count,
    JsonDocument,
    Record,
    SomeTexts,
    SomeUniqueTexts,
    Text,
    Texts,
    UniqueTexts,
    about,
    one_of,
)
from yg.render.shapes.context import BudgetStatus, Tokenizer
from yg.render.shapes.imports import ImportingNode
from yg.render.shapes.issues import File, SkippedEntries
from yg.yggdrasil.parts import PartKind

SCHEMA = "yg-impact/1"
BOTH_OR_NONE = {"packages": ["notes"], "notes": ["packages"]}
SIZE_AND_STATUS = {
    "if": {"properties": {"tokens_now": {"type": "null"}}},
    "then": {"properties": {"status": {"type": "null"}}},
    "else": {"properties": {"status": {"type": "string"}}},
}
# Keys that come together: the first group in Yggdrasil graphs, the second in Spec Graphs.
YGGDRASIL_KEYS = (
    "method",
    "consumed",
    "events",
    "through_ancestors",
    "flows",
    "aspects",
    "sharing",
)
SPECGRAPH_KEYS = ("named_by", "guided")

NodePath = Annotated[Text, about("The path of the node.")]
NodeName = Annotated[Text, about("The path or id of the node.")]
Affected = Annotated[UniqueTexts, about("All affected nodes, sorted.")]
TokensThen = Annotated[Count | None, about("The old size of its package; null when it had none.")]
TokensNow = Annotated[Count | None, about("The new size of its package; null when it has none.")]
StatusNow = Annotated[
    BudgetStatus | None,
    about("The new size compared with the budget; null when it has no package."),
]
PackageDiff = Annotated[
    str | None, about("With --show: a unified diff of the two packages; null otherwise.")
]


class TieRecord(Record, frozen=True, kw_only=True):
    """One relation or link."""

    type: Annotated[Text, about("The type of the relation or link.")]
    consumes: Annotated[Texts, about("The consumed methods; empty for all.")]


class DependentNode(Record, frozen=True, kw_only=True):
    """A node with relations or links to the one that changes."""

    node: NodeName
    relations: Annotated[
        list[TieRecord],
        Meta(min_length=1),
        about("Those relations or links, in the order of their declaration."),
    ]


class ReachedNode(Record, frozen=True, kw_only=True):
    """A node that depends on a change through others."""

    node: NodePath
    by: Annotated[Text, about("The node it depends on, one step nearer to the change.")]


class EventNode(Record, frozen=True, kw_only=True):
    """A node that shares an event with the one that changes."""

    node: NodePath
    type: Annotated[
        str,
        one_of("emits", "listens"),
        about("Whether that node emits or listens to the event."),
    ]
    event: Annotated[Text, about("The name of the event.")]


class AncestorNode(Record, frozen=True, kw_only=True):
    """A node with a relation to an ancestor of the one that changes."""

    node: NodePath
    type: Annotated[Text, about("The type of the relation.")]
    ancestor: Annotated[str, about("The path of the ancestor.")]


class GuidedNode(Record, frozen=True, kw_only=True):
    """A node under the guidance of the one that changes."""

    node: Annotated[Text, about("The id of the node.")]
    because: Annotated[SomeTexts, about("How the guidance gets there, in words.")]


class SharingNode(Record, frozen=True, kw_only=True):
    """A node to which some of the same aspects apply."""

    node: NodePath
    aspects: Annotated[SomeUniqueTexts, about("The ids of the aspects they share.")]


class CarrierNode(Record, frozen=True, kw_only=True):
    """A node to which the aspect applies."""

    node: NodePath
    because: Annotated[
        SomeUniqueTexts, about("All declarations that apply the aspect to the node.")
    ]


class ParticipantNode(Record, frozen=True, kw_only=True):
    """A node that takes part in the flow."""

    node: NodePath
    descendant: Annotated[bool, about("Whether it participates through an ancestor.")]


class SimulatedPackage(Record, frozen=True, kw_only=True):
    """The old and the new package of an affected node."""

    CONDITIONS: ClassVar[dict[str, Any]] = SIZE_AND_STATUS

    node: NodePath
    changed: Annotated[bool, about("Whether the text of the package differs.")]
    interface_changed: Annotated[
        bool, about("Whether the parts quoted from the changed node differ.")
    ]
    tokens_then: TokensThen
    tokens_now: TokensNow
    status: StatusNow
    mapped_files: Annotated[
        Text | UnsetType,
        about("The state of its mapped files compared with the baseline; absent in Spec Graphs."),
    ] = UNSET
    diff: PackageDiff


SimulatedPackages = Annotated[
    list[SimulatedPackage] | UnsetType,
    about("With --simulate: the old and the new package of each affected node."),
]
SimulationNotes = Annotated[
    Texts | UnsetType, about("With --simulate: warnings about baselines and files.")
]


class NodeImpactDocument(JsonDocument, frozen=True, kw_only=True, tag=SCHEMA):
    """The impact of a change to a node."""

    CONDITIONS: ClassVar[dict[str, Any]] = {
        "dependentRequired": {
            **BOTH_OR_NONE,
            **{
                key: [other for other in keys if other != key]
                for keys in (YGGDRASIL_KEYS, SPECGRAPH_KEYS)
                for key in keys
            },
        },
        "oneOf": [{"required": ["method"]}, {"required": ["guided"]}],
    }

    mode: Annotated[Literal["node"], about("The kind of query.")] = "node"
    node: Annotated[Text, about("The path or id of the node that changes.")]
    method: Annotated[
        Text | UnsetType | None,
        about("The method that changes; null for the whole node; absent in Spec Graphs."),
    ] = UNSET
    consumed: Annotated[
        UniqueTexts | UnsetType,
        about("The names that other nodes consume of it, sorted; absent in Spec Graphs."),
    ] = UNSET
    direct: Annotated[
        list[DependentNode],
        about("The nodes with structural relations, or upstream links, to it, in order."),
    ]
    transitive: Annotated[list[ReachedNode], about("The nodes that depend on those, in order.")]
    events: Annotated[
        list[EventNode] | UnsetType,
        about("The nodes that share an event with it, by path; absent in Spec Graphs."),
    ] = UNSET
    through_ancestors: Annotated[
        list[AncestorNode] | UnsetType,
        about("The relations of other nodes to its ancestors, by node; absent in Spec Graphs."),
    ] = UNSET
    named_by: Annotated[
        list[DependentNode] | UnsetType,
        about("The nodes that contain, constrain or supersede it; only in Spec Graphs."),
    ] = UNSET
    guided: Annotated[
        list[GuidedNode] | UnsetType,
        about("The nodes that it, or a node that depends on it, guides; only in Spec Graphs."),
    ] = UNSET
    descendants: Annotated[UniqueTexts, about("The nodes below it, or contained in it, sorted.")]
    flows: Annotated[
        UniqueTexts | UnsetType,
        about("The ids of the flows it takes part in, sorted; absent in Spec Graphs."),
    ] = UNSET
    aspects: Annotated[
        UniqueTexts | UnsetType,
        about("The ids of the aspects that apply to it; absent in Spec Graphs."),
    ] = UNSET
    sharing: Annotated[
        list[SharingNode] | UnsetType,
        about("Other nodes to which some of these aspects apply, by path; absent in Spec Graphs."),
    ] = UNSET
    affected: Annotated[
        UniqueTexts, about("All affected nodes, sorted; ancestors and shared aspects do not count.")
    ]
    importing: Annotated[
        list[ImportingNode] | UnsetType,
        about("With --code: the nodes that import it and have no relation to it, by path."),
    ] = UNSET
    packages: SimulatedPackages = UNSET
    tokenizer: Tokenizer = UNSET
    notes: SimulationNotes = UNSET
    skipped: SkippedEntries


class AspectImpactDocument(JsonDocument, frozen=True, kw_only=True, tag=SCHEMA):
    """The impact of a change to an aspect."""

    CONDITIONS: ClassVar[dict[str, Any]] = {"dependentRequired": BOTH_OR_NONE}

    mode: Annotated[Literal["aspect"], about("The kind of query.")] = "aspect"
    aspect: Annotated[Text, about("The id of the aspect that changes.")]
    carriers: Annotated[list[CarrierNode], about("The nodes to which it applies, by path.")]
    flows: Annotated[
        UniqueTexts, about("The ids of the flows that bring it to their participants, sorted.")
    ]
    implied_by: Annotated[UniqueTexts, about("The ids of the aspects that imply it, sorted.")]
    implies: Annotated[Texts, about("The ids of the aspects that it implies, as declared.")]
    affected: Affected
    packages: SimulatedPackages = UNSET
    tokenizer: Tokenizer = UNSET
    notes: SimulationNotes = UNSET
    skipped: SkippedEntries


class FlowImpactDocument(JsonDocument, frozen=True, kw_only=True, tag=SCHEMA):
    """The impact of a change to a flow."""

    CONDITIONS: ClassVar[dict[str, Any]] = {"dependentRequired": BOTH_OR_NONE}

    mode: Annotated[Literal["flow"], about("The kind of query.")] = "flow"
    flow: Annotated[Text, about("The id of the flow that changes.")]
    name: Annotated[Text, about("The name of that flow.")]
    participants: Annotated[list[ParticipantNode], about("The nodes that take part, by path.")]
    aspects: Annotated[Texts, about("The ids of the aspects that it brings, as declared.")]
    affected: Affected
    packages: SimulatedPackages = UNSET
    tokenizer: Tokenizer = UNSET
    notes: SimulationNotes = UNSET
    skipped: SkippedEntries


class ChangedSource(Record, frozen=True, kw_only=True):
    """A source file that differs."""

    path: File
    node: Annotated[Text | None, about("The path of the node that owns it; null when none does.")]


class ChangedPackage(Record, frozen=True, kw_only=True):
    """A package that differs."""

    CONDITIONS: ClassVar[dict[str, Any]] = SIZE_AND_STATUS

    node: NodePath
    tokens_then: TokensThen
    tokens_now: TokensNow
    status: StatusNow
    diff: PackageDiff


class MovedEntry(Record, frozen=True, kw_only=True):
    """A node, an aspect or a flow that has another name now."""

    kind: Annotated[str, one_of(*PartKind), about("What it is.")]
    old: Annotated[Text, about("Its old path or id.")]
    new: Annotated[Text, about("Its new path or id.")]


class ChangedNodeRecord(Record, frozen=True, kw_only=True):
    """A node of a Spec Graph whose file or entry in graph.json has changed."""

    node: Annotated[Text, about("The id of the node.")]
    change: Annotated[Alteration, about("What happened to it.")]


class DiffImpactDocument(JsonDocument, frozen=True, kw_only=True, tag=SCHEMA):
    """The impact of the changes since a commit."""

    mode: Annotated[Literal["diff"], about("The kind of query.")] = "diff"
    since: Annotated[Text, about("The commit to compare with, as given.")]
    sources: Annotated[list[ChangedSource], about("The source files that differ, by path.")]
    graph_files: Annotated[UniqueTexts, about("The files of the graph that differ, sorted.")]
    nodes: Annotated[
        list[ChangedNodeRecord] | UnsetType,
        about("The nodes that differ, by id; only in Spec Graphs."),
    ] = UNSET
    moved: Annotated[list[MovedEntry], about("What has another name now, by kind and old name.")]
    packages: Annotated[
        list[ChangedPackage],
        about(
            "The packages that differ because of those, by node; in Spec Graphs, of changed nodes."
        ),
    ]
    tokenizer: Tokenizer = UNSET
    reached: Annotated[list[ReachedNode], about("The nodes that depend on changed ones, by path.")]
    changed: Annotated[
        UniqueTexts, about("The nodes that changed themselves, in sources or package, sorted.")
    ]
    affected: Annotated[UniqueTexts, about("All nodes that changed or are affected, sorted.")]
    skipped: SkippedEntries
