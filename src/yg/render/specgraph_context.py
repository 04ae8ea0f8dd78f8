"""Render the context of a Spec Graph node as tagged text, as data, and as a table of reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from yg.kernel.suggest import listing
from yg.render.package import ContextForms, budget_data, reason_table, size_attributes, tag
from yg.specgraph.context import AFFECTED, VERIFICATION, WARNINGS
from yg.specgraph.document import target_lines
from yg.specgraph.model import VerificationKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.kernel.package import Budget
    from yg.render.shapes.specgraph_context import (
        ContextEntry,
        SpecContextDocument,
        VerificationEntry,
    )
    from yg.specgraph.context import Context, IncludedNode
    from yg.specgraph.model import SpecNode, Verification

_OTHERS = {
    AFFECTED: "links of the target",
    WARNINGS: "the state of the graph",
    VERIFICATION: "the target, its policies and what verifies it",
}


def context_data(context: Context, _digest: str = "") -> SpecContextDocument:
    """Return a context as data, including its Markdown."""
    from yg.render.shapes import specgraph_context as shapes

    return shapes.SpecContextDocument(
        node=shapes.DescribedNode(**_description(context.target)),
        depth=context.depth,
        nodes=[_entry_data(entry) for entry in context.entries],
        affected=[
            shapes.AffectedNode(**_node_fields(item.node), edges=list(item.edges))
            for item in context.affected
        ],
        missing=[
            shapes.MissingLink(source=edge.source, edge_type=edge.edge_type, target=edge.target)
            for edge in context.missing
        ],
        pruned=[
            shapes.PrunedGuidance(id=item.node.id, superseded_by=list(item.superseded_by))
            for item in context.pruned
        ],
        warnings=list(context.warnings),
        markdown=context.markdown,
        tokens=context.tokens,
        tokenizer=context.budget.tokenizer or UNSET,
        characters=context.characters,
        budget=budget_data(context),
        files=list(context.source_files),
    )


def _node_fields(node: SpecNode) -> dict[str, str]:
    return {"id": node.id, "type": node.type, "title": node.title}


def _description(node: SpecNode) -> dict[str, Any]:
    """Return all that is known of a node, so that nobody has to parse the Markdown."""
    return {
        **_node_fields(node),
        "statement": node.text,
        "constraints": list(node.constraints),
        "verification": [_check_data(entry) for entry in node.verification],
        "category": node.category,
        "severity": node.severity,
        "metadata": dict(node.metadata),
        "file": node.file,
    }


def _check_data(entry: Verification) -> str | VerificationEntry:
    """Return a check in the words of the file."""
    from yg.render.shapes.specgraph_context import VerificationEntry

    if entry.kind is VerificationKind.TEXT:
        return entry.text
    return VerificationEntry(
        kind=entry.kind.value,
        command=(entry.kind is VerificationKind.COMMAND and entry.text) or UNSET,
        ruleId=(entry.kind is VerificationKind.POLICY and entry.text) or UNSET,
        method=entry.method or UNSET,
        url=entry.url or UNSET,
        expectStatus=_number(entry.status) or UNSET,
        steps=list(entry.steps) or UNSET,
        description=entry.description or UNSET,
        cwd=entry.cwd or UNSET,
        env=dict(entry.env) or UNSET,
        timeoutSeconds=_number(entry.timeout) or UNSET,
        expected=entry.expected or UNSET,
    )


def _number(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


def _entry_data(entry: IncludedNode) -> ContextEntry:
    from yg.render.shapes.specgraph_context import ContextEntry

    return ContextEntry(
        **_description(entry.node),
        binding=entry.is_binding,
        section=entry.section,
        level=entry.level,
        reasons=list(entry.reasons),
        direct=entry.is_direct,
        precedence_distance=entry.precedence,
        via_targets=list(entry.via_targets),
        via_layers=list(entry.via_layers),
        required_by=list(entry.required_by),
        superseded_by=list(entry.superseded_by),
    )


def context_text(context: Context) -> str:
    """Write a context like other packages, with its sections between tags."""
    target = context.target
    opening = tag(
        "context-package",
        (
            ("node-id", target.id),
            ("node-name", target.title),
            *size_attributes(context),
        ),
    )
    sections = (_section_text(part.heading, part.lines) for part in context.parts)
    body = "\n\n".join([f"<{opening}>", *sections, "</context-package>"])
    return f"{body}\nBudget status: {context.status}\n"


def _section_text(heading: str, lines: Iterable[str]) -> str:
    opening = tag("section", (("name", heading),))
    return "\n".join([f"<{opening}>", *lines, "</section>"])


def context_reasons(context: Context) -> str:
    """Write a table of nodes with their size, their share and the reason they are included."""
    parts = (
        (
            f"{heading} {subject}".rstrip(),
            len(text := _joined(lines)),
            _tokens(text, context.budget),
            because,
        )
        for heading, subject, lines, because in context_parts(context)
    )
    return reason_table("part", parts, context)


def _tokens(text: str, budget: Budget) -> int:
    return budget.measure(len(text), lambda: text)


def context_parts(context: Context) -> Iterator[tuple[str, str, Iterable[str], str]]:
    """Yield the section, the node, the lines and the reason of each part of the document."""
    target = context.target
    lines = target_lines(target, context.superseding)
    yield target.kind.heading, target.id, lines, "the target"
    if context.warnings:
        yield WARNINGS, "", context.warnings, _OTHERS[WARNINGS]
    for entry in context.entries:
        because = ", ".join(reasons(entry, target.id))
        yield entry.section.value, entry.node.id, entry.lines, because
    for part in context.parts:
        if part.heading in (AFFECTED, VERIFICATION):
            yield part.heading, "", part.lines, _OTHERS[part.heading]


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def reasons(entry: IncludedNode, target_id: str) -> Iterator[str]:
    """Yield the reasons why a node is included."""
    if entry.arrivals:
        yield listing([f"{kind} of {source}" for source, kind in entry.arrivals])
    if entry.is_direct:
        yield f"constrains {target_id}"
    if entry.via_targets:
        yield f"constrains {listing(entry.via_targets)}"
    if entry.via_layers:
        yield f"guidance of layer {listing(entry.via_layers)}"
    if entry.hops:
        yield f"contains {target_id}" + (f", {entry.hops} levels up" if entry.hops > 1 else "")
    if entry.layer:
        yield f"layer of {target_id}"
    if entry.required_by:
        yield f"required by {listing(entry.required_by)}"


def _markdown(context: Context, _stamp: str) -> str:
    return context.markdown


FORMS = ContextForms(context_data, context_text, _markdown, context_reasons)
