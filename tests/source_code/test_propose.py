"""A first graph for code: how a tree is cut, which relations it gets, what its texts say."""

from __future__ import annotations

import pytest

from yg.code.draft.compiled import compiled_copies
from yg.code.draft.cut import Cutter
from yg.code.draft.propose import (
    NOTHING_KNOWN,
    Known,
    Project,
    Proposal,
    SourceFile,
    propose,
    usual_parts,
)
from yg.code.draft.roles import TEST_FILES, Role, Roles, matching_test_patterns
from yg.code.draft.ties import acyclic
from yg.code.names import chain_names, module_name, plain_name, project_name
from yg.code.read import read_facts
from yg.code.resolve import Resolution

LARGE = ("# " + "x" * 27 + "\n") * 301


def proposed(  # noqa: PLR0913
    files: dict[str, str],
    most: int | None = 40,
    *,
    known: Known = NOTHING_KNOWN,
    tops: tuple[str, ...] = (".",),
    with_others: bool = True,
    keeps_cycles: bool = False,
) -> Proposal:
    """Draft nodes for files."""
    own = [file for file in files if file not in known.owners]
    roles = Roles(own, tops, present=files)
    sources = {
        file: SourceFile(len(files[file]), read_facts(file, files[file].encode()))
        for file in own
        if roles.is_code(file)
    }
    imports = {file: source.facts.imported for file, source in sources.items() if source.facts}
    project = Project(
        files=own,
        roles=roles,
        sources=sources,
        names={".": name} if (name := project_name(files.get)) else {},
        edges=Resolution(files, imports, files.get).edges,
        tops=tops,
        ignored=frozenset(file for file in own if matching_test_patterns(file)),
        known=known,
    )
    return propose(project, most=most, with_others=with_others, keeps_cycles=keeps_cycles)


def mappings(files: dict[str, str], most: int = 40) -> dict[str, tuple[str, ...]]:
    return {node.path: node.mapping for node in proposed(files, most).nodes}


# The cut.


CUTS: dict[str, tuple[list[str], dict[str, tuple[str, ...]]]] = {
    "directories at the top": (["a/x.py", "b/x.py"], {"a": ("a",), "b": ("b",)}),
    "a chain of single children is skipped": (
        ["src/main/java/com/shop/A.java"],
        {"shop": ("src/main/java/com/shop",)},
    ),
    "a module gives its name to its sources": (
        ["packages/web/src/a.ts", "packages/api/src/a.ts"],
        {"api": ("packages/api/src",), "web": ("packages/web/src",)},
    ),
    "a sub-directory inside its parent": (
        ["shop/__init__.py", "shop/pay/a.py"],
        {"shop": ("shop",), "shop/pay": ("shop/pay",)},
    ),
    "a parent without files groups two": (
        ["app.py", "cmd/a/main.go", "cmd/b/main.go"],
        {"app": ("app.py",), "cmd": (), "cmd/a": ("cmd/a",), "cmd/b": ("cmd/b",)},
    ),
    "files at the top of a Go module": (
        ["go.mod", "a.go", "a_test.go", "render/b.go"],
        {"gin": (".",), "render": ("render",)},
    ),
    "one file": (["six.py", "setup.py"], {"six": ("six.py",), "tools": ("setup.py",)}),
    "a Rust module and its directory": (
        ["Cargo.toml", "src/lib.rs", "src/net.rs", "src/net/tcp.rs"],
        {"tok": ("src",), "tok/net": ("src/net", "src/net.rs")},
    ),
    "names that differ only in case": (
        ["a/Pay/x.py", "b/pay/x.py"],
        {"Pay": ("a/Pay",), "b-pay": ("b/pay",)},
    ),
    "tests, documentation, examples and copies beside the code": (
        [
            "shop/a.py",
            "tests/a.py",
            "shop/b/tests/test_b.py",
            "docs/index.rst",
            "examples/a.py",
            "shop/_vendor/six.py",
            "dist/a.js",
            ".github/x.py",
            "README.md",
        ],
        {
            "docs": ("docs",),
            "examples": ("examples",),
            "generated": ("dist",),
            "shop": ("shop",),
            "tests": ("shop/b/tests", "tests"),
            "tools": (".github",),
            "vendored": ("shop/_vendor",),
        },
    ),
    "benchmarks, fixtures and generated files beside the code": (
        ["a/x.py", "a/y_pb2.py", "a/__fixtures__/f.py", "packages/bench/b.ts", "packages/c/c.ts"],
        {
            "a": ("a",),
            "benchmarks": ("packages/bench",),
            "c": ("packages/c",),
            "generated": ("a/y_pb2.py",),
            "tests": ("a/__fixtures__",),
        },
    ),
    "names of modules are not roles": (
        ["django/__init__.py", "django/test/client.py", "django/docs/views.py"],
        {
            "django": ("django",),
            "django/docs": ("django/docs",),
            "django/test": ("django/test",),
        },
    ),
    "unless the files are tests": (
        ["shop/__init__.py", "shop/test/test_a.py"],
        {"shop": ("shop",), "tests": ("shop/test",)},
    ),
    "a directory at the top that has mostly tests": (
        ["shop/a.py", "t/__init__.py", "t/unit/test_a.py", "t/unit/test_b.py", "t/conftest.py"],
        {"shop": ("shop",), "tests": ("t",)},
    ),
    "tests of Go lie among the code": (
        ["app/main.go", "t/a.go", "t/a_test.go", "t/b_test.go", "t/c_test.go"],
        {"app": ("app",), "t": ("t",)},
    ),
    "compiled copies beside their sources": (
        ["index.js", "index.d.ts", "v4/a.js", "v4/a.d.ts", "src/index.ts", "src/v4/a.ts"],
        {"generated": ("index.d.ts", "index.js", "v4"), "src": ("src",), "src/v4": ("src/v4",)},
    ),
}


