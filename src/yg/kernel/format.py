"""A format: how one kind of graph is recognised, what it can do, and how it is queried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.kernel.queries import Queries


class Format(Struct, frozen=True, kw_only=True):
    """A kind of graph."""

    name: str
    folder: str  # the directory that holds the graph
    marker: str  # what is there in every repository of this kind
    trace: str = ""  # what is left of a graph that has lost its marker
    style: str  # the form its packages are shown in unless another is asked for
    schema: str = "build-context"  # the name of the JSON document of a package
    has_index: bool = False  # whether what is found out about it is stored between runs
    has_depths: bool = False  # whether packages can be assembled to a chosen depth
    has_aspects: bool = False  # whether nodes have aspects, flows and types of relations
    has_owners: bool = False  # whether nodes own source files
    has_drift: bool = False  # whether source files are compared with baselines
    has_stamps: bool = False  # whether packages tell the time
    refuses_errors: bool = False  # whether errors keep packages from being assembled
    load: Callable[[], type[Queries]]  # what one kind needs is imported when it is met

    @property
    def queries(self) -> type[Queries]:
        """The queries to such a graph."""
        return self.load()
