"""`yg aspects`: the aspects of a graph, as YAML and as data."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import yaml

from graphs import git, write
from yg.commands.aspects import Aspects
from yg.commands.explain import json_schema
from yg.surfaces.cli.main import Outcome, answer

# The example of document 004.
EXAMPLE = {
    "aspects/deterministic/yg-aspect.yaml": "name: Determinism\nstability: schema\n",
    "aspects/observability/logging/yg-aspect.yaml": (
        "name: Audit Logging\n"
        "description: Every state-changing operation must produce an audit log entry\n"
        "implies: [observability/tracing]\n"
        "stability: protocol\n"
    ),
}
EXAMPLE_TEXT = """\
- id: deterministic
  name: Determinism
  stability: schema
- id: observability/logging
  name: Audit Logging
  description: Every state-changing operation must produce an audit log entry
  implies:
    - observability/tracing
  stability: protocol
"""
NAMES = {"a": "yes", "b c": "Größe: klein", "d": "e\x1b[31m", "f": "7", "z": "\u202e"}


def aspects(root: Path, files: dict[str, str], *words: str, config: str = "") -> Outcome:
    write(root, {"yg-config.yaml": config or "name: t\nnode_types: {s: {description: S}}\n"})
    return answer(["aspects", "-C", str(write(root, files)), *words])


def test_the_example_of_the_specification_is_printed_as_it_stands(tmp_path: Path) -> None:
    assert aspects(tmp_path, EXAMPLE) == Outcome(EXAMPLE_TEXT)


def test_json_has_the_same_fields(tmp_path: Path) -> None:
    document = json.loads(aspects(tmp_path, EXAMPLE, "--json").text)
    assert document == {
        "schema": "yg-aspects/1",
        "aspects": yaml.safe_load(EXAMPLE_TEXT),
        "skipped": [],
    }
    jsonschema.validate(document, json_schema(Aspects))


def test_without_aspects_the_list_is_empty(tmp_path: Path) -> None:
    assert aspects(tmp_path, {}) == Outcome("[]\n")


def test_any_name_reads_back_from_the_list(tmp_path: Path) -> None:
    files = {f"aspects/{id_}/yg-aspect.yaml": json.dumps({"name": NAMES[id_]}) for id_ in NAMES}
    found = yaml.safe_load(aspects(tmp_path, files).text)
    assert {entry["id"]: entry["name"] for entry in found} == NAMES


def test_aspects_are_sorted_by_code_point(tmp_path: Path) -> None:
    files = {f"aspects/{id_}/yg-aspect.yaml": "name: N\n" for id_ in ("b", "ä", "B", "a/z", "a-b")}
    found = yaml.safe_load(aspects(tmp_path, files).text)
    assert [entry["id"] for entry in found] == ["B", "a-b", "a/z", "b", "ä"]


def test_an_aspect_that_cannot_be_read_is_named_and_the_others_are_listed(tmp_path: Path) -> None:
    files = {
        "aspects/bad/yg-aspect.yaml": "name: X\nstability: firm\n",
        "aspects/bare/rule.md": "Text.\n",
        "aspects/good/yg-aspect.yaml": "name: Good\n",
        "model/n/yg-node.yaml": "name: [\n",
    }
    assert aspects(tmp_path, files) == Outcome(
        "- id: good\n  name: Good\n",
        "skipped aspects/bad: unknown stability 'firm' (.yggdrasil/aspects/bad/yg-aspect.yaml:2:12)"
        "\nskipped aspects/bare: has files but no yg-aspect.yaml (.yggdrasil/aspects/bare)\n",
    )
    assert json.loads(aspects(tmp_path, files, "--json").text)["skipped"] == [
        {
            "subject": "aspects/bad",
            "message": "unknown stability 'firm'",
            "file": ".yggdrasil/aspects/bad/yg-aspect.yaml",
            "line": 2,
            "column": 12,
        },
        {
            "subject": "aspects/bare",
            "message": "has files but no yg-aspect.yaml",
            "file": ".yggdrasil/aspects/bare",
            "line": None,
            "column": None,
        },
    ]


def test_a_configuration_that_cannot_be_used_is_the_one_error(tmp_path: Path) -> None:
    found = aspects(tmp_path, EXAMPLE, config="name: ''\nnode_types: {s: {description: S}}\n")
    assert (found.text, found.code) == ("", 1)
    assert "'name' must not be empty" in found.notes
    assert found.notes.endswith(
        "error: the configuration cannot be used\n  Fix its errors first.\n"
    )


def test_the_aspects_of_a_commit_are_those_it_has(tmp_path: Path) -> None:
    aspects(tmp_path, EXAMPLE)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    later = {"aspects/later/yg-aspect.yaml": "name: Later\n"}
    assert aspects(tmp_path, later, "--at", "HEAD") == Outcome(EXAMPLE_TEXT)
