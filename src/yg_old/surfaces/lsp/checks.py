"""Validation in the background: the whole graph is checked after a pause in typing.

One thread does all work on the repository. A check is a sequence of short steps, and requests are
answered between them.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg_old.disk.git import timeouts
from yg_old.kernel.errors import YgError
from yg_old.surfaces.lsp.diagnostics import diagnostics_in_steps
from yg_old.surfaces.lsp.sentences import SentenceChecks
from yg_old.workspace import results

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from lsprotocol import types

    from yg_old.kernel.issue import Issue
    from yg_old.kernel.steps import Steps
    from yg_old.surfaces.lsp.documents import Documents
    from yg_old.surfaces.lsp.session import EditorView, Session

PAUSE = 0.1  # seconds without a keystroke before a check begins
POLL = 3.0  # seconds between two looks for changes that nobody reports
SHARE = 50  # a look may take this part of the time between two
SLICE = 0.01  # seconds of a check between two requests


class CheckedState(Struct, frozen=True):
    """The issues of one state, and the diagnostics of its files, by URI."""

    generation: int = 0
    issues: tuple[Issue, ...] = ()
    diagnostics: dict[str, list[types.Diagnostic]] = {}
    versions: dict[str, int | None] = {}  # of the open documents, by URI
    problem: str = ""  # why there is no graph to check


class Checker:
    """Finds the issues of states of a repository."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._view: tuple[Documents, EditorView] | None = None
        self._sentences = SentenceChecks()
        self._is_first = True

    def view(self, documents: Documents, encoding: str) -> EditorView | None:
        """Return the files with the open documents; None if there is no graph.

        Requests and the check of the same state share one view.
        """
        timeouts.forget()  # every request and every check begins here
        saved = self._session.saved()
        known = self._view
        if known is None or known[0] is not documents or known[1].saved is not saved:
            view = self._session.view(documents, encoding)
            self._view = known = (documents, view) if view is not None else None
        return known[1] if known else None

    def steps(self, documents: Documents, encoding: str) -> Steps[CheckedState]:
        """Check a state, with a pause after each step."""
        try:
            view = self.view(documents, encoding)
            if view is None:
                return CheckedState(problem="there is no graph here")
            issues = yield from self._issues(view)
            view.workspace.save()
            found = yield from diagnostics_in_steps(view, issues)
            found = yield from self._sentences.add(view, found)
        except YgError as error:
            return CheckedState(problem=f"{error.message} {error.hint}".strip())
        return CheckedState(
            issues=issues,
            diagnostics={view.uri(file): listed for file, listed in found.items()},
            versions={document.uri: document.version for document in documents},
        )

    def _issues(self, view: EditorView) -> Steps[tuple[Issue, ...]]:
        workspace = view.workspace
        is_first, self._is_first = self._is_first, False
        if is_first and workspace.is_written:
            return results.verdict(workspace).issues  # the index may know it
        return (yield from workspace.queries.issues_in_steps(workspace.sources))


class Checks:
    """Runs checks one after the other, each for the newest state."""

    def __init__(
        self,
        executor: Executor,
        session: Session,
        state: Callable[[], tuple[Documents, str]],
        publish: Callable[[CheckedState], None],
    ) -> None:
        """All work on the repository is done by the executor, one call at a time."""
        self.checker = Checker(session)
        self._executor = executor
        self._session = session
        self._state = state  # the open documents and the units of positions
        self._publish = publish
        self._generation = 0
        self._timer: asyncio.TimerHandle | None = None  # of the pause
        self._running: asyncio.Task[None] | None = None
        self.result = CheckedState()

    def changed(self) -> None:
        """Check again, after a pause since the last change."""
        self._generation += 1
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(PAUSE, self._begin)

    def _begin(self) -> None:
        self._timer = None
        if self._running is None or self._running.done():
            self._running = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        """Check until the result is about the newest state, or until the next pause."""
        while self.result.generation < self._generation and self._timer is None:
            await self._check()

    async def _check(self) -> None:
        """Check the newest state; after a newer change, the result is not wanted any more."""
        generation = self._generation
        loop, found = asyncio.get_running_loop(), None
        steps = self.checker.steps(*self._state())
        while found is None and generation == self._generation:
            found = await loop.run_in_executor(self._executor, _advanced, steps)
        if found is not None and generation == self._generation:
            self.result = replace(found, generation=generation)
            self._publish(self.result)

    async def newest(self) -> CheckedState:
        """Return the result for the present state, computed now if need be."""
        while self.result.generation < self._generation:
            if self._timer is not None:
                self._timer.cancel()
                self._begin()
            if self._running is not None:
                await self._running
        return self.result

    async def poll(self) -> None:
        """Look for changes of saved files for ever."""
        pause = POLL
        while True:
            await asyncio.sleep(pause)
            if self.result.generation < self._generation:
                continue  # a check is due anyway
            started = time.perf_counter()
            loop = asyncio.get_running_loop()
            is_changed = await loop.run_in_executor(self._executor, self._has_changed)
            pause = max(POLL, SHARE * (time.perf_counter() - started))
            if is_changed:
                self.changed()

    def _has_changed(self) -> bool:
        try:
            return self._session.has_changed()
        except YgError:
            return True  # a check reports it


def _advanced(steps: Steps[CheckedState]) -> CheckedState | None:
    """Go on with a check for a short time; return its result if it has ended."""
    end = time.perf_counter() + SLICE
    while True:
        try:
            next(steps)
        except StopIteration as ended:
            result: CheckedState = ended.value
            return result
        if time.perf_counter() > end:
            return None
