"""Write a verdict for CI services: GitHub workflow commands and JUnit XML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg_old.commands.issues import place_text
from yg_old.kernel.issue import Level
from yg_old.kernel.palette import visible
from yg_old.text import paths
from yg_old.text.escapes import escape_bytes, escape_controls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.kernel.issue import Issue, Verdict
    from yg_old.kernel.rule import Rule


def verdict_github(verdict: Verdict, prefix: str = "") -> str:
    """Write a workflow command for each issue, which GitHub shows next to the line.

    `prefix` is the path from the root of the git repository to the directory of the graph.
    """
    return "".join(_workflow_command(issue, prefix) for issue in verdict.issues)


def _workflow_command(issue: Issue, prefix: str) -> str:
    place = issue.place
    text = "\n".join([f"{issue.subject} -> {issue.message}.", *issue.guidance])
    title = f"{issue.code} {issue.name}"
    return workflow_command(
        issue.severity, prefix, place.file, place.line, place.column, title=title, text=text
    )


def workflow_command(  # noqa: PLR0913
    level: str, prefix: str, file: str, line: int, column: int = 0, *, title: str, text: str
) -> str:
    """Write a workflow command: error, warning or notice, with its place and title."""
    fields = [("file", paths.join(prefix, file))]
    if line:
        fields.append(("line", str(line)))
        fields += [("col", str(column))] if column else []
    fields.append(("title", title))
    settings = ",".join(f"{key}={_github_value(value)}" for key, value in fields)
    return f"::{level} {settings}::{_github_text(text)}\n"


def _github_text(text: str) -> str:
    return escape_bytes(escape_controls(text)).replace("%", "%25").replace("\n", "%0A")


def _github_value(text: str) -> str:
    return _github_text(text).replace(":", "%3A").replace(",", "%2C")


def verdict_junit(verdict: Verdict, rules: Sequence[Rule[Any]]) -> str:
    """Write a test case for each rule: errors are failures, warnings are output."""
    by_code: dict[str, list[Issue]] = {}
    for issue in verdict.issues:
        by_code.setdefault(issue.code, []).append(issue)
    failures = sum(rule.level is Level.ERROR and rule.code in by_code for rule in rules)
    off = sum(rule.level is Level.OFF for rule in rules)
    cases = [_case(rule, by_code.get(rule.code, [])) for rule in rules]
    return junit_log("yg validate", cases, failures=failures, skipped=off)


def junit_log(name: str, cases: Sequence[str], *, failures: int, skipped: int = 0) -> str:
    """Write test cases as one suite."""
    counts = f'tests="{len(cases)}" failures="{failures}"'
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="{name}" {counts}>\n'
        f'  <testsuite name="{name}" {counts} skipped="{skipped}">\n'
        f"{''.join(cases)}  </testsuite>\n</testsuites>\n"
    )


def _case(rule: Rule[Any], issues: Sequence[Issue]) -> str:
    name = f"{rule.code} {rule.name}"
    if rule.level is Level.OFF:
        opening = f'    <testcase classname="yg.validate" name={_quoted(name)}'
        return f'{opening}>\n      <skipped message="off in the configuration"/>\n    </testcase>\n'
    lines = [
        line
        for issue in issues
        for line in (
            f"{place_text(issue.place)}: {issue.subject} -> {issue.message}.",
            *(f"  {advice}" for advice in issue.guidance),
        )
    ]
    titles = [f"{issue.subject} -> {issue.message}." for issue in issues]
    is_failure = rule.level is Level.ERROR
    return junit_case("yg.validate", name, lines, titles, is_failure=is_failure)


def junit_case(
    group: str,
    name: str,
    lines: Sequence[str],
    titles: Sequence[str] = (),
    *,
    is_failure: bool = True,
) -> str:
    """Write a test case; its lines make it fail, or are output. Titles default to the lines."""
    opening = f'    <testcase classname="{group}" name={_quoted(name)}'
    if not lines:
        return f"{opening}/>\n"
    titles = titles or lines
    rest = f" And {len(titles) - 1} more." if len(titles) > 1 else ""
    text = "\n".join(_xml_text(visible(line)) for line in lines)
    tag = "failure" if is_failure else "system-out"
    message = f" message={_quoted(f'{titles[0]}{rest}')}" if is_failure else ""
    return f"{opening}>\n      <{tag}{message}>{text}</{tag}>\n    </testcase>\n"


def _xml_text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _quoted(text: str) -> str:
    return f'"{_xml_text(visible(text)).replace(chr(34), "&quot;")}"'
