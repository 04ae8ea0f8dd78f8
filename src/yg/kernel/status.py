"""The state of a graph in the numbers that every kind of graph has."""

from __future__ import annotations

from msgspec import Struct


class Share(Struct, frozen=True):
    """How many of some things are as they should be."""

    what: str  # a word for it
    have: int
    of: int
    means: str  # what they have, in words: 'decisions with a rationale'


class Status(Struct, frozen=True, kw_only=True):
    """How much a graph describes, and how well."""

    name: str
    nodes: int
    types: tuple[tuple[str, int], ...]  # how many nodes there are of each
    links: tuple[tuple[str, int], ...]  # how many links there are of each kind
    shares: tuple[Share, ...] = ()
