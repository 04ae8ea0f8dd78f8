"""Sentences that the edits of a session have made doubtful, and what is open at its end."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from yg_old.code.read import read_facts
from yg_old.commands.drift.steps import REASON, left_over, sync_command
from yg_old.commands.review.find import (
    RecordedTexts,
    Reviewer,
    counted_changes,
    node_review,
    with_missing,
)
from yg_old.commands.review.since import source_change
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.palette import visible
from yg_old.kernel.snapshot import Kind
from yg_old.surfaces.hook.at_start import OldSources
from yg_old.surfaces.hook.sentences import parts_of, said
from yg_old.yggdrasil.drift.states import NodeDrift, State
from yg_old.yggdrasil.model import Agreement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg_old.commands.review.documents import NodeReview, SentenceToCheck
    from yg_old.surfaces.hook.memory import Memory
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.drift.states import SourceChange

LONGEST_FILE = 2_000_000  # bytes
HEAD = "The code changed, and these texts of the graph did not:"
MORE = "- and more: `yg review` lists all."
AGREEMENT = "The user agrees to `yg drift-sync` before you run it."


class SessionChanges:
    """The sources of nodes now, compared with the commit at the start of a session."""

    def __init__(self, workspace: OpenWorkspace, old: OldSources) -> None:
        self._workspace = workspace
        self._old = old
        self._reviewer = Reviewer(workspace, lambda _node, path: old.read(path))

    def review(self, node: str, files: Sequence[str]) -> NodeReview | None:
        """Return what to check of a node because of some of its files."""
        if not self._old.commit:
            return None
        changes = tuple(change for file in files if (change := self._change(file)))
        drift = NodeDrift(node=node, state=State.SOURCE, source=changes)
        return node_review(self._reviewer, drift) if changes else None

    def _now(self, file: str) -> bytes | None:
        sources = self._workspace.sources
        try:
            return sources.read(file) if sources.kind(file) is Kind.FILE else None
        except UnreadableError:
            return None

    def _change(self, file: str) -> SourceChange | None:
        then, now = self._old.read(file), self._now(file)
        if then is None or then == now or max(len(then), len(now or b"")) > LONGEST_FILE:
            return None
        before = read_facts(file, then)
        after = read_facts(file, now) if now is not None else None
        return source_change(file, before, after, was=True, now=now is not None)


def new_doubts(
    workspace: OpenWorkspace,
    memory: Memory,
    old: OldSources,
    owned: Mapping[str, Sequence[str]],
) -> dict[str, list[SentenceToCheck]]:
    """Return the sentences of each node about parts that were not mentioned before."""
    changes = SessionChanges(workspace, old)
    found: dict[str, list[SentenceToCheck]] = {}
    for node, files in owned.items():
        review = changes.review(node, files)
        for sentence in review.sentences if review else ():
            if any(part not in memory.doubts for part in parts_of(node, [sentence])):
                found.setdefault(node, []).append(sentence)
    return found


def open_ends(
    workspace: OpenWorkspace, commit: str, edited: Mapping[str, Sequence[str]], most: int
) -> str:
    """Return the sentences of nodes that are most likely untrue, and the nodes that need a reason.

    Of a list with more than so many characters the end is left out, never what can be done.
    Nodes without a baseline are compared with the commit at the start of the session, in the files
    that were edited.
    """
    reviews = [*_recorded(workspace, edited), *_unrecorded(workspace, commit, edited)]
    left = [review for review in reviews if review.strong or review.needs_reason]
    if not left:
        return ""
    listed = [line for review in left for line in _left_of(review)]
    names = [review.node for review in left]
    is_asked = workspace.graph.config.drift.agreement is Agreement.PERSON
    end = ["", *ways_out(names), *([AGREEMENT] if is_asked else []), ""]
    room = most - len(HEAD) - sum(len(line) + 1 for line in end) - len(MORE)
    return "\n".join([HEAD, *fitting(listed, room), *end])[:most]


def _left_of(review: NodeReview) -> list[str]:
    """Return a line for each sentence of a node that is most likely untrue, or one for all."""
    node = visible(review.node)
    lines = [f"- {node}: {said(sentence)}" for sentence in review.strong]
    return lines or [f"- {node}: no sentence is certainly untrue, but none was changed either."]


def fitting(lines: Sequence[str], room: int) -> list[str]:
    """Return the first lines that fit, and how to see the others."""
    sizes = accumulate(len(line) + 1 for line in lines)
    shown = sum(1 for size in sizes if size <= room)
    return [*lines[:shown], *([MORE] if shown < len(lines) else [])]


def ways_out(nodes: Sequence[str]) -> list[str]:
    """Return the commands that end the difference between code and texts."""
    several = len(nodes) > 1
    text, sentence = ("texts", "sentence about them") if several else ("text", "sentence")
    return [
        f"Change the {text}, then run `{sync_command(nodes)}`.",
        f"Or, if every {sentence} is still true: `{sync_command(nodes, REASON)}`.",
        *(f"Then {step}." for step in left_over(nodes)),
    ]


def _recorded(workspace: OpenWorkspace, nodes: Iterable[str]) -> Iterator[NodeReview]:
    """Compare nodes with their baselines."""
    from yg_old.commands.drift.find import find_drift

    known = [node for node in map(workspace.graph.nodes.get, nodes) if node and node.is_tracked]
    found = find_drift(workspace, known)
    changed = [drift for drift in with_missing(workspace, found.drifts) if counted_changes(drift)]
    reviewer = Reviewer(workspace, RecordedTexts(workspace, changed).of)
    for drift in changed:
        review = node_review(reviewer, drift, needs_reason=drift.node in found.gated)
        if review is not None:
            yield review


def _unrecorded(
    workspace: OpenWorkspace, commit: str, edited: Mapping[str, Sequence[str]]
) -> Iterator[NodeReview]:
    """Compare nodes without a baseline with a commit."""
    changes = SessionChanges(workspace, OldSources(workspace, commit))
    for path, files in edited.items():
        if workspace.graph.nodes.get(path) and workspace.baselines.get(path) is None:
            review = changes.review(path, files)
            if review is not None:
                yield review
