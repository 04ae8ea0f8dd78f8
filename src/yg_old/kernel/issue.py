"""Issues: mistakes in a user's files, as values to collect, sort and show.

The index stores these values: msgspec decodes them by their annotations, which are not postponed.
"""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from yg_old.kernel.codec import Codec


class Located(Struct, frozen=True, array_like=True, gc=False):
    """A piece of text with the line and column, from 1, where it begins."""

    text: str
    line: int
    column: int

    def __str__(self) -> str:
        return self.text


class UnknownKey(Struct, frozen=True, array_like=True, gc=False):
    """A key that its mapping does not define, and the keys that it does."""

    name: Located
    known: tuple[str, ...]


_DIGITS = re.compile(r"\d+")


class Severity(StrEnum):
    """Errors prevent packages; warnings suggest improvements."""

    ERROR = "error"
    WARNING = "warning"


class Level(StrEnum):
    """The level of a rule: the severity of its issues, or off."""

    ERROR = "error"
    WARNING = "warning"
    OFF = "off"


class Place(Struct, frozen=True, array_like=True, gc=False):
    """A position in a file: line and column count from 1; 0 means the whole file."""

    file: str
    line: int = 0
    column: int = 0


class SetValue(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Another value for the YAML scalar at a place; a key is a scalar too."""

    place: Place
    value: str

    @property
    def file(self) -> str:
        """The file to change."""
        return self.place.file


class SetNeighbour(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Another value for an item of a list that is next to the YAML scalar at a place."""

    place: Place
    key: str  # of the list, in the mapping that has the scalar
    old: str
    value: str

    @property
    def file(self) -> str:
        """The file to change."""
        return self.place.file


class AddItem(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A new item, a mapping, of a list under a top-level key of a YAML file."""

    file: str
    key: str
    item: tuple[tuple[str, str | tuple[str, ...]], ...]  # keys and values


class AddLine(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A new last line of a text, which is created if it is missing."""

    file: str
    line: str


class SetBlock(Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Other lines between two lines of a text."""

    file: str
    begin: str
    end: str
    text: str


Change = SetValue | SetNeighbour | AddItem | AddLine | SetBlock


class Fix(Struct, frozen=True, array_like=True, gc=False):
    """A change of one file that removes an issue, and what to call it."""

    title: str
    change: Change


def correction(place: Place, near: Sequence[str]) -> tuple[Fix, ...]:
    """Return the fix of a misspelled value: only if exactly one name may be meant."""
    if len(near) != 1:
        return ()
    return (Fix(f"Change to '{near[0]}'", SetValue(place, near[0])),)


class Finding(Struct, frozen=True, array_like=True, gc=False):
    """A violation found by a rule, without the rule's code and severity."""

    subject: str
    message: str
    place: Place
    advice: tuple[str, ...] = ()
    also: tuple[str, ...] = ()  # other subjects it concerns
    follows: Place | None = None  # where the problem is that causes this one
    fixes: tuple[Fix, ...] = ()  # each of them removes the issue


class Cause(Struct, frozen=True, array_like=True, gc=False):
    """The issue that another one follows from."""

    code: str
    subject: str


class Issue(Struct, frozen=True, kw_only=True):
    """A finding with its rule's code and severity: what is wrong, where, and the fix."""

    code: str
    name: str
    severity: Severity
    subject: str
    message: str
    place: Place
    advice: tuple[str, ...]
    also: tuple[str, ...]
    fix: str
    follows: Cause | None = None  # None: it stands on its own
    fixes: tuple[Fix, ...] = ()  # each of them removes the issue

    @property
    def guidance(self) -> tuple[str, ...]:
        """The advice on this issue or, without any, how to fix such issues; none if it follows."""
        if self.follows:
            return ()
        return self.advice or ((self.fix,) if self.fix else ())

    @property
    def key(self) -> Cause:
        """The code and the subject, by which other issues refer to this one."""
        return Cause(self.code, self.subject)

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """What stays the same if lines move and numbers differ: code, file, subject, message."""
        return self.code, self.place.file, self.subject, _DIGITS.sub("#", self.message)

    @property
    def order(self) -> tuple[object, ...]:
        """Sort key: errors before warnings, then file, line, code and the rest."""
        place = self.place
        is_warning = self.severity is Severity.WARNING
        return (
            is_warning,
            place.file,
            place.line,
            self.code,
            place.column,
            self.subject,
            self.message,
        )


def arranged(issues: Iterable[Issue]) -> tuple[Issue, ...]:
    """Move issues that follow from another one behind it; without it, they stand on their own."""
    listed = list(issues)
    followers: dict[Cause, list[Issue]] = {issue.key: [] for issue in listed if not issue.follows}
    own: list[Issue] = []
    for issue in listed:
        if issue.follows in followers:
            followers[issue.follows].append(issue)
        else:
            own.append(replace(issue, follows=None) if issue.follows else issue)
    found: list[Issue] = []
    for issue in own:
        # Several issues can have the same key; the first one is followed.
        found += (issue, *followers.pop(issue.key, ()))
    return tuple(found)


class Verdict(Struct, frozen=True):
    """The issues of a scope and its number of nodes."""

    scope: str  # a node, or empty for the whole graph
    nodes: int
    issues: tuple[Issue, ...]

    @property
    def errors(self) -> int:
        """The number of errors that stand on their own."""
        return self._own(Severity.ERROR)

    @property
    def warnings(self) -> int:
        """The number of warnings that stand on their own."""
        return self._own(Severity.WARNING)

    @property
    def following(self) -> int:
        """The number of issues that follow from another one."""
        return sum(issue.follows is not None for issue in self.issues)

    def _own(self, severity: Severity) -> int:
        return sum(issue.severity is severity and issue.follows is None for issue in self.issues)


VERDICT: Codec[Verdict] = Codec(Verdict)
ISSUES: Codec[tuple[Issue, ...]] = Codec(tuple[Issue, ...])
