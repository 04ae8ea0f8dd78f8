"""The repository as the editor shows it: its files, with the unsaved documents in place of some."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any

from yg.disk.database import Databases
from yg.formats import FORMATS
from yg.kernel.errors import NoGraphError, UnreadableError, UsageError
from yg.kernel.paths import join
from yg.lsp.positions import UTF16, Lines
from yg.lsp.uris import uri_of
from yg.workspace import OpenWorkspace, open_workspace

if TYPE_CHECKING:
    from yg.lsp.documents import Documents, OpenDocument


class Session:
    """Opens the repository of a directory again and again; for one thread only."""

    def __init__(self, directory: str, kind: str | None = None, *, uses_index: bool = True) -> None:
        self.directory = directory
        self._kind = kind
        self._uses_index = uses_index
        self._databases = Databases()

    def saved(self) -> OpenWorkspace | None:
        """Open the files as they are saved; None if there is no graph."""
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
        """Open the files with the open documents; None if there is no graph."""
        saved = self.saved()
        if saved is None:
            return None
        texts: dict[str, OpenDocument] = {}
        for document in documents:
            path = saved.relative(document.path)
            if path is not None:
                texts[path] = document
        buffers = {
            path: found.text.encode("utf-8", "surrogatepass")
            for path, found in texts.items()
            if found.is_edited
        }
        workspace = saved
        if buffers:
            workspace = OpenWorkspace(
                saved.root,
                saved.start,
                saved.format,
                uses_index=self._uses_index,
                databases=self._databases,
                buffers=buffers,
            )
        return EditorView(workspace, texts, encoding, buffers)


class EditorView:
    """One state of the repository: the workspace, its texts and the addresses of its files."""

    def __init__(
        self,
        workspace: OpenWorkspace,
        documents: dict[str, OpenDocument],
        encoding: str,
        buffers: dict[str, bytes],
    ) -> None:
        self.workspace = workspace
        self.documents = documents  # by path
        self.encoding = encoding
        self.buffers = buffers  # the contents of documents that were edited, by path
        self._lines: dict[str, Lines] = {}

    def lines(self, path: str) -> Lines:
        """Return the text of a file; empty if it cannot be read."""
        if path not in self._lines:
            document = self.documents.get(path)
            is_edited = document is not None and document.is_edited
            self._lines[path] = Lines(
                document.text if document and is_edited else self._saved(path)
            )
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
        return None if absolute is None else self.workspace.relative(absolute)

    @property
    def is_yggdrasil(self) -> bool:
        """Whether the graph is a Yggdrasil graph."""
        return self.workspace.format.has_aspects

    @property
    def graph(self) -> Any:
        """The graph."""
        return self.workspace.queries.graph

    @cached_property
    def config_file(self) -> str:
        """The file of the graph that issues about directories are shown on."""
        file: str = self.graph.config.file if self.is_yggdrasil else self.graph.file
        return file


def start_directory(root: str | None, fallback: str) -> str:
    """Return the directory that a client works in."""
    return os.path.abspath(root if root and os.path.isdir(root) else fallback)
