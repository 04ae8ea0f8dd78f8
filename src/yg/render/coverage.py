"""Coverage as a table and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.render.plain import visible

if TYPE_CHECKING:
    from yg.yggdrasil.coverage import Coverage, Tally

_TITLES = ("directory", "files", "covered", "blackbox", "uncovered", "share")


def coverage_text(coverage: Coverage, depth: int) -> str:
    """Write the share of owned files, and a row for each directory down to a depth."""
    total = coverage.total
    owned = total.covered + total.blackbox
    head = f"Coverage: {percent(total)} ({owned} of {total.files} files)\n"
    tallies = [each for each in coverage.tallies if _level(each) <= depth]
    rows = [_TITLES, *(_row(each) for each in tallies)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(_TITLES))]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *(row[at].rjust(widths[at]) for at in range(1, 6))])
        for row in rows
    ]
    return head + "\n" + "".join(f"{line}\n" for line in lines)


def uncovered_text(coverage: Coverage) -> str:
    """Write the files that nobody owns, a line each."""
    return "".join(f"{visible(file)}\n" for file in coverage.uncovered)


def percent(tally: Tally) -> str:
    """Write a share so that only everything is 100.0%."""
    share = min(tally.percent, 99.9) if tally.uncovered else tally.percent
    return f"{share:.1f}%"


def _level(tally: Tally) -> int:
    return 0 if tally.directory == "." else tally.directory.count("/") + 1


def _row(tally: Tally) -> tuple[str, ...]:
    numbers = (tally.files, tally.covered, tally.blackbox, tally.uncovered)
    return (f"{visible(tally.directory)}/", *map(str, numbers), percent(tally))


def coverage_data(coverage: Coverage) -> dict[str, Any]:
    """Return coverage as plain data."""
    return {
        "total": _tally(coverage.total),
        "directories": [_tally(each) for each in coverage.tallies],
        "uncovered": list(coverage.uncovered),
    }


def _tally(tally: Tally) -> dict[str, Any]:
    return {
        "directory": tally.directory,
        "files": tally.files,
        "covered": tally.covered,
        "blackbox": tally.blackbox,
        "uncovered": tally.uncovered,
        "percent": min(round(tally.percent, 2), 99.99) if tally.uncovered else 100.0,
    }
