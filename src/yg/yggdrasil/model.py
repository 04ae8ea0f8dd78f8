"""The values of a Yggdrasil graph: nodes, aspects, flows and configuration, as declared.

The classes describe the keys of the files: `yg.kernel.fields` reads the files by them, and the
JSON Schemas follow from them. The cache stores the values, so annotations are not postponed.
"""

from enum import StrEnum
from typing import Annotated, Any

from msgspec import Meta, Struct

from yg.kernel.fields import like
from yg.kernel.issue import Finding, Located, Place
from yg.text.decode import Datum

NODE_FILE = "yg-node.yaml"
ASPECT_FILE = "yg-aspect.yaml"
FLOW_FILE = "yg-flow.yaml"
CONFIG_FILE = "yg-config.yaml"
DESCRIPTION_FILE = "description.md"
FOLDER = ".yggdrasil"


def key(description: str, **extra: Any) -> Meta:
    """Return the description of a key, with what its reader needs to know besides its type."""
    return Meta(description=description, extra=extra or None)


class RelationType(StrEnum):
    """The type of a relation between two nodes."""

    USES = "uses"
    CALLS = "calls"
    EXTENDS = "extends"
    IMPLEMENTS = "implements"
    EMITS = "emits"
    LISTENS = "listens"

    @property
    def is_structural(self) -> bool:
        """Whether the node cannot be built without its target."""
        return self not in (RelationType.EMITS, RelationType.LISTENS)


class Stability(StrEnum):
    """The stability tier of an aspect."""

    SCHEMA = "schema"
    PROTOCOL = "protocol"
    IMPLEMENTATION = "implementation"


class AspectUse(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """An aspect declared by a node, with the node's exceptions and anchors."""

    aspect: Annotated[Located, key("The id of an aspect: its directory below aspects/.")]
    exceptions: Annotated[
        tuple[str, ...], key("Where the node deviates from the aspect, one sentence each.")
    ] = ()
    anchors: Annotated[
        tuple[Located, ...],
        key(
            "Texts in the mapped files that show where the aspect is met.",
            if_empty="Fill it, or leave it out.",
        ),
    ] = ()


class Relation(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """One outgoing edge, as the node's author declared it."""

    target: Annotated[Located, key("The path of another node, relative to model/.")]
    type: Annotated[RelationType, key("How the two are tied together.", what="relation type")]
    consumes: Annotated[
        tuple[str, ...], key("What of the target is used; leave out for everything.")
    ] = ()
    failure: Annotated[str, key("What happens when the target is not there.")] = ""
    event_name: Annotated[str, key("The name of the event, for emits and listens.")] = ""

    @property
    def identity(self) -> tuple[str, RelationType, str]:
        """What two entries for the same relation have in common."""
        return self.target.text, self.type, self.event_name


class Mapping(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """The files that a node stands for."""

    paths: Annotated[
        tuple[Located, ...],
        key(
            "Files or directories, relative to the repository.",
            if_empty="List the files or directories under 'paths', or remove 'mapping'.",
            may_be_blank=True,  # see rule E020
        ),
    ]


def _paths_hint(found: Datum) -> str:
    """Return how to write paths that stand directly under `mapping`."""
    items = found.value if isinstance(found.value, list) else [found]
    texts = [item.value for item in items[:_MOST_QUOTED] if isinstance(item.value, str)]
    if len(texts) < min(len(items), _MOST_QUOTED):
        return "List the files or directories under 'paths'."
    more = [".."] if len(items) > len(texts) else []
    return f"Write 'mapping: {{paths: [{', '.join([*texts, *more])}]}}'."


_MOST_QUOTED = 3  # paths in a hint


class Node(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """One component of the system."""

    name: Annotated[str, key("The name that people see.")]
    type: Annotated[Located, key("A key of node_types in yg-config.yaml.")]
    description: Annotated[
        str, key("One line about the node, for the packages of other nodes.")
    ] = ""
    aspects: Annotated[
        tuple[AspectUse, ...],
        key("Requirements that the node has to meet.", hint=like("- aspect: ..")),
    ] = ()
    blackbox: Annotated[bool, key("Existing code that is known only from outside.")] = False
    relations: Annotated[
        tuple[Relation, ...],
        key("What the node needs, and whom it tells.", hint=like("- {target: .., type: uses}")),
    ] = ()
    mapping: Annotated[
        Mapping | None, key("The files that the node stands for.", hint=_paths_hint)
    ] = None
    path: str = ""
    directory: str = ""
    files: tuple[str, ...] = ()  # names of the other files in its directory, sorted

    @property
    def file(self) -> str:
        """The file that declares the node."""
        return f"{self.directory}/{NODE_FILE}"

    @property
    def mapped(self) -> tuple[Located, ...]:
        """The mapped paths, as written."""
        return self.mapping.paths if self.mapping else ()

    @property
    def aspect_ids(self) -> tuple[str, ...]:
        """The aspects the node declares for itself."""
        return tuple([use.aspect.text for use in self.aspects])

    @property
    def structural_targets(self) -> tuple[str, ...]:
        """The targets of structural relations, without duplicates."""
        structural = [entry.target.text for entry in self.relations if entry.type.is_structural]
        return tuple(dict.fromkeys(structural))

    def place(self, located: Located) -> Place:
        """Return the position of a text in the node's file."""
        return Place(self.file, located.line, located.column)


class Aspect(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """A requirement that cuts across nodes."""

    name: Annotated[str, key("The name that people see.")]
    description: Annotated[str, key("One line for `yg aspects`.")] = ""
    implies: Annotated[tuple[Located, ...], key("Ids of aspects that come along.")] = ()
    stability: Annotated[Stability | None, key("How firmly it holds.", what="stability")] = None
    path: str = ""  # its id
    directory: str = ""
    files: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id: the path of its directory below `aspects/`."""
        return self.path

    @property
    def file(self) -> str:
        """The file that declares the aspect."""
        return f"{self.directory}/{ASPECT_FILE}"

    def place(self, located: Located) -> Place:
        """Return the position of a text in the aspect's file."""
        return Place(self.file, located.line, located.column)


class Flow(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """A process that spans several nodes."""

    name: Annotated[str, key("The name that people see.")]
    description: Annotated[str, key("One line about the process.")] = ""
    nodes: Annotated[
        tuple[Located, ...],
        key(
            "Paths of the nodes that take part, relative to model/.",
            if_empty="List the paths of the nodes that take part.",
            alias="participants",
        ),
    ]
    aspects: Annotated[
        tuple[Located, ...], key("Ids of aspects that every participant has to meet.")
    ] = ()
    path: str = ""  # its id
    directory: str = ""
    files: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id: the path of its directory below `flows/`."""
        return self.path

    @property
    def file(self) -> str:
        """The file that declares the flow."""
        return f"{self.directory}/{FLOW_FILE}"

    @property
    def aspect_ids(self) -> tuple[str, ...]:
        """The aspects that the flow applies to its participants."""
        return tuple([aspect.text for aspect in self.aspects])

    def place(self, located: Located) -> Place:
        """Return the position of a text in the flow's file."""
        return Place(self.file, located.line, located.column)


class Problem(Struct, frozen=True, array_like=True, gc=False):
    """A violation that a reader found, with the code of the rule that reports it."""

    code: str
    finding: Finding


class UnknownKey(Struct, frozen=True, array_like=True, gc=False):
    """A key that its mapping does not define, and the keys that it does."""

    subject: str
    file: str
    name: Located
    known: tuple[str, ...]
