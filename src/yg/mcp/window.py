"""Long documents: every list that is too long is cut, and its true length told."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct


class Window(Struct, frozen=True):
    """Which entries of a long list are shown; lists that fit are shown whole."""

    limit: int
    offset: int = 0


def cut(document: dict[str, Any], window: Window) -> dict[str, Any]:
    """Cut every long list of a document; what was cut is told in one more key."""
    totals: dict[str, int] = {}
    result: dict[str, Any] = _cut(document, "", window, totals)
    if totals:
        result["cut"] = {"limit": window.limit, "offset": window.offset, "totals": totals}
    return result


def _cut(value: Any, where: str, window: Window, totals: dict[str, int]) -> Any:
    # A document is as deep as its schema, whatever the graph: this may call itself.
    if isinstance(value, dict):
        return {key: _cut(each, f"{where}/{key}", window, totals) for key, each in value.items()}
    if not isinstance(value, list):
        return value
    start = 0
    if len(value) > window.limit:
        totals[where] = len(value)
        start = window.offset
        value = value[start : start + window.limit]
    return [_cut(each, f"{where}/{start + at}", window, totals) for at, each in enumerate(value)]


def cut_text(document: dict[str, Any]) -> str:
    """Write a document that was cut: what there is in all, how to go on, then its lists."""
    about = document["cut"]
    after = about["offset"] + about["limit"]
    lines = [_share(where, total, about) for where, total in about["totals"].items()]
    if any(total > after for total in about["totals"].values()):
        lines.append(f"For the next entries call again with offset {after}.")
    shown = [(key, value) for key, value in document.items() if key not in ("schema", "cut")]
    for key, value in sorted(shown, key=lambda pair: isinstance(pair[1], list)):
        lines.extend(_lines(key, value))
    return "".join(f"{line}\n" for line in lines)


def _share(where: str, total: int, about: dict[str, Any]) -> str:
    first = about["offset"] + 1
    last = min(about["offset"] + about["limit"], total)
    shown = f"{first} to {last}" if first <= last else "none"
    return f"{where[1:]}: {total} in all, here {shown}"


def _lines(key: str, value: Any) -> list[str]:
    if isinstance(value, list):
        return [f"{key}:", *(f"- {_inline(each)}" for each in value)] if value else []
    return [f"{key}: {_inline(value)}"]


def _inline(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
