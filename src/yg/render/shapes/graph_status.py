"""The shapes of `yg status --json` and `yg preflight --json` for a Spec Graph."""

from __future__ import annotations

from typing import Annotated

from yg.render.shapes.base import Count, JsonDocument, Positive, Record, Text, about
from yg.render.shapes.issues import Errors, IssueRecord, Warnings


class QualityShare(Record, frozen=True, kw_only=True):
    """One measure: how many of the nodes meet a condition."""

    what: Annotated[Text, about("The name of the measure.")]
    have: Annotated[Count, about("How many meet the condition.")]
    of: Annotated[Count, about("The total number.")]
    means: Annotated[Text, about("The condition, in words.")]


class CountedGraph(JsonDocument, frozen=True, kw_only=True):
    """A graph in numbers."""

    name: Annotated[Text, about("The name of the graph.")]
    nodes: Annotated[Count, about("How many nodes could be read.")]
    types: Annotated[dict[str, Positive], about("How many nodes each type has: known types first.")]
    links: Annotated[dict[str, Positive], about("How many links there are of each kind.")]
    quality: Annotated[list[QualityShare], about("Measures of how complete the graph is.")]
    errors: Errors
    warnings: Warnings


class GraphStatusDocument(CountedGraph, frozen=True, kw_only=True, tag="yg-graph-status/1"):
    """What `yg status --json` prints for a Spec Graph: the graph in numbers."""


class GraphPreflightDocument(CountedGraph, frozen=True, kw_only=True, tag="yg-graph-preflight/1"):
    """What `yg preflight --json` prints for a Spec Graph: the graph in numbers, and all issues."""

    issues: Annotated[
        list[IssueRecord],
        about("The issues that validation finds, in the order of `yg validate`."),
    ]
