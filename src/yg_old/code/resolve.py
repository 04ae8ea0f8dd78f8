"""Resolve imports: from the files of a repository and what each imports, to edges between files.

An import that leaves the repository, or that could lead to several files, is not an edge.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from yg_old.code.languages import ENDINGS, ending
from yg_old.code.resolvers.manifests import Manifests
from yg_old.code.resolvers.tree import FileTree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg_old.code.facts import ImportFact
    from yg_old.code.resolvers.tree import ImportTarget, ReadText


RESOLVED = frozenset(("go", "java", "javascript", "python", "rust", "typescript"))  # languages


class ImportEdge(Struct, frozen=True, order=True):
    """One import of a file of the repository by another."""

    file: str  # that imports
    line: int
    target: str  # the imported file or folder
    names: tuple[str, ...] = ()  # imported from it; empty: the module itself; "*": all
    type_only: bool = False  # not at run time
    is_folder: bool = False  # the files directly in the target are imported


class Resolver(Protocol):
    """Resolves the imports of one language."""

    def targets(self, file: str, fact: ImportFact) -> Iterable[ImportTarget]:
        """Return what an import leads to."""


class Resolution:
    """The imports of all source files of a repository, and what they lead to.

    `files` are all files of the repository, `imports` the import facts of each source file; `read`
    returns the text of a configuration file of a language, or None. `roots` replace the guessed
    folders from which Python modules are imported.
    """

    def __init__(
        self,
        files: Iterable[str],
        imports: Mapping[str, Sequence[ImportFact]],
        read: ReadText,
        roots: Sequence[str] = (),
    ) -> None:
        self._tree = FileTree(files)
        self._read = read
        self._roots = roots
        self._imports: dict[str, dict[str, Sequence[ImportFact]]] = {}  # by language
        self._resolvers: dict[str, Resolver | None] = {}
        for file, facts in imports.items():
            if facts:
                self._imports.setdefault(_language(file), {})[file] = facts

    @cached_property
    def edges(self) -> tuple[ImportEdge, ...]:
        """The edges between files, sorted."""
        return tuple(sorted(set(self._edges())))

    def targets(self, file: str, fact: ImportFact) -> Iterable[ImportTarget]:
        """Return what an import in a file leads to, also one that the file does not have."""
        language = _language(file)
        if language not in self._resolvers:
            imports = self._imports.get(language, {})
            self._resolvers[language] = _resolver(
                language, self._tree, imports, self._read, self._roots
            )
        resolver = self._resolvers[language]
        return resolver.targets(file, fact) if resolver else ()

    def _edges(self) -> Iterator[ImportEdge]:
        for file, facts in chain.from_iterable(map(dict.items, self._imports.values())):
            is_stub = file.endswith((".pyi", ".d.ts", ".d.mts", ".d.cts"))
            for fact in facts:
                for target in self.targets(file, fact):
                    if target.path != file:
                        yield ImportEdge(
                            file,
                            fact.line,
                            target.path,
                            target.names,
                            fact.type_only or is_stub,
                            target.is_folder,
                        )


def _language(file: str) -> str:
    """Return the language of a file; TypeScript and JavaScript have one resolver."""
    language = ENDINGS.get(ending(file), "")
    return "javascript" if language == "typescript" else language


def _resolver(
    language: str,
    tree: FileTree,
    imports: Mapping[str, Sequence[ImportFact]],
    read: ReadText,
    roots: Sequence[str],
) -> Resolver | None:
    """Return the resolver of a language, importing only that one; None if there is none."""
    match language:
        case "python":
            from yg_old.code.resolvers.python import PythonResolver

            return PythonResolver(tree, imports, roots)
        case "javascript":
            from yg_old.code.resolvers.javascript import JavaScriptResolver

            return JavaScriptResolver(tree, Manifests(read))
        case "go":
            from yg_old.code.resolvers.go import GoResolver

            return GoResolver(tree, Manifests(read))
        case "java":
            from yg_old.code.resolvers.java import JavaResolver

            return JavaResolver(imports)
        case "rust":
            from yg_old.code.resolvers.rust import RustResolver

            return RustResolver(tree, imports, Manifests(read))
        case _:
            return None
