"""Document 002, Graph: what files a graph has, and what their declarations mean."""

from __future__ import annotations

from typing import Any

import pytest

from specification.graphs import (
    BOTH,
    NAMED,
    ORDER_SERVICE,
    PLAIN,
    SENTENCE,
    SHOP,
    Files,
    Graph,
    aspect,
    described,
    flow,
    node,
)
from specification.program import Program

STRUCTURAL = ("uses", "calls", "extends", "implements")
EVENTS = ("emits", "listens")


def configured(graph: Graph, old: str, new: str) -> Files:
    """Return a graph with one change of its configuration."""
    return graph.replaced("yg-config.yaml", old, new)


# Graph, Top-Level Directory Structure


@BOTH
def test_content_without_a_declared_path_is_in_no_package(yg: Program, graph: Graph) -> None:
    """
    002, Graph: "If content has no declared path to a node, it does not exist"
    002, Graph, connections: "explicit, declared, tool-verifiable connection"
    """
    files = graph.plus(
        {
            f"model/{graph.parent}/notes.md": f"Lost. {SENTENCE}",
            f"model/{graph.node}/notes.md": f"Lost. {SENTENCE}",
            f"aspects/{graph.aspect}/images/notes.md": f"Lost. {SENTENCE}",
            f"flows/{graph.flow}/images/notes.md": f"Lost. {SENTENCE}",
            "schemas/notes.md": f"Lost. {SENTENCE}",
            **aspect("lost"),
            **flow("lost", graph.target),
        }
    )
    assert yg.package(files, graph.node) == yg.package(graph.files, graph.node)


@BOTH
def test_each_folder_of_the_graph_has_its_kind_of_declarations(yg: Program, graph: Graph) -> None:
    """
    002, Top-Level Directory Structure: "configuration and schema for the graph"
    002, Top-Level Directory Structure, model: "components and their relationships"
    002, Top-Level Directory Structure, aspects: "cross-cutting requirements"
    002, Top-Level Directory Structure, flows: "end-to-end flows spanning multiple nodes"
    002, Top-Level Directory Structure, schemas: "schemas for each graph layer (node, aspect, flow)"
    """
    package = yg.package(graph.files, graph.node)
    name = {"plain": "plain", "shop": "my-project"}[graph.name]
    texts = (
        f"**Project:** {name}\n",
        graph.files[f"model/{graph.node}/responsibility.md"],
        graph.files[f"aspects/{graph.aspect}/content.md"],
        graph.files[f"flows/{graph.flow}/description.md"],
    )
    for text in texts:
        assert text in package
    declaration = graph.files[f"model/{graph.node}/yg-node.yaml"]
    for folder in ("", "aspects/misplaced/", "flows/misplaced/", "schemas/low/"):
        files = graph.plus({f"{folder}yg-node.yaml": declaration})
        assert yg.text(files, "tree") == yg.text(graph.files, "tree")


@BOTH
@pytest.mark.parametrize("name", ["model", "aspects", "flows", "schemas", "yg-config"])
def test_nodes_may_have_the_names_of_reserved_folders(yg: Program, graph: Graph, name: str) -> None:
    """
    002, Reserved vs user-owned names: "User-defined node names live only inside"
    002, Reserved vs user-owned names, collisions: "no risk of name collisions"
    """
    files = graph.adding(described(name), relations=[{"target": name, "type": "calls"}])
    assert yg.issues(files) == []
    assert yg.package(files, name).startswith(f'<context-package node-path="{name}" ')
    assert yg.openings(files, graph.extra, "dependency") == [
        f'<dependency target="{name}" type="calls">'
    ]


# Configuration


def test_the_name_of_the_project_is_what_every_package_begins_with(yg: Program) -> None:
    """
    002, Configuration: "name: my-project"
    002, Configuration, role: "defines project identity, vocabulary, artifact structure"
    """
    files = PLAIN.plus({"yg-config.yaml": NAMED.replace("plain", '"Our own: project"')})
    block = yg.block(files, PLAIN.parent, "global")
    assert block == "<global>\n**Project:** Our own: project\n</global>"


@BOTH
@pytest.mark.parametrize("kind", ["module", "service", "library", "infrastructure"])
def test_a_node_has_one_of_the_types_of_the_configuration(
    yg: Program, graph: Graph, kind: str
) -> None:
    """
    002, Node types: "classify the architectural role of each node"
    002, Node types, validation: "every node declares a type that is a key in this object"
    """
    uses = [{"aspect": graph.aspect}]
    assert yg.issues(graph.adding(type=kind, aspects=uses)) == []
    fewer = configured(graph, f"  {kind}:\n", "  other:\n")
    files = {**fewer, **described(graph.extra, type=kind, aspects=uses)}
    assert "E002" in yg.codes(files, graph.extra)


@BOTH
def test_a_type_needs_a_description(yg: Program, graph: Graph) -> None:
    """
    002, Node types, description: "must have a description"
    """
    files = configured(graph, "node_types:\n", "node_types:\n  worker: {}\n")
    assert yg.issues(files) == [("E012", "yg-config.yaml")]
    files = configured(graph, "node_types:\n", "node_types:\n  worker: {description: Works}\n")
    assert yg.issues(files) == []


