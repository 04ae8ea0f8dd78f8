"""The keys of `yg-node.yaml`, `yg-aspect.yaml` and `yg-flow.yaml`, and the files with keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg_old.kernel.inventory_names import LONGEST_NAME, SEPARATOR
from yg_old.yggdrasil.model import (
    ASPECT_FILE,
    CONFIG_FILE,
    FLOW_FILE,
    NODE_FILE,
    RelationKind,
    Stability,
)
from yg_old.yggdrasil.read.config_shapes import ConfigKeys
from yg_old.yggdrasil.read.keys import (
    Keys,
    ValueRole,
    by_name,
    choice,
    either,
    flag,
    kind,
    numbers,
    optional_description,
    plain_texts,
    required_text,
    required_texts,
    sections,
    text,
    text_form,
    texts,
)

if TYPE_CHECKING:
    from yg_old.kernel.issue import Located
    from yg_old.yggdrasil.read.keys import Key

_NAME = "The name that people see."
_DOCUMENTS = "Texts outside the graph that packages quote: FILE, or FILE#HEADING for a section."
_DECISIONS = "The numbers of decision records that it rests on."


# yg-node.yaml


class AspectUseKeys(Keys):
    """An item of `aspects` of a node."""

    aspect = required_text(
        "aspect", "The id of an aspect: its directory below aspects/.", ValueRole.ASPECT
    )
    exceptions = plain_texts(
        "exceptions", "Where the node deviates from the aspect, one sentence each."
    )
    anchors = texts(
        "anchors",
        "Texts in the mapped files that show where the aspect is met.",
        if_empty="Fill it, or leave it out.",
    )


class RelationKeys(Keys):
    """An item of `relations`."""

    target = required_text(
        "target", "The path of another node, relative to model/.", ValueRole.NODE
    )
    kind = kind(
        "type",
        "How the two are tied together.",
        RelationKind,
        "relation type",
        ValueRole.KIND,
        is_required=True,
    )
    consumes = texts(
        "consumes", "What of the target is used; leave out for everything.", ValueRole.CONSUMED
    )
    failure = text("failure", "What happens when the target is not there.")
    event_name = text(
        "event_name", "The name of the event, for emits and listens.", ValueRole.EVENT
    )


class ExternalKeys(RelationKeys):
    """An item of `external`."""

    target = required_text(
        "target",
        "The name of an import and a node of it: IMPORT::NODE.",
        ValueRole.EXTERNAL,
        rf"^[A-Za-z0-9_][A-Za-z0-9._-]{{0,{LONGEST_NAME - 1}}}{SEPARATOR}[\s\S]",
    )


class MappingKeys(Keys):
    """`mapping` of a node."""

    paths = required_texts(
        "paths",
        "Files or directories, relative to the repository.",
        ValueRole.PATH,
        hint="List the files or directories under 'paths', or remove 'mapping'.",
        may_be_blank=True,  # see rule E020
    )
    exclude = texts(
        "exclude",
        "Patterns of files that are left out, as in .gitignore, relative to the repository.",
        ValueRole.PATH,
    )


class NodeKeys(Keys):
    """The keys of a node."""

    name = required_text("name", _NAME, ValueRole.NAME)
    type = required_text("type", "A key of node_types in yg-config.yaml.", ValueRole.TYPE)
    description = optional_description("One line about the node, for the packages of other nodes.")
    aspects = sections("aspects", "Requirements that the node has to meet.", AspectUseKeys)
    blackbox = flag("blackbox", "Existing code that is known only from outside.")
    drift = choice("drift", "Whether the mapped files are compared with a baseline.", ("on", "off"))
    relations = sections("relations", "What the node needs, and whom it tells.", RelationKeys)
    external = sections("external", "Relations to nodes of other repositories.", ExternalKeys)
    mapping = either(
        "mapping", "The files that the node stands for.", MappingKeys, {"type": "object"}
    )
    documents = texts("documents", _DOCUMENTS, ValueRole.DOCUMENT)
    artifacts = by_name(
        "artifacts",
        "Documents that stand for artifacts, by the name of the artifact.",
        hint="Write 'responsibility.md: FILE#HEADING' for each of them.",
        role=ValueRole.DOCUMENT,
        additionalProperties=text_form(),
    )
    decisions = numbers("decisions", _DECISIONS, ValueRole.DECISION)


# yg-aspect.yaml and yg-flow.yaml


class AspectKeys(Keys):
    """The keys of an aspect."""

    name = required_text("name", _NAME, ValueRole.NAME)
    description = text("description", "One line for `yg aspects`.")
    implies = texts("implies", "Ids of aspects that come along.", ValueRole.ASPECT)
    stability = kind("stability", "How firmly it holds.", Stability, "stability")
    documents = texts("documents", _DOCUMENTS, ValueRole.DOCUMENT)
    decisions = numbers("decisions", _DECISIONS, ValueRole.DECISION)


def _participants(name: str, about: str) -> Key[tuple[Located, ...]]:
    """Return the key of the nodes of a flow, which has two names."""
    hint = "List the paths of the nodes that take part."
    return replace(required_texts(name, about, ValueRole.NODE, hint=hint), is_required=False)


class FlowKeys(Keys):
    """The keys of a flow."""

    one_of = ("nodes", "participants")

    name = required_text("name", _NAME, ValueRole.NAME)
    description = optional_description("One line about the process.")
    nodes = _participants("nodes", "Paths of the nodes that take part, relative to model/.")
    participants = _participants(
        "participants", "Another name of nodes, for flows that do not have that key."
    )
    aspects = texts(
        "aspects", "Ids of aspects that every participant has to meet.", ValueRole.ASPECT
    )


class FileShape(Struct, frozen=True):
    """What a file is, and its keys."""

    about: str
    keys: type[Keys]


FILES = {
    CONFIG_FILE: FileShape("The configuration of a Yggdrasil graph.", ConfigKeys),
    NODE_FILE: FileShape("A node of a Yggdrasil graph.", NodeKeys),
    ASPECT_FILE: FileShape("An aspect: a requirement that cuts across nodes.", AspectKeys),
    FLOW_FILE: FileShape("A flow: a process that spans nodes.", FlowKeys),
}
