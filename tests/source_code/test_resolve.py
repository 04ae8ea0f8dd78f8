"""Imports lead to the files that the languages load."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import grimp
import pytest

from source_code.edges import all_edges, resolved
from support import REPOSITORY, write
from yg.code.read import read_facts
from yg.code.resolve import Resolution

PACKAGE = {"shop/__init__.py": "", "shop/orders.py": "", "shop/db/__init__.py": ""}
PYTHON = {
    "a module": ("shop/a.py", "import shop.orders, os\n", ["shop/orders.py"]),
    "a package": ("shop/a.py", "import shop.db\n", ["shop/db/__init__.py"]),
    "a submodule, and names of the package": (
        "shop/a.py",
        "from shop import orders, PRICE, TAX\n",
        ["shop/__init__.py (PRICE, TAX)", "shop/orders.py"],
    ),
    "names of a module": (
        "shop/a.py",
        "from shop.orders import Order as O\n",
        ["shop/orders.py (Order)"],
    ),
    "a star": ("shop/a.py", "from shop.orders import *\n", ["shop/orders.py (*)"]),
    "one dot": ("shop/a.py", "from . import orders\n", ["shop/orders.py"]),
    "two dots": ("shop/db/a.py", "from ..orders import Order\n", ["shop/orders.py (Order)"]),
    "too many dots": ("shop/db/a.py", "from .... import orders\n", []),
    "dots above the topmost package": ("shop/a.py", "from .. import shop\n", []),
    "a name that is only for types": (
        "shop/a.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import shop.orders\n",
        ["shop/orders.py for types"],
    ),
    "a stub": ("shop/a.pyi", "import shop.orders\n", ["shop/orders.py for types"]),
    "a module that is missing": ("shop/a.py", "import shop.gone\nfrom shop.gone import x\n", []),
    "a package that leaves the repository": ("shop/a.py", "import requests.orders\n", []),
    "itself": ("shop/orders.py", "import shop.orders\n", []),
}


@pytest.mark.parametrize(("file", "text", "expected"), PYTHON.values(), ids=PYTHON)
def test_python(file: str, text: str, expected: list[str]) -> None:
    found = resolved({**PACKAGE, file: text})
    assert [edge.partition(" -> ")[2] for edge in found] == expected


LAYOUTS = {
    "a source folder": (
        {"src/shop/__init__.py": "", "tests/test_a.py": "import shop\n"},
        ["tests/test_a.py:1 -> src/shop/__init__.py"],
    ),
    "a project in a folder": (
        {
            "one/pyproject.toml": "",
            "one/src/shop/__init__.py": "",
            "two/setup.py": "",
            "two/till/__init__.py": "import shop\n",
        },
        ["two/till/__init__.py:1 -> one/src/shop/__init__.py"],
    ),
    "two packages of one name: the nearer one": (
        {
            "one/app/__init__.py": "",
            "one/app/a.py": "import app\n",
            "two/app/__init__.py": "",
            "other.py": "import app\n",
        },
        ["one/app/a.py:1 -> one/app/__init__.py"],
    ),
    "a namespace package": (
        {"src/acme/till/__init__.py": "", "src/acme/shop.py": "from acme.till import Till\n"},
        ["src/acme/shop.py:1 -> src/acme/till/__init__.py (Till)"],
    ),
    "the parent of a package, unless it is a namespace": (
        {
            "acme/cloud/redis/__init__.py": "import acme.cloud.redis.a\n",
            "acme/cloud/redis/a.py": "import redis\n",
        },
        ["acme/cloud/redis/__init__.py:1 -> acme/cloud/redis/a.py"],
    ),
    "a namespace package alone is not a module": ({"redis/a.py": "", "b.py": "import redis\n"}, []),
    "a name of the standard library": (
        {"logging/__init__.py": "", "a.py": "import logging\n"},
        [],
    ),
    "beside a script": (
        {"tools/a.py": "import b\n", "tools/b.py": ""},
        ["tools/a.py:1 -> tools/b.py"],
    ),
    "beside a script, but also in a root": (
        {"tools/a.py": "import b\n", "tools/b.py": "", "b.py": ""},
        [],
    ),
    "a package among fixtures": (
        {
            "src/shop/__init__.py": "import redis\n",
            "tests/fixtures/redis/__init__.py": "",
            "tests/fixtures/a.py": "import redis\n",
        },
        ["tests/fixtures/a.py:1 -> tests/fixtures/redis/__init__.py"],
    ),
    "a stub without a module": (
        {"shop/__init__.py": "from shop import fast\n", "shop/fast.pyi": ""},
        ["shop/__init__.py:1 -> shop/fast.pyi"],
    ),
}


@pytest.mark.parametrize(("files", "expected"), LAYOUTS.values(), ids=LAYOUTS)
def test_layouts_of_python(files: dict[str, str], expected: list[str]) -> None:
    assert resolved(files) == expected


def test_given_roots_replace_the_guessed_ones() -> None:
    files = {"src/shop.py": "", "lib/a/shop.py": "", "b.py": "import shop\n"}
    assert resolved(files) == ["b.py:1 -> src/shop.py"]
    assert resolved(files, ("lib/a",)) == ["b.py:1 -> lib/a/shop.py"]


OTHERS = {
    "js: the code, not the declarations beside it": (
        {"a.js": "require('./b');\n", "b.js": "", "b.d.ts": ""},
        ["a.js:1 -> b.js"],
    ),
    "ts: relative paths, index files, endings": (
        {
            "src/a.ts": "import { b } from './b';\nimport c from './c/index.js';\n"
            "import './d.js';\nimport type { T } from './c';\nexport * from './e';\n",
            "src/b.tsx": "",
            "src/c/index.ts": "",
            "src/d.ts": "",
            "src/e.d.ts": "",
        },
        [
            "src/a.ts:1 -> src/b.tsx (b)",
            "src/a.ts:2 -> src/c/index.ts (default)",
            "src/a.ts:3 -> src/d.ts",
            "src/a.ts:4 -> src/c/index.ts (T) for types",
            "src/a.ts:5 -> src/e.d.ts (*)",
        ],
    ),
    "js: calls, and what is not in the repository": (
        {
            "a.js": "const b = require('./b');\nimport('./c.mjs');\nrequire('fs');\n"
            "import r from 'react';\nimport '../outside';\n",
            "b.js": "",
            "c.mjs": "",
        },
        ["a.js:1 -> b.js", "a.js:2 -> c.mjs"],
    ),
    "ts: aliases of a configuration with comments that extends another": (
        {
            "tsconfig.json": '{ // paths\n  "extends": ["./none", "./config/base"], /* } */ }',
            "config/base.json": '{"compilerOptions": {"paths": {"@/*": ["../src/*",], "#a": '
            '["../src/x.ts"], "@/x/*": ["../src/y/*"]},}}',
            "src/a.ts": "import '@/b';\nimport '#a';\nimport '@/x/z';\nimport '@/gone';\n",
            "src/b.ts": "",
            "src/x.ts": "",
            "src/y/z.ts": "",
        },
        ["src/a.ts:1 -> src/b.ts", "src/a.ts:2 -> src/x.ts", "src/a.ts:3 -> src/y/z.ts"],
    ),
    "ts: the base of a configuration that refers to others": (
        {
            "tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
            "tsconfig.app.json": '{"compilerOptions": {"baseUrl": "src"}}',
            "src/a.ts": "import 'lib/b';\n",
            "src/lib/b.ts": "",
        },
        ["src/a.ts:1 -> src/lib/b.ts"],
    ),
    "ts: packages of a workspace": (
        {
            "package.json": '{"workspaces": ["packages/*"]}',
            "packages/a/package.json": '{"name": "@shop/a", "main": "dist/index.js"}',
            "packages/a/src/index.ts": "",
            "packages/a/src/deep.ts": "",
            "packages/b/package.json": '{"name": "b", "exports": {".": {"import": "./lib/b.mjs"}, '
            '"./x/*": "./lib/x/*.ts"}}',
            "packages/b/lib/b.mjs": "import { a } from '@shop/a';\nimport '@shop/a/src/deep';\n"
            "import '@shop/gone';\n",
            "packages/b/lib/x/y.ts": "import 'b';\nimport 'b/x/y2';\n",
            "packages/b/lib/x/y2.ts": "",
        },
        [
            "packages/b/lib/b.mjs:1 -> packages/a/src/index.ts (a)",
            "packages/b/lib/b.mjs:2 -> packages/a/src/deep.ts",
            "packages/b/lib/x/y.ts:1 -> packages/b/lib/b.mjs",
            "packages/b/lib/x/y.ts:2 -> packages/b/lib/x/y2.ts",
        ],
    ),
    "ts: the aliases of the sixteenth configuration, which others extend": (
        {
            "tsconfig.json": '{"extends": "./c1.json"}',
            **{f"c{at}.json": f'{{"extends": "./c{at + 1}.json"}}' for at in range(1, 15)},
            "c15.json": '{"compilerOptions": {"paths": {"@": ["./b.ts"]}}}',
            "a.ts": "import '@';\n",
            "b.ts": "",
        },
        ["a.ts:1 -> b.ts"],
    ),
    "ts: configurations that extend too many others": (
        {
            "tsconfig.json": '{"extends": "./c1.json", "compilerOptions": {"baseUrl": "."}}',
            **{f"c{at}.json": f'{{"extends": "./c{at + 1}.json"}}' for at in range(1, 20)},
            "c20.json": "{}",
            "a.ts": "import 'b';\n",
            "b.ts": "",
        },
        [],
    ),
    "ts: the longest of the aliases that match, for the base of the one that extends it": (
        {
            "tsconfig.json": '{"extends": "./config/base.json", "compilerOptions": '
            '{"baseUrl": "src"}}',
            "config/base.json": '{"compilerOptions": {"paths": {"a*": ["./x/*"], "a/*": '
            '["./gone/*", "./y/*"], "*": ["./z/*"]}}}',
            "m.ts": "import 'a/b';\nimport 'ab';\nimport 'b';\n",
            "src/x/b.ts": "",
            "src/y/b.ts": "",
            "src/z/b.ts": "",
        },
        ["m.ts:1 -> src/y/b.ts", "m.ts:2 -> src/x/b.ts", "m.ts:3 -> src/z/b.ts"],
    ),
    "ts: a package outside of any workspace": (
        {
            "one/package.json": '{"name": "one"}',
            "one/index.ts": "",
            "two/a.ts": "import 'one';\n",
        },
        [],
    ),
    "go: packages of the module, and local replacements": (
        {
            "go.mod": "module example.com/shop // the shop\n\nreplace (\n"
            "\texample.com/money => ./third/money\n\texample.com/out => ../out\n)\n",
            "main.go": 'package main\n\nimport (\n\t"fmt"\n\t"example.com/shop/orders"\n'
            '\tm "example.com/money/coin"\n\t"example.com/out"\n\t"example.com/shop/none"\n)\n',
            "orders/a.go": "package orders\n",
            "third/money/coin/a.go": "package coin\n",
        },
        ["main.go:5 -> orders/", "main.go:6 -> third/money/coin/"],
    ),
    "go: modules of a workspace": (
        {
            "go.work": "use (\n\t./a\n\t./b\n)\n",
            "a/go.mod": "module example.com/a\n",
            "a/a.go": 'package a\n\nimport "example.com/b"\n',
            "b/go.mod": "module example.com/b\n",
            "b/b.go": "package b\n",
            "c/go.mod": "module example.com/c\n",
            "c/c.go": 'package c\n\nimport "example.com/b"\n',
        },
        ["a/a.go:3 -> b/"],
    ),
    "go: a package that its module replaces, and not its workspace": (
        {
            "go.work": "use ./a\nuse ./b\nreplace x/r => ./wide\n",
            "a/go.mod": "module x/a\nreplace x/r => ./own\n",
            "a/a.go": 'package a\n\nimport "x/r"\nimport "x/a"\n',
            "a/own/r.go": "package r\n",
            "b/go.mod": "module x/b\n",
            "b/b.go": 'package b\n\nimport "x/r"\nimport "x/a"\n',
            "wide/r.go": "package r\n",
        },
        ["a/a.go:3 -> a/own/", "a/a.go:4 -> a/", "b/b.go:3 -> wide/", "b/b.go:4 -> a/"],
    ),
    "java: classes, members and packages": (
        {
            "src/main/java/shop/A.java": "package shop;\nimport shop.pay.Till;\n"
            "import static shop.pay.Till.open;\nimport shop.pay.Till.Drawer;\n"
            "import shop.pay.*;\nimport java.util.List;\n",
            "src/main/java/shop/pay/Till.java": "package shop.pay;\n",
            "src/test/java/shop/pay/TillTest.java": "package shop.pay;\nimport shop.A;\n",
        },
        [
            "src/main/java/shop/A.java:2 -> src/main/java/shop/pay/Till.java (Till)",
            "src/main/java/shop/A.java:3 -> src/main/java/shop/pay/Till.java (open)",
            "src/main/java/shop/A.java:4 -> src/main/java/shop/pay/Till.java (Drawer)",
            "src/main/java/shop/A.java:5 -> src/main/java/shop/pay/ (*)",
            "src/test/java/shop/pay/TillTest.java:2 -> src/main/java/shop/A.java (A)",
        ],
    ),
    "java: a class that two files declare": (
        {
            "one/A.java": "package shop;\n",
            "two/A.java": "package shop;\n",
            "B.java": "package other;\nimport shop.A;\n",
        },
        [],
    ),
    "rust: modules of the crate": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": "mod orders;\npub mod pay;\nuse orders::Order;\n",
            "src/orders.rs": "use crate::pay::{till::Till, Pay};\nuse super::pay;\nuse std::fmt;\n"
            "mod line;\nuse self::line::Line;\n",
            "src/orders/line.rs": "use super::Order;\nmod tests {\n    use super::*;\n"
            "    use super::super::Id;\n}\n",
            "src/pay/mod.rs": "mod till;\n",
            "src/pay/till.rs": "use super::super::orders;\nuse crate::Shop;\n",
        },
        [
            "src/lib.rs:1 -> src/orders.rs",
            "src/lib.rs:2 -> src/pay/mod.rs",
            "src/lib.rs:3 -> src/orders.rs (Order)",
            "src/orders.rs:1 -> src/pay/mod.rs (Pay)",
            "src/orders.rs:1 -> src/pay/till.rs (Till)",
            "src/orders.rs:2 -> src/pay/mod.rs",
            "src/orders.rs:4 -> src/orders/line.rs",
            "src/orders.rs:5 -> src/orders/line.rs (Line)",
            "src/orders/line.rs:1 -> src/orders.rs (Order)",
            "src/orders/line.rs:4 -> src/orders.rs (Id)",
            "src/pay/mod.rs:1 -> src/pay/till.rs",
            "src/pay/till.rs:1 -> src/orders.rs",
            "src/pay/till.rs:2 -> src/lib.rs (Shop)",
        ],
    ),
    "rust: crates of the repository": (
        {
            "a/Cargo.toml": '[package]\nname = "shop-core"\n',
            "a/src/lib.rs": "pub mod money;\n",
            "a/src/money.rs": "",
            "b/Cargo.toml": '[package]\nname = "b"\n[dependencies]\nshop-core = {path = "../a"}\n',
            "b/src/lib.rs": "",
            "b/src/main.rs": "use shop_core::money::Coin;\nuse b::Thing;\nuse serde::X;\n",
            "c/Cargo.toml": '[package]\nname = "c"\n',
            "c/src/lib.rs": "use shop_core::money;\n",
        },
        [
            "a/src/lib.rs:1 -> a/src/money.rs",
            "b/src/main.rs:1 -> a/src/money.rs (Coin)",
            "b/src/main.rs:2 -> b/src/lib.rs (Thing)",
        ],
    ),
}


@pytest.mark.parametrize(("files", "expected"), OTHERS.values(), ids=OTHERS)
def test_other_languages(files: dict[str, str], expected: list[str]) -> None:
    assert resolved(files) == expected


DEPCRUISE = shutil.which("depcruise")


@pytest.mark.slow
@pytest.mark.skipif(not DEPCRUISE, reason="dependency-cruiser is not on the path")
def test_typescript_is_resolved_as_dependency_cruiser_does(tmp_path: Path) -> None:
    files = {
        **OTHERS["ts: relative paths, index files, endings"][0],
        "tsconfig.json": '{"extends": "./base.json", /* none */}',
        "base.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}} // aliases',
        "src/f.ts": "import '@/b';\nimport type { T } from '@/c';\nimport '@/gone';\n",
    }
    write(tmp_path, files)
    command = [str(DEPCRUISE), "--no-config", "--ts-pre-compilation-deps", "-T", "json"]
    command += ["--ts-config", "tsconfig.json", "src"]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    expected = {
        (module["source"], dependency["resolved"])
        for module in json.loads(found.stdout)["modules"]
        for dependency in module["dependencies"]
        if not dependency["couldNotResolve"]
    }
    assert {(edge.file, edge.target) for edge in all_edges(files)} == expected


HOSTILE = {
    "a configuration that extends itself": {
        "tsconfig.json": '{"extends": "./tsconfig.json"}',
        "a.ts": "import 'b';\n",
    },
    "configurations that extend each other": {
        "tsconfig.json": '{"extends": "./b.json"}',
        "b.json": '{"extends": ["./tsconfig.json", 1, null, "../../etc/passwd", "/etc/passwd"]}',
        "a.ts": "import 'b';\n",
    },
    "values of other types": {
        "tsconfig.json": '{"compilerOptions": {"paths": {"*": 1, "a": [2]}, "baseUrl": 3}}',
        "package.json": '{"name": 1, "workspaces": 2, "exports": 3}',
        "b/package.json": '{"name": "b", "main": [], "exports": {".": {"x": [{"y": 4}]}}}',
        "a.ts": "import 'b';\nimport 'a';\n",
    },
    "aliases that leave the repository": {
        "tsconfig.json": '{"compilerOptions": {"paths": {"*": ["../../*", "/etc/*"]}}}',
        "a.ts": "import 'passwd';\nimport '../../etc/passwd';\nimport '/etc/passwd';\n",
    },
    "a deeply nested configuration": {
        "tsconfig.json": "[" * 100_000,
        "package.json": '{"exports": ' + '{"a": ' * 50_000,
        "a.ts": "import 'b';\n",
    },
    "unfinished comments and strings": {
        "tsconfig.json": "/*" * 100_000,
        "package.json": '"' + '\\"' * 100_000,
        "a.ts": "import 'b';\n",
    },
    "a manifest that is not TOML": {
        "Cargo.toml": "a." * 10_000 + "[[[",
        "src/lib.rs": "use crate::a;\nuse super::super::super::b;\n",
    },
    "a manifest of other types": {
        "Cargo.toml": 'package = 1\nlib = []\ntarget = {a = 1}\ndependencies = "x"\n',
        "src/lib.rs": "use crate::a;\n",
    },
    "a module file that leaves the repository": {
        "go.mod": "module a\nreplace b => ../../b\nreplace\nmodule\nreplace ( \n",
        "a.go": 'package a\n\nimport "b"\nimport "a/../../b"\n',
    },
    "very long imports": {
        "a.py": f"import {'a.' * 50_000}b\nfrom {'.' * 50_000} import b\n",
        "a.ts": f"import '{'../' * 50_000}b';\n",
        "A.java": f"package a;\nimport {'a.' * 50_000}b;\n",
        "lib.rs": f"use {'super::' * 50_000}b;\n",
    },
}


@pytest.mark.parametrize("files", HOSTILE.values(), ids=HOSTILE)
def test_hostile_configurations_lead_nowhere(files: dict[str, str]) -> None:
    asked: list[str] = []

    def read(path: str) -> str | None:
        asked.append(path)
        return files.get(path)

    facts = {path: read_facts(path, text.encode()) for path, text in files.items()}
    imports = {path: found.imported for path, found in facts.items() if found}
    assert Resolution(files, imports, read).edges == ()
    assert set(asked) <= set(files)
    assert len(asked) == len(set(asked))


def test_the_edges_of_this_repository_are_those_of_grimp() -> None:
    files = {
        path.relative_to(REPOSITORY).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(REPOSITORY.joinpath("src").rglob("*.py"))
    }
    graph = grimp.build_graph("yg", cache_dir=None)
    expected = {
        (module, target)
        for module in graph.modules
        for target in graph.find_modules_directly_imported_by(module)
    }
    assert {(module_of(edge.file), module_of(edge.target)) for edge in all_edges(files)} == expected


def module_of(path: str) -> str:
    return path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
