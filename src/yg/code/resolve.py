"""Resolve imports: from the files of a repository and what each imports, to edges between files.

An import that leaves the repository, or that could lead to several files, is not an edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from yg.code.languages import ENDINGS, ending
from yg.code.resolvers.manifests import Manifests
from yg.code.resolvers.tree import FileTree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg.code.facts import ImportFact
    from yg.code.resolvers.tree import ImportTarget, ReadText


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


def edges(
    files: Iterable[str],
    imports: Mapping[str, Sequence[ImportFact]],
    read: ReadText,
    roots: Sequence[str] = (),
) -> tuple[ImportEdge, ...]:
    """Return the edges between files, sorted.

    `files` are all files of the repository, `imports` the import facts of each source file; `read`
    returns the text of a configuration file of a language, or None. `roots` replace the guessed
    folders from which Python modules are imported.
    """
    return tuple(sorted(set(_edges(FileTree(files), imports, read, roots))))


def _edges(
    tree: FileTree,
    imports: Mapping[str, Sequence[ImportFact]],
    read: ReadText,
    roots: Sequence[str],
) -> Iterator[ImportEdge]:
    by_language: dict[str, dict[str, Sequence[ImportFact]]] = {}
    for file, facts in imports.items():
        if facts:
            language = ENDINGS.get(ending(file), "")
            language = "javascript" if language == "typescript" else language  # one resolver
            by_language.setdefault(language, {})[file] = facts
    for language, found in by_language.items():
        resolver = _resolver(language, tree, found, read, roots)
        if resolver is None:
            continue
        for file, facts in found.items():
            is_stub = file.endswith((".pyi", ".d.ts", ".d.mts", ".d.cts"))
            for fact in facts:
                for target in resolver.targets(file, fact):
                    if target.path != file:
                        yield ImportEdge(
                            file,
                            fact.line,
                            target.path,
                            target.names,
                            fact.type_only or is_stub,
                            target.is_folder,
                        )


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
            from yg.code.resolvers.python import PythonResolver

            return PythonResolver(tree, imports, roots)
        case "javascript":
            from yg.code.resolvers.javascript import JavaScriptResolver

            return JavaScriptResolver(tree, Manifests(read))
        case "go":
            from yg.code.resolvers.go import GoResolver

            return GoResolver(tree, Manifests(read))
        case "java":
            from yg.code.resolvers.java import JavaResolver

            return JavaResolver(imports)
        case "rust":
            from yg.code.resolvers.rust import RustResolver

            return RustResolver(tree, imports, Manifests(read))
        case _:
            return None
