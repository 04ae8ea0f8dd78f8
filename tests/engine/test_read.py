"""The files of a graph become nodes, aspects and flows; everything wrong has its place."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import NODE, Content, graph_from, snapshot_from
from yg.kernel.errors import UnreadableError
from yg.kernel.issue import Finding, Located, Place
from yg.kernel.snapshot import Kind
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.model import (
    Aspect,
    AspectUse,
    Flow,
    Mapping,
    Node,
    Problem,
    Relation,
    RelationType,
    Stability,
)
from yg.yggdrasil.read import read_graph

FILES = {
    "node": ("model/a/yg-node.yaml", "a", "E001"),
    "aspect": ("aspects/a/yg-aspect.yaml", "aspects/a", "E018"),
    "flow": ("flows/a/yg-flow.yaml", "flows/a", "E019"),
}
ASPECT = "name: X\n"
FLOW = "name: F\nnodes: [n]\n"
LIST_HINT = "Write '- ' before each item, or put it in '[ ]'."
QUOTE_HINT = "Put it in quotes if it is meant as text."
PATHS_HINT = "List the files or directories under 'paths', or remove 'mapping'."
NODES_HINT = "List the paths of the nodes that take part."


def read(kind: str, text: Content) -> Graph:
    """Read a graph with one declaration, whose directory is called `a`."""
    return graph_from({FILES[kind][0]: text})


def value(kind: str, text: Content) -> Any:
    """Return what a declaration without problems says."""
    graph = read(kind, text)
    assert (graph.problems, graph.unknown_keys) == ((), ())
    parts: dict[str, Any] = {"node": graph.nodes, "aspect": graph.aspects, "flow": graph.flows}
    return parts[kind]["a"]


def problem(kind: str, message: str, at: str, *hint: str) -> Problem:
    path, subject, code = FILES[kind]
    line, column = map(int, at.split(":"))
    place = Place(f".yggdrasil/{path}", line, column)
    return Problem(code, Finding(subject, message, place, hint))


def is_empty(graph: Graph) -> bool:
    return not (graph.nodes or graph.aspects or graph.flows)


def unknown(graph: Graph) -> list[tuple[str, int, int, tuple[str, ...]]]:
    return [
        (key.name.text, key.name.line, key.name.column, key.known) for key in graph.unknown_keys
    ]


# What files declare.


def test_a_node_is_all_that_its_file_declares() -> None:
    text = """\
name: OrderService
type: service
description: Takes orders
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
    assert value("node", text) == Node(
        path="a",
        directory=".yggdrasil/model/a",
        name="OrderService",
        type=Located("service", 2, 7),
        description="Takes orders",
        aspects=(
            AspectUse(
                aspect=Located("requires-audit", 5, 13),
                exceptions=("Batch import skips it",),
                anchors=(Located("auditLog", 8, 15), Located("createAuditEntry", 8, 25)),
            ),
            AspectUse(aspect=Located("requires-auth", 9, 13)),
        ),
        blackbox=True,
        relations=(
            Relation(
                target=Located("payments/payment-service", 12, 13),
                type=RelationType.CALLS,
                consumes=("charge", "refund"),
                failure="retry 3x",
            ),
            Relation(
                target=Located(".", 16, 14), type=RelationType.EMITS, event_name="OrderPlaced"
            ),
        ),
        mapping=Mapping(paths=(Located("src/orders.ts", 19, 7), Located("src/shared/", 20, 7))),
    )


@pytest.mark.parametrize(
    "text",
    [
        NODE,
        "# A comment\n---\nname: N\ntype: service\n...\n",
        "\ufeffname: N\ntype: service\n",
        "name: N\r\ntype: service\r\n",
        '{"name": "N", "type": "service"}',
        "name: N\ntype: service\naspects:\nrelations: []\nmapping: null\nblackbox: ~\n",
        "name: N\ntype: service\ndescription:\naspects: []\nblackbox: false\n",
    ],
)
def test_name_and_type_are_enough(text: str) -> None:
    node = value("node", text)
    assert (node.name, node.type.text, node.description) == ("N", "service", "")
    assert (node.aspects, node.relations, node.mapped) == ((), (), ())
    assert (node.blackbox, node.files) == (False, ())


