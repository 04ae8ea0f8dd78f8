"""Checks in the background: in steps, for the newest state only."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lsp_server.editor import MODEL, SHOP, Editor
from lsp_server.raw_editor import notification, raw_editor
from support import write
from yg.surfaces.lsp import checks as module
from yg.surfaces.lsp.checks import CheckedState, Checks
from yg.surfaces.lsp.documents import Documents

if TYPE_CHECKING:
    from yg.kernel.steps import Steps

ORDERS = f"{MODEL}/orders/yg-node.yaml"
WRONG = SHOP[ORDERS].replace("type: service", "type: servce")


class Background:
    """The checks of an editor, and a call that is made while the first one is running."""

    def __init__(self, editor: Editor, executor: ThreadPoolExecutor) -> None:
        self.editor = editor
        self.published: list[CheckedState] = []
        self.started = 0
        self.checks = Checks(executor, editor.session, self._state, self.published.append)
        self._loop = asyncio.get_running_loop()
        self._steps = self.checks.checker.steps
        setattr(self.checks.checker, "steps", self._with_call)  # noqa: B010
        self.during: Callable[[], object] = lambda: None

    def _state(self) -> tuple[Documents, str]:
        return self.editor.documents, "utf-16"

    def _with_call(self, documents: Documents, encoding: str) -> Steps[CheckedState]:
        self.started += 1
        steps = self._steps(documents, encoding)
        next(steps)
        self._loop.call_soon_threadsafe(self.during)
        yield
        return (yield from steps)

    def codes(self) -> list[list[str]]:
        """Return the codes of the issues of each result that was published."""
        return [[issue.code for issue in state.issues] for state in self.published]


@pytest.fixture
def executor() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(max_workers=1) as made:
        yield made


@pytest.fixture(autouse=True)
def short_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLICE", 0)
    monkeypatch.setattr(module, "PAUSE", 0)


@pytest.mark.asyncio
async def test_the_result_of_an_older_state_is_not_published(
    tmp_path: Path, executor: ThreadPoolExecutor
) -> None:
    background = Background(Editor(tmp_path), executor)
    background.editor.type(ORDERS, WRONG)

    def edit() -> None:
        background.during = lambda: None
        background.editor.type(ORDERS, SHOP[ORDERS])
        background.checks.changed()

    background.during = edit
    background.checks.changed()
    newest = await background.checks.newest()
    assert background.started == 2
    assert background.codes() == [[]]
    assert newest.versions == {background.editor.uri(ORDERS): 2}


@pytest.mark.asyncio
async def test_a_check_waits_for_a_pause(tmp_path: Path, executor: ThreadPoolExecutor) -> None:
    background = Background(Editor(tmp_path), executor)
    for text in (WRONG, SHOP[ORDERS], WRONG):
        background.editor.type(ORDERS, text)
        background.checks.changed()
    await background.checks.newest()
    assert background.started == 1
    assert background.codes() == [["E002"]]


@pytest.mark.asyncio
async def test_requests_are_answered_during_a_check(
    tmp_path: Path, executor: ThreadPoolExecutor
) -> None:
    background = Background(Editor(tmp_path), executor)
    background.editor.type(ORDERS, WRONG)
    published_before: list[int] = []

    def answer() -> None:
        view = background.checks.checker.view(background.editor.documents, "utf-16")
        assert view is not None
        assert len(view.graph.nodes.ids()) == 4
        published_before.append(len(background.published))

    background.during = lambda: executor.submit(answer)
    background.checks.changed()
    await background.checks.newest()
    assert published_before == [0]
    assert background.codes() == [["E002"]]


def test_diagnostics_of_older_versions_never_follow_newer_ones(tmp_path: Path) -> None:
    with raw_editor(write(tmp_path / "r", SHOP)) as editor:
        editor.start()
        editor.open(ORDERS, SHOP[ORDERS])
        last = 40
        for version in range(2, last + 1):
            document = {"uri": editor.uri(ORDERS), "version": version}
            changes = [{"text": WRONG if version % 2 == 0 else SHOP[ORDERS]}]
            params = {"textDocument": document, "contentChanges": changes}
            editor.send(notification("textDocument/didChange", params))
            if version % 10 == 0:
                assert editor.codes(ORDERS) == ["E002"]
        versions = [pushed["version"] for pushed in editor.pushed if "version" in pushed]
    assert versions == sorted(versions)
    assert versions[-1] == last
