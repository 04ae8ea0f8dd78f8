"""`yg draft`: propose a first graph for the code, and write it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType

from yg_old.code.draft.propose import FEWEST, NOTHING_KNOWN, Known, Proposal, propose
from yg_old.code.draft.roles import TEST_FILES, matching_test_patterns
from yg_old.code.languages import language_of
from yg_old.commands.branches import BLACKBOX, Branches
from yg_old.commands.command import Command
from yg_old.commands.project import default_name
from yg_old.commands.request import Option, Request
from yg_old.disk.git.history import commits_by_node
from yg_old.disk.writing.journal import commit_over
from yg_old.disk.writing.lock import writing
from yg_old.formats import YGGDRASIL
from yg_old.kernel.document import Count, Document, Record, Text, about
from yg_old.kernel.edit import Edits, WasDryRun, Write
from yg_old.kernel.errors import NoGraphError, UnreadableError, UsageError, YgError
from yg_old.kernel.palette import visible
from yg_old.kernel.snapshot import Kind
from yg_old.text import paths
from yg_old.text.escapes import shell_word
from yg_old.text.plural import and_more, counted
from yg_old.workspace.given import relative_path
from yg_old.workspace.opened import OpenWorkspace
from yg_old.yggdrasil.code.proposed_files import TYPE, draft_config, draft_files, node_type
from yg_old.yggdrasil.code.unowned import known_graph, unowned_project
from yg_old.yggdrasil.edit.accept import accepting_config, to_accept
from yg_old.yggdrasil.edit.extend import extended_nodes
from yg_old.yggdrasil.levels import refuses_cycles
from yg_old.yggdrasil.model import CONFIG_FILE, RESPONSIBILITY_FILE, STANDARD_CODE
from yg_old.yggdrasil.places import FOLDER
from yg_old.yggdrasil.start.init import created_config, new_graph, platform_files
from yg_old.yggdrasil.start.platforms import DEFAULT_PLATFORM, PLATFORMS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.code.draft.extend import Extension
    from yg_old.code.draft.propose import Import, Project, ProposedNode, Undeclared
    from yg_old.commands.command import Run
    from yg_old.kernel.edit import Edit
    from yg_old.kernel.palette import Palette
    from yg_old.yggdrasil.graph import Graph

MOST_UNREAD = 5  # files named in the text
NOTHING = "Nothing to draft: every source file has a node.\n"


class DraftRequest(Request["Draft"], frozen=True, kw_only=True):
    """What to draft."""

    max_nodes: Annotated[
        Annotated[int, Meta(ge=FEWEST)] | None,
        Option(
            metavar="N",
            help="the most nodes that the graph may have (default: by the number of source files)",
        ),
    ] = None
    root: Annotated[
        tuple[str, ...],
        Option(metavar="DIR", help="draft only the files in these directories", takes_many=True),
    ] = ()
    no_tests: Annotated[
        bool,
        Option(help="leave out tests, documentation, examples, and vendored or generated code"),
    ] = False
    add: Annotated[bool, Option(help="give files that no node owns to nodes, or to new ones")] = (
        False
    )
    dry_run: Annotated[bool, Option(help="show the nodes without writing them")] = False


class DraftedRelation(Record, frozen=True, kw_only=True):
    """A relation of type `uses`."""

    target: Annotated[Text, about("The path of the node that is used.")]
    consumes: Annotated[
        tuple[Text, ...], about("The imported names; empty if everything is imported.")
    ]
    imports: Annotated[tuple[Text, ...], about("The places of the imports, as `file:line`.")]


class DraftedNode(Record, frozen=True, kw_only=True):
    """One node of a draft."""

    path: Annotated[Text, about("The path of the node.")]
    blackbox: Annotated[bool, about("Whether it is known only from outside, such as tests.")]
    mapping: Annotated[tuple[Text, ...], about("The mapped files and directories.")]
    exclude: Annotated[
        tuple[Text, ...] | UnsetType,
        about("Patterns of files that the mapping leaves out, as in .gitignore; absent if none."),
    ] = UNSET
    files: Annotated[Count, about("The number of its source files; of a blackbox, of all files.")]
    relations: Annotated[tuple[DraftedRelation, ...], about("Its relations, by target.")]
    left_out: Annotated[
        tuple[DraftedRelation, ...],
        about("Relations that are left out: each would close a cycle."),
    ]


class ExtendedNode(Record, frozen=True, kw_only=True):
    """A node that existed before and gets files."""

    path: Annotated[Text, about("The path of the node.")]
    added: Annotated[tuple[Text, ...], about("The files and directories added to its mapping.")]
    files: Annotated[Count, about("The number of files that it gets.")]


class Draft(Document, frozen=True, kw_only=True, tag="yg-draft/1"):
    """What `yg draft --json` prints: the nodes of a first graph for the code."""

    HIDDEN = ("accepted",)
    HIDING = ("edits",)

    dry_run: WasDryRun
    new_graph: Annotated[bool, about("Whether the graph is created, too, as by `yg init`.")]
    nodes: Annotated[tuple[DraftedNode, ...], about("The new nodes, by path.")]
    first: Annotated[
        tuple[Text, ...],
        about(
            "The new nodes to describe first: those with most lines of code, times the nodes "
            "they have relations with."
        ),
    ]
    extended: Annotated[
        tuple[ExtendedNode, ...] | UnsetType,
        about("Nodes that existed before and get files, by path; absent if there are none."),
    ] = UNSET
    unread: Annotated[
        tuple[Text, ...] | UnsetType,
        about(
            "Source files of known languages that cannot be read, so that their imports are not "
            "known, by path; absent if there are none."
        ),
    ] = UNSET
    edits: Edits
    accepted: int  # pairs of nodes with undeclared imports that the configuration gets an entry for


def ask(run: Run, request: DraftRequest) -> Draft:
    """Propose nodes for the source files that no node owns, and write them."""
    workspace = _workspace(run)
    workspace.require_writable("yg draft")
    known = _known(workspace)
    draft = _draft(workspace, known, request)
    if draft.edits and not request.dry_run:
        with writing(workspace.root, FOLDER):
            again = _workspace(run)  # another process may have written in the meantime
            if (now := _known(again)) != known:
                draft = _draft(again, now, request)
            commit_over(workspace.root, FOLDER, draft.edits)
    return draft


def _workspace(run: Run) -> OpenWorkspace:
    """Open the graph, or this directory if its repository has no graph yet."""
    try:
        found = run.reopen()
        if not found.is_outside:
            return found
        run.opened.clear()  # the graph of another repository does not matter
    except NoGraphError:
        pass
    root = os.path.abspath(run.directory)
    return OpenWorkspace(root, root, YGGDRASIL, uses_index=False)


def _graph(workspace: OpenWorkspace) -> Graph | None:
    """Return the graph; None if there is none, or only what an interrupted run left of one."""
    if workspace.tree.kind(FOLDER) is None:
        return None
    graph = workspace.graph
    has_config = graph.snapshot.kind(graph.config.file) is not None
    return graph if has_config or graph.nodes.ids() else None


def _known(workspace: OpenWorkspace) -> Known:
    graph = _graph(workspace)
    return NOTHING_KNOWN if graph is None else known_graph(graph, workspace.sources)


def _draft(workspace: OpenWorkspace, known: Known, request: DraftRequest) -> Draft:
    graph = _graph(workspace)
    count = 0 if graph is None else len(graph.nodes.ids())
    if count and not request.add:
        raise YgError(
            f"the graph has {counted(count, 'node')} already",
            hint="'yg draft --add' drafts nodes for the files that no node owns.",
        )
    is_new = graph is None or _is_as_created(graph)
    settings = STANDARD_CODE if graph is None else graph.config.code or STANDARD_CODE
    project = unowned_project(
        workspace.sources,
        known,
        settings,
        tops=_tops(workspace, request.root),
        ignored=TEST_FILES if is_new else settings.ignore,
    )
    proposal = propose(
        project,
        most=None if request.max_nodes is None else request.max_nodes - count,
        with_others=not request.no_tests,
        keeps_cycles=graph is not None and not refuses_cycles(graph),
    )
    if not proposal.nodes and not count:
        raise YgError(
            "there are no source files to draft nodes for",
            hint="'yg init' creates an empty graph.",
        )
    accepted: tuple[Undeclared, ...] = ()
    if graph is None:
        edits = [*_new_graph(workspace, proposal), *draft_files(proposal, TYPE, has_texts=True)]
    elif is_new:
        config = _config(created_config(graph.config.name), proposal)
        edits = [config, *draft_files(proposal, TYPE, has_texts=True)]
    else:
        has_texts = RESPONSIBILITY_FILE in graph.config.artifacts
        kind = node_type(graph)
        edits = [*draft_files(proposal, kind, has_texts=has_texts)]
        edits += extended_nodes(graph, proposal.extended)
        accepted = to_accept(graph, proposal, kind)
        if accepted:
            edits.append(Write(graph.config.file, accepting_config(graph, accepted).encode()))
    return Draft(
        dry_run=request.dry_run,
        new_graph=graph is None,
        nodes=tuple(map(_node, proposal.nodes)),
        first=proposal.first(lambda: _commits(workspace, proposal)),
        extended=tuple(map(_extended, proposal.extended)) or UNSET,
        unread=tuple(sorted(_unread(project))) or UNSET,
        edits=tuple(edits),
        accepted=len(accepted),
    )


def _unread(project: Project) -> Iterator[str]:
    """Yield the files of known languages whose text cannot be read, such as one not in UTF-8."""
    for file, source in project.sources.items():
        if source.facts is None and language_of(file):
            yield file


def _commits(workspace: OpenWorkspace, proposal: Proposal) -> dict[str, int]:
    owners = {file: node.path for node in proposal.nodes for file in node.files}
    return commits_by_node(workspace.root, owners)


def _tops(workspace: OpenWorkspace, typed: Sequence[str]) -> tuple[str, ...]:
    """Return the directories to draft, relative to the root."""
    found: dict[str, None] = {}
    for name in typed:
        path = relative_path(workspace, name)
        if path is None or workspace.tree.kind(path) is not Kind.DIRECTORY:
            raise UsageError(f"'{name}' is not a directory of this repository")
        found[path] = None
    return tuple(sorted(found)) or (paths.ROOT,)


def _is_as_created(graph: Graph) -> bool:
    """Tell whether a graph has no nodes, and the configuration that `yg init` has written."""
    if graph.nodes.ids() or graph.snapshot.kind(graph.config.file) is not Kind.FILE:
        return False
    try:
        text = graph.snapshot.text(graph.config.file).value
    except UnreadableError:
        return False  # a rule reports it
    return text == created_config(graph.config.name)


def _new_graph(workspace: OpenWorkspace, proposal: Proposal) -> Iterator[Edit]:
    """Yield the edits of `yg init`, with settings for a draft."""
    for edit in new_graph(default_name(workspace.root, workspace.tree)):
        if isinstance(edit, Write) and paths.name_of(edit.path) == CONFIG_FILE:
            yield _config(edit.content.decode(), proposal)
        else:
            yield edit
    yield from platform_files(workspace.tree, PLATFORMS[DEFAULT_PLATFORM])


def _config(created: str, proposal: Proposal) -> Write:
    """Return the configuration of a new graph with settings for a draft."""
    code = (file for node in proposal.nodes if not node.is_blackbox for file in node.files)
    patterns = sorted({pattern for file in code for pattern in matching_test_patterns(file)})
    return Write(f"{FOLDER}/{CONFIG_FILE}", draft_config(created, patterns).encode())


def _node(node: ProposedNode) -> DraftedNode:
    return DraftedNode(
        path=node.path,
        blackbox=node.is_blackbox,
        mapping=node.mapping,
        exclude=node.excluded or UNSET,
        files=len(node.files),
        relations=tuple(map(_relation, node.relations)),
        left_out=tuple(map(_relation, node.left_out)),
    )


def _extended(node: Extension) -> ExtendedNode:
    return ExtendedNode(path=node.node, added=node.paths, files=len(node.files))


def _relation(relation: Import) -> DraftedRelation:
    return DraftedRelation(
        target=relation.target,
        consumes=relation.names,
        imports=tuple(f"{edge.file}:{edge.line}" for edge in relation.places),
    )


def text(draft: Draft, palette: Palette) -> str:
    """Write the tree of nodes, their number and the next steps."""
    extended = "".join(_extended_text(draft))
    if not draft.nodes:
        return extended or NOTHING
    steps = "" if draft.dry_run else "".join(_next_steps(draft))
    tree = f"{_tree(draft.nodes, palette)}\n{_summary(draft)}"
    return f"{tree}{extended}{_accepted(draft.accepted)}{_unread_text(draft)}{steps}"


def _unread_text(draft: Draft) -> str:
    """Write which files the relations do not come from."""
    files = draft.unread or ()
    if not files:
        return ""
    lines = [f"  {visible(file)}" for file in files[:MOST_UNREAD]]
    if len(files) > MOST_UNREAD:
        lines.append(f"  {and_more(len(files) - MOST_UNREAD)}")
    head = f"{counted(len(files), 'file')} in another encoding than UTF-8, or with a syntax error"
    listed = "".join(f"{line}\n" for line in lines)
    return f"Not read: {head}; the imports are not known:\n{listed}"


def _extended_text(draft: Draft) -> Iterator[str]:
    """Yield the nodes that get files, and what is added to their mappings."""
    verb = "Would add" if draft.dry_run else "Added"
    for node in draft.extended or ():
        yield f"{verb} to the mapping of {visible(node.path)}:\n"
        yield from (f"  {visible(path)}\n" for path in node.added)


def _tree(nodes: Sequence[DraftedNode], palette: Palette) -> str:
    """Write a line for each node, below its parent if that is drafted, too."""
    drafted = {node.path for node in nodes}
    last = {paths.parent(node.path): node.path for node in nodes}
    branches = Branches()
    lines = []
    for node in sorted(nodes, key=lambda node: node.path.split("/")):
        level = sum(place in drafted for place in paths.lineage(node.path))
        is_last = last[paths.parent(node.path)] == node.path
        start = branches.before(level, is_last=is_last) if level else ""
        label = paths.name_of(node.path) if level else node.path
        lines.append(f"{start}{visible(label)}{_facts(node, palette)}\n")
    return "".join(lines)


def _facts(node: DraftedNode, palette: Palette) -> str:
    facts = [palette.yellow(BLACKBOX)] if node.blackbox else []
    facts.append(palette.dim(counted(node.files, "file")))
    if node.relations:
        facts.append(palette.dim(f"-> {counted(len(node.relations), 'relation')}"))
    if node.left_out:
        facts.append(palette.dim(f"({len(node.left_out)} left out)"))
    return f" {' '.join(facts)}"


def _summary(draft: Draft) -> str:
    nodes = draft.nodes
    relations = sum(len(node.relations) for node in nodes)
    left_out = sum(len(node.left_out) for node in nodes)
    files = sum(node.files for node in nodes)
    verb = "Would write" if draft.dry_run else "Wrote"
    what = f"{counted(len(nodes), 'node')} for {counted(files, 'file')}"
    summary = f"{verb} {what}, with {counted(relations, 'relation')}.\n"
    if left_out:
        what = f"{counted(left_out, 'relation')} that would close a cycle"
        summary += f"Left out: {what}, written as comments.\n"
    return summary


def _accepted(count: int) -> str:
    if not count:
        return ""
    what = f"{counted(count, 'pair')} of nodes with undeclared imports"
    return f"Accepted: {what}, listed under 'code.accepted' in yg-config.yaml.\n"


def _next_steps(draft: Draft) -> Iterator[str]:
    if draft.first:
        yield "\nNext, describe the nodes with most to say: replace the text of\n"
        for path in draft.first:
            yield f"  .yggdrasil/model/{visible(path)}/responsibility.md\n"
        yield f"and look at the result with 'yg build-context {shell_word(draft.first[0])}'.\n"
    yield "'yg validate' lists what is left to do.\n"


COMMAND = Command(request=DraftRequest, documents=(Draft,), ask=ask, text=text)
