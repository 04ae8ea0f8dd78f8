"""Exceptions that end an operation; a mistake in a user's file is an Issue instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.kernel.issue import Issue


class YgError(Exception):
    """Base class: an operation failed, with a message and a hint on what to do next."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "", issues: Sequence[Issue] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.issues = tuple(issues)  # that caused the failure


class UsageError(YgError):
    """The command line is invalid."""

    code = "usage"
    exit_code = 2


class NoGraphError(YgError):
    """Neither the directory nor any parent holds a graph."""

    code = "no-graph"


class AnotherModelError(YgError):
    """The graph has a later format with another model; only its older commits can be read."""

    code = "another-model"


class NotFoundError(YgError):
    """No object has the given name."""

    code = "not-found"


class RefusedError(YgError):
    """The graph has errors that make the answer unreliable."""

    code = "refused"


class UnreadableError(YgError):
    """A file or directory could not be read; readers turn this into an Issue."""

    code = "unreadable"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"cannot read '{path}': {reason}")
        self.path = path
        self.reason = reason
