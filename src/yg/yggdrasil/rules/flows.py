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
    """Every flow has a `description.md` with all the sections of a process.

    The sections are Business context, Trigger, Goal, Participants, Paths with at least the
    subsection Happy path, and Invariants across all paths.

    Why: participants see only this text of the process; what it leaves out they have to guess.
    Fix: write the missing sections.
    Example:
        ## Paths
        ### Payment failed    # W015: there is no '### Happy path'
    """
    for flow in survey.flows:
        subject = f"flows/{flow.id}"
        file = f"{flow.directory}/{DESCRIPTION_FILE}"
        if DESCRIPTION_FILE not in flow.files:
            advice = ("Tell there why the process exists, what starts it, and how it can end.",)
            yield Finding(subject, f"has no {DESCRIPTION_FILE}", Place(flow.file), advice)
            continue
        try:
            text = survey.graph.snapshot.text(file).value
        except UnreadableError:
            continue  # E021 tells of it
        missing = _missing_sections(text)
        if missing:
            message = f"{DESCRIPTION_FILE} lacks {', '.join(repr(each) for each in missing)}"
            yield Finding(subject, message, Place(file))


def _missing_sections(text: str) -> list[str]:
    """Return the required headings that a description lacks; Happy path has to be below Paths."""
    found: set[str] = set()
    section = ""
    for line in text.split("\n"):
        heading = " ".join(line.strip().rstrip("#").split()).casefold()
        if heading.startswith("## "):
            section = heading
        is_misplaced = heading == HAPPY_PATH.casefold() and section != PATHS.casefold()
        if not is_misplaced:
            found.add(heading)
    return [each for each in REQUIRED_SECTIONS if each.casefold() not in found]
