"""Settings of the server, and the names that editors know."""

from __future__ import annotations

from enum import StrEnum

COMMAND = "yg.openNode"


class LensSetting(StrEnum):
    """Which source files have a lens."""

    PROBLEMS = "problems"
    ALWAYS = "always"
    OFF = "off"
