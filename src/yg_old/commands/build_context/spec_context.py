"""The context of nodes in a Spec Graph: its document, its text and the reasons for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import UNSET, Meta, UnsetType

from yg_old.commands.budget import Tokenizer
from yg_old.commands.build_context.context import (
    MARKDOWN,
    TEXT,
    Characters,
    ContextDocument,
    ContextFiles,
    ShortDigest,
    TokenBudget,
    Tokens,
    budget_of,
    fitted_sizes,
    reason_tables,
    tag,
    tagged,
)
from yg_old.kernel.document import UNIQUE, Count, Positive, Record, Text, about, one_of
from yg_old.kernel.package import Fitted
from yg_old.specgraph.context.context import USUAL_DEPTH, PrunedGuidance
from yg_old.specgraph.context.entry import Affected, IncludedNode
from yg_old.specgraph.context.item import WARNINGS, explained, section_lines, sections, text_of
from yg_old.specgraph.context.package import ContextView, as_view
from yg_old.specgraph.model import VerificationKind
from yg_old.specgraph.resolve import MissingLink

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeVar

    from yg_old.kernel.parts import Fit
    from yg_old.specgraph.context.context import Context
    from yg_old.specgraph.model import SpecNode, Verification

    T = TypeVar("T")

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
    Annotated[tuple[Text, ...], Meta(min_length=1)] | UnsetType,
    about("In a document of several nodes: those that it concerns."),
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
    steps: Annotated[tuple[Text, ...] | UnsetType, about("What to do, step by step.")] = UNSET
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
    constraints: Annotated[tuple[Text, ...], about("What restricts it.")]
    verification: Annotated[
        tuple[str | VerificationEntry, ...],
        about("How to tell that it holds: texts and other checks."),
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
        tuple[Reason, ...],
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
    via_targets: Annotated[
        tuple[Text, ...], about("The ancestors of the target that it constrains, sorted.")
    ]
    via_layers: Annotated[tuple[Text, ...], about("The layers that pass it on, nearest first.")]
    required_by: Annotated[tuple[Text, ...], about("The groups that need it, sorted.")]
    superseded_by: Annotated[tuple[Text, ...], about("The nodes that supersede it, sorted.")]
    targets: Concerned = UNSET
    see: Annotated[
        Text | UnsetType,
        about("The section of the document that has its text, if it is one of several targets."),
    ] = UNSET
    as_in: AsIn = UNSET


class AffectedNode(ContextNode, frozen=True, kw_only=True):
    """A node that the target contains, constrains or supersedes."""

    edges: Annotated[
        tuple[Annotated[str, one_of("constrains", "contains", "supersedes")], ...],
        Meta(min_length=1, extra_json_schema=UNIQUE),
        about("By which links, sorted."),
    ]
    targets: Concerned = UNSET
    as_in: AsIn = UNSET


class CutEntry(Record, frozen=True, kw_only=True):
    """An entry, or all affected nodes, that were cut."""

    section: Annotated[Text, about("The section that has it.")]
    subject: Annotated[Text | UnsetType, about("The node; absent for a whole section.")] = UNSET
    tokens: Annotated[Count, about("Its size in tokens.")]
    step: Annotated[Positive, about("The step of the order in which entries are cut.")]
    command: Annotated[Text, about("A command that shows it.")]


class FittedContext(Fitted, frozen=True, kw_only=True):
    """What was cut so that the document fits (`--fit`)."""

    cut: Annotated[tuple[CutEntry, ...], about("What was cut, in order.")]


class SpecContext(ContextDocument, frozen=True, kw_only=True, tag="yg-spec-context/1"):
    """What `yg build-context --json` prints for a Spec Graph: the context of some nodes."""

    CONDITIONS: ClassVar[dict[str, Any]] = {
        "oneOf": [{"required": ["node"]}, {"required": ["targets"]}]
    }

    whole: ContextView
    node: Annotated[DescribedNode | UnsetType, about("The target.")] = UNSET
    targets: Annotated[
        tuple[DescribedNode, ...] | UnsetType, about("The targets, unless there is exactly one.")
    ] = UNSET
    digest: Annotated[
        ShortDigest | UnsetType,
        about(
            "The digest of the document of one node without options, for `--have NODE:DIGEST`; "
            "absent if a depth was given."
        ),
    ] = UNSET
    depth: Annotated[Positive | Full, about("How many levels of links were followed, or `full`.")]
    nodes: Annotated[
        tuple[ContextEntry, ...], about("The nodes of the context, in the order of the document.")
    ]
    affected: Annotated[
        tuple[AffectedNode, ...],
        about(
            "The nodes that the target itself contains, constrains or supersedes, by id; those "
            "above left out."
        ),
    ]
    missing: Annotated[
        tuple[MissingLink, ...],
        about("The links whose target does not exist or could not be read, sorted."),
    ]
    pruned: Annotated[
        tuple[PrunedGuidance, ...],
        about("The guidance that was left out because other guidance or the target supersedes it."),
    ]
    warnings: Annotated[tuple[Text, ...], about("Warnings about the state of the graph.")]
    markdown: Annotated[str, about("The document; empty if there is no target.")]
    tokens: Tokens
    tokenizer: Tokenizer = UNSET
    characters: Characters
    budget: TokenBudget
    files: ContextFiles
    fit: Annotated[FittedContext | UnsetType, about("What was cut with `--fit`.")] = UNSET

    def written(self, form: str) -> str:
        """Write the context in a form."""
        return written(self.whole, form)


def context_document(context: Context | ContextView) -> SpecContext:
    """Return the document of a context; the list of cuts is not among its nodes."""
    view = as_view(context)
    targets = tuple(DescribedNode(**_description(one.target)) for one in view.contexts)
    is_one = len(targets) == 1
    return SpecContext(
        whole=view,
        node=targets[0] if is_one else UNSET,
        targets=UNSET if is_one else targets,
        depth=view.contexts[0].depth if view.contexts else USUAL_DEPTH,
        nodes=tuple(_entries(view)),
        affected=tuple(_affected(view)),
        missing=_each_once(link for one in view.contexts for link in one.missing),
        pruned=_each_once(guidance for one in view.contexts for guidance in one.pruned),
        warnings=tuple(line for item in view.parts if item.kind == WARNINGS for line in item.lines),
        markdown=view.text,
        tokens=view.tokens,
        tokenizer=view.budget.tokenizer or UNSET,
        characters=view.characters,
        budget=budget_of(view),
        files=view.source_files,
        fit=UNSET if view.fit is None else _fit(view, view.fit),
    )


def _fit(view: ContextView, fit: Fit) -> FittedContext:
    return FittedContext(
        **fitted_sizes(fit, view),
        cut=tuple(
            CutEntry(
                section=cut.part.kind,
                subject=cut.subject or UNSET,
                tokens=cut.tokens,
                step=cut.step,
                command=cut.command,
            )
            for cut in fit.cuts
        ),
    )


def _each_once(values: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))


def _node_fields(node: SpecNode) -> dict[str, str]:
    return {"id": node.id, "type": node.type, "title": node.title}


def _description(node: SpecNode) -> dict[str, Any]:
    """Return all that is known of a node, so that nobody has to parse the Markdown."""
    return {
        **_node_fields(node),
        "statement": node.text,
        "constraints": node.constraints,
        "verification": tuple(map(_check, node.verification)),
        "category": node.category,
        "severity": node.severity,
        "metadata": dict(node.metadata),
        "file": node.file,
    }


def _check(entry: Verification) -> str | VerificationEntry:
    """Return a check in the words of the file."""
    if entry.kind is VerificationKind.TEXT:
        return entry.text
    return VerificationEntry(
        kind=entry.kind.value,
        command=(entry.kind is VerificationKind.COMMAND and entry.text) or UNSET,
        ruleId=(entry.kind is VerificationKind.POLICY and entry.text) or UNSET,
        method=entry.method or UNSET,
        url=entry.url or UNSET,
        expectStatus=_number(entry.status) or UNSET,
        steps=entry.steps or UNSET,
        description=entry.description or UNSET,
        cwd=entry.cwd or UNSET,
        env=dict(entry.env) or UNSET,
        timeoutSeconds=_number(entry.timeout) or UNSET,
        expected=entry.expected or UNSET,
    )


def _number(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


def _entries(view: ContextView) -> Iterator[ContextEntry]:
    """Yield the nodes of a context that are shown."""
    for item in view.parts:
        if isinstance(entry := item.entry, IncludedNode):
            yield ContextEntry(
                **_description(entry.node),
                binding=entry.is_binding,
                section=entry.section,
                level=entry.level,
                reasons=entry.reasons,
                direct=entry.is_direct,
                precedence_distance=entry.precedence,
                via_targets=entry.via_targets,
                via_layers=entry.via_layers,
                required_by=entry.required_by,
                superseded_by=entry.superseded_by,
                targets=item.nodes or UNSET,
                see=item.see or UNSET,
                as_in=item.same_as or UNSET,
            )


def _affected(view: ContextView) -> Iterator[AffectedNode]:
    """Yield the affected nodes that are shown."""
    for item in view.parts:
        if isinstance(entry := item.entry, Affected):
            yield AffectedNode(
                **_node_fields(entry.node),
                edges=entry.edges,
                targets=item.nodes or UNSET,
                as_in=item.same_as or UNSET,
            )


def written(context: Context | ContextView, form: str = TEXT) -> str:
    """Write a context in a form."""
    if form == MARKDOWN:
        return context.text
    return context_text(context) if form == TEXT else context_reasons(context)


def context_text(context: Context | ContextView) -> str:
    """Write a context like other packages, with its sections between tags."""
    view = as_view(context)
    written_sections = (
        _section_text(title, section_lines(items)) for title, items in sections(view.parts)
    )
    return tagged(view, _node_attributes(view), written_sections)


def _node_attributes(view: ContextView) -> tuple[tuple[str, str], ...]:
    if len(view.contexts) > 1:
        return (("nodes", ", ".join(view.node_ids)),)
    target = view.contexts[0].target
    return ("node-id", target.id), ("node-name", target.title)


def _section_text(heading: str, lines: Iterable[str]) -> str:
    opening = tag("section", (("name", heading),))
    return "\n".join([f"<{opening}>", *lines, "</section>"])


def context_reasons(context: Context | ContextView) -> str:
    """Write tables of the nodes that are shown and of what is left out, with the reasons."""
    view = as_view(context)
    parts = (
        (f"{heading} {subject}".rstrip(), len(text), view.tokens_of(text), because)
        for heading, subject, lines, because in explained(view.parts)
        for text in (text_of(lines),)
    )
    return reason_tables("part", parts, view)
