"""The directories above a directory."""

from __future__ import annotations

import os


def upwards(start: str) -> list[str]:
    """Return a directory and all directories above it."""
    places = [start]
    while (above := os.path.dirname(places[-1])) != places[-1]:
        places.append(above)
    return places