@pytest.mark.parametrize(("files", "expected"), CUTS.values(), ids=CUTS.keys())
def test_a_tree_is_cut_by_its_directories(
    files: list[str], expected: dict[str, tuple[str, ...]]
) -> None:
    manifests = {"go.mod": "module x.org/gin/v2\n", "Cargo.toml": '[package]\nname = "tok"\n'}
    assert mappings({file: manifests.get(file, "x = 1\n") for file in files}) == expected


COPIES: dict[str, tuple[list[str], list[str]]] = {
    "above the sources": (["src/a/b.ts", "a/b.d.ts", "a/b.js"], ["a/b.d.ts", "a/b.js"]),
    "in a directory beside them": (
        ["src/b.tsx", "lib/b.d.ts", "lib/b.js"],
        ["lib/b.d.ts", "lib/b.js"],
    ),
    "for both kinds of modules": (
        ["p/src/b.ts", "p/b.d.cts", "p/b.cjs", "p/b.d.ts", "p/b.js"],
        ["p/b.cjs", "p/b.d.cts", "p/b.d.ts", "p/b.js"],
    ),
    "in place": (["a/b.ts", "a/b.d.ts", "a/b.js"], ["a/b.d.ts", "a/b.js"]),
    "a script without declarations is written by hand": (["src/b.ts", "scripts/b.js"], []),
    "so are declarations of a script": (["b.js", "b.d.ts"], []),
}


@pytest.mark.parametrize(("files", "expected"), COPIES.values(), ids=COPIES.keys())
def test_compiled_copies_are_found_by_their_sources(files: list[str], expected: list[str]) -> None:
    assert sorted(compiled_copies(files)) == expected


def test_large_files_become_nodes_where_no_directory_does() -> None:
    files = dict.fromkeys(("p/__init__.py", "p/a.py", "p/a.pyi", "p/b.py"), LARGE)
    assert mappings({**files, "p/c.py": LARGE[:5000]}) == {
        "p": ("p",),
        "p/a": ("p/a.py", "p/a.pyi"),
        "p/b": ("p/b.py",),
    }


