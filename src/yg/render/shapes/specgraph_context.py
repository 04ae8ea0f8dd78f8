"""The shape of `yg build-context --json` for a Spec Graph."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta

from yg.render.shapes.base import (
    UNIQUE,
    Count,
    JsonDocument,
    Positive,
    Record,
    SomeTexts,
    Text,
    Texts,
    about,
    one_of,
)
from yg.render.shapes.context import Characters, ContextFiles, TokenBudget, Tokenizer, Tokens

Full = Annotated[str, Meta(extra_json_schema={"const": "full"})]
Reason = Annotated[
    str,
    one_of(
        "depends_on",
        "implements",
        "derived_from",
        "verified_by",
        "constrains",
        "inherited",
        "layer",
        "contains",
        "layer_dependency",
        "prerequisite",
    ),
]


class ContextNode(Record, frozen=True, kw_only=True):
    """A node."""

    id: Annotated[Text, about("Its id.")]
    type: Annotated[str, about("Its type; empty when missing.")]
    title: Annotated[str, about("Its title; empty when missing.")]


class ContextEntry(ContextNode, frozen=True, kw_only=True):
    """A node of the context, and the reasons it is included."""

    section: Annotated[Text, about("The section of the document that lists it.")]
    level: Annotated[Positive, about("How many links away from the target it is.")]
    reasons: Annotated[
        list[Reason],
        Meta(min_length=1, extra_json_schema=UNIQUE),
        about("The reasons it is included, sorted."),
    ]
    direct: Annotated[bool, about("Whether it constrains the target itself.")]
    precedence_distance: Annotated[
        Count,
        about(
            "The distance of the nearest layer that passes it on; 0 if it is included for a "
            "closer reason."
        ),
    ]
    via_targets: Annotated[Texts, about("The ancestors of the target that it constrains, sorted.")]
    via_layers: Annotated[Texts, about("The layers that pass it on, nearest first.")]
    required_by: Annotated[Texts, about("The groups that depend on it as a foundation, sorted.")]
    superseded_by: Annotated[Texts, about("The nodes that supersede it, sorted.")]


class AffectedNode(ContextNode, frozen=True, kw_only=True):
    """A node that the target contains, constrains or supersedes."""

    edges: Annotated[
        list[Annotated[str, one_of("constrains", "contains", "supersedes")]],
        Meta(min_length=1, extra_json_schema=UNIQUE),
        about("By which links, sorted."),
    ]


class MissingLink(Record, frozen=True, kw_only=True):
    """A link whose target does not exist or could not be read."""

    source: Annotated[Text, about("The node that has it.")]
    edge_type: Annotated[Text, about("The kind of the link.")]
    target: Annotated[Text, about("The id that it names.")]


class PrunedGuidance(Record, frozen=True, kw_only=True):
    """Guidance that was left out."""

    id: Annotated[Text, about("Its id.")]
    superseded_by: Annotated[SomeTexts, about("The guidance that supersedes it.")]


class SpecContextDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-spec-context/1"):
    """What `yg build-context --json` prints for a Spec Graph: the context of a node, to a depth."""

    node: Annotated[ContextNode, about("The target.")]
    depth: Annotated[Positive | Full, about("How many levels of links were followed, or `full`.")]
    nodes: Annotated[
        list[ContextEntry], about("The nodes of the context, in the order of the document.")
    ]
    affected: Annotated[
        list[AffectedNode],
        about(
            "The nodes that the target itself contains, constrains or supersedes, by id; those "
            "above left out."
        ),
    ]
    missing: Annotated[
        list[MissingLink],
        about("The links whose target does not exist or could not be read, sorted."),
    ]
    pruned: Annotated[
        list[PrunedGuidance],
        about("The guidance that was left out because other guidance supersedes it."),
    ]
    warnings: Annotated[Texts, about("Warnings about the state of the graph.")]
    markdown: Annotated[Text, about("The document.")]
    tokens: Tokens
    tokenizer: Tokenizer = UNSET
    characters: Characters
    budget: TokenBudget
    files: ContextFiles
