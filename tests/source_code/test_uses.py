"""Uses of parts, through the imports of each language."""

from __future__ import annotations

import pytest

from yg.code.identifiers import read_identifiers
from yg.code.read import read_facts
from yg.code.resolve import Resolution
from yg.code.uses.bindings import code_file
from yg.code.uses.matches import SourcePart
from yg.code.uses.search import CodeUses, Uses

PYTHON = """\
--- app/__init__.py
from .util import clean, Cart as Basket
--- app/util.py
def clean(text):
    return clean(text[1:])


class Cart:
    def total(self):
        return self.total() + clean('')

    def other(self):
        total = 1
        return total
--- app/names.py
from app.util import (
    other,
    clean as tidy,
)
tidy(1)
clean(2)
--- app/module.py
from app import util


def run():
    return f'{util.clean(1)}'
--- app/dotted.py
import app.util
import app.util as u
app.util.clean(1)
u.clean(u.other)
--- app/package.py
import app
@app.clean
def f(): app.util.clean(clean=1)
--- app/star.py
from app.util import *
clean(
    clean)
--- app/again.py
from app import clean
x = [clean]
--- app/through.py
from app.again import clean as c
c()
--- app/basket.py
from app import Basket
Basket.total(1)
b = Basket()
b.total()
--- app/nothing.py
def clean(): pass
clean()
other.total()
"""
TYPESCRIPT = """\
--- src/util.ts
export function cleanRegex(x: string): string { return x }
export default class Cart { total() { return this.total() } }
const inner = 1;
export { inner as outer };
--- src/index.ts
export * from './util';
export * as ns from './util';
export {
  cleanRegex as tidy,
  default as Basket } from './util';
--- src/ns.ts
import * as util from './util';
util.cleanRegex('');
util
  .cleanRegex('');
--- src/barrel.ts
import { cleanRegex, tidy as t, ns } from './index';
cleanRegex(t(ns.cleanRegex));
--- src/again.ts
import { cleanRegex } from './util';
export { cleanRegex as again };
--- src/last.tsx
import { again } from './again';
const a = <B x={again} />;
f({ again: 1 });
--- src/cart.ts
import Cart, { outer } from './util';
new Cart().total();
Cart.total;
outer + 1;
--- src/basket.ts
import { Basket } from './index';
let b: Basket;
b.total();
--- src/call.js
const { cleanRegex: c } = require('./util');
c();
const m = require('./util');
m.cleanRegex();
require('./util').cleanRegex();
--- src/lazy.ts
async function f() {
  (await import('./util')).x;
  g(() => import('./util'));
}
"""
GO = """\
--- go.mod
module example.com/m
--- shop/cart.go
package shop

type Cart struct{}

func (c *Cart) Total() int { return Quote() }

func Quote() int { return 1 }
--- shop/more.go
package shop

func f() { Quote() }
--- main.go
package main

import (
	"example.com/m/shop"
	s "example.com/m/shop"
)

func main() {
	shop.Quote()
	x := s.Cart{}
	x.Total()
	s.Quote()
	Quote()
}
--- dot.go
package main

import . "example.com/m/shop"

var x = Quote()
"""
JAVA = """\
--- a/Money.java
package a;
public class Money {
  public int total() { return total(); }
  public static int zero() { return 0; }
}
--- a/Beside.java
package a;
class Beside { Money m; }
--- b/Named.java
package b;
import a.Money;
class Named {
  int f(Money m) { return m.total(); }
}
--- b/Star.java
package b;
import a.*;
class Star {
  int x = Money.zero();
}
--- b/Static.java
package b;
import static a.Money.zero;
class Static {
  int x = zero();
}
--- b/None.java
package b;
class None { Money m; }
"""
RUST = """\
--- Cargo.toml
[package]
name = "shop"
--- src/lib.rs
pub mod util;
mod other;
pub use util::clean;
pub use crate::util::Cart as Basket;
--- src/util.rs
pub fn clean() {}
pub struct Cart;
impl Cart {
    pub fn total(&self) { self.total() }
}
pub mod inner {
    pub fn deep() {}
}
#[cfg(test)]
mod tests {
    use super::*;
    fn t() { clean() }
}
--- src/other.rs
use crate::util::{self, clean as tidy, inner::deep};
use super::Basket;
fn f(b: Basket) {
    tidy();
    util::clean();
    crate::util::clean();
    crate::clean();
    b.total();
    Basket::total(&b);
    deep();
    util::inner::deep();
}
--- src/main.rs
fn main() { shop::util::clean(); shop::clean() }
"""


def files_of(text: str) -> dict[str, str]:
    """Divide a text into files at the lines that name them."""
    parts = (part.partition("\n") for part in text.split("--- ")[1:])
    return {name: content for name, _, content in parts}