def test_a_service_of_the_example_must_be_audited(yg: Program) -> None:
    """
    002, Node types, required_aspects: "aspects that nodes of this type must have coverage for"
    """
    assert yg.codes(SHOP.adding(type="service"), SHOP.extra) == ["W011"]
    assert yg.codes(PLAIN.adding(type="service"), PLAIN.extra) == []
    for name in ("requires-audit", "bundle"):
        bundle = aspect("bundle", implies=["requires-audit"])
        files = SHOP.adding(bundle, type="service", aspects=[{"aspect": name}])
        assert yg.codes(files, SHOP.extra) == []


@BOTH
def test_an_artifact_is_a_file_beside_the_declaration_with_any_extension(
    yg: Program, graph: Graph
) -> None:
    """
    002, Artifact types: "the full filename of a file placed next to yg-node.yaml"
    002, Artifact types, extension: "Any extension"
    002, Artifact types, projects: "Projects can add domain-specific artifacts"
    002, Artifact types, content: "attach artifact content to context packages"
    """
    files = {
        **configured(graph, "artifacts:\n", "artifacts:\n  api.proto: {}\n  README: {}\n"),
        **described(graph.extra),
        f"model/{graph.extra}/api.proto": f"message {SENTENCE}",
        f"model/{graph.extra}/README": f"Read {SENTENCE}",
    }
    own = yg.block(files, graph.extra, "own-artifacts")
    assert f"### api.proto\nmessage {SENTENCE}### README\nRead {SENTENCE}" in own
    assert yg.issues(files) == []


@BOTH
def test_a_text_that_is_not_utf_8_is_refused(yg: Program, graph: Graph) -> None:
    """
    002, Artifact types, encoding: "content must be encodable as UTF-8 text"
    002, Content artifacts, encoding: "Content must be UTF-8 encodable for context assembly."
    """
    files = graph.adding({f"model/{graph.extra}/internals.md": f"ä{SENTENCE}"})
    assert "äA sentence" in yg.package(files, graph.extra)
    latin = graph.adding({f"model/{graph.extra}/internals.md": b"\xe4" * 60})
    assert yg.issues(latin) == [("E021", graph.extra)]
    assert "byte 0 (0xe4)" in yg.refusal(latin, "build-context", graph.extra)


def required(graph: Graph, when: str) -> Files:
    """Return a graph that requires one more artifact."""
    return configured(graph, "artifacts:\n", f"artifacts:\n  more.md: {{required: {when}}}\n")


@BOTH
@pytest.mark.parametrize(
    ("when", "keys", "is_required"),
    [
        ("always", {}, True),
        ("always", {"blackbox": True}, False),
        ("never", {}, False),
        ("{when: has_incoming_relations}", {}, True),
        ("{when: has_outgoing_relations}", {}, False),
        ("{when: has_outgoing_relations}", {"relations": ["uses"]}, True),
        ("{when: has_outgoing_relations}", {"relations": ["emits"]}, True),
        ("{when: 'has_aspect:x1'}", {}, False),
        ("{when: 'has_aspect:x1'}", {"aspects": [{"aspect": "x1"}]}, True),
        ("{when: 'has_aspect:x2'}", {"aspects": [{"aspect": "x1"}]}, True),
        ("{when: 'has_tag:x1'}", {"aspects": [{"aspect": "x1"}]}, True),
        ("{when: 'has_aspect:x1'}", {"aspects": [{"aspect": "x1"}], "blackbox": True}, False),
    ],
)
def test_an_artifact_is_required_always_never_or_when_a_condition_holds(
    yg: Program, graph: Graph, when: str, keys: dict[str, Any], *, is_required: bool
) -> None:
    """
    002, Artifact types, always: "every non-blackbox node must have it"
    002, Artifact types, never: "always optional"
    002, Artifact types, when: "conditional on graph structure"
    002, Artifact types, legacy: "has_tag:<name> also accepted"
    002, Artifact types, validation: "Tools validate artifact presence based on these rules"
    004, yg-config.yaml, always: "Every non-blackbox node must have this artifact"
    004, yg-config.yaml, never: "Artifact is always optional"
    004, yg-config.yaml, incoming: "a relation from another node to this one"
    004, yg-config.yaml, outgoing: "this node has relations to others"
    004, yg-config.yaml, has_aspect: "when the node carries the specified aspect"
    """
    keys = dict(keys)
    if "relations" in keys:
        keys["relations"] = [{"target": graph.blackbox, "type": kind} for kind in keys["relations"]]
    files = {
        **required(graph, when),
        **described(graph.extra, **keys),
        **described("caller", relations=[{"target": graph.extra, "type": "calls"}]),
        **aspect("x1", implies=["x2"]),
        **aspect("x2"),
    }
    assert ("W001" in yg.codes(files, graph.extra)) is is_required


