"""Texts that wait for an author: headings, and a mark that says so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg_old.kernel.snapshot import DRAFT_MARK
from yg_old.text.escapes import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterable

_DASHES = re.compile("--+")  # would end a comment


def draft_text(headings: Iterable[str], about: str = "") -> str:
    """Return a text with a draft mark under its headings; `about` says what to write."""
    hint = _DASHES.sub("-", visible(one_line(about))).rstrip(".")
    below = f"{DRAFT_MARK}\n<!-- {hint}. -->" if hint else DRAFT_MARK
    return "".join(f"{heading}\n\n{below}\n\n" for heading in headings).removesuffix("\n")
