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
        *("resource", "subprocess", "threading", "weakref"),
    }
)
FLOOR = "yg yg.__main__ yg.surfaces yg.surfaces.cli yg.version"
COMMON = """
    yg.code yg.code.change_class
    yg.surfaces yg.surfaces.cli.arguments yg.surfaces.cli.main yg.surfaces.cli.outcome
    yg.surfaces.cli.progress yg.surfaces.cli.requests
    yg.commands yg.commands.command yg.commands.issues yg.commands.one_state
    yg.commands.request yg.commands.table
    yg.surfaces.cli.streams yg.disk yg.formats yg.kernel yg.specgraph
    yg.specgraph.places yg.workspace
    yg.yggdrasil
"""
OWN = {  # the modules and packages of ours that each command may need
    "tree": "yg.commands.tree yg.commands.branches",
    "deps": "yg.commands.deps yg.commands.branches yg.commands.importers",
    "validate": "yg.commands.validate yg.commands.validate.ci",
    "build-context": """
        yg.commands.build_context yg.commands.build_context.context
        yg.commands.build_context.nodes yg.commands.build_context.package
        yg.commands.build_context.request yg.commands.budget yg.commands.refusal
        yg.commands.stale
    """,
}
NEVER = re.compile(
    r"(dataclasses|pathlib|yaml|rapidfuzz|filelock|mcp|splintr|yg\.(specgraph\.(?!places)|surfaces\.(mcp|api)))"
)
SLOW = (
    "yg.yggdrasil.start.upgrade",
    "yg.yggdrasil.start.init",
    "yg.disk.files.apply",
    "yg.disk.writing.lock",
    "yg.text.decode",
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
    shutil.copytree(SHOP, root)
    subprocess.run(["git", "init", "--quiet", "."], cwd=root, check=True)
    for command in ("drift-sync --all", "tree", "validate", f"build-context {NODE}", "drift"):
        _modules(root, TRUSTING, *command.split())  # the first one makes the folder of the index
    return root


def test_the_version_needs_nothing(shop: Path) -> None:
    own = {*FLOOR.split(), "yg.surfaces.cli.streams"}
    assert imported(shop, "--version") <= own | {"__future__", "gc"}


@pytest.mark.parametrize(
    ("argv", "more"),
    [
        (("tree",), WHOLE_GRAPH),
        (("deps", NODE), frozenset()),
        (("build-context", "--lenient", NODE, "--code=off"), frozenset()),
        (("build-context", NODE, "--code=off"), WHOLE_GRAPH),
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
    packages = ("yg.disk.", "yg.kernel.", "yg.text", "yg.workspace", "yg.yggdrasil.")
    strangers = {
        name for name in found if name.startswith("yg") and not name.startswith(packages)
    } - own
    assert sorted(strangers) == []
    assert sorted(name for name in found if NEVER.match(name) or name.startswith(SLOW)) == []


def test_drift_without_changes_reads_no_yaml(shop: Path) -> None:
    found = _modules(shop, TRUSTING, "drift")  # however new the copy is
    assert "yg.yggdrasil.drift.states" in found
    assert found & {"yaml", "yg.text.decode_yaml", "yg.yggdrasil.read.v2"} == set()
