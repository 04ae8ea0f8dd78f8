"""Imports lead to the files that the languages load."""

from __future__ import annotations

import grimp
import pytest

from support import REPOSITORY
from yg.code.read import read_facts
from yg.code.resolve import Edge, edges


def resolved(files: dict[str, str], roots: tuple[str, ...] = ()) -> list[str]:
    """Return the edges between files, as short texts."""
    return [shown(edge) for edge in all_edges(files, roots)]


def all_edges(files: dict[str, str], roots: tuple[str, ...] = ()) -> tuple[Edge, ...]:
    facts = {path: read_facts(path, text.encode()) for path, text in files.items()}
    imports = {path: found.imported for path, found in facts.items() if found}
    return edges(files, imports, files.get, roots)


def shown(edge: Edge) -> str:
    target = f"{edge.target}/" if edge.is_folder else edge.target
    names = f" ({', '.join(edge.names)})" if edge.names else ""
    return f"{edge.file}:{edge.line} -> {target}{names}{' for types' * edge.type_only}"


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
    "a namespace package alone is no module": ({"redis/a.py": "", "b.py": "import redis\n"}, []),
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
