"""What four times as much hostile code costs: at most five times as much work; and its memory.

Work is counted in two ways. Executed lines of Python are quick to count, and see every loop of a
reader. Machine instructions also see the search for the end of a token, which is one call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from executed import lines
from security.hostile_code import FILES, KNOWN, Make, patterns, read_each
from security.instructions import Json, is_steep, needs_valgrind, steep
from security.memory import needs_peaks, too_much

FEW = 120  # characters of the shortest text whose lines are counted
SIZE = 600  # and of the shortest one whose instructions are
PAIRS = 16
TOGETHER = 4  # texts that are counted as one
LENGTH = 300_000  # characters of a text whose memory is measured; of a short one much is overhead

Named = tuple[str, tuple[str, Make]]  # a text, with the path of its file


def named_patterns(path: str, number: int) -> list[Named]:
    return [(f"{path}: {name}", (path, make)) for name, make in patterns(path, number).items()]


def group(members: list[Named]) -> Callable[[int], Json]:
    """Return a function that makes some texts of a size, each with the path of its file."""
    return lambda size: [[path, make(size)] for _, (path, make) in members]


def too_steep(reader: str, every: list[Named]) -> dict[str, list[int]]:
    """Return the texts that take a reader too long: some are counted together, to save time."""
    groups = [every[at : at + TOGETHER] for at in range(0, len(every), TOGETHER)]
    named = {str(at): group(members) for at, members in enumerate(groups)}
    suspects = [member for at in steep(reader, named, SIZE) for member in groups[int(at)]]
    return steep(reader, {name: group([(name, made)]) for name, made in suspects}, SIZE)


@pytest.mark.slow
@needs_valgrind
@pytest.mark.parametrize("number", range(3))
def test_splitting_hostile_code_takes_instructions_that_grow_with_its_length(number: int) -> None:
    every = [named for path in FILES[number::3] for named in named_patterns(path, PAIRS)]
    assert too_steep("security.hostile_code:scan_each", every) == {}


@pytest.mark.slow
@needs_valgrind
@pytest.mark.parametrize("reader", ["scan_each", "read_each"])
def test_hostile_code_of_the_past_takes_instructions_that_grow_with_its_length(reader: str) -> None:
    assert too_steep(f"security.hostile_code:{reader}", list(KNOWN.items())) == {}


def counted(every: list[Named], size: int) -> Iterator[tuple[str, list[int]]]:
    """Yield the texts that take too many lines of Python, with their numbers."""
    for name, (path, make) in every:
        sizes = [size * times for times in (1, 2, 4)]
        texts = [(path, make(size)) for size in sizes]
        read_each(texts[:1])  # compiles patterns and imports the reader, which counts once
        costs = [lines(lambda text=text: read_each([text])) for text in texts]  # type: ignore[misc]
        if is_steep(costs, noise=200):
            yield name, costs


@pytest.mark.parametrize("path", FILES)
def test_reading_hostile_code_takes_lines_that_grow_with_its_length(path: str) -> None:
    assert dict(counted(named_patterns(path, 0), FEW)) == {}


def test_reading_hostile_code_of_the_past_takes_lines_that_grow_with_its_length() -> None:
    assert dict(counted(list(KNOWN.items()), SIZE)) == {}


@pytest.mark.slow
@needs_peaks
@pytest.mark.parametrize("path", FILES)
def test_a_megabyte_of_code_takes_at_most_a_hundred_and_fifty_of_memory(path: str) -> None:
    assert too_much("security.hostile_code", "read_pair", "dense", LENGTH, path) == {}
