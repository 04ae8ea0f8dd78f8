"""Read Spec Graphs: graph.json lists the files of nodes; every problem becomes a note."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg_old.kernel.codec import Codec, Recipe
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.issue import Finding, Place
from yg_old.kernel.snapshot import Kind
from yg_old.specgraph import lenient
from yg_old.specgraph.files import Files
from yg_old.specgraph.graph import SpecGraph
from yg_old.specgraph.model import DECISION, GraphFile, NodeReading, NoteKind, Reference, SpecNote
from yg_old.specgraph.node_shapes import ID, INDEX, JSON_PATH, NODE
from yg_old.specgraph.places import FOLDER, INDEX_FILE
from yg_old.specgraph.read.build import node_from
from yg_old.specgraph.shapes import json_name
from yg_old.text import paths
from yg_old.text.decode import plain
from yg_old.text.decode_json import quick_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.kernel.snapshot import Snapshot
    from yg_old.specgraph.lenient import Object
    from yg_old.specgraph.shapes import ValueShape
    from yg_old.text.decode import Problem

INDEX_CODEC: Codec[GraphFile] = Codec(GraphFile)
READING_CODEC: Codec[NodeReading] = Codec(NodeReading)
_INDEX = f"{FOLDER}/{INDEX_FILE}"
_FOREIGN = re.compile(r"[A-Za-z]:|[\s\S]*\\")  # a drive, or another system's separator


def read(snapshot: Snapshot, tokenizer: str | None = None) -> SpecGraph:
    """Open the graph in a snapshot; files are read on demand."""
    reader = Reader(Files(snapshot))
    return SpecGraph(
        snapshot=snapshot,
        files=reader.files,
        folder=FOLDER,
        read_index=reader.index,
        read_node=reader.node,
        tokenizer=tokenizer or "",
    )


class Reader:
    """Reads the files of one graph."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self._links: dict[str, str | None] = {}  # the first link on the path to each directory

    def index(self) -> GraphFile:
        """Read graph.json."""
        self._link_above(_INDEX)
        recipe = Recipe(name="graph", make=self._index_in, codec=INDEX_CODEC)
        try:
            return self.files.snapshot.text(_INDEX).made(recipe)
        except UnreadableError as error:
            note = _unreadable(NoteKind.INDEX, INDEX_FILE, _INDEX, error)
            return GraphFile(file=_INDEX, notes=(note,))

    def _index_in(self, text: str) -> GraphFile:
        data, notes = self._object_in(
            text, _INDEX, INDEX_FILE, INDEX, NoteKind.INDEX, NoteKind.INDEX
        )
        every = tuple(_references(data or {}))
        used = _once_each(every)
        return GraphFile(
            file=_INDEX,
            version=lenient.text(data or {}, "specgraphVersion"),
            root=lenient.text(data or {}, "root"),
            references=tuple(used.values()),
            files=frozenset(reference.file for reference in every),
            notes=(*notes, *self._escapes(every), *self._duplicates(every, used)),
        )

    def node(self, reference: Reference) -> NodeReading:
        """Read the node that an entry of graph.json names."""
        name, file = reference.id, reference.file
        if not file:
            return NodeReading(None)  # the notes of the index say why
        if (link := self._link_above(file)) is not None:
            message = f"'{link}' is a link, and links are not followed"
            return NodeReading(
                None, (SpecNote(NoteKind.ESCAPE, Finding(name, message, Place(link))),)
            )
        # The value contains the id, so it is cached for this id only.
        recipe = Recipe(
            name=f"node {name}",
            make=lambda text: self._node_in(text, name, file),
            codec=READING_CODEC,
        )
        try:
            reading = self.files.snapshot.text(file).made(recipe)
        except UnreadableError as error:
            return NodeReading(None, (_unreadable(NoteKind.FILE, name, file, error),))
        differences = tuple(self._differences(reference, reading))
        return replace(reading, notes=reading.notes + differences) if differences else reading

    def _node_in(self, text: str, name: str, file: str) -> NodeReading:
        data, notes = self._object_in(text, file, name, NODE, NoteKind.FILE, NoteKind.SCHEMA)
        if data is None:
            return NodeReading(None, notes)
        own_id = lenient.text(data, "id")
        return NodeReading(
            node_from(data, name, file),
            (*notes, *self._missing_rationale(data, name, file)),
            own_id if ID.fits(own_id) else "",
        )

    def _object_in(  # noqa: PLR0913, PLR0917
        self,
        text: str,
        file: str,
        subject: str,
        shape: ValueShape,
        in_text: NoteKind,
        in_shape: NoteKind,
    ) -> tuple[Object | None, tuple[SpecNote, ...]]:
        """Return the object in a file, and the problems of its text and its shape."""
        if (data := _valid(text, shape)) is not None:
            return data, ()
        name = paths.name_of(file)
        decoded = self.files.decoded(file)
        notes = [_note(in_text, subject, file, problem) for problem in decoded.problems]
        datum = decoded.datum
        if datum is not None and not isinstance(datum.value, dict):
            message = f"'{name}' must hold an object, found {json_name(datum.value)}"
            place = Place(file, datum.line, datum.column)
            return None, (*notes, SpecNote(in_text, Finding(subject, message, place)))
        if datum is not None:
            data = plain(datum)
            problems = (fault.problem(datum, name) for fault in shape.faults(data))
            notes += [_note(in_shape, subject, file, problem) for problem in problems]
        return data, tuple(notes)

    def _link_above(self, file: str) -> str | None:
        """Return the first link on the path to a file, below the graph folder."""
        directory = paths.parent(file)
        if directory not in self._links:
            self._links[directory] = self._link_to(directory)
        link = self._links[directory]
        if link is None and self.files.snapshot.kind(file) is Kind.LINK:
            return file
        return link

    def _link_to(self, directory: str) -> str | None:
        """Return the first link on the path to a directory.

        Every directory on the path is listed, so that the index compares it by its names.
        """
        snapshot = self.files.snapshot
        for part in (*paths.lineage(directory), directory):
            if part == paths.ROOT:
                continue
            kind = snapshot.kind(part)
            if kind is Kind.LINK and part != FOLDER:
                return part
            if kind is Kind.DIRECTORY:
                try:
                    snapshot.entries(part)
                except UnreadableError:
                    return None  # reading the file reports it
        return None

    def _escapes(self, references: Sequence[Reference]) -> Iterator[SpecNote]:
        for reference in references:
            if not reference.file and JSON_PATH.fits(reference.path):
                message = f"'{reference.path}' leads out of {FOLDER}/"
                yield self._of_index(NoteKind.ESCAPE, reference, "path", message)

    def _duplicates(
        self, references: Sequence[Reference], used: dict[str, Reference]
    ) -> Iterator[SpecNote]:
        first: dict[str, Reference] = {}
        for reference in references:
            other = first.setdefault(reference.id, reference)
            if other is not reference:
                line = self.files.place(_INDEX, "nodes", other.position, "id").line
                message = f"is listed more than once, first in line {line}"
                advice = (
                    f"'{used[reference.id].path}' is used; remove the other, or give it another id."
                )
                yield self._of_index(NoteKind.DUPLICATE, reference, "id", message, advice)

    def _differences(self, reference: Reference, reading: NodeReading) -> Iterator[SpecNote]:
        """Yield a note where a valid id or type differs between graph.json and the file."""
        own_id, expected = reading.own_id, reference.expected_type
        if own_id and own_id != reference.id:
            message = f"is listed with '{reference.path}', which calls itself '{own_id}'"
            yield self._of_index(NoteKind.ID, reference, "id", message)
        kind = reading.node.type if reading.node else ""
        if expected != kind and expected in NODE.branches and kind in NODE.branches:
            message = f"is listed as '{expected}', but its file says '{kind}'"
            yield self._of_index(NoteKind.TYPE, reference, "expectedType", message)

    def _of_index(
        self, kind: NoteKind, reference: Reference, key: str, message: str, *advice: str
    ) -> SpecNote:
        place = self.files.place(_INDEX, "nodes", reference.position, key)
        return SpecNote(kind, Finding(reference.id, message, place, advice))

    def _missing_rationale(self, data: Object, name: str, file: str) -> Iterator[SpecNote]:
        """Yield a note if a decision has no rationale; one of a wrong shape is reported as such."""
        metadata = data.get("metadata", {})
        if data.get("type") != DECISION or not isinstance(metadata, dict):
            return
        rationale = metadata.get("rationale", "")
        if isinstance(rationale, str) and not rationale.strip():
            place = self.files.place(file, "metadata", "rationale")
            message = "the decision has no 'metadata.rationale'"
            yield SpecNote(NoteKind.RATIONALE, Finding(name, message, place))


