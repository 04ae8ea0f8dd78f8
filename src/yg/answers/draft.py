"""The `draft` command: propose a first graph for the code, and write it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.answers.answer import Answer
from yg.code.propose import FEWEST, NOTHING_KNOWN, Known, Proposal, propose
from yg.code.roles import TEST_FILES, matching_test_patterns
from yg.disk.apply import cleared_applier
from yg.disk.lock import writing
from yg.kernel import paths
from yg.kernel.edit import Write
from yg.kernel.errors import UsageError, YgError
from yg.kernel.plural import counted
from yg.kernel.snapshot import Kind
from yg.render.draft import draft_data, draft_text
from yg.yggdrasil.accept import accepting_config, to_accept
from yg.yggdrasil.draft import ARTIFACTS, TYPE, draft_config, draft_files, node_type
from yg.yggdrasil.init import new_graph, platform_files
from yg.yggdrasil.model import CONFIG_FILE, STANDARD_CODE
from yg.yggdrasil.places import FOLDER
from yg.yggdrasil.platforms import DEFAULT_PLATFORM, PLATFORMS
from yg.yggdrasil.unowned import known_graph, unowned_project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from yg.code.propose import Undeclared
    from yg.kernel.edit import Edit
    from yg.workspace import OpenWorkspace
    from yg.yggdrasil.graph import Graph

MOST_NODES = 40


class DraftOptions(Struct, frozen=True, kw_only=True):
    """What to draft."""

    most: int = MOST_NODES  # nodes of the whole graph
    tops: Sequence[str] = ()  # directories as the user typed them; none: the whole repository
    with_others: bool = True  # also tests, documentation and so on
    add: bool = False  # to a graph that has nodes
    dry_run: bool = False


class PlannedDraft(Struct, frozen=True, kw_only=True):
    """A draft, and the edits that write it."""

    known: Known
    proposal: Proposal
    accepted: tuple[Undeclared, ...]  # imports that the configuration gets an entry for
    edits: tuple[Edit, ...]
    is_new: bool  # whether the graph is created, too
    finds_drafts: bool  # whether `yg validate` reports drafts in the graph


def draft(reopen: Callable[[], OpenWorkspace], options: DraftOptions) -> Answer:
    """Propose nodes for the source files that no node owns, and write them."""
    if options.most < FEWEST:
        raise UsageError(f"expected a number >= {FEWEST} for --max-nodes, got {options.most}")
    workspace = reopen()
    workspace.require_writable("yg draft")
    found = _draft(workspace, options)
    if found.edits and not options.dry_run:
        with writing(workspace.root, FOLDER):
            again = reopen()  # another process may have written in the meantime
            if _known(again, _graph(again)) != found.known:
                found = _draft(again, options)
            cleared_applier(workspace.root, FOLDER).apply(found.edits)
    proposal, edits = found.proposal, found.edits
    return Answer(
        data=lambda: draft_data(proposal, edits, dry_run=options.dry_run, is_new=found.is_new),
        forms={
            "text": lambda palette: draft_text(
                proposal,
                palette,
                accepted=len(found.accepted),
                dry_run=options.dry_run,
                finds_drafts=found.finds_drafts,
            )
        },
    )


def _graph(workspace: OpenWorkspace) -> Graph | None:
    """Return the graph; None if there is none, or only what an interrupted run left of one."""
    if workspace.tree.kind(FOLDER) is None:
        return None
    graph = workspace.graph
    has_config = graph.snapshot.kind(graph.config.file) is not None
    return graph if has_config or graph.nodes.ids() else None


def _known(workspace: OpenWorkspace, graph: Graph | None) -> Known:
    return NOTHING_KNOWN if graph is None else known_graph(graph, workspace.sources)


def _draft(workspace: OpenWorkspace, options: DraftOptions) -> PlannedDraft:
    graph = _graph(workspace)
    known = _known(workspace, graph)
    count = 0 if graph is None else len(graph.nodes.ids())
    if count and not options.add:
        raise YgError(
            f"the graph has {counted(count, 'node')} already",
            hint="'yg draft --add' drafts nodes for the files that no node owns.",
        )
    settings = STANDARD_CODE if graph is None else graph.config.code or STANDARD_CODE
    project = unowned_project(
        workspace.sources,
        known,
        settings,
        tops=_tops(workspace, options.tops),
        ignored=TEST_FILES if graph is None else settings.ignore,
    )
    proposal = propose(project, most=options.most - count, with_others=options.with_others)
    if not proposal.nodes and not count:
        raise YgError(
            "there are no source files to draft nodes for",
            hint="'yg init' creates an empty graph.",
        )
    accepted: tuple[Undeclared, ...] = ()
    if graph is None:
        edits = [*_new_graph(workspace, proposal), *draft_files(proposal, TYPE, ARTIFACTS)]
    else:
        artifacts = [name for name in ARTIFACTS if name in graph.config.artifacts]
        kind = node_type(graph)
        edits = [*draft_files(proposal, kind, artifacts)]
        accepted = to_accept(graph, proposal, kind)
        if accepted:
            edits.append(Write(graph.config.file, accepting_config(graph, accepted).encode()))
    return PlannedDraft(
        known=known,
        proposal=proposal,
        accepted=accepted,
        edits=tuple(edits),
        is_new=graph is None,
        finds_drafts=graph is None or graph.config.code is not None,
    )


def _tops(workspace: OpenWorkspace, typed: Sequence[str]) -> tuple[str, ...]:
    """Return the directories to draft, relative to the root."""
    found: dict[str, None] = {}
    for name in typed:
        path = workspace.relative(name)
        if path is None or workspace.tree.kind(path) is not Kind.DIRECTORY:
            raise UsageError(f"'{name}' is not a directory of this repository")
        found[path] = None
    return tuple(sorted(found)) or (paths.ROOT,)


def _new_graph(workspace: OpenWorkspace, proposal: Proposal) -> Iterator[Edit]:
    """Yield the edits of `yg init`, with settings for a draft."""
    code = (file for node in proposal.nodes if not node.is_blackbox for file in node.files)
    patterns = sorted({pattern for file in code for pattern in matching_test_patterns(file)})
    for edit in new_graph(os.path.basename(os.path.realpath(workspace.root)).strip()):
        if isinstance(edit, Write) and paths.name_of(edit.path) == CONFIG_FILE:
            config = draft_config(edit.content.decode(), patterns)
            yield Write(edit.path, config.encode())
        else:
            yield edit
    yield from platform_files(workspace.tree, PLATFORMS[DEFAULT_PLATFORM])
