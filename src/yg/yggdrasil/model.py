"""What a Yggdrasil graph is made of, as its authors declared it.

The index stores these values: msgspec decodes them by their annotations, which are not postponed.
"""

from enum import StrEnum
from functools import cached_property
from typing import Generic, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from yg.kernel.issue import Finding, Place
from yg.kernel.located import Located, UnknownKey
from yg.kernel.package import Budget

T_co = TypeVar("T_co", covariant=True)

NODE_FILE = "yg-node.yaml"
ASPECT_FILE = "yg-aspect.yaml"
FLOW_FILE = "yg-flow.yaml"
CONFIG_FILE = "yg-config.yaml"
DESCRIPTION_FILE = "description.md"


class RelationKind(StrEnum):
    """How a node depends on another, or talks to it."""

    USES = "uses"
    CALLS = "calls"
    EXTENDS = "extends"
    IMPLEMENTS = "implements"
    EMITS = "emits"
    LISTENS = "listens"

    @property
    def is_structural(self) -> bool:
        """Whether the node cannot be built without its target."""
        return self not in (RelationKind.EMITS, RelationKind.LISTENS)


class FreeKind(Struct, frozen=True, array_like=True, gc=False):
    """A relation kind of the 0.x edition, which may have any name and is always structural."""

    value: str

    @property
    def is_structural(self) -> bool:
        """Whether the node cannot be built without its target."""
        return True

    def __str__(self) -> str:
        return self.value


class Stability(StrEnum):
    """How firmly an aspect holds."""

    SCHEMA = "schema"
    PROTOCOL = "protocol"
    IMPLEMENTATION = "implementation"


class AspectUse(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """An aspect that a node declares for itself, with the node's deviations from it."""

    aspect: Located
    exceptions: tuple[str, ...] = ()
    anchors: tuple[Located, ...] = ()


class Relation(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """One outgoing edge, as the node's author declared it."""

    target: Located
    kind: RelationKind | FreeKind
    consumes: tuple[str, ...] = ()  # empty: everything the target offers
    failure: str = ""
    event_name: str = ""


class Node(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """One component of the system."""

    path: str
    directory: str
    name: str
    type: Located
    aspects: tuple[AspectUse, ...] = ()
    relations: tuple[Relation, ...] = ()
    mapping: tuple[Located, ...] = ()
    is_blackbox: bool = False
    files: tuple[str, ...] = ()  # names of the files beside its own, sorted
    declared_in: str = NODE_FILE

    def placed(self, path: str, directory: str, files: tuple[str, ...]) -> Self:
        """Return the same declaration in another folder."""
        return replace(self, path=path, directory=directory, files=files)

    @property
    def file(self) -> str:
        """The file that declares the node."""
        return f"{self.directory}/{self.declared_in}"

    @property
    def structural_targets(self) -> tuple[str, ...]:
        """The nodes that it needs to be built, each once."""
        needed = (each.target.text for each in self.relations if each.kind.is_structural)
        return tuple(dict.fromkeys(needed))

    @property
    def aspect_ids(self) -> tuple[str, ...]:
        """The aspects the node declares for itself."""
        return tuple(use.aspect.text for use in self.aspects)

    def place(self, word: Located) -> Place:
        """Tell where in the node's file something stands."""
        return Place(self.file, word.line, word.column)


class Aspect(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """A requirement that cuts across nodes."""

    id: str
    directory: str
    name: str
    description: str = ""
    implies: tuple[Located, ...] = ()
    stability: Stability | None = None
    files: tuple[str, ...] = ()
    declared_in: str = ASPECT_FILE
    tag: str = ""  # 0.x: what nodes carry to have it
    propagates: bool = True  # 0.x: whether an ancestor's tag is enough

    def placed(self, folder_id: str, directory: str, files: tuple[str, ...]) -> Self:
        """Return the same declaration in another folder."""
        return replace(self, id=folder_id, directory=directory, files=files)

    @property
    def file(self) -> str:
        """The file that declares the aspect."""
        return f"{self.directory}/{self.declared_in}"

    def place(self, word: Located) -> Place:
        """Tell where in the aspect's file something stands."""
        return Place(self.file, word.line, word.column)


class Flow(Struct, frozen=True, kw_only=True, dict=True, array_like=True):
    """A process that spans several nodes."""

    id: str
    directory: str
    name: str
    nodes: tuple[Located, ...]
    aspects: tuple[Located, ...] = ()
    files: tuple[str, ...] = ()
    declared_in: str = FLOW_FILE

    def placed(self, folder_id: str, directory: str, files: tuple[str, ...]) -> Self:
        """Return the same declaration in another folder."""
        return replace(self, id=folder_id, directory=directory, files=files)

    @property
    def file(self) -> str:
        """The file that declares the flow."""
        return f"{self.directory}/{self.declared_in}"

    @cached_property
    def participants(self) -> frozenset[str]:
        """The paths of the nodes that take part."""
        return frozenset(word.text for word in self.nodes)

    @property
    def aspect_ids(self) -> tuple[str, ...]:
        """The aspects the flow brings to all who take part."""
        return tuple(word.text for word in self.aspects)

    def place(self, word: Located) -> Place:
        """Tell where in the flow's file something stands."""
        return Place(self.file, word.line, word.column)


class NodeType(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """An architectural role that nodes can have."""

    name: str
    description: str = ""
    required_aspects: tuple[Located, ...] = ()


class Condition(StrEnum):
    """When a node has to have an artifact."""

    ALWAYS = "always"
    NEVER = "never"
    INCOMING = "has_incoming_relations"
    OUTGOING = "has_outgoing_relations"
    ASPECT = "has_aspect"


class ArtifactType(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """A content file that nodes may have."""

    name: str
    condition: Condition = Condition.NEVER
    aspect: Located | None = None  # for Condition.ASPECT
    description: str = ""
    in_relations: bool = False


STANDARD_BUDGET = Budget(warning=10_000, error=20_000)


class Quality(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """Measurable limits."""

    min_artifact_length: int = 50
    max_direct_relations: int = 10
    budget: Budget = STANDARD_BUDGET


STANDARD_QUALITY = Quality()


class Config(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """The configuration; what could not be read of it is empty."""

    file: str
    name: str = ""
    briefing: tuple[str, ...] = ()  # 0.x: lines about the whole project, for every package
    version: str = ""
    node_types: dict[str, NodeType]
    artifacts: dict[str, ArtifactType]
    quality: Quality = STANDARD_QUALITY


class Trouble(StrEnum):
    """What a reader can have to tell; each is told by the rule of the same name."""

    CONFIG = "invalid-config"
    NODE = "invalid-node-yaml"
    ASPECT = "invalid-aspect-yaml"
    FLOW = "invalid-flow-yaml"
    UNREADABLE = "unreadable-file"
    NO_NODE = "missing-node-yaml"
    BARE_DIRECTORY = "directory-without-node"
    LINK = "ignored-link"


class Note(Struct, frozen=True, array_like=True, gc=False):
    """A finding made while reading."""

    trouble: Trouble
    finding: Finding


class Stray(Struct, frozen=True, array_like=True, gc=False):
    """A key that means nothing where it stands, and whose file that is."""

    subject: str
    file: str
    key: UnknownKey


D = TypeVar("D", Node, Aspect, Flow)  # what has a folder of its own


class Reading(Struct, Generic[T_co], frozen=True, array_like=True, gc=False):
    """What reading one thing gave: the thing, unless its file is bad, and what is to be said."""

    value: T_co | None
    notes: tuple[Note, ...] = ()
    strays: tuple[Stray, ...] = ()
