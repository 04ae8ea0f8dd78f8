"""Ids of 2.x aspects for the tags of a 0.x graph."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg_old.yggdrasil.model import Aspect

LONGEST = 200  # bytes of a directory name, which every file system can hold


def aspect_ids(aspects: Iterable[Aspect]) -> dict[str, str]:
    """Return an id for each tag: the tag itself or, if that cannot be, the name of the file.

    Ids that some file systems do not tell apart get a number.
    """
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for aspect in aspects:
        if aspect.tag in ids:
            continue
        wanted = aspect.tag if _is_id(aspect.tag) else aspect.id.rpartition(".")[0]
        names = (wanted if number == 1 else f"{wanted}-{number}" for number in count(1))
        ids[aspect.tag] = next(name for name in names if paths.folded(name) not in taken)
        taken.add(paths.folded(ids[aspect.tag]))
    return ids


def _is_id(tag: str) -> bool:
    """Tell whether a tag can be the path of a directory."""
    is_path = paths.is_plain(tag) and "\\" not in tag and tag.isprintable() and paths.is_utf8(tag)
    return is_path and all(len(part.encode()) <= LONGEST for part in tag.split("/"))
