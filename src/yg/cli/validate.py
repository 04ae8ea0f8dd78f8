"""`yg validate`: check the graph and report how to fix each problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.validate import EVERYTHING, FailOn, fix, validate
from yg.cli.arguments import add_revision, add_tokenizer, chosen_scope, command_parser, workspace_of
from yg.cli.outcome import shown
from yg.kernel.errors import UsageError

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary, ("text", "json", "sarif", "github", "junit"))
    result.add_argument(
        "path", nargs="?", metavar="SCOPE", help="check this node and the nodes below it"
    )
    result.add_argument("--scope", metavar="SCOPE", help="same as SCOPE (default all)")
    result.add_argument(
        "--fail-on",
        choices=list(map(str, FailOn)),
        default=str(FailOn.ERROR),
        help="the least severe issue that gives exit code 1 (default error)",
    )
    result.add_argument(
        "--strict",
        dest="fail_on",
        action="store_const",
        const=str(FailOn.WARNING),
        help="short for --fail-on warning",
    )
    result.add_argument(
        "--fix", action="store_true", help="make the fixes that leave no choice, then check"
    )
    result.add_argument(
        "--dry-run", action="store_true", help="with --fix: show the fixes without making them"
    )
    add_revision(result)
    add_tokenizer(result)
    return result


def run(call: Call) -> Outcome:
    """Check the graph."""
    scope = chosen_scope(call.args, "scope") or EVERYTHING
    args, fail_on = call.args, FailOn(call.args.fail_on)
    if args.dry_run and not args.fix:
        raise UsageError("--dry-run is for --fix", hint="Without --fix, nothing is written.")
    if not args.fix:
        return shown(call, validate(workspace_of(args), scope=scope, fail_on=fail_on))
    if args.at is not None:
        raise UsageError("--fix changes the work tree, not a commit", hint="Leave out --at.")
    return shown(
        call, fix(lambda: workspace_of(args), scope=scope, fail_on=fail_on, dry_run=args.dry_run)
    )
