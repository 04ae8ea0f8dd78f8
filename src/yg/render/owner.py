"""Render the owners of files as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.render.shapes.issues import Skipped
    from yg.render.shapes.owner import OwnerDocument
    from yg.yggdrasil.mapping import Owner


class KnownFile(Struct, frozen=True, kw_only=True):
    """A file with its owner, if any."""

    file: str
    is_inside: bool = True
    exists: bool = True
    owner: Owner | None = None


def owners_text(files: Iterable[KnownFile]) -> str:
    """Write one line per file, and a second one if a directory is mapped, not the file itself."""
    return "".join(_lines(file) for file in files)


def _lines(known: KnownFile) -> str:
    file = visible(known.file)
    if not known.is_inside:
        return f"{file} -> outside the repository\n"
    missing = "" if known.exists else " (file not found)"
    owner = known.owner
    if owner is None:
        return f"{file} -> no graph coverage{missing}\n"
    line = f"{file} -> {visible(owner.node)}{missing}\n"
    if owner.mapping == known.file:
        return line
    source = f"the context comes from {visible(owner.mapping)}"
    use = f"Use: yg build-context --node {visible(owner.node)}"
    return f"{line}  No mapping of its own; {source}. {use}\n"


def owners_data(files: Iterable[KnownFile], skipped: list[Skipped]) -> OwnerDocument:
    """Return files and their owners as data."""
    from yg.render.shapes.owner import OwnedFile, OwnerDocument

    found = [
        OwnedFile(
            file=known.file,
            status=_status(known),
            exists=known.exists,
            node=known.owner.node if known.owner else None,
            mapping=known.owner.mapping if known.owner else None,
        )
        for known in files
    ]
    return OwnerDocument(files=found, skipped=skipped)


def _status(known: KnownFile) -> Literal["owned", "uncovered", "outside"]:
    if not known.is_inside:
        return "outside"
    return "owned" if known.owner else "uncovered"
