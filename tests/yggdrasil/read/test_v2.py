"""The files of a 2.x graph become nodes, aspects and flows, or notes that say where they fail."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import NODE, graph_from
from yg.kernel.errors import UnreadableError
from yg.kernel.issue import Finding, Located, Place
from yg.yggdrasil.model import (
    Aspect,
    AspectUse,
    Flow,
    Node,
    Note,
    Reading,
    ReadIssue,
    Relation,
    RelationKind,
    Stability,
)

if TYPE_CHECKING:
    from support import Content


NODE_PATH = ".yggdrasil/model/a/yg-node.yaml"
LIST_HINT = "Write '- ' before each item, or put it in '[ ]'."
QUOTE_HINT = "Put it in quotes if it is meant as text."
ONE_TEXT = "Write one text."
PATHS_HINT = "List the files or directories under 'paths', or remove 'mapping'."
NODES_HINT = "List the paths of the nodes that take part."
FILL_HINT = "Fill it, or leave it out."


def node_reading(text: Content) -> Reading[Node]:
    reading = graph_from({"model/a/yg-node.yaml": text}).nodes.reading("a")
    assert reading is not None
    return reading


def aspect_reading(text: Content) -> Reading[Aspect]:
    reading = graph_from({"aspects/x/yg-aspect.yaml": text}).aspects.reading("x")
    assert reading is not None
    return reading


def flow_reading(text: Content) -> Reading[Flow]:
    reading = graph_from({"flows/f/yg-flow.yaml": text}).flows.reading("f")
    assert reading is not None
    return reading


def node_note(message: str, line: int, column: int, *hint: str) -> Note:
    return Note(ReadIssue.NODE, Finding("a", message, Place(NODE_PATH, line, column), hint))


def aspect_note(message: str, line: int, column: int, *hint: str) -> Note:
    place = Place(".yggdrasil/aspects/x/yg-aspect.yaml", line, column)
    return Note(ReadIssue.ASPECT, Finding("aspects/x", message, place, hint))


def flow_note(message: str, line: int, column: int, *hint: str) -> Note:
    place = Place(".yggdrasil/flows/f/yg-flow.yaml", line, column)
    return Note(ReadIssue.FLOW, Finding("flows/f", message, place, hint))


def strays_of(
    reading: Reading[Node] | Reading[Aspect] | Reading[Flow],
) -> list[tuple[str, int, int, tuple[str, ...]]]:
    keys = [use.key for use in reading.unknown_keys]
    return [(key.name.text, key.name.line, key.name.column, key.known) for key in keys]


# Nodes.


def test_a_node_is_all_that_its_file_declares() -> None:
    text = """\
name: OrderService
type: service
aspects:
  - aspect: requires-audit
    exceptions:
      - "Batch import skips it"
    anchors: [auditLog, createAuditEntry]
  - aspect: requires-auth
blackbox: true
relations:
  - target: payments/payment-service
    type: calls
    consumes: [charge, refund]
    failure: retry 3x
  - {target: ., type: emits, event_name: OrderPlaced}
mapping:
  paths:
    - src/orders.ts
    - src/shared/
