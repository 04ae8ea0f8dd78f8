"""The kinds of graphs this product reads."""

from __future__ import annotations

from yg.kernel.format import Format
from yg.yggdrasil import read_v2

YGGDRASIL = Format(name="yggdrasil", folder=read_v2.FOLDER, read=read_v2.read)
FORMATS = (YGGDRASIL,)
