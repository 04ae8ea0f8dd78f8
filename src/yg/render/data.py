"""Write JSON documents, always formatted the same way."""

from __future__ import annotations

import json
from typing import Any

from yg.kernel.escapes import escape_controls_in_json


def document(command: str, fields: dict[str, Any]) -> str:
    """Write the JSON document of a command, with the name of its schema."""
    return json_text({"schema": f"yg-{command}/1", **fields})


def json_text(content: dict[str, Any]) -> str:
    """Write indented JSON; only control characters are escaped."""
    text = json.dumps(content, ensure_ascii=False, indent=2)
    return escape_controls_in_json(text) + "\n"


def known(fields: dict[str, Any]) -> dict[str, Any]:
    """Omit fields that are None because this kind of graph does not have them."""
    return {key: value for key, value in fields.items() if value is not None}
