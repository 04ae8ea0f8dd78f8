"""The `aspects` and `flows` commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import with_skipped
from yg.render.catalog import aspect_fields, aspects_data, flow_fields, flows_data, yaml_list
from yg.yggdrasil.collection import skipped

if TYPE_CHECKING:
    from yg.answers.answer import Answer
    from yg.workspace import OpenWorkspace


def aspects(workspace: OpenWorkspace) -> Answer:
    """List the aspects of the graph."""
    workspace.require(workspace.format.has_aspects, "the list of aspects")
    collection = workspace.graph.aspects
    entries = aspect_fields(collection)
    return with_skipped(
        skipped(collection),
        data=lambda skipped: aspects_data(entries, skipped),
        forms={"text": lambda _palette: yaml_list(entries)},
    )


def flows(workspace: OpenWorkspace) -> Answer:
    """List the flows of the graph."""
    workspace.require(workspace.format.has_aspects, "the list of flows")
    collection = workspace.graph.flows
    entries = flow_fields(collection)
    return with_skipped(
        skipped(collection),
        data=lambda skipped: flows_data(entries, skipped),
        forms={"text": lambda _palette: yaml_list(entries)},
    )
