"""Validation in the background: the issues of the present state, computed by one thread."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.errors import YgError
from yg.lsp.diagnostics import diagnostics_of
from yg.lsp.sizes import SizeKeeper

if TYPE_CHECKING:
    from collections.abc import Callable

    from lsprotocol import types

    from yg.kernel.issue import Issue
    from yg.lsp.documents import Documents
    from yg.lsp.session import Session

DELAY = 0.04  # seconds without a keystroke before a check begins
POLL = 3.0  # seconds between two looks for changes that nobody reports
SHARE = 50  # a look may take this part of the time between two


class CheckedState(Struct, frozen=True):
    """The issues of one state, and the diagnostics of its files, by URI."""

    generation: int
    issues: tuple[Issue, ...] = ()
    diagnostics: dict[str, list[types.Diagnostic]] = {}
    versions: dict[str, int | None] = {}  # of the open documents, by URI
    problem: str = ""  # why there is no graph to check


class Checks:
    """Runs checks one after the other, each for the newest state."""

    def __init__(
        self,
        make_session: Callable[[], Session],
        documents: Callable[[], Documents],
        encoding: Callable[[], str],
        publish: Callable[[CheckedState], None],
    ) -> None:
        self._make_session = make_session
        self._documents = documents
        self._encoding = encoding
        self._publish = publish
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="checks")
        self._session: Session | None = None
        self._sizes = SizeKeeper()
        self._saved: tuple[Issue, ...] | None = None
        self._generation = 0
        self._timer: asyncio.TimerHandle | None = None
        self._running: asyncio.Task[None] | None = None
        self.result = CheckedState(0)

    def changed(self) -> None:
        """Check again, soon after the last change."""
        self._generation += 1
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(DELAY, self._start)

    def _start(self) -> None:
        self._timer = None
        if self._running is None or self._running.done():
            self._running = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        """Check until the result is about the newest state."""
        while self.result.generation < self._generation:
            if self._timer is not None:
                return  # there was another change, which starts the next check
            await self._check()

    async def _check(self) -> None:
        generation, documents, encoding = self._generation, self._documents(), self._encoding()
        loop = asyncio.get_running_loop()
        call = loop.run_in_executor(self._thread, self._compute, generation, documents, encoding)
        result = await call
        if result.generation >= self.result.generation:
            self.result = result
            if generation == self._generation:
                self._publish(result)
                await loop.run_in_executor(self._thread, self._prepare, documents)

    async def newest(self) -> CheckedState:
        """Return the result for the present state, computed now if need be."""
        while self.result.generation < self._generation:
            if self._timer is not None:
                self._timer.cancel()
                self._start()
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
            is_changed = await loop.run_in_executor(self._thread, self._has_changed)
            pause = max(POLL, SHARE * (time.perf_counter() - started))
            if is_changed:
                self.changed()

    # In the thread.

    def _opened(self) -> Session:
        if self._session is None:
            self._session = self._make_session()
        return self._session

    def _compute(self, generation: int, documents: Documents, encoding: str) -> CheckedState:
        try:
            view = self._opened().view(documents, encoding)
            if view is None:
                self._saved = None
                return CheckedState(generation, problem="there is no graph here")
            self._sizes.restore(view)
            issues = view.workspace.verdict().issues
            self._sizes.keep(view)
            if not view.buffers:
                self._saved = issues
            found = diagnostics_of(view, issues)
            view.workspace.save()
        except YgError as error:
            return CheckedState(generation, problem=f"{error.message} {error.hint}".strip())
        return CheckedState(
            generation,
            issues,
            {view.uri(file): listed for file, listed in found.items()},
            {document.uri: document.version for document in documents},
        )

    def _prepare(self, documents: Documents) -> None:
        """Measure what a check recalled from the index, so that the next one is fast."""
        view = self._opened().view(documents) if self._sizes.is_empty else None
        if view is not None:
            try:
                self._sizes.measure(view)
            except YgError:
                return  # there is nothing to measure

    def _has_changed(self) -> bool:
        """Return whether the issues of the saved files are other ones than at the last look."""
        before = self._saved
        try:
            saved = self._opened().saved()
            self._saved = saved.verdict().issues if saved is not None else None
            if saved is not None:
                saved.save()
        except YgError:
            self._saved = None
        return before != self._saved
