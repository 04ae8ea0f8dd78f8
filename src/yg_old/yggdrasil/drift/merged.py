"""Baselines with both sides of a merge: which digests, reviews and facts they have together."""

from __future__ import annotations

from collections import Counter
from json import dumps
from typing import TYPE_CHECKING, Any

from msgspec import DecodeError, Raw, Struct
from msgspec.json import Decoder
from msgspec.json import encode as json_encode

from yg_old.text import paths
from yg_old.yggdrasil.drift.baseline import (
    FILES,
    OLD_REVIEWS,
    Baseline,
    Merged,
    baseline_shaped,
    digest_of,
    encoded,
)
from yg_old.yggdrasil.drift.conflicts import Pairs, merged_pairs, sides_of
from yg_old.yggdrasil.drift.keys import CODE, EXTERNAL, REVIEWS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class _Facts(Struct):
    """The facts about sources in a baseline, by path."""

    algo: str
    files: dict[str, Raw]


_FACTS = Decoder(_Facts)


def baseline_of_sides(text: str) -> Baseline | str:
    """Read both sides of a baseline with conflict markers."""
    texts = sides_of(text)
    if texts is None:
        return "its conflict markers do not fit together"
    sides = [_pairs(side) for side in texts]
    if any(side is None for side in sides):
        return "not valid JSON between its conflict markers"
    return _joined([side for side in sides if side is not None])


def baseline_of_lines(text: str) -> Baseline | None:
    """Read a baseline with the lines of both sides, as a union merge leaves it; None if invalid."""
    pairs = _pairs(text)
    found = _joined([pairs]) if pairs is not None else ""
    return None if isinstance(found, str) else found


def _pairs(text: str) -> Pairs | None:
    """Parse a text in which a merge may have mixed the lines of facts beyond recognition.

    Facts follow from the code, so that they can be left out.
    """
    pairs = merged_pairs(text)
    kept, facts, _ = text.partition(f'\n  "{CODE}": {{')
    if pairs is None and facts and text.rstrip().endswith("}"):
        return merged_pairs(f"{kept}}}")
    return pairs


def _joined(sides: Sequence[Pairs]) -> Baseline | str:
    """Return the baseline of some sides, ours first; a message if one of them is invalid."""
    shaped = []
    for side in sides:
        content = {key: dict(value) if isinstance(value, Pairs) else value for key, value in side}
        found = baseline_shaped(content)
        if isinstance(found, str):
            return found
        shaped.append(found)
    try:
        reviews = _united(_reviews(side) for side in sides)
    except RecursionError:
        return "nested too deeply"
    rest = {key: value for found in reversed(shaped) for key, value in found.rest.items()}
    if reviews:
        rest.update(encoded({REVIEWS: reviews}))
    facts = _joined_facts([found.rest[CODE] for found in shaped if CODE in found.rest])
    if facts:
        rest[CODE] = facts
    files, others = _digests_of(sides, FILES)
    contracts, other_contracts = _digests_of(sides, EXTERNAL)
    if contracts:
        rest[EXTERNAL] = json_encode(contracts)
    merged = Merged(others, other_contracts, is_only_hash=_differ_in_hash(shaped))
    return Baseline(shaped[0].hash, files, rest, merged)


def _reviews(side: Pairs) -> list[Any]:
    """Return the lists of reviews of a side; those that an earlier version added come last."""
    keys = (REVIEWS, OLD_REVIEWS)
    return [value for wanted in keys for key, value in side if key == wanted]


def _differ_in_hash(sides: Sequence[Baseline]) -> bool:
    first = sides[0]
    return all((side.files, side.rest) == (first.files, first.rest) for side in sides)


def _united(sides: Iterable[Sequence[Any]]) -> list[Any]:
    """Return the reviews of all sides: ours, and then those that only theirs have."""
    found: list[Any] = []
    for lists in sides:
        known = Counter(map(dumps, found))
        for review in (each for part in lists if isinstance(part, list) for each in part):
            if known[dumps(review)]:
                known[dumps(review)] -= 1
            else:
                found.append(review)
    return found


def _joined_facts(parts: Sequence[bytes]) -> bytes | None:
    """Return the facts of all sides, ours first; only ours if they are of different kinds."""
    decoded = []
    for part in parts:
        try:
            decoded.append(_FACTS.decode(part))
        except DecodeError:
            continue
    alike = [facts for facts in decoded if facts.algo == decoded[0].algo]
    if not alike:
        return None
    files = {path: raw for facts in reversed(alike) for path, raw in facts.files.items()}
    return json_encode(_Facts(alike[0].algo, dict(sorted(files.items()))))


def _digests_of(
    sides: Sequence[Pairs], key: str
) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return the first digest of each path, and all of them where the sides differ."""
    known: list[dict[str, list[str]]] = []
    for side in sides:
        digests: dict[str, list[str]] = {}
        for path, value in _pairs_at(side, key):
            if isinstance(digest := digest_of(value), str):
                digests.setdefault(paths.normalise(path) or path, []).append(digest)
        known.append(digests)
    found: dict[str, str] = {}
    others: dict[str, tuple[str, ...]] = {}
    for path in sorted({path for digests in known for path in digests}):
        every = tuple(dict.fromkeys(each for digests in known for each in digests.get(path, [""])))
        found[path] = next(filter(None, every), "")
        if len(every) > 1:
            others[path] = every
    return found, others


def _pairs_at(side: Pairs, key: str) -> Iterator[tuple[str, Any]]:
    for name, value in side:
        if name == key and isinstance(value, list):
            yield from value
