"""The page of a rule: its address, and its text for a hover."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any

from yg_old.commands.explain import every_rule
from yg_old.surfaces.lsp.uris import uri_of

if TYPE_CHECKING:
    from yg_old.kernel.rule import Rule

_HERE = os.path.dirname(os.path.abspath(__file__))
# The manual is part of an installed package; in a checkout it is in docs/.
_MANUALS = (
    os.path.join(_HERE, "rules.md"),
    os.path.normpath(os.path.join(_HERE, "..", "..", "..", "..", "docs", "rules.md")),
)


@cache
def rules() -> dict[str, Rule[Any]]:
    """Return all rules by code."""
    return {rule.code: rule for rule in every_rule()}


@cache
def page_of(code: str) -> str | None:
    """Return the address of the page of a rule; None if the manual is not installed."""
    manual = next((file for file in _MANUALS if os.path.isfile(file)), None)
    rule = rules().get(code)
    if manual is None or rule is None:
        return None
    return f"{uri_of(manual)}#{rule.code.lower()}-{rule.name}"
