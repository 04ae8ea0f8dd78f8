"""`yg validate`: check the graph against the rules."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType, field

from yg.commands.command import Command, Document, Record, Request, Revision, operand, option
from yg.kernel.errors import UsageError
from yg.kernel.issue import Issue, Level, Severity, independent
from yg.kernel.report import counts_text, issue_text
from yg.text import paths
from yg.text.plural import counted
from yg.yggdrasil.model import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.commands.workspace import Workspace
    from yg.kernel.palette import Palette

ALL = "all"
SinceRevision = Annotated[
    str | None, option("leave out what the merge base of HEAD and REV has", "REV")
]


class ValidateRequest(Request, frozen=True, kw_only=True):
    """What to check."""

    scope: Annotated[
        str | None, operand("SCOPE", "check this node and the nodes below it", flag="--scope")
    ] = None
    since: SinceRevision = None
    strict: Annotated[bool, option("exit with 1 also if there are only warnings")] = False
    at: Revision = None


class Since(Record, frozen=True, kw_only=True):
    """The commit that the graph is compared with."""

    revision: Annotated[str, Meta(description="The revision that was given.")]
    commit: Annotated[str, Meta(description="Its merge base with HEAD.")]
    older: Annotated[int, Meta(description="How many issues that commit has, too.", ge=0)]


class Validation(Document, frozen=True, kw_only=True, omit_defaults=True, tag="yg-validate/1"):
    """What `yg validate --json` prints: everything that is wrong with a graph."""

    scope: Annotated[str, Meta(description="The scope: `all`, or a node and all below it.")]
    nodes: Annotated[int, Meta(description="How many nodes the scope has.", ge=0)]
    errors: Annotated[
        int, Meta(description="How many issues are errors, but for those that follow.", ge=0)
    ]
    warnings: Annotated[
        int, Meta(description="How many issues are warnings, but for those that follow.", ge=0)
    ]
    following: Annotated[
        int, Meta(description="How many issues follow from another one, and are not listed.", ge=0)
    ]
    issues: Annotated[
        tuple[Issue, ...],
        Meta(description="The issues: errors, then warnings, each by file, line and code."),
    ]
    since: Annotated[
        Since | UnsetType, Meta(description="What the graph is compared with; absent if nothing.")
    ] = UNSET
    strict: Annotated[bool, Meta(description="Whether warnings fail the check.")] = False
    levels: Annotated[
        dict[str, Level], Meta(description="The levels of rules that the configuration sets.")
    ] = field(default_factory=dict)
    git_prefix: Annotated[
        str, Meta(description="The path of the root in its git repository; empty at its top.")
    ] = ""

    @property
    def exit_code(self) -> int:
        """Whether the check fails."""
        return int(bool(self.errors or (self.strict and self.warnings)))


def ask(workspace: Workspace, request: ValidateRequest) -> Validation:
    """Check the graph."""
    if request.since is not None and request.at is not None:
        raise UsageError("--since cannot be combined with --at")
    from yg.yggdrasil.rules.levels import levels_of

    scope = "" if request.scope in (None, ALL) else workspace.directory_of(request.scope or "")
    graph, issues = workspace.readable_graph, workspace.issues
    since: Since | UnsetType = UNSET
    if request.since is not None:
        commit = workspace.base_of(request.since)
        issues = tuple(_new(issues, workspace.issues_at(commit)))
        older = len(workspace.issues) - len(issues)
        since = Since(revision=request.since, commit=commit, older=older)
    found = [issue for issue in issues if not scope or _concerns(issue, scope)]
    shown = independent(found)
    every = (*graph.nodes, *graph.unread_nodes)
    return Validation(
        scope=scope or ALL,
        nodes=sum(paths.is_inside(path, scope or paths.ROOT) for path in every),
        errors=sum(issue.severity is Severity.ERROR for issue in shown),
        warnings=sum(issue.severity is Severity.WARNING for issue in shown),
        following=len(found) - len(shown),
        issues=shown,
        since=since,
        strict=request.strict,
        levels=levels_of(graph.config),
        git_prefix=workspace.git_prefix,
    )


def _new(now: Sequence[Issue], then: Sequence[Issue]) -> Iterator[Issue]:
    """Yield the issues that an earlier state of the graph does not have."""
    known = Counter(issue.identity for issue in then)
    for issue in now:
        if known[issue.identity]:
            known[issue.identity] -= 1
        else:
            yield issue


def _concerns(issue: Issue, scope: str) -> bool:
    """Return whether an issue is about a node in the scope, or about no node."""
    if not issue.file.startswith(f"{FOLDER}/model/"):
        return True
    return any(paths.is_inside(subject, scope) for subject in (issue.subject, *issue.also))


def text(validation: Validation, palette: Palette) -> str:
    """Write all issues, errors first, and their number."""
    new, older = "", ""
    if validation.since:
        new, number = "new ", validation.since.older
        older = f"{counted(number, 'older issue')} not shown\n" if number else ""
    checked = f"{counted(validation.nodes, 'node')} checked."
    if not validation.issues:
        return f"No {new}issues found. {checked}\n{older}"
    issues = "".join(issue_text(issue, palette) for issue in validation.issues)
    counts = counts_text(validation.errors, validation.warnings, validation.following)
    return f"{issues}\n{counts}. {checked}\n{older}"


def _sarif(validation: Validation) -> str:
    from yg.commands.ci import sarif
    from yg.yggdrasil.rules import RULES

    return sarif(validation.issues, RULES, validation.levels, validation.git_prefix)


def _github(validation: Validation) -> str:
    from yg.commands.ci import github

    return github(validation.issues, validation.git_prefix)


COMMAND = Command(
    name="validate",
    request=ValidateRequest,
    documents=(Validation,),
    ask=ask,
    text=text,
    formats={"sarif": _sarif, "github": _github},
)
