"""Compare the sizes of the rooms with the table in docs/architecture.md.

    python tests/rooms.py

A room more than a fifth above its number fails: make it smaller, or change the number in the same
commit and say there why. A room without a number, or a number without a room, fails too.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
SOURCES = ROOT / "src" / "yg"
ROW = re.compile(r"\| `([a-z]+)/` \|.*\| ([\d,]+) \|")
ALLOWED = 1.2  # times the number in the table


def planned(page: str) -> dict[str, int]:
    """Return the lines that each room may have, from the table."""
    return {room: int(number.replace(",", "")) for room, number in ROW.findall(page)}


def counted(sources: Path) -> dict[str, int]:
    """Return the lines that each room has."""
    found: dict[str, int] = {}
    for file in sorted(sources.rglob("*.py")):
        room = file.relative_to(sources).parts[0]
        if not room.endswith(".py"):
            lines = file.read_text(encoding="utf-8").count("\n")
            found[room] = found.get(room, 0) + lines
    return found


def faults(plan: dict[str, int], found: dict[str, int]) -> list[str]:
    """Return what differs between the plan and the tree."""
    told = [f"{room}/ is not in the table of {PAGE.name}" for room in found if room not in plan]
    told += [f"{room}/ is in the table, but not in the tree" for room in plan if room not in found]
    told += [
        f"{room}/ has {lines} lines, more than a fifth above its {plan[room]}"
        for room, lines in found.items()
        if room in plan and lines > plan[room] * ALLOWED
    ]
    return told


def main() -> int:
    """Print each room, and what is wrong."""
    plan, found = planned(PAGE.read_text(encoding="utf-8")), counted(SOURCES)
    for room, lines in found.items():
        print(f"{room + '/':<12}{lines:>7} lines of {plan.get(room, 0)}")
    wrong = faults(plan, found)
    for fault in wrong:
        print(f"error: {fault}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
