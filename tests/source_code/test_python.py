"""Python's own parser never sees a change that we call cosmetic or documentation."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from random import Random

import pytest

from source_code.cases import example_text
from source_code.mutations import mutated
from source_code.python_oracle import tree_of
from yg.code.changes import compare
from yg.code.read import read_facts

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
MODULES = ("ast", "dataclasses", "functools", "typing", "textwrap", "json/encoder", "asyncio/locks")
MUTATIONS = 800  # of each module
SILENT = ("cosmetic", "docs")


def check_mutations(text: str, seed: int, count: int) -> int:
    """Compare a text with mutations of it; return how many of them were other trees."""
    random = Random(seed)
    tree, facts = tree_of(text), read_facts("a.py", text.encode())
    assert facts is not None
    different = 0
    for _ in range(count):
        other = mutated(text, random)
        parsed = tree_of(other)
        if parsed is None:
            continue
        kind = compare(facts, read_facts("a.py", other.encode())).kind
        if parsed != tree:
            different += 1
            assert kind not in SILENT, other
        else:
            assert kind != "unknown", other
    return different


def pieces_of(module: str) -> list[str]:
    """Return a module of the standard library in pieces that can be parsed quickly."""
    text = (LIBRARY / f"{module}.py").read_text(encoding="utf-8")
    return [part for part in text.split("\n\n\n") if tree_of(part) and len(part) < 3_000]


@pytest.mark.parametrize("module", MODULES)
def test_no_mutation_of_a_real_module_is_silent(module: str) -> None:
    pieces = pieces_of(module)
    count = 1 + MUTATIONS // len(pieces)
    assert sum(check_mutations(piece, 7, count) for piece in pieces) > MUTATIONS // 20
