"""A format: how one kind of graph is recognised, and how it is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.kernel.face import Face

G = TypeVar("G")


class Format(Struct, Generic[G], frozen=True, kw_only=True):
    """A kind of graph: what tells it apart, and its face, which is loaded when it is needed."""

    name: str
    folder: str  # the directory that holds the graph
    marker: str  # what is there in every repository of this kind
    trace: str = ""  # what is left of a graph that has lost its marker
    style: str  # the form its packages are shown in unless another is asked for
    has_index: bool = False  # whether what is found out about it is stored between runs
    has_depths: bool = False  # whether its packages can be had to a chosen depth
    load: Callable[[], Face[G]]

    @property
    def face(self) -> Face[G]:
        """What can be asked of such a graph."""
        return self.load()
