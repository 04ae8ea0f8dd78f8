"""Uses of parts of source files.

    CodeUses(files, facts, identifiers, targets).uses(parts, within=None) -> Uses

A part can be reached by a path of names in its own module, and in every module that exports it
again: `("quote",)` in `pricing.py`, `("pricing", "quote")` in the `__init__.py` beside it. Files
that import one of these modules are searched for what they call the part.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from yg_old.code.facts import ImportFact
from yg_old.code.uses.bindings import ALL, WORD, is_package, script_language, taken_path
from yg_old.code.uses.matches import Called, FileLines, SourcePart, Use
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from yg_old.code.facts import FileFacts
    from yg_old.code.identifiers import Identifiers
    from yg_old.code.resolvers.tree import ImportTarget
    from yg_old.code.uses.bindings import Binding, CodeFile, Path

LONGEST_PATH = 6


class DynamicImport(Struct, frozen=True, order=True):
    """An import by a call that binds no name, so that uses of the module are not seen."""

    path: str
    line: int


class Uses(Struct, frozen=True):
    """The uses of some parts, and the imports through which there may be more."""

    uses: tuple[Use, ...]
    dynamic: tuple[DynamicImport, ...] = ()


# The paths by which parts can be reached, in each module.
Reachable: TypeAlias = dict[str, dict["Path", list[SourcePart]]]


class CodeUses:
    """Finds uses in the source files of a repository.

    `files` are all that can be read. The functions return facts and identifiers of a file, and what
    a path in Rust code leads to.
    """

    def __init__(
        self,
        files: Mapping[str, CodeFile],
        facts: Callable[[str], FileFacts | None],
        identifiers: Callable[[str], Identifiers | None],
        targets: Callable[[str, ImportFact], Iterable[ImportTarget]],
    ) -> None:
        self._files = files
        self._facts = facts
        self._identifiers = identifiers
        self._targets = targets

    def uses(self, parts: Iterable[SourcePart], within: Iterable[str] | None = None) -> Uses:
        """Return the uses of some parts, in all files or in some, by path and line."""
        wanted = tuple(dict.fromkeys(part for part in parts if part.path in self._files))
        reachable = self._reachable(wanted)
        files = self._candidates(wanted, reachable)
        kept = files if within is None else files & frozenset(within)
        declared: dict[str, list[SourcePart]] = {}
        for part in wanted:
            declared.setdefault(part.path, []).append(part)
        uses: list[Use] = []
        dynamic: list[DynamicImport] = []
        for file in sorted(kept):
            facts, identifiers = self._facts(file), self._identifiers(file)
            if facts is None or identifiers is None:
                continue
            lines = FileLines(file, facts, identifiers)
            called = self._called(lines, declared, reachable)
            dynamic += self._dynamic(lines, called, reachable)
            uses += lines.uses(called)
        return Uses(tuple(uses), tuple(dynamic))

    # Modules in which parts can be reached

    def _reachable(self, parts: Sequence[SourcePart]) -> Reachable:
        found: Reachable = {}
        waiting = [(module, path, part) for part in parts for module, path in self._own(part)]
        while waiting:
            module, path, part = waiting.pop()
            known = found.setdefault(module, {}).setdefault(path, [])
            if part not in known:
                known.append(part)
                waiting += (
                    (place, exported, part)
                    for place, exported in self._exported(module, path)
                    if len(exported) <= LONGEST_PATH
                )
        return found

    def _own(self, part: SourcePart) -> Iterator[tuple[str, Path]]:
        """Yield the modules that declare a part, each with its path there."""
        path = tuple(part.name.split("."))
        yield part.path, path
        match script_language(part.path):
            case "go":
                yield paths.parent(part.path), path
            case "java":
                yield paths.parent(part.path), path
                if len(path) > 1:
                    yield part.path, path[1:]  # a class is the module of its members
            case "javascript":
                for name in self._other_names(part.path, path[0]):
                    yield part.path, (name, *path[1:])

    def _other_names(self, file: str, name: str) -> Iterator[str]:
        """Yield the other names under which a file exports what it declares."""
        facts = self._facts(file)
        for exported, signature in facts.signatures.items() if facts else ():
            if facts and exported not in facts.parts and "." not in exported:
                for header in signature.header.split("; "):
                    words = (word for word in WORD.findall(header) if word in facts.parts)
                    if next(words, "") == name:
                        yield exported

    def _exported(self, module: str, path: Path) -> Iterator[tuple[str, Path]]:
        """Yield the modules that export what another module has, and the paths there."""
        package = _package_around(module)
        if package in self._files:
            name = paths.parent(module) if is_package(module) else module
            yield package, (paths.name_of(name).partition(".")[0], *path)
        for file in self._importers(module, path):
            for binding in self._files[file].bindings:
                if binding.module == module:
                    yield from ((file, exported) for exported in binding.exported(path))

    @cached_property
    def _incoming(self) -> dict[str, dict[str, set[str]]]:
        """The names that files import from each module; empty: the module itself."""
        found: dict[str, dict[str, set[str]]] = {}
        for file, code in self._files.items():
            for binding in code.bindings:
                names = found.setdefault(binding.module, {}).setdefault(file, set())
                names.add(binding.first_name)
        return found

    def _importers(self, module: str, path: Path) -> Iterator[str]:
        """Yield the files that import a module, or what a path in it starts with."""
        asked = ("", ALL, path[0])
        for file, names in self._incoming.get(module, {}).items():
            if not names.isdisjoint(asked):
                yield file

    # Files that name parts

    def _candidates(self, parts: Sequence[SourcePart], reachable: Reachable) -> set[str]:
        """Return the files that can use one of some parts."""
        found = {part.path for part in parts}
        for module, by_path in reachable.items():
            for path in by_path:
                found.update(self._importers(module, path))
        for file in {part.path for part in parts}:
            found.update(self._beside(file))
        return found

    def _beside(self, file: str) -> Sequence[str]:
        """Return the files that need no import to use parts of a file."""
        if script_language(file) == "rust":
            return self._rust_files
        return self._packages.get(self._files[file].package, ())

    @cached_property
    def _packages(self) -> dict[str, list[str]]:
        """The files of Go and Java packages."""
        found: dict[str, list[str]] = {}
        for file, code in self._files.items():
            if code.package:
                found.setdefault(code.package, []).append(file)
        return found

    @cached_property
    def _rust_files(self) -> list[str]:
        """All Rust files: a path in the code needs no import."""
        return [file for file in self._files if script_language(file) == "rust"]

    def _called(
        self, lines: FileLines, declared: Mapping[str, Sequence[SourcePart]], reachable: Reachable
    ) -> Called:
        """Return what a file calls some parts, which are given by the files that declare them."""
        found = Called()
        for part in (part for file in self._near(lines.path) for part in declared.get(file, ())):
            found.add(part.names, part)
            if part.path == lines.path and script_language(part.path) == "java":
                found.add(part.names[-1:], part)  # a member of `this`
        for binding in self._files[lines.path].bindings:
            _add_binding(binding, lines, found, reachable)
        if script_language(lines.path) == "rust":
            self._add_paths(lines, found, reachable)
        return found

    def _near(self, file: str) -> Sequence[str]:
        """Return the files whose parts a file can use without an import, and itself."""
        return self._packages.get(self._files[file].package, (file,))

    def _add_paths(self, lines: FileLines, called: Called, reachable: Reachable) -> None:
        """Add the paths in Rust code that lead to parts without an import."""
        ends = {path[-1] for by_path in reachable.values() for path in by_path}
        for name in lines.identifiers:
            words = tuple(name.split("."))
            for at, word in enumerate(words[1:] if words[0] else (), 1):
                if word not in ends:
                    continue
                fact = ImportFact("::".join(words[:at]), 0, (word,))
                for target in self._targets(lines.path, fact):
                    path = taken_path(fact, target.names, "rust")
                    for part in reachable.get(target.path, {}).get(path, ()):
                        called.add(words[: at + 1], part)

    def _dynamic(
        self, lines: FileLines, called: Called, reachable: Reachable
    ) -> Iterator[DynamicImport]:
        """Yield the calls that import a module without a name; add the members that they name."""
        for binding in self._files[lines.path].bindings:
            by_path = reachable.get(binding.module, {}) if binding.is_dynamic else {}
            named = [
                part
                for path, parts in by_path.items()
                if lines.has_member(path, binding.line)
                for part in parts
            ]
            for part in named:
                called.add_line(part, binding.line)
            if by_path and not named:
                yield DynamicImport(lines.path, binding.line)


def _add_binding(binding: Binding, lines: FileLines, called: Called, reachable: Reachable) -> None:
    """Add what a file calls the parts that can be reached through one import."""
    if binding.local and not binding.path:
        called.modules.add(binding.local[0])
    for path, parts in reachable.get(binding.module, {}).items():
        rest = binding.rest(path)
        for part in parts if rest is not None else ():
            if binding.local is not None:
                called.add((*binding.local, *(rest or ())), part)
            if binding.nth and not rest:
                line = lines.imported_line(binding.path[-1], binding.line, binding.nth)
                called.add_line(part, line)


def _package_around(module: str) -> str:
    """Return the package that a Python module is in; empty if it is another language's."""
    if script_language(module) != "python":
        return ""
    folder = paths.parent(module)
    return paths.join(paths.parent(folder) if is_package(module) else folder, "__init__.py")
