"""Mappings: what a path in a node's mapping means, and which files it brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel import paths
from yg.kernel.snapshot import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.kernel.sources import Sources
    from yg.kernel.word import Word
    from yg.yggdrasil.model import Node
    from yg.yggdrasil.owner import Ownership

_GRAPH = ".yggdrasil"


def mapped_path(text: str) -> str | None:
    """Return a mapping in its shortest spelling; None when it leaves the repository."""
    return paths.normalise(text.replace("\\", "/"))


def spelling_fault(text: str) -> str:
    """Say what keeps a text from naming a path of this repository that a node can own."""
    spelling = text.replace("\\", "/")
    if not text.strip():
        return "is empty"
    if len(text) > paths.LONGEST:
        return "is longer than a path can be"
    if spelling.startswith("/") or (spelling[1:3] == ":/" and spelling[:1].isalpha()):
        return "is absolute"
    path = mapped_path(text)
    if path is None:
        return "leaves the repository"
    parts = path.split("/")
    if ".git" in parts:
        return "lies inside .git/"
    return f"lies inside {parts[0]}/" if parts[0] == _GRAPH else ""


def mapping_fault(sources: Sources, text: str) -> str:
    """Say what keeps a mapped path from being a file or directory of this repository."""
    return spelling_fault(text) or _wrong_kind(sources, mapped_path(text) or "")


def _wrong_kind(sources: Sources, path: str) -> str:
    if sources.kind(path) in (Kind.FILE, Kind.DIRECTORY):
        return ""  # and so is all that leads there: nothing is seen behind a link
    for each in (*paths.lineage(path), path):
        kind = sources.kind(each)
        if kind is Kind.LINK:
            return "is a link" if each == path else f"passes through the link '{each}'"
        if kind is Kind.OTHER:
            return "is not a plain file or directory"
        if kind is None:
            break  # nothing is below it either
    return ""


class Mapped(Struct, frozen=True):
    """One path of a node's mapping."""

    node: Node
    word: Word
    path: str  # in its shortest spelling; empty when it leaves the repository
    fault: str  # what keeps it from being a file or directory of this repository


def mappings(sources: Sources, node: Node) -> Iterator[Mapped]:
    """Yield the paths of a node's mapping, as they are written."""
    for word in node.mapping:
        path = mapped_path(word.text) or ""
        yield Mapped(node, word, path, mapping_fault(sources, word.text))


def sound_paths(sources: Sources, node: Node) -> tuple[str, ...]:
    """Return the mapped paths of a node that could be files or directories, each once."""
    sound = (each.path for each in mappings(sources, node) if not each.fault)
    return tuple(dict.fromkeys(sound))


def own_files(sources: Sources, ownership: Ownership, node: Node) -> tuple[str, ...]:
    """Return the files of a node's mapping, sorted; where a longer mapping wins, left out."""
    files = {file for path in sound_paths(sources, node) for file in sources.files(path)}
    return tuple(file for file in sorted(files) if ownership.is_owner(node.path, file))
