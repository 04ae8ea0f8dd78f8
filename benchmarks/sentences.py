"""Measure `yg review` on a git history that holds a graph.

For every commit that changes parts of a node, the sentences that a review names are compared with
those that the same or one of the next commits changed. Usage: sentences.py REPOSITORY
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import Counter
from functools import cache, cached_property
from statistics import median, quantiles
from typing import TYPE_CHECKING

from yg.code.change_class import compare, of_added, of_removed
from yg.code.languages import ENDINGS, ending
from yg.code.read import read_facts, read_words
from yg.code.values import numbers_in
from yg.disk.git.commits import GitSnapshot, Objects, tree_rows
from yg.kernel.errors import UnreadableError, YgError
from yg.kernel.snapshot import MAX_TEXT, PIECE
from yg.kernel.sources import SnapshotSources
from yg.text.sentences import sentences
from yg.workspace.opening import open_workspace
from yg.yggdrasil.drift.states import is_graph_file
from yg.yggdrasil.owners import Ownership
from yg.yggdrasil.review.changes import ABSENT, ChangedFile, Version, changed_parts
from yg.yggdrasil.review.evidence import Evidence, Whose, find_sentences
from yg.yggdrasil.review.mentions import mentions_in
from yg.yggdrasil.review.texts import GraphTexts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.review.evidence import FoundSentence

NEXT = 3  # commits after a change in which its sentences may be corrected
FEW = 20  # values, below which there are no percentiles


class History:
    """The blobs of a repository; each is read and scanned once."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.objects = Objects(root)
        self.content = cache(self._content)
        self.version = cache(self._version)
        self.words = cache(self._words)
        self.sentences = cache(self._sentences)

    def commits(self, revision: str) -> list[str]:
        """Return the commits of the main line, the oldest first."""
        command = ["git", "-C", self.root, "rev-list", "--first-parent", "--reverse", revision]
        return subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()

    @cache  # noqa: B019 - as long as the program runs
    def files(self, commit: str) -> dict[str, bytes]:
        """Return the blobs of a commit by path."""
        return {row.path: row.blob for row in tree_rows(self.root, commit, "")}

    def _content(self, path: str, blob: bytes) -> bytes:
        try:
            return b"".join(self.objects.pieces(path, blob, PIECE, MAX_TEXT))
        except UnreadableError:
            return b""

    def _version(self, path: str, blob: bytes) -> Version:
        content = self.content(path, blob)
        text = content.decode("utf-8-sig", "replace").replace("\r\n", "\n")
        return Version(read_facts(path, content), text)

    def _words(self, path: str, blob: bytes) -> frozenset[str]:
        return frozenset(read_words(path, self.content(path, blob)) or ())

    def _sentences(self, path: str, blob: bytes) -> frozenset[str]:
        text = self.content(path, blob).decode("utf-8", "replace")
        return frozenset(sentence.text for sentence in sentences(text))


class State:
    """The graph and the code of one commit."""

    def __init__(self, history: History, commit: str) -> None:
        self._history = history
        self.commit = commit
        self.files = history.files(commit)

    @cached_property
    def graph(self) -> Graph | None:
        """The graph; None if there is none that can be read."""
        try:
            return open_workspace(self._history.root, self.commit).graph
        except YgError:
            return None

    @cached_property
    def ownership(self) -> Ownership:
        """The owners of files."""
        snapshot = GitSnapshot(self._history.root, self.commit, "")
        assert self.graph is not None
        return Ownership(self.graph, SnapshotSources(snapshot))

    @cached_property
    def all_sentences(self) -> frozenset[str]:
        """All sentences of the graph."""
        texts = (path for path in self.files if is_graph_file(path) and path.endswith(".md"))
        return frozenset().union(*(self._history.sentences(p, self.files[p]) for p in texts))

    @cached_property
    def all_words(self) -> frozenset[str]:
        """All words in the code."""
        code = (path for path in self.files if ending(path) in ENDINGS)
        return frozenset().union(*(self._history.words(p, self.files[p]) for p in code))


class Figures:
    """What was found."""

    def __init__(self) -> None:
        self.changes = 0  # commits and nodes
        self.named: list[int] = []  # sentences of each change
        self.strong: list[int] = []
        self.flagged: Counter[Evidence] = Counter()
        self.right: Counter[Evidence] = Counter()
        self.changed = 0  # sentences that name anything and were changed
        self.found = 0
        self.corrected = 0  # changes after which a sentence was changed
        self.missed: list[str] = []

    def add(
        self, found: Sequence[FoundSentence], changed: frozenset[str], own: frozenset[str]
    ) -> None:
        """Add one change: sentences found, and those of the looked-at texts that were changed."""
        self.changes += 1
        self.named.append(len(found))
        self.strong.append(sum(each.evidence.is_strong for each in found))
        texts = {each.sentence.text for each in found}
        for each in found:
            self.flagged[each.evidence] += 1
            self.right[each.evidence] += each.sentence.text in changed
        self.corrected += bool(own)
        self.changed += len(own)
        self.found += len(own & texts)
        self.missed += sorted(own - texts)


