"""The memory of one session: what was said, which files were edited, what is still to be said.

It is a private file in the user's cache directory. One process at a time holds its lock.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from contextlib import contextmanager
from hashlib import sha256

from yg_old.disk.index.private import is_private_file, read_private, remove_private, write_private

TYPE_CHECKING = False  # importing `typing` takes time; type checkers accept this
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import TracebackType
    from typing import Any, Self

    from yg_old.surfaces.hook.event import Event

PREFIX = "hook-"
MOST_BYTES = 1_000_000
PATIENCE = 2.0  # seconds to wait for another process
SAME_EVENT = 2.0  # seconds within which an event that comes again was delivered twice
A_WEEK = 7 * 24 * 60 * 60
MOST_RECENT = 50  # events that are remembered
MOST_NODES = 100  # whose files need not be looked at again
MOST_EDITED = 20  # nodes whose edits need not be reviewed
MOST_KNOWN = 1_000  # files, blocks and parts
MOST_ATTEMPTS = 3  # that did not end in time; then the session is left in peace
_LOCK = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)


class BusyError(Exception):
    """Another process holds the memory of the session."""


class Memory:
    """What is remembered of a session; its attributes are the members of the file."""

    def __init__(self, folder: str, event: Event, clock: Callable[[], float]) -> None:
        """Take the private folder of the graph."""
        self._folder = folder
        self._clock = clock
        self._session = f"{PREFIX}{_digest(event.family, event.session)}-"
        self._path = os.path.join(folder, f"{self._session}{_digest(event.agent)[:8]}")
        self._lock = -1
        self._before = ""
        self.head = ""  # the commit at the start
        self.is_started = False  # the overview was given
        self.is_pending = False  # something is to be said that a compaction has made necessary
        self.has_stopped = False  # what there is to say at the end was said
        self.briefs = 0  # how many were given in all
        self.given: list[str] = []  # nodes whose briefs the model has
        self.blocks: dict[str, str] = {}  # digests of the blocks that were given
        self.nodes: dict[str, list[Any]] = {}  # stamps of the files their briefs are from
        self.owners: dict[str, str] = {}  # nodes of files; empty: nobody has anything to say
        self.edited: dict[str, str] = {}  # nodes of edited files, the most recent last
        self.doubts: list[str] = []  # changed parts that were mentioned
        # Of nodes that were edited: stamps of the texts about them, and the parts of each file
        # that these texts quote, with their digests at the start.
        self.quoted: dict[str, list[Any]] = {}
        self.recent: list[list[Any]] = []  # events, and when they came

    # Members that the file has, with their types.
    _MEMBERS = (
        ("head", str),
        ("is_started", bool),
        ("is_pending", bool),
        ("has_stopped", bool),
        ("briefs", int),
        ("given", list),
        ("blocks", dict),
        ("nodes", dict),
        ("owners", dict),
        ("edited", dict),
        ("doubts", list),
        ("quoted", dict),
        ("recent", list),
    )

    def __enter__(self) -> Self:
        self._lock = os.open(f"{self._path}.lock", _LOCK, 0o600)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    os.close(self._lock)
                    raise BusyError from None
                time.sleep(0.01)
        self._load(read_private(f"{self._path}.json", MOST_BYTES))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        os.close(self._lock)

    def _load(self, content: bytes | None) -> None:
        """Take over the members of a file; what is not valid is forgotten."""
        try:
            found = json.loads(content) if content else {}
        except (ValueError, RecursionError):
            found = {}
        for name, kind in self._MEMBERS:
            value = found.get(name) if isinstance(found, dict) else None
            if type(value) is kind:
                setattr(self, name, value)
        self._before = self._encoded()

    def _encoded(self) -> str:
        return json.dumps({name: getattr(self, name) for name, _ in self._MEMBERS})

    def save(self) -> None:
        """Write what has changed; raises OSError."""
        self._forget_oldest()
        now = self._encoded()
        if len(now) > MOST_BYTES:
            self.quoted = {}  # all that can be found again
            now = self._encoded()
        if now != self._before:
            is_new = not os.path.lexists(f"{self._path}.json")
            write_private(f"{self._path}.json", now.encode())
            self._before = now
            if is_new:
                self._remove_old()

    def _forget_oldest(self) -> None:
        """Keep the memory small: what is forgotten costs time, or is said again."""
        for known in (self.owners, self.edited, self.blocks):
            _shorten(known, MOST_KNOWN)
        _shorten(self.nodes, MOST_NODES)
        _shorten(self.quoted, MOST_EDITED)
        self.doubts = self.doubts[-MOST_KNOWN:]

    def _remove_old(self) -> None:
        """Remove the sessions of this graph that nobody has continued for a week."""
        for name in os.listdir(self._folder):
            path = os.path.join(self._folder, name)
            is_session = name.startswith(PREFIX) and is_private_file(path)
            if is_session and self._clock() - os.lstat(path).st_mtime > A_WEEK:
                remove_private(path)

    def remove(self) -> None:
        """Remove the files of the session."""
        for ending in (".json", ".lock"):
            remove_private(self._path + ending)

    @contextmanager
    def attempt(self, *, is_start: bool) -> Iterator[bool]:
        """Count the search for an answer as one that did not end, until it has ended.

        Yield whether to search: not after several that did not end, because each makes the agent
        wait. A new start counts from zero. The count is the size of the lock file, so it is there
        even if the process is killed.
        """
        before = 0 if is_start else os.fstat(self._lock).st_size
        os.ftruncate(self._lock, before + 1)
        try:
            yield before < MOST_ATTEMPTS
        finally:
            os.ftruncate(self._lock, before)

    def is_duplicate(self, identity: str) -> bool:
        """Note an event; return whether it has been delivered just before."""
        now = self._clock()
        known = [entry for entry in self.recent if _is_recent(entry, now)]
        is_known = any(entry[0] == identity for entry in known)
        self.recent = [*known, [identity, now]][-MOST_RECENT:]
        return is_known

    def forget(self) -> None:
        """Forget what was given, because the model no longer has it."""
        self.given, self.blocks, self.nodes, self.owners = [], {}, {}, {}

    def note_edit(self, file: str, node: str) -> None:
        """Remember an edited file as the most recent one."""
        self.edited.pop(file, None)
        self.edited[file] = node

    def note_doubts(self, parts: Iterable[str]) -> None:
        """Remember changed parts as mentioned."""
        self.doubts += [part for part in parts if part not in self.doubts]

    def note_owner(self, file: str, node: str) -> None:
        """Remember which node a file belongs to, so that nothing needs to be opened next time."""
        self.owners.pop(file, None)
        self.owners[file] = node

    def note_quoted(
        self, node: str, files: list[list[Any]], file: str, parts: dict[str, str]
    ) -> None:
        """Remember which parts of a file the texts about its node quote, and where these are."""
        known = self.quoted.pop(node, None)
        others = known[1] if known and known[0] == files else {}
        self.quoted[node] = [files, {**others, file: parts}]

    def note_stamp(self, file: str, root: str) -> None:
        """Remember a file as it is now, because its change leaves nothing to say."""
        for entry in self.nodes[self.owners[file]]:
            if entry[0] == file:
                entry[:] = stamps(root, [file])[0]

    def edited_nodes(self) -> list[str]:
        """Return the nodes whose files were edited, the most recent first."""
        return [*dict.fromkeys(reversed(self.edited.values()))]

    def edited_by_all(self) -> dict[str, str]:
        """Return the nodes of the files that any agent of the session has edited."""
        found = dict(self.edited)
        for name in sorted(os.listdir(self._folder)):
            if name.startswith(self._session) and name.endswith(".json"):
                found |= _edited(read_private(os.path.join(self._folder, name), MOST_BYTES))
        return found

    def knows(self, files: Iterable[str], root: str) -> bool:
        """Return whether all that there is to say about some files was said, and still holds."""
        nodes = {self.owners.get(file) for file in files}
        return None not in nodes and all(_hold(self.nodes.get(node or ""), root) for node in nodes)

    def knows_node(self, file: str, root: str) -> bool:
        """Return whether all that there is to say about the node of an edited file was said."""
        return _hold(self.nodes.get(self.owners.get(file, "")), root, file)

    def quoted_of(self, file: str, root: str) -> dict[str, str] | None:
        """Return the parts of an edited file that texts quote; None if that may have changed."""
        known = self.quoted.get(self.owners.get(file, ""))
        if known is None or file not in known[1] or not _hold(known[0], root):
            return None
        found: dict[str, str] = known[1][file]
        return found if self.knows_node(file, root) else None


def _hold(known: object, root: str, but: str = "") -> bool:
    """Return whether files have the stamps that are remembered; one of them may differ."""
    if not isinstance(known, list) or not all(entry and type(entry) is list for entry in known):
        return False
    others = [entry for entry in known if entry[0] != but]
    return stamps(root, [entry[0] for entry in others]) == others


def doubt(node: str, file: str, part: str) -> str:
    """Return the name under which a changed part is remembered."""
    return f"{node} {file} {part}"


def _shorten(known: dict[str, Any], most: int) -> None:
    """Remove the oldest entries of a dict."""
    for key in [*known][: max(0, len(known) - most)]:
        del known[key]


def _edited(content: bytes | None) -> dict[str, str]:
    """Return the edited files in the memory of an agent; none if it is not valid."""
    try:
        found = json.loads(content or b"{}")
    except (ValueError, RecursionError):
        return {}
    edited = found.get("edited") if isinstance(found, dict) else None
    pairs = edited.items() if isinstance(edited, dict) else ()
    return {file: node for file, node in pairs if isinstance(node, str)}


def _is_recent(entry: object, now: float) -> bool:
    if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[1], int | float):  # noqa: PLR2004
        return False
    return abs(now - entry[1]) <= SAME_EVENT


def _digest(*parts: str) -> str:
    """Return a name for some texts; a file with another name cannot be meant."""
    whole = json.dumps(parts)
    return sha256(whole.encode()).hexdigest()[:24]


def stamps(root: str, files: Sequence[str]) -> list[list[Any]]:
    """Return files with what shows whether they have changed."""
    return [[file, *_stamp(os.path.join(root, file))] for file in files]


def _stamp(path: str) -> tuple[int, int]:
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return (0, 0)
    return (status.st_mtime_ns, status.st_size)