def test_the_artifacts_of_the_example_are_required_of_nodes_with_their_aspect(
    yg: Program,
) -> None:
    """
    002, Artifact types, example: "when: has_aspect:regulated"
    002, Artifact types, description: "available to agents via tool feedback"
    """
    for name, artifact, says in (
        ("regulated", "compliance", "Regulatory requirements and constraints"),
        ("high-throughput", "performance.txt", "Performance budgets, SLAs, optimization"),
    ):
        files = SHOP.adding(aspects=[{"aspect": name}])
        message = yg.message(files, "W001")
        assert message.startswith(f"W001 orders/extra -> missing artifact '{artifact}'.\n")
        assert says in message


@BOTH
def test_quality_thresholds_are_enforced(yg: Program, graph: Graph) -> None:
    """
    002, Quality thresholds: "measurable limits enforced by tools"
    002, Quality thresholds, length: "artifacts shorter than the threshold trigger a warning"
    002, Quality thresholds, relations: "nodes exceeding the threshold trigger a warning"
    002, Quality thresholds, budget: "token limits for context packages"
    001, Package Size and Budget, configuration: "Configuration defines budget thresholds"
    """
    files = {
        **configured(graph, "min_artifact_length: 50", "min_artifact_length: 63"),
        **described(graph.extra, relations=[{"target": graph.blackbox, "type": "uses"}]),
    }
    assert yg.codes(files, graph.extra) == ["W002", "W002"]
    files = {
        **configured(graph, "max_direct_relations: 10", "max_direct_relations: 0"),
        **described(graph.extra, relations=[{"target": graph.blackbox, "type": "uses"}]),
    }
    assert yg.codes(files, graph.extra) == ["W007"]
    for warning, error, codes in ((1, 20_000, ["W005"]), (1, 2, ["W006"])):
        config = graph.files["yg-config.yaml"].replace("warning: 10000", f"warning: {warning}")
        config = config.replace("error: 20000", f"error: {error}")
        assert yg.codes(graph.adding({"yg-config.yaml": config}), graph.extra) == codes


@BOTH
def test_references_must_resolve_whatever_is_configured(yg: Program, graph: Graph) -> None:
    """
    002, What is not configurable: "every reference in the graph must resolve"
    002, What is not configurable, errors: "Broken references are always errors."
    002, Quality thresholds, fixed: "referential integrity — is fixed"
    """
    for code in ("E003", "E004", "E006", "E007", "E016"):
        for level in ("off", "warning"):
            config = f"{graph.files['yg-config.yaml']}rules: {{{code}: {level}}}\n"
            assert yg.issues(graph.plus({"yg-config.yaml": config})) == [("E012", "yg-config.yaml")]


@BOTH
def test_the_order_of_the_steps_does_not_depend_on_the_configuration(
    yg: Program, graph: Graph
) -> None:
    """
    002, What is not configurable, algorithm: "ordered steps that collect content into a package"
    """
    sections = graph.files["yg-config.yaml"].split("artifacts:\n")
    kinds, rest = sections[0], sections[1].split("quality:\n")
    turned = f"quality:\n{rest[1]}artifacts:\n{rest[0]}{kinds}"
    files = graph.plus({"yg-config.yaml": turned})
    assert yg.package(files, graph.node) == yg.package(graph.files, graph.node)


@BOTH
@pytest.mark.parametrize("key", ["stack", "standards"])
def test_technology_and_standards_are_no_part_of_the_configuration(
    yg: Program, graph: Graph, key: str
) -> None:
    """
    002, Configuration, stack: "not in yg-config.yaml"
    """
    files = graph.plus({"yg-config.yaml": f"{graph.files['yg-config.yaml']}{key}: Python\n"})
    assert yg.issues(files) == [("W016", "yg-config.yaml")]
    assert yg.package(files, graph.node) == yg.package(graph.files, graph.node)


# Component Model


@BOTH
def test_every_directory_with_a_declaration_is_a_node_at_any_depth(
    yg: Program, graph: Graph
) -> None:
    """
    002, Component Model: "that contains a yg-node.yaml file is a node"
    002, Component Model, nesting: "Nesting creates hierarchy."
    """
    deep = f"{graph.node}/a/b/c"
    files = graph.plus(described(deep))
    assert "            └── c/ [module] -> 0 relations\n" in yg.text(files, "tree")
    assert yg.issues(files) == [("W013", f"{graph.node}/a"), ("W013", f"{graph.node}/a/b")]
    assert [tag.split('"')[1] for tag in yg.openings(files, deep, "hierarchy")] == [
        *(f"{graph.parent}/", f"{graph.node}/")
    ]


@BOTH
def test_a_child_has_the_context_of_its_parent(yg: Program, graph: Graph) -> None:
    """
    002, Component Model, child: "a child node inherits the domain context of its parent"
    002, Component Model, module: "that all its children inherit"
    """
    text = graph.files[f"model/{graph.parent}/responsibility.md"]
    for child in (graph.node, graph.extra):
        assert text in yg.block(graph.adding(), child, "hierarchy", f"{graph.parent}/")


