"""Progress shows itself to those who watch and wait, and leaves nothing behind."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from yg.surfaces.cli.progress import PATIENCE, PAUSE, Progress


class Clock:
    """A clock that is advanced by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    result = Clock()
    monkeypatch.setattr(
        "yg.surfaces.cli.progress.time", SimpleNamespace(monotonic=result.monotonic)
    )
    return result


def test_a_quick_run_stays_silent(clock: Clock) -> None:
    shown: list[str] = []
    progress = Progress(shown.append, "Hashing files:")
    for done in (1, 2, 3):
        clock.now += PATIENCE / 10
        progress.step(done, 3)
    progress.finish()
    assert shown == []


def test_a_long_run_shows_how_far_it_has_come_and_takes_the_line_away(clock: Clock) -> None:
    shown: list[str] = []
    progress = Progress(shown.append, "Hashing files:")
    progress.step(1, 3)
    clock.now += PATIENCE
    progress.step(2, 3)
    progress.finish()
    assert shown == ["Hashing files: 2 of 3", ""]


def test_the_line_is_not_shown_more_often_than_one_can_read(clock: Clock) -> None:
    shown: list[str] = []
    progress = Progress(shown.append, "Hashing files:")
    clock.now += PATIENCE
    for done in range(1, 101):
        progress.step(done, 1000)
    clock.now += PAUSE
    progress.step(101, 1000)
    assert shown == [
        "Hashing files: 1 of 1000",
        "Hashing files: 101 of 1000",
    ]


def test_where_nobody_watches_nothing_is_shown(clock: Clock) -> None:
    progress = Progress(None, "Hashing files:")
    clock.now += 2 * PATIENCE
    progress.step(1, 1)
    progress.finish()


def test_a_run_without_steps_takes_no_line_away(clock: Clock) -> None:
    shown: list[str] = []
    progress = Progress(shown.append, "Hashing files:")
    clock.now += 2 * PATIENCE
    progress.finish()
    assert shown == []
