"""Bad manifests are ordinary input: commands do their work without them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import CONFIG, NODE, run, write
from yg.code.facts import ImportFact
from yg.code.names import project_name
from yg.code.resolve import Resolution
from yg.kernel.snapshot import MAX_TEXT

SOURCES = {
    "a/a.ts": "import { b } from '../b/b';\nimport '@/x';\nimport 'pack/deep';\nimport 'pack';\n",
    "b/b.ts": "export const b = 1;\n",
    "a/a.py": "import shop.orders\n",
    "shop/orders.py": "",
    "a/a.go": 'package a\n\nimport "m/b"\n',
    "b/b.go": "package b\n",
    "a/src/lib.rs": "mod x;\nuse crate::x::Y;\nuse other::Z;\n",
    "a/src/x.rs": "",
    "A.java": "package p;\nimport p.B;\n",
}
MANIFESTS = {  # each with text that is usable
    "pyproject.toml": '[project]\nname = "shop"\n',
    "setup.cfg": "[metadata]\nname = shop\n",
    "setup.py": "setup()\n",
    "package.json": '{"name": "pack", "workspaces": ["*"], "exports": {"./*": "./b/*.ts"}}',
    "b/package.json": '{"name": "pack", "main": "b.ts"}',
    "pnpm-workspace.yaml": "packages: ['*']\n",
    "tsconfig.json": '{"extends": "./base.json", "references": [{"path": "./b"}]}',
    "base.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["./b/*"]}}}',
    "jsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./b/*"]}}}',
    "go.mod": "module m\n",
    "go.work": "use .\n",
    "a/Cargo.toml": '[package]\nname = "one"\n[dependencies]\nother = {path = "../b"}\n',
    "Cargo.toml": "[workspace]\nmembers = ['a']\n",
    ".gitignore": "*.o\n",
}
WRONG: dict[str, str] = {  # what is of another type than the reader expects
    "package.json": json.dumps(
        {
            "name": ["a"],
            "main": 1,
            "exports": [1, {"./*": [None, 2, {"x": "*" * 99}]}],
            "workspaces": 3,
        }
    ),
    "b/package.json": '{"name": "pack", "exports": {".": 1, "./*": [[["./*"]]], "./deep": null}}',
    "tsconfig.json": '{"extends": {"a": 1}, "references": [1, {"path": 2}], "compilerOptions": []}',
    "base.json": '{"compilerOptions": {"baseUrl": 1, "paths": {"@/*": "./b/*", "*": [1, null]}}}',
    "jsconfig.json": '{"compilerOptions": {"baseUrl": {}, "paths": [["@/*"]]}}',
    "go.mod": "module\nmodule (\n)\nreplace a\nreplace => ./b\n",
    "go.work": "use\nuse ( ./a ./b\nreplace => \n",
    "a/Cargo.toml": "[package]\nname = 1\nedition = []\n[dependencies]\nother = [{path = 1}]\n",
    "Cargo.toml": "workspace = 1\ntarget = [1]\nlib = 'x'\nbin = {path = 1}\npackage = []\n",
}
WRONG_INSIDE = {  # of another type, in a package that is otherwise usable
    "a/Cargo.toml": "[package]\nname = 'one'\nedition = 0x" + "f" * 6_000 + "\nbuild = []\n"
    "[lib]\nname = 1\npath = 2\n[dependencies]\nother = {package = {a = 1}, workspace = 1}\n",
}
BAD: dict[str, Callable[[str], bytes]] = {
    "empty": lambda _: b"",
    "not UTF-8": lambda name: MANIFESTS[name].encode() + b"\xff\xfe\x80",
    "UTF-16": lambda name: MANIFESTS[name].encode("utf-16"),
    "NUL": lambda name: MANIFESTS[name].encode() + b"\0",
    "a byte order mark": lambda _: b"\xef\xbb\xbf",
    "comments": lambda _: b"# a\n// b\n/* c */\n",
    "a comment that is not closed": lambda _: b"/* a",
    "a list": lambda _: b"[1, 2]",
    "a number": lambda _: b"1",
    "a text": lambda _: b'"a"',
    "values of other types": lambda name: WRONG.get(name, "1 = 2").encode(),
    "deep brackets": lambda _: b"[" * 100_000,
    "deep keys": lambda _: b"a." * 50_000 + b"a = 1",
    "deep objects": lambda _: b'{"a":' * 50_000,
    "a long line": lambda _: b"a" * 1_000_000,
    "the largest": lambda name: MANIFESTS[name].encode().ljust(MAX_TEXT),
    "too large": lambda name: MANIFESTS[name].encode().ljust(MAX_TEXT + 1),
}
IGNORE = ".gitignore"
COMMANDS = ("validate", "draft --add --dry-run", "deps --node a --code", "coverage --names")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Write a repository in several languages, with a manifest for each, and a graph."""
    config = f"{CONFIG}code: {{imports: warning}}\n"
    graph = {"yg-config.yaml": config}
    for node in "ab":
        graph[f"model/{node}/yg-node.yaml"] = f"{NODE}mapping: {{paths: [{node}]}}\n"
        graph[f"model/{node}/responsibility.md"] = "What it does, in a sentence.\n"
    write(tmp_path, {**SOURCES, **MANIFESTS})
    write(tmp_path, {f".yggdrasil/{path}": text for path, text in graph.items()})
    for command in ("init --quiet", "add .", "commit --quiet --message=base"):
        subprocess.run(["git", "-C", tmp_path, *command.split()], check=True)
    return tmp_path


