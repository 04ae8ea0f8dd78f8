"""How the index keeps readings between runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.kernel.codec import Codec
from yg.kernel.paths import ROOT
from yg.yggdrasil.model import Aspect, Config, Flow, Node, Note, Reading

if TYPE_CHECKING:
    from typing import TypeAlias

    from yg.yggdrasil.model import D

    Nodes: TypeAlias = tuple[dict[str, Reading[Node]], tuple[Note, ...]]  # and what else to say

NODE: Codec[Reading[Node]] = Codec(Reading[Node])
ASPECT: Codec[Reading[Aspect]] = Codec(Reading[Aspect])
FLOW: Codec[Reading[Flow]] = Codec(Reading[Flow])
CONFIG: Codec[Reading[Config]] = Codec(Reading[Config])


class NodesCodec(Codec["Nodes"]):
    """Every node of a tree by its id; an id decides the place, whatever the index says."""

    def __init__(self, tree: str) -> None:
        super().__init__(tuple[dict[str, Reading[Node]], tuple[Note, ...]])
        self._tree = tree

    def decode(self, text: str) -> Nodes:
        """Return the readings by id, and the notes of the tree."""
        readings, notes = super().decode(text)
        return {each: self._placed(each, reading) for each, reading in readings.items()}, notes

    def _placed(self, node: str, reading: Reading[Node]) -> Reading[Node]:
        if reading.value is None:
            return reading
        directory = self._tree if node == ROOT else f"{self._tree}/{node}"
        return placed(reading, node, directory, reading.value.files)


def placed(
    reading: Reading[D], folder_id: str, directory: str, files: tuple[str, ...]
) -> Reading[D]:
    """Return what was read as declared in a folder with certain files beside the declaration."""
    if reading.value is None:
        return reading
    return replace(reading, value=reading.value.placed(folder_id, directory, files))
