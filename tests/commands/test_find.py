"""Search in a graph: what is found, what is reported, and files that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from schemas import faults_in
from specgraph.graphs import files_of, node
from support import NODE, run, write, write_graph
from yg.commands.command import Run
from yg.commands.find import FindRequest, ask, text
from yg.kernel.palette import Palette
from yg.surfaces.api import open_workspace
from yg.surfaces.cli.outcome import Outcome
from yg.workspace.opening import open_workspace as opened

FILES: dict[str, str | bytes] = {
    "model/codec/yg-node.yaml": (
        "name: WireCodec\ntype: service\naspects: [{aspect: careful, anchors: [frame_anchor]}]\n"
        "relations:\n"
        "  - {target: b, type: calls, consumes: [open_line], failure: retries thrice}\n"
        "  - {target: b, type: emits, event_name: LineClosed}\n"
        "mapping: {paths: [src/wire/codec_impl.py]}\n"
    ),
    "model/codec/interface.md": "# Interface\n\n`encode_request` turns it into bytes.\n",
    "model/b/yg-node.yaml": NODE,
    "model/b/responsibility.md": "Encodes every request\nwith encodeRequest.\n",
    "aspects/careful/yg-aspect.yaml": "name: Careful\n",
    "aspects/careful/content.md": "Count the frames.\n",
    "aspects/careful/picture.png": b"\0\1\2",
    "flows/talk/yg-flow.yaml": "name: Talk\nnodes: [codec]\n",
    "flows/talk/description.md": "Opens a line.\n",
}

RELATION = (
    "codec  yg-node.yaml:5  "
    "- {target: b, type: calls, consumes: [open_line], failure: retries thrice}"
)
ENCODES = "codec  interface.md:3  `encode_request` turns it into bytes."


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_graph(tmp_path_factory.mktemp("find"), FILES)


def find(root: Path, *argv: str) -> Outcome:
    return run("find", "-C", str(root), *argv)


@pytest.mark.parametrize(
    ("argv", "lines"),
    [
        (("wirecodec",), ["codec  yg-node.yaml:1  name: WireCodec"]),
        (("wire",), ["codec  yg-node.yaml:1  name: WireCodec"]),
        (
            ("frame_anchor",),
            ["codec  yg-node.yaml:3  aspects: [{aspect: careful, anchors: [frame_anchor]}]"],
        ),
        (("thrice",), [RELATION]),
        (("open_line",), [RELATION]),
        (
            ("lineClosed",),
            ["codec  yg-node.yaml:6  - {target: b, type: emits, event_name: LineClosed}"],
        ),
        (
            ("src/wire/codec_impl.py",),
            ["codec  yg-node.yaml:7  mapping: {paths: [src/wire/codec_impl.py]}"],
        ),
        (("aspects/careful",), ["aspects/careful  yg-aspect.yaml:1  name: Careful"]),
        (("frames",), ["aspects/careful  content.md:1  Count the frames."]),
        (("talk",), ["flows/talk  yg-flow.yaml:1  name: Talk"]),
        (
            ("encode_request",),
            [
                "codec  interface.md:3  `encode_request` turns it into bytes.",
                "b  responsibility.md:2  with encodeRequest.",
            ],
        ),
        (
            ("request",),
            [
                "b  responsibility.md:1  Encodes every request",
                "codec  interface.md:3  `encode_request` turns it into bytes.",
            ],
        ),
        (("request", "-every"), [ENCODES]),
        (("every request",), ["b  responsibility.md:1  Encodes every request"]),
        (('"every request"',), ["b  responsibility.md:1  Encodes every request"]),
        (("byt*",), [ENCODES]),
        (("careful", "--kind-of", "aspect"), ["aspects/careful  yg-aspect.yaml:1  name: Careful"]),
        (("line", "--limit", "1"), ["flows/talk  description.md:1  Opens a line."]),
        (("--", "-every", "request"), [ENCODES]),
    ],
)
def test_every_text_of_a_graph_is_found(
    root: Path, argv: tuple[str, ...], lines: list[str]
) -> None:
    outcome = find(root, *argv)
    assert (outcome.text.splitlines(), outcome.code, outcome.notes) == (lines, 0, "")


@pytest.mark.parametrize(
    ("argv", "notes"),
    [
        (("reqest",), "Nothing found.\n  'reqest' does not occur; nearest: request\n"),
        (("qqq", "line"), "Nothing found.\n  'qqq' does not occur\n"),
        (
            ("frames", "bytes"),
            "Nothing found: every word occurs, but no document matches the whole query.\n",
        ),
    ],
)
def test_nothing_found_is_reported_with_the_nearest_words(
    root: Path, argv: tuple[str, ...], notes: str
) -> None:
    assert find(root, *argv) == Outcome("", 1, notes)


def test_as_data(root: Path) -> None:
    document = json.loads(find(root, "codec", "-nothing", "--limit", "1", "--json").text)
    assert document == {
        "schema": "yg-find/1",
        "words": ["codec"],
        "excluded": ["nothing"],
        "total": 2,
        "results": [
            {
                "kind": "node",
                "path": "codec",
                "document": "yg-node.yaml",
                "file": ".yggdrasil/model/codec/yg-node.yaml",
                "line": 1,
                "text": "name: WireCodec",
                "whole": True,
                "named": True,
            }
        ],
        "unknown": [],
        "skipped": [],
    }
    nothing = find(root, "reqest", "--json")
    assert (nothing.code, nothing.notes) == (1, "")
    assert json.loads(nothing.text)["unknown"] == [{"word": "reqest", "near": ["request"]}]
    assert faults_in(document) == faults_in(json.loads(nothing.text)) == []


def test_from_python(root: Path) -> None:
    found = open_workspace(root).find('"encode_request"', kind="node", limit=1)
    assert [(entry.path, entry.document, entry.line) for entry in found] == [
        ("codec", "interface.md", 3)
    ]


UNREADABLE: dict[str, str | bytes] = {
    "model/a/yg-node.yaml": "name: Alpha\ntype: service\n",
    "model/a/responsibility.md": b"\xff\xfe",
    "model/b/yg-node.yaml": "name: [\n",
    "model/c/yg-node.yaml": NODE,
    "model/c/interface.md": "Offers alpha rays.\n",
    "aspects/x/yg-aspect.yaml": "name: [\n",
}


def test_what_cannot_be_read_is_reported_and_the_rest_is_found(tmp_path: Path) -> None:
    root = write_graph(tmp_path, UNREADABLE)
    document = json.loads(find(root, "alpha", "--json").text)
    assert [(result["path"], result["document"]) for result in document["results"]] == [
        ("a", "yg-node.yaml"),
        ("c", "interface.md"),
    ]
    assert [(entry["subject"], entry["file"]) for entry in document["skipped"]] == [
        ("b", ".yggdrasil/model/b/yg-node.yaml"),
        ("aspects/x", ".yggdrasil/aspects/x/yg-aspect.yaml"),
        ("a", ".yggdrasil/model/a/responsibility.md"),
    ]
    notes = find(root, "alpha").notes.splitlines()
    assert [line.split(":")[0] for line in notes] == ["skipped b", "skipped aspects/x", "skipped a"]


def test_a_file_of_another_kind_is_not_a_reason_to_index_everything_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))
    root = write_graph(tmp_path, FILES)
    expected = find(root, "frames")
    monkeypatch.setattr("yg.disk.index.fulltext.FullText.update", None)
    assert find(root, "frames") == expected


EXPECTATION = '"expectation": "A card is charged\\nonce, caf\\u00e9 or not.",'
SPEC: dict[str, dict[str, Any]] = {
    "PAY-01": node(
        "behavior",
        title="Pays once",
        expectation="A card is charged\nonce, caf\u00e9 or not.",
        constraints=["No second debit."],
        metadata={
            "rationale": "Customers complain.",
            "notes": "Ask Ann.",
            "tags": ["money_flow"],
            "rejected_alternatives": [{"title": "Cash", "reason": "Nobody carries coins."}],
        },
    ),
    "DEC-01": node("decision", verification=[{"kind": "command", "command": "make check-debits"}]),
}


@pytest.mark.parametrize(
    ("query", "path", "line"),
    [
        ("pays", "PAY-01", '"title": "Pays once",'),
        ("pay-01", "PAY-01", '"title": "Pays once",'),
        (
            "charged café",
            "PAY-01",
            '"expectation": "A card is charged\\nonce, caf\\u00e9 or not.",',
        ),
        ("second debit", "PAY-01", '"No second debit."'),
        ("complain", "PAY-01", '"rationale": "Customers complain.",'),
        ("ann", "PAY-01", '"notes": "Ask Ann.",'),
        ("money", "PAY-01", '"money_flow"'),
        ("coins", "PAY-01", '"reason": "Nobody carries coins."'),
        ("debits", "DEC-01", '"command": "make check-debits"'),
    ],
)
def test_every_field_of_a_spec_graph_is_found(
    tmp_path: Path, query: str, path: str, line: str
) -> None:
    files = files_of(SPEC)
    for name, data in SPEC.items():
        file = next(file for file in files if file.endswith(f"{name}.json"))
        files[file] = json.dumps({"id": name, **data}, indent=2)
    write(tmp_path, {file: text for file, text in files.items() if isinstance(text, str)})
    (found,) = find(tmp_path, *query.split()).text.splitlines()
    assert found.split("  ")[0] == path
    assert found.split("  ", 2)[2] == line


def test_matches_are_coloured_on_a_terminal(root: Path) -> None:
    request = FindRequest(words="request turns", limit=1)
    search = ask(Run(lambda _kind: opened(str(root))), request)
    assert text(search, Palette(is_on=True, mark="^")) == (
        "^1mcodec^0m  ^2minterface.md:3^0m  "
        "`^31;1mencode_request^0m` ^31;1mturns^0m it into bytes.\n"
    )
