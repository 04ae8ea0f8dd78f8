"""The names that files use of modules which they import whole."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg_old.code.languages import ENDINGS, ending
from yg_old.code.uses.bindings import bindings_of
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from yg_old.code.facts import FileFacts
    from yg_old.code.identifiers import Identifiers
    from yg_old.code.resolve import ImportEdge, Resolution


class ImportedMembers:
    """Finds what is used of an imported module: its public names behind the name of the module."""

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        identifiers: Callable[[str], Identifiers | None],
        resolution: Resolution,
    ) -> None:
        self._facts = facts
        self._identifiers = identifiers
        self._resolution = resolution
        self._known: dict[str, dict[str, tuple[str, ...]]] = {}  # by file and module
        self._public: dict[tuple[str, str], frozenset[str]] = {}

    def of(self, edge: ImportEdge) -> ImportEdge:
        """Return an import with the names that are used, if it is one of a whole module.

        It stays as it is if no use of a public name is found.
        """
        if edge.names or edge.file not in self._facts:
            return edge
        if edge.file not in self._known:
            self._known[edge.file] = self._used(edge.file)
        used = self._known[edge.file].get(edge.target, ())
        public = self._public_names(edge)
        return replace(edge, names=tuple(name for name in used if name in public))

    def _used(self, file: str) -> dict[str, tuple[str, ...]]:
        """Return the words behind the names of modules, by module."""
        identifiers = self._identifiers(file) or {}
        behind: dict[tuple[str, ...], dict[str, None]] = {}
        for name in identifiers:
            words = tuple(name.split("."))
            for size in range(1, len(words)):
                behind.setdefault(words[:size], {})[words[size]] = None
        found: dict[str, dict[str, None]] = {}
        for binding in bindings_of(file, self._facts[file], self._resolution):
            if binding.local and not binding.path:
                found.setdefault(binding.module, {}).update(behind.get(binding.local, {}))
        return {module: tuple(sorted(names)) for module, names in found.items()}

    def _public_names(self, edge: ImportEdge) -> frozenset[str]:
        """Return the public names of a module, or of the files of a language in a folder."""
        language = ENDINGS.get(ending(edge.file), "") if edge.is_folder else ""
        key = edge.target, language
        if key not in self._public:
            files = self._folders.get(key, ()) if language else (edge.target,)
            found = (self._facts[file].signatures for file in files if file in self._facts)
            self._public[key] = frozenset(name for names in found for name in names)
        return self._public[key]

    @cached_property
    def _folders(self) -> dict[tuple[str, str], list[str]]:
        """The files of each folder and language."""
        found: dict[tuple[str, str], list[str]] = {}
        for file in self._facts:
            found.setdefault((paths.parent(file), ENDINGS.get(ending(file), "")), []).append(file)
        return found
