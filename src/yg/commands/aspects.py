"""`yg aspects`: list the aspects of the graph."""

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
from yg.yggdrasil.model import Stability

if TYPE_CHECKING:
    from yg.commands.workspace import Workspace
    from yg.kernel.palette import Palette
    from yg.yggdrasil.model import Aspect


class AspectsRequest(Request, frozen=True, kw_only=True):
    """The state of the graph to read."""

    at: Revision = None


class ListedAspect(Record, frozen=True, kw_only=True):
    """One aspect of the graph."""

    id: Annotated[str, Meta(description="The path of its directory below `aspects/`.")]
    name: Annotated[str, Meta(description="Its display name.")]
    description: Annotated[
        str | UnsetType, Meta(description="Its description; absent when not given.")
    ] = UNSET
    implies: Annotated[
        tuple[str, ...] | UnsetType,
        Meta(description="The ids of the aspects that come along with it; absent when none do."),
    ] = UNSET
    stability: Annotated[
        Stability | UnsetType, Meta(description="How firmly it holds; absent when not given.")
    ] = UNSET


class Aspects(Document, frozen=True, kw_only=True, tag="yg-aspects/1"):
    """What `yg aspects --json` prints: the requirements that cut across nodes."""

    aspects: Annotated[tuple[ListedAspect, ...], Meta(description="The aspects, sorted by id.")]
    skipped: SkippedEntries

    @property
    def notes(self) -> tuple[str, ...]:
        """A line for each aspect that could not be read."""
        return skipped_notes(self.skipped)


def ask(workspace: Workspace, _request: AspectsRequest) -> Aspects:
    """List the aspects of the graph."""
    graph = workspace.graph
    return Aspects(
        aspects=tuple(map(_listed, graph.aspects.values())),
        skipped=skipped_below(graph, f"{graph.folder}/aspects"),
    )


def _listed(aspect: Aspect) -> ListedAspect:
    return ListedAspect(
        id=aspect.id,
        name=aspect.name,
        description=aspect.description or UNSET,
        implies=tuple(implied.text for implied in aspect.implies) or UNSET,
        stability=aspect.stability or UNSET,
    )


def text(aspects: Aspects, _palette: Palette) -> str:
    """Write the aspects as a list in YAML."""
    return yaml_list(map(to_builtins, aspects.aspects))


COMMAND = Command("aspects", AspectsRequest, (Aspects,), ask, text)
