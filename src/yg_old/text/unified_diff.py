"""Patches: unified diffs as `git diff` and `diff -u` write them, parsed into values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterator

LINK, SUBMODULE = b"120000", b"160000"  # modes
_HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_PREFIX = re.compile(rb"[abciow]/")  # as git writes it: a/ and b/, or what it compares
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_LETTERS = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13}
_NOWHERE = b"/dev/null"
_HEADER = (
    *(b"old mode ", b"new mode ", b"deleted file mode ", b"new file mode "),
    *(b"rename from ", b"rename to ", b"copy from ", b"copy to "),
    *(b"index ", b"similarity index ", b"dissimilarity index "),
)
_COMBINED = (b"diff --cc ", b"diff --combined ")


class PatchFault(Exception):  # noqa: N818  # not raised to users: the reason why a patch is invalid
    """A line of a patch that cannot be used, and why."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


class Hunk(Struct, frozen=True):
    """A change of some lines. Each line has its line break, unless the file ends without one."""

    line: int  # of the patch
    start: int  # of the old lines in the file; 0 if there are none
    old: tuple[bytes, ...]
    new: tuple[bytes, ...]
    ends_changed: bool  # there are no unchanged lines after the change


class FilePatch(Struct, frozen=True):
    """The change of one file."""

    line: int  # of the patch, where the change of this file begins
    old: str = ""  # its path; empty: the file is new
    new: str = ""  # its path; empty: the file is deleted
    hunks: tuple[Hunk, ...] = ()
    is_copy: bool = False
    is_binary: bool = False
    is_regular: bool = True  # neither a link nor a submodule

    @property
    def path(self) -> str:
        """The path of the file after the change, or of the deleted file."""
        return self.new or self.old


def parse(data: bytes) -> Iterator[FilePatch]:
    """Yield the changes of a patch; text around them is skipped. Raises PatchFault."""
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith(_COMBINED):
            raise PatchFault(at + 1, "a combined diff of a merge cannot be applied")
        if line.startswith(b"diff --git ") or _is_plain(lines, at):
            found, at = _file(lines, at)
            yield found
        else:
            at += 1


def _is_plain(lines: list[bytes], at: int) -> bool:
    """Tell whether the change of a file without a header of git begins at a line."""
    is_pair = lines[at].startswith(b"--- ") and at + 2 < len(lines)
    return is_pair and lines[at + 1].startswith(b"+++ ") and lines[at + 2].startswith(b"@@ ")


def _file(lines: list[bytes], at: int) -> tuple[FilePatch, int]:
    """Read the change of one file; return also the number of the line after it."""
    first = at
    is_crlf = lines[at].endswith(b"\r")  # a mail or an editor has changed the line breaks
    found = FilePatch(first + 1)
    if lines[at].startswith(b"diff --git "):
        found, at = _header(lines, at)
    if at < len(lines) and lines[at].startswith(b"--- "):
        if at + 1 == len(lines) or not lines[at + 1].startswith(b"+++ "):
            raise PatchFault(at + 2, "expected a line that starts with '+++ '")
        old, new = (_name(lines[number], number) for number in (at, at + 1))
        found = replace(found, old=old, new=new)
        at += 2
    hunks = []
    while at < len(lines) and lines[at].startswith(b"@@"):
        hunk, at = _hunk(lines, at, is_crlf=is_crlf)
        hunks.append(hunk)
    if not found.path:
        raise PatchFault(first + 1, "it does not say which file it changes")
    for path in (found.old, found.new):
        if path and (path == paths.ROOT or paths.normalise(path) != path or "\0" in path):
            raise PatchFault(first + 1, f"'{path}' is outside the repository")
    return replace(found, hunks=tuple(hunks)), at


def _header(lines: list[bytes], at: int) -> tuple[FilePatch, int]:
    """Read what git writes above the names: new, deleted and renamed files, and their modes."""
    name = _same_name(lines[at].rstrip(b"\r")[len("diff --git ") :], at)
    found = FilePatch(at + 1, old=name, new=name)
    for number in range(at + 1, len(lines)):
        line = lines[number].rstrip(b"\r")
        if line.startswith((b"GIT binary patch", b"Binary files ")):
            return replace(found, is_binary=True), number + 1
        if not line.startswith(_HEADER):
            return found, number
        found = _with_fact(found, line, number)
    return found, len(lines)


