"""What the user may have meant: existing names near to one that was not found."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST = 3
WIDEST_GAP = 15.0  # points behind the best suggestion
LOWEST_SCORE = 60.0  # of 100; below that a suggestion confuses more than it helps


def nearest(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Return the few names most like the one given, the best first."""
    # Only someone who mistyped a name should wait for this import.
    from rapidfuzz import fuzz, process, utils

    names = sorted(candidates)
    if not utils.default_process(name):
        return ()
    found = process.extract(
        name,
        names,
        scorer=fuzz.ratio,
        processor=utils.default_process,
        score_cutoff=LOWEST_SCORE,
        limit=len(names),
    )
    ranked = sorted((-score, each) for each, score, _ in found)
    best = -ranked[0][0] if ranked else 0.0
    close = [each for score, each in ranked if -score >= best - WIDEST_GAP]
    same_end = [each for each in names if each.rpartition("/")[2] == name.rpartition("/")[2]]
    return tuple(same_end or close)[:MOST]


def did_you_mean(near: Iterable[str]) -> str:
    """Put suggestions into a question; empty when there are none."""
    quoted = [f"'{name}'" for name in near]
    return f"Did you mean {' or '.join(quoted)}?" if quoted else ""


def listing(names: Iterable[str], most: int = 8) -> str:
    """Join names by commas, the first few of many."""
    every = list(names)
    rest = len(every) - most
    return ", ".join(every[:most]) + (f" and {rest} more" if rest > 0 else "")
