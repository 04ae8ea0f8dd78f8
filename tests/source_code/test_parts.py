"""The parts of source files: which there are, where they are, and what changes them."""

from __future__ import annotations

import ast
import re
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from source_code.python_oracle import definition_lines
from yg.code.change_class import ChangeClass, compare, of_added, of_removed
from yg.code.parts import FILE
from yg.code.read import read_facts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.code.facts import FileFacts

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
MODULES = ("ast", "dataclasses", "functools", "typing", "textwrap", "json/encoder", "asyncio/locks")
TABLE = (Path(__file__).parent / "parts.txt").read_text(encoding="utf-8")


def facts_of(path: str, text: str) -> FileFacts:
    found = read_facts(path, text.encode())
    assert found is not None, path
    return found


def tables() -> Iterator[tuple[str, str, list[str]]]:
    for block in TABLE.removeprefix("== ").split("\n== "):
        path, _, rest = block.partition("\n")
        text, _, expected = rest.partition("\n-- is\n")
        yield path, text + "\n", expected.splitlines()


@pytest.mark.parametrize(
    ("path", "text", "expected"), list(tables()), ids=lambda each: str(each)[:12]
)
def test_a_file_has_exactly_these_parts(path: str, text: str, expected: list[str]) -> None:
    for written in (text, text.replace("\n", "\r\n"), f"\ufeff{text}"):
        parts = facts_of(path, written).parts
        assert [f"{name} {part.first}-{part.last}" for name, part in parts.items()] == expected


@pytest.mark.parametrize("path", ["a.py", "a.ts", "a.js", "a.go", "A.java", "a.rs"])
def test_a_file_without_code_has_nothing_but_itself(path: str) -> None:
    comment = "# why\n" if path == "a.py" else "// why\n"
    for text, last in (("", 1), ("\n\n", 2), (comment, 1), (f"\ufeff{comment}{comment}", 2)):
        parts = facts_of(path, text).parts
        assert [(name, part.first, part.last) for name, part in parts.items()] == [(FILE, 1, last)]


@pytest.mark.parametrize("path", ["a.c", "a.cs", "a.kt", "a.rb", "a.php"])
def test_a_language_of_which_only_tokens_are_read_has_no_parts(path: str) -> None:
    assert facts_of(path, "int a;\n").parts == {}


# What changes a part. In each line of a text, one word can be replaced by another.

PY = """\
import os
LIMIT = 1
state = 2
@cache(3)
def charge(a=4):
    '''Five'''
    six()
class Cart:
    '''Seven'''
    eight()
    def total(self):
        def nine(): pass
    class Line:
        ten = 1
        def price(self): eleven
"""
TS = """\
/** One. */
export class Cart extends two {
  three = four;
  /** Five. */
  @six
  total(seven) { eight() }
  static { nine() }
}
const a = ten, b = eleven;
twelve();
function f() { function thirteen() {} }
"""
GO = """\
package p

// One.
func F() { two() }

type s struct {
	A three
	b four
}

func (x *s) m() { func() { five() }() }

var v, _ = six()

var _ = seven()
"""
JAVA = """\
/** One. */
class A extends two {
  @Three
  int f = four;
  static { five(); }
  void m(six a) { seven(); }
  enum E { X(eight), Y; void n() { nine(); } }
}
"""
RS = """\
/// One.
#[two]
pub struct S<T: three> { a: four, pub b: five }
impl<T: six> S<T> { fn m(&self) { seven() } }
impl eight::D for S<u8> { fn f() { nine() } }
mod m { fn g() { fn ten() {} } }
macro_rules! x { () => { eleven } }
"""
CHANGES = {
    "a.py": (
        PY,
        {
            "1": "LIMIT",
            "2": FILE,
            "3": "charge",
            "4": "charge",
            "Five": "",
            "six": "charge",
            "Seven": "",
            "eight": "Cart",
            "nine": "Cart.total",
            "ten": "Cart.Line",
            "eleven": "Cart.Line.price",
        },
    ),
    "a.ts": (
        TS,
        {
            "One": "",
            "two": "Cart",
            "four": "Cart.three",
            "Five": "",
            "six": "Cart.total",
            "seven": "Cart.total",
            "eight": "Cart.total",
            "nine": "Cart",
            "ten": "a",
            "eleven": "b",
            "twelve": FILE,
            "thirteen": "f",
        },
    ),
    "a.go": (
        GO,
        {
            "One": "",
            "two": "F",
            "three": "s.A",
            "four": "s.b",
            "five": "s.m",
            "six": "v",
            "seven": FILE,
        },
    ),
    "A.java": (
        JAVA,
        {
            "One": "",
            "two": "A",
            "Three": "A.f",
            "four": "A.f",
            "five": "A",
            "six": "A.m",
            "seven": "A.m",
            "eight": "A.E.X",
            "nine": "A.E.n",
        },
    ),
    "a.rs": (
        RS,
        {
            "One": "",
            "two": "S",
            "three": "S",
            "four": "S.a",
            "five": "S.b",
            "six": "impl S<T>",
            "seven": "S.m",
            "nine": "S.f",
            "ten": "m.g",
            "eleven": FILE,
        },
    ),
}


