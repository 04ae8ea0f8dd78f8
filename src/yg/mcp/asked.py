"""One call of a tool: its arguments, and the repository it asks about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from yg.answers.hashing import Hashing
from yg.workspace import open_workspace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yg.mcp.roots import Roots
    from yg.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What a server was started for."""

    roots: Roots
    may_sync: bool = False
    kind: str | None = None  # the kind of graph to open where there are several
    hashing: Hashing = field(default_factory=Hashing)


@dataclass(frozen=True, slots=True)
class Asked:
    """One call. The repository is opened anew for each, so that no answer is ever old."""

    service: Service
    directory: str
    arguments: Mapping[str, Any]

    def get(self, name: str) -> Any:
        """Return an argument; None when it was left out."""
        return self.arguments.get(name)

    def open(self) -> Workspace:
        """Open the repository as it is now."""
        return open_workspace(self.directory, None, self.get("kind") or self.service.kind)
