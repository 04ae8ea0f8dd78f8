"""`yg plan`: in which order nodes can be built."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from yg.cli.arguments import add_node, add_revision, chosen_node, command_parser, workspace_of
from yg.cli.drifting import look, notes_text
from yg.cli.skipped import with_skipped
from yg.kernel.errors import UsageError
from yg.render.plan import plan_data, plan_text
from yg.yggdrasil.drift import State, mapped_nodes
from yg.yggdrasil.plan import needed_for, plan_of

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary)
    add_node(result, "only this node and what it needs first")
    add_revision(result)
    result.add_argument("--changed", action="store_true", help="only nodes that have drifted")
    return result


def run(call: Call) -> Outcome:
    """Order nodes by what they need."""
    if call.args.changed and call.args.at is not None:
        raise UsageError("--changed looks at the work tree and does not go with --at")
    workspace = workspace_of(call.args)
    graph = workspace.graph
    named = chosen_node(call.args)
    only = needed_for(graph, workspace.node(named).path) if named is not None else None
    notes = ""
    if call.args.changed:
        workspace.require_baselines()
        found = look(call, workspace, mapped_nodes(graph))
        drifted = {each.node for each in found.drifts if each.state is not State.OK}
        only = frozenset(drifted if only is None else only & drifted)
        notes = notes_text(call, found.notes)
    plan = plan_of(graph, only)
    outcome = with_skipped(
        call,
        graph.nodes,
        text=lambda: plan_text(plan, is_whole=only is None),
        data=lambda: ("plan", plan_data(plan)),
    )
    return replace(outcome, notes=notes or outcome.notes)
