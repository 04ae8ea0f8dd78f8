"""Write JSON documents, always formatted the same way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, to_builtins

from yg.kernel.escapes import escape_controls_in_json

if TYPE_CHECKING:
    from typing import TypeVar

    from msgspec import UnsetType

    from yg.render.shapes.base import JsonDocument

    T = TypeVar("T")


def document_text(document: JsonDocument) -> str:
    """Write a document as JSON."""
    return json_text(plain(document))


def plain(document: JsonDocument) -> dict[str, Any]:
    """Return a document as dicts and lists; its first key is the name of its schema."""
    fields: dict[str, Any] = to_builtins(document)
    return fields


def json_text(content: dict[str, Any]) -> str:
    """Write indented JSON; only control characters are escaped."""
    # Unlike msgspec, json writes the surrogates of file names that are not UTF-8.
    text = json.dumps(content, ensure_ascii=False, indent=2)
    return escape_controls_in_json(text) + "\n"


def known(value: T | None) -> T | UnsetType:
    """Omit a field that is None because this kind of graph does not have it."""
    return UNSET if value is None else value
