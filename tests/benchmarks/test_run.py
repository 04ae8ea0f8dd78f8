"""The script that compares yg with an earlier version."""

from __future__ import annotations

import importlib
import os
import shlex
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

BENCHMARKS = os.path.join(os.path.dirname(__file__), "..", "..", "benchmarks")


def test_a_run_prints_every_row(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)
    run = importlib.import_module("run")
    monkeypatch.setattr(run, "SETTLED", 0)
    nothing = f"{shlex.quote(sys.executable)} -S -c pass"

    run.main(["--nodes", "20", "--repeat", "1", "--against", nothing])

    printed = capfd.readouterr().out.splitlines()
    first_cells = [line.split(" | ")[0] for line in printed if line.startswith("| ")]
    names = ["command", "---", *run.FLOORS, *(row.name for row in run.ROWS)]
    assert first_cells == [f"| {name}" for name in names]
