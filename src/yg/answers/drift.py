"""Where have code and graph moved apart? The drift of mapped nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import Answer, warnings
from yg.answers.drifting import look, nodes_in_scope
from yg.answers.hashing import STANDARD
from yg.render.drift import drift_data, drift_text
from yg.yggdrasil.concern import concerned
from yg.yggdrasil.drift import State, mapped_nodes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.answers.drifting import Look
    from yg.answers.hashing import Hashing
    from yg.workspace import Workspace
    from yg.yggdrasil.model import Node

EVERYTHING = "all"


def drift(  # noqa: PLR0913
    workspace: Workspace,
    *,
    scope: str = EVERYTHING,
    files: Iterable[str] | None = None,
    drifted_only: bool = False,
    limit: int | None = None,
    hashing: Hashing = STANDARD,
    may_migrate: bool = True,
) -> Answer:
    """Compare mapped nodes with their baselines: those of a scope that some files concern."""
    changed = None if files is None else known_here(workspace, files)
    found = drift_of(workspace, scope, changed, hashing, may_migrate=may_migrate)
    is_clean = all(each.state is State.OK for each in found.drifts) and not found.skipped
    return Answer(
        schema="drift",
        data=lambda: {
            "scope": scope,
            "files": changed,
            **drift_data(found.drifts, drifted_only=drifted_only, limit=limit),
            "notes": list(found.notes),
        },
        forms={
            "text": lambda palette: drift_text(
                found.drifts, palette, drifted_only=drifted_only, limit=limit
            )
        },
        notes=warnings(found.notes),
        code=0 if is_clean else 1,
    )


def drift_of(
    workspace: Workspace,
    scope: str = EVERYTHING,
    files: list[str] | None = None,
    hashing: Hashing = STANDARD,
    *,
    may_migrate: bool = True,
) -> Look:
    """Look for drift, which only graphs with baselines have."""
    workspace.require_baselines()
    nodes = _nodes(workspace, scope, files)
    return look(workspace, nodes, hashing, may_migrate=may_migrate)


def known_here(workspace: Workspace, files: Iterable[str]) -> list[str]:
    """Return files as the repository names them; those outside it concern no node."""
    known = (workspace.relative(file) for file in files)
    return sorted({path for path in known if path is not None})


def _nodes(workspace: Workspace, scope: str, files: list[str] | None) -> tuple[Node, ...] | None:
    """Return the nodes to look at; None for all."""
    is_all = scope == EVERYTHING
    if is_all and files is None:
        return None
    nodes = mapped_nodes(workspace.graph) if is_all else nodes_in_scope(workspace, scope)
    if files is None:
        return nodes
    return tuple(concerned(workspace.graph, workspace.baselines, nodes, files))
