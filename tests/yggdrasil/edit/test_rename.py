"""`yg mv` as edits: every reference follows, and nothing else changes."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support import CONFIG, NODE
from yg.code.facts import FileFacts
from yg.code.read import read_facts
from yg.kernel.digest import FileDigest, file_digests
from yg.kernel.errors import NotFoundError, UnreadableError, UsageError, YgError
from yg.kernel.snapshot import DictSnapshot, Kind
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.drift.baseline import state_file
from yg.yggdrasil.drift.baselines import Baselines
from yg.yggdrasil.drift.sync import edits_of, synced
from yg.yggdrasil.drift.tracking import Tracker, mapped_nodes, node_drift
from yg.yggdrasil.edit.rename import Move, move
from yg.yggdrasil.read.v2 import read
from yg.yggdrasil.rules.check import validate
from yggdrasil.applied import Files, applied

GRAPH = ".yggdrasil"


def graph_files(files: Mapping[str, str | bytes]) -> Files:
    """Return files with paths relative to .yggdrasil/ as a repository."""
    return {f"{GRAPH}/{path}": text for path, text in {"yg-config.yaml": CONFIG, **files}.items()}


def planned(
    files: Mapping[str, str | bytes | Kind | UnreadableError],
    old: str,
    new: str,
    record: bytes = b"",
) -> Move:
    snapshot = DictSnapshot(files)
    return move(read(snapshot), Baselines(snapshot), old, new, record=record)


def moved(files: Files, old: str, new: str) -> Files:
    return applied(files, planned(files, old, new).edits)


def text_after(file: str, text: str, old: str, new: str, others: Mapping[str, str] = {}) -> str:
    """Return the text of a file after a move of something else."""
    files = graph_files({"model/old/yg-node.yaml": NODE, file: text, **others})
    after = moved(files, old, new)[f"{GRAPH}/{file}"]
    return after.decode() if isinstance(after, bytes) else after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            (
                "name: A # the old one\ntype: service\nrelations:\n  - target: old # old\n"
                "    type: uses\n    consumes: [old]\n    failure: old\n"
            ),
            (
                "name: A # the old one\ntype: service\nrelations:\n  - target: new # old\n"
                "    type: uses\n    consumes: [old]\n    failure: old\n"
            ),
        ),
        (
            "relations: [{target: \"old\", type: uses}, {type: calls, target: 'old/x'}]\n",
            "relations: [{target: \"new\", type: uses}, {type: calls, target: 'new/x'}]\n",
        ),
        ("relations: [{target: older}, {target: x/old}]\n",) * 2,
        ("\ufeffrelations: [{target: old}]\r\n", "\ufeffrelations: [{target: new}]\r\n"),
        ("name: &n old\nrelations: [{target: *n}]\n", "name: &n old\nrelations: [{target: new}]\n"),
        (
            "relations: [&r {target: old}, *r]\n",
            "relations: [&r {target: new}, *r]\n",
        ),
        (
            "relations: [{target: &t old, consumes: [*t]}, {target: *t}]\n",
            "relations: [{target: &t new, consumes: [old]}, {target: *t}]\n",
        ),
        ('relations: [{target: "o\\x6cd"}]\n', 'relations: [{target: "new"}]\n'),
        # The same target twice, which counts as one relation.
        (
            "relations: [{target: old, type: uses}, {target: old, type: uses}]\n",
            "relations: [{target: new, type: uses}, {target: new, type: uses}]\n",
        ),
        # Not valid as a node, but as YAML.
        ("type: 12\nrelations: [{target: old}]\n", "type: 12\nrelations: [{target: new}]\n"),
        # Not valid as YAML, but without the name.
        ("relations: [{target: x}\n",) * 2,
        ("a: 1\na: 2\n",) * 2,
    ],
)
def test_only_references_to_a_node_change(before: str, after: str) -> None:
    assert text_after("model/a/yg-node.yaml", before, "old", "new") == after


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("flows/old/yg-flow.yaml", "nodes: [x, old, old/y]\naspects: [old]\n", None),
        (
            "yg-config.yaml",
            (
                f"{CONFIG}code:\n  accepted:\n  - {{from: old, to: x, reason: old}}\n"
                "  - {to: old/y, from: x}\n"
            ),
            (
                f"{CONFIG}code:\n  accepted:\n  - {{from: new, to: x, reason: old}}\n"
                "  - {to: new/y, from: x}\n"
            ),
        ),
    ],
)
def test_flows_and_the_configuration_refer_to_nodes(
    file: str, before: str, after: str | None
) -> None:
    expected = after or "nodes: [x, new, new/y]\naspects: [old]\n"
    assert text_after(file, before, "model/old", "new") == expected


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        (
            "model/a/yg-node.yaml",
            "aspects: [{aspect: aud, exceptions: [aud], anchors: [aud]}]\n",
            "aspects: [{aspect: log, exceptions: [aud], anchors: [aud]}]\n",
        ),
        (
            "flows/f/yg-flow.yaml",
            "nodes: [aud]\naspects: [aud]\n",
            "nodes: [aud]\naspects: [log]\n",
        ),
        (
            "aspects/b/yg-aspect.yaml",
            "name: aud\nimplies:\n- aud/x\n- b\n",
            "name: aud\nimplies:\n- log/x\n- b\n",
        ),
        (
            "yg-config.yaml",
            (
                "node_types: {a: {required_aspects: [aud]}, aud: {description: aud}}\n"
                "artifacts:\n  x.md: {required: {when: 'has_aspect: aud'}}\n"
                "  y.md: {required: {when: has_tag:aud}}\n"
                "  z.md: {required: {when: has_aspect:x}}\n"
            ),
            (
                "node_types: {a: {required_aspects: [log]}, aud: {description: aud}}\n"
                "artifacts:\n  x.md: {required: {when: 'has_aspect: log'}}\n"
                "  y.md: {required: {when: has_tag:log}}\n"
                "  z.md: {required: {when: has_aspect:x}}\n"
            ),
        ),
    ],
)
def test_every_reference_to_an_aspect_changes(file: str, before: str, after: str) -> None:
    others = {"aspects/aud/yg-aspect.yaml": "name: aud\n"}
    assert text_after(file, before, "aspects/aud", "log", others) == after


@pytest.mark.parametrize(
    "new", ["a b", "it's", 'say "x"', "ö/日本", "a: b", "#a", "12", "true", "a,b", "-", "*x", "[x]"]
)
def test_any_name_can_be_referred_to(new: str) -> None:
    files = graph_files(
        {
            "model/old/yg-node.yaml": NODE,
            "model/a/yg-node.yaml": f"{NODE}relations: [{{target: old, type: uses}}]\n",
            "flows/f/yg-flow.yaml": "name: F\nnodes:\n  - old\n  - a\n",
        }
    )
    after = moved(files, "old", new)
    graph = read(DictSnapshot(after))
    (node, flow) = graph.nodes.get("a"), graph.flows.get("f")
    assert node is not None
    assert flow is not None
    assert [relation.target.text for relation in node.relations] == [new]
    assert [participant.text for participant in flow.nodes] == [new, "a"]
    assert graph.nodes.get(new) is not None


def refused(
    files: Mapping[str, str | bytes | Kind | UnreadableError],
    old: str,
    new: str,
    record: bytes = b"",
) -> tuple[type[YgError], str]:
    with pytest.raises(YgError) as caught:
        planned(files, old, new, record)
    return type(caught.value), caught.value.message


TWO = graph_files(
    {
        "model/a/yg-node.yaml": NODE,
        "model/a/b/yg-node.yaml": NODE,
        "model/c/yg-node.yaml": NODE,
        "model/Case/yg-node.yaml": NODE,
        "model/empty": Kind.DIRECTORY,
        "model/file": "",
        "aspects/c/yg-aspect.yaml": "name: C\n",
        "flows/f/yg-flow.yaml": "name: F\nnodes: [c]\n",
        ".drift-state/stale.json": "{}",
        ".drift-state/stales/x.json": "{}",
    }
)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("nope", "x", "no node, aspect or flow 'nope'"),
        ("../a", "x", "no node, aspect or flow '../a'"),
        ("", "x", "no node, aspect or flow ''"),
        ("c", "x", "'c' may be a node 'c' or an aspect 'c'"),
        ("a", "a", "'a' has this name already"),
        ("a", "a/x", "cannot move 'a' into itself, to 'a/x'"),
        ("a", "model/c", "cannot move 'a': 'c' exists"),
        ("a/b", "a", "cannot move 'a/b': 'a' exists"),
        ("a", "empty", "cannot move 'a': 'empty' exists"),
        ("a", "file", "'.yggdrasil/model/file' is not a directory"),
        ("a", "file/x", "'.yggdrasil/model/file' is not a directory"),
        ("a", "case", "'case' differs from 'Case' in .yggdrasil/model/ only in case or form"),
        ("a", "case/x", "'case' differs from 'Case' in .yggdrasil/model/ only in case or form"),
        ("a/b", "A/b", "'A' differs from 'a' in .yggdrasil/model/ only in case or form"),
        ("a", "stale", "cannot move 'a': '.yggdrasil/.drift-state/stale.json' exists"),
        ("a", "stales", "cannot move 'a': '.yggdrasil/.drift-state/stales' exists"),
        ("a", "", "'' cannot be the name of a node: a part of it is empty"),
        ("a", ".", "'.' cannot be the name of a node: a part of it starts with a dot"),
        ("a", "../x", "'../x' cannot be the name of a node: a part of it starts with a dot"),
        ("a", "x/../y", "'x/../y' cannot be the name of a node: a part of it starts with a dot"),
        ("a", "/x", "'/x' cannot be the name of a node: it is an absolute path"),
        ("a", "x//y", "'x//y' cannot be the name of a node: a part of it is empty"),
        ("a", "x\\y", "'x\\y' cannot be the name of a node: it has a backslash; use '/'"),
        ("a", " x", "' x' cannot be the name of a node: a part of it starts or ends with a blank"),
        ("a", "x\n", "'x\n' cannot be the name of a node: it has a character that cannot be shown"),
        (
            "a",
            "x\udcff",
            "'x\udcff' cannot be the name of a node: it has a character that cannot be shown",
        ),
        ("a", "x" * 201, f"'{'x' * 201}' cannot be the name of a node: it is too long"),
        ("a", ".yggdrasil/flows/x", "'.yggdrasil/flows/x' is not inside .yggdrasil/model/"),
    ],
)
def test_a_move_is_refused_in_one_sentence(old: str, new: str, message: str) -> None:
    assert refused(TWO, old, new)[1] == message


def test_a_name_may_start_with_the_directory_of_its_kind() -> None:
    for old in ("model/c", ".yggdrasil/model/c", "model/c/"):
        assert planned(TWO, old, "model/x").record.new == "x"
    assert planned(TWO, "aspects/c", "aspects/x").record.kind == "aspect"
    assert planned(TWO, "f", "flows/x").record.kind == "flow"


def test_the_root_node_stays() -> None:
    files = graph_files({"model/yg-node.yaml": NODE})
    assert refused(files, ".", "x") == (UsageError, "the root node cannot be moved")


def test_a_directory_that_only_holds_nodes_can_be_moved() -> None:
    after = moved(graph_files({"model/g/a/yg-node.yaml": NODE}), "g", "h")
    assert f"{GRAPH}/model/h/a/yg-node.yaml" in after


def test_a_link_is_not_moved() -> None:
    files = {**graph_files({"model/a/yg-node.yaml": NODE}), f"{GRAPH}/model/l": Kind.LINK}
    assert refused(files, "l", "x")[0] is NotFoundError
    assert refused(files, "a", "l")[1] == "'.yggdrasil/model/l' is not a directory"


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        (
            "model/b/yg-node.yaml",
            "relations: [{target: old}\n",
            (
                "cannot rewrite '.yggdrasil/model/b/yg-node.yaml': line 1: "
                "not valid YAML: '[' is not closed"
            ),
        ),
        (
            "model/b/yg-node.yaml",
            "relations: [{target: old}]\nrelations: [{target: x}]\n",
            "cannot rewrite '.yggdrasil/model/b/yg-node.yaml': line 2: duplicate key 'relations'",
        ),
        (
            "flows/f/yg-flow.yaml",
            "name: F\nnodes:\n<<<<<<< HEAD\n- old\n=======\n- x\n>>>>>>> b\n",
            "cannot rewrite '.yggdrasil/flows/f/yg-flow.yaml': line 3: unresolved merge conflict",
        ),
        (
            "model/b/yg-node.yaml",
            b"name: \xff\n",
            "cannot read '.yggdrasil/model/b/yg-node.yaml': not UTF-8 at byte 6 (0xff)",
        ),
        (
            "model/b/yg-node.yaml",
            UnreadableError(f"{GRAPH}/model/b/yg-node.yaml", "permission denied"),
            "cannot read '.yggdrasil/model/b/yg-node.yaml': permission denied",
        ),
        (
            "model/b",
            UnreadableError(f"{GRAPH}/model/b", "permission denied"),
            "cannot read '.yggdrasil/model/b': permission denied",
        ),
        (
            "flows/f/yg-flow.yaml",
            "nodes: &n [old]\naspects: *n\n",
            "cannot rewrite '.yggdrasil/flows/f/yg-flow.yaml' without changing other values",
        ),
    ],
)
def test_a_file_that_may_hold_a_reference_must_be_readable(
    file: str, text: str | bytes | UnreadableError, message: str
) -> None:
    files: dict[str, str | bytes | Kind | UnreadableError] = {
        **graph_files({"model/old/yg-node.yaml": NODE}),
        f"{GRAPH}/{file}": text,
    }
    if file == "model/b":
        files[f"{GRAPH}/model/b/yg-node.yaml"] = NODE
    assert refused(files, "old", "new")[1].startswith(message)


def test_a_damaged_baseline_moves_as_it_is_and_is_named() -> None:
    files = graph_files({"model/a/yg-node.yaml": NODE, ".drift-state/a.json": "{"})
    plan = planned(files, "a", "b")
    assert applied(files, plan.edits)[state_file("b")] == b"{"
    assert plan.notes == (
        (
            f"the content of {GRAPH}/.drift-state/a.json stays as it is: "
            "not valid JSON in line 1, column 2"
        ),
    )


def test_a_new_parent_without_a_declaration_is_named() -> None:
    files = graph_files({"model/a/yg-node.yaml": NODE})
    assert planned(files, "a", "x/a").notes == (
        "'x' is only a directory: 'yg new node x' makes it a node",
    )


# A move that was interrupted.


def test_a_move_can_be_interrupted_after_any_edit() -> None:
    files = with_baselines(
        graph_files(
            {
                "model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src/a.py]}}\n",
                "model/a/b/yg-node.yaml": f"{NODE}relations: [{{target: a, type: uses}}]\n"
                "mapping: {paths: [src/b.py]}\n",
                "model/c/yg-node.yaml": f"{NODE}relations: [{{target: a/b, type: uses}}]\n"
                "mapping: {paths: [src/c.py]}\n",
                "flows/f/yg-flow.yaml": "name: F\nnodes: [a, c]\n",
            }
        )
        | {f"src/{name}.py": name for name in "abc"}
    )
    for new in ("x", "A", "x/y"):
        whole = planned(files, "a", new)
        edits, record = whole.edits, whole.record.content
        complete = applied(files, edits)
        for done in range(len(edits)):
            halfway = applied(files, edits[:done])
            rest = planned(halfway, "a", f"model/{new}", record)
            assert applied(halfway, rest.edits) == complete
            for again in range(len(rest.edits)):  # interrupted once more
                later = applied(halfway, rest.edits[:again])
                last = planned(later, "a", f"model/{new}", rest.record.content)
                assert applied(later, last.edits) == complete
            if done:
                assert refused(halfway, "c", "z", record) == (
                    YgError,
                    f"the move of 'a' to '{new}' was interrupted",
                )


def test_a_record_of_another_repository_is_ignored() -> None:
    files = graph_files(
        {
            "model/a/yg-node.yaml": NODE,
            "model/c/yg-node.yaml": f"{NODE}relations: [{{target: a, type: uses}}]\n",
        }
    )
    record = planned(files, "a", "x").record.content
    same_names = graph_files({"model/x/yg-node.yaml": NODE, "model/c/yg-node.yaml": NODE})
    for other in (files, same_names):
        assert planned(other, "c", "z", record).record.old == "c"


@pytest.mark.parametrize(
    "record",
    [
        "{",
        '{"kind": "node", "old": "gone", "new": "gone/too", "digests": {}, "files": {}}',
        '{"kind": "node", "old": "../../a", "new": "c", "digests": {}, "files": {}}',
        '{"kind": "stranger", "old": "a", "new": "b", "digests": {}, "files": {}}',
    ],
)
def test_a_record_that_fits_nothing_is_ignored(record: str) -> None:
    files = graph_files({"model/a/yg-node.yaml": NODE})
    assert planned(files, "a", "b", record.encode()).record.new == "b"


# Any graph.


class DictHashes:
    """Digests of the files of a dict."""

    def __init__(self, snapshot: DictSnapshot) -> None:
        self._snapshot = snapshot

    def of(self, path: str) -> FileDigest:
        return file_digests([self._snapshot.read(path)])


class DictFacts:
    """Facts about the sources of a dict."""

    def __init__(self, snapshot: DictSnapshot) -> None:
        self._snapshot = snapshot

    def of(self, path: str) -> FileFacts | None:
        return read_facts(path, self._snapshot.read(path))


def with_baselines(files: Files) -> Files:
    """Return a repository with a baseline for each mapped node."""
    snapshot = DictSnapshot(files)
    graph, sources = read(snapshot), SnapshotSources(snapshot)
    tracker = Tracker(graph, sources)
    results = [
        synced(node.path, tracker.tracked(node), None, DictHashes(snapshot), DictFacts(snapshot))
        for node in mapped_nodes(graph)
    ]
    return applied(files, edits_of(results))


def findings(files: Files) -> list[tuple[str, ...]]:
    """Return what validation and drift say, without advice and columns."""
    snapshot = DictSnapshot(files)
    graph, sources, baselines = read(snapshot), SnapshotSources(snapshot), Baselines(snapshot)
    tracker = Tracker(graph, sources)
    found: list[tuple[str, ...]] = [
        (issue.code, issue.subject, issue.message, issue.place.file)
        for issue in validate(graph, sources).issues
    ]
    for node in mapped_nodes(graph):
        drift = node_drift(
            node.path,
            tracker.tracked(node),
            baselines.get(node.path),
            DictHashes(snapshot),
            sources,
        )
        changes = [f"{change.path} {change.how}" for change in (*drift.source, *drift.graph)]
        found.append((drift.node, drift.state, *changes))
    return found


NODES = ("a", "a/b", "a/b/c", "d", "zold", "zold/e", "zold/e/f", "a/zold")
ASPECTS = ("p", "q", "zold", "zold/r")
REFERENCES = st.sampled_from((*NODES, "gone", "zold/gone"))
PATHS = st.sets(st.sampled_from(NODES), min_size=3).map(lambda found: found | {"zold"})
TARGETS = st.lists(REFERENCES, max_size=3)
USED_ASPECTS = st.lists(st.sampled_from(ASPECTS), max_size=2)
STYLES = st.sampled_from(["{}", "'{}'", '"{}"', "{} # zold"])
LINE_ENDS = st.sampled_from(["\n", "\r\n"])


@st.composite
def repositories(draw: st.DrawFn) -> Files:
    """Draw a graph with references of all kinds, some of them broken, and its baselines."""
    files: Files = {}
    for path in draw(PATHS):
        name = path.replace("/", "-")
        lines = [f"name: {name}", "type: service", "relations:"]
        for target in draw(TARGETS):
            lines.append(f"  - target: {draw(STYLES).format(target)}")
            lines += ["    type: emits", "    consumes: [zold]"]
        lines.append("aspects:")
        for aspect in draw(USED_ASPECTS):
            lines.append(f"  - aspect: {draw(STYLES).format(aspect)}")
        lines += ["mapping:", f"  paths: [src/{name}.py]"]
        files[f"model/{path}/yg-node.yaml"] = draw(LINE_ENDS).join((*lines, ""))
        files[f"model/{path}/responsibility.md"] = f"About {name}, zold and others.\n"
    for aspect in draw(st.sets(st.sampled_from(ASPECTS)).map(lambda found: found | {"zold"})):
        implied = ", ".join(draw(USED_ASPECTS))
        files[f"aspects/{aspect}/yg-aspect.yaml"] = f"name: {aspect}\nimplies: [{implied}]\n"
        files[f"aspects/{aspect}/content.md"] = "Text.\n"
    nodes = ", ".join(draw(st.lists(REFERENCES, min_size=1, max_size=3)))
    files["flows/zold/yg-flow.yaml"] = f"name: F\nnodes: [{nodes}]\naspects: [q]\n"
    sources = {f"src/{path.replace('/', '-')}.py": path for path in NODES}
    found = with_baselines({**graph_files(files), **sources})
    for path in draw(st.sets(st.sampled_from(sorted(found)), max_size=3)):
        if path.endswith((".md", ".py")):
            found[path] = b"Changed since the baseline.\n"
    return found


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    repositories(),
    st.sampled_from(
        [
            ("model/zold", "model/znew"),
            ("aspects/zold", "aspects/znew"),
            ("flows/zold", "flows/znew"),
            ("model/zold", "model/ZOLD"),
        ]
    ),
)
def test_there_and_back_changes_no_byte_and_no_finding(
    files: Files, names: tuple[str, str]
) -> None:
    old, new = names
    there = moved(files, old, new)
    assert moved(there, new, old) == applied(files, [])
    back = {"znew": "zold", "ZOLD": "zold"}[new.rpartition("/")[2]]

    def renamed(text: str) -> str:
        return text.replace(new.rpartition("/")[2], back)

    assert sorted(tuple(map(renamed, finding)) for finding in findings(there)) == sorted(
        tuple(map(renamed, finding)) for finding in findings(files)
    )


def test_a_file_that_differs_from_its_baseline_still_does() -> None:
    files = with_baselines(
        graph_files(
            {
                "model/a/yg-node.yaml": NODE,
                "model/c/yg-node.yaml": f"{NODE}relations: [{{target: a, type: uses}}]\n"
                "mapping: {paths: [src/c.py]}\n",
            }
        )
        | {"src/c.py": "c"}
    )
    file = f"{GRAPH}/model/c/yg-node.yaml"
    text = files[file]
    assert isinstance(text, bytes)
    files[file] = text + b"# changed\n"
    assert findings(files)[-1] == ("c", "graph-drift", f"{file} changed")
    assert findings(moved(files, "a", "b"))[-1] == ("c", "graph-drift", f"{file} changed")


def test_under_another_parent_only_what_moved_may_drift() -> None:
    files = with_baselines(
        graph_files(
            {
                "model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src/a.py]}}\n",
                "model/p/yg-node.yaml": NODE,
                "model/p/responsibility.md": "Parent.\n",
                "model/c/yg-node.yaml": f"{NODE}relations: [{{target: a, type: uses}}]\n"
                "mapping: {paths: [src/c.py]}\n",
            }
        )
        | {"src/a.py": "a", "src/c.py": "c"}
    )
    *_, c, a = findings(moved(files, "a", "p/a"))
    assert c == ("c", "ok")
    assert a[:2] == ("p/a", "graph-drift")
    assert set(a[2:]) == {
        f"{GRAPH}/model/p/responsibility.md added",
        f"{GRAPH}/model/p/yg-node.yaml added",
    }
