"""Render coverage as a table and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from yg.kernel.plural import counted
from yg.kernel.suggest import listing
from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.render.shapes.coverage import CoverageDocument
    from yg.render.shapes.issues import Skipped
    from yg.yggdrasil.coverage import Coverage, Tally
    from yg.yggdrasil.evidence import UnmentionedName

_TITLES = ("directory", "files", "covered", "blackbox", "uncovered", "share")


def coverage_text(coverage: Coverage, depth: int) -> str:
    """Write the share of owned files and a table of the directories down to a depth."""
    total = coverage.total
    owned = total.covered + total.blackbox
    head = f"Coverage: {percent(total)} ({owned} of {counted(total.files, 'file')})\n"
    if total.parent:
        share = 100 * total.parent / total.files
        head += f"Owned only by a parent that maps the directory: {share:.1f}% ({total.parent})\n"
    if coverage.excluded:
        head += f"Excluded by the configuration: {coverage.excluded}\n"
    tallies = [tally for tally in coverage.tallies if _level(tally) <= depth]
    rows = [_TITLES, *(_row(tally) for tally in tallies)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_TITLES))]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    ]
    return head + "\n" + "".join(f"{line}\n" for line in lines)


def uncovered_text(coverage: Coverage) -> str:
    """Write the files without an owner, one per line."""
    return "".join(f"{visible(file)}\n" for file in coverage.uncovered)


def names_text(names: Iterable[UnmentionedName]) -> str:
    """Write the public names that no interface mentions, one per line."""
    return "".join(
        f"{visible(found.node)}: {visible(found.name)} in {visible(found.file)} "
        f"(imported by {visible(listing(found.imported_by))})\n"
        for found in names
    )


def percent(tally: Tally) -> str:
    """Write a percentage; it is rounded to 100.0% only if every file is owned."""
    share = min(tally.percent, 99.9) if tally.uncovered else tally.percent
    return f"{share:.1f}%"


def _level(tally: Tally) -> int:
    return 0 if tally.directory == "." else tally.directory.count("/") + 1


def _row(tally: Tally) -> tuple[str, ...]:
    numbers = (tally.files, tally.covered, tally.blackbox, tally.uncovered)
    return (f"{visible(tally.directory)}/", *map(str, numbers), percent(tally))


def coverage_data(
    coverage: Coverage,
    skipped: list[Skipped],
    names: Iterable[UnmentionedName] | None = None,
) -> CoverageDocument:
    """Return coverage as data, with the names if they were asked for."""
    from yg.render.shapes.coverage import CoverageDocument, DirectoryTally, ImportedName

    def tally_data(tally: Tally) -> DirectoryTally:
        return DirectoryTally(
            directory=tally.directory,
            files=tally.files,
            covered=tally.covered,
            blackbox=tally.blackbox,
            uncovered=tally.uncovered,
            parent=tally.parent,
            percent=min(round(tally.percent, 2), 99.99) if tally.uncovered else 100.0,
        )

    return CoverageDocument(
        total=tally_data(coverage.total),
        directories=[tally_data(tally) for tally in coverage.tallies],
        uncovered=list(coverage.uncovered),
        excluded=coverage.excluded,
        names=UNSET
        if names is None
        else [
            ImportedName(
                node=found.node,
                name=found.name,
                file=found.file,
                imported_by=list(found.imported_by),
            )
            for found in names
        ],
        skipped=skipped,
    )
