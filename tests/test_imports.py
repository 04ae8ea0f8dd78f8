"""What a command imports: nothing that it does not use, because an agent waits for it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from graphs import git

EXAMPLE = Path(__file__).parent.parent / "examples" / "shop"
NODE = "orders/order-service"
# Runs the program, for which every file is old enough to be trusted, and lists what is imported.
PROGRAM = """
import sys
{}
from yg.__main__ import main
code = main()
sys.stderr.write("\\n".join(["", "imported:", *sys.modules]))
sys.exit(code)
"""
TRUSTING = "from yg.disk import listing; listing.SETTLED_NS = -(1 << 62)"
# What every command may import: values, its parser, JSON, and what looking at files takes.
STANDARD = """
import argparse, bisect, collections, contextlib, functools, gc, hashlib, itertools, json
import msgspec.json, msgspec.msgpack, msgspec.structs, sqlite3, struct, time, zlib
import resource, select, signal, weakref
argparse.ArgumentParser().add_argument("x")
"""
GIT = "import fcntl, selectors, subprocess, threading, locale, atexit"
NEVER = re.compile(
    r"(asyncio|dataclasses|logging|mcp|pathlib|random|rapidfuzz|tempfile|unittest|urllib|yaml"
    r"|yg_old|yg\.disk\.(commit|write)|yg\.text\.(decode_yaml|encode_yaml)"
    r"|yg\.commands\.ci|yg\.surfaces\.(?!cli))(\.|$)"
)
FLOOR = {"yg", "yg.__main__", "yg.surfaces", "yg.surfaces.cli", "yg.surfaces.cli.output"}


@cache
def standard(code: str) -> frozenset[str]:
    """Return the modules that some code imports."""
    found = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", found], capture_output=True, check=True)
    return frozenset(done.stdout.decode().split())


def imported(root: Path, *words: str, first: str = TRUSTING) -> set[str]:
    """Return the modules that a command imports and a Python that does nothing does not."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(first), *words],
        cwd=root,
        capture_output=True,
        check=True,
    )
    modules = done.stderr.decode().partition("\nimported:\n")[2]
    return {*modules.split("\n")} - standard("")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the example, and let the cache learn it."""
    root = tmp_path_factory.mktemp("imports") / "shop"
    shutil.copytree(EXAMPLE, root)
    git(root, "init", "-q")
    for words in (["tree"], ["validate"], ["build-context", NODE], ["owner", "x"]):
        imported(root, *words)  # the first one makes the folder of the cache
    return root


def test_the_version_needs_nothing(shop: Path) -> None:
    assert imported(shop, "--version", first="") <= {*FLOOR, "yg.version", "__future__", "gc"}


@pytest.mark.parametrize(
    ("words", "more"),
    [
        (("build-context", NODE), ""),
        (("build-context", NODE, "payments/payment-service", "--json"), ""),
        (("build-context", "--file", "src/shop/orders/service.py"), ""),
        (("tree",), ""),
        (("validate",), GIT),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_command_imports_what_it_uses(shop: Path, words: tuple[str, ...], more: str) -> None:
    found = imported(shop, *words)
    others = {name for name in found if not name.startswith("yg")}
    assert sorted(others - standard(STANDARD) - standard(more)) == []
    assert sorted(name for name in found if NEVER.match(name)) == []


def test_a_command_imports_no_other_command(shop: Path) -> None:
    found = imported(shop, "build-context", NODE)
    outer = {name for name in found if name.startswith(("yg.commands.", "yg.surfaces."))}
    assert sorted(outer) == [
        *("yg.commands.build_context", "yg.commands.command", "yg.commands.table"),
        *("yg.commands.workspace", "yg.surfaces.cli", "yg.surfaces.cli.arguments"),
        *("yg.surfaces.cli.main", "yg.surfaces.cli.old", "yg.surfaces.cli.output"),
    ]


def test_what_is_in_the_cache_is_not_parsed_again(shop: Path) -> None:
    assert "yg.text.decode_yaml" not in imported(shop, "validate")
    assert "yg.text.decode_yaml" in imported(shop, "validate", "--no-cache")
