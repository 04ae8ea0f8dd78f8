"""`yg flows`: the flows of a graph, as YAML and as data."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import yaml

from graphs import git, write
from yg.commands.explain import json_schema
from yg.commands.flows import Flows
from yg.surfaces.cli.main import Outcome, answer

CONFIG = {"yg-config.yaml": "name: t\nnode_types: {s: {description: S}}\n"}
# The example of document 004.
EXAMPLE = {
    "flows/checkout/yg-flow.yaml": (
        "name: Checkout Flow\n"
        "description: From basket to receipt\n"
        "nodes: [orders/order-service, auth/auth-api]\n"
        "aspects: [requires-audit]\n"
    )
}
EXAMPLE_TEXT = """\
- name: Checkout Flow
  nodes:
    - orders/order-service
    - auth/auth-api
  aspects:
    - requires-audit
"""


def flows(root: Path, files: dict[str, str], *words: str) -> Outcome:
    return answer(["flows", "-C", str(write(root, {**CONFIG, **files})), *words])


def flow(name: str) -> str:
    return json.dumps({"name": name, "nodes": ["n"]})


def test_the_example_of_the_specification_is_printed_as_it_stands(tmp_path: Path) -> None:
    assert flows(tmp_path, EXAMPLE) == Outcome(EXAMPLE_TEXT)


def test_json_also_has_directory_and_description(tmp_path: Path) -> None:
    document = json.loads(flows(tmp_path, EXAMPLE, "--json").text)
    entry = {"id": "checkout", "description": "From basket to receipt"}
    assert document == {
        "schema": "yg-flows/1",
        "flows": [{**entry, **yaml.safe_load(EXAMPLE_TEXT)[0]}],
        "skipped": [],
    }
    jsonschema.validate(document, json_schema(Flows))


def test_without_flows_the_list_is_empty(tmp_path: Path) -> None:
    assert flows(tmp_path, {}) == Outcome("[]\n")


def test_flows_are_sorted_by_name_then_by_directory(tmp_path: Path) -> None:
    names = {"c": "Alpha", "a": "beta", "b": "Ärger", "d": "Alpha"}
    files = {f"flows/{id_}/yg-flow.yaml": flow(name) for id_, name in names.items()}
    document = json.loads(flows(tmp_path, files, "--json").text)
    assert [entry["id"] for entry in document["flows"]] == ["c", "d", "a", "b"]


def test_any_name_reads_back_from_the_list(tmp_path: Path) -> None:
    names = ["", "- x", "Größe\n", "\x1b[2J", "yes"]
    files = {f"flows/f{at}/yg-flow.yaml": flow(name) for at, name in enumerate(names) if name}
    found = yaml.safe_load(flows(tmp_path, files).text)
    assert [entry["name"] for entry in found] == sorted(names[1:])


def test_a_flow_that_cannot_be_read_is_named_and_the_others_are_listed(tmp_path: Path) -> None:
    files = {**EXAMPLE, "flows/refund/yg-flow.yaml": "name: Refund\nnodes: []\n"}
    note = "'nodes' must not be empty (.yggdrasil/flows/refund/yg-flow.yaml:2:8)"
    assert flows(tmp_path, files) == Outcome(EXAMPLE_TEXT, f"skipped flows/refund: {note}\n")


def test_participants_are_listed_as_nodes(tmp_path: Path) -> None:
    files = {"flows/f/yg-flow.yaml": "name: F\nparticipants: [a b]\n"}
    assert flows(tmp_path, files) == Outcome("- name: F\n  nodes:\n    - a b\n")


def test_the_flows_of_a_commit_are_those_it_has(tmp_path: Path) -> None:
    flows(tmp_path, EXAMPLE)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    later = {"flows/later/yg-flow.yaml": flow("Later")}
    assert flows(tmp_path, later, "--at", "HEAD") == Outcome(EXAMPLE_TEXT)
