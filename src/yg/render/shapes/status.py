"""The shapes of `yg status --json` and `yg preflight --json`."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET

from yg.render.shapes.base import Count, JsonDocument, Positive, Record, Text, Texts, about
from yg.render.shapes.context import Tokenizer
from yg.render.shapes.drift import CheckedDrift, DriftSummary
from yg.render.shapes.issues import Following, IssueRecord, Notes, Warnings


class GraphNumbers(JsonDocument, frozen=True, kw_only=True):
    """The numbers of a Yggdrasil graph, with which two documents begin."""

    project: Annotated[
        str, about("The name of the project; empty when the configuration has none.")
    ]
    types: Annotated[
        dict[Text, Positive],
        about("How many nodes each type has, blackbox nodes left out: configured types first."),
    ]
    nodes: Annotated[Count, about("How many nodes there are, blackbox nodes left out.")]
    blackboxes: Annotated[Count, about("How many blackbox nodes there are.")]
    structural: Annotated[Count, about("How many structural relations all nodes have.")]
    events: Annotated[Count, about("How many event relations all nodes have.")]
    aspects: Annotated[Count, about("How many aspects there are.")]
    flows: Annotated[Count, about("How many flows there are.")]
    artifact_types: Annotated[Count, about("How many artifacts the configuration names.")]
    artifacts_filled: Annotated[
        Count, about("How many of the artifacts that there could be exist.")
    ]
    relations: Annotated[Count, about("How many relations nodes have, blackbox nodes left out.")]
    busiest: Annotated[
        str, about("The node with the most relations; empty when there are no relations.")
    ]
    most_relations: Annotated[Count, about("How many relations that node has.")]
    mapped: Annotated[
        Count, about("How many nodes are mapped to source files, blackbox nodes left out.")
    ]
    covered: Annotated[
        Count, about("How many nodes have at least one aspect, blackbox nodes left out.")
    ]
    slots: Annotated[Count, about("How many artifacts there could be: types times nodes.")]
    errors: Annotated[
        Count,
        about("How many errors validation finds, not counting those that follow from another."),
    ]
    warnings: Warnings
    following: Following


class PackageNumbers(Record, frozen=True, kw_only=True):
    """The sizes of packages, in tokens."""

    count: Annotated[Count, about("How many packages there are.")]
    largest: Annotated[
        str, about("The node with the largest package; empty if there are no packages.")
    ]
    largest_tokens: Annotated[Count, about("The size of that package.")]
    average_tokens: Annotated[Count, about("The average size, rounded.")]
    near: Annotated[
        Count,
        about("How many packages are larger than 80 percent of the size that gets a warning."),
    ]
    warning: Annotated[Count, about("The size above which a package gets a warning.")]
    tokenizer: Tokenizer = UNSET


class StatusDocument(GraphNumbers, frozen=True, kw_only=True, tag="yg-status/1"):
    """What `yg status --json` prints: a graph in numbers."""

    drift: Annotated[
        DriftSummary | None,
        about("How many mapped nodes are in each state; null for an edition without baselines."),
    ]
    packages: Annotated[
        PackageNumbers, about("The sizes of all packages, blackbox nodes left out.")
    ]
    notes: Notes


class PreflightDocument(GraphNumbers, frozen=True, kw_only=True, tag="yg-preflight/1"):
    """What `yg preflight --json` prints: drift, a graph in numbers, and every issue."""

    drift: Annotated[
        CheckedDrift | None,
        about("The mapped nodes compared with their baselines; null with `--quick`."),
    ]
    unowned: Annotated[Texts, about("The changed files that no node owns, by path.")]
    issues: Annotated[
        list[IssueRecord],
        about("The issues that validation finds, in the order of `yg validate`."),
    ]
    notes: Notes
