"""Truncation of long lists in documents."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct


class Window(Struct, frozen=True):
    """The range of entries to show of lists longer than the limit."""

    limit: int
    offset: int = 0


def cut(document: dict[str, Any], window: Window) -> dict[str, Any]:
    """Truncate long lists; the key `cut` records their full lengths."""
    totals: dict[str, int] = {}
    result: dict[str, Any] = _cut(document, "", window, totals)
    if totals:
        result["cut"] = {"limit": window.limit, "offset": window.offset, "totals": totals}
    return result


def _cut(value: Any, where: str, window: Window, totals: dict[str, int]) -> Any:
    # The schema bounds the depth of a document, so recursion is safe.
    if isinstance(value, dict):
        return {key: _cut(item, f"{where}/{key}", window, totals) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    start = 0
    if len(value) > window.limit:
        totals[where] = len(value)
        start = window.offset
        value = value[start : start + window.limit]
    return [
        _cut(item, f"{where}/{index}", window, totals) for index, item in enumerate(value, start)
    ]


def cut_text(document: dict[str, Any]) -> str:
    """Render a truncated document: the totals, the next offset, then the fields."""
    about = document["cut"]
    after = about["offset"] + about["limit"]
    lines = [_summary(where, total, about) for where, total in about["totals"].items()]
    if any(total > after for total in about["totals"].values()):
        lines.append(f"For more entries, call again with offset {after}.")
    shown = [(key, value) for key, value in document.items() if key not in ("schema", "cut")]
    for key, value in sorted(shown, key=lambda pair: isinstance(pair[1], list)):
        lines.extend(_lines(key, value))
    return "".join(f"{line}\n" for line in lines)


def _summary(where: str, total: int, about: dict[str, Any]) -> str:
    first = about["offset"] + 1
    last = min(about["offset"] + about["limit"], total)
    shown = f"{first} to {last}" if first <= last else "none"
    return f"{where[1:]}: showing {shown} of {total}"


def _lines(key: str, value: Any) -> list[str]:
    if isinstance(value, list):
        return [f"{key}:", *(f"- {_inline(item)}" for item in value)] if value else []
    return [f"{key}: {_inline(value)}"]


def _inline(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
