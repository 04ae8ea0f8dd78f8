"""What is remembered of the graph as a whole, for as long as nothing it was found out from changes.

The engine asks a tree for files, and the tree knows what it was asked for. An answer that was
found out from them stays true while every one of those files and directories is the same.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import DecodeError, Struct

from yg.disk.memory import Change, change_of, visible_names
from yg.kernel import paths
from yg.kernel.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.disk.memory import Memory, Stamp
    from yg.disk.state import Stamped
    from yg.disk.worktree import WorkTree
    from yg.kernel.codec import Codec

T = TypeVar("T")


class Reach(Struct, frozen=True):
    """What an answer is found out from, besides the declarations of the graph."""

    sensitivity: int  # the least change in the graph that can make it untrue
    places: bool = False  # where source files are
    contents: bool = False  # what files say, and what version control sees


DECLARATIONS = Reach(Change.STRUCTURE)
PLACES = Reach(Change.STRUCTURE, places=True)
EVERYTHING = Reach(Change.TEXT, places=True, contents=True)


class Memos:
    """Answers of earlier runs about the graph of a work tree."""

    def __init__(self, tree: WorkTree, memory: Memory) -> None:
        self._tree = tree
        self._memory = memory

    def of(self, name: str, reach: Reach, codec: Codec[T], find: Callable[[], T]) -> T:
        """Return an answer from before if it is still true, or find it out and remember it."""
        known = self._memory.memo(name)
        if known is not None and self._change != Change.STRUCTURE:
            try:
                if self._is_true(known, self._change):
                    return codec.decode(known["answer"])
            except (DecodeError, LookupError, TypeError):
                pass  # written by other code: as good as absent
        found = find()
        self._keep(name, reach, codec.encode(found))
        return found

    def _is_true(self, known: dict[str, Any], change: int) -> bool:
        from yg.disk.state import is_as_packed

        return (
            change < known["sensitivity"]
            and is_as_packed(self._tree.root, self._tree.graph, known["outside"])
            and (known["view"] is None or known["view"] == self._tree.visible.digest)
        )

    def _keep(self, name: str, reach: Reach, answer: str | None) -> None:
        from yg.disk.state import packed_state

        visible = self._tree.visible
        outside = packed_state(self._outside(reach))
        if answer is None or outside is None or not self._memory.is_settled:
            return
        if not self._memory.is_whole:
            return  # it may count on something that has been lost
        entry = {
            "sensitivity": reach.sensitivity,
            "outside": outside,
            "view": visible.digest if reach.contents and visible.is_known else None,
            "answer": answer,
        }
        self._memory.keep_memo(name, entry)
        self._memory.keep_state()

    def _outside(self, reach: Reach) -> list[Stamped]:
        """Return what was looked at besides the graph's own files, in the order of directories."""
        looked_into = {each for each in self._tree.looked_into if self._matters(each, reach)}
        files: dict[str, list[tuple[str, Stamp]]] = {each: [] for each in looked_into}
        for file in sorted(self._tree.read_outside) if reach.contents else ():
            place = files.setdefault(paths.parent(file), [])
            if self._memory.may_keep(stamp := self._memory.stamp(file)):
                place.append((paths.name_of(file), stamp))
        return [
            (each, self._settled(each) if each in looked_into else None, files[each])
            for each in sorted(files)
        ]

    def _matters(self, directory: str, reach: Reach) -> bool:
        if paths.is_inside(directory, self._tree.graph):
            return reach.contents or "/." not in directory
        return reach.places

    def _settled(self, directory: str) -> Stamp | None:
        """Return a stamp that can be relied on; without it, nothing of this run is remembered."""
        stamp = self._memory.stamp_of_directory(directory)
        return stamp if self._memory.may_keep(stamp) else None

    @cached_property
    def _change(self) -> int:
        """How much has changed in the graph since it was last looked at."""
        memory, worst = self._memory, self._memory.met
        if worst == Change.STRUCTURE or memory.is_as_before:
            return worst
        directories, files = memory.changed(self._tree.graph)
        if memory.met == Change.STRUCTURE or not memory.is_whole:
            return Change.STRUCTURE
        for directory in directories:
            if memory.names(directory) != self._names(directory):
                return Change.STRUCTURE
        for file in files:
            before_facts = memory.old_facts(file)
            if change_of(before_facts) == Change.STRUCTURE or self._tree.text(file).fault:
                return Change.STRUCTURE
            worst = Change.TEXT
        if memory.is_settled:
            memory.keep_state()
        return worst

    def _names(self, directory: str) -> list[str] | None:
        """Return the visible names in a directory; None when it cannot be looked into."""
        try:
            return visible_names(self._tree.entries(directory))
        except UnreadableError:
            return None
