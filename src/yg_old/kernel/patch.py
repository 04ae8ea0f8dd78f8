"""Apply a patch to a Snapshot: the contents that its files would have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.errors import YgError
from yg_old.kernel.overlay import can_be_file
from yg_old.kernel.snapshot import Kind
from yg_old.text import paths
from yg_old.text.plural import counted
from yg_old.text.unified_diff import PatchFault, parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.kernel.snapshot import Snapshot
    from yg_old.text.unified_diff import FilePatch, Hunk

FARTHEST = 300  # lines between the place that a hunk names and the lines that it fits
LONGEST_SHOWN = 60  # characters of a line in a message


class PatchError(YgError):
    """A patch cannot be read, or does not apply."""

    code = "patch"


class Patched(Struct, frozen=True):
    """The contents of changed files by path, None for deleted ones; and a note, if there is one."""

    files: dict[str, bytes | None]
    note: str = ""


def apply_patch(
    data: bytes, base: Snapshot, folder: str, place: Callable[[str], str | None]
) -> Patched:
    """Apply the part of a patch that is about a folder; raise PatchError if that is impossible.

    `place` turns a path of the patch into one of the snapshot; None if it is not part of it.
    """
    target = _Target(base)
    left_out = 0
    try:
        for change in parse(data):
            old, new = (place(path) if path else "" for path in (change.old, change.new))
            if any(path and paths.is_inside(path, folder) for path in (old, new)):
                target.change(change, old or "", new or "")
            else:
                left_out += 1
    except PatchFault as fault:
        hint = "Give a unified diff, as 'git diff' writes it."
        raise PatchError(f"line {fault.line} of the patch: {fault.reason}", hint=hint) from fault
    files = {path: text for path, text in target.files.items() if paths.is_inside(path, folder)}
    if not files and not left_out and data.strip():
        raise PatchError(
            "line 1 of the patch: there is no change of a file in it",
            hint="Give a unified diff, as 'git diff' writes it.",
        )
    return Patched(files, _note(folder, left_out, has_files=bool(files)))


def _note(folder: str, left_out: int, *, has_files: bool) -> str:
    if not has_files:
        return f"the patch changes no file in {folder}/, so nothing differs"
    if not left_out:
        return ""
    return f"the patch changes {counted(left_out, 'file')} outside {folder}/, left out here"


class _Target:
    """The files of a snapshot with the changes made so far."""

    def __init__(self, base: Snapshot) -> None:
        self._base = base
        self.files: dict[str, bytes | None] = {}

    def change(self, change: FilePatch, old: str, new: str) -> None:
        """Make the change of one file."""
        where = f"line {change.line} of the patch"
        if change.is_binary:
            raise PatchError(
                f"{where}: '{change.path}' is binary, and only texts can be patched",
                hint="Leave it out: git diff -- . ':!FILE'",
            )
        if not change.is_regular:
            reason = "is a link or a submodule, which yg does not follow"
            raise PatchError(f"{where}: '{change.path}' {reason}", hint="Leave it out.")
        content = self._content(old, where) if old else b""
        result = patched_text(content, change.hunks, old or new)
        if old and not (change.is_copy or old == new):
            self.files[old] = None
        if new:
            if new != old and (self._kind(new) is not None or not can_be_file(self._base, new)):
                raise PatchError(
                    f"{where}: it creates '{new}', which exists or cannot be a file",
                    hint="The patch may be part of the work tree already.",
                )
            self.files[new] = result
        elif result and not change.new:
            raise _misfit(old, change.hunks[-1] if change.hunks else None, 1, "it has more lines")

    def _kind(self, path: str) -> Kind | None:
        if path in self.files:
            return None if self.files[path] is None else Kind.FILE
        return self._base.kind(path)

    def _content(self, path: str, where: str) -> bytes:
        if self._kind(path) is not Kind.FILE:
            raise PatchError(
                f"{where}: it changes '{path}', which is not a file here",
                hint="Make the patch from the commit that the work tree is at.",
            )
        content = self.files.get(path)
        return self._base.read(path) if content is None else content


def patched_text(content: bytes, hunks: tuple[Hunk, ...], path: str) -> bytes:
    """Apply the hunks of a file in order; raise PatchError with the line that does not fit.

    Line breaks do not have to match; added lines get those of the file.
    """
    if not hunks:
        return content
    lines = content.split(b"\n")
    lines = [*(line + b"\n" for line in lines[:-1]), *filter(None, lines[-1:])]
    plain = [_lf(line) for line in lines]
    is_crlf = bool(lines) and lines[0].endswith(b"\r\n")
    result: list[bytes] = []
    done = shift = 0
    for hunk in hunks:
        old = [_lf(line) for line in hunk.old]
        expected = (hunk.start - 1 if hunk.old else hunk.start) + shift
        at = _found(plain, old, expected, _places(hunk, len(plain), done))
        if at is None:
            number, reason = _difference(plain, old, max(expected, done))
            raise _misfit(path, hunk, number, reason)
        shift += at - expected
        result += lines[done:at]
        result += _merged(hunk, lines[at : at + len(old)], is_crlf=is_crlf)
        done = at + len(old)
    return b"".join((*result, *lines[done:]))


def _merged(hunk: Hunk, present: list[bytes], *, is_crlf: bool) -> list[bytes]:
    """Return the new lines of a hunk; those that stay are the lines of the file."""
    kept: dict[bytes, list[bytes]] = {}
    for line in reversed(present):
        kept.setdefault(_lf(line), []).append(line)
    merged = []
    for line in hunk.new:
        same = kept.get(_lf(line))
        if same:
            merged.append(same.pop())
        elif is_crlf:
            merged.append(_lf(line).replace(b"\n", b"\r\n"))
        else:
            merged.append(line)
    return merged


def _places(hunk: Hunk, count: int, done: int) -> range:
    """Return the lines where a hunk may begin, in the rest of a file of so many lines.

    As with `git apply`, a hunk of the first line fits only at the start of the file, and one
    without unchanged lines after the change only at the end.
    """
    last = count - len(hunk.old)
    return range(
        max(done, last) if hunk.ends_changed else done,
        (min(0, last) if hunk.start <= 1 else last) + 1,
    )


def _found(lines: list[bytes], old: list[bytes], expected: int, places: range) -> int | None:
    """Return where lines are, nearest to the expected place; None if they are not near it."""
    for distance in range(FARTHEST + 1):
        for at in dict.fromkeys((expected + distance, expected - distance)):
            if at in places and lines[at : at + len(old)] == old:
                return at
    return None


def _difference(lines: list[bytes], old: list[bytes], at: int) -> tuple[int, str]:
    """Return the number of the first line that differs from a hunk, and how."""
    for number, line in enumerate(old, at):
        if number >= len(lines):
            return number + 1, f"the patch expects '{_shown(line)}', and the file ends before"
        if lines[number] != line:
            found = f"the patch expects '{_shown(line)}', the file has '{_shown(lines[number])}'"
            if _shown(line) == _shown(lines[number]):
                found = "only one of the two has a line break at its end"
            return number + 1, found
    return at + len(old), "the patch expects the start or the end of the file there"


def _misfit(path: str, hunk: Hunk | None, number: int, reason: str) -> PatchError:
    where = f"line {hunk.line} of the patch" if hunk else "the patch"
    return PatchError(
        f"{where} does not apply to '{path}' at line {number}: {reason}",
        hint="Make the patch from the commit that the work tree is at.",
    )


def _shown(line: bytes) -> str:
    text = line.rstrip(b"\n").decode("utf-8", "backslashreplace")
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}.."


def _lf(line: bytes) -> bytes:
    return line[:-2] + b"\n" if line.endswith(b"\r\n") else line
