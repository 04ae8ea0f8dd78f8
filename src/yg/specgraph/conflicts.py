"""Guidance that contradicts itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.specgraph.model import POLICY, Strictness

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.specgraph.model import Node


def competing_decisions(decisions: Iterable[Node]) -> dict[str, tuple[str, ...]]:
    """Return the categories in which there are several decisions, and those, all sorted."""
    found: dict[str, list[str]] = {}
    for node in decisions:
        if node.category:
            found.setdefault(node.category, []).append(node.id)
    return {each: tuple(sorted(ids)) for each, ids in sorted(found.items()) if len(ids) > 1}


def overlapping_policies(nodes: Iterable[Node]) -> list[tuple[tuple[Node, ...], tuple[Node, ...]]]:
    """Return the hard and the soft policies that make the same statement, in the order of ids."""
    found: dict[str, tuple[list[Node], list[Node]]] = {}
    policies = (node for node in nodes if node.type == POLICY and node.text)
    for node in sorted(policies, key=lambda each: each.id):
        hard, soft = found.setdefault(" ".join(node.text.split()).casefold(), ([], []))
        if node.severity in list(Strictness):
            (hard if node.severity == Strictness.HARD else soft).append(node)
    every = ((tuple(hard), tuple(soft)) for hard, soft in found.values() if hard and soft)
    return sorted(every, key=lambda pair: pair[0][0].id)