def uses_in(text: str, path: str, name: str) -> Uses:
    files = files_of(text)
    read = {file: read_facts(file, text.encode()) for file, text in files.items()}
    facts = {file: found for file, found in read.items() if found is not None}
    imported = {file: found.imported for file, found in facts.items()}
    resolution = Resolution(files, imported, files.get)
    search = CodeUses(
        {file: code_file(file, found, resolution) for file, found in facts.items()},
        facts.get,
        lambda file: read_identifiers(file, files[file].encode()),
        resolution.targets,
    )
    return search.uses([SourcePart(path, name)])


@pytest.mark.parametrize(
    ("files", "part", "found"),
    [
        (
            PYTHON,
            "app/util.py::clean",
            [
                "app/__init__.py:1",
                "app/again.py:2",
                "app/dotted.py:3",
                "app/dotted.py:4",
                "app/module.py:5",
                "app/names.py:5",
                "app/package.py:2",
                "app/package.py:3",
                "app/star.py:2",
                "app/star.py:3",
                "app/through.py:2",
                "app/util.py:2",
                "app/util.py:7",
            ],
        ),
        (
            PYTHON,
            "app/util.py::Cart.total",
            ["app/basket.py:2", "app/basket.py:4?", "app/util.py:7"],
        ),
        (PYTHON, "app/util.py::Cart", ["app/__init__.py:1", "app/basket.py:2", "app/basket.py:3"]),
        (
            TYPESCRIPT,
            "src/util.ts::cleanRegex",
            [
                "src/again.ts:2",
                "src/barrel.ts:2",
                "src/call.js:2",
                "src/call.js:4",
                "src/call.js:5",
                "src/index.ts:4",
                "src/last.tsx:2",
                "src/ns.ts:2",
                "src/ns.ts:4",
            ],
        ),
        (
            TYPESCRIPT,
            "src/util.ts::Cart",
            ["src/basket.ts:2", "src/cart.ts:2", "src/cart.ts:3", "src/index.ts:5"],
        ),
        (
            TYPESCRIPT,
            "src/util.ts::Cart.total",
            ["src/basket.ts:3?", "src/cart.ts:2?", "src/cart.ts:3", "src/util.ts:2"],
        ),
        (TYPESCRIPT, "src/util.ts::inner", ["src/cart.ts:4", "src/util.ts:4"]),
        (
            GO,
            "shop/cart.go::Quote",
            ["dot.go:5", "main.go:9", "main.go:12", "shop/cart.go:5", "shop/more.go:3"],
        ),
        (GO, "shop/cart.go::Cart.Total", ["main.go:11?"]),
        (GO, "shop/cart.go::Cart", ["main.go:10", "shop/cart.go:5"]),
        (
            JAVA,
            "a/Money.java::Money",
            ["a/Beside.java:2", "b/Named.java:4", "b/Star.java:4"],
        ),
        (JAVA, "a/Money.java::Money.zero", ["b/Star.java:4", "b/Static.java:4"]),
        (JAVA, "a/Money.java::Money.total", ["a/Money.java:3", "b/Named.java:4?"]),
        (
            RUST,
            "src/util.rs::clean",
            [
                "src/lib.rs:3",
                "src/main.rs:1",
                "src/other.rs:4",
                "src/other.rs:5",
                "src/other.rs:6",
                "src/other.rs:7",
                "src/util.rs:12",
            ],
        ),
        (RUST, "src/util.rs::Cart.total", ["src/other.rs:8?", "src/other.rs:9", "src/util.rs:4"]),
        (RUST, "src/util.rs::inner.deep", ["src/other.rs:10", "src/other.rs:11"]),
    ],
)
def test_a_part_is_used_where_a_file_names_it(files: str, part: str, found: list[str]) -> None:
    path, _, name = part.partition("::")
    uses = uses_in(files, path, name).uses
    assert [f"{use.path}:{use.line}{'' if use.sure else '?'}" for use in uses] == found


def test_a_call_that_imports_a_module_without_a_name_is_reported() -> None:
    dynamic = uses_in(TYPESCRIPT, "src/util.ts", "cleanRegex").dynamic
    assert [(place.path, place.line) for place in dynamic] == [
        ("src/lazy.ts", 2),
        ("src/lazy.ts", 3),
    ]


def test_a_use_has_the_innermost_part_around_it() -> None:
    uses = uses_in(PYTHON, "app/util.py", "clean").uses
    assert {(use.path, use.line): use.part for use in uses if use.part} == {
        ("app/module.py", 5): "run",
        ("app/package.py", 2): "f",
        ("app/package.py", 3): "f",
        ("app/util.py", 2): "clean",
        ("app/util.py", 7): "Cart.total",
    }
