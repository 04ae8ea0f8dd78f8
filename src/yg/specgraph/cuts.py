"""Cutting entries from a document until it fits a number of tokens.

Affected nodes are cut first, all at once, because the line about one of them is hardly longer than
a line in the list of cuts. Entries follow, one step for each level, the farthest from the target
first; at the first level, groups are cut before other nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg.kernel.escapes import shell_quoted
from yg.kernel.fit import Group, Piece, cut_order, cut_to_fit, no_room
from yg.kernel.package import CHARACTERS_PER_TOKEN
from yg.specgraph.context import AFFECTED, ContextPart, IncludedNode, Item
from yg.specgraph.view import LEFT_OUT, EntryCut, FittedEntries, LeftOutEntry, label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg.specgraph.view import ContextView

LIST_OF_CUTS = "list of cuts"


class _EntryPlace(Struct, frozen=True):
    """The place of some items in a view, and their line in the list of cuts."""

    part: int
    items: tuple[int, ...]
    cut: EntryCut


def fit_view(view: ContextView, budget: int, options: Sequence[str] = ()) -> ContextView:
    """Cut entries until a view fits; raise NoRoomError if that is impossible.

    `options` are added to the commands that show what was cut.
    """
    order = cut_order(_pieces(view, options))
    floor = _without(view, order)
    before, least = view.tokens, min(view, floor, key=lambda shown: shown.tokens)
    if least.tokens > budget:
        raise no_room(budget, least.tokens, _sizes(least), view.budget.unit)
    chosen: Sequence[Piece[_EntryPlace]] = ()
    fitted = view
    groups = tuple(_groups(view, order))
    heading = view.cost_of(f"\n{ContextPart(LEFT_OUT, ()).text}")
    limit = budget if view.budget.tokenizer else budget * CHARACTERS_PER_TOKEN
    while fitted.tokens > budget:
        chosen = cut_to_fit(order, groups, floor.cost, limit, listing=heading)
        fitted = _without(view, chosen)
        limit -= max(1, fitted.tokens - budget)  # again only if a tokenizer counts
    cuts = tuple(piece.value.cut for piece in chosen)
    return replace(
        fitted, fit=FittedEntries(budget=budget, before=before, floor=least.tokens, cuts=cuts)
    )


def _pieces(view: ContextView, options: Sequence[str]) -> Iterator[Piece[_EntryPlace]]:
    """Yield what can be cut: the affected nodes as a whole, and single entries."""
    deepest = _deepest(view.parts)
    position = 0
    for at, part in enumerate(view.parts):
        for places in _cuttable(part):
            items = [part.items[place] for place in places]
            step = _step(items[0], deepest)
            cut = _cut(view, part, items, step, options)
            yield Piece(
                value=_EntryPlace(at, places, cut),
                step=step,
                position=position + places[0],
                cost=view.cost_of("".join(item.text for item in items)),
                line=view.cost_of(f"{cut.line}\n"),
                group=at,
            )
        position += len(part.items)


def cut_steps(parts: Sequence[ContextPart]) -> dict[tuple[str, str], int]:
    """Return the step in which each entry is cut, by its section and node.

    A section that is cut as a whole has an entry without a node.
    """
    deepest = _deepest(parts)
    return {
        (part.heading, _cut_subject(part, items)): _step(items[0], deepest)
        for part in parts
        for items in ([part.items[place] for place in places] for places in _cuttable(part))
    }


def _deepest(parts: Iterable[ContextPart]) -> int:
    return max((_level(item) for part in parts for item in part.items), default=0)


def _cut_subject(part: ContextPart, items: Sequence[Item]) -> str:
    return "" if part.heading == AFFECTED else items[0].subject


def _cuttable(part: ContextPart) -> Iterator[tuple[int, ...]]:
    """Yield the places of the items of a section that are cut together."""
    if part.heading == AFFECTED:
        yield tuple(range(len(part.items)))
        return
    for place, item in enumerate(part.items):
        if _level(item) and not item.is_binding and not item.as_in:
            yield (place,)


def _level(item: Item) -> int:
    """Return how far an entry is from the target; 0 for what is not an entry."""
    return item.entry.level if isinstance(item.entry, IncludedNode) else 0


def _step(item: Item, deepest: int) -> int:
    """Return the step in which an item is cut."""
    entry = item.entry
    if not isinstance(entry, IncludedNode):
        return 1
    is_kept_longest = entry.level == 1 and not entry.is_namespace
    return 2 + deepest - entry.level + is_kept_longest


def _cut(
    view: ContextView, part: ContextPart, items: Sequence[Item], step: int, options: Sequence[str]
) -> EntryCut:
    subject = _cut_subject(part, items)
    nodes = (items[0].targets or view.node_ids)[:1] if subject else view.node_ids
    selector = f"{part.kind}:{subject}" if subject else part.kind
    words = (*nodes, "--only", selector, *options)
    return EntryCut(
        section=part.heading,
        subject=subject,
        tokens=view.tokens_of("".join(item.text for item in items)),
        step=step,
        command=" ".join(["yg build-context", *map(shell_quoted, words)]),
    )


def _without(view: ContextView, pieces: Iterable[Piece[_EntryPlace]]) -> ContextView:
    """Cut items from a view, and list them in its last section."""
    places = [piece.value for piece in sorted(pieces, key=lambda piece: piece.position)]
    if not places:
        return view
    gone = {(place.part, item) for place in places for item in place.items}
    kept = (
        replace(part, items=tuple(i for n, i in enumerate(part.items) if (at, n) not in gone))
        for at, part in enumerate(view.parts)
    )
    listing = ContextPart(LEFT_OUT, tuple(Item(lines=(place.cut.line,)) for place in places))
    omissions = (
        LeftOutEntry(
            label(part, part.items[item]), part.items[item], f"--fit: step {place.cut.step}"
        )
        for place in places
        for part in (view.parts[place.part],)
        for item in place.items
    )
    return replace(
        view,
        parts=(*(part for part in kept if part.items), listing),
        omissions=(*view.omissions, *omissions),
    )


def _groups(view: ContextView, order: Iterable[Piece[_EntryPlace]]) -> Iterator[Group]:
    """Yield what the first entry of each section costs besides its size: the heading."""
    cut: dict[int, int] = {}
    for piece in order:
        cut[piece.group] = cut.get(piece.group, 0) + len(piece.value.items)
    for at, part in enumerate(view.parts):
        is_empty = cut.get(at, 0) == len(part.items)
        heading = f"\n{replace(part, items=()).text}"
        yield Group(first=view.cost_of(heading) if is_empty else 0)


def _sizes(floor: ContextView) -> Iterator[tuple[str, int]]:
    """Yield the parts that cannot be cut with their sizes; a list counts as one part."""
    yield "title", floor.tokens_of(f"{floor.title}\n")
    for part in floor.parts:
        name = LIST_OF_CUTS if part.heading == LEFT_OUT else part.heading
        if part.items[0].subject:
            yield from ((label(part, item), floor.tokens_of(item.text)) for item in part.items)
        else:
            yield name, floor.tokens_of(part.text)
