"""Classes decide what is tolerated, what fails and what needs a reason."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from support import NODE, graph_from
from yg.code.change_class import ChangeClass
from yg.code.facts import FileFacts
from yg.code.read import read_facts
from yg.yggdrasil.drift.baseline import Baseline
from yg.yggdrasil.drift.baseline_parts import facts_data
from yg.yggdrasil.drift.classify import Classifier, fails, is_cosmetic, needs_reason, tolerated
from yg.yggdrasil.drift.states import Change, How, Mention, NodeDrift, SourceChange, State
from yg.yggdrasil.model import DriftGate

COSMETIC, DOCS, BODY, SIGNATURE, UNKNOWN = (
    ChangeClass.COSMETIC,
    ChangeClass.DOCS,
    ChangeClass.BODY,
    ChangeClass.SIGNATURE,
    ChangeClass.UNKNOWN,
)
GRAPH = graph_from(
    {
        "model/n/yg-node.yaml": NODE,
        "model/n/responsibility.md": "Pays. The charge is checked.\n",
        "model/n/interface.md": "`Pay.refund()` and `charges`.\n",
        "model/n/notes.md": "charge refund\n",
    }
)
OLD = "class Pay:\n    def charge(self): ...\n    def refund(self): ...\n"


class Facts:
    """Facts of texts held in memory."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts
        self.asked: list[str] = []

    def of(self, path: str) -> FileFacts | None:
        self.asked.append(path)
        return read_facts(path, self.texts[path].encode())


def baseline(texts: dict[str, str]) -> Baseline:
    facts = {path: read_facts(path, text.encode()) for path, text in texts.items()}
    known = {path: found for path, found in facts.items() if found is not None}
    return Baseline("0", dict.fromkeys(texts, "1"), {"code": facts_data(known)})


def drift(
    *changes: SourceChange, state: State = State.SOURCE, graph: tuple[str, ...] = ()
) -> NodeDrift:
    files = tuple(Change(path, How.CHANGED) for path in graph)
    return NodeDrift(node="n", state=state, source=changes, graph=files)


def of(*kinds: ChangeClass, state: State = State.SOURCE, graph: tuple[str, ...] = ()) -> NodeDrift:
    changes = (SourceChange(f"{kind}.py", How.CHANGED, kind=kind) for kind in kinds)
    return drift(*changes, state=state, graph=graph)


def classified(change: SourceChange, now: str = "") -> SourceChange:
    classifier = Classifier(GRAPH, Facts({change.path: now}))
    return classifier.classified(drift(change), baseline({"a.py": OLD})).source[0]


def test_names_that_changed_or_are_gone_are_looked_for_in_the_texts_of_the_node() -> None:
    now = OLD.replace("charge(self)", "charge(self, a)").replace("refund", "credit")
    found = classified(SourceChange("a.py", How.CHANGED), now)
    assert (found.kind, [(name.name, name.change) for name in found.names]) == (
        SIGNATURE,
        [("Pay.charge", "changed"), ("Pay.credit", "added"), ("Pay.refund", "removed")],
    )
    assert found.mentions == (
        Mention("responsibility.md", ("Pay.charge",)),
        Mention("interface.md", ("Pay.refund",)),
    )


def test_an_export_without_a_name_is_not_looked_for_in_texts() -> None:
    graph = graph_from(
        {"model/n/yg-node.yaml": NODE, "model/n/responsibility.md": "English by default.\n"}
    )
    old = {"a.ts": "export default function () { return 1; }\n"}
    change = drift(SourceChange("a.ts", How.DELETED))
    (found,) = Classifier(graph, Facts({})).classified(change, baseline(old)).source
    assert ([name.name for name in found.names], found.mentions) == (["default"], UNSET)


@pytest.mark.parametrize(
    ("how", "path", "now", "kind"),
    [
        (How.CHANGED, "a.py", f"{OLD}# note\n", COSMETIC),
        (How.CHANGED, "a.py", "'", UNKNOWN),
        (How.CHANGED, "b.py", OLD, UNKNOWN),  # no facts in the baseline
        (How.ADDED, "b.py", OLD, SIGNATURE),
        (How.ADDED, "b.py", "print()", BODY),
        (How.ADDED, "b.txt", OLD, UNKNOWN),
        (How.DELETED, "a.py", "", SIGNATURE),
        (How.DELETED, "b.py", "", UNKNOWN),
        (How.MOVED, "a.py", "", SIGNATURE),
        (How.UNTRACKED, "a.py", "", SIGNATURE),
        (How.UNREADABLE, "a.py", "", UNKNOWN),
    ],
)
def test_each_kind_of_change_has_a_class(how: How, path: str, now: str, kind: ChangeClass) -> None:
    assert classified(SourceChange(path, how), now).kind is kind