def test_a_short_file_is_a_node_only_if_three_others_import_it() -> None:
    short = "# " + "x" * 30_000 + "\n"
    files = {"p/__init__.py": "", "p/a.py": short, "p/b.py": LARGE, "p/c.py": LARGE}
    users = {f"p/{name}/x.py": f"import p.a\n{LARGE}" for name in "de"}
    assert "p/a" not in mappings({**files, **users})
    users["p/f/x.py"] = f"import p.a\n{LARGE}"
    assert mappings({**files, **users})["p/a"] == ("p/a.py",)


def test_the_number_of_nodes_follows_the_number_of_files() -> None:
    assert [usual_parts(files) for files in (1, 20, 100, 400, 5_000)] == [6, 7, 15, 30, 40]
    code = {f"a/{top}/x.py": LARGE for top in "bcdefghijklmnop"}
    others = dict.fromkeys(("tests/a.py", "docs/a.md", "examples/a.py", "setup.py"), "")
    assert len(proposed({**code, **others}, None).nodes) == 6 + 4


def test_patterns_exclude_what_other_nodes_have_in_a_directory() -> None:
    files = ["go.mod", "a.go", "b.go", "gen.pb.go", "r/r.go", "r/x.pb.go", "r/y.pb.go"]
    tests = ["r/s/tests/a.go", "r/t/tests/a.go", "r/tests.go", "r/s/a.go", "r/_vendor/[x].go"]
    nodes = proposed(dict.fromkeys((*files, *tests), "package r\n"), None).nodes
    assert {node.path: node.excluded for node in nodes if node.role is Role.CODE} == {
        "root": ("/*", "!/*.go", "/gen.pb.go"),
        "r": ("*.pb.go", "r/_vendor", "tests"),
        "r/s": ("r/s/tests",),
    }


def test_a_package_of_two_spellings_is_one_node() -> None:
    manifest = '[package]\nname = "pydantic-core"\n'
    files = ("src/lib.rs", "python/pydantic_core/__init__.py", "python/pydantic_core/x.py")
    found = mappings({"Cargo.toml": manifest, **dict.fromkeys(files, "")})
    assert list(found.values()) == [("python/pydantic_core", "src")]


def test_packages_have_the_names_in_their_manifests() -> None:
    names = {"packages/a": "alpha", "packages/b": "beta"}
    weights = {"packages/a/src/x.ts": 9_000, "packages/b/src/x.ts": 9_000}
    parts = Cutter(weights, 5, names=names).parts()
    assert [part.path for part in parts] == ["alpha", "beta"]


def test_cycles_are_kept_if_they_may_be() -> None:
    files = {"a/x.py": "import b.x\n", "b/x.py": "import a.x\n"}
    for keeps_cycles, expected in ((False, [0, 1]), (True, [1, 1])):
        nodes = proposed(files, keeps_cycles=keeps_cycles).nodes
        assert sorted(len(node.relations) for node in nodes) == expected


# Nodes that exist.


AROUND = Known(
    owners={
        **dict.fromkeys(("src/core/a.py", "src/core/b.py", "src/core/deep/x.py"), "core"),
        "src/core/c.py": "core/c",
        "src/web/a.ts": "web",
        "tests/a.py": "tests",
    },
    mapped=("src/core/a.py", "src/core/b.py", "src/core/deep/x.py", "src/core/c.py", "src/web"),
    claimed=("src/web",),
    nodes=("core", "core/c", "web", "tests"),
    targets={"core": (), "core/c": (), "web": ()},
    excluded={"web": ("*.test.ts",)},
)


