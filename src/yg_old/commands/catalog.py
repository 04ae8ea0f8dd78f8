"""`yg aspects` and `yg flows`: list the aspects or the flows of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, Meta, UnsetType, to_builtins

from yg_old.commands.command import Command
from yg_old.commands.issues import Skipped, SkippedEntries, skipped_data
from yg_old.commands.request import Request, Revision
from yg_old.kernel.document import Document, Record, Text, about
from yg_old.text.yaml_edit import yaml_scalar
from yg_old.yggdrasil.collection import skipped
from yg_old.yggdrasil.model import Stability

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.collection import Collection
    from yg_old.yggdrasil.model import Aspect, Flow

SomeTexts = Annotated[tuple[Text, ...], Meta(min_length=1)]


class AspectsRequest(Request["Aspects"], frozen=True, kw_only=True):
    """The state of the graph to read."""

    at: Revision = None


class FlowsRequest(Request["Flows"], frozen=True, kw_only=True):
    """The state of the graph to read."""

    at: Revision = None


class ListedAspect(Record, frozen=True, kw_only=True):
    """One aspect of the graph."""

    id: Annotated[Text, about("The path of its directory below `aspects/`.")]
    tag: Annotated[
        Text | UnsetType, about("The tag that applies it to a node; only in 0.x graphs.")
    ] = UNSET
    name: Annotated[Text, about("Its display name.")]
    description: Annotated[
        Text | UnsetType, about("Its description, in one line; absent when not given.")
    ] = UNSET
    implies: Annotated[
        SomeTexts | UnsetType,
        about("The ids of the aspects that come along with it; absent when none do."),
    ] = UNSET
    stability: Annotated[
        Stability | UnsetType, about("How firmly it holds; absent when not given.")
    ] = UNSET


class Aspects(Document, frozen=True, kw_only=True, tag="yg-aspects/1"):
    """What `yg aspects --json` prints: the requirements that cut across nodes."""

    aspects: Annotated[tuple[ListedAspect, ...], about("The aspects, sorted by id.")]
    skipped: SkippedEntries


class ListedFlow(Record, frozen=True, kw_only=True):
    """One flow of the graph."""

    id: Annotated[Text, about("The path of its directory below `flows/`.")]
    name: Annotated[Text, about("Its display name.")]
    description: Annotated[
        Text | UnsetType, about("Its description, in one line; absent when not given.")
    ] = UNSET
    nodes: Annotated[SomeTexts, about("The paths of the nodes that take part, as declared.")]
    aspects: Annotated[
        SomeTexts | UnsetType,
        about("The ids of the aspects it brings to them; absent when there are none."),
    ] = UNSET


class Flows(Document, frozen=True, kw_only=True, tag="yg-flows/1"):
    """What `yg flows --json` prints: the processes that span nodes."""

    flows: Annotated[tuple[ListedFlow, ...], about("The flows, sorted by name.")]
    skipped: SkippedEntries


def ask_aspects(run: Run, _request: AspectsRequest) -> Aspects:
    """List the aspects of the graph."""
    workspace = run.workspace
    workspace.require_yggdrasil("the list of aspects")
    aspects = workspace.graph.aspects
    return Aspects(aspects=tuple(map(listed_aspect, aspects)), skipped=_skipped(workspace, aspects))


def ask_flows(run: Run, _request: FlowsRequest) -> Flows:
    """List the flows of the graph."""
    workspace = run.workspace
    workspace.require_yggdrasil("the list of flows")
    flows = workspace.graph.flows
    return Flows(flows=listed_flows(flows), skipped=_skipped(workspace, flows))


def _skipped(workspace: OpenWorkspace, collection: Collection[Any]) -> list[Skipped]:
    return skipped_data((*workspace.queries.unread_configuration(), *skipped(collection)))


def listed_aspect(aspect: Aspect) -> ListedAspect:
    """Return an aspect as it is listed."""
    return ListedAspect(
        id=aspect.id,
        tag=aspect.tag or UNSET,
        name=aspect.name,
        description=aspect.description or UNSET,
        implies=tuple(word.text for word in aspect.implies) or UNSET,
        stability=aspect.stability or UNSET,
    )


def listed_flows(flows: Iterable[Flow]) -> tuple[ListedFlow, ...]:
    """Return flows as they are listed, sorted by name."""
    return tuple(
        ListedFlow(
            id=flow.id,
            name=flow.name,
            description=flow.description or UNSET,
            nodes=tuple(word.text for word in flow.nodes),
            aspects=flow.aspect_ids or UNSET,
        )
        for flow in sorted(flows, key=lambda flow: (flow.name, flow.id))
    )


def aspects_text(aspects: Aspects, _palette: Palette) -> str:
    """Write aspects as a list in YAML."""
    return yaml_list(map(to_builtins, aspects.aspects))


def flows_text(flows: Flows, _palette: Palette) -> str:
    """Write flows as a list in YAML."""
    return yaml_list(map(to_builtins, flows.flows))


def yaml_list(entries: Iterable[Mapping[str, Any]]) -> str:
    """Write a list of flat mappings as YAML; `[]` if it is empty."""
    return "".join(map(_yaml_entry, entries)) or "[]\n"


def _yaml_entry(entry: Mapping[str, Any]) -> str:
    lines = []
    for key, value in entry.items():
        if isinstance(value, list | tuple):
            lines.append(f"{key}:")
            lines.extend(f"  - {yaml_scalar(item)}" for item in value)
        else:
            lines.append(f"{key}: {yaml_scalar(value)}")
    return "".join(f"{'- ' if index == 0 else '  '}{line}\n" for index, line in enumerate(lines))


ASPECTS = Command(request=AspectsRequest, documents=(Aspects,), ask=ask_aspects, text=aspects_text)
FLOWS = Command(request=FlowsRequest, documents=(Flows,), ask=ask_flows, text=flows_text)
