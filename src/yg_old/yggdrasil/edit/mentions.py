"""Texts of a graph that mention the name of a node, an aspect or a flow."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg_old.kernel.errors import UnreadableError
from yg_old.yggdrasil.folders import walk
from yg_old.yggdrasil.parts import PartKind, collection_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.yggdrasil.graph import Graph


def mentions(graph: Graph, tree: str, name: str) -> Iterator[tuple[str, int]]:
    """Yield the texts that mention a name, sorted, each with the first line that does.

    A name without a slash is often an ordinary word. It counts only in backquotes, or behind the
    name of its directory, as in `model/orders`.
    """
    quoted = re.escape(name)
    start = rf"(?<={re.escape(tree)}/)" + (r"|(?<![\w/-])" if "/" in name else "")
    pattern = re.compile(rf"(?:{start}){quoted}(?![\w-]|\.\w)|`{quoted}`")
    for file in sorted(_texts(graph)):
        try:
            text = graph.snapshot.text(file).value
        except UnreadableError:
            continue  # validation reports it
        if found := pattern.search(text):
            yield file, text.count("\n", 0, found.start()) + 1


def _texts(graph: Graph) -> Iterator[str]:
    """Yield the files beside declarations."""
    for kind in PartKind:
        spec = collection_of(graph, kind).spec
        for folder in walk(graph.snapshot, spec.tree):
            yield from (f"{folder.directory}/{name}" for name in folder.files if name != spec.file)