def test_the_declaration_of_the_document_is_valid_with_every_key(yg: Program) -> None:
    """
    002, Node metadata: "defines the node's identity and all its outgoing connections"
    002, Node metadata, example: "name: OrderService"
    """
    assert SHOP.files[f"model/{SHOP.node}/yg-node.yaml"] == ORDER_SERVICE
    assert yg.issues(SHOP.files) == []


@BOTH
@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("type: module\n", ["E001"]),
        ("name: Extra\n", ["E001"]),
        ("name: Extra\ntype: module\n", []),
        ("name: Extra\ntype: module\naspects: []\nrelations: []\nblackbox: false\n", []),
        ("name: Extra\ntype: module\nblackbox: true\n", []),
        ("name: Extra\ntype: gadget\n", ["E002"]),
    ],
)
def test_name_and_type_are_required_and_nothing_else(
    yg: Program, graph: Graph, text: str, codes: list[str]
) -> None:
    """
    002, Node metadata, name: "Display name"
    002, Node metadata, type: "Node type from config.node_types"
    002, Node metadata, optional: "If true, node describes something existing, not controlled"
    001, Structural Integrity, nodes: "must have required fields (name, type)"
    001, Structural Integrity, type: "Type must be a key in the configured node_types object."
    """
    files = graph.adding({f"model/{graph.extra}/yg-node.yaml": text})
    assert yg.codes(files, graph.extra) == codes


# Blackbox nodes


@BOTH
def test_a_blackbox_may_be_incomplete_and_large(yg: Program, graph: Graph) -> None:
    """
    002, Blackbox nodes: "can be incomplete or coarse — this is expected, not an error"
    002, Blackbox nodes, budget: "They are not checked for context budget"
    """
    calls = [{"target": graph.extra, "type": "calls"}]
    declared = {f"model/{graph.extra}/yg-node.yaml": node(blackbox=True)}
    files = graph.plus({**declared, **described("caller", relations=calls)})
    files[f"model/{graph.extra}/interface.md"] = "x"
    files[f"model/{graph.extra}/internals.md"] = "x" * 100_000
    assert yg.issues(files) == []
    outcome = yg(files, "build-context", graph.extra)
    assert outcome.text.endswith("Budget status: ok\n")
    assert outcome.notes == ""
    assert yg.issues({**files, f"model/{graph.extra}/responsibility.md": "x"}) == []


@BOTH
def test_a_blackbox_is_no_target_of_materialization(yg: Program, graph: Graph) -> None:
    """
    002, Blackbox nodes, materialization: "not generated from the graph"
    """
    assert yg.blocks(graph.files, graph.node, "materialization-target") == [
        f'<materialization-target paths="{graph.source}"/>'
    ]
    assert yg.blocks(graph.files, graph.blackbox, "materialization-target") == []
    assert yg.blocks(graph.files, graph.parent, "materialization-target") == []


@BOTH
def test_a_blackbox_is_for_code_that_exists(yg: Program, graph: Graph) -> None:
    """
    002, Blackbox nodes, existing: "Blackbox is for existing code only."
    """
    files = graph.adding(blackbox=True, mapping={"paths": ["new"]})
    assert yg.codes(files, graph.extra) == ["W012", "W037"]
    assert yg.codes({**files, "new/a.ts": "x\n"}, graph.extra) == []


@BOTH
def test_others_can_depend_on_a_blackbox_and_see_its_interface(yg: Program, graph: Graph) -> None:
    """
    002, Blackbox nodes, relations: "They do participate in the relation graph"
    002, Blackbox nodes, artifacts: "those with included_in_relations: true"
    002, Blackbox nodes, adoption: "get the semantic context of its interface"
    """
    files = graph.adding(
        {
            f"model/{graph.blackbox}/interface.md": "All that is known.\n",
            f"model/{graph.blackbox}/internals.md": "Unseen.\n",
        },
        relations=[{"target": graph.blackbox, "type": "calls"}],
    )
    block = yg.block(files, graph.extra, "dependency")
    assert "### interface.md\nAll that is known.\n" in block
    assert "Unseen" not in block


# Content artifacts


@BOTH
def test_the_default_artifacts_are_required_as_the_table_says(yg: Program, graph: Graph) -> None:
    """
    002, Content artifacts, responsibility: "Required always"
    002, Content artifacts, interface: "Required when someone depends on this node"
    002, Content artifacts, internals: "Optional"
    002, Content artifacts, simple: "might have only responsibility.md"
    """
    texts = described(graph.extra)
    alone = {path: text for path, text in texts.items() if "interface" not in path}
    assert yg.issues(graph.plus(alone)) == []
    caller = described("caller", relations=[{"target": graph.extra, "type": "uses"}])
    assert yg.issues(graph.plus({**alone, **caller})) == [("W001", graph.extra)]
    nothing = {f"model/{graph.extra}/yg-node.yaml": node()}
    assert yg.issues(graph.plus(nothing)) == [("W001", graph.extra)]


# Relations


