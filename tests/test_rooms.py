"""The sizes of the rooms are compared with the table in docs/architecture.md."""

from __future__ import annotations

from rooms import PAGE, SOURCES, counted, faults, planned


def test_the_table_has_a_number_for_each_room() -> None:
    assert planned(PAGE.read_text(encoding="utf-8")).keys() == counted(SOURCES).keys()


def test_a_room_may_be_a_fifth_above_its_number() -> None:
    plan = planned("| `text/` | words | 1,000 |\n| `kernel/` | values | 50 |\n")
    assert plan == {"text": 1000, "kernel": 50}
    assert faults(plan, {"text": 1200, "kernel": 50}) == []
    assert faults(plan, {"text": 1201, "disk": 1}) == [
        "disk/ is not in the table of architecture.md",
        "kernel/ is in the table, but not in the tree",
        "text/ has 1201 lines, more than a fifth above its 1000",
    ]
