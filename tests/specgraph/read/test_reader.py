"""Reading a Spec Graph: as little as is asked for, as much as can be understood."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from specgraph.graphs import DIGEST, files_of, node, spec, spec_from, written
from yg.kernel.issue import Place
from yg.kernel.snapshot import DictSnapshot
from yg.specgraph.model import (
    Artifact,
    LinkKind,
    Pin,
    Reference,
    Rejected,
    SpecNode,
    Verification,
    VerificationKind,
)
from yg.specgraph.read.reader import read

if TYPE_CHECKING:
    from support import Content


class Counting(DictSnapshot):
    """A snapshot that remembers what was read."""

    def __init__(self, files: dict[str, Content]) -> None:
        super().__init__(files)
        self.seen: list[str] = []

    def read(self, path: str) -> bytes:
        self.seen.append(path)
        return super().read(path)


def test_one_node_is_read_without_the_others() -> None:
    snapshot = Counting(files_of({"A": node("behavior"), "B": node("behavior")}))
    graph = read(snapshot)
    assert snapshot.seen == []
    assert graph.get("B") is not None
    assert graph.get("C") is None
    assert snapshot.seen == ["specgraph/graph.json", "specgraph/nodes/B.json"]


def test_no_file_is_read_twice() -> None:
    snapshot = Counting(files_of({"A": node("behavior", depends_on=["X"]), "B": {"type": "odd"}}))
    graph = read(snapshot)
    assert [note.finding.subject for note in graph.notes] == ["B"]
    assert list(graph.nodes) == ["A", "B"]
    assert sorted(snapshot.seen) == sorted(set(snapshot.seen))


def test_every_field_of_a_node_is_read() -> None:
    graph = spec(
        {
            "A": node(
                "decision",
                title="Title",
                statement="It holds",
                category="stack",
                constraints=["c"],
                pins=[{"id": "S", "sha256": DIGEST}],
                metadata={
                    "rationale": "r",
                    "rejected_alternatives": [{"title": "t", "reason": "w"}],
                },
                verification=["look", {"kind": "policy", "ruleId": "R", "env": {"B": 1, "A": "x"}}],
                depends_on=["B", "B"],
            )
        }
    )
    assert graph.get("A") == SpecNode(
        id="A",
        file="specgraph/nodes/A.json",
        type="decision",
        title="Title",
        text="It holds",
        category="stack",
        constraints=("c",),
        verification=(
            Verification(kind=VerificationKind.TEXT, text="look"),
            Verification(kind=VerificationKind.POLICY, text="R", env=(("A", "x"), ("B", "1"))),
        ),
        pins=(Pin("S", DIGEST),),
        metadata={"rationale": "r", "rejected_alternatives": [{"title": "t", "reason": "w"}]},
        links={LinkKind.DEPENDS_ON: ("B",)},
    )
    assert graph.nodes["A"].rationale == "r"
    assert graph.nodes["A"].rejected == (Rejected("t", "w"),)


def test_a_node_keeps_what_is_right_about_it() -> None:
    graph = spec(
        {
            "A": {
                "type": "artifact",
                "title": 7,
                "statement": "It holds",
                "artifact": {"sha256": "short", "source": []},
                "constraints": ["one", 2, " "],
                "verification": "as text",
                "pins": [{"id": "S"}, 7, {"id": "S", "sha256": "x"}],
                "links": {"depends_on": ["B", 7], "implements": "C"},
                "severity": "hard",
                "metadata": {"rejected_alternatives": [{"reason": "r"}, {"title": "t"}]},
            }
        }
    )
    assert graph.get("A") == SpecNode(
        id="A",
        file="specgraph/nodes/A.json",
        type="artifact",
        text="It holds",
        constraints=("one",),
        verification=(Verification(kind=VerificationKind.TEXT, text="as text"),),
        artifact=Artifact("short"),
        pins=(Pin("S", "x"),),
        metadata={"rejected_alternatives": [{"reason": "r"}, {"title": "t"}]},
        links={LinkKind.DEPENDS_ON: ("B",)},
    )
    assert graph.nodes["A"].rejected == (Rejected("t", ""),)


def test_the_index_decides_what_a_node_is_called() -> None:
    files = {
        **files_of({"A": {}}),
        "specgraph/nodes/A.json": written({"id": "B", **node("domain")}),
    }
    assert list(spec_from(files).nodes) == ["A"]


def test_an_index_is_read_as_it_is_written() -> None:
    nodes = [{"id": "B", "path": "./x//B.json", "sha256": DIGEST}]
    index = {"specgraphVersion": "1.0.0", "root": "A", "nodes": nodes}
    graph = spec_from({"specgraph/graph.json": written(index)})
    assert graph.index.root == "A"
    assert graph.index.version == "1.0.0"
    assert graph.index.references == (
        Reference(id="B", path="./x//B.json", file="specgraph/x/B.json", position=0, sha256=DIGEST),
    )


@pytest.mark.parametrize("name", ["A B", "A\nB", "A\u202eB", ""])
def test_an_id_that_cannot_stand_in_a_line_is_not_a_node(name: str) -> None:
    graph = spec_from(
        {"specgraph/graph.json": written({"nodes": [{"id": name, "path": "a.json"}]})}
    )
    assert graph.references == {}


def test_links_are_known_from_both_ends() -> None:
    graph = spec(
        {
            "A": node("decision", contains=["C"], depends_on=["C"], supersedes=["C", "A"]),
            "B": node("decision", contains=["C", "C"], constrains=["C"]),
            "C": node("behavior"),
        }
    )
    assert graph.parents("C") == ("A", "B")
    assert graph.constrainers("C") == ("B",)
    assert graph.dependents("C") == ("A",)
    assert graph.superseders("C") == ("A",)
    assert graph.superseders("A") == ()
    assert graph.sources(LinkKind.IMPLEMENTS, "C") == ()


# Places.


@pytest.mark.parametrize(
    ("steps", "line", "column"),
    [
        ((), 1, 1),
        (("id",), 2, 9),
        (("pins", "S", "sha256"), 12, 17),
        (("pins", 0, "id"), 11, 13),
        (("links", "depends_on", "C"), 18, 7),
        (("links", "depends_on", "D"), 16, 19),
        (("links", "implements", "C"), 15, 12),
        (("pins", 7), 9, 11),
    ],
)
def test_a_place_is_found_or_the_nearest_to_it(
    steps: tuple[str | int, ...], line: int, column: int
) -> None:
    data = node("domain", pins=[{"id": "S", "sha256": DIGEST}], depends_on=["B", "C"])
    graph = spec({"A": data})
    file = "specgraph/nodes/A.json"
    assert graph.files.place(file, *steps) == Place(file, line, column)


def test_a_text_that_makes_no_sense_has_no_places() -> None:
    graph = spec_from({"specgraph/graph.json": "{"})
    assert graph.files.place("specgraph/graph.json", "nodes") == Place("specgraph/graph.json")