@BOTH
@pytest.mark.parametrize("kind", [*STRUCTURAL, *EVENTS, "needs"])
def test_there_are_four_structural_relations_and_two_of_events(
    yg: Program, graph: Graph, kind: str
) -> None:
    """
    002, Relations: "There are two classes with different properties: structural and event."
    002, Structural relations: "a node cannot function without its target"
    002, Event relations: "They do not create implementation dependencies."
    004, yg-node.yaml, relation types: "Uses functionality provided by the target"
    004, yg-node.yaml, classes: "Produces an event"
    """
    files = graph.adding(relations=[{"target": graph.blackbox, "type": kind}])
    if kind == "needs":
        assert yg.codes(files, graph.extra) == ["E001"]
        return
    is_structural = kind in STRUCTURAL
    assert len(yg.blocks(files, graph.extra, "dependency")) == int(is_structural)
    assert len(yg.blocks(files, graph.extra, "event")) == int(not is_structural)


@BOTH
def test_an_emitter_that_the_listener_calls_is_no_cycle(yg: Program, graph: Graph) -> None:
    """
    002, Structural relations, cycles: "Structural relations must be acyclic."
    002, Event relations, cycles: "Event relations may form cycles"
    002, Event relations, example: "is not a real dependency cycle"
    """
    emits, listens = {"target": "b", "type": "emits"}, {"target": "a", "type": "listens"}
    calls = {"target": "a", "type": "calls"}
    files = graph.plus({**described("a", relations=[emits]), **described("b", relations=[])})
    assert yg.issues({**files, **described("b", relations=[listens, calls])}) == []
    back = described("a", relations=[emits, {"target": "b", "type": "uses"}])
    assert yg.issues({**files, **back, **described("b", relations=[listens, calls])}) == [
        ("E010", "a")
    ]


@BOTH
def test_an_event_gives_information_and_no_artifacts_of_its_target(
    yg: Program, graph: Graph
) -> None:
    """
    002, Event relations, information: "this node produces/listens to these events"
    004, yg-node.yaml, event_name: "display name, e.g. OrderPlaced"
    """
    files = graph.adding(relations=[{"target": graph.target, "type": "emits"}])
    name = {"plain": "Db", "shop": "PaymentService"}[graph.name]
    assert yg.blocks(files, graph.extra, "event") == [
        (
            f'<event target="{graph.target}" type="emits" event-name="{name}">\n'
            f"Target: {graph.target}\nYou publish {name}.\n</event>"
        )
    ]


@BOTH
@pytest.mark.parametrize(
    ("entry", "codes"),
    [
        ({"target": "TARGET", "type": "calls"}, []),
        ({"target": "TARGET"}, ["E001"]),
        ({"type": "calls"}, ["E001"]),
        ({"target": "TARGET", "type": "calls", "consumes": ["a"], "failure": "wait"}, []),
        ({"target": "TARGET", "type": "calls", "consumes": "a"}, ["E001"]),
        ({"target": "model/TARGET", "type": "calls"}, ["E004"]),
        ({"target": "/TARGET", "type": "calls"}, ["E004"]),
        ({"target": "../model/TARGET", "type": "calls"}, ["E004"]),
    ],
)
def test_a_relation_has_a_target_and_a_type_and_maybe_more(
    yg: Program, graph: Graph, entry: dict[str, Any], codes: list[str]
) -> None:
    """
    002, Relation fields, target: "Path to target node, relative to model/"
    002, Relation fields, type: "Relation type from tables above"
    002, Relation fields, consumes: "What is consumed from the target"
    002, Relation fields, failure: "Behavior when dependency is unavailable"
    002, Path Conventions, relations: "yg-node.yaml relations.target"
    002, Path Conventions: "No absolute paths."
    """
    if "target" in entry:
        entry = {**entry, "target": entry["target"].replace("TARGET", graph.target)}
    assert yg.codes(graph.adding(relations=[entry]), graph.extra) == codes


@BOTH
def test_consumes_annotates_the_whole_interface_or_the_data_of_an_event(
    yg: Program, graph: Graph
) -> None:
    """
    002, Relation fields, structural: "Tools attach full interface content along with annotations"
    002, Relation fields, event: "event information with annotations describing consumed data"
    002, Relation fields, failure text: "what the node does when the dependency is unavailable"
    """
    files = graph.adding(
        relations=[
            {"target": graph.target, "type": "uses", "consumes": ["charge"], "failure": "wait"},
            {"target": graph.target, "type": "listens", "consumes": ["amount", "status"]},
        ]
    )
    block = yg.block(files, graph.extra, "dependency")
    assert "\nConsumes: charge\nOn failure: wait\n\n" in block
    assert graph.files[f"model/{graph.target}/interface.md"] in block
    assert "\nConsumes: amount, status\n</event>" in yg.block(files, graph.extra, "event")


# Aspects


