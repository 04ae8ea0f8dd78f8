"""Imports of TypeScript and JavaScript: relative paths, aliases of tsconfig.json, workspaces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec import DecodeError, Struct
from msgspec.json import decode

from yg.code.resolvers.tree import ImportTarget
from yg.kernel import paths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.code.facts import ImportFact
    from yg.code.resolvers.tree import FileTree, ReadText

# Code comes before the declarations beside it.
ENDINGS = ("ts", "tsx", "js", "jsx", "mts", "cts", "mjs", "cjs", "d.ts", "d.mts", "d.cts", "json")
# An import of a compiled file may mean its source.
SOURCES = {"js": ("ts", "tsx", "d.ts"), "jsx": ("tsx",), "mjs": ("mts",), "cjs": ("cts",)}
OUTPUTS = frozenset("build cjs dist es esm lib out".split())
CONFIGS = ("tsconfig.json", "jsconfig.json")
MANIFEST = "package.json"
PNPM = "pnpm-workspace.yaml"
ENTRIES = ("source", "types", "typings", "module", "main")
LONGEST = 1_000  # characters of an import
MOST_EXTENDED = 16  # configurations that one is based on
MOST_PATTERNS = 1_000
MOST_LEAVES = 100  # files that an entry of `exports` may name

# What JSON lacks: comments, and commas before a closing bracket. Strings are matched to be kept.
STRING = r'"(?: [^"\\\n]++ | \\. )*+"?+'
COMMENTS = re.compile(
    rf"{STRING} | //[^\n]*+ | /\*(?: [^*]++ | \*(?!/) )*+(?:\*/)?+", re.DOTALL | re.VERBOSE
)
COMMAS = re.compile(rf"{STRING} | ,(?=\s*+[\]}}])", re.DOTALL | re.VERBOSE)


class Aliases(Struct, frozen=True):
    """The aliases of a configuration, and the folder from which other names are looked up."""

    base: str | None = None
    exact: dict[str, tuple[str, ...]] = {}  # paths by alias
    patterns: tuple[tuple[str, str, tuple[str, ...]], ...] = ()  # before and after the star

    @property
    def are_empty(self) -> bool:
        """Whether they change nothing."""
        return self.base is None and not self.exact and not self.patterns


class NpmPackage(Struct, frozen=True):
    """A package of the repository."""

    folder: str
    data: dict[str, Any]


class JavaScriptResolver:
    """Resolves the imports of all TypeScript and JavaScript files of a repository."""

    def __init__(self, tree: FileTree, read: ReadText) -> None:
        self._tree = tree
        self._read = read
        self._json: dict[str, dict[str, Any]] = {}
        self._aliases: dict[str, Aliases] = {}
        self._packages = self._named_packages()

    def targets(self, file: str, fact: ImportFact) -> Iterator[ImportTarget]:
        """Yield the file that an import leads to."""
        found = None if len(fact.module) > LONGEST else self._resolve(file, fact.module)
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
        found = self._tree.first((*sources, *_with_endings(place)))
        if found is not None or not self._tree.has_folder(place):
            return found
        manifest = paths.join(place, MANIFEST)
        if manifest in self._tree.files:
            entry = self._data(manifest).get("main")
            inner = self._inside(place, entry)
            if inner is not None:
                return inner
        return self._tree.first(_with_endings(paths.join(place, "index")))

    def _inside(self, folder: str, entry: object) -> str | None:
        """Return the file that an entry of a package names, or the source that it is made from."""
        if not isinstance(entry, str) or len(entry) > LONGEST:
            return None
        place = paths.normalise(paths.join(folder, entry))
        if place is None or not paths.is_inside(place, folder):
            return None
        if place in self._tree.files:
            return place
        found = self._tree.first(_with_endings(place))
        if found is not None:
            return found
        parts = place[len(folder) + 1 if folder != paths.ROOT else 0 :].split("/")
        while parts and parts[0] in OUTPUTS:
            parts = parts[1:]
        stem = "/".join(parts)
        for suffix in (".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs"):
            stem = stem.removesuffix(suffix)
        return self._tree.first(_with_endings(paths.join(folder, f"src/{stem}"))) if stem else None

    # Aliases

    def _aliased(self, aliases: Aliases, module: str) -> str | None:
        for place in aliases.exact.get(module, ()):
            found = self._file_at(place)
            if found is not None:
                return found
        matching = [
            (before, after, places)
            for before, after, places in aliases.patterns
            if module.startswith(before)
            and module.endswith(after)
            and len(module) >= len(before) + len(after)
        ]
        if matching:
            before, after, places = max(matching, key=lambda pattern: len(pattern[0]))
            middle = module[len(before) : len(module) - len(after)]
            for place in places:
                found = self._file_at(paths.normalise(place.replace("*", middle, 1)))
                if found is not None:
                    return found
        if aliases.base is not None:
            return self._file_at(paths.normalise(paths.join(aliases.base, module)))
        return None

    def _aliases_of(self, config: str) -> Aliases:
        if config not in self._aliases:
            found = self._read_aliases(config)
            if found.are_empty:
                found = self._referenced(config)
            self._aliases[config] = found
        return self._aliases[config]

    def _referenced(self, config: str) -> Aliases:
        """Return the aliases of the first configuration that one only refers to."""
        references = self._data(config).get("references")
        for reference in references[:MOST_EXTENDED] if isinstance(references, list) else ():
            path = reference.get("path") if isinstance(reference, dict) else None
            other = self._config_file(config, path)
            if other is not None and other != config:
                found = self._read_aliases(other)
                if not found.are_empty:
                    return found
        return Aliases()

    def _read_aliases(self, config: str) -> Aliases:
        """Return the aliases of a configuration, or of the ones that it extends."""
        base: str | None = None
        table: dict[str, Any] | None = None
        table_folder = paths.ROOT
        for file in self._chain(config):
            options = self._data(file).get("compilerOptions")
            if not isinstance(options, dict):
                continue
            folder = paths.parent(file)
            if base is None and isinstance(options.get("baseUrl"), str):
                base = paths.normalise(paths.join(folder, options["baseUrl"]))
            if table is None and isinstance(options.get("paths"), dict):
                table, table_folder = options["paths"], folder
        return _aliases(table or {}, base or table_folder, base)

    def _chain(self, config: str) -> Iterator[str]:
        """Yield a configuration and those that it extends, the ones that win first."""
        seen: set[str] = set()
        waiting = [config]
        while waiting and len(seen) < MOST_EXTENDED:
            file = waiting.pop()
            if file in seen:
                continue
            seen.add(file)
            yield file
            extended = self._data(file).get("extends")
            names = extended if isinstance(extended, list) else [extended]
            # The last of several wins.
            found = (self._config_file(file, name) for name in names[-MOST_EXTENDED:])
            waiting.extend(other for other in found if other is not None)

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
        key = f"./{path}" if path else "."
        exports = package.data.get("exports")
        for entry in _leaves(exports, key):
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
        return self._tree.first(ending for place in places for ending in _with_endings(place))

    def _are_together(self, file: str, folder: str) -> bool:
        """Tell whether a file and a package are in one workspace, or the file is of the package."""
        if paths.is_inside(file, folder):
            return True
        around = [
            place for place in (*paths.lineage(folder), folder) if paths.is_inside(file, place)
        ]
        return any(self._is_workspace(place) for place in around)

    def _is_workspace(self, folder: str) -> bool:
        if paths.join(folder, PNPM) in self._tree.files:
            return True
        manifest = paths.join(folder, MANIFEST)
        return manifest in self._tree.files and bool(self._data(manifest).get("workspaces"))

    def _data(self, file: str) -> dict[str, Any]:
        if file not in self._json:
            self._json[file] = _object(self._read(file) or "")
        return self._json[file]


def _with_endings(place: str) -> Iterator[str]:
    return (f"{place}.{ending}" for ending in ENDINGS)


def _aliases(table: dict[str, Any], folder: str, base: str | None) -> Aliases:
    exact, patterns = {}, []
    for alias, values in list(table.items())[:MOST_PATTERNS]:
        listed = values[:MOST_EXTENDED] if isinstance(values, list) else ()
        places = tuple(
            paths.join(folder, value) if not value.startswith("/") else value
            for value in listed
            if isinstance(value, str) and len(value) <= LONGEST
        )
        before, star, after = alias.partition("*")
        if star:
            patterns.append((before, after, places))
        else:
            known = (paths.normalise(place) for place in places)
            exact[alias] = tuple(place for place in known if place is not None)
    return Aliases(base, exact, tuple(patterns))


def _leaves(exports: object, key: str) -> Iterator[object]:
    """Yield the files that `exports` names for a path, for any condition."""
    entry = exports
    if isinstance(exports, dict) and any(name.startswith(".") for name in exports):
        entry = exports.get(key)
        if entry is None:
            yield from _matching(exports, key)
            return
    elif key != ".":
        return
    yield from _strings(entry)


def _matching(exports: dict[str, Any], key: str) -> Iterator[object]:
    for name, entry in list(exports.items())[:MOST_PATTERNS]:
        before, star, after = name.partition("*")
        if star and key.startswith(before) and key.endswith(after):
            middle = key[len(before) : len(key) - len(after)]
            for leaf in _strings(entry):
                yield leaf.replace("*", middle)


def _strings(entry: object) -> Iterator[str]:
    waiting = [entry]
    for _ in range(MOST_LEAVES):
        if not waiting:
            return
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting.extend(reversed(list(value.values())[:MOST_LEAVES]))
        elif isinstance(value, list):
            waiting.extend(reversed(value[:MOST_LEAVES]))


def _object(text: str) -> dict[str, Any]:
    """Read a JSON object that may have comments and trailing commas; empty if it cannot be read."""
    for lacking in (COMMENTS, COMMAS):
        text = lacking.sub(lambda match: match[0] if match[0][0] == '"' else " ", text)
    try:
        value = decode(text)
    except (DecodeError, UnicodeError, RecursionError):
        return {}  # its own tools report it
    return value if isinstance(value, dict) else {}
