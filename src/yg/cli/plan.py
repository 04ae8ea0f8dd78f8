"""`yg plan`: in which order nodes can be built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.cli.arguments import add_node, chosen_node, command_parser, workspace_of
from yg.cli.drifting import look, notes_text
from yg.cli.outcome import Outcome
from yg.render.data import document
from yg.render.plan import plan_data, plan_text
from yg.yggdrasil.drift import State, mapped_nodes
from yg.yggdrasil.plan import needed_for, plan_of

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary)
    add_node(result, "only this node and what it needs first")
    result.add_argument("--changed", action="store_true", help="only nodes that have drifted")
    return result


def run(call: Call) -> Outcome:
    """Order nodes by what they need."""
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
    if call.wants_json:
        return Outcome(document("plan", plan_data(plan)), notes=notes)
    return Outcome(plan_text(plan), notes=notes)
