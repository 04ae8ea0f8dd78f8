"""What does a rule check, why, and how is it satisfied? Its manual page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.answers.answer import Answer
from yg.formats import FORMATS
from yg.kernel.errors import NotFoundError
from yg.kernel.suggest import did_you_mean, nearest
from yg.render.explain import rule_data, rule_list, rule_page, rules_markdown

if TYPE_CHECKING:
    from yg.kernel.rule import Rule


def explain(code: str | None = None) -> Answer:
    """Explain one rule, or list them all."""
    every = every_rule()
    rules = every if code is None else _named(every, code)
    return Answer(
        schema="explain",
        data=lambda: {"rules": [rule_data(each) for each in rules]},
        forms={
            "text": lambda palette: (
                rule_list(rules, palette) if code is None else rule_page(rules[0], palette)
            ),
            "markdown": lambda _palette: rules_markdown(rules),
        },
    )


def every_rule() -> tuple[Rule[Any], ...]:
    """Return the rules of every kind of graph, each once."""
    return tuple(dict.fromkeys(rule for each in FORMATS for rule in each.queries.rules()))


def _named(every: tuple[Rule[Any], ...], code: str) -> tuple[Rule[Any], ...]:
    found = tuple(each for each in every if code.upper() == each.code or code == each.name)
    if not found:
        names = [name for each in every for name in (each.code, each.name)]
        hint = did_you_mean(nearest(code, names)) or "'yg explain' lists all rules."
        raise NotFoundError(f"there is no rule '{code}'", hint=hint)
    return found
