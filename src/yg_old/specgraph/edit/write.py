"""Changes to a Spec Graph: add, change and remove nodes and links, refresh digests."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

from yg_old.kernel.errors import RefusedError, UsageError
from yg_old.specgraph import lenient
from yg_old.specgraph.edit.pending import PendingChanges
from yg_old.specgraph.find import listed_id, node_named
from yg_old.specgraph.lock_file import LOCK, lock_text
from yg_old.specgraph.model import TYPES, LinkKind, Shape
from yg_old.specgraph.node_shapes import NODE
from yg_old.specgraph.rules.digests import digest_of, is_pinned, unpinned_sources
from yg_old.specgraph.shapes import ListOf, Single, Tagged
from yg_old.text.decode import plain
from yg_old.text.decode_json import decode_json
from yg_old.text.plural import counted
from yg_old.text.suggest import listing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from yg_old.specgraph.edit.pending import SpecChange
    from yg_old.specgraph.graph import SpecGraph
    from yg_old.specgraph.lenient import Object
    from yg_old.specgraph.model import SpecNode
    from yg_old.specgraph.shapes import ValueShape
    from yg_old.text.json_edit import Path

STATEMENT = "statement"  # what commands call the text of a node, whatever its key


def add_node(
    graph: SpecGraph, type_name: str, node_id: str, fields: Mapping[str, Any]
) -> SpecChange:
    """Add a node with some fields; `statement` and a text as `verification` suit any type."""
    _require_new_id(graph, type_name, node_id)
    place = f"nodes/{_plural(type_name)}/{node_id}.json"
    file = f"{graph.folder}/{place}"
    if graph.snapshot.kind(file) is not None:
        hint = "List it in graph.json, or move it away."
        raise RefusedError(f"'{file}' exists already", hint=hint)
    pending = PendingChanges(graph)
    pending.create(file, pending.index.document(_record(type_name, node_id, fields)))
    known = lenient.items(pending.data(graph.file), "nodes")
    usual = lenient.as_object(known[-1]) if known else {}
    entry = {"id": node_id, "path": place}
    entry |= {"sha256": pending.digest(file)} if "sha256" in usual else {}
    entry |= {"expectedType": type_name} if "expectedType" in usual else {}
    pending.append(graph.file, ("nodes",), [entry])
    return pending.finished()


def _require_new_id(graph: SpecGraph, type_name: str, node_id: str) -> None:
    if faults := NODE.branches[type_name].keys["id"].shape.faults(node_id):
        raise RefusedError(f"'id' {faults[0].message}", hint=faults[0].hint)
    if node_id in graph.references:
        hint = "'yg node set' changes a field of it."
        raise RefusedError(f"there is a node '{node_id}' already", hint=hint)


def _plural(type_name: str) -> str:
    """Return the folder of a type by convention: `policies` for policy."""
    return f"{type_name[:-1]}ies" if type_name.endswith("y") else f"{type_name}s"


def _record(type_name: str, node_id: str, fields: Mapping[str, Any]) -> Object:
    """Return the content of a new node, the usual keys first."""
    shape = TYPES[type_name].shape
    given = {_key(key, shape): value for key, value in fields.items()}
    if shape is Shape.CONTRACT and isinstance(given.get("verification"), str):
        given["verification"] = [given["verification"]]
    first: Object = {key: given[key] for key in ("title", str(shape)) if key in given}
    own = {"id": node_id, "type": type_name}
    return {**own, **first, **given, **own}


def _key(key: str, shape: Shape) -> str:
    return shape.value if key == STATEMENT else key


def set_field(graph: SpecGraph, node_id: str, field: str, value: str) -> SpecChange:
    """Set a field of a node; dots separate the keys of a path. An empty value removes it.

    In a list, the number of an item from 0 takes the place of a key. A value is text, or JSON where
    the field holds anything else.
    """
    pending, file = _opened(graph, node_id)
    data = pending.data(file)
    type_name = lenient.text(data, "type")
    path = _path(field, type_name, data)
    if value:
        pending.put(file, path, _value(type_name, path, data, value))
    else:
        pending.remove(file, path)
    return pending.finished()


def _path(field: str, type_name: str, data: Object) -> Path:
    """Return the keys and positions that a field stands for."""
    steps = field.split(".")
    if not all(steps):
        raise UsageError(f"'{field}' is not a field", hint="Such as: title, metadata.owner.")
    if type_name in TYPES:
        steps[0] = _key(steps[0], TYPES[type_name].shape)
    found: list[str | int] = []
    value: Any = data
    for step in steps:
        found.append(_position(field, step, value) if isinstance(value, list) else step)
        value = _inside(value, found[-1])
    return tuple(found)


def _position(field: str, step: str, items: list[Any]) -> int:
    """Return the position of an item in a list; raises RefusedError if there is none."""
    if step.isascii() and step.isdigit() and int(step[:9]) < len(items):
        return int(step)
    hint = "Items are numbered from 0. Without a number, the whole list is set, as JSON."
    found = f"'{step}' is not one of its {counted(len(items), 'item')}"
    raise RefusedError(f"there is no '{field}': {found}", hint=hint)


def _inside(value: Any, step: str | int) -> Any:
    if isinstance(step, int):
        return value[step]
    return lenient.as_object(value).get(step)


def _value(type_name: str, path: Path, data: Object, value: str) -> Any:
    """Interpret a value as the field needs it.

    An unknown field holds JSON lists and objects, and what it held before if that is not text.
    """
    shape = _shape_of(type_name, path, data)
    if isinstance(shape, Single) and shape.schema.get("type", "string") == "string":
        return value
    decoded = decode_json(value)
    found = plain(decoded.datum)
    is_json = decoded.datum is not None and not decoded.problems
    before = reduce(_inside, path, data)
    holds_data = shape is not None or not isinstance(before, str | None)
    if is_json and (holds_data or isinstance(found, (list, dict))):
        return found
    return [value] if path == ("verification",) and isinstance(shape, ListOf) else value


def _shape_of(type_name: str, path: Path, data: Object) -> ValueShape | None:
    """Return the shape of a field; None if the type or the field is unknown."""
    shape: ValueShape | None = NODE.branches.get(type_name, NODE.otherwise)
    value: Any = data
    for step in path:
        value = _inside(value, step)
        shape = shape.inside(step) if shape else None
        if isinstance(shape, Tagged):
            shape = shape.branch_of(value)
    return shape


def remove_node(graph: SpecGraph, node_id: str, *, force: bool) -> SpecChange:
    """Remove a node; with `force`, also all links, pins and the root that refer to it."""
    listed_id(graph, node_id)
    users = {node.id: tuple(_uses(node, node_id)) for node in graph.nodes.values()}
    users = {name: uses for name, uses in users.items() if uses and name != node_id}
    is_root = graph.index.root == node_id
    if not force and (users or is_root):
        raise _in_use(node_id, users, is_root=is_root)
    pending = PendingChanges(graph)
    for name in users:
        _drop(pending, graph.nodes[name], node_id)
    if is_root:
        pending.remove(graph.file, ("root",))
    pending.remove_items(graph.file, ("nodes",), lambda item: _id(item) == node_id)
    file = graph.references[node_id].file
    if all(entry.file != file for entry in graph.references.values() if entry.id != node_id):
        pending.delete(file)
    return pending.finished()


def _uses(node: SpecNode, target: str) -> Iterator[str]:
    """Yield the lists of a node that name another one."""
    yield from (kind.value for kind in LinkKind if target in node.targets(kind))
    yield from ("pins" for pin in node.pins if pin.id == target)


def _in_use(node_id: str, users: Mapping[str, Iterable[str]], *, is_root: bool) -> RefusedError:
    uses = [f"{name} ({', '.join(lists)})" for name, lists in users.items()]
    if is_root:
        uses.append("graph.json (root)")
    hint = "Remove these first, or use --force to remove them too."
    return RefusedError(f"'{node_id}' is in use by {listing(uses)}", hint=hint)


def _drop(pending: PendingChanges, node: SpecNode, target: str) -> None:
    """Remove the links and pins of a node that name another one."""
    for kind in LinkKind:
        if target in node.targets(kind):
            _unlink(pending, node.file, kind, target)
    pending.remove_items(node.file, ("pins",), lambda item: _id(item) == target)


def _id(item: Any) -> Any:
    return lenient.as_object(item).get("id")


def link(graph: SpecGraph, source: str, kind: LinkKind, target: str) -> SpecChange:
    """Add a link, unless it exists."""
    pending, file = _opened(graph, source)
    if target not in pending.values(file, ("links", kind)):
        pending.append(file, ("links", kind), [target])
    return pending.finished()


def unlink(graph: SpecGraph, source: str, kind: LinkKind, target: str) -> SpecChange:
    """Remove a link, if it exists."""
    pending, file = _opened(graph, source)
    _unlink(pending, file, kind, target)
    return pending.finished()


def _unlink(pending: PendingChanges, file: str, kind: LinkKind, target: str) -> None:
    """Remove a link, and the list and the object of links that become empty."""
    if target not in pending.values(file, ("links", kind)):
        return
    pending.remove_items(file, ("links", kind), lambda item: item == target)
    if not pending.values(file, ("links", kind)):
        pending.remove(file, ("links", kind))
    if not pending.data(file)["links"]:
        pending.remove(file, ("links",))


def pin(graph: SpecGraph, node_id: str) -> SpecChange:
    """Refresh the pins of a node and its digest in graph.json; pin the sources it derives from."""
    node = node_named(graph, node_id)
    pending = PendingChanges(graph)
    pending.check_digest(node.file)
    for at, item in enumerate(map(lenient.as_object, pending.values(node.file, ("pins",)))):
        source = graph.nodes.get(lenient.text(item, "id"))
        if source and not is_pinned(graph, source, lenient.text(item, "sha256")):
            pending.put(node.file, ("pins", at, "sha256"), digest_of(graph, source))
    if node.kind.shape is Shape.CONTRACT:
        sources = unpinned_sources(graph, node)
        new = [{"id": source.id, "sha256": digest_of(graph, source)} for source in sources]
        pending.append(node.file, ("pins",), new)
    return pending.finished()


def lock(graph: SpecGraph) -> SpecChange:
    """Write the digest of every node to the lock file; raises RefusedError if one is unreadable."""
    unreadable = [name for name in graph.references if name not in graph.nodes]
    if unreadable:
        what = f"cannot lock the graph: {listing(unreadable)} cannot be read"
        raise RefusedError(what, hint="'yg validate' tells why.")
    pending = PendingChanges(graph)
    pending.overwrite(f"{graph.folder}/{LOCK}", lock_text(graph))
    return pending.finished()


def _opened(graph: SpecGraph, node_id: str) -> tuple[PendingChanges, str]:
    """Return a pending, and the file of a node that is to be edited."""
    file = graph.references[listed_id(graph, node_id)].file
    if not file:
        raise RefusedError(f"graph.json gives no file for '{node_id}'", hint="Correct its path.")
    return PendingChanges(graph), file
