"""Spec Graphs as dicts: small nodes that are valid unless a test says otherwise."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from yg.kernel.snapshot import DictSnapshot
from yg.specgraph.model import TYPES, LinkKind, Shape
from yg.specgraph.places import FOLDER
from yg.specgraph.read.reader import read

if TYPE_CHECKING:
    from support import Content
    from yg.specgraph.graph import SpecGraph

Data = dict[str, Any]
LINKS = frozenset(map(str, LinkKind))
DIGEST = "0123456789abcdef" * 4


def node(kind: str, **changes: Any) -> Data:
    """Make a valid node of a type; links are given by their names, other keys as they are."""
    data: Data = {"type": kind, "title": f"A {kind}", **_sayings(kind)}
    links = {key: value for key, value in changes.items() if key in LINKS}
    data |= {key: value for key, value in changes.items() if key not in LINKS}
    return {**data, "links": links} if links else data


def _sayings(kind: str) -> Data:
    shape = TYPES[kind].shape if kind in TYPES else Shape.CONTRACT
    if shape is Shape.GROUPING:
        return {"description": "What belongs together."}
    if shape is Shape.BEHAVIOR:
        return {"expectation": "Something can be seen.", "verification": "make test"}
    data: Data = {"statement": "Something holds.", "verification": ["make test"]}
    match kind:
        case "decision":
            data |= {"category": "pattern", "metadata": {"rationale": "It is simple."}}
        case "policy":
            data |= {"severity": "hard"}
        case "artifact":
            data |= {"artifact": {"sha256": DIGEST}}
    return data


def index_of(nodes: Mapping[str, Data], **index: Any) -> Data:
    """Make the index of some nodes."""
    references = [{"id": name, "path": f"nodes/{name}.json"} for name in nodes]
    return {"specgraphVersion": "1.0.0", "nodes": references, **index}


def files_of(nodes: Mapping[str, Data], **index: Any) -> dict[str, Content]:
    """Write nodes and their index as files."""
    files: dict[str, Content] = {f"{FOLDER}/graph.json": written(index_of(nodes, **index))}
    for name, data in nodes.items():
        files[f"{FOLDER}/nodes/{name}.json"] = written({"id": name, **data})
    return files


def written(data: object) -> str:
    """Write data as people do."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def spec(nodes: Mapping[str, Data], **index: Any) -> SpecGraph:
    """Make the graph of some nodes."""
    return spec_from(files_of(nodes, **index))


def spec_from(files: Mapping[str, Content]) -> SpecGraph:
    """Read the graph of some files."""
    return read(DictSnapshot(files))
