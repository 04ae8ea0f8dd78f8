"""Recording a change of code needs a changed text or a reason, if the configuration says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from schemas import faults
from support import CONFIG, run, write, write_graph
from yg.surfaces.cli.outcome import Outcome

STATE = ".yggdrasil/.drift-state"
OLD = "def f(a):\n    return a\n"
COSMETIC = f"{OLD}# note\n"
DOCS = 'def f(a):\n    """Return a."""\n    return a\n'
BODY = "def f(a):\n    return -a\n"
SIGNATURE = "def f(a, b):\n    return a\n\n\ndef g(): ...\n"
UNKNOWN = "def f(:\n"
NODES = ("a", "b", "c")


def repository(root: Path, settings: str = "") -> Path:
    """Write three nodes with one source each, and record them."""
    graph = {"yg-config.yaml": f"{CONFIG}{settings}"}
    for name in NODES:
        mapping = f"mapping: {{paths: [src/{name}.py]}}"
        graph[f"model/{name}/yg-node.yaml"] = f"name: N\ntype: service\n{mapping}\n"
        graph[f"model/{name}/responsibility.md"] = f"What {name} does.\n"
    write_graph(root, graph)
    write(root, {f"src/{name}.py": OLD for name in NODES})
    assert sync(root, "--all").code == 0
    return root


def sync(root: Path, *argv: str) -> Outcome:
    return run("drift-sync", "-C", str(root), *argv)


def state(root: Path, node: str = "a") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((root / STATE / f"{node}.json").read_text(encoding="utf-8"))
    return found


def is_ok(root: Path, node: str) -> bool:
    return run("drift", "-C", str(root), node).code == 0


# Reviews.


def test_a_reason_is_recorded_with_class_and_names(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"src/a.py": SIGNATURE})
    assert sync(root, "--node", "a", "--reason", "  b has a default in callers ").code == 0
    assert list(state(root)) == ["hash", "files", "reviews", "code"]
    first = {"reason": "b has a default in callers", "class": "signature", "names": ["f", "g"]}
    assert state(root)["reviews"] == [first]
    write(root, {"src/a.py": SIGNATURE.replace("return a", "return b")})
    assert sync(root, "a", "--reason", "faster").code == 0
    second = {"reason": "faster", "class": "body", "names": []}
    assert state(root)["reviews"] == [first, second]
    text = run("drift", "-C", str(root), "--reviews", "a").text
    assert text == (
        "Reviews of a:\n  signature (f, g): b has a default in callers\n  body: faster\n"
    )
    found = run("drift", "-C", str(root), "--reviews", "a", "--json").text
    assert faults(found) == []
    assert json.loads(found)["reviews"] == [first, second]


def test_later_syncs_keep_reviews_and_at_most_twenty(tmp_path: Path) -> None:
    root = repository(tmp_path)
    for number in range(23):
        write(root, {"src/a.py": f"x = {number}\n"})
        assert sync(root, "a", "--reason", f"reason {number}").code == 0
    write(root, {"src/a.py": OLD})
    assert sync(root, "--all").code == 0
    reasons = [review["reason"] for review in state(root)["reviews"]]
    assert reasons == [f"reason {number}" for number in range(3, 23)]


def test_the_highest_class_of_all_files_counts(tmp_path: Path) -> None:
    root = repository(tmp_path)
    node = "name: N\ntype: service\nmapping: {paths: [src]}\n"
    write_graph(root, {"model/b/yg-node.yaml": "name: B\ntype: service\n"})
    write_graph(root, {"model/c/yg-node.yaml": "name: C\ntype: service\n"})
    write_graph(root, {"model/a/yg-node.yaml": node})
    assert sync(root, "--all").code == 0
    write(root, {"src/a.py": COSMETIC, "src/b.py": BODY, "src/c.py": DOCS})
    assert sync(root, "a", "--reason", "because").code == 0
    assert state(root)["reviews"][-1]["class"] == "body"


def test_a_node_without_reviews_has_none_to_show(tmp_path: Path) -> None:
    root = repository(tmp_path)
    assert run("drift", "-C", str(root), "--reviews", "a").text == "Reviews of a:\n  (none)\n"
    assert run("drift", "-C", str(root), "--reviews", "nowhere").code == 1


def test_a_reason_without_a_change_is_not_recorded(tmp_path: Path) -> None:
    root = repository(tmp_path)
    outcome = sync(root, "a", "--reason", "because")
    assert outcome.text.startswith("Unchanged: a\n  Hash: ")
    assert outcome.notes == "warning: a: nothing changed, so the reason is not recorded\n"
    assert "reviews" not in state(root)


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("a", "--reason", ""), 2),
        (("a", "--reason", " \n"), 2),
        (("--all", "--reason", "x"), 2),
        (("--cosmetic", "--reason", "x"), 2),
        (("a", "--cosmetic"), 2),
        (("a", "--reason", "\udcff"), 2),
    ],
    ids=repr,
)
def test_wrong_options_are_wrong_usage(tmp_path: Path, argv: tuple[str, ...], code: int) -> None:
    root = repository(tmp_path)
    write(root, {"src/a.py": BODY})
    before = state(root)
    assert sync(root, *argv).code == code
    assert state(root) == before


@pytest.mark.parametrize(
    "review", [1, {}, [1], [{}], [{"reason": 1}], [{"reason": "x", "class": "huge", "names": []}]]
)
def test_reviews_of_another_shape_are_reported_and_replaced(tmp_path: Path, review: object) -> None:
    root = repository(tmp_path)
    write(root, {f"{STATE}/a.json": json.dumps({**state(root), "review": review})})
    shown = run("drift", "-C", str(root), "--reviews", "a")
    assert (shown.code, shown.text) == (0, "Reviews of a:\n  (none)\n")
    assert shown.notes.startswith(f"warning: {STATE}/a.json: its 'reviews' is not valid (")
    write(root, {"src/a.py": BODY})
    outcome = sync(root, "a", "--reason", "because")
    assert (outcome.code, "its 'reviews' is not valid" in outcome.notes) == (0, True)
    assert [item["reason"] for item in state(root)["reviews"]] == ["because"]


def test_reasons_cannot_control_a_terminal(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"src/a.py": BODY})
    assert sync(root, "a", "--reason", "one\n\x1b[2Jtwo").code == 0
    text = run("drift", "-C", str(root), "--reviews", "a").text
    assert text == "Reviews of a:\n  body: one \\x1b[2Jtwo\n"


# The gate.


@pytest.mark.parametrize("gate", ["signature", "body"])
@pytest.mark.parametrize(
    ("text", "rank"),
    [(COSMETIC, 0), (DOCS, 1), (BODY, 3), (UNKNOWN, 3), (SIGNATURE, 4)],
    ids=["cosmetic", "docs", "body", "unknown", "signature"],
)
def test_a_change_from_the_gate_on_needs_a_reason(
    tmp_path: Path, gate: str, text: str, rank: int
) -> None:
    root = repository(tmp_path, f"drift: {{gate: {gate}}}\n")
    write(root, {"src/a.py": text})
    before = state(root)
    outcome = sync(root, "a")
    if rank < {"signature": 4, "body": 3}[gate]:
        assert (outcome.code, is_ok(root, "a")) == (0, True)
        return
    assert (outcome.code, state(root)) == (1, before)
    error, hint = outcome.notes.splitlines()
    assert error.startswith("error: cannot synchronize a: its ")
    assert hint.endswith("say why it is still true: yg drift-sync a --reason TEXT")
    assert sync(root, "a", "--reason", "because").code == 0
    assert is_ok(root, "a")


def test_the_message_names_what_changed(tmp_path: Path) -> None:
    root = repository(tmp_path, "drift: {gate: signature}\n")
    write(root, {"src/a.py": SIGNATURE})
    assert "its public names changed (f, g), but none of its texts did" in sync(root, "a").notes


@pytest.mark.parametrize("change", ["changed", "added", "deleted"])
def test_a_changed_text_of_the_node_is_as_good_as_a_reason(tmp_path: Path, change: str) -> None:
    root = repository(tmp_path, "drift: {gate: body}\n")
    write(root, {"src/a.py": SIGNATURE})
    match change:
        case "changed":
            write_graph_file(root, "responsibility.md", "Something else.\n")
        case "added":
            write_graph_file(root, "internals.md", "How it works.\n")
        case _:
            (root / ".yggdrasil/model/a/responsibility.md").unlink()
    assert (sync(root, "a").code, is_ok(root, "a")) == (0, True)


def write_graph_file(root: Path, name: str, text: str) -> None:
    write(root, {f".yggdrasil/model/a/{name}": text})


def test_other_graph_files_are_not_text_of_the_node(tmp_path: Path) -> None:
    root = repository(tmp_path, "drift: {gate: body}\n")
    write(root, {"src/a.py": SIGNATURE})
    node = "name: Other\ntype: service\nmapping: {paths: [src/a.py]}\n"
    write_graph_file(root, "yg-node.yaml", node)
    write_graph_file(root, "notes.md", "Not an artifact.\n")
    assert sync(root, "a").code == 1


def test_a_first_baseline_needs_no_reason(tmp_path: Path) -> None:
    root = repository(tmp_path, "drift: {gate: body}\n")
    (root / STATE / "a.json").unlink()
    assert sync(root, "a").code == 0


def test_all_skips_what_needs_a_reason_and_lists_it(tmp_path: Path) -> None:
    root = repository(tmp_path, "drift: {gate: signature}\n")
    write(root, {"src/a.py": SIGNATURE, "src/b.py": BODY})
    before = state(root)
    outcome = sync(root, "--all")
    assert outcome.code == 1
    first = "Needs a reason: a: its public names changed (f, g), but none of its texts did"
    step = "Next: change the text, or say why it is still true: yg drift-sync a --reason TEXT"
    assert outcome.text.splitlines()[0] == first
    assert step in outcome.text.splitlines()
    assert (state(root), is_ok(root, "b")) == (before, True)
    found = sync(root, "--all", "--json")
    assert faults(found.text) == []
    assert [node["status"] for node in json.loads(found.text)["nodes"]] == [
        "needs-reason",
        "unchanged",
        "unchanged",
    ]


@pytest.mark.parametrize("reason", ["ok", "-", "42 42 42", "a b c", "x_y"])
def test_a_reason_has_words(tmp_path: Path, reason: str) -> None:
    root = repository(tmp_path)
    write(root, {"src/a.py": BODY})
    assert sync(root, "a", "--reason", reason) == Outcome(
        "",
        2,
        "error: the reason has no word of at least three letters\n"
        "  Say in words why no text had to change.\n",
    )


def test_a_scope_is_recorded_with_one_reason_or_not_at_all(tmp_path: Path) -> None:
    root = repository(tmp_path, "drift: {gate: signature}\n")
    write(root, {".yggdrasil/model/yg-node.yaml": "name: Root\ntype: module\n"})
    assert sync(root, "--all").code == 0
    write(root, {"src/a.py": SIGNATURE, "src/b.py": BODY})
    assert sync(root, ".", "--recursive").code == 1
    assert not is_ok(root, "b")
    assert sync(root, ".", "--recursive", "--reason", "moved together").code == 0
    assert [is_ok(root, node) for node in NODES] == [True] * 3
    assert ["reviews" in state(root, node) for node in NODES] == [True, True, False]


def test_the_next_step_asks_for_a_text_or_a_reason(tmp_path: Path) -> None:
    root = repository(tmp_path, "drift: {gate: signature}\n")
    write(root, {"src/a.py": SIGNATURE})
    step = "  Next: change the texts, or say why they are still true; run: "
    assert f"{step}yg drift-sync a --reason TEXT\n" in run("drift", "-C", str(root)).text


@pytest.mark.parametrize("value", ["cosmetic", "docs", "unknown", "[]", "1", "{}"])
def test_other_gates_are_errors_of_the_configuration(tmp_path: Path, value: str) -> None:
    root = tmp_path
    write_graph(root, {"yg-config.yaml": f"{CONFIG}drift: {{gate: {value}}}\n"})
    outcome = run("validate", "-C", str(root))
    assert (outcome.code, "E012" in outcome.text, "'gate' cannot be" in outcome.text) == (
        1,
        True,
        True,
    )


# Only comments and documentation.


def test_cosmetic_records_what_can_be_recorded_unseen(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"src/a.py": COSMETIC, "src/b.py": DOCS, "src/c.py": BODY})
    outcome = sync(root, "--cosmetic")
    assert outcome.code == 0
    assert [is_ok(root, node) for node in NODES] == [True, True, False]


@pytest.mark.parametrize("reason", ["text", "no baseline", "no facts", "missing"])
def test_cosmetic_skips_what_somebody_has_to_look_at(tmp_path: Path, reason: str) -> None:
    root = repository(tmp_path)
    write(root, {"src/a.py": COSMETIC})
    file = root / STATE / "a.json"
    match reason:
        case "text":
            write_graph_file(root, "responsibility.md", "Something else.\n")
        case "no baseline":
            file.unlink()
        case "no facts":
            found = state(root)
            file.write_text(json.dumps({"hash": found["hash"], "files": found["files"]}))
        case _:
            (root / "src/a.py").unlink()
    before = file.read_bytes() if file.exists() else b""
    assert sync(root, "--cosmetic").code == 0
    assert (file.read_bytes() if file.exists() else b"") == before


def test_cosmetic_removes_no_baseline_and_adds_missing_facts(tmp_path: Path) -> None:
    root = repository(tmp_path)
    found = state(root)
    write(root, {f"{STATE}/a.json": json.dumps({"hash": found["hash"], "files": found["files"]})})
    write(root, {f"{STATE}/gone.json": '{"hash": "", "files": {}}'})
    assert sync(root, "--cosmetic").code == 0
    assert (state(root)["code"], (root / STATE / "gone.json").exists()) == (found["code"], True)
