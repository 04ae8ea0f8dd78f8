"""Issues: mistakes in a user's files, as values to collect, sort and show.

The cache stores these values: msgspec decodes them by their annotations, which are not postponed.
"""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

# Numbers that stand alone. Those in names, which are quoted or part of a word, tell things apart.
_NUMBER = re.compile(r"(?<!\w)('[^']*')|(?<![\w/.-])\d[\d.,]*(?!\w)")


class Located(Struct, frozen=True, array_like=True, gc=False):
    """A piece of text with the line and column, from 1, where it begins."""

    text: str
    line: int
    column: int

    def __str__(self) -> str:
        return self.text


class Place(Struct, frozen=True, array_like=True, gc=False):
    """A position in a file: line and column count from 1; 0 means the whole file."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        position = f":{self.line}:{self.column}" if self.line else ""
        return f"{self.file}{position}"


class Severity(StrEnum):
    """Errors prevent packages; warnings suggest improvements."""

    ERROR = "error"
    WARNING = "warning"


class Level(StrEnum):
    """The level of a rule: the severity of its issues, or off."""

    ERROR = "error"
    WARNING = "warning"
    OFF = "off"


class Finding(Struct, frozen=True, array_like=True, gc=False):
    """A violation found by a rule, without the rule's code and severity."""

    subject: str
    message: str
    place: Place
    advice: tuple[str, ...] = ()
    also: tuple[str, ...] = ()  # other subjects it concerns
    follows: Place | None = None  # where the problem is that causes this one


class Issue(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One problem in the files of the graph: what is wrong, where, and the fix."""

    code: Annotated[str, Meta(description="The code of the rule that found it.")]
    rule: Annotated[str, Meta(description="The name of that rule.")]
    severity: Annotated[Severity, Meta(description="Errors can block packages; warnings do not.")]
    subject: Annotated[str, Meta(description="The node, aspect, flow or file with the problem.")]
    message: Annotated[str, Meta(description="The problem, without a final period.")]
    file: Annotated[str, Meta(description="The file, relative to the root of the repository.")]
    line: Annotated[int | None, Meta(description="The line, from 1; null for the whole file.")]
    column: Annotated[int | None, Meta(description="The column, from 1; null for the whole file.")]
    advice: Annotated[tuple[str, ...], Meta(description="Suggestions, one per line.")]
    fix: Annotated[str, Meta(description="How to fix issues of this rule.")]
    also: Annotated[
        tuple[str, ...], Meta(description="Other nodes that it concerns; absent if none.")
    ] = ()
    follows: Annotated[
        Place | None, Meta(description="Where the problem is that causes it; absent if here.")
    ] = None

    @property
    def place(self) -> Place:
        """Where it is."""
        return Place(self.file, self.line or 0, self.column or 0)

    @property
    def guidance(self) -> tuple[str, ...]:
        """The advice on this issue or, without any, how to fix such issues."""
        return self.advice or ((self.fix,) if self.fix else ())

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """What stays the same if lines move and numbers differ: code, file, subject, message."""
        message = _NUMBER.sub(lambda found: found[1] or "#", self.message)
        return self.code, self.file, self.subject, message

    @property
    def order(self) -> tuple[object, ...]:
        """Sort key: errors before warnings, then file, line, code and the rest."""
        is_warning = self.severity is Severity.WARNING
        rest = (self.column or 0, self.subject, self.message)
        return (is_warning, self.file, self.line or 0, self.code, *rest)


def in_order(issues: Iterable[Issue]) -> tuple[Issue, ...]:
    """Sort issues: errors before warnings, then by file, line and code."""
    return tuple(sorted(issues, key=lambda issue: issue.order))


def independent(issues: Sequence[Issue]) -> tuple[Issue, ...]:
    """Return the issues that do not follow from another one among them."""
    causes = {issue.place for issue in issues if issue.follows is None}
    return tuple(
        replace(issue, follows=None) if issue.follows else issue
        for issue in issues
        if issue.follows not in causes
    )
