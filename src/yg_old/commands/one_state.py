"""Answers about one state of a graph, although other processes may write to it meanwhile."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from yg_old.workspace.opened import OpenWorkspace

T = TypeVar("T")

ATTEMPTS = 3  # before writers are kept out


class _OutdatedError(Exception):
    """The graph was written to while it was read."""

    def __init__(self, workspace: OpenWorkspace) -> None:
        super().__init__()
        self.root, self.folder = workspace.root, workspace.format.folder


def of_one_state(ask: Callable[[], T], opened: Callable[[], Iterable[OpenWorkspace]]) -> T:
    """Ask again if a graph that was opened has been written to before the answer was complete.

    If that happens several times, writers have to wait for the answer.
    """
    for _ in range(ATTEMPTS - 1):
        with suppress(_OutdatedError):
            return _asked(ask, opened)
    try:
        return _asked(ask, opened)
    except _OutdatedError as error:
        return _without_writers(ask, error.root, error.folder)


def _asked(ask: Callable[[], T], opened: Callable[[], Iterable[OpenWorkspace]]) -> T:
    """Ask once; an error counts as little as an answer if the graph was written to."""
    try:
        return ask()
    finally:
        for workspace in opened():
            if workspace.is_outdated:
                raise _OutdatedError(workspace)


def _without_writers(ask: Callable[[], T], root: str, folder: str) -> T:
    from yg_old.disk.writing.journal import complete
    from yg_old.disk.writing.lock import writing

    with writing(root, folder):
        complete(root, folder)
        return ask()
