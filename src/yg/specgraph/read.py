"""Reads Spec Graphs: graph.json says which file holds which node; whatever is wrong is noted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.decode_json import decode_json
from yg.kernel.errors import UnreadableError
from yg.kernel.fields import Word
from yg.kernel.issue import Finding, Place
from yg.kernel.snapshot import Kind
from yg.specgraph import lenient
from yg.specgraph.build import node_from
from yg.specgraph.graph import Graph
from yg.specgraph.model import DECISION, Index, Note, Reading, Reference, Trouble
from yg.specgraph.node_shapes import ID, INDEX, NODE
from yg.specgraph.places import FOLDER, INDEX_FILE
from yg.specgraph.shapes import json_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.kernel.decode import Datum, Problem
    from yg.kernel.snapshot import Snapshot
    from yg.specgraph.lenient import Entries

_FOREIGN = re.compile(r"[A-Za-z]:|.*\\", re.DOTALL)  # a drive, or another system's separator


def read(snapshot: Snapshot) -> Graph:
    """Open the graph of a snapshot; its files are read as they are asked for."""
    return Graph(
        snapshot=snapshot,
        folder=FOLDER,
        read_index=lambda: read_index(snapshot),
        read_node=lambda reference: read_node(snapshot, reference),
    )


def read_index(snapshot: Snapshot) -> Index:
    """Read graph.json."""
    file = f"{FOLDER}/{INDEX_FILE}"
    datum, notes = _object_in(snapshot, file, INDEX_FILE, Trouble.INDEX)
    if datum is None:
        return Index(file=file, notes=notes)
    entries = lenient.entries_of(datum)
    every = tuple(_references(entries))
    return Index(
        file=file,
        version=lenient.text(entries, "specgraphVersion"),
        root=lenient.word(entries, "root"),
        references=_once_each(every),
        files=frozenset(each.file for each in every),
        notes=(
            *notes,
            *_shape_notes(INDEX.problems(datum, INDEX_FILE), Trouble.INDEX, INDEX_FILE, file),
            *_escapes(file, every),
            *_duplicates(file, every),
        ),
    )


def read_node(snapshot: Snapshot, reference: Reference) -> Reading:
    """Read the node that an entry of graph.json names."""
    if not reference.file:
        return Reading(None)
    subject, file = reference.id.text, reference.file
    if (link := _link_on_the_way(snapshot, file)) is not None:
        return Reading(None, (_link_note(reference, link),))
    datum, notes = _object_in(snapshot, file, subject, Trouble.FILE)
    if datum is None:
        return Reading(None, notes)
    problems = NODE.problems(datum, paths.name_of(file))
    return Reading(
        node_from(datum, subject, file),
        (
            *notes,
            *_shape_notes(problems, Trouble.SCHEMA, subject, file),
            *_mismatches(reference, lenient.entries_of(datum)),
            *_rationale_notes(datum, subject, file),
        ),
    )


def _object_in(
    snapshot: Snapshot, file: str, subject: str, trouble: Trouble
) -> tuple[Datum | None, tuple[Note, ...]]:
    """Decode a file that has to hold an object."""
    name = paths.name_of(file)
    try:
        decoded = decode_json(snapshot.text(file).value)
    except UnreadableError as error:
        finding = Finding(subject, f"'{name}' cannot be read: {error.reason}", Place(file))
        return None, (Note(trouble, finding),)
    notes = tuple(_shape_notes(decoded.problems, trouble, subject, file))
    datum = decoded.datum
    if datum is None or isinstance(datum.value, dict):
        return datum, notes
    message = f"'{name}' must hold an object, found {json_name(datum.value)}"
    finding = Finding(subject, message, Place(file, datum.line, datum.column))
    return None, (*notes, Note(trouble, finding))


def _shape_notes(
    problems: Iterable[Problem], trouble: Trouble, subject: str, file: str
) -> Iterator[Note]:
    for each in problems:
        advice = (each.hint,) if each.hint else ()
        place = Place(file, each.line, each.column)
        yield Note(trouble, Finding(subject, each.message, place, advice))


def _references(entries: Entries) -> Iterator[Reference]:
    """Yield the references that name a node, whether or not its file can be read."""
    for item in lenient.items(entries, "nodes"):
        inner = lenient.entries_of(item)
        identity, path = lenient.word(inner, "id"), lenient.word(inner, "path")
        if identity is None or not _is_printable(identity.text):
            continue
        yield Reference(
            id=identity,
            path=path or Word("", item.line, item.column),
            file=_file_at(path.text) if path else "",
            sha256=lenient.word(inner, "sha256"),
            expected_type=lenient.word(inner, "expectedType"),
        )


def _is_printable(name: str) -> bool:
    """Tell whether a name, good or bad, can stand in a line without harm."""
    return name.isprintable() and name != "" and " " not in name


def _file_at(path: str) -> str:
    """Return the file that a path of graph.json names; empty when it is not one of the folder."""
    inside = None if _FOREIGN.match(path) else paths.normalise(path)
    return f"{FOLDER}/{inside}" if inside and inside.endswith(".json") else ""


def _escapes(file: str, references: Iterable[Reference]) -> Iterator[Note]:
    for each in references:
        if not each.file and each.path.text.endswith(".json"):
            message = f"'{each.path}' leads out of {FOLDER}/"
            place = Place(file, each.path.line, each.path.column)
            yield Note(Trouble.ESCAPE, Finding(each.id.text, message, place))


def _link_on_the_way(snapshot: Snapshot, file: str) -> str | None:
    """Return the first link on the way to a file, below the folder itself."""
    if snapshot.kind(file) is Kind.FILE:
        return None
    inner = (each for each in paths.lineage(file) if each not in (paths.ROOT, FOLDER))
    return next((each for each in (*inner, file) if snapshot.kind(each) is Kind.LINK), None)


def _link_note(reference: Reference, link: str) -> Note:
    message = f"'{link}' is a link, and links are not followed"
    return Note(Trouble.ESCAPE, Finding(reference.id.text, message, Place(link)))


def _once_each(references: Iterable[Reference]) -> tuple[Reference, ...]:
    """Keep one reference for each id: of several, the one whose file comes first by name.

    So the order of graph.json never decides which file is used.
    """
    kept: dict[str, Reference] = {}
    for each in references:
        other = kept.get(each.id.text)
        if other is None or _rank(each) < _rank(other):
            kept[each.id.text] = each
    return tuple(kept.values())


def _rank(reference: Reference) -> tuple[bool, str]:
    return not reference.file, reference.file


def _duplicates(file: str, references: Iterable[Reference]) -> Iterator[Note]:
    first: dict[str, Reference] = {}
    used = {each.id.text: each for each in _once_each(references)}
    for each in references:
        name = each.id.text
        if first.setdefault(name, each) is not each:
            place = Place(file, each.id.line, each.id.column)
            message = f"is listed more than once, first in line {first[name].id.line}"
            advice = f"'{used[name].path}' is used; remove the other entry, or give it another id."
            yield Note(Trouble.DUPLICATE, Finding(name, message, place, (advice,)))


def _mismatches(reference: Reference, entries: Entries) -> Iterator[Note]:
    """Tell where graph.json and the file disagree, unless one of the two is wrong in itself."""
    name, expected = reference.id, reference.expected_type
    identity, kind = lenient.word(entries, "id"), lenient.word(entries, "type")
    if identity and re.fullmatch(ID.pattern, identity.text) and identity.text != name.text:
        message = f"is listed with '{reference.path}', which calls itself '{identity}'"
        yield _disagreement(Trouble.ID, reference, name, message)
    if expected and kind and {expected.text, kind.text} <= NODE.branches.keys():
        message = f"is listed as '{expected}', but its file says '{kind}'"
        if expected.text != kind.text:
            yield _disagreement(Trouble.TYPE, reference, expected, message)


def _disagreement(trouble: Trouble, reference: Reference, at: Word, message: str) -> Note:
    place = Place(f"{FOLDER}/{INDEX_FILE}", at.line, at.column)
    return Note(trouble, Finding(reference.id.text, message, place))


def _rationale_notes(datum: Datum, subject: str, file: str) -> Iterator[Note]:
    """Tell of a decision without a reason, unless what stands there has a wrong shape."""
    entries = lenient.entries_of(datum)
    if lenient.text(entries, "type") != DECISION:
        return
    at = datum
    for key in ("metadata", "rationale"):
        entry = lenient.entries_of(at).get(key)
        if entry is None:
            break
        at = entry.datum
        if not isinstance(at.value, dict if key == "metadata" else str):
            return
    if not isinstance(at.value, str) or not at.value.strip():
        message = "the decision has no 'metadata.rationale'"
        place = Place(file, at.line, at.column)
        yield Note(Trouble.RATIONALE, Finding(subject, message, place))
