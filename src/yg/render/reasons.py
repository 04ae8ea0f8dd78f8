"""A table of the parts of a context: how large each is, which share that is, what brought it in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.package import tokens_of
from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.kernel.package import Measured


def reason_table(what: str, parts: Iterable[tuple[str, int, str]], whole: Measured) -> str:
    """Write a row for each part, given by label, length and reason, and one for the whole."""
    rows = [(what, "tokens", "share", "because")]
    total = whole.characters  # which takes a look at every part
    for label, length, because in parts:
        share = 100 * length / total if total else 0.0
        size = str(tokens_of(length))
        rows.append((visible(label), size, f"{share:.1f}%", visible(because)))
    verdict = f"{whole.status}, warning above {whole.budget.warning}"
    rows.append(("total", str(whole.tokens), "100.0%", verdict))
    widths = [max(len(row[at]) for row in rows) for at in range(3)]
    return "".join(
        f"{label:<{widths[0]}}  {size:>{widths[1]}}  {share:>{widths[2]}}  {because}\n"
        for label, size, share, because in rows
    )
