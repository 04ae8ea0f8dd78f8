"""Stored results about the graph as a whole, valid until something they depend on changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import DecodeError

from yg_old.disk.index.changes import ChangeKind
from yg_old.disk.index.rows import Result

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.disk.git.ignore import Visibility
    from yg_old.disk.index.database import Database
    from yg_old.disk.index.directories import Directories
    from yg_old.disk.index.seen import SeenStamps
    from yg_old.disk.index.used import UsedPaths
    from yg_old.kernel.codec import Codec

T = TypeVar("T")


def always(_result: object) -> bool:
    """Accept any stored result."""
    return True


class Results:
    """Results by name, each with the kinds of changes that it depends on."""

    def __init__(
        self, database: Database, stamps: SeenStamps, directories: Directories, used: UsedPaths
    ) -> None:
        self._database = database
        self._stamps = stamps
        self._directories = directories
        self._used = used
        self._has_new = False  # whether there are results whose inputs are not stored

    def get(  # noqa: PLR0913
        self,
        name: str,
        depends: ChangeKind,
        codec: Codec[T],
        compute: Callable[[], T],
        visible: Visibility,
        *,
        holds: Callable[[T], bool] = always,
        amend: Callable[[T, tuple[str, ...]], T | None] | None = None,
    ) -> T:
        """Return a stored result that is still valid, or compute and store it.

        `holds` checks what no stamp of a file tells. If only sources have changed, `amend` gets
        the old result and their paths; it returns the new result, or None to compute all of it.
        """
        known = self._database.result(name)
        if known is not None and self._is_valid(known, visible):
            if known.view:
                self._used.note_view()
            try:
                stored = codec.decode(known.value)
            except DecodeError:
                pass  # written by other code: compute it again
            else:
                if holds(stored):
                    return stored
        elif known is not None and amend is not None and self._is_amendable(known, visible):
            amended = self._amended(name, known, codec, amend, holds)
            if amended is not None:
                return amended
        self._directories.check()
        found, uses_view = self._used.observe(compute, depends)
        value = codec.encode(found)
        if value is not None and self._can_store(depends):
            view = visible.digest if uses_view else ""
            self._database.put_result(name, Result(int(depends), view, value))
            self._has_new = True
        return found

    def revise(self, name: str, codec: Codec[T], update: Callable[[T | None], T]) -> T:
        """Store and return the new version of a result, which `update` makes of the old one.

        It depends on no stamps: `update` compares what it needs, and gets None if there is none.
        """
        known = self._database.result(name)
        old = None
        if known is not None:
            try:
                old = codec.decode(known.value)
            except DecodeError:
                pass  # written by other code: compute it again
        found = update(old)
        value = codec.encode(found)
        if value is not None and (known is None or value != known.value):
            self._database.put_result(name, Result(int(ChangeKind(0)), "", value))
        return found

    def _is_valid(self, known: Result, visible: Visibility) -> bool:
        self._directories.check()
        if not known.depends & self.changes:
            self._used.compare(ChangeKind(known.depends))
        is_stale = bool(known.depends & self.changes)
        if self._database.is_broken or is_stale or not self._directories.has_graph:
            return False
        return not known.view or known.view == visible.digest

    def _is_amendable(self, known: Result, visible: Visibility) -> bool:
        """Return whether only the contents of sources differ from what a result depends on."""
        is_sound = not self._database.is_broken and self._directories.has_graph
        is_visible = not known.view or known.view == visible.digest
        return is_sound and is_visible and known.depends & self.changes == ChangeKind.SOURCES

    def _amended(
        self,
        name: str,
        known: Result,
        codec: Codec[T],
        amend: Callable[[T, tuple[str, ...]], T | None],
        holds: Callable[[T], bool],
    ) -> T | None:
        """Return the new version of a stored result; None if it cannot be made of the old one."""
        try:
            stored = codec.decode(known.value)
        except DecodeError:
            return None  # written by other code
        if not holds(stored):
            return None
        changed, depends = self._used.changed_sources(), ChangeKind(known.depends)
        found, _ = self._used.observe(lambda: amend(stored, changed), depends)
        value = codec.encode(found) if found is not None else None
        if value is None:
            return found
        if known.view:
            self._used.note_view()
        if self._can_store(depends):
            self._used.note_replaced()
            self._database.put_result(name, Result(int(depends), known.view, value))
            self._has_new = True
        else:
            self._used.restore()
        return found

    def _can_store(self, depends: ChangeKind) -> bool:
        """Return whether the stamps of all inputs of a result are settled."""
        self._used.look(depends)
        return self._stamps.is_cacheable and self._directories.has_graph

    @property
    def changes(self) -> ChangeKind:
        """The kinds of changes found in this run; results that depend on one are not valid."""
        return self._directories.changes | self._used.changes

    def keep_inputs(self) -> None:
        """Store the stamps of the paths outside the graph that new results depend on."""
        if self._has_new:
            self._used.keep()
        self._has_new = False
