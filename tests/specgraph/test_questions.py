"""Dependencies, numbers, scopes and what is missing: what else a Spec Graph is asked."""

from __future__ import annotations

import json

import pytest

from specgraph.graphs import spec_from
from specgraph.sketches import sketched, sketched_files
from yg.commands import deps as deps_command
from yg.kernel.document import plain
from yg.kernel.errors import NotFoundError
from yg.kernel.overview import Share, Status
from yg.kernel.palette import PLAIN
from yg.specgraph.find import listed_id, node_named
from yg.specgraph.questions.deps import dependency_tree
from yg.specgraph.questions.overview import skipped, status_of
from yg.specgraph.rules.check import validate, within

LINES = (
    "AUTH feature: contains LOGIN DEC",
    "LOGIN behavior: verified_by CHECK; derived_from TOKENS; implements USER; depends_on DEC GONE",
    "DEC decision: depends_on STACK; constrains LOGIN",
    "USER domain: depends_on STACK",
    "STACK decision: depends_on DEC",
    "CHECK policy",
    "TOKENS design_token",
)


def test_dependencies_follow_the_upstream_links_kind_by_kind() -> None:
    graph = sketched(*LINES)
    assert (
        deps_command.text(deps_command.deps_of(dependency_tree(graph, "LOGIN", None)), PLAIN)
        == """\
LOGIN
├── depends_on DEC
│   └── depends_on STACK
│       └── depends_on DEC (see above)
├── depends_on GONE (does not resolve)
├── implements USER
│   └── depends_on STACK (see above)
├── derived_from TOKENS
└── verified_by CHECK
"""
    )
    assert plain(deps_command.deps_of(dependency_tree(graph, "USER", 1))) == {
        "schema": "yg-deps/1",
        "node": "USER",
        "dependencies": [
            {
                "level": 1,
                "type": "depends_on",
                "target": "STACK",
                "resolved": True,
                "repeated": False,
            }
        ],
        "skipped": [],
    }


def test_dependencies_of_groups_around_a_node_are_listed_with_the_groups() -> None:
    graph = sketched(
        "F feature: contains A; depends_on X OWN A GONE; verified_by Y",
        "G feature: contains F; depends_on X; implements X",
        "A behavior: depends_on OWN",
        "OWN domain: depends_on A",
        "X domain: depends_on OWN",
        "Y domain",
    )
    tree = dependency_tree(graph, "A", None)
    assert (
        deps_command.text(deps_command.deps_of(tree), PLAIN)
        == """\
A
├── depends_on OWN
│   └── depends_on A (see above)
├── depends_on GONE (does not resolve) (required by F)
├── depends_on X (required by F, G)
│   └── depends_on OWN (see above)
└── implements X (required by G) (see above)
"""
    )
    lines = plain(deps_command.deps_of(tree))["dependencies"]
    assert [line.get("required_by") for line in lines] == [
        *(None, None, ["F"]),
        *(["F", "G"], None, ["G"]),
    ]


def test_a_dependency_that_cannot_be_read_is_told_from_one_that_does_not_exist() -> None:
    files = {
        **sketched_files("A behavior: depends_on B", "B decision"),
        "specgraph/nodes/B.json": "null",
    }
    text = deps_command.text(
        deps_command.deps_of(dependency_tree(spec_from(files), "A", None)), PLAIN
    )
    assert text == "A\n└── depends_on B (cannot be read)\n"


def test_a_chain_of_two_thousand_dependencies_works() -> None:
    many = 2_000
    lines = [f"N{at} behavior: depends_on N{at + 1}" for at in range(many)]
    assert len(dependency_tree(sketched(*lines, f"N{many} decision"), "N0", None).lines) == many


def test_the_graph_in_numbers() -> None:
    assert status_of(sketched(*LINES, root="AUTH")) == Status(
        name="Spec Graph 1.0.0 with root AUTH",
        nodes=7,
        types={
            "feature": 1,
            "behavior": 1,
            "decision": 2,
            "domain": 1,
            "policy": 1,
            "design_token": 1,
        },
        links={
            "contains": 2,
            "depends_on": 5,
            "constrains": 1,
            "implements": 1,
            "derived_from": 1,
            "verified_by": 1,
        },
        shares=(
            Share("Rationale", 2, 2, "decisions have a rationale"),
            Share("Verification", 6, 6, "nodes can be verified"),
            Share("Namespace", 2, 6, "nodes are contained in another"),
        ),
    )


def test_a_scope_is_a_node_and_all_it_contains_with_what_concerns_no_node() -> None:
    graph = sketched(*LINES, "FAR behavior: depends_on NOWHERE", root="NOBODY")
    verdict = validate(graph)
    whole = [(issue.code, issue.subject) for issue in verdict.issues]
    part = within(graph, verdict, "AUTH")
    assert ("E107", "FAR") in whole
    assert (part.scope, part.nodes) == ("AUTH", 3)
    assert [(issue.code, issue.subject) for issue in part.issues] == [
        item for item in whole if item[1] in ("AUTH", "LOGIN", "DEC", "graph.json", "STACK")
    ]
    assert ("E115", "graph.json") in [(issue.code, issue.subject) for issue in part.issues]


@pytest.mark.parametrize(
    ("changes", "message", "file"),
    [
        ({"nodes/B.json": b"\xff"}, "cannot be read: not UTF-8", "nodes/B.json"),
        ({"nodes/B.json": "null"}, "must hold an object, found null", "nodes/B.json"),
        (
            {
                "graph.json": json.dumps(
                    {
                        "specgraphVersion": "1.0.0",
                        "nodes": [
                            {"id": "A", "path": "nodes/A.json"},
                            {"id": "B", "path": "../B.json"},
                        ],
                    }
                )
            },
            "leads out of specgraph/",
            "graph.json",
        ),
        ({"graph.json": "[]"}, "must hold an object, found a list", "graph.json"),
    ],
    ids=["not UTF-8", "null", "outside", "no index"],
)
def test_what_could_not_be_read_is_reported_once(
    changes: dict[str, str | bytes], message: str, file: str
) -> None:
    files = sketched_files("A behavior: contains B", "B behavior")
    files.update({f"specgraph/{path}": content for path, content in changes.items()})
    [finding] = skipped(spec_from(files))
    assert message in finding.message
    assert finding.place.file == f"specgraph/{file}"


def test_within_a_node_only_what_it_contains_is_missed() -> None:
    files = sketched_files("A behavior: contains B", "B behavior", "C behavior")
    graph = spec_from({**files, "specgraph/nodes/B.json": "1", "specgraph/nodes/C.json": "1"})
    assert [entry.subject for entry in skipped(graph)] == ["B", "C"]
    assert [entry.subject for entry in skipped(graph, "A")] == ["B"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("AUTH-2", "Did you mean 'AUTH-1'?"),
        ("auth-1", "Did you mean 'AUTH-1'?"),
        ("...", "'yg tree' lists all nodes."),
        ("BAD", "Its file could not be read; 'yg validate' tells why."),
    ],
)
def test_a_name_that_nothing_has_is_not_found(name: str, hint: str) -> None:
    graph = spec_from(
        {**sketched_files("AUTH-1 behavior", "BAD policy"), "specgraph/nodes/BAD.json": "1"}
    )
    with pytest.raises(NotFoundError) as caught:
        node_named(graph, name)
    assert (caught.value.message, caught.value.hint) == (f"Node not found: {name}", hint)


def test_a_scope_may_be_a_node_that_cannot_be_read() -> None:
    graph = spec_from({**sketched_files("A behavior"), "specgraph/nodes/A.json": "1"})
    assert listed_id(graph, "A") == "A"
