"""Read the configuration files of a repository as bytes, to see what they may contain."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.disk.git.repository import Repository

LARGEST = 1_000_000  # bytes of a file that is read
_FLAGS = os.O_RDONLY | os.O_NONBLOCK
# A key is written in one piece, in any case, in the file itself or in one that it includes.
_KEYS = (b"attributesfile", b"excludesfile", b"include")


def may_name_files(repository: Repository) -> bool:
    """Return whether a repository may configure a file of attributes or of patterns to ignore.

    True also if its configuration includes other files or cannot be read.
    """
    for file in _files(repository):
        content = _content(file)
        if content is None or any(key in content.lower() for key in _KEYS):
            return True
    return False


def _files(repository: Repository) -> Iterator[str]:
    """Yield the configuration files; a linked work tree uses those of the main one, too."""
    directory = repository.git_directory
    named = os.fsdecode((_content(os.path.join(directory, "commondir")) or b"").rstrip(b"\r\n"))
    yield os.path.join(directory, named, "config")
    yield os.path.join(directory, "config.worktree")


def _content(file: str) -> bytes | None:
    """Return the content of a file; empty if it is missing, None if it cannot be read."""
    try:
        handle = os.open(file, _FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        return b""
    except (OSError, ValueError):
        return None
    with open(handle, "rb") as opened:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        content = opened.read(LARGEST + 1)
    return content if len(content) <= LARGEST else None
