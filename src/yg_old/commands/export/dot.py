"""Render an Export as DOT, for Graphviz."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.commands.export.drawing import Part, Style, label, nested, short, title
from yg_old.kernel.export import EdgeKind, Presence, VertexKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.commands.export.drawing import Step
    from yg_old.kernel.export import Export, ExportEdge, Vertex

_DEFAULTS = """\
  graph [rankdir=LR, bgcolor="#ffffff", pad=0.2, nodesep=0.25, ranksep=0.6, fontname="Helvetica"];
  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=12, margin="0.15,0.08"];
  edge [fontname="Helvetica", fontsize=9, fontcolor="#475569", color="#475569", arrowsize=0.7];
"""
_FRAME = 'style="rounded,filled"; fillcolor="#f8fafc"; color="#cbd5e1"; fontsize=12; labeljust=l;'
_SHAPES = {VertexKind.NODE: "box", VertexKind.ASPECT: "note", VertexKind.FLOW: "oval"}
_EDGES = {
    EdgeKind.RELATION: "",
    EdgeKind.EVENT: 'style=dashed, color="#6d28d9", fontcolor="#6d28d9"',
    EdgeKind.HAS_ASPECT: 'style=dotted, color="#94a3b8", arrowhead=none',
    EdgeKind.IMPLIES: 'style=dotted, color="#94a3b8", arrowhead=empty',
    EdgeKind.PARTICIPATES: 'color="#0e7490", arrowhead=dot, arrowsize=0.4, penwidth=0.7',
    EdgeKind.IMPORT: 'style=dashed, color="#dc2626", fontcolor="#dc2626"',
    EdgeKind.CONTAINS: 'color="#94a3b8", dir=back, arrowtail=odiamond',
}
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def export_dot(export: Export) -> str:
    """Write a DOT graph with clusters for containers, colours by type and line styles by edge."""
    return "".join(_lines(export))


def _lines(export: Export) -> Iterator[str]:
    nesting, style = nested(export), Style(export)
    yield f"digraph {_quoted(short(export.repository))} {{\n{_DEFAULTS}"
    for step in nesting.steps:
        yield step.indentation + _step(step, style)
    for edge in nesting.edges:
        yield f"  {_edge(edge)}"
    yield "}\n"


def _step(step: Step, style: Style) -> str:
    match step.part:
        case Part.FRAME:
            name = _quoted(f"cluster {step.vertex.id}")
            return f"subgraph {name} {{ {_FRAME} label={_label(step.vertex, style, ' ')};\n"
        case Part.BOX:
            return _box(step.vertex, style)
        case Part.END:
            return "}\n"


def _box(vertex: Vertex, style: Style) -> str:
    colours = style.colours(vertex)
    is_present = vertex.presence is Presence.PRESENT
    attributes = {
        "label": _label(vertex, style),
        "shape": _SHAPES[vertex.kind],
        "style": '"rounded,filled"' if is_present else '"filled,dashed"',
        "fillcolor": f'"{colours.fill}"',
        "color": f'"{colours.line}"',
        "fontcolor": f'"{colours.text}"',
    }
    return f"{_id(vertex.id)} [{', '.join(f'{k}={v}' for k, v in attributes.items())}];\n"


def _label(vertex: Vertex, style: Style, between: str = "<br/>") -> str:
    small = f'<font point-size="9">{_html(style.remark(vertex))}</font>'
    return f"<{_html(title(vertex))}{between}{small}>"


def _edge(edge: ExportEdge) -> str:
    text = label(edge)
    attributes = [part for part in (_EDGES[edge.kind], text and f"label={_quoted(text)}") if part]
    ends = f"{_id(edge.source)} -> {_id(edge.target)}"
    return f"{ends} [{', '.join(attributes)}];\n" if attributes else f"{ends};\n"


def _id(name: str) -> str:
    # Graphviz reserves names that begin with a percent sign.
    return _quoted(f"_{name}" if name.startswith("%") else name)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _html(text: str) -> str:
    return text.translate(_ENTITIES)
