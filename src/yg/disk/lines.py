"""The file format of the index: keyed lines of JSON, each with its own checksum, sorted by key.

One entry is found by bisection in the file itself, so looking up a few costs the same however
many there are. A line that is damaged is as good as absent. The first line names the version of
everything that decides what the others mean; another version is as good as an empty file.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from typing import Any
from zlib import crc32

from yg.disk.cache import FOLDER, cache_folder
from yg.version import __version__

NAME = "index"
VERSION = 2
_PYTHON = f"{sys.implementation.name}-{sys.version_info[0]}.{sys.version_info[1]}"
HEADER = f"yg-index {VERSION} {__version__} {_PYTHON}\n".encode()
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK
_OLD = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _NO_LINK  # a FIFO must not keep us waiting
_PIECE = 4096
_MANY = 64  # so many single look-ups cost as much as reading everything


class Lines:
    """The entries of one index file, as one run sees and changes them."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._handle = -1
        self._size = -1  # not looked at yet
        self._look_ups = 0
        self._all: dict[bytes, bytes] | None = None
        self._news: dict[bytes, bytes | None] = {}  # None: taken away

    def get(self, key: str) -> Any:
        """Return an entry; None when there is none, or when it is damaged."""
        written = _key(key)
        if written in self._news:
            line = self._news[written]
        elif self._all is not None:
            line = self._all.get(written)
        else:
            self._look_ups += 1
            if self._look_ups > _MANY:
                self.load()
                return self.get(key)
            line = self._find(written)
        return None if line is None else _content(line)

    def keys_from(self, prefix: str) -> list[str]:
        """Return the keys of all entries that begin with a prefix."""
        self.load()
        start = _key(prefix)[:-1]
        known = {**(self._all or {}), **self._news}
        return sorted(json.loads(key) for key in known if key.startswith(start))

    def put(self, key: str, entry: Any) -> None:
        """Set an entry; None takes it away."""
        written = _key(key)
        self._news[written] = None if entry is None else _line(written, entry)

    def load(self) -> None:
        """Read all entries at once."""
        if self._all is None:
            data = self._data()
            lines = data.split(b"\n")[1:-1] if data.startswith(HEADER) else []
            self._all = {line[9 : line.find(b"\t")]: line for line in lines}

    def save(self) -> None:
        """Write all entries as a whole; where that is not possible, nothing is remembered."""
        folder = cache_folder(self._root) if self._news else None
        if folder is None:
            return
        self.load()
        known = {**(self._all or {}), **self._news}
        lines = [line for _, line in sorted(known.items()) if line is not None]
        _replace(folder, NAME, b"".join([HEADER, *(line + b"\n" for line in lines)]))
        self._all, self._news = {k: v for k, v in known.items() if v is not None}, {}

    def close(self) -> None:
        """Let go of the file."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle, self._size = -1, 0

    def _open(self) -> int:
        """Open the file once; return its size, 0 for one that cannot be used."""
        if self._size < 0:
            self._size = 0
            folder = os.path.join(self._root, FOLDER)
            try:
                if not os.path.islink(folder):
                    self._handle = os.open(os.path.join(folder, NAME), _OLD)
                    status = os.fstat(self._handle)
                    self._size = status.st_size if stat.S_ISREG(status.st_mode) else 0
            except OSError:
                return 0
            if self._read(0, len(HEADER)) != HEADER:
                self._size = 0
        return self._size

    def _data(self) -> bytes:
        return self._read(0, self._size) if self._open() else b""

    def _read(self, start: int, length: int) -> bytes:
        try:
            os.lseek(self._handle, start, os.SEEK_SET)
            return os.read(self._handle, length)
        except OSError:
            return b""

    def _find(self, key: bytes) -> bytes | None:
        """Find the line of a key by bisection."""
        low, high = len(HEADER), self._open()
        while low < high:
            start, line = self._line_at((low + high) // 2, low)
            end = line.find(b"\t")
            if end < 0:
                return None
            found = line[9:end]
            if found == key:
                return line
            if found < key:
                low = start + len(line) + 1
            else:
                high = start
        return None

    def _line_at(self, middle: int, low: int) -> tuple[int, bytes]:
        """Return the line around an offset, and where it begins."""
        start = middle
        while start > low:
            piece = self._read(max(low, start - _PIECE), min(_PIECE, start - low))
            found = piece.rfind(b"\n")
            if found >= 0:
                start += found + 1 - len(piece)
                break
            start -= len(piece) or start - low
        line = b""
        while b"\n" not in line:
            piece = self._read(start + len(line), _PIECE)
            if not piece:
                return start, b""  # the last line has no end: cut off
            line += piece
        return start, line[: line.find(b"\n")]


def _key(key: str) -> bytes:
    return json.dumps(key).encode()


def _line(key: bytes, entry: Any) -> bytes:
    body = key + b"\t" + json.dumps(entry, separators=(",", ":")).encode()
    return b"%08x %b" % (crc32(body), body)


def _content(line: bytes) -> Any:
    """Read the entry of a line; None when the line is damaged."""
    body = line[9:]
    if b"%08x" % crc32(body) != line[:8]:
        return None
    return json.loads(body[body.find(b"\t") + 1 :])


def _replace(folder: str, name: str, data: bytes) -> None:
    """Write a file so that others see all of it or none."""
    temporary = os.path.join(folder, f".{name}.{os.getpid()}")
    try:
        if os.path.lexists(temporary):
            os.unlink(temporary)  # left behind, or a link that leads anywhere
        with open(os.open(temporary, _NEW, 0o666), "wb") as file:
            file.write(data)
        os.replace(temporary, os.path.join(folder, name))
    except OSError:
        if os.path.lexists(temporary):
            os.unlink(temporary)