def measure(history: History, commits: Sequence[str], window: int) -> Figures:
    """Review every commit, and compare with the texts a few commits later."""
    figures = Figures()
    parent = State(history, commits[0])
    for number, commit in enumerate(commits[1:], 1):
        state = State(history, commit)
        if state.files.keys() and parent.graph is not None:
            later = State(history, commits[min(number + window, len(commits) - 1)])
            review(history, parent, state, later, figures)
        parent = state
    return figures


def review(history: History, old: State, new: State, later: State, figures: Figures) -> None:
    """Review the nodes whose code a commit changes."""
    paths = sorted(
        path
        for path in old.files.keys() | new.files.keys()
        if old.files.get(path) != new.files.get(path) and not is_graph_file(path)
    )
    nodes: dict[str, list[ChangedFile]] = {}
    for path in paths:
        owner = old.ownership.get(path)
        if owner is not None:
            before, after = version_of(history, old, path), version_of(history, new, path)
            nodes.setdefault(owner.node, []).append(ChangedFile(path, before, after))
    assert old.graph is not None
    texts = GraphTexts(old.graph)
    for path, files in sorted(nodes.items()):
        node = old.graph.nodes.get(path)
        parts = changed_parts(files)
        if node is None or not parts or not any(map(counts, files)):
            continue
        about = texts.about(node)
        findings = find_sentences(about, parts, lambda name: name not in new.all_words)
        changed = frozenset(
            sentence.text
            for _, sentence in about.rows
            if sentence.text not in later.all_sentences
        )
        own = frozenset(
            sentence.text
            for text, sentence in about.rows
            if text.whose is Whose.OWN and sentence.text in changed and names_anything(sentence)
        )
        figures.add(findings.sentences, changed, own)


def names_anything(sentence) -> bool:  # noqa: ANN001
    """Tell whether a sentence has a name of code or a number."""
    return bool(mentions_in(sentence)) or any(len(n.key) > 2 for n in numbers_in(sentence.text))


def version_of(history: History, state: State, path: str) -> Version:
    """Return a file of a commit."""
    blob = state.files.get(path)
    return history.version(path, blob) if blob is not None else ABSENT


def counts(file: ChangedFile) -> bool:
    """Tell whether a change has a class that texts can be about."""
    old, new = file.old, file.new
    if old.is_absent:
        return of_added(new.facts).kind.rank > 2
    if new.is_absent:
        return of_removed(old.facts).kind.rank > 2
    return compare(old.facts, new.facts).kind.rank > 2


def lines(figures: Figures, commits: int, seconds: float) -> Iterator[str]:
    """Yield the figures as text."""
    flagged, right = sum(figures.flagged.values()), sum(figures.right.values())
    yield f"{commits} commits, {figures.changes} changes of a node's parts ({seconds:.0f} s)"
    yield f"changes after which one of the node's sentences was changed: {figures.corrected}"
    yield f"recall: {share(figures.found, figures.changed)}"
    yield f"precision: {share(right, flagged)}"
    for evidence in Evidence:
        yield f"  {evidence}: {share(figures.right[evidence], figures.flagged[evidence])}"
    yield f"sentences per change: {spread(figures.named)}"
    yield f"  with evidence value or gone: {spread(figures.strong)}"


def share(part: int, whole: int) -> str:
    """Write a share of a number."""
    return f"{part / whole:.2f} ({part} of {whole})" if whole else "none"


def spread(values: Sequence[int]) -> str:
    """Write the median and the 95th percentile."""
    if len(values) < FEW:
        return f"{sorted(values)}"
    return f"median {median(values):g}, 95th percentile {quantiles(values, n=20)[-1]:g}"


def main() -> None:
    """Measure a repository."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository")
    parser.add_argument("--revision", default="HEAD", help="the newest commit to look at")
    parser.add_argument("--most", type=int, default=0, help="look at so many commits only")
    parser.add_argument("--next", type=int, default=NEXT, help="commits in which texts may follow")
    parser.add_argument("--missed", action="store_true", help="list changed sentences not named")
    options = parser.parse_args()
    started = time.perf_counter()
    history = History(options.repository)
    commits = history.commits(options.revision)[-options.most - 1 if options.most else None :]
    figures = measure(history, commits, options.next)
    for line in lines(figures, len(commits) - 1, time.perf_counter() - started):
        print(line)
    if options.missed:
        print(*figures.missed, sep="\n")


if __name__ == "__main__":
    sys.exit(main())
