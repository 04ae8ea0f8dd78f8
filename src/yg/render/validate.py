"""Render a verdict as text, data, GitHub workflow commands and JUnit XML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel import paths
from yg.kernel.escapes import escape_controls
from yg.kernel.issue import Severity
from yg.render.issues import issue_data, issue_text, place_text
from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.kernel.issue import Issue, Verdict
    from yg.kernel.rule import Rule
    from yg.render.plain import Palette
    from yg.render.shapes.validate import ValidateDocument


def verdict_text(verdict: Verdict, palette: Palette) -> str:
    """Write all issues, errors first, and their number."""
    if not verdict.issues:
        return f"No issues found. {verdict.nodes} nodes checked.\n"
    issues = "".join(issue_text(issue, palette) for issue in verdict.issues)
    return f"{issues}\n{counts_text(verdict)}\n"


def counts_text(verdict: Verdict) -> str:
    """Write the number of errors and warnings."""
    return f"{verdict.errors} errors, {verdict.warnings} warnings"


def verdict_data(verdict: Verdict) -> ValidateDocument:
    """Return a verdict as data."""
    from yg.render.shapes.validate import ValidateDocument

    return ValidateDocument(
        scope=verdict.scope or "all",
        nodes=verdict.nodes,
        errors=verdict.errors,
        warnings=verdict.warnings,
        issues=[issue_data(issue) for issue in verdict.issues],
    )


def verdict_github(verdict: Verdict, prefix: str = "") -> str:
    """Write a workflow command for each issue, which GitHub shows next to the line.

    `prefix` is the path from the root of the git repository to the directory of the graph.
    """
    return "".join(_workflow_command(issue, prefix) for issue in verdict.issues)


def _workflow_command(issue: Issue, prefix: str) -> str:
    place = issue.place
    fields = [("file", paths.join(prefix, place.file))]
    if place.line:
        fields += [("line", str(place.line)), ("col", str(place.column))]
    fields.append(("title", f"{issue.code} {issue.name}"))
    settings = ",".join(f"{key}={_github_value(value)}" for key, value in fields)
    text = "\n".join([f"{issue.subject} -> {issue.message}.", *issue.advice])
    return f"::{issue.severity} {settings}::{_github_text(text)}\n"


def _github_text(text: str) -> str:
    return escape_controls(text).replace("%", "%25").replace("\n", "%0A")


def _github_value(text: str) -> str:
    return _github_text(text).replace(":", "%3A").replace(",", "%2C")


def verdict_junit(verdict: Verdict, rules: Sequence[Rule[Any]]) -> str:
    """Write a test case for each rule: errors are failures, warnings are output."""
    by_code: dict[str, list[Issue]] = {}
    for issue in verdict.issues:
        by_code.setdefault(issue.code, []).append(issue)
    failures = sum(rule.severity is Severity.ERROR and rule.code in by_code for rule in rules)
    cases = "".join(_case(rule, by_code.get(rule.code, [])) for rule in rules)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="yg validate" tests="{len(rules)}" failures="{failures}">\n'
        f'  <testsuite name="yg validate" tests="{len(rules)}" failures="{failures}">\n'
        f"{cases}  </testsuite>\n</testsuites>\n"
    )


def _case(rule: Rule[Any], issues: Sequence[Issue]) -> str:
    opening = f'    <testcase classname="yg.validate" name={_quoted(f"{rule.code} {rule.name}")}'
    if not issues:
        return f"{opening}/>\n"
    lines = [
        line
        for issue in issues
        for line in (
            f"{place_text(issue.place)}: {issue.subject} -> {issue.message}.",
            *(f"  {advice}" for advice in issue.advice),
        )
    ]
    text = "\n".join(_xml_text(visible(line)) for line in lines)
    tag = "failure" if rule.severity is Severity.ERROR else "system-out"
    message = f" message={_quoted(rule.summary)}" if tag == "failure" else ""
    return f"{opening}>\n      <{tag}{message}>{text}</{tag}>\n    </testcase>\n"


def _xml_text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _quoted(text: str) -> str:
    return f'"{_xml_text(visible(text)).replace(chr(34), "&quot;")}"'
