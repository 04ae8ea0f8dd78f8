"""Spec Graphs in a few lines, such as `A feature: contains B C; depends_on D`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from yg.kernel.snapshot import DictSnapshot
from yg.specgraph.graph import Graph
from yg.specgraph.read import read

GROUPS = ("feature", "layer")


def node(line: str, **more: Any) -> dict[str, Any]:
    """Make a node of a line: its id, its type and, behind a colon, its links by kind."""
    head, _, rest = line.partition(":")
    name, kind = head.split()
    links = {each.split()[0]: each.split()[1:] for each in rest.split(";") if each.strip()}
    text = f"What {name} says."
    says: dict[str, Any] = {"statement": text, "verification": [f"check {name}"]}
    if kind in GROUPS:
        says = {"description": text}
    elif kind == "behavior":
        says = {"expectation": text, "verification": f"check {name}"}
    elif kind == "decision":
        says |= {"category": "stack", "metadata": {"rationale": "Because."}}
    elif kind == "policy":
        says["severity"] = "hard"
    return {"id": name, "type": kind, "title": f"Title {name}", **says, "links": links, **more}


def files_of(*lines: str, **more: Any) -> dict[str, str]:
    """Return the files of a graph, one node for each line; `more` stands in graph.json."""
    nodes = [node(line) for line in lines]
    index = [{"id": each["id"], "path": f"nodes/{each['id']}.json"} for each in nodes]
    return {
        "specgraph/graph.json": json.dumps({"specgraphVersion": "1.0.0", "nodes": index, **more}),
        **{f"specgraph/nodes/{each['id']}.json": json.dumps(each) for each in nodes},
    }


def graph_of(files: Mapping[str, str | bytes]) -> Graph:
    """Read a graph from its files."""
    return read(DictSnapshot(files))


def sketched(*lines: str, **more: Any) -> Graph:
    """Read the graph of some lines."""
    return graph_of(files_of(*lines, **more))
