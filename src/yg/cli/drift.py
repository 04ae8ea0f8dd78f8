"""`yg drift`: where code and graph have moved apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.cli.arguments import chosen_scope, command_parser, count, workspace_of
from yg.cli.drifting import look, nodes_in_scope, notes_text
from yg.cli.outcome import Outcome
from yg.render.data import document
from yg.render.drift import drift_data, drift_text
from yg.yggdrasil.drift import State, mapped_nodes

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary)
    result.add_argument("path", nargs="?", metavar="SCOPE", help="a node and all below it")
    result.add_argument("--scope", metavar="SCOPE", help="the same, as an option (default all)")
    result.add_argument("--drifted-only", action="store_true", help="hide nodes without drift")
    result.add_argument("--limit", type=count, metavar="N", help="show N entries of each section")
    return result


def run(call: Call) -> Outcome:
    """Compare mapped nodes with their baselines."""
    scope = chosen_scope(call.args, "scope") or "all"
    workspace = workspace_of(call.args)
    workspace.require_baselines()
    is_all = scope == "all"
    nodes = mapped_nodes(workspace.graph) if is_all else nodes_in_scope(workspace, scope)
    found = look(call, workspace, nodes)
    is_clean = all(each.state is State.OK for each in found.drifts) and not found.skipped
    code = 0 if is_clean else 1
    if call.wants_json:
        shown = drift_data(found.drifts, drifted_only=call.args.drifted_only, limit=call.args.limit)
        fields = {"scope": scope, **shown, "notes": list(found.notes)}
        return Outcome(document("drift", fields), code)
    text = drift_text(
        found.drifts,
        call.terminal.out,
        drifted_only=call.args.drifted_only,
        limit=call.args.limit,
    )
    return Outcome(text, code, notes_text(call, found.notes))
