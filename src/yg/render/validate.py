"""A verdict as text, as data, as GitHub workflow commands and as JUnit XML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel import paths
from yg.kernel.escapes import escape_controls
from yg.kernel.issue import Severity
from yg.render.issues import issue_data, issue_text, place_text
from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.kernel.issue import Issue
    from yg.kernel.rule import Rule
    from yg.kernel.verdict import Verdict
    from yg.render.plain import Palette


def verdict_text(verdict: Verdict, palette: Palette) -> str:
    """Write every issue, errors first, and how many there are."""
    if not verdict.issues:
        return f"No issues found. {verdict.nodes} nodes checked.\n"
    issues = "".join(issue_text(issue, palette) for issue in verdict.issues)
    return f"{issues}\n{counts_text(verdict)}\n"


def counts_text(verdict: Verdict) -> str:
    """Count errors and warnings."""
    return f"{verdict.errors} errors, {verdict.warnings} warnings"


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as plain data."""
    return {
        "scope": verdict.scope or "all",
        "nodes": verdict.nodes,
        "errors": verdict.errors,
        "warnings": verdict.warnings,
        "issues": [issue_data(issue) for issue in verdict.issues],
    }


def verdict_github(verdict: Verdict, prefix: str = "") -> str:
    """Write a workflow command for each issue, which GitHub shows beside the line.

    `prefix` is where the graph's repository lies below the root of the git repository.
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
    """Write one test case for each rule; errors make it fail, warnings are its output."""
    by_code: dict[str, list[Issue]] = {}
    for issue in verdict.issues:
        by_code.setdefault(issue.code, []).append(issue)
    failures = sum(each.severity is Severity.ERROR and each.code in by_code for each in rules)
    cases = "".join(_case(each, by_code.get(each.code, [])) for each in rules)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="yg validate" tests="{len(rules)}" failures="{failures}">\n'
        f'  <testsuite name="yg validate" tests="{len(rules)}" failures="{failures}">\n'
        f"{cases}  </testsuite>\n</testsuites>\n"
    )


def _case(each: Rule[Any], issues: Sequence[Issue]) -> str:
    opening = f'    <testcase classname="yg.validate" name={_quoted(f"{each.code} {each.name}")}'
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
    tag = "failure" if each.severity is Severity.ERROR else "system-out"
    message = f" message={_quoted(each.summary)}" if tag == "failure" else ""
    return f"{opening}>\n      <{tag}{message}>{text}</{tag}>\n    </testcase>\n"


def _xml_text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _quoted(text: str) -> str:
    return f'"{_xml_text(visible(text)).replace(chr(34), "&quot;")}"'
