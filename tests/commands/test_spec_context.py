"""The context of a Spec Graph node as data, as tagged text, and as a table of reasons."""

from __future__ import annotations

from schemas import faults_in
from specgraph.graphs import Data, node, spec
from support import json_of
from yg.commands.build_context.spec_context import context_document, context_reasons, context_text
from yg.specgraph.context.assemble import assemble
from yg.specgraph.context.context import Context

NODES: dict[str, Data] = {
    "T": node(
        "behavior",
        title='A "quoted" title',
        depends_on=["API", "GONE"],
        verified_by=["API"],
    ),
    "API": node("api_contract", depends_on=["DEC"]),
    "DEC": node("decision", category="interface", supersedes=["OLD"]),
    "OLD": node("policy", constrains=["T"]),
    "NEW": node("policy", constrains=["T", "SHOP"], supersedes=["OLD"]),
    "F": node("feature", contains=["T"], depends_on=["L", "FND"]),
    "SHOP": node("feature", contains=["F"]),
    "L": node("layer", contains=["D-L"]),
    "D-L": node("decision", category="stack"),
    "FND": node("foundation"),
}


def context(target: str = "T", depth: int | str = 2) -> Context:
    return assemble(spec(NODES), target, depth)


def test_the_data_of_a_context_are_those_of_the_contract() -> None:
    data = json_of(context_document(context()))
    assert {key: value for key, value in data.items() if key not in ("nodes", "markdown")} == {
        "schema": "yg-spec-context/1",
        "node": {
            "id": "T",
            "type": "behavior",
            "title": 'A "quoted" title',
            "statement": "Something can be seen.",
            "constraints": [],
            "verification": ["make test"],
            "category": "",
            "severity": "",
            "metadata": {},
            "file": "specgraph/nodes/T.json",
        },
        "depth": 2,
        "affected": [],
        "missing": [{"source": "T", "edge_type": "depends_on", "target": "GONE"}],
        "pruned": [{"id": "OLD", "superseded_by": ["NEW"]}],
        "warnings": ["Missing target: T depends_on GONE.", "Pruned: OLD (superseded by NEW)."],
        "tokens": 178,
        "characters": 710,
        "budget": {"status": "ok", "warning": 10000, "error": 20000},
        "files": list(context().source_files),
    }
    assert list(data) == [
        *("schema", "node", "depth", "nodes", "affected", "missing", "pruned", "warnings"),
        *("markdown", "tokens", "characters", "budget", "files"),
    ]
    assert faults_in(data) == []
    assert data["markdown"] == context().text


def test_every_node_is_reported_with_all_that_brought_it_in() -> None:
    nodes = json_of(context_document(context()))["nodes"]
    assert [(node["id"], node["section"], node["level"]) for node in nodes] == [
        ("F", "Namespace", 1),
        ("SHOP", "Namespace", 1),
        ("L", "Namespace", 2),
        ("FND", "Foundations", 1),
        ("D-L", "Technology Decisions", 1),
        ("DEC", "Interface Decisions", 2),
        ("API", "API Contracts", 1),
        ("NEW", "Policies", 1),
    ]
    assert nodes[4] == {
        "id": "D-L",
        "type": "decision",
        "title": "A decision",
        "statement": "Something holds.",
        "constraints": [],
        "verification": ["make test"],
        "category": "stack",
        "severity": "",
        "metadata": {"rationale": "It is simple."},
        "file": "specgraph/nodes/D-L.json",
        "binding": True,
        "section": "Technology Decisions",
        "level": 1,
        "reasons": ["layer"],
        "direct": False,
        "precedence_distance": 2,
        "via_targets": [],
        "via_layers": ["L"],
        "required_by": [],
        "superseded_by": [],
    }
    assert nodes[7]["reasons"] == ["constrains", "inherited"]
    assert (nodes[7]["direct"], nodes[7]["via_targets"]) == (True, ["SHOP"])
    assert nodes[3]["required_by"] == ["F"]
    assert nodes[2]["reasons"] == ["layer_dependency", "required"]
    assert [node["id"] for node in nodes if node["binding"]] == ["D-L", "NEW"]


def test_a_node_is_binding_if_it_guides_the_target_or_is_a_hard_policy() -> None:
    nodes = {
        "T": node("behavior", depends_on=["HARD", "SOFT", "L"]),
        "D": node("domain", contains=["T"]),
        "L": node("layer"),
        "HARD": node("policy"),
        "SOFT": node("policy", severity="soft"),
        "BY-DOMAIN": node("policy", severity="soft", constrains=["D"]),
        "BY-LAYER": node("design_token", constrains=["L"]),
        "DIRECT": node("domain", constrains=["T"]),
    }
    entries = json_of(context_document(assemble(spec(nodes), "T")))["nodes"]
    binding = {entry["id"] for entry in entries if entry["binding"]}
    assert binding == {"HARD", "BY-DOMAIN", "BY-LAYER", "DIRECT"}


def test_checks_are_reported_as_they_are_written() -> None:
    checks = [
        "make test",
        {"kind": "command", "command": "x", "url": "/", "env": {"A": "1"}, "timeoutSeconds": 9},
        {"kind": "http", "method": "GET", "url": "/", "expectStatus": 200, "expected": "ok"},
        {"kind": "manual", "steps": ["One"], "cwd": "."},
        {"kind": "observation", "description": "it"},
        {"kind": "policy", "ruleId": "R"},
    ]
    data = json_of(
        context_document(assemble(spec({"T": node("domain", verification=checks)}), "T"))
    )
    assert data["node"]["verification"] == checks
    assert faults_in(data) == []


def test_affected_nodes_carry_their_links() -> None:
    assert json_of(context_document(context("DEC", "full")))["affected"] == [
        {"id": "OLD", "type": "policy", "title": "A policy", "edges": ["supersedes"]}
    ]


def test_the_depth_is_reported_as_it_was_asked_for() -> None:
    assert context_document(context(depth="full")).depth == "full"


def test_the_text_has_the_sections_between_tags() -> None:
    assert (
        context_text(context("FND"))
        == """\
<context-package node-id="FND" node-name="A foundation" token-count="23">

<section name="Foundation">
Something holds.
</section>

<section name="Verification">
make test
</section>

</context-package>
Budget status: ok
"""
    )
    assert 'node-name="A &quot;quoted&quot; title"' in context_text(context())


def test_the_table_says_what_brought_each_part_in() -> None:
    assert (
        context_reasons(context())
        == """\
part                      tokens   share  because
Behavior T                     6    3.2%  the target
Warnings                      17    9.6%  the state of the graph
Namespace F                   13    7.0%  contains T
Namespace SHOP                14    7.5%  contains T, 2 levels up
Namespace L                   16    9.0%  layer of T, required by F
Foundations FND               10    5.6%  required by F
Technology Decisions D-L      17    9.2%  guidance of layer L
Interface Decisions DEC       13    7.2%  depends_on of API
API Contracts API              6    3.4%  depends_on of T, verified_by of T
Policies NEW                  11    5.8%  constrains T, constrains SHOP
Verification                  11    6.2%  the target, its policies and what verifies it
total                        178  100.0%  ok, warning above 10000
"""
    )
