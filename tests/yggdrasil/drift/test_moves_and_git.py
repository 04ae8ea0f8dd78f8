"""Moves of real files that were edited too, compared with the renames that git finds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from support import benchmark
from yg.code.facts import FileFacts
from yg.code.parts import FILE
from yg.code.read import read_facts
from yg.yggdrasil.drift.similar import LEAST_SHARE

compared = benchmark("moves")
FEW = 0.02  # of the lines


def facts(text: str) -> FileFacts:
    found = read_facts("a.py", text.encode())
    assert found is not None
    return found


def is_similar(before: str, after: str) -> bool:
    """Tell whether a file has moved by the words of the manual, without any search."""
    old, new = facts(before), facts(after)
    parts = [
        {(name, part.digest) for name, part in each.parts.items() if name != FILE}
        for each in (old, new)
    ]
    most = max(map(len, parts))
    return old.tokens == new.tokens or len(parts[0] & parts[1]) * 100 >= LEAST_SHARE * max(most, 1)


# git compares lines, and half of them are enough. We compare parts: one changed line makes a part
# another one, and four of five must be the same. So git finds all files of which some lines were
# replaced, and we find those whose edits are in few functions; neither takes one file for another.
@pytest.mark.parametrize("way", compared.WAYS)
@pytest.mark.parametrize("share", compared.SHARES)
@pytest.mark.parametrize("seed", range(3))
def test_what_we_find_is_a_rename_for_git_and_has_enough_equal_parts(
    tmp_path: Path, seed: int, share: float, way: str
) -> None:
    before, after, true = compared.moved(share, way, random.Random(seed))  # noqa: S311
    by_git = compared.renames(tmp_path, before, after)
    by_us = compared.moves(before, after)
    expected = {old for old, new in true.items() if is_similar(before[old], after[new])}
    assert by_us == {old: true[old] for old in expected}
    assert by_us.items() <= by_git.items()
    if share <= FEW:
        assert by_git == true
    if share == 0:
        assert by_us == true