def assert_works(root: Path) -> None:
    """Run every command that reads manifests; one import needs none of them, and is reported."""
    for command in COMMANDS:
        name, *rest = command.split()
        outcome = run(name, "-C", str(root), *rest)
        assert outcome.code in (0, 1), (command, outcome.notes)
    assert "imports 'b' without a relation" in run("validate", "-C", str(root)).text


@pytest.mark.parametrize("bad", BAD)
def test_manifests_of_bad_content_end_nothing(repository: Path, bad: str) -> None:
    for name in MANIFESTS:
        write(repository, {name: BAD[bad](name)})
    assert_works(repository)


@pytest.mark.slow
@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", MANIFESTS)
def test_one_manifest_of_bad_content_ends_nothing(repository: Path, name: str, bad: str) -> None:
    write(repository, {name: BAD[bad](name)})
    assert_works(repository)


def test_numbers_and_tables_for_texts_end_nothing(repository: Path) -> None:
    write(repository, WRONG_INSIDE)
    assert_works(repository)


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_directory(path: Path) -> None:
    path.mkdir()


def a_link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def a_link_to_the_system(path: Path) -> None:
    path.symlink_to("/dev/zero")


def nothing(_path: Path) -> None:
    """Leave the file deleted; git still lists it."""


def unreadable(path: Path) -> None:
    path.write_text("{}")
    path.chmod(0)


@pytest.mark.parametrize(
    "make", [a_pipe, a_directory, a_link_to_itself, a_link_to_the_system, nothing, unreadable]
)
def test_manifests_that_are_not_files_end_nothing(
    repository: Path, make: Callable[[Path], None]
) -> None:
    for name in MANIFESTS:
        if name != IGNORE:  # git itself waits for a pipe of this name
            (repository / name).unlink()
            make(repository / name)
    assert_works(repository)
    shutil.rmtree(repository / ".git")
    (repository / IGNORE).unlink()
    make(repository / IGNORE)
    assert_works(repository)


# What makes manifests, in any order and nesting.

KEYS = [
    *("name", "main", "exports", "workspaces", "compilerOptions", "baseUrl", "paths", "extends"),
    *("references", "path", ".", "./*", "./a", "*", "a*", "@/*", "import", "default", "source"),
    *("types", "package", "lib", "bin", "edition", "workspace", "dependencies", "target", "build"),
]
TEXTS = st.sampled_from(["a", "./a", "./*", "../..", "/a", "b/src", "*", "**", "2015", "dist/a.js"])
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS, st.text(max_size=3))
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=12,
)
TOKENS = [
    *KEYS, "\n", "=", ".", "[", "]", "[[", "]]", "{", "}", ",", '"', "'", '"""', "'''", "#", "\\",
    " ", '"a"', "'./b'", "true", "0x1f", "1e9", "1979-05-27", "[package]\nname = 'a'\n",
    "[dependencies]\n", "module ", "replace ", "use ", "(", ")", "=>", "./a", "//", "/*", "\r\n",
]  # fmt: skip
SOUP = st.lists(st.sampled_from(TOKENS), max_size=60).map("".join)
JSON_TEXTS = VALUES.map(lambda value: json.dumps(value, allow_nan=True))
TEXT = st.one_of(SOUP, JSON_TEXTS, st.text(max_size=40))
IMPORTS = st.sampled_from(
    ["a", "./a", "../a", "@/a", "a/b", "a::b", "crate::a", "super::super::a", "b.c", "*", "", "."]
)
FACTS = st.lists(
    st.builds(
        ImportFact,
        module=IMPORTS,
        line=st.integers(1, 9),
        names=st.lists(st.sampled_from(["a", "b", "*"]), min_size=1, max_size=2).map(tuple),
        level=st.integers(0, 3),
        form=st.sampled_from(["import", "mod", "path", "package", "call"]),
    ),
    max_size=4,
)
FOLDERS = st.sampled_from(["", "a/", "a/src/", "b/"])
NAMES = st.sampled_from([Path(name).name for name in MANIFESTS])
FILES = st.dictionaries(st.builds(str.__add__, FOLDERS, NAMES), TEXT, max_size=6)
CODE = st.dictionaries(
    st.builds(
        str.__add__,
        FOLDERS,
        st.sampled_from(["a.ts", "index.js", "a.py", "__init__.py", "a.go", "lib.rs", "A.java"]),
    ),
    FACTS,
    min_size=1,
    max_size=6,
)


@given(FILES, CODE)
def test_imports_lead_only_to_files_whatever_the_manifests_say(
    manifests: dict[str, str], code: dict[str, list[ImportFact]]
) -> None:
    every = [*manifests, *code]
    found = Resolution(every, code, manifests.get).edges
    for edge in found:
        below = [file for file in every if file.startswith(f"{edge.target}/")]
        assert below or edge.target == "." if edge.is_folder else edge.target in every
    reversed_code = dict(reversed(code.items()))
    assert found == Resolution(reversed(every), reversed_code, manifests.get).edges


@given(FILES)
def test_the_name_of_a_project_is_one_word_whatever_its_manifests_say(
    manifests: dict[str, str],
) -> None:
    assert "/" not in project_name(manifests.get)
