"""Several kinds of graphs: which one is opened, and what a 0.x graph cannot answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from specgraph.sketches import sketched_files
from support import CONFIG, NODE, run
from yg.surfaces.cli.outcome import Outcome

NEW = {".yggdrasil/yg-config.yaml": CONFIG, ".yggdrasil/model/new/yg-node.yaml": NODE}
OLD = {"yggdrasil/config.yaml": "name: Old\n", "yggdrasil/old/node.yaml": "name: O\ntype: t\n"}
SPEC = {path: str(text) for path, text in sketched_files("SPEC feature").items()}
KINDS = {
    "yggdrasil": "model/\n└── new/",
    "yggdrasil-0x": "yggdrasil/\n└── old/",
    "specgraph": "specgraph/\n└── SPEC ",
}
NO_BASELINES = (
    "error: 0.x graphs have no baselines, so there is no drift to report\n"
    "  'yg init --upgrade' writes a 2.x graph beside it.\n"
)


@pytest.fixture(autouse=True)
def _no_kind_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("YG_KIND", raising=False)


def write(root: Path, *graphs: Mapping[str, str]) -> str:
    for graph in graphs:
        for path, text in graph.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    return str(root)


@pytest.mark.parametrize(
    ("graph", "kind"), [(NEW, "yggdrasil"), (OLD, "yggdrasil-0x"), (SPEC, "specgraph")]
)
def test_the_only_kind_there_is_opened(tmp_path: Path, graph: dict[str, str], kind: str) -> None:
    place = write(tmp_path, graph)
    expected = run("tree", "-C", place)
    assert expected.text.startswith(KINDS[kind])
    assert run("tree", "-C", place, "--kind", kind) == expected


@pytest.mark.parametrize("command", ["tree", "validate", "status", "drift", "aspects"])
def test_of_two_kinds_none_is_guessed(tmp_path: Path, command: str) -> None:
    assert run(command, "-C", write(tmp_path, NEW, OLD)) == Outcome(
        "",
        2,
        "error: there are graphs of kinds yggdrasil and yggdrasil-0x here\n"
        "  Choose one with --kind yggdrasil or --kind yggdrasil-0x.\n",
    )


def test_of_three_kinds_all_are_named(tmp_path: Path) -> None:
    outcome = run("tree", "-C", write(tmp_path, NEW, OLD, SPEC))
    assert (outcome.code, outcome.text) == (2, "")
    kinds = "yggdrasil, yggdrasil-0x and specgraph"
    assert f"there are graphs of kinds {kinds} here" in outcome.notes


def test_two_kinds_are_a_usage_error_for_programs_too(tmp_path: Path) -> None:
    outcome = run("tree", "--json", "-C", write(tmp_path, NEW, OLD, SPEC))
    document = json.loads(outcome.notes)
    assert (outcome.code, document["code"]) == (2, "usage")
    assert [kind for kind in KINDS if kind in document["message"]] == list(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_is_chosen_by_option_or_by_environment(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = write(tmp_path, NEW, OLD, SPEC)
    chosen = run("tree", "-C", place, "--kind", kind)
    assert (chosen.code, chosen.text.startswith(KINDS[kind])) == (0, True)
    monkeypatch.setenv("YG_KIND", kind)
    assert run("tree", "-C", place) == chosen


def test_the_option_comes_before_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YG_KIND", "yggdrasil")
    outcome = run("tree", "-C", write(tmp_path, NEW, OLD), "--kind", "yggdrasil-0x")
    assert outcome.text.startswith(KINDS["yggdrasil-0x"])


def test_the_environment_chooses_the_kind_of_a_new_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YG_KIND", "specgraph")
    assert run("init", "-C", str(tmp_path)).code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["specgraph"]


def test_an_empty_environment_chooses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YG_KIND", "")
    assert run("tree", "-C", write(tmp_path, OLD)).code == 0


def test_a_kind_that_does_not_exist_is_a_usage_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = write(tmp_path, NEW)
    assert run("tree", "-C", place, "--kind", "other").code == 2
    monkeypatch.setenv("YG_KIND", "other")
    outcome = run("tree", "-C", place)
    assert (outcome.code, outcome.text) == (2, "")
    assert "unknown kind of graph in YG_KIND: 'other'" in outcome.notes
    assert [kind for kind in KINDS if kind in outcome.notes] == list(KINDS)


def test_a_kind_that_is_not_here_is_not_a_graph(tmp_path: Path) -> None:
    old, new = tmp_path / "a", tmp_path / "b"
    assert run("tree", "-C", write(old, OLD), "--kind", "yggdrasil") == Outcome(
        "", 1, "error: No .yggdrasil/ directory found. Run 'yg init' first.\n"
    )
    assert run("tree", "-C", write(new, NEW), "--kind", "yggdrasil-0x") == Outcome(
        "",
        1,
        "error: No graph of kind yggdrasil-0x found from here upwards.\n"
        "  Without --kind and YG_KIND, yg looks for every kind.\n",
    )


def test_the_nearest_directory_with_a_graph_decides(tmp_path: Path) -> None:
    write(tmp_path, NEW)
    below = tmp_path / "legacy" / "src"
    write(tmp_path / "legacy", OLD)
    below.mkdir()
    assert run("tree", "-C", str(below)).text.startswith(KINDS["yggdrasil-0x"])
    chosen = run("tree", "-C", str(below), "--kind", "yggdrasil")
    assert chosen.text.startswith(KINDS["yggdrasil"])


@pytest.mark.parametrize("inside", ["__init__.py", "nodes.py", "README.md"])
def test_a_directory_called_specgraph_is_not_a_graph_by_itself(tmp_path: Path, inside: str) -> None:
    place = write(tmp_path, {f"specgraph/{inside}": ""})
    assert run("tree", "-C", place) == Outcome(
        "", 1, "error: No .yggdrasil/ directory found. Run 'yg init' first.\n"
    )
    assert run("tree", "-C", write(tmp_path, NEW)).text.startswith(KINDS["yggdrasil"])


def test_a_spec_graph_that_has_lost_its_index_is_reported_so(tmp_path: Path) -> None:
    place = write(tmp_path, {"specgraph/nodes/SPEC.json": SPEC["specgraph/nodes/SPEC.json"]})
    outcome = run("validate", "-C", place)
    assert outcome.code == 1
    assert "E101 graph.json -> 'graph.json' cannot be read: no such file" in outcome.text


def test_a_trace_of_a_spec_graph_never_is_against_a_graph(tmp_path: Path) -> None:
    below = tmp_path / "src"
    write(below, {"specgraph/nodes/list.py": ""})
    assert run("tree", "-C", write(tmp_path, NEW)).code == 0
    assert run("tree", "-C", str(below)).text.startswith(KINDS["yggdrasil"])
    assert run("tree", "-C", str(below), "--kind", "specgraph").text == "specgraph/\n"


def test_a_directory_called_yggdrasil_is_not_a_graph_by_itself(tmp_path: Path) -> None:
    (tmp_path / "yggdrasil").mkdir()
    assert run("tree", "-C", str(tmp_path)).code == 1
    assert run("tree", "-C", write(tmp_path, NEW)).code == 0


@pytest.mark.parametrize(
    "argv",
    [("drift",), ("drift-sync", "--all"), ("drift-sync", "--node", "old"), ("preflight",),
     ("plan", "--changed")],
    ids=" ".join,
)  # fmt: skip
def test_what_needs_baselines_says_that_0x_has_none(tmp_path: Path, argv: tuple[str, ...]) -> None:
    place = write(tmp_path, OLD)
    before = sorted(tmp_path.rglob("*"))
    assert run(*argv, "-C", place) == Outcome("", 1, NO_BASELINES)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "argv",
    [
        ("tree",),
        ("deps", "old"),
        ("owner", "src/x.py"),
        ("impact", "--node", "old"),
        ("status",),
        ("validate",),
        ("build-context", "old"),
        ("aspects",),
        ("flows",),
        ("plan",),
        ("preflight", "--quick"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("extra", [(), ("--json",)], ids=["text", "json"])
def test_everything_else_answers_and_writes_nothing(
    tmp_path: Path, argv: tuple[str, ...], extra: tuple[str, ...]
) -> None:
    place = write(tmp_path, OLD)
    before = sorted(tmp_path.rglob("*"))
    outcome = run(*argv, *extra, "-C", place)
    assert (outcome.code, outcome.notes) == (0, "")
    assert outcome.text
    assert sorted(tmp_path.rglob("*")) == before
