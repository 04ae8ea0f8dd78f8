"""Rules about flows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.codec import Codec, Recipe
from yg_old.kernel.issue import Finding, Place, Severity
from yg_old.kernel.rule import rule
from yg_old.yggdrasil.model import DESCRIPTION_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.yggdrasil.rules.survey import Survey

HAPPY_PATH = "### Happy path"
_HAPPY = "happy path"  # in any heading
REQUIRED_SECTIONS = (
    "## Business context",
    "## Trigger",
    "## Goal",
    "## Participants",
    "## Paths",
    HAPPY_PATH,
    "## Invariants across all paths",
)


@rule("W015", "flow-description", Severity.WARNING, title="Incomplete flow description")
def flow_description(survey: Survey) -> Iterator[Finding]:
    """Every flow has a `description.md` with all required sections.

    The sections are Business context, Trigger, Goal, Participants, Paths, one whose heading
    contains "happy path", and Invariants across all paths. Their headings may have any level.

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
        description = survey.graph.snapshot.text(file)
        if description.binary_size or description.fault:
            continue  # reported by W027 or E021
        missing = description.made(MISSING_SECTIONS)
        if missing:
            message = f"{DESCRIPTION_FILE} lacks {', '.join(repr(heading) for heading in missing)}"
            yield Finding(subject, message, Place(file))


def _missing_sections(text: str) -> tuple[str, ...]:
    """Return the missing required headings."""
    found: set[str] = set()
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped.startswith("#"):
            heading = _title(stripped)
            found.add(_HAPPY if _HAPPY in heading else heading)
    return tuple(required for required in REQUIRED_SECTIONS if _title(required) not in found)


def _title(heading: str) -> str:
    """Return the words of a heading, whatever its level."""
    return " ".join(heading.strip("#").split()).casefold()


MISSING_SECTIONS: Recipe[tuple[str, ...]] = Recipe(
    "missing-sections", _missing_sections, Codec(tuple[str, ...])
)
