"""Changes to a Spec Graph: what each command would write, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from specgraph.graphs import DIGEST, Data, files_of, node, spec_from, written
from specgraph.sketches import nodes_of
from yg.kernel.edit import Delete, Write
from yg.kernel.errors import NotFoundError, RefusedError, UsageError, YgError
from yg.kernel.snapshot import DictSnapshot, Kind
from yg.specgraph.edit import write as edit
from yg.specgraph.edit.consequences import Consequences, consequences, errors_of
from yg.specgraph.edit.pending import SpecChange
from yg.specgraph.graph import SpecGraph
from yg.specgraph.lock_file import LOCK
from yg.specgraph.model import TYPES, LinkKind, Shape
from yg.specgraph.read.reader import read
from yg.specgraph.rules.check import validate

if TYPE_CHECKING:
    from support import Content

    Files = dict[str, Content]

DEPENDS_ON = LinkKind.DEPENDS_ON
GRAPH = "specgraph/graph.json"
FILES = files_of(
    nodes_of("F feature: contains A B", "A behavior: depends_on D", "B behavior", "D decision")
)


def after(change: SpecChange, files: Files = FILES) -> Files:
    """Return the files with a change."""
    result = dict(files)
    for path, content in change.contents.items():
        if content is None:
            del result[path]
        else:
            result[path] = content.decode()
    return result


def node_after(change: SpecChange, name: str, files: Files = FILES) -> Data:
    data: Data = json.loads(str(after(change, files)[f"specgraph/nodes/{name}.json"]))
    return data


def consequences_of(change: SpecChange, files: Files = FILES) -> Consequences:
    graph = spec_from(files)
    return consequences(graph, errors_of(graph), change)


def codes(change: SpecChange, files: Files = FILES) -> list[str]:
    return [issue.code for issue in consequences_of(change, files).errors]


def digest(content: Content) -> str:
    return sha256(str(content).encode()).hexdigest()


FULL: dict[str, Data] = {
    "decision": {"category": "stack", "metadata": {"rationale": "Because of reasons."}},
    "policy": {"severity": "soft"},
    "artifact": {"artifact": {"sha256": DIGEST}},
}


@pytest.mark.parametrize("kind", TYPES)
def test_a_node_of_any_type_can_be_added(kind: str) -> None:
    fields = {"title": "Some title", "statement": "Some statement", **FULL.get(kind, {})}
    if TYPES[kind].shape is not Shape.GROUPING:
        fields["verification"] = "make test"
    change = edit.add_node(spec_from(FILES), kind, "NEW-1", fields)
    assert codes(change) == []
    graph = spec_from(after(change))
    (added,) = set(graph.nodes) - set(spec_from(FILES).nodes)
    assert (added, graph.nodes[added].type, graph.nodes[added].text) == (
        "NEW-1",
        kind,
        "Some statement",
    )
    assert [type(item) for item in change.edits] == [Write, Write]
    assert change.edits[1].path == GRAPH  # it lists a file that is there already


@pytest.mark.parametrize(
    ("kind", "folder"),
    [("policy", "policies"), ("behavior", "behaviors"), ("data_model", "data_models")],
)
def test_the_file_of_a_new_node_lies_where_convention_says(kind: str, folder: str) -> None:
    change = edit.add_node(spec_from(FILES), kind, "X", {})
    assert change.edits[0].path == f"specgraph/nodes/{folder}/X.json"


def test_the_options_win_over_the_fields_of_a_file() -> None:
    fields = {"type": "policy", "id": "Y", "metadata": {"owner": "me"}, "title": "A title"}
    change = edit.add_node(spec_from(FILES), "feature", "X", {**fields, "statement": "It is."})
    content = json.loads(str(after(change)["specgraph/nodes/features/X.json"]))
    assert list(content.items()) == [
        ("id", "X"),
        ("type", "feature"),
        ("title", "A title"),
        ("description", "It is."),
        ("metadata", {"owner": "me"}),
    ]


@pytest.mark.parametrize("extra", [{}, {"expectedType": "feature"}, {"sha256": ""}])
def test_a_new_entry_has_the_keys_of_the_last_one(extra: dict[str, str]) -> None:
    files = dict(FILES)
    index = json.loads(str(files[GRAPH]))
    if "sha256" in extra:
        extra = {"sha256": digest(files["specgraph/nodes/D.json"])}
    index["nodes"][-1] |= extra
    files[GRAPH] = written(index)
    fields = {"title": "Title", "statement": "It is."}
    change = edit.add_node(spec_from(files), "feature", "X", fields)
    entry = json.loads(str(after(change, files)[GRAPH]))["nodes"][-1]
    assert set(entry) == {"id", "path", *extra}
    assert codes(change, files) == []


@pytest.mark.parametrize(
    ("node_id", "message"),
    [
        ("A", "there is a node 'A' already"),
        ("../A", "'id' must be an id such as 'AUTH-01', found '../A'"),
        ("a", "'id' must be an id such as 'AUTH-01', found 'a'"),
        ("", "'id' must not be empty"),
        ("X" * 21, "'id' has 21 characters and may have at most 20"),
    ],
)
def test_an_id_must_be_new_and_valid(node_id: str, message: str) -> None:
    with pytest.raises(RefusedError) as caught:
        edit.add_node(spec_from(FILES), "feature", node_id, {})
    assert caught.value.message == message


@pytest.mark.parametrize("content", ["{}", Kind.LINK, Kind.DIRECTORY])
def test_an_existing_file_is_not_overwritten(content: Content) -> None:
    files = {**FILES, "specgraph/nodes/features/X.json": content}
    with pytest.raises(RefusedError, match="exists already"):
        edit.add_node(spec_from(files), "feature", "X", {})


def test_a_node_that_lacks_something_is_refused_with_its_errors() -> None:
    fields = {"title": "Title", "statement": "It is."}
    change = edit.add_node(spec_from(FILES), "decision", "X", fields)
    assert codes(change) == ["E103", "E103", "E112"]


@pytest.mark.parametrize(
    ("name", "field", "value", "expected"),
    [
        ("A", "title", "Another title", {"title": "Another title"}),
        ("A", "statement", "Other things are seen", {"expectation": "Other things are seen"}),
        ("F", "statement", "12", {"description": "12"}),
        ("A", "constraints", '["x", "y"]', {"constraints": ["x", "y"]}),
        ("A", "verification", "[1, 2]", {"verification": "[1, 2]"}),
        ("D", "verification", '["ls"]', {"verification": ["ls"]}),
        ("D", "verification", "make test", {"verification": ["make test"]}),
        ("A", "metadata.owner", "[me]", {"metadata": {"owner": "[me]"}}),
        ("A", "metadata.tags", '["a"]', {"metadata": {"tags": ["a"]}}),
        ("A", "metadata.own", '{"a": 1}', {"metadata": {"own": {"a": 1}}}),
        ("A", "metadata.own", "12", {"metadata": {"own": "12"}}),
        ("A", "links.depends_on", "[]", {"links": {"depends_on": []}}),
    ],
)
def test_a_field_gets_text_or_json_as_its_shape_needs(
    name: str, field: str, value: str, expected: Data
) -> None:
    change = edit.set_field(spec_from(FILES), name, field, value)
    before = json.loads(str(FILES[f"specgraph/nodes/{name}.json"]))
    assert node_after(change, name) == {**before, **expected}
    assert codes(change) == []


CHECK = {"kind": "command", "command": "ls", "timeoutSeconds": 3, "env": {"A": "1"}}
LISTS = node(
    "decision",
    verification=[CHECK, "make test"],
    constraints=["one", "two"],
    metadata={
        "rationale": "It is simple.",
        "rejected_alternatives": [{"title": "Another", "reason": "It is not simple."}],
        "count": 5,
        "own": [{"a": 1}],
    },
)


@pytest.mark.parametrize(
    ("field", "value", "path", "expected"),
    [
        ("constraints.1", "three", ("constraints",), ["one", "three"]),
        ("constraints.0", "", ("constraints",), ["two"]),
        ("constraints.1", "12", ("constraints",), ["one", "12"]),
        ("verification.0.timeoutSeconds", "7", ("verification", 0, "timeoutSeconds"), 7),
        ("verification.0.command", "7", ("verification", 0, "command"), "7"),
        ("verification.0.env.B", "2", ("verification", 0, "env"), {"A": "1", "B": "2"}),
        ("verification.0", "make", ("verification",), ["make", "make test"]),
        ("verification.1", json.dumps(CHECK), ("verification",), [CHECK, CHECK]),
        (
            "metadata.rejected_alternatives.0.reason",
            "It is far from simple.",
            ("metadata", "rejected_alternatives", 0, "reason"),
            "It is far from simple.",
        ),
        ("metadata.count", "6", ("metadata", "count"), 6),
        ("metadata.count", "many", ("metadata", "count"), "many"),
        ("metadata.own.0.a", "2", ("metadata", "own", 0, "a"), 2),
    ],
)
def test_an_item_of_a_list_is_named_by_its_number(
    field: str, value: str, path: tuple[str | int, ...], expected: object
) -> None:
    files = files_of({"A": LISTS})
    change = edit.set_field(spec_from(files), "A", field, value)
    found: Any = node_after(change, "A", files)
    for step in path:
        found = found[step]
    assert found == expected
    assert codes(change, files) == []


@pytest.mark.parametrize(
    ("field", "error"),
    [
        ("constraints.2", "there is no 'constraints.2': '2' is not one of its 2 items"),
        ("constraints.-1", "there is no 'constraints.-1': '-1' is not one of its 2 items"),
        ("verification.x", "there is no 'verification.x': 'x' is not one of its 2 items"),
    ],
)
def test_an_item_that_is_not_there_is_refused(field: str, error: str) -> None:
    for value in ("x", ""):
        with pytest.raises(RefusedError) as caught:
            edit.set_field(spec_from(files_of({"A": LISTS})), "A", field, value)
        assert caught.value.message == error


def test_an_empty_value_removes_a_field() -> None:
    change = edit.set_field(spec_from(FILES), "A", "links.depends_on", "")
    assert node_after(change, "A")["links"] == {}
    assert edit.set_field(spec_from(FILES), "A", "metadata.owner", "").edits == ()
    assert codes(edit.set_field(spec_from(FILES), "A", "title", "")) == ["E103"]


def test_a_field_that_has_the_value_already_is_not_written() -> None:
    assert edit.set_field(spec_from(FILES), "A", "title", "Title A").edits == ()


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("a..b", "x", "'a..b' is not a field"),
        ("", "x", "'' is not a field"),
        ("title.x", "x", "cannot edit 'specgraph/nodes/A.json': 'title' is not an object"),
        ("title", "\udcff", "the text is not UTF-8"),
    ],
)
def test_what_is_not_a_field_is_refused(field: str, value: str, error: str) -> None:
    with pytest.raises(YgError) as caught:
        edit.set_field(spec_from(FILES), "A", field, value)
    assert caught.value.message == error


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("id", "OTHER", "E105"),
        ("type", "policy", "E103"),
        ("titel", "x", "E103"),
        ("constraints", "not a list", "E103"),
        ("links.depends_on", '["GONE"]', "E107"),
    ],
)
def test_a_field_that_breaks_the_graph_is_refused(field: str, value: str, code: str) -> None:
    assert codes(edit.set_field(spec_from(FILES), "A", field, value))[0] == code


def test_errors_that_were_there_before_refuse_nothing() -> None:
    files = {**FILES, "specgraph/nodes/B.json": "{"}
    assert codes(edit.set_field(spec_from(files), "A", "title", "Other"), files) == []
    listed = json.loads(str(FILES[GRAPH]))
    listed["nodes"] = [*listed["nodes"], listed["nodes"][0]]  # E104 names a line
    twice = {**FILES, GRAPH: written(listed)}
    assert codes(edit.remove_node(spec_from(twice), "B", force=True), twice) == []


def test_a_link_is_added_once() -> None:
    change = edit.link(spec_from(FILES), "B", DEPENDS_ON, "D")
    assert node_after(change, "B")["links"] == {"depends_on": ["D"]}
    again = edit.link(spec_from(after(change)), "B", DEPENDS_ON, "D")
    assert again.edits == ()
    back = edit.unlink(spec_from(after(change)), "B", DEPENDS_ON, "D")
    assert after(back, after(change)) == FILES  # to the byte
    assert edit.unlink(spec_from(FILES), "B", DEPENDS_ON, "D").edits == ()


@pytest.mark.parametrize(
    ("source", "kind", "target", "code"),
    [
        ("A", "depends_on", "GONE", "E107"),
        ("A", "depends_on", "A", "E108"),
        ("D", "depends_on", "A", "E109"),
        ("A", "implements", "../x", "E107"),
    ],
)
def test_a_link_that_breaks_the_graph_is_refused(
    source: str, kind: str, target: str, code: str
) -> None:
    assert codes(edit.link(spec_from(FILES), source, LinkKind(kind), target)) == [code]


def test_a_broken_link_can_be_removed() -> None:
    files = files_of({"A": node("behavior", depends_on=["GONE", "GONE"])})
    change = edit.unlink(spec_from(files), "A", DEPENDS_ON, "GONE")
    assert "links" not in node_after(change, "A", files)


@pytest.mark.parametrize("name", ["GONE", "../A", ""])
def test_a_node_that_is_not_listed_is_not_found(name: str) -> None:
    calls: tuple[Callable[[SpecGraph], SpecChange], ...] = (
        lambda graph: edit.link(graph, name, DEPENDS_ON, "A"),
        lambda graph: edit.unlink(graph, name, DEPENDS_ON, "A"),
        lambda graph: edit.set_field(graph, name, "title", "Title"),
        lambda graph: edit.remove_node(graph, name, force=True),
        lambda graph: edit.pin(graph, name),
    )
    for call in calls:
        with pytest.raises(NotFoundError):
            call(spec_from(FILES))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "expected a key in double quotes"),
        (b"\xff", "it is not UTF-8"),
        ("[]", "it does not hold an object"),
        ('{"a": 1, "a": 2}', "duplicate key 'a'"),
        (Kind.LINK, "not a regular file"),
        ('{"links": {"depends_on": "D"}}', "'links.depends_on' is not a list"),
        ('{"links": []}', "'links' is not an object"),
    ],
)
def test_a_file_that_cannot_be_parsed_is_not_edited(content: Content, reason: str) -> None:
    files = {**FILES, "specgraph/nodes/A.json": content}
    with pytest.raises(RefusedError) as caught:
        edit.link(spec_from(files), "A", DEPENDS_ON, "B")
    assert caught.value.message.startswith("cannot edit 'specgraph/nodes/A.json': ")
    assert reason in caught.value.message


def test_a_path_that_leads_out_of_the_folder_is_not_written() -> None:
    index = {"specgraphVersion": "1.0.0", "nodes": [{"id": "A", "path": "../../x.json"}]}
    with pytest.raises(RefusedError, match=r"graph\.json gives no file for 'A'"):
        edit.set_field(spec_from({GRAPH: written(index)}), "A", "title", "Title")


def test_a_removed_node_is_neither_listed_nor_there() -> None:
    change = edit.remove_node(
        spec_from(files_of(nodes_of("A behavior", "B behavior"))), "A", force=False
    )
    assert [type(item) for item in change.edits] == [Write, Delete]
    assert [item.path for item in change.edits] == [GRAPH, "specgraph/nodes/A.json"]


USED = files_of(
    {
        **nodes_of(
            "A domain", "B domain: derived_from A; contains A", "C behavior: implements A B"
        ),
        "P": node("policy", pins=[{"id": "A", "sha256": DIGEST}, {"id": "B", "sha256": DIGEST}]),
    },
    root="A",
)


def test_a_node_in_use_is_removed_only_with_all_that_refers_to_it() -> None:
    with pytest.raises(RefusedError) as caught:
        edit.remove_node(spec_from(USED), "A", force=False)
    assert caught.value.message == (
        "'A' is in use by B (contains, derived_from), C (implements), P (pins), graph.json (root)"
    )
    change = edit.remove_node(spec_from(USED), "A", force=True)
    files = after(change, USED)
    graph = spec_from(files)
    assert (list(graph.nodes), graph.index.root) == (["B", "C", "P"], "")
    assert "links" not in node_after(change, "B", USED)
    assert node_after(change, "C", USED)["links"] == {"implements": ["B"]}
    assert [pin.id for pin in graph.nodes["P"].pins] == ["B"]
    assert codes(change, USED) == []


def test_the_last_node_stays() -> None:
    files = files_of(nodes_of("A behavior"))
    assert codes(edit.remove_node(spec_from(files), "A", force=True), files) == ["E101"]


def test_a_file_of_two_nodes_stays_when_one_is_removed() -> None:
    index = json.loads(str(FILES[GRAPH]))
    index["nodes"].append({"id": "X", "path": "nodes/A.json"})
    files = {**FILES, GRAPH: written(index)}
    change = edit.remove_node(spec_from(files), "X", force=False)
    assert [item.path for item in change.edits] == [GRAPH]


@pytest.mark.parametrize("content", [None, Kind.LINK, "{"])
def test_a_node_that_cannot_be_read_can_be_removed(content: Content | None) -> None:
    files = files_of(nodes_of("A behavior", "B behavior"))
    path = "specgraph/nodes/B.json"
    if content is None:
        del files[path]
    else:
        files[path] = content
    change = edit.remove_node(spec_from(files), "B", force=False)
    deleted = [item.path for item in change.edits if isinstance(item, Delete)]
    assert deleted == ([path] if content == "{" else [])
    assert codes(change, files) == []


def with_digests(files: Files, **changes: str) -> Files:
    """Add the digest of each node to graph.json."""
    index = json.loads(str(files[GRAPH]))
    for entry in index["nodes"]:
        file = f"specgraph/{entry['path']}"
        entry["sha256"] = changes.get(entry["id"], digest(files[file]))
    return {**files, GRAPH: written(index)}


def test_a_write_refreshes_the_digest_of_what_it_writes_and_no_other() -> None:
    files = with_digests(FILES, B=DIGEST)
    change = edit.link(spec_from(files), "A", LinkKind.IMPLEMENTS, "B")
    index = json.loads(str(after(change, files)[GRAPH]))
    digests = {entry["id"]: entry["sha256"] for entry in index["nodes"]}
    assert digests["A"] == digest(after(change, files)["specgraph/nodes/A.json"])
    assert digests["B"] == DIGEST
    assert codes(change, files) == []


def test_digests_of_others_are_refreshed_where_a_removal_moved_their_entries() -> None:
    files = with_digests(USED)
    change = edit.remove_node(spec_from(files), "A", force=True)
    assert codes(change, files) == []
    assert [
        issue.code
        for issue in validate(spec_from(after(change, files))).issues
        if issue.code == "E114" and not issue.also
    ] == []


PINNED = files_of(
    {
        "A": node("domain"),
        "ART": node("artifact"),
        "B": node("domain", derived_from=["A", "ART"]),
        "C": node("feature", derived_from=["A"]),
    }
)


def test_pins_are_added_and_refreshed() -> None:
    change = edit.pin(spec_from(PINNED), "B")
    current = digest(PINNED["specgraph/nodes/A.json"])
    pins = [{"id": "A", "sha256": current}, {"id": "ART", "sha256": DIGEST}]
    assert node_after(change, "B", PINNED)["pins"] == pins
    files = after(change, PINNED)
    assert edit.pin(spec_from(files), "B").edits == ()
    changed = edit.set_field(spec_from(files), "A", "title", "Another title")
    found = consequences_of(changed, files)
    assert (found.errors, [issue.subject for issue in found.stale_pins]) == ((), ["B"])
    files = after(changed, files)
    again = edit.pin(spec_from(files), "B")
    assert errors_of(spec_from(after(again, files))) == ()
    new = digest(files["specgraph/nodes/A.json"])
    path = "specgraph/nodes/B.json"
    assert after(again, files)[path] == str(files[path]).replace(current, new)


def test_a_group_has_no_pins_but_a_digest() -> None:
    assert edit.pin(spec_from(PINNED), "C").edits == ()
    files = with_digests(PINNED, C=DIGEST)
    change = edit.pin(spec_from(files), "C")
    assert [item.path for item in change.edits] == [GRAPH]
    assert errors_of(spec_from(after(change, files))) == ()


def test_a_wrong_pin_that_somebody_writes_is_an_error() -> None:
    change = edit.set_field(
        spec_from(PINNED), "B", "pins", json.dumps([{"id": "A", "sha256": DIGEST}])
    )
    assert codes(change, PINNED) == ["E114"]


def test_the_lock_file_has_the_digest_of_every_node() -> None:
    change = edit.lock(spec_from(FILES))
    content = json.loads(str(after(change)[f"specgraph/{LOCK}"]))
    assert content == {
        "specgraphVersion": "1.0.0",
        "nodes": {name: digest(FILES[f"specgraph/nodes/{name}.json"]) for name in "ABDF"},
    }
    files = after(change)
    assert edit.lock(spec_from(files)).edits == ()
    assert [issue.code for issue in validate(spec_from(files)).issues] == []


@pytest.mark.parametrize("content", ["not JSON", b"\xff", "{}"])
def test_a_lock_file_is_replaced_whatever_it_holds(content: Content) -> None:
    files = {**FILES, f"specgraph/{LOCK}": content}
    change = edit.lock(spec_from(files))
    assert after(change, files) == after(edit.lock(spec_from(FILES)))
    assert codes(change, files) == []


@pytest.mark.parametrize("kind", [Kind.LINK, Kind.DIRECTORY])
def test_a_lock_file_that_is_not_a_file_is_refused(kind: Kind) -> None:
    with pytest.raises(RefusedError, match="cannot edit"):
        edit.lock(spec_from({**FILES, f"specgraph/{LOCK}": kind}))


def test_a_graph_with_unreadable_nodes_is_not_locked() -> None:
    with pytest.raises(RefusedError, match="cannot lock the graph: B cannot be read"):
        edit.lock(spec_from({**FILES, "specgraph/nodes/B.json": "{"}))


@pytest.mark.parametrize("prefix", ["", "\ufeff"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
@pytest.mark.parametrize("ending", ["", "\n"])
@pytest.mark.parametrize("indent", [None, 1, 4, "\t"])
def test_the_bytes_of_a_file_stay_but_for_what_is_set(
    prefix: str, line_break: str, ending: str, indent: Any
) -> None:
    data = json.loads(str(FILES["specgraph/nodes/A.json"]))
    text = prefix + json.dumps(data, indent=indent).replace("\n", line_break) + ending
    files = with_digests({**FILES, "specgraph/nodes/A.json": text.encode()})
    files[GRAPH] = str(files[GRAPH]).replace(
        digest(files["specgraph/nodes/A.json"]), sha256(text.encode()).hexdigest()
    )
    change = edit.set_field(read(DictSnapshot(files)), "A", "title", "Größer")
    assert change.contents["specgraph/nodes/A.json"] == text.replace("Title A", "Größer").encode()
    assert codes(change, files) == []


def test_a_word_that_is_not_a_field_of_a_broken_type_is_only_text() -> None:
    files = {**FILES, "specgraph/nodes/B.json": '{"id": "B", "type": 1}'}
    change = edit.set_field(spec_from(files), "B", "type", "behavior")
    assert node_after(change, "B", files) == {"id": "B", "type": "behavior"}
    with pytest.raises(UsageError):
        edit.set_field(spec_from(files), "B", ".", "behavior")
