"""The last commit with a graph that can be read, for one whose format has another model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.disk.git.commits import Objects
from yg_old.disk.git.process import GitError, ask
from yg_old.disk.git.repository import prefix_of
from yg_old.kernel.errors import AnotherModelError, UnreadableError
from yg_old.kernel.snapshot import MAX_TEXT, PIECE, DictSnapshot
from yg_old.text import paths
from yg_old.yggdrasil.model import ARCHITECTURE_FILE, CONFIG_FILE
from yg_old.yggdrasil.places import FOLDER
from yg_old.yggdrasil.read.config import read_config

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_COMMITS = 500  # that changed one of the two files, the newest ones
_CONFIG = f"{FOLDER}/{CONFIG_FILE}"
_FILES = (_CONFIG, f"{FOLDER}/{ARCHITECTURE_FILE}")
_SHORT = 12


def with_older_commit(error: AnotherModelError, root: str, commit: str) -> AnotherModelError:
    """Return the error with the last commit that has an older graph, if git knows one."""
    try:
        found = _older_commit(root, commit or "HEAD")
    except GitError:
        found = ""
    if not found:
        return error
    short = found[:_SHORT]
    hint = f"The last commit with an older graph is {short}; to read it: --at {short}"
    return AnotherModelError(error.message, hint=hint)


def _older_commit(root: str, start: str) -> str:
    """Return the last commit up to a revision whose graph can be read; empty if there is none.

    It is the revision itself, or comes before one that changed a file which tells the format.
    """
    prefix = prefix_of(root)
    files = [paths.join(prefix, file) for file in _FILES]
    if any("\n" in file for file in files):
        return ""  # git takes one name per line
    most = f"--max-count={MOST_COMMITS}"
    changed = ask(root, "rev-list", most, start, "--", *files)
    if changed is None or changed.code != 0:
        return ""
    revisions = [start, *(f"{commit}^" for commit in changed.out.decode("ascii").split())]
    names = [f"{revision}:{file}\n" for revision in revisions for file in files]
    reply = ask(root, "cat-file", "--batch-check", given="".join(names).encode())
    if reply is None or reply.code != 0:
        return ""
    rows = reply.out.split(b"\n")
    objects = Objects(root)
    for revision, config, architecture in zip(revisions, rows[::2], rows[1::2], strict=False):
        if _is_blob(config) and not _is_blob(architecture) and _is_older(objects, config):
            return next(_resolved(root, revision), "")
    return ""


def _is_blob(row: bytes) -> bool:
    """Tell whether a row describes a file: its id, its type and its size."""
    return row.split(b" ")[1:2] == [b"blob"]


def _is_older(objects: Objects, row: bytes) -> bool:
    """Tell whether a configuration is one that can be read."""
    try:
        content = b"".join(objects.pieces(_CONFIG, row.split(b" ")[0], PIECE, MAX_TEXT))
    except UnreadableError:
        return False
    config, _ = read_config(DictSnapshot({_CONFIG: content}), _CONFIG)
    return not config.has_another_model


def _resolved(root: str, revision: str) -> Iterator[str]:
    reply = ask(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if reply is not None and reply.code == 0:
        yield reply.text
