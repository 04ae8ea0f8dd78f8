"""`yg plan`: in which order nodes can be built."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

import yg
from schemas import faults_in
from support import CONFIG, NODE, run, write
from yg.surfaces.cli.outcome import Outcome

# orders needs payments through an unmapped node, and a blackbox that needs orders again.
SHOP = {
    "money": f"{NODE}mapping: {{paths: [src/money]}}\n",
    "payments": (
        f"{NODE}relations: [{{target: money, type: uses}}, {{target: orders, type: listens}}]\n"
        "mapping: {paths: [src/payments]}\n"
    ),
    "gateway": f"{NODE}relations: [{{target: payments, type: extends}}]\n",
    "orders": (
        f"{NODE}relations: [{{target: gateway, type: calls}}, {{target: stripe, type: calls}}]\n"
        "mapping: {paths: [src/orders]}\n"
    ),
    "stripe": (
        f"{NODE}blackbox: true\nrelations: [{{target: orders, type: calls}}]\n"
        "mapping: {paths: [lib/stripe]}\n"
    ),
    "mail": (
        f"{NODE}relations: [{{target: orders, type: listens}}]\nmapping: {{paths: [src/mail]}}\n"
    ),
}


def graph(root: Path, nodes: Mapping[str, str] = SHOP) -> Path:
    files = {f".yggdrasil/model/{path}/yg-node.yaml": text for path, text in nodes.items()}
    return write(root, {".yggdrasil/yg-config.yaml": CONFIG, **files})


def plan(root: Path, *argv: str) -> Outcome:
    return run("plan", *argv, "-C", str(root))


def stages(root: Path, *argv: str) -> list[list[str]]:
    """Return the stages of a document, which has to follow its schema."""
    outcome = plan(root, *argv, "--json")
    assert (outcome.code, outcome.notes) == (0, "")
    document = json.loads(outcome.text)
    assert faults_in(document) == []
    found: list[list[str]] = document["stages"]
    return found


def synced(root: Path) -> Path:
    """Make sources for every mapping, and record them."""
    folders = ("src/money", "src/payments", "src/orders", "src/mail", "lib/stripe")
    write(root, {f"{folder}/x.py": "1\n" for folder in folders})
    assert run("drift-sync", "--all", "-C", str(root)).code == 0
    return root


def test_the_whole_graph_is_put_in_stages(tmp_path: Path) -> None:
    assert plan(graph(tmp_path)) == Outcome("""\
Stage 1 (2 nodes, in parallel):
  mail      unmaterialized (no baseline)
  money     unmaterialized (no baseline)

Stage 2 (1 node):
  payments  unmaterialized (no baseline)

Stage 3 (1 node):
  orders    unmaterialized (no baseline)

Critical path (3): money -> payments -> orders
Left out: 1 blackbox, 1 unmapped
Total: 4 nodes in 3 stages
""")


def test_a_plan_as_data_follows_the_schema(tmp_path: Path) -> None:
    assert stages(graph(tmp_path)) == [["mail", "money"], ["payments"], ["orders"]]
    document = json.loads(plan(tmp_path, "--json").text)
    assert list(document) == [
        "schema",
        "stages",
        "states",
        "cycles",
        "over_budget",
        "critical_path",
        "left_out",
        "unordered",
        "total",
        "skipped",
    ]
    assert (document["schema"], document["critical_path"]) == (
        "yg-plan/1",
        ["money", "payments", "orders"],
    )


def test_an_empty_graph_has_an_empty_plan(tmp_path: Path) -> None:
    assert plan(graph(tmp_path, {})) == Outcome("""\
Critical path (0): (none)
Left out: 0 blackbox, 0 unmapped
Total: 0 nodes in 0 stages
""")
    assert stages(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("orders", [["money"], ["payments"], ["orders"]]),
        ("--node=model/orders/", [["money"], ["payments"], ["orders"]]),
        ("gateway", [["money"], ["payments"]]),
        ("mail", [["mail"]]),
        ("money", [["money"]]),
        ("stripe", []),
    ],
)
def test_one_node_is_planned_with_all_it_needs_first(
    tmp_path: Path, name: str, expected: list[list[str]]
) -> None:
    assert stages(graph(tmp_path), name) == expected


def test_one_node_is_planned_without_a_word_about_the_rest(tmp_path: Path) -> None:
    assert plan(graph(tmp_path), "payments") == Outcome("""\
