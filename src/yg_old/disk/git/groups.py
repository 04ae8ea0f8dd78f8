"""The process group of git: one of its own, so that it can be killed with its children, or ours.

A program that is a child process of ours, to be killed with everything that it has started, calls
`share`. This module is imported before it is known whether git is needed.
"""

from __future__ import annotations

_shared: list[bool] = []  # one entry if git is started in the group of this program


def share() -> None:
    """Start git in the process group of this program from now on."""
    _shared[:] = [True]


def is_shared() -> bool:
    """Return whether git is in the process group of this program."""
    return bool(_shared)
