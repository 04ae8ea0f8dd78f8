"""Positions in the JSON files of a snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.issue import Place
from yg_old.text.decode_json import decode_json

if TYPE_CHECKING:
    from yg_old.kernel.snapshot import Snapshot
    from yg_old.text.decode import Datum, Decoded


class Files:
    """The files of a snapshot, decoded with positions on demand; most are never needed."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._decoded: dict[str, Decoded] = {}
        self._named: dict[int, dict[object, Datum]] = {}  # by the id of a list

    def decoded(self, file: str) -> Decoded:
        """Decode a file with positions; raises UnreadableError."""
        if file not in self._decoded:
            self._decoded[file] = decode_json(self.snapshot.text(file).value)
        return self._decoded[file]

    def place(self, file: str, *steps: str | int) -> Place:
        """Return the position of a value, or of the nearest one on the way to it.

        A step into an object is a key; into a list it is a position, or a text: the item that is
        this text, or that has it as its id.
        """
        datum = self.decoded(file).datum
        for step in steps:
            inner = self._inside(datum, step) if datum else None
            if inner is None:
                break
            datum = inner
        return Place(file, datum.line, datum.column) if datum else Place(file)

    def _inside(self, datum: Datum, step: str | int) -> Datum | None:
        value = datum.value
        if isinstance(value, dict) and isinstance(step, str):
            return value[step].datum if step in value else None
        if not isinstance(value, list):
            return None
        if isinstance(step, int):
            return value[step] if step < len(value) else None
        # Decoded values are kept, so the id of a list stays its own.
        if id(value) not in self._named:
            self._named[id(value)] = _by_name(value)
        return self._named[id(value)].get(step)


def _by_name(items: list[Datum]) -> dict[object, Datum]:
    """Return the items of a list by their text or id; of several, the first."""
    found: dict[object, Datum] = {}
    for item in items:
        for name in (item.value, _id_of(item)):
            if isinstance(name, str):
                found.setdefault(name, item)
    return found


def _id_of(item: Datum) -> object:
    entry = item.value.get("id") if isinstance(item.value, dict) else None
    return entry.datum.value if entry else None
