"""The levels of rules: what `rules` in the configuration may set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel.issue import Finding, Level, Place
from yg.text.suggest import did_you_mean, nearest
from yg.yggdrasil.model import CONFIG_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.kernel.issue import Located
    from yg.kernel.rule import Rule
    from yg.yggdrasil.config import Config, RuleLevel
    from yg.yggdrasil.graph import Graph

CYCLE = "E010"
LOWERABLE = (CYCLE,)  # errors that leave every package well defined
IMPORTS = ("W021", "W022")  # rules about imports, for which there is no check yet
GONE = (  # codes of rules that 0.3.0 had
    *("E022", "E023", "E024", "E026", "W015", "W017", "W023", "W024", "W025", "W026", "W029"),
    *("W030", "W031", "W032", "W034", "W035", "W036", "W038"),
)
REMOVED = "was removed in version 0.4.0 and has no effect"


def levels_of(config: Config) -> dict[str, Level]:
    """Return the levels that the configuration sets; invalid settings have no effect."""
    return {code: found.level for code, found in config.rules.items() if _is_allowed(found)}


def refuses_cycles(config: Config) -> bool:
    """Return whether cycles are errors, which they are unless the configuration lowers them."""
    return levels_of(config).get(CYCLE, Level.ERROR) is Level.ERROR


def _is_allowed(setting: RuleLevel) -> bool:
    is_error = setting.code.text.startswith("E")
    return not is_error or setting.level is Level.ERROR or setting.code.text in LOWERABLE


def setting_faults(rules: Sequence[Rule[Any]], graph: Graph) -> Iterator[Finding]:
    """Yield a finding for each setting that names no rule, or lowers an error."""
    known = {rule.code: rule for rule in rules}
    for code, setting in graph.config.rules.items():
        if code in known and not _is_allowed(setting):
            message = f"'rules' cannot set {code} ({known[code].name}) to '{setting.level}'"
            advice = (
                "Packages would be unreliable: of the errors, only "
                f"{' and '.join(LOWERABLE)} can be lowered. Every warning can be set."
            )
            yield _finding(graph, setting, message, advice)
        elif code not in known and code not in GONE and code not in IMPORTS:
            message = f"'rules' names '{code}', which is not a rule of this graph"
            advice = did_you_mean(_nearest_code(rules, code)) or "'yg explain' lists them."
            yield _finding(graph, setting, message, advice)


def gone_settings(graph: Graph) -> Iterator[Finding]:
    """Yield a finding for each setting that names a rule of an earlier version."""
    for code, setting in graph.config.rules.items():
        if code in GONE:
            message = f"'rules' names '{code}', which is not a rule any more"
            yield _finding(graph, setting, message, f"The rule {REMOVED}.")


def _finding(graph: Graph, setting: RuleLevel, message: str, advice: str) -> Finding:
    return Finding(CONFIG_FILE, message, config_place(graph, setting.code), (advice,))


def config_place(graph: Graph, word: Located) -> Place:
    """Return the position of a text in the configuration."""
    return Place(f"{graph.folder}/{CONFIG_FILE}", word.line, word.column)


def _nearest_code(rules: Sequence[Rule[Any]], text: str) -> Sequence[str]:
    """Return the code with the nearest number, or the code of the rule with the nearest name."""
    letter, digits = text[:1].upper(), text[1:5]
    alike = [rule.code for rule in rules if rule.code.startswith(letter)]
    if alike and digits.isascii() and digits.isdigit():
        return [min(alike, key=lambda code: abs(int(code[1:]) - int(digits)))]
    codes = {rule.name: rule.code for rule in rules}
    return [codes[name] for name in nearest(text, codes)[:1]]
