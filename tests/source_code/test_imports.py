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


def test_typescript() -> None:
    assert imported("a.ts", TYPESCRIPT) == (
        ImportFact("./x", 1, ("default", "b", "D")),
        ImportFact("y", 2),
        ImportFact("z", 3, ("E",), type_only=True),
        ImportFact("effect", 4),
        ImportFact("old", 5, form="call"),
        ImportFact("./f", 6, ("f",)),
        ImportFact("./g", 7, ("*",)),
        ImportFact("./h", 8, ("H",), type_only=True),
        ImportFact("./j", 9, form="call"),
        ImportFact("i", 9, form="call"),
        ImportFact("k", 10, form="call", type_only=True),
    )


def test_go() -> None:
    assert imported("a.go", GO) == (
        ImportFact("fmt", 3),
        ImportFact("example.com/b/c", 5),
        ImportFact("embed", 6),
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
        ImportFact("std::io", 1, ("Read",)),
        ImportFact("super", 2, ("*",)),
        ImportFact("alloc", 3),
        ImportFact("crate::a", 4, ("B",)),
        ImportFact("c", 5, form="mod"),
        ImportFact("e", 6, ("F",)),
        ImportFact("h", 7, ("I",)),
    )


@pytest.mark.parametrize("path", ["a.js", "a.tsx", "a.mjs", "a.cts"])
def test_all_endings_of_javascript_are_read(path: str) -> None:
    assert imported(path, "import a from 'a'\n") == (ImportFact("a", 1, ("default",)),)
