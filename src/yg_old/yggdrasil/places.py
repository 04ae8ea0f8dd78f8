"""Paths in a repository: the folders of graphs, and what a declaration may name."""

from __future__ import annotations

from yg_old.text import paths

FOLDER = ".yggdrasil"
DRIFT_STATE = f"{FOLDER}/.drift-state"
FOLDER_V0 = "yggdrasil"
CONFIG_V0 = f"{FOLDER_V0}/config.yaml"  # required, since any project may have such a folder
DECISIONS = (  # folders in which decision records usually are
    "docs/adr",
    "docs/adrs",
    "doc/adr",
    "docs/decisions",
    "docs/architecture/decisions",
)


def is_graph_file(path: str) -> bool:
    """Tell whether a tracked path belongs to the graph rather than to the sources."""
    return path.startswith(f"{FOLDER}/")


def mapped_path(text: str) -> str | None:
    """Return a mapped path, normalised; None if it is outside the repository."""
    return paths.normalise(text.replace("\\", "/"))


def spelling_fault(text: str) -> str:
    """Return why a text is not a valid mapped path; empty if it is valid."""
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
    return f"lies inside {parts[0]}/" if parts[0] == FOLDER else ""
