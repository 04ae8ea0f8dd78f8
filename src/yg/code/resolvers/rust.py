"""Imports of Rust: modules of the crate, and crates of the repository."""

from __future__ import annotations

import tomllib
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg.code.resolvers.tree import ImportTarget
from yg.kernel import paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.code.facts import ImportFact
    from yg.code.resolvers.tree import FileTree, ReadText

MANIFEST = "Cargo.toml"
ROOTS = ("lib.rs", "main.rs")
DEPENDENCIES = ("dependencies", "dev-dependencies", "build-dependencies")
MOST_PARTS = 50  # of a path


class Crate(Struct, frozen=True):
    """A package of the repository."""

    folder: str
    name: str  # as imports spell it
    library: str | None  # the root file of the library
    dependencies: frozenset[str]  # as imports spell them


class RustResolver:
    """Resolves the imports of all Rust files of a repository."""

    def __init__(self, tree: FileTree, read: ReadText) -> None:
        self._tree = tree
        self._read = read

    def targets(self, file: str, fact: ImportFact) -> Iterator[ImportTarget]:
        """Yield the file of the innermost module that an import names."""
        if fact.form == "mod":
            found = self._module_file(_inner_folder(file), fact.module)
            if found is not None:
                yield ImportTarget(found)
            return
        parts = [*fact.module.split("::"), *fact.names]
        if len(parts) > MOST_PARTS:
            return
        start = self._start(file, parts)
        if start is not None:
            yield from self._walk(*start)

    def _start(self, file: str, parts: list[str]) -> tuple[str, str | None, list[str]] | None:
        """Return the folder and the file of the module that a path starts in, and its rest."""
        crate = self._crate_of(file)
        first = parts[0]
        if first == "crate":
            root = self._root_of(file, crate)
            return None if root is None else (paths.parent(root), root, parts[1:])
        if first in ("self", "super"):
            return self._relative(file, parts)
        if self._module_file(_inner_folder(file), first) is not None:
            # A child module of this one; a crate of the same name would be ambiguous.
            return None if first in self._crates else (_inner_folder(file), file, parts)
        other = self._crates.get(first)
        if other is None or other.library is None:
            return None
        is_own = crate is not None and crate.folder == other.folder
        if not is_own and (crate is None or first not in crate.dependencies):
            return None
        return paths.parent(other.library), other.library, parts[1:]

    def _relative(self, file: str, parts: list[str]) -> tuple[str, str | None, list[str]] | None:
        """Follow `self` and `super` from the module of a file."""
        folder, module = _inner_folder(file), file
        rest = parts[1:] if parts[0] == "self" else parts
        while rest and rest[0] == "super":
            if paths.name_of(module) in ROOTS or folder == paths.ROOT:
                return None
            above = paths.parent(folder)
            found = self._file_of_folder(above)
            if found is None:
                return None
            folder, module, rest = above, found, rest[1:]
        return folder, module, rest

    def _file_of_folder(self, folder: str) -> str | None:
        """Return the file of the module whose children are in a folder."""
        return self._tree.first(
            (
                paths.join(folder, "mod.rs"),
                *((f"{folder}.rs",) if folder != paths.ROOT else ()),
                *(paths.join(folder, name) for name in ROOTS),
            )
        )

    def _walk(self, folder: str, module: str | None, parts: list[str]) -> Iterator[ImportTarget]:
        """Yield the innermost module on a path, with the name that is taken from it."""
        while parts:
            found = self._module_file(folder, parts[0])
            if found is None:
                break
            folder, module, parts = paths.join(folder, parts[0]), found, parts[1:]
        if module is not None:
            yield ImportTarget(module, tuple(parts[:1]))

    def _module_file(self, folder: str, name: str) -> str | None:
        name = name.removeprefix("r#")
        place = paths.join(folder, name)
        return self._tree.first((f"{place}.rs", f"{place}/mod.rs"))

    def _root_of(self, file: str, crate: Crate | None) -> str | None:
        """Return the root file of the crate that a file is compiled into."""
        if crate is None:
            return None
        sources = paths.join(crate.folder, "src")
        if not paths.is_inside(file, sources) or paths.is_inside(file, f"{sources}/bin"):
            return file if paths.name_of(file) != "mod.rs" else None
        return crate.library or self._tree.first((paths.join(sources, "main.rs"),))

    def _crate_of(self, file: str) -> Crate | None:
        folder = self._tree.above(file, MANIFEST)
        return None if folder is None else self._by_folder.get(folder)

    @cached_property
    def _by_folder(self) -> dict[str, Crate]:
        folders = (paths.parent(file) for file in self._tree.named(MANIFEST))
        crates = (self._crate(folder) for folder in folders)
        return {crate.folder: crate for crate in crates if crate is not None}

    @cached_property
    def _crates(self) -> dict[str, Crate]:
        """The crates whose names are unique in the repository."""
        found: dict[str, list[Crate]] = {}
        for crate in self._by_folder.values():
            found.setdefault(crate.name, []).append(crate)
        return {name: crates[0] for name, crates in found.items() if len(crates) == 1}

    def _crate(self, folder: str) -> Crate | None:
        manifest = _table(self._read(paths.join(folder, MANIFEST)) or "")
        library = _entry(manifest, "lib")
        name = library.get("name") or _entry(manifest, "package").get("name")
        if not isinstance(name, str):
            return None
        path = library.get("path")
        place = paths.join(folder, path if isinstance(path, str) else "src/lib.rs")
        root = paths.normalise(place)
        return Crate(
            folder,
            name.replace("-", "_"),
            root if root in self._tree.files else None,
            frozenset(_dependencies(manifest)),
        )


def _inner_folder(file: str) -> str:
    """Return the folder with the children of the module of a file."""
    name = paths.name_of(file)
    if name == "mod.rs" or name in ROOTS:
        return paths.parent(file)
    return file.removesuffix(".rs")


def _table(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}  # cargo reports it


def _entry(table: dict[str, Any], key: str) -> dict[str, Any]:
    found = table.get(key)
    return found if isinstance(found, dict) else {}


def _dependencies(manifest: dict[str, Any]) -> Iterator[str]:
    tables: Sequence[dict[str, Any]] = (
        manifest,
        *(table for table in _entry(manifest, "target").values() if isinstance(table, dict)),
    )
    for table in tables:
        for key in DEPENDENCIES:
            yield from (name.replace("-", "_") for name in _entry(table, key))
