"""Python's own parser never sees a change that we call cosmetic or documentation."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from source_code.mutations import mutated
from source_code.python_oracle import tree_of
from yg.code.change_class import compare
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


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_no_mutation_of_a_real_module_is_silent(module: str) -> None:
    pieces = pieces_of(module)
    count = 1 + MUTATIONS // len(pieces)
    assert sum(check_mutations(piece, 7, count) for piece in pieces) > MUTATIONS // 20


def test_a_formatter_makes_cosmetic_changes_only(tmp_path: Path) -> None:
    """Apart from f-strings with quotes or expressions, letters in escapes, and the like."""
    modules = ("textwrap", "heapq", "string", "queue", "shlex", "fnmatch", "argparse", "tempfile")
    originals = {module: (LIBRARY / f"{module}.py").read_bytes() for module in modules}
    for module, data in originals.items():
        (tmp_path / f"{module}.py").write_bytes(data)
    command = [sys.executable, "-m", "ruff", "format", "--quiet", "--isolated", str(tmp_path)]
    subprocess.run(command, check=True)
    for module, data in originals.items():
        formatted = (tmp_path / f"{module}.py").read_bytes()
        assert formatted != data
        kind = compare(read_facts("a.py", data), read_facts("a.py", formatted)).kind
        assert kind == "cosmetic", module


WORDS = [
    "a",
    "b",
    "(",
    ")",
    "[",
    "]",
    ",",
    "(a,)",
    "f",
    "=",
    ":",
    "1",
    "'s'",
    '"s"',
    "else",
    ";",
    "*",
    ".",
    "f'{a}'",
    "{",
    "}",
    "#",
    "@",
    "b''",
    ":=",
    "pass",
]
STARTS = ("lambda x, y: ", "if ", "for ", "in ", "match ", "case ", "return ", "not ", "yield ")
SPACES = ("\n", "\n    ", " ", "\\\n", "def f", "import a")
PARTS = st.sampled_from((*WORDS, *STARTS, *SPACES))


@given(st.lists(PARTS, max_size=14), st.lists(PARTS, max_size=4), st.integers(0, 14))
def test_no_generated_change_is_silent(parts: list[str], more: list[str], at: int) -> None:
    before, after = "".join(parts), "".join((*parts[:at], *more, *parts[at + 1 :]))
    trees = tree_of(before), tree_of(after)
    kind = compare(read_facts("a.py", before.encode()), read_facts("a.py", after.encode())).kind
    if None not in trees and trees[0] != trees[1]:
        assert kind not in SILENT
