"""The documents that are open in the editor."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg_old.disk.reading.worktree import WorkTree
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import MAX_TEXT
from yg_old.surfaces.lsp.positions import UTF8, units, with_change
from yg_old.surfaces.lsp.uris import path_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    Range = tuple[tuple[int, int], tuple[int, int]]


class OpenDocument(Struct, frozen=True):
    """A file that is open in the editor."""

    uri: str  # as the editor writes it
    path: str  # absolute
    text: str  # empty if it is too large
    version: int | None
    is_edited: bool = False  # since it was opened or saved
    is_too_large: bool = False  # until the editor sends a whole text that is not

    @property
    def content(self) -> bytes:
        """The text as bytes; as many as are too large, if it is."""
        return b" " * (MAX_TEXT + 1) if self.is_too_large else _encoded(self.text)

    def with_text(self, text: str) -> OpenDocument:
        """Return the document with another text, which is not kept if it is too large."""
        is_too_large = units(text, UTF8) > MAX_TEXT
        return replace(self, text="" if is_too_large else text, is_too_large=is_too_large)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _differs(path: str, text: str) -> bool:
    """Return whether a text differs from its file: an editor may restore what was not saved.

    If the file is not UTF-8, the editor has only decoded it in another way.
    """
    directory, name = os.path.split(path)
    tree = WorkTree(directory, "")
    if tree.kind(name) is None:
        return True
    try:
        saved = tree.read(name).decode("utf-8-sig")
    except (UnreadableError, ValueError):
        return False  # also for a link, a FIFO, a device, or a file that is too large
    return saved != text.removeprefix("\ufeff")


class Documents:
    """The open documents by URI. A change makes a new value, so that threads can share them."""

    def __init__(self, opened: dict[str, OpenDocument] | None = None) -> None:
        self._opened = opened or {}

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(self._opened.values())

    def get(self, uri: str) -> OpenDocument | None:
        """Return an open document."""
        return self._opened.get(uri)

    def _with(self, document: OpenDocument) -> Documents:
        return Documents({**self._opened, document.uri: document})

    def opened(self, uri: str, text: str, version: int | None) -> Documents:
        """Return the documents with another one; only files count."""
        path = path_of(uri)
        if path is None:
            return self
        document = OpenDocument(uri, path, "", version, _differs(path, text))
        return self._with(document.with_text(text))

    def changed(
        self,
        uri: str,
        changes: list[tuple[Range | None, str]],
        version: int | None,
        encoding: str,
    ) -> Documents:
        """Return the documents after an edit of one."""
        document = self._opened.get(uri)
        if document is None:
            return self
        for span, new in changes:
            if span is None or not document.is_too_large:
                document = document.with_text(with_change(document.text, span, new, encoding))
        return self._with(replace(document, version=version, is_edited=True))

    def saved(self, uri: str, text: str | None = None) -> Documents:
        """Return the documents after one was saved."""
        document = self._opened.get(uri)
        if document is None:
            return self
        now = document if text is None else document.with_text(text)
        return self._with(replace(now, is_edited=False))

    def closed(self, uri: str) -> Documents:
        """Return the documents without one."""
        return Documents({key: value for key, value in self._opened.items() if key != uri})
