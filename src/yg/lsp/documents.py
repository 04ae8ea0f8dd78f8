"""The documents that are open in the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg.lsp.positions import with_change
from yg.lsp.uris import path_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    Range = tuple[tuple[int, int], tuple[int, int]]


class OpenDocument(Struct, frozen=True):
    """A file that is open in the editor."""

    uri: str  # as the editor writes it
    path: str  # absolute
    text: str
    version: int | None
    is_edited: bool = False  # since it was opened or saved


def _differs(path: str, text: str) -> bool:
    """Return whether a text differs from its file: an editor may restore what was not saved.

    If the file is not UTF-8, the editor has only decoded it in another way.
    """
    try:
        with open(path, "rb") as file:
            saved = file.read().decode("utf-8-sig")
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False
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
        return self._with(OpenDocument(uri, path, text, version, _differs(path, text)))

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
        text = document.text
        for span, new in changes:
            text = with_change(text, span, new, encoding)
        return self._with(replace(document, text=text, version=version, is_edited=True))

    def saved(self, uri: str, text: str | None = None) -> Documents:
        """Return the documents after one was saved."""
        document = self._opened.get(uri)
        if document is None:
            return self
        now = document.text if text is None else text
        return self._with(replace(document, text=now, is_edited=False))

    def closed(self, uri: str) -> Documents:
        """Return the documents without one."""
        return Documents({key: value for key, value in self._opened.items() if key != uri})
