"""The forms of `yg check-docs`: text, GitHub workflow commands, SARIF and JUnit XML."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from yg_old.commands.check_docs.documents import ReferenceKind
from yg_old.commands.validate.ci import junit_case, junit_log, workflow_command
from yg_old.commands.validate.sarif import sarif_location, sarif_log
from yg_old.kernel.document import json_text
from yg_old.kernel.palette import visible
from yg_old.text.plural import counted

if TYPE_CHECKING:
    from yg_old.commands.check_docs.documents import CheckedDocs, DocFinding
    from yg_old.kernel.palette import Palette

TITLES = {
    ReferenceKind.LINK: "A link leads nowhere",
    ReferenceKind.PATH: "A path does not exist any more",
    ReferenceKind.HEADING: "A link names a heading that does not exist",
    ReferenceKind.NAME: "A name is not in the code any more",
    ReferenceKind.COMMAND: "A command is not defined",
}
HELP = "Correct the document, or put <!-- yg-ignore --> on the line if it is right."


def docs_text(checked: CheckedDocs, palette: Palette) -> str:
    """Write a line for each finding, then how many there are."""
    lines = [_line(finding, palette) for finding in checked.findings]
    documents = f"{counted(checked.documents, 'document')} checked."
    if not lines:
        return f"No stale references found. {documents}\n"
    fixed = sum(finding.fixed for finding in checked.findings)
    left = len(lines) - fixed
    counts = [counted(left, "stale reference")] if left or not fixed else []
    counts += [f"{fixed} fixed"] if fixed else []
    return "".join(f"{line}\n" for line in lines) + f"\n{', '.join(counts)}. {documents}\n"


def _line(finding: DocFinding, palette: Palette) -> str:
    place = palette.bold(visible(f"{finding.file}:{finding.line}"))
    prefix = "fixed: " if finding.fixed else ""
    return f"{place}: {prefix}{visible(finding.message)}"


def docs_github(checked: CheckedDocs, _palette: Palette) -> str:
    """Write a workflow command for each finding, which GitHub shows next to the line."""
    return "".join(
        workflow_command(
            "error",
            "",
            finding.file,
            finding.line,
            finding.column,
            title=f"yg check-docs: {finding.kind}",
            text=f"{finding.message}.",
        )
        for finding in checked.findings
        if not finding.fixed
    )


def docs_sarif(checked: CheckedDocs, _palette: Palette) -> str:
    """Write the findings as one SARIF run, with a rule for each kind of reference."""
    order = tuple(ReferenceKind)
    rules = [
        {
            "id": f"check-docs/{kind}",
            "shortDescription": {"text": TITLES[kind]},
            "help": {"text": HELP},
            "defaultConfiguration": {"level": "error"},
        }
        for kind in order
    ]
    results = [
        {
            "ruleId": f"check-docs/{finding.kind}",
            "ruleIndex": order.index(finding.kind),
            "level": "error",
            "message": {"text": f"{finding.message}."},
            "locations": [
                {"physicalLocation": sarif_location(finding.file, finding.line, "", finding.column)}
            ],
            "partialFingerprints": {"yg/v1": _fingerprint(finding)},
        }
        for finding in checked.findings
        if not finding.fixed
    ]
    return json_text(sarif_log(rules, results))


def _fingerprint(finding: DocFinding) -> str:
    """Hash a finding without its line, so that the result survives other edits."""
    parts = (finding.kind, finding.file, finding.reference)
    return sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def docs_junit(checked: CheckedDocs, _palette: Palette) -> str:
    """Write a test case for each kind of reference; findings are failures."""
    cases = []
    for kind in ReferenceKind:
        found = [one for one in checked.findings if one.kind is kind and not one.fixed]
        lines = [f"{one.file}:{one.line}: {one.message}." for one in found]
        cases.append(junit_case("yg.check-docs", f"{kind} {TITLES[kind]}", lines))
    failures = sum("<failure" in case for case in cases)
    return junit_log("yg check-docs", cases, failures=failures)
