"""Collections: the nodes, aspects or flows of a graph, read from their folders on demand."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec import DecodeError, Struct
from msgspec.structs import replace

from yg_old.kernel.codec import Recipe
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.issue import Finding, Place
from yg_old.kernel.snapshot import conflict_line
from yg_old.text import paths
from yg_old.text.paths import ROOT, is_inside
from yg_old.yggdrasil.codecs import placed
from yg_old.yggdrasil.folders import Folder, folder_at, is_folder, walk
from yg_old.yggdrasil.model import D, Note, Reading, ReadIssue, UnknownKeyUse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from yg_old.kernel.codec import Codec
    from yg_old.kernel.fields import Fields
    from yg_old.kernel.snapshot import Snapshot
    from yg_old.text.decode import Problem
    from yg_old.yggdrasil.model import Config

    AllReadings: TypeAlias = tuple[dict[str, Reading[D]], tuple[Note, ...]]


V = TypeVar("V")
T_co = TypeVar("T_co", covariant=True)


class Build(Protocol[T_co]):
    """A function that builds a value from a folder and the fields of its declaration."""

    def __call__(self, folder: Folder, fields: Fields) -> T_co | None:
        """Return the value, or None; problems are added to the report of the fields."""


class CollectionSpec(Struct, Generic[D], frozen=True, kw_only=True):
    """The specification of a collection: its tree, its file name and how to read the file."""

    tree: str
    file: str
    subject: str  # prefix of an id in an issue
    issue: ReadIssue
    codec: Codec[Reading[D]]
    build: Build[D]
    undeclared: Callable[[Folder, bool], Iterator[Note]]  # whether it is in or above a declared one
    excluded: frozenset[str] = frozenset()  # top-level folders outside this collection
    has_root: bool = False  # whether the top of the tree may have a declaration
    non_content: tuple[str, ...] = ()  # other file names that are not content

    def content_of(self, folder: Folder) -> tuple[str, ...]:
        """Return the names of the files in a folder that are content."""
        return folder.files_except(self.file, *self.non_content)

    def file_of(self, folder_id: str) -> str:
        """Return the path of the declaration of an id."""
        directory = self.tree if folder_id == ROOT else f"{self.tree}/{folder_id}"
        return f"{directory}/{self.file}"

    def subject_of(self, folder_id: str) -> str:
        """Return the subject that issues about a folder have."""
        return f"{self.subject}{folder_id}"


class Collection(Generic[D]):
    """The nodes, aspects or flows of a graph, by id."""

    def __init__(self, snapshot: Snapshot, spec: CollectionSpec[D]) -> None:
        self.spec: CollectionSpec[D] = spec
        self.snapshot = snapshot
        self._readings: dict[str, Reading[D] | None] = {}

    def reading(self, folder_id: str) -> Reading[D] | None:
        """Read one declaration and no other; return None if the id is not declared."""
        if folder_id not in self._readings:
            self._readings[folder_id] = self.look_up(folder_id)
        return self._readings[folder_id]

    def get(self, folder_id: str) -> D | None:
        """Return one value; None if it is missing or invalid."""
        reading = self.reading(folder_id)
        return reading.value if reading else None

    def __iter__(self) -> Iterator[D]:
        """Yield every valid value, sorted by id."""
        return (reading.value for reading in self.all.values() if reading.value is not None)

    @property
    def all(self) -> dict[str, Reading[D]]:
        """Every declaration, valid or not, sorted by id."""
        return self._all_readings[0]

    @property
    def notes(self) -> tuple[Note, ...]:
        """The issues of folders without a declaration."""
        return self._all_readings[1]

    @cached_property
    def _all_readings(self) -> AllReadings[D]:
        return self.read_all()

    def read_all(self) -> AllReadings[D]:
        """Read every declaration, and collect the issues of all other folders."""
        declared: dict[str, Reading[D]] = {}
        notes: list[Note] = []
        spec = self.spec
        known = self.snapshot.readings(spec.tree, spec.file, spec.issue)
        others = []
        for folder in walk(self.snapshot, spec.tree):
            if self._is_excluded(folder.id):
                continue
            if self._is_declared(folder):
                stored = known.get(folder.directory, b"")
                reading = self._readings.get(folder.id) or self._stored(folder, stored)
                declared[folder.id] = reading or self._read(folder)
            else:
                others.append(folder)
        groups = _groups(declared) if others else set()
        for folder in others:
            is_below = any(above in declared for above in paths.lineage(folder.id))
            notes.extend(folder_notes(folder, spec.subject_of(folder.id)))
            notes.extend(spec.undeclared(folder, is_below or folder.id in groups))
        self._readings.update(declared)
        notes.sort(key=lambda note: note.finding.place.file)
        return dict(sorted(declared.items())), tuple(notes)

    def ids(self) -> tuple[str, ...]:
        """Return every declared id, sorted, without reading any file."""
        if "_all_readings" in self.__dict__:
            return tuple(self.all)
        folders = walk(self.snapshot, self.spec.tree)
        return tuple(sorted(folder.id for folder in folders if self._is_member(folder)))

    def look_up(self, folder_id: str) -> Reading[D] | None:
        """Read one declaration, without the cache of this object."""
        if self._is_excluded(folder_id):
            return None
        if not is_folder(self.snapshot, self.spec.tree, folder_id):
            return None
        folder = folder_at(self.snapshot, self.spec.tree, folder_id)
        return self._read(folder) if self._is_declared(folder) else None

    def fault(self, folder_id: str) -> Place | None:
        """Return where the first problem is that makes an id unreadable, if it exists at all."""
        reading = self.reading(folder_id)
        if reading is None:
            return self._bad_folders.get(f"{self.spec.tree}/{folder_id}")
        notes = (note for note in reading.notes if note.issue is not ReadIssue.LINK)
        places = (note.finding.place for note in notes)
        return min(places, key=lambda place: (place.file, place.line), default=None)

    @cached_property
    def _bad_folders(self) -> dict[str, Place]:
        """The directories that lack the declaration they need."""
        harmless = (ReadIssue.LINK, ReadIssue.BARE_DIRECTORY, ReadIssue.UNUSED)
        bad = [note.finding.place for note in self.notes if note.issue not in harmless]
        return {place.file: place for place in bad}

    def _is_excluded(self, folder_id: str) -> bool:
        return folder_id.split("/", 1)[0] in self.spec.excluded

    def _is_member(self, folder: Folder) -> bool:
        return not self._is_excluded(folder.id) and self._is_declared(folder)

    def _is_declared(self, folder: Folder) -> bool:
        if folder.id == paths.ROOT and not self.spec.has_root:
            return False
        if self.spec.file in folder.files:
            return True
        file = f"{folder.directory}/{self.spec.file}"
        return any(path == file for path, _ in folder.unreadable)

    def _stored(self, folder: Folder, stored: bytes) -> Reading[D] | None:
        """Return the stored reading of an earlier run, unless the folder has issues of its own."""
        if not stored or folder.links or folder.unreadable:
            return None
        try:
            reading = self.spec.codec.decode(stored)
        except DecodeError:
            return None  # written by another version: ignored
        return placed(reading, folder.id, folder.directory, self.spec.content_of(folder))

    def _read(self, folder: Folder) -> Reading[D]:
        spec = self.spec
        subject = spec.subject_of(folder.id)
        notes = tuple(folder_notes(folder, subject))
        if spec.file not in folder.files:
            return Reading(None, notes)
        reading = read_file(
            self.snapshot,
            f"{folder.directory}/{spec.file}",
            subject,
            spec.issue,
            lambda fields: spec.build(folder, fields),
            spec.codec,
        )
        reading = placed(reading, folder.id, folder.directory, spec.content_of(folder))
        return replace(reading, notes=notes + reading.notes) if notes else reading


def _groups(ids: Iterable[str]) -> set[str]:
    """Return the directories above some ids."""
    found = {ROOT}
    for folder_id in ids:
        above = paths.parent(folder_id)
        while above not in found:
            found.add(above)
            above = paths.parent(above)
    return found


def read_file(  # noqa: PLR0913, PLR0917
    snapshot: Snapshot,
    file: str,
    subject: str,
    issue: ReadIssue,
    build: Callable[[Fields], V | None],
    codec: Codec[Reading[V]],
) -> Reading[V]:
    """Read a YAML file into a value; every problem becomes a note."""
    recipe = Recipe(
        name=issue,
        make=lambda text: _reading(text, file, subject, issue, build),
        codec=codec,
    )
    try:
        return snapshot.text(file).made(recipe)
    except UnreadableError as error:
        return Reading(None, (unreadable(subject, file, error.reason),))


def _reading(
    text: str, file: str, subject: str, issue: ReadIssue, build: Callable[[Fields], V | None]
) -> Reading[V]:
    # Imported here because a run that finds all readings in the index does not need them.
    from yg_old.kernel.fields import Fields, Report
    from yg_old.text.decode_yaml import decode_yaml

    if line := conflict_line(text):
        return Reading(None, (conflict(subject, file, line),))
    decoded = decode_yaml(text)
    report = Report()
    report.problems.extend(decoded.problems)
    value = None
    if decoded.datum is not None:
        fields = Fields(decoded.datum, paths.name_of(file), report)
        value = build(fields)
        fields.close()
    notes = [_problem_note(issue, subject, file, problem) for problem in report.problems]
    notes += [
        _problem_note(ReadIssue.DUPLICATE, subject, file, warning) for warning in report.warnings
    ]
    unknown_keys = tuple(UnknownKeyUse(subject, file, key) for key in report.unknown_keys)
    return Reading(value, tuple(notes), unknown_keys)


def folder_notes(folder: Folder, subject: str) -> Iterator[Note]:
    """Yield a note for each link and each unreadable entry of a folder."""
    for path, reason in folder.unreadable:
        yield unreadable(subject, path, reason)
    for name in folder.links:
        place = Place(f"{folder.directory}/{name}")
        message = f"'{name}' is a link and is ignored"
        advice = ("Put the content itself there: links are not followed inside a graph.",)
        yield Note(ReadIssue.LINK, Finding(subject, message, place, advice))


def unreadable(subject: str, path: str, reason: str) -> Note:
    """Return the note for a file or directory that cannot be read."""
    finding = Finding(subject, f"'{paths.name_of(path)}' cannot be read: {reason}", Place(path))
    return Note(ReadIssue.UNREADABLE, finding)


def conflict(subject: str, file: str, line: int, advice: tuple[str, ...] = ()) -> Note:
    """Return the note for a file with an unresolved merge conflict."""
    finding = Finding(subject, "unresolved merge conflict", Place(file, line, 1), advice)
    return Note(ReadIssue.CONFLICT, finding)


def _problem_note(issue: ReadIssue, subject: str, file: str, problem: Problem) -> Note:
    place = Place(file, problem.line, problem.column)
    advice = (problem.hint,) if problem.hint else ()
    return Note(issue, Finding(subject, problem.message, place, advice))


_HARMLESS = (
    ReadIssue.LINK,
    ReadIssue.BARE_DIRECTORY,
    ReadIssue.NO_NODE,
    ReadIssue.DUPLICATE,
    ReadIssue.UNUSED,
)


def unread_configuration(reading: Reading[Config]) -> tuple[Finding, ...]:
    """Return the first problem of the configuration, if it could not be read as a whole."""
    return tuple(note.finding for note in reading.notes if note.issue not in _HARMLESS)[:1]


def skipped(collection: Collection[Any], within: str = ROOT) -> list[Finding]:
    """Return one finding for each declaration that could not be read."""
    notes = [note for note in collection.notes if note.issue not in _HARMLESS]
    for reading in collection.all.values():
        if reading.value is None:
            notes += [note for note in reading.notes if note.issue not in _HARMLESS][:1]
    tree = collection.spec.tree if within == ROOT else f"{collection.spec.tree}/{within}"
    findings = [note.finding for note in notes]
    inside = [finding for finding in findings if is_inside(finding.place.file, tree)]
    return sorted(inside, key=lambda finding: (finding.subject, finding.place.line))
