"""Small projects in Go, Java and Rust, and the files that their compilers load for each import.

The expected edges are written by hand, from the references of the languages.
"""

from __future__ import annotations

import pytest

from source_code.edges import resolved

GO_PROJECTS = {
    "a module with a major version, internal packages and tests": (
        {
            "go.mod": 'module "example.org/shop/v2"\n\ngo 1.22\n\nrequire example.org/x v1.0.0\n',
            "cmd/shop/main.go": "package main\n\nimport (\n"
            '\t"fmt"\n'
            '\t_ "example.org/shop/v2/internal/db"\n'
            '\t. "example.org/shop/v2/orders"\n'
            '\told "example.org/shop/orders"\n'
            '\t"example.org/shop/v2"\n'
            '\t"C"\n'
            ")\n",
            "shop.go": "package shop\n",
            "internal/db/db_linux.go": "//go:build linux\n\npackage db\n",
            "internal/db/db_other.go": "//go:build !linux\n\npackage db\n\n"
            "import `example.org/shop/v2/orders`\n",
            "orders/orders.go": "package orders\n",
            "orders/orders_test.go": "package orders_test\n\n"
            'import "example.org/shop/v2/orders"\nimport "example.org/shop/v2/internal/db"\n',
        },
        [
            "cmd/shop/main.go:5 -> internal/db/",
            "cmd/shop/main.go:6 -> orders/",
            "cmd/shop/main.go:8 -> ./",
            "internal/db/db_other.go:5 -> orders/",
            "orders/orders_test.go:3 -> orders/",
            "orders/orders_test.go:4 -> internal/db/",
        ],
    ),
    "a module inside of another is not a part of it": (
        {
            "go.mod": "module example.org/a\n",
            "a.go": 'package a\n\nimport "example.org/a/b/c"\nimport "example.org/a/v2"\n',
            "b/go.mod": "module example.org/a/b\n",
            "b/c/c.go": 'package c\n\nimport "example.org/a"\n',
            "v2/go.mod": "module example.org/a/v2\n",
            "v2/a.go": 'package a\n\nimport "example.org/a/v2/d"\n',
            "v2/d/d.go": "package d\n",
        },
        ["v2/a.go:3 -> v2/d/"],
    ),
    "replacements, with and without a version": (
        {
            "go.mod": "module example.org/a\n\n"
            "replace example.org/a/b v1.2.3 => ./b\n"
            "replace example.org/c => example.org/fork v1.0.0\n"
            "replace (\n\texample.org/d/v3 => ./libs/d // ours\n)\n",
            "a.go": "package a\n\nimport (\n"
            '\t"example.org/a/b"\n\t"example.org/a/b/in"\n\t"example.org/c"\n'
            '\t"example.org/d/v3/x"\n\t"example.org/d/x"\n)\n',
            "b/go.mod": "module example.org/a/b\n",
            "b/b.go": "package b\n",
            "b/in/in.go": "package in\n",
            "c/c.go": "package c\n",
            "libs/d/go.mod": "module example.org/d/v3\n",
            "libs/d/x/x.go": "package x\n",
        },
        ["a.go:4 -> b/", "a.go:5 -> b/in/", "a.go:7 -> libs/d/x/"],
    ),
    "a workspace with a replacement": (
        {
            "go.work": "go 1.22\n\nuse .\nuse ./tools\n\nreplace example.org/x => ./x\n",
            "go.mod": "module example.org/a\n",
            "a.go": 'package a\n\nimport "example.org/tools/gen"\nimport "example.org/x"\n',
            "tools/go.mod": "module example.org/tools\n",
            "tools/gen/gen.go": 'package gen\n\nimport "example.org/a"\n',
            "x/go.mod": "module example.org/x\n",
            "x/x.go": "package x\n",
        },
        ["a.go:3 -> tools/gen/", "a.go:4 -> x/", "tools/gen/gen.go:3 -> ./"],
    ),
    "copies of other projects are not resolved": (
        {
            "go.mod": "module example.org/a\n",
            "a.go": 'package a\n\nimport "example.org/x"\n',
            "vendor/modules.txt": "# example.org/x v1.0.0\n",
            "vendor/example.org/x/x.go": "package x\n",
        },
        [],
    ),
}

