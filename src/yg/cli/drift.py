"""`yg drift`: show which nodes changed since their baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.drift import CLASSES, EVERYTHING, chosen_tolerance, drift, reviews
from yg.cli.arguments import chosen_scope, command_parser, count, named_files, workspace_of
from yg.cli.outcome import shown
from yg.cli.progress import hashing
from yg.kernel.errors import UsageError
from yg.yggdrasil.model import TOLERABLE

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.add_argument(
        "path", nargs="?", metavar="SCOPE", help="check this node and the nodes below it"
    )
    result.add_argument("--scope", metavar="SCOPE", help="same as SCOPE (default all)")
    result.add_argument(
        "--file",
        action="extend",
        nargs="+",
        metavar="FILE",
        help="check the nodes affected by these files; - reads stdin",
    )
    result.add_argument("--drifted-only", action="store_true", help="hide nodes without drift")
    result.add_argument(
        "--limit", type=count, metavar="N", help="show at most N entries per section"
    )
    result.add_argument(
        "--show", action="store_true", help="show the difference of each changed file"
    )
    result.add_argument(
        "--tolerate",
        choices=[kind.value for kind in TOLERABLE],
        help="changes of sources up to this class are not drift",
    )
    result.add_argument(
        "--strict", action="store_true", help="tolerate nothing, whatever the configuration says"
    )
    result.add_argument(
        "--fail-on",
        choices=CLASSES,
        help="the lowest class of a source change that gives exit code 1",
    )
    result.add_argument(
        "--reviews", action="store_true", help="show the reasons recorded for node SCOPE"
    )
    return result


def run(call: Call) -> Outcome:
    """Compare mapped nodes with their baselines."""
    args = call.args
    scope = chosen_scope(args, "scope") or EVERYTHING
    if args.reviews:
        return _reviews(call, scope)
    files = None if args.file is None else list(named_files(call, args.file))
    workspace = workspace_of(args)
    with hashing(call) as options:
        answer = drift(
            workspace,
            scope=scope,
            files=files,
            drifted_only=args.drifted_only,
            limit=args.limit,
            tolerance=chosen_tolerance(args.tolerate, args.fail_on, strict=args.strict),
            show=args.show,
            hashing=options,
        )
    return shown(call, answer)


def _reviews(call: Call, scope: str) -> Outcome:
    if scope == EVERYTHING:
        raise UsageError("no node given", hint="Give its path: yg drift --reviews NODE")
    return shown(call, reviews(workspace_of(call.args), scope))
