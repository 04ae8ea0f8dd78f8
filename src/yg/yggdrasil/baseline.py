"""Baselines: what a node's files were when it was last synchronised, and how that is kept."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg.kernel import paths
from yg.kernel.decode import plain, real_number, whole_number
from yg.kernel.decode_json import decode_json
from yg.kernel.digest import canonical_digest
from yg.kernel.edit import Delete, Edit, Rename, Write
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import MAX_TEXT, Kind, decode_utf8
from yg.yggdrasil.places import DRIFT_STATE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg.kernel.snapshot import Snapshot


FOLDER = DRIFT_STATE
ROOT_NAME = ".root"
SUFFIX = ".json"


class Baseline(Struct, frozen=True):
    """The digest of each tracked file; `hash` is the short name of the whole."""

    hash: str
    files: Mapping[str, str]


def baseline_of(files: Mapping[str, str]) -> Baseline:
    """Make the baseline of files as they are."""
    return Baseline(canonical_digest(files), files)


def state_file(node: str) -> str:
    """Return the file that keeps a node's baseline."""
    return f"{FOLDER}/{ROOT_NAME if node == paths.ROOT else node}{SUFFIX}"


def node_of(file: str) -> str | None:
    """Return the node whose baseline a file keeps; None for a file that keeps none."""
    name = file.removeprefix(f"{FOLDER}/").removesuffix(SUFFIX)
    if not file.endswith(SUFFIX) or not name:
        return None
    return paths.ROOT if name == ROOT_NAME else name


def baseline_text(baseline: Baseline) -> str:
    """Write a baseline: the same bytes for the same files, no times."""
    files = {path: baseline.files[path] for path in sorted(baseline.files)}
    content = {"hash": baseline.hash, "files": files}
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def is_recordable(baseline: Baseline) -> bool:
    """Tell whether the file of a baseline is small enough to be read again."""
    # No character takes more than six bytes, and no entry much more than its path and digest.
    most = sum(6 * len(path) + len(digest) + 20 for path, digest in baseline.files.items())
    return most < MAX_TEXT or len(baseline_text(baseline).encode()) <= MAX_TEXT


def baseline_from(text: str) -> Baseline | str:
    """Read a baseline of this or another implementation, or say what is wrong with it."""
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
    """Check that a value has the shape of a baseline; times and other keys are ignored."""
    if isinstance(content, str):
        return Baseline(content, {})  # very old: the hash alone
    if not isinstance(content, dict):
        return "not a JSON object"
    digest, files = content.get("hash"), content.get("files", {})
    if not isinstance(digest, str):
        return "its 'hash' is not text"
    if not isinstance(files, dict) or not all(isinstance(each, str) for each in files.values()):
        return "its 'files' is not a map from path to hash"
    return Baseline(digest, files)


NEW = f"{FOLDER}.new"  # the directory while it is being filled from a single file
OLD = f"{FOLDER}.old"  # that file, once the directory is complete
LONGEST = 250  # bytes of a name that can get a suffix on every file system
REJECTED = f"{FOLDER}.rejected"  # that file, when not all of it could be brought over


class Legacy(Struct, frozen=True):
    """The single file that kept all baselines in earlier versions."""

    entries: dict[str, Baseline]
    problems: tuple[str, ...]


class Baselines:
    """What is kept under `.drift-state/`, and what is wrong with it."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.problems: dict[str, str] = {}  # file, and what is wrong with it

    def get(self, node: str) -> Baseline | None:
        """Return the baseline of a node; None when there is none or it cannot be understood."""
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
        """Read one state file; what is wrong with it is remembered."""
        found: Baseline | str
        try:
            found = baseline_from(decode_utf8(file, self.snapshot.read(file)))
        except UnreadableError as error:
            found = error.reason
        if isinstance(found, str):
            self.problems[file] = found
            return None
        return found

    def files(self) -> Iterator[str]:
        """Yield every file below `.drift-state/`, in order; links are not followed."""
        waiting = [FOLDER] if self.snapshot.kind(FOLDER) is Kind.DIRECTORY else []
        found = []
        while waiting:
            directory = waiting.pop()
            try:
                entries = self.snapshot.entries(directory)
            except UnreadableError as error:
                self.problems[directory] = error.reason
                continue
            for name, kind in entries.items():
                path = f"{directory}/{name}"
                if kind is Kind.DIRECTORY:
                    waiting.append(path)
                elif kind is Kind.FILE:
                    found.append(path)
        return iter(sorted(found))

    @cached_property
    def legacy(self) -> Legacy | None:
        """The baselines of a single-file layout, if that is what the repository has."""
        for file in (FOLDER, OLD):
            kind = self.snapshot.kind(file)
            if kind is Kind.FILE:
                return self._read_legacy(file)
            if kind is not None:
                return None
        return None

    @property
    def rejected(self) -> tuple[str, ...]:
        """What could not be brought over from a single-file layout."""
        if self.legacy is not None:
            return self.legacy.problems
        return self._read_legacy(OLD).problems if self.snapshot.kind(OLD) is Kind.FILE else ()

    def _read_legacy(self, file: str) -> Legacy:
        try:
            text = self.snapshot.text(file).value
        except UnreadableError as error:
            return Legacy({}, (f"{file}: {error.reason}",))
        # Only who still has such a file waits for this import.
        from yg.kernel.decode_yaml import decode_yaml

        decoded = decode_json(text) if text.lstrip().startswith("{") else decode_yaml(text)
        if decoded.problems:
            decoded = decode_yaml(text)
        content = plain(decoded.datum)
        if decoded.problems or not isinstance(content, dict):
            return Legacy({}, (f"{file}: not a map from node to baseline",))
        entries, problems = {}, []
        for node, entry in content.items():
            found = baseline_shaped(entry)
            if not _is_node_path(node):
                problems.append(f"{file}: '{node}' is no node path")
            elif isinstance(found, str):
                problems.append(f"{file}: '{node}': {found}")
            else:
                entries[node] = found
        return Legacy(entries, tuple(problems))

    def migration(self) -> list[Edit]:
        """Return the edits to the present layout: new files are complete before the old one goes.

        Stopped between any two of them, nothing is lost and the same edits finish the work.
        """
        legacy = self.legacy
        if legacy is None:
            return self._farewell()
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

    def _farewell(self) -> list[Edit]:
        """Return what is left to do when the directory is in place and the old file still there."""
        is_moved = self.snapshot.kind(FOLDER) is Kind.DIRECTORY
        if not is_moved or self.snapshot.kind(OLD) is not Kind.FILE:
            return []
        old = self._read_legacy(OLD)
        moved = (self.read(state_file(node)) == entry for node, entry in old.entries.items())
        if not old.entries or not all(moved):
            return []  # not what was brought over: somebody else's file
        return [Rename(OLD, REJECTED) if old.problems else Delete(OLD)]


def _is_node_path(text: str) -> bool:
    """Tell whether a key of a legacy file can be a node: nothing else ever becomes a file name."""
    if text == paths.ROOT:
        return True
    if "\0" in text or any(len(part.encode()) > LONGEST for part in text.split("/")):
        return False
    return paths.is_plain(text)
