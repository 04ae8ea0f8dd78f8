"""The context of a Spec Graph's node as text between tags, as data, and as a table of reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel.suggest import listing
from yg.render.package import ContextForms, reason_table, size_data, tag
from yg.specgraph.context import AFFECTED, VERIFICATION, WARNINGS, annotation
from yg.specgraph.document import bullet, target_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.specgraph.context import Context, Entry
    from yg.specgraph.model import Node

_CLOSING = {
    AFFECTED: "links of the target",
    WARNINGS: "the state of the graph",
    VERIFICATION: "the target, its policies and what verifies it",
}


def context_data(context: Context) -> dict[str, Any]:
    """Return a context as plain data, the document included."""
    return {
        "node": _node_data(context.target),
        "depth": context.depth,
        "nodes": [_entry_data(entry) for entry in context.entries],
        "affected": [
            {**_node_data(each.node), "edges": list(each.edges)} for each in context.affected
        ],
        "missing": [
            {"source": each.source, "edge_type": each.edge_type, "target": each.target}
            for each in context.missing
        ],
        "pruned": [
            {"id": each.node.id, "superseded_by": list(each.superseded_by)}
            for each in context.pruned
        ],
        "warnings": list(context.warnings),
        "markdown": context.markdown,
    }


def context_document(context: Context) -> dict[str, Any]:
    """Return a context as data, and what is told of every package: its size and its files."""
    files = list(context.source_files)
    return {**context_data(context), **size_data(context), "files": files}


def _node_data(node: Node) -> dict[str, Any]:
    return {"id": node.id, "type": node.type, "title": node.title}


def _entry_data(entry: Entry) -> dict[str, Any]:
    return {
        **_node_data(entry.node),
        "section": entry.section.value,
        "level": entry.level,
        "reasons": list(entry.reasons),
        "direct": entry.is_direct,
        "precedence_distance": entry.precedence,
        "via_targets": list(entry.via_targets),
        "via_layers": list(entry.via_layers),
        "required_by": list(entry.required_by),
        "superseded_by": list(entry.superseded_by),
    }


def context_text(context: Context) -> str:
    """Write a context as other packages are written: its sections between tags."""
    target = context.target
    opening = tag(
        "context-package",
        (
            ("node-id", target.id),
            ("node-name", target.title),
            ("token-count", str(context.tokens)),
        ),
    )
    sections = (_section_text(part.heading, part.lines) for part in context.parts)
    body = "\n\n".join([f"<{opening}>", *sections, "</context-package>"])
    return f"{body}\nBudget status: {context.status}\n"


def _section_text(heading: str, lines: Iterable[str]) -> str:
    opening = tag("section", (("name", heading),))
    return "\n".join([f"<{opening}>", *lines, "</section>"])


def context_reasons(context: Context) -> str:
    """Tell for every node how large its part is, which share that is, and what brought it in."""
    parts = (
        (label, sum(len(line) + 1 for line in lines), because)
        for label, lines, because in _parts(context)
    )
    return reason_table("part", parts, context)


def _parts(context: Context) -> Iterator[tuple[str, Iterable[str], str]]:
    """Yield what the document is made of: a label, the lines, and the reason."""
    target = context.target
    yield f"{target.kind.heading} {target.id}", target_lines(target), "the target"
    for entry in context.entries:
        label = f"{entry.section} {entry.node.id}"
        yield label, bullet(entry.node, annotation(entry)), ", ".join(reasons(entry, target.id))
    for part in context.parts:
        if part.heading in _CLOSING:
            yield part.heading, part.lines, _CLOSING[part.heading]


def reasons(entry: Entry, target_id: str) -> Iterator[str]:
    """Say in words what brought a node in."""
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
    if entry.path:
        yield f"layer of {target_id}"
    if entry.required_by:
        yield f"required by {listing(entry.required_by)}"


def _markdown(context: Context, _stamp: str) -> str:
    return context.markdown


FORMS = ContextForms(context_document, context_text, _markdown, context_reasons)
