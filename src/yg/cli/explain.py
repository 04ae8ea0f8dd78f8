"""`yg explain`: the manual page of a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.cli.arguments import command_parser
from yg.cli.outcome import Outcome
from yg.kernel.errors import NotFoundError
from yg.kernel.suggest import did_you_mean, nearest
from yg.render.data import document
from yg.render.explain import rule_data, rule_list, rule_page, rules_markdown
from yg.yggdrasil.rules import EVERY_RULE

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call
    from yg.kernel.rule import Rule
    from yg.yggdrasil.survey import Survey


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary, ("text", "json", "markdown"))
    result.add_argument("code", nargs="?", metavar="CODE", help="a rule; without it, all of them")
    return result


def run(call: Call) -> Outcome:
    """Explain one rule, or list them all."""
    code = call.args.code
    rules = EVERY_RULE if code is None else _named(code)
    if call.wants_json:
        return Outcome(document("explain", {"rules": [rule_data(each) for each in rules]}))
    if call.args.format == "markdown":
        return Outcome(rules_markdown(rules))
    palette = call.terminal.out
    return Outcome(rule_list(rules, palette) if code is None else rule_page(rules[0], palette))


def _named(code: str) -> tuple[Rule[Survey], ...]:
    found = tuple(each for each in EVERY_RULE if code.upper() == each.code or code == each.name)
    if not found:
        names = [name for each in EVERY_RULE for name in (each.code, each.name)]
        hint = did_you_mean(nearest(code, names)) or "'yg explain' lists all rules."
        raise NotFoundError(f"there is no rule '{code}'", hint=hint)
    return found
