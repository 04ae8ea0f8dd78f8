"""`yg validate`: check the graph against the rules."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from yg_old.commands.command import PAGE, Command, Tool
from yg_old.commands.issues import (
    Following,
    IssueRecord,
    RuleCode,
    Since,
    counts_text,
    issue_data,
    issues_text,
    older_text,
    place_text,
)
from yg_old.commands.request import (
    Argument,
    Operand,
    Option,
    Request,
    Revision,
    SinceRevision,
    Tokenizer,
    check_since,
)
from yg_old.commands.validate.ci import verdict_github, verdict_junit
from yg_old.kernel.document import Column, Count, Document, File, Line, Record, Text, about
from yg_old.kernel.errors import UsageError
from yg_old.kernel.issue import Verdict
from yg_old.kernel.palette import visible
from yg_old.text.paths import is_inside
from yg_old.text.plural import counted
from yg_old.workspace import results
from yg_old.workspace.opened import OpenWorkspace
from yg_old.yggdrasil.places import FOLDER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.yggdrasil.edit.fixes import FixedFile

ALL = "all"


class FailOn(StrEnum):
    """The least severe issue that makes a check fail."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"

    def fails(self, verdict: Verdict) -> bool:
        """Return whether a check with this verdict fails."""
        is_strict = self is FailOn.WARNING
        return self is not FailOn.NEVER and bool(verdict.errors or (is_strict and verdict.warnings))


class ValidateRequest(Request["Validation"], frozen=True, kw_only=True):
    """What to check, and whether to fix it."""

    scope: Annotated[
        str | None,
        Operand(
            "SCOPE",
            "check this node and the nodes below it",
            option="--scope",
            option_help="same as SCOPE (default all)",
        ),
        Argument(
            "Only this node and the nodes below it.",
            "orders",
            in_specs="Only this node and what it contains.",
            example_in_specs="AUTH",
        ),
    ] = None
    fail_on: Annotated[
        FailOn,
        Option(
            help="the least severe issue that gives exit code 1 (default error)",
            short_for=("--strict", "warning", "short for --fail-on warning"),
        ),
    ] = FailOn.ERROR
    fix: Annotated[bool, Option(help="make the fixes that leave no choice, then check")] = False
    dry_run: Annotated[bool, Option(help="with --fix: show the fixes without making them")] = False
    all: Annotated[
        bool, Option(help="list every warning, also if there are many with the same code")
    ] = False
    since: SinceRevision = None
    at: Revision = None
    tokenizer: Tokenizer = None

    def check(self) -> None:
        """Refuse options that only make sense with others."""
        if self.dry_run and not self.fix:
            raise UsageError("--dry-run is for --fix", hint="Without --fix, nothing is written.")
        if self.fix and self.at is not None:
            raise UsageError("--fix changes the work tree, not a commit", hint="Leave out --at.")
        if self.fix and self.since is not None:
            raise UsageError("--fix makes all fixes, also of older issues", hint="Run it first.")
        check_since(self.since, self.at)


class FixRecord(Record, frozen=True, kw_only=True):
    """One fix that was made, or that a dry run would make."""

    code: Annotated[RuleCode, about("The code of the issue.")]
    subject: Annotated[Text, about("The node, aspect, flow or file with the problem.")]
    file: Annotated[File, about("The file that changes.")]
    line: Line
    column: Column
    title: Annotated[Text, about("What the fix does.")]


class Validation(Document, frozen=True, kw_only=True, tag="yg-validate/1"):
    """What `yg validate --json` prints: everything that is wrong with a graph."""

    HIDDEN = ("verdict", "files", "is_dry_run", "fail_on", "shows_all", "workspace")

    scope: Annotated[Text, about("The scope: `all`, or a node and all below it.")]
    format: Annotated[
        Text | UnsetType, about("The format of the graph, if it is later than 2.2.")
    ] = UNSET
    nodes: Annotated[Count, about("How many nodes the scope has, readable or not.")]
    errors: Annotated[
        Count, about("How many issues are errors, not counting those that follow from another.")
    ]
    warnings: Annotated[Count, about("How many issues are warnings.")]
    following: Following
    fixed: Annotated[
        tuple[FixRecord, ...] | UnsetType, about("The fixes, by file; absent without `--fix`.")
    ] = UNSET
    issues: Annotated[
        tuple[IssueRecord, ...],
        about(
            "The issues: errors, then warnings, each by file, line and code; "
            "one that follows from another comes right after it."
        ),
    ]
    since: Since = UNSET
    verdict: Verdict
    files: tuple[FixedFile, ...] = ()
    is_dry_run: bool = False
    fail_on: FailOn = FailOn.ERROR
    shows_all: bool = False  # of many warnings with the same code, not only the first
    workspace: OpenWorkspace | None = None  # with the rules and their levels

    @property
    def exit_code(self) -> int:
        """Whether the check fails."""
        return 1 if self.fail_on.fails(self.verdict) else 0


def ask(run: Run, request: ValidateRequest) -> Validation:
    """Check the graph, after the unambiguous fixes if they are asked for."""
    files = _fix(run, request) if request.fix else None
    workspace = run.workspace
    within = _within(workspace, request.scope)
    verdict = results.verdict(workspace)
    since: Since = UNSET
    if request.since:
        from yg_old.commands.since import new_since

        verdict, since = new_since(workspace, request.since, verdict, within)
    elif within:
        verdict = workspace.queries.restrict(verdict, within)
    validation = validation_of(
        verdict,
        files,
        is_dry_run=request.dry_run,
        fail_on=FailOn(request.fail_on),
        workspace=workspace,
    )
    later = results.later_format(workspace) if workspace.format.has_drift else ""
    return replace(validation, shows_all=request.all, format=later or UNSET, since=since)


