"""Hostile input: whatever the files of a repository hold, every command answers."""

from __future__ import annotations

import os
import subprocess
import tracemalloc
from collections.abc import Mapping
from pathlib import Path

import pytest

from specgraph.graphs import Data, files_of, node
from support import CONFIG, NODE, run, write, write_graph
from yg.kernel.digest import HEAD
from yg.surfaces.cli.outcome import Outcome

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
    "overview",
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
    "check-docs",
    "owner src/a.py",
    "show a src/a.py:1",
    "show --outline src/a.py",
    "brief src/a.py",
    "uses a",
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
def test_a_number_of_any_size_in_a_configuration_does_not_crash(
    tmp_path: Path, number: str
) -> None:
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


def test_a_number_with_too_many_digits_is_reported_with_its_place(tmp_path: Path) -> None:
    quality = f"quality:\n  min_artifact_length: {NUMBERS['hexadecimal']}\n"
    write_graph(tmp_path, {"yg-config.yaml": CONFIG + quality, "model/a/yg-node.yaml": NODE})
    outcome = run("validate", "-C", str(tmp_path))
    line = len(CONFIG.splitlines()) + 2
    assert outcome.code == 1
    assert "E012 yg-config.yaml -> a number with too many digits." in outcome.text
    assert f".yggdrasil/yg-config.yaml:{line}:24" in outcome.text


@pytest.mark.parametrize("number", ["9" * 4300, "1." + "1" * 100_000, "1e999", "1e-999", "1e300"])
def test_a_number_of_any_size_in_a_spec_graph_does_not_crash(tmp_path: Path, number: str) -> None:
    check = {"kind": "command", "command": "make", "timeoutSeconds": 7, "expected": 7}
    nodes = {"a": node("feature"), "b": node("behavior", verification=[check])}
    write(tmp_path, spec_files(nodes, (": 7", f": {number}")))
    assert unexpected(tmp_path, (*QUESTIONS, "build-context b", "build-context b --json")) == {}


