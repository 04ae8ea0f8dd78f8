"""The shapes of `yg drift --json` and `yg drift-sync --json`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from yg.render.shapes.base import Count, JsonDocument, Positive, Record, Text, Texts, about
from yg.render.shapes.issues import File, Notes
from yg.render.shapes.validate import Scope
from yg.yggdrasil.drift import How, State

NodePath = Annotated[Text, about("The path of the node below `model/`; `.` for the root node.")]


class ChangedFileRecord(Record, frozen=True, kw_only=True):
    """One tracked file that differs from the baseline."""

    path: File
    how: Annotated[How, about("The kind of change since the baseline.")]
    to: Annotated[Text | None, about("The new path of a moved file; null for other changes.")]


class DriftingNode(Record, frozen=True, kw_only=True):
    """One mapped node."""

    node: NodePath
    state: Annotated[State, about("Its state compared with its baseline.")]
    reason: Annotated[Text | None, about("Why its state is unknown; null if it is known.")]
    baseline: Annotated[bool, about("Whether it has a baseline that lists its files.")]
    source: Annotated[list[ChangedFileRecord], about("The source files that differ, by path.")]
    graph: Annotated[list[ChangedFileRecord], about("The graph files that differ, by path.")]


class DriftSummary(Record, frozen=True, kw_only=True, rename="kebab"):
    """The number of nodes in each state."""

    source_drift: Annotated[
        Count, about("Nodes with changes in source files only, or without a baseline.")
    ]
    graph_drift: Annotated[Count, about("Nodes with changes in graph files only.")]
    full_drift: Annotated[Count, about("Nodes with changes in both source files and graph files.")]
    missing: Annotated[Count, about("Nodes with a baseline whose mapped paths are all gone.")]
    unmaterialized: Annotated[
        Count, about("Nodes without a baseline whose mapped paths do not exist yet.")
    ]
    ok: Annotated[Count, about("Nodes that match their baseline.")]
    unknown: Annotated[
        Positive | UnsetType,
        about(
            "Nodes whose state is unknown, because some file of the graph cannot be read; left "
            "out if there are none."
        ),
    ] = UNSET


StateCounts = Annotated[DriftSummary, about("How many nodes are in each state.")]


class CheckedDrift(Record, frozen=True, kw_only=True):
    """The mapped nodes compared with their baselines."""

    nodes: Annotated[list[DriftingNode], about("Every mapped node, in the order of paths.")]
    summary: StateCounts


class DriftDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-drift/1"):
    """What `yg drift --json` prints: how every mapped node stands to its baseline."""

    scope: Scope
    files: Annotated[
        Texts | None,
        about(
            "The given files, relative to the root of the repository; null if drift is not "
            "limited to files."
        ),
    ]
    nodes: Annotated[
        list[DriftingNode],
        about(
            "The mapped nodes in scope, in the order of their paths; with a limit, drifted nodes "
            "first."
        ),
    ]
    summary: StateCounts
    uncommitted: Annotated[
        Count | None,
        about("How many baselines were changed but not added to git; null without git."),
    ]
    notes: Notes


class SyncedNode(Record, frozen=True, kw_only=True):
    """One node."""

    node: NodePath
    status: Annotated[
        Literal["synchronized", "unchanged", "failed"], about("The result for the node.")
    ]
    before: Annotated[
        str | None,
        about("The hash of the old baseline, computed by any method; null when there was none."),
    ]
    after: Annotated[
        Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] | None,
        about("The hash of the current files; null when it failed."),
    ]
    failure: Annotated[Text | None, about("Why it could not be recorded; null unless it failed.")]


class DriftSyncDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-drift-sync/1"):
    """What `yg drift-sync --json` prints: what became of the baselines."""

    nodes: Annotated[
        list[SyncedNode], about("The nodes that were to be recorded, in the order of their paths.")
    ]
    removed: Annotated[
        list[Annotated[str, Meta(pattern=r"^\.yggdrasil/\.drift-state/.")]],
        about("The files below `.yggdrasil/.drift-state/` that were removed."),
    ]
    notes: Notes
