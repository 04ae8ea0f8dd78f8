"""The document of several nodes: the sections of their documents, each entry once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from yg_old.kernel.view import merged, named_reasons, nodes_of
from yg_old.specgraph.context.assemble import document_order
from yg_old.specgraph.context.context import checked_nodes, own_check_lines
from yg_old.specgraph.context.document import bullet, check_lines, collapsed, target_lines
from yg_old.specgraph.context.entry import Affected, IncludedNode, note_of, notes
from yg_old.specgraph.context.item import TARGET_REASON, VERIFICATION, WARNINGS, Item
from yg_old.specgraph.context.layers import OMITTED
from yg_old.specgraph.context.package import ContextView, whole

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from yg_old.specgraph.context.context import Context
    from yg_old.specgraph.model import SpecNode

    Notes = Sequence[tuple[str, Sequence[str]]]  # for each target that a node concerns

SHORTEST_PATH = 2  # from a target to a layer: their ids


def combine(contexts: Sequence[Context]) -> ContextView:
    """Combine the contexts of some nodes into one view; that of no node is empty."""
    if not contexts:
        return ContextView(contexts=(), parts=())
    if len(contexts) == 1:
        return whole(contexts[0])
    parts = {context.target.id: filter(_is_shared, context.parts) for context in contexts}
    included = {entry.node.id for context in contexts for entry in context.entries}
    shown = included.union(parts)
    items = merged(parts, _key, partial(_merge, targets=tuple(parts), shown=shown))
    return ContextView(
        contexts=tuple(contexts),
        parts=(
            *(_target_item(context, shown) for context in contexts),
            *sorted(items, key=_place),
            *(item for item in _checks(contexts) if item.lines),
        ),
        budget=contexts[0].budget,
    )


def _is_shared(item: Item) -> bool:
    """Tell whether the documents of several nodes can have an item."""
    return bool(item.entry) or item.kind == WARNINGS


def _key(item: Item) -> tuple[object, ...]:
    """Return what is the same in all documents that have an item: its node, or a warning."""
    return type(item.entry), item.subject or item.lines


def _place(item: Item) -> tuple[Any, ...]:
    """Return the place of an item; warnings come first, affected nodes last."""
    match item.entry:
        case IncludedNode():
            return (1, *document_order(item.entry))
        case Affected():
            return 2, item.subject
        case _:
            return (0,)


def _merge(same: Sequence[Item], targets: Sequence[str], shown: Container[str]) -> Item | None:
    """Merge the items of several documents; affected nodes that are shown are not repeated."""
    match same[0].entry:
        case IncludedNode():
            return _entry_item(same, targets, shown)
        case Affected():
            return None if same[0].subject in shown else _affected_item(same, targets)
        case _:
            warning = same[0].lines[0] + _note(same, targets)
            return replace(same[0], lines=(warning,), nodes=nodes_of(same))


def _note(same: Sequence[Item], targets: Sequence[str]) -> str:
    """Return the note that names the targets of some items, unless these are all."""
    concerned = nodes_of(same)
    return "" if len(concerned) == len(targets) else note_of([for_targets(concerned)])


def for_targets(targets: Iterable[str]) -> str:
    """Return the words that name the targets that something concerns."""
    return f"for {', '.join(targets)}"


def _target_item(context: Context, shown: Container[str]) -> Item:
    target = context.target
    return Item(
        kind=target.kind.heading,
        suffix=f"{target.id}: {collapsed(target.title)}",
        subject=target.id,
        lines=tuple(target_lines(target, _absent(context.superseding, shown))),
        reasons=(TARGET_REASON,),
    )


def _absent(nodes: Iterable[SpecNode], shown: Container[str]) -> tuple[SpecNode, ...]:
    return tuple(node for node in nodes if node.id not in shown)


def _entry_item(same: Sequence[Item], targets: Sequence[str], shown: Container[str]) -> Item:
    """Merge the items of an entry; a node that is a target itself is not repeated."""
    entries = [item.entry for item in same if isinstance(item.entry, IncludedNode)]
    entry = _merged_entry(entries, shown)
    node = entry.node
    notes_by_target = list(zip(nodes_of(same), map(_notes, entries), strict=True))
    note = joint_note(notes_by_target, len(targets))
    item = replace(
        same[0],
        lines=tuple(bullet(node, note, entry.superseding)),
        reasons=named_reasons(same),
        nodes=nodes_of(same),
        entry=entry,
        note=_note(same, targets),
        original=(),
    )
    if node.id in targets:
        see = f"{node.kind.heading} {node.id}"
        return replace(item, lines=(f"- {node.id}: see {see}{note}",), see=see)
    if len({words for _, words in notes_by_target}) > 1:
        return item
    own = note_of(notes_by_target[0][1])
    return replace(item, original=tuple(bullet(node, own, entry.superseding)))


def _notes(entry: IncludedNode) -> tuple[str, ...]:
    """Return the notes of an entry; its path starts after the target, so that others share it."""
    layer = entry.layer
    if layer and len(layer.shown) > SHORTEST_PATH and layer.shown[1] != OMITTED:
        entry = replace(entry, layer=replace(layer, shown=layer.shown[1:]))
    return tuple(notes(entry))


def _merged_entry(every: Sequence[IncludedNode], shown: Container[str]) -> IncludedNode:
    """Merge the entries of a node in several contexts: all reasons, and the nearest place."""
    first = min(every, key=document_order)
    return replace(
        first,
        level=min(entry.level for entry in every),
        is_direct=any(entry.is_direct for entry in every),
        is_walk_target=any(entry.is_walk_target for entry in every),
        via_targets=tuple(sorted({name for entry in every for name in entry.via_targets})),
        via_layers=_union(entry.via_layers for entry in every),
        foundation_of=_union(entry.foundation_of for entry in every),
        needed_by=_union(entry.needed_by for entry in every),
        superseding=_absent(first.superseding, shown),
        arrivals=tuple(dict.fromkeys(link for entry in every for link in entry.arrivals)),
    )


def _union(names: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for some in names for name in some))


def joint_note(by_target: Notes, total: int) -> str:
    """Join the notes of several targets: each part once, with the targets that it concerns.

    `total` is the number of all targets; a part that concerns all of those that have the node names
    none.
    """
    found: dict[str, list[str]] = {}
    for target, parts in by_target:
        for part in parts:
            found.setdefault(part, []).append(target)
    joined = [
        part if len(targets) == len(by_target) else f"{for_targets(targets)}: {part}"
        for part, targets in found.items()
    ]
    if len(by_target) < total:
        joined.append(for_targets(target for target, _ in by_target))
    return note_of(joined)


def _affected_item(same: Sequence[Item], targets: Sequence[str]) -> Item:
    """Merge the items of an affected node."""
    every = [item.entry for item in same if isinstance(item.entry, Affected)]
    edges = tuple(sorted({edge for other in every for edge in other.edges}))
    entry = Affected(every[0].node, edges)
    names = ((other.edge_names,) for other in every)
    note = joint_note(list(zip(nodes_of(same), names, strict=True)), len(targets))
    is_same = all(other.edges == edges for other in every)
    return replace(
        same[0],
        lines=(entry.noted(note),),
        nodes=nodes_of(same),
        entry=entry,
        note=_note(same, targets),
        original=(entry.line,) if is_same else (),
    )


def _checks(contexts: Sequence[Context]) -> Iterator[Item]:
    """Yield the checks of each target; those of other nodes are written out once."""
    listed = {context.target.id: context.target.id for context in contexts}
    for context in contexts:
        target = context.target
        lines = list(own_check_lines(target))
        for node in checked_nodes(context):
            checks = list(check_lines(node))
            if checks and node.id in listed:
                checks = [f"- {node.id}: as for {listed[node.id]}"]
            listed.setdefault(node.id, target.id)
            lines += checks
        yield Item(kind=VERIFICATION, suffix=target.id, subject=target.id, lines=tuple(lines))
