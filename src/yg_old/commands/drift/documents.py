"""The documents of `yg drift`."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Struct

from yg_old.code.change_class import ChangeClass
from yg_old.commands.issues import Notes, Scope, Since
from yg_old.kernel.document import Count, Document, Text, about
from yg_old.yggdrasil.drift.baseline_parts import Review
from yg_old.yggdrasil.drift.states import NodeDrift, NodePath, StateCounts


class View(Struct, frozen=True, kw_only=True):
    """What the text shows of the drift, and how to go on."""

    drifted_only: bool = False
    limit: int | None = None
    show: bool = False  # whether to show the difference of each file
    whole: str = ""  # the arguments that sync all nodes looked at; empty: there are none
    tolerated: ChangeClass | None = None  # the class in the configuration
    gated: frozenset[str] = frozenset()  # nodes that need a reason when they are recorded
    textless: frozenset[str] = frozenset()  # nodes that have no text of their own but drafts


class Drift(Document, frozen=True, kw_only=True, tag="yg-drift/1"):
    """What `yg drift --json` prints: how every mapped node stands to its baseline."""

    HIDDEN = ("drifts", "view", "fails")

    scope: Scope
    files: Annotated[
        tuple[Text, ...] | None,
        about(
            "The given files, relative to the root of the repository; null if drift is not "
            "limited to files."
        ),
    ]
    nodes: Annotated[
        tuple[NodeDrift, ...],
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
    since: Since = UNSET
    drifts: tuple[NodeDrift, ...]  # all nodes in scope: each section of the text has a limit
    view: View
    fails: bool

    @property
    def exit_code(self) -> int:
        """1 if a node has drifted, or is not known to have not."""
        return 1 if self.fails else 0


class Reviews(Document, frozen=True, kw_only=True, tag="yg-reviews/1"):
    """What `yg drift --reviews --json` prints: the reviews of one node."""

    node: NodePath
    reviews: Annotated[tuple[Review, ...], about("The reviews, the newest last.")]
    notes: Notes
