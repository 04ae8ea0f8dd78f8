"""`yg coverage`: show which files no node owns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from yg.commands.command import (
    Command,
    Document,
    Request,
    Revision,
    SkippedEntries,
    option,
    skipped_below,
    skipped_notes,
)
from yg.kernel.report import table
from yg.kernel.snapshot import Kind
from yg.text import paths
from yg.text.escapes import visible
from yg.text.plural import counted
from yg.yggdrasil.coverage import Count, Tally, coverage_of
from yg.yggdrasil.owner import is_source

if TYPE_CHECKING:
    from yg.commands.workspace import Workspace
    from yg.kernel.palette import Palette

_LEVELS = 2  # of directories in the table
_TITLES = ("directory", "files", "covered", "blackbox", "uncovered", "share")


class CoverageRequest(Request, frozen=True, kw_only=True):
    """What to list."""

    uncovered: Annotated[
        bool, option("list the files without an owner; exit with 1 if there are any")
    ] = False
    at: Revision = None


class CoverageReport(Document, frozen=True, kw_only=True, omit_defaults=True, tag="yg-coverage/1"):
    """What `yg coverage --json` prints: how many files some node owns."""

    total: Annotated[Tally, Meta(description="The tally of the whole repository.")]
    directories: Annotated[
        tuple[Tally, ...],
        Meta(min_length=1, description="The tally of every directory, the root first."),
    ]
    uncovered: Annotated[tuple[str, ...], Meta(description="The files that no node owns, sorted.")]
    excluded: Annotated[
        Count, Meta(description="How many files `coverage.exclude` of the configuration omits.")
    ]
    skipped: SkippedEntries
    lists_uncovered: Annotated[
        bool, Meta(description="Whether uncovered files are listed in the text, and fail.")
    ] = False

    @property
    def exit_code(self) -> int:
        """1 if uncovered files are listed and there are any."""
        return int(self.lists_uncovered and bool(self.uncovered))

    @property
    def notes(self) -> tuple[str, ...]:
        """A line for each node that could not be read."""
        return skipped_notes(self.skipped)


def ask(workspace: Workspace, request: CoverageRequest) -> CoverageReport:
    """Count the files with an owner."""
    graph, kind = workspace.graph, workspace.snapshot.kind
    # Links do not count, and files that git tracks may have been deleted.
    files = (file for file in workspace.files if is_source(file) and kind(file) is Kind.FILE)
    found = coverage_of(graph, files)
    return CoverageReport(
        total=found.tallies[0],
        directories=found.tallies,
        uncovered=found.uncovered,
        excluded=found.excluded,
        skipped=skipped_below(graph, f"{graph.folder}/model"),
        lists_uncovered=request.uncovered,
    )


def text(report: CoverageReport, _palette: Palette) -> str:
    """Write the share of owned files and a table of directories, or the uncovered files."""
    if report.lists_uncovered:
        return "".join(f"{visible(file)}\n" for file in report.uncovered)
    total = report.total
    head = f"Coverage: {_share(total)} ({total.owned} of {counted(total.files, 'file')})\n"
    if report.excluded:
        head += f"Excluded by the configuration: {report.excluded}\n"
    rows = [_row(tally) for tally in report.directories if _level(tally) <= _LEVELS]
    return f"{head}\n{table([_TITLES, *rows])}"


def _level(tally: Tally) -> int:
    return 0 if tally.directory == paths.ROOT else tally.directory.count("/") + 1


def _row(tally: Tally) -> tuple[str, ...]:
    numbers = (tally.files, tally.covered, tally.blackbox, tally.uncovered)
    return (f"{visible(tally.directory)}/", *map(str, numbers), _share(tally))


def _share(tally: Tally) -> str:
    """Write a percentage; it is rounded to 100.0% only if every file is owned."""
    share = 100.0 * tally.owned / tally.files if tally.files else 100.0
    return f"{min(share, 99.9) if tally.uncovered else share:.1f}%"


COMMAND = Command("coverage", CoverageRequest, (CoverageReport,), ask, text)
