"""What HEAD names, as the files of git say it: equal values mean the same commit."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING

from yg_old.disk.files.stamps import is_settled, look

if TYPE_CHECKING:
    from yg_old.disk.git.repository import Repository

_LONGEST = 4096  # bytes of a file that names a commit or a branch
_BRANCH = re.compile(rb"ref: (refs/heads/[^\0\n]+)\n")
_COMMIT = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?\n")

HeadValue = tuple[bytes, bytes, bytes]  # contents of HEAD and of the branch, stamp of packed-refs


def head_value(repository: Repository) -> HeadValue | None:
    """Return a value that changes with the current commit; None if only git can tell.

    Other files may hold the branches (`git config extensions.refStorage`), and a branch may name
    another one: these are left to git.
    """
    head = _content(os.path.join(repository.git_directory, "HEAD"))
    if head is None or _COMMIT.fullmatch(head):
        return None if head is None else (head, b"", b"")
    branch = _BRANCH.fullmatch(head)
    if branch is None or b".." in branch[1]:
        return None
    common = _common_directory(repository)
    content = _content(os.path.join(common, os.fsdecode(branch[1])))
    if content is not None:
        return (head, content, b"") if _COMMIT.fullmatch(content) else None
    packed = look(os.path.join(common, "packed-refs"))
    if packed is None or not is_settled(packed, time.time_ns()):
        return None
    return head, b"", packed


def _common_directory(repository: Repository) -> str:
    """Return the directory with the branches, which linked work trees share."""
    named = _content(os.path.join(repository.git_directory, "commondir"))
    link = os.fsdecode(named).rstrip("\n") if named and b"\0" not in named else ""
    return os.path.join(repository.git_directory, link)


def _content(place: str) -> bytes | None:
    """Return the content of a small regular file; None for anything else."""
    if look(place) is None:  # not there, a link, or a FIFO that would never answer
        return None
    try:
        with open(place, "rb") as file:
            return file.read(_LONGEST)
    except OSError:
        return None
