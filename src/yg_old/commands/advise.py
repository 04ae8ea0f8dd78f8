"""`yg advise`: name what is most worth doing next, each with its reason and a command."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from yg_old.code.draft.worth import Undescribed, most_to_say, neighbours
from yg_old.code.languages import ENDINGS, ending
from yg_old.code.read import facts_of
from yg_old.commands.command import Command, Tool
from yg_old.commands.issues import Notes
from yg_old.commands.request import Argument, Option, Request
from yg_old.commands.review import ReviewRequest, review_drift
from yg_old.disk.git.history import commits_by_node
from yg_old.kernel.document import Count, Document, Positive, Record, Text, about
from yg_old.kernel.issue import Severity
from yg_old.kernel.palette import visible
from yg_old.text import paths
from yg_old.text.escapes import shell_word
from yg_old.text.plural import and_more, counted
from yg_old.workspace import results
from yg_old.yggdrasil.code.evidence import read_imports
from yg_old.yggdrasil.resolve import node_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.commands.command import Run
    from yg_old.kernel.issue import Issue
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace

FEW = 5


class AdviceKind(StrEnum):
    """What is to be done, the most urgent first."""

    ERROR = "error"
    BEGIN = "begin"
    STALE = "stale"
    CODE = "code"
    UNOWNED = "unowned"
    DESCRIBE = "describe"
    DECISION = "decision"


KIND_OF_RULE = {
    **dict.fromkeys(("W021", "W022", "W023"), AdviceKind.CODE),
    "W031": AdviceKind.DECISION,
    "W032": AdviceKind.UNOWNED,
}
TITLES = {
    AdviceKind.ERROR: "Fix",
    AdviceKind.BEGIN: "Add nodes to",
    AdviceKind.STALE: "Correct the texts about",
    AdviceKind.CODE: "Correct the relations of",
    AdviceKind.UNOWNED: "Give an owner to",
    AdviceKind.DESCRIBE: "Describe",
    AdviceKind.DECISION: "Look at the decisions of",
}


class AdviseRequest(Request["Advice"], frozen=True, kw_only=True):
    """How much advice to give."""

    limit: Annotated[
        Positive,
        Option(metavar="N", help=f"maximum number of things (default {FEW})"),
        Argument(f"Maximum things (default {FEW}).", 5, most=1_000),
    ] = FEW


class AdviceItem(Record, frozen=True, kw_only=True):
    """One thing to do."""

    kind: Annotated[
        AdviceKind,
        about(
            "An error of the graph, a graph without nodes, texts that are most likely untrue, "
            "relations that differ from the code (W021 to W023), source files without an owner "
            "(W032), a node to describe, or decisions that are not in force (W031)."
        ),
    ]
    subject: Annotated[
        Text, about("The node, or another part of the graph, or a directory, or the project.")
    ]
    reason: Annotated[Text, about("Why it is worth doing.")]
    lines: Annotated[Count, about("How many lines of code it concerns.")]
    command: Annotated[Text, about("The command that shows more or does it.")]


class Advice(Document, frozen=True, kw_only=True, tag="yg-advise/1"):
    """What `yg advise --json` prints: what to do next."""

    advice: Annotated[tuple[AdviceItem, ...], about("What to do, the most urgent first.")]
    more: Annotated[Count, about("How many other things there are.")]
    notes: Notes


def ask(run: Run, request: AdviseRequest) -> Advice:
    """Collect what is to be done, and return the first of it."""
    run.workspace.require_yggdrasil("advice")
    run.workspace.require_baselines()
    review = review_drift(run, ReviewRequest())
    workspace = run.workspace
    code = _Code(workspace)
    stale = (
        AdviceItem(
            kind=AdviceKind.STALE,
            subject=node.node,
            reason=_untrue([f"{found.document}:{found.line}" for found in node.strong]),
            lines=code.lines_of(node.node),
            command=f"yg review {shell_word(node.node)}",
        )
        for node in review.nodes
        if node.strong
    )
    found = [*stale, *_from_issues(workspace, code), *_to_begin(workspace, code)]
    found.sort(key=lambda item: (_ORDER[item.kind], -item.lines, item.subject))
    undescribed = tuple(_to_describe(workspace, code))
    later = next(
        (at for at, item in enumerate(found) if item.kind is AdviceKind.DECISION), len(found)
    )
    found[later:later] = undescribed
    return Advice(
        advice=tuple(found[: request.limit]),
        more=max(0, len(found) - request.limit),
        notes=review.notes,
    )


_ORDER = {kind: place for place, kind in enumerate(AdviceKind)}


class _Code:
    """The lines of code of nodes and directories."""

    def __init__(self, workspace: OpenWorkspace) -> None:
        self._sources = workspace.sources
        self.imports = read_imports(workspace.graph, workspace.sources)
        self._nodes = workspace.graph.nodes

    def lines_of(self, subject: str) -> int:
        """Count the lines of a node, or of the files without an owner in a directory."""
        if self._nodes.get(subject) is not None:
            facts = self.imports.facts
            return sum(facts[file].lines for file in self.imports.files_of.get(subject, ()))
        return self._lines_in(self._unowned.get(subject, ()))

    def unowned_lines(self) -> int:
        """Count the lines of all files without an owner."""
        return sum(map(self._lines_in, self._unowned.values()))

    def _lines_in(self, files: Iterable[str]) -> int:
        read = (facts_of(self._sources, file) for file in files)
        return sum(facts.lines for facts in read if facts)

    @cached_property
    def _unowned(self) -> dict[str, list[str]]:
        """The source files without an owner, by directory."""
        found: dict[str, list[str]] = {}
        for file in self.imports.files:
            if ending(file) in ENDINGS and file not in self.imports.owners:
                found.setdefault(paths.parent(file), []).append(file)
        return found


def _to_begin(workspace: OpenWorkspace, code: _Code) -> Iterator[AdviceItem]:
    """Yield one item for a graph without nodes."""
    if not workspace.graph.nodes.all:
        lines = code.unowned_lines()
        yield AdviceItem(
            kind=AdviceKind.BEGIN,
            subject=workspace.graph.config.name,
            reason="it has no nodes yet"
            + (f", for {counted(lines, 'line')} of code" if lines else ""),
            lines=lines,
            command="yg draft" if lines else "yg new node PATH",
        )


def _untrue(places: list[str]) -> str:
    verb = "is" if len(places) == 1 else "are"
    return f"{counted(len(places), 'sentence')} {verb} most likely untrue{_first(places)}"


def _first(items: list[str]) -> str:
    rest = f" and {len(items) - 1} more" if len(items) > 1 else ""
    return f": {items[0]}{rest}"


class _Group(Struct, frozen=True):
    """The issues about one subject that ask for the same."""

    kind: AdviceKind
    subject: str


def _from_issues(workspace: OpenWorkspace, code: _Code) -> Iterator[AdviceItem]:
    """Yield one item for the issues of each kind about a subject."""
    groups: dict[_Group, list[Issue]] = {}
    for issue in results.verdict(workspace).issues:
        is_error = issue.severity is Severity.ERROR
        kind = AdviceKind.ERROR if is_error else KIND_OF_RULE.get(issue.code)
        if kind is not None and issue.follows is None:
            groups.setdefault(_Group(kind, issue.subject), []).append(issue)
    for group, issues in groups.items():
        subject = group.subject
        rest = f", and {counted(len(issues) - 1, 'other issue')}" if len(issues) > 1 else ""
        yield AdviceItem(
            kind=group.kind,
            subject=subject,
            reason=f"{issues[0].message} ({issues[0].code}){rest}",
            lines=code.lines_of(subject),
            command=_command(workspace, group),
        )


def _command(workspace: OpenWorkspace, group: _Group) -> str:
    subject = group.subject
    if group.kind is AdviceKind.UNOWNED:
        return f"yg draft --add --root {shell_word(subject)}"
    command = "yg decisions" if group.kind is AdviceKind.DECISION else "yg validate"
    is_node = workspace.graph.nodes.get(subject) is not None
    return f"{command} {shell_word(subject)}" if is_node else command


def _to_describe(workspace: OpenWorkspace, code: _Code) -> Iterator[AdviceItem]:
    """Yield the nodes with code whose texts are missing or drafts, those with most to say first."""
    graph = workspace.graph
    missing = {
        issue.subject: issue.message
        for issue in results.verdict(workspace).issues
        if issue.code == "W001"
    }
    around = neighbours(
        {node.path: [relation.target.text for relation in node.relations] for node in graph.nodes}
    )
    drafts = {}
    found = []
    for node in graph.nodes:
        texts = node_texts(graph, node)
        drafts[node.path] = [
            paths.name_of(text.source.path) for text in texts if text.source.is_draft
        ]
        lines = 0 if node.is_blackbox else code.lines_of(node.path)
        if not texts:
            missing[node.path] = "it has no text"
        if lines and (drafts[node.path] or node.path in missing):
            count = len(around[node.path])
            found.append(Undescribed(path=node.path, lines=lines, neighbours=count))
    commits = commits_by_node(workspace.root, code.imports.owners) if found else {}
    for one in most_to_say(found, commits):
        drafted = drafts[one.path]
        state = f"{drafted[0]} is a draft" if drafted else missing[one.path]
        facts = (
            counted(one.lines, "line"),
            f"relations with {counted(one.neighbours, 'node')}",
            f"{counted(commits.get(one.path, 0), 'commit')} in the last year",
        )
        yield AdviceItem(
            kind=AdviceKind.DESCRIBE,
            subject=one.path,
            reason=f"{state}; {', '.join(facts)}",
            lines=one.lines,
            command=f"yg build-context {shell_word(one.path)}",
        )


def text(advice: Advice, palette: Palette) -> str:
    """Write each thing with its reason and its command."""
    if not advice.advice:
        return "Nothing to do: the graph has no errors, and every node with code is described.\n"
    lines = []
    for number, item in enumerate(advice.advice, 1):
        what = f"{TITLES[item.kind]} {palette.bold(visible(item.subject))}"
        lines += [f"{number}. {what}", f"   {visible(item.reason)}."]
        lines.append(f"   {palette.dim(visible(item.command))}")
    if advice.more:
        lines.append(and_more(advice.more, "yg advise --limit N"))
    return "".join(f"{line}\n" for line in lines)


COMMAND = Command(
    request=AdviseRequest,
    documents=(Advice,),
    ask=ask,
    text=text,
    tool=Tool(
        title="Say what to do next",
        when="Use to find work on the graph: returns what is most worth doing next, each with its "
        "reason and the command for it.",
        when_in_specs=None,
        levels=0,
    ),
)
