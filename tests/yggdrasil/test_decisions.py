"""Decision records are read as Nygard, MADR and adr-tools write them."""

from __future__ import annotations

import pytest

from support import CONFIG, NODE, graph_from
from yg.kernel.edit import Write
from yg.kernel.errors import RefusedError, UsageError
from yg.yggdrasil.decisions import Decision, decision_number, read_decision
from yg.yggdrasil.edit.decide import new_decision
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.model import Node
from yg.yggdrasil.package.assemble import assemble
from yg.yggdrasil.package.excerpt import LONGEST, excerpt


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("0018-the-index.md", 18),
        ("adr-007-x.md", 7),
        ("ADR_12.markdown", 12),
        ("3.md", 3),
        ("README.md", None),
        ("template.md", None),
        ("0001-x.txt", None),
        ("adr-x.md", None),
    ],
)
def test_the_name_of_a_decision_begins_with_its_number(name: str, number: int | None) -> None:
    assert decision_number(name) == number


@pytest.mark.parametrize(
    ("text", "title", "status", "successors"),
    [
        ("# 0018 The index\n\ntext\n", "The index", "accepted", ()),
        ("# ADR-7: Use `cents`\n", "Use cents", "accepted", ()),
        ("# 9 - Lines\n\nStatus: Proposed\n", "Lines", "proposed", ()),
        ("# 3D printing\n", "3D printing", "accepted", ()),
        ("no heading\n", "", "accepted", ()),
        ("# 1. A\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n", "A", "accepted", ()),
        (
            "# 1. A\n\n## Status\n\nSuperceded by [2. Use Python 3](0002-use-python-3.md)\n",
            "A",
            "superceded by 2. Use Python 3",
            (2,),
        ),
        (
            "# 1. A\n\n## Status\n\nAccepted\n\nSuperseded by [3. C](../adr/0003-c.md)\n",
            "A",
            "superseded by 3. C",
            (3,),
        ),
        ("# 2. A\n\n## Status\n\nAccepted\n\nSupersedes [1. B](0001-b.md)\n", "A", "accepted", ()),
        ("---\nstatus: accepted\ndate: 2024-01-01\n---\n# A\n", "A", "accepted", ()),
        (
            '---\nstatus: "superseded by [ADR-0005](0005-example.md)"\n---\n# A\n',
            "A",
            "superseded by ADR-0005",
            (5,),
        ),
        ("---\nstatus: accepted\nsuperseded-by: 0012-x.md\n---\n# A\n", "A", "superseded", (12,)),
        ("---\nsuperseded_by: [3, ADR-4]\n---\n# A\n", "A", "superseded", (3, 4)),
        ("---\nstatus: [\n---\n# A\n", "A", "accepted", ()),
        ("# A\n\n* Status: superseded by ADR-0005 and 7 on 2020-01-02\n* Deciders: x\n", "A",
         "superseded by ADR-0005 and 7 on 2020-01-02", (5, 7)),
        ("# A\n\n**Status:** On hold\n", "A", "on hold", ()),
        ("# A\n\n```\nStatus: x\n```\n\n## B\n\nStatus: rejected\n", "A", "accepted", ()),
        ("# A\r\n\r\n## Status\r\n\r\nDeprecated.\r\n", "A", "deprecated", ()),
    ],
)  # fmt: skip
def test_title_status_and_successors_are_read(
    text: str, title: str, status: str, successors: tuple[int, ...]
) -> None:
    assert read_decision(text) == Decision(title=title, status=status, successors=successors)


@pytest.mark.parametrize(
    ("status", "is_in_force"),
    [
        ("accepted", True),
        ("proposed", True),
        ("Rejected", False),
        ("**deprecated** in 2020", False),
    ],
)
def test_a_decision_is_in_force_unless_it_was_taken_back(status: str, is_in_force: bool) -> None:  # noqa: FBT001
    assert Decision(status=status).is_in_force is is_in_force


def graph_of(listed: str, decisions: dict[str, str], config: str = CONFIG) -> Graph:
    files = {"yg-config.yaml": config, "model/a/yg-node.yaml": f"{NODE}{listed}"}
    return graph_from({**files, "model/a/b/yg-node.yaml": NODE}, decisions)