def test_line_breaks_of_older_yaml_are_text() -> None:
    assert value("node", "name: a\u2028b\x85c\ntype: service\n").name == "a\u2028b\x85c"


def test_an_aspect_is_all_that_its_file_declares() -> None:
    text = (
        "name: Audit logging\ndescription: Short\nimplies: [logging, seen/traces]\n"
        "stability: protocol\n"
    )
    assert value("aspect", text) == Aspect(
        path="a",
        directory=".yggdrasil/aspects/a",
        name="Audit logging",
        description="Short",
        implies=(Located("logging", 3, 11), Located("seen/traces", 3, 20)),
        stability=Stability.PROTOCOL,
    )


def test_an_aspect_needs_only_a_name() -> None:
    expected = Aspect(path="a", directory=".yggdrasil/aspects/a", name="X")
    assert value("aspect", ASPECT) == expected


def test_a_flow_is_all_that_its_file_declares() -> None:
    text = (
        "name: Checkout\ndescription: Money\nnodes:\n  - orders/service\n  - .\naspects: [saga]\n"
    )
    assert value("flow", text) == Flow(
        path="a",
        directory=".yggdrasil/flows/a",
        name="Checkout",
        description="Money",
        nodes=(Located("orders/service", 4, 5), Located(".", 5, 5)),
        aspects=(Located("saga", 6, 11),),
    )


@pytest.mark.parametrize(
    ("keys", "nodes"),
    [
        ("participants: [b, c]\n", ["b", "c"]),
        ("nodes:\nparticipants: [b]\n", ["b"]),
    ],
)
def test_participants_are_another_name_of_nodes(keys: str, nodes: list[str]) -> None:
    assert [node.text for node in value("flow", f"name: F\n{keys}").nodes] == nodes


def test_a_flow_has_only_one_of_the_two_names() -> None:
    files: dict[str, Content] = {"flows/f/yg-flow.yaml": "name: F\nnodes: [a]\nparticipants: [b]\n"}
    (problem,) = graph_from(files).problems
    assert (problem.code, problem.finding.message, problem.finding.place.line) == (
        "E019",
        "yg-flow.yaml has both 'nodes' and 'participants', which is another name of it",
        3,
    )


def test_a_node_knows_the_files_beside_its_own_by_name() -> None:
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": NODE,
        "model/a/responsibility.md": "R",
        "model/a/Notes.txt": "N",
        "model/a/.hidden": "H",
        "model/a/below/deeper.md": "D",
    }
    assert graph_from(files).nodes["a"].files == ("Notes.txt", "responsibility.md")


# Values of a wrong type. `@` stands where the value is.

