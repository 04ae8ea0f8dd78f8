"""`yg impact`: show what a change to a node, aspect, flow or set of files affects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import HEAD
from yg.answers.impact import Simulation, impact_of_node
from yg.cli.arguments import (
    add_node,
    add_revision,
    add_tokenizer,
    chosen_node,
    command_parser,
    workspace_of,
)
from yg.cli.outcome import shown
from yg.cli.progress import hashing
from yg.kernel.errors import UsageError

if TYPE_CHECKING:
    from argparse import Namespace

    from yg.answers.answer import Answer, Hashing
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome
    from yg.workspace import OpenWorkspace


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary, ("text", "json", "markdown"))
    add_node(result, "node that changes")
    result.add_argument("--aspect", metavar="ASPECT", help="aspect that changes")
    result.add_argument("--flow", metavar="FLOW", help="flow that changes")
    result.add_argument(
        "--diff", nargs="?", const=HEAD, metavar="REV", help="all changes since REV (default HEAD)"
    )
    result.add_argument("--staged", action="store_true", help="with --diff: staged changes only")
    result.add_argument("--method", metavar="NAME", help="only dependents that consume NAME")
    result.add_argument(
        "--code", action="store_true", help="add nodes that import NODE without a relation"
    )
    result.add_argument(
        "--all", action="store_true", help="list all nodes that share an aspect with NODE"
    )
    result.add_argument(
        "--simulate", action="store_true", help="compare packages with those of a commit"
    )
    result.add_argument("--since", metavar="REV", help="commit to compare with (default HEAD)")
    result.add_argument(
        "--lenient",
        action="store_true",
        help="with --simulate: fail only on errors that affect the packages",
    )
    result.add_argument("--show", action="store_true", help="show the differences between packages")
    add_revision(result)
    add_tokenizer(result)
    return result


def run(call: Call) -> Outcome:
    """Show what a change affects."""
    _check_usage(call.args)
    workspace = workspace_of(call.args)
    with hashing(call) as options:
        answer = _answer(workspace, call.args, options)
    return shown(call, answer)


def _answer(workspace: OpenWorkspace, args: Namespace, options: Hashing) -> Answer:
    simulation = None
    if args.simulate:
        simulation = Simulation(
            since=args.since or HEAD, show=args.show, lenient=args.lenient, hashing=options
        )
    node = chosen_node(args)
    if node is not None:
        return impact_of_node(
            workspace,
            node,
            method=args.method or "",
            code=args.code,
            every=args.all,
            simulation=simulation,
        )
    from yg.answers.changes import (
        impact_of_aspect,
        impact_of_diff,
        impact_of_flow,
    )

    if args.aspect is not None:
        return impact_of_aspect(workspace, args.aspect, simulation=simulation)
    if args.flow is not None:
        return impact_of_flow(workspace, args.flow, simulation=simulation)
    return impact_of_diff(workspace, since=args.diff, staged=args.staged, show=args.show)


def _check_usage(args: Namespace) -> None:
    modes = [chosen_node(args), args.aspect, args.flow, args.diff]
    if sum(mode is not None for mode in modes) != 1:
        raise UsageError("expected exactly one of: a node, --aspect, --flow, --diff")
    if chosen_node(args) is None:
        _refuse_node_options(args)
    if args.at is not None and (args.simulate or args.diff is not None):
        raise UsageError(
            "--at cannot be combined with --simulate or --diff", hint="Use --since REV."
        )
    if args.format == "markdown" and args.diff is None:
        raise UsageError("--format markdown requires --diff")
    if args.staged and args.diff is None:
        raise UsageError("--staged requires --diff")
    if args.show and not args.simulate and args.diff is None:
        raise UsageError("--show requires --simulate or --diff")
    if args.diff is not None and args.simulate:
        raise UsageError(
            "--diff cannot be combined with --simulate", hint="It already compares packages."
        )
    if args.since == "" or args.diff == "":
        raise UsageError("empty commit name")
    if not args.simulate:
        _refuse_simulation_options(args)


def _refuse_node_options(args: Namespace) -> None:
    given = {"--code": args.code, "--method": args.method is not None, "--all": args.all}
    for option, is_given in given.items():
        if is_given:
            raise UsageError(f"{option} requires a node")


def _refuse_simulation_options(args: Namespace) -> None:
    if args.since is not None:
        raise UsageError("--since requires --simulate", hint="With --diff, use --diff REV.")
    if args.lenient:
        raise UsageError("--lenient requires --simulate")
