"""Format: how a kind of graph is recognised, what it supports and how it is queried."""

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
    marker: str  # a path that exists in every repository of this kind
    trace: str = ""  # a path that identifies a graph without its marker
    style: str  # the default format of its packages
    schema: str = "build-context"  # the name of the JSON schema of a package
    has_index: bool = False  # whether results are cached between runs
    has_depths: bool = False  # whether packages can be limited in depth
    has_aspects: bool = False  # whether nodes have aspects, flows and types of relations
    has_owners: bool = False  # whether nodes own source files
    has_drift: bool = False  # whether source files are compared with baselines
    has_stamps: bool = False  # whether packages contain a timestamp
    refuses_errors: bool = False  # whether errors prevent packages
    load: Callable[[], type[Queries]]  # imports the implementation on first use

    @property
    def queries(self) -> type[Queries]:
        """The class that queries such a graph."""
        return self.load()
