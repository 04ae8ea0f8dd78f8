"""Codecs of the readings that the index stores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg_old.kernel.codec import Codec
from yg_old.yggdrasil.model import Aspect, Config, Flow, Node, Reading

if TYPE_CHECKING:
    from yg_old.yggdrasil.model import D

NODE: Codec[Reading[Node]] = Codec(Reading[Node])
ASPECT: Codec[Reading[Aspect]] = Codec(Reading[Aspect])
FLOW: Codec[Reading[Flow]] = Codec(Reading[Flow])
CONFIG: Codec[Reading[Config]] = Codec(Reading[Config])


def placed(
    reading: Reading[D], folder_id: str, directory: str, files: tuple[str, ...]
) -> Reading[D]:
    """Return a reading with its value moved to a folder that holds the given files."""
    if reading.value is None:
        return reading
    return replace(reading, value=reading.value.placed(folder_id, directory, files))
