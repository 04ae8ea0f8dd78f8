"""Trouble that ends an operation; trouble in a user's files is an Issue instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.kernel.issue import Issue


class YgError(Exception):
    """An operation that could not be done: what happened, and what to do next."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "", issues: Sequence[Issue] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.issues = tuple(issues)


class UsageError(YgError):
    """The command line itself makes no sense."""

    code = "usage"
    exit_code = 2


class NoGraphError(YgError):
    """No folder from here upwards holds a graph."""

    code = "no-graph"


class OldEditionError(YgError):
    """The graph is of an edition that has to be upgraded before it can be read."""

    code = "old-edition"


class ForeignGraphError(YgError):
    """The question belongs to another kind of graph."""

    code = "foreign-graph"


class NotFoundError(YgError):
    """Something was asked for by a name that nothing has."""

    code = "not-found"


class RefusedError(YgError):
    """The graph has errors that make the answer unreliable."""

    code = "refused"


class UnreadableError(YgError):
    """One file or directory could not be read; readers turn this into an Issue."""

    code = "unreadable"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"cannot read '{path}': {reason}")
        self.path = path
        self.reason = reason
