"""`yg review`: show the sentences that a change of the code may have made untrue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from yg_old.commands.command import Command, Tool
from yg_old.commands.drift.find import find_drift, migrate_first, nodes_in_scope
from yg_old.commands.request import Argument, Operand, Option, Request, check_since
from yg_old.commands.review.documents import Review
from yg_old.commands.review.find import (
    RecordedTexts,
    Reviewer,
    counted_changes,
    node_review,
    with_missing,
)
from yg_old.commands.review.text import review_github, review_sarif, review_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.commands.command import Run
    from yg_old.yggdrasil.model import Node


class ReviewRequest(Request["Review"], frozen=True, kw_only=True):
    """The nodes to review, and what to compare their code with."""

    nodes: Annotated[
        tuple[str, ...],
        Operand("NODE", "nodes to review, with the nodes below them (default all that drifted)"),
        Argument("Only these nodes and the nodes below them.", ["orders"]),
    ] = ()
    since: Annotated[
        str | None,
        Option(metavar="REV", help="compare with the last common commit of REV and HEAD"),
        Argument("Compare with the last common commit of this revision and HEAD.", "HEAD"),
    ] = None
    diff: Annotated[
        bool,
        Option(help="show how the parts of the code changed"),
        Argument("Add how the parts of the code changed."),
    ] = False

    def check(self) -> None:
        """Raise UsageError for an empty commit name."""
        check_since(self.since)


def ask(run: Run, request: ReviewRequest) -> Review:
    """Find the sentences about code that changed."""
    return review_since(run, request) if request.since else review_drift(run, request)


def review_drift(run: Run, request: ReviewRequest) -> Review:
    """Review the nodes that differ from their baselines."""
    workspace = run.workspace
    workspace.require_yggdrasil("a review")
    workspace.require_baselines()
    notes = migrate_first(run)
    nodes = _nodes(run, request.nodes) if request.nodes else None
    found = find_drift(workspace, nodes, run.on_file)
    changed = [drift for drift in with_missing(workspace, found.drifts) if counted_changes(drift)]
    texts = RecordedTexts(workspace, changed)
    reviewer = Reviewer(workspace, texts.of)
    reviews = (
        node_review(reviewer, drift, diff=request.diff, needs_reason=drift.node in found.gated)
        for drift in changed
    )
    return Review(
        since=None,
        nodes=tuple(review for review in reviews if review is not None),
        notes=[*notes, *found.notes, *(texts.notes or reviewer.notes)],
        unrecorded=tuple(drift.node for drift in found.drifts if drift.is_unrecorded),
        git_prefix=workspace.git_prefix,
    )


def review_since(run: Run, request: ReviewRequest) -> Review:
    """Review the nodes whose code differs from a commit."""
    from yg_old.commands.review.since import SinceCommit

    workspace = run.workspace
    workspace.require_yggdrasil("a review")
    scopes = [workspace.directory(node) for node in request.nodes]
    compared = SinceCommit(workspace, request.since or "")
    drifts = compared.drifts(scopes)
    reviewer = Reviewer(workspace, compared.old)
    reviews = (node_review(reviewer, drift, diff=request.diff) for drift in drifts)
    return Review(
        since=request.since,
        nodes=tuple(review for review in reviews if review is not None),
        notes=[*compared.notes, *reviewer.notes],
        git_prefix=workspace.git_prefix,
    )


def _nodes(run: Run, names: Sequence[str]) -> tuple[Node, ...]:
    """Return the mapped nodes in some scopes, by path."""
    found = {node.path: node for name in names for node in nodes_in_scope(run.workspace, name)}
    return tuple(node for _, node in sorted(found.items()))


COMMAND = Command(
    request=ReviewRequest,
    documents=(Review,),
    ask=ask,
    text=review_text,
    forms={"github": review_github, "sarif": review_sarif},
    formats=("text", "json", "github", "sarif"),
    tool=Tool(
        title="Show sentences to check",
        when="Use after changing code: returns the sentences of the graph that mention what "
        "changed, and the values and names in them that are gone. Correct those that are no longer "
        "true.",
        when_in_specs=None,
        levels=0,
    ),
)
