"""The document of several nodes: the sections of their documents, each entry once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.specgraph.assemble import document_order
from yg.specgraph.context import (
    AFFECTED,
    VERIFICATION,
    WARNINGS,
    Affected,
    ContextPart,
    IncludedNode,
    Item,
    checked_nodes,
    entry_parts,
    note_of,
    notes,
    own_check_lines,
)
from yg.specgraph.document import bullet, check_lines, collapsed, target_lines
from yg.specgraph.layers import OMITTED
from yg.specgraph.view import ContextView, whole

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from yg.specgraph.context import Context
    from yg.specgraph.model import SpecNode

    Notes = Sequence[tuple[str, Sequence[str]]]  # for each target that a node concerns

SHORTEST_PATH = 2  # from a target to a layer: their ids


def combine(contexts: Sequence[Context]) -> ContextView:
    """Combine the contexts of some nodes into one view; that of no node is empty."""
    if not contexts:
        return ContextView(contexts=(), parts=())
    if len(contexts) == 1:
        return whole(contexts[0])
    entries = _entries(contexts)
    targets = {context.target.id: context.target for context in contexts}
    shown = entries.keys() | targets.keys()
    others = (
        ContextPart(WARNINGS, tuple(_warnings(contexts))),
        *entry_parts(_entry_items(entries, targets, shown)),
        ContextPart(AFFECTED, tuple(_affected(contexts, shown))),
        *_checks(contexts),
    )
    parts = (
        *(_target_part(context, shown) for context in contexts),
        *(part for part in others if any(item.lines for item in part.items)),
    )
    return ContextView(contexts=tuple(contexts), parts=parts, budget=contexts[0].budget)


def for_targets(targets: Iterable[str]) -> str:
    """Return the words that name the targets that something concerns."""
    return f"for {', '.join(targets)}"


def _target_part(context: Context, shown: Container[str]) -> ContextPart:
    target = context.target
    lines = target_lines(target, _absent(context.superseding, shown))
    suffix = f"{target.id}: {collapsed(target.title)}"
    return ContextPart(target.kind.heading, (Item(subject=target.id, lines=tuple(lines)),), suffix)


def _absent(nodes: Iterable[SpecNode], shown: Container[str]) -> tuple[SpecNode, ...]:
    return tuple(node for node in nodes if node.id not in shown)


def _warnings(contexts: Sequence[Context]) -> Iterator[Item]:
    """Yield each warning once, with the targets that it concerns unless these are all."""
    found: dict[str, list[str]] = {}
    for context in contexts:
        for warning in context.warnings:
            found.setdefault(warning, []).append(context.target.id)
    for warning, targets in found.items():
        is_shared = len(targets) == len(contexts)
        yield Item(lines=(warning + note_of([] if is_shared else [for_targets(targets)]),))


def _entries(contexts: Iterable[Context]) -> Mapping[str, list[tuple[str, IncludedNode]]]:
    """Return the entries of each node, with the targets in whose contexts they are."""
    found: dict[str, list[tuple[str, IncludedNode]]] = {}
    for context in contexts:
        for entry in context.entries:
            found.setdefault(entry.node.id, []).append((context.target.id, entry))
    return found


def _entry_items(
    entries: Mapping[str, list[tuple[str, IncludedNode]]],
    targets: Mapping[str, SpecNode],
    shown: Container[str],
) -> Iterator[Item]:
    """Yield the entries in the order of the document."""
    merged = {node_id: _merged(same, shown) for node_id, same in entries.items()}
    for node_id, entry in sorted(merged.items(), key=lambda pair: document_order(pair[1])):
        by_target = [(target, _notes(one)) for target, one in entries[node_id]]
        yield _entry_item(entry, by_target, targets)


def _notes(entry: IncludedNode) -> tuple[str, ...]:
    """Return the notes of an entry; its path starts after the target, so that others share it."""
    layer = entry.layer
    if layer and len(layer.shown) > SHORTEST_PATH and layer.shown[1] != OMITTED:
        entry = replace(entry, layer=replace(layer, shown=layer.shown[1:]))
    return tuple(notes(entry))


def _merged(same: Sequence[tuple[str, IncludedNode]], shown: Container[str]) -> IncludedNode:
    """Merge the entries of a node in several contexts: all reasons, and the nearest place."""
    every = [entry for _, entry in same]
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


def _entry_item(entry: IncludedNode, by_target: Notes, targets: Mapping[str, SpecNode]) -> Item:
    """Return the item of an entry; a node that is a target itself is not repeated."""
    node = entry.node
    note = joint_note(by_target, len(targets))
    concerned = tuple(target for target, _ in by_target)
    if node.id in targets:
        see = f"{node.kind.heading} {node.id}"
        line = f"- {node.id}: see {see}{note}"
        return Item(
            subject=node.id, lines=(line,), entry=entry, targets=concerned, original=(), see=see
        )
    own = note_of(by_target[0][1])
    is_same = len({parts for _, parts in by_target}) == 1
    return Item(
        subject=node.id,
        lines=tuple(bullet(node, note, entry.superseding)),
        entry=entry,
        targets=concerned,
        original=tuple(bullet(node, own, entry.superseding)) if is_same else (),
    )


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


def _affected(contexts: Sequence[Context], shown: Container[str]) -> Iterator[Item]:
    """Yield the affected nodes that are not shown above, by id."""
    found: dict[str, list[tuple[str, Affected]]] = {}
    for context in contexts:
        for other in context.affected:
            if other.node.id not in shown:
                found.setdefault(other.node.id, []).append((context.target.id, other))
    for node_id, same in sorted(found.items()):
        edges = tuple(sorted({edge for _, other in same for edge in other.edges}))
        entry = Affected(same[0][1].node, edges)
        note = joint_note([(target, (other.edge_names,)) for target, other in same], len(contexts))
        is_same = all(other.edges == edges for _, other in same)
        yield Item(
            subject=node_id,
            lines=(entry.noted(note),),
            entry=entry,
            targets=tuple(target for target, _ in same),
            original=(entry.line,) if is_same else (),
        )


def _checks(contexts: Sequence[Context]) -> Iterator[ContextPart]:
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
        yield ContextPart(
            VERIFICATION, (Item(subject=target.id, lines=tuple(lines)),), suffix=target.id
        )
