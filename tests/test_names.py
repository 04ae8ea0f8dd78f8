"""Every class of the package has a name of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import yg

PACKAGE = Path(yg.__file__).parent


def class_names(file: Path) -> Iterator[str]:
    """Yield the names of the classes of a module."""
    for found in re.finditer(
        r"^ *class (\w+)[\[(:]", file.read_text(encoding="utf-8"), re.MULTILINE
    ):
        yield found[1]


def test_no_class_shares_its_name_with_one_elsewhere() -> None:
    places: dict[str, list[str]] = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        for name in class_names(file):
            places.setdefault(name, []).append(file.relative_to(PACKAGE).as_posix())
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
