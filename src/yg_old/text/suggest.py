"""Suggestions for unknown names: the most similar existing names."""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

MOST = 3
MOST_ADVISED = 200  # distinct unknown names that get suggestions
WIDEST_GAP = 15.0  # points behind the best suggestion
LOWEST_SCORE = 60.0  # of 100; a lower score is likely to mislead
LONGEST_COMPARED = 256  # characters; comparing names is quadratic in their length
LONGEST_SHOWN = 256  # characters of a name in a suggestion


class Candidates:
    """Names to suggest, prepared for comparison."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = names

    @cached_property
    def by_end(self) -> dict[str, list[str]]:
        """The names by the last part of their path."""
        found: dict[str, list[str]] = {}
        for name in sorted(self._names):
            found.setdefault(name.rpartition("/")[2], []).append(name)
        return found

    @cached_property
    def compared(self) -> tuple[list[str], list[str]]:
        """The names that are not too long, and their forms for comparison."""
        from rapidfuzz import utils

        names = [name for name in sorted(self._names) if len(name) <= LONGEST_COMPARED]
        return names, [utils.default_process(name) for name in names]


class Suggester:
    """Suggests names from one collection, for a limited number of unknown names."""

    def __init__(self, candidates: Candidates | Iterable[str], least: float = LOWEST_SCORE) -> None:
        self._candidates = (
            candidates if isinstance(candidates, Candidates) else Candidates(candidates)
        )
        self._least = least  # score of a suggestion
        self._suggested: dict[str, tuple[str, ...]] = {}

    def __call__(self, name: str) -> tuple[str, ...]:
        """Return the most similar names, best first; none after MOST_ADVISED calls."""
        if name not in self._suggested:
            if len(self._suggested) == MOST_ADVISED:
                return ()
            self._suggested[name] = self._nearest(name)
        return self._suggested[name]

    def _nearest(self, name: str) -> tuple[str, ...]:
        # Imported late: only needed for a mistyped name.
        from rapidfuzz import fuzz, process, utils

        asked = utils.default_process(name[: LONGEST_COMPARED + 1])
        if not asked:
            return ()
        end = name.rpartition("/")[2]
        same_end = self._candidates.by_end.get(end, [])
        if same_end or len(asked) > LONGEST_COMPARED:
            return tuple(same_end[:MOST])
        names, processed = self._candidates.compared
        found = process.extract(
            asked, processed, scorer=fuzz.ratio, score_cutoff=self._least, limit=len(names)
        )
        ranked = sorted((-score, names[at]) for _, score, at in found)
        best = -ranked[0][0] if ranked else 0.0
        close = [candidate for score, candidate in ranked if -score >= best - WIDEST_GAP]
        return tuple(close[:MOST])


def nearest(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Return the most similar names, the best first."""
    return Suggester(candidates)(name)


def did_you_mean(near: Iterable[str]) -> str:
    """Format suggestions as a question; empty if there are none."""
    quoted = [f"'{_shortened(name)}'" for name in near]
    return f"Did you mean {' or '.join(quoted)}?" if quoted else ""


def listing(names: Collection[str], most: int = 8, *, quotes: bool = False) -> str:
    """Join the first few names with commas, with or without quotes, and count the rest."""
    rest = len(names) - most
    shortened = (_shortened(name) for name in islice(names, most))
    shown = ", ".join(_quoted(name) if quotes else name for name in shortened)
    return shown + (f" and {rest} more" if rest > 0 else "")


def _quoted(name: str) -> str:
    return f"'{name}'" if " " in name else name


def _shortened(name: str) -> str:
    return name if len(name) <= LONGEST_SHOWN else f"{name[:LONGEST_SHOWN]}.."
