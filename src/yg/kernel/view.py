"""Views: which parts of some packages to show, for all kinds of graphs."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from yg.kernel.selection import Selection


class PackageView(Struct, frozen=True, kw_only=True):
    """What to leave out of a package."""

    known: tuple[Any, ...] = ()  # packages that the reader has, in the order of preference
    selection: Selection = Selection()
    fit: int | None = None  # the largest size in tokens; None: any
    options: tuple[str, ...] = ()  # more words for the commands that show what was cut
