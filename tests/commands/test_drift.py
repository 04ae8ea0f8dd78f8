"""Drift as text in two sections, and as data."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from schemas import faults, faults_in
from yg.commands.drift.documents import Drift, View
from yg.commands.drift.text import drift_text, drifted_lines, shown_nodes, summary_text
from yg.kernel.document import document_text
from yg.kernel.palette import PLAIN, Palette
from yg.yggdrasil.drift.states import Change, How, NodeDrift, SourceChange, State, summary_of

ORDERS = NodeDrift(
    node="orders/order-service",
    state=State.FULL,
    source=(SourceChange("src/orders/order.service.ts", How.CHANGED),),
    graph=(Change(".yggdrasil/model/orders/order-service/responsibility.md", How.CHANGED),),
)
TOKENS = NodeDrift(node="auth/token-service", state=State.MISSING)
EMAIL = NodeDrift(node="notifications/email", state=State.UNMATERIALIZED, has_baseline=False)
PAYMENTS = NodeDrift(node="payments/payment-service", state=State.OK)
NEW = NodeDrift(node="new", state=State.SOURCE, has_baseline=False)
GRAPH = NodeDrift(node="g", state=State.GRAPH, graph=(Change(".yggdrasil/x", How.ADDED),))
EVERY_WAY = NodeDrift(
    node="w",
    state=State.SOURCE,
    source=tuple(
        SourceChange(f"src/{how}", how, "src/there" if how is How.MOVED else None) for how in How
    ),
)
UNKNOWN = NodeDrift(node="u", state=State.UNKNOWN, reason="aspect 'x' cannot be read")
NEW_WAY = {"path": "a", "how": "new", "to": None}
ADDED = "  [drift] g\n    .yggdrasil/x (added)\n"
SOURCE_STEP = "  Next: check that the graph still describes the code, then "
MISSING_STEP = (
    "  Next: restore the missing files, or correct the mapping of the node; "
    "to remove it too, run: yg rm auth/token-service\n"
)
UNMATERIALIZED_STEP = "  Next: write the code of unmaterialized nodes, or remove their mapping\n"
GRAPH_STEP = "  Next: check that the code still does what the graph says, then "
VIEW = View()
ALL = [TOKENS, GRAPH, NEW, EMAIL, ORDERS, PAYMENTS, EVERY_WAY]


def drifting(*drifts: NodeDrift, view: View = VIEW) -> Drift:
    return Drift(
        scope="all",
        files=None,
        nodes=shown_nodes(drifts, view),
        summary=summary_of(drifts),
        uncommitted=0,
        notes=[],
        drifts=drifts,
        view=view,
        fails=False,
    )


def text(*drifts: NodeDrift, drifted_only: bool = False, limit: int | None = None) -> str:
    view = View(drifted_only=drifted_only, limit=limit)
    return drift_text(drifting(*drifts, view=view), PLAIN)


def document(*drifts: NodeDrift) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(document_text(drifting(*drifts)))
    return found


DOCUMENT = document(*ALL)
(NEW_DATA,) = document(NEW)["nodes"]


# As text.


def test_the_example_of_the_specification_is_shown_in_its_layout() -> None:
    assert text(TOKENS, EMAIL, ORDERS, PAYMENTS) == (
        "Source drift:\n"
        "  [missing] auth/token-service\n"
        "  [unmat.] notifications/email\n"
        "  [drift] orders/order-service\n"
        "    src/orders/order.service.ts (changed)\n"
        "  [ok] payments/payment-service\n"
        f"{SOURCE_STEP}run: yg drift-sync orders/order-service\n"
        f"{MISSING_STEP}{UNMATERIALIZED_STEP}"
        "\n"
        "Graph drift:\n"
        "  [drift] orders/order-service\n"
        "    .yggdrasil/model/orders/order-service/responsibility.md (changed)\n"
        "  [ok] payments/payment-service\n"
        f"{GRAPH_STEP}run: yg drift-sync orders/order-service\n"
        "\n"
        "Summary: 0 source-drift, 0 graph-drift, 1 full-drift, 1 missing, 1 unmaterialized, 1 ok\n"
    )


def test_source_drift_is_in_its_section_alone() -> None:
    assert text(EVERY_WAY) == (
        "Source drift:\n"
        "  [drift] w\n"
        "    src/changed (changed)\n"
        "    src/added (added)\n"
        "    src/deleted (deleted)\n"
        "    src/moved (moved to src/there)\n"
        "    src/no-longer-tracked (no longer tracked)\n"
        "    src/unreadable (unreadable)\n"
        f"{SOURCE_STEP}run: yg drift-sync w\n"
        "\n"
        "Graph drift:\n"
        "  (none)\n"
        "\n"
        "Summary: 1 source-drift, 0 graph-drift, 0 full-drift, 0 missing, 0 unmaterialized, 0 ok\n"
    )


def test_graph_drift_is_in_its_section_alone() -> None:
    assert text(GRAPH) == (
        "Source drift:\n"
        "  (none)\n"
        "\n"
        "Graph drift:\n"
        "  [drift] g\n"
        "    .yggdrasil/x (added)\n"
        f"{GRAPH_STEP}run: yg drift-sync g\n"
        "\n"
        "Summary: 0 source-drift, 1 graph-drift, 0 full-drift, 0 missing, 0 unmaterialized, 0 ok\n"
    )


def test_a_node_without_a_baseline_is_told_to_be_recorded() -> None:
    assert text(NEW).startswith(
        "Source drift:\n"
        "  [drift] new  no baseline\n"
        "  Next: compare code and graph, then run: yg drift-sync new\n"
        "\n"
        "Graph drift:\n"
        "  (none)\n"
    )


def test_a_node_in_an_unknown_state_is_reported_with_the_reason() -> None:
    assert text(UNKNOWN) == (
        "Source drift:\n"
        "  (none)\n"
        "\n"
        "Graph drift:\n"
        "  [unknown] u  cannot tell: aspect 'x' cannot be read\n"
        "  Next: fix the files that cannot be read; 'yg validate' shows the errors\n"
        "\n"
        f"Summary: {summary_text(summary_of([]))}, 1 unknown\n"
    )
    found = document(UNKNOWN)
    assert (found["summary"]["unknown"], faults_in(found)) == (1, [])


def test_a_graph_without_mapped_nodes_has_two_empty_sections() -> None:
    assert text() == (
        "Source drift:\n"
        "  (none)\n"
        "\n"
        "Graph drift:\n"
        "  (none)\n"
        "\n"
        "Summary: 0 source-drift, 0 graph-drift, 0 full-drift, 0 missing, 0 unmaterialized, 0 ok\n"
    )


def test_drifted_only_hides_what_is_ok_and_says_how_much() -> None:
    assert text(PAYMENTS, GRAPH, drifted_only=True) == (
        "Source drift:\n"
        "  (none)\n"
        "\n"
        "Graph drift:\n"
        "  [drift] g\n"
        "    .yggdrasil/x (added)\n"
        f"{GRAPH_STEP}run: yg drift-sync g\n"
        "\n"
        "Summary: 0 source-drift, 1 graph-drift, 0 full-drift, 0 missing, 0 unmaterialized, 1 ok"
        " (1 hidden)\n"
    )


def test_drifted_only_hides_nothing_else() -> None:
    drifted = [drift for drift in ALL if drift is not PAYMENTS]
    assert text(*ALL, drifted_only=True).replace("1 ok (1 hidden)", "0 ok") == text(*drifted)
    assert text(*drifted, drifted_only=True).endswith("0 ok (0 hidden)\n")


@pytest.mark.parametrize(
    ("limit", "source", "graph"),
    [
        (0, "  .. and 3 more\n", "  .. and 2 more\n"),
        (1, "  [missing] auth/token-service\n  .. and 2 more\n", f"{ADDED}  .. and 1 more\n"),
        (
            2,
            "  [missing] auth/token-service\n  [unmat.] notifications/email\n  .. and 1 more\n",
            f"{ADDED}  [ok] o\n",
        ),
        (
            9,
            "  [missing] auth/token-service\n  [unmat.] notifications/email\n  [ok] o\n",
            f"{ADDED}  [ok] o\n",
        ),
    ],
)
def test_a_limit_holds_for_each_section_and_says_how_many_more(
    limit: int, source: str, graph: str
) -> None:
    ok = NodeDrift(node="o", state=State.OK)
    assert text(TOKENS, EMAIL, ok, GRAPH, limit=limit) == (
        f"Source drift:\n{source}{MISSING_STEP}{UNMATERIALIZED_STEP}\n"
        f"Graph drift:\n{graph}{GRAPH_STEP}run: yg drift-sync g\n\n"
        "Summary: 0 source-drift, 1 graph-drift, 0 full-drift, 1 missing, 1 unmaterialized, 1 ok\n"
    )


def test_a_limit_counts_nodes_and_keeps_all_their_files() -> None:
    assert text(EVERY_WAY, limit=1).count("    src/") == len(How)


def test_a_limit_counts_what_is_shown() -> None:
    assert ".. " not in text(PAYMENTS, GRAPH, drifted_only=True, limit=1)


def test_no_name_can_play_with_a_terminal() -> None:
    path = "src/\x1b[31m\n.py"
    nasty = NodeDrift(node="a\nb", state=State.SOURCE, source=(SourceChange(path, How.ADDED),))
    shown = text(nasty, NodeDrift(node="\x1b[2J", state=State.SOURCE, has_baseline=False))
    assert "\x1b" not in shown
    assert "  [drift] a\\nb\n    src/\\x1b[31m\\n.py (added)\n" in shown
    assert "run: yg drift-sync '\\x1b[2J'\n" in shown
    assert drifted_lines([nasty]) == ["a\\nb source-drift"]


def test_labels_are_coloured_and_names_are_not() -> None:
    shown = drift_text(drifting(TOKENS, PAYMENTS), Palette(is_on=True))
    assert "  \x1b[31;1m[missing]\x1b[0m auth/token-service\n" in shown
    assert "  \x1b[2m[ok]\x1b[0m payments/payment-service\n" in shown


def test_drifted_lines_name_every_node_that_is_not_ok() -> None:
    assert drifted_lines(ALL) == [
        "auth/token-service missing",
        "g graph-drift",
        "new source-drift (no baseline)",
        "notifications/email unmaterialized",
        "orders/order-service full-drift",
        "w source-drift",
    ]


def test_the_summary_counts_every_state() -> None:
    assert summary_text(summary_of(ALL)) == (
        "2 source-drift, 1 graph-drift, 1 full-drift, 1 missing, 1 unmaterialized, 1 ok"
    )


# As data.


def test_data_has_both_sides_of_every_node() -> None:
    assert document(NEW, ORDERS) == {
        "schema": "yg-drift/1",
        "scope": "all",
        "files": None,
        "nodes": [
            {
                "node": "new",
                "state": "source-drift",
                "reason": None,
                "baseline": False,
                "source": [],
                "graph": [],
            },
            {
                "node": "orders/order-service",
                "state": "full-drift",
                "reason": None,
                "baseline": True,
                "source": [
                    {
                        "path": "src/orders/order.service.ts",
                        "how": "changed",
                        "to": None,
                        "class": "unknown",
                        "names": [],
                        "parts": [],
                    }
                ],
                "graph": [
                    {
                        "path": ".yggdrasil/model/orders/order-service/responsibility.md",
                        "how": "changed",
                        "to": None,
                    }
                ],
            },
        ],
        "summary": to_builtins(summary_of([NEW, ORDERS])),
        "uncommitted": 0,
        "notes": [],
    }


def test_counts_are_given_for_every_state() -> None:
    assert to_builtins(summary_of(ALL)) == {
        "source-drift": 2,
        "graph-drift": 1,
        "full-drift": 1,
        "missing": 1,
        "unmaterialized": 1,
        "ok": 1,
    }


def test_every_state_and_change_follows_the_schema() -> None:
    assert faults_in(DOCUMENT) == []
    noted = replace(
        drifting(*ALL), scope="a", files=("src/a.py",), notes=["cannot look into 'src'"]
    )
    assert faults(document_text(noted)) == []


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"extra": 1}, "Additional properties are not allowed ('extra' was unexpected)"),
        ({"scope": ""}, "'' should be non-empty"),
        ({"files": [""]}, "'' should be non-empty"),
        ({"notes": [""]}, "'' should be non-empty"),
        ({"nodes": [{"node": "a"}]}, "'state' is a required property"),
        (
            {"nodes": [{**NEW_DATA, "state": "drift"}]},
            f"'drift' is not one of {[state.value for state in State]}",
        ),
        (
            {"nodes": [{**NEW_DATA, "source": [NEW_WAY]}]},
            f"'new' is not one of {[how.value for how in How]}",
        ),
        ({"summary": {"ok": 1}}, "'missing' is a required property"),
        (
            {"summary": {**DOCUMENT["summary"], "drift": 0}},
            "Additional properties are not allowed ('drift' was unexpected)",
        ),
    ],
)
def test_the_schema_notices_what_does_not_belong(changes: dict[str, Any], fault: str) -> None:
    assert fault in faults_in({**DOCUMENT, **changes})
