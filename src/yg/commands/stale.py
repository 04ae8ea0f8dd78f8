"""Find the nodes of a package whose code changed after their texts were confirmed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from yg.code.change_class import FILE, NameChangeKind
from yg.commands.drift.find import find_source_drift
from yg.commands.review.documents import sentence_to_check
from yg.commands.review.find import RecordedTexts, Reviewer, counted_changes
from yg.commands.review.text import reasons
from yg.commands.unified import changed_lines
from yg.kernel.palette import visible
from yg.yggdrasil.block_kind import BlockKind
from yg.yggdrasil.drift.states import State
from yg.yggdrasil.package.assemble import assemble
from yg.yggdrasil.package.stale import (
    MISSING,
    StaleNode,
    StalePart,
    StaleSentence,
    quoted_nodes,
    with_stale,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from yg.commands.review.find import ReviewedNode
    from yg.workspace.opened import OpenWorkspace
    from yg.yggdrasil.drift.states import NodeDrift
    from yg.yggdrasil.package.blocks import Block, ContextPackage
    from yg.yggdrasil.review.changes import ChangedFile, Version
    from yg.yggdrasil.review.evidence import ChangedPart, FoundSentence

WHOLE = 30  # lines of a part that is shown whole
AROUND = 2  # lines around a change in a longer part
FIRST = 5  # lines of a longer part whose old text is not known
MOST_LINES = 60  # of the changes in one part
GAP = "..."


def stale_marks(
    workspace: OpenWorkspace,
    packages: Sequence[ContextPackage],
    drifted: Collection[str] | None = None,
) -> Callable[[ContextPackage], ContextPackage]:
    """Return the function that adds stale blocks to these packages, or to all of them in one.

    `drifted` are the only nodes that can have changed; None if that is not known.
    """
    found = _stale_nodes(workspace, packages, drifted)
    return partial(with_stale, found=found, limit=workspace.graph.config.quality.stale)


def own_stale_block(workspace: OpenWorkspace, node: str) -> Block | None:
    """Return the block about the texts of one node itself; None if they are not stale."""
    package = assemble(workspace.graph, workspace.graph.nodes[node])
    marked = stale_marks(workspace, (package,), (node,))(package)
    return next((block for block in marked.parts if block.kind is BlockKind.STALE), None)


def _stale_nodes(
    workspace: OpenWorkspace,
    packages: Sequence[ContextPackage],
    drifted: Collection[str] | None,
) -> Mapping[str, StaleNode]:
    """Return what changed in the code of the nodes that packages quote."""
    if not workspace.format.has_drift or (drifted is not None and not drifted):
        return {}
    nodes = workspace.graph.nodes
    paths = (path for path in quoted_nodes(packages) if drifted is None or path in drifted)
    quoted = (nodes.get(path) for path in paths)
    drifts = find_source_drift(workspace, [node for node in quoted if node and node.mapping])
    changed = [drift for drift in drifts if counted_changes(drift)]
    if not changed:
        return {}
    files = frozenset(
        document.source.path
        for package in packages
        for block in package.parts
        for document in block.documents
    )
    reviewer = Reviewer(workspace, RecordedTexts(workspace, changed).of, files)
    found = (_stale(reviewer.reviewed(drift), drift) for drift in changed)
    return {stale.node: stale for stale in found if stale.parts}


def _stale(found: ReviewedNode, drift: NodeDrift) -> StaleNode:
    is_missing = drift.state is State.MISSING
    worst = max(counted_changes(drift), key=lambda change: change.kind.rank).kind
    versions = {file.path: file for file in found.files}
    return StaleNode(
        node=drift.node,
        changes=MISSING if is_missing else str(worst),
        parts=tuple(_part(part, versions) for part in found.parts),
        sentences=tuple(map(_sentence, found.findings.sentences)),
    )


def _sentence(found: FoundSentence) -> StaleSentence:
    shown = sentence_to_check(found)
    place = f"{visible(shown.document)}:{shown.line}"
    return StaleSentence(
        file=shown.file,
        line=f'- {place} "{visible(shown.text)}" ({reasons(shown, places=False)})',
        parts=frozenset((part.path, part.name) for part in found.parts),
    )


def _part(part: ChangedPart, versions: Mapping[str, ChangedFile]) -> StalePart:
    is_removed = part.change is NameChangeKind.REMOVED
    return StalePart(
        name=part.name,
        path=part.path,
        change=part.change,
        kind=part.kind,
        is_public=part.is_public,
        first=part.first,
        last=part.last,
        code="" if is_removed else _code(part, versions),
    )


def _code(part: ChangedPart, versions: Mapping[str, ChangedFile]) -> str:
    """Return the lines of a part as they are now; of a long one, what changed in it."""
    new = versions[part.path].new
    lines = own_lines(new, part.name, part.first, part.last)
    if not lines:
        return ""
    if len(lines) <= WHOLE and part.name != FILE:
        return _joined(lines, lines)
    old = versions[part.old_path].old if part.old_path else None
    before = own_lines(old, part.name, part.old_first, part.old_last) if old else {}
    numbers = list(lines)
    if not before:
        shown: Collection[int] = numbers[:FIRST]
    else:
        changed = changed_lines([*before.values()], [*lines.values()])
        places = {at for place in changed for at in range(place - AROUND, place + AROUND + 1)}
        shown = [numbers[at] for at in sorted(places) if 0 <= at < len(numbers)][:MOST_LINES]
    if len(shown) == len(lines):
        return _joined(lines, shown)
    rest = f"{GAP} lines {part.first}-{part.last} of {visible(part.path)}\n"
    return _joined(lines, shown) + rest


def own_lines(version: Version, name: str, first: int, last: int) -> dict[int, str]:
    """Return the lines of a part by number, without those of the parts inside it.

    They are not known if the text is not, or is binary.
    """
    if version.text is None or not first or "\0" in version.text:
        return {}
    inside = {
        number
        for other, part in version.parts.items()
        if other not in (name, FILE) and first <= part.first and part.last <= last
        if (part.first, part.last) != (first, last) or name == FILE
        for number in range(part.first, part.last + 1)
    }
    lines = enumerate(version.text.split("\n")[first - 1 : last], first)
    own = {number: line for number, line in lines if number not in inside}
    return own if any(line.strip() for line in own.values()) else {}


def _joined(lines: Mapping[int, str], shown: Iterable[int]) -> str:
    """Join lines; a mark stands for those that are left out between them."""
    return "".join(f"{line}\n" for line in _with_gaps(lines, shown))


def _with_gaps(lines: Mapping[int, str], shown: Iterable[int]) -> Iterator[str]:
    previous = 0
    for number in shown:
        if previous and number != previous + 1:
            yield GAP
        yield lines[number]
        previous = number
