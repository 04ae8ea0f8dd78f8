"""`yg coverage`: show which files no node owns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from yg.commands.command import Command, warnings
from yg.commands.issues import Since, SkippedEntries, older_text, skipped_data
from yg.commands.refusal import bad_configuration
from yg.commands.request import Depth, Option, Request, Revision, SinceRevision, check_since
from yg.kernel.document import UNIQUE, Count, Document, Text, about
from yg.kernel.errors import UsageError
from yg.kernel.palette import visible
from yg.text.paths import is_inside
from yg.text.patterns import Patterns
from yg.text.plural import counted
from yg.text.suggest import listing
from yg.yggdrasil.coverage import Tally, UnmentionedName, coverage_of
from yg.yggdrasil.owners import Ownership

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from yg.commands.command import Run
    from yg.kernel.palette import Palette
    from yg.workspace.opened import OpenWorkspace
    from yg.yggdrasil.coverage import Coverage

    Names = tuple[UnmentionedName, ...] | UnsetType

DEPTH = 2  # levels of directories, unless another number is asked for
UNCOVERED = "uncovered"  # the form that lists the files without an owner
NAMES = "names"  # the form that lists the public names that no interface mentions
_TITLES = ("directory", "files", "covered", "blackbox", "uncovered", "share")


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
    depth: Annotated[Depth, Option(metavar="N", help="show N levels (default 2)")] = DEPTH
    since: SinceRevision = None
    at: Revision = None

    @property
    def form(self) -> str:
        """The list that is asked for."""
        return NAMES if self.names else UNCOVERED if self.uncovered else ""

    def check(self) -> None:
        """Refuse two lists at once, and two commits."""
        check_since(self.since, self.at)
        if self.uncovered and self.names:
            raise UsageError("--names cannot be combined with --uncovered")


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
    report = report_of(coverage_here(workspace))
    names = _unmentioned(workspace) if request.names else UNSET
    if request.since:
        report, names = _since(workspace, request.since, report, names)
    return replace(
        report,
        names=names,
        skipped=skipped_data(workspace.skipped()),
        depth=request.depth,
        fail_under=request.fail_under or 0,
        misnamed=tuple(workspace.sources.misnamed()),
    )


def _since(
    workspace: OpenWorkspace, revision: str, report: CoverageReport, names: Names
) -> tuple[CoverageReport, Names]:
    """Count only the files that were added or changed since a commit."""
    from yg.commands.since import ChangesSince

    changes = ChangesSince(workspace, revision)
    files = frozenset(changes.files)
    new = report_of(coverage_here(workspace, files))
    older = len(report.uncovered) - len(new.uncovered)
    kept = tuple(name for name in names if name.file in files) if names is not UNSET else UNSET
    return replace(new, since=changes.compared(older)), kept


def coverage_here(workspace: OpenWorkspace, only: Collection[str] | None = None) -> Coverage:
    """Count the files of the repository by owner, all or only some."""
    graph = workspace.graph
    ownership = Ownership(graph, workspace.sources)
    files = (file for file in _source_files(workspace) if only is None or file in only)
    return coverage_of(graph, ownership, files, _uncounted(workspace))


def report_of(coverage: Coverage) -> CoverageReport:
    """Return the document of the counts alone."""
    return CoverageReport(
        total=coverage.total,
        directories=coverage.tallies,
        uncovered=coverage.uncovered,
        excluded=coverage.excluded,
        skipped=[],
    )


def _unmentioned(workspace: OpenWorkspace) -> tuple[UnmentionedName, ...]:
    from yg.yggdrasil.code.evidence import read_imports, unmentioned_names
    from yg.yggdrasil.code.quoted_names import CodeNames

    imports = read_imports(workspace.graph, workspace.sources)
    return unmentioned_names(workspace.graph, imports, CodeNames(workspace.graph, imports))


def _source_files(workspace: OpenWorkspace) -> Iterator[str]:
    """Yield the files of the repository outside the graph folder."""
    folder = workspace.format.folder
    return (file for file in workspace.sources.files(".") if not is_inside(file, folder))


def _uncounted(workspace: OpenWorkspace) -> Callable[[str], bool]:
    """Return whether the configuration leaves a file out of the count."""
    return Patterns.from_lines(workspace.graph.config.uncounted).excludes


def counted_files(workspace: OpenWorkspace) -> Iterator[str]:
    """Yield the files that coverage counts."""
    is_excluded = _uncounted(workspace)
    return (file for file in _source_files(workspace) if not is_excluded(file))


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
    widths = [max(len(row[column]) for row in rows) for column in range(len(_TITLES))]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    ]
    return head + "\n" + "".join(f"{line}\n" for line in lines) + _older(report)


def _older(report: CoverageReport) -> str:
    return older_text(report.since, "unowned file")


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
    forms={UNCOVERED: uncovered_text, NAMES: names_text},
    remarks=_remarks,
)
