"""Paths inside a repository: text with forward slashes, relative to its root, `.` for the root."""

from __future__ import annotations

ROOT = "."
LONGEST = 4_096  # characters; no file system in use has longer paths


def join(directory: str, name: str) -> str:
    """Return the path of `name` inside `directory`."""
    return name if directory in ("", ROOT) else f"{directory}/{name}"


def parent(path: str) -> str:
    """Return the directory that holds `path`; the parent of a top-level name is the root."""
    return path.rpartition("/")[0] or ROOT


def name_of(path: str) -> str:
    """Return the last part of `path`."""
    return path.rpartition("/")[2]


def lineage(path: str) -> tuple[str, ...]:
    """Return every proper ancestor of `path`, the root first."""
    if path == ROOT:
        return ()
    found = [ROOT]
    at = path.find("/")
    while at != -1:
        found.append(path[:at])
        at = path.find("/", at + 1)
    return tuple(found)


def is_inside(path: str, directory: str) -> bool:
    """Tell whether `path` is `directory` or lies below it."""
    return directory in (ROOT, path) or path.startswith(f"{directory}/")


def normalise(path: str) -> str | None:
    """Return the shortest spelling of a relative path, or None when it leaves the root."""
    if "/." not in path and "//" not in path and not path.startswith(("/", ".")):
        return path.removesuffix("/") or ROOT  # nearly all that anybody writes
    return _shortened(path)


def _shortened(path: str) -> str | None:
    if path.startswith("/"):
        return None
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts) or ROOT


def is_plain(path: str) -> bool:
    """Tell whether a path is in its shortest spelling and no part of it begins with a dot."""
    return normalise(path) == path and not path.startswith(".") and "/." not in path


def is_utf8(name: str) -> bool:
    """Tell whether a file name read from the machine can be written as UTF-8."""
    # The machine hands bytes that are no UTF-8 over as lone surrogates (PEP 383).
    return name.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in name)
