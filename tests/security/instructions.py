"""Count the machine instructions that a call takes, as a measure that is the same in every run.

Counted calls of functions do not see the time inside of one regular expression, and seconds
depend on the machine. `callgrind` counts instructions, in a child process that is about fifty
times slower.

    needs_valgrind   marks a test that is skipped where valgrind is missing
    instructions     how many instructions each of some calls takes
    steep            the inputs whose cost grows faster than their size

A function is named as `module:function`, where the module can be imported from `tests`. It takes
one value that JSON can hold, such as a text. The module should not import pytest, which takes long
to start in the child.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import pytest

Json: TypeAlias = "str | int | Sequence[Json] | Mapping[str, Json]"

TESTS = Path(__file__).parent.parent
COUNTED = Path(__file__).with_name("counted.py")
LIMIT = 900  # seconds, for a child that would not end
TOTAL = re.compile(r"^totals: (\d+)", re.MULTILINE)
NOISE = 20_000  # instructions; a smaller difference says nothing
GROWTH = (1, 2, 4)  # times the size
MOST_GROWTH = 2.5  # of the cost, where the size grows by twice as much

needs_valgrind = pytest.mark.skipif(
    shutil.which("valgrind") is None, reason="valgrind, which counts instructions, is missing"
)


def instructions(function: str, inputs: Sequence[Json], first: Sequence[Json] = ()) -> list[int]:
    """Return how many instructions a function takes for each input.

    Inputs given as `first` are read before anything is counted, so that imports and caches of the
    interpreter do not count.
    """
    task = {"function": function, "first": first, "inputs": inputs}
    with TemporaryDirectory() as directory:
        out = Path(directory, "out")
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
        command += ["--dump-before=getpriority", sys.executable, str(COUNTED)]
        child = subprocess.run(
            command,
            input=json.dumps(task),
            env={**os.environ, "PYTHONPATH": str(TESTS), "PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert child.returncode == 0, child.stderr
        # What was counted before the first mark is in the file with the number 1.
        return [_total(Path(f"{out}.{number + 2}")) for number in range(len(inputs))]


def _total(file: Path) -> int:
    found = TOTAL.search(file.read_text(encoding="utf-8", errors="replace"))
    assert found, file
    return int(found[1])


def steep(
    function: str, inputs: Mapping[str, Callable[[int], Json]], size: int
) -> dict[str, list[int]]:
    """Return the inputs, by name, whose cost grows faster than their size, with their costs.

    Each is made of a size: of `size`, twice and four times that; the cost of size 0 is subtracted.
    One that grows too fast is counted again at larger sizes, since the cost of a small text also
    grows until it reaches a limit, such as that of a cache.
    """
    suspects = {name: inputs[name] for name in _steep(function, inputs, size)}
    return _steep(function, suspects, size * GROWTH[-1])


def _steep(
    function: str, inputs: Mapping[str, Callable[[int], Json]], size: int
) -> dict[str, list[int]]:
    if not inputs:
        return {}
    made = [make(size * times) for make in inputs.values() for times in GROWTH]
    nothing = next(iter(inputs.values()))(0)
    few = [make(size // 4) for make in inputs.values()]
    base, *counted = instructions(function, [nothing, *made], [nothing, *few])
    costs = [count - base for count in counted]
    step = len(GROWTH)
    rows = {name: costs[at * step : (at + 1) * step] for at, name in enumerate(inputs)}
    return {name: row for name, row in rows.items() if is_steep(row)}


def is_steep(costs: Sequence[int], noise: int = NOISE) -> bool:
    """Tell whether costs of a size, of twice and of four times it grow faster than the size.

    The differences are compared, so that what every call costs does not matter.
    """
    first, second, last = costs
    return last - second > MOST_GROWTH * max(second - first, noise)
