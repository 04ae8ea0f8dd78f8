"""Add paths to the mappings of nodes that exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yaml import YAMLError

from yg_old.kernel.edit import Write
from yg_old.kernel.errors import RefusedError
from yg_old.text.yaml_edit import YamlText, flow_scalar, tree_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.code.draft.extend import Extension
    from yg_old.yggdrasil.graph import Graph


def extended_nodes(graph: Graph, extensions: Iterable[Extension]) -> Iterator[Write]:
    """Yield the declarations of nodes with more paths; raise an error if one cannot be edited."""
    for extension in extensions:
        file = graph.nodes.spec.file_of(extension.node)
        text = graph.snapshot.text(file).value
        items = [flow_scalar(path) for path in extension.paths]
        try:
            edited = YamlText(text).with_items("mapping", "paths", items).text
        except YAMLError:
            edited = text
        if sorted(_paths(edited)) != sorted((*_paths(text), *extension.paths)):
            raise RefusedError(
                f"{file} cannot be edited to map more files",
                hint="Write 'mapping' as a plain mapping with a list of 'paths'.",
            )
        yield Write(file, edited.encode())


def _paths(text: str) -> list[str]:
    """Return the mapped paths in the text of a node; none if it cannot be read."""
    root = tree_of(text)
    mapping = (root.entries or {}).get("mapping") if root else None
    paths = (mapping.datum.entries or {}).get("paths") if mapping else None
    items = (paths.datum.items or ()) if paths else ()
    return [str(item.value) for item in items]
