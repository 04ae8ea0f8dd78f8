"""Reads Spec Graphs: graph.json says which file holds which node; whatever is wrong is noted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.decode import plain
from yg.kernel.decode_json import quick_json
from yg.kernel.errors import UnreadableError
from yg.kernel.issue import Finding, Place
from yg.kernel.snapshot import Kind
from yg.specgraph import lenient
from yg.specgraph.build import node_from
from yg.specgraph.files import Files
from yg.specgraph.graph import Graph
from yg.specgraph.model import DECISION, Index, Note, Reading, Reference, Trouble
from yg.specgraph.node_shapes import ID, INDEX, NODE
from yg.specgraph.places import FOLDER, INDEX_FILE
from yg.specgraph.shapes import json_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.kernel.decode import Problem
    from yg.kernel.snapshot import Snapshot
    from yg.specgraph.lenient import Object
    from yg.specgraph.shapes import Shape

_INDEX = f"{FOLDER}/{INDEX_FILE}"
_FOREIGN = re.compile(r"[A-Za-z]:|[\s\S]*\\")  # a drive, or another system's separator


def read(snapshot: Snapshot) -> Graph:
    """Open the graph of a snapshot; its files are read as they are asked for."""
    reader = Reader(Files(snapshot))
    return Graph(
        snapshot=snapshot,
        files=reader.files,
        folder=FOLDER,
        read_index=reader.index,
        read_node=reader.node,
    )


class Reader:
    """Reads the files of one graph."""

    def __init__(self, files: Files) -> None:
        self.files = files

    def index(self) -> Index:
        """Read graph.json."""
        data, notes = self._object_in(_INDEX, INDEX_FILE, INDEX, Trouble.INDEX, Trouble.INDEX)
        every = tuple(_references(data or {}))
        used = _once_each(every)
        return Index(
            file=_INDEX,
            version=lenient.text(data or {}, "specgraphVersion"),
            root=lenient.text(data or {}, "root"),
            references=tuple(used.values()),
            files=frozenset(each.file for each in every),
            notes=(*notes, *self._escapes(every), *self._duplicates(every, used)),
        )

    def node(self, reference: Reference) -> Reading:
        """Read the node that an entry of graph.json names."""
        name, file = reference.id, reference.file
        if not file:
            return Reading(None)  # of which the index tells
        if (link := self._link_on_the_way(file)) is not None:
            message = f"'{link}' is a link, and links are not followed"
            return Reading(None, (Note(Trouble.ESCAPE, Finding(name, message, Place(link))),))
        data, notes = self._object_in(file, name, NODE, Trouble.FILE, Trouble.SCHEMA)
        if data is None:
            return Reading(None, notes)
        disagreements = self._disagreements(reference, data)
        return Reading(
            node_from(data, name, file), (*notes, *disagreements, *self._reasons(reference, data))
        )

    def _object_in(
        self, file: str, subject: str, shape: Shape, in_text: Trouble, in_shape: Trouble
    ) -> tuple[Object | None, tuple[Note, ...]]:
        """Return the object that a file holds, and what is wrong with its text and its shape."""
        name = paths.name_of(file)
        try:
            if (data := self._sound(file, shape)) is not None:
                return data, ()
            decoded = self.files.decoded(file)
        except UnreadableError as error:
            finding = Finding(subject, f"'{name}' cannot be read: {error.reason}", Place(file))
            return None, (Note(in_text, finding),)
        notes = [_note(in_text, subject, file, each) for each in decoded.problems]
        datum = decoded.datum
        if datum is not None and not isinstance(datum.value, dict):
            message = f"'{name}' must hold an object, found {json_name(datum.value)}"
            place = Place(file, datum.line, datum.column)
            return None, (*notes, Note(in_text, Finding(subject, message, place)))
        if datum is not None:
            notes += [_note(in_shape, subject, file, e) for e in shape.problems(datum, name)]
        return (plain(datum) if datum else None), tuple(notes)

    def _sound(self, file: str, shape: Shape) -> Object | None:
        """Return the object that a file holds if nothing is wrong with it, as is most often so."""
        try:
            data = quick_json(self.files.snapshot.text(file).value)
        except ValueError:
            return None
        return lenient.as_object(data) if shape.fits(data) else None

    def _link_on_the_way(self, file: str) -> str | None:
        """Return the first link on the way to a file, below the folder itself."""
        kind = self.files.snapshot.kind
        if kind(file) is Kind.FILE:
            return None
        inner = (each for each in paths.lineage(file) if each not in (paths.ROOT, FOLDER))
        return next((each for each in (*inner, file) if kind(each) is Kind.LINK), None)

    def _escapes(self, references: Sequence[Reference]) -> Iterator[Note]:
        for each in references:
            if not each.file and each.path.endswith(".json"):
                message = f"'{each.path}' leads out of {FOLDER}/"
                yield self._of_index(Trouble.ESCAPE, each, "path", message)

    def _duplicates(
        self, references: Sequence[Reference], used: dict[str, Reference]
    ) -> Iterator[Note]:
        first: dict[str, Reference] = {}
        for each in references:
            other = first.setdefault(each.id, each)
            if other is not each:
                line = self.files.place(_INDEX, "nodes", other.position, "id").line
                message = f"is listed more than once, first in line {line}"
                advice = f"'{used[each.id].path}' is used; remove the other, or give it another id."
                yield self._of_index(Trouble.DUPLICATE, each, "id", message, advice)

    def _disagreements(self, reference: Reference, data: Object) -> Iterator[Note]:
        """Tell where graph.json and the file disagree, unless one of the two is wrong in itself."""
        own, kind, expected = data.get("id"), data.get("type"), reference.expected_type
        if ID.fits(own) and own != reference.id:
            message = f"is listed with '{reference.path}', which calls itself '{own}'"
            yield self._of_index(Trouble.ID, reference, "id", message)
        if expected != kind and all(each in NODE.words for each in (expected, kind)):
            message = f"is listed as '{expected}', but its file says '{kind}'"
            yield self._of_index(Trouble.TYPE, reference, "expectedType", message)

    def _of_index(
        self, trouble: Trouble, reference: Reference, key: str, message: str, *advice: str
    ) -> Note:
        place = self.files.place(_INDEX, "nodes", reference.position, key)
        return Note(trouble, Finding(reference.id, message, place, advice))

    def _reasons(self, reference: Reference, data: Object) -> Iterator[Note]:
        """Tell of a decision without a reason, unless what stands there has a wrong shape."""
        metadata = data.get("metadata", {})
        if data.get("type") != DECISION or not isinstance(metadata, dict):
            return
        reason = metadata.get("rationale", "")
        if isinstance(reason, str) and not reason.strip():
            place = self.files.place(reference.file, "metadata", "rationale")
            message = "the decision has no 'metadata.rationale'"
            yield Note(Trouble.RATIONALE, Finding(reference.id, message, place))


def _note(trouble: Trouble, subject: str, file: str, problem: Problem) -> Note:
    place = Place(file, problem.line, problem.column)
    advice = (problem.hint,) if problem.hint else ()
    return Note(trouble, Finding(subject, problem.message, place, advice))


def _references(data: Object) -> Iterator[Reference]:
    """Yield the references that name a node, whether or not its file can be read."""
    for position, item in enumerate(lenient.items(data, "nodes")):
        entry = lenient.as_object(item)
        name, path = lenient.text(entry, "id"), lenient.text(entry, "path")
        if name.isprintable() and name and " " not in name:  # good or bad, it can stand in a line
            yield Reference(
                id=name,
                path=path,
                file=_file_at(path),
                position=position,
                sha256=lenient.text(entry, "sha256"),
                expected_type=lenient.text(entry, "expectedType"),
            )


def _file_at(path: str) -> str:
    """Return the file that a path of graph.json names; empty when it is not one of the folder."""
    inside = None if _FOREIGN.match(path) else paths.normalise(path)
    return f"{FOLDER}/{inside}" if inside and inside.endswith(".json") else ""


def _once_each(references: Sequence[Reference]) -> dict[str, Reference]:
    """Keep one reference for each id: of several, the one whose file comes first by name.

    So the order of graph.json never decides which file is used.
    """
    kept: dict[str, Reference] = {}
    for each in references:
        other = kept.get(each.id)
        if other is None or (not each.file, each.file) < (not other.file, other.file):
            kept[each.id] = each
    return kept
