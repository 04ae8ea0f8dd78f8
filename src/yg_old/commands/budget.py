"""Fields with sizes of packages that several documents share."""

from __future__ import annotations

from typing import Annotated

from msgspec import UnsetType

from yg_old.kernel.document import Text, about, one_of

BudgetStatus = Annotated[str, one_of("ok", "warning", "error")]
Tokenizer = Annotated[
    Text | UnsetType, about("The tokenizer that counted tokens; absent if they are estimated.")
]
