"""The lines of parts, compared with those of tree-sitter's syntax trees."""

from __future__ import annotations

from pathlib import Path

import pytest

from yg.code.languages import ENDINGS, ending
from yg.code.read import read_facts

pytest.importorskip("tree_sitter", reason="tree-sitter is not installed")

from source_code.declarations import DECLARED, declared_lines

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((Path(__file__).parent / "examples").glob("*.txt"))
OURS = sorted([*(ROOT / "web" / "src").rglob("*.js"), *(ROOT / "editors").glob("*/src/**/*.ts")])
FILES = [
    file
    for file in (*EXAMPLES, *OURS)
    if ENDINGS[ending(file.stem if file in EXAMPLES else file.name)] in DECLARED
]
DIRECTIVES = """\
class A {
  /** One. */
  one = 1;
  // @ts-ignore
  two;
  /** Three. */
  // @ts-ignore
  three;
}
"""
QUOTES = """\
const a = '"one" and "two"'
const b = `${  a  } ${ a
} three`
const c = 1
"""
GROUPS = """\
package a

const (
	// One is the first,
	// as always.
	One = 1

	// Not documentation.

	Two = 2 // two
	// Three.
	Three = 3
)

type (
	// T is a type.
	T struct {
		// A is a field.
		A int
	}
)
"""


def check_lines(path: str, text: str) -> int:
    """Compare the lines of all declarations of a file; return how many there are."""
    expected = declared_lines(path, text)
    facts = read_facts(path, text.encode())
    if expected is None:
        pytest.skip(f"tree-sitter cannot read {path}, or has no grammar for it")
    assert facts is not None
    found = {name: list(part.places) for name, part in facts.parts.items()}
    assert {name: found.get(name) for name in expected} == expected
    return len(expected)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_lines_of_declarations_are_those_of_the_syntax_tree(file: Path) -> None:
    check_lines(file.name.removesuffix(".txt"), file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("path", "text"), [("a.ts", DIRECTIVES), ("a.go", GROUPS)])
def test_comments_belong_to_the_declaration_below_them(path: str, text: str) -> None:
    assert check_lines(path, text) > 3


def test_strings_and_templates_end_where_they_are_written() -> None:
    assert check_lines("a.js", QUOTES) == 3
