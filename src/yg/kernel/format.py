"""A format: how one kind of graph is recognised and read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from yg.kernel.value import value

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.kernel.snapshot import Snapshot

G = TypeVar("G")


@value(kw_only=True)
class Format(Generic[G]):
    """A kind of graph, as a record of functions."""

    name: str
    folder: str  # the directory that holds the graph
    marker: str  # what is there in every repository of this kind
    style: str  # the format its packages are printed in unless another is asked for
    read: Callable[[Snapshot], G]
