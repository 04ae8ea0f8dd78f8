"""The kinds of blocks in a context package, with their tags and the words that users type."""

from __future__ import annotations

from enum import StrEnum


class BlockKind(StrEnum):
    """The kind of a block; the value is its tag."""

    GLOBAL = "global"
    HIERARCHY = "hierarchy"
    OWN = "own-artifacts"
    TARGET = "materialization-target"
    ASPECT = "aspect"
    DEPENDENCY = "dependency"
    EVENT = "event"
    FLOW = "flow"
    LEFT_OUT = "left-out"  # the list of cuts

    @property
    def word(self) -> str:
        """The kind as users type it."""
        return _WORDS.get(self, self.value)


_WORDS = {BlockKind.OWN: "own", BlockKind.TARGET: "target"}
CONTENT_KINDS = tuple(kind for kind in BlockKind if kind is not BlockKind.LEFT_OUT)
KIND_WORDS = tuple(kind.word for kind in CONTENT_KINDS)
