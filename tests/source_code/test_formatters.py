"""What a formatter changes is cosmetic, where one is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from source_code.cases import ALL_CHANGES
from yg.code.change_class import compare
from yg.code.read import read_facts

FORMATTERS = {  # by the ending of the files: the program and its arguments
    "go": ("gofmt", "-w"),
    "rs": ("rustfmt", "--edition", "2021", "--config", "reorder_modules=false"),
    "ts": ("prettier", "--write", "--log-level", "error"),
}
# Formatters also drop `for ;;` and `(f)()`, add build tags, write parentheses around sequences in a
# case and around the function type that a function returns, and know where a type ends.
NOT_COSMETIC = (
    "a loop",
    "an old build tag",
    "a build tag",
    "a semicolon before a parenthesis",
    "an arrow function that returns a function",
    "an index behind a type",
    "a string in a case",
)


def formatted(ending: str, texts: Sequence[str], folder: Path) -> list[str]:
    """Return the texts as the formatter of a language writes them."""
    program = shutil.which(FORMATTERS[ending][0])
    if program is None:
        pytest.skip(f"{FORMATTERS[ending][0]} is not installed")
    files = [folder / f"f{number}.{ending}" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, encoding="utf-8")
    command = [program, *FORMATTERS[ending][1:], *map(str, files)]
    subprocess.run(command, check=False, capture_output=True, cwd=folder, env=dict(os.environ))
    return [file.read_text(encoding="utf-8") for file in files]


@pytest.mark.parametrize("ending", FORMATTERS)
def test_a_formatter_makes_cosmetic_changes(ending: str, tmp_path: Path) -> None:
    changes = [change for change in ALL_CHANGES if change.file.endswith(f".{ending}")]
    changes = [change for change in changes if change.title not in NOT_COSMETIC]
    texts = [change.before for change in changes]
    wrong = []
    for text, after in zip(texts, formatted(ending, texts, tmp_path), strict=True):
        facts = [read_facts(f"a.{ending}", one.encode()) for one in (text, after)]
        if text != after and compare(*facts).kind not in ("cosmetic", "docs"):
            wrong.append((text, after))
    assert not wrong
