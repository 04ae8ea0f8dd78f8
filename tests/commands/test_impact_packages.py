"""Package differences and the impact of a diff as text, Markdown and data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from schemas import faults_in
from support import CONFIG, NODE, graph_from, json_of
from yg.commands.build_context.package import package_text
from yg.commands.impact.diff import diff_markdown, diff_text, impact_of_changes
from yg.commands.impact.packages import (
    package_diff,
    simulated,
    simulated_package,
    sizes,
)
from yg.commands.impact.parts import impact_of_flow
from yg.kernel.compare import DiffImpact, Shift
from yg.kernel.sources import SnapshotSources
from yg.text.escapes import escape_controls
from yg.yggdrasil.drift.states import How, NodeDrift, SourceChange, State
from yg.yggdrasil.owners import Ownership
from yg.yggdrasil.questions.compare import Comparison, diff_impact
from yg.yggdrasil.questions.impact import FlowImpact, Participant

FILES = {
    "model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src/a]}}\n",
    "model/a/responsibility.md": "Then.\n",
    "model/b/yg-node.yaml": f"{NODE}relations: [{{type: uses, target: a}}]\n",
    "model/c/yg-node.yaml": f"{NODE}relations: [{{type: uses, target: b}}]\n",
}


def comparison(changes: Mapping[str, str | None]) -> Comparison:
    return Comparison(graph_from(FILES), graph_from(changed(changes)))


def changed(changes: Mapping[str, str | None]) -> dict[str, str]:
    """Return the files after a change; None removes a file."""
    files: dict[str, str | None] = {**FILES, **changes}
    return {path: text for path, text in files.items() if text is not None}


def shift(node: str, changes: Mapping[str, str | None]) -> Shift:
    return comparison(changes).shift(node)


def impact(changes: Mapping[str, str | None], *sources: str, since: str = "HEAD") -> DiffImpact:
    now = graph_from(changed(changes))
    files = sorted([*sources, *(f".yggdrasil/{path}" for path in changes)])
    return diff_impact(
        graph_from(FILES), now, Ownership(now, SnapshotSources(now.snapshot)), files, since
    )


def drift(state: State, *files: str, has_baseline: bool = True) -> NodeDrift:
    changes = tuple(SourceChange(file, How.CHANGED) for file in files)
    return NodeDrift(node="b", state=state, source=changes, has_baseline=has_baseline)


def simulation(
    shifts: Sequence[Shift],
    target: str,
    drifts: Mapping[str, NodeDrift] | None,
    write: Callable[[Any], str] | None = None,
) -> str:
    """Write how packages differ, below the blank line that precedes it."""
    text = simulated([simulated_package(item, target, drifts, write) for item in shifts], target)
    assert text.startswith("\n")
    return text[1:]


# Simulation.


def test_a_simulation_is_written_as_the_specification_writes_it() -> None:
    found = comparison({"model/a/responsibility.md": "Now, and more of it.\n"})
    shifts = [found.shift("b"), found.shift("c")]
    drifts = {
        "b": drift(State.OK),
        "c": drift(State.SOURCE, "src/billing/charge.ts", "src/billing/x.ts"),
    }
    assert (
        simulation(shifts, "a", drifts)
        == """\
Changes in context packages:
  b:
    + Changed dependency interface: a
    Budget: 31 -> 35 tokens (ok)
    Mapped files (on-disk): ok
  c:
    Budget: 24 -> 24 tokens (ok)
    Mapped files (on-disk): drift (Changed files: src/billing/charge.ts, src/billing/x.ts)
