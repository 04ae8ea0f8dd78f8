"""What a change reaches, whatever it is that changes, and how packages differ from a commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg.answers.hashing import STANDARD
from yg.answers.skipped import with_skipped
from yg.kernel.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.answers.answer import Answer
    from yg.answers.hashing import Hashing
    from yg.workspace import Workspace

HEAD = "HEAD"


class Simulation(Struct, frozen=True, kw_only=True):
    """A commit to compare the packages of all reached nodes with."""

    since: str = HEAD
    show: bool = False  # whether to show how the packages differ
    hashing: Hashing = STANDARD


class Reach(Struct, frozen=True, kw_only=True):
    """What a change reaches."""

    affected: tuple[str, ...]
    text: Callable[[], str]
    data: Callable[[], dict[str, Any]]
    target: str = ""  # the node that changes, if it is a node


def answer_of(workspace: Workspace, reach: Reach, simulation: Simulation | None) -> Answer:
    """Answer what a change reaches and, if asked for, how the packages there differ."""
    if simulation is not None:
        workspace.require_yggdrasil("a simulation (--simulate)", UsageError)
        from yg.answers.simulation import simulated

        return simulated(workspace, reach, simulation)
    return with_skipped(
        "impact",
        workspace.skipped(),
        data=reach.data,
        forms={"text": lambda _palette: reach.text()},
    )
