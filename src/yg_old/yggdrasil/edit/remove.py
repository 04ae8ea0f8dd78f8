"""`yg rm`: the removal of a node with everything below it and everything that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.edit import Delete, Write
from yg_old.kernel.errors import UnreadableError, UsageError, YgError
from yg_old.kernel.snapshot import Kind
from yg_old.text import paths
from yg_old.text.decode import leaves
from yg_old.text.decode_yaml import decode_yaml
from yg_old.text.plural import counted
from yg_old.text.yaml_remove import without_items
from yg_old.yggdrasil.drift.baseline import node_of
from yg_old.yggdrasil.edit.baselines import rewritten
from yg_old.yggdrasil.edit.ids import find_id
from yg_old.yggdrasil.edit.references import (
    RewrittenFile,
    declarations,
    encoded_like,
    may_mention,
    parse_problem,
)
from yg_old.yggdrasil.edit.roles import fits, references_in
from yg_old.yggdrasil.parts import PartKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from yg_old.kernel.snapshot import Snapshot
    from yg_old.text.decode import Keys
    from yg_old.yggdrasil.drift.baselines import Baselines
    from yg_old.yggdrasil.drift.tracking import Tracked
    from yg_old.yggdrasil.graph import Graph

    TrackedFiles = Mapping[str, Tracked]  # by node

RELATIONS = "relations"  # the list of a node
MOST_LISTED = 20


class Named(Struct, frozen=True):
    """A file that names something removed: the items of its lists to remove."""

    path: str
    before: bytes
    text: str
    items: dict[Keys, str]  # the removed node that each names

    def is_in(self, key: str) -> bool:
        """Whether an item is in a list of the document."""
        return any(keys[0] == key for keys in self.items)


class Removal(Struct, frozen=True, kw_only=True):
    """The edits of a removal without those of baselines, and what they remove."""

    node: str
    nodes: tuple[str, ...]
    deleted: tuple[str, ...]  # files of the graph
    changed: tuple[RewrittenFile, ...]

    @property
    def edits(self) -> tuple[Write | Delete, ...]:
        """The changes to the declarations, then the deleted files."""
        written = (Write(file.path, file.after) for file in self.changed)
        return (*written, *map(Delete, self.deleted))


def removal(graph: Graph, name: str, *, force: bool = False) -> Removal:
    """Return what the removal of a node changes; raise an error if others need the node.

    With `force`, relations of other nodes are removed too. A flow without nodes is not made.
    """
    found = find_id(graph, name, PartKind.NODE).id
    if found == paths.ROOT:
        raise UsageError("the root node cannot be removed")
    nodes = tuple(node for node in graph.nodes.ids() if paths.is_inside(node, found))
    directory = f"{graph.nodes.spec.tree}/{found}"
    naming = tuple(_naming(graph, found, directory))
    _refuse_flows(graph, found, naming)
    if not force:
        _refuse_dependents(graph, found, naming)
    return Removal(
        node=found,
        nodes=nodes,
        deleted=tuple(_files_below(graph.snapshot, directory)),
        changed=tuple(map(_without, naming)),
    )


def _naming(graph: Graph, removed: str, directory: str) -> Iterator[Named]:
    """Yield the files outside of the removed directory that name a removed node."""
    for file, content, text in declarations(graph, PartKind.NODE):
        if paths.is_inside(file, directory) or not may_mention(text, removed):
            continue
        decoded = decode_yaml(text)
        if problem := parse_problem(text, decoded):
            if removed not in text:
                continue
            hint = f"It may refer to '{removed}'. Fix it first; nothing was changed."
            raise YgError(f"cannot rewrite '{file}': {problem}", hint=hint)
        patterns = references_in(PartKind.NODE, paths.name_of(file))
        items: dict[Keys, str] = {}
        for keys, datum in leaves(decoded.datum):
            is_reference = any(fits(keys, pattern) for pattern in patterns)
            if is_reference and isinstance(datum.value, str):
                target = datum.value
                if paths.is_inside(target, removed):
                    items[_item(keys)] = target
        if items:
            yield Named(file, content, text, dict(sorted(items.items(), key=repr)))


def _item(keys: Keys) -> Keys:
    """Return the keys of the item of a list that a value is in."""
    last = max(at for at, key in enumerate(keys) if isinstance(key, int))
    return keys[: last + 1]


def _refuse_flows(graph: Graph, removed: str, naming: Sequence[Named]) -> None:
    """Raise an error if a flow would be left without nodes."""
    tree = graph.flows.spec.tree
    empty = []
    for named in naming:
        flow = paths.parent(named.path).removeprefix(f"{tree}/")
        found = graph.flows.get(flow) if paths.is_inside(named.path, tree) else None
        if found and all(paths.is_inside(node.text, removed) for node in found.nodes):
            empty.append(flow)
    if empty:
        flows = ", ".join(f"'{flow}'" for flow in empty[:MOST_LISTED])
        raise YgError(
            f"cannot remove '{removed}': no other node takes part in {flows}",
            hint="Remove the directory of each such flow first, or add other nodes to it.",
        )


def _refuse_dependents(graph: Graph, removed: str, naming: Sequence[Named]) -> None:
    """Raise an error if other nodes have relations to removed ones."""
    tree = graph.nodes.spec.tree
    lines = []
    for named in naming:
        if paths.is_inside(named.path, tree) and named.is_in(RELATIONS):
            node = paths.parent(named.path).removeprefix(tree).removeprefix("/") or paths.ROOT
            targets = ", ".join(dict.fromkeys(named.items.values()))
            lines.append(f"{node} -> {targets}")
    if lines:
        shown = lines[:MOST_LISTED]
        shown += [f"and {len(lines) - MOST_LISTED} more"] if len(lines) > MOST_LISTED else []
        verb = "depends" if len(lines) == 1 else "depend"
        raise YgError(
            f"cannot remove '{removed}': {counted(len(lines), 'other node')} {verb} on it",
            hint=f"--force removes these relations, too: {'; '.join(shown)}.",
        )


def _without(named: Named) -> RewrittenFile:
    after = without_items(named.text, named.items)
    if after is None:
        places = ", ".join(f"'{target}'" for target in dict.fromkeys(named.items.values()))
        hint = f"Remove {places} there by hand, then run it again; nothing was changed."
        raise YgError(f"cannot rewrite '{named.path}' without changing other values", hint=hint)
    return RewrittenFile(
        named.path, named.before, encoded_like(named.before, after), len(named.items)
    )


def _files_below(snapshot: Snapshot, directory: str) -> Iterator[str]:
    """Yield the files of a directory, sorted; raise an error at anything else in it."""
    found, waiting = [], [directory]
    while waiting:
        place = waiting.pop()
        try:
            entries = snapshot.entries(place)
        except UnreadableError as error:
            raise YgError(error.message, hint="Nothing was written.") from error
        for name, kind in entries.items():
            path = f"{place}/{name}"
            if kind is Kind.DIRECTORY:
                waiting.append(path)
            elif kind is Kind.FILE:
                found.append(path)
            else:
                hint = "Remove it yourself first; nothing was changed."
                raise YgError(f"'{path}' is a link or a special file", hint=hint)
    yield from sorted(found)


def baseline_edits(
    removal: Removal, baselines: Baselines, before: TrackedFiles, after: TrackedFiles
) -> tuple[Write | Delete, ...]:
    """Return the edits of baselines, given the tracked files of nodes before and afterwards.

    Baselines of removed nodes are deleted. In the others, files that are not tracked any more
    leave, and digests of rewritten declarations follow. A source file that falls to another node
    brings its digest along.
    """
    gone = frozenset(removal.deleted)
    digests = {file.path: file.digests for file in removal.changed}
    states = {file: node for file in baselines.files() if (node := node_of(file)) is not None}
    removed = [file for file, node in states.items() if paths.is_inside(node, removal.node)]
    found = (baselines.read(file) for file in removed)
    freed = {path: digest for each in found if each for path, digest in each.files.items()}

    def changed(node: str, files: Mapping[str, str]) -> Mapping[str, str]:
        if paths.is_inside(node, removal.node):
            return files  # deleted
        then = frozenset(before[node].files) if node in before else frozenset()
        now = after[node].files if node in after else ()
        left = gone | then.difference(now)
        kept = {
            path: digests.get(path, {}).get(digest, digest)
            for path, digest in files.items()
            if path not in left
        }
        new = (path for path in now if path not in then and path not in kept and path in freed)
        return {**kept, **{path: freed[path] for path in new}}

    return (*rewritten(baselines, changed), *map(Delete, removed))
