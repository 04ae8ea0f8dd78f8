"""The shape of `yg build-context --json` for a Spec Graph."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta, UnsetType

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
from yg.render.shapes.context import (
    Characters,
    ContextFiles,
    Digest,
    TokenBudget,
    Tokenizer,
    Tokens,
)

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
        "required",
    ),
]


Concerned = Annotated[
    SomeTexts | UnsetType, about("In a document of several nodes: those that it concerns.")
]
AsIn = Annotated[
    Text | UnsetType, about("The node in whose document the reader has its text (`--have`).")
]


class ContextNode(Record, frozen=True, kw_only=True):
    """A node."""

    id: Annotated[Text, about("Its id.")]
    type: Annotated[str, about("Its type; empty when missing.")]
    title: Annotated[str, about("Its title; empty when missing.")]


class VerificationEntry(Record, frozen=True, kw_only=True):
    """A check that is more than a text, with the keys that it has in the node's file."""

    kind: Annotated[Text, about("How it is carried out.")]
    command: Annotated[str | UnsetType, about("The command to run.")] = UNSET
    ruleId: Annotated[str | UnsetType, about("The rule that is checked.")] = UNSET  # noqa: N815
    method: Annotated[str | UnsetType, about("The method of the request.")] = UNSET
    url: Annotated[str | UnsetType, about("Where the request goes.")] = UNSET
    expectStatus: Annotated[  # noqa: N815
        int | str | UnsetType, about("The status that has to come back.")
    ] = UNSET
    steps: Annotated[Texts | UnsetType, about("What to do, step by step.")] = UNSET
    description: Annotated[str | UnsetType, about("What it shows, or what to look for.")] = UNSET
    cwd: Annotated[str | UnsetType, about("The directory to run it in.")] = UNSET
    env: Annotated[dict[str, str] | UnsetType, about("Environment variables to set.")] = UNSET
    timeoutSeconds: Annotated[  # noqa: N815
        int | str | UnsetType, about("After how many seconds it has failed.")
    ] = UNSET
    expected: Annotated[str | UnsetType, about("What is to be seen when it holds.")] = UNSET


class DescribedNode(ContextNode, frozen=True, kw_only=True):
    """A node and all that it says."""

    statement: Annotated[
        str, about("Its statement, expectation or description; empty when missing.")
    ]
    constraints: Annotated[Texts, about("What restricts it.")]
    verification: Annotated[
        list[str | VerificationEntry], about("How to tell that it holds: texts and other checks.")
    ]
    category: Annotated[str, about("The category of a decision; empty for other nodes.")]
    severity: Annotated[str, about("The severity of a policy; empty for other nodes.")]
    metadata: Annotated[dict[str, Any], about("Its metadata, as written.")]
    file: Annotated[Text, about("Its file, from the root of the repository.")]


class ContextEntry(DescribedNode, frozen=True, kw_only=True):
    """A node of the context, and the reasons it is included."""

    binding: Annotated[
        bool,
        about(
            "Whether the target has to obey it: it constrains the target or a node that contains "
            "it, comes from a layer, or is a hard policy."
        ),
    ]
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
    required_by: Annotated[Texts, about("The groups that need it, sorted.")]
    superseded_by: Annotated[Texts, about("The nodes that supersede it, sorted.")]
    targets: Concerned = UNSET
    see: Annotated[
        Text | UnsetType,
        about("The section of the document that has its text, if it is one of several targets."),
    ] = UNSET
    as_in: AsIn = UNSET


class AffectedNode(ContextNode, frozen=True, kw_only=True):
    """A node that the target contains, constrains or supersedes."""

    edges: Annotated[
        list[Annotated[str, one_of("constrains", "contains", "supersedes")]],
        Meta(min_length=1, extra_json_schema=UNIQUE),
        about("By which links, sorted."),
    ]
    targets: Concerned = UNSET
    as_in: AsIn = UNSET


class MissingLink(Record, frozen=True, kw_only=True):
    """A link whose target does not exist or could not be read."""

    source: Annotated[Text, about("The node that has it.")]
    edge_type: Annotated[Text, about("The kind of the link.")]
    target: Annotated[Text, about("The id that it names.")]


class PrunedGuidance(Record, frozen=True, kw_only=True):
    """Guidance that was left out."""

    id: Annotated[Text, about("Its id.")]
    superseded_by: Annotated[SomeTexts, about("The guidance, or the target, that supersedes it.")]


class CutEntry(Record, frozen=True, kw_only=True):
    """An entry, or all affected nodes, that were cut."""

    section: Annotated[Text, about("The section that has it.")]
    subject: Annotated[Text | UnsetType, about("The node; absent for a whole section.")] = UNSET
    tokens: Annotated[Count, about("Its size in tokens.")]
    step: Annotated[Positive, about("The step of the order in which entries are cut.")]
    command: Annotated[Text, about("A command that shows it.")]


class FittedContext(Record, frozen=True, kw_only=True):
    """What was cut so that the document fits (`--fit`)."""

    budget: Annotated[Positive, about("The number of tokens it had to fit.")]
    before: Annotated[Count, about("Its size before anything was cut.")]
    after: Annotated[Count, about("Its size, with the list of cuts.")]
    floor: Annotated[Count, about("Its size if everything is cut that can be.")]
    cut: Annotated[list[CutEntry], about("What was cut, in order.")]


class SpecContextDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-spec-context/1"):
    """What `yg build-context --json` prints for a Spec Graph: the context of some nodes."""

    CONDITIONS: ClassVar[dict[str, Any]] = {
        "oneOf": [{"required": ["node"]}, {"required": ["targets"]}]
    }

    node: Annotated[DescribedNode | UnsetType, about("The target.")] = UNSET
    targets: Annotated[
        list[DescribedNode] | UnsetType, about("The targets, unless there is exactly one.")
    ] = UNSET
    digest: Annotated[
        Digest | UnsetType,
        about(
            "The digest of the document of one node without options, for `--have NODE:DIGEST`; "
            "absent if a depth was given."
        ),
    ] = UNSET
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
        about("The guidance that was left out because other guidance or the target supersedes it."),
    ]
    warnings: Annotated[Texts, about("Warnings about the state of the graph.")]
    markdown: Annotated[str, about("The document; empty if there is no target.")]
    tokens: Tokens
    tokenizer: Tokenizer = UNSET
    characters: Characters
    budget: TokenBudget
    files: ContextFiles
    fit: Annotated[FittedContext | UnsetType, about("What was cut with `--fit`.")] = UNSET
