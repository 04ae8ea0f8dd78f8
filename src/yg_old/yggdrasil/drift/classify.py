"""Classes of changes: how much a changed source matters, and which texts mention its names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from msgspec import UNSET
from msgspec.structs import replace

from yg_old.code.change_class import ChangeClass, NameChangeKind, compare, of_added, of_removed
from yg_old.code.languages import ending
from yg_old.kernel.errors import UnreadableError
from yg_old.text import paths
from yg_old.yggdrasil.drift.baseline import state_file
from yg_old.yggdrasil.drift.baseline_parts import has_current_facts, recorded_facts
from yg_old.yggdrasil.drift.states import How, Mention, State
from yg_old.yggdrasil.model import NODE_FILE
from yg_old.yggdrasil.resolve import node_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg_old.code.change_class import CodeChange
    from yg_old.code.facts import FileFacts
    from yg_old.yggdrasil.drift.baseline import Baseline
    from yg_old.yggdrasil.drift.states import NodeDrift, SourceChange
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import DriftGate, Node

UNNAMED = "default"  # what a script exports without a name: a text with the word means no part
_WORD = re.compile(r"\w+")
_WITHOUT_SOURCE = {State.SOURCE: State.OK, State.FULL: State.GRAPH}
_WITHOUT_OLD = (How.ADDED, How.UNREADABLE)  # changes without an old content, or a new one


class FactsReader(Protocol):
    """Reads the facts of source files."""

    def of(self, path: str) -> FileFacts | None:
        """Return the facts of a file; None if it has none or cannot be read."""


class ContentReader(Protocol):
    """Reads the facts of contents that are no longer in the work tree."""

    def of(self, path: str, digest: str) -> FileFacts | None:
        """Return the facts of a content; None if it is nowhere, or cannot be read."""


class Classifier:
    """Adds classes, names, parts and mentions to the drift of nodes."""

    def __init__(
        self, graph: Graph, facts: FactsReader, contents: ContentReader | None = None
    ) -> None:
        self._graph = graph
        self._facts = facts
        self._contents = contents
        self.notes: list[str] = []  # about the facts in baselines

    def classified(self, drift: NodeDrift, baseline: Baseline | None) -> NodeDrift:
        """Return the drift of a node with the class of each changed source."""
        if baseline is None or not drift.source:
            return drift
        recorded, problem = recorded_facts(baseline)
        if problem:
            self.notes.append(f"{state_file(drift.node)}: {problem}")
        searched = dict(self._searched(drift, baseline))
        if not has_current_facts(baseline):
            recorded = {path: found for path, found in recorded.items() if not _is_rust(path)}
        if not recorded and not searched:
            return drift
        words = _Words(self._graph, drift.node)
        before = {**recorded, **searched}
        source = [self._classified(change, before, words) for change in drift.source]
        # The new place of a file is no other change than its move.
        moves = {change.to: change for change in source if change.to}
        return replace(
            drift,
            source=tuple(
                replace(change, kind=moves[change.path].kind, names=(), parts=(), mentions=UNSET)
                if change.path in moves
                else change
                for change in source
            ),
        )

    def _searched(self, drift: NodeDrift, baseline: Baseline) -> Iterator[tuple[str, FileFacts]]:
        """Yield the facts of recorded contents of which the baseline has none, or older ones."""
        if self._contents is None:
            return
        for path, digest in without_facts(drift, baseline, self._facts):
            facts = self._contents.of(path, digest)
            if facts is not None:
                yield path, facts

    def _classified(
        self,
        change: SourceChange,
        recorded: Mapping[str, FileFacts],
        words: _Words,
    ) -> SourceChange:
        found = self._compared(change, recorded)
        if found is None:
            return change
        gone = (name.name for name in found.names if name.change is not NameChangeKind.ADDED)
        names = [name for name in gone if name != UNNAMED]
        mentions = tuple(words.mentions(names)) if names else ()
        return replace(
            change,
            kind=found.kind,
            names=found.names,
            parts=found.parts,
            mentions=mentions or UNSET,
        )

    def _compared(
        self, change: SourceChange, recorded: Mapping[str, FileFacts]
    ) -> CodeChange | None:
        match change.how:
            case How.CHANGED:
                before = recorded.get(change.path)
                return compare(before, self._facts.of(change.path)) if before else None
            case How.ADDED:
                return of_added(self._facts.of(change.path))
            case How.MOVED if change.kind is ChangeClass.COSMETIC:
                return None
            case How.MOVED if change.to:
                return compare(recorded.get(change.path), self._facts.of(change.to))
            case How.DELETED | How.MOVED | How.UNTRACKED:
                return of_removed(recorded.get(change.path))
        return None


def _is_rust(path: str) -> bool:
    """Tell whether a file is one of Rust, of which older facts have fewer public names."""
    return ending(path) == "rs"


def without_facts(
    drift: NodeDrift, baseline: Baseline | None, facts: FactsReader
) -> Iterator[tuple[str, str]]:
    """Yield the changed sources, with digests, of which a baseline does not know enough.

    It has no facts of our algorithm, or a public name has changed whose header it does not have.
    """
    if baseline is None or not drift.source:
        return
    known = recorded_facts(baseline)[0] if has_current_facts(baseline) else {}
    for change in drift.source:
        digest = baseline.files.get(change.path)
        if not digest or change.how in _WITHOUT_OLD:
            continue
        if change.path not in known or _lacks_header(known[change.path], change, facts):
            yield change.path, digest


def _lacks_header(before: FileFacts, change: SourceChange, facts: FactsReader) -> bool:
    """Tell whether a public name was changed or removed whose header is not recorded."""
    after = facts.of(change.path) if change.how is How.CHANGED else None
    now = after.signatures if after else {}
    return any(
        not old.header and (name not in now or now[name].digest != old.digest)
        for name, old in before.signatures.items()
    )


class _Words:
    """The words in the texts of a node."""

    def __init__(self, graph: Graph, node: str) -> None:
        self._graph = graph
        self._node = node
        self._words: dict[str, frozenset[str]] | None = None

    def mentions(self, names: list[str]) -> Iterator[Mention]:
        """Yield the texts that contain the last part of some names."""
        if self._words is None:
            self._words = dict(_words(self._graph, self._node))
        for file, words in self._words.items():
            found = tuple(name for name in names if name.rpartition(".")[2] in words)
            if found:
                yield Mention(file, found)


def _words(graph: Graph, path: str) -> Iterator[tuple[str, frozenset[str]]]:
    node = graph.nodes.get(path)
    if node is None:
        return
    for document in node_texts(graph, node):
        try:
            text = document.source.value
        except UnreadableError:
            continue  # validation reports it
        yield document.name, frozenset(_WORD.findall(text))


def tolerated(drift: NodeDrift, most: ChangeClass | None) -> NodeDrift:
    """Return the drift of a node without that of its sources if no change is above a class.

    A node with missing paths is left as it is: its mapping has to be corrected.
    """
    worst = drift.worst
    without = None if drift.missing_paths else _WITHOUT_SOURCE.get(drift.state)
    if most is None or worst is None or without is None or worst.rank > most.rank:
        return drift
    return replace(drift, state=without)


def fails(drift: NodeDrift, least: ChangeClass | None) -> bool:
    """Tell whether the drift of a node is a failure, given the lowest class that is one.

    Without a class, every state but `ok` is. Changes of the graph, missing files and a missing
    baseline have no class: they always fail.
    """
    if least is None or drift.state not in (State.SOURCE, State.OK) or drift.is_unrecorded:
        return drift.state is not State.OK
    is_readable = all(change.how is not How.UNREADABLE for change in drift.source)
    return not is_readable or _reaches(drift, least)


def needs_reason(drift: NodeDrift, node: Node, gate: DriftGate | None) -> bool:
    """Tell whether the class of a change needs a reason, because no text of the node changed."""
    least = gate.change_class if gate else None
    if least is None or not drift.has_baseline or not _reaches(drift, least):
        return False
    return not has_own_change(drift, node)


def has_own_change(drift: NodeDrift, node: Node) -> bool:
    """Tell whether a text of a node changed since its baseline."""
    return any(is_own_text(node, change.path) for change in drift.graph)


def _reaches(drift: NodeDrift, least: ChangeClass) -> bool:
    return any(change.kind.rank >= least.rank for change in drift.source)


def is_own_text(node: Node, path: str) -> bool:
    """Tell whether a graph file or document is a text of a node, present or deleted."""
    if any(reference.text == path for reference in node.references):
        return True
    return paths.parent(path) == node.directory and paths.name_of(path) != NODE_FILE


def is_cosmetic(drift: NodeDrift) -> bool:
    """Tell whether a node can be recorded unseen: only comments or documentation changed."""
    worst = drift.worst
    is_small = worst is None or worst.rank <= ChangeClass.DOCS.rank
    return drift.has_baseline and drift.state in (State.SOURCE, State.OK) and is_small
