"""An Export as a Mermaid flowchart, which many hosts draw where it stands in Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg.kernel.export import EdgeKind, VertexKind
from yg.render.export_drawing import Part, Style, label, nested, remark, title

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from yg.kernel.export import Edge, Export, Vertex
    from yg.render.export_drawing import Step

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
}
# Mermaid takes labels for Markdown and HTML with entities of its own. What could be more than
# a letter there is written as a number: marks of lists and emphasis only where they would count.
_MARKUP = re.compile(r"[^\w ,…/(.)-]|[.)-](?= |$)|(?<![^\W_])_|_(?![^\W_])")
_NOT_AN_ID = re.compile(r"[^A-Za-z0-9]+")


def export_mermaid(export: Export) -> str:
    """Draw a graph: subgraphs for what contains others, colours for types, strokes for edges."""
    return "".join(_lines(export))


def _lines(export: Export) -> Iterator[str]:
    picture, style, ids = nested(export), Style(export), _ids(export.vertices)
    boxes = (step.vertex for step in picture.steps if step.part is Part.BOX)
    colours = {vertex.id: style.colours(vertex) for vertex in boxes}
    looks = {each: f"look{at}" for at, each in enumerate(dict.fromkeys(colours.values()), 1)}
    yield "flowchart LR\n"
    for step in picture.steps:
        name = ids[step.vertex.id]
        look = looks[colours[step.vertex.id]] if step.part is Part.BOX else ""
        yield step.indentation + _step(step, name, look)
    for edge in picture.edges:
        yield f"  {_edge(edge, ids)}"
    for each, look in looks.items():
        yield f"  classDef {look} fill:{each.fill},stroke:{each.line},color:{each.text}\n"


def _ids(vertices: Iterable[Vertex]) -> dict[str, str]:
    """Give every vertex an id of letters and digits that still tells what it is."""
    found: dict[str, str] = {}
    used: dict[str, int] = {}
    for vertex in vertices:
        name = f"{vertex.kind}_{_NOT_AN_ID.sub('_', vertex.path).strip('_')}".rstrip("_")
        number = used[name] = used.get(name, 0) + 1
        found[vertex.id] = name if number == 1 else f"{name}__{number}"
    return found


def _step(step: Step, name: str, look: str) -> str:
    match step.part:
        case Part.FRAME:
            return f'subgraph frame_{name}["{_text(title(step.vertex))}"]\n'
        case Part.BOX:
            opening, closing = _BRACKETS[step.vertex.kind]
            words = f"{_text(title(step.vertex))}<br/>{_text(remark(step.vertex))}"
            return f'{name}{opening}"{words}"{closing}:::{look}\n'
        case Part.END:
            return "end\n"


def _edge(edge: Edge, ids: Mapping[str, str]) -> str:
    said = label(edge)
    words = f'|"{_text(said)}"|' if said else ""
    return f"{ids[edge.source]} {_ARROWS[edge.kind]}{words} {ids[edge.target]}\n"


def _text(text: str) -> str:
    return _MARKUP.sub(lambda found: f"#{ord(found[0])};", text)
