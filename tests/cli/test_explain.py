"""`yg explain`: the page of one rule, or all of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from schemas import SCHEMAS, faults, faults_in
from support import CONFIG, run, write, write_graph
from yg.commands.explain import every_rule
from yg.commands.schema import all_schemas, schema_files

EVERY_RULE = every_rule()


@pytest.mark.parametrize("name", ["E004", "e004", "broken-relation"])
def test_a_rule_is_found_by_its_code_and_by_its_name(name: str) -> None:
    outcome = run("explain", name)
    assert (outcome.code, outcome.notes) == (0, "")
    assert outcome.text.startswith("E004 broken-relation (error)\n\nEvery relation points at ")


@pytest.mark.parametrize("rule", EVERY_RULE, ids=lambda rule: str(rule.code))
def test_every_rule_has_a_page(rule: object) -> None:
    code = str(getattr(rule, "code", ""))
    text = run("explain", code).text
    assert text.startswith(f"{code} ")
    assert [
        part for part in ("\n\nWhy: ", "\n\nFix: ", "\n\nExample:\n    ") if part not in text
    ] == []


def test_without_a_code_all_rules_are_listed() -> None:
    outcome = run("explain")
    assert outcome.code == 0
    assert [line[:4] for line in outcome.text.splitlines()] == [rule.code for rule in EVERY_RULE]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("E040", "Did you mean"),
        ("brokn-relation", "Did you mean 'broken-relation'?"),
        ("zzzzzzz", "'yg explain' lists all rules."),
        ("", "'yg explain' lists all rules."),
    ],
)
def test_a_rule_that_does_not_exist_is_named_with_the_nearest(name: str, hint: str) -> None:
    outcome = run("explain", name)
    assert (outcome.text, outcome.code) == ("", 1)
    assert outcome.notes.startswith(f"error: there is no rule '{name}'\n  {hint}")


def test_a_rule_that_does_not_exist_is_named_in_json() -> None:
    outcome = run("explain", "E999", "--json")
    error = json.loads(outcome.notes)
    assert (outcome.text, outcome.code) == ("", 1)
    assert (error["code"], error["message"]) == ("not-found", "there is no rule 'E999'")


@pytest.mark.parametrize("argv", [(), ("W019",)])
def test_json_follows_its_schema(argv: tuple[str, ...]) -> None:
    outcome = run("explain", *argv, "--json")
    assert (outcome.code, faults(outcome.text)) == (0, [])
    codes = [rule["code"] for rule in json.loads(outcome.text)["rules"]]
    assert codes == (list(argv) or [rule.code for rule in EVERY_RULE])


def test_markdown_of_one_rule_is_its_section_of_the_manual() -> None:
    manual = run("explain", "--format", "markdown").text
    section = run("explain", "E010", "--format", "markdown").text
    page = section[section.index("## E010") :]
    assert page in manual
    assert section.count("\n## ") == 1


def test_no_graph_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("explain", "E001").code == 0


@pytest.mark.parametrize("argv", [("--format", "sarif"), ("E001", "E002"), ("--all",)])
def test_wrong_usage_is_reported(argv: tuple[str, ...]) -> None:
    outcome = run("explain", *argv)
    assert (outcome.text, outcome.code) == ("", 2)


def test_the_list_shows_the_levels_that_the_graph_here_sets(tmp_path: Path) -> None:
    write_graph(tmp_path, {"yg-config.yaml": f"{CONFIG}rules: {{W012: off, E010: warning}}\n"})
    outcome = run("explain", "-C", str(tmp_path))
    changed = [line for line in outcome.text.splitlines() if line.endswith(" by default)")]
    assert [line[:4] for line in changed] == ["E010", "W012"]
    about = "Every mapped path exists, and every exclusion matches a file."
    assert changed[1].endswith(f"{about} (off here; warning by default)")
    document = json.loads(run("explain", "-C", str(tmp_path), "--json").text)
    levels = {rule["code"]: (rule["severity"], rule["level"]) for rule in document["rules"]}
    assert (levels["W012"], levels["E010"]) == (("warning", "off"), ("error", "warning"))
    assert faults(json.dumps(document)) == []
    manual = run("explain", "-C", str(tmp_path), "--format", "markdown")
    assert manual == run("explain", "--format", "markdown")


@pytest.mark.parametrize("file", [".yggdrasil/config.yaml", ".yggdrasil/yg-config.yaml", "x"])
def test_rules_are_explained_whatever_graph_is_here(tmp_path: Path, file: str) -> None:
    write(tmp_path, {file: "name: [\n"})
    outcome = run("explain", "E010", "-C", str(tmp_path))
    assert (outcome.code, outcome.notes) == (0, "")
    assert outcome.text.startswith("E010 structural-cycle (error)\n")


@pytest.mark.parametrize("name", ["yg-tree/1", "yg-tree", "tree"])
def test_a_schema_is_found_by_its_name(name: str) -> None:
    outcome = run("explain", "--schema", name)
    assert (outcome.code, outcome.notes) == (0, "")
    assert outcome.text == schema_files()["yg-tree.1.schema.json"]


def test_a_printed_schema_describes_the_documents() -> None:
    schema = json.loads(run("explain", "--schema", "yg-explain/1").text)
    document = json.loads(run("explain", "E004", "--json").text)
    assert [*Draft202012Validator(schema).iter_errors(document)] == []
    assert not Draft202012Validator(schema).is_valid({**document, "rules": []})


@pytest.mark.parametrize("argv", [("--schema",), ("--schema", "list")])
def test_all_schemas_are_listed(argv: tuple[str, ...]) -> None:
    outcome = run("explain", *argv)
    assert (outcome.code, outcome.notes) == (0, "")
    lines = dict(line.split(maxsplit=1) for line in outcome.text.splitlines())
    assert lines == {name: schema["title"] for name, schema in SCHEMAS.items()}
    assert "list" not in {name for schema in all_schemas() for name in schema.names}


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("yg-tre", "Did you mean 'yg-tree/1'?"),
        ("yg-tree/2", "Did you mean 'yg-tree/1'"),
        ("owners", "Did you mean 'yg-owner/1'"),
        ("zzzzzzz", "'yg explain --schema' lists all schemas."),
        ("", "'yg explain --schema' lists all schemas."),
    ],
)
def test_a_schema_that_does_not_exist_is_named_with_the_nearest(name: str, hint: str) -> None:
    outcome = run("explain", "--schema", name)
    assert (outcome.text, outcome.code) == ("", 1)
    assert outcome.notes.startswith(f"error: there is no schema '{name}'\n  {hint}")


def test_a_schema_in_json_is_part_of_a_document() -> None:
    outcome = run("explain", "--schema", "tree", "--json")
    document = json.loads(outcome.text)
    assert (outcome.code, faults_in(document)) == (0, [])
    [shown] = document["schemas"]
    assert (shown["name"], shown["json_schema"]) == ("yg-tree/1", SCHEMAS["yg-tree/1"])
    listed = json.loads(run("explain", "--schema", "--json").text)
    assert faults_in(listed) == []
    assert [schema["name"] for schema in listed["schemas"]] == sorted(SCHEMAS)
    assert not any("json_schema" in schema for schema in listed["schemas"])


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("E004", "--schema", "tree"), "--schema cannot be combined with CODE"),
        (("E004", "--schema"), "--schema cannot be combined with CODE"),
        (
            ("--schema", "tree", "--format", "markdown"),
            "--schema cannot be combined with --format markdown",
        ),
    ],
)
def test_a_schema_excludes_rules_and_markdown(argv: tuple[str, ...], message: str) -> None:
    outcome = run("explain", *argv)
    assert (outcome.text, outcome.code) == ("", 2)
    assert outcome.notes.startswith(f"error: {message}\n")
