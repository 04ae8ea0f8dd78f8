"""Parsing of baselines, also of those that other tools, earlier versions or merges have left."""

from __future__ import annotations

from msgspec import DecodeError, Raw
from msgspec.json import Decoder

from yg_old.yggdrasil.drift.baseline import (
    FILES,
    HASH,
    OLD_REVIEWS,
    TIMES,
    Baseline,
    baseline_shaped,
    normalised,
    with_reviews,
)
from yg_old.yggdrasil.drift.keys import CODE, EXTERNAL, REVIEWS

_PARTS = Decoder(dict[str, Raw])
_TEXT = Decoder(str)
_DIGESTS = Decoder(dict[str, str])
_KNOWN = frozenset((EXTERNAL, CODE, REVIEWS, OLD_REVIEWS))
_NO_HASH = Raw(b'""')


def baseline_from(text: str) -> Baseline | str:
    """Parse a baseline written by this or another program; return a message if it is invalid."""
    try:
        parts = _PARTS.decode(text)
        digest, raw = _TEXT.decode(parts.pop(HASH, _NO_HASH)), parts.pop(FILES)
        files = _DIGESTS.decode(raw)
    except (DecodeError, UnicodeError, RecursionError, KeyError):
        return _decoded_slowly(text)
    # The decoder takes the last value of a key, but a merge may leave two of them.
    if bytes(raw).count(b'":') > len(files) or text.count(f'"{OLD_REVIEWS}') > 1:
        return _decoded_slowly(text)
    if not parts.keys() <= _KNOWN and isinstance(problem := _decoded_slowly(text), str):
        return problem  # in a part that another tool has written
    rest = {key: bytes(value) for key, value in parts.items() if key != TIMES}
    return Baseline(digest, normalised(files), with_reviews(rest))


def _decoded_slowly(text: str) -> Baseline | str:
    """Parse a baseline that is invalid, merged, or valid only for a less strict parser."""
    import json  # late: nearly all baselines are as we write them

    from yg_old.text.decode import real_number, whole_number
    from yg_old.yggdrasil.drift.conflicts import has_markers
    from yg_old.yggdrasil.drift.merged import baseline_of_lines, baseline_of_sides

    if has_markers(text):
        return baseline_of_sides(text)
    try:
        content = json.loads(text, parse_int=whole_number, parse_float=real_number)
    except json.JSONDecodeError as error:
        found = baseline_of_lines(text)
        return found or f"not valid JSON in line {error.lineno}, column {error.colno}"
    except ValueError as error:
        return f"it holds {error}"
    except RecursionError:
        return "nested too deeply"
    shaped = baseline_shaped(content)
    return shaped if isinstance(shaped, str) else _with_doubles(shaped, text)


def _with_doubles(baseline: Baseline, text: str) -> Baseline:
    """Return a baseline with what stands under a key that its text has twice, if it has one."""
    from yg_old.yggdrasil.drift.merged import baseline_of_lines

    found = baseline_of_lines(text)
    if found is None or found.merged is None:
        return baseline
    is_same = (found.files, found.rest) == (baseline.files, baseline.rest)
    return baseline if is_same and found.merged.is_only_hash else found
