"""The baselines a repository keeps, and the edits that bring an older layout over to this one."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from yg.kernel import paths
from yg.kernel.decode_yaml import decode_yaml
from yg.kernel.edit import Delete, Edit, Rename, Write
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Kind
from yg.yggdrasil.baseline import (
    FOLDER,
    Baseline,
    baseline_from,
    baseline_shaped,
    baseline_text,
    state_file,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.kernel.decode import Datum
    from yg.kernel.snapshot import Snapshot

NEW = f"{FOLDER}.new"  # the directory while it is being filled from a single file
OLD = f"{FOLDER}.old"  # that file, once the directory is complete
REJECTED = f"{FOLDER}.rejected"  # that file, when not all of it could be brought over


@dataclass(frozen=True)
class Legacy:
    """The single file that kept all baselines in earlier versions."""

    entries: dict[str, Baseline]
    problems: tuple[str, ...]


@dataclass
class Baselines:
    """What is kept under `.drift-state/`, and what is wrong with it."""

    snapshot: Snapshot
    problems: dict[str, str] = field(default_factory=dict)  # file, and what is wrong with it

    def of(self, node: str) -> Baseline | None:
        """Return the baseline of a node; None when there is none or it cannot be understood."""
        if self.legacy is not None:
            return self.legacy.entries.get(node)
        file = state_file(node)
        kind = self.snapshot.kind(file)
        if kind is Kind.FILE:
            return self.read(file)
        if kind is not None:
            self.problems[file] = f"it is not a file but a {kind}"
        elif self.snapshot.kind(FOLDER) not in (Kind.DIRECTORY, None):
            self.problems[FOLDER] = "it is a link or a special file, and is not followed"
        return None

    def read(self, file: str) -> Baseline | None:
        """Read one state file; what is wrong with it is remembered."""
        found: Baseline | str
        try:
            found = baseline_from(self.snapshot.text(file).value)
        except UnreadableError as error:
            found = error.reason
        if isinstance(found, str):
            self.problems[file] = found
            return None
        return found

    def files(self) -> Iterator[str]:
        """Yield every file below `.drift-state/`, in order; links are not followed."""
        waiting = [FOLDER] if self.snapshot.kind(FOLDER) is Kind.DIRECTORY else []
        while waiting:
            directory = waiting.pop()
            for name, kind in self.snapshot.entries(directory).items():
                path = f"{directory}/{name}"
                if kind is Kind.DIRECTORY:
                    waiting.append(path)
                elif kind is Kind.FILE:
                    yield path

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

    def _read_legacy(self, file: str) -> Legacy:
        try:
            decoded = decode_yaml(self.snapshot.text(file).value)  # JSON is YAML, too
        except UnreadableError as error:
            return Legacy({}, (f"{file}: {error.reason}",))
        content = _plain(decoded.datum) if decoded.datum else None
        if decoded.problems or not isinstance(content, dict):
            return Legacy({}, (f"{file}: not a map from node to baseline",))
        entries, problems = {}, []
        for node, value in content.items():
            found = baseline_shaped(value)
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
            return [self._farewell()] if self.snapshot.kind(OLD) is Kind.FILE else []
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

    def _farewell(self) -> Edit:
        """Return what is left to do when the directory is in place and the old file still there."""
        return Rename(OLD, REJECTED) if self._read_legacy(OLD).problems else Delete(OLD)


def _is_node_path(text: str) -> bool:
    """Tell whether a key of a legacy file can be a node: nothing else ever becomes a file name."""
    if text == paths.ROOT:
        return True
    return paths.normalise(text) == text and not text.startswith(".") and "/." not in text


def _plain(datum: Datum) -> Any:
    """Return two levels of mappings as plain data, which is all that baselines have."""
    value: Any = datum.value
    if not isinstance(value, dict):
        return value if isinstance(value, str) else None
    return {key: _flat(entry.datum) for key, entry in value.items()}


def _flat(datum: Datum) -> Any:
    value: Any = datum.value
    if not isinstance(value, dict):
        return value
    return {
        key: {name: each.datum.value for name, each in entry.datum.value.items()}
        if isinstance(entry.datum.value, dict)
        else entry.datum.value
        for key, entry in value.items()
    }
