"""Render a verdict as SARIF 2.1.0, for code scanning services."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from yg_old.kernel.document import json_text
from yg_old.kernel.issue import Level
from yg_old.text import paths
from yg_old.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.kernel.issue import Issue
    from yg_old.kernel.rule import Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(issues: Sequence[Issue], rules: Sequence[Rule[Any]], prefix: str = "") -> str:
    """Write issues as one SARIF run that describes every rule.

    `prefix` is the path from the root of the git repository to the directory of the graph.
    """
    index = {rule.code: number for number, rule in enumerate(rules)}
    occurrences: Counter[str] = Counter()
    results = []
    for issue in issues:
        fingerprint = _fingerprint(issue)
        occurrences[fingerprint] += 1
        place = issue.place
        location = sarif_location(place.file, place.line, prefix, place.column)
        number = occurrences[fingerprint]
        results.append(_result(issue, index[issue.code], f"{fingerprint}/{number}", location))
    return json_text(sarif_log([_rule(rule) for rule in rules], results))


def sarif_log(rules: list[dict[str, Any]], results: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a log of one run with its rules and results."""
    run = {
        "tool": {"driver": {"name": "yg", "version": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The repository's root."}}},
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule[Any]) -> dict[str, Any]:
    text = f"{rule.why} {rule.fix}"
    markdown = f"**Why:** {rule.why}\n\n**Fix:** {rule.fix}"
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": " ".join(filter(None, (rule.summary, rule.details)))},
        "help": {"text": text, "markdown": markdown},
        "defaultConfiguration": _level(rule),
    }


def _level(rule: Rule[Any]) -> dict[str, Any]:
    if rule.level is Level.OFF:
        return {"enabled": False, "level": rule.severity.value}
    return {"level": rule.level.value}


def _result(issue: Issue, index: int, fingerprint: str, location: dict[str, Any]) -> dict[str, Any]:
    text = "\n".join([f"{issue.subject} -> {issue.message}.", *issue.guidance])
    return {
        "ruleId": issue.code,
        "ruleIndex": index,
        "level": issue.severity.value,
        "message": {"text": text},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"yg/v1": fingerprint},
    }


def sarif_location(file: str, line: int, prefix: str, column: int = 0) -> dict[str, Any]:
    """Return the physical location of a line of a file."""
    uri = quote(paths.join(prefix, file).encode("utf-8", "surrogateescape"))
    region = {"startLine": line or 1, "startColumn": column or 1}
    return {"artifactLocation": {"uri": uri, "uriBaseId": "SRCROOT"}, "region": region}


def _fingerprint(issue: Issue) -> str:
    """Hash an issue without its line and its numbers, so that the result survives other edits."""
    return sha256("\n".join(issue.identity).encode("utf-8", "surrogateescape")).hexdigest()[:32]
