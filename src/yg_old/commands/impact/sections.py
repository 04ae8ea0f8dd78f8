"""Sections of the texts about impact: a title, and the lines below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.palette import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NONE = "(none)"


def section(title: str, lines: Iterable[str]) -> str:
    """Write a title and the lines below it."""
    body = "".join(f"  {line}\n" for line in lines)
    return f"{title}:\n{body}" if body else f"{title}: {NONE}\n"


def listed(names: Sequence[str]) -> str:
    """Write names in one line."""
    return ", ".join(visible(name) for name in names) or NONE
