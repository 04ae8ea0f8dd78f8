"""Manual pages of rules: for a terminal, as Markdown, as data."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from schemas import faults_in
from yg.commands.explain import Manual, every_rule, explained, rule_list, rule_page, rules_markdown
from yg.kernel.document import plain
from yg.kernel.issue import Level, Severity
from yg.kernel.palette import PLAIN, Palette
from yg.kernel.rule import Rule
from yg.yggdrasil.rules.survey import Survey

PAGE = """\
Every tree stands upright.

Trees in pots
are left alone.

Why: a tree that lies
shades nobody.
Fix: plant it again.
Example:
    trees:
      - oak    # E099: it lies

    done: true"""
RULE: Rule[object] = Rule(
    "E099", "fallen-tree", Severity.ERROR, PAGE, lambda _: (), Level.ERROR, "Fallen tree"
)
SHORT: Rule[object] = Rule(
    "W099",
    "bare-tree",
    Severity.WARNING,
    "It has leaves.\n\nWhy: W.\nFix: F.\nExample:\n    e",
    lambda _: (),
    Level.WARNING,
    "Bare tree",
)

EVERY_RULE = every_rule()


def manual(rule: Rule[Any]) -> Manual:
    return Manual(rules=(explained(rule),), pages=(rule,), here=(rule,), is_list=False)


def test_a_page_has_its_parts_as_paragraphs_and_its_example_as_it_is() -> None:
    assert (
        rule_page(RULE, PLAIN)
        == """\
E099 fallen-tree (error)

Every tree stands upright.

Trees in pots are left alone.

Why: A tree that lies shades nobody.

Fix: Plant it again.

Example:
    trees:
      - oak    # E099: it lies

    done: true
"""
    )


def test_a_page_without_details_leaves_them_out() -> None:
    assert (
        rule_page(SHORT, PLAIN)
        == """\
W099 bare-tree (warning)

It has leaves.

Why: W.

Fix: F.

Example:
    e
"""
    )


def test_a_page_on_a_terminal_marks_code_name_and_labels() -> None:
    page = rule_page(RULE, Palette(is_on=True))
    assert page.startswith("\x1b[31;1mE099\x1b[0m \x1b[1mfallen-tree\x1b[0m (error)\n")
    assert "\n\x1b[1mWhy:\x1b[0m A tree" in page
    assert rule_page(SHORT, Palette(is_on=True)).startswith("\x1b[33;1mW099\x1b[0m ")


def test_the_list_has_a_line_for_each_rule_with_summaries_below_one_another() -> None:
    lines = rule_list(EVERY_RULE, PLAIN).rstrip("\n").split("\n")
    assert len(lines) == len(EVERY_RULE)
    for line, rule in zip(lines, EVERY_RULE, strict=True):
        assert line.split() == [rule.code, rule.name, *rule.summary.split()]
    starts = {line.index(rule.summary) for line, rule in zip(lines, EVERY_RULE, strict=True)}
    assert len(starts) == 1


def test_markdown_has_a_section_for_each_rule() -> None:
    text = rules_markdown([RULE, SHORT])
    assert text.startswith("# Rules\n\n")
    assert (
        text[text.index("## E099") :]
        == """\
## E099 fallen-tree

*Error.* Every tree stands upright.

Trees in pots are left alone.

**Why:** A tree that lies shades nobody.

**Fix:** Plant it again.

```yaml
trees:
  - oak    # E099: it lies

done: true
```

## W099 bare-tree

*Warning.* It has leaves.

**Why:** W.

**Fix:** F.

```yaml
e
```
"""
    )


@pytest.mark.parametrize(
    ("level", "text"),
    [
        (Level.ERROR, "error"),
        (Level.WARNING, "warning here; error by default"),
        (Level.OFF, "off here; error by default"),
    ],
)
def test_a_level_that_the_configuration_sets_is_shown(level: Level, text: str) -> None:
    rule = replace(RULE, level=level)
    assert rule_page(rule, PLAIN).startswith(f"E099 fallen-tree ({text})\n")
    end = "" if level is Level.ERROR else f" ({text})"
    assert rule_list([rule], PLAIN).endswith(f"Every tree stands upright.{end}\n")
    page = explained(rule)
    assert (page.severity, page.level) == (Severity.ERROR, level)


def test_data_has_every_part_of_a_page() -> None:
    assert to_builtins(explained(RULE)) == {
        "code": "E099",
        "name": "fallen-tree",
        "severity": "error",
        "level": "error",
        "summary": "Every tree stands upright.",
        "details": "Trees in pots are left alone.",
        "why": "A tree that lies shades nobody.",
        "fix": "Plant it again.",
        "example": "trees:\n  - oak    # E099: it lies\n\ndone: true",
    }


@pytest.mark.parametrize("rule", EVERY_RULE, ids=lambda rule: str(rule.code))
def test_data_of_every_rule_follows_its_schema(rule: Rule[Survey]) -> None:
    assert faults_in(plain(manual(rule))) == []


@pytest.mark.parametrize("rule", EVERY_RULE, ids=lambda rule: str(rule.code))
def test_the_page_and_the_data_of_a_rule_say_the_same(rule: Rule[Survey]) -> None:
    (data,) = plain(manual(rule))["rules"]
    page = " ".join(rule_page(rule, PLAIN).split())
    for part in ("summary", "details", "why", "fix", "example"):
        assert " ".join(data[part].split()) in page
