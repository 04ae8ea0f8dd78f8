"""Compiled copies of TypeScript files that a repository has beside their sources."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SOURCE = re.compile(r"(.*)(?<!\.d)\.[cm]?tsx?")
_DECLARATIONS = re.compile(r"(.*)\.d\.[cm]?ts")
_SCRIPT = re.compile(r"(.*)\.[cm]?js")
_SOURCES = "src"  # the directory whose files are compiled into the one above or one beside it


def compiled_copies(files: Iterable[str]) -> frozenset[str]:
    """Return the declarations and scripts that a compiler wrote for sources among some files.

    The copies of `src/a/b.ts` are beside it, in `a` or, for any name of a directory, in `lib/a`. A
    script counts only with its declarations, because people write scripts too.
    """
    present = tuple(files)
    sources = {found[1] for file in present if (found := _SOURCE.fullmatch(file))}
    declared = {
        found[1]
        for file in present
        if (found := _DECLARATIONS.fullmatch(file))
        and not sources.isdisjoint(_possible_sources(found[1]))
    }
    return frozenset(
        file
        for file in present
        if (found := _DECLARATIONS.fullmatch(file) or _SCRIPT.fullmatch(file))
        and found[1] in declared
    )


def _possible_sources(stem: str) -> Iterator[str]:
    """Yield the paths, without their endings, that a copy may be compiled from."""
    yield stem
    segments = stem.split("/")
    for index in range(len(segments)):
        above, below = segments[:index], segments[index:]
        yield "/".join((*above, _SOURCES, *below))
        if len(below) > 1:
            yield "/".join((*above, _SOURCES, *below[1:]))