"""
    )


def test_without_affected_nodes_there_is_nothing_to_simulate() -> None:
    assert simulation([], "a", {}, package_text) == "Changes in context packages:\n  (none)\n"


@pytest.mark.parametrize(
    ("found", "written"),
    [
        (None, "no mapping"),
        (drift(State.OK), "ok"),
        (drift(State.GRAPH), "ok"),
        (drift(State.SOURCE, "a.py"), "drift (Changed files: a.py)"),
        (drift(State.FULL, "a.py"), "drift (Changed files: a.py)"),
        (drift(State.SOURCE, "e\x1b\nvil"), r"drift (Changed files: e\x1b\nvil)"),
        (drift(State.MISSING), "missing"),
        (drift(State.SOURCE, has_baseline=False), "source-drift (no baseline)"),
        (drift(State.UNMATERIALIZED, has_baseline=False), "unmaterialized (no baseline)"),
    ],
)
def test_mapped_files_are_reported_in_a_word(found: NodeDrift | None, written: str) -> None:
    drifts = {"b": found} if found else {}
    text = simulation([shift("b", {})], "", drifts)
    assert text.splitlines()[-1] == f"    Mapped files (on-disk): {written}"


@pytest.mark.parametrize(
    ("node", "changes", "written"),
    [
        ("a", {}, "28 -> 28 tokens (ok)"),
        ("a", {"model/a/responsibility.md": None}, "28 -> 21 tokens (ok)"),
        ("d", {"model/d/yg-node.yaml": NODE}, "none -> 15 tokens (ok)"),
        ("a", {"model/a/yg-node.yaml": None}, "28 -> none"),
        ("a", {"yg-config.yaml": f"{CONFIG}quality: {{context_budget: {{warning: 27}}}}\n"}, ""),
        ("nowhere", {}, "none -> none"),
    ],
)
def test_a_budget_is_written_then_and_now(
    node: str, changes: dict[str, str | None], written: str
) -> None:
    assert sizes(shift(node, changes)) == (written or "28 -> 28 tokens (warning)")


def test_no_interface_is_named_when_there_is_no_target() -> None:
    found = shift("b", {"model/a/responsibility.md": "Now.\n"})
    assert "interface" not in simulation([found], "", {}, None)
    assert simulated_package(found, "", {}, None).interface_changed is False


# Differences.


def test_the_difference_of_two_packages_is_a_unified_one() -> None:
    assert package_diff(
        shift("b", {"model/a/responsibility.md": "Now.\n"}), package_text
    ).splitlines() == [
        "--- then/b",
        "+++ now/b",
        "@@ -13,7 +13,7 @@",
        " ",
        ' <dependency target="a" type="uses">',
        " ### responsibility.md",
        "-Then.",
        "+Now.",
        " </dependency>",
        " ",
        " </context-package>",
    ]


def test_equal_packages_have_no_difference() -> None:
    assert package_diff(shift("b", {"model/a/internals.md": "Now.\n"}), package_text) == ""


def test_a_new_package_is_all_new_and_a_lost_one_all_old() -> None:
    new = package_diff(shift("d", {"model/d/yg-node.yaml": NODE}), package_text).splitlines()
    old = package_diff(shift("a", {"model/a/yg-node.yaml": None}), package_text).splitlines()
    assert new[:2] == ["--- then/d", "+++ now/d"]
    assert {line[:1] for line in new[3:]} == {"+"}
    assert {line[:1] for line in old[3:]} == {"-"}


def test_differences_are_shown_only_when_asked_for() -> None:
    found = shift("b", {"model/a/responsibility.md": "Now.\n"})
    brief = simulation([found], "a", {}, None)
    assert simulation([found], "a", {}, package_text) == brief + package_diff(found, package_text)
    assert simulated_package(found, "a", {}, package_text).diff == package_diff(found, package_text)


def test_a_simulated_package_as_data() -> None:
    found = shift("b", {"model/a/responsibility.md": "Now, and more of it.\n"})
    data = simulated_package(found, "a", {found.node: drift(State.OK)}, None)
    flow = FlowImpact(
        flow="f", name="F", participants=(Participant(node="b", descendant=False),), aspects=()
    )
    document = json_of(replace(impact_of_flow(flow), packages=(data,), notes=()))
    assert faults_in(document) == []
    assert document["packages"] == [
        {
            "node": "b",
            "changed": True,
            "interface_changed": True,
            "tokens_then": 31,
            "tokens_now": 35,
            "status": "ok",
            "mapped_files": "ok",
            "diff": None,
        }
    ]


def test_a_package_that_is_gone_has_no_numbers() -> None:
    data = simulated_package(shift("a", {"model/a/yg-node.yaml": None}), "", {}, None)
    assert (data.tokens_then, data.tokens_now, data.status) == (28, None, None)


# Impact of a diff.

CHANGES = {"model/a/responsibility.md": "Now.\n", "model/d/yg-node.yaml": NODE}


def test_changes_are_written_from_files_to_all_they_reach() -> None:
    found = impact(CHANGES, "src/a/x.py", "src/free.py", since="main~2")
    assert (
        diff_text(impact_of_changes(found))
        == """\
