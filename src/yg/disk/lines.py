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
from functools import cached_property
from zlib import crc32

from yg.disk.cache import FOLDER, cache_folder
from yg.disk.temporary import clear_abandoned, temporary_path
from yg.kernel.typed import TYPE_CHECKING, Any
from yg.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NAME = "index"
VERSION = 3
_PYTHON = f"{sys.implementation.name}-{sys.version_info[0]}.{sys.version_info[1]}"
HEADER = f"yg-index {VERSION} {__version__} {_PYTHON}\n".encode()
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK
_OLD = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _NO_LINK  # a FIFO must not keep us waiting
_PIECE = 2048
_PAGE = 16_384  # bytes that are read in the time of a few look-ups
_SUM = 9  # what stands before the key: a checksum and a space
_MOST_PAGES = 256
_WORTH = 1 << 20  # bytes that are read at once where all are
_NO_NEWS = (None, None)


_ENCODER = json.JSONEncoder(separators=(",", ":"))
_DECODER = json.JSONDecoder()


class Lines:
    """The entries of one index file, as one run sees and changes them.

    Large entries stand behind the others, so that they are not in the way of a bisection; the
    second line of the file tells where.
    """

    def __init__(self, root: str, *, is_trusted: bool = True) -> None:
        """Open the index of a repository; one that is not trusted is as good as absent."""
        self._root = root
        self._is_trusted = is_trusted
        self._file: _File | None = None
        self._news: dict[bytes, bytes | None] = {}  # None: taken away
        self._large_news: dict[str, bytes | None] = {}

    def get(self, key: str) -> Any:
        """Return an entry; None when there is none, or when it is damaged."""
        if not self._news and self._opened.is_empty:
            return None
        written = _key(key)
        is_news = written in self._news
        line = self._news[written] if is_news else self._opened.find(written)
        return None if line is None else _content(line)

    def get_large(self, key: str) -> Any:
        """Return a large entry."""
        line = self._large_line(key)
        return None if line is None else _content(line)

    @property
    def large_keys(self) -> list[str]:
        """The keys of all large entries."""
        known = {**dict.fromkeys(self._opened.large, b""), **self._large_news}
        return sorted(key for key, line in known.items() if line is not None)

    def keys(self) -> list[str]:
        """Return the keys of all entries but the large ones."""
        keys = (_parsed(_key_of(line)) for line in self._rows())
        return [key for key in keys if isinstance(key, str)]

    def put(self, key: str, entry: Any) -> None:
        """Set an entry; None takes it away."""
        written = _key(key)
        self._news[written] = None if entry is None else _line(written, entry)

    def put_large(self, key: str, entry: Any) -> None:
        """Set a large entry; None takes it away."""
        if entry is None and key not in self.large_keys:
            return  # which is no news
        self._large_news[key] = None if entry is None else _line(_large_key(key), entry)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing: large entries may count on what the others say."""
        return self._opened.is_whole

    def save(self) -> bool:
        """Write all entries as a whole and tell whether that was done."""
        folder = cache_folder(self._root) if self._news or self._large_news else None
        if folder is not None:
            kept = self.large_keys if self.is_whole else self._large_news
            size = sum(len(line) + 1 for line in self._rows())
            lengths = {key: len(line) for key in kept if (line := self._large_line(key))}
            head = _line(b"", {"rows": size, "large": lengths})
            large = filter(None, map(self._large_line, lengths))
            return _replace(folder, NAME, _ended([HEADER[:-1], head], self._rows(), large))
        return False

    def _rows(self) -> Iterator[bytes]:
        """Yield all lines but the large ones, old and new, in the order of their keys.

        The old ones come from the file, each when its turn has come: there may be many.
        """
        news = iter(sorted(self._news.items()))
        key, line = next(news, _NO_NEWS)
        for old in self._opened.sound_lines():
            old_key = _key_of(old)
            while key is not None and key < old_key:
                if line is not None:
                    yield line
                key, line = next(news, _NO_NEWS)
            if key != old_key:
                yield old
        while key is not None:
            if line is not None:
                yield line
            key, line = next(news, _NO_NEWS)

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()

    def _large_line(self, key: str) -> bytes | None:
        if key in self._large_news:
            return self._large_news[key]
        return self._opened.large_line(key)

    @property
    def _opened(self) -> _File:
        if self._file is None:
            self._file = _File(os.path.join(self._root, FOLDER), is_trusted=self._is_trusted)
        return self._file


class _File:
    """An index file as it was when it was opened; one that cannot be used is empty."""

    def __init__(self, folder: str, *, is_trusted: bool) -> None:
        self.large: dict[str, tuple[int, int]] = {}  # where each large entry stands, and its length
        self._start = self._end = 0  # of the other entries
        # The lines that bisections came by: where each stands, where it ends, its key.
        self._met: dict[tuple[int, int], tuple[int, int, bytes]] = {}
        self._pages: dict[int, dict[bytes, bytes]] = {}  # by where they begin
        self._handle = -1
        try:
            if is_trusted and not os.path.islink(folder):
                self._handle = os.open(os.path.join(folder, NAME), _OLD)
        except OSError:
            return
        if self._handle >= 0 and stat.S_ISREG(os.fstat(self._handle).st_mode):
            self._read_table()

    def close(self) -> None:
        """Let go of the file."""
        if self._handle >= 0:
            os.close(self._handle)
        self._handle, self._start, self._end, self.large = -1, 0, 0, {}

    def __del__(self) -> None:
        self.close()  # not every run that looks something up has something to save

    @property
    def is_empty(self) -> bool:
        """Whether there are no lines but the large ones."""
        return self._start == self._end

    @cached_property
    def is_whole(self) -> bool:
        """Whether every line is sound, and stands where it belongs."""
        last = b""
        for line in self._lines():
            if not _is_row(line) or _key_of(line) <= last:
                return False
            last = _key_of(line)
        return True

    def sound_lines(self) -> Iterable[bytes]:
        """Return the lines that are not damaged, in the order of their keys."""
        if self.is_whole:
            return self._lines()
        sound = {_key_of(line): line for line in self._lines() if _is_row(line)}
        return [line for _, line in sorted(sound.items())]

    def _lines(self) -> Iterator[bytes]:
        """Yield all lines but the large ones."""
        place, rest = self._start, b""
        while place < self._end and (piece := self._read(place, min(_WORTH, self._end - place))):
            *lines, rest = (rest + piece).split(b"\n")
            yield from lines
            place += len(piece)
        if rest:
            yield rest  # which has no end, and so is not sound

    def large_line(self, key: str) -> bytes | None:
        """Return the line of a large entry."""
        start, length = self.large.get(key, (0, 0))
        line = self._read(start, length)
        return line if line.startswith(_large_key(key) + b"\t", _SUM) else None

    def find(self, key: bytes) -> bytes | None:
        """Find the line of a key by bisection, down to a page whose lines are all kept."""
        low, high = self._start, self._end
        while high - low > _PAGE:
            met = self._met.get((low, high))
            if met is None:
                met = self._met[low, high] = self._line_around((low + high) // 2, low)
            start, end, found = met
            if not found:
                return None
            if found == key:
                return self._read(start, end - start)
            if found < key:
                low = end + 1
            else:
                high = start
        return self._page(low, high).get(key)

    def _page(self, start: int, end: int) -> dict[bytes, bytes]:
        """Return the lines between two offsets: who asks for one mostly asks for those near it."""
        page = self._pages.get(start)
        if page is None:
            lines = self._read(start, end - start).split(b"\n")
            if len(self._pages) == _MOST_PAGES:
                self._pages.pop(next(iter(self._pages)))
            page = self._pages[start] = {_key_of(line): line for line in lines}
        return page

    def _read_table(self) -> None:
        head = self._read(0, _PIECE)
        end = head.find(b"\n", len(HEADER))
        if not head.startswith(HEADER) or end < 0:
            return
        rows, large = _table(head[len(HEADER) : end])
        size = end + 1 + rows + sum(large.values()) + len(large)
        if os.fstat(self._handle).st_size == size:  # else it has been cut, or is not ours
            self._start = end + 1
            self._end = place = self._start + rows
            for key, length in large.items():
                self.large[key] = (place, length)
                place += length + 1

    def _read(self, start: int, length: int) -> bytes:
        """Read so many bytes, or fewer at the end."""
        pieces = []
        try:
            os.lseek(self._handle, start, os.SEEK_SET)
            while length > 0 and (piece := os.read(self._handle, length)):
                pieces.append(piece)
                length -= len(piece)
        except OSError:
            return b""
        return b"".join(pieces)

    def _line_around(self, middle: int, low: int) -> tuple[int, int, bytes]:
        """Return where the line around an offset begins and ends, and its key; none if damaged."""
        reach = _PIECE
        while True:
            first = max(low, middle - reach)
            around = self._read(first, middle + reach - first)
            start = around.rfind(b"\n", 0, middle - first) + 1
            end = around.find(b"\n", middle - first)
            if end >= 0 and (start or first == low):
                line = around[start:end]
                return first + start, first + end, _key_of(line) if b"\t" in line else b""
            if end < 0 and len(around) < middle + reach - first:
                return low, low, b""  # the last line has no end: cut off
            reach *= 2


def _ended(*parts: Iterable[bytes]) -> Iterator[bytes]:
    for part in parts:
        for line in part:
            yield line
            yield b"\n"


def _key(key: str) -> bytes:
    return _ENCODER.encode(key).encode()


def _key_of(line: bytes) -> bytes:
    return line[_SUM : line.find(b"\t")]


def _large_key(key: str) -> bytes:
    return b"*" + _key(key)  # so that none is ever taken for one of the others


def _line(key: bytes, entry: Any) -> bytes:
    head, body = key + b"\t", _ENCODER.encode(entry).encode()
    return b"%08x %b%b" % (crc32(body, crc32(head)), head, body)


def _table(line: bytes) -> tuple[int, dict[str, int]]:
    """Read how many bytes the entries take, and each of the large ones; nothing if damaged."""
    match _content(line):
        case {"rows": int(rows), "large": dict(large)} if line[_SUM:].startswith(b"\t"):
            lengths = (rows, *large.values())
            if all(isinstance(each, int) and each >= 0 for each in lengths):
                return rows, large
    return 0, {}


def _is_row(line: bytes) -> bool:
    return line.startswith(b'"', _SUM) and _is_sound(line)


def _is_sound(line: bytes) -> bool:
    return b"%08x " % crc32(line[_SUM:]) == line[:_SUM]


def _content(line: bytes) -> Any:
    """Read the entry of a line; None when the line is damaged."""
    return _parsed(line[line.find(b"\t") + 1 :]) if _is_sound(line) else None


def _parsed(text: bytes) -> Any:
    """Read what was written as JSON; None for anything else."""
    try:
        written = text.decode()
        found, end = _DECODER.raw_decode(written)
    except (ValueError, RecursionError):
        return None
    return found if end == len(written) else None


def _replace(folder: str, name: str, pieces: Iterable[bytes]) -> bool:
    """Write a file so that others see all of it or none; tell whether that was possible."""
    clear_abandoned(folder)
    temporary = temporary_path(folder)
    try:
        with open(os.open(temporary, _NEW, 0o666), "wb") as file:
            file.writelines(pieces)
        os.replace(temporary, os.path.join(folder, name))
    except OSError:
        try:
            os.unlink(temporary)
        except OSError:
            pass  # it is somebody's directory, or was never made
        return False
    return True
