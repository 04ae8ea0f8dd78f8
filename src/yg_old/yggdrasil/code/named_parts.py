"""Find parts of source files by the names that a user gives them.

    named_parts(imports, name, declaring=None) -> tuple[NamedPart, ...]

A name is that of a part (`quote`, `Cart.total`), alone or after a file or a node and two colons
(`src/x.py::quote`, `orders/pricing::quote`). A part of that whole name is meant; if there is none,
one whose name ends so (`total`). Without a file, those of the nodes' files are meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.parts import FILE
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg_old.yggdrasil.code.imports import NodeImports

SEPARATOR = "::"  # between a file or a node and a part


class NamedPart(Struct, frozen=True, order=True):
    """A part of a source file, and the node that owns the file."""

    path: str
    first: int  # line
    last: int
    name: str  # whole: `Cart.total`
    node: str  # empty: none


class Sought(Struct, frozen=True):
    """What a user asks for: a part of some files."""

    name: str  # with dots
    files: tuple[str, ...]
    place: str = ""  # the file or node that was named; empty: none


def sought(imports: NodeImports, text: str) -> Sought:
    """Return what a text asks for; what is before the colons may also be a part of the name."""
    place, colons, name = text.partition(SEPARATOR)
    if colons:
        if place in imports.all_files:
            return Sought(_dotted(name), (place,), place)
        files = tuple(_below(imports, place))
        if files:
            return Sought(_dotted(name), files, place)
    return Sought(_dotted(text), tuple(imports.owners))


def _dotted(name: str) -> str:
    return name.replace(SEPARATOR, ".").replace("#", ".").removesuffix("()").strip(".")


def _below(imports: NodeImports, node: str) -> Iterator[str]:
    """Yield the files of a node and of the nodes below it."""
    return (file for file, owner in imports.owners.items() if paths.is_inside(owner, node))


def named_parts(
    imports: NodeImports, text: str, declaring: Mapping[str, Sequence[str]] | None = None
) -> tuple[NamedPart, ...]:
    """Return the parts that a text names, by path and line.

    `declaring` are the owned files that have parts with some last word; None: all are read.
    """
    wanted = sought(imports, text)
    if not wanted.name:
        return ()
    files = wanted.files
    if declaring is not None and (not wanted.place or wanted.place not in files):
        known = frozenset(declaring.get(wanted.name.rpartition(".")[2], ()))
        files = tuple(file for file in files if file in known)
    ending_so = tuple(sorted(_ending(imports, files, wanted.name)))
    return tuple(part for part in ending_so if part.name == wanted.name) or ending_so


def _ending(imports: NodeImports, files: Iterable[str], name: str) -> Iterator[NamedPart]:
    """Yield the parts whose names are a name, or end with it."""
    tail = f".{name}"
    for file in files:
        facts = imports.facts_of(file)
        for found, part in facts.parts.items() if facts else ():
            if (found == name or found.endswith(tail)) and found != FILE:
                node = imports.owners.get(file, "")
                yield NamedPart(file, part.first, part.last, found, node)
