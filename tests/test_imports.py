"""What a command imports: nothing that it does not use, because an agent waits for it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from forked import START, TRUSTING

SHOP = Path(__file__).parent.parent / "examples" / "shop"
NODE = "orders/order-service"
# What every command may import: values, its parser, JSON, and what looking at files takes.
STANDARD = "import argparse, bisect, collections, functools, contextlib, gc, hashlib, json, msgspec"
STANDARD += ", sqlite3, struct, time, zlib"
WHOLE_GRAPH = frozenset({"array", "binascii", "_struct"})  # comparing all stamps at once
GIT = frozenset(
    {
        *(
            "_blake2",
            "_hashlib",
            "_locale",
            "_posixsubprocess",
            "_random",
            "_signal",
            "_weakrefset",
            "errno",
        ),
        *("fcntl", "hashlib", "locale", "math", "msvcrt", "select", "selectors", "signal"),
        *("subprocess", "threading", "weakref"),
    }
)
FLOOR = "yg yg.__main__ yg.cli yg.version"
COMMON = """
    yg.answers yg.answers.answer yg.answers.one_state yg.code yg.code.changes
    yg.cli.arguments yg.cli.commands yg.cli.main yg.cli.outcome
    yg.cli.streams yg.disk yg.formats yg.kernel yg.render yg.specgraph
    yg.specgraph.places yg.workspace
    yg.yggdrasil
"""
OWN = {  # the modules and packages of ours that each command may need
    "tree": "yg.answers.tree yg.answers.skipped yg.cli.tree",
    "deps": "yg.answers.deps yg.cli.deps",
    "validate": "yg.answers.validate yg.cli.validate",
    "build-context": """
        yg.answers.build_context yg.answers.forms yg.answers.refusal yg.cli.build_context
    """,
}
NEVER = re.compile(
    r"(dataclasses|pathlib|yaml|rapidfuzz|filelock|mcp|splintr|yg\.(specgraph\.(?!places)|mcp|api))"
)
SLOW = (
    "yg.yggdrasil.upgrade",
    "yg.yggdrasil.init",
    "yg.disk.apply",
    "yg.disk.lock",
    "yg.kernel.decode",
    "yg.kernel.fields",
)


def imported(root: Path, *argv: str) -> set[str]:
    """Return the modules that a command imports and a Python that does nothing does not."""
    return _modules(root, START, *argv) - _standard("pass")


@cache
def _standard(code: str) -> set[str]:
    """Return the modules that code of the standard library imports."""
    return _modules(SHOP, code)


def _modules(root: Path, code: str, *argv: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", code, *argv],
        cwd=root,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines} - {"imported package"}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the example, and let yg get to know it."""
    root = tmp_path_factory.mktemp("shop") / "shop"
    shutil.copytree(SHOP, root, ignore=shutil.ignore_patterns(".cache"))
    subprocess.run(["git", "init", "--quiet", "."], cwd=root, check=True)
    for command in ("drift-sync --all", "tree", "validate", f"build-context {NODE}", "drift"):
        _modules(root, TRUSTING, *command.split())  # the first one makes the folder of the index
    return root


def test_the_version_needs_nothing(shop: Path) -> None:
    own = {*FLOOR.split(), "yg.cli.streams"}
    assert imported(shop, "--version") <= own | {"__future__", "gc"}


@pytest.mark.parametrize(
    ("argv", "more"),
    [
        (("tree",), WHOLE_GRAPH),
        (("deps", NODE), frozenset()),
        (("build-context", "--lenient", NODE), frozenset()),
        (("build-context", NODE), WHOLE_GRAPH),
        (("validate",), WHOLE_GRAPH | GIT),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_command_imports_what_it_uses(
    shop: Path, argv: tuple[str, ...], more: frozenset[str]
) -> None:
    found = imported(shop, *argv)
    others = {name for name in found if not name.startswith("yg")}
    assert sorted(others - _standard(STANDARD) - more) == []
    own = {*FLOOR.split(), *COMMON.split(), *OWN[argv[0]].split()}
    packages = ("yg.disk.", "yg.kernel.", "yg.render.", "yg.yggdrasil.")
    strangers = {
        name for name in found if name.startswith("yg") and not name.startswith(packages)
    } - own
    assert sorted(strangers) == []
    assert sorted(name for name in found if NEVER.match(name) or name.startswith(SLOW)) == []


def test_drift_without_changes_reads_no_yaml(shop: Path) -> None:
    found = imported(shop, "drift")
    assert "yg.yggdrasil.drift" in found
    assert found & {"yaml", "yg.kernel.decode_yaml", "yg.yggdrasil.read_v2"} == set()


@pytest.mark.parametrize(
    "argv", [("tree",), ("validate",), ("deps", NODE), ("build-context", NODE)]
)
def test_only_json_needs_the_shapes_of_documents(shop: Path, argv: tuple[str, ...]) -> None:
    shapes = "yg.render.shapes"
    assert [name for name in imported(shop, *argv) if name.startswith(shapes)] == []
    found = imported(shop, *argv, "--json")
    assert shapes in found
    others = {name for name in found if not name.startswith("yg")}
    assert sorted(others - _standard(STANDARD) - WHOLE_GRAPH - GIT) == []
    assert "yg.render.schema" not in found
