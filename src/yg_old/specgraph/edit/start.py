"""The first files of a Spec Graph: valid at once, and something to change."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from yg_old.kernel.edit import Write
from yg_old.specgraph.node_shapes import LONGEST_GROUP_ID
from yg_old.specgraph.places import FOLDER, MARKER
from yg_old.text.paths import is_utf8

if TYPE_CHECKING:
    from yg_old.specgraph.lenient import Object

VERSION = "1.0.0"
ANY_ID, ANY_TITLE = "APP", "Application"
_TITLE_LENGTHS = range(3, 101)


def new_specs(name: str) -> tuple[Write, ...]:
    """Return the files of a new graph for a project: a feature and its first behavior."""
    group = group_id(name)
    first = f"{group}-01"
    is_title = len(name.strip()) in _TITLE_LENGTHS and is_utf8(name)
    title = name.strip() if is_title else ANY_TITLE
    nodes: dict[str, Object] = {
        f"nodes/features/{group}.json": {
            "id": group,
            "type": "feature",
            "title": title,
            "description": f"Everything that {title} does.",
            "links": {"contains": [first]},
        },
        f"nodes/behaviors/{first}.json": {
            "id": first,
            "type": "behavior",
            "title": "A valid specification",
            "expectation": "'yg validate' finds no errors in this graph.",
            "verification": "yg validate --kind specgraph",
        },
    }
    index = {
        "specgraphVersion": VERSION,
        "root": group,
        "nodes": [
            {"id": node["id"], "path": path, "expectedType": node["type"]}
            for path, node in nodes.items()
        ],
    }
    files = {**{f"{FOLDER}/{path}": node for path, node in nodes.items()}, MARKER: index}
    return tuple(Write(path, _text(content)) for path, content in files.items())


def group_id(name: str) -> str:
    """Return an id for a project, made of its name."""
    found = re.sub(r"[^A-Z0-9]+", "-", name.upper(), flags=re.ASCII)
    return found.lstrip("-0123456789")[:LONGEST_GROUP_ID].rstrip("-") or ANY_ID


def _text(content: Object) -> bytes:
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()
