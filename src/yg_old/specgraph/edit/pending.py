"""Pending changes to the files of a Spec Graph, which become a list of edits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg_old.kernel.digest import file_digest, file_digests
from yg_old.kernel.edit import Delete, Write
from yg_old.kernel.errors import RefusedError, UnreadableError, UsageError
from yg_old.kernel.snapshot import Kind
from yg_old.specgraph import lenient
from yg_old.text.decode import plain
from yg_old.text.decode_json import decode_json, quick_json
from yg_old.text.json_edit import BOM, JsonText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from yg_old.specgraph.graph import SpecGraph
    from yg_old.specgraph.lenient import Object
    from yg_old.specgraph.model import Reference
    from yg_old.text.json_edit import Path


class SpecChange(Struct, frozen=True, kw_only=True):
    """The edits of one command, and the contents that they are based on."""

    edits: tuple[Write | Delete, ...] = ()  # in the order in which they are written
    read: Mapping[str, bytes | None]  # by path; None: no such file
    nodes: tuple[str, ...] = ()  # the nodes whose files are written

    @property
    def contents(self) -> dict[str, bytes | None]:
        """The new content of each file; None if it is deleted."""
        return {edit.path: edit.content if isinstance(edit, Write) else None for edit in self.edits}


class PendingChanges:
    """Changes to the files of a graph."""

    def __init__(self, graph: SpecGraph) -> None:
        self._graph = graph
        self._read: dict[str, bytes | None] = {}
        self._texts: dict[str, JsonText] = {}
        self._deleted: list[str] = []
        self._checked: set[str] = set()  # files whose digest in graph.json must be current

    @property
    def index(self) -> JsonText:
        """The text of graph.json."""
        return self.text(self._graph.file)

    def text(self, file: str) -> JsonText:
        """Return the current text of a file; raises RefusedError if it is not a JSON object."""
        if file not in self._texts:
            self._texts[file] = self._opened(file)
        return self._texts[file]

    def data(self, file: str) -> Object:
        """Return the current content of a file as data."""
        text = self.text(file).text.removeprefix(BOM)
        try:
            return quick_json(text)  # type: ignore[no-any-return]
        except ValueError:  # in doubt
            return plain(decode_json(text).datum)  # type: ignore[no-any-return]

    def _opened(self, file: str) -> JsonText:
        try:
            content = self._graph.snapshot.read(file)
            text = content.decode()
        except UnreadableError as error:
            raise _uneditable(file, error.reason) from error
        except UnicodeDecodeError as error:
            raise _uneditable(file, "it is not UTF-8") from error
        decoded = decode_json(text.removeprefix(BOM)) if _is_doubtful(text) else None
        if decoded is not None and decoded.problems:
            problem = decoded.problems[0]
            raise _uneditable(file, f"{problem.message} (line {problem.line})")
        found = JsonText(text)
        if not found.is_object:
            raise _uneditable(file, "it does not hold an object")
        self._read[file] = content
        return found

    def values(self, file: str, path: Path) -> list[Any]:
        """Return the items of a list; none if it is missing. Raises RefusedError for no list."""
        value: Any = self.data(file)
        for step in path:
            value = lenient.as_object(value).get(str(step))
        if not isinstance(value, list | None):
            raise _uneditable(file, f"'{'.'.join(map(str, path))}' is not a list")
        return value or []

    def put(self, file: str, path: Path, value: Any) -> None:
        """Set a value; the objects on the way to it are added if they are missing."""
        try:
            self._replace(file, self.text(file).put(path, value))
        except ValueError as error:
            raise _uneditable(file, str(error)) from error

    def append(self, file: str, path: Path, items: Sequence[Any]) -> None:
        """Add items to a list, which is added if it is missing."""
        if not self.values(file, path):
            if items:
                self.put(file, path, items)
            return
        for item in items:
            self._replace(file, self.text(file).append(path, item))

    def remove(self, file: str, path: Path) -> None:
        """Remove a value, if it exists."""
        self._replace(file, self.text(file).remove(path))

    def remove_items(self, file: str, path: Path, is_removed: Callable[[Any], bool]) -> None:
        """Remove some items of a list, if it exists."""
        found = [at for at, item in enumerate(self.values(file, path)) if is_removed(item)]
        if found:
            self._replace(file, self.text(file).remove_parts(path, found))

    def _replace(self, file: str, text: JsonText) -> None:
        self._texts[file] = text
        self._checked.add(file)

    def check_digest(self, file: str) -> None:
        """Correct the digest of a file in graph.json, even if the file does not change."""
        self._replace(file, self.text(file))

    def create(self, file: str, text: str) -> None:
        """Add a file that does not exist."""
        self._read[file] = None
        self._replace(file, JsonText(text))

    def overwrite(self, file: str, text: str) -> None:
        """Replace a whole file, whatever it holds."""
        snapshot = self._graph.snapshot
        try:
            self._read[file] = snapshot.read(file) if snapshot.kind(file) else None
        except UnreadableError as error:
            raise _uneditable(file, error.reason) from error
        self._replace(file, JsonText(text))

    def delete(self, file: str) -> None:
        """Delete a file, unless it is missing or a link."""
        if self._graph.snapshot.kind(file) is Kind.FILE:
            self._read[file] = self._graph.snapshot.read(file)
            self._texts.pop(file, None)
            self._checked.discard(file)
            self._deleted.append(file)

    def finished(self) -> SpecChange:
        """Return the edits: nodes first, then graph.json, which lists them, then deletions."""
        try:
            written = {file: text.text.encode() for file, text in self._texts.items()}
        except UnicodeEncodeError as error:
            raise UsageError("the text is not UTF-8") from error
        digests = dict(self._digests(written))
        if digests:
            written[self._graph.file] = self.index.put_all(digests).text.encode()
        changed = {
            file: content for file, content in written.items() if content != self._read.get(file)
        }
        files = sorted(changed, key=lambda file: (file == self._graph.file, file))
        return SpecChange(
            edits=(
                *(Write(file, changed[file]) for file in files),
                *(Delete(file) for file in self._deleted),
            ),
            read=self._read,
            nodes=tuple(entry.id for entry in self._references() if entry.file in changed),
        )

    def digest(self, file: str) -> str:
        """Return the digest of a file with its changes."""
        return file_digest([self.text(file).text.encode()])

    def _references(self) -> Iterator[Reference]:
        return (entry for entry in self._graph.references.values() if entry.file in self._checked)

    def _digests(self, written: Mapping[str, bytes]) -> Iterator[tuple[Path, str]]:
        """Yield the digests in graph.json that differ, by their paths."""
        stale: dict[tuple[object, object], str] = {}
        for entry in self._references():
            digests = file_digests([written[entry.file]])
            if entry.sha256 and not digests.matches(entry.sha256.lower()):
                stale[entry.id, entry.path] = digests.lf
        entries = lenient.items(self.data(self._graph.file), "nodes") if stale else ()
        for at, raw in enumerate(map(lenient.as_object, entries)):
            digest = stale.get((raw.get("id"), raw.get("path")))
            if digest and "sha256" in raw:
                yield ("nodes", at, "sha256"), digest


def _is_doubtful(text: str) -> bool:
    try:
        quick_json(text.removeprefix(BOM))
    except ValueError:
        return True
    return False


def _uneditable(file: str, reason: str) -> RefusedError:
    return RefusedError(f"cannot edit '{file}': {reason}", hint="'yg validate' lists all errors.")