def node_at(graph: Graph, path: str) -> Node:
    node = graph.nodes.get(path)
    assert node is not None
    return node


SEVEN = {f"docs/adr/000{number}-x.md": f"# {number}. D{number}\n" for number in range(1, 8)}


def test_the_newest_five_are_quoted_and_older_ones_have_a_line_each() -> None:
    graph = graph_of("decisions: [1, 7, 2, 3, 5, 6, 4, 99]\n", SEVEN)
    [block] = [part for part in assemble(graph, node_at(graph, "a")).parts if part.subject == "a"]
    names = [document.name for document in block.documents]
    assert names == ["yg-node.yaml", *(f"docs/adr/000{number}-x.md" for number in (7, 6, 5, 4, 3))]
    assert block.closing == (
        "Decision 2: D2 (accepted), docs/adr/0002-x.md",
        "Decision 1: D1 (accepted), docs/adr/0001-x.md",
    )


def test_the_decisions_of_an_ancestor_have_a_line_each() -> None:
    graph = graph_of("decisions: [1, 2]\n", SEVEN)
    package = assemble(graph, node_at(graph, "a/b"))
    [block] = [part for part in package.parts if part.subject == "a"]
    assert block.closing == (
        "Decision 2: D2 (accepted), docs/adr/0002-x.md",
        "Decision 1: D1 (accepted), docs/adr/0001-x.md",
    )
    assert package.references == ()


def test_the_folder_of_the_configuration_replaces_the_usual_ones() -> None:
    config = f"{CONFIG}decisions: {{paths: [adr, old/adr]}}\n"
    files = {**SEVEN, "adr/1.md": "# One\n", "old/adr/2.md": "# Two\n", "docs/decisions/1.md": ""}
    assert graph_of("", files, config).decisions.files == {1: ("adr/1.md",), 2: ("old/adr/2.md",)}
    assert graph_of("", files).decisions.folders == ("docs/adr",)
    assert graph_of("", {}).decisions.folders == ()


def test_a_number_that_was_given_twice_means_the_first_file() -> None:
    graph = graph_of("", {"docs/adr/0001-b.md": "# B\n", "docs/adr/0001-a.md": "# A\n"})
    found = graph.decisions.get(1)
    assert found is not None
    assert found.title == "A"
    assert [decision.title for decision in graph.decisions] == ["A", "B"]


LONG = Decision(number=1, file="adr/1.md", title="T")


def test_a_short_decision_is_quoted_as_it_is() -> None:
    assert excerpt(LONG, "# T\r\n\r\ntext\r\n\r\n") == "# T\n\ntext\n"


def test_of_a_long_decision_what_was_decided_and_why_comes_first() -> None:
    text = f"# 1. T\n\n## Context\n\n{'c' * LONGEST}\n\n## Decision outcome\n\nYes.\n\n"
    text += "```\na\n\nb\n```\n\n## Consequences\n\nMany.\n"
    assert excerpt(LONG, text) == (
        "1. T (accepted)\n\n## Decision outcome\n\nYes.\n\n```\na\n\nb\n```\n\n"
        "## Consequences\n\nMany.\n\n... adr/1.md\n"
    )


def test_a_first_paragraph_that_is_too_long_is_cut_at_a_sentence() -> None:
    text = f"# T\n\n## Decision\n\n{'One sentence. ' * 200}\n"
    found = excerpt(LONG, text)
    assert found.endswith("One sentence.\n\n... adr/1.md\n")
    assert LONGEST - 20 < len(found) < LONGEST + 20
    assert excerpt(LONG, f"# T\n\n{'word ' * 500}").endswith(" word\n\n... adr/1.md\n")


def written(graph: Graph, title: str, *nodes: str, supersedes: int | None = None) -> dict[str, str]:
    new = new_decision(graph, title, supersedes, nodes)
    return {edit.path: edit.content.decode() for edit in new.edits if isinstance(edit, Write)}


