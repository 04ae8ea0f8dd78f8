"""The `explain` command: the manual pages of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.answers.answer import Answer
from yg.formats import FORMATS
from yg.kernel.errors import NoGraphError, NotFoundError, OldEditionError
from yg.kernel.suggest import did_you_mean, nearest
from yg.render.explain import rule_list, rule_page, rules_data, rules_markdown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yg.kernel.rule import Rule
    from yg.workspace import OpenWorkspace


def explain(code: str | None, open_graph: Callable[[], OpenWorkspace]) -> Answer:
    """Explain one rule, or list all rules, with the levels that the graph here sets for them.

    The Markdown form is the manual, which is the same for every graph.
    """
    known = every_rule()
    found = known if code is None else _find(known, code)
    levels = {rule.code: rule for rule in _levels(open_graph)}
    rules = tuple(levels.get(rule.code, rule) for rule in found)
    return Answer(
        data=lambda: rules_data(rules),
        forms={
            "text": lambda palette: (
                rule_list(rules, palette) if code is None else rule_page(rules[0], palette)
            ),
            "markdown": lambda _palette: rules_markdown(found),
        },
    )


def _levels(open_graph: Callable[[], OpenWorkspace]) -> Sequence[Rule[Any]]:
    """Return the rules with the levels of the graph; none if there is no graph of this edition."""
    try:
        return open_graph().queries.levels()
    except (NoGraphError, OldEditionError):
        return ()


def every_rule() -> tuple[Rule[Any], ...]:
    """Return the rules of all kinds of graph, without duplicates."""
    return tuple(dict.fromkeys(rule for kind in FORMATS for rule in kind.queries.rules()))


def _find(known: tuple[Rule[Any], ...], code: str) -> tuple[Rule[Any], ...]:
    found = tuple(rule for rule in known if code.upper() == rule.code or code == rule.name)
    if not found:
        names = [name for rule in known for name in (rule.code, rule.name)]
        hint = did_you_mean(nearest(code, names)) or "'yg explain' lists all rules."
        raise NotFoundError(f"there is no rule '{code}'", hint=hint)
    return found
