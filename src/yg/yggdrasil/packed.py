"""Readings as plain data and back, so that a snapshot can keep them between runs.

Nodes are many, and flows may name many of them, so both have a short form of their own. The names
of the files beside a declaration are left out: the directory tells them, not the declaration.
"""

from __future__ import annotations

import json
from sys import intern

from yg.kernel.issue import Finding, Place
from yg.kernel.package import Budget
from yg.kernel.packing import Packing
from yg.kernel.paths import ROOT
from yg.kernel.typed import TYPE_CHECKING, Any, TypeVar
from yg.kernel.value import replace
from yg.kernel.word import UnknownKey, Word
from yg.yggdrasil.model import (
    ArtifactType,
    Aspect,
    AspectUse,
    Condition,
    Config,
    Flow,
    FreeKind,
    Node,
    NodeType,
    Note,
    Quality,
    Reading,
    Relation,
    RelationKind,
    Stability,
    Stray,
    Trouble,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

T = TypeVar("T", Aspect, Flow, Config)

_FLOW_FIELDS = 4  # of the short form; a node's has more
_KINDS = {kind.value: kind for kind in RelationKind}
_CLASSES = (
    Note, Trouble, Finding, Place, Stray, UnknownKey, Word, Aspect, Stability, Flow,
    Config, NodeType, ArtifactType, Condition, Quality, Budget, Reading,
)  # fmt: skip
_PACKING = Packing(*_CLASSES)
_ENCODER, _DECODER = json.JSONEncoder(separators=(",", ":")), json.JSONDecoder()


def pack(reading: Reading[Any]) -> str:
    """Write a reading down."""
    return _ENCODER.encode(_packed(reading))


def unpack(packed: str, node: tuple[str, str], files: tuple[str, ...]) -> Reading[Any]:
    """Return a reading; `node` is the id and directory of a node or flow, `files` its content."""
    return _unpacked(_DECODER.decode(packed), node, files)


def _packed(reading: Reading[Any]) -> Any:
    if isinstance(reading.value, Node | Flow):
        rest: Reading[Any] = Reading(None, reading.notes, reading.strays)
        return [_short(reading.value), _PACKING.pack(rest) if rest != _CLEAN else None]
    return _PACKING.pack(reading)


def _unpacked(packed: Any, node: tuple[str, str], files: tuple[str, ...]) -> Reading[Any]:
    if isinstance(packed, list):
        row, rest = packed
        is_flow = len(row) == _FLOW_FIELDS
        value: Any = (_unpacked_flow if is_flow else _unpacked_node)(row, node, files)
        if rest is None:
            return Reading(value)
        return replace(_PACKING.unpack(rest), value=value)
    reading: Reading[Any] = _PACKING.unpack(packed)
    if isinstance(reading.value, Aspect):
        return replace(reading, value=replace(reading.value, files=files))
    return reading


class Shelved:
    """Packs all that stands on a shelf: readings by id, and notes."""

    def __init__(self, tree: str, packed: dict[str, str] | None = None) -> None:
        """Pack the shelf of a tree, of which some readings are packed already."""
        self._tree = tree
        self._packed = {} if packed is None else packed

    def pack(self, shelved: tuple[dict[str, Reading[Any]], tuple[Note, ...]]) -> Any:
        """Write down what stands on the shelf."""
        readings, notes = shelved
        known = self._packed
        rows = [
            [each, _files(reading), known[each] if each in known else pack(reading)]
            for each, reading in readings.items()
        ]
        return [rows, _PACKING.pack(notes)]

    def unpack(self, packed: Any) -> tuple[dict[str, Reading[Any]], tuple[Note, ...]]:
        """Return what stands on the shelf."""
        rows, notes = packed
        tree = self._tree
        readings = {}
        for each, files, row in rows:
            directory = tree if each == ROOT else f"{tree}/{each}"
            readings[each] = unpack(row, (each, directory), tuple(files))
        return readings, _PACKING.unpack(notes)


def _files(reading: Reading[Any]) -> tuple[str, ...]:
    return reading.value.files if reading.value is not None else ()


_CLEAN: Reading[Any] = Reading(None)


def _short(value: Node | Flow) -> list[Any]:
    return _packed_node(value) if isinstance(value, Node) else _packed_flow(value)


def _packed_node(node: Node) -> list[Any]:
    return [
        node.name,
        _word(node.type),
        node.declared_in,
        int(node.is_blackbox),
        [[_word(use.aspect), use.exceptions, _words(use.anchors)] for use in node.aspects],
        [_packed_relation(each) for each in node.relations],
        _words(node.mapping),
    ]


def _packed_flow(flow: Flow) -> list[Any]:
    return [flow.name, flow.declared_in, _words(flow.nodes), _words(flow.aspects)]


def _unpacked_flow(row: list[Any], flow: tuple[str, str], files: tuple[str, ...]) -> Flow:
    name, declared_in, nodes, aspects = row
    flow_id, directory = flow
    return Flow(
        id=flow_id,
        directory=directory,
        name=name,
        nodes=tuple([Word(*each) for each in nodes]),
        aspects=tuple([Word(*each) for each in aspects]),
        files=files,
        declared_in=declared_in,
    )


def _packed_relation(relation: Relation) -> list[Any]:
    kind = relation.kind
    is_free = int(isinstance(kind, FreeKind))
    return [
        _word(relation.target),
        kind.value,
        is_free,
        relation.consumes,
        relation.failure,
        relation.event_name,
    ]


def _word(word: Word) -> list[Any]:
    return [word.text, word.line, word.column]


def _words(words: Iterable[Word]) -> list[Any]:
    return [_word(word) for word in words]


def _unpacked_node(row: list[Any], node: tuple[str, str], files: tuple[str, ...]) -> Node:
    name, kind, declared_in, is_blackbox, aspects, relations, mapping = row
    path, directory = node
    return Node(
        path=path,
        directory=directory,
        name=name,
        type=_shared(kind),
        aspects=tuple([_unpacked_use(each) for each in aspects]),
        relations=tuple([_unpacked_relation(each) for each in relations]),
        mapping=tuple([Word(*each) for each in mapping]),
        is_blackbox=bool(is_blackbox),
        files=files,
        declared_in=declared_in,
    )


def _shared(row: list[Any]) -> Word:
    """Return a word whose text many nodes have in common, and so hold only once."""
    text, line, column = row
    return Word(intern(text), line, column)


def _unpacked_use(row: list[Any]) -> AspectUse:
    aspect, exceptions, anchors = row
    return AspectUse(
        aspect=_shared(aspect),
        exceptions=tuple(exceptions),
        anchors=tuple([Word(*each) for each in anchors]),
    )


def _unpacked_relation(row: list[Any]) -> Relation:
    target, kind, is_free, consumes, failure, event_name = row
    return Relation(
        target=_shared(target),
        kind=FreeKind(kind) if is_free else _KINDS[kind],
        consumes=tuple([intern(each) for each in consumes]),
        failure=failure,
        event_name=event_name,
    )
