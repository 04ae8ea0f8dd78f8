"""Drift: the states of nodes, and the files that changed since their baselines."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType, field

from yg_old.code.change_class import ChangeClass, NameChange, PartChange
from yg_old.kernel.document import Count, File, Positive, Record, Text, about

if TYPE_CHECKING:
    from collections.abc import Iterable

NodePath = Annotated[Text, about("The path of the node below `model/`; `.` for the root node.")]


class State(StrEnum):
    """The drift state of a mapped node."""

    SOURCE = "source-drift"
    GRAPH = "graph-drift"
    FULL = "full-drift"
    MISSING = "missing"
    UNMATERIALIZED = "unmaterialized"
    OK = "ok"
    UNKNOWN = "unknown"  # a part of the graph that it depends on cannot be read


class How(StrEnum):
    """The kind of a change to a file since the baseline."""

    CHANGED = "changed"
    ADDED = "added"
    DELETED = "deleted"
    MOVED = "moved"
    UNTRACKED = "no-longer-tracked"  # it exists, but is ignored or belongs to another node now
    UNREADABLE = "unreadable"


class Difference(Record, frozen=True, kw_only=True):
    """The difference of a file, or of a contract of another repository, from its baseline."""

    diff: Annotated[str, about("The unified diff; empty if there are no lines to show.")] = ""
    commit: Annotated[
        Text | None,
        about(
            "The commit that has the old text, for a contract that of the other repository; null "
            "if none has, or none is needed."
        ),
    ] = None
    note: Annotated[Text | None, about("Why there is no diff; null if nothing prevents it.")] = None


class Change(Record, frozen=True):
    """One tracked file that differs from the baseline."""

    path: File
    how: Annotated[How, about("The kind of change since the baseline.")]
    to: Annotated[Text | None, about("The new path of a moved file; null for other changes.")] = (
        None
    )
    difference: Annotated[
        Difference | UnsetType, about("Its difference from the baseline; left out without --show.")
    ] = UNSET
    is_outside: Annotated[
        bool | UnsetType,
        about("Whether it is a graph file that the package does not have here; left out if not."),
    ] = field(name="outside", default=UNSET)

    @property
    def kind(self) -> ChangeClass:
        """The class of the change; a graph file has none."""
        return ChangeClass.UNKNOWN

    @property
    def names(self) -> tuple[NameChange, ...]:
        """The public names that changed; a graph file has none."""
        return ()

    @property
    def parts(self) -> tuple[PartChange, ...]:
        """The parts that changed; a graph file has none."""
        return ()


class Mention(Record, frozen=True):
    """One text of the node that mentions names which changed or are gone."""

    file: Annotated[Text, about("The name of the text.")]
    names: Annotated[
        Annotated[tuple[Text, ...], Meta(min_length=1)], about("The names, as in the code.")
    ]


class SourceChange(Change, frozen=True):
    """One source file that differs from the baseline."""

    kind: Annotated[
        ChangeClass,
        about(
            "How much the change matters: only formatting and comments, documentation, imports, "
            "the body of the code, or a public signature; unknown if there are no facts to compare."
        ),
    ] = field(name="class", default=ChangeClass.UNKNOWN)
    names: Annotated[tuple[NameChange, ...], about("The public names that changed, sorted.")] = ()
    parts: Annotated[
        tuple[PartChange, ...],
        about("The parts that changed, by line, then those that are gone, by name."),
    ] = ()
    mentions: Annotated[
        Annotated[tuple[Mention, ...], Meta(min_length=1)] | UnsetType,
        about("The texts of the node that mention such names; left out if there are none."),
    ] = UNSET


class NodeDrift(Record, frozen=True, kw_only=True):
    """One mapped node."""

    node: NodePath
    state: Annotated[State, about("Its state compared with its baseline.")]
    reason: Annotated[Text | None, about("Why its state is unknown; null if it is known.")] = None
    has_baseline: Annotated[bool, about("Whether it has a baseline that lists its files.")] = field(
        name="baseline", default=True
    )
    source: Annotated[
        tuple[SourceChange, ...],
        about("The source files that differ, by path; also those whose change is tolerated."),
    ] = ()
    graph: Annotated[tuple[Change, ...], about("The graph files that differ, by path.")] = ()
    missing_paths: Annotated[
        tuple[Text, ...] | UnsetType,
        about("The mapped paths without files, if others have some; absent if there are none."),
    ] = UNSET

    @property
    def worst(self) -> ChangeClass | None:
        """The highest class of its source changes; None if there are none."""
        return max(
            (change.kind for change in self.source), key=lambda kind: kind.rank, default=None
        )

    @property
    def is_not_recorded(self) -> bool:
        """Whether it is a blackbox without a baseline, which is not compared."""
        return self.state is State.OK and not self.has_baseline

    @property
    def is_unrecorded(self) -> bool:
        """Whether it has files but no baseline to compare them with."""
        return self.state is State.SOURCE and not self.has_baseline


class TolerableFiles(Record, frozen=True, kw_only=True):
    """The number of changed source files of each class."""

    cosmetic: Annotated[Positive | UnsetType, about("Files with other formatting.")] = UNSET
    docs: Annotated[Positive | UnsetType, about("Files with other documentation.")] = UNSET
    imports: Annotated[Positive | UnsetType, about("Files with other imports.")] = UNSET


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
    not_tracked: Annotated[
        Positive | UnsetType,
        about("Mapped nodes with `drift: off`; left out if there are none."),
    ] = UNSET
    tolerated: Annotated[
        TolerableFiles | UnsetType,
        about("Changed files of nodes that are ok, by class; left out if there are none."),
    ] = UNSET


StateCounts = Annotated[DriftSummary, about("How many nodes are in each state.")]


def summary_of(drifts: Iterable[NodeDrift], not_tracked: int = 0) -> DriftSummary:
    """Count nodes by state, those that are not tracked, and the changed files tolerated."""
    nodes = tuple(drifts)
    found = Counter(drift.state for drift in nodes)
    files = tolerated_counts(nodes)
    return DriftSummary(
        source_drift=found[State.SOURCE],
        graph_drift=found[State.GRAPH],
        full_drift=found[State.FULL],
        missing=found[State.MISSING],
        unmaterialized=found[State.UNMATERIALIZED],
        ok=found[State.OK],
        unknown=found[State.UNKNOWN] or UNSET,
        not_tracked=not_tracked or UNSET,
        tolerated=TolerableFiles(**files) if files else UNSET,
    )


def tolerated_counts(drifts: Iterable[NodeDrift]) -> dict[ChangeClass, int]:
    """Count the changed files of nodes that are `ok`, by class, the lowest first."""
    kinds = Counter(
        change.kind for drift in drifts if drift.state is State.OK for change in drift.source
    )
    return {kind: kinds[kind] for kind in ChangeClass if kinds[kind]}
