"""A toy kind of graph, to show that a kind is one folder and one class: lines like `a -> b c`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.kernel import dependencies, impact, plan
from yg.kernel import export as export_values
from yg.kernel.compare import DiffImpact, Shift
from yg.kernel.dependencies import DependencyTree, Edge, Needs, Target
from yg.kernel.errors import NotFoundError, RefusedError, UnreadableError
from yg.kernel.export import EdgeKind, Export, ExportBuilder, Presence, VertexKind, updated
from yg.kernel.find import SearchedText, Texts
from yg.kernel.impact import Dependent, NodeImpact, Tie
from yg.kernel.issue import Finding, Issue, Place, Severity, Verdict
from yg.kernel.overview import Outline, OutlineEntry, Share, Status, TreeNode
from yg.kernel.package import Budget, Document
from yg.kernel.plan import Plan
from yg.kernel.queries import Format
from yg.kernel.rule import Rule, check, check_in_steps, rule
from yg.kernel.snapshot import Snapshot, Text
from yg.kernel.sources import Sources
from yg.text.paths import ROOT, name_of
from yg.text.suggest import did_you_mean, nearest
from yg.yggdrasil.block_kind import BlockKind
from yg.yggdrasil.package.blocks import Block, ContextPackage, PackageNode

if TYPE_CHECKING:
    from typing import Self

    from yg.kernel.queries import Depth
    from yg.kernel.steps import Steps
    from yg.kernel.view import PackageView

FOLDER = "toy"


BUDGET = Budget(warning=10, error=20)


@dataclass(frozen=True)
class Toy:
    """The words of all files, and what each leads to."""

    snapshot: Snapshot
    words: dict[str, tuple[str, ...]]
    files: dict[str, str]  # where each word stands
    bad: tuple[Finding, ...]
    configured_budget: Budget = BUDGET


def read(snapshot: Snapshot) -> Toy:
    words: dict[str, tuple[str, ...]] = {}
    files: dict[str, str] = {}
    bad = []
    for name in snapshot.entries(FOLDER):
        file = f"{FOLDER}/{name}"
        try:
            lines = snapshot.text(file).value.splitlines()
        except UnreadableError as error:
            bad.append(Finding(name, error.reason, Place(file)))
            continue
        for line in lines:
            word, _, rest = line.partition("->")
            words[word.strip()] = tuple(rest.split())
            files[word.strip()] = file
    return Toy(snapshot, dict(sorted(words.items())), files, tuple(bad))


@rule("T001", "unreadable-words", Severity.ERROR)
def unreadable_words(toy: Toy) -> Iterator[Finding]:
    """Every file can be read.

    Why: its words are missing.
    Fix: write it in UTF-8.
    Example:
        a -> b
    """
    yield from toy.bad


RULES: tuple[Rule[Toy], ...] = (unreadable_words,)


class ToyQueries:
    """Queries to a toy graph."""

    tokenizer = ""

    def __init__(self, graph: Toy) -> None:
        self.graph = graph

    @classmethod
    def read(cls, snapshot: Snapshot, tokenizer: str | None = None) -> Self:  # noqa: ARG003
        return cls(read(snapshot))

    @staticmethod
    def rules() -> Sequence[Rule[Toy]]:
        return RULES

    def all_ids(self) -> Iterable[str]:
        return self.graph.words

    def find(self, _sources: Sources, name: str) -> str:
        return self.scope(name)

    def scope(self, name: str) -> str:
        if name not in self.graph.words:
            raise NotFoundError(
                f"no word '{name}'", hint=did_you_mean(nearest(name, self.graph.words))
            )
        return name

    def unread_configuration(self) -> Sequence[Finding]:
        return ()

    def skipped(self, _within: str) -> Sequence[Finding]:
        return self.graph.bad

    def own_documents(self, word: str) -> Sequence[Document]:
        return _block(self.graph, BlockKind.OWN, word).documents

    def own_texts(self, word: str) -> Sequence[Document]:
        return self.own_documents(word)

    def package(self, word: str, _depth: Depth | None) -> ContextPackage:
        known = (each for each in self.graph.words[word] if each in self.graph.words)
        blocks = [
            _block(self.graph, BlockKind.OWN, word),
            *(_block(self.graph, BlockKind.FLOW, w) for w in known),
        ]
        return ContextPackage(
            nodes=(PackageNode(word, word, "word"),),
            parts=tuple(blocks),
            budget=self.graph.configured_budget,
        )

    @staticmethod
    def part_kinds() -> Sequence[str]:
        return ()

    def view(self, packages: Sequence[ContextPackage], _view: PackageView) -> ContextPackage:
        return packages[0]

    def packages(self) -> Iterator[ContextPackage]:
        return (self.package(word, None) for word in self.graph.words)

    def validate(self, _sources: Sources) -> Verdict:
        return Verdict("", len(self.graph.words), check(RULES, self.graph))

    def issues_in_steps(self, _sources: Sources) -> Steps[tuple[Issue, ...]]:
        return check_in_steps(RULES, self.graph)

    def restrict(self, verdict: Verdict, scope: str) -> Verdict:
        return Verdict(scope, 1, verdict.issues)

    def outline(self, root: str, depth: int | None) -> Outline:
        words = list(self.graph.words) if depth != 0 and root == ROOT else []
        top = OutlineEntry(path=root, label=f"{FOLDER}/", level=0, is_last=True)
        entries = (
            OutlineEntry(
                path=word,
                label=word,
                level=1,
                is_last=word == words[-1],
                node=TreeNode(
                    path=word,
                    level=0,
                    name=word,
                    type="word",
                    relations=len(self.graph.words[word]),
                ),
            )
            for word in words
        )
        return Outline(
            root=root,
            links="words",
            one_link="word",
            shows_names=False,
            entries=(top, *entries),
        )

    def dependencies(self, word: str, depth: int | None) -> DependencyTree:
        needs = Needs(
            edges=lambda each: [Edge("to", other) for other in self.graph.words.get(each, ())],
            target=lambda each: Target(is_broken=each not in self.graph.words),
        )
        return dependencies.dependency_tree(needs, word, depth)

    def impact(self, word: str) -> NodeImpact:
        incoming: dict[str, list[str]] = {}
        for each, targets in self.graph.words.items():
            for target in dict.fromkeys(targets):
                incoming.setdefault(target, []).append(each)
        direct = [each for each in incoming.get(word, ()) if each != word]
        return NodeImpact(
            node=word,
            direct=tuple(Dependent(each, (Tie("to"),)) for each in direct),
            transitive=impact.dependents(incoming, word, direct),
            descendants=(),
        )

    def compare(self, then: Self, words: Iterable[str]) -> Iterator[Shift]:
        for word in words:
            yield Shift(word, then.package(word, None), self.package(word, None))

    def diff(self, then: Self, _sources: Sources, files: Sequence[str], since: str) -> DiffImpact:
        changed = self.changed(lambda: then, _sources, files)
        shifts = tuple(self.compare(then, changed))
        return DiffImpact(since=since, graph_files=tuple(files), shifts=shifts, reached=())

    def changed(
        self, _then: Callable[[], Self], _sources: Sources, files: Sequence[str]
    ) -> tuple[str, ...]:
        return tuple(word for word in self.graph.words if self.graph.files[word] in files)

    def plan(
        self,
        only: Collection[str] | None,
        *,
        unmapped: bool = False,  # noqa: ARG002
        lenient: bool = False,  # noqa: ARG002
    ) -> Plan:
        chosen = [word for word in self.graph.words if only is None or word in only]
        found = plan.plan_of(_needs(self.graph), chosen)
        if found.cycles:
            raise RefusedError("words lead in a circle")
        return found

    def notes(self) -> Sequence[str]:
        return ()

    def levels(self) -> Sequence[Rule[Toy]]:
        return self.rules()

    def needed(self, word: str) -> frozenset[str]:
        return plan.needed_for(_needs(self.graph), [word])

    def status(self) -> Status:
        leading = sum(bool(targets) for targets in self.graph.words.values())
        return Status(
            name="Toy",
            nodes=len(self.graph.words),
            types={"word": len(self.graph.words)},
            links={"to": sum(map(len, self.graph.words.values()))},
            shares=(Share("Ways", leading, len(self.graph.words), "words lead somewhere"),),
        )

    def texts(self) -> Texts:
        entries = (
            SearchedText(kind="node", path=word, document=name_of(file), file=file, name=word)
            for word, file in self.graph.files.items()
        )
        return Texts(entries, self.graph.bad)

    def searched_text(self, entry: SearchedText) -> Text:
        return self.graph.snapshot.text(entry.file)

    def export(self, repository: str) -> Export:
        builder = ExportBuilder(repository, ["word"])
        for word, targets in self.graph.words.items():
            known = builder.vertex(VertexKind.NODE, word)
            vertex = replace(known, type="word", presence=Presence.PRESENT)
            builder.add(vertex)
            for target in targets:
                edge = export_values.ExportEdge(kind=EdgeKind.RELATION, type="to")
                builder.link(vertex, builder.vertex(VertexKind.NODE, target), edge)
        return builder.finished()

    def with_sizes(self, found: Export) -> Export:
        return updated(
            found,
            lambda each: (
                replace(each, tokens=self.package(each.path, None).tokens)
                if each.path in self.graph.words
                else each
            ),
        )


def _block(toy: Toy, kind: BlockKind, word: str) -> Block:
    file = toy.files[word]
    return Block(
        kind=kind,
        subject=word,
        attributes=(("name", word),),
        documents=(Document(word, toy.snapshot.text(file)),),
        source_files=(file,),
        reasons=("a line",),
    )


def _needs(toy: Toy) -> dict[str, tuple[str, ...]]:
    return {
        word: tuple(dict.fromkeys(each for each in targets if each in toy.words))
        for word, targets in toy.words.items()
    }


TOY = Format(name="toy", folder=FOLDER, marker=FOLDER, style="text", load=lambda: ToyQueries)