@pytest.mark.parametrize("path", CHANGES)
def test_a_change_is_one_of_the_innermost_part_around_it(path: str) -> None:
    text, words = CHANGES[path]
    before = facts_of(path, text)
    for word, part in words.items():
        after = facts_of(
            path, re.sub(rf"\b{word}\b", "9" if word.isdigit() else "other", text, count=1)
        )
        found = [(each.name, each.change.value) for each in compare(before, after).parts]
        assert found == ([(part, "changed")] if part else []), word


MORE = {
    "a.py": ("class A:\n    def a(self): pass\n", "    def b(self): pass\n"),
    "a.ts": ("class A {\n  a() {}\n", "  b() {}\n"),
    "A.java": ("class A {\n  int a;\n", "  int b;\n"),
    "a.go": ("package a\n\ntype A struct {\n\ta int\n", "\tb int\n"),
    "a.rs": ("struct A {\n  a: u8,\n", "  b: u8,\n"),
}
ENUM = ("enum A {\n  a,\n", "  b,\n")


@pytest.mark.parametrize(("path", "texts"), [*MORE.items(), ("A.java", ENUM)])
def test_a_new_member_changes_neither_its_owner_nor_its_neighbours(
    path: str, texts: tuple[str, str]
) -> None:
    start, member = texts
    end = "" if path == "a.py" else "}\n"
    change = compare(facts_of(path, start + end), facts_of(path, start + member + end))
    (part,) = change.parts
    assert (part.name, part.change, part.first) == ("A.b", "added", start.count("\n") + 1)
    gone = compare(facts_of(path, start + member + end), facts_of(path, start + end))
    assert [(each.name, each.change) for each in gone.parts] == [("A.b", "removed")]


def test_a_new_declaration_changes_no_other_part() -> None:
    for path, one, two in (
        ("a.py", "def a(): pass\n", "def b(): pass\n"),
        ("a.js", "function a() {}\n", "const b = 1\n"),
        ("a.go", "package a\n\nfunc a() {}\n", "func b() {}\n"),
        ("A.java", "class a {}\n", "class b {}\n"),
        ("a.rs", "fn a() {}\n", "fn b() {}\n"),
    ):
        change = compare(facts_of(path, one), facts_of(path, one + two))
        assert [(each.name, each.change) for each in change.parts] == [("b", "added")], path


def test_what_is_no_change_of_code_changes_no_part() -> None:
    before = facts_of("a.py", 'import os\n\ndef a():\n    "Doc."\n    import re\n    return (1)\n')
    for text, kind in (
        ("import os\ndef a():\n    'Doc.'\n    import re\n    return 1  # one\n", "cosmetic"),
        ('import os\n\ndef a():\n    "Docs."\n    import re\n    return 1\n', "docs"),
        ('import os\n\ndef a():\n    "Doc."\n    import sys\n    return 1\n', "imports"),
    ):
        change = compare(before, facts_of("a.py", text))
        assert (change.kind, change.parts) == (kind, ())


def test_another_order_is_a_change_of_no_part() -> None:
    one, two = "def a(): pass\n", "def b(): pass\n"
    change = compare(facts_of("a.py", one + two), facts_of("a.py", two + one))
    assert (change.kind, change.parts) == (ChangeClass.BODY, ())


