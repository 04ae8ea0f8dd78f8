"""Render the owners of files as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from yg.kernel.escapes import shell_quoted
from yg.render.plain import visible
from yg.yggdrasil.parts import PartKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.kernel.sources import Owner
    from yg.render.shapes.issues import Skipped
    from yg.render.shapes.owner import OwnerDocument
    from yg.yggdrasil.parts import GraphPart


class KnownFile(Struct, frozen=True, kw_only=True):
    """A file with its owner, if any."""

    file: str
    is_inside: bool = True
    exists: bool = True
    owner: Owner | None = None
    is_ignored: bool = False  # by version control, so drift does not track it
    is_graph: bool = False  # it is a file of the graph
    part: GraphPart | None = None  # what it describes; None for the configuration, for example

    @property
    def node(self) -> str | None:
        """The node that the file belongs to."""
        if self.part is not None:
            return self.part.id if self.part.kind is PartKind.NODE else None
        return self.owner.node if self.owner else None

    @property
    def is_expected(self) -> bool:
        """Whether the file is mapped but not written yet."""
        is_mapped = self.owner is not None and self.owner.mapping == self.file
        return is_mapped and not self.exists


def owners_text(files: Iterable[KnownFile]) -> str:
    """Write one line per file, and a second one if a directory is mapped, not the file itself."""
    return "".join(_lines(file) for file in files)


def _lines(known: KnownFile) -> str:
    file = visible(known.file)
    if not known.is_inside:
        return f"{file} -> outside the repository\n"
    owner, part = known.owner, known.part
    if known.is_graph and part is None:
        return f"{file} -> no node (file of the graph){_state(known)}\n"
    if part is not None:
        what = "" if part.kind is PartKind.NODE else f"{part.kind} "
        return f"{file} -> {what}{visible(part.id)} (file of the graph){_state(known)}\n"
    if owner is None:
        return f"{file} -> no graph coverage{_state(known)}\n"
    line = f"{file} -> {visible(owner.node)}{_state(known)}\n"
    if owner.mapping == known.file:
        return line
    source = f"the context comes from {visible(owner.mapping)}"
    use = f"Use: yg build-context --node {visible(shell_quoted(owner.node))}"
    return f"{line}  No mapping of its own; {source}. {use}\n"


def _state(known: KnownFile) -> str:
    if known.is_expected:
        return " (not written yet)"
    if not known.exists:
        return " (file not found)"
    return " (ignored by git)" if known.is_ignored else ""


def owners_data(files: Iterable[KnownFile], skipped: list[Skipped]) -> OwnerDocument:
    """Return files and their owners as data."""
    from yg.render.shapes.owner import OwnedFile, OwnerDocument

    found = [
        OwnedFile(
            file=known.file,
            status=_status(known),
            exists=known.exists,
            ignored=known.is_ignored,
            node=known.node,
            mapping=known.owner.mapping if known.owner and not known.part else None,
            aspect=_part_id(known, PartKind.ASPECT),
            flow=_part_id(known, PartKind.FLOW),
        )
        for known in files
    ]
    return OwnerDocument(files=found, skipped=skipped)


def _part_id(known: KnownFile, kind: PartKind) -> str | None:
    return known.part.id if known.part and known.part.kind is kind else None


def _status(known: KnownFile) -> Literal["owned", "uncovered", "graph", "outside"]:
    if not known.is_inside:
        return "outside"
    if known.is_graph:
        return "graph"
    return "owned" if known.owner else "uncovered"