@BOTH
def test_the_id_of_an_aspect_is_its_directory(yg: Program, graph: Graph) -> None:
    """
    002, Aspects: "The aspect identifier equals the relative directory path under"
    002, Aspects, binding: "Binding happens through the directory path"
    002, Aspects, list: "Run yg aspects to list valid aspect identifiers."
    002, Path Conventions, aspects: "Relative path under aspects/"
    """
    names = ("observability/logging", "observability/tracing")
    more = {**aspect(names[0]), **aspect(names[1])}
    files = graph.adding(more, aspects=[{"aspect": names[0]}])
    assert f'id="{names[0]}">' in "".join(yg.openings(files, graph.extra, "aspect"))
    assert yg.issues(files) == []
    listed = yg.text(files, "aspects")
    for name in names:
        assert f"- id: {name}\n" in listed
    wrong = graph.adding(more, aspects=[{"aspect": "logging"}, {"aspect": "aspects/tidy"}])
    assert yg.codes(wrong, graph.extra) == ["E003", "E003"]


@BOTH
@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("name: X\n", []),
        ("description: X\n", ["E018"]),
        ("name: X\ndescription: Short\nimplies: []\n", []),
        ("name: ''\n", ["E018"]),
    ],
)
def test_an_aspect_needs_a_name_and_may_have_a_description_and_implies(
    yg: Program, graph: Graph, text: str, codes: list[str]
) -> None:
    """
    002, Aspects, name: "name is required"
    002, Aspects, description: "a short summary for discovery via"
    002, Aspects, implies: "implies is optional"
    """
    assert yg.codes(graph.plus({"aspects/x/yg-aspect.yaml": text}), "aspects/x") == codes


@BOTH
def test_nesting_of_aspects_is_no_implication(yg: Program, graph: Graph) -> None:
    """
    002, Aspects, nesting: "Nested directories under aspects/ are organizational"
    002, Aspects, parents: "nesting does not create automatic parent-child relationships"
    002, Aspects, explicit: "The implies field is always explicit"
    004, yg-aspect.yaml, implied: "plus all implied aspects' content is attached"
    004, yg-aspect.yaml, nesting: "There is no automatic parent-child relationship from nesting"
    """
    more = {**aspect("x"), **aspect("x/low")}
    for name in ("x", "x/low"):
        files = graph.adding(more, aspects=[{"aspect": name}])
        tags = yg.openings(files, graph.extra, "aspect")
        assert [tag for tag in tags if 'id="x' in tag] == [
            f'<aspect name="Aspect {name}" id="{name}">'
        ]
    explicit = {**more, **aspect("x", implies=["x/low"])}
    files = graph.adding(explicit, aspects=[{"aspect": "x"}])
    assert f"### content.md\n{explicit['aspects/x/low/content.md']}" in yg.package(
        files, graph.extra
    )


HIPAA = {
    **aspect("hipaa", implies=["requires-audit", "requires-encryption", "requires-access-control"]),
    **aspect("requires-encryption", implies=["requires-keys"]),
    **aspect("requires-access-control"),
    **aspect("requires-keys"),
}


def test_an_aspect_that_bundles_others_brings_them_all(yg: Program) -> None:
    """
    002, Aspects, composition: "a bundle aspect (e.g. hipaa) can include several sub-aspects"
    002, Aspects, bundle: "receives the HIPAA aspect content plus all implied aspects"
    002, Aspects, recursion: "Tools resolve implications recursively and detect cycles"
    """
    files = SHOP.adding(HIPAA, aspects=[{"aspect": "hipaa"}])
    ids = [tag.split('id="')[1].split('"')[0] for tag in yg.openings(files, SHOP.extra, "aspect")]
    assert ids == [
        *("hipaa", "requires-audit", "requires-logging", "requires-encryption"),
        *("requires-keys", "requires-access-control"),
    ]
    cycle = {**files, **aspect("requires-keys", implies=["hipaa"])}
    assert yg.issues(cycle) == [("E017", "aspects/hipaa")]


@BOTH
def test_every_text_of_an_aspect_is_attached_but_its_declaration(yg: Program, graph: Graph) -> None:
    """
    002, Aspects, content: "attach all content files (except yg-aspect.yaml)"
    002, Aspects, distribution: "declared once and distributed automatically"
    004, yg-aspect.yaml, content: "All files in the aspect directory except"
    """
    more = {
        **aspect("x"),
        "aspects/x/b.txt": "B.\n",
        "aspects/x/a.md": "A.\n",
        "aspects/x/.hidden": "Hidden.\n",
    }
    files = graph.adding(more, aspects=[{"aspect": "x"}])
    assert yg.block(files, graph.extra, "aspect", 'id="x"') == (
        '<aspect name="Aspect x" id="x">\n### a.md\nA.\n### b.txt\nB.\n### content.md\n'
        "What x asks for.\n</aspect>"
    )


@BOTH
def test_an_aspect_without_texts_shows_its_description(yg: Program, graph: Graph) -> None:
    """
    002, Aspects, summary: "optional — a short summary for discovery"
    """
    more = {"aspects/x/yg-aspect.yaml": "name: X\ndescription: Keep it short\n"}
    files = graph.adding(more, aspects=[{"aspect": "x"}])
    assert yg.block(files, graph.extra, "aspect", 'id="x"') == (
        '<aspect name="X" id="x">\nKeep it short\n</aspect>'
    )


