"""Sentences that the edits of a session have made doubtful, and what is open at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.code.read import read_facts
from yg.commands.review.find import (
    RecordedTexts,
    Reviewer,
    counted_changes,
    node_review,
    with_missing,
)
from yg.commands.review.since import source_change
from yg.commands.review.text import reasons
from yg.disk.git.process import ask
from yg.kernel.errors import UnreadableError
from yg.kernel.palette import visible
from yg.kernel.snapshot import Kind
from yg.text.escapes import shell_word
from yg.yggdrasil.drift.states import NodeDrift, State

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from yg.commands.review.documents import NodeReview, SentenceToCheck
    from yg.surfaces.hook.memory import Memory
    from yg.workspace.opened import OpenWorkspace
    from yg.yggdrasil.drift.states import SourceChange

MOST_SENTENCES = 10
LONGEST_FILE = 2_000_000  # bytes


class SessionChanges:
    """The sources of nodes now, compared with the commit at the start of a session."""

    def __init__(self, workspace: OpenWorkspace, commit: str) -> None:
        self._workspace = workspace
        self._commit = commit
        self._old: dict[str, bytes | None] = {}
        self._reviewer = Reviewer(workspace, lambda _node, path: self._then(path))

    def review(self, node: str, files: Sequence[str]) -> NodeReview | None:
        """Return what to check of a node because of some of its files."""
        if not self._commit:
            return None
        changes = tuple(change for file in files if (change := self._change(file)))
        drift = NodeDrift(node=node, state=State.SOURCE, source=changes)
        return node_review(self._reviewer, drift) if changes else None

    def _then(self, file: str) -> bytes | None:
        """Return a file at the commit; None if it was not there."""
        if file not in self._old:
            prefix = self._workspace.git_prefix
            path = f"{prefix}/{file}" if prefix else file
            reply = ask(self._workspace.root, "cat-file", "blob", f"{self._commit}:{path}")
            self._old[file] = reply.out if reply is not None and reply.code == 0 else None
        return self._old[file]

    def _now(self, file: str) -> bytes | None:
        sources = self._workspace.sources
        try:
            return sources.read(file) if sources.kind(file) is Kind.FILE else None
        except UnreadableError:
            return None

    def _change(self, file: str) -> SourceChange | None:
        then, now = self._then(file), self._now(file)
        if then is None or then == now or max(len(then), len(now or b"")) > LONGEST_FILE:
            return None
        before = read_facts(file, then)
        after = read_facts(file, now) if now is not None else None
        return source_change(file, before, after, was=True, now=now is not None)


def doubts(
    workspace: OpenWorkspace, memory: Memory, owned: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """Yield a text for each node with sentences about parts that were not mentioned before."""
    changes = SessionChanges(workspace, memory.head)
    for node, files in owned.items():
        review = changes.review(node, files)
        sentences = review.sentences if review else ()
        new = [sentence for sentence in sentences if _is_new(memory, node, sentence)]
        memory.doubts += [
            part for sentence in new for part in _parts(node, sentence) if part not in memory.doubts
        ]
        if new:
            yield _doubtful(node, new)


def _is_new(memory: Memory, node: str, sentence: SentenceToCheck) -> bool:
    return any(part not in memory.doubts for part in _parts(node, sentence))


def _parts(node: str, sentence: SentenceToCheck) -> list[str]:
    return [f"{node} {part.path} {part.name}" for part in sentence.parts]


def _doubtful(node: str, sentences: Sequence[SentenceToCheck]) -> str:
    more = len(sentences) - MOST_SENTENCES
    lines = [*map(_line, sentences[:MOST_SENTENCES])]
    if more > 0:
        lines.append(f"- and {more} more: yg review {shell_word(node)}")
    return "\n".join([f"What the texts of {visible(node)} say about this change:", *lines, ""])


def _line(sentence: SentenceToCheck) -> str:
    place = f"{visible(sentence.document)}:{sentence.line}"
    return f'- {place} says "{visible(sentence.text)}"; {reasons(sentence, places=False)}.'


def open_ends(workspace: OpenWorkspace, commit: str, nodes: Sequence[str]) -> str:
    """Return the sentences of nodes that are most likely untrue, and the nodes that need a reason.

    Nodes without a baseline are compared with the commit at the start of the session.
    """
    reviews = [*_recorded(workspace, nodes)]
    strong = [review for review in reviews if review.strong or review.needs_reason]
    if not strong:
        return ""
    lines = ["Left to do before the texts of the graph and the code say the same:"]
    for review in strong:
        if not review.strong:
            lines.append(f"- {visible(review.node)}: its code changed, and no text did.")
        lines += [f"- {visible(review.node)}: {_line(each)[2:]}" for each in review.strong]
    names = " ".join(shell_word(review.node) for review in strong)
    lines += [
        "",
        f"Two ways: change the text, then `yg drift-sync {names}`; or, if every sentence is still "
        f"true, `yg drift-sync {names} --reason TEXT`.",
        "",
    ]
    return "\n".join(lines)


def _recorded(workspace: OpenWorkspace, nodes: Sequence[str]) -> Iterator[NodeReview]:
    from yg.commands.drift.find import find_drift

    known = [node for node in map(workspace.graph.nodes.get, nodes) if node and node.is_tracked]
    found = find_drift(workspace, known)
    changed = [drift for drift in with_missing(workspace, found.drifts) if counted_changes(drift)]
    reviewer = Reviewer(workspace, RecordedTexts(workspace, changed).of)
    for drift in changed:
        review = node_review(reviewer, drift, needs_reason=drift.node in found.gated)
        if review is not None:
            yield review


