"""Find the sentences to check: changed sources, their old contents in git, texts about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, Struct

from yg_old.code.change_class import ChangeClass, NameChangeKind
from yg_old.code.parts import FILE
from yg_old.commands.drift.find import classified_sources
from yg_old.commands.drift.recorded import in_git
from yg_old.commands.drift.steps import completion
from yg_old.commands.review.documents import (
    NodeReview,
    PartDifference,
    ReviewedFile,
    sentence_to_check,
    unmentioned_parts,
)
from yg_old.commands.review.part_lines import PartLines
from yg_old.disk.git.process import GitError
from yg_old.disk.git.repository import find_repository
from yg_old.kernel.errors import UnreadableError
from yg_old.text.plural import counted
from yg_old.workspace.source_drift import changed_sources
from yg_old.yggdrasil.code.words import CodeWords
from yg_old.yggdrasil.drift.baseline_parts import recorded_facts
from yg_old.yggdrasil.drift.states import How, State
from yg_old.yggdrasil.review.changes import (
    ABSENT,
    ChangedFile,
    Version,
    changed_parts,
    version_of,
)
from yg_old.yggdrasil.review.evidence import Findings, find_sentences
from yg_old.yggdrasil.review.texts import GraphTexts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from yg_old.disk.git.history import OldVersion
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.drift.states import NodeDrift, SourceChange
    from yg_old.yggdrasil.review.evidence import ChangedPart

COUNTED = (ChangeClass.BODY, ChangeClass.SIGNATURE, ChangeClass.UNKNOWN)
CHANGED = NameChangeKind.CHANGED
GAP = " ..."  # between lines that are shown
DRIFTED = (State.SOURCE, State.FULL, State.MISSING)


class ReviewedNode(Struct, frozen=True):
    """The changed parts of a node, and what is to be checked because of them."""

    files: tuple[ChangedFile, ...]
    parts: tuple[ChangedPart, ...]
    findings: Findings


class Reviewer:
    """Reviews nodes one after the other."""

    def __init__(
        self,
        workspace: OpenWorkspace,
        old: Callable[[str, str], bytes | None],
        only: Collection[str] | None = None,
    ) -> None:
        """Take a function that returns the old content of a node's file; None: not known.

        `only` are the files of the graph to look at; None for all.
        """
        self._workspace = workspace
        self._old = old
        self._texts = GraphTexts(workspace.graph, only)
        self._words = CodeWords(workspace.sources)
        self.unknown: set[str] = set()  # files whose old text is not known

    def reviewed(self, drift: NodeDrift) -> ReviewedNode:
        """Find the sentences about the changed sources of a node."""
        files = tuple(self.files(drift))
        parts = changed_parts(files)
        return ReviewedNode(files, parts, self.findings(drift.node, parts, self._texts))

    def findings(self, path: str, parts: Sequence[ChangedPart], texts: GraphTexts) -> Findings:
        """Find the sentences about changed parts of a node; none if it is not in the graph."""
        node = texts.graph.nodes.get(path)
        if node is None:
            return Findings((), ())
        return find_sentences(texts.about(node), parts, self._words)

    def files(self, drift: NodeDrift) -> Iterator[ChangedFile]:
        """Yield both versions of the changed sources of a node."""
        for change in counted_changes(drift):
            if change.how is How.ADDED:
                yield ChangedFile(change.path, ABSENT, self._new(change.path))
            elif change.how is How.CHANGED:
                yield ChangedFile(change.path, self._then(drift, change), self._new(change.path))
            elif change.how is How.MOVED and change.to:
                yield ChangedFile(change.path, self._new(change.to), ABSENT)
            elif change.how in (How.DELETED, How.UNTRACKED):
                yield ChangedFile(change.path, self._then(drift, change), ABSENT)

    def _new(self, path: str) -> Version:
        try:
            return version_of(path, self._workspace.sources.read(path))
        except UnreadableError:
            return Version()  # drift reports it

    def _then(self, drift: NodeDrift, change: SourceChange) -> Version:
        content = self._old(drift.node, change.path)
        if content is not None:
            return version_of(change.path, content)
        self.unknown.add(change.path)
        baseline = self._workspace.baselines.get(drift.node)
        recorded = recorded_facts(baseline)[0] if baseline else {}
        return Version(recorded.get(change.path))

    @property
    def notes(self) -> tuple[str, ...]:
        """A note if some values could not be compared."""
        if not self.unknown:
            return ()
        files = counted(len(self.unknown), "file")
        return (f"values cannot be compared for {files}: git does not have the old text",)


def counted_changes(drift: NodeDrift) -> list[SourceChange]:
    """Return the changes of a node's sources that texts can be about."""
    if drift.state not in DRIFTED or not drift.has_baseline:
        return []
    return [change for change in drift.source if change.kind in COUNTED]


