"""The kinds of graphs this product reads."""

from __future__ import annotations

from yg.kernel.format import Format
from yg.yggdrasil import read_v0, read_v2

YGGDRASIL = Format(
    name="yggdrasil",
    folder=read_v2.FOLDER,
    marker=read_v2.FOLDER,
    style="text",
    read=read_v2.read,
)
YGGDRASIL_0X = Format(
    name="yggdrasil-0x",
    folder=read_v0.FOLDER,
    marker=read_v0.CONFIG,
    style="markdown",
    read=read_v0.read,
)
FORMATS = (YGGDRASIL, YGGDRASIL_0X)
