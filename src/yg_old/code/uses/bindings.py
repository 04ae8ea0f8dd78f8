"""What the imports of a file bind: names in it, to modules or to something in modules."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from yg_old.code.languages import ENDINGS, ending
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg_old.code.facts import FileFacts, ImportFact
    from yg_old.code.resolve import Resolution

Path: TypeAlias = tuple[str, ...]  # of names

ALL = "*"
GO_VERSION = re.compile(r"v\d+")
WORD = re.compile(r"[^\W\d][\w$]*")
PROPERTY = re.compile(r"([^\W\d][\w$]*)(?::([^\W\d][\w$]*))?")  # of a pattern: `a`, or `a:b`


class Binding(Struct, frozen=True, array_like=True):
    """A name that an import binds, or an import by a call that binds none."""

    module: str  # a file, or a folder
    path: Path  # in the module; empty: the module itself
    line: int
    # What it is called in the file; empty: what it is called in the module; None: nothing.
    local: Path | None = None
    nth: int = 0  # of its name in the statement, from 1 up, if that exports it; or 0
    exports: tuple[str, ...] = ()  # what the file exports it as; `*`: as the module calls it

    @property
    def is_dynamic(self) -> bool:
        """Whether a call imports the module and its value is given no name."""
        return self.local is None and not self.exports

    @property
    def first_name(self) -> str:
        """What is imported of the module first: a name, `*`, or empty for the module itself."""
        return self.path[0] if self.path else "" if self.local or self.is_dynamic else ALL

    def exported(self, path: Path) -> Iterator[Path]:
        """Yield what the file exports a path in the module as."""
        rest = self.rest(path)
        if rest is not None:
            for name in self.exports:
                if name != ALL:
                    yield (name, *rest)
                elif rest[:1] != ("default",):
                    yield rest

    def rest(self, path: Path) -> Path | None:
        """Return what follows this path in another one; None if it is not the start of it."""
        size = len(self.path)
        return path[size:] if path[:size] == self.path else None


class CodeFile(Struct, frozen=True, array_like=True):
    """What other files must know about a source file to find uses of its parts."""

    bindings: tuple[Binding, ...] = ()
    node: str = ""  # that owns it; empty: none
    package: str = ""  # of a Go or Java file, with its language


def code_file(file: str, facts: FileFacts, resolution: Resolution, node: str = "") -> CodeFile:
    """Return what others must know about a file."""
    return CodeFile(tuple(bindings_of(file, facts, resolution)), node, _package(file, facts))


def _package(file: str, facts: FileFacts) -> str:
    language = script_language(file)
    if language not in ("go", "java"):
        return ""
    declared = (fact.module for fact in facts.imported if fact.form == "package")
    return f"{language} {next(declared, paths.parent(file))}"


def script_language(file: str) -> str:
    """Return the language of a file; TypeScript is JavaScript."""
    language = ENDINGS.get(ending(file), "")
    return "javascript" if language == "typescript" else language


def is_package(file: str) -> bool:
    """Tell whether a file is a Python package, which stands for its folder."""
    return paths.name_of(file).startswith("__init__.")


def bindings_of(file: str, facts: FileFacts, resolution: Resolution) -> Iterator[Binding]:
    """Yield what the imports of a file bind."""
    language = script_language(file)
    exports = _exports_of_imports(facts) if language == "javascript" else {}
    for fact in facts.imported:
        counts: Counter[Path] = Counter()
        is_export = fact.form == "export"
        if fact.form == "call" and not fact.aliases:
            for target in resolution.targets(file, fact):
                yield Binding(target.path, (), fact.line)
        for single, local in _clauses(fact, language):
            counts[single.names] += 1
            for target in resolution.targets(file, single):
                path = taken_path(single, target.names, language)
                is_named = bool(path and local) and (
                    is_export or _is_package_export(file, target.path, local, facts)
                )
                yield Binding(
                    module=target.path,
                    path=path,
                    line=fact.line,
                    local=None if is_export and language == "javascript" else local,
                    nth=counts[single.names] if is_named else 0,
                    exports=_exports(file, fact, local, path, exports),
                )


def _exports(
    file: str, fact: ImportFact, local: Path, path: Path, exports: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """Return what a file exports an import as.

    A Python module can be asked for all that it imports. Only packages are asked for the modules.
    """
    name = local[-1] if local else ALL
    if fact.form in ("export", "mod", "path"):
        return (name,)
    if script_language(file) == "python":
        return (name,) if len(local) < 2 and (path or not local or is_package(file)) else ()  # noqa: PLR2004
    return exports.get(name, ())


def _is_package_export(file: str, module: str, local: Path, facts: FileFacts) -> bool:
    """Tell whether a Python package exports a name of a module in it."""
    is_inside = is_package(file) and paths.is_inside(module, paths.parent(file))
    return is_inside and local[-1] in facts.signatures


def _exports_of_imports(facts: FileFacts) -> dict[str, tuple[str, ...]]:
    """Return what imported names are exported as: `import {a} ..; export {a as b}`."""
    found: dict[str, tuple[str, ...]] = {}
    for exported, signature in facts.signatures.items():
        for header in signature.header.split("; "):
            word, _, name = header.partition(" ")
            if word == "export" and WORD.fullmatch(name):
                found[name] = (*found.get(name, ()), exported)
    return found


def _clauses(fact: ImportFact, language: str) -> Iterator[tuple[ImportFact, Path]]:
    """Yield the single imports of a statement, and what each is called in the file."""
    if fact.form == "path":
        yield fact, fact.names
    elif not fact.names:
        yield from _module_clauses(fact, language)
    else:
        aliases = fact.aliases or fact.names
        for name, alias in zip(fact.names, aliases, strict=False):
            yield replace(fact, names=(name,)), () if name == ALL else (alias,)
        for alias in aliases[len(fact.names) :]:
            yield replace(fact, names=()), (alias,)


def _module_clauses(fact: ImportFact, language: str) -> Iterator[tuple[ImportFact, Path]]:
    """Yield what an import of a module binds."""
    alias = fact.aliases[0] if fact.aliases else ""
    if alias[:1] == "{":
        for name, local in PROPERTY.findall(alias):
            yield replace(fact, names=(name,)), (local or name,)
    elif language == "go":
        if alias != "_":
            names = (alias,) if alias else _go_names(fact.module)
            yield from ((fact, () if name == "." else (name,)) for name in names)
    elif alias:
        yield fact, (alias,)
    elif language == "python":
        yield fact, tuple(fact.module.split("."))
    elif language == "rust":
        yield fact, (fact.module.rpartition("::")[2],)


def _go_names(module: str) -> tuple[str, ...]:
    """Return the likely names of a package: the last word of its path, without a version."""
    words = module.split("/")
    if len(words) > 1 and GO_VERSION.fullmatch(words[-1]):
        words.pop()
    last = words[-1].partition(".")[0]
    return tuple(dict.fromkeys((last, last.removeprefix("go-"), last.removesuffix("-go"))))


def taken_path(fact: ImportFact, names: Path, language: str) -> Path:
    """Return what an import takes from a module; resolvers of Rust return only its first name."""
    if language == "rust" and names:
        words = (*fact.module.split("::"), *fact.names)
        start = max(at for at, word in enumerate(words) if word == names[0])
        names = words[start:]
    return names[:-1] if names[-1:] == (ALL,) else names