Impact of 4 changed files since main~2:

Changed sources:
  src/a/x.py -> a
  src/free.py -> no graph coverage
Changed graph files:
  .yggdrasil/model/a/responsibility.md
  .yggdrasil/model/d/yg-node.yaml
Changed packages:
  a: 28 -> 28 tokens (ok)
  b: 31 -> 31 tokens (ok)
  d: none -> 15 tokens (ok)
Reached through relations:
  c <- b

Total scope: 4 nodes (3 changed, 1 reached)
"""
    )


def test_one_change_is_in_the_singular() -> None:
    found = impact({}, "src/a/x.py")
    assert diff_text(impact_of_changes(found)).startswith("Impact of 1 changed file since HEAD:\n")
    assert "\n1 changed file since `HEAD`, " in diff_markdown(impact_of_changes(found))


def test_no_changes_are_written_with_every_heading() -> None:
    assert (
        diff_text(impact_of_changes(impact({}), package_text))
        == """\
Impact of 0 changed files since HEAD:

Changed sources: (none)
Changed graph files: (none)
Changed packages: (none)
Reached through relations: (none)

Total scope: 0 nodes (0 changed, 0 reached)
"""
    )


def test_differences_of_changed_packages_stand_before_the_total() -> None:
    found = impact(CHANGES)
    text = diff_text(impact_of_changes(found, package_text))
    differences = "".join(package_diff(shift, package_text) for shift in found.shifts)
    assert text.endswith(f"  c <- b\n{differences}\nTotal scope: 4 nodes (3 changed, 1 reached)\n")


def test_names_do_not_play_with_the_terminal() -> None:
    evil = "e\x1b[2J\nvil"
    found = impact({f"model/{evil}/yg-node.yaml": NODE}, f"src/{evil}.py", since="\x1b[31m")
    for text in (diff_text(impact_of_changes(found)), diff_markdown(impact_of_changes(found))):
        lines = [line for line in text.split("\n") if "since" not in line]
        assert [line for line in lines if not line.isprintable()] == []
    assert r"src/e\x1b[2J\nvil.py -> no graph coverage" in diff_text(impact_of_changes(found))


def test_differences_do_not_play_with_the_terminal() -> None:
    evil = "e\x1b[2J\nvil"
    text = "\x1b]0;title\x07 \x0b\x85\r\n\u202e\n"
    found = impact({f"model/{evil}/yg-node.yaml": NODE, "model/a/responsibility.md": text})
    simulated = simulation(found.shifts, "", {}, package_text)
    for shown in (
        diff_text(impact_of_changes(found, package_text)),
        diff_markdown(impact_of_changes(found, package_text)),
        simulated,
    ):
        assert escape_controls(shown) == shown
        assert "\n+\\x1b]0;title\\x07 \\x0b\\x85\\r\n+\\u202e\n" in shown
        assert "\n+++ now/e\\x1b[2J\\nvil\n" in shown
    shift = next(shift for shift in found.shifts if shift.node == "a")
    assert "+\x1b]0;title\x07 \x0b\x85\r\n+\u202e\n" in package_diff(shift, package_text)


def test_changes_in_markdown_are_tables() -> None:
    found = impact(CHANGES, "src/a/x.py", "src/free.py")
    assert (
        diff_markdown(impact_of_changes(found))
        == """\
## What this change reaches