WRONG = {
    "text": ("5", "1.5", "true", "[x]", "{x: y}"),
    "a list": ("x", "5", "true", "{x: y}"),
    "a mapping": ("x", "5", "true", "[x]"),
    "true or false": ("yes", "5", "1.5", "[true]", "{x: y}"),
}
FOUND = {
    "5": "a whole number",
    "1.5": "a number",
    "true": "true or false",
    "[x]": "a list",
    "[true]": "a list",
    "{x: y}": "a mapping",
}
WORDS = {
    "{ASPECT}": "Add 'aspect: ..'.",
    "{BOOLEAN}": "YAML 1.2 has only true and false.",
    "{EMPTY}": "must not be empty",
    "{FILL}": "Fill it, or leave it out.",
    "{ITEM}": "each item of",
    "{LIST}": LIST_HINT,
    "{MAPPING}": "Write 'mapping: {paths: [",
    "{NODES}": NODES_HINT,
    "{PATHS}": PATHS_HINT,
    "{QUOTE}": QUOTE_HINT,
    "{RELATION}": "Write '- {target: pay, type: uses}'.",
    "{REMOVE}": "Write the text, or remove the item.",
    "{TARGET}": "Add 'target: ..'.",
    "{TIERS}": "Use one of: schema, protocol, implementation.",
    "{TYPES}": "Use one of: uses, calls, extends, implements, emits, listens.",
    "{USE}": "Write '- aspect: audit'.",
}
WHOLE = {"node": NODE, "aspect": ASPECT, "flow": FLOW}
KEYS = """
node   | @                            | yg-node.yaml     | a mapping
node   | name: @\\ntype: service        | 'name'           | text
node   | name: N\\ntype: @              | 'type'           | text
node   | ~description: @              | 'description'    | text
node   | ~blackbox: @                 | 'blackbox'       | true or false
node   | ~aspects: @                  | 'aspects'        | a list
node   | ~aspects: [@]                | {ITEM} 'aspects' | a mapping
node   | ~aspects: [{aspect: @}]      | 'aspect'         | text
node   | ~aspects: [{aspect: x, exceptions: @}]                | 'exceptions' | a list
node   | ~aspects: [{aspect: x, exceptions: [@]}]              | {ITEM} 'exceptions' | text
node   | ~aspects: [{aspect: x, anchors: @}]                   | 'anchors'    | a list
node   | ~aspects: [{aspect: x, anchors: [@]}]                 | {ITEM} 'anchors' | text
node   | ~relations: @                | 'relations'      | a list
node   | ~relations: [@]              | {ITEM} 'relations' | a mapping
node   | ~relations: [{target: @, type: uses}]                 | 'target'     | text
node   | ~relations: [{target: b, type: @}]                    | 'type'       | text
node   | ~relations: [{target: b, type: uses, consumes: @}]    | 'consumes'   | a list
node   | ~relations: [{target: b, type: uses, consumes: [@]}]  | {ITEM} 'consumes' | text
node   | ~relations: [{target: b, type: uses, failure: @}]     | 'failure'    | text
node   | ~relations: [{target: b, type: emits, event_name: @}] | 'event_name' | text
node   | ~mapping: @                  | 'mapping'        | a mapping
node   | ~mapping: {paths: @}         | 'paths'          | a list
node   | ~mapping: {paths: [@]}       | {ITEM} 'paths'   | text
aspect | @                            | yg-aspect.yaml   | a mapping
aspect | name: @                      | 'name'           | text
aspect | ~description: @              | 'description'    | text
aspect | ~implies: @                  | 'implies'        | a list
aspect | ~implies: [@]                | {ITEM} 'implies' | text
aspect | ~stability: @                | 'stability'      | text
flow   | @                            | yg-flow.yaml     | a mapping
flow   | name: @\\nnodes: [n]           | 'name'           | text
flow   | ~description: @              | 'description'    | text
flow   | name: F\\nnodes: @             | 'nodes'          | a list
flow   | name: F\\nnodes: [@]           | {ITEM} 'nodes'   | text
flow   | name: F\\nparticipants: @      | 'participants'   | a list
flow   | ~aspects: @                  | 'aspects'        | a list
flow   | ~aspects: [@]                | {ITEM} 'aspects' | text
"""


def cells(row: str) -> tuple[str, str, list[str]]:
    """Return the kind, the text and the rest of a row, in which words may be abbreviated."""
    for word, meaning in WORDS.items():
        row = row.replace(word, meaning)
    kind, text, *rest = (cell.strip() for cell in row.split(" | "))
    return kind, f"{text}\n".replace("\\n", "\n").replace("~", WHOLE[kind]), rest


@pytest.mark.parametrize("row", KEYS.strip().split("\n"))
def test_a_value_of_a_wrong_type_is_an_error_where_it_is(row: str) -> None:
    kind, text, (what, form) = cells(row)
    before = text[: text.index("@")].split("\n")
    at = f"{len(before)}:{len(before[-1]) + 1}"
    for wrong in WRONG[form]:
        graph = read(kind, text.replace("@", wrong))
        message = f"{what} must be {form}, found {FOUND.get(wrong, 'text')}"
        hints = graph.problems[0].finding.advice
        assert graph.problems[0] == problem(kind, message, at, *hints)
        assert is_empty(graph)
        assert all(hint.endswith(".") for hint in hints)


# Other faults of declarations.

