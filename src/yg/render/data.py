"""JSON documents: plain data with a schema name, written the same way every time."""

from __future__ import annotations

import json
from typing import Any


def document(command: str, fields: dict[str, Any]) -> str:
    """Write one JSON document of a command."""
    content = {"schema": f"yg-{command}/1", **fields}
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def known(fields: dict[str, Any]) -> dict[str, Any]:
    """Leave out what a kind of graph has no word for, which is None."""
    return {key: value for key, value in fields.items() if value is not None}