JAVA_PROJECTS = {
    "modules of Maven with several source roots": (
        {
            "core/pom.xml": "<project/>",
            "core/src/main/java/org/shop/core/Order.java": "package org.shop.core;\n"
            "public class Order { public static class Line { enum Kind { A } } }\n"
            "class Hidden {}\n",
            "core/src/main/java/org/shop/core/Money.java": "package org.shop.core;\n"
            "class Money { Order order; }\n",
            "core/target/generated-sources/org/shop/gen/Made.java": "package org.shop.gen;\n",
            "web/pom.xml": "<project/>",
            "web/src/main/java/org/shop/web/Page.java": "/* licence */\npackage org.shop.web;\n\n"
            "import org.shop.core.Order;\n"
            "import org.shop.core.Order.Line.Kind;\n"
            "import org.shop.core.Order.*;\n"
            "import static org.shop.core.Order.Line.*;\n"
            "import static org.shop.core.Money.ZERO;\n"
            "import org . shop . gen . Made ;\n"
            "import org.shop.core.*;\n"
            "import org.shop.gone.Gone;\n"
            "import org.shop.*;\n",
            "web/src/test/java/org/shop/web/PageTest.java": "package org.shop.web;\n"
            "import static org.shop.web.Page.show;\nimport org.shop.core.Fake;\n",
            "core/src/test/java/org/shop/core/Fake.java": "package org.shop.core;\n",
        },
        [
            f"web/src/main/java/org/shop/web/Page.java:{line} -> {target}"
            for line, target in (
                (4, "core/src/main/java/org/shop/core/Order.java (Order)"),
                (5, "core/src/main/java/org/shop/core/Order.java (Line)"),
                (6, "core/src/main/java/org/shop/core/Order.java (*)"),
                (7, "core/src/main/java/org/shop/core/Order.java (Line)"),
                (8, "core/src/main/java/org/shop/core/Money.java (ZERO)"),
                (9, "core/target/generated-sources/org/shop/gen/Made.java (Made)"),
                (10, "core/src/main/java/org/shop/core/ (*)"),
            )
        ]
        + [
            f"web/src/test/java/org/shop/web/PageTest.java:{line} -> {target}"
            for line, target in (
                (2, "web/src/main/java/org/shop/web/Page.java (show)"),
                (3, "core/src/test/java/org/shop/core/Fake.java (Fake)"),
            )
        ],
    ),
    "a package in two modules has no unique folder, its classes do": (
        {
            "one/src/shop/A.java": "package shop;\n",
            "two/src/shop/B.java": "package shop;\n",
            "three/src/x/C.java": "package x;\nimport shop.*;\nimport shop.B;\n",
        },
        ["three/src/x/C.java:3 -> two/src/shop/B.java (B)"],
    ),
    "what has no package cannot be imported": (
        {"A.java": "class A {}\n", "x/B.java": "package x;\nimport A;\n"},
        [],
    ),
    "folders that do not follow the package": (
        {
            "src/flat/Till.java": "@Deprecated\npackage org.shop.pay;\n",
            "src/flat/package-info.java": "package org.shop.pay;\n",
            "src/Main.java": "package org.shop;\nimport org.shop.pay.Till;\n"
            "import module java.base;\n",
        },
        ["src/Main.java:2 -> src/flat/Till.java (Till)"],
    ),
}

