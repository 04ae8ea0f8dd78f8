"""Render the context of a Spec Graph node as tagged text, as data, and as a table of reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from yg.kernel.suggest import listing
from yg.render.package import ContextForms, budget_data, reason_table, size_attributes, table, tag
from yg.render.plain import visible
from yg.specgraph.context import (
    AFFECTED,
    USUAL_DEPTH,
    VERIFICATION,
    WARNINGS,
    Affected,
    IncludedNode,
)
from yg.specgraph.model import VerificationKind
from yg.specgraph.view import LEFT_OUT, ContextView, whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.render.shapes.specgraph_context import (
        AffectedNode,
        ContextEntry,
        FittedContext,
        SpecContextDocument,
        VerificationEntry,
    )
    from yg.specgraph.context import Context, Item
    from yg.specgraph.model import SpecNode, Verification
    from yg.specgraph.view import FittedEntries

_OTHERS = {
    AFFECTED: "links of the target",
    WARNINGS: "the state of the graph",
    VERIFICATION: "the target, its policies and what verifies it",
    LEFT_OUT: "--fit",
}


def context_data(context: Context | ContextView, digest: str = "") -> SpecContextDocument:
    """Return a context as data, including its Markdown; the list of cuts is not among its nodes."""
    from yg.render.shapes import specgraph_context as shapes

    view = _view(context)
    targets = [shapes.DescribedNode(**_description(one.target)) for one in view.contexts]
    is_one = len(targets) == 1
    return shapes.SpecContextDocument(
        node=targets[0] if is_one else UNSET,
        targets=UNSET if is_one else targets,
        digest=digest or UNSET,
        depth=view.contexts[0].depth if view.contexts else USUAL_DEPTH,
        nodes=list(_entries_data(view)),
        affected=list(_affected_data(view)),
        missing=[
            shapes.MissingLink(source=edge.source, edge_type=edge.edge_type, target=edge.target)
            for edge in dict.fromkeys(edge for one in view.contexts for edge in one.missing)
        ],
        pruned=[
            shapes.PrunedGuidance(id=node_id, superseded_by=list(superseding))
            for node_id, superseding in dict.fromkeys(
                (item.node.id, item.superseded_by) for one in view.contexts for item in one.pruned
            )
        ],
        warnings=[line for part in view.parts if part.heading == WARNINGS for line in part.lines],
        markdown=view.markdown,
        tokens=view.tokens,
        tokenizer=view.budget.tokenizer or UNSET,
        characters=view.characters,
        budget=budget_data(view),
        files=list(view.source_files),
        fit=UNSET if view.fit is None else _fit_data(view.fit, view.tokens),
    )


def _view(context: Context | ContextView) -> ContextView:
    return context if isinstance(context, ContextView) else whole(context)


def _fit_data(fit: FittedEntries, after: int) -> FittedContext:
    from yg.render.shapes.specgraph_context import CutEntry, FittedContext

    return FittedContext(
        budget=fit.budget,
        before=fit.before,
        after=after,
        floor=fit.floor,
        cut=[
            CutEntry(
                section=cut.section,
                subject=cut.subject or UNSET,
                tokens=cut.tokens,
                step=cut.step,
                command=cut.command,
            )
            for cut in fit.cuts
        ],
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


def _items(view: ContextView) -> Iterator[Item]:
    return (item for part in view.parts for item in part.items)


def _entries_data(view: ContextView) -> Iterator[ContextEntry]:
    """Yield the nodes of a context that are shown."""
    from yg.render.shapes.specgraph_context import ContextEntry

    for item in _items(view):
        if isinstance(entry := item.entry, IncludedNode):
            yield ContextEntry(
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
                targets=list(item.targets) or UNSET,
                see=item.see or UNSET,
                as_in=item.as_in or UNSET,
            )


def _affected_data(view: ContextView) -> Iterator[AffectedNode]:
    """Yield the affected nodes that are shown."""
    from yg.render.shapes.specgraph_context import AffectedNode

    for item in _items(view):
        if isinstance(entry := item.entry, Affected):
            yield AffectedNode(
                **_node_fields(entry.node),
                edges=list(entry.edges),
                targets=list(item.targets) or UNSET,
                as_in=item.as_in or UNSET,
            )


def context_text(context: Context | ContextView) -> str:
    """Write a context like other packages, with its sections between tags."""
    view = _view(context)
    opening = tag("context-package", (*_node_attributes(view), *size_attributes(view)))
    sections = (_section_text(part.title, part.lines) for part in view.parts)
    body = "\n\n".join([f"<{opening}>", *sections, "</context-package>"])
    return f"{body}\nBudget status: {view.status}\n"


def _node_attributes(view: ContextView) -> tuple[tuple[str, str], ...]:
    if len(view.contexts) > 1:
        return (("nodes", ", ".join(view.node_ids)),)
    target = view.contexts[0].target
    return ("node-id", target.id), ("node-name", target.title)


def _section_text(heading: str, lines: Iterable[str]) -> str:
    opening = tag("section", (("name", heading),))
    return "\n".join([f"<{opening}>", *lines, "</section>"])


def context_reasons(context: Context | ContextView) -> str:
    """Write a table of nodes with their size, their share and the reason they are included.

    What the document leaves out follows in a table of its own, with the reason for that.
    """
    view = _view(context)
    parts = (
        (
            f"{heading} {subject}".rstrip(),
            len(text := _joined(lines)),
            view.tokens_of(text),
            because,
        )
        for heading, subject, lines, because in context_parts(view)
    )
    shown = reason_table("part", parts, view)
    return f"{shown}\n{_omission_table(view)}" if view.omissions else shown


def _omission_table(view: ContextView) -> str:
    rows = [("left out", view.budget.unit, "because")]
    for omission in view.omissions:
        size = str(view.tokens_of(omission.item.text))
        rows.append((visible(omission.label), size, visible(omission.reason)))
    return table(rows, "<><")


def context_parts(
    context: Context | ContextView,
) -> Iterator[tuple[str, str, Iterable[str], str]]:
    """Yield the section, the node, the lines and the reason of each part of the document."""
    view = _view(context)
    because = _reasons_by_node(view)
    for part in view.parts:
        if part.heading in _OTHERS:
            yield part.title, "", part.lines, _OTHERS[part.heading]
            continue
        for item in part.items:
            reason = ", ".join(because[item.subject]) if item.entry else "the target"
            yield part.heading, item.subject, item.lines, reason


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _reasons_by_node(view: ContextView) -> dict[str, list[str]]:
    """Return the reasons for each entry; several targets are named."""
    found: dict[str, list[str]] = {}
    for context in view.contexts:
        target = context.target.id
        before = f"{target}: " if len(view.contexts) > 1 else ""
        for entry in context.entries:
            texts = (before + reason for reason in reasons(entry, target))
            found.setdefault(entry.node.id, []).extend(texts)
    return found


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


def _markdown(context: Context | ContextView, _stamp: str) -> str:
    return context.markdown


FORMS = ContextForms(context_data, context_text, _markdown, context_reasons)
