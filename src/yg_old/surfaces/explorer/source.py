"""The current page of a repository, made again when a file of the repository has changed."""

from __future__ import annotations

import time
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.commands.explore.data import explore
from yg_old.commands.explore.page import data_bytes, page_text
from yg_old.disk.files.watch import fingerprint
from yg_old.disk.git import timeouts
from yg_old.kernel.errors import NoGraphError, YgError

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.commands.explore.document import ExplorerDocument
    from yg_old.disk.files.watch import Fingerprint
    from yg_old.workspace.opened import OpenWorkspace

PAUSE = 0.4  # seconds between two looks at the files
SHARE = 3  # pauses are at least this many times as long as a look
UNSURE = b""  # never equal to a digest
TICK_NS = 100_000_000  # the times of files may lag behind the clock


class _State(Struct, frozen=True):
    """A document, its bytes and version, and the digest of the files it was made from."""

    document: ExplorerDocument
    data: bytes
    version: str
    files: bytes


class PageSource:
    """The page, its data and their version, for any number of browsers."""

    def __init__(self, opened: Callable[[], OpenWorkspace], since: str | None = None) -> None:
        self._open = opened
        self._since = since
        self._lock = Lock()
        self._next_look = 0.0
        self._root = ""  # not known yet
        self._state = self._made()

    def page(self) -> bytes:
        """Return the page with the current data."""
        state = self._current()
        return page_text(state.document, state.version).encode("utf-8", "replace")

    def data(self) -> bytes:
        """Return the current data."""
        return self._current().data

    def version(self) -> str:
        """Return the version of the current data."""
        return self._current().version

    def _current(self) -> _State:
        with self._lock:
            started = time.monotonic()
            if started >= self._next_look:
                if self._files(self._state.document).digest != self._state.files:
                    self._refresh()
                took = time.monotonic() - started
                self._next_look = started + took + max(PAUSE, SHARE * took)
            return self._state

    def _refresh(self) -> None:
        try:
            self._state = self._made()
        except YgError:
            return  # the graph is gone or being replaced; show the last state until it is back

    def _made(self) -> _State:
        started = time.time_ns()
        timeouts.forget()
        workspace = self._open()
        try:
            if self._root not in ("", workspace.root):
                raise NoGraphError("the graph is gone")  # and there is one in a directory above
            document = explore(workspace, since=self._since)
            workspace.save()
        finally:
            workspace.close()
        self._root, self._folder = workspace.root, workspace.format.folder
        self.notes = workspace.place_notes
        files = self._files(document)
        # A file that changed meanwhile may have been read before or after its change.
        is_sure = files.newest < started - TICK_NS
        data = data_bytes(document)
        version = sha256(data).hexdigest()[:16]
        return _State(document, data, version, files.digest if is_sure else UNSURE)

    def _files(self, document: ExplorerDocument) -> Fingerprint:
        return fingerprint(self._root, self._folder, [file.path for file in document.files])
