"""Render an Export as a Mermaid flowchart, which many hosts display inside Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg_old.commands.export.drawing import Part, Style, label, nested, title
from yg_old.kernel.export import EdgeKind, VertexKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from yg_old.commands.export.drawing import Step
    from yg_old.kernel.export import Export, ExportEdge, Vertex

_BRACKETS = {
    VertexKind.NODE: ("[", "]"),
    VertexKind.ASPECT: ("{{", "}}"),
    VertexKind.FLOW: ("([", "])"),
}
_ARROWS = {
    EdgeKind.RELATION: "-->",
    EdgeKind.EVENT: "-.->",
    EdgeKind.HAS_ASPECT: "-.-",
    EdgeKind.IMPLIES: "-.->",
    EdgeKind.PARTICIPATES: "---",
    EdgeKind.CONTAINS: "--o",
    EdgeKind.IMPORT: "-.-x",
}
# Mermaid parses labels as Markdown and HTML, with its own entity syntax. Characters that could be
# markup are written as numeric entities; list and emphasis marks only where they have an effect.
_MARKUP = re.compile(r"[^\w ,…/(.)-]|[.)-](?= |$)|(?<![^\W_])_|_(?![^\W_])")
_NOT_AN_ID = re.compile(r"[^A-Za-z0-9]+")


def export_mermaid(export: Export) -> str:
    """Write a flowchart with subgraphs for containers, colours by type and line styles by edge."""
    return "".join(_lines(export))


def _lines(export: Export) -> Iterator[str]:
    nesting, style, ids = nested(export), Style(export), _ids(export.vertices)
    boxes = (step.vertex for step in nesting.steps if step.part is Part.BOX)
    colours = {vertex.id: style.colours(vertex) for vertex in boxes}
    distinct = dict.fromkeys(colours.values())
    looks = {colour: f"look{number}" for number, colour in enumerate(distinct, 1)}
    yield "flowchart LR\n"
    for step in nesting.steps:
        name = ids[step.vertex.id]
        look = looks[colours[step.vertex.id]] if step.part is Part.BOX else ""
        yield step.indentation + _step(step, name, look, style)
    for edge in nesting.edges:
        yield f"  {_edge(edge, ids)}"
    for colour, look in looks.items():
        yield f"  classDef {look} fill:{colour.fill},stroke:{colour.line},color:{colour.text}\n"


def _ids(vertices: Iterable[Vertex]) -> dict[str, str]:
    """Return a readable Mermaid id for every vertex, by vertex id."""
    found: dict[str, str] = {}
    used: dict[str, int] = {}
    for vertex in vertices:
        name = f"{vertex.kind}_{_NOT_AN_ID.sub('_', vertex.path).strip('_')}".rstrip("_")
        number = used[name] = used.get(name, 0) + 1
        found[vertex.id] = name if number == 1 else f"{name}__{number}"
    return found


def _step(step: Step, name: str, look: str, style: Style) -> str:
    match step.part:
        case Part.FRAME:
            return f'subgraph frame_{name}["{_text(title(step.vertex))}"]\n'
        case Part.BOX:
            opening, closing = _BRACKETS[step.vertex.kind]
            caption = f"{_text(title(step.vertex))}<br/>{_text(style.remark(step.vertex))}"
            return f'{name}{opening}"{caption}"{closing}:::{look}\n'
        case Part.END:
            return "end\n"


def _edge(edge: ExportEdge, ids: Mapping[str, str]) -> str:
    text = label(edge)
    caption = f'|"{_text(text)}"|' if text else ""
    return f"{ids[edge.source]} {_ARROWS[edge.kind]}{caption} {ids[edge.target]}\n"


def _text(text: str) -> str:
    return _MARKUP.sub(lambda match: f"#{ord(match[0])};", text)