def test_without_facts_nothing_is_read() -> None:
    facts = Facts({})
    before = drift(SourceChange("a.py", How.CHANGED), SourceChange("b.py", How.ADDED))
    for then in (None, Baseline("0", {"a.py": "1"})):
        assert Classifier(GRAPH, facts).classified(before, then) is before
    assert facts.asked == []


def test_facts_that_make_no_sense_are_reported() -> None:
    classifier = Classifier(GRAPH, Facts({}))
    then = Baseline("0", {"a.py": "1"}, {"code": b"[]"})
    before = drift(SourceChange("a.py", How.CHANGED))
    assert classifier.classified(before, then) is before
    (note,) = classifier.notes
    assert note.startswith(".yggdrasil/.drift-state/n.json: its 'code' is not valid (expected ")


@pytest.mark.parametrize(
    ("found", "most", "state"),
    [
        (of(COSMETIC), DOCS, State.OK),
        (of(COSMETIC, DOCS), DOCS, State.OK),
        (of(COSMETIC, BODY), DOCS, State.SOURCE),
        (of(UNKNOWN), ChangeClass.IMPORTS, State.SOURCE),
        (of(COSMETIC), None, State.SOURCE),
        (of(COSMETIC, state=State.FULL, graph=("x",)), DOCS, State.GRAPH),
        (of(BODY, state=State.FULL, graph=("x",)), DOCS, State.FULL),
        (NodeDrift(node="n", state=State.SOURCE, has_baseline=False), DOCS, State.SOURCE),
        (of(state=State.GRAPH, graph=("x",)), DOCS, State.GRAPH),
    ],
)
def test_a_node_is_ok_if_all_its_changes_are_tolerated(
    found: NodeDrift, most: ChangeClass | None, state: State
) -> None:
    assert tolerated(found, most).state is state
    assert tolerated(found, most).source == found.source


@pytest.mark.parametrize(
    ("found", "least", "is_failure"),
    [
        (of(COSMETIC), None, True),
        (of(state=State.OK), None, False),
        (of(COSMETIC, state=State.OK), None, False),
        (of(COSMETIC, state=State.OK), COSMETIC, True),  # tolerated, but asked for
        (of(BODY), SIGNATURE, False),
        (of(UNKNOWN), SIGNATURE, False),
        (of(UNKNOWN), BODY, True),
        (drift(SourceChange("a", How.UNREADABLE)), SIGNATURE, True),
        (NodeDrift(node="n", state=State.SOURCE, has_baseline=False), SIGNATURE, True),
        (of(state=State.MISSING), SIGNATURE, True),
        (of(state=State.UNMATERIALIZED), SIGNATURE, True),
        (of(state=State.UNKNOWN), SIGNATURE, True),
        (of(COSMETIC, state=State.FULL), SIGNATURE, True),
    ],
)
def test_the_lowest_class_that_fails_is_a_choice(
    found: NodeDrift, least: ChangeClass | None, *, is_failure: bool
) -> None:
    assert fails(found, least) is is_failure


OWN = ".yggdrasil/model/n/interface.md"


@pytest.mark.parametrize(
    ("found", "gate", "expected"),
    [
        (of(SIGNATURE), DriftGate.SIGNATURE, True),
        (of(BODY), DriftGate.SIGNATURE, False),
        (of(UNKNOWN), DriftGate.BODY, True),
        (of(SIGNATURE), None, False),
        (of(SIGNATURE), DriftGate.VALUE, False),
        (of(SIGNATURE, state=State.FULL, graph=(OWN,)), DriftGate.SIGNATURE, False),
        (of(SIGNATURE, graph=(".yggdrasil/model/n/yg-node.yaml",)), DriftGate.SIGNATURE, True),
        (of(SIGNATURE, graph=(".yggdrasil/model/n/m/interface.md",)), DriftGate.SIGNATURE, True),
        (NodeDrift(node="n", state=State.SOURCE, has_baseline=False), DriftGate.BODY, False),
    ],
)
def test_code_that_changed_without_a_text_needs_a_reason(
    found: NodeDrift, gate: DriftGate | None, *, expected: bool
) -> None:
    node = GRAPH.nodes.get("n")
    assert node is not None
    assert needs_reason(found, node, gate) is expected


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (of(COSMETIC, DOCS), True),
        (of(state=State.OK), True),
        (of(ChangeClass.IMPORTS), False),
        (of(UNKNOWN), False),
        (of(COSMETIC, state=State.FULL, graph=("x",)), False),
        (NodeDrift(node="n", state=State.SOURCE, has_baseline=False), False),
        (of(state=State.MISSING), False),
    ],
)
def test_only_comments_and_documentation_can_be_recorded_unseen(
    found: NodeDrift, *, expected: bool
) -> None:
    assert is_cosmetic(found) is expected
