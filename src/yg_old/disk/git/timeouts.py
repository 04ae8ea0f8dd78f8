"""The time-out of git in the present command: after one, git is not asked again.

So a git that hangs costs the time limit once. A server calls `forget` before each command.
"""

from __future__ import annotations

_timed_out: list[str] = []  # the git command that did not answer in time, at most one


def note(command: str) -> None:
    """Note that a git command did not answer in time."""
    _timed_out[:] = [command]


def noted() -> str:
    """Return the git command that did not answer in time; empty if there is none."""
    return _timed_out[0] if _timed_out else ""


def forget() -> None:
    """Ask git again from now on."""
    _timed_out.clear()
