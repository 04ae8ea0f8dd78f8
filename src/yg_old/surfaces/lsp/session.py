"""The repository as the editor shows it: its files, with the unsaved documents in place of some."""

from __future__ import annotations

import os
import re
import time
from functools import cached_property
from typing import TYPE_CHECKING

from yg_old.disk.files.watch import fingerprint
from yg_old.disk.index.database import Databases
from yg_old.formats import FORMATS
from yg_old.kernel.errors import NoGraphError, UnreadableError, UsageError
from yg_old.surfaces.lsp.positions import UTF16, Lines
from yg_old.surfaces.lsp.uris import uri_of
from yg_old.text.paths import ROOT, join
from yg_old.workspace.given import relative_path
from yg_old.workspace.opening import open_workspace

if TYPE_CHECKING:
    from yg_old.disk.files.watch import Fingerprint
    from yg_old.surfaces.lsp.documents import Documents, OpenDocument
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.graph import Graph

TICK_NS = 100_000_000  # the times of files may lag behind the clock
UNSURE = b""  # never equal to a digest
_SURROGATE = re.compile("[\ud800-\udfff]")


class Session:
    """The repository of a directory, kept open between requests; for one thread at a time."""

    def __init__(self, directory: str, kind: str | None = None, *, uses_index: bool = True) -> None:
        self.directory = directory
        self._kind = kind
        self._uses_index = uses_index
        self._databases = Databases()
        self._saved: OpenWorkspace | None = None
        self._files = UNSURE  # the state of the saved files

    def saved(self) -> OpenWorkspace | None:
        """Return the files as they were saved at the last look; None if there is no graph."""
        if self._saved is None:
            self._saved = self._open()
            if self._saved is not None:
                started = time.time_ns()
                files = _state_of(self._saved)
                # The next change of a file that has just changed may leave its times as they are.
                self._files = files.digest if files.newest < started - TICK_NS else UNSURE
        return self._saved

    def forget(self) -> None:
        """Look at the files again for the next request."""
        self._saved = None

    def has_changed(self) -> bool:
        """Return whether a file may have changed since the last look, and if so, forget."""
        if self._saved is None:
            return self.saved() is not None
        if _state_of(self._saved).digest == self._files:
            return False
        self.forget()
        return True

    def _open(self) -> OpenWorkspace | None:
        for kind in (self._kind,) if self._kind else (None, *(known.name for known in FORMATS)):
            try:
                return open_workspace(
                    self.directory,
                    None,
                    kind,
                    uses_index=self._uses_index,
                    databases=self._databases,
                )
            except NoGraphError:
                continue
            except UsageError:
                continue  # several kinds of graphs: take the first
        return None

    def view(self, documents: Documents, encoding: str = UTF16) -> EditorView | None:
        """Return the files with the open documents; None if there is no graph."""
        saved = self.saved()
        if saved is None:
            return None
        texts: dict[str, OpenDocument] = {}
        for document in documents:
            path = relative_path(saved, document.path)
            if path is not None:
                texts[path] = document
        buffers = {path: found.content for path, found in texts.items() if found.is_edited}
        return EditorView(saved, buffers, texts, encoding)


def _state_of(saved: OpenWorkspace) -> Fingerprint:
    files = saved.sources.files(ROOT) if saved.format.is_yggdrasil else ()
    return fingerprint(saved.root, saved.format.folder, files)


class EditorView:
    """One state of the repository: the workspace, its texts and the addresses of its files."""

    def __init__(
        self,
        saved: OpenWorkspace,
        buffers: dict[str, bytes],
        documents: dict[str, OpenDocument],
        encoding: str,
    ) -> None:
        """`buffers` are the contents of documents that were edited, by path."""
        self.saved = saved
        self.workspace = saved.with_buffers(buffers) if buffers else saved
        self.documents = documents  # by path
        self.encoding = encoding
        self._lines: dict[str, Lines] = {}

    def lines(self, path: str) -> Lines:
        """Return the text of a file; empty if it cannot be read."""
        if path not in self._lines:
            document = self.documents.get(path)
            is_edited = document is not None and document.is_edited
            text = document.text if document and is_edited else self._saved(path)
            # A parser needs characters, and these have the same length in all units.
            self._lines[path] = Lines(_SURROGATE.sub("\ufffd", text))
        return self._lines[path]

    def _saved(self, path: str) -> str:
        try:
            return self.workspace.snapshot.text(path).value
        except UnreadableError:
            document = self.documents.get(path)
            return document.text if document else ""

    def uri(self, path: str) -> str:
        """Return the URI of a file, as the editor writes it if the file is open."""
        document = self.documents.get(path)
        return document.uri if document else uri_of(join(self.workspace.root, path))

    def version(self, path: str) -> int | None:
        """Return the version of an open document."""
        document = self.documents.get(path)
        return document.version if document else None

    def path(self, absolute: str | None) -> str | None:
        """Return a path relative to the root; None if it is outside."""
        return None if absolute is None else relative_path(self.workspace, absolute)

    @property
    def is_yggdrasil(self) -> bool:
        """Whether the graph is a Yggdrasil graph."""
        return self.workspace.format.is_yggdrasil

    @property
    def graph(self) -> Graph:
        """The Yggdrasil graph."""
        return self.workspace.graph

    @cached_property
    def config_file(self) -> str:
        """The file of the graph that issues about directories are shown on."""
        return self.graph.config.file if self.is_yggdrasil else self.workspace.specs.file


def start_directory(root: str | None, fallback: str) -> str:
    """Return the directory that a client works in."""
    return os.path.abspath(root if root and os.path.isdir(root) else fallback)