def extended(*files: str) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Return the paths that nodes get, and those of new nodes."""
    every = dict.fromkeys((*AROUND.owners, *files), "x = 1\n")
    proposal = proposed(every, None, known=AROUND)
    return (
        {node.node: node.paths for node in proposal.extended},
        {node.path: node.mapping for node in proposal.nodes},
    )


def test_a_file_goes_to_the_node_that_owns_most_of_its_directory() -> None:
    assert extended("src/core/d.py", "src/web/b.ts") == (
        {"core": ("src/core/d.py",), "web": ("src/web",)},
        {},
    )


def test_a_directory_in_the_tree_of_a_node_becomes_a_node_below_it() -> None:
    assert extended("src/core/new/x.py", "src/core/new/y.py", "lib/x.py") == (
        {},
        {"core/new": ("src/core/new",), "lib": ("lib",)},
    )


def test_a_node_gets_no_file_that_it_excludes() -> None:
    assert extended("src/web/a.test.ts") == ({}, {"web/a": ("src/web/a.test.ts",)})


def test_tests_go_to_the_node_of_tests() -> None:
    assert extended("tests/b.py", "src/web/tests/x.ts") == (
        {"tests": ("src/web/tests", "tests")},
        {},
    )


def test_one_large_file_alone_stays_with_the_others() -> None:
    assert mappings({"p/a.py": LARGE * 3, "p/b.py": "x = 1\n"}) == {"p": ("p",)}


def test_the_files_of_a_go_package_stay_together() -> None:
    assert mappings(
        {"p/a.go": "package p\n" + "// x\n" * 9000, "p/b.go": "package p\n" * 9000}
    ) == {"p": ("p",)}


@pytest.mark.parametrize("most", [2, 3, 5, 8])
def test_the_number_of_nodes_is_bounded(most: int) -> None:
    code = {f"{top}/{sub}/x.py": LARGE for top in "abcdef" for sub in "xyz"}
    others = dict.fromkeys(("tests/a.py", "docs/a.md", "examples/a.py", "setup.py"), "")
    nodes = proposed({**code, **others}, most).nodes
    assert len(nodes) <= most
    assert {file for node in nodes for file in node.files} == {*code, *others}


def test_others_can_be_left_out() -> None:
    nodes = proposed({"a/x.py": "", "tests/x.py": ""}, with_others=False).nodes
    assert [node.path for node in nodes] == ["a"]


def test_only_some_directories() -> None:
    files = {"a/b/x.py": "", "a/c/x.py": "", "a/d/x.py": ""}
    kept = {file: text for file, text in files.items() if "/d/" not in file}
    nodes = proposed(kept, tops=("a/b", "a/c")).nodes
    assert {node.path: node.mapping for node in nodes} == {
        "a": (),
        "a/b": ("a/b",),
        "a/c": ("a/c",),
    }


def test_directories_of_other_nodes_are_excluded() -> None:
    known = Known(owners={"a/own/x.py": "n"}, mapped=("a/own", "b/missing.py"), nodes=("a", "n"))
    files = {"a/own/x.py": "", "a/x.py": "", "b/y.py": ""}
    nodes = proposed(files, known=known).nodes
    assert {node.path: node.mapping for node in nodes} == {"a-2": ("a",), "b": ("b/y.py",)}
    assert {node.path: node.excluded for node in nodes} == {"a-2": ("a/own",), "b": ()}


def test_the_order_of_files_does_not_matter() -> None:
    weights = {f"{top}/{name}.py": 5_000 for top in "abc" for name in "xyz"}
    one = Cutter(weights, 5).parts()
    two = Cutter(dict(reversed(weights.items())), 5).parts()
    assert [(part.path, [*part.files]) for part in one] == [
        (part.path, [*part.files]) for part in two
    ]


# Relations.


def test_imports_become_relations() -> None:
    files = {
        "a/x.py": "from b.y import f, g\nimport c\nfrom b.y import f\n",
        "b/__init__.py": "",
        "b/y.py": "def f(): ...\ndef g(): ...\ndef h(): ...\n",
        "c/__init__.py": "from b.y import *\n",
    }
    nodes = {node.path: node for node in proposed(files).nodes}
    assert [(each.target, each.names, len(each.places)) for each in nodes["a"].relations] == [
        ("b", ("f", "g"), 2),
        ("c", (), 1),
    ]
    assert [(each.target, each.names) for each in nodes["c"].relations] == [("b", ())]
    assert nodes["b"].users == ("a", "c")
    assert proposed(files).first(dict) == ("b", "a", "c")


def test_a_module_that_is_imported_whole_is_no_name_of_itself() -> None:
    files = {"a/x.py": "import b\n", "b/__init__.py": "def f(): ...\n"}
    (found,) = proposed(files).nodes[0].relations
    assert (found.target, found.names) == ("b", ())


def test_tests_and_types_make_no_relations() -> None:
    files = {
        "a/test_x.py": "import b\n",
        "a/x.py": "x = 1\n",
        "b/__init__.py": "",
        "tests/y.py": "import b\n",
    }
    assert [node.relations for node in proposed(files).nodes] == [(), (), ()]


def test_the_lightest_relation_of_a_cycle_is_left_out() -> None:
    files = {
        "a/__init__.py": "import b\nimport b as c\n",
        "b/__init__.py": "import a\n",
    }
    one, two = proposed(files).nodes
    assert [(each.target, len(each.places)) for each in one.relations] == [("b", 2)]
    assert one.left_out == two.relations == ()
    assert [(place.file, place.line) for place in two.left_out[0].places] == [("b/__init__.py", 1)]


ACYCLIC = {
    "no cycle": ({("a", "b"): 1, ("b", "c"): 1}, {}, []),
    "the lightest": ({("a", "b"): 2, ("b", "a"): 1}, {}, [("b", "a")]),
    "of equal ones the first": ({("a", "b"): 1, ("b", "a"): 1}, {}, [("a", "b")]),
    "a long cycle": ({("a", "b"): 3, ("b", "c"): 1, ("c", "a"): 2}, {}, [("b", "c")]),
    "with known relations": ({("a", "b"): 9}, {"b": ["c"], "c": ["a"]}, [("a", "b")]),
    "one is enough for two cycles": (
        {("a", "b"): 1, ("b", "c"): 5, ("c", "a"): 5, ("b", "a"): 5},
        {},
        [("a", "b")],
    ),
}


@pytest.mark.parametrize(("weights", "known", "left_out"), ACYCLIC.values(), ids=ACYCLIC.keys())
def test_relations_form_no_cycle(
    weights: dict[tuple[str, str], int],
    known: dict[str, list[str]],
    left_out: list[tuple[str, str]],
) -> None:
    kept = acyclic(weights, known)
    assert sorted(pair for pair in weights if pair not in kept) == left_out


# Names.


@pytest.mark.parametrize(
    ("name", "expected"),
    [("_api", "_api"), (".hid den.", "hid-den"), ("e\u0301te\u0301", "\xe9t\xe9"), ("...", "part")],
)
def test_names_are_plain(name: str, expected: str) -> None:
    assert plain_name(name) == expected


@pytest.mark.parametrize(
    ("file", "expected"),
    [("a/b.py", "b"), ("a/b.test.ts", "b"), ("a/b_test.py", "b"), ("a/__init__.py", "")],
)
def test_a_module_has_the_name_of_its_file(file: str, expected: str) -> None:
    assert module_name(file) == expected


def test_a_chain_has_longer_names_too() -> None:
    assert chain_names(".", "java/net/http") == ["http", "net-http", "java-net-http"]


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("package.json", '{\n  "name": "@x/core",\n  "a": {\n    "name": "b"}}', "core"),
        ("package.json", '{\n    "a": {\n        "name": "b"},\n    "name": "core"}', "core"),
        ("package.json", '{"name":"core"}', "core"),
        ("package.json", '{"a": {"name": "b"}}', ""),
        ("pyproject.toml", '[project]\nversion = "1"\nname = "shop"\n', "shop"),
        ("pyproject.toml", '[tool.x]\nname = "other"\n', ""),
    ],
)
def test_a_manifest_names_the_project(file: str, text: str, expected: str) -> None:
    assert project_name({file: text}.get) == expected


def test_each_pattern_of_test_files_matches_a_name() -> None:
    names = [pattern.replace("*", "x") for pattern in TEST_FILES]
    assert all(matching_test_patterns(f"a/{name}") for name in names)
    assert not matching_test_patterns("a/contest.py")
