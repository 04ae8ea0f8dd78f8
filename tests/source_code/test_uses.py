"""Uses of parts, through the imports of each language."""

from __future__ import annotations

import pytest

from yg.code.identifiers import read_identifiers
from yg.code.read import read_facts
from yg.code.resolve import Resolution
from yg.code.uses.matches import SourcePart
from yg.code.uses.search import CodeUses, Uses

PYTHON = {
    "app/__init__.py": "from .util import clean, Cart as Basket\n",
    "app/util.py": (
        "def clean(text):\n    return clean(text[1:])\n\n\n"
        "class Cart:\n    def total(self):\n        return self.total() + clean('')\n\n"
        "    def other(self):\n        total = 1\n        return total\n"
    ),
    "app/names.py": "from app.util import (\n    other,\n    clean as tidy,\n)\ntidy(1)\nclean(2)\n",
    "app/module.py": "from app import util\n\n\ndef run():\n    return f'{util.clean(1)}'\n",
    "app/dotted.py": "import app.util\nimport app.util as u\napp.util.clean(1)\nu.clean(u.other)\n",
    "app/package.py": "import app\n@app.clean\ndef f(): app.util.clean(clean=1)\n",
    "app/star.py": "from app.util import *\nclean(\n    clean)\n",
    "app/again.py": "from app import clean\nx = [clean]\n",
    "app/through.py": "from app.again import clean as c\nc()\n",
    "app/basket.py": "from app import Basket\nBasket.total(1)\nb = Basket()\nb.total()\n",
    "app/nothing.py": "def clean(): pass\nclean()\nother.total()\n",
}
TYPESCRIPT = {
    "src/util.ts": (
        "export function cleanRegex(x: string): string { return x }\n"
        "export default class Cart { total() { return this.total() } }\n"
        "const inner = 1;\nexport { inner as outer };\n"
    ),
    "src/index.ts": (
        "export * from './util';\nexport * as ns from './util';\n"
        "export {\n  cleanRegex as tidy,\n  default as Basket } from './util';\n"
    ),
    "src/ns.ts": "import * as util from './util';\nutil.cleanRegex('');\nutil\n  .cleanRegex('');\n",
    "src/barrel.ts": "import { cleanRegex, tidy as t, ns } from './index';\ncleanRegex(t(ns.cleanRegex));\n",
    "src/again.ts": "import { cleanRegex } from './util';\nexport { cleanRegex as again };\n",
    "src/last.tsx": "import { again } from './again';\nconst a = <B x={again} />;\nf({ again: 1 });\n",
    "src/cart.ts": (
        "import Cart, { outer } from './util';\nnew Cart().total();\nCart.total;\nouter + 1;\n"
    ),
    "src/basket.ts": "import { Basket } from './index';\nlet b: Basket;\nb.total();\n",
    "src/call.js": (
        "const { cleanRegex: c } = require('./util');\nc();\n"
        "const m = require('./util');\nm.cleanRegex();\nrequire('./util').cleanRegex();\n"
    ),
    "src/lazy.ts": "async function f() {\n  (await import('./util')).x;\n  g(() => import('./util'));\n}\n",
}
GO = {
    "go.mod": "module example.com/m\n",
    "shop/cart.go": (
        "package shop\n\ntype Cart struct{}\n\nfunc (c *Cart) Total() int { return Quote() }\n\n"
        "func Quote() int { return 1 }\n"
    ),
    "shop/more.go": "package shop\n\nfunc f() { Quote() }\n",
    "main.go": (
        'package main\n\nimport (\n\t"example.com/m/shop"\n\ts "example.com/m/shop"\n)\n\n'
        "func main() {\n\tshop.Quote()\n\tx := s.Cart{}\n\tx.Total()\n\ts.Quote()\n\tQuote()\n}\n"
    ),
    "dot.go": 'package main\n\nimport . "example.com/m/shop"\n\nvar x = Quote()\n',
}
JAVA = {
    "a/Money.java": (
        "package a;\npublic class Money {\n  public int total() { return total(); }\n"
        "  public static int zero() { return 0; }\n}\n"
    ),
    "a/Beside.java": "package a;\nclass Beside { Money m; }\n",
    "b/Named.java": "package b;\nimport a.Money;\nclass Named {\n  int f(Money m) { return m.total(); }\n}\n",
    "b/Star.java": "package b;\nimport a.*;\nclass Star {\n  int x = Money.zero();\n}\n",
    "b/Static.java": "package b;\nimport static a.Money.zero;\nclass Static {\n  int x = zero();\n}\n",
    "b/None.java": "package b;\nclass None { Money m; }\n",
}
RUST = {
    "Cargo.toml": '[package]\nname = "shop"\n',
    "src/lib.rs": "pub mod util;\nmod other;\npub use util::clean;\npub use crate::util::Cart as Basket;\n",
    "src/util.rs": (
        "pub fn clean() {}\npub struct Cart;\nimpl Cart {\n    pub fn total(&self) { self.total() }\n}\n"
        "pub mod inner {\n    pub fn deep() {}\n}\n"
        "#[cfg(test)]\nmod tests {\n    use super::*;\n    fn t() { clean() }\n}\n"
    ),
    "src/other.rs": (
        "use crate::util::{self, clean as tidy, inner::deep};\nuse super::Basket;\n"
        "fn f(b: Basket) {\n    tidy();\n    util::clean();\n    crate::util::clean();\n"
        "    crate::clean();\n    b.total();\n    Basket::total(&b);\n    deep();\n"
        "    util::inner::deep();\n}\n"
    ),
    "src/main.rs": "fn main() { shop::util::clean(); shop::clean() }\n",
}


