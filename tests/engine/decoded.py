"""What a decoder made of a text, as plain values and places, and texts that try decoders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.text.decode import Datum, Decoded


def plain(datum: Datum | None) -> Any:
    """Return a decoded value without its places."""
    assert datum is not None
    match datum.value:
        case list(items):
            return [plain(item) for item in items]
        case dict(entries):
            return {key: plain(entry.datum) for key, entry in entries.items()}
        case scalar:
            return scalar


def places(datum: Datum | None) -> Iterator[tuple[int, int]]:
    """Yield the line and column of every value and every key."""
    if datum is None:
        return
    yield datum.line, datum.column
    if isinstance(datum.value, list):
        for item in datum.value:
            yield from places(item)
    elif isinstance(datum.value, dict):
        for entry in datum.value.values():
            yield entry.line, entry.column
            yield from places(entry.datum)


def outside(decoded: Decoded, text: str) -> list[tuple[int, int]]:
    """Return the places of values and problems that the text does not have."""
    ends = [len(line) + 1 for line in text.split("\n")]
    told = [(problem.line, problem.column) for problem in decoded.problems]
    return [
        (line, column)
        for line, column in (*told, *places(decoded.datum))
        if not (1 <= line <= len(ends) and 1 <= column <= ends[line - 1])
    ]


def soups(pieces: Sequence[str]) -> st.SearchStrategy[str]:
    """Make texts of pieces in any order."""
    return st.lists(st.sampled_from(pieces), max_size=30).map("".join)


@st.composite
def damaged(draw: st.DrawFn, text: str, pieces: Sequence[str]) -> str:
    """Make texts from a valid one, with a few pieces put in and a few characters taken out."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        gone = draw(st.integers(0, 3))
        text = text[:at] + draw(st.sampled_from(pieces)) + text[at + gone :]
    return text
