"""What `yg check-docs` answers with."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from yg_old.kernel.document import Count, Document, File, Positive, Record, Text, Texts, about


class ReferenceKind(StrEnum):
    """What a reference that is not true refers to."""

    LINK = "link"
    PATH = "path"
    HEADING = "heading"
    NAME = "name"
    COMMAND = "command"


class DocFinding(Record, frozen=True, kw_only=True):
    """One reference that is not true any more."""

    HIDDEN = ("written", "replacement")

    kind: Annotated[ReferenceKind, about("What the reference refers to.")]
    file: File
    line: Annotated[Positive, about("The line, from 1.")]
    column: Annotated[Positive, about("The column, from 1.")]
    reference: Annotated[Text, about("The reference, as the document has it.")]
    message: Annotated[Text, about("What is wrong, without a final period.")]
    renamed_to: Annotated[
        Text | None, about("The present name of a path that git knows to be renamed; else null.")
    ] = None
    commit: Annotated[
        Text | None,
        about("The commit that last changed the line, for which the reference was true; or null."),
    ] = None
    rule: Annotated[
        Text | None, about("The rule of the graph that says so, for its texts; else null.")
    ] = None
    fixed: Annotated[bool, about("Whether it has been corrected.")] = False
    written: str = ""  # what a fix replaces, at the column
    replacement: str = ""  # by which a fix replaces it


class CheckedDocs(Document, frozen=True, kw_only=True, tag="yg-check-docs/1"):
    """What `yg check-docs --json` prints: references in documents that are not true any more."""

    HIDING = ("findings",)

    documents: Annotated[Count, about("How many documents were checked.")]
    lines: Annotated[Count, about("How many lines they have.")]
    findings: Annotated[tuple[DocFinding, ...], about("The references, by file and line.")]
    notes: Annotated[Texts, about("What could not be checked, and why.")]

    @property
    def exit_code(self) -> int:
        """Whether there are references that are not true."""
        return 1 if any(not finding.fixed for finding in self.findings) else 0
