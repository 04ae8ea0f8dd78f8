"""What closing a topic asks for: what was changed since a commit, and what is still to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from yg_old.commands.drift.steps import REASON, left_over, short_steps, sync_command
from yg_old.commands.drift.text import drifted_lines
from yg_old.commands.issues import IssueRecord, issue_data, issue_text
from yg_old.kernel.compare import Alteration
from yg_old.kernel.document import Record, Text, about
from yg_old.kernel.palette import visible
from yg_old.text import paths
from yg_old.text.plural import counted
from yg_old.workspace.opened import yggdrasil_graph
from yg_old.yggdrasil.drift.classify import is_own_text
from yg_old.yggdrasil.owners import Ownership
from yg_old.yggdrasil.places import FOLDER
from yg_old.yggdrasil.questions.compare import is_graph_content

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from yg_old.commands.drift.find import DriftReport
    from yg_old.commands.since import ChangesSince
    from yg_old.kernel.issue import Issue, Verdict
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.drift.states import NodeDrift
    from yg_old.yggdrasil.graph import Graph

OTHER_COMMIT = "'yg preflight --closing --since REV' shows what was changed since another commit"

Files = tuple[Text, ...]


class NodeChange(Record, frozen=True, kw_only=True):
    """A node of which files were changed."""

    node: Annotated[Text, about("The path of the node.")]
    change: Annotated[Alteration, about("What happened to the node.")]
    sources: Annotated[Files, about("The source files that it owns and that differ, by path.")]
    graph_files: Annotated[Files, about("Its own files in the graph that differ, by path.")]


class Closing(Record, frozen=True, kw_only=True):
    """The changes since a commit, and what is still to do about them."""

    since: Annotated[Text, about("The commit to compare with, as given.")]
    nodes: Annotated[tuple[NodeChange, ...], about("The changed nodes, by path.")]
    graph_files: Annotated[
        Files, about("Other files of the graph that differ: aspects, flows, the configuration.")
    ]
    unowned: Annotated[Files, about("The files that differ and that no node owns, by path.")]
    untouched: Annotated[
        Files, about("The nodes whose source files differ, while none of their texts does.")
    ]
    needs_reason: Annotated[
        Files, about("The nodes that `yg drift-sync` records only with a changed text or a reason.")
    ]
    new_issues: Annotated[
        tuple[IssueRecord, ...], about("The issues that the graph did not have at the commit.")
    ]


class Closed(Struct, frozen=True):
    """A closing with its new issues and the nodes that drifted before, for the text."""

    closing: Closing
    issues: tuple[Issue, ...]
    earlier: frozenset[str]


def closing_of(changes: ChangesSince, new: Verdict, found: DriftReport) -> Closed:
    """Collect the changes since a commit; `new` are the issues that it does not have."""
    workspace = changes.workspace
    then = yggdrasil_graph(changes.past_queries)
    nodes, graph_files, unowned = _grouped(then, workspace, changes.files)
    issues = tuple(issue for issue in new.issues if issue.follows is None)
    closing = Closing(
        since=changes.revision,
        nodes=nodes,
        graph_files=graph_files,
        unowned=unowned,
        untouched=tuple(_untouched(workspace.graph, nodes)),
        needs_reason=found.gated,
        new_issues=tuple(map(issue_data, issues)),
    )
    earlier = frozenset(_drifted_before(found.drifts, nodes, frozenset(changes.files)))
    return Closed(closing, issues, earlier)


def _drifted_before(
    drifts: Iterable[NodeDrift], nodes: Iterable[NodeChange], files: Collection[str]
) -> Iterator[str]:
    """Yield the nodes none of whose drift is from the changed files."""
    changed = {change.node for change in nodes}
    for drift in drifts:
        differing = (change.path for change in (*drift.source, *drift.graph))
        if drift.node not in changed and not any(path in files for path in differing):
            yield drift.node


def _grouped(
    then: Graph, workspace: OpenWorkspace, files: Iterable[str]
) -> tuple[tuple[NodeChange, ...], tuple[str, ...], tuple[str, ...]]:
    """Return changed files by node, those of the rest of the graph, and those without an owner."""
    now = workspace.graph
    ownership = Ownership(now, workspace.sources)
    by_node: dict[str, tuple[list[str], list[str]]] = {}
    graph_files, unowned = [], []
    for file in files:
        if is_graph_content(file):
            node = _node_with(now, then, file)
            if node is None:
                graph_files.append(file)
            else:
                by_node.setdefault(node, ([], []))[1].append(file)
        elif not paths.is_inside(file, FOLDER):
            owner = ownership.get(file)
            if owner is None:
                unowned.append(file)
            else:
                by_node.setdefault(owner.node, ([], []))[0].append(file)
    changes = tuple(
        NodeChange(
            node=node,
            change=_alteration(then, now, node),
            sources=tuple(by_node[node][0]),
            graph_files=tuple(by_node[node][1]),
        )
        for node in sorted(by_node, key=paths.root_first)
    )
    return changes, tuple(graph_files), tuple(unowned)


def _node_with(now: Graph, then: Graph, file: str) -> str | None:
    """Return the node that has a file of the graph in its directory, now or before."""
    tree, directory = now.nodes.spec.tree, paths.parent(file)
    if not paths.is_inside(directory, tree):
        return None
    path = directory.removeprefix(tree).removeprefix("/") or paths.ROOT
    return path if path in now.nodes.all or path in then.nodes.all else None


def _alteration(then: Graph, now: Graph, node: str) -> Alteration:
    if node not in now.nodes.all:
        return Alteration.REMOVED
    return Alteration.CHANGED if node in then.nodes.all else Alteration.ADDED


def _untouched(graph: Graph, changes: Iterable[NodeChange]) -> Iterator[str]:
    """Yield the nodes with changed sources and unchanged texts; blackboxes need no other text."""
    for change in changes:
        node = graph.nodes.get(change.node)
        if node is None or node.is_blackbox or not change.sources:
            continue
        if not any(is_own_text(node, file) for file in change.graph_files):
            yield change.node


def closing_text(closed: Closed, drifts: Sequence[NodeDrift], palette: Palette) -> Iterator[str]:
    """Yield the sections: changes, texts that did not change, drift, reasons and new issues."""
    closing = closed.closing
    yield _changes_text(closing)
    sources = {change.node: len(change.sources) for change in closing.nodes}
    yield _section(
        "Texts untouched",
        (
            f"{visible(node)}: {counted(sources[node], 'source file')} changed, no text of the node"
            for node in closing.untouched
        ),
    )
    recent = [drift for drift in drifts if drift.node not in closed.earlier]
    before = [drift for drift in drifts if drift.node in closed.earlier]
    older = [f"{line}, before {visible(closing.since)}" for line in drifted_lines(before)]
    more = [OTHER_COMMIT] if older and not closing.nodes else []
    yield _section("Drift", [*drifted_lines(recent), *older, *short_steps(drifts), *more])
    asked = closing.needs_reason
    commands = [sync_command(asked, REASON), *left_over(asked)] if asked else []
    yield _section("Reasons needed", commands)
    issues = "".join(issue_text(issue, palette) for issue in closed.issues)
    yield f"New issues:\n{issues}" if issues else "New issues: none\n"


def _section(title: str, lines: Iterable[str]) -> str:
    listed = "".join(f"  {line}\n" for line in lines)
    return f"{title}:\n{listed}" if listed else f"{title}: none\n"


def _changes_text(closing: Closing) -> str:
    groups = [(_label(change), (*change.sources, *change.graph_files)) for change in closing.nodes]
    groups += [("(rest of the graph)", closing.graph_files), ("(no node)", closing.unowned)]
    number = sum(len(files) for _, files in groups)
    head = f"{counted(len(closing.nodes), 'node')}, {counted(number, 'file')}"
    lines = [f"Changed since {visible(closing.since)}: {head if number else 'nothing'}"]
    for label, files in groups:
        lines += [f"  {label}", *(f"    {visible(file)}" for file in files)] if files else []
    return "".join(f"{line}\n" for line in lines)


def _label(change: NodeChange) -> str:
    how = "" if change.change is Alteration.CHANGED else f" ({change.change})"
    return f"{visible(change.node)}{how}"