4 changed files since `HEAD`, 4 nodes (3 changed, 1 reached).

| Source | Owner |
| --- | --- |
| `src/a/x.py` | `a` |
| `src/free.py` | no graph coverage |

Graph files:

- `.yggdrasil/model/a/responsibility.md`
- `.yggdrasil/model/d/yg-node.yaml`

| Package | Tokens |
| --- | --- |
| `a` | 28 -> 28 tokens (ok) |
| `b` | 31 -> 31 tokens (ok) |
| `d` | none -> 15 tokens (ok) |

| Reached | Through |
| --- | --- |
| `c` | `b` |
"""
    )


def test_empty_tables_are_left_out() -> None:
    assert diff_markdown(impact_of_changes(impact({}), package_text)) == (
        "## What this change reaches\n\n"
        "0 changed files since `HEAD`, 0 nodes (0 changed, 0 reached).\n"
    )


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("a|b.py", r"`a\|b.py`"),
        ("back\\slash", r"`back\slash`"),
        ("<img src=x>", "`<img src=x>`"),
        ("two\nlines", r"`two\nlines`"),
        ("tab\there", r"`tab\there`"),
        ("__init__.py", "`__init__.py`"),
        ("a`b", "``a`b``"),
        ("`a", "`` `a ``"),
    ],
)
def test_no_name_breaks_out_of_its_cell(name: str, cell: str) -> None:
    lines = diff_markdown(impact_of_changes(impact({}, name))).splitlines()
    assert lines[4:] == ["| Source | Owner |", "| --- | --- |", f"| {cell} | no graph coverage |"]


def test_differences_in_markdown_are_fenced() -> None:
    found = impact({"model/a/responsibility.md": "Now.\n"})
    text = diff_markdown(impact_of_changes(found, package_text))
    assert text.startswith(diff_markdown(impact_of_changes(found))[:-1])
    assert text.endswith(
        "".join(f"\n\n```diff\n{package_diff(e, package_text)}```" for e in found.shifts) + "\n"
    )


@pytest.mark.parametrize("show", [False, True])
def test_changes_as_data_follow_the_schema(*, show: bool) -> None:
    found = impact({**CHANGES, "model/c/yg-node.yaml": None}, "src/a/x.py", "src/free.py")
    data = json_of(impact_of_changes(found, package_text if show else None))
    assert {**data, "packages": [package["node"] for package in data["packages"]]} == {
        "schema": "yg-impact/1",
        "mode": "diff",
        "since": "HEAD",
        "sources": [{"path": "src/a/x.py", "node": "a"}, {"path": "src/free.py", "node": None}],
        "graph_files": [
            ".yggdrasil/model/a/responsibility.md",
            ".yggdrasil/model/c/yg-node.yaml",
            ".yggdrasil/model/d/yg-node.yaml",
        ],
        "moved": [],
        "packages": ["a", "b", "c", "d"],
        "reached": [],
        "changed": ["a", "b", "c", "d"],
        "affected": ["a", "b", "c", "d"],
        "skipped": [],
    }
    assert data["packages"][2] == {
        "node": "c",
        "tokens_then": 24,
        "tokens_now": None,
        "status": None,
        "diff": package_diff(found.shifts[2], package_text) if show else None,
    }
    assert faults_in(data) == []


@pytest.mark.parametrize(
    "change",
    [
        {"mode": "node"},
        {"since": ""},
        {"sources": [{"path": "x"}]},
        {"reached": [{"node": "x"}]},
        {"direct": []},
        {"packages": [dict.fromkeys(("node", "tokens_then", "tokens_now", "status", "diff"))]},
    ],
)
def test_the_schema_notices_what_does_not_belong(change: dict[str, Any]) -> None:
    data = json_of(impact_of_changes(impact(CHANGES)))
    assert faults_in({**data, **change}) != []


def test_the_schema_notices_a_verdict_on_no_package() -> None:
    data = json_of(impact_of_changes(impact({"model/c/yg-node.yaml": None})))
    data["packages"][0]["status"] = "ok"
    assert faults_in(data) != []
