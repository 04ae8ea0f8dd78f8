"""A toy kind of graph, to show that a kind is one folder and one record: lines like `a -> b c`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.kernel import dependencies, impact, plan
from yg.kernel import export as export_values
from yg.kernel.dependencies import DependencyTree, Edge, Needs, Target
from yg.kernel.errors import NotFoundError, RefusedError, UnreadableError
from yg.kernel.export import Draft, EdgeKind, Export, Presence, VertexKind, updated
from yg.kernel.face import Face
from yg.kernel.find import Card, Catalogue, gist_of
from yg.kernel.format import Format
from yg.kernel.impact import Dependent, NodeImpact, Tie
from yg.kernel.issue import Finding, Place, Severity
from yg.kernel.outline import Outline, OutlineEntry, OutlineNode
from yg.kernel.package import Block, BlockKind, Budget, Document, Package
from yg.kernel.paths import ROOT
from yg.kernel.plan import Plan
from yg.kernel.rule import Rule, check, rule
from yg.kernel.snapshot import Snapshot
from yg.kernel.sources import Sources
from yg.kernel.status import Share, Status
from yg.kernel.suggest import did_you_mean, nearest
from yg.kernel.verdict import Verdict

if TYPE_CHECKING:
    from yg.kernel.face import Depth, Measure

FOLDER = "toy"


@dataclass(frozen=True)
class Toy:
    """The words of all files, and what each leads to."""

    snapshot: Snapshot
    words: dict[str, tuple[str, ...]]
    files: dict[str, str]  # where each word stands
    bad: tuple[Finding, ...]


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


def find(toy: Toy, _sources: Sources, name: str) -> str:
    return scope(toy, name)


def scope(toy: Toy, name: str) -> str:
    if name not in toy.words:
        raise NotFoundError(f"no word '{name}'", hint=did_you_mean(nearest(name, toy.words)))
    return name


def skipped(toy: Toy, _within: str) -> Sequence[Finding]:
    return toy.bad


def own(toy: Toy, word: str) -> Sequence[Document]:
    return _block(toy, BlockKind.OWN, word).documents


def package(toy: Toy, word: str, _depth: Depth | None) -> Package:
    known = (each for each in toy.words[word] if each in toy.words)
    blocks = [_block(toy, BlockKind.OWN, word), *(_block(toy, BlockKind.FLOW, w) for w in known)]
    budget = Budget(warning=10, error=20)
    return Package(path=word, name=word, type="word", blocks=tuple(blocks), budget=budget)


def _block(toy: Toy, kind: BlockKind, word: str) -> Block:
    file = toy.files[word]
    return Block(
        kind=kind,
        subject=word,
        attributes=(("name", word),),
        documents=(Document(word, toy.snapshot.text(file)),),
        decided_by=(file,),
        because=("a line",),
    )


def validate(toy: Toy, _sources: Sources, _measure: Measure | None) -> Verdict:
    return Verdict("", len(toy.words), check(RULES, toy))


def within(_toy: Toy, verdict: Verdict, scope: str) -> Verdict:
    return Verdict(scope, 1, verdict.issues)


def outline(toy: Toy, root: str, depth: int | None) -> Outline:
    words = list(toy.words) if depth != 0 and root == ROOT else []
    top = OutlineEntry(path=root, label=f"{FOLDER}/", level=0, is_last=True)
    entries = (
        OutlineEntry(
            path=word,
            label=word,
            level=1,
            is_last=word == words[-1],
            node=OutlineNode(name=word, type="word", links=len(toy.words[word])),
        )
        for word in words
    )
    return Outline(root=root, links="words", shows_names=False, entries=(top, *entries))


def deps(toy: Toy, word: str, depth: int | None) -> DependencyTree:
    needs = Needs(
        edges=lambda each: [Edge("to", other) for other in toy.words.get(each, ())],
        target=lambda each: Target(is_broken=each not in toy.words),
    )
    return dependencies.dependency_tree(needs, word, depth)


def node_impact(toy: Toy, word: str) -> NodeImpact:
    incoming: dict[str, list[str]] = {}
    for each, targets in toy.words.items():
        for target in dict.fromkeys(targets):
            incoming.setdefault(target, []).append(each)
    direct = [each for each in incoming.get(word, ()) if each != word]
    return NodeImpact(
        node=word,
        direct=tuple(Dependent(each, (Tie("to"),)) for each in direct),
        transitive=impact.dependents(incoming, word, direct),
        descendants=(),
    )


def plan_of(toy: Toy, only: Collection[str] | None) -> Plan:
    chosen = [word for word in toy.words if only is None or word in only]
    found = plan.plan_of(_needs(toy), chosen)
    if found is None:
        raise RefusedError("words lead in a circle")
    return found


def needed(toy: Toy, word: str) -> frozenset[str]:
    return plan.needed_for(_needs(toy), word)


def _needs(toy: Toy) -> dict[str, tuple[str, ...]]:
    return {
        word: tuple(dict.fromkeys(each for each in targets if each in toy.words))
        for word, targets in toy.words.items()
    }


def status(toy: Toy) -> Status:
    leading = sum(bool(targets) for targets in toy.words.values())
    return Status(
        name="Toy",
        nodes=len(toy.words),
        types=(("word", len(toy.words)),),
        links=(("to", sum(map(len, toy.words.values()))),),
        shares=(Share("Ways", leading, len(toy.words), "words lead somewhere"),),
    )


def catalogue(toy: Toy) -> Catalogue:
    return Catalogue(
        tuple(
            Card(path=word, name=word, type="word", about=gist_of("A word.")) for word in toy.words
        )
    )


def export(toy: Toy, repository: str) -> Export:
    draft = Draft(repository, ["word"])
    for word, targets in toy.words.items():
        known = draft.vertex(VertexKind.NODE, word)
        vertex = replace(known, type="word", presence=Presence.PRESENT)
        draft.add(vertex)
        for target in targets:
            edge = export_values.Edge(kind=EdgeKind.RELATION, type="to")
            draft.link(vertex, draft.vertex(VertexKind.NODE, target), edge)
    return draft.finished()


def sized(toy: Toy, found: Export, _measure: Measure | None) -> Export:
    return updated(
        found,
        lambda each: (
            replace(each, tokens=package(toy, each.path, None).tokens)
            if each.path in toy.words
            else each
        ),
    )


FACE = Face(
    read=read,
    find=find,
    scope=scope,
    listed=lambda toy: toy.words,
    skipped=skipped,
    own=own,
    package=package,
    validate=validate,
    within=within,
    rules=lambda: RULES,
    outline=outline,
    dependencies=deps,
    impact=node_impact,
    plan=plan_of,
    needed=needed,
    status=status,
    catalogue=catalogue,
    export=export,
    sized=sized,
)
TOY = Format(name="toy", folder=FOLDER, marker=FOLDER, style="text", load=lambda: FACE)
