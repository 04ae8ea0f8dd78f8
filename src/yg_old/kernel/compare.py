"""Two states of a graph: the packages that differ, and the nodes that changes affect."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Protocol

from msgspec import UNSET, Struct, UnsetType, field

from yg_old.kernel.document import File, Record, Text, about, one_of
from yg_old.kernel.package import Measured

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.kernel.impact import Reached


class Comparable(Measured, Protocol):
    """A package that can be compared with an earlier one."""

    @property
    def contents(self) -> object:
        """The content; its line endings are normalised."""

    def quoted(self, node: str, /) -> Sequence[str]:
        """Return what it includes from another node."""


class Shift(Struct, frozen=True):
    """The package of a node before and after; None if the node is missing or invalid."""

    node: str
    then: Comparable | None
    now: Comparable | None
    was: str = ""  # its path before, if it was moved

    @property
    def is_changed(self) -> bool:
        """Whether the content of the package differs."""
        return self.then is not self.now and _contents(self.then) != _contents(self.now)

    def sees_change_of(self, target: str) -> bool:
        """Tell whether the content that the package includes from another node differs."""
        return self.then is not self.now and _quoted(self.then, target) != _quoted(self.now, target)


def _contents(package: Comparable | None) -> object:
    return package.contents if package else None


def _quoted(package: Comparable | None, target: str) -> Sequence[str]:
    return package.quoted(target) if package else []


class Renamed(Record, frozen=True):
    """A node, an aspect or a flow that has another name now."""

    kind: Annotated[str, one_of("node", "aspect", "flow"), about("What it is.")]
    old: Annotated[Text, about("Its old path or id.")]
    new: Annotated[Text, about("Its new path or id.")]


class ChangedSource(Record, frozen=True):
    """A source file that differs."""

    path: File
    node: Annotated[Text | None, about("The path of the node that owns it; null when none does.")]
    to: Annotated[Text | UnsetType, about("Its new path if it moved; left out otherwise.")] = UNSET
    new_node: Annotated[
        Text | UnsetType, about("The node that owns it there; left out if it is the same, or none.")
    ] = UNSET

    @property
    def owners(self) -> tuple[str, ...]:
        """The nodes that own it, before and after a move."""
        return tuple(node for node in (self.node, self.new_node or None) if node)


class Alteration(StrEnum):
    """What happened to a part of the graph."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class ChangedNode(Record, frozen=True):
    """A node of a Spec Graph whose file or entry in graph.json has changed."""

    node: Annotated[Text, about("The id of the node.")]
    how: Annotated[Alteration, about("What happened to it.")] = field(name="change")


class DiffImpact(Struct, frozen=True, kw_only=True):
    """The nodes affected by the changes since a commit."""

    since: str
    sources: tuple[ChangedSource, ...] = ()
    graph_files: tuple[str, ...]
    nodes: tuple[ChangedNode, ...] | None = None  # None: those whose packages differ
    moved: tuple[Renamed, ...] = ()
    shifts: tuple[Shift, ...]
    reached: tuple[Reached, ...]

    @property
    def changed(self) -> tuple[str, ...]:
        """The nodes that changed: their declarations or, without these, sources and packages."""
        if self.nodes is not None:
            return tuple(node.node for node in self.nodes)
        owners = {node for file in self.sources for node in file.owners}
        return tuple(sorted({*owners, *(shift.node for shift in self.shifts)}))

    @property
    def affected(self) -> tuple[str, ...]:
        """Every node that changed or depends on a changed one."""
        return tuple(sorted({*self.changed, *(reached.node for reached in self.reached)}))
