"""What a file imports, as it is written."""

from __future__ import annotations

import pytest

from yg.code.facts import ImportFact
from yg.code.read import read_facts

TYPESCRIPT = """import a, { b as c, type D } from './x';
import * as all from "y";
import type { E } from 'z'
import 'effect';
import old = require('old');
export { f } from './f';
export * from './g';
export type { H } from './h';
const i = require('i'), j = await import('./j');
let k: typeof import('k');
object.require('not'); function require(name) {}
"""
GO = """package a

import "fmt"
import (
	x "example.com/b/c"
	_ "embed"
)
"""
JAVA = """package a.b;
import c.D;
import c.e.*;
import static c.F.g;
class A {}
"""
RUST = """use std::{fmt, io::{self, Read as R}};
use super::*;
extern crate alloc;
pub use crate::a::B;
mod c;
mod d { use e::F; }
fn g() { use h::I; }
"""


def imported(path: str, text: str) -> tuple[ImportFact, ...]:
    facts = read_facts(path, text.encode())
    assert facts is not None
    return tuple(sorted(facts.imported, key=lambda fact: (fact.line, fact.module, fact.names)))


TYPE_ONLY = r"""
    if TYPE_CHECKING:
    if typing.TYPE_CHECKING:
    if typing_extensions.TYPE_CHECKING:
    if t.TYPE_CHECKING:
    if te.TYPE_CHECKING:
    if TC:
    if (t.TYPE_CHECKING):
    if t.TYPE_CHECKING and x:
    if x and TC:
    if x: pass\nelif t.TYPE_CHECKING:
    if not TC: pass\nelse:
    if not (t.TYPE_CHECKING): pass\nelse:
    if x: pass\nelif not TYPE_CHECKING: pass\nelse:
    if not TC: pass\nelif x:
    if TC:\n  if x:
    if TC:\n  def f():
"""
AT_RUN_TIME = r"""
    if not TC:
    if TC: pass\nelse:
    if TC: pass\nelif x:
    if TC or x:
    if f(TC):
    if f(x and TC):
    if TC():
    if "a and TC":
    if not TC and x: pass\nelse:
    if other.TYPE_CHECKING:
    if not TC: pass\nfor x in y: pass\nelse:
    if not TC:\n  if x: pass\n  else:
    if not TC: pass\nelse: pass\nif x:
    while TC:
"""
ALIASES = """
import os, typing as t
import typing_extensions as te
from typing import Any as Other, TYPE_CHECKING as TC
"""


def block_with_import(header: str) -> str:
    """Return a module that imports `a` in a block with a header."""
    lines = header.strip().split(r"\n")
    width = len(lines[-1]) - len(lines[-1].lstrip())
    return "\n".join((ALIASES, *lines, " " * (width + 1) + "import a", ""))


@pytest.mark.parametrize("header", TYPE_ONLY.strip().split("\n"))
def test_python_imports_for_type_checkers(header: str) -> None:
    assert imported("a.py", block_with_import(header))[-1].type_only


@pytest.mark.parametrize("header", AT_RUN_TIME.strip().split("\n"))
def test_python_imports_that_happen_at_run_time(header: str) -> None:
    found = imported("a.py", block_with_import(header))[-1]
    assert (found.module, found.type_only) == ("a", False)


def test_typescript() -> None:
    assert imported("a.ts", TYPESCRIPT) == (
        ImportFact("./x", 1, ("default", "b", "D"), aliases=("a", "c", "D")),
        ImportFact("y", 2, aliases=("all",)),
        ImportFact("z", 3, ("E",), type_only=True),
        ImportFact("effect", 4),
        ImportFact("old", 5, form="call", aliases=("old",)),
        ImportFact("./f", 6, ("f",), form="export"),
        ImportFact("./g", 7, ("*",), form="export"),
        ImportFact("./h", 8, ("H",), form="export", type_only=True),
        ImportFact("./j", 9, form="call", aliases=("j",)),
        ImportFact("i", 9, form="call", aliases=("i",)),
        ImportFact("k", 10, form="call", type_only=True),
    )


def test_go() -> None:
    assert imported("a.go", GO) == (
        ImportFact("fmt", 3),
        ImportFact("example.com/b/c", 5, aliases=("x",)),
        ImportFact("embed", 6, aliases=("_",)),
    )


def test_java() -> None:
    assert imported("A.java", JAVA) == (
        ImportFact("a.b", 1, form="package"),
        ImportFact("c", 2, ("D",)),
        ImportFact("c.e", 3, ("*",)),
        ImportFact("c.F", 4, ("g",)),
    )


def test_rust() -> None:
    assert imported("a.rs", RUST) == (
        ImportFact("std", 1, ("fmt",)),
        ImportFact("std", 1, ("io",)),
        ImportFact("std::io", 1, ("Read",), aliases=("R",)),
        ImportFact("super", 2, ("*",)),
        ImportFact("alloc", 3),
        ImportFact("crate::a", 4, ("B",), form="export"),
        ImportFact("c", 5, form="mod"),
        ImportFact("e", 6, ("F",)),
        ImportFact("h", 7, ("I",)),
    )


@pytest.mark.parametrize("path", ["a.js", "a.tsx", "a.mjs", "a.cts"])
def test_all_endings_of_javascript_are_read(path: str) -> None:
    assert imported(path, "import a from 'a'\n") == (
        ImportFact("a", 1, ("default",), aliases=("a",)),
    )
