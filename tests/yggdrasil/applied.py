"""Edits applied to a repository that is a dict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from yg.kernel.edit import Delete, Edit, Rename, Write
from yg.text.paths import is_inside

Files = dict[str, str | bytes]


def applied(files: Mapping[str, str | bytes], edits: Iterable[Edit]) -> Files:
    """Return the files after some edits; a write or rename over something else fails."""
    found: Files = {path: _bytes(content) for path, content in files.items()}
    for edit in edits:
        match edit:
            case Write(path, content):
                found[path] = content
            case Delete(path):
                del found[path]
            case Rename(path, to):
                moved = [file for file in found if is_inside(file, path)]
                assert moved, path
                assert not any(is_inside(file, to) for file in found), to
                for file in moved:
                    found[f"{to}{file[len(path) :]}"] = found.pop(file)
            case _:
                raise AssertionError(edit)
    return found


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content
