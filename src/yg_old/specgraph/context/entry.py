"""Entries of a context: the nodes that it includes or affects, and the reasons, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.specgraph.context.document import bullet, collapsed, listed
from yg_old.specgraph.model import POLICY, Section, Strictness
from yg_old.text.suggest import listing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.specgraph.context.layers import LayerPath
    from yg_old.specgraph.model import LinkKind, SpecNode

ARROW = " -> "  # between the ids of a path

# The reasons that are not the names of upstream links.
CONSTRAINS, INHERITED, LAYER_GUIDANCE = "constrains", "inherited", "layer"
CONTAINS, LAYER_DEPENDENCY = "contains", "layer_dependency"
PREREQUISITE, REQUIRED = "prerequisite", "required"


class IncludedNode(Struct, frozen=True, kw_only=True):
    """A node in a context, and all reasons for it."""

    node: SpecNode
    section: Section  # that lists it
    level: int
    is_direct: bool = False  # whether it constrains the target itself
    is_walk_target: bool = False  # whether an upstream link of the target names it
    precedence: int = 0  # of guidance that only layers hand on, how far the nearest one is
    via_targets: tuple[str, ...] = ()  # the target's ancestors that it constrains
    via_layers: tuple[str, ...] = ()  # the layers that hand it on, the nearest first
    foundation_of: tuple[str, ...] = ()  # the groups of the namespace that it is a foundation of
    needed_by: tuple[str, ...] = ()  # the groups around the target that need it
    superseded_by: tuple[str, ...] = ()
    superseding: tuple[SpecNode, ...] = ()  # those of them that are not in the document
    arrivals: tuple[tuple[str, LinkKind], ...] = ()  # the links that lead to it
    hops: int = 0  # of an ancestor, how far up it is
    layer: LayerPath | None = None  # of an effective layer, the path from the target to it

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons for it, sorted."""
        others = (
            (CONSTRAINS, self.is_direct),
            (INHERITED, self.via_targets),
            (LAYER_GUIDANCE, self.via_layers),
            (CONTAINS, self.hops),
            (LAYER_DEPENDENCY, self.layer),
            (PREREQUISITE, self.foundation_of),
            (REQUIRED, self.needed_by),
        )
        links = {kind.value for _, kind in self.arrivals}
        return tuple(sorted(links.union(reason for reason, holds in others if holds)))

    @property
    def required_by(self) -> tuple[str, ...]:
        """The groups that need it, sorted."""
        return tuple(sorted({*self.foundation_of, *self.needed_by}))

    @property
    def is_namespace(self) -> bool:
        """Whether it contains the target, or is one of its layers."""
        return bool(self.hops or self.layer)

    @property
    def is_binding(self) -> bool:
        """Whether the target has to obey it."""
        is_guide = self.is_direct or self.via_targets or self.via_layers
        return bool(is_guide) or (
            self.node.type == POLICY and self.node.severity == Strictness.HARD
        )

    @property
    def lines(self) -> Iterator[str]:
        """The lines of the document about it."""
        return bullet(self.node, annotation(self), self.superseding)


class Affected(Struct, frozen=True):
    """A node that the target contains, constrains or supersedes."""

    node: SpecNode
    edges: tuple[str, ...]  # sorted

    @property
    def line(self) -> str:
        """The line of the document about it."""
        return self.noted(f" ({self.edge_names})")

    @property
    def edge_names(self) -> str:
        """The names of the links."""
        return ", ".join(self.edges)

    def noted(self, note: str) -> str:
        """Return a line about it with a note."""
        return f"- {self.node.id}: {collapsed(self.node.title)}{note}"


def annotation(entry: IncludedNode) -> str:
    """Return the text after an entry: its severity and the reasons for it."""
    return note_of(notes(entry))


def note_of(parts: Sequence[str]) -> str:
    """Join the parts of the text after an entry."""
    return f" ({'; '.join(parts)})" if parts else ""


def notes(entry: IncludedNode) -> list[str]:
    """Return the severity of an entry and the reasons for it."""
    parts = []
    if entry.node.type == POLICY and entry.node.severity:
        parts.append(f"severity: {collapsed(entry.node.severity)}")
    if not entry.is_direct and not entry.is_walk_target:
        if entry.via_targets:
            parts.append(f"inherited via {listed(entry.via_targets)}")
        elif entry.via_layers:
            parts.append(f"via layer {listed(entry.via_layers)}")
        if (entry.foundation_of or entry.needed_by) and not entry.is_namespace:
            parts.append(f"required by {listed(entry.required_by)}")
    if entry.superseded_by:
        parts.append(f"superseded by {listed(entry.superseded_by)}")
    if entry.layer and not entry.hops:
        parts.append(f"via {ARROW.join(entry.layer.shown)}")
    return parts


def reasons(entry: IncludedNode, target_id: str) -> Iterator[str]:
    """Yield the reasons why a node is included."""
    if entry.arrivals:
        yield listing([f"{kind} of {source}" for source, kind in entry.arrivals])
    if entry.is_direct:
        yield f"constrains {target_id}"
    if entry.via_targets:
        yield f"constrains {listing(entry.via_targets)}"
    if entry.via_layers:
        yield f"guidance of layer {listing(entry.via_layers)}"
    if entry.hops:
        yield f"contains {target_id}" + (f", {entry.hops} levels up" if entry.hops > 1 else "")
    if entry.layer:
        yield f"layer of {target_id}"
    if entry.required_by:
        yield f"required by {listing(entry.required_by)}"