Stage 1 (1 node):
  money     unmaterialized (no baseline)

Stage 2 (1 node):
  payments  unmaterialized (no baseline)

Critical path (2): money -> payments
Total: 2 nodes in 2 stages
""")


def test_a_graph_with_errors_has_no_plan(tmp_path: Path) -> None:
    root = graph(tmp_path, {**SHOP, "bad": "name: [\n"})
    outcome = plan(root)
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith("E001 bad -> ")
    assert outcome.notes.endswith(
        "error: no plan: the graph has 1 error\n"
        "  Fix the errors first, or use --lenient, which leaves out what cannot be ordered.\n"
    )
    assert json.loads(plan(root, "--json").notes)["code"] == "refused"
    with pytest.raises(yg.YgError):
        yg.open_workspace(root).plan()
    assert yg.open_workspace(root).plan(lenient=True).total == 4


def test_a_lenient_plan_lists_what_cannot_be_ordered(tmp_path: Path) -> None:
    root = graph(tmp_path, {**SHOP, "bad": "name: [\n"})
    outcome = plan(root, "--lenient")
    sound = plan(graph(tmp_path / "sound")).text
    left_out = "Cannot be ordered, left out:\n  bad  could not be read\n\nCritical path"
    assert (outcome.code, outcome.text) == (0, sound.replace("Critical path", left_out))
    assert outcome.notes.startswith("skipped bad: ")
    document = json.loads(plan(root, "--lenient", "--json").text)
    assert [entry["subject"] for entry in document["skipped"]] == ["bad"]
    assert document["unordered"] == [{"node": "bad", "reason": "could not be read"}]
    assert faults_in(document) == []


def test_a_warning_raised_to_an_error_does_not_refuse_a_plan(tmp_path: Path) -> None:
    root = graph(tmp_path)
    write(root, {".yggdrasil/yg-config.yaml": f"{CONFIG}rules: {{W001: error}}\n"})
    assert run("validate", "-C", str(root)).code == 1
    assert plan(root).code == 0


def test_unmapped_nodes_are_planned_when_asked(tmp_path: Path) -> None:
    root = graph(tmp_path)
    assert stages(root, "--all") == [["mail", "money"], ["payments"], ["gateway"], ["orders"]]
    assert stages(root, "--all", "gateway") == [["money"], ["payments"], ["gateway"]]
    document = json.loads(plan(root, "--all", "--json").text)
    assert document["states"]["gateway"] == "unmapped"
    assert document["left_out"] == {"blackbox": 1, "unmapped": 0}


def test_a_graph_without_mappings_can_be_planned(tmp_path: Path) -> None:
    root = graph(tmp_path, {"a": f"{NODE}relations: [{{target: b, type: uses}}]\n", "b": NODE})
    assert (
        plan(root).text
        == """\
Critical path (0): (none)
Left out: 0 blackbox, 2 unmapped (--all includes them)
Total: 0 nodes in 0 stages
"""
    )
    assert (
        plan(root, "--all").text
        == """\
Stage 1 (1 node):
  b  unmapped

Stage 2 (1 node):
  a  unmapped