"""
    node = Node(
        path="a",
        directory=".yggdrasil/model/a",
        name="OrderService",
        type=Located("service", 2, 7),
        aspects=(
            AspectUse(
                aspect=Located("requires-audit", 4, 13),
                exceptions=("Batch import skips it",),
                anchors=(Located("auditLog", 7, 15), Located("createAuditEntry", 7, 25)),
            ),
            AspectUse(aspect=Located("requires-auth", 8, 13)),
        ),
        relations=(
            Relation(
                target=Located("payments/payment-service", 11, 13),
                kind=RelationKind.CALLS,
                consumed=(Located("charge", 13, 16), Located("refund", 13, 24)),
                failures=("retry 3x",),
            ),
            Relation(
                target=Located(".", 15, 14), kind=RelationKind.EMITS, event_name="OrderPlaced"
            ),
        ),
        mapping=(Located("src/orders.ts", 18, 7), Located("src/shared/", 19, 7)),
        is_blackbox=True,
    )
    assert node_reading(text) == Reading(node)


@pytest.mark.parametrize(
    "text",
    [
        NODE,
        "# A comment\n---\nname: N\ntype: service\n...\n",
        "\ufeffname: N\ntype: service\n",
        "name: N\r\ntype: service\r\n",
        '{"name": "N", "type": "service"}',
        "name: N\ntype: service\naspects:\nrelations: []\nmapping: null\nblackbox: ~\n",
        "name: N\ntype: service\naspects: []\nblackbox: false\n",
    ],
)
def test_name_and_type_are_enough(text: str) -> None:
    node = node_reading(text).value
    assert node is not None
    assert (node.name, node.type.text) == ("N", "service")
    assert (node.aspects, node.relations, node.mapping) == ((), (), ())
    assert (node.is_blackbox, node.files) == (False, ())


@pytest.mark.parametrize("name", ["yes", "on", "12:30", "2026-01-31", "1_000", "=", "0b1"])
def test_what_only_older_yaml_reads_as_something_else_is_text(name: str) -> None:
    node = node_reading(f"name: {name}\ntype: service\n").value
    assert node is not None
    assert node.name == name


@pytest.mark.parametrize("kind", ["uses", "calls", "extends", "implements", "emits", "listens"])
def test_a_relation_is_of_one_of_six_types(kind: str) -> None:
    node = node_reading(f"{NODE}relations: [{{target: b, type: {kind}}}]\n").value
    assert node is not None
    assert node.relations == (Relation(target=Located("b", 3, 22), kind=RelationKind(kind)),)


def test_a_node_knows_the_files_beside_its_own_by_name() -> None:
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": NODE,
        "model/a/responsibility.md": "R",
        "model/a/Notes.txt": "N",
        "model/a/.hidden": "H",
        "model/a/below/deeper.md": "D",
    }
    node = graph_from(files).nodes.get("a")
    assert node is not None
    assert node.files == ("Notes.txt", "responsibility.md")


def test_the_root_node_lies_in_the_model_itself() -> None:
    node = graph_from({"model/yg-node.yaml": NODE}).nodes.get(".")
    assert node == Node(
        path=".", directory=".yggdrasil/model", name="N", type=Located("service", 2, 7)
    )


@pytest.mark.parametrize(
    ("text", "note"),
    [
        pytest.param(
            "name: 123\ntype: service\n",
            node_note("'name' must be text, found a whole number", 1, 7, QUOTE_HINT),
            id="name is a number",
        ),
        pytest.param(
            "name: 1.5\ntype: service\n",
            node_note("'name' must be text, found a number", 1, 7, QUOTE_HINT),
            id="name is a fraction",
        ),
        pytest.param(
            "name: true\ntype: service\n",
            node_note("'name' must be text, found true or false", 1, 7, QUOTE_HINT),
            id="name is a flag",
        ),
        pytest.param(
            "name: [N]\ntype: service\n",
            node_note("'name' must be text, found a list", 1, 7, ONE_TEXT),
            id="name is a list",
        ),
        pytest.param(
            "name: N\ntype: {service: }\n",
            node_note("'type' must be text, found a mapping", 2, 7, ONE_TEXT),
            id="type is a mapping",
        ),
        pytest.param(
            'name: ""\ntype: service\n',
            node_note("'name' must not be empty", 1, 7, "Write the text."),
            id="empty name",
        ),
        pytest.param(
            'name: N\ntype: "  "\n',
            node_note("'type' must not be empty", 2, 7, "Write the text."),
            id="blank type",
        ),
        pytest.param(
            "type: service\n",
            node_note("yg-node.yaml has no 'name'", 1, 1, "Add 'name: ..'."),
            id="no name",
        ),
        pytest.param(
            "name: N\ntype:\n",
            node_note("yg-node.yaml has no 'type'", 1, 1, "Add 'type: ..'."),
            id="type without value",
        ),
        pytest.param(
            f"{NODE}relations: payments\n",
            node_note("'relations' must be a list, found text", 3, 12, LIST_HINT),
            id="relations is text",
        ),
        pytest.param(
            f"{NODE}relations: {{target: b, type: uses}}\n",
            node_note("'relations' must be a list, found a mapping", 3, 12, LIST_HINT),
            id="relations is a mapping",
        ),
        pytest.param(
            f"{NODE}relations:\n  - payments\n",
            node_note(
                "each item of 'relations' must be a mapping, found text",
                4,
                5,
                "Write '- {target: payments, type: uses}'.",
            ),
            id="a relation is text",
        ),
        pytest.param(
            f"{NODE}relations:\n  - {{type: uses}}\n",
            node_note("each item of 'relations' has no 'target'", 4, 5, "Add 'target: ..'."),
            id="a relation without target",
        ),
        pytest.param(
            f"{NODE}relations:\n  - {{target: b}}\n",
            node_note("each item of 'relations' has no 'type'", 4, 5, "Add 'type: ..'."),
            id="a relation without type",
        ),
        pytest.param(
            f"{NODE}relations:\n  - {{target: b, type: needs}}\n",
            node_note(
                "unknown relation type 'needs'",
                4,
                23,
                "Use one of: uses, calls, extends, implements, emits, listens.",
            ),
            id="an unknown relation type",
        ),
        pytest.param(
            f"{NODE}relations:\n  - {{target: b, type: Uses}}\n",
            node_note(
                "unknown relation type 'Uses'",
                4,
                23,
                "Use one of: uses, calls, extends, implements, emits, listens.",
            ),
            id="a relation type in another case",
        ),
        pytest.param(
            f"{NODE}relations:\n  - {{target: b, type: uses, consumes: charge}}\n",
            node_note("'consumes' must be a list, found text", 4, 39, LIST_HINT),
            id="consumes is text",
        ),
        pytest.param(
            f"{NODE}relations:\n  - {{target: b, type: uses, consumes: [a, 2]}}\n",
            node_note(
                "each item of 'consumes' must be text, found a whole number", 4, 43, QUOTE_HINT
            ),
            id="an item of consumes is a number",
        ),
        pytest.param(
            f"{NODE}relations:\n  - {{target: b, type: uses, failure: [stop]}}\n",
            node_note("'failure' must be text, found a list", 4, 38, ONE_TEXT),
            id="failure is a list",
        ),
        pytest.param(
            f"{NODE}relations:\n  - {{target: b, type: emits, event_name: 7}}\n",
            node_note("'event_name' must be text, found a whole number", 4, 42, QUOTE_HINT),
            id="event name is a number",
        ),
        pytest.param(
            f"{NODE}aspects: [audit]\n",
            node_note(
                "each item of 'aspects' must be a mapping, found text",
                3,
                11,
                "Write '- aspect: audit'.",
            ),
            id="an aspect entry is text",
        ),
        pytest.param(
            f"{NODE}aspects: {{aspect: audit}}\n",
            node_note("'aspects' must be a list, found a mapping", 3, 10, LIST_HINT),
            id="aspects is a mapping",
        ),
        pytest.param(
            f"{NODE}aspects: [{{exceptions: [x]}}]\n",
            node_note("each item of 'aspects' has no 'aspect'", 3, 11, "Add 'aspect: ..'."),
            id="an aspect entry without aspect",
        ),
        pytest.param(
            f"{NODE}aspects: [{{aspect: x, exceptions: because}}]\n",
            node_note("'exceptions' must be a list, found text", 3, 35, LIST_HINT),
            id="exceptions is text",
        ),
        pytest.param(
            f"{NODE}aspects: [{{aspect: x, exceptions: ['']}}]\n",
            node_note(
                "each item of 'exceptions' must not be empty",
                3,
                36,
                "Write the text, or remove the item.",
            ),
            id="an empty exception",
        ),
        pytest.param(
            f"{NODE}aspects: [{{aspect: x, anchors: []}}]\n",
            node_note("'anchors' must not be empty", 3, 32, FILL_HINT),
            id="no anchors",
        ),
        pytest.param(
            f"{NODE}aspects: [{{aspect: x, anchors: log}}]\n",
            node_note("'anchors' must be a list, found text", 3, 32, LIST_HINT),
            id="anchors is text",
        ),
        pytest.param(
            f"{NODE}mapping: {{paths: []}}\n",
            node_note("'paths' must not be empty", 3, 18, PATHS_HINT),
            id="no paths",
        ),
        pytest.param(
            f"{NODE}mapping: {{paths: src}}\n",
            node_note("'paths' must be a list, found text", 3, 18, LIST_HINT),
            id="paths is text",
        ),
        pytest.param(
            f"{NODE}mapping: {{}}\n",
            node_note("'mapping' has no 'paths'", 3, 10, PATHS_HINT),
            id="mapping without paths",
        ),
        pytest.param(
            f"{NODE}blackbox: yes\n",
            node_note(
                "'blackbox' must be true or false, found text",
                3,
                11,
                "YAML 1.2 has only true and false.",
            ),
            id="blackbox as older YAML spelled it",
        ),
        pytest.param(
            f"{NODE}blackbox: 1\n",
            node_note("'blackbox' must be true or false, found a whole number", 3, 11),
            id="blackbox is a number",
        ),
        pytest.param(
            f"{NODE}name: M\n",
            node_note(
                "duplicate key 'name'",
                3,
                1,
                "It is already defined in line 1; keep one of the two.",
            ),
            id="a key twice",
        ),
        pytest.param(
            f"{NODE}---\n{NODE}",
            node_note("a second document begins", 3, 1, "Keep one document in this file."),
            id="two documents",
        ),
        pytest.param(
            f"{NODE}relations:\n\t- target: b\n",
            node_note("a tab where YAML requires spaces", 4, 1, "Indent with spaces."),
            id="a tab",
        ),
        pytest.param(
            "", node_note("yg-node.yaml must be a mapping, found nothing", 1, 1), id="an empty file"
        ),
        pytest.param(
            "- name: N\n",
            node_note("yg-node.yaml must be a mapping, found a list", 1, 1),
            id="a list",
        ),
        pytest.param(
            "just words\n",
            node_note("yg-node.yaml must be a mapping, found text", 1, 1),
            id="a text",
        ),
    ],
)
def test_a_bad_node_is_told_with_its_place_and_is_no_node(text: str, note: Note) -> None:
    assert node_reading(text) == Reading(None, (note,))


def test_everything_wrong_with_a_file_is_told_at_once() -> None:
    text = """\