def validation_of(
    verdict: Verdict,
    files: tuple[FixedFile, ...] | None = None,
    *,
    is_dry_run: bool = False,
    fail_on: FailOn = FailOn.ERROR,
    workspace: OpenWorkspace | None = None,
) -> Validation:
    """Return the document of a verdict, with the files that were fixed, if that was asked for."""
    return Validation(
        scope=verdict.scope or ALL,
        nodes=verdict.nodes,
        errors=verdict.errors,
        warnings=verdict.warnings,
        following=verdict.following,
        fixed=UNSET if files is None else _fix_data(files),
        issues=tuple(map(issue_data, verdict.issues)),
        verdict=verdict,
        files=files or (),
        is_dry_run=is_dry_run,
        fail_on=fail_on,
        workspace=workspace,
    )


def _fix(run: Run, request: ValidateRequest) -> tuple[FixedFile, ...]:
    """Return the files that unambiguous fixes change; write them, unless this is a dry run."""
    from yg_old.disk.files.apply import Applier, cleared_applier
    from yg_old.disk.writing.lock import writing

    workspace = run.workspace
    workspace.require_writable("yg validate --fix")
    if request.dry_run:
        return _fixed(workspace, request.scope)
    with writing(workspace.root, FOLDER):
        # Reopen after taking the lock: another process may have changed files in the meantime.
        files = _fixed(run.reopen(), request.scope)
        edits = [file.edit for file in files]
        inside = [edit for edit in edits if is_inside(edit.path, FOLDER)]
        cleared_applier(workspace.root, FOLDER).apply(inside)
        # The overview may be in files that agents read.
        Applier(workspace.root).apply(edit for edit in edits if edit not in inside)
    run.reopen()
    return files


def _within(workspace: OpenWorkspace, scope: str | None) -> str:
    return "" if scope in (None, ALL) else workspace.directory(scope)


def _fixed(workspace: OpenWorkspace, scope: str | None) -> tuple[FixedFile, ...]:
    from yg_old.yggdrasil.edit.fixes import fixed_files

    within = _within(workspace, scope)
    return fixed_files(workspace.graph, results.verdict(workspace, within).issues)


def _fix_data(files: Sequence[FixedFile]) -> tuple[FixRecord, ...]:
    return tuple(
        FixRecord(
            code=applied.code,
            subject=applied.subject,
            file=applied.place.file,
            line=applied.place.line or None,
            column=applied.place.column or None,
            title=applied.fix.title,
        )
        for file in files
        for applied in file.applied
    )


def text(validation: Validation, palette: Palette) -> str:
    """Write the fixes, then all issues, errors first, and their number."""
    files = validation.files
    fixes = fixes_text(files, dry_run=validation.is_dry_run) if files else ""
    new = "new " if validation.since else ""
    issues = verdict_text(validation.verdict, palette, shows_all=validation.shows_all, new=new)
    older = older_text(validation.since, "issue")
    if not validation.format:
        return fixes + issues + older
    last = issues.rstrip("\n")
    return f"{fixes}{last} Format {visible(validation.format)}.\n{older}"


def verdict_text(
    verdict: Verdict, palette: Palette, *, shows_all: bool = False, new: str = ""
) -> str:
    """Write the issues, errors first, and their number."""
    checked = f"{counted(verdict.nodes, 'node')} checked."
    if not verdict.issues:
        return f"No {new}issues found. {checked}\n"
    issues = issues_text(verdict, palette, shows_all=shows_all)
    return f"{issues}\n{counts_text(verdict)}. {checked}\n"


def fixes_text(files: Sequence[FixedFile], *, dry_run: bool) -> str:
    """Write one line for each fix; for a dry run also the difference that it makes."""
    from yg_old.commands.unified import unified

    verb = "would fix" if dry_run else "fixed"
    lines = []
    for file in files:
        for applied in file.applied:
            place = place_text(applied.place)
            lines.append(f"{verb} {applied.code} {place}: {applied.fix.title}")
        if dry_run:
            texts = file.before.decode(), file.after.decode()
            lines += [f"    {line}" for line in unified(*texts)]
    return "".join(f"{visible(line)}\n" for line in lines)


def _github(validation: Validation, _palette: Palette) -> str:
    return verdict_github(validation.verdict, _workspace(validation).git_prefix)


def _junit(validation: Validation, _palette: Palette) -> str:
    return verdict_junit(validation.verdict, _workspace(validation).queries.levels())


def _sarif(validation: Validation, _palette: Palette) -> str:
    from yg_old.commands.validate.sarif import sarif

    workspace = _workspace(validation)
    return sarif(validation.verdict.issues, workspace.queries.levels(), workspace.git_prefix)


def _workspace(validation: Validation) -> OpenWorkspace:
    if validation.workspace is None:
        raise ValueError("these forms need the rules of the graph")
    return validation.workspace


COMMAND = Command(
    request=ValidateRequest,
    documents=(Validation,),
    ask=ask,
    text=text,
    forms={"sarif": _sarif, "github": _github, "junit": _junit},
    formats=("text", "json", "sarif", "github", "junit"),
    tool=Tool(
        title="Check the graph",
        when="Use after editing graph files, and when build-context fails: returns every error and "
        "warning with its location and fix. explain gives details about a code.",
        when_in_specs="Use after editing graph files: returns every error and warning with its "
        "location and fix. explain gives details about a code.",
        limit=PAGE,
    ),
)