FAULTS = """
node   | name: ""\\ntype: x      | 'name' must not be empty         | 1:7 | Write the text.
node   | name: N\\ntype: "  "     | 'type' must not be empty         | 2:7 | Write the text.
node   | type: x                | yg-node.yaml has no 'name'       | 1:1 | Add 'name: ..'.
node   | name: N\\ntype:          | yg-node.yaml has no 'type'       | 1:1 | Add 'type: ..'.
node   | ~blackbox: yes | 'blackbox' must be true or false, found text | 3:11 | {BOOLEAN}
node   | ~relations: x | 'relations' must be a list, found text   | 3:12 | {LIST}
node   | ~relations: [pay] | {ITEM} 'relations' must be a mapping, found text | 3:13 | {RELATION}
node   | ~relations: [{type: uses}]   | {ITEM} 'relations' has no 'target' | 3:13 | {TARGET}
node   | ~relations: [{target: b}]    | {ITEM} 'relations' has no 'type'   | 3:13 | Add 'type: ..'.
node   | ~relations: [{target: b, type: needs}] | unknown relation type 'needs' | 3:31 | {TYPES}
node   | ~relations: [{target: b, type: Uses}]  | unknown relation type 'Uses'  | 3:31 | {TYPES}
node   | ~aspects: [audit] | {ITEM} 'aspects' must be a mapping, found text | 3:11 | {USE}
node   | ~aspects: [{exceptions: [x]}] | {ITEM} 'aspects' has no 'aspect' | 3:11 | {ASPECT}
node   | ~aspects: [{aspect: x, exceptions: ['']}] | {ITEM} 'exceptions' {EMPTY} | 3:36 | {REMOVE}
node   | ~aspects: [{aspect: x, anchors: []}]  | 'anchors' {EMPTY} | 3:32 | {FILL}
node   | ~mapping: {paths: []} | 'paths' {EMPTY}                  | 3:18 | {PATHS}
node   | ~mapping: {}          | 'mapping' has no 'paths'         | 3:10 | {PATHS}
node   | ~mapping: src/a.py | 'mapping' must be a mapping, found text | 3:10 | {MAPPING}src/a.py]}'.
node   | ~mapping: [a, b] | 'mapping' must be a mapping, found a list | 3:10 | {MAPPING}a, b]}'.
aspect | implies: []           | yg-aspect.yaml has no 'name'     | 1:1 | Add 'name: ..'.
aspect | ~stability: solid     | unknown stability 'solid'        | 2:12 | {TIERS}
aspect | ~implies: [y, null] | {ITEM} 'implies' must be text, found nothing | 2:14 | {QUOTE}
flow   | nodes: [a]            | yg-flow.yaml has no 'name'       | 1:1 | Add 'name: ..'.
flow   | name: F               | yg-flow.yaml has no 'nodes'      | 1:1 | {NODES}
flow   | name: F\\nparticipants: | yg-flow.yaml has no 'nodes'      | 1:1 | {NODES}
flow   | name: F\\nnodes: []     | 'nodes' must not be empty        | 2:8 | {NODES}
"""


@pytest.mark.parametrize("row", FAULTS.strip().split("\n"))
def test_a_bad_declaration_is_one_error_with_its_place_and_advice(row: str) -> None:
    kind, text, (message, at, hint) = cells(row)
    graph = read(kind, text)
    assert graph.problems == (problem(kind, message, at, hint),)
    assert is_empty(graph)
    assert list(graph.unread) == [f".yggdrasil/{FILES[kind][0].rpartition('/')[0]}"]


BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{key}: &{key} [{', '.join([f'*{below}'] * 10)}]\n" for below, key in ("ab", "bc", "cd", "de")
)


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("name: N\nname: M\n", "duplicate key 'name'", "2:1"),
        ("name: N\n---\nname: M\n", "a second document begins", "2:1"),
        ("name: N\nnodes:\n\t- a\n", "a tab where YAML requires spaces", "3:1"),
        ("name: N\0\n", "character U+0000 is not allowed in YAML", "1:8"),
        ("name: *n\n", "alias '*n' is not defined above", "1:7"),
        (f"name: N\nx: {'[' * 90}{']' * 90}\n", "nested more than 64 levels deep", "2:67"),
        (BOMB, "aliases stand for more than 20225 characters", "4:24"),
        ("name: [N\nnodes: [x]\n", "not valid YAML: ", "1:7"),
    ],
)
def test_bad_yaml_is_an_error_with_line_and_column(
    kind: str, text: str, message: str, at: str
) -> None:
    graph = read(kind, text)
    found = graph.problems[0].finding
    assert found.message.startswith(message)
    assert graph.problems[0] == problem(kind, found.message, at, *found.advice)
    assert is_empty(graph)


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("text", ["", "\n", "# Nothing\n", "---\n", "~\n"])
def test_a_file_without_content_is_an_error(kind: str, text: str) -> None:
    (found,) = read(kind, text).problems
    file = FILES[kind][0].rpartition("/")[2]
    assert found.finding.message == f"{file} must be a mapping, found nothing"
    assert found.finding.place.line >= 1


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"name: \xff\n", "not UTF-8 at byte 6 (0xff)"),
        (b"\xef\xbb\xbfname: \xff\n", "not UTF-8 at byte 9 (0xff)"),
        ("name: N\n".encode("utf-16"), "not UTF-8 at byte 0 (0xff)"),
        (b"#" * 16_000_001, "larger than 16 MB (16000001 bytes)"),
        (Kind.OTHER, "not a regular file"),
        (UnreadableError("x", "permission denied"), "permission denied"),
    ],
    ids=["Latin-1", "BOM", "UTF-16", "large", "pipe", "closed"],
)
def test_a_file_that_cannot_be_read_is_reported_as_such(
    kind: str, content: Content, reason: str
) -> None:
    path, subject, _ = FILES[kind]
    message = f"'{path.rpartition('/')[2]}' cannot be read: {reason}"
    graph = read(kind, content)
    assert graph.problems == (
        Problem("E021", Finding(subject, message, Place(f".yggdrasil/{path}"))),
    )
    assert is_empty(graph)


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize(("text", "line"), [("<<<<<<< HEAD\n", 1), ("name: [\n<<<<<<< a\n", 2)])
def test_a_conflict_marker_is_reported_instead_of_what_the_parser_says(
    kind: str, text: str, line: int
) -> None:
    path, subject, _ = FILES[kind]
    place = Place(f".yggdrasil/{path}", line, 1)
    expected = Problem("E025", Finding(subject, "unresolved merge conflict", place))
    assert read(kind, text).problems == (expected,)


def test_unknown_keys_are_listed_with_what_is_known_and_do_not_spoil_the_node() -> None:
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
    graph = read("node", text)
    assert (list(graph.nodes), graph.problems) == (["a"], ())
    known = ("name", "type", "description", "aspects", "blackbox", "relations", "mapping")
    assert sorted(unknown(graph)) == [
        ("consume", 7, 29, ("target", "type", "consumes", "failure", "event_name")),
        ("exception", 5, 17, ("aspect", "exceptions", "anchors")),
        ("nmae", 1, 1, known),
        ("type", 8, 25, ("paths",)),
    ]


@pytest.mark.parametrize(
    ("kind", "text", "known"),
    [
        ("aspect", ASPECT, ("name", "description", "implies", "stability")),
        ("flow", FLOW, ("name", "description", "nodes", "participants", "aspects")),
    ],
)
def test_unknown_keys_of_aspects_and_flows_are_listed(
    kind: str, text: str, known: tuple[str, ...]
) -> None:
    graph = read(kind, f"tag: y\n{text}")
    assert graph.problems == ()
    assert unknown(graph) == [("tag", 1, 1, known)]


def test_unknown_keys_of_a_bad_node_are_listed_too() -> None:
    graph = read("node", "nmae: N\ntype: service\n")
    assert [key for key, *_ in unknown(graph)] == ["nmae"]


# Directories.


def found(files: dict[str, Content]) -> tuple[list[str], list[tuple[str, str, str]]]:
    """Return the parts of a graph, and the problems of its directories."""
    graph = graph_from(files)
    parts = [*graph.nodes, *graph.aspects, *graph.flows]
    return parts, sorted(
        (problem.code, problem.finding.place.file, problem.finding.message)
        for problem in graph.problems
    )