PACKAGE = '[package]\nname = "{}"\nedition = "2021"\n'.format
RUST_PROJECTS = {
    "roots of a package: library, programs, tests, examples, benches, build script": (
        {
            "Cargo.toml": PACKAGE("shop-app")
            + '[lib]\nname = "shop"\npath = "src/shop.rs"\n'
            + '[[bin]]\nname = "admin"\npath = "tools/admin.rs"\n',
            "build.rs": "mod gen;\nuse crate::gen::run;\n",
            "gen.rs": "",
            "src/shop.rs": "pub mod pay;\n",
            "src/pay.rs": "use crate::Shop;\nuse super::Other;\n",
            "src/main.rs": "mod cli;\nuse shop::pay::Till;\nuse crate::cli::Args;\n",
            "src/cli.rs": "use crate::Thing;\n",
            "src/bin/extra.rs": "mod helper;\nuse crate::helper::help;\nuse shop::Shop;\n",
            "src/bin/helper.rs": "",
            "src/bin/big/main.rs": "mod part;\n",
            "src/bin/big/part.rs": "use super::X;\n",
            "tools/admin.rs": "mod users;\nuse shop::Shop;\n",
            "tools/users.rs": "",
            "tests/it.rs": "mod common;\nuse common::start;\nuse shop::pay;\n",
            "tests/common/mod.rs": "pub mod db;\nuse self::db::Db;\n",
            "tests/common/db.rs": "",
            "examples/demo.rs": "use shop::Shop;\n",
            "benches/speed/main.rs": "mod data;\n",
            "benches/speed/data.rs": "",
        },
        [
            "benches/speed/main.rs:1 -> benches/speed/data.rs",
            "build.rs:1 -> gen.rs",
            "build.rs:2 -> gen.rs (run)",
            "examples/demo.rs:1 -> src/shop.rs (Shop)",
            "src/bin/big/main.rs:1 -> src/bin/big/part.rs",
            "src/bin/big/part.rs:1 -> src/bin/big/main.rs (X)",
            "src/bin/extra.rs:1 -> src/bin/helper.rs",
            "src/bin/extra.rs:2 -> src/bin/helper.rs (help)",
            "src/bin/extra.rs:3 -> src/shop.rs (Shop)",
            "src/cli.rs:1 -> src/main.rs (Thing)",
            "src/main.rs:1 -> src/cli.rs",
            "src/main.rs:2 -> src/pay.rs (Till)",
            "src/main.rs:3 -> src/cli.rs (Args)",
            "src/pay.rs:1 -> src/shop.rs (Shop)",
            "src/pay.rs:2 -> src/shop.rs (Other)",
            "src/shop.rs:1 -> src/pay.rs",
            "tests/common/mod.rs:1 -> tests/common/db.rs",
            "tests/common/mod.rs:2 -> tests/common/db.rs (Db)",
            "tests/it.rs:1 -> tests/common/mod.rs",
            "tests/it.rs:2 -> tests/common/mod.rs (start)",
            "tests/it.rs:3 -> src/pay.rs",
            "tools/admin.rs:1 -> tools/users.rs",
            "tools/admin.rs:2 -> src/shop.rs (Shop)",
        ],
    ),
    "modules in files, in folders, in the same file, and with a path": (
        {
            "Cargo.toml": PACKAGE("a"),
            "src/lib.rs": '#[path = "odd/name.rs"]\nmod renamed;\n'
            '#[cfg(unix)]\n#[path = "unix.rs"]\nmod sys;\n'
            "mod inline {\n    pub mod child;\n    use self::child::C;\n    use super::other::D;\n"
            "    fn f() { use super::other::E; }\n}\n"
            "mod other;\nuse crate::renamed::N;\n"
            "fn g() { use self::other::F; }\n",
            "src/odd/name.rs": "mod below;\nuse super::other::O;\n",
            "src/odd/below.rs": "use super::N;\n",
            "src/unix.rs": "",
            "src/inline/child.rs": "use crate::other::{self, D, deep::{Deep, *}};\n",
            "src/other.rs": "pub mod deep;\npub use self::deep::Deep as Deeper;\n"
            "pub(crate) use deep::*;\n",
            "src/other/deep.rs": "use super::super::renamed::N as M;\n",
        },
        [
            "src/inline/child.rs:1 -> src/other.rs",
            "src/inline/child.rs:1 -> src/other.rs (D)",
            "src/inline/child.rs:1 -> src/other/deep.rs (*)",
            "src/inline/child.rs:1 -> src/other/deep.rs (Deep)",
            "src/lib.rs:2 -> src/odd/name.rs",
            "src/lib.rs:5 -> src/unix.rs",
            "src/lib.rs:7 -> src/inline/child.rs",
            "src/lib.rs:8 -> src/inline/child.rs (C)",
            "src/lib.rs:9 -> src/other.rs (D)",
            "src/lib.rs:10 -> src/other.rs (E)",
            "src/lib.rs:12 -> src/other.rs",
            "src/lib.rs:13 -> src/odd/name.rs (N)",
            "src/lib.rs:14 -> src/other.rs (F)",
            "src/odd/below.rs:1 -> src/odd/name.rs (N)",
            "src/odd/name.rs:1 -> src/odd/below.rs",
            "src/odd/name.rs:2 -> src/other.rs (O)",
            "src/other.rs:1 -> src/other/deep.rs",
            "src/other.rs:2 -> src/other/deep.rs (Deep)",
            "src/other.rs:3 -> src/other/deep.rs (*)",
            "src/other/deep.rs:1 -> src/odd/name.rs (N)",
        ],
    ),
    "a workspace with renamed and inherited dependencies": (
        {
            "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n[workspace.dependencies]\n'
            'base = { path = "crates/base", package = "shop-base" }\n',
            "crates/base/Cargo.toml": PACKAGE("shop-base"),
            "crates/base/src/lib.rs": "pub mod money;\n",
            "crates/base/src/money.rs": "",
            "crates/lib/Cargo.toml": PACKAGE("rust-lib") + '[lib]\nname = "lib2"\n',
            "crates/lib/src/lib.rs": "",
            "crates/app/Cargo.toml": PACKAGE("app")
            + "[dependencies]\nbase.workspace = true\n"
            + 'core2 = { package = "shop-base", path = "../base" }\n'
            + "[target.'cfg(unix)'.dependencies]\n"
            + 'rust-lib = { path = "../lib" }\n',
            "crates/app/src/main.rs": "use base::money::Coin;\nuse core2::money;\n"
            "use lib2::L;\nuse ::lib2::M;\nuse shop_base::X;\nuse rust_lib::Y;\n"
            "extern crate base as b;\n",
        },
        [
            "crates/app/src/main.rs:1 -> crates/base/src/money.rs (Coin)",
            "crates/app/src/main.rs:2 -> crates/base/src/money.rs",
            "crates/app/src/main.rs:3 -> crates/lib/src/lib.rs (L)",
            "crates/app/src/main.rs:4 -> crates/lib/src/lib.rs (M)",
            "crates/app/src/main.rs:7 -> crates/base/src/lib.rs",
            "crates/base/src/lib.rs:1 -> crates/base/src/money.rs",
        ],
    ),
    "the 2015 edition: paths start at the root of the crate": (
        {
            "Cargo.toml": '[package]\nname = "old"\n[dependencies]\nother = {path = "other"}\n',
            "src/lib.rs": "extern crate other;\nmod a;\nmod b;\n",
            "src/a.rs": "mod deep;\nuse b::B;\nuse other::X;\nuse ::b::C;\n",
            "src/a/deep.rs": "use a::A;\nuse super::D;\n",
            "src/b.rs": "",
            "other/Cargo.toml": '[package]\nname = "other"\n',
            "other/src/lib.rs": "",
        },
        [
            "src/a.rs:1 -> src/a/deep.rs",
            "src/a.rs:2 -> src/b.rs (B)",
            "src/a.rs:3 -> other/src/lib.rs (X)",
            "src/a.rs:4 -> src/b.rs (C)",
            "src/a/deep.rs:1 -> src/a.rs (A)",
            "src/a/deep.rs:2 -> src/a.rs (D)",
            "src/lib.rs:1 -> other/src/lib.rs",
            "src/lib.rs:2 -> src/a.rs",
            "src/lib.rs:3 -> src/b.rs",
        ],
    ),
}
PROJECTS = {
    f"{language}: {name}": project
    for language, projects in (
        ("go", GO_PROJECTS),
        ("java", JAVA_PROJECTS),
        ("rust", RUST_PROJECTS),
    )
    for name, project in projects.items()
}


@pytest.mark.parametrize(("files", "expected"), PROJECTS.values(), ids=PROJECTS)
def test_a_project_has_exactly_the_expected_edges(
    files: dict[str, str], expected: list[str]
) -> None:
    assert sorted(resolved(files)) == sorted(expected)
