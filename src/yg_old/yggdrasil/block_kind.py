"""The kinds of blocks in a context package, with their tags and the words that users type."""

from __future__ import annotations

from enum import IntEnum, StrEnum


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
    CODE = "code"  # public names of the code of a node
    STALE = "stale"  # texts whose code has changed
    LEFT_OUT = "left-out"  # the list of cuts

    @property
    def word(self) -> str:
        """The kind as users type it."""
        return _WORDS.get(self, self.value)


class Role(IntEnum):
    """What a node is to the nodes of a package, in the order in which changed code is shown."""

    OWN = 0
    DEPENDENCY = 1
    ANCESTOR = 2


_WORDS = {BlockKind.OWN: "own", BlockKind.TARGET: "target"}
CONTENT_KINDS = tuple(kind for kind in BlockKind if kind is not BlockKind.LEFT_OUT)
KIND_WORDS = tuple(kind.word for kind in CONTENT_KINDS)
COMPUTED = (BlockKind.CODE, BlockKind.STALE)  # from the code, not from texts
CUT_WORDS = tuple(word for word in KIND_WORDS if word not in COMPUTED)  # for `cut_first`
