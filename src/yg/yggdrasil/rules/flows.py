"""Rules about flows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.errors import UnreadableError
from yg.kernel.issue import Finding, Place, Severity
from yg.kernel.rule import rule
from yg.yggdrasil.model import DESCRIPTION_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.survey import Survey

PATHS, HAPPY_PATH = "## Paths", "### Happy path"
REQUIRED_SECTIONS = (
    "## Business context",
    "## Trigger",
    "## Goal",
    "## Participants",
    PATHS,
    HAPPY_PATH,
    "## Invariants across all paths",
)


@rule("W015", "flow-description", Severity.WARNING)
def flow_description(survey: Survey) -> Iterator[Finding]:
    """Every flow has a `description.md` with all required sections.

    The sections are Business context, Trigger, Goal, Participants, Paths (with a subsection Happy
    path) and Invariants across all paths.

    Why: this text is all that the packages of the participants say about the process.
    Fix: add the missing sections.
    Example:
        ## Paths
        ### Payment failed    # W015: '### Happy path' is missing
    """
    for flow in survey.flows:
        subject = f"flows/{flow.id}"
        file = f"{flow.directory}/{DESCRIPTION_FILE}"
        if DESCRIPTION_FILE not in flow.files:
            advice = ("Describe why the process exists, what starts it, and how it can end.",)
            yield Finding(subject, f"has no {DESCRIPTION_FILE}", Place(flow.file), advice)
            continue
        try:
            text = survey.graph.snapshot.text(file).value
        except UnreadableError:
            continue  # reported by E021
        missing = _missing_sections(text)
        if missing:
            message = f"{DESCRIPTION_FILE} lacks {', '.join(repr(heading) for heading in missing)}"
            yield Finding(subject, message, Place(file))


def _missing_sections(text: str) -> list[str]:
    """Return the missing required headings; Happy path must be in the section Paths."""
    found: set[str] = set()
    section = ""
    for line in text.split("\n"):
        heading = " ".join(line.strip().rstrip("#").split()).casefold()
        if heading.startswith("## "):
            section = heading
        is_misplaced = heading == HAPPY_PATH.casefold() and section != PATHS.casefold()
        if not is_misplaced:
            found.add(heading)
    return [required for required in REQUIRED_SECTIONS if required.casefold() not in found]
