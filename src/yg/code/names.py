"""Names of nodes, from the names of directories and files."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import normalize

from yg.kernel import paths

if TYPE_CHECKING:
    from collections.abc import Collection

LONGEST = 80  # characters of a name
SOURCE = "src"
NO_NAME = "part"
# Files that stand for the directory they are in.
_INDEX = frozenset(
    "__init__.py __init__.pyi __main__.py index.cjs index.js index.jsx index.mjs index.ts index.tsx"
    " lib.rs main.rs mod.rs".split()
)
_LAYOUT = frozenset("src lib libs source sources java main python kotlin scala".split())


def chain_name(above: str, folder: str) -> str:
    """Return the name of a directory that is reached from another one by a chain of directories.

    It is that of the last one; but the module that has a directory `src` gives its name to it.
    """
    inside = folder if above == paths.ROOT else folder.removeprefix(f"{above}/")
    parts = inside.split("/")
    if SOURCE in parts[1:]:
        return parts[parts.index(SOURCE, 1) - 1]
    named = [part for part in parts if part not in _LAYOUT]
    return named[-1] if named else parts[-1]


def is_index(file: str) -> bool:
    """Return whether a file stands for the directory it is in."""
    return paths.name_of(file) in _INDEX


def module_name(file: str) -> str:
    """Return the name of the module in a file; empty if the file stands for its directory.

    A file and its tests or type declarations have one name.
    """
    if is_index(file):
        return ""
    name = paths.name_of(file).partition(".")[0]
    return name.removesuffix("_test") if file.endswith((".go", ".py", ".dart")) else name


def free_name(above: str, name: str, taken: Collection[str]) -> str:
    """Return a path below another for a name; a number is added if the path is taken.

    Paths are compared as on systems that ignore case.
    """
    base = plain_name(name)
    number = 1
    while True:
        path = paths.join(above, base if number == 1 else f"{base}-{number}")
        if paths.folded(path) not in taken:
            return path
        number += 1


def plain_name(name: str) -> str:
    """Return a name with letters, digits, hyphens and underscores only."""
    letters = (
        letter if letter.isalnum() or letter in "_-" else "-" for letter in normalize("NFC", name)
    )
    return "".join(letters).strip("-")[:LONGEST].strip("-") or NO_NAME