def _with_fact(found: FilePatch, line: bytes, at: int) -> FilePatch:
    """Add what one line of a header says about a file."""
    what, side, value = (*line.split(b" ", 2), b"")[:3]
    if what in (b"rename", b"copy"):
        name, is_copy = _plain(value, at), what == b"copy"
        return replace(found, **{"old" if side == b"from" else "new": name}, is_copy=is_copy)
    if line.endswith((LINK, SUBMODULE)):
        found = replace(found, is_regular=False)
    if line.startswith(b"new file"):
        return replace(found, old="")
    return replace(found, new="") if line.startswith(b"deleted file") else found


def _same_name(names: bytes, at: int) -> str:
    """Return the name in a line with two equal names; empty if they differ, as in a rename."""
    quoted = _QUOTED.match(names)
    if quoted:
        return _without_prefix(_unquoted(quoted[1]), at)
    half = len(names) // 2
    old, new = _PREFIX.sub(b"", names[:half], 1), _PREFIX.sub(b"", names[half + 1 :], 1)
    return _decoded(old) if old == new and names[half : half + 1] == b" " else ""


def _name(line: bytes, at: int) -> str:
    """Return the name in a line that starts with `--- ` or `+++ `; empty for no file."""
    name = line[4:].rstrip(b"\r")
    quoted = _QUOTED.match(name)
    if quoted:
        return _without_prefix(_unquoted(quoted[1]), at)
    name = name.partition(b"\t")[0]  # a time may follow
    return "" if name == _NOWHERE else _without_prefix(name, at)


def _plain(name: bytes, at: int) -> str:
    quoted = _QUOTED.match(name)
    found = _unquoted(quoted[1]) if quoted else name
    if not found:
        raise PatchFault(at + 1, "expected the name of a file")
    return _decoded(found)


def _without_prefix(name: bytes, at: int) -> str:
    return _plain(_PREFIX.sub(b"", name, 1) if _PREFIX.match(name) else name, at)


def _unquoted(name: bytes) -> bytes:
    def byte(found: re.Match[bytes]) -> bytes:
        code = found[1]
        if len(code) > 1:
            return bytes((int(code, 8) & 255,))
        return bytes((_LETTERS[code],)) if code in _LETTERS else code

    return _ESCAPE.sub(byte, name)


def _decoded(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def _hunk(lines: list[bytes], at: int, *, is_crlf: bool) -> tuple[Hunk, int]:
    """Read one hunk; return also the number of the line after it."""
    head = _HUNK.match(lines[at])
    if head is None:
        raise PatchFault(at + 1, "this is not the first line of a hunk, such as '@@ -1,2 +1,3 @@'")
    left = [int(head[number] or b"1") for number in (2, 3)]
    sides: tuple[list[bytes], list[bytes]] = ([], [])
    first, at = at, at + 1
    while any(left):
        if at == len(lines):
            raise PatchFault(at, "the patch ends in the middle of a hunk")
        at = _hunk_line(lines, at, left, sides, is_crlf=is_crlf)
    old, new = map(tuple, sides)
    ends_changed = lines[at - 1].startswith((b"-", b"+", b"\\", b"@"))
    return Hunk(first + 1, int(head[1]), old, new, ends_changed), at


def _hunk_line(
    lines: list[bytes],
    at: int,
    left: list[int],
    sides: tuple[list[bytes], list[bytes]],
    *,
    is_crlf: bool,
) -> int:
    """Read one line of a hunk, and the note that the file ends there without a line break."""
    line = lines[at].removesuffix(b"\r") if is_crlf else lines[at]
    mark, body = line[:1] or b" ", line[1:]  # some mailers remove the blank of an empty line
    touched = {b" ": (0, 1), b"\r": (0, 1), b"-": (0,), b"+": (1,)}.get(mark)
    if touched is None or not all(left[side] for side in touched):
        raise PatchFault(at + 1, "this line does not belong to the hunk above it")
    at += 1
    is_last = at < len(lines) and lines[at].startswith(b"\\")
    body = (mark if mark == b"\r" else b"") + body + (b"" if is_last else b"\n")
    for side in touched:
        left[side] -= 1
        sides[side].append(body)
    return at + is_last