def test_every_directory_with_a_declaration_is_a_node_at_any_depth() -> None:
    paths = (".", "a", "a/b", "bare/c", "bare/barer/d", "files/e", "ä ö/\n", "model")
    files: dict[str, Content] = {f"model/{path}/yg-node.yaml": NODE for path in paths[1:]}
    files |= {"model/yg-node.yaml": NODE, "model/files/x.md": "x"}
    nodes, problems = found(files)
    assert nodes == sorted(paths)
    assert problems == [
        ("E015", ".yggdrasil/model/files", "has files but no yg-node.yaml"),
        ("W013", ".yggdrasil/model/bare", "is only a directory: it has no yg-node.yaml"),
        ("W013", ".yggdrasil/model/bare/barer", "is only a directory: it has no yg-node.yaml"),
        ("W013", ".yggdrasil/model/ä ö", "is only a directory: it has no yg-node.yaml"),
    ]


def test_nodes_are_sorted_by_code_point_whatever_the_order_of_files() -> None:
    paths = ["a-b", "B", "a/b", "é", "a", "a b", "z", "\U0001f600", "10", "9"]
    graph = graph_from({f"model/{path}/yg-node.yaml": NODE for path in paths})
    assert list(graph.nodes) == sorted(paths)


def test_names_that_begin_with_a_dot_are_no_content() -> None:
    hidden: dict[str, Content] = {
        "model/.a/yg-node.yaml": "[",
        "model/b/.c/yg-node.yaml": "[",
        "model/.x.md": "",
        "aspects/.a/content.md": "",
        "flows/.DS_Store": "",
        "model/.link": Kind.LINK,
        "model/.pipe": Kind.OTHER,
    }
    assert found({**hidden, "model/b/yg-node.yaml": NODE}) == (["b"], [])


def test_a_bad_node_is_missing_but_not_what_is_below_or_beside_it() -> None:
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": "name: [\n",
        "model/a/b/yg-node.yaml": NODE,
        "model/c/yg-node.yaml": NODE,
        "aspects/x/yg-aspect.yaml": "name: [\n",
        "aspects/x/y/yg-aspect.yaml": ASPECT,
        "aspects/z/yg-aspect.yaml": ASPECT,
        "flows/f/yg-flow.yaml": "name: [\n",
        "flows/g/yg-flow.yaml": FLOW,
    }
    graph = graph_from(files)
    assert [list(graph.nodes), list(graph.aspects), list(graph.flows)] == [
        ["a/b", "c"],
        ["x/y", "z"],
        ["g"],
    ]
    assert [problem.code for problem in graph.problems] == ["E018", "E019", "E001"]
    assert graph.unread_nodes == ("a",)


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        ("A file.\n", "E021", "'{}' cannot be read: not a directory"),
        (Kind.OTHER, "E021", "'{}' cannot be read: not a directory"),
        (Kind.LINK, "W019", "'{}' is a link and is ignored"),
    ],
    ids=["file", "pipe", "link"],
)
@pytest.mark.parametrize("tree", ["model", "aspects", "flows"])
def test_a_tree_that_is_no_directory_is_reported_and_the_others_are_read(
    tree: str, content: Content, code: str, message: str
) -> None:
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": NODE,
        "aspects/x/yg-aspect.yaml": ASPECT,
        "flows/f/yg-flow.yaml": FLOW,
    }
    kept = {path: text for path, text in files.items() if not path.startswith(tree)}
    parts, problems = found({**kept, tree: content})
    assert len(parts) == 2
    assert problems == [(code, f".yggdrasil/{tree}", message.format(tree))]


def test_a_graph_without_any_tree_is_an_empty_graph() -> None:
    assert found({}) == ([], [])


def test_links_pipes_and_odd_names_are_reported_and_left_out() -> None:
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": NODE,
        "model/a/interface.md": Kind.LINK,
        "model/a/pipe": Kind.OTHER,
        "model/link": Kind.LINK,
        "model/b/yg-node.yaml": Kind.LINK,
        "model/c\udcff/yg-node.yaml": NODE,
        "aspects/x/yg-aspect.yaml": ASPECT,
        "aspects/x/link.md": Kind.LINK,
        "aspects/x/b\udcff.md": "x",
    }
    parts, problems = found(files)
    assert parts == ["a", "x"]
    folder = ".yggdrasil/model"
    assert problems == [
        (
            "E021",
            ".yggdrasil/aspects/x/b\udcff.md",
            _unreadable("b\udcff.md", "its name is not UTF-8"),
        ),
        ("E021", f"{folder}/a/pipe", _unreadable("pipe", "not a regular file")),
        ("E021", f"{folder}/c\udcff", _unreadable("c\udcff", "its name is not UTF-8")),
        ("W019", ".yggdrasil/aspects/x/link.md", "'link.md' is a link and is ignored"),
        ("W019", f"{folder}/a/interface.md", "'interface.md' is a link and is ignored"),
        ("W019", f"{folder}/b/yg-node.yaml", "'yg-node.yaml' is a link and is ignored"),
        ("W019", f"{folder}/link", "'link' is a link and is ignored"),
    ]
    assert graph_from(files).nodes["a"].files == ()


