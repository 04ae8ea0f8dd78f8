"""The full-text index: an SQLite file with an FTS5 table, or the same table in memory.

FTS5 does not detect damage, so a file is used only if the index has its checksum; any other is
removed unopened. It is written by searches alone, and only the documents that changed are.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar
from zlib import crc32

from yg_old.disk.index.database import connected, is_openable, remove
from yg_old.disk.index.private import make_private
from yg_old.kernel.errors import UnreadableError, YgError
from yg_old.kernel.find import (
    DIGITS,
    EVERYWHERE,
    SEPARATOR,
    WEIGHTS,
    Ranked,
    SearchedText,
    columns_of,
)
from yg_old.kernel.issue import Finding, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from yg_old.disk.index.store import Index
    from yg_old.kernel.find import Query, Scope
    from yg_old.kernel.snapshot import Text

T = TypeVar("T")

NAME = "fulltext.db"
LAYOUT = "full text 1"  # changes with the tables and with the tokens
PIECE = 1 << 20  # bytes read at once
MEMORY = ":memory:"
_DOCUMENTS = """
CREATE TABLE documents (
    id INTEGER PRIMARY KEY, kind BLOB NOT NULL, path BLOB NOT NULL, document BLOB NOT NULL,
    file BLOB NOT NULL, name BLOB NOT NULL, key BLOB NOT NULL, stamp BLOB NOT NULL
)"""
# Tokens are made by `columns_of`: letters and digits of any script, and underscores.
_WORDS = f"""
CREATE VIRTUAL TABLE words USING fts5({", ".join(WEIGHTS)}, tokenize = "ascii tokenchars '_'")"""
_TABLES = (
    "CREATE TABLE state (generation INTEGER NOT NULL)",
    "INSERT INTO state VALUES (0)",
    _DOCUMENTS,
    _WORDS,
)
_RANK = f"bm25(words, {', '.join(map(str, WEIGHTS.values()))})"


class NoFullTextError(YgError):
    """SQLite was built without FTS5."""

    code = "no-full-text"


class FullText:
    """An open full-text index, in a transaction: other processes do not change it meanwhile."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    def create(cls, path: str = MEMORY) -> FullText:
        """Create an empty index; raise NoFullTextError if SQLite has no FTS5."""
        connection = connected(path, writes=True)
        try:
            connection.execute("PRAGMA journal_mode = MEMORY")
            connection.execute("BEGIN IMMEDIATE")
            for statement in _TABLES:
                connection.execute(statement)
        except sqlite3.OperationalError as error:
            connection.close()
            if "fts5" not in str(error):
                raise
            raise NoFullTextError(
                "the SQLite library of this Python has no full-text search (FTS5)",
                hint="Use a Python whose SQLite was built with FTS5, as those of python.org are.",
            ) from error
        return cls(connection)

    @classmethod
    def open(cls, path: str) -> FullText:
        """Open an index that was written before."""
        connection = connected(path, writes=True)
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("BEGIN")
        return cls(connection)

    @property
    def generation(self) -> int:
        """The number of its state; another after each change."""
        (generation,) = self._connection.execute("SELECT generation FROM state").fetchone()
        return int(generation)

    def commit(self) -> None:
        """Write all changes."""
        self._connection.execute("COMMIT")

    def close(self) -> None:
        """Close it; changes that were not committed are lost."""
        self._connection.close()

    def update(
        self,
        entries: Iterable[SearchedText],
        stamp_of: Callable[[str], bytes],
        text_of: Callable[[SearchedText], Text],
    ) -> tuple[Finding, ...]:
        """Index the documents that changed and remove those that are gone.

        A document has not changed if its stamp is the same; empty stamps never are. Return a
        finding for each text that cannot be read.
        """
        unread: list[Finding] = []
        before = self._connection.total_changes
        known = self._stored_stamps()
        for entry in entries:
            stamp = stamp_of(entry.file)
            key, before_stamp = known.pop((entry.file, entry.path, entry.document), (0, b""))
            if stamp and before_stamp == stamp:
                continue
            self._remove(key)
            try:
                self._add(entry, stamp, text_of(entry).value)
            except UnreadableError as error:
                unread.append(Finding(entry.path, error.message, Place(error.path)))
        for key, _ in known.values():
            self._remove(key)
        if self._connection.total_changes != before:
            self._connection.execute("UPDATE state SET generation = ?", (time.time_ns(),))
        return tuple(unread)

    def _stored_stamps(self) -> dict[tuple[str, str, str], tuple[int, bytes]]:
        """Return the number and the stamp of each document, by file, path and name."""
        rows = self._connection.execute("SELECT file, path, document, id, stamp FROM documents")
        return {
            (_text(file), _text(path), _text(document)): (key, stamp)
            for file, path, document, key, stamp in rows
        }

    def _remove(self, key: int) -> None:
        if key:
            self._connection.execute("DELETE FROM documents WHERE id = ?", (key,))
            self._connection.execute("DELETE FROM words WHERE rowid = ?", (key,))

    def _add(self, entry: SearchedText, stamp: bytes, text: str) -> None:
        values = (entry.kind, entry.path, entry.document, entry.file, entry.name, entry.key)
        cursor = self._connection.execute(
            "INSERT INTO documents VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
            (*map(_bytes, values), stamp),
        )
        self._connection.execute(
            "INSERT INTO words (rowid, name, path, body, parts) VALUES (?, ?, ?, ?, ?)",
            (cursor.lastrowid, *columns_of(entry, text)),
        )

    def search(
        self, query: Query, limit: int | None, scope: Scope = EVERYWHERE
    ) -> tuple[list[Ranked], int, bool]:
        """Return the best documents, the number of all, and whether they lack some terms."""
        scores = self._scores(query.match, scope)
        is_partial = not scores and len(query.wanted) > 1
        lacking: dict[int, tuple[bool, ...]] = {}
        if is_partial:
            scores = self._scores(query.any, scope)
            lacking = self._fewest_lacking(query, scores)
        whole, named = self._matching(query.whole), self._matching(query.named)
        ranked = sorted(
            ((lacking.get(key, ()), key not in whole, key not in named, score), key)
            for key, score in scores.items()
            if not is_partial or key in lacking
        )
        last = ranked[: limit or len(ranked)][-1][0] if ranked else ()
        # Documents of equal rank are sorted by path: all those that tie with the last are needed.
        best = ((rank, self._entry(key)) for rank, key in ranked if rank <= last)
        found = sorted(best, key=lambda pair: (pair[0], _order(pair[1])))[:limit]
        matches = [Ranked(entry, not rank[1], not rank[2]) for rank, entry in found]
        return matches, len(ranked), is_partial and bool(ranked)

    def _scores(self, expression: str, scope: Scope) -> dict[int, float]:
        """Return the scores of the documents that match an expression."""
        chosen, values = "", list[str | bytes | int]([expression])
        if scope.kind:
            chosen, values = "AND kind = ?", [*values, _bytes(scope.kind)]
        if scope.node:
            chosen += " AND (documents.path = ? OR substr(documents.path, 1, ?) = ?)"
            inside = _bytes(f"{scope.node}/")
            values += [_bytes(scope.node), len(inside), inside]
        rows = self._connection.execute(
            f"SELECT id, {_RANK} FROM words JOIN documents ON id = words.rowid "  # noqa: S608
            f"WHERE words MATCH ? {chosen}",
            values,
        )
        return {key: round(score, DIGITS) for key, score in rows}

    def _fewest_lacking(self, query: Query, keys: Collection[int]) -> dict[int, tuple[bool, ...]]:
        """Return the documents with the most terms, and which terms they lack, the rarest first."""
        having = sorted((self._matching(term.match) for term in query.wanted), key=len)
        lacking = {key: tuple(key not in found for found in having) for key in keys}
        fewest = min(map(sum, lacking.values()), default=0)
        return {key: lacks for key, lacks in lacking.items() if sum(lacks) == fewest}

    def _matching(self, expression: str) -> set[int]:
        rows = self._connection.execute(
            "SELECT rowid FROM words WHERE words MATCH ?", (expression,)
        )
        return {key for (key,) in rows}

    def _entry(self, key: int) -> SearchedText:
        row = self._connection.execute(
            "SELECT kind, path, document, file, name, key FROM documents WHERE id = ?", (key,)
        ).fetchone()
        kind, path, document, file, name, label = map(_text, row)
        return SearchedText(
            kind=kind, path=path, document=document, file=file, name=name, key=label
        )

    def vocabulary(self) -> Iterator[str]:
        """Yield all words and parts that occur."""
        self._connection.execute(
            "CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, words, row)"
        )
        for (term,) in self._connection.execute("SELECT term FROM vocabulary"):
            if term != SEPARATOR:
                yield term