def test_an_exception_stands_beside_the_aspect(yg: Program) -> None:
    """
    002, Aspects, exceptions: "Exceptions appear in context packages alongside the aspect content"
    002, Aspects, deviation: "Each exception is a string explaining the deviation."
    """
    block = yg.block(SHOP.files, SHOP.node, "aspect", 'id="requires-audit"')
    note = "Batch import skips per-record audit — emits single summary event instead"
    assert block.endswith(f"**Exception for this node:** {note}\n</aspect>")


# Flows


@BOTH
def test_a_flow_lists_its_participants_relative_to_the_model(yg: Program, graph: Graph) -> None:
    """
    002, Flows: "A flow describes a process spanning multiple nodes."
    002, Flows, nodes: "lists flow participants"
    002, Path Conventions, flows: "yg-flow.yaml nodes"
    """
    files = graph.plus(flow("more", graph.node, graph.target))
    assert yg.issues(files) == []
    for participant in (graph.node, graph.target):
        assert len(yg.openings(files, participant, "flow")) == 2
    wrong = graph.plus(flow("more", f"model/{graph.node}"))
    assert yg.issues(wrong) == [("E006", "flows/more")]


@BOTH
def test_the_aspects_of_a_flow_reach_participants_that_do_not_carry_them(
    yg: Program, graph: Graph
) -> None:
    """
    002, Flows, aspects: "those aspects propagate to all participants"
    002, Flows, participants: "even if the node itself does not carry the aspect"
    004, yg-flow.yaml, propagation: "propagate to all participants"
    """
    files = graph.plus({**flow("more", graph.parent, aspects=["x"]), **aspect("x")})
    for participant in (graph.parent, graph.node):
        ids = "".join(yg.openings(files, participant, "aspect"))
        assert 'id="x"' in ids
        (own,) = yg.openings(files, participant, "own-artifacts")
        assert "x" not in own.partition('aspects="')[2].strip('">').split(",")
    assert 'id="x"' not in "".join(yg.openings(files, graph.listener, "aspect"))


@BOTH
def test_the_texts_of_a_flow_reach_participants_and_what_is_below_them(
    yg: Program, graph: Graph
) -> None:
    """
    002, Flows, content: "the node or any of its ancestors is listed as a participant"
    002, Flows, texts: "describe flow behavior, sequence, error handling, and edge cases"
    004, yg-flow.yaml, content: "the listed nodes and their descendants"
    """
    files = graph.plus(
        {
            **flow("more", graph.parent),
            "flows/more/sequence.md": "1. one\n",
            "flows/more/a.md": "A.\n",
        }
    )
    block = yg.block(files, graph.node, "flow", "Flow more")
    assert block == (
        '<flow name="Flow more">\n### description.md\nWhat happens in more.\n### a.md\nA.\n'
        "### sequence.md\n1. one\n</flow>"
    )
    assert "Flow more" not in yg.package(files, graph.target)


# Mapping


@BOTH
@pytest.mark.parametrize(
    ("paths", "owned", "other"),
    [
        (["new/order.ts"], ["new/order.ts"], "new/other.ts"),
        (["new/orders"], ["new/orders/a.ts", "new/orders/low/b.ts"], "new/ordersheet.ts"),
        (["new/a.ts", "new/b.ts", "shared/c.ts"], ["new/b.ts", "shared/c.ts"], "shared/d.ts"),
    ],
)
def test_a_mapping_is_of_files_and_directories(
    yg: Program, graph: Graph, paths: list[str], owned: list[str], other: str
) -> None:
    """
    002, Mapping: "which node owns a given file"
    002, Mapping format: "a paths array listing one or more file or directory paths"
    002, Mapping format, directory: "all files in the directory belong to the node"
    002, Mapping format, several: "implementation spans multiple files in different directories"
    """
    sources = dict.fromkeys([*(path for path in paths if "." in path), *owned, other], "x\n")
    files = graph.adding(sources, mapping={"paths": paths})
    assert yg.issues(files) == []
    for path in owned:
        assert yg.text(files, "owner", path).startswith(f"{path} -> {graph.extra}\n")
    assert yg.text(files, "owner", other).startswith(f"{other} -> no graph coverage\n")


@BOTH
def test_a_directory_stays_mapped_when_its_files_change(yg: Program, graph: Graph) -> None:
    """
    002, Mapping format, robust: "adding, renaming, or deleting files inside the directory"
    """
    for name in ("one.ts", "two.ts"):
        files = graph.adding({f"new/{name}": "x\n"}, mapping={"paths": ["new"]})
        assert yg.issues(files) == []
        assert yg.text(files, "owner", f"new/{name}").startswith(f"new/{name} -> {graph.extra}\n")


@BOTH
def test_a_node_may_have_no_mapping(yg: Program, graph: Graph) -> None:
    """
    002, Mapping format, none: "node exists purely for semantic memory"
    """
    files = graph.adding()
    assert yg.issues(files) == []
    assert yg.blocks(files, graph.extra, "materialization-target") == []


