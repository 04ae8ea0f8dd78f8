"""Search the names of the parts of mapped source files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.parts import FILE
from yg_old.code.read import facts_of
from yg_old.kernel.codec import Codec
from yg_old.text import paths
from yg_old.text.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.code.facts import FileFacts
    from yg_old.kernel.find import Query
    from yg_old.kernel.sources import Sources
    from yg_old.yggdrasil.code.imports import NodeImports


class FileNames(Struct, frozen=True, array_like=True, gc=False):
    """The names of the parts of a file, with their first lines."""

    path: str
    node: str  # that owns it
    names: tuple[str, ...]
    lines: tuple[int, ...]


FILE_NAMES: Codec[tuple[FileNames, ...]] = Codec(tuple[FileNames, ...])


class FoundName(Struct, frozen=True, order=True):
    """A part whose name matches; the best is the smallest."""

    is_longer: bool  # whether the name has other words than those asked for
    path: str
    line: int
    name: str
    node: str


def read_again(sources: Sources, file: FileNames) -> FileNames:
    """Return the names in a file that has changed."""
    return _names_of(file.path, file.node, facts_of(sources, file.path))


def _names_of(path: str, node: str, facts: FileFacts | None) -> FileNames:
    """Return the names in a file; none if it cannot be read."""
    parts = {} if facts is None else {name: facts.parts[name].first for name in facts.parts}
    parts.pop(FILE, None)
    return FileNames(path, node, tuple(parts), tuple(parts.values()))


def all_names(imports: NodeImports) -> tuple[FileNames, ...]:
    """Return the names in all files that a node owns."""
    return tuple(
        _names_of(file, node, imports.facts.get(file)) for file, node in imports.owners.items()
    )


def find_names(files: Iterable[FileNames], query: Query, node: str = "") -> list[FoundName]:
    """Return the parts of which the name has all terms, or those inside a node, the best first."""
    return sorted(
        found
        for file in files
        if not node or paths.is_inside(file.node, node)
        for found in _found(file, query)
    )


def _found(file: FileNames, query: Query) -> Iterator[FoundName]:
    """Yield the parts whose names have all terms, at least one of them in the last name."""
    stems = [_stems(term.phrases) for term in query.wanted]
    for name, line in zip(file.names, file.lines, strict=True):
        folded = name.casefold()
        # Most names are told from a match without being taken apart.
        if not all(any(stem in folded for stem in any_of) for any_of in stems):
            continue
        words, last = words_of(name), words_of(name.rpartition(".")[2])
        is_meant = any(term.is_in(last) or len(term.words) > 1 for term in query.wanted)
        has_all = is_meant and all(term.is_in(words) for term in query.wanted)
        if has_all and not any(term.is_in(words) for term in query.excluded):
            is_same = tuple(word.whole for word in last) == query.wanted[0].wholes
            yield FoundName(not is_same, file.path, line, name, file.node)


def _stems(phrases: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Return texts of which a name that has one of some phrases contains at least one."""
    return tuple(phrase[0] for phrase in phrases)