def uses_in(files: dict[str, str], path: str, name: str) -> Uses:
    read = {file: read_facts(file, text.encode()) for file, text in files.items()}
    facts = {file: found for file, found in read.items() if found is not None}
    imported = {file: found.imported for file, found in facts.items()}
    resolution = Resolution(files, imported, files.get)
    search = CodeUses(facts, lambda file: read_identifiers(file, files[file].encode()), resolution)
    return search.uses([SourcePart(path, name)])


@pytest.mark.parametrize(
    ("files", "part", "found"),
    [
        (
            PYTHON,
            "app/util.py::clean",
            "app/__init__.py:1 app/again.py:2 app/dotted.py:3 app/dotted.py:4 app/module.py:5"
            " app/names.py:5 app/package.py:2 app/package.py:3 app/star.py:2 app/star.py:3"
            " app/through.py:2 app/util.py:2 app/util.py:7",
        ),
        (
            PYTHON,
            "app/util.py::Cart.total",
            "app/basket.py:2 app/basket.py:4? app/util.py:7",
        ),
        (PYTHON, "app/util.py::Cart", "app/__init__.py:1 app/basket.py:2 app/basket.py:3"),
        (
            TYPESCRIPT,
            "src/util.ts::cleanRegex",
            "src/again.ts:2 src/barrel.ts:2 src/call.js:2 src/call.js:4 src/call.js:5"
            " src/index.ts:4 src/last.tsx:2 src/ns.ts:2 src/ns.ts:3",
        ),
        (
            TYPESCRIPT,
            "src/util.ts::Cart",
            "src/basket.ts:2 src/cart.ts:2 src/cart.ts:3 src/index.ts:5",
        ),
        (
            TYPESCRIPT,
            "src/util.ts::Cart.total",
            "src/basket.ts:3? src/cart.ts:2? src/cart.ts:3 src/util.ts:2",
        ),
        (TYPESCRIPT, "src/util.ts::inner", "src/cart.ts:4 src/util.ts:4"),
        (
            GO,
            "shop/cart.go::Quote",
            "dot.go:5 main.go:9 main.go:12 shop/cart.go:5 shop/more.go:3",
        ),
        (GO, "shop/cart.go::Cart.Total", "main.go:11?"),
        (GO, "shop/cart.go::Cart", "main.go:10 shop/cart.go:5"),
        (
            JAVA,
            "a/Money.java::Money",
            "a/Beside.java:2 b/Named.java:4 b/Star.java:4",
        ),
        (JAVA, "a/Money.java::Money.zero", "b/Star.java:4 b/Static.java:4"),
        (JAVA, "a/Money.java::Money.total", "a/Money.java:3 b/Named.java:4?"),
        (
            RUST,
            "src/util.rs::clean",
            "src/lib.rs:3 src/main.rs:1 src/other.rs:4 src/other.rs:5 src/other.rs:6"
            " src/other.rs:7 src/util.rs:12",
        ),
        (RUST, "src/util.rs::Cart.total", "src/other.rs:8? src/other.rs:9 src/util.rs:4"),
        (RUST, "src/util.rs::inner.deep", "src/other.rs:10 src/other.rs:11"),
    ],
)
def test_a_part_is_used_where_a_file_names_it(files: dict[str, str], part: str, found: str) -> None:
    path, _, name = part.partition("::")
    uses = uses_in(files, path, name).uses
    assert [f"{use.path}:{use.line}{'' if use.sure else '?'}" for use in uses] == found.split()


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
