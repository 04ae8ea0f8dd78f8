"""Spec Graphs in a few lines, such as `A feature: contains B C; depends_on D`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from specgraph.graphs import Data, files_of, node, spec

if TYPE_CHECKING:
    from support import Content
    from yg.specgraph.graph import SpecGraph


def nodes_of(*lines: str) -> dict[str, Data]:
    """Make a node of each line: its id, its type and, behind a colon, its links by kind."""
    nodes = {}
    for line in lines:
        head, _, rest = line.partition(":")
        name, kind = head.split()
        links = {word.split()[0]: word.split()[1:] for word in rest.split(";") if word.strip()}
        nodes[name] = node(kind, title=f"Title {name}", **links)
    return nodes


def sketched(*lines: str, **index: Any) -> SpecGraph:
    """Read the graph of some lines."""
    return spec(nodes_of(*lines), **index)


def sketched_files(*lines: str, **index: Any) -> dict[str, Content]:
    """Write the files of the graph of some lines."""
    return files_of(nodes_of(*lines), **index)
