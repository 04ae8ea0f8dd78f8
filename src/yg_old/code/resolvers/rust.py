"""Imports of Rust: modules of the crate, and crates of the repository."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.resolvers.cargo import FIRST_EDITION, MANIFEST, Dependency, cargo_manifest
from yg_old.code.resolvers.tree import ImportTarget
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from yg_old.code.facts import ImportFact
    from yg_old.code.resolvers.cargo import CargoManifest
    from yg_old.code.resolvers.manifests import Manifests
    from yg_old.code.resolvers.tree import FileTree

ROOTS = ("lib.rs", "main.rs")
TARGET_FOLDERS = ("src/bin", "tests", "examples", "benches")  # each file in them is a root
MOST_PARTS = 50  # of a path


class Crate(Struct, frozen=True, kw_only=True):
    """A package of the repository."""

    folder: str
    package: str
    name: str  # of the library, as imports spell it
    library: str | None  # the root file of the library
    roots: frozenset[str]  # the files that the package names as roots
    is_first_edition: bool
    workspace: str | None = None  # the folder of its workspace


class RustModule(Struct, frozen=True):
    """A module: the file that it is written in, and the folder for the files of its children."""

    file: str
    folder: str


class RustResolver:
    """Resolves the imports of all Rust files of a repository."""

    def __init__(
        self, tree: FileTree, imports: Mapping[str, Sequence[ImportFact]], manifests: Manifests
    ) -> None:
        self._tree = tree
        self._manifests = manifests
        self._known: dict[str, CargoManifest] = {}  # by folder
        # Files of modules with a path attribute. Their children lie beside them.
        self._placed = {
            place
            for file, facts in imports.items()
            for fact in facts
            if fact.form == "path" and (place := _placed(file, fact)) in tree.files
        }
        self._paths: dict[str, str | None] = {}  # these files, by the usual place of their modules
        for file, facts in imports.items():
            for fact in facts:
                if fact.form == "path" and (place := _placed(file, fact)) in self._placed:
                    usual = paths.join(self._folder(file), fact.names[0])
                    is_other = self._paths.get(usual, place) != place
                    self._paths[usual] = None if is_other else place
        self._parents: dict[str, RustModule | None] = {}  # of files; None: there are several
        for file, facts in imports.items():
            for fact in facts:
                child = self._declared(file, fact)
                if child is not None:
                    inline = fact.module.split("::")[:-1] if fact.form == "mod" else []
                    parent = RustModule(file, self._inline(file, inline))
                    is_other = self._parents.get(child, parent) != parent
                    self._parents[child] = None if is_other else parent

    def _declared(self, file: str, fact: ImportFact) -> str | None:
        """Return the file of a module that a fact declares."""
        if fact.form == "path":
            place = _placed(file, fact)
            return place if place in self._placed else None
        if fact.form != "mod":
            return None
        *inline, name = fact.module.split("::")
        return self._module_file(self._inline(file, inline), name)

    def targets(self, file: str, fact: ImportFact) -> Iterator[ImportTarget]:
        """Yield the file of the innermost module that an import names."""
        if fact.form in ("mod", "path"):
            found = self._declared(file, fact)
            if found is not None:
                yield ImportTarget(found)
            return
        parts = [*fact.module.split("::"), *fact.names]
        if len(parts) > MOST_PARTS:
            return
        start = self._start(file, parts)
        if start is not None:
            yield self._walk(*start)

    def _start(self, file: str, parts: list[str]) -> tuple[RustModule, list[str]] | None:
        """Return the module that a path starts in, and the rest of the path."""
        first, rest = parts[0], parts[1:]
        if first == "crate":
            return _at(self._root_of(file), rest)
        if first in ("self", "super"):
            return self._relative(file, parts)
        crate = self._crate_of(file)
        is_old = crate is not None and crate.is_first_edition
        if not first:  # a path that starts with colons
            root = self._root_of(file) if is_old else None
            is_own = root is not None and self._has_child(root, rest[0])
            return _at(root, rest) if is_own else self._in_crate(crate, rest)
        here = RustModule(file, self._folder(file))
        for module in (self._root_of(file), here) if is_old else (here,):
            if module is not None and self._has_child(module, first):
                # A crate of the same name would be ambiguous.
                is_plain = is_old or self._in_crate(crate, parts) is None
                return (module, parts) if is_plain else None
        return self._in_crate(crate, parts)

    def _has_child(self, module: RustModule, name: str) -> bool:
        """Return whether a module has a child in another file, which is not a root beside it."""
        child = self._module_file(module.folder, name)
        return child is not None and (child in self._parents or child not in self._roots)

    def _in_crate(
        self, crate: Crate | None, parts: list[str]
    ) -> tuple[RustModule, list[str]] | None:
        """Return the library that a path starts in: of the same package, or of a dependency."""
        if crate is None or not parts:
            return None
        own = crate if parts[0] == crate.name else None
        found = self._dependencies[crate.folder].get(parts[0]) or own
        if found is None or found.library is None:
            return None
        return RustModule(found.library, self._folder(found.library)), parts[1:]

    def _relative(self, file: str, parts: list[str]) -> tuple[RustModule, list[str]] | None:
        """Follow `self` and `super` from the module of a file."""
        module: RustModule | None = RustModule(file, self._folder(file))
        rest = parts[1:] if parts[0] == "self" else parts
        while rest and rest[0] == "super" and module is not None:
            module, rest = self._above(module), rest[1:]
        return _at(module, rest)

    def _above(self, module: RustModule) -> RustModule | None:
        """Return the module around a module."""
        if module.folder != self._folder(module.file):  # of a module in the same file
            return RustModule(module.file, paths.parent(module.folder))
        if module.file in self._parents:
            return self._parents[module.file]
        if module.file in self._roots or module.folder == paths.ROOT:
            return None
        above = paths.parent(module.folder)
        found = self._file_of_folder(above)
        return None if found is None else RustModule(found, above)

    def _file_of_folder(self, folder: str) -> str | None:
        """Return the file of the module whose children are in a folder."""
        return self._tree.first(
            (
                paths.join(folder, "mod.rs"),
                *((f"{folder}.rs",) if folder != paths.ROOT else ()),
                *(paths.join(folder, name) for name in ROOTS),
            )
        )

    def _walk(self, module: RustModule, parts: list[str]) -> ImportTarget:
        """Return the innermost module on a path, with the name that is taken from it."""
        file, folder = module.file, module.folder
        left = 0  # parts that lead to the file
        for at, part in enumerate(parts):
            found = self._module_file(folder, part)
            folder = self._folder(found) if found else paths.join(folder, part)
            if found:
                file, left = found, at + 1
            elif not self._tree.has_folder(folder):  # of a module in the same file
                break
        return ImportTarget(file, tuple(parts[left : left + 1]))

    def _module_file(self, folder: str, name: str) -> str | None:
        place = paths.join(folder, name.removeprefix("r#"))
        if place in self._paths:
            return self._paths[place]
        return self._tree.first((f"{place}.rs", f"{place}/mod.rs"))

    def _folder(self, file: str) -> str:
        """Return the folder with the children of the module of a file."""
        name = paths.name_of(file)
        if name == "mod.rs" or name in ROOTS or file in self._roots or file in self._placed:
            return paths.parent(file)
        return file.removesuffix(".rs")

    def _inline(self, file: str, names: Sequence[str]) -> str:
        """Return the folder with the children of a module that is written in a file."""
        folder = self._folder(file)
        return paths.join(folder, "/".join(names)) if names else folder

    def _root_of(self, file: str) -> RustModule | None:
        """Return the root of the crate that a file is compiled into."""
        root = self._declared_root(file) or self._guessed_root(file)
        return None if root is None else RustModule(root, self._folder(root))

    def _declared_root(self, file: str) -> str | None:
        """Follow the declarations of modules up to a root; None if they do not lead to one."""
        for _ in range(MOST_PARTS):
            above = self._parents.get(file)
            if above is None:
                return file if file in self._roots and file not in self._parents else None
            file = above.file
        return None

    def _guessed_root(self, file: str) -> str | None:
        crate = self._crate_of(file)
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
    def _roots(self) -> frozenset[str]:
        """The files that are roots of crates, by their place or by a manifest."""
        named = (file for crate in self._by_folder.values() for file in crate.roots)
        return frozenset((*named, *filter(self._is_root, self._tree.files)))

    def _is_root(self, file: str) -> bool:
        if not file.endswith(".rs"):
            return False
        folder, name = paths.parent(file), paths.name_of(file)
        package = self._tree.above(file, MANIFEST)
        if package is None:
            return False
        top = paths.join(package, "src")
        if (folder == top and name in ROOTS) or file == paths.join(package, "build.rs"):
            return True
        targets = {paths.join(package, target) for target in TARGET_FOLDERS}
        return folder in targets or (name == "main.rs" and paths.parent(folder) in targets)

    @cached_property
    def _by_folder(self) -> dict[str, Crate]:
        folders = (paths.parent(file) for file in self._tree.named(MANIFEST))
        crates = (self._crate(folder) for folder in folders)
        return {crate.folder: crate for crate in crates if crate is not None}

    @cached_property
    def _packages(self) -> dict[str, Crate]:
        """The packages whose names are unique in the repository."""
        found: dict[str, list[Crate]] = {}
        for crate in self._by_folder.values():
            found.setdefault(crate.package, []).append(crate)
        return {name: crates[0] for name, crates in found.items() if len(crates) == 1}

    def _crate(self, folder: str) -> Crate | None:
        manifest = self._manifest(folder)
        if manifest.package is None:
            return None
        root = _place(folder, manifest.library_path)
        roots = {_place(folder, path) for path in (manifest.build, *manifest.targets)} | {root}
        workspace = self._workspace(folder)
        edition = manifest.edition
        if edition is None and workspace is not None:
            edition = self._manifest(workspace).shared_edition
        return Crate(
            folder=folder,
            package=manifest.package,
            name=(manifest.library or manifest.package).replace("-", "_"),
            library=root if root in self._tree.files else None,
            roots=frozenset(file for file in roots if file in self._tree.files),
            is_first_edition=edition == FIRST_EDITION,
            workspace=workspace,
        )

    def _manifest(self, folder: str) -> CargoManifest:
        if folder not in self._known:
            table = self._manifests.toml(paths.join(folder, MANIFEST))
            self._known[folder] = cargo_manifest(table)
        return self._known[folder]

    def _workspace(self, folder: str) -> str | None:
        """Return the innermost folder around a package with a workspace."""
        place = self._tree.above(paths.join(folder, MANIFEST), MANIFEST)
        while place is not None and not self._manifest(place).has_workspace:
            place = None if place == paths.ROOT else self._tree.above(place, MANIFEST)
        return place

    @cached_property
    def _dependencies(self) -> dict[str, dict[str, Crate]]:
        """The packages that each package depends on, by its folder."""
        return {crate.folder: dict(self._used_by(crate)) for crate in self._by_folder.values()}

    def _used_by(self, crate: Crate) -> Iterator[tuple[str, Crate]]:
        """Yield the packages of the repository that a package depends on, as it calls them."""
        for key, written in self._manifest(crate.folder).dependencies:
            place, dependency = crate.folder, written
            if written.is_inherited and crate.workspace is not None:
                place = crate.workspace
                dependency = self._manifest(place).shared.get(key, Dependency())
            found = (
                self._packages.get(dependency.package or key)
                if dependency.path is None
                else self._by_folder.get(_place(place, dependency.path) or "")
            )
            if found is not None:
                yield (found.name if dependency.package is None else key.replace("-", "_")), found


def _at(module: RustModule | None, parts: list[str]) -> tuple[RustModule, list[str]] | None:
    return None if module is None else (module, parts)


def _placed(file: str, fact: ImportFact) -> str:
    """Return the file of a module with a path attribute; empty if it is outside."""
    return _place(paths.parent(file), fact.module) or ""


def _place(folder: str, path: str | None) -> str | None:
    """Return the path relative to the repository; None if there is none, or it leads out of it."""
    return None if path is None else paths.normalise(paths.join(folder, path))
