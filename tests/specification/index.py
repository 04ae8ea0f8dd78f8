"""The index of the tests of the specification, made from what their docstrings quote.

`python -m specification.index` in `tests/` rewrites the tables in README.md.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
README = FOLDER / "README.md"
TITLES = {"001": "Engine", "002": "Graph", "004": "Tools"}
_LINE = re.compile(r'(\d{3}), ([^,:]+)(?:, [^:]+)?: "(.+)"')


class Statement(NamedTuple):
    """A statement of a document, and the test that names it."""

    document: str
    section: str
    text: str
    test: str


def statements() -> Iterator[Statement]:
    """Yield what the tests quote; a line that is written in another way is an error."""
    for file in sorted(FOLDER.glob("test_0*.py")):
        for part in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(part, ast.FunctionDef) and part.name.startswith("test_"):
                for line in (ast.get_docstring(part) or "").split("\n"):
                    found = _LINE.fullmatch(line)
                    if found is None:
                        raise ValueError(f"{file.name}, {part.name}: {line!r}")
                    document, section, text = found.groups()
                    yield Statement(document, section, text, part.name.removeprefix("test_"))


def tables() -> str:
    """Return a table for each document: its sections, their statements, and the tests."""
    known = list(statements())
    lines: list[str] = []
    for document, title in TITLES.items():
        own = [entry for entry in known if entry.document == document]
        lines += ["", f"## {document}, {title}: {len(own)} statements", ""]
        lines += ["| section | statements | tests |", "| --- | --- | --- |"]
        for section in dict.fromkeys(entry.section for entry in own):
            inside = [entry for entry in own if entry.section == section]
            tests = ", ".join(f"`{name}`" for name in dict.fromkeys(e.test for e in inside))
            lines.append(f"| {section} | {len(inside)} | {tests} |")
    return "\n".join([*lines, ""])


def updated(page: str) -> str:
    """Return the page with the present tables between its first part and its last one."""
    before, _, rest = page.partition("\n## 001")
    return f"{before}{tables()}\n## Not tested{rest.partition('## Not tested')[2]}"


if __name__ == "__main__":
    README.write_text(updated(README.read_text(encoding="utf-8")), encoding="utf-8")
