"""A small graph on disk, and what a reader sees of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from yg.disk.cache import NAME
from yg.disk.private import cache_folder
from yg.disk.worktree import WorkTree
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Inputs, Kind, Recipe, Snapshot

GRAPH = ".yggdrasil"
MODEL = f"{GRAPH}/model"
SHOP = {
    f"{GRAPH}/yg-config.yaml": "name: Shop\n",
    f"{MODEL}/a/yg-node.yaml": "src/a.py src/later.py top.py\n",
    f"{MODEL}/a/text.md": "What a does.\n",
    f"{MODEL}/a/b/yg-node.yaml": "src/deep/b.py\n",
    f"{MODEL}/a/b/text.md": "What b does.\n",
    f"{GRAPH}/.drift-state/a.json": "{}\n",
    "src/a.py": "a = 1\n",
    "src/deep/b.py": "b = 1\n",
    "top.py": "top = 1\n",
}
TEXT: Recipe[tuple[str, str]] = Recipe(
    "text", tuple[str, str], lambda path, data: (path, data.decode("latin-1"))
)


def write(root: Path, files: dict[str, str]) -> Path:
    """Write files below a directory."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    return root


def tick(root: Path) -> None:
    """Wait until the clock of the file system has moved on."""
    probe = root.parent / "probe"
    probe.touch()
    before = probe.stat().st_ctime_ns
    while probe.stat().st_ctime_ns == before:
        probe.write_bytes(b"")


def trust_all_stamps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough to be trusted."""
    monkeypatch.setattr("yg.disk.listing.SETTLED_NS", -(1 << 62))


def cache_of(root: Path) -> Path:
    """Return where the cache of a graph is."""
    folder = cache_folder(str(root), GRAPH)
    assert folder
    return Path(folder) / NAME


@contextmanager
def opened(root: Path, *, uses_cache: bool = True) -> Any:
    """Open a work tree for a run."""
    tree = WorkTree(str(root), GRAPH, uses_cache=uses_cache)
    try:
        yield tree
    finally:
        tree.close()


def recalled(
    root: Path, inputs: Inputs, compute: Callable[[], int], *, uses_cache: bool = True
) -> int:
    """Ask for a result in a run of its own."""
    with opened(root, uses_cache=uses_cache) as tree:
        tree.watch(lambda: watched(tree))
        found: int = tree.recall("number", inputs, int, compute)
        return found


def watched(tree: Snapshot) -> list[str]:
    """Return the paths that the declarations name."""
    declarations = [path for path in files_of(tree) if path.endswith("yg-node.yaml")]
    return [word for path in declarations for word in made(tree, path)[1].split()]


def made(tree: Snapshot, path: str) -> tuple[str, str]:
    """Return what the recipe makes of a file, or why it cannot be read."""
    try:
        return tree.made(path, TEXT)
    except UnreadableError as error:
        return path, error.reason


def files_of(tree: Snapshot) -> list[str]:
    """Return the paths of all files of the graph."""
    return [path for path, kind in names_of(tree).items() if kind == "file"]


def names_of(tree: Snapshot) -> dict[str, str]:
    """Return all names of the graph with their kinds, or why there are none."""
    found: dict[str, str] = {}
    waiting = [GRAPH]
    while waiting:
        directory = waiting.pop()
        try:
            entries = tree.entries(directory)
        except UnreadableError as error:
            found[directory] = error.reason
            continue
        for name, kind in entries.items():
            found[f"{directory}/{name}"] = kind.value
            if kind is Kind.DIRECTORY:
                waiting.append(f"{directory}/{name}")
    return found


def seen(root: Path, *, uses_cache: bool = True) -> list[Any]:
    """Return all that a reader can find out in one run."""
    with opened(root, uses_cache=uses_cache) as tree:
        tree.watch(lambda: watched(tree))

        def places() -> list[str]:
            return [str(tree.kind(path)) for path in watched(tree)]

        def texts() -> list[tuple[str, str]]:
            return [made(tree, path) for path in files_of(tree)]

        def declarations() -> list[tuple[str, str]]:
            return [found for found in texts() if found[0].endswith(".yaml")]

        pairs = list[tuple[str, str]]
        return [
            list(names_of(tree).items()),
            tree.recall("declarations", Inputs.DECLARATIONS, pairs, declarations),
            tree.recall("places", Inputs.PLACES, list[str], places),
            tree.recall("texts", Inputs.FILES, pairs, texts),
            tree.recall("all", Inputs.ALL, tuple[pairs, list[str]], lambda: (texts(), places())),
            texts(),
            [made(tree, path) for path in watched(tree)],
        ]


def give_away(path: Path) -> None:
    """Make a path one of another user."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    os.chown(path, 65534, -1)
