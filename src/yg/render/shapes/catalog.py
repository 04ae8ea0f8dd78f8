"""The shapes of `yg aspects --json` and `yg flows --json`."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType

from yg.render.shapes.base import JsonDocument, Record, SomeTexts, Text, about
from yg.render.shapes.issues import SkippedEntries
from yg.yggdrasil.model import Stability


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


class AspectsDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-aspects/1"):
    """What `yg aspects --json` prints: the requirements that cut across nodes."""

    aspects: Annotated[list[ListedAspect], about("The aspects, sorted by id.")]
    skipped: SkippedEntries


class ListedFlow(Record, frozen=True, kw_only=True):
    """One flow of the graph."""

    id: Annotated[Text, about("The path of its directory below `flows/`.")]
    name: Annotated[Text, about("Its display name.")]
    nodes: Annotated[SomeTexts, about("The paths of the nodes that take part, as declared.")]
    aspects: Annotated[
        SomeTexts | UnsetType,
        about("The ids of the aspects it brings to them; absent when there are none."),
    ] = UNSET


class FlowsDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-flows/1"):
    """What `yg flows --json` prints: the processes that span nodes."""

    flows: Annotated[list[ListedFlow], about("The flows, sorted by name.")]
    skipped: SkippedEntries
