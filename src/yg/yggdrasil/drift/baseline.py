"""Baselines: the file digests of a node at its last sync, and how they are stored."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import DecodeError, Raw, Struct
from msgspec.json import Decoder
from msgspec.json import encode as json_encode
from msgspec.json import format as json_format

from yg.kernel.digest import canonical_digest
from yg.kernel.edit import Delete, Edit, Rename, Write
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import MAX_TEXT, Kind, decode_utf8
from yg.text import paths
from yg.yggdrasil.places import DRIFT_STATE, is_graph_file

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from yg.kernel.snapshot import Snapshot


FOLDER = DRIFT_STATE
ROOT_NAME = ".root"
SUFFIX = ".json"

_PARTS = Decoder(dict[str, Raw])
_TEXT = Decoder(str)
_DIGESTS = Decoder(dict[str, str])


_HASH, _FILES = "hash", "files"
_TIMES = "mtimes"  # of other tools; they differ in every clone, so they are not kept
# The parts of `recorded.py` come before the keys of other tools.
_FIRST = ("external", "code", "review")
# A public name takes one line, so that a diff of the file shows which names changed.
_SIGNATURE = re.compile(r'\{\n *("digest": ".*"),\n *("header": ".*")\n *\}')


class Baseline(Struct, frozen=True):
    """The digest of each tracked file; `hash` is the digest of all of them."""

    hash: str
    files: Mapping[str, str]
    rest: Mapping[str, bytes] = {}  # the JSON texts of all other keys, without times


def source_files(baseline: Baseline) -> dict[str, str]:
    """Return the digests of a baseline without those of graph files."""
    return {path: digest for path, digest in baseline.files.items() if not is_graph_file(path)}


def baseline_of(files: Mapping[str, str], rest: Mapping[str, bytes] = {}) -> Baseline:
    """Return the baseline for a map of file digests."""
    return Baseline(canonical_digest(files), files, rest)


def state_file(node: str) -> str:
    """Return the path of a node's baseline file."""
    return f"{FOLDER}/{ROOT_NAME if node == paths.ROOT else node}{SUFFIX}"


def node_of(file: str) -> str | None:
    """Return the node of a baseline file; None if the file is not a baseline."""
    name = file.removeprefix(f"{FOLDER}/").removesuffix(SUFFIX)
    if not file.endswith(SUFFIX) or not name:
        return None
    return paths.ROOT if name == ROOT_NAME else name


def baseline_text(baseline: Baseline) -> str:
    """Return a baseline as JSON, the same bytes for the same files."""
    import json  # late, as in the other functions: most commands need only names of baselines

    files = {path: baseline.files[path] for path in sorted(baseline.files)}
    content = {_HASH: baseline.hash, _FILES: files}
    text = json.dumps(content, ensure_ascii=False, indent=2).removesuffix("\n}")
    return "".join([text, *_other_keys(baseline.rest), "\n}\n"])


