"""One call of a tool: its arguments and its repository."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from yg.disk.database import Databases
from yg.workspace import open_workspace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg.mcp.roots import Roots
    from yg.workspace import Workspace


class Service(Struct, frozen=True, kw_only=True):
    """The configuration of a server."""

    roots: Roots
    may_sync: bool = False
    kind: str | None = None  # kind of graph to open if there are several
    uses_index: bool = True
    databases: Databases = field(default_factory=Databases)  # kept open between calls


class Asked(Struct, frozen=True):
    """One call. Each call checks the files again, so no answer is stale."""

    service: Service
    directory: str
    arguments: Mapping[str, Any]
    opened: list[Workspace] = field(default_factory=list)

    def get(self, name: str) -> Any:
        """Return an argument; None if it was omitted."""
        return self.arguments.get(name)

    def open(self) -> Workspace:
        """Open the repository in its current state."""
        kind = self.get("kind") or self.service.kind
        service = self.service
        workspace = open_workspace(
            self.directory,
            None,
            kind,
            uses_index=service.uses_index,
            databases=service.databases,
        )
        self.opened.append(workspace)
        return workspace


@contextmanager
def asking(service: Service, directory: str, arguments: Mapping[str, Any]) -> Iterator[Asked]:
    """Provide a call, and save the index of its workspaces when it ends or fails."""
    asked = Asked(service, directory, arguments)
    try:
        yield asked
    finally:
        for workspace in asked.opened:
            workspace.save()
