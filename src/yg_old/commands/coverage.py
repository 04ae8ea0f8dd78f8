"""`yg coverage`: show which files no node owns."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from yg_old.commands.command import Command, warnings
from yg_old.commands.issues import Since, SkippedEntries, older_text, skipped_data
from yg_old.commands.refusal import bad_configuration
from yg_old.commands.request import Depth, Option, Request, Revision, SinceRevision, check_since
from yg_old.kernel.document import UNIQUE, Count, Document, Positive, Record, Text, about
from yg_old.kernel.errors import UsageError, YgError
from yg_old.kernel.palette import visible
from yg_old.text.codeowners import PLACES
from yg_old.text.paths import is_inside
from yg_old.text.patterns import Patterns
from yg_old.text.plural import counted
from yg_old.text.suggest import listing
from yg_old.workspace.code_owners import people
from yg_old.yggdrasil.coverage import (
    Tally,
    UnmentionedName,
    coverage_of,
    is_owned,
    kind_of_owner,
    tally,
)
from yg_old.yggdrasil.owners import Ownership

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.code_owners import People
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.coverage import Coverage

DEPTH = 2  # levels of directories, unless another number is asked for
UNCOVERED = "uncovered"  # the form that lists the files without an owner
NAMES = "names"  # the form that lists the public names that no interface mentions
OWNERS = "owners"  # the form that counts by owner
_TITLES = ("directory", "files", "covered", "blackbox", "uncovered", "share")


class By(StrEnum):
    """What files are counted by."""

    DIRECTORY = "directory"
    OWNER = "owner"


class CoverageRequest(Request["CoverageReport"], frozen=True, kw_only=True):
    """What to list, and how much coverage is enough."""

    uncovered: Annotated[bool, Option(help="list the files without an owner")] = False
    names: Annotated[
        bool,
        Option(help="list public names that other nodes import and no interface.md mentions"),
    ] = False
    fail_under: Annotated[
        Annotated[float, Meta(ge=0, le=100)] | None,
        Option(metavar="N", help="exit 1 if less than N percent of files are owned"),
    ] = None
    by: Annotated[
        By, Option(help="count by directory (default) or by the owners in CODEOWNERS")
    ] = By.DIRECTORY
    depth: Annotated[Depth, Option(metavar="N", help="show N levels (default 2)")] = DEPTH
    since: SinceRevision = None
    at: Revision = None

    @property
    def form(self) -> str:
        """The list that is asked for."""
        if By(self.by) is By.OWNER:
            return OWNERS
        return NAMES if self.names else UNCOVERED if self.uncovered else ""

    def check(self) -> None:
        """Refuse two lists at once, and two commits."""
        check_since(self.since, self.at)
        if self.uncovered and self.names:
            raise UsageError("--names cannot be combined with --uncovered")
        if By(self.by) is By.OWNER and (self.uncovered or self.names):
            raise UsageError("--by owner cannot be combined with --uncovered or --names")


class OwnerTally(Record, frozen=True, kw_only=True):
    """The numbers of files of one owner."""

    owner: Annotated[
        Text | None, about("A user, a team or an address; null for files without an owner.")
    ]
    files: Annotated[Count, about("How many files there are.")]
    covered: Annotated[Count, about("How many of them are owned by a node that is not a blackbox.")]
    blackbox: Annotated[Count, about("How many of them are owned by a blackbox.")]
    uncovered: Annotated[Count, about("How many of them no node owns.")]


class UnmatchedLine(Record, frozen=True, kw_only=True):
    """A line of CODEOWNERS that matches no file."""

    file: Annotated[Text, about("The file.")]
    line: Annotated[Positive, about("The line, from 1.")]
    pattern: Annotated[Text, about("Its pattern.")]


class CoverageReport(Document, frozen=True, kw_only=True, tag="yg-coverage/1"):
    """What `yg coverage --json` prints: how many files some node owns."""

    HIDDEN = ("depth", "fail_under", "misnamed")

    total: Annotated[Tally, about("The tally of the whole repository.")]
    directories: Annotated[
        tuple[Tally, ...],
        Meta(min_length=1),
        about("The tally of every directory, the root first."),
    ]
    uncovered: Annotated[
        tuple[Text, ...],
        Meta(extra_json_schema=UNIQUE),
        about("The files that no node owns, sorted."),
    ]
    excluded: Annotated[
        Count, about("How many files `coverage.exclude` of the configuration leaves out.")
    ]
    names: Annotated[
        tuple[UnmentionedName, ...] | UnsetType,
        about(
            "With --names: the public names that other nodes import and that neither interface.md "
            "of the node nor those above it mention."
        ),
    ] = UNSET
    owners: Annotated[
        tuple[OwnerTally, ...] | UnsetType,
        about(
            "With --by owner: the files of each owner that CODEOWNERS names, by name; a file with "
            "several owners counts for each."
        ),
    ] = UNSET
    unmatched: Annotated[
        tuple[UnmatchedLine, ...] | UnsetType,
        about("The lines of CODEOWNERS that match no file; absent without such a file."),
    ] = UNSET
    skipped: SkippedEntries
    since: Since = UNSET
    depth: int = DEPTH  # of the directories in the table
    fail_under: float = 0  # percent
    misnamed: tuple[str, ...] = ()  # files whose names are not UTF-8

    @property
    def exit_code(self) -> int:
        """Whether too few files are owned."""
        return 1 if self.total.share < self.fail_under else 0


def ask(run: Run, request: CoverageRequest) -> CoverageReport:
    """Count the files with an owner.

    With `names`, list also the public names that other nodes import and no interface mentions.
    """
    workspace = run.workspace
    workspace.require_yggdrasil("coverage")
    is_configured = workspace.graph.edition.configures_artifacts
    if is_configured and workspace.queries.unread_configuration():
        raise bad_configuration(workspace, "no coverage: the configuration cannot be read")
    asked = people(workspace)
    if asked is None and By(request.by) is By.OWNER:
        raise YgError(
            "there is no CODEOWNERS file to count by",
            hint=f"It is one of {', '.join(PLACES)} in the repository.",
        )
    report, only = (
        _since(workspace, request.since)
        if request.since
        else (report_of(coverage_here(workspace)), None)
    )
    by = By(request.by)
    return replace(
        report,
        owners=_by_owner(workspace, asked, only) if asked and by is By.OWNER else UNSET,
        unmatched=_unmatched(workspace, asked) if asked else UNSET,
        names=_unmentioned(workspace, only) if request.names else UNSET,
        skipped=skipped_data(workspace.skipped()),
        depth=request.depth,
        fail_under=request.fail_under or 0,
        misnamed=tuple(workspace.sources.misnamed()),
    )


def _since(workspace: OpenWorkspace, revision: str) -> tuple[CoverageReport, Collection[str]]:
    """Count only the files that were added or changed since a commit, and return them."""
    from yg_old.commands.since import ChangesSince

    changes = ChangesSince(workspace, revision)
    graph, is_excluded = workspace.graph, _uncounted(workspace)
    ownership = Ownership(graph, workspace.sources)
    every = list(_source_files(workspace))
    files = changes.among(every)
    changed = frozenset(files)
    new = report_of(coverage_of(graph, ownership, files, is_excluded))
    older = sum(
        not is_excluded(file) and not is_owned(graph, ownership, file)
        for file in every
        if file not in changed
    )
    return replace(new, since=changes.compared(older)), changed


def coverage_here(workspace: OpenWorkspace) -> Coverage:
    """Count the files of the repository by owner."""
    graph = workspace.graph
    ownership = Ownership(graph, workspace.sources)
    return coverage_of(graph, ownership, _source_files(workspace), _uncounted(workspace))


def _by_owner(
    workspace: OpenWorkspace, asked: People, only: Collection[str] | None
) -> tuple[OwnerTally, ...]:
    """Count the files of each owner; those without one come last."""
    graph, ownership = workspace.graph, Ownership(workspace.graph, workspace.sources)
    counts: dict[str, list[int]] = {}
    for file in counted_files(workspace, only):
        for owner in asked.of_file(file) or ("",):
            counts.setdefault(owner, [0, 0, 0])[kind_of_owner(graph, ownership, file)] += 1
    return tuple(
        OwnerTally(
            owner=owner or None,
            files=sum(numbers),
            covered=numbers[0],
            blackbox=numbers[1],
            uncovered=numbers[2],
        )
        for owner, numbers in sorted(counts.items(), key=lambda item: (not item[0], item[0]))
    )


def _unmatched(workspace: OpenWorkspace, asked: People) -> tuple[UnmatchedLine, ...]:
    # The graph itself may have owners, too.
    files = workspace.sources.files(".")
    graph = workspace.format.folder
    return tuple(
        UnmatchedLine(file=asked.owners.file, line=line.number, pattern=line.pattern)
        for line in asked.unmatched(files)
        if not is_inside(line.pattern.strip("/"), graph)
    )


def report_of(coverage: Coverage) -> CoverageReport:
    """Return the document of the counts alone."""
    return CoverageReport(
        total=coverage.total,
        directories=coverage.tallies,
        uncovered=coverage.uncovered,
        excluded=coverage.excluded,
        skipped=[],
    )


def _unmentioned(
    workspace: OpenWorkspace, only: Collection[str] | None
) -> tuple[UnmentionedName, ...]:
    from yg_old.yggdrasil.code.evidence import read_imports, unmentioned_names

    imports = read_imports(workspace.graph, workspace.sources)
    names = unmentioned_names(workspace.graph, imports)
    return tuple(name for name in names if only is None or name.file in only)


def _source_files(workspace: OpenWorkspace, only: Collection[str] | None = None) -> Iterator[str]:
    """Yield the files of the repository outside the graph folder, all or only some."""
    folder = workspace.format.folder
    every = (file for file in workspace.sources.files(".") if only is None or file in only)
    return (file for file in every if not is_inside(file, folder))


def _uncounted(workspace: OpenWorkspace) -> Callable[[str], bool]:
    """Return whether the configuration leaves a file out of the count."""
    return Patterns.from_lines(workspace.graph.config.uncounted).excludes


def counted_files(workspace: OpenWorkspace, only: Collection[str] | None = None) -> Iterator[str]:
    """Yield the files that coverage counts, all or only some."""
    is_excluded = _uncounted(workspace)
    return (file for file in _source_files(workspace, only) if not is_excluded(file))


def text(report: CoverageReport, _palette: Palette) -> str:
    """Write the share of owned files and a table of the directories down to a depth."""
    total = report.total
    head = f"Coverage: {percent(total)} ({total.owned} of {counted(total.files, 'file')})\n"
    if total.parent:
        share = 100 * total.parent / total.files
        head += f"Owned only by a parent that maps the directory: {share:.1f}% ({total.parent})\n"
    if report.excluded:
        head += f"Excluded by the configuration: {report.excluded}\n"
    tallies = [tally for tally in report.directories if _level(tally) <= report.depth]
    rows = [_TITLES, *(_row(tally) for tally in tallies)]
    older = older_text(report.since, "unowned file")
    return f"{head}\n{_table(rows)}{older}{_unmatched_text(report)}"


def _unmatched_text(report: CoverageReport) -> str:
    """Write the lines of CODEOWNERS that match no file."""
    lines = "".join(
        f"{visible(one.file)}:{one.line}: {visible(one.pattern)} matches no file\n"
        for one in report.unmatched or ()
    )
    return f"\n{lines}" if lines else ""


def owners_text(report: CoverageReport, _palette: Palette) -> str:
    """Write a table of the owners that CODEOWNERS names."""
    rows = [("owner", *_TITLES[1:]), *map(_owner_row, report.owners or ())]
    return _table(rows) + _unmatched_text(report)


def _owner_row(one: OwnerTally) -> tuple[str, ...]:
    numbers = (one.files, one.covered, one.blackbox, one.uncovered)
    share = percent(tally(".", one.covered, one.blackbox, one.uncovered))
    return (visible(one.owner) if one.owner else "(nobody)", *map(str, numbers), share)


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(_TITLES))]
    lines = (
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    )
    return "".join(f"{line}\n" for line in lines)


def percent(tally: Tally) -> str:
    """Write a percentage; it is rounded to 100.0% only if every file is owned."""
    share = min(tally.share, 99.9) if tally.uncovered else tally.share
    return f"{share:.1f}%"


def _level(tally: Tally) -> int:
    return 0 if tally.directory == "." else tally.directory.count("/") + 1


def _row(tally: Tally) -> tuple[str, ...]:
    numbers = (tally.files, tally.covered, tally.blackbox, tally.uncovered)
    return (f"{visible(tally.directory)}/", *map(str, numbers), percent(tally))


def uncovered_text(report: CoverageReport, _palette: Palette) -> str:
    """Write the files without an owner, one per line."""
    return "".join(f"{visible(file)}\n" for file in report.uncovered)


def names_text(report: CoverageReport, _palette: Palette) -> str:
    """Write the public names that no interface mentions, one per line."""
    return "".join(
        f"{visible(found.node)}: {visible(found.name)} in {visible(found.file)} "
        f"(imported by {visible(listing(found.imported_by))})\n"
        for found in report.names or ()
    )


def _remarks(report: CoverageReport, palette: Palette) -> str:
    """Write which files do not count, and whether too few are owned."""
    misnamed = (f"'{file}' is not counted: its name is not UTF-8" for file in report.misnamed)
    percentages = f"{report.total.share:.2f}% is below {report.fail_under:g}%"
    too_low = f"coverage {percentages}\n" if report.exit_code else ""
    return warnings(misnamed, palette) + too_low


COMMAND = Command(
    request=CoverageRequest,
    documents=(CoverageReport,),
    ask=ask,
    text=text,
    forms={UNCOVERED: uncovered_text, NAMES: names_text, OWNERS: owners_text},
    remarks=_remarks,
)
