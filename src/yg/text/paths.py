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
    """Return the proper ancestors of `path`, the root first."""
    if path == ROOT:
        return ()
    found = [ROOT]
    at = path.find("/")
    while at != -1:
        found.append(path[:at])
        at = path.find("/", at + 1)
    return tuple(found)


def is_inside(path: str, directory: str) -> bool:
    """Return whether `path` is `directory` or lies below it."""
    return directory in (ROOT, path) or path.startswith(f"{directory}/")


def overlap(one: str, other: str) -> bool:
    """Return whether two paths are the same, or one lies below the other."""
    return is_inside(one, other) or is_inside(other, one)


def tree_order(path: str) -> str:
    """Sort key of paths: parents before children, siblings by name."""
    return "" if path == ROOT else path.replace("/", "\0")  # no name has the character 0


def normalise(path: str) -> str | None:
    """Normalise a relative path; return None if it leads outside the root."""
    if "/." not in path and "//" not in path and not path.startswith(("/", "./", "..")):
        return path.removesuffix("/") or ROOT  # the usual case
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
    """Return whether a path is normalised and no part of it starts with a dot."""
    return normalise(path) == path and not path.startswith(".") and "/." not in path


def is_utf8(name: str) -> bool:
    """Return whether a file name from the operating system is valid UTF-8."""
    # Python decodes other bytes as lone surrogates (PEP 383).
    return name.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in name)


def folded(path: str) -> str:
    """Return a path without differences in case and Unicode form, which some systems ignore."""
    if path.isascii():
        return path.casefold()
    from unicodedata import normalize

    return normalize("NFC", normalize("NFC", path).casefold())
