"""What surrounds a node, whatever the depth: namespace, guidance and prerequisites."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.specgraph.guidance import guidance_of
from yg.specgraph.model import FOUNDATION, LinkKind
from yg.specgraph.resolve import ancestors, effective_layers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yg.specgraph.graph import Graph
    from yg.specgraph.model import Node
    from yg.specgraph.resolve import LayerPath


class Guide(Struct, frozen=True):
    """How a guiding node comes to guide the target."""

    is_direct: bool
    via_targets: tuple[str, ...]  # sorted
    via_layers: tuple[str, ...]  # the nearest first
    distance: int  # to the nearest of these layers


class Surroundings:
    """What surrounds one node of a graph."""

    def __init__(self, graph: Graph, target: Node) -> None:
        self.graph = graph
        self.target = target

    @cached_property
    def ancestors(self) -> Mapping[str, int]:
        """The nodes that contain the target, and how far up they are."""
        return ancestors(self.graph, self.target.id)

    @cached_property
    def layers(self) -> Mapping[str, LayerPath]:
        """The layers the target stands on, the nearest first."""
        return {each.id: each for each in effective_layers(self.graph, self.target.id)}

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The namespace: the features and layers that contain the target, and its layers."""
        nodes = self.graph.nodes
        above = (each for each in self.ancestors if nodes[each].is_group)
        return tuple(dict.fromkeys((*above, *self.layers)))

    @cached_property
    def concepts(self) -> tuple[str, ...]:
        """The nodes of other types that contain the target."""
        return tuple(each for each in self.ancestors if not self.graph.nodes[each].is_group)

    @cached_property
    def prerequisites(self) -> Mapping[str, tuple[str, ...]]:
        """The foundations that the namespace depends on, and the groups that do."""
        found: dict[str, list[str]] = {}
        for group in sorted(self.groups):
            for each in self.graph.nodes[group].targets(LinkKind.DEPENDS_ON):
                node = self.graph.nodes.get(each)
                if node and node.type == FOUNDATION and each != self.target.id:
                    found.setdefault(each, []).append(group)
        return {each: tuple(groups) for each, groups in found.items()}

    @cached_property
    def guides(self) -> Mapping[str, Guide]:
        """The nodes that guide the target, those left out that others of them supersede."""
        return {each: how for each, how in self._every_guide.items() if each not in self.pruned}

    @cached_property
    def pruned(self) -> Mapping[str, tuple[str, ...]]:
        """The guiding nodes that others of them supersede, and by which."""
        guidance = guidance_of(self.graph)
        found = guidance.pruned(guidance.union(self._every_guide))
        return {each: guidance.members(by) for each, by in found.items()}

    @cached_property
    def _every_guide(self) -> Mapping[str, Guide]:
        direct = set(self.graph.constrainers(self.target.id))
        via_targets: dict[str, list[str]] = {}
        for above in sorted(self.ancestors):
            for each in self.graph.constrainers(above):
                via_targets.setdefault(each, []).append(above)
        via_layers: dict[str, list[str]] = {}
        for layer in self.layers:
            for each in guidance_of(self.graph).handed_on_by(layer):
                via_layers.setdefault(each, []).append(layer)
        return {
            each: Guide(
                each in direct,
                tuple(via_targets.get(each, ())),
                tuple(via_layers.get(each, ())),
                self.layers[via_layers[each][0]].distance if each in via_layers else 0,
            )
            for each in sorted({*direct, *via_targets, *via_layers} - {self.target.id})
        }
