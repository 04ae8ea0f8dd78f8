"""The changed code of nodes, and the sentences about it, as stale blocks show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.code.change_class import NameChangeKind
from yg_old.code.parts import FILE
from yg_old.commands.drift.find import classified_sources
from yg_old.commands.review.documents import sentence_to_check
from yg_old.commands.review.find import RecordedTexts, Reviewer, counted_changes
from yg_old.commands.review.part_lines import PartLines
from yg_old.commands.review.text import reasons
from yg_old.commands.unified import changed_lines
from yg_old.kernel.palette import visible
from yg_old.yggdrasil.drift.states import State
from yg_old.yggdrasil.package.stale import MISSING, StaleNode, StalePart, StaleSentence

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from yg_old.commands.review.find import ReviewedNode
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.drift.states import NodeDrift
    from yg_old.yggdrasil.review.evidence import ChangedPart, FoundSentence

WHOLE = 30  # lines of a part that is shown whole
AROUND = 2  # lines around a change in a longer part
FIRST = 5  # lines of a longer part whose old text is not known
MOST_LINES = 60  # of the changes in one part
GAP = "..."


def stale_code(
    workspace: OpenWorkspace, drifts: Sequence[NodeDrift], quoted: Collection[str]
) -> Mapping[str, StaleNode]:
    """Return what changed in the code of nodes; sentences are looked for in the quoted files."""
    found = classified_sources(workspace, drifts)
    changed = [drift for drift in found if counted_changes(drift)]
    reviewer = Reviewer(workspace, RecordedTexts(workspace, changed).of, quoted)
    nodes = (_stale(reviewer.reviewed(drift), drift) for drift in changed)
    return {stale.node: stale for stale in nodes if stale.parts}


def _stale(found: ReviewedNode, drift: NodeDrift) -> StaleNode:
    is_missing = drift.state is State.MISSING
    worst = max(counted_changes(drift), key=lambda change: change.kind.rank).kind
    old = {file.path: PartLines(file.old) for file in found.files}
    new = {file.path: PartLines(file.new) for file in found.files}
    return StaleNode(
        node=drift.node,
        changes=MISSING if is_missing else str(worst),
        parts=tuple(_part(part, old, new) for part in found.parts),
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


def _part(
    part: ChangedPart, old: Mapping[str, PartLines], new: Mapping[str, PartLines]
) -> StalePart:
    is_removed = part.change is NameChangeKind.REMOVED
    return StalePart(
        name=part.name,
        path=part.path,
        change=part.change,
        kind=part.kind,
        is_public=part.is_public,
        is_outside=part.name == FILE,
        first=part.first,
        last=part.last,
        code="" if is_removed else _code(part, old, new),
    )


def _code(part: ChangedPart, old: Mapping[str, PartLines], new: Mapping[str, PartLines]) -> str:
    """Return the lines of a part as they are now; of a long one, what changed in it."""
    lines = new[part.path].own(part.name, part.first, part.last)
    if not lines:
        return ""
    if len(lines) <= WHOLE and part.name != FILE:
        return _joined(lines, lines)
    then = old.get(part.old_path)
    before = then.own(part.name, part.old_first, part.old_last) if then else {}
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