name: 1
relations:
  - {target: [b], type: needs}
  - uses
mapping: {paths: [2]}
blackbox: maybe
"""
    findings = [note.finding for note in node_reading(text).notes]
    assert [(finding.message, finding.place.line) for finding in findings] == [
        ("'name' must be text, found a whole number", 1),
        ("yg-node.yaml has no 'type'", 1),
        ("'blackbox' must be true or false, found text", 6),
        ("'target' must be text, found a list", 3),
        ("unknown relation type 'needs'", 3),
        ("each item of 'relations' must be a mapping, found text", 4),
        ("each item of 'paths' must be text, found a whole number", 5),
    ]


def test_a_syntax_error_is_told_with_its_place() -> None:
    (note,) = node_reading("name: N\ntype: [service\nblackbox: true\n").notes
    assert (note.issue, note.finding.subject) == (ReadIssue.NODE, "a")
    assert note.finding.message.startswith("not valid YAML: ")
    assert note.finding.place == Place(NODE_PATH, 2, 7)


def test_a_mapping_that_is_no_mapping_is_told_with_its_place() -> None:
    reading = node_reading(f"{NODE}mapping: src/orders.py\n")
    assert reading.value is None
    hint = "Write 'mapping: {paths: [src/orders.py]}'."
    assert reading.notes == (node_note("'mapping' must be a mapping, found text", 3, 10, hint),)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"name: \xff\ntype: service\n", "not UTF-8 at byte 6 (0xff)"),
        (b"\xef\xbb\xbfname: \xff\n", "not UTF-8 at byte 9 (0xff)"),
        ("name: N\n".encode("utf-16"), "not UTF-8 at byte 0 (0xff)"),
        (UnreadableError(NODE_PATH, "permission denied"), "permission denied"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_as_such(content: Content, reason: str) -> None:
    finding = Finding("a", f"'yg-node.yaml' cannot be read: {reason}", Place(NODE_PATH))
    assert node_reading(content) == Reading(None, (Note(ReadIssue.UNREADABLE, finding),))


KNOWN_KEYS = (
    *("name", "type", "description", "aspects", "blackbox"),
    *("drift", "relations", "external", "mapping"),
    *("documents", "artifacts", "decisions"),
)


def test_unknown_keys_are_told_with_what_is_known_and_do_not_spoil_the_node() -> None:
    text = """\
