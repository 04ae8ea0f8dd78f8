"""The drift of nodes that changed since a commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg_old.yggdrasil.drift.states import State
from yg_old.yggdrasil.drift.tracking import concerned

if TYPE_CHECKING:
    from yg_old.commands.drift.find import DriftReport
    from yg_old.commands.issues import Compared
    from yg_old.commands.since import ChangesSince


def new_drift(changes: ChangesSince, found: DriftReport) -> tuple[DriftReport, Compared]:
    """Leave out the drifted nodes whose sources and texts are as in the commit.

    A node that cannot be read makes drift unknown only if one of the changed files is the reason.
    """
    drifted = [drift.node for drift in found.drifts if drift.state is not State.OK]
    if not drifted and not found.skipped:
        return found, changes.compared(0)
    workspace, files = changes.workspace, frozenset(changes.files)
    graph, sources, baselines = workspace.graph, workspace.sources, workspace.baselines
    nodes = [node for node in map(graph.nodes.get, drifted) if node is not None]
    kept = {node.path for node in concerned(graph, sources, baselines, nodes, files)}
    older = frozenset(drifted) - kept
    new = replace(
        found,
        drifts=tuple(drift for drift in found.drifts if drift.node not in older),
        gated=tuple(node for node in found.gated if node not in older),
        skipped=found.skipped
        and any(finding.place.file in files for finding in workspace.skipped()),
    )
    return new, changes.compared(len(older))
