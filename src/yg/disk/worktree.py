"""The work tree as a Snapshot: a listing of the graph, and all other files on first access."""

from __future__ import annotations

import os
import stat
import time
from functools import cached_property
from hashlib import blake2b
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import UNSET, UnsetType

from yg.disk.cache import Cache
from yg.disk.listing import (
    Known,
    Listing,
    are_settled,
    directory_stamp_of,
    directory_stamps,
    kind_of,
    kind_of_entry,
    kind_stamp,
    look,
    look_again,
    reason_of,
    stamp_of,
)
from yg.disk.private import cache_folder
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import MAX_TEXT, Inputs, Kind, too_large
from yg.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from yg.kernel.snapshot import Recipe

T = TypeVar("T")

PIECE = 1_048_576  # bytes that are read at once of a file that has grown
_LISTING, _PLACES = ".listing", ".places"  # results that are not of any reader
# Never follow a link, never wait for the other end of a FIFO.
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_NAME = attrgetter("name")


class WorkTree:
    """The files below a directory. No link is followed, unless the folder of the graph is one.

    The graph is listed once, on first access. Names that start with a dot are not part of it; they
    and the files outside are looked at when they are asked for.
    """

    def __init__(
        self,
        root: str,
        graph: str,
        *,
        uses_cache: bool = True,
        on_read: Callable[[], None] | None = None,
    ) -> None:
        """Open the tree at `root` with the graph in its folder `graph`.

        `on_read` is called for each file that is read.
        """
        self.root = root
        self._on_read = on_read
        self.graph = graph
        self._began = time.time_ns()
        folder = cache_folder(root, graph) if uses_cache else ""
        self._cache = Cache(folder) if folder else None
        # Kinds and stamps of paths outside the graph.
        self._seen: dict[str, tuple[Kind, bytes] | None] = {
            paths.ROOT: (Kind.DIRECTORY, kind_stamp(Kind.DIRECTORY))
        }
        self._states: dict[Inputs, tuple[bytes, bytes]] = {}
        self._watched: Callable[[], Iterable[str]] | None = None
        self._is_unchanged = True  # whether the files that were read are those that were listed

    def close(self) -> None:
        """Store what was learnt, and close the cache."""
        if self._cache is not None:
            self._cache.store(self._exists, with_results=self._is_unchanged)
            self._cache.close()

    def _exists(self, path: str) -> bool:
        return self._listing.kind(path) is Kind.FILE or not self._is_of_graph(path)

    @cached_property
    def _listing(self) -> Listing:
        if self._cache is None:
            return look(self.root, self.graph)
        known = self._cache.result(_LISTING, b"", Known)
        found = None if known is UNSET else look_again(self.root, self.graph, known)
        if found is None:
            found = look(self.root, self.graph)
        is_new = found.names and found.known != known
        if is_new and are_settled(found.directory_stamps, self._began):
            self._cache.put_result(_LISTING, b"", found.known)
        return found

    def _is_of_graph(self, path: str) -> bool:
        """Return whether a path is below the folder of the graph, with no dot-name on the way."""
        length = len(self.graph)
        return path.startswith(f"{self.graph}/") and path.find("/.", length) == -1

    # Names and kinds.

    def entries(self, directory: str) -> Mapping[str, Kind]:
        """Return the names in a directory in code-point order; raises UnreadableError."""
        if directory == self.graph or self._is_of_graph(directory):
            return self._listing.entries(directory)
        if self.kind(directory) not in (Kind.DIRECTORY, None):
            raise UnreadableError(directory, "not a directory")
        try:
            with os.scandir(self._reachable(directory)) as found:
                return {entry.name: kind_of_entry(entry) for entry in sorted(found, key=_NAME)}
        except (OSError, ValueError) as error:
            raise UnreadableError(directory, reason_of(error)) from error

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a path; None if it is missing or behind a link."""
        if self._is_of_graph(path):
            return self._listing.kind(path)
        seen = self._look(path)
        return None if seen is None else seen[0]

    def _look(self, path: str) -> tuple[Kind, bytes] | None:
        """Return the kind and stamp of a path outside the graph, which is looked at once."""
        if path not in self._seen:
            if len(path) > paths.LONGEST or paths.normalise(path) != path:
                return None
            unseen = [path]
            while (above := paths.parent(unseen[-1])) not in self._seen:
                unseen.append(above)
            for place in reversed(unseen):
                seen = self._seen[paths.parent(place)]
                is_reached = seen is not None and seen[0] is Kind.DIRECTORY
                self._seen[place] = self._status(place) if is_reached else None
        return self._seen[path]

    def _status(self, path: str) -> tuple[Kind, bytes] | None:
        place = self._absolute(path)
        try:
            status = os.stat(place) if path == self.graph else os.lstat(place)
        except (OSError, ValueError):  # missing, or an invalid name
            return None
        kind = kind_of(status.st_mode)
        return kind, directory_stamp_of(status) if kind is Kind.DIRECTORY else stamp_of(status)

    def _absolute(self, path: str) -> str:
        return self.root if path == paths.ROOT else f"{self.root}/{path}"

    def _reachable(self, path: str) -> str:
        """Return an absolute path; raise UnreadableError if it leaves the tree or has a link."""
        above = Kind.DIRECTORY if path == paths.ROOT else self.kind(paths.parent(path))
        if above is not Kind.DIRECTORY:
            is_file = above is Kind.FILE
            raise UnreadableError(
                path, "not a directory" if is_file else "no such file or directory"
            )
        if paths.normalise(path) != path:
            raise UnreadableError(path, "it is outside the repository")
        return self._absolute(path)

    # Contents.

    def read(self, path: str) -> bytes:
        """Return the bytes of a file; raises UnreadableError, also for more than MAX_TEXT."""
        return self._read(path)[0]

    def _read(self, path: str) -> tuple[bytes, bytes]:
        """Return the bytes of a file, and its stamp when it was opened."""
        if self._on_read is not None:
            self._on_read()
        place = self._reachable(path)
        if self.kind(path) in (Kind.DIRECTORY, Kind.OTHER):
            raise UnreadableError(path, "not a regular file")
        stamp = None
        try:
            handle = os.open(place, _FLAGS)
            try:
                status = os.fstat(handle)
                stamp = stamp_of(status)
                return _content(path, handle, status), stamp
            finally:
                os.close(handle)
        except (OSError, ValueError) as error:
            stamp = None  # the cause may be temporary
            raise UnreadableError(path, reason_of(error)) from error
        finally:
            if self._is_of_graph(path) and stamp != self._stamp(path):
                self._is_unchanged = False

    def _stamp(self, path: str) -> bytes | None:
        """Return the stamp of a file when it was listed or first looked at."""
        if self._is_of_graph(path):
            return self._listing.stamps(path).get(f"{self.root}/{path}")
        seen = self._look(path)
        return seen[1] if seen is not None and seen[0] is Kind.FILE else None

    def made(self, path: str, recipe: Recipe[T]) -> T:
        """Return what a recipe makes of a file, from the cache if its stamp is the same.

        Raises UnreadableError.
        """
        stamp = None if self._cache is None else self._stamp(path)
        if self._cache is None or stamp is None:
            return recipe.make(path, self.read(path))
        rows = self._cache.rows(recipe)
        found = rows.get(path, stamp)
        if not isinstance(found, UnsetType):
            return found
        content, read_stamp = self._read(path)
        found = recipe.make(path, content)
        if read_stamp == stamp and are_settled(stamp, self._began):
            rows.put(path, stamp, found)
        return found

    def made_before(self, recipe: Recipe[T]) -> Mapping[str, T]:
        """Return what the cache has of all files of the graph that have not changed."""
        if self._cache is None:
            return {}
        # A recipe for declarations is named like their files.
        return self._cache.rows(recipe).all(self.root, self._listing.stamps(recipe.name))

    # Results.

    def watch(self, paths: Callable[[], Iterable[str]]) -> None:
        """Name the paths outside the graph whose existence results depend on.

        They follow from the declarations, so they are asked for only if these have changed.
        """
        self._watched = paths

    def recall(self, name: str, inputs: Inputs, type_: Any, compute: Callable[[], T]) -> T:
        """Return a result from the cache if none of its inputs has changed, or compute it."""
        if self._cache is None or not self._listing.names:
            return compute()
        digest, stamps = self._state(inputs)
        found: T | UnsetType = self._cache.result(name, digest, type_)
        if not isinstance(found, UnsetType):
            return found
        found = compute()
        if are_settled(stamps, self._began):
            self._cache.put_result(name, digest, found)
        return found

    def _state(self, inputs: Inputs) -> tuple[bytes, bytes]:
        """Return a digest of all names and of the stamps of the inputs, and these stamps."""
        if inputs not in self._states:
            found: list[bytes] = []
            if inputs is not Inputs.WATCHED:
                found += self._listing.declarations.values()
            if inputs in (Inputs.FILES, Inputs.ALL):
                found += self._listing.texts.values()
            if inputs not in (Inputs.DECLARATIONS, Inputs.FILES):
                found.append(self._place_stamps)
            stamps = b"".join(found)
            digest = self._names_digest.copy()
            digest.update(stamps)
            self._states[inputs] = digest.digest(), stamps
        return self._states[inputs]

    @cached_property
    def _names_digest(self) -> blake2b:
        """A digest that has taken in the names of all files."""
        return blake2b(self._listing.names, digest_size=16)

    @cached_property
    def _place_stamps(self) -> bytes:
        """The stamps that tell whether a watched path has appeared or gone.

        A directory's stamp tells of the entries in it. The root's changes too often to be of use;
        of what is at the top, and not a directory, the kind is enough.
        """
        places = self.recall(_PLACES, Inputs.DECLARATIONS, list[str], self._places)
        try:  # the usual case: all of them are directories, and so are those above them
            return directory_stamps([f"{self.root}/{place}" for place in places])
        except OSError:
            return self._single_stamps(places)

    def _single_stamps(self, places: list[str]) -> bytes:
        """Return the stamps of places, some of which may be missing, links or files."""
        stamps = []
        for place in places:  # sorted, so that a directory comes before the places in it
            above = self._seen[paths.parent(place)]
            is_reached = above is not None and above[0] is Kind.DIRECTORY
            seen = self._seen[place] = self._status(place) if is_reached else None
            kind, stamp = seen or (None, b"")
            stamps.append(stamp if kind is Kind.DIRECTORY else kind_stamp(kind))
        return b"".join(stamps)

    def _places(self) -> list[str]:
        """Return the directories on the way to the watched paths, and the paths at the top."""
        if self._watched is None:
            raise RuntimeError("watch() must come before the results that depend on it")
        watched = [path for path in self._watched() if not self._is_of_graph(path)]
        found = {path for path in watched if "/" not in path}
        for folder in {paths.parent(path) for path in watched}:
            place = folder
            while place not in found:
                found.add(place)
                place = paths.parent(place)
        return sorted(found - {paths.ROOT})


def _content(path: str, handle: int, status: os.stat_result) -> bytes:
    """Read an open file to its end; raises UnreadableError above MAX_TEXT."""
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableError(path, "not a regular file")
    size = status.st_size
    if size > MAX_TEXT:
        raise too_large(path, size)
    content = os.read(handle, size + 1)  # usually all of it
    if len(content) == size:
        return content
    pieces, length = [content], len(content)
    while piece := os.read(handle, PIECE):
        pieces.append(piece)
        length += len(piece)
        if length > MAX_TEXT:
            raise too_large(path, length)
    return b"".join(pieces)
