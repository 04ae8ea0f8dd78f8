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
WIRE = "codec  yg-node.yaml:1  name: WireCodec"
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
        (("wire",), [WIRE, "  :7  mapping: {paths: [src/wire/codec_impl.py]}"]),
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
        (
            ("frames",),
            [
                "aspects/careful  content.md:1  Count the frames.",
                "codec  yg-node.yaml:3  aspects: [{aspect: careful, anchors: [frame_anchor]}]",
            ],
        ),
        (('"frames"',), ["aspects/careful  content.md:1  Count the frames."]),
        (("frames", "--in", "aspects"), ["aspects/careful  content.md:1  Count the frames."]),
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
                "  :2  with encodeRequest.",
                "codec  interface.md:3  `encode_request` turns it into bytes.",
            ],
        ),
        (("request", "-every"), [ENCODES]),
        (("every request",), ["b  responsibility.md:1  Encodes every request"]),
        (('"every request"',), ["b  responsibility.md:1  Encodes every request"]),
        (("byt*",), [ENCODES]),
        (("careful", "--kind-of", "aspect"), ["aspects/careful  yg-aspect.yaml:1  name: Careful"]),
        (("line", "--in", "flows"), ["flows/talk  description.md:1  Opens a line."]),
        (
            ("line", "--limit", "1"),
            ["flows/talk  description.md:1  Opens a line.", ".. and 1 more document (--all)"],
        ),
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
        (('"every byte"',), "Nothing found.\n  'byte' does not occur; nearest: bytes\n"),
        (('"request every"',), "Nothing found: no text has the phrase 'request every'.\n"),
        (
            ("request", "-request"),
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
        "complete": True,
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
                "others": [
                    {"line": 7, "text": "mapping: {paths: [src/wire/codec_impl.py]}"},
                ],
                "hidden": 0,
            }
        ],
        "names_total": 0,
        "names": [],
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
    found, *_ = find(tmp_path, *query.split()).text.splitlines()
    assert found.split("  ")[0] == path
    assert found.split("  ", 2)[2] == line


def test_matches_are_coloured_on_a_terminal(root: Path) -> None:
    request = FindRequest(words="request turns", limit=1)
    search = ask(Run(lambda _kind: opened(str(root))), request)
    assert text(search, Palette(is_on=True, mark="^")) == (
        "^1mcodec^0m  ^2minterface.md:3^0m  "
        "`^31;1mencode_request^0m` ^31;1mturns^0m it into bytes.\n"
    )


def test_documents_with_most_of_the_words_are_found_if_none_has_all(root: Path) -> None:
    outcome = find(root, "qqq", "line", "thrice")
    assert (outcome.code, outcome.notes) == (0, "  'qqq' does not occur\n")
    assert outcome.text.splitlines() == ["No text has all of: qqq, line, thrice", RELATION, EMITS]
    first, *others = find(root, "frames", "bytes").text.splitlines()
    assert first == "No text has all of: frames, bytes"
    assert others[0] == ENCODES  # a rarer word than frames, which a frame counts for


EMITS = "  .. and 1 more line"
CODE: dict[str, str | bytes] = {
    "model/pay/yg-node.yaml": NODE + "mapping: {paths: [src/pay.py]}\n",
    "model/pay/responsibility.md": "".join(f"Charge {number}.\n" for number in range(9)),
    "model/pay/cards/yg-node.yaml": NODE,
    "model/pay/cards/responsibility.md": "A card has a charge.\n",
    "model/payer/yg-node.yaml": NODE,
    "model/payer/responsibility.md": "May charge.\n",
    "model/code/yg-node.yaml": NODE,
    "model/code/responsibility.md": "Nothing to charge.\n",
}
SOURCE = """class Card:
    def charge(self, amount: int) -> None:
        _charge_twice()


def _charge_twice() -> None: ...
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write(write_graph(tmp_path, CODE), {"src/pay.py": SOURCE})


NAMES = [
    "src/pay.py:2  def charge(self, amount: int) -> None  (pay)",
    "src/pay.py:6  _charge_twice  (pay)",
]


def test_names_of_code_follow_the_texts(shop: Path) -> None:
    lines = find(shop, "charge").text.splitlines()
    assert lines[-2:] == NAMES
    assert find(shop, "charges", "--in", "code").text.splitlines() == NAMES
    assert find(shop, "twice").text.splitlines() == NAMES[1:]
    (shop / "src/pay.py").write_text("def charge_thrice(): ...\n", encoding="utf-8")
    changed = find(shop, "charge", "--in", "code").text
    assert changed == "src/pay.py:1  def charge_thrice()  (pay)\n"
    assert find(shop, "charge", "--in", "code", "--no-cache").text == changed


def test_three_lines_of_a_document_are_shown_or_all(shop: Path) -> None:
    lines = find(shop, "charge", "--in", "pay").text.splitlines()
    at = lines.index("pay  responsibility.md:1  Charge 0.")
    assert lines[at + 1 : at + 4] == ["  :2  Charge 1.", "  :3  Charge 2.", "  .. and 6 more lines"]
    shown = find(shop, "charge", "--in", "pay", "--all").text
    assert shown.count("Charge ") == 9
    assert "more line" not in shown


def test_a_node_is_searched_with_what_is_inside_it(shop: Path) -> None:
    places = {line.split("  ")[0] for line in find(shop, "charge", "--in", "pay").text.splitlines()}
    assert {"pay", "pay/cards"} <= places
    assert not {"payer", "code"} & places
    assert find(shop, "charge", "--in", "code/").text == (
        "code  responsibility.md:1  Nothing to charge.\n"
    )
    unknown = find(shop, "charge", "--in", "pat")
    assert (unknown.code, unknown.text) == (1, "")
    assert find(shop, "charge", "--in", "pay", "--kind-of", "node").code == 2
