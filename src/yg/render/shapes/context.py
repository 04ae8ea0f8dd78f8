"""Fields that the contexts of all kinds of graphs share."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, UnsetType

from yg.render.shapes.base import Count, Record, Text, UniqueTexts, about, one_of

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{12}$")]
BudgetStatus = Annotated[str, one_of("ok", "warning", "error")]


class ContextBudget(Record, frozen=True, kw_only=True):
    """The token budget in the configuration."""

    status: Annotated[BudgetStatus, about("The size compared with the budget.")]
    warning: Annotated[Count, about("The number of tokens above which the size is a warning.")]
    error: Annotated[Count, about("The number of tokens above which the size is an error.")]


Tokens = Annotated[Count, about("The size of the package in tokens, estimated or counted.")]
Tokenizer = Annotated[
    Text | UnsetType, about("The tokenizer that counted tokens; absent if they are estimated.")
]
Characters = Annotated[Count, about("The size of the package in characters.")]
TokenBudget = Annotated[ContextBudget, about("The token budget in the configuration.")]
ContextFiles = Annotated[
    UniqueTexts, about("All files of the graph that the package depends on, sorted.")
]