@BOTH
@pytest.mark.parametrize("mapped", ["new", "new/low", "new/low/a.ts"])
def test_mappings_of_two_nodes_do_not_overlap(yg: Program, graph: Graph, mapped: str) -> None:
    """
    002, Mapping constraints: "No two nodes may map to the same file or overlapping directories"
    002, Mapping constraints, ownership: "ownership must be unambiguous"
    001, Structural Integrity, mappings: "no two nodes may map to the same file"
    001, Structural Integrity, directories: "or have overlapping directory mappings"
    """
    other = described("other", mapping={"paths": ["new/low"]})
    sources = {"new/low/a.ts": "x\n"}
    files = graph.adding({**other, **sources}, mapping={"paths": [mapped]})
    assert [code for code, _ in yg.issues(files)] == ["E009"]


@BOTH
def test_a_broken_mapping_is_reported_and_damages_nothing_else(yg: Program, graph: Graph) -> None:
    """
    002, Mapping constraints, moves: "Tools detect and report broken mappings"
    002, Mapping and refactoring: "tools report all broken mappings at once"
    002, Mapping and refactoring, memory: "refactoring never damages semantic memory"
    """
    mapped = {"paths": ["old/a.ts", "old/b.ts"]}
    moved = graph.adding({"new/a.ts": "x\n", "new/b.ts": "x\n"}, mapping=mapped)
    before = graph.adding({"old/a.ts": "x\n", "old/b.ts": "x\n"}, mapping=mapped)
    assert yg.issues(before) == []
    assert yg.issues(moved) == [("W012", graph.extra)] * 2
    assert yg.package(moved, graph.extra) == yg.package(before, graph.extra)


# Schemas, coverage


@BOTH
@pytest.mark.parametrize("kind", ["node", "aspect", "flow"])
def test_there_is_one_schema_for_each_layer(yg: Program, graph: Graph, kind: str) -> None:
    """
    002, Schemas for Graph Layers: "contains schema files — one per graph layer"
    002, Schemas for Graph Layers, node: "Structure of yg-node.yaml in model directories"
    002, Schemas for Graph Layers, aspect: "Structure of yg-aspect.yaml in aspects directories"
    002, Schemas for Graph Layers, flow: "Structure of yg-flow.yaml in flows directories"
    """
    files = graph.without(f"schemas/yg-{kind}.yaml")
    assert yg.issues(files) == [("W010", "schemas")]
    assert f"schemas/yg-{kind}.yaml is missing" in yg.message(files, "W010")


@BOTH
def test_what_no_node_declares_is_invisible_and_counted_as_uncovered(
    yg: Program, graph: Graph
) -> None:
    """
    002, Partial Graphs and Coverage Contract: "Tools operate only on declared nodes."
    002, Partial Graphs and Coverage Contract, aim: "Every file (except .yggdrasil/) belongs to"
    """
    files = graph.plus({"undeclared/a.ts": "x\n", "undeclared/b.ts": "x\n"})
    assert yg.issues(files) == []
    assert yg.package(files, graph.node) == yg.package(graph.files, graph.node)
    listed = yg(files, "coverage", "--uncovered")
    assert listed.code == 1
    own = {"plain": ["other.py"], "shop": ["src/utils/helpers.ts"]}[graph.name]
    assert listed.text.split() == sorted([*own, "undeclared/a.ts", "undeclared/b.ts"])
    rest = described("rest", mapping={"paths": ["other.py", "src/utils"]})
    assert yg(graph.plus(rest), "coverage", "--uncovered").code == 0


@BOTH
def test_a_blackbox_gives_its_files_an_owner(yg: Program, graph: Graph) -> None:
    """
    002, Partial Graphs and Coverage Contract, blackbox: "via a higher-level blackbox node"
    """
    files = graph.adding({"old/low/a.c": "x\n"}, blackbox=True, mapping={"paths": ["old"]})
    assert yg.text(files, "owner", "old/low/a.c").startswith(f"old/low/a.c -> {graph.extra}\n")
    assert "old/low/a.c" not in yg(files, "coverage", "--uncovered").text


@BOTH
def test_an_uncovered_file_asks_for_a_decision(yg: Program, graph: Graph) -> None:
    """
    002, Partial Graphs and Coverage Contract, areas: "it must not edit code without an explicit"
    002, Partial Graphs and Coverage Contract, choice: "user chooses reverse-engineer (full node)"
    002, Partial Graphs and Coverage Contract, greenfield: "do not offer blackbox"
    """
    files = graph.plus({"legacy/a.c": "x\n", "legacy/b.c": "x\n"})
    existing = yg.text(files, "owner", "legacy/a.c")
    assert existing.startswith("legacy/a.c -> no graph coverage\n  Existing code: ")
    for way in ("Stop, and let the user choose:", "--map", "--blackbox", "leave it alone"):
        assert way in existing
    new = yg.text(files, "owner", "brand/new.c")
    assert new.startswith("brand/new.c -> no graph coverage (file not found)\n  New code: ")
    assert "--blackbox" not in new
