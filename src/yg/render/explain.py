"""Rules as manual pages: for a terminal, as one Markdown page, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel.issue import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.kernel.rule import Rule
    from yg.render.plain import Palette

OPENING = """\
# Rules

What `yg validate` checks. Errors stop packages from being built; warnings tell what would make
them better. Codes from 101 on are those of Spec Graphs, whose contexts are built in any case and
tell what is missing. `yg explain CODE` prints the same pages. This file is written by
`yg explain --format markdown > docs/rules.md`.
"""


def rule_page(each: Rule[Any], palette: Palette) -> str:
    """Write the page of one rule."""
    parts = [f"{_code(each, palette)} {palette.bold(each.name)} ({each.severity})", each.summary]
    if each.details:
        parts.append(each.details)
    parts += [f"{palette.bold('Why:')} {each.why}", f"{palette.bold('Fix:')} {each.fix}"]
    example = "".join(f"\n    {line}".rstrip(" ") for line in each.example)
    parts.append(f"{palette.bold('Example:')}{example}")
    return "\n\n".join(parts) + "\n"


def rule_list(rules: Iterable[Rule[Any]], palette: Palette) -> str:
    """Write a line for each rule."""
    return "".join(f"{_code(each, palette)}  {each.name:<34}{each.summary}\n" for each in rules)


def _code(each: Rule[Any], palette: Palette) -> str:
    return (palette.red if each.severity is Severity.ERROR else palette.yellow)(each.code)


def rules_markdown(rules: Iterable[Rule[Any]]) -> str:
    """Write all pages as one Markdown document."""
    return "\n".join([OPENING, *(_markdown_page(each) for each in rules)])


def _markdown_page(each: Rule[Any]) -> str:
    example = "\n".join(["```yaml", *each.example, "```"])
    parts = [f"## {each.code} {each.name}", f"*{each.severity.capitalize()}.* {each.summary}"]
    if each.details:
        parts.append(each.details)
    parts += [f"**Why:** {each.why}", f"**Fix:** {each.fix}", example]
    return "\n\n".join(parts) + "\n"


def rule_data(each: Rule[Any]) -> dict[str, Any]:
    """Return one rule as plain data."""
    return {
        "code": each.code,
        "name": each.name,
        "severity": each.severity.value,
        "summary": each.summary,
        "details": each.details,
        "why": each.why,
        "fix": each.fix,
        "example": "\n".join(each.example),
    }