nmae: M
name: N
type: service
aspects:
  - {aspect: x, exception: [y]}
relations:
  - {target: b, type: uses, consume: [z]}
mapping: {paths: [src], type: file}
"""
    reading = node_reading(text)
    assert reading.value is not None
    assert reading.notes == ()
    assert [(use.subject, use.file) for use in reading.unknown_keys] == [("a", NODE_PATH)] * 4
    assert strays_of(reading) == [
        ("exception", 5, 17, ("aspect", "exceptions", "anchors")),
        ("consume", 7, 29, ("target", "type", "consumes", "failure", "event_name")),
        ("type", 8, 25, ("paths", "exclude")),
        ("nmae", 1, 1, KNOWN_KEYS),
    ]


def test_unknown_keys_of_a_bad_node_are_told_too() -> None:
    reading = node_reading("nmae: N\ntype: service\n")
    assert reading.value is None
    assert [key for key, *_ in strays_of(reading)] == ["nmae"]


# Aspects.


def test_an_aspect_is_all_that_its_file_declares() -> None:
    text = (
        "name: Audit logging\ndescription: Short\nimplies: [logging, seen/traces]\n"
        "stability: protocol\n"
    )
    aspect = Aspect(
        id="x",
        directory=".yggdrasil/aspects/x",
        name="Audit logging",
        description="Short",
        implies=(Located("logging", 3, 11), Located("seen/traces", 3, 20)),
        stability=Stability.PROTOCOL,
    )
    assert aspect_reading(text) == Reading(aspect)


def test_an_aspect_needs_only_a_name() -> None:
    aspect = Aspect(id="x", directory=".yggdrasil/aspects/x", name="X")
    assert aspect_reading("name: X\n") == Reading(aspect)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        pytest.param(
            "description: Short\n",
            aspect_note("yg-aspect.yaml has no 'name'", 1, 1, "Add 'name: ..'."),
            id="no name",
        ),
        pytest.param(
            "name: 404\n",
            aspect_note("'name' must be text, found a whole number", 1, 7, QUOTE_HINT),
            id="name is a number",
        ),
        pytest.param(
            "name: X\ndescription: [a]\n",
            aspect_note("'description' must be text, found a list", 2, 14, ONE_TEXT),
            id="description is a list",
        ),
        pytest.param(
            "name: X\nimplies: y\n",
            aspect_note("'implies' must be a list, found text", 2, 10, LIST_HINT),
            id="implies is text",
        ),
        pytest.param(
            "name: X\nimplies: [y, null]\n",
            aspect_note("each item of 'implies' must be text, found nothing", 2, 14, QUOTE_HINT),
            id="implies nothing",
        ),
        pytest.param(
            "name: X\nstability: solid\n",
            aspect_note(
                "unknown stability 'solid'",
                2,
                12,
                "Use one of: schema, protocol, implementation.",
            ),
            id="unknown stability",
        ),
        pytest.param(
            "name: X\nstability: 1\n",
            aspect_note("'stability' must be text, found a whole number", 2, 12, QUOTE_HINT),
            id="stability is a number",
        ),
        pytest.param(
            "name: X\nname: Y\n",
            aspect_note(
                "duplicate key 'name'",
                2,
                1,
                "It is already defined in line 1; keep one of the two.",
            ),
            id="a key twice",
        ),
        pytest.param(
            "[]\n", aspect_note("yg-aspect.yaml must be a mapping, found a list", 1, 1), id="a list"
        ),
    ],
)
def test_a_bad_aspect_is_told_with_its_place_and_is_no_aspect(text: str, note: Note) -> None:
    assert aspect_reading(text) == Reading(None, (note,))


def test_an_unknown_key_of_an_aspect_is_told_with_what_is_known() -> None:
    reading = aspect_reading("name: X\ntag: y\n")
    assert reading.value is not None
    assert strays_of(reading) == [
        ("tag", 2, 1, ("name", "description", "implies", "stability", "documents", "decisions")),
    ]


# Flows.


def test_a_flow_is_all_that_its_file_declares() -> None:
    text = "name: Checkout\nnodes:\n  - orders/service\n  - .\naspects: [saga]\n"
    flow = Flow(
        id="f",
        directory=".yggdrasil/flows/f",
        name="Checkout",
        nodes=(Located("orders/service", 3, 5), Located(".", 4, 5)),
        aspects=(Located("saga", 5, 11),),
    )
    assert flow_reading(text) == Reading(flow)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        pytest.param(
            "nodes: [a]\n",
            flow_note("yg-flow.yaml has no 'name'", 1, 1, "Add 'name: ..'."),
            id="no name",
        ),
        pytest.param(
            "name: F\n",
            flow_note("yg-flow.yaml has no 'nodes'", 1, 1, NODES_HINT),
            id="no nodes",
        ),
        pytest.param(
            "name: F\nnodes: []\n",
            flow_note("'nodes' must not be empty", 2, 8, NODES_HINT),
            id="empty nodes",
        ),
        pytest.param(
            "name: F\nnodes: a\n",
            flow_note("'nodes' must be a list, found text", 2, 8, LIST_HINT),
            id="nodes is text",
        ),
        pytest.param(
            "name: F\nnodes: [{a: b}]\n",
            flow_note("each item of 'nodes' must be text, found a mapping", 2, 9, ONE_TEXT),
            id="a node is a mapping",
        ),
        pytest.param(
            "name: F\nnodes: [a]\naspects: x\n",
            flow_note("'aspects' must be a list, found text", 3, 10, LIST_HINT),
            id="aspects is text",
        ),
        pytest.param(
            "name: F\nnodes: [a]\naspects: [{aspect: x}]\n",
            flow_note("each item of 'aspects' must be text, found a mapping", 3, 11, ONE_TEXT),
            id="an aspect written as in a node",
        ),
    ],
)
def test_a_bad_flow_is_told_with_its_place_and_is_no_flow(text: str, note: Note) -> None:
    assert flow_reading(text) == Reading(None, (note,))


def test_an_unknown_key_of_a_flow_is_told_with_what_is_known() -> None:
    reading = flow_reading("name: F\nnodes: [a]\nmembers: [b]\n")
    assert reading.value is not None
    known = ("name", "description", "nodes", "participants", "aspects")
    assert strays_of(reading) == [("members", 3, 1, known)]


@pytest.mark.parametrize(
    ("keys", "nodes"),
    [
        ("participants: [b, c]\n", ["b", "c"]),
        ("nodes:\nparticipants: [b]\n", ["b"]),
        ("nodes: [a]\nparticipants: [b]\n", ["a"]),
        ("nodes: [a]\nparticipants: 5\n", ["a"]),
    ],
)
def test_participants_are_another_name_of_nodes(keys: str, nodes: list[str]) -> None:
    reading = flow_reading(f"name: F\n{keys}")
    assert (reading.notes, reading.unknown_keys) == ((), ())
    assert reading.value is not None
    assert [node.text for node in reading.value.nodes] == nodes


def test_a_flow_without_any_participants_lacks_nodes() -> None:
    reading = flow_reading("name: F\nparticipants:\n")
    assert [note.finding.message for note in reading.notes] == ["yg-flow.yaml has no 'nodes'"]


@pytest.mark.parametrize(
    ("written", "description"),
    [
        ("Takes orders", "Takes orders"),
        ("'  Takes orders '", "Takes orders"),
        ("", ""),
        ("''", ""),
        ("5", ""),
        ("[a]", ""),
    ],
)
def test_a_description_is_text_and_anything_else_is_none(written: str, description: str) -> None:
    node = node_reading(f"name: N\ntype: service\ndescription: {written}\n")
    flow = flow_reading(f"name: F\nnodes: [a]\ndescription: {written}\n")
    for reading in (node, flow):
        assert (reading.notes, reading.unknown_keys) == ((), ())
        assert reading.value is not None
        assert reading.value.description == description


# Whatever stands in a file.

NODE_KEYS = ("name", "type", "aspects", "relations", "mapping", "blackbox")
INNER_KEYS = ("aspect", "exceptions", "anchors", "target", "consumes", "event_name", "paths")
OTHER_KEYS = ("description", "implies", "stability", "nodes", "other")
KEYS = st.sampled_from(NODE_KEYS + INNER_KEYS + OTHER_KEYS)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["", " ", "a", "uses", "schema"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, VALUES, max_size=6))
def test_a_file_is_either_understood_or_told_of_wherever_it_is_wrong(fields: object) -> None:
    text = json.dumps(fields)
    for reading in (node_reading(text), aspect_reading(text), flow_reading(text)):
        assert (reading.value is None) == bool(reading.notes)
        places = [note.finding.place for note in reading.notes]
        assert all(place.line == 1 and 1 <= place.column <= len(text) for place in places)


@given(st.binary(max_size=40) | st.text("ab:-[]{}&*!|>'\"%@`#,? \n\t\r\0é", max_size=40))
def test_no_content_of_a_file_stops_a_reader(content: str | bytes) -> None:
    for reading in (node_reading(content), aspect_reading(content), flow_reading(content)):
        assert (reading.value, bool(reading.notes)) == (None, True)
