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

from yg_old.code.change_class import compare, of_added, of_removed
from yg_old.code.languages import ENDINGS, ending
from yg_old.code.read import read_facts, read_words
from yg_old.code.values import numbers_in
from yg_old.disk.git.commits import GitSnapshot, Objects, tree_rows
from yg_old.kernel.errors import UnreadableError, YgError
from yg_old.kernel.snapshot import MAX_TEXT, PIECE
from yg_old.kernel.sources import SnapshotSources
from yg_old.text.sentences import sentences
from yg_old.workspace.opening import open_workspace
from yg_old.yggdrasil.owners import Ownership
from yg_old.yggdrasil.places import is_graph_file
from yg_old.yggdrasil.review.changes import ABSENT, ChangedFile, Version, changed_parts
from yg_old.yggdrasil.review.evidence import DIGITS, Evidence, find_sentences
from yg_old.yggdrasil.review.mentions import mentions_in
from yg_old.yggdrasil.review.search import Whose
from yg_old.yggdrasil.review.texts import GraphTexts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg_old.text.sentences import Sentence
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.review.evidence import FoundSentence

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

    def named(self, state: State, path: str) -> frozenset[str]:
        """Return the names of code and the numbers in a text of a commit."""
        blob = state.files.get(path)
        text = self.content(path, blob).decode("utf-8", "replace") if blob else ""
        return frozenset().union(*map(named, sentences(text)))

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
        if self.graph is None:
            raise ValueError("this commit has no graph")
        snapshot = GitSnapshot(self._history.root, self.commit, "")
        return Ownership(self.graph, SnapshotSources(snapshot))

    @cached_property
    def all_sentences(self) -> frozenset[str]:
        """All sentences of the graph."""
        texts = (path for path in self.files if is_graph_file(path) and path.endswith(".md"))
        return frozenset().union(*(self._history.sentences(p, self.files[p]) for p in texts))

    @cached_property
    def words(self) -> list[frozenset[str]]:
        """The words in the code of each file."""
        code = (path for path in self.files if ending(path) in ENDINGS)
        return [self._history.words(path, self.files[path]) for path in code]

    @cached_property
    def all_words(self) -> frozenset[str]:
        """All words in the code."""
        return frozenset().union(*self.words)

    def has_name(self, name: str) -> bool:
        """Return whether a name is in the code."""
        return name in self.all_words

    def has_words(self, words: Iterable[str]) -> bool:
        """Return whether one file has all these words in its code."""
        wanted = frozenset(word for word in words if not word[0].isdigit())
        return any(wanted <= found for found in self.words)


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
        self.lost = 0  # those of them with a name or number that the text no longer has
        self.lost_found = 0
        self.followed = self.followed_right = 0  # of changes after which some text was changed
        self.corrected = 0  # changes after which a sentence was changed
        self.missed: list[str] = []
        self.wrong: list[FoundSentence] = []  # that nobody changed

    def add(
        self,
        found: Sequence[FoundSentence],
        changed: frozenset[str],
        own: frozenset[str],
        lost: frozenset[str],
    ) -> None:
        """Add one change: sentences found, and those of the looked-at texts that were changed."""
        self.changes += 1
        self.named.append(len(found))
        self.strong.append(sum(each.evidence.is_strong for each in found))
        texts = {each.sentence.text for each in found}
        for each in found:
            self.flagged[each.evidence] += 1
            self.right[each.evidence] += each.sentence.text in changed
            if each.sentence.text not in changed:
                self.wrong.append(each)
        if changed:
            self.followed += len(found)
            self.followed_right += sum(each.sentence.text in changed for each in found)
        self.corrected += bool(own)
        self.changed += len(own)
        self.found += len(own & texts)
        self.lost += len(lost)
        self.lost_found += len(lost & texts)
        self.missed += sorted(lost - texts)


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
    graph = old.graph
    if graph is None:
        return
    texts = GraphTexts(graph)
    for path, files in sorted(nodes.items()):
        node = graph.nodes.get(path)
        parts = changed_parts(files)
        if node is None or not parts or not any(map(counts, files)):
            continue
        about = texts.about(node)
        findings = find_sentences(about, parts, new)
        changed = frozenset(
            sentence.text for _, sentence in about.rows if sentence.text not in later.all_sentences
        )
        own = frozenset(
            sentence.text
            for text, sentence in about.rows
            if text.whose is Whose.OWN and sentence.text in changed and named(sentence)
        )
        lost = frozenset(
            sentence.text
            for text, sentence in about.rows
            if sentence.text in own and not named(sentence) <= history.named(later, text.file)
        )
        figures.add(findings.sentences, changed, own, lost)


def named(sentence: Sentence) -> frozenset[str]:
    """Return the names of code and the numbers in a sentence."""
    numbers = (number.key for number in numbers_in(sentence.text) if len(number.key) >= DIGITS)
    return frozenset((*mentions_in(sentence), *numbers))


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
    yield f"recall where a name or number left the text: {share(figures.lost_found, figures.lost)}"
    yield f"precision: {share(right, flagged)}"
    where = "where a text that was looked at was changed at all"
    yield f"precision {where}: {share(figures.followed_right, figures.followed)}"
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
    parser.add_argument("--wrong", action="store_true", help="list named sentences nobody changed")
    options = parser.parse_args()
    started = time.perf_counter()
    history = History(options.repository)
    commits = history.commits(options.revision)[-options.most - 1 if options.most else None :]
    figures = measure(history, commits, options.next)
    for line in lines(figures, len(commits) - 1, time.perf_counter() - started):
        print(line)
    if options.wrong:
        for found in figures.wrong:
            parts = ", ".join(f"{part.name} {part.change}" for part in found.parts)
            values = [value.text for value in found.values]
            print(f"{found.evidence}: {found.text.file}: {found.sentence.shown} ({parts}) {values}")
    if options.missed:
        print(*figures.missed, sep="\n")


if __name__ == "__main__":
    sys.exit(main())
