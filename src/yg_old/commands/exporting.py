"""The graph as an Export, before it is written in any form."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yg_old.kernel.export import Export
    from yg_old.kernel.issue import Finding
    from yg_old.workspace.opened import OpenWorkspace


def declared(workspace: OpenWorkspace, repository: str, *, code: bool) -> Export:
    """Export all declarations; with `code`, compare the relations with the imports."""
    found = workspace.queries.export(repository)
    if not code:
        return found
    workspace.require_yggdrasil("imports (--code)")
    from yg_old.yggdrasil.code.evidence import read_imports
    from yg_old.yggdrasil.questions.export import with_code

    return with_code(found, read_imports(workspace.graph, workspace.sources))


def skipped(workspace: OpenWorkspace) -> list[Finding]:
    """Return findings about nodes, aspects and flows that could not be read."""
    found = list(workspace.skipped())
    if workspace.format.is_yggdrasil:
        from yg_old.yggdrasil.collection import skipped as unread

        for collection in (workspace.graph.aspects, workspace.graph.flows):
            found += unread(collection)
    return found
