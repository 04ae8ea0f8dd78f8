"""New baselines of nodes, and the sentences about them that are most likely untrue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.commands.drift.recorded import RecordedContents
from yg_old.commands.review.documents import sentence_to_check
from yg_old.commands.review.find import RecordedTexts, Reviewer, counted_changes
from yg_old.commands.review.text import reasons
from yg_old.disk.git.changed_files import uncommitted_among
from yg_old.text.plural import counted, listed
from yg_old.yggdrasil.drift.baseline import state_file
from yg_old.yggdrasil.drift.baseline_parts import Review, recorded_reviews
from yg_old.yggdrasil.drift.classify import (
    Classifier,
    has_own_change,
    is_cosmetic,
    needs_reason,
    without_facts,
)
from yg_old.yggdrasil.drift.states import State
from yg_old.yggdrasil.drift.sync import Recording, Synced, synced
from yg_old.yggdrasil.drift.tracking import node_drift

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg_old.commands.drift.find import TrackedFiles
    from yg_old.commands.review.documents import SentenceToCheck
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.drift.baseline import Baseline
    from yg_old.yggdrasil.drift.states import NodeDrift
    from yg_old.yggdrasil.model import Node


UNCONFIRMED = "it differs from both sides of its baseline"


class Recorder:
    """Computes the new baselines of nodes."""

    def __init__(
        self,
        workspace: OpenWorkspace,
        files: TrackedFiles,
        reason: str | None,
        *,
        cosmetic: bool = False,
        resolve: bool = False,
    ) -> None:
        """Take the reason that a user gives, and whether only some changes are recorded.

        These are cosmetic ones, or none at all, to resolve merge conflicts.
        """
        self._resolve = resolve
        self._workspace = workspace
        self._files = files
        self._reason = reason
        self._cosmetic = cosmetic
        self._gate = workspace.graph.config.drift.gate
        self._contents = RecordedContents(workspace)
        self._classifier = Classifier(workspace.graph, files.facts, self._contents)
        self.sentences: dict[str, tuple[SentenceToCheck, ...]] = {}  # most likely untrue, by node
        self.notes: list[str] = []

    def synced(self, nodes: Sequence[Node]) -> list[Synced]:
        """Return the new baselines of the nodes that are to be recorded."""
        before = {node.path: self._workspace.baselines.get(node.path) for node in nodes}
        drifts = self._drifts(before)
        self.notes += self._contents.notes
        if self._resolve:
            return [self._resolved(node, drifts[node.path], before[node.path]) for node in nodes]
        if self._cosmetic:
            nodes = [node for node in nodes if is_cosmetic(drifts[node.path])]
        else:
            self.sentences = dict(self._doubtful(drifts.values()))
        return [self._synced(node, drifts[node.path], before[node.path]) for node in nodes]

    def _drifts(self, baselines: Mapping[str, Baseline | None]) -> dict[str, NodeDrift]:
        """Compare nodes with their baselines."""
        files, sources = self._files, self._workspace.sources
        found = {
            path: node_drift(path, files.tracked[path], before, files.hashes, sources)
            for path, before in baselines.items()
        }
        self._contents.search(
            lacking
            for path, drift in found.items()
            for lacking in without_facts(drift, baselines[path], files.facts)
        )
        return {
            path: self._classifier.classified(drift, baselines[path])
            for path, drift in found.items()
        }

    def _doubtful(
        self, drifts: Iterable[NodeDrift]
    ) -> Iterator[tuple[str, tuple[SentenceToCheck, ...]]]:
        """Yield the nodes with sentences that are most likely untrue."""
        changed = [drift for drift in drifts if counted_changes(drift)]
        if not changed:
            return
        texts = RecordedTexts(self._workspace, changed)
        self.notes += texts.notes
        reviewer = Reviewer(self._workspace, texts.of)
        for drift in changed:
            found = reviewer.reviewed(drift).findings.sentences
            strong = tuple(sentence_to_check(each) for each in found if each.evidence.is_strong)
            if strong:
                yield drift.node, strong

    def _synced(self, node: Node, drift: NodeDrift, before: Baseline | None) -> Synced:
        if self._reason is None:
            failure = self._missing_reason(node, drift)
            if failure:
                return Synced(node.path, before, None, failure, needs_reason=True)
        review = self._review(drift, before) if self._reason is not None else None
        return self._recorded(node, before, review)

    def _resolved(self, node: Node, drift: NodeDrift, before: Baseline | None) -> Synced:
        """Return the baseline of a node whose files are all as one of the sides recorded them."""
        if before is None:
            problem = self._workspace.baselines.problems[state_file(node.path)]
            return Synced(node.path, None, None, problem)
        if drift.state is not State.OK:
            return Synced(node.path, before, None, f"{UNCONFIRMED} ({drift.state})")
        return self._recorded(node, before, None)

    def _recorded(self, node: Node, before: Baseline | None, review: Review | None) -> Synced:
        how = Recording(
            review=review,
            stores_hash=self._workspace.graph.config.drift.stores_hash,
            has_facts=not node.is_blackbox,
            stored=self._workspace.baselines.content(node.path) if before else None,
        )
        files = self._files
        tracked = files.tracked[node.path]
        return synced(node.path, tracked, before, files.hashes, files.facts, how)

    def _missing_reason(self, node: Node, drift: NodeDrift) -> str:
        """Return why a node cannot be recorded without a reason; empty if it can."""
        if self._gate is None or has_own_change(drift, node):
            return ""
        doubtful = self.sentences.get(node.path, ())
        if doubtful:
            places = [f"{each.document}:{each.line} ({reasons(each)})" for each in doubtful]
            verb = "is" if len(doubtful) == 1 else "are"
            return f"{counted(len(doubtful), 'sentence')} {verb} to be checked: {listed(places)}"
        return _what_changed(drift) if needs_reason(drift, node, self._gate) else ""

    def _review(self, drift: NodeDrift, before: Baseline | None) -> Review | None:
        """Return the review to record; None if nothing has changed since the last sync."""
        if before is not None and not drift.source and not drift.graph:
            self.notes.append(f"{drift.node}: nothing changed, so the reason is not recorded")
            return None
        problem = recorded_reviews(before)[1] if before else ""
        if problem:
            self.notes.append(f"{state_file(drift.node)}: {problem}")
        names = dict.fromkeys(name.name for change in drift.source for name in change.names)
        return Review((self._reason or "").strip(), drift.worst, tuple(names))


def _what_changed(drift: NodeDrift) -> str:
    """Return why a node needs a reason."""
    names = tuple(dict.fromkeys(name.name for change in drift.source for name in change.names))
    what = f"its public names changed ({listed(names)})" if names else "its code changed"
    return f"{what}, but none of its texts did"


def uncommitted_note(
    workspace: OpenWorkspace, files: TrackedFiles, results: Iterable[Synced]
) -> list[str]:
    """Return a note if some recorded sources are in no commit, so that git cannot find them."""
    recorded: dict[str, None] = {}
    for result in results:
        if result.after is not None and result.is_changed and not result.has_same_files:
            then = result.before.files if result.before else {}
            now = result.after.files
            sources = files.tracked[result.node].source
            recorded.update((path, None) for path in sources if then.get(path) != now.get(path))
    found = uncommitted_among(workspace.root, list(recorded)).files
    if not found:
        return []
    they, their = ("it is", "its") if len(found) == 1 else ("they are", "their")
    many = counted(len(found), "file")
    return [f"commit {many} as {they} now, or {their} values cannot be compared later"]
