"""`yg validate`: what is wrong with the graph, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.cli.arguments import add_revision, chosen_scope, command_parser, workspace_of
from yg.cli.outcome import Outcome
from yg.render.data import document
from yg.render.validate import verdict_data, verdict_github, verdict_junit, verdict_text
from yg.yggdrasil.rules import rules_of
from yg.yggdrasil.validate import validate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call
    from yg.kernel.rule import Rule
    from yg.workspace import Workspace
    from yg.yggdrasil.survey import Survey
    from yg.yggdrasil.validate import Verdict


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary, ("text", "json", "sarif", "github", "junit"))
    result.add_argument("path", nargs="?", metavar="SCOPE", help="a node and all below it")
    result.add_argument("--scope", metavar="SCOPE", help="the same, as an option (default all)")
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Check the graph."""
    named = chosen_scope(call.args, "scope") or "all"
    workspace = workspace_of(call.args)
    scope = "" if named == "all" else workspace.directory(named)
    verdict = validate(workspace.graph, workspace.sources, scope, workspace.measure)
    rules = rules_of(workspace.graph)
    text = _rendered(call, verdict, rules, workspace)
    return Outcome(text, 1 if verdict.errors else 0)


def _rendered(
    call: Call, verdict: Verdict, rules: Sequence[Rule[Survey]], workspace: Workspace
) -> str:
    match call.args.format:
        case "json":
            return document("validate", verdict_data(verdict))
        case "sarif":
            from yg.render.sarif import sarif  # noqa: PLC0415

            return sarif(verdict.issues, rules, workspace.git_prefix)
        case "github":
            return verdict_github(verdict, workspace.git_prefix)
        case "junit":
            return verdict_junit(verdict, rules)
        case _:
            return verdict_text(verdict, call.terminal.out)
