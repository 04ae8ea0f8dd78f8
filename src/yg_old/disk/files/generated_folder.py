"""A folder of generated files: written as a whole, and replaced only as far as it was generated.

A list in the folder has the digests of the files. So a later run knows which files it may replace
or remove, and which ones somebody else has written or changed.
"""

from __future__ import annotations

import errno
import json
import os
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import DecodeError, Struct, ValidationError
from msgspec.json import decode

from yg_old.disk.files.apply import Applier, read_file
from yg_old.disk.files.folders import Folders
from yg_old.kernel.edit import Delete, MakeDirectory, Write
from yg_old.kernel.errors import YgError
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg_old.kernel.edit import Edit

LIST = "yg-generated.json"
_MAKER = "yg plan --packages"


class _Listed(Struct, frozen=True, forbid_unknown_fields=True):
    """The generated files: while they are being replaced, each can have an old and a new digest."""

    written_by: str
    files: dict[str, tuple[str, ...]]


class GeneratedFolder:
    """A folder below a directory; no link on the way to it or in it is followed."""

    def __init__(self, base: str, path: str, graph: str, shown: str) -> None:
        """`graph` is the folder of the graph in `base`, if any; `shown` is a name for messages."""
        self._base = base
        self._path = path
        self._graph = graph
        self._shown = shown

    def replace(self, files: Mapping[str, bytes]) -> None:
        """Write the files and remove generated ones that are not among them.

        Raises YgError, before anything is written, if that would change anything else.
        """
        with Folders(self._base, self._graph) as folders:
            known = self._known(folders)
            present = {
                path: digest
                for path in sorted(known.keys() | files.keys())
                if (digest := self._checked(folders, path, known.get(path, ())))
            }
        applier = Applier(self._base, self._path, graph=self._graph)
        applier.clear(self._path, below=True)
        applier.apply(self._edits(files, present))

    def _edits(self, files: Mapping[str, bytes], present: Mapping[str, str]) -> Iterator[Edit]:
        """Yield the edits. A run that is interrupted leaves a list that has all its files."""
        new = {path: (_digest(content),) for path, content in files.items()}
        both = {path: (*new.get(path, ()), digest) for path, digest in present.items()}
        yield MakeDirectory(self._path)
        yield self._list({**new, **both})
        for path, content in files.items():
            if present.get(path) not in new[path]:
                yield Write(f"{self._path}/{path}", content)
        for path in present:
            if path not in files:
                yield Delete(f"{self._path}/{path}")
        yield self._list(new)

    def _list(self, files: Mapping[str, tuple[str, ...]]) -> Write:
        listed = {"written_by": _MAKER, "files": {path: files[path] for path in sorted(files)}}
        text = json.dumps(listed, indent=1, ensure_ascii=True)
        return Write(f"{self._path}/{LIST}", f"{text}\n".encode())

    def _known(self, folders: Folders) -> dict[str, tuple[str, ...]]:
        """Return the generated files by path, with their digests; none if there is no folder."""
        try:
            folder = folders.open(self._path)
            names = os.listdir(folder)
            content = read_file(LIST, folder) if LIST in names else None
        except FileNotFoundError:
            return {}
        except NotADirectoryError as error:
            raise YgError(
                f"'{self._shown}' is, or goes through, a link or a file",
                hint="Name a directory; links are not followed.",
            ) from error
        except OSError as error:
            raise YgError(f"cannot read '{self._shown}': {error.strerror}") from error
        if not names:
            return {}
        try:
            listed = decode(content or b"", type=_Listed)
        except (DecodeError, ValidationError, UnicodeError, RecursionError) as error:
            raise self._foreign() from error
        if listed.written_by != _MAKER or not all(map(_is_possible, listed.files)):
            raise self._foreign()
        return listed.files

    def _foreign(self) -> YgError:
        return YgError(
            f"'{self._shown}' exists, and yg has not written it",
            hint="Name a new or an empty directory.",
        )

    def _checked(self, folders: Folders, path: str, digests: tuple[str, ...]) -> str:
        """Return the digest of a file; empty if it is missing. Raise YgError if it is not ours."""
        whole = f"{self._path}/{path}"
        try:
            folder = folders.open(paths.parent(whole))
            digest = _digest(read_file(paths.name_of(path), folder))
        except FileNotFoundError:
            return ""
        except OSError as error:
            if error.errno not in (errno.ELOOP, errno.ENOTDIR, errno.EISDIR, errno.EINVAL):
                raise YgError(f"cannot read '{self._shown}/{path}': {error.strerror}") from error
            digest = ""  # a link, a directory or a device
        if digest and digest in digests:
            return digest
        raise YgError(
            f"'{self._shown}/{path}' was not written by yg, or was changed since",
            hint="Move it away, or name another directory.",
        )


def place_of(path: str) -> tuple[str, str]:
    """Return the nearest directory above an absolute path, and the rest of the path below it."""
    base = os.path.dirname(path)
    while not os.path.isdir(base) and os.path.dirname(base) != base:
        base = os.path.dirname(base)
    return base, os.path.relpath(path, base).replace(os.sep, "/")


def _is_possible(path: str) -> bool:
    """Return whether a path can be that of a generated file: inside the folder, not the list."""
    is_inside = path not in (paths.ROOT, LIST) and paths.normalise(path) == path
    return is_inside and "\0" not in path and paths.is_utf8(path)


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()
