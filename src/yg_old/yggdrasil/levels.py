"""The levels of rules: defaults, and what `rules` in the configuration may change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from yg_old.kernel.issue import Finding, Level, Place
from yg_old.text.suggest import did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.kernel.rule import Rule
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Config

CYCLE = "E010"
LOWERABLE = (CYCLE,)  # errors that leave every package well defined

UNDECLARED, AGAINST = "W021", "W022"
IMPORTS = (UNDECLARED, AGAINST)  # rules whose level `code.imports` sets


def configured(rules: Sequence[Rule[Any]], config: Config) -> tuple[Rule[Any], ...]:
    """Return the rules with the levels of the configuration; invalid settings have no effect."""
    levels = _levels(config)
    return tuple(
        replace(rule, level=levels[rule.code])
        if rule.code in levels and _may_have(rule, levels[rule.code])
        else rule
        for rule in rules
    )


def _levels(config: Config) -> dict[str, Level]:
    """Return the levels that the configuration sets."""
    levels = {setting.code.text: setting.level for setting in config.rules}
    if config.code is not None and config.code.imports is Level.ERROR:
        levels = {**dict.fromkeys(IMPORTS, Level.ERROR), **levels}
    return levels


def import_errors(config: Config) -> frozenset[str]:
    """Return the rules about imports whose findings are errors."""
    if config.code is None or config.code.imports is Level.OFF:
        return frozenset()
    levels = _levels(config)
    return frozenset(code for code in IMPORTS if levels.get(code) is Level.ERROR)


def _may_have(rule: Rule[Any], level: Level) -> bool:
    is_error = rule.severity == Level.ERROR.value
    return level is Level.ERROR or not is_error or rule.code in LOWERABLE


def refuses_cycles(graph: Graph) -> bool:
    """Return whether cycles are errors: in 2.x graphs, unless the configuration lowers them."""
    levels = {setting.code.text: setting.level for setting in graph.config.rules}
    return graph.edition.refuses_on_any_error and levels.get(CYCLE, Level.ERROR) is Level.ERROR


def setting_faults(rules: Sequence[Rule[Any]], config: Config) -> Iterator[Finding]:
    """Yield a finding for each setting that names no rule, or lowers an error."""
    known = {rule.code: rule for rule in rules}
    for setting in config.rules:
        code = setting.code
        rule = known.get(code.text)
        place = Place(config.file, code.line, code.column)
        if rule is None:
            advice = did_you_mean(_nearest_code(rules, code.text)) or "'yg explain' lists them."
            message = f"'rules' names '{code}', which is not a rule of this graph"
            yield Finding("yg-config.yaml", message, place, (advice,))
        elif not _may_have(rule, setting.level):
            message = f"'rules' cannot set {code} ({rule.name}) to '{setting.level}'"
            advice = (
                "Packages would be unreliable: of the errors, only "
                f"{' and '.join(LOWERABLE)} can be lowered. Every warning can be set."
            )
            yield Finding("yg-config.yaml", message, place, (advice,))


def _nearest_code(rules: Sequence[Rule[Any]], text: str) -> Sequence[str]:
    """Return the code with the nearest number, or the code of the rule with the nearest name."""
    letter, digits = text[:1].upper(), text[1:5]
    alike = [rule.code for rule in rules if rule.code.startswith(letter)]
    if alike and digits.isascii() and digits.isdigit():
        return [min(alike, key=lambda code: abs(int(code[1:]) - int(digits)))]
    codes = {rule.name: rule.code for rule in rules}
    return [codes[name] for name in nearest(text, codes)[:1]]