def test_a_new_decision_has_the_next_number_and_a_name_like_the_others() -> None:
    first = written(graph_of("", {}), "Use cents!")
    assert list(first) == ["docs/decisions/0001-use-cents.md"]
    assert first["docs/decisions/0001-use-cents.md"] == (
        "# 1. Use cents!\n\n## Status\n\nAccepted\n\n## Context\n\n## Decision\n\n"
        "## Alternatives\n\n## Consequences\n"
    )
    later = written(graph_of("", {"docs/adrs/adr-009-x.md": "# X\n"}), "\u00dcber uns")
    assert list(later) == ["docs/adrs/adr-010-\u00fcber-uns.md"]
    config = f"{CONFIG}decisions: {{paths: [adr]}}\n"
    assert list(written(graph_of("", {}, config), "/")) == ["adr/0001-decision.md"]


@pytest.mark.parametrize(
    ("old", "marked"),
    [
        ("# O\n\n## Status\n\nAccepted\n\n## X\n", "# O\n\n## Status\n\nSLINK\n\n## X\n"),
        (
            "# O\r\n\r\n## Status\r\n\r\n## X\r\n",
            "# O\r\n\r\n## Status\r\n\r\nSLINK\r\n\r\n## X\r\n",
        ),
        ("---\nstatus: accepted\nx: 1\n---\n# O\n", '---\nstatus: "sLINK"\nx: 1\n---\n# O\n'),
        ("# O\n\n* Status: accepted\n* By: x\n", "# O\n\n* Status: sLINK\n* By: x\n"),
        ("# O\n\ntext\n", "# O\n\nStatus: sLINK\n\ntext\n"),
        ("text", "text\nStatus: sLINK\n"),
    ],
)
def test_the_decision_that_is_superseded_says_so_in_its_own_form(old: str, marked: str) -> None:
    files = written(graph_of("", {"docs/adr/0003-o.md": old}), "New", supersedes=3)
    assert files["docs/adr/0003-o.md"] == marked.replace(
        "LINK", "uperseded by [4. New](0004-new.md)"
    )
    assert read_decision(files["docs/adr/0003-o.md"]).successors == (4,)
    assert "Supersedes [3. " in files["docs/adr/0004-new.md"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "decisions: [8]\n"),
        ("decisions: [7, 1] # why\n", "decisions: [8, 7, 1] # why\n"),
        ("decisions:\n  - 7\n", "decisions:\n  - 7\n  - 8\n"),
    ],
)
def test_the_nodes_list_a_new_decision(before: str, after: str) -> None:
    files = written(graph_of(before, SEVEN), "New", "a", "a")
    assert files[".yggdrasil/model/a/yg-node.yaml"] == f"{NODE}{after}"


def test_what_cannot_be_decided_is_refused() -> None:
    graph = graph_of("", {"docs/adr/0001-x.md": "# X\n\nStatus: rejected\n"})
    with pytest.raises(RefusedError, match="decision 1 is rejected already"):
        new_decision(graph, "T", 1, ())
    with pytest.raises(UsageError, match="needs a title"):
        new_decision(graph, " ", None, ())


def test_the_end_of_many_successors_is_found_once() -> None:
    chain = {
        f"docs/adr/{number:05}-x.md": f"# X\n\nStatus: superseded by {number + 1}\n"
        for number in range(1, 5_000)
    }
    graph = graph_of(
        "",
        {
            **chain,
            "docs/adr/05000-x.md": "# X\n",
            "docs/adr/06000-x.md": chain["docs/adr/00001-x.md"],
        },
    )
    assert {graph.decisions.last_successor(number) for number in range(1, 5_001)} == {5_000}
    assert graph.decisions.last_successor(6_000) == 5_000


def test_successors_in_a_circle_have_no_end() -> None:
    numbers = {1: 2, 2: 3, 3: 2, 4: 4, 5: 9}
    files = {
        f"docs/adr/{number}-x.md": f"# X\n\nStatus: superseded by {following}\n"
        for number, following in numbers.items()
    }
    graph = graph_of("", files)
    ends = {number: graph.decisions.last_successor(number) for number in (3, 1, 2, 4, 5, 9)}
    assert ends == {3: None, 1: None, 2: None, 4: None, 5: 9, 9: 9}
