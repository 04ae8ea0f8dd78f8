"""A Yggdrasil graph: configuration, nodes, aspects, flows and inventories, read on demand."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.kernel.package import Budget
    from yg_old.kernel.snapshot import Snapshot
    from yg_old.yggdrasil.collection import Collection
    from yg_old.yggdrasil.decisions import Decisions
    from yg_old.yggdrasil.documents import Documents
    from yg_old.yggdrasil.editions import Edition
    from yg_old.yggdrasil.inventory_copies import InventoryCopies
    from yg_old.yggdrasil.model import Aspect, Config, Flow, Node, Reading


class Implied(Struct, frozen=True):
    """One step of an expansion: an aspect and the aspect that implies it, empty if declared."""

    id: str
    by: str


class Graph:
    """A graph and its caches."""

    def __init__(  # noqa: PLR0913
        self,
        *,
        snapshot: Snapshot,
        read_config: Callable[[], tuple[Config, Reading[Config]]],
        nodes: Collection[Node],
        aspects: Collection[Aspect],
        flows: Collection[Flow],
        inventories: InventoryCopies,
        edition: Edition,
        tokenizer: str | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.read_config = read_config
        self.nodes = nodes
        self.aspects = aspects
        self.flows = flows
        self.inventories = inventories
        self.edition = edition
        self._tokenizer = tokenizer  # None: the configuration decides

    @cached_property
    def _configuration(self) -> tuple[Config, Reading[Config]]:
        return self.read_config()

    @property
    def config(self) -> Config:
        """The configuration; unreadable parts are empty."""
        return self._configuration[0]

    @property
    def config_reading(self) -> Reading[Config]:
        """The result of reading the configuration, with its issues."""
        return self._configuration[1]

    @cached_property
    def budget(self) -> Budget:
        """The limits for the sizes of packages, and the tokenizer that counts these."""
        budget = self.configured_budget
        return budget if self._tokenizer is None else replace(budget, tokenizer=self._tokenizer)

    @property
    def configured_budget(self) -> Budget:
        """The budget of the configuration, with its own tokenizer."""
        return self.config.quality.budget

    @cached_property
    def documents(self) -> Documents:
        """The documents outside the graph."""
        from yg_old.yggdrasil.documents import Documents  # most graphs refer to none

        return Documents(self.snapshot)

    @cached_property
    def decisions(self) -> Decisions:
        """The decision records of the repository."""
        from yg_old.yggdrasil.decisions import Decisions

        return Decisions(self.snapshot, lambda: self.config.decisions)

    @cached_property
    def expansions(self) -> dict[tuple[str, ...], tuple[Implied, ...]]:
        """The cache of `resolve.expansion`, by list of aspect ids."""
        return {}

    @cached_property
    def expanded(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """The cache of `resolve.expanded`, by list of aspect ids."""
        return {}

    @cached_property
    def declared_ids(self) -> dict[str, frozenset[str]]:
        """The cache of `resolve.effective_ids`, by path."""
        return {}

    @cached_property
    def joined_ids(
        self,
    ) -> dict[tuple[frozenset[str], tuple[tuple[str, ...], ...]], frozenset[str]]:
        """The sets in `declared_ids`, by the set of the parent and the lists that are added."""
        return {}

    @cached_property
    def package_tokens(self) -> dict[str, int | None]:
        """The cache of `sizes.package_sizes`, by path; None if a text cannot be read."""
        return {}

    @cached_property
    def flows_by_participant(self) -> dict[str, tuple[Flow, ...]]:
        """The flows that list each node, sorted by id."""
        found: dict[str, list[Flow]] = {}
        for flow in self.flows:
            for path in sorted(flow.participants):
                found.setdefault(path, []).append(flow)
        return {path: tuple(flows) for path, flows in found.items()}