def test_parts_come_by_line_and_removed_ones_at_the_end_by_name() -> None:
    before = facts_of("a.py", "def z(): 1\ndef c(): 1\ndef _a(): 1\nx()\ndef b(): 1\n")
    after = facts_of("a.py", "\nx(1)\n\ndef c(): 2\n\ndef _a(): 2\ndef d(): 1\n")
    assert [
        (part.name, part.change.value, part.first or 0, part.last or 0)
        for part in compare(before, after).parts
    ] == [
        (FILE, "changed", 1, 7),
        ("c", "changed", 4, 4),
        ("_a", "changed", 6, 6),
        ("d", "added", 7, 7),
        ("b", "removed", 0, 0),
        ("z", "removed", 0, 0),
    ]


def test_all_parts_of_a_new_or_deleted_file_are_new_or_gone() -> None:
    facts = facts_of("a.py", "def _a(): pass\n")
    (added,), (removed,) = of_added(facts).parts, of_removed(facts).parts
    assert (added.name, added.change, added.first, added.last) == ("_a", "added", 1, 1)
    assert (removed.name, removed.change, bool(removed.first)) == ("_a", "removed", False)
    with_code = facts_of("a.py", "def _a(): pass\nrun()\n")
    assert [part.name for part in of_added(with_code).parts] == [FILE, "_a"]


# Python's own parser as a second reading.


def check_lines(file: Path) -> int:
    """Compare the lines of all definitions of a module; return how many there are."""
    data = file.read_bytes()
    try:
        expected = definition_lines(data.decode())
    except (SyntaxError, ValueError):
        return 0
    facts = read_facts(file.name, data)
    if facts is None:
        return 0
    found = {name: list(part.places) for name, part in facts.parts.items()}
    assert {name: found.get(name) for name in expected} == expected, file
    return len(expected)


@pytest.mark.parametrize("module", MODULES)
def test_the_lines_of_definitions_are_those_of_pythons_parser(module: str) -> None:
    assert check_lines(LIBRARY / f"{module}.py") > 0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_lines_of_definitions_all_over_the_library_are_those_of_pythons_parser() -> None:
    files = [file for file in sorted(LIBRARY.rglob("*.py")) if "site-packages" not in file.parts]
    assert sum(map(check_lines, files[::3])) > 5_000


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("project", ["_pytest", "hypothesis", "mypy"])
def test_the_lines_of_all_definitions_of_a_project_are_those_of_pythons_parser(
    project: str,
) -> None:
    files = sorted((Path(sysconfig.get_paths()["purelib"]) / project).rglob("*.py"))
    files += sorted((Path(sysconfig.get_paths()["platlib"]) / project).rglob("*.py"))
    assert sum(map(check_lines, dict.fromkeys(files))) > 1_000


STATEMENTS = (ast.Expr, ast.Return, ast.If, ast.For, ast.Assign)


def insertions(text: str) -> Iterator[tuple[int, str]]:
    """Yield lines before which a statement can be inserted, each with the part it is in."""
    lines = text.splitlines()
    # The part around a tree, and the prefix of the parts in it; None: there are none.
    waiting: list[tuple[str, str | None, ast.AST]] = [(FILE, "", ast.parse(text))]
    while waiting:
        part, prefix, node = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if prefix is not None and isinstance(child, ast.ClassDef):
                waiting.append((prefix + child.name, f"{prefix}{child.name}.", child))
            elif prefix is not None and isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                waiting.append((prefix + child.name, None, child))
            else:
                waiting.append((part, prefix, child))
            if isinstance(child, STATEMENTS) and not _is_text(child):
                line = lines[child.lineno - 1]
                is_first = not line[: child.col_offset].strip()
                if is_first and not line.lstrip().startswith("elif"):
                    yield child.lineno, part


def _is_text(statement: ast.AST) -> bool:
    """Tell whether a statement may be a docstring."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


@pytest.mark.parametrize("module", MODULES)
def test_a_statement_more_changes_exactly_the_part_it_is_in(module: str) -> None:
    text = (LIBRARY / f"{module}.py").read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    before = facts_of("a.py", text)
    places = list(insertions(text))
    assert len(places) > 20
    for number, part in places[:: max(1, len(places) // 15)]:
        line = lines[number - 1]
        indentation = line[: len(line) - len(line.lstrip())]
        changed = [*lines[: number - 1], f"{indentation}inserted()\n", *lines[number - 1 :]]
        found = compare(before, facts_of("a.py", "".join(changed))).parts
        assert [(each.name, each.change) for each in found] == [(part, "changed")], (number, line)
