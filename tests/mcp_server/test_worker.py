"""After the end of the input a server waits for what makes progress, and for nothing else."""

from __future__ import annotations

from itertools import count

import anyio
import pytest

from yg.surfaces.mcp import worker
from yg.surfaces.mcp.worker import Outstanding

PERIOD = 0.05


async def waited(done_after: float) -> bool:
    """Tell whether a wait for one thing lasts until it is done."""
    outstanding = Outstanding()
    outstanding.add()
    is_done = False

    async def work() -> None:
        nonlocal is_done
        await anyio.sleep(done_after)
        is_done = True
        outstanding.done()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(work)
        await outstanding.wait()
        tasks.cancel_scope.cancel()
    return is_done


@pytest.mark.parametrize(
    ("processor_time", "done_after", "is_done"),
    [
        (0, 0, True),  # at once
        (0, 3600, False),  # it hangs
        (PERIOD, 3 * PERIOD, True),  # it computes
        (PERIOD, 3600, False),  # it computes for ever
    ],
)
def test_a_server_waits_for_what_is_done_or_computed(
    monkeypatch: pytest.MonkeyPatch, processor_time: float, done_after: float, *, is_done: bool
) -> None:
    clock = count(0, processor_time)
    monkeypatch.setattr(worker, "GRACE", PERIOD)
    monkeypatch.setattr(worker, "process_time", lambda: next(clock))
    assert anyio.run(waited, done_after) == is_done