def _valid(text: str, shape: ValueShape) -> Object | None:
    """Return the object in a text if nothing is wrong with it, which is the usual case."""
    try:
        data = quick_json(text)
    except ValueError:
        return None
    return lenient.as_object(data) if shape.fits(data) else None


def _unreadable(kind: NoteKind, subject: str, file: str, error: UnreadableError) -> SpecNote:
    message = f"'{paths.name_of(file)}' cannot be read: {error.reason}"
    return SpecNote(kind, Finding(subject, message, Place(file)))


def _note(kind: NoteKind, subject: str, file: str, problem: Problem) -> SpecNote:
    place = Place(file, problem.line, problem.column)
    advice = (problem.hint,) if problem.hint else ()
    return SpecNote(kind, Finding(subject, problem.message, place, advice))


def _references(data: Object) -> Iterator[Reference]:
    """Yield the entries that have a usable id, whether or not their files can be read."""
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
    """Return the file of a path in graph.json; empty if it is not in the folder."""
    inside = None if _FOREIGN.match(path) else paths.normalise(path)
    return f"{FOLDER}/{inside}" if inside and inside.endswith(".json") else ""


def _once_each(references: Sequence[Reference]) -> dict[str, Reference]:
    """Keep one entry for each id: of several, the one whose file comes first by name.

    So the result does not depend on the order of graph.json.
    """
    kept: dict[str, Reference] = {}
    for reference in references:
        other = kept.get(reference.id)
        if other is None or (not reference.file, reference.file) < (not other.file, other.file):
            kept[reference.id] = reference
    return kept
