"""`quality.gate`: numbers that `yg preflight` checks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schemas import faults
from support import run, write
from yg.kernel.snapshot import DRAFT_MARK
from yggdrasil.rules.cases import CONFIG, SCHEMAS, maps

UNCOVERED = "('yg coverage --uncovered' lists the files)"
LIMITS = "context_budget: {warning: 30, error: 60}"


def placed(root: Path, gate: str, text: str = "x" * 50) -> str:
    graph = {
        "yg-config.yaml": f"{CONFIG}quality: {{{LIMITS}, gate: {gate}}}\n",
        **dict.fromkeys(SCHEMAS, ""),
        "model/a/yg-node.yaml": maps("src/a.py"),
        "model/a/responsibility.md": text,
    }
    files = {f".yggdrasil/{path}": content for path, content in graph.items()}
    return str(write(root, {**files, "src/a.py": "", "src/b.py": "", "src/c.py": ""}))


def gate_of(place: str) -> tuple[int, str]:
    outcome = run("preflight", "--quick", "-C", place)
    document = run("preflight", "--quick", "--json", "-C", place)
    assert faults(document.text) == []
    assert document.code == outcome.code
    return outcome.code, outcome.text.partition("Gate:\n")[2].partition("\n\n")[0].rstrip("\n")


@pytest.mark.parametrize(
    ("gate", "code", "line"),
    [
        ("{coverage: 33}", 0, "  coverage: 33.33%, at least 33%: ok"),
        (
            "{coverage: 33.5}",
            1,
            f"  coverage: 33.33%, at least 33.5%: failed {UNCOVERED}",
        ),
        ("{coverage: 0}", 0, "  coverage: 33.33%, at least 0%: ok"),
        ("{drafts: 0}", 0, "  drafts: 0, at most 0: ok"),
        ("{packages_over: 0}", 0, "  packages_over: 0, at most 0: ok"),
    ],
)
def test_each_number_is_shown_with_its_limit(
    tmp_path: Path, gate: str, code: int, line: str
) -> None:
    assert gate_of(placed(tmp_path, gate)) == (code, line)


def test_packages_over_the_error_threshold_are_named(tmp_path: Path) -> None:
    place = placed(tmp_path, "{packages_over: 0, drafts: 5}", "x" * 300)
    code, text = gate_of(place)
    assert code == 1
    assert text.splitlines() == [
        "  packages_over: 1, at most 0: failed (a)",
        "  drafts: 0, at most 5: ok",
    ]


def test_drafts_are_counted_without_a_code_section(tmp_path: Path) -> None:
    place = placed(tmp_path, "{drafts: 0}", f"{DRAFT_MARK}\n")
    text = "  drafts: 1, at most 0: failed (.yggdrasil/model/a/responsibility.md)"
    assert gate_of(place) == (1, text)
    [check] = json.loads(run("preflight", "--quick", "--json", "-C", place).text)["gate"]
    assert check == {
        "name": "drafts",
        "limit": 0,
        "value": 1,
        "passed": False,
        "found": [".yggdrasil/model/a/responsibility.md"],
    }
    assert gate_of(placed(tmp_path, "{drafts: 1}", f"{DRAFT_MARK}\n"))[0] == 0


@pytest.mark.parametrize("gate", ["", "{}", "{coverage: }"])
def test_an_empty_gate_checks_nothing(tmp_path: Path, gate: str) -> None:
    document = json.loads(run("preflight", "--quick", "--json", "-C", placed(tmp_path, gate)).text)
    assert "gate" not in document


@pytest.mark.parametrize(
    ("gate", "message"),
    [
        ("{coverage: 101}", "'coverage' cannot be 101"),
        ("{coverage: -1}", "'coverage' cannot be -1"),
        ("{coverage: .nan}", "'coverage' cannot be "),
        ("{coverage: high}", "'coverage' cannot be 'high'"),
        ("{coverage: true}", "'coverage' cannot be "),
        ("{coverage: [80]}", "'coverage' cannot be a list"),
        ("{packages_over: -1}", "'packages_over' must not be negative"),
        ("{packages_over: 1.5}", "'packages_over' must be a whole number"),
        ("{drafts: none}", "'drafts' must be a whole number, found text"),
        ("[coverage]", "'gate' must be a mapping, found a list"),
        ("80", "'gate' must be a mapping"),
    ],
)
def test_bad_values_are_reported_where_they_are(tmp_path: Path, gate: str, message: str) -> None:
    outcome = run("validate", "--json", "-C", placed(tmp_path, gate))
    [issue] = [found for found in json.loads(outcome.text)["issues"] if found["code"] == "E012"]
    assert issue["message"].startswith(message)
    lines = (tmp_path / ".yggdrasil/yg-config.yaml").read_text(encoding="utf-8").splitlines()
    assert issue["line"] == len(lines)
    assert issue["column"] > len(f"quality: {{{LIMITS}, gate:")


def test_an_unknown_number_is_a_warning(tmp_path: Path) -> None:
    outcome = run("validate", "-C", placed(tmp_path, "{coverge: 80}"))
    assert "W016 yg-config.yaml -> unknown key 'coverge'." in outcome.text
    assert "coverage" in outcome.text
