"""The shapes of `yg drift --json` and `yg drift-sync --json`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType, field

from yg.code.changes import ChangeClass, NameChangeKind
from yg.render.shapes.base import (
    Count,
    JsonDocument,
    Positive,
    Record,
    SomeTexts,
    Text,
    Texts,
    about,
)
from yg.render.shapes.issues import File, Notes
from yg.render.shapes.validate import Scope
from yg.yggdrasil.drift import How, State

NodePath = Annotated[Text, about("The path of the node below `model/`; `.` for the root node.")]


Class = Annotated[
    ChangeClass,
    about(
        "How much the change matters: only formatting and comments, documentation, imports, the "
        "body of the code, or a public signature; unknown if there are no facts to compare."
    ),
]


class DifferenceRecord(Record, frozen=True, kw_only=True):
    """The difference of a file, or of a contract of another repository, from its baseline."""

    diff: Annotated[str, about("The unified diff; empty if there are no lines to show.")]
    commit: Annotated[
        Text | None,
        about(
            "The commit that has the old text, for a contract that of the other repository; null "
            "if none has, or none is needed."
        ),
    ]
    note: Annotated[Text | None, about("Why there is no diff; null if nothing prevents it.")]


class ChangedFileRecord(Record, frozen=True, kw_only=True):
    """One tracked file that differs from the baseline."""

    path: File
    how: Annotated[How, about("The kind of change since the baseline.")]
    to: Annotated[Text | None, about("The new path of a moved file; null for other changes.")]
    difference: Annotated[
        DifferenceRecord | UnsetType,
        about("Its difference from the baseline; left out without --show."),
    ] = UNSET


class ChangedName(Record, frozen=True, kw_only=True):
    """One public name of a source file that changed."""

    name: Annotated[Text, about("The name, qualified by the names that it is inside of.")]
    change: Annotated[NameChangeKind, about("What happened to it.")]
    before: Annotated[str | None, about("Its header at the baseline; null if it is new.")]
    after: Annotated[str | None, about("Its header now; null if it is gone.")]


class MentionRecord(Record, frozen=True, kw_only=True):
    """One text of the node that mentions names which changed or are gone."""

    file: Annotated[Text, about("The name of the text.")]
    names: Annotated[SomeTexts, about("The names, as in the code.")]


class ChangedSourceRecord(ChangedFileRecord, frozen=True, kw_only=True):
    """One source file that differs from the baseline."""

    kind: Class = field(name="class")
    names: Annotated[list[ChangedName], about("The public names that changed, sorted.")]
    mentions: Annotated[
        Annotated[list[MentionRecord], Meta(min_length=1)] | UnsetType,
        about("The texts of the node that mention such names; left out if there are none."),
    ] = UNSET


class DriftingNode(Record, frozen=True, kw_only=True):
    """One mapped node."""

    node: NodePath
    state: Annotated[State, about("Its state compared with its baseline.")]
    reason: Annotated[Text | None, about("Why its state is unknown; null if it is known.")]
    baseline: Annotated[bool, about("Whether it has a baseline that lists its files.")]
    source: Annotated[
        list[ChangedSourceRecord],
        about("The source files that differ, by path; also those whose change is tolerated."),
    ]
    graph: Annotated[list[ChangedFileRecord], about("The graph files that differ, by path.")]


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
    tolerated: Annotated[
        TolerableFiles | UnsetType,
        about("Changed files of nodes that are ok, by class; left out if there are none."),
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


class ReviewRecord(Record, frozen=True, kw_only=True):
    """Why a change of the code needed no change of the node's texts."""

    reason: Annotated[Text, about("The reason, as it was given.")]
    kind: Annotated[
        ChangeClass | None,
        about("The highest class of the changes; null if no source had changed."),
    ] = field(name="class")
    names: Annotated[Texts, about("The public names that changed.")]


class ReviewsDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-reviews/1"):
    """What `yg drift --reviews --json` prints: the reviews of one node."""

    node: NodePath
    reviews: Annotated[list[ReviewRecord], about("The reviews, the newest last.")]
    notes: Notes


SyncStatus = Literal["synchronized", "unchanged", "failed", "needs-reason"]


class SyncedNode(Record, frozen=True, kw_only=True):
    """One node."""

    node: NodePath
    status: Annotated[
        SyncStatus,
        about(
            "The result for the node; needs-reason: its code changed, but none of its texts, so it "
            "was not recorded."
        ),
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
