"""An Export as GraphML, for Gephi, yEd, Cytoscape and networkx."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.render.export_table import EDGE_COLUMNS, NODE_COLUMNS, cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.kernel.export import Edge, Export, Vertex

_OPENING = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
"""
_TYPES = {"blackbox": "boolean", "tokens": "int"}  # all other fields are texts
_ENDS = ("id", "source", "target")  # attributes of their own
_LABEL = "label"  # what viewers write beside a node or an edge
_WRITTEN = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;"}
)


def export_graphml(export: Export) -> str:
    """Write a graph with all its attributes; lists are JSON, for GraphML has none."""
    return "".join(_lines(export))


def _lines(export: Export) -> Iterator[str]:
    yield _OPENING
    yield from _keys("node", NODE_COLUMNS)
    yield from _keys("edge", EDGE_COLUMNS)
    yield f'<graph id="{_text(export.repository)}" edgedefault="directed">\n'
    for vertex in export.vertices:
        yield f'<node id="{_text(vertex.id)}">\n'
        yield from _data("node", vertex, NODE_COLUMNS, vertex.name)
        yield "</node>\n"
    for edge in export.edges:
        ends = f'source="{_text(edge.source)}" target="{_text(edge.target)}"'
        yield f'<edge id="{_text(edge.id)}" {ends}>\n'
        yield from _data("edge", edge, EDGE_COLUMNS, edge.type)
        yield "</edge>\n"
    yield "</graph>\n</graphml>\n"


def _keys(domain: str, columns: Iterable[str]) -> Iterator[str]:
    for name in (_LABEL, *columns):
        if name not in _ENDS:
            described = f'attr.name="{name}" attr.type="{_TYPES.get(name, "string")}"'
            yield f'<key id="{domain}-{name}" for="{domain}" {described}/>\n'


def _data(domain: str, thing: Vertex | Edge, columns: Iterable[str], label: str) -> Iterator[str]:
    """Yield the attributes that have something to say."""
    yield f'  <data key="{domain}-{_LABEL}">{_text(label)}</data>\n'
    for name in columns:
        value = cell(getattr(thing, name)) if name not in _ENDS else ""
        if value:
            yield f'  <data key="{domain}-{name}">{_text(value)}</data>\n'


def _text(value: str) -> str:
    return cell(value).translate(_WRITTEN)
