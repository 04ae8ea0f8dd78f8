"""The kinds of graphs this product reads; what one kind needs is imported when it is met."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.kernel.format import Format
from yg.specgraph import places as specgraph
from yg.yggdrasil.places import CONFIG_V0, FOLDER, FOLDER_V0

if TYPE_CHECKING:
    from yg.kernel.face import Face
    from yg.specgraph.graph import Graph as SpecGraph
    from yg.yggdrasil.graph import Graph


def _yggdrasil() -> Face[Graph]:
    from yg.yggdrasil.face import FACE

    return FACE


def _yggdrasil_0x() -> Face[Graph]:
    from yg.yggdrasil.face import FACE_V0

    return FACE_V0


def _specgraph() -> Face[SpecGraph]:
    from yg.specgraph.face import FACE

    return FACE


YGGDRASIL = Format(
    name="yggdrasil",
    folder=FOLDER,
    marker=FOLDER,
    style="text",
    has_index=True,
    load=_yggdrasil,
)
YGGDRASIL_0X = Format(
    name="yggdrasil-0x", folder=FOLDER_V0, marker=CONFIG_V0, style="markdown", load=_yggdrasil_0x
)
SPECGRAPH = Format(
    name="specgraph",
    folder=specgraph.FOLDER,
    marker=specgraph.MARKER,
    trace=specgraph.TRACE,
    style="markdown",
    has_depths=True,
    load=_specgraph,
)
FORMATS: tuple[Format[Any], ...] = (YGGDRASIL, YGGDRASIL_0X, SPECGRAPH)
