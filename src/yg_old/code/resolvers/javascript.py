"""Imports of TypeScript and JavaScript: relative paths, aliases of tsconfig.json, workspaces."""

from __future__ import annotations

from functools import cached_property
from itertools import dropwhile, islice
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg_old.code.resolvers.stars import StarPatterns
from yg_old.code.resolvers.tree import ImportTarget
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg_old.code.facts import ImportFact
    from yg_old.code.resolvers.manifests import Manifests
    from yg_old.code.resolvers.tree import FileTree

# Code comes before the declarations beside it.
ENDINGS = ("ts", "tsx", "js", "jsx", "mts", "cts", "mjs", "cjs", "d.ts", "d.mts", "d.cts", "json")
SUFFIXES = tuple(f".{ending}" for ending in ENDINGS)
# An import of a compiled file may mean its source.
SOURCES = {"js": ("ts", "tsx", "d.ts"), "jsx": ("tsx",), "mjs": ("mts",), "cjs": ("cts",)}
OUTPUTS = frozenset("build cjs dist es esm lib out".split())
CONFIGS = ("tsconfig.json", "jsconfig.json")
MANIFEST = "package.json"
PNPM = "pnpm-workspace.yaml"
ENTRIES = ("source", "types", "typings", "module", "main")
LONGEST = 1_000  # characters of an import
MOST_EXTENDED = 16  # configurations that one is based on
MOST_PLACES = 16  # of an alias
MOST_LEAVES = 50  # values of an entry of `exports` that are looked at


