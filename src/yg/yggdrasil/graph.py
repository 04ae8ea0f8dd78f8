"""The graph as a value: everything that the declarations of a repository say."""

from functools import cached_property

from msgspec import Struct

from yg.kernel.issue import Place
from yg.yggdrasil.config import Config
from yg.yggdrasil.model import Aspect, Flow, Node, Problem, UnknownKey


class Graph(Struct, frozen=True, kw_only=True, array_like=True, dict=True):
    """The nodes, aspects and flows of a repository by path, and what is wrong with their files."""

    config: Config
    nodes: dict[str, Node]  # sorted by path, as aspects and flows are
    aspects: dict[str, Aspect]
    flows: dict[str, Flow]
    unread: dict[str, Place]  # directories whose declaration is missing or bad, and where it is
    problems: tuple[Problem, ...]  # found while reading
    unknown_keys: tuple[UnknownKey, ...]
    schemas: tuple[str, ...]  # names of the files in `schemas/`
    folder: str  # of the graph, in the repository

    @cached_property
    def flows_by_participant(self) -> dict[str, tuple[Flow, ...]]:
        """The flows that list each node, in order."""
        found: dict[str, list[Flow]] = {}
        for flow in self.flows.values():
            for node in dict.fromkeys(participant.text for participant in flow.nodes):
                found.setdefault(node, []).append(flow)
        return {node: tuple(flows) for node, flows in found.items()}

    @cached_property
    def incoming(self) -> dict[str, tuple[str, ...]]:
        """The other nodes with a relation to each node, in order."""
        found: dict[str, dict[str, None]] = {}
        for node in self.nodes.values():
            for relation in node.relations:
                if relation.target.text != node.path:
                    found.setdefault(relation.target.text, {})[node.path] = None
        return {target: tuple(sources) for target, sources in found.items()}

    @cached_property
    def known_ancestors(self) -> dict[str, tuple[Node, ...]]:
        """The nodes above a directory and in it, as far as `resolve.ancestors` has found them."""
        return {}

    @cached_property
    def known_expansions(self) -> dict[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """What lists of aspects imply, as far as `resolve.expansion` has found it."""
        return {}

    @cached_property
    def unread_nodes(self) -> tuple[str, ...]:
        """The paths of nodes whose declaration is bad, sorted."""
        tree = f"{self.folder}/model/"
        return tuple(
            sorted(
                directory.removeprefix(tree)
                for directory, place in self.unread.items()
                if directory.startswith(tree) and place.file != directory
            )
        )
