"""Hostile input: whatever the files of a repository hold, every command answers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from specgraph.graphs import Data, files_of, node
from support import CONFIG, NODE, run, write, write_graph

QUESTIONS = (
    "validate",
    "validate --json",
    "build-context a",
    "build-context a --json",
    "build-context a --why",
    "status",
    "status --json",
    "tree",
    "plan",
    "find text",
    "deps --node a",
    "impact --node a",
    "export",
    "export --format dot",
)
ABOUT_FILES = (
    "preflight",
    "preflight --quick",
    "drift",
    "coverage",
    "owner src/a.py",
    "aspects",
    "flows",
    "build-context --file src/a.py",
)


def unexpected(root: Path, questions: tuple[str, ...]) -> dict[str, str]:
    """Ask everything, and return what ended in anything but an answer or a refusal."""
    found = {}
    for question in questions:
        command, *rest = question.split()
        outcome = run(command, "-C", str(root), *rest)
        if outcome.code not in (0, 1):
            found[question] = f"{outcome.code}: {outcome.notes}"
    return found


def spec_files(nodes: Mapping[str, Data], edit: tuple[str, str] = ("", "")) -> dict[str, str]:
    """Write the files of a Spec Graph, with one text replaced by another."""
    return {path: str(text).replace(*edit) for path, text in files_of(nodes).items()}


# Numbers.

NUMBERS = {
    "hexadecimal": "0x" + "f" * 4200,
    "octal": "0o" + "7" * 4760,
    "decimal": "9" * 4300,
    "fraction": "1." + "1" * 100_000,
    "exponent": "1e999999999",
    "small": "1e-999999999",
    "infinite": "-.inf",
    "none": ".nan",
}


@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS.keys())
def test_a_number_of_any_size_in_a_configuration_is_no_crash(tmp_path: Path, number: str) -> None:
    quality = (
        f"quality: {{min_artifact_length: {number}, max_direct_relations: {number}, "
        f"context_budget: {{warning: {number}, error: {number}}}}}\n"
    )
    files = {
        "yg-config.yaml": CONFIG + quality,
        "model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src]}}\n",
        "model/a/responsibility.md": "A text.\n",
    }
    write(write_graph(tmp_path, files), {"src/a.py": "a\n"})
    assert unexpected(tmp_path, QUESTIONS + ABOUT_FILES) == {}


def test_a_number_with_too_many_digits_is_told_with_its_place(tmp_path: Path) -> None:
    quality = f"quality:\n  min_artifact_length: {NUMBERS['hexadecimal']}\n"
    write_graph(tmp_path, {"yg-config.yaml": CONFIG + quality, "model/a/yg-node.yaml": NODE})
    outcome = run("validate", "-C", str(tmp_path))
    line = len(CONFIG.splitlines()) + 2
    assert outcome.code == 1
    assert "E012 yg-config.yaml -> a number with too many digits." in outcome.text
    assert f".yggdrasil/yg-config.yaml:{line}:24" in outcome.text


@pytest.mark.parametrize("number", ["9" * 4300, "1." + "1" * 100_000, "1e999", "1e-999", "1e300"])
def test_a_number_of_any_size_in_a_spec_graph_is_no_crash(tmp_path: Path, number: str) -> None:
    check = {"kind": "command", "command": "make", "timeoutSeconds": 7, "expected": 7}
    nodes = {"a": node("feature"), "b": node("behavior", verification=[check])}
    write(tmp_path, spec_files(nodes, (": 7", f": {number}")))
    assert unexpected(tmp_path, (*QUESTIONS, "build-context b", "build-context b --json")) == {}


@pytest.mark.parametrize(
    ("number", "message"),
    [("9" * 501, "a number with too many digits"), ("1e999", "a number that is too large")],
    ids=["digits", "exponent"],
)
def test_a_number_out_of_range_in_a_spec_graph_is_told_with_its_place(
    tmp_path: Path, number: str, message: str
) -> None:
    nodes = {"a": node("feature", metadata={"x": 7})}
    write(tmp_path, spec_files(nodes, (": 7", f": {number}")))
    outcome = run("validate", "-C", str(tmp_path))
    assert outcome.code == 1
    assert f"E102 a -> not valid JSON: {message}." in outcome.text
    assert "specgraph/nodes/a.json:7:" in outcome.text


def test_a_version_of_thousands_of_digits_is_a_newer_one(tmp_path: Path) -> None:
    write_graph(tmp_path, {"yg-config.yaml": CONFIG.replace("2.2.0", "9" * 5000)})
    outcome = run("init", "-C", str(tmp_path), "--upgrade", "--dry-run")
    assert outcome.code == 1
    assert "newer than 2.2.0" in outcome.notes
