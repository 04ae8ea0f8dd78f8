"""The part of a context that is the same at every depth: namespace, guidance, prerequisites."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.specgraph.context.guidance import guidance_of
from yg_old.specgraph.context.layers import layers_of
from yg_old.specgraph.model import FOUNDATION, LinkKind
from yg_old.specgraph.resolve import ancestors, needs_of_group

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yg_old.specgraph.context.layers import LayerPath, PreparedLayers
    from yg_old.specgraph.graph import SpecGraph
    from yg_old.specgraph.model import SpecNode


class Guide(Struct, frozen=True):
    """The reasons why a node guides the target."""

    is_direct: bool
    via_targets: tuple[str, ...]  # sorted
    via_layers: tuple[str, ...]  # the nearest first
    distance: int  # to the nearest of these layers


class Surroundings:
    """The namespace, guidance and prerequisites of one node."""

    def __init__(
        self, graph: SpecGraph, target: SpecNode, layers: PreparedLayers | None = None
    ) -> None:
        self.graph = graph
        self.target = target
        self._search = layers or layers_of(graph)

    @cached_property
    def ancestors(self) -> Mapping[str, int]:
        """The nodes that contain the target, with the number of hops."""
        return ancestors(self.graph, self.target.id)

    @cached_property
    def layers(self) -> Mapping[str, LayerPath]:
        """The effective layers of the target, nearest first."""
        return {layer.id: layer for layer in self._search.paths(self.target.id)}

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The namespace: the features and layers that contain the target, and its layers."""
        nodes = self.graph.nodes
        above = (node_id for node_id in self.ancestors if nodes[node_id].is_group)
        return tuple(dict.fromkeys((*above, *self.layers)))

    @cached_property
    def concepts(self) -> tuple[str, ...]:
        """The nodes of other types that contain the target."""
        return tuple(
            node_id for node_id in self.ancestors if not self.graph.nodes[node_id].is_group
        )

    @cached_property
    def prerequisites(self) -> Mapping[str, tuple[str, ...]]:
        """The foundations that groups of the namespace depend on, with these groups."""
        found: dict[str, list[str]] = {}
        for group in sorted(self.groups):
            for needed in self.graph.nodes[group].targets(LinkKind.DEPENDS_ON):
                node = self.graph.nodes.get(needed)
                if node and node.type == FOUNDATION and needed != self.target.id:
                    found.setdefault(needed, []).append(group)
        return {needed: tuple(groups) for needed, groups in found.items()}

    @cached_property
    def required(self) -> Mapping[str, tuple[str, ...]]:
        """The nodes that groups around the target need, with these groups, sorted."""
        found: dict[str, dict[str, None]] = {}
        for group in sorted(self.ancestors):
            for needed in needs_of_group(self.graph, group, self.target.id):
                found.setdefault(needed, {})[group] = None
        return {needed: tuple(groups) for needed, groups in found.items()}

    @cached_property
    def guides(self) -> Mapping[str, Guide]:
        """The nodes that guide the target, without superseded ones."""
        return {guide: how for guide, how in self._all_guides.items() if guide not in self.pruned}

    @cached_property
    def pruned(self) -> Mapping[str, tuple[str, ...]]:
        """The superseded guides, sorted, with the guides and the target that supersede them."""
        guidance = guidance_of(self.graph)
        guides = guidance.union(self._all_guides)
        found = {guide: guidance.members(by) for guide, by in guidance.pruned(guides).items()}
        for guide in guidance.members(guides & guidance.superseded_by_target(self.target.id)):
            found[guide] = tuple(sorted((*found.get(guide, ()), self.target.id)))
        return dict(sorted(found.items()))

    @cached_property
    def _all_guides(self) -> Mapping[str, Guide]:
        direct = set(self.graph.constrainers(self.target.id))
        via_targets: dict[str, list[str]] = {}
        for above in sorted(self.ancestors):
            for guide in self.graph.constrainers(above):
                via_targets.setdefault(guide, []).append(above)
        via_layers: dict[str, list[str]] = {}
        for layer in self.layers:
            for guide in guidance_of(self.graph).guides_of_layer(layer):
                via_layers.setdefault(guide, []).append(layer)
        return {
            guide: Guide(
                guide in direct,
                tuple(via_targets.get(guide, ())),
                tuple(via_layers.get(guide, ())),
                self.layers[via_layers[guide][0]].distance if guide in via_layers else 0,
            )
            for guide in sorted({*direct, *via_targets, *via_layers} - {self.target.id})
        }
