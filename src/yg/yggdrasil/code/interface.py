"""The text of an interface as the code has it: names that other nodes import, or public names."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from yg.code.draft.offers import offers_of
from yg.code.draft.roles import matching_test_patterns
from yg.code.languages import ENDINGS, ending
from yg.text import paths
from yg.text.escapes import visible
from yg.text.plural import counted
from yg.yggdrasil.code.imports import NodeImports
from yg.yggdrasil.owners import Ownership

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.code.draft.offers import Name, Offer
    from yg.kernel.sources import Sources
    from yg.yggdrasil.graph import Graph

_FENCES = {"javascript": "js", "typescript": "ts"}
_HASHES = frozenset(("python", "ruby"))  # languages whose comments start with a hash


def code_interface(graph: Graph, sources: Sources, path: str, mapping: Sequence[str]) -> str:
    """Return the interface of a new node that maps some paths; empty if they have no code."""
    ownership = Ownership(graph, sources, [(source, path) for source in mapping])
    imports = NodeImports(graph, sources, ownership)
    files = [file for file in imports.files_of.get(path, ()) if not matching_test_patterns(file)]
    if not files:
        return ""
    imported = imports.uses.names
    offers = offers_of(files, imports.facts, imported)
    lines = interface_lines(offers, is_imported=not imported.keys().isdisjoint(files))
    return "".join(f"{line}\n" for line in lines)


def interface_lines(offers: Sequence[Offer], *, is_imported: bool) -> Iterator[str]:
    """Yield the interface of a node with code; `is_imported`: the names are those others import."""
    if not offers:
        yield "No public name was found in its code, and no other node imports any."
        return
    yield (
        "Names that other nodes import:"
        if is_imported
        else "Public names; no other node imports any of them:"
    )
    top = shared_directory([offer.file for offer in offers])
    shown = [offer for offer in offers if offer.names or offer.others]
    for language, group in groupby(shown, key=lambda offer: ENDINGS[ending(offer.file)]):
        yield ""
        yield f"```{_FENCES.get(language, language)}"
        for offer in group:
            yield from _offer(offer, "#" if language in _HASHES else "//", top)
        yield "```"
    rest = [offer.more for offer in offers if not offer.names and not offer.others]
    if rest:
        yield ""
        yield f"And {counted(sum(rest), 'name')} in {counted(len(rest), 'other file')}."


def _offer(offer: Offer, comment: str, top: str) -> Iterator[str]:
    yield f"{comment} {visible(below(offer.file, top))}"
    for name in offer.names:
        yield from _name(name)
    if offer.others:
        yield f"{comment} also {visible(', '.join(offer.others))}"
    if offer.more:
        yield f"{comment} and {counted(offer.more, 'more name')}"


def _name(name: Name) -> Iterator[str]:
    yield visible(name.header)
    if name.members:
        yield f"    {visible(', '.join(name.members))}"


def shared_directory(files: Sequence[str]) -> str:
    """Return the directory that all files are in; the first and the last of them tell."""
    first, last = paths.lineage(files[0]), paths.lineage(files[-1])
    return [one for one, two in zip(first, last, strict=False) if one == two][-1]


def below(file: str, top: str) -> str:
    """Return the path of a file relative to a directory that it is in."""
    return file if top == paths.ROOT else file.removeprefix(f"{top}/")
