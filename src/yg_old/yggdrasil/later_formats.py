"""Graphs of formats after the one that new graphs have, and of those that are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.errors import AnotherModelError
from yg_old.kernel.snapshot import Kind
from yg_old.version import GRAPH_FORMAT, HIGHEST_FORMAT, has_another_model, is_newer
from yg_old.yggdrasil.model import ARCHITECTURE_FILE, CONFIG_FILE
from yg_old.yggdrasil.places import FOLDER

if TYPE_CHECKING:
    from yg_old.yggdrasil.graph import Graph


def refuse_another_model(graph: Graph) -> None:
    """Raise AnotherModelError for a graph of format 4 or later."""
    config = graph.config
    is_file = graph.snapshot.kind(f"{FOLDER}/{ARCHITECTURE_FILE}") is Kind.FILE
    if is_file or config.has_another_model:
        name = config.version if has_another_model(config.version) else "4 or later"
        raise AnotherModelError(
            f"the graph in {FOLDER}/ has format {name}, which has another model; "
            f"yg reads formats up to {HIGHEST_FORMAT}"
        )


def later_format(graph: Graph) -> str:
    """Return the format of a graph that is later than that of new graphs; empty for any other.

    The keys count if they are later than the version: tools have written an old version for long.
    A format that is too new is named by a note.
    """
    declared = graph.config.version
    if is_newer(declared):
        return ""
    needed = _needed(graph)
    if needed and not is_newer(declared, than=needed) and not declared.startswith(needed):
        said = f"says {declared}" if declared else "has no version"
        return f"{needed} ({CONFIG_FILE} {said})"
    return declared if is_newer(declared, than=GRAPH_FORMAT) else ""


def _needed(graph: Graph) -> str:
    """Return the first format that has the keys of a graph; empty if 2.2 has them."""
    quality = graph.config.quality
    if quality.max_mapping_source_files is not None:
        return "2.8"
    if any(part.description for parts in (graph.nodes, graph.flows) for part in parts):
        return "2.6"
    return "2.5" if quality.own_warning is not None else ""