def _other_keys(rest: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the other keys of a baseline, indented; those of other tools in their order."""
    import json

    for key in dict.fromkeys((*_FIRST, *rest)):
        if key in rest:
            shown = _SIGNATURE.sub(r"{\1, \2}", json_format(rest[key].decode(), indent=2))
            # A string in JSON contains no line break.
            lines = f"{json.dumps(key, ensure_ascii=False)}: {shown}".replace("\n", "\n  ")
            yield f",\n  {lines}"


def is_recordable(baseline: Baseline) -> bool:
    """Tell whether the file of a baseline would be small enough to read."""
    # A character takes at most six bytes, and an entry at most 20 more than its path and digest.
    upper_bound = sum(6 * len(path) + len(digest) + 20 for path, digest in baseline.files.items())
    upper_bound += sum(8 * len(value) for value in baseline.rest.values())
    return upper_bound < MAX_TEXT or len(baseline_text(baseline).encode()) <= MAX_TEXT


def baseline_from(text: str) -> Baseline | str:
    """Parse a baseline written by this or another program; return a message if it is invalid."""
    try:
        parts = _PARTS.decode(text)
        digest, files = _TEXT.decode(parts.pop(_HASH)), _DIGESTS.decode(parts.pop(_FILES))
    except (DecodeError, UnicodeError, RecursionError, KeyError):
        return _decoded_slowly(text)
    if not parts.keys() <= {*_FIRST} and isinstance(problem := _decoded_slowly(text), str):
        return problem  # in a part that another tool has written
    rest = {key: bytes(value) for key, value in parts.items() if key != _TIMES}
    return Baseline(digest, _normalised(files), rest)


def _decoded_slowly(text: str) -> Baseline | str:
    """Parse a baseline that is invalid, or valid only for a less strict parser."""
    import json

    from yg.text.decode import real_number, whole_number

    try:
        content = json.loads(text, parse_int=whole_number, parse_float=real_number)
    except json.JSONDecodeError as error:
        return f"not valid JSON in line {error.lineno}, column {error.colno}"
    except ValueError as error:
        return f"it holds {error}"
    except RecursionError:
        return "nested too deeply"
    return baseline_shaped(content)


def baseline_shaped(content: Any) -> Baseline | str:
    """Convert JSON data to a baseline; return a message if it is invalid."""
    if not isinstance(content, dict):
        return "not a JSON object"
    if not isinstance(content.get(_HASH), str):
        return "its 'hash' is not text"
    if _FILES not in content:
        return "it has no 'files'"
    files = content[_FILES]
    if not isinstance(files, dict) or not all(isinstance(value, str) for value in files.values()):
        return "its 'files' is not a map from path to hash"
    others = {key: value for key, value in content.items() if key not in (_HASH, _FILES, _TIMES)}
    return Baseline(content[_HASH], _normalised(files), dict(_encoded(others)))


def _encoded(values: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Yield the JSON texts of some values; leave out those that no file in UTF-8 can hold."""
    for key, value in values.items():
        try:
            json_encode(key)
            yield key, json_encode(value)
        except (UnicodeError, RecursionError, TypeError, OverflowError):
            continue


def _normalised(files: Mapping[str, str]) -> Mapping[str, str]:
    """Normalise the paths of a baseline; other tools may write './a' or 'a//b'."""
    names = {path: paths.normalise(path) or path for path in files}
    if all(path == name for path, name in names.items()):
        return files
    exact = {path: digest for path, digest in files.items() if names[path] == path}
    return {**{names[path]: digest for path, digest in files.items()}, **exact}


def _is_bare(content: Any) -> bool:
    """Tell whether an entry of the legacy file is only a hash, which says nothing about files."""
    if isinstance(content, dict):
        return isinstance(content.get("hash"), str) and content.get("files") in (None, {})
    return isinstance(content, str)


NEW = f"{FOLDER}.new"  # the directory while the legacy file is being converted
OLD = f"{FOLDER}.old"  # the legacy file, after the directory is complete
LONGEST = 250  # maximum bytes of a name, which leaves room for a suffix on every file system
REJECTED = f"{FOLDER}.rejected"  # the legacy file, if not all entries could be converted


class Legacy(Struct, frozen=True):
    """The content of the legacy file, which held all baselines in earlier versions."""

    entries: dict[str, Baseline]
    problems: tuple[str, ...]
    bare: tuple[str, ...] = ()  # nodes of which it holds only a hash


class Baselines:
    """The baselines in `.drift-state/`, and the problems of their files."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.problems: dict[str, str] = {}  # message by file

    def get(self, node: str) -> Baseline | None:
        """Return the baseline of a node; None if it is missing or invalid."""
        if self.legacy is not None:
            return self.legacy.entries.get(node)
        file = state_file(node)
        kind = self.snapshot.kind(file)
        if kind is Kind.FILE:
            return self.read(file)
        if kind is not None:
            what = "special file" if kind is Kind.OTHER else kind
            self.problems[file] = f"it is not a file but a {what}"
        elif self.snapshot.kind(FOLDER) not in (Kind.DIRECTORY, None):
            self.problems[FOLDER] = "it is a link or a special file, and is not followed"
        return None

    def read(self, file: str) -> Baseline | None:
        """Read one baseline file; record the problem if it is invalid."""
        found = self._parsed(file)
        if isinstance(found, str):
            self.problems[file] = found
            return None
        return found

    def all(self) -> Iterator[tuple[str, str]]:
        """Yield the node and the path of every baseline file; the legacy file has no node."""
        if self.snapshot.kind(FOLDER) is Kind.FILE:
            yield paths.name_of(FOLDER), FOLDER
        for file in self.files():
            node = node_of(file)
            if node is not None and paths.is_utf8(file):
                yield node, file

    def is_readable(self, file: str) -> bool:
        """Tell whether a file can be read at all; record the problem if not."""
        try:
            self.snapshot.read(file)
        except UnreadableError as error:
            self.problems[file] = error.reason
            return False
        return True

    def _parsed(self, file: str) -> Baseline | str:
        try:
            return baseline_from(decode_utf8(file, self.snapshot.read(file)))
        except UnreadableError as error:
            return error.reason

    def unknown(self, files: Collection[str]) -> set[str]:
        """Return the files among some that no baseline lists, also none of a deleted node."""
        left = set(files)
        if self.legacy is not None:
            left.difference_update(*(entry.files for entry in self.legacy.entries.values()))
            return left
        for file in self.files():
            found = self._parsed(file) if left and node_of(file) is not None else ""
            if not isinstance(found, str):
                left.difference_update(found.files)
        return left

    def files(self) -> Iterator[str]:
        """Yield every file below `.drift-state/`, sorted; links are not followed."""
        pending = [FOLDER] if self.snapshot.kind(FOLDER) is Kind.DIRECTORY else []
        found = []
        while pending:
            directory = pending.pop()
            try:
                entries = self.snapshot.entries(directory)
            except UnreadableError as error:
                self.problems[directory] = error.reason
                continue
            for name, kind in entries.items():
                path = f"{directory}/{name}"
                if kind is Kind.DIRECTORY:
                    pending.append(path)
                elif kind is Kind.FILE:
                    found.append(path)
        return iter(sorted(found))

    @cached_property
    def legacy(self) -> Legacy | None:
        """The baselines of the legacy file, if the repository has one."""
        for file in (FOLDER, OLD):
            kind = self.snapshot.kind(file)
            if kind is Kind.FILE:
                return self._read_legacy(file)
            if kind is not None:
                return None
        return None

    def migration_notes(self) -> tuple[str, ...]:
        """Say what a conversion of the legacy file did, and what it could not convert."""
        legacy = self.legacy
        if legacy is None:
            legacy = self._read_legacy(OLD)
        count = len(legacy.entries)
        baselines = "1 baseline" if count == 1 else f"{count} baselines"
        converted = f"the file {FOLDER} was converted to a directory with {baselines}"
        kept = f"the old file is kept as {paths.name_of(REJECTED)}"
        return (
            converted if count else f"the file {FOLDER} had no baseline that could be converted",
            *(
                f"'{node}' has no baseline now: the old file had only a hash"
                for node in legacy.bare
            ),
            *(f"{problem}; {kept}" for problem in legacy.problems),
        )

    def _read_legacy(self, file: str) -> Legacy:
        try:
            text = self.snapshot.text(file).value
        except UnreadableError as error:
            return Legacy({}, (f"{file}: {error.reason}",))
        # Imported here because few repositories still have such a file.
        from yg.text.decode import plain
        from yg.text.decode_json import decode_json
        from yg.text.decode_yaml import decode_yaml

        decoded = decode_json(text) if text.lstrip().startswith("{") else decode_yaml(text)
        if decoded.problems:
            decoded = decode_yaml(text)
        content = plain(decoded.datum)
        if decoded.problems or not isinstance(content, dict):
            return Legacy({}, (f"{file}: not a map from node to baseline",))
        entries, problems, bare = {}, [], []
        for node, entry in content.items():
            if not _is_node_path(node):
                problems.append(f"{file}: '{node}' is not a node path")
            elif _is_bare(entry):
                bare.append(node)
            elif isinstance(found := baseline_shaped(entry), str):
                problems.append(f"{file}: '{node}': {found}")
            else:
                entries[node] = found
        return Legacy(entries, tuple(problems), tuple(sorted(bare)))

    def migration(self) -> list[Edit]:
        """Return the edits that convert the legacy file to the current layout.

        The new files are complete before the old file is removed, so the conversion can be
        interrupted after any edit and run again.
        """
        legacy = self.legacy
        if legacy is None:
            return self._finish_migration()
        edits: list[Edit] = [
            Write(f"{NEW}{state_file(node).removeprefix(FOLDER)}", baseline_text(entry).encode())
            for node, entry in sorted(legacy.entries.items())
        ]
        if self.snapshot.kind(FOLDER) is Kind.FILE:
            edits.append(Rename(FOLDER, OLD))
        if legacy.entries:
            edits.append(Rename(NEW, FOLDER))
        edits.append(Rename(OLD, REJECTED) if legacy.problems else Delete(OLD))
        return edits

    def _finish_migration(self) -> list[Edit]:
        """Return the edits that remove the old file after an interrupted conversion."""
        is_moved = self.snapshot.kind(FOLDER) is Kind.DIRECTORY
        if not is_moved or self.snapshot.kind(OLD) is not Kind.FILE:
            return []
        old = self._read_legacy(OLD)
        moved = ((self.read(state_file(node)), entry) for node, entry in old.entries.items())
        if not old.entries or not all(_is_moved(found, entry) for found, entry in moved):
            return []  # not the converted file: leave it
        return [Rename(OLD, REJECTED) if old.problems else Delete(OLD)]


def _is_moved(found: Baseline | None, entry: Baseline) -> bool:
    return found is not None and (found.hash, found.files) == (entry.hash, entry.files)


def _is_node_path(text: str) -> bool:
    """Tell whether a key of the legacy file is a node path, and so safe as a file name."""
    if text == paths.ROOT:
        return True
    if "\0" in text or any(len(part.encode()) > LONGEST for part in text.split("/")):
        return False
    return paths.is_plain(text)