def _unreadable(name: str, reason: str) -> str:
    return f"'{name}' cannot be read: {reason}"


def test_a_directory_that_cannot_be_listed_is_one_problem() -> None:
    closed = UnreadableError(".yggdrasil/model/b", "permission denied")
    files: dict[str, Content] = {
        "model/a/yg-node.yaml": NODE,
        "model/b": Kind.DIRECTORY,
        "model/c/yg-node.yaml": NODE,
    }
    snapshot = snapshot_from(files)
    snapshot._contents[".yggdrasil/model/b"] = closed
    graph = read_graph(snapshot)
    assert list(graph.nodes) == ["a", "c"]
    message = "'b' cannot be read: permission denied"
    assert graph.problems == (Problem("E021", Finding("b", message, Place(".yggdrasil/model/b"))),)


@pytest.mark.parametrize(
    ("tree", "file", "text", "code", "needs"),
    [
        ("aspects", "yg-aspect.yaml", ASPECT, "E018", "a 'name'"),
        ("flows", "yg-flow.yaml", FLOW, "E019", "'name' and 'nodes'"),
    ],
)
def test_files_that_no_declaration_covers_are_reported(
    tree: str, file: str, text: str, code: str, needs: str
) -> None:
    files: dict[str, Content] = {
        f"{tree}/stray.md": "x",
        f"{tree}/{file}": text,
        f"{tree}/group/readme.md": "x",
        f"{tree}/group/one/{file}": text,
        f"{tree}/group/one/below/x.md": "x",
        f"{tree}/lone/x.md": "x",
        f"{tree}/empty": Kind.DIRECTORY,
    }
    graph = graph_from(files)
    assert [*graph.aspects, *graph.flows] == ["group/one"]
    unused = f"no package includes '{{}}': its directory has no {file}"
    move = ("Move it next to a declaration, or remove it.",)
    add = (f"Add a {file} with {needs}, or move the files elsewhere.",)
    expected = [
        ("W018", f"{tree}/group/one/below", unused.format("x.md"), "group/one/below/x.md", move),
        ("W018", f"{tree}/group", unused.format("readme.md"), "group/readme.md", move),
        (code, f"{tree}/lone", f"has files but no {file}", "lone", add),
        ("W018", tree, unused.format("stray.md"), "stray.md", move),
        (code, tree, f"{file} stands outside a directory of its own", file, ()),
    ]
    assert list(graph.problems) == [
        Problem(rule, Finding(subject, message, Place(f".yggdrasil/{tree}/{path}"), advice))
        for rule, subject, message, path, advice in expected
    ]


# Whatever stands in a file.

ANY_KEY = st.sampled_from(sorted({"other", *re.findall(r"(\w+):", KEYS)}))
ANY_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["", " ", "a", "uses", "schema"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_KEY, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(ANY_KEY, ANY_VALUE, max_size=6))
def test_a_file_is_either_understood_or_reported_where_it_is_wrong(fields: object) -> None:
    text = json.dumps(fields)
    for kind in FILES:
        graph = read(kind, text)
        errors = [found for found in graph.problems if found.code != "W028"]
        assert is_empty(graph) == bool(errors)
        places = [found.finding.place for found in graph.problems]
        assert all(place.line == 1 and 1 <= place.column <= len(text) for place in places)


@given(st.binary(max_size=40) | st.text("ab:-[]{}&*!|>'\"%@`#,? \n\t\r\0é", max_size=40))
def test_no_content_of_a_file_stops_a_reader(content: str | bytes) -> None:
    for kind in FILES:
        graph = read(kind, content)
        assert (is_empty(graph), bool(graph.problems)) == (True, True)
