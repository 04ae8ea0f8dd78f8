"""The examples of source code: whole files, and changes with the class that each must have.

A file of changes is named for the ending of its language, as in `changes/py.txt`. Each change is

    == what it shows -> class: name added, name changed
    text before
    -- to
    text after

The names are left out where there are none. A first line `file: NAME` names the file that the
changes are of, where its name matters.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

HERE = Path(__file__).parent
# Kept as texts, so that no tool reads them as code of this repository.
EXAMPLES = sorted(path.stem for path in (HERE / "examples").glob("*.txt"))
CHANGES = sorted((HERE / "changes").glob("*.txt"))


def example_text(name: str) -> str:
    """Return the text of an example."""
    return (HERE / "examples" / f"{name}.txt").read_text(encoding="utf-8")


class Change(Struct, frozen=True):
    """A change of a source text, and how it must be classified."""

    title: str
    file: str
    kind: str
    names: tuple[str, ...]  # "charge changed"
    before: str
    after: str


def changes_in(path: Path) -> Iterator[Change]:
    """Yield the changes of one file."""
    file = f"example.{path.name.split('.')[-2]}"
    head, *parts = path.read_text(encoding="utf-8").split("\n== ")
    assert not head.strip("\n"), f"{path} starts with '{head[:20]}'"
    for part in parts:
        title, _, texts = part.partition("\n")
        title, _, result = title.partition(" -> ")
        kind, _, names = result.partition(": ")
        name = file
        if texts.startswith("file: "):
            name, _, texts = texts.removeprefix("file: ").partition("\n")
        before, found, after = texts.partition("\n-- to\n")
        assert found, title
        listed = tuple(names.split(", ")) if names else ()
        yield Change(title, name, kind, listed, before + "\n", after + "\n")


ALL_CHANGES = [change for path in CHANGES for change in changes_in(path)]
