"""Facts about the source files of a work tree; a content is read and scanned only once."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import DecodeError

from yg_old.code.languages import ENDINGS, ending
from yg_old.kernel.digest import file_digest
from yg_old.kernel.errors import UnreadableError
from yg_old.text.paths import name_of

if TYPE_CHECKING:
    from yg_old.code.facts import FileFacts
    from yg_old.disk.reading.hashes import WorkTreeHashes
    from yg_old.disk.reading.worktree import WorkTree
    from yg_old.kernel.codec import FileRecipe

T = TypeVar("T")


class WorkTreeFacts:
    """Reads the facts of files, and keeps them in the index under the digest of the content."""

    def __init__(self, tree: WorkTree, hashes: WorkTreeHashes) -> None:
        self._tree = tree
        self._hashes = hashes

    def of(self, path: str) -> FileFacts | None:
        """Return the facts of a file; None if its language or its text cannot be read."""
        if ending(path) not in ENDINGS:
            return None
        from yg_old.code.read import FACTS

        try:
            return computed(self._tree, self._hashes, path, FACTS)
        except UnreadableError:
            return None  # drift reports the file


def computed(tree: WorkTree, hashes: WorkTreeHashes, path: str, recipe: FileRecipe[T]) -> T:
    """Return the value of a recipe for a file.

    The index keeps it by content and name; without one the work tree does.
    """
    digest = hashes.of(path).lf
    key = f"{digest} {name_of(path)} {recipe.name}"
    index = tree.index
    known = tree.computed.get(key) if index is None else index.facts.get(key, recipe.name)
    if known is not None:
        try:
            return recipe.codec.decode(known)
        except DecodeError:
            pass  # written by other code: compute it again
    content = tree.read(path)
    if file_digest([content]) != digest:
        if index is not None:
            index.stamps.is_cacheable = False
        raise UnreadableError(path, "it changes while it is being read")
    found = recipe.make(path, content)
    value = recipe.codec.encode(found)
    if value is not None:
        if index is None:
            tree.computed[key] = value
        else:
            index.facts.keep(key, recipe.name, value)
    return found