Critical path (2): b -> a
Left out: 0 blackbox, 0 unmapped
Total: 2 nodes in 2 stages
"""
    )


def test_each_node_is_shown_with_its_state(tmp_path: Path) -> None:
    root = synced(graph(tmp_path))
    write(root, {"src/money/x.py": "2\n"})
    document = json.loads(plan(root, "--json").text)
    assert document["states"] == {
        "mail": "ok",
        "money": "source-drift",
        "payments": "ok",
        "orders": "ok",
    }
    assert "\n  money     source-drift\n" in plan(root).text


def test_a_package_above_the_error_budget_is_marked(tmp_path: Path) -> None:
    root = graph(tmp_path)
    budget = "quality: {context_budget: {warning: 50, error: 90}}\n"
    write(
        root,
        {
            ".yggdrasil/yg-config.yaml": CONFIG + budget + "rules: {W006: off}\n",
            ".yggdrasil/model/mail/responsibility.md": "x" * 400,
        },
    )
    outcome = plan(root)
    assert outcome.code == 1
    (line,) = [line for line in outcome.text.splitlines() if "too large" in line]
    assert line.startswith("  mail      unmaterialized (no baseline)  package too large (")
    assert line.endswith(" tokens, limit 90)")
    assert json.loads(plan(root, "--json").text)["over_budget"] == ["mail"]
    assert plan(root, "money").code == 0


def test_a_cycle_that_is_a_warning_is_one_stage(tmp_path: Path) -> None:
    needs = {"a": "b", "b": "c", "c": "b"}
    nodes = {
        path: f"{NODE}relations: [{{target: {target}, type: uses}}]\n"
        for path, target in needs.items()
    }
    root = graph(tmp_path, nodes)
    write(root, {".yggdrasil/yg-config.yaml": f"{CONFIG}rules: {{E010: warning}}\n"})
    assert stages(root, "--all") == [["b", "c"], ["a"]]
    text = plan(root, "--all").text
    assert text.startswith(
        "Stage 1 (2 nodes, on a cycle, to be built together):\n  b  unmapped\n  c  unmapped\n\n"
    )
    write(root, {".yggdrasil/model/d/yg-node.yaml": NODE})
    text = plan(root, "--all").text
    assert text.startswith("Stage 1 (3 nodes, in parallel):\n  b ")
    assert "  d  unmapped\n  On a cycle, to be built together: b, c\n" in text
    assert run("build-context", "a", "-C", str(root)).code == 0
    assert run("validate", "-C", str(root)).code == 0
    assert run("validate", "-C", str(root), "--strict").code == 1


def test_only_drifted_nodes_are_planned_when_asked(tmp_path: Path) -> None:
    root = synced(graph(tmp_path))
    assert stages(root, "--changed") == []
    write(root, {"src/money/x.py": "2\n", "src/orders/new.py": "2\n", "lib/stripe/x.py": "2\n"})
    assert stages(root, "--changed") == [["money"], ["orders"]]
    assert stages(root, "--changed", "payments") == [["money"]]
    assert stages(root, "--changed", "mail") == []


def test_a_change_of_the_graph_is_drift_too(tmp_path: Path) -> None:
    root = synced(graph(tmp_path))
    write(root, {".yggdrasil/model/payments/responsibility.md": "New.\n"})
    assert stages(root, "--changed") == [["payments"]]


def test_what_was_never_built_has_drifted(tmp_path: Path) -> None:
    assert stages(graph(tmp_path), "--changed") == [["mail", "money"], ["payments"], ["orders"]]


def test_a_plan_is_the_same_every_time_and_from_everywhere(tmp_path: Path) -> None:
    first = plan(graph(tmp_path / "one"))
    graph(tmp_path / "two", dict(reversed(SHOP.items())))
    assert [plan(tmp_path / place) for place in ("one", "two", "two/.yggdrasil/model")] == [
        first
    ] * 3


@pytest.mark.parametrize(
    "nodes",
    [
        {"a": "b", "b": "a"},
        {"a": "a"},
        {"a": "b", "b": "c", "c": "a"},
    ],
)
def test_a_real_cycle_has_no_plan(tmp_path: Path, nodes: dict[str, str]) -> None:
    root = graph(
        tmp_path,
        {
            path: f"{NODE}relations: [{{target: {target}, type: uses}}]\n"
            for path, target in nodes.items()
        },
    )
    outcome = plan(root)
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith("E010 a -> ")
    assert "error: no plan: the graph has 1 error\n" in outcome.notes
    assert json.loads(plan(root, "--json").notes)["code"] == "refused"


def test_a_name_that_no_node_has_is_reported(tmp_path: Path) -> None:
    assert plan(graph(tmp_path), "oders") == Outcome(
        "", 1, "error: no node at 'oders'\n  Did you mean 'orders'?\n"
    )


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("orders", "--node", "mail"), "two nodes given: 'orders' and 'mail'"),
        (("",), "empty node name"),
        (("orders", "mail"), "yg plan: unrecognized arguments: mail"),
        (
            ("--changed", "--at", "HEAD"),
            "--changed reads the work tree and cannot be combined with --at",
        ),
        (
            ("--changed", "--all"),
            "--changed cannot be combined with --all: only mapped nodes can drift",
        ),
        (("--changed=yes",), "yg plan: argument --changed: ignored explicit argument 'yes'"),
    ],
)
def test_wrong_usage_is_reported(tmp_path: Path, argv: tuple[str, ...], message: str) -> None:
    outcome = plan(graph(tmp_path), *argv)
    assert (outcome.code, outcome.text) == (2, "")
    assert outcome.notes.splitlines()[0] == f"error: {message}"
