"""The program that wrote an index: another one may compute other results from the same files."""

from __future__ import annotations

import os
import sys
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from yg_old.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
BUILD = "build.txt"  # in a wheel: the digest of the code
LONGEST = 100  # characters of it


@cache
def program() -> str:
    """Return the version of the program, of its code and of Python."""
    return f"{__version__} {code_of(PACKAGE)} {sys.implementation.cache_tag}"


def code_of(package: str) -> str:
    """Return a digest that differs if the code of a package does.

    A version may be installed from many commits. A wheel has the digest of its code; in an editable
    installation, the stamps of the files stand for it.
    """
    try:
        with open(os.path.join(package, BUILD), encoding="ascii") as file:
            return file.read(LONGEST).strip()
    except FileNotFoundError:
        stamps = repr(sorted(_stamps(package)))
    return sha256(stamps.encode("utf-8", "surrogatepass")).hexdigest()


def _stamps(package: str) -> Iterator[tuple[str, int, int]]:
    waiting = [package]
    while waiting:
        with os.scandir(waiting.pop()) as found:
            for entry in found:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif entry.name.endswith(".py"):
                    status = entry.stat()
                    yield entry.path, status.st_mtime_ns, status.st_size


def digest_of_code(package: str) -> str:
    """Return the digest of the code of a package, whatever its files are stamped with."""
    digest = sha256()
    for path, *_ in sorted(_stamps(package)):
        with open(path, "rb") as file:
            content = file.read()
        name = os.path.relpath(path, package).replace(os.sep, "/")
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()
