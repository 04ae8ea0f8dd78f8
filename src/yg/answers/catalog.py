"""The `aspects` and `flows` commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.answers.answer import with_skipped
from yg.render.catalog import aspects_data, flows_data, yaml_list
from yg.yggdrasil.collection import skipped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.answers.answer import Answer
    from yg.workspace import Workspace
    from yg.yggdrasil.collection import Collection


def aspects(workspace: Workspace) -> Answer:
    """List the aspects of the graph."""
    _require(workspace, "aspects")
    entries = aspects_data(workspace.graph.aspects)
    return _listed("aspects", workspace.graph.aspects, entries, entries)


def flows(workspace: Workspace) -> Answer:
    """List the flows of the graph; the text omits their ids."""
    _require(workspace, "flows")
    entries = flows_data(workspace.graph.flows)
    printed = [{key: entry[key] for key in entry if key != "id"} for entry in entries]
    return _listed("flows", workspace.graph.flows, entries, printed)


def _require(workspace: Workspace, name: str) -> None:
    workspace.require(workspace.format.has_aspects, f"the list of {name}")


def _listed(
    name: str,
    collection: Collection[Any],
    entries: Sequence[dict[str, Any]],
    printed: Sequence[dict[str, Any]],
) -> Answer:
    """Return the entries as data, and those to print as text."""
    return with_skipped(
        name,
        skipped(collection),
        data=lambda: {name: entries},
        forms={"text": lambda _palette: yaml_list(printed)},
    )