class AliasTable:
    """The `paths` of one configuration, as they are written."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.exact = {alias: _places(table[alias]) for alias in table if "*" not in alias}
        stars = ((alias, _places(table[alias])) for alias in table if "*" in alias)
        self.patterns = StarPatterns(stars)
        self.is_empty = not table


class Aliases(Struct, frozen=True):
    """The aliases of a configuration, and the folder from which other names are looked up."""

    base: str | None = None
    table: AliasTable | None = None
    folder: str = paths.ROOT  # that the places of aliases are relative to

    @property
    def are_empty(self) -> bool:
        """Whether they change nothing."""
        return self.base is None and (self.table is None or self.table.is_empty)

    def places(self, module: str) -> Iterator[str]:
        """Yield the paths that an alias stands for."""
        if self.table is None:
            return
        for place in self.table.exact.get(module, ()):
            yield self._placed(place)
        matches = self.table.patterns.matching(module)
        if matches:
            best = min(matches, key=lambda match: (-match.start, match.number))
            for place in best.value:
                yield self._placed(place.replace("*", best.middle, 1))

    def _placed(self, place: str) -> str:
        return place if place.startswith("/") else paths.join(self.folder, place)


class NpmPackage(Struct, frozen=True, dict=True):
    """A package of the repository."""

    folder: str
    data: dict[str, Any]

    @cached_property
    def exports(self) -> dict[str, tuple[str, ...]]:
        """The files that `exports` names, by path, for any condition."""
        exports = self.data.get("exports")
        if isinstance(exports, dict) and any(name.startswith(".") for name in exports):
            return {name: _leaves(entry) for name, entry in exports.items() if entry is not None}
        return {".": _leaves(exports)}

    @cached_property
    def patterns(self) -> StarPatterns[tuple[str, ...]]:
        """The entries of `exports` with a star."""
        return StarPatterns(self.exports.items())

    def exported(self, path: str) -> Iterator[str]:
        """Yield the files that `exports` names for a path."""
        if path in self.exports:
            yield from self.exports[path]
            return
        matches = sorted(self.patterns.matching(path), key=lambda match: match.number)
        found = ((match.middle, leaf) for match in matches for leaf in match.value)
        for middle, leaf in islice(found, MOST_LEAVES):
            if len(leaf) + leaf.count("*") * len(middle) <= LONGEST:
                yield leaf.replace("*", middle)


class JavaScriptResolver:
    """Resolves the imports of all TypeScript and JavaScript files of a repository."""

    def __init__(self, tree: FileTree, manifests: Manifests) -> None:
        self._tree = tree
        self._manifests = manifests
        self._files = _without_endings(tree.files)  # by path without an ending
        self._json: dict[str, dict[str, Any]] = {}
        self._extended: dict[str, list[str]] = {}
        self._tables: dict[str, AliasTable] = {}
        self._own_aliases: dict[str, Aliases] = {}
        self._aliases: dict[str, Aliases] = {}
        self._workspaces: dict[str, tuple[str, ...]] = {}
        self._resolved: dict[tuple[str, str], str | None] = {}  # by folder and import
        self._packages = self._named_packages()

    def targets(self, file: str, fact: ImportFact) -> Iterator[ImportTarget]:
        """Yield the file that an import leads to."""
        if len(fact.module) > LONGEST:
            return
        asked = paths.parent(file), fact.module  # files of one folder resolve names alike
        if asked not in self._resolved:
            self._resolved[asked] = self._resolve(file, fact.module)
        found = self._resolved[asked]
        if found is not None:
            yield ImportTarget(found, fact.names)

    def _resolve(self, file: str, module: str) -> str | None:
        module = module.partition("?")[0]  # bundlers take options after it
        if module.startswith(".") or not module:
            place = paths.normalise(paths.join(paths.parent(file), module)) if module else None
            return self._file_at(place)
        for config in CONFIGS:
            folder = self._tree.above(file, config)
            if folder is not None:
                found = self._aliased(self._aliases_of(paths.join(folder, config)), module)
                if found is not None:
                    return found
        return self._from_package(file, module)

    def _file_at(self, place: str | None) -> str | None:
        """Return the file for a path that may lack its ending, or name a folder."""
        if place is None:
            return None
        if place in self._tree.files:
            return place
        stem, _, ending = place.rpartition(".")
        sources = (f"{stem}.{source}" for source in SOURCES.get(ending, ()))
        found = self._tree.first(sources) or self._files.get(place)
        if found is not None or not self._tree.has_folder(place):
            return found
        manifest = paths.join(place, MANIFEST)
        if manifest in self._tree.files:
            entry = self._data(manifest).get("main")
            inner = self._inside(place, entry)
            if inner is not None:
                return inner
        return self._files.get(paths.join(place, "index"))

    def _inside(self, folder: str, entry: object) -> str | None:
        """Return the file that an entry of a package names, or the source that it is made from."""
        if not isinstance(entry, str) or len(entry) > LONGEST:
            return None
        place = paths.normalise(paths.join(folder, entry))
        if place is None or not paths.is_inside(place, folder):
            return None
        if place in self._tree.files:
            return place
        if place in self._files:
            return self._files[place]
        parts = place[len(folder) + 1 if folder != paths.ROOT else 0 :].split("/")
        stem = "/".join(dropwhile(OUTPUTS.__contains__, parts))
        for suffix in (".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs"):
            stem = stem.removesuffix(suffix)
        return self._files.get(paths.join(folder, f"src/{stem}")) if stem else None

    # Aliases

    def _aliased(self, aliases: Aliases, module: str) -> str | None:
        for place in aliases.places(module):
            found = self._file_at(paths.normalise(place))
            if found is not None:
                return found
        if aliases.base is not None:
            return self._file_at(paths.normalise(paths.join(aliases.base, module)))
        return None

    def _aliases_of(self, config: str) -> Aliases:
        """Return the aliases of a configuration, or of the first one that it refers to."""
        if config not in self._aliases:
            found = (self._read_aliases(file) for file in (config, *self._references(config)))
            self._aliases[config] = next((one for one in found if not one.are_empty), NO_ALIASES)
        return self._aliases[config]

    def _references(self, config: str) -> Iterator[str]:
        """Yield the configurations that one refers to."""
        references = self._data(config).get("references")
        for reference in references[:MOST_EXTENDED] if isinstance(references, list) else ():
            path = reference.get("path") if isinstance(reference, dict) else None
            other = self._config_file(config, path)
            if other is not None and other != config:
                yield other

    def _read_aliases(self, config: str) -> Aliases:
        """Return the aliases of a configuration, or of the ones that it extends."""
        if config not in self._own_aliases:
            self._own_aliases[config] = self._combined(self._chain(config))
        return self._own_aliases[config]

    def _combined(self, chain: Sequence[str]) -> Aliases:
        """Return the aliases of some configurations, the ones that win first."""
        base: str | None = None
        table: AliasTable | None = None
        table_folder = paths.ROOT
        for file in chain:
            options = self._options(file)
            folder = paths.parent(file)
            if base is None and isinstance(options.get("baseUrl"), str):
                base = paths.normalise(paths.join(folder, options["baseUrl"]))
            if table is None and isinstance(options.get("paths"), dict):
                table, table_folder = self._table(file), folder
        return Aliases(base, table, base or table_folder)

    def _options(self, config: str) -> dict[str, Any]:
        options = self._data(config).get("compilerOptions")
        return options if isinstance(options, dict) else {}

    def _table(self, config: str) -> AliasTable:
        if config not in self._tables:
            self._tables[config] = AliasTable(self._options(config)["paths"])
        return self._tables[config]

    def _chain(self, config: str) -> Sequence[str]:
        """Return a configuration and those that it extends; nothing if they are too many."""
        found: dict[str, None] = {}
        waiting = [config]
        while waiting:
            file = waiting.pop()
            if file not in found:
                found[file] = None
                waiting += self._bases(file)
            if len(found) > MOST_EXTENDED:
                return ()
        return tuple(found)

    def _bases(self, config: str) -> list[str]:
        """Return the configurations that one extends, the last of which wins."""
        if config not in self._extended:
            extended = self._data(config).get("extends")
            names = extended if isinstance(extended, list) else [extended]
            places = (self._config_file(config, name) for name in names[-MOST_EXTENDED:])
            self._extended[config] = [place for place in places if place is not None]
        return self._extended[config]

    def _config_file(self, file: str, name: object) -> str | None:
        """Return the configuration that another one names by its relative path."""
        if not isinstance(name, str) or len(name) > LONGEST or name.startswith("/"):
            return None
        if not name.startswith("."):
            return None  # a package
        place = paths.normalise(paths.join(paths.parent(file), name))
        if place is None:
            return None
        return self._tree.first((place, f"{place}.json", paths.join(place, CONFIGS[0])))

    # Packages of the repository

    def _named_packages(self) -> dict[str, NpmPackage]:
        """Return the packages whose names are unique in the repository."""
        found: dict[str, list[NpmPackage]] = {}
        for file in self._tree.named(MANIFEST):
            data = self._data(file)
            name = data.get("name")
            if isinstance(name, str) and name:
                found.setdefault(name, []).append(NpmPackage(paths.parent(file), data))
        return {name: packages[0] for name, packages in found.items() if len(packages) == 1}

    def _from_package(self, file: str, module: str) -> str | None:
        """Return the file of a package in the same workspace."""
        words = module.split("/", 2)
        length = 2 if module.startswith("@") else 1
        name = "/".join(words[:length])
        package = self._packages.get(name)
        if package is None or not self._are_together(file, package.folder):
            return None
        return self._export(package, module[len(name) + 1 :])

    def _export(self, package: NpmPackage, path: str) -> str | None:
        for entry in package.exported(f"./{path}" if path else "."):
            found = self._inside(package.folder, entry)
            if found is not None:
                return found
        if path:
            place = paths.normalise(paths.join(package.folder, path))
            is_inside = place is not None and paths.is_inside(place, package.folder)
            return (self._file_at(place) if is_inside else None) or self._inside(
                package.folder, f"src/{path}"
            )
        for field in ENTRIES:
            found = self._inside(package.folder, package.data.get(field))
            if found is not None:
                return found
        places = (paths.join(package.folder, name) for name in ("src/index", "index"))
        return next((self._files[place] for place in places if place in self._files), None)

    def _are_together(self, file: str, folder: str) -> bool:
        """Tell whether a file and a package are in one workspace, or the file is of the package."""
        if paths.is_inside(file, folder):
            return True
        if folder not in self._workspaces:
            around = (*paths.lineage(folder), folder)
            self._workspaces[folder] = tuple(filter(self._is_workspace, around))
        return any(paths.is_inside(file, place) for place in self._workspaces[folder])

    def _is_workspace(self, folder: str) -> bool:
        if paths.join(folder, PNPM) in self._tree.files:
            return True
        manifest = paths.join(folder, MANIFEST)
        return manifest in self._tree.files and bool(self._data(manifest).get("workspaces"))

    def _data(self, file: str) -> dict[str, Any]:
        if file not in self._json:
            self._json[file] = self._manifests.json(file)
        return self._json[file]


NO_ALIASES = Aliases()


def _without_endings(files: Iterable[str]) -> dict[str, str]:
    """Return the files that a path without its ending can mean, the one of the first ending."""
    found: dict[str, tuple[int, str]] = {}
    for file in files:
        for rank, suffix in enumerate(SUFFIXES):
            if file.endswith(suffix):
                place = file.removesuffix(suffix)
                found[place] = min((rank, file), found.get(place, (rank, file)))
    return {place: file for place, (_, file) in found.items()}


def _places(values: object) -> tuple[str, ...]:
    """Return the places of an alias."""
    listed = values[:MOST_PLACES] if isinstance(values, list) else ()
    return tuple(place for place in listed if isinstance(place, str) and len(place) <= LONGEST)


def _leaves(entry: object) -> tuple[str, ...]:
    """Return the files that an entry of `exports` names, for any condition."""
    found = []
    waiting = [entry]
    for _ in range(MOST_LEAVES):
        if not waiting:
            break
        value = waiting.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, (dict, list)):
            inner = value.values() if isinstance(value, dict) else value
            waiting.extend(reversed(list(islice(inner, MOST_LEAVES))))
    return tuple(leaf for leaf in found if len(leaf) <= LONGEST)
