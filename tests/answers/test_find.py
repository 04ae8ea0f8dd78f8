"""Search in a graph with unreadable files."""

from __future__ import annotations

import json
from pathlib import Path

from support import NODE, run, write_graph

FILES: dict[str, str | bytes] = {
    "model/a/yg-node.yaml": "name: Alpha\ntype: service\n",
    "model/a/responsibility.md": b"\xff\xfe",
    "model/b/yg-node.yaml": "name: [\n",
    "model/c/yg-node.yaml": NODE,
    "model/c/interface.md": "Offers alpha rays.\n",
}


def test_what_cannot_be_read_is_told_and_the_rest_is_found(tmp_path: Path) -> None:
    outcome = run("find", "alpha", "--json", "-C", str(write_graph(tmp_path, FILES)))
    document = json.loads(outcome.text)
    found = [(node["path"], node["summary"], node["found"]) for node in document["nodes"]]
    assert found == [
        ("a", "", [{"word": "alpha", "in": "name"}]),
        ("c", "Offers alpha rays.", [{"word": "alpha", "in": "responsibility"}]),
    ]
    assert [(entry["subject"], entry["file"]) for entry in document["skipped"]] == [
        ("b", ".yggdrasil/model/b/yg-node.yaml"),
        ("a", ".yggdrasil/model/a/responsibility.md"),
    ]


def test_the_text_form_tells_of_it_beside_the_answer(tmp_path: Path) -> None:
    outcome = run("find", "alpha", "-C", str(write_graph(tmp_path, FILES)))
    assert outcome.text == (
        "a [service] Alpha\n  'alpha' in its name\n"
        "c [service] N\n  Offers alpha rays.\n  'alpha' in its responsibility\n"
    )
    assert [line.split(":")[0] for line in outcome.notes.splitlines()] == ["skipped b", "skipped a"]
