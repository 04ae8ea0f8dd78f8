"""The index: cached facts about files and cached results, valid until files change.

A file or directory is unchanged if its stamp is. The index never changes an answer: if it is
damaged, of another version or not writable, everything is computed again.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from yg_old.disk.index.changes import NO_CHANGE
from yg_old.disk.index.database import NAME, Database
from yg_old.disk.index.directories import Directories
from yg_old.disk.index.files import ContentFacts, FileFacts
from yg_old.disk.index.lengths import TextLengths
from yg_old.disk.index.results import Results
from yg_old.disk.index.seen import SeenStamps
from yg_old.disk.index.used import UsedPaths

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.disk.index.database import Databases
    from yg_old.disk.index.tracked import TrackedFiles


class Index:
    """The cache of one run, in parts over one database, which is opened when one is used."""

    def __init__(
        self,
        root: str,
        graph: str,
        folder: str,
        reads_well: Callable[[str], bool],
        databases: Databases | None = None,
    ) -> None:
        """Open the index of the graph in the folder `graph` of the repository at `root`.

        It is in the private folder `folder`. `reads_well` returns whether a file of the graph can
        be read as text. A long-running process passes `databases` to keep files open between
        commands.
        """
        self._databases = databases
        self._root = root
        self._graph = graph
        self._reads_well = reads_well
        self.folder = folder
        self.tracked: TrackedFiles | None = None
        self.stamps = SeenStamps(root, graph)

    @cached_property
    def _database(self) -> Database:
        path = os.path.join(self.folder, NAME)
        return Database(path) if self._databases is None else self._databases.open(path)

    @cached_property
    def directories(self) -> Directories:
        """The directories of the graph, and what has changed in them."""
        found = Directories(self._database, self.stamps, self._root, self._graph, self._reads_well)
        found.tracked = self.tracked
        return found

    @cached_property
    def lengths(self) -> TextLengths:
        """The lengths of the texts of the graph."""
        return TextLengths(self._database, self.stamps)

    @cached_property
    def files(self) -> FileFacts:
        """Facts about single files."""
        return FileFacts(self._database, self.stamps, self.directories)

    @cached_property
    def facts(self) -> ContentFacts:
        """Facts about single contents."""
        return ContentFacts(self._database)

    @cached_property
    def used(self) -> UsedPaths:
        """The paths outside the graph that results depend on."""
        return UsedPaths(self._database, self.stamps, self._root, self._graph)

    @cached_property
    def results(self) -> Results:
        """Results about the whole graph."""
        return Results(self._database, self.stamps, self.directories, self.used)

    def save(self) -> None:
        """Write everything new to the database, and remove the results that are not valid."""
        self.results.keep_inputs()
        if self._database.is_dirty and self._database.write(int(self.results.changes)):
            self.directories.changes = self.used.changes = NO_CHANGE  # they are stored now

    def close(self) -> None:
        """Close the database, unless it is kept open for the next command."""
        if self._databases is None and "_database" in self.__dict__:
            self._database.close()
