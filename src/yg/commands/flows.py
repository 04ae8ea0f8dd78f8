"""`yg flows`: list the flows of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType, to_builtins

from yg.commands.command import (
    Command,
    Document,
    Record,
    Request,
    Revision,
    SkippedEntries,
    skipped_below,
    skipped_notes,
)
from yg.text.encode_yaml import yaml_list

if TYPE_CHECKING:
    from yg.commands.workspace import Workspace
    from yg.kernel.palette import Palette
    from yg.yggdrasil.model import Flow

_SHOWN = ("name", "nodes", "aspects")  # what the specification lists


class FlowsRequest(Request, frozen=True, kw_only=True):
    """The state of the graph to read."""

    at: Revision = None


class ListedFlow(Record, frozen=True, kw_only=True):
    """One flow of the graph."""

    id: Annotated[str, Meta(description="The path of its directory below `flows/`.")]
    name: Annotated[str, Meta(description="Its display name.")]
    description: Annotated[
        str | UnsetType, Meta(description="Its description; absent when not given.")
    ] = UNSET
    nodes: Annotated[
        tuple[str, ...], Meta(description="The paths of the nodes that take part, as declared.")
    ]
    aspects: Annotated[
        tuple[str, ...] | UnsetType,
        Meta(description="The ids of the aspects it brings to them; absent when there are none."),
    ] = UNSET


class Flows(Document, frozen=True, kw_only=True, tag="yg-flows/1"):
    """What `yg flows --json` prints: the processes that span nodes."""

    flows: Annotated[tuple[ListedFlow, ...], Meta(description="The flows, sorted by name.")]
    skipped: SkippedEntries

    @property
    def notes(self) -> tuple[str, ...]:
        """A line for each flow that could not be read."""
        return skipped_notes(self.skipped)


def ask(workspace: Workspace, _request: FlowsRequest) -> Flows:
    """List the flows of the graph."""
    graph = workspace.graph
    flows = sorted(graph.flows.values(), key=lambda flow: (flow.name, flow.path))
    return Flows(
        flows=tuple(map(_listed, flows)), skipped=skipped_below(graph, f"{graph.folder}/flows")
    )


def _listed(flow: Flow) -> ListedFlow:
    return ListedFlow(
        id=flow.id,
        name=flow.name,
        description=flow.description or UNSET,
        nodes=tuple(node.text for node in flow.nodes),
        aspects=flow.aspect_ids or UNSET,
    )


def text(flows: Flows, _palette: Palette) -> str:
    """Write names, participants and aspects as a list in YAML."""
    entries = map(to_builtins, flows.flows)
    return yaml_list({key: flow[key] for key in _SHOWN if key in flow} for flow in entries)


COMMAND = Command("flows", FlowsRequest, (Flows,), ask, text)
