"""Facts about the source files of a work tree; a content is read and scanned only once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import DecodeError

from yg.code.facts import ALGORITHM, FileFacts
from yg.code.languages import ENDINGS, ending
from yg.kernel.codec import Codec
from yg.kernel.digest import file_digest
from yg.kernel.errors import UnreadableError
from yg.kernel.paths import name_of

if TYPE_CHECKING:
    from yg.disk.hashes import WorkTreeHashes
    from yg.disk.worktree import WorkTree

_FACTS: Codec[FileFacts | None] = Codec(FileFacts | None)


class WorkTreeFacts:
    """Reads the facts of files, and keeps them in the index under the digest of the content."""

    def __init__(self, tree: WorkTree, hashes: WorkTreeHashes) -> None:
        self._tree = tree
        self._hashes = hashes

    def of(self, path: str) -> FileFacts | None:
        """Return the facts of a file; None if its language or its text cannot be read."""
        if ending(path) not in ENDINGS:
            return None
        try:
            digest = self._hashes.of(path).lf
            known = self._known(digest, path)
            return known[0] if known else self._read(path, digest)
        except UnreadableError:
            return None  # drift reports the file

    def _known(self, digest: str, path: str) -> tuple[FileFacts | None] | None:
        """Return the stored facts of a content, if there are any, in a tuple."""
        index = self._tree.index
        stored = None if index is None else index.facts(_key(digest, path), ALGORITHM)
        if stored is None:
            return None
        try:
            return (_FACTS.decode(stored),)
        except DecodeError:
            return None  # written by other code: read the file again

    def _read(self, path: str, digest: str) -> FileFacts | None:
        from yg.code.read import read_facts

        index = self._tree.index
        content = self._tree.read(path)
        if file_digest([content]) != digest:
            if index is not None:
                index.is_cacheable = False  # it has changed since it was hashed
            return None
        facts = read_facts(path, content)
        value = _FACTS.encode(facts)
        if index is not None and value is not None:
            index.keep_facts(_key(digest, path), ALGORITHM, value)
        return facts


def _key(digest: str, path: str) -> str:
    """Return the key of a content; the name of the file tells its language and its role."""
    return f"{digest} {name_of(path)}"
