"""Issues for CI services: SARIF 2.1.0, and GitHub workflow commands.

`prefix` is the path from the root of the git repository to the directory of the graph.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from yg.commands.command import json_text
from yg.kernel.issue import Level
from yg.text import paths
from yg.text.escapes import escape_bytes, escape_controls
from yg.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from yg.kernel.issue import Issue
    from yg.kernel.rule import Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(
    issues: Sequence[Issue], rules: Sequence[Rule[Any]], levels: Mapping[str, Level], prefix: str
) -> str:
    """Write issues as one SARIF run that describes every rule.

    `levels` has the levels that the configuration sets.
    """
    index = {rule.code: number for number, rule in enumerate(rules)}
    occurrences: Counter[str] = Counter()
    results = []
    for issue in issues:
        fingerprint = _fingerprint(issue)
        occurrences[fingerprint] += 1
        number = f"{fingerprint}/{occurrences[fingerprint]}"
        results.append(_result(issue, index[issue.code], number, prefix))
    described = [_rule(rule, levels.get(rule.code)) for rule in rules]
    run = {
        "tool": {"driver": {"name": "yg", "version": __version__, "rules": described}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The repository's root."}}},
        "results": results,
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule: Rule[Any], level: Level | None) -> dict[str, Any]:
    is_off = level is Level.OFF
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": " ".join(filter(None, (rule.summary, rule.details)))},
        "help": {
            "text": f"{rule.why} {rule.fix}",
            "markdown": f"**Why:** {rule.why}\n\n**Fix:** {rule.fix}",
        },
        "defaultConfiguration": {
            **({"enabled": False} if is_off else {}),
            "level": rule.severity.value if level is None or is_off else level.value,
        },
    }


def _result(issue: Issue, index: int, fingerprint: str, prefix: str) -> dict[str, Any]:
    uri = quote(paths.join(prefix, issue.file).encode("utf-8", "surrogateescape"))
    location = {
        "artifactLocation": {"uri": uri, "uriBaseId": "SRCROOT"},
        "region": {"startLine": issue.line or 1, "startColumn": issue.column or 1},
    }
    return {
        "ruleId": issue.code,
        "ruleIndex": index,
        "level": issue.severity.value,
        "message": {"text": _text(issue)},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"yg/v1": fingerprint},
    }


def _text(issue: Issue) -> str:
    return "\n".join([f"{issue.subject} -> {issue.message}.", *issue.guidance])


def _fingerprint(issue: Issue) -> str:
    """Hash an issue without its line and its numbers, so that the result survives other edits."""
    return sha256("\n".join(issue.identity).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def github(issues: Iterable[Issue], prefix: str) -> str:
    """Write a workflow command for each issue, which GitHub shows next to the line."""
    return "".join(_workflow_command(issue, prefix) for issue in issues)


def _workflow_command(issue: Issue, prefix: str) -> str:
    fields = {
        "file": paths.join(prefix, issue.file),
        "line": issue.line,
        "col": issue.column,
        "title": f"{issue.code} {issue.rule}",
    }
    settings = ",".join(
        f"{key}={_property(str(value))}" for key, value in fields.items() if value is not None
    )
    return f"::{issue.severity} {settings}::{_data(_text(issue))}\n"


def _data(text: str) -> str:
    """Escape the message of a workflow command."""
    return escape_bytes(escape_controls(text)).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape a property of a workflow command."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