def with_missing(workspace: OpenWorkspace, drifts: Sequence[NodeDrift]) -> tuple[NodeDrift, ...]:
    """Return the drift of nodes; those that lost all their files also have these as changes."""
    paths = [drift.node for drift in drifts if drift.state is State.MISSING]
    nodes = [node for node in map(workspace.graph.nodes.get, paths) if node is not None]
    if not nodes:
        return tuple(drifts)
    found = classified_sources(workspace, changed_sources(workspace, nodes))
    whole = {drift.node: drift for drift in found}
    return tuple(whole.get(drift.node, drift) for drift in drifts)


class RecordedTexts:
    """The old contents of changed files, found in git by the digests in baselines."""

    def __init__(self, workspace: OpenWorkspace, drifts: Iterable[NodeDrift]) -> None:
        """Look up the files of all nodes at once."""
        self._digests = dict(_digests(workspace, drifts))
        self._found: Mapping[tuple[str, str], OldVersion] = {}
        self.notes: tuple[str, ...] = ()
        wanted = dict.fromkeys((path, digest) for (_, path), digest in self._digests.items())
        try:
            if wanted and find_repository(workspace.root) is not None:
                self._found = in_git(workspace.root, wanted)
        except GitError as error:
            self.notes = (f"values are not compared: {error.message}",)

    def of(self, node: str, path: str) -> bytes | None:
        """Return the content of a file at the baseline of a node; None if git does not have it."""
        found = self._found.get((path, self._digests.get((node, path), "")))
        return found.content if found else None


def _digests(
    workspace: OpenWorkspace, drifts: Iterable[NodeDrift]
) -> Iterator[tuple[tuple[str, str], str]]:
    for drift in drifts:
        changes = [change for change in counted_changes(drift) if change.how is not How.ADDED]
        baseline = workspace.baselines.get(drift.node) if changes else None
        if baseline is not None:
            for change in changes:
                if change.path in baseline.files:
                    yield (drift.node, change.path), baseline.files[change.path]


def node_review(
    reviewer: Reviewer, drift: NodeDrift, *, diff: bool = False, needs_reason: bool = False
) -> NodeReview | None:
    """Return what to check of a node; None if there is nothing."""
    changes = counted_changes(drift)
    found = reviewer.reviewed(drift) if changes else None
    if found is None or not found.parts:
        return None
    return NodeReview(
        node=drift.node,
        state=drift.state,
        files=tuple(
            ReviewedFile(path=change.path, kind=change.kind, parts=change.parts, change=change)
            for change in changes
        ),
        sentences=tuple(map(sentence_to_check, found.findings.sentences)),
        unmentioned=unmentioned_parts(_without_members(found)),
        differences=tuple(part_differences(found)) if diff else UNSET,
        needs_reason=needs_reason,
        completion=completion((drift,)) if drift.missing_paths else "",
    )


def _without_members(found: ReviewedNode) -> list[ChangedPart]:
    """Return the unmentioned parts; those of a new or removed part, or file, are left out."""
    whole = {(part.path, part.name) for part in found.parts if part.change is not CHANGED}
    return [
        part
        for part in found.findings.unmentioned
        if (part.path, part.name.rpartition(".")[0]) not in whole
        if part.name != FILE or part.change is CHANGED
    ]


def part_differences(found: ReviewedNode) -> Iterator[PartDifference]:
    """Yield how each part changed, where its old text is known."""
    from yg_old.commands.unified import unified

    files = {file.path: file for file in found.files}
    old_lines = {file.path: PartLines(file.old) for file in found.files}
    new_lines = {file.path: PartLines(file.new) for file in found.files}
    for part in found.parts:
        before: Mapping[int, str] = {}
        is_known = files[part.path].new.text is not None
        if part.old_path:
            before = old_lines[part.old_path].own(part.name, part.old_first, part.old_last)
            is_known &= files[part.old_path].old.text is not None and part.old_first > 0
        after = new_lines[part.path].own(part.name, part.first, part.last)
        texts = ("".join(f"{line}\n" for line in each.values()) for each in (before, after))
        lines = list(unified(*texts)) if is_known else []
        if lines:
            shown = (GAP if line.startswith("@@") else line for line in lines[1:])
            yield PartDifference(name=part.name, path=part.path, diff="\n".join(shown))