@pytest.mark.parametrize(
    ("number", "message"),
    [("9" * 501, "a number with too many digits"), ("1e999", "a number that is too large")],
    ids=["digits", "exponent"],
)
def test_a_number_out_of_range_in_a_spec_graph_is_reported_with_its_place(
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
    assert "yg reads formats up to 3.0.0" in outcome.notes


# Size.

HUGE = 1_000_000_000
LITTLE = 40_000_000  # bytes that a command may hold at once
REASON = f"larger than 16 MB ({HUGE} bytes)"
SHOP = {
    "aspects/z/yg-aspect.yaml": "name: Z\n",
    "aspects/z/content.md": "A text.\n",
    "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\n",
    "flows/f/description.md": "A text.\n",
    "model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src]}}\naspects: [{{aspect: z}}]\n",
    "model/a/responsibility.md": "A text.\n",
}
SHOP_0X = {
    "config.yaml": "name: P\n",
    "a/node.yaml": "name: A\ntype: service\n",
    "a/description.md": "A text.\n",
}


def asked_with_little_memory(root: Path, question: str) -> Outcome:
    """Ask something, and see that nobody holds what is too large."""
    command, *rest = question.split()
    tracemalloc.start()
    try:
        outcome = run(command, "-C", str(root), *rest)
        assert tracemalloc.get_traced_memory()[1] < LITTLE
    finally:
        tracemalloc.stop()
    return outcome


def with_huge(root: Path, file: str) -> Path:
    """Make a text huge, without a disk that could hold it."""
    with (root / file).open("ab") as text:
        text.write(b"\n" * HEAD)  # so that it does not count as binary
    os.truncate(root / file, HUGE)
    return root


def committed(root: Path) -> Path:
    """Commit all files of a directory."""
    for command in ("init --quiet", "add .", "commit --quiet --message=one"):
        subprocess.run(["git", "-C", root, *command.split()], check=True)
    return root


@pytest.mark.parametrize("file", [*SHOP, "yg-config.yaml"])
def test_a_text_larger_than_the_limit_is_an_error_that_names_it(tmp_path: Path, file: str) -> None:
    root = with_huge(write_graph(tmp_path, SHOP), f".yggdrasil/{file}")
    outcome = asked_with_little_memory(root, "validate")
    name = file.rpartition("/")[2]
    assert outcome.code == 1
    assert f"-> '{name}' cannot be read: {REASON}.\n  .yggdrasil/{file}\n" in outcome.text
    assert [line[:4] for line in outcome.text.splitlines() if REASON in line] == ["E021"]


@pytest.mark.parametrize("question", [*QUESTIONS, *ABOUT_FILES])
def test_nobody_holds_a_huge_text(tmp_path: Path, question: str) -> None:
    root = write(write_graph(tmp_path, SHOP), {"src/a.py": "a\n"})
    with_huge(root, ".yggdrasil/aspects/z/content.md")
    assert asked_with_little_memory(root, question).code in (0, 1)


@pytest.mark.parametrize("file", ["a/node.yaml", "a/description.md"])
def test_a_huge_text_of_a_0x_graph_is_the_same_error(tmp_path: Path, file: str) -> None:
    root = write(tmp_path, {f"yggdrasil/{path}": text for path, text in SHOP_0X.items()})
    with_huge(root, f"yggdrasil/{file}")
    outcome = asked_with_little_memory(root, "validate")
    assert outcome.code == 1
    assert f"E021 a -> '{file.removeprefix('a/')}' cannot be read: {REASON}." in outcome.text
    assert REASON in asked_with_little_memory(root, "build-context a").notes


@pytest.mark.parametrize(("file", "code"), [("graph.json", "E101"), ("nodes/a.json", "E102")])
def test_a_huge_file_of_a_spec_graph_cannot_be_read(tmp_path: Path, file: str, code: str) -> None:
    root = with_huge(write(tmp_path, spec_files({"a": node("feature")})), f"specgraph/{file}")
    outcome = asked_with_little_memory(root, "validate")
    name = file.rpartition("/")[2]
    subject = "graph.json" if name == "graph.json" else "a"
    assert outcome.code == 1
    assert f"{code} {subject} -> '{name}' cannot be read: {REASON}." in outcome.text


def test_a_huge_text_in_a_commit_is_the_same_error(tmp_path: Path) -> None:
    root = write_graph(tmp_path, {**SHOP, "model/a/responsibility.md": bytes(16_000_001)})
    committed(root)
    write_graph(root, SHOP)
    outcome = asked_with_little_memory(root, "build-context a --at HEAD")
    assert outcome.code == 1
    assert "'responsibility.md' cannot be read: larger than 16 MB (16000001 bytes)" in outcome.notes
    assert run("build-context", "-C", str(root), "a").code == 0


def test_a_huge_baseline_is_reported_and_taken_as_none(tmp_path: Path) -> None:
    state = ".yggdrasil/.drift-state/a.json"
    root = write(write_graph(tmp_path, SHOP), {"src/a.py": "a\n", state: ""})
    outcome = asked_with_little_memory(with_huge(root, state), "drift")
    assert outcome.code == 1
    assert f"warning: {state}: {REASON}; baseline ignored\n" in outcome.notes


def test_a_huge_source_file_is_tracked_and_searched_all_the_same(tmp_path: Path) -> None:
    node_text = f"{NODE}mapping: {{paths: [src]}}\naspects: [{{aspect: z, anchors: [needle]}}]\n"
    root = write_graph(tmp_path, {**SHOP, "model/a/yg-node.yaml": node_text})
    write(root, {"src/a.py": b"hay\n" * 4_500_000 + b"needle\n"})
    committed(root)
    assert "W014" not in asked_with_little_memory(root, "validate").text
    assert "W014" not in asked_with_little_memory(root, "validate --at HEAD").text
    assert asked_with_little_memory(root, "drift-sync a").code == 0
    assert asked_with_little_memory(root, "drift").code == 0


# Text that is not text.


def test_half_of_a_surrogate_pair_can_be_reported_in_every_form(tmp_path: Path) -> None:
    nodes = {"a": node("feature", title="One HALF", contains=["HALF"], HALF=1)}
    write(tmp_path, spec_files(nodes, ("HALF", "\\ud800")))
    forms = ("sarif", "junit", "github", "json", "text")
    assert (
        unexpected(tmp_path, (*QUESTIONS, *(f"validate --format {form}" for form in forms))) == {}
    )
