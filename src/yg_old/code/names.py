"""Names of nodes, from the names of directories and files."""

from __future__ import annotations

import re
from itertools import chain, count
from typing import TYPE_CHECKING
from unicodedata import normalize

from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

LONGEST = 80  # characters of a name
SOURCE = "src"
NO_NAME = "part"
# Files that stand for the directory they are in.
_INDEX = frozenset(
    "__init__.py __init__.pyi __main__.py index.cjs index.js index.jsx index.mjs index.ts index.tsx"
    " lib.rs main.rs mod.rs".split()
)
_LAYOUT = frozenset("src lib libs source sources java main python kotlin scala".split())

_MAJOR = re.compile(r"/v\d+$")  # of a Go module
_MANIFESTS = {
    "go.mod": re.compile(r"^module[ \t]+\"?([^\s\"]+)", re.MULTILINE),
    "Cargo.toml": re.compile(r"^\[package\][^\[]*?^name\s*=\s*\"([^\"\n]+)\"", re.MULTILINE),
    # Not a name further inside: keys of the top have the same line start as the first one.
    "package.json": re.compile(
        r"\A\s*\{(?: ?\"|(\s*\n[ \t]*)\"(?:[\s\S]*?\1\")??)name\": ?\"([^\"\n]+)\""
    ),
    "pyproject.toml": re.compile(r"^\[project\][^\[]*?^name\s*=\s*\"([^\"\n]+)\"", re.MULTILINE),
}


def chain_names(above: str, folder: str, project: str = "") -> list[str]:
    """Return names for a directory that is reached from another one by a chain of directories.

    The best is that of the last one; but the module that has a directory `src` gives its name to
    it, and the project to the whole of its code. The others are longer.
    """
    inside = folder if above == paths.ROOT else folder.removeprefix(f"{above}/")
    parts = inside.split("/")
    if SOURCE in parts[1:]:
        parts = parts[: parts.index(SOURCE, 1)]
    named = [part for part in parts if part not in _LAYOUT] or [project or parts[-1]]
    return [named[-1], *("-".join(parts[at:]) for at in range(len(parts) - 2, -1, -1))]


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


def free_name(above: str, names: Sequence[str], taken: Collection[str]) -> str:
    """Return a path below another for the first name that is not taken; if all are, a number helps.

    Paths are compared as on systems that ignore case.
    """
    plain = [plain_name(name) for name in names]
    numbered = (f"{plain[0]}-{number}" for number in count(2))
    found = (paths.join(above, name) for name in chain(plain, numbered))
    return next(path for path in found if paths.folded(path) not in taken)


MANIFESTS = tuple(_MANIFESTS)


def one_spelling(name: str) -> str:
    """Return a name of a package without what its spellings differ in."""
    return plain_name(name).replace("_", "-").casefold()


def project_name(read: Callable[[str], str | None], directory: str = paths.ROOT) -> str:
    """Return the name of a project from its manifest; empty if it has none.

    `read` returns the text of a file, or None.
    """
    for file, pattern in _MANIFESTS.items():
        found = pattern.search(read(paths.join(directory, file)) or "")
        if found:
            return paths.name_of(_MAJOR.sub("", found[found.lastindex or 0]))
    return ""


def plain_name(name: str) -> str:
    """Return a name with letters, digits, hyphens and underscores only."""
    letters = (
        letter if letter.isalnum() or letter in "_-" else "-" for letter in normalize("NFC", name)
    )
    return "".join(letters).strip("-")[:LONGEST].strip("-") or NO_NAME
