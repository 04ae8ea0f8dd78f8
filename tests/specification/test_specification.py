"""The examples of the specification, each with a golden of its own.

A golden is a transcript: commands after `$ `, each followed by what it prints and, if it fails, by
its exit code. `YG_UPDATE_GOLDEN` does not rewrite these files: the specification is not changed by
a change of the program. Where a golden shows something in another way than the document, its
example says so in `differs`.
"""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from forked import shared
from specification import (
    assembly_document,
    builder_document,
    engine_document,
    graph_document,
    tools_document,
)
from specification.writing import Example, Place
from support import write
from transcripts import commands

FOLDER = Path(__file__).parent / "golden"
EPOCH = {"SOURCE_DATE_EPOCH": "1770647400"}  # 2026-02-09T14:30:00Z
DOCUMENTS = {
    "Graph": graph_document,
    "Engine": engine_document,
    "Tools": tools_document,
    "Context Builder": builder_document,
    "Context Assembly": assembly_document,
}
EXAMPLES = {title: document.EXAMPLES for title, document in DOCUMENTS.items()}
PLACES: dict[str, Place] = {
    name: place for document in DOCUMENTS.values() for name, place in document.GOLDENS.items()
}
ROWS = [(title, example) for title, examples in EXAMPLES.items() for example in examples]
IN_THE_DOCUMENTS = {  # counted there by hand
    "Graph": 23,
    "Engine": 9,
    "Tools": 33,
    "Context Builder": 10,
    "Context Assembly": 5,
}


def typed(command: str, root: Path) -> str:
    """Return what a command prints, and its exit code if it fails."""
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=root,
        env={**os.environ, **EPOCH, "PATH": shared().path, "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.stdout + (f"(exit code {done.returncode})\n" if done.returncode else "")


@pytest.mark.parametrize("name", PLACES)
def test_the_program_prints_what_the_specification_shows(name: str, tmp_path: Path) -> None:
    place, expected = PLACES[name], (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    root = write(tmp_path / "my-project", place.files)
    root.mkdir(exist_ok=True)
    typed(place.before or ":", root)
    shown = "".join(f"$ {each}\n{typed(each, root)}" for each in commands(expected))
    assert shown == expected


def test_every_example_of_the_documents_is_in_the_table() -> None:
    assert {title: len(examples) for title, examples in EXAMPLES.items()} == IN_THE_DOCUMENTS


@pytest.mark.parametrize(("title", "example"), ROWS)
def test_an_example_has_a_golden_or_a_reason(title: str, example: Example) -> None:
    assert bool(example.golden) != bool(example.reason), (title, example)
    assert not example.golden or example.golden in PLACES, (title, example)


def test_no_example_is_listed_twice() -> None:
    counted = Counter((title, example.section, example.shows) for title, example in ROWS)
    assert [row for row, number in counted.items() if number > 1] == []


def test_every_golden_belongs_to_an_example_and_every_example_to_one_that_exists() -> None:
    used = {example.golden for _, example in ROWS if example.golden}
    files = {path.stem for path in FOLDER.iterdir()}
    assert files == used == set(PLACES)
