"""JSON documents: plain data with a schema name, written the same way every time."""

from __future__ import annotations

import json
from typing import Any

from yg.kernel.escapes import escape_controls_in_json


def document(command: str, fields: dict[str, Any]) -> str:
    """Write one JSON document of a command."""
    return json_text({"schema": f"yg-{command}/1", **fields})


def json_text(content: dict[str, Any]) -> str:
    """Write JSON in UTF-8; control characters are escapes, all others are not."""
    text = json.dumps(content, ensure_ascii=False, indent=2)
    return escape_controls_in_json(text) + "\n"


def known(fields: dict[str, Any]) -> dict[str, Any]:
    """Leave out what a kind of graph has no word for, which is None."""
    return {key: value for key, value in fields.items() if value is not None}
