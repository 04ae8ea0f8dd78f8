"""The edges between the files of a project in a dict, as short texts."""

from __future__ import annotations

from yg.code.read import read_facts
from yg.code.resolve import ImportEdge, Resolution


def resolved(files: dict[str, str], roots: tuple[str, ...] = ()) -> list[str]:
    """Return the edges between files, as short texts."""
    return [shown(edge) for edge in all_edges(files, roots)]


def all_edges(files: dict[str, str], roots: tuple[str, ...] = ()) -> tuple[ImportEdge, ...]:
    facts = {path: read_facts(path, text.encode()) for path, text in files.items()}
    imports = {path: found.imported for path, found in facts.items() if found}
    return Resolution(files, imports, files.get, roots).edges


def shown(edge: ImportEdge) -> str:
    target = f"{edge.target}/" if edge.is_folder else edge.target
    names = f" ({', '.join(edge.names)})" if edge.names else ""
    return f"{edge.file}:{edge.line} -> {target}{names}{' for types' * edge.type_only}"
