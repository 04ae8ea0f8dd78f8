"""Render a draft of a graph as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.escapes import shell_word
from yg.kernel.plural import counted
from yg.render.edits import about_drafts
from yg.render.plain import visible
from yg.render.tree import BLACKBOX, Branches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.code.propose import Import, Proposal, ProposedNode
    from yg.kernel.edit import Edit
    from yg.render.plain import Palette
    from yg.render.shapes.draft import DraftDocument, DraftedRelation

NOTHING = "Nothing to draft: every source file has a node.\n"


def draft_text(
    proposal: Proposal, palette: Palette, *, accepted: int, dry_run: bool, finds_drafts: bool
) -> str:
    """Write the tree of nodes, their number and the next steps.

    `accepted` is the number of undeclared imports that the configuration gets an entry for;
    `finds_drafts` says whether `yg validate` reports the drafts that are left.
    """
    if not proposal.nodes:
        return NOTHING
    return "".join(
        (
            *_tree(proposal.nodes, palette),
            "\n",
            _summary(proposal, dry_run=dry_run),
            _accepted(accepted),
            *([] if dry_run else _next_steps(proposal, finds_drafts=finds_drafts)),
        )
    )


def _tree(nodes: Sequence[ProposedNode], palette: Palette) -> Iterator[str]:
    """Yield a line for each node, below its parent if that is drafted, too."""
    drafted = {node.path for node in nodes}
    last: dict[str, str] = {}
    for node in nodes:
        last[paths.parent(node.path)] = node.path
    branches = Branches()
    for node in sorted(nodes, key=lambda node: node.path.split("/")):
        above = paths.parent(node.path)
        level = sum(place in drafted for place in paths.lineage(node.path))
        is_last = last[above] == node.path
        start = branches.before(level, is_last=is_last) if level else ""
        label = paths.name_of(node.path) if level else node.path
        yield f"{start}{visible(label)}{_facts(node, palette)}\n"


def _facts(node: ProposedNode, palette: Palette) -> str:
    facts = [palette.yellow(BLACKBOX)] if node.is_blackbox else []
    facts.append(palette.dim(counted(len(node.files), "file")))
    if node.relations:
        facts.append(palette.dim(f"-> {counted(len(node.relations), 'relation')}"))
    if node.left_out:
        facts.append(palette.dim(f"({len(node.left_out)} left out)"))
    return f" {' '.join(facts)}"


def _summary(proposal: Proposal, *, dry_run: bool) -> str:
    nodes = proposal.nodes
    relations = sum(len(node.relations) for node in nodes)
    left_out = sum(len(node.left_out) for node in nodes)
    files = sum(len(node.files) for node in nodes)
    verb = "Would write" if dry_run else "Wrote"
    what = f"{counted(len(nodes), 'node')} for {counted(files, 'file')}"
    text = f"{verb} {what}, with {counted(relations, 'relation')}.\n"
    if left_out:
        what = f"{counted(left_out, 'relation')} that would close a cycle"
        text += f"Left out: {what}, written as comments.\n"
    return text


def _accepted(count: int) -> str:
    if not count:
        return ""
    what = f"{counted(count, 'pair')} of nodes with undeclared imports"
    return f"Accepted: {what}, listed under 'code.accepted' in yg-config.yaml.\n"


def _next_steps(proposal: Proposal, *, finds_drafts: bool) -> Iterator[str]:
    if proposal.first:
        yield "\nNext, describe the nodes that most others use: replace the text of\n"
        for path in proposal.first:
            yield f"  .yggdrasil/model/{visible(path)}/responsibility.md\n"
        yield f"and look at the result with 'yg build-context {shell_word(proposal.first[0])}'.\n"
    rest = about_drafts(finds_drafts=finds_drafts)
    yield f"'yg validate' lists what is left to do.{rest}\n"


def draft_data(
    proposal: Proposal, edits: Sequence[Edit], *, dry_run: bool, is_new: bool
) -> DraftDocument:
    """Return a draft as data."""
    from yg.render.edits import edit_data
    from yg.render.shapes.draft import DraftDocument, DraftedNode

    return DraftDocument(
        dry_run=dry_run,
        new_graph=is_new,
        nodes=[
            DraftedNode(
                path=node.path,
                blackbox=node.is_blackbox,
                mapping=list(node.mapping),
                files=len(node.files),
                relations=[_relation(relation) for relation in node.relations],
                left_out=[_relation(relation) for relation in node.left_out],
            )
            for node in proposal.nodes
        ],
        first=list(proposal.first),
        edits=[edit_data(edit) for edit in edits],
    )


def _relation(relation: Import) -> DraftedRelation:
    from yg.render.shapes.draft import DraftedRelation

    return DraftedRelation(
        target=relation.target,
        consumes=list(relation.names),
        imports=[f"{edge.file}:{edge.line}" for edge in relation.places],
    )
