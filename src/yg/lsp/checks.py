"""Validation in the background: the issues of the present state, computed step by step."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg.kernel.errors import UnreadableError, YgError
from yg.kernel.paths import join
from yg.lsp.diagnostics import DiagnosticCache
from yg.lsp.documents import Documents
from yg.lsp.positions import UTF16
from yg.yggdrasil.recheck import ChangedFiles, GraphCheck, take_over

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from concurrent.futures import Executor

    from lsprotocol import types

    from yg.kernel.issue import Issue
    from yg.lsp.session import EditorView, Session
    from yg.workspace import OpenWorkspace

DELAY = 0.03  # seconds without a keystroke before a check begins
POLL = 3.0  # seconds between two looks for changes that nobody reports
SHARE = 50  # a look may take this part of the time between two
SLICE = 0.02  # seconds of a check between two requests
GONE = "?"  # in place of the names of deleted files


class CheckedState(Struct, frozen=True):
    """The issues of one state, and the diagnostics of its files, by URI."""

    generation: int
    issues: tuple[Issue, ...] = ()
    diagnostics: dict[str, list[types.Diagnostic]] = {}
    versions: dict[str, int | None] = {}  # of the open documents, by URI
    problem: str = ""  # why there is no graph to check


class _Base(Struct, frozen=True):
    """The saved files as they were opened, and the states of the directories of the graph."""

    workspace: OpenWorkspace
    states: dict[str, bytes]


class _LastCheck(Struct, frozen=True):
    """A check to build on, and the state that it was about."""

    base: _Base
    view: EditorView
    check: GraphCheck


class Checker:
    """Finds the issues of states of a repository; each check builds on the last one."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._base: _Base | None = None
        self._last: _LastCheck | None = None
        self._view: tuple[Documents, EditorView] | None = None
        self._diagnostics = DiagnosticCache()

    @property
    def is_prepared(self) -> bool:
        """Whether there is a check to build on, or none is needed."""
        if self._base is None or not self._base.workspace.format.has_drift:
            return True
        return self._last is not None

    def view(self, documents: Documents, encoding: str) -> EditorView | None:
        """Return the files with the open documents; None if there is no graph."""
        saved = self._session.saved()
        if saved is None:
            self._base = self._last = self._view = None
            return None
        if self._base is None or self._base.workspace is not saved:
            self._base, self._view = _Base(saved, _states(saved)), None
        if self._view is None or self._view[0] is not documents:
            view = self._session.view(documents, encoding)
            if view is None:
                return None
            changed = self._changed_files(view)
            if self._last is not None and changed is not None:
                take_over(view.graph, self._last.check.graph, changed)
            self._view = documents, view
        return self._view[1]

    def steps(self, documents: Documents, encoding: str) -> Iterator[CheckedState | None]:
        """Check a state, with a pause after each step; the last one has the result."""
        try:
            view = self.view(documents, encoding)
            if view is None:
                yield CheckedState(0, problem="there is no graph here")
                return
            if not view.workspace.format.has_drift or (not view.buffers and not self.is_prepared):
                issues = view.workspace.verdict().issues  # the index may know it
            else:
                check = yield from self._checked(view)
                issues = check.issues()
            view.workspace.save()
            found = self._diagnostics.of(view, issues)
        except YgError as error:
            yield CheckedState(0, problem=f"{error.message} {error.hint}".strip())
            return
        yield CheckedState(
            0,
            issues,
            {view.uri(file): listed for file, listed in found.items()},
            {document.uri: document.version for document in documents},
        )

    def preparation(self) -> Iterator[None]:
        """Check the saved state, so that the checks of edits are fast."""
        try:
            view = self.view(Documents(), UTF16)
            if view is None or self.is_prepared:
                return
            yield from self._checked(view)
            view.workspace.save()
        except YgError:
            return  # there is nothing to check

    def _checked(self, view: EditorView) -> Generator[None, None, GraphCheck]:
        """Check a state, and keep the check to build on."""
        base, check = self._base, GraphCheck(view.graph, view.workspace.sources)
        changed = self._changed_files(view)
        if self._last is not None and changed is not None:
            check.follow(self._last.check, changed)
        yield from check.steps()
        if base is not None:
            self._last = _LastCheck(base, view, check)
        return check

    def _changed_files(self, view: EditorView) -> ChangedFiles | None:
        if self._last is None or self._base is None:
            return None
        return changed_files(self._last, self._base, view)


def _states(saved: OpenWorkspace) -> dict[str, bytes]:
    index = saved.tree.index if saved.format.has_drift else None
    return index.directory_states() if index is not None else {}


def changed_files(last: _LastCheck, base: _Base, now: EditorView) -> ChangedFiles | None:
    """Return the files that differ since the last check; None if that is not known."""
    before = last.view.buffers
    edited = {
        path
        for path in before.keys() | now.buffers.keys()
        if before.get(path) != now.buffers.get(path)
    }
    one, two = last.view.workspace, now.workspace
    if last.base is base:
        has_same_names = all(one.snapshot.kind(path) is two.snapshot.kind(path) for path in edited)
        return ChangedFiles(frozenset(edited), has_same_names)
    if (one.root, one.format) != (two.root, two.format):
        return None
    for directory in last.base.states.keys() | base.states.keys():
        state = last.base.states.get(directory)
        if state is None or state != base.states.get(directory):
            edited.update(_files_in(now, directory))
    return ChangedFiles(frozenset(edited), has_same_names=False, is_complete=False)


def _files_in(view: EditorView, directory: str) -> Iterator[str]:
    """Yield the files in a directory, and a name in place of those that are gone."""
    yield join(directory, GONE)
    try:
        names = view.workspace.snapshot.names(directory).files
    except UnreadableError:
        return  # it is gone itself
    yield from (join(directory, name) for name in names)


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
        self._timer: asyncio.TimerHandle | None = None
        self._running: asyncio.Task[None] | None = None
        self.result = CheckedState(0)

    def changed(self) -> None:
        """Check again, soon after the last change."""
        self._generation += 1
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(DELAY, self._begin)

    def _begin(self) -> None:
        self._timer = None
        if self._running is None or self._running.done():
            self._running = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        """Check until the result is about the newest state and the next check is prepared."""
        while self.result.generation < self._generation:
            while self.result.generation < self._generation:
                await self._check()
            if not self.checker.is_prepared:
                await self._last_of(self.checker.preparation(), None)

    async def _check(self) -> None:
        generation = self._generation
        steps = self.checker.steps(*self._state())
        found = await self._last_of(steps, generation)
        if found is not None:
            self.result = replace(found, generation=generation)
            self._publish(self.result)

    async def _last_of(
        self, steps: Iterator[CheckedState | None], generation: int | None
    ) -> CheckedState | None:
        """Go through a check, unless it is of an older state; requests are answered in between."""
        loop, is_done = asyncio.get_running_loop(), False
        found = None
        while not is_done and generation in (None, self._generation):
            found, is_done = await loop.run_in_executor(self._executor, _advanced, steps)
        return found

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


def _advanced(steps: Iterator[CheckedState | None]) -> tuple[CheckedState | None, bool]:
    """Go on with a check for a short time; return its last step, and whether it has ended."""
    end = time.perf_counter() + SLICE
    for found in steps:
        if found is not None:
            return found, True
        if time.perf_counter() > end:
            return None, False
    return None, True
