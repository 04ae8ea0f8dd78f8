"""The JSON files of a snapshot: decoded with places when something is to be said about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.decode_json import decode_json
from yg.kernel.issue import Place

if TYPE_CHECKING:
    from yg.kernel.decode import Datum, Decoded
    from yg.kernel.snapshot import Snapshot


class Files:
    """Tells where things stand. Most files are sound, so most are never decoded this way."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._decoded: dict[str, Decoded] = {}

    def decoded(self, file: str) -> Decoded:
        """Decode a file with places; raises UnreadableError."""
        if file not in self._decoded:
            self._decoded[file] = decode_json(self.snapshot.text(file).value)
        return self._decoded[file]

    def place(self, file: str, *steps: str | int) -> Place:
        """Tell where a value stands, or as near to it as can be.

        A step into an object is a key; into a list it is a position, or a text: the item that is
        this text, or that has it as its id.
        """
        datum = self.decoded(file).datum
        for step in steps:
            inner = _inside(datum, step) if datum else None
            if inner is None:
                break
            datum = inner
        return Place(file, datum.line, datum.column) if datum else Place(file)


def _inside(datum: Datum, step: str | int) -> Datum | None:
    value = datum.value
    if isinstance(value, dict) and isinstance(step, str):
        return value[step].datum if step in value else None
    if isinstance(value, list) and isinstance(step, int):
        return value[step] if step < len(value) else None
    items = value if isinstance(value, list) else []
    return next((item for item in items if step in (item.value, _id_of(item))), None)


def _id_of(item: Datum) -> object:
    entry = item.value.get("id") if isinstance(item.value, dict) else None
    return entry.datum.value if entry else None
