"""Uses of parts of the code, with the nodes that own the files.

    NodeUses(imports).uses(parts) -> Uses          # of code.uses.search, by path and line
    NodeUses(imports).names_used(by, of) -> tuple[UsedName, ...]

`by` and `of` are files: those of a node, and those of a node that it depends on.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.code.identifiers import IDENTIFIERS
from yg.code.languages import ENDINGS, ending
from yg.code.resolve import RESOLVED, Resolution
from yg.code.uses.matches import SourcePart
from yg.code.uses.search import CodeUses
from yg.kernel.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.code.facts import FileFacts
    from yg.code.identifiers import Identifiers
    from yg.code.uses.search import Uses
    from yg.yggdrasil.code.imports import NodeImports
    from yg.yggdrasil.code.named_parts import NamedPart


class UsedName(Struct, frozen=True, order=True):
    """A public part that some files use."""

    users: int  # other files that use it, the asking ones included
    path: str
    first: int  # line
    name: str


class NodeUses:
    """The uses of parts in all source files of a repository, owned or not."""

    def __init__(self, imports: NodeImports) -> None:
        self._imports = imports

    def uses(self, parts: Iterable[NamedPart]) -> Uses:
        """Return the uses of some parts, by path and line."""
        return self._code.uses(SourcePart(part.path, part.name) for part in parts)

    def names_used(self, by: Iterable[str], of: Iterable[str]) -> tuple[UsedName, ...]:
        """Return the public parts of files that other files use, the most used first."""
        asking = frozenset(by)
        users: dict[SourcePart, set[str]] = {}
        for use in self._code.uses(self._public(of)).uses:
            if use.sure and use.path != use.used.path:
                users.setdefault(use.used, set()).add(use.path)
        found = [
            UsedName(
                len(files), part.path, self._facts[part.path].parts[part.name].first, part.name
            )
            for part, files in users.items()
            if not asking.isdisjoint(files)
        ]
        return tuple(sorted(found, key=lambda one: (-one.users, one.path, one.first, one.name)))

    def _public(self, files: Iterable[str]) -> list[SourcePart]:
        return [
            SourcePart(file, name)
            for file in files
            if file in self._facts
            for name in self._facts[file].parts
            if name in self._facts[file].signatures
        ]

    @cached_property
    def _facts(self) -> dict[str, FileFacts]:
        """The facts of all source files whose imports can be resolved."""
        files = (file for file in self._imports.files if ENDINGS.get(ending(file)) in RESOLVED)
        found = ((file, self._imports.facts_of(file)) for file in files)
        return {file: facts for file, facts in found if facts is not None}

    @cached_property
    def _code(self) -> CodeUses:
        imported = {file: facts.imported for file, facts in self._facts.items()}
        imports = self._imports
        resolution = Resolution(imports.files, imported, imports.text, imports.settings.roots)
        return CodeUses(self._facts, self._identifiers, resolution)

    def _identifiers(self, file: str) -> Identifiers | None:
        try:
            return self._imports.sources.computed(file, IDENTIFIERS)
        except UnreadableError:
            return None
