"""The supported kinds of graphs; each implementation is imported on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.queries import Format
from yg_old.specgraph import places as specgraph
from yg_old.yggdrasil.places import CONFIG_V0, FOLDER, FOLDER_V0

if TYPE_CHECKING:
    from yg_old.kernel.queries import Queries


def _yggdrasil() -> type[Queries]:
    from yg_old.yggdrasil.queries import YggdrasilQueries

    return YggdrasilQueries


def _yggdrasil_0x() -> type[Queries]:
    from yg_old.yggdrasil.queries import Yggdrasil0xQueries

    return Yggdrasil0xQueries


def _specgraph() -> type[Queries]:
    from yg_old.specgraph.queries import SpecGraphQueries

    return SpecGraphQueries


YGGDRASIL = Format(
    name="yggdrasil",
    folder=FOLDER,
    marker=FOLDER,
    style="text",
    has_index=True,
    is_yggdrasil=True,
    has_drift=True,
    refuses_errors=True,
    load=_yggdrasil,
)
YGGDRASIL_0X = Format(
    name="yggdrasil-0x",
    folder=FOLDER_V0,
    marker=CONFIG_V0,
    style="markdown",
    is_yggdrasil=True,
    has_stamps=True,
    refuses_errors=True,
    load=_yggdrasil_0x,
)
SPECGRAPH = Format(
    name="specgraph",
    folder=specgraph.FOLDER,
    marker=specgraph.MARKER,
    trace=specgraph.TRACE,
    style="markdown",
    has_index=True,
    has_depths=True,
    is_specgraph=True,
    load=_specgraph,
)
FORMATS: tuple[Format, ...] = (YGGDRASIL, YGGDRASIL_0X, SPECGRAPH)