class FullTextFile:
    """The file with the full-text index of a graph; in memory if there is no index for it."""

    def __init__(self, index: Index | None) -> None:
        self._index = index
        self._path = os.path.join(index.folder, NAME) if index is not None else ""

    def ask(self, question: Callable[[FullText], T]) -> T:
        """Answer a question with the file; if it cannot be used, with an empty index in memory."""
        if self._index is not None:
            try:
                return self._ask_file(self._index, question)
            except sqlite3.Error:
                pass  # for example a full disk, or another process that writes
        with closing(FullText.create()) as texts:
            return question(texts)

    def _ask_file(self, index: Index, question: Callable[[FullText], T]) -> T:
        checksum = _checksum(self._path)
        texts = self._open(index.facts.get(checksum, LAYOUT))
        with closing(texts):
            before = texts.generation
            answer = question(texts)
            after = texts.generation
            texts.commit()
        if after != before:
            index.facts.keep(checksum, LAYOUT, b"")
            index.facts.keep(_checksum(self._path), LAYOUT, b"%d" % after)
        return answer

    def _open(self, generation: bytes | None) -> FullText:
        """Open the file if its content is one that was written here; else replace it."""
        if generation:
            texts = FullText.open(self._path)
            if b"%d" % texts.generation == generation:
                return texts
            texts.close()  # another process has changed it in the meantime
        remove(self._path)
        try:
            make_private(self._path)
        except OSError as error:
            raise sqlite3.OperationalError(error.strerror) from error
        return FullText.create(self._path)


def _checksum(path: str) -> str:
    """Return a checksum over a file; empty if it is missing or may not be opened."""
    if not is_openable(path):
        return ""
    size, total = 0, 0
    try:
        with open(path, "rb", buffering=0) as file:
            while piece := file.read(PIECE):
                size, total = size + len(piece), crc32(piece, total)
    except OSError:
        return ""
    return f"{NAME} {size} {total}"


def _order(entry: SearchedText) -> tuple[str, str, str]:
    return entry.path, entry.document, entry.kind


def _bytes(text: str) -> bytes:
    """Encode a text that may contain parts of a file name that are not UTF-8."""
    return text.encode("utf-8", "surrogatepass")


def _text(value: bytes) -> str:
    return value.decode("utf-8", "surrogatepass")
