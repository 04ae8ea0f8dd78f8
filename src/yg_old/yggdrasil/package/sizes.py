"""Sizes of packages, measured without assembling what many of them share."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.errors import UnreadableError
from yg_old.yggdrasil.package.assemble import Assembler
from yg_old.yggdrasil.package.blocks import SEPARATOR
from yg_old.yggdrasil.resolve import Effective, ancestors, declarations, expanded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Aspect, Node


def package_sizes(graph: Graph, nodes: Iterable[Node]) -> Iterator[tuple[Node, int]]:
    """Yield nodes with their package sizes in tokens, except blackboxes.

    A node with a text that cannot be read has no size; a rule reports the text.
    """
    sizer, known = Sizer(graph), graph.package_tokens
    for node in nodes:
        if node.is_blackbox:
            continue
        if node.path not in known:
            try:
                known[node.path] = sizer.tokens(node)
            except UnreadableError:
                known[node.path] = None
        tokens = known[node.path]
        if tokens is not None:
            yield node, tokens


class _Aspects(Struct, frozen=True):
    """The blocks of some aspects, without the exceptions that nodes declare."""

    ids: frozenset[str]
    characters: int  # with the blank lines between the blocks


class Sizer:
    """Measures packages of one graph; equal lists of aspects are measured once."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._assembler = Assembler(graph)
        self._sizes: dict[str, int] = {}
        self._known: dict[tuple[tuple[str, ...], ...], _Aspects | UnreadableError | None] = {}
        edition, budget = graph.edition, graph.budget
        depends_on_others = edition.has_tags or edition.reports_missing_targets
        self._is_sum = not (budget.tokenizer or edition.counts_markdown or depends_on_others)

    def tokens(self, node: Node) -> int:
        """Return the size of the package of a node."""
        aspects = self._aspects(node) if self._is_sum else None
        if aspects is None:
            return self._assembler.package(node).tokens
        rest = self._assembler.without_aspects(node)
        length = rest.characters + aspects.characters + self._excepted(node, aspects.ids)
        return rest.budget.measure(length, str)

    def _aspects(self, node: Node) -> _Aspects | None:
        """Return the aspects that apply to a node; None if other blocks decide how they look."""
        lists = tuple(dict.fromkeys(ids for _, ids in declarations(self._graph, node) if ids))
        if lists not in self._known:
            try:
                self._known[lists] = self._measured(lists)
            except UnreadableError as error:
                self._known[lists] = error
        found = self._known[lists]
        if isinstance(found, UnreadableError):
            raise found
        return found

    def _measured(self, lists: Iterable[tuple[str, ...]]) -> _Aspects | None:
        graph = self._graph
        named = dict.fromkeys(chain.from_iterable(expanded(graph, ids) for ids in lists))
        aspects = [aspect for aspect in map(graph.aspects.get, named) if aspect is not None]
        sizes = [self._size(aspect) for aspect in aspects]
        if None in sizes:
            return None
        characters = sum(size + SEPARATOR for size in sizes if size is not None)
        return _Aspects(frozenset(aspect.id for aspect in aspects), characters)

    def _size(self, aspect: Aspect) -> int | None:
        """Return the length of a block; None if it has documents that are quoted only once."""
        if aspect.id not in self._sizes:
            block = self._assembler.aspect_block((), Effective(aspect, ()))
            if any(document.reference for document in block.documents):
                return None
            self._sizes[aspect.id] = block.characters
        return self._sizes[aspect.id]

    def _excepted(self, node: Node, ids: frozenset[str]) -> int:
        """Return how much longer the blocks are because of the exceptions of a node."""
        carriers = (*ancestors(self._graph, node.path), node)
        uses = (use for carrier in carriers for use in carrier.aspects if use.exceptions)
        longer = 0
        for name in dict.fromkeys(use.aspect.text for use in uses):
            aspect = self._graph.aspects.get(name) if name in ids else None
            if aspect is not None:
                block = self._assembler.aspect_block(carriers, Effective(aspect, ()))
                longer += block.characters - self._sizes[name]
        return longer
