"""`yg impact`: what a change to a node, an aspect, a flow or some files can reach."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from yg.cli.arguments import (
    add_node,
    add_revision,
    chosen_node,
    command_parser,
    workspace_of,
)
from yg.cli.drifting import look, notes_text
from yg.cli.skipped import with_skipped
from yg.disk.git import changed_files, commit_of
from yg.kernel.errors import NotFoundError, UsageError
from yg.kernel.suggest import did_you_mean, nearest
from yg.render.compare import (
    diff_data,
    diff_markdown,
    diff_text,
    shift_data,
    simulation_text,
)
from yg.render.impact import (
    aspect_impact_data,
    aspect_impact_text,
    flow_impact_data,
    flow_impact_text,
    node_impact_data,
    node_impact_text,
)
from yg.yggdrasil.compare import Comparison, diff_impact
from yg.yggdrasil.impact import aspect_impact, flow_impact, node_impact
from yg.yggdrasil.owner import Ownership

if TYPE_CHECKING:
    from argparse import Namespace

    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome
    from yg.workspace import Workspace
    from yg.yggdrasil.model import Aspect, Flow
    from yg.yggdrasil.shelf import Shelf

HEAD = "HEAD"


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary, ("text", "json", "markdown"))
    add_node(result, "a node that changes")
    result.add_argument("--aspect", metavar="ID", help="an aspect that changes instead")
    result.add_argument("--flow", metavar="NAME", help="a flow that changes instead")
    result.add_argument(
        "--diff", nargs="?", const=HEAD, metavar="REV", help="all that differs from REV (HEAD)"
    )
    result.add_argument("--staged", action="store_true", help="with --diff: only what is staged")
    result.add_argument("--method", metavar="NAME", help="only dependents that consume NAME")
    result.add_argument("--simulate", action="store_true", help="compare packages with a commit")
    result.add_argument("--since", metavar="REV", help="the commit to compare with (HEAD)")
    result.add_argument("--show", action="store_true", help="show how the packages differ")
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Find what a change reaches."""
    args = call.args
    _check_usage(args)
    workspace = workspace_of(args)
    if args.diff is not None:
        return _diff(call, workspace)
    text, data, affected, target = _impact(args, workspace)
    if not args.simulate:
        nodes = workspace.graph.nodes
        return with_skipped(call, nodes, text=lambda: text, data=lambda: ("impact", data))
    return _simulated(call, workspace, text, data, affected, target)


def _check_usage(args: Namespace) -> None:
    modes = [chosen_node(args), args.aspect, args.flow, args.diff]
    if sum(mode is not None for mode in modes) != 1:
        hint = "Name exactly one of: a node, --aspect, --flow, --diff."
        raise UsageError("what changes?", hint=hint)
    if args.method is not None and chosen_node(args) is None:
        raise UsageError("--method goes with a node", hint="It names what others consume of it.")
    if args.at is not None and (args.simulate or args.diff is not None):
        raise UsageError("--at does not go with --simulate or --diff", hint="Use --since REV.")
    if args.format == "markdown" and args.diff is None:
        raise UsageError("--format markdown goes with --diff")
    if args.staged and args.diff is None:
        raise UsageError("--staged goes with --diff")
    if args.show and not args.simulate and args.diff is None:
        raise UsageError("--show goes with --simulate or --diff")
    if args.diff is not None and args.simulate:
        raise UsageError("--diff compares packages by itself", hint="Leave out --simulate.")
    if args.since == "" or args.diff == "":
        raise UsageError("the name of the commit is empty")
    if args.since is not None and not args.simulate:
        raise UsageError("--since goes with --simulate", hint="--diff takes the commit itself.")


def _impact(
    args: Namespace, workspace: Workspace
) -> tuple[str, dict[str, Any], tuple[str, ...], str]:
    """Return the impact as text, as data, the nodes it reaches, and the node it starts from."""
    graph = workspace.graph
    if args.aspect is not None:
        aspect = aspect_impact(graph, _aspect(workspace, args.aspect))
        return aspect_impact_text(aspect), aspect_impact_data(aspect), aspect.affected, ""
    if args.flow is not None:
        flow = flow_impact(graph, _flow(workspace, args.flow))
        return flow_impact_text(flow), flow_impact_data(flow), flow.affected, ""
    start = workspace.node(chosen_node(args) or "")
    node = node_impact(graph, start, args.method or "")
    return node_impact_text(node), node_impact_data(node), node.affected, node.node


def _aspect(workspace: Workspace, name: str) -> Aspect:
    aspects = workspace.graph.aspects
    found = aspects.get(name.removeprefix("aspects/").rstrip("/"))
    if found is None:
        raise _unknown("aspect", name, aspects)
    return found


def _flow(workspace: Workspace, name: str) -> Flow:
    flows = workspace.graph.flows
    found = flows.get(name.removeprefix("flows/").rstrip("/"))
    named = [flow for flow in flows if flow.name == name]
    if found is None and len(named) == 1:
        found = named[0]
    if len(named) > 1 and found is None:
        ids = ", ".join(flow.id for flow in named)
        raise NotFoundError(f"several flows are called '{name}'", hint=f"Name one by id: {ids}.")
    if found is None:
        raise _unknown("flow", name, flows)
    return found


def _unknown(what: str, name: str, shelf: Shelf[Any]) -> NotFoundError:
    """Say that something is not there, or that it is but cannot be read."""
    if shelf.reading(name) is not None:
        hint = "'yg validate' tells what is wrong with it."
        return NotFoundError(f"{what} '{name}' could not be read", hint=hint)
    hint = did_you_mean(nearest(name, shelf.all)) or f"'yg {what}s' lists them."
    return NotFoundError(f"no {what} '{name}'", hint=hint)


def _simulated(  # noqa: PLR0913, PLR0917
    call: Call,
    workspace: Workspace,
    text: str,
    data: dict[str, Any],
    affected: tuple[str, ...],
    target: str,
) -> Outcome:
    """Compare the packages of all affected nodes with a commit."""
    args = call.args
    then = workspace.graph_at(args.since or HEAD)
    comparison = Comparison(then, workspace.graph)
    shifts = [comparison.shift(path) for path in affected]
    nodes = [
        node for path in affected if (node := workspace.graph.nodes.get(path)) and node.mapping
    ]
    found = look(call, workspace, nodes, may_migrate=False)
    drifts = {each.node: each for each in found.drifts}
    rows = [shift_data(each, target, drifts.get(each.node), show=args.show) for each in shifts]
    outcome = with_skipped(
        call,
        workspace.graph.nodes,
        text=lambda: f"{text}\n{simulation_text(shifts, target, drifts, show=args.show)}",
        data=lambda: ("impact", {**data, "packages": rows, "notes": list(found.notes)}),
    )
    return outcome if call.wants_json else replace(outcome, notes=notes_text(call, found.notes))


def _diff(call: Call, workspace: Workspace) -> Outcome:
    args = call.args
    since = args.diff
    commit = commit_of(workspace.root, since)
    files = changed_files(workspace.root, commit, staged=args.staged)
    then = workspace.graph_at(commit, may_be_absent=True)
    graph = workspace.staged_graph() if args.staged else workspace.graph
    impact = diff_impact(then, graph, Ownership(graph), files, since)
    write = diff_markdown if args.format == "markdown" else diff_text
    return with_skipped(
        call,
        graph.nodes,
        text=lambda: write(impact, show=args.show),
        data=lambda: ("impact", diff_data(impact, show=args.show)),
    )
