"""The shape of `yg build-context --json`."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import UNSET, UnsetType

from yg.render.shapes.base import (
    Count,
    JsonDocument,
    Positive,
    Record,
    SomeUniqueTexts,
    Text,
    Texts,
    UniqueTexts,
    about,
    one_of,
)
from yg.render.shapes.context import Characters, Digest, TokenBudget, Tokenizer, Tokens
from yg.render.shapes.issues import File
from yg.yggdrasil.package import CONTENT_KINDS, BlockKind


class PackagedNode(Record, frozen=True, kw_only=True):
    """The node that the package is for."""

    path: Annotated[Text, about("The path of the node below `model/`; `.` for the root node.")]
    name: Annotated[Text, about("Its display name.")]
    type: Annotated[Text, about("Its type, a key of `node_types` in the configuration.")]


class BlockAttributes(Record, frozen=True, kw_only=True, rename="kebab"):
    """The attributes of a tag, in the order in which they are written."""

    node_path: Annotated[
        Text | UnsetType, about("In a package of several nodes: the node that has the block.")
    ] = UNSET
    node_name: Annotated[Text | UnsetType, about("The name of that node.")] = UNSET
    path: Annotated[
        Text | UnsetType, about("The path of an ancestor, with a slash at its end.")
    ] = UNSET
    name: Annotated[Text | UnsetType, about("The name of an aspect or flow.")] = UNSET
    tag: Annotated[Text | UnsetType, about("The tag that brings an aspect of a 0.x graph.")] = UNSET
    id: Annotated[Text | UnsetType, about("The id of an aspect.")] = UNSET
    aspects: Annotated[
        Text | UnsetType,
        about("The ids of the aspects that the block brings, joined by commas."),
    ] = UNSET
    paths: Annotated[
        Text | UnsetType, about("The files and directories to write, joined by commas.")
    ] = UNSET
    target: Annotated[Text | UnsetType, about("The path of the node that a relation names.")] = (
        UNSET
    )
    source: Annotated[
        Text | UnsetType,
        about("The import that describes a node of another repository, with its commit."),
    ] = UNSET
    type: Annotated[
        Text | UnsetType,
        about(
            "The type of that relation: uses, calls, extends, implements, emits or listens; any "
            "name in 0.x."
        ),
    ] = UNSET
    event_name: Annotated[Text | UnsetType, about("The name of the event.")] = UNSET
    consumes: Annotated[
        Text | UnsetType,
        about("The methods of the target that are used, separated by commas."),
    ] = UNSET
    failure: Annotated[
        Text | UnsetType, about("The behaviour of the node when the target fails.")
    ] = UNSET
    nodes: Annotated[
        Text | UnsetType,
        about(
            "In a package of several nodes: those that an aspect applies to, joined by commas, if "
            "it does not apply to all."
        ),
    ] = UNSET


class QuotedDocument(Record, frozen=True, kw_only=True):
    """One file of the graph as the package quotes it."""

    CONDITIONS: ClassVar[dict[str, Any]] = {
        "oneOf": [{"required": ["text"]}, {"required": ["as_in"]}]
    }

    name: Annotated[Text, about("The name of the file, as its heading shows it.")]
    path: File
    binary: Annotated[bool, about("Whether the file is binary, so that its text is left out.")]
    text: Annotated[
        str | UnsetType,
        about("Its full text; empty for a binary file, absent if the reader has it already."),
    ] = UNSET
    as_in: Annotated[
        Text | UnsetType, about("The node in whose package the reader has the text (`--have`).")
    ] = UNSET
    characters: Annotated[Count, about("The length of the text that is shown.")]
    tokens: Annotated[Count, about("The size of the text in tokens, estimated or counted.")]


# What each kind of block requires of its attributes; an aspect of a 0.x graph has a tag, no id.
_REQUIRED: dict[BlockKind, dict[str, Any]] = {
    BlockKind.HIERARCHY: {"required": ["path"]},
    BlockKind.TARGET: {"required": ["paths"]},
    BlockKind.ASPECT: {
        "required": ["name"],
        "oneOf": [{"required": ["id"]}, {"required": ["tag"]}],
    },
    BlockKind.DEPENDENCY: {"required": ["target", "type"]},
    BlockKind.EVENT: {"required": ["target", "type", "event-name"]},
    BlockKind.FLOW: {"required": ["name"]},
}


class PackageBlock(Record, frozen=True, kw_only=True):
    """One part of the package."""

    CONDITIONS: ClassVar[dict[str, Any]] = {
        "allOf": [
            {
                "if": {"properties": {"kind": {"const": kind.value}}},
                "then": {"properties": {"attributes": required}},
            }
            for kind, required in _REQUIRED.items()
        ]
    }

    kind: Annotated[str, one_of(*CONTENT_KINDS), about("The kind of block, the name of its tag.")]
    subject: Annotated[str, about("The project, node, aspect or flow that it describes.")]
    attributes: Annotated[
        BlockAttributes, about("The attributes of its tag; those without a value are absent.")
    ]
    opening: Annotated[list[str], about("The lines before the documents.")]
    documents: Annotated[list[QuotedDocument], about("The files it quotes, in order.")]
    closing: Annotated[list[str], about("The lines after the documents.")]
    see: Annotated[
        Text | UnsetType, about("The block that has its documents, in a package of several nodes.")
    ] = UNSET
    same_as: Annotated[
        Text | UnsetType,
        about("The node in whose package the reader has the same block (`--have`)."),
    ] = UNSET
    characters: Annotated[Count, about("The size of its content in characters.")]
    tokens: Annotated[Count, about("The size of its content in tokens, estimated or counted.")]
    because: Annotated[SomeUniqueTexts, about("The declarations that include it.")]
    files: Annotated[Texts, about("The files of the graph that the block depends on.")]


class CutDocument(Record, frozen=True, kw_only=True):
    """A document that was cut."""

    block: Annotated[str, one_of(*CONTENT_KINDS), about("The kind of the block that has it.")]
    subject: Annotated[Text, about("The subject of that block.")]
    document: Annotated[Text, about("The name of the file.")]
    tokens: Annotated[Count, about("The estimated size of its text in tokens.")]
    step: Annotated[Positive, about("The step of the order in which documents are cut.")]
    command: Annotated[Text, about("A command that shows it.")]


class FittedPackage(Record, frozen=True, kw_only=True):
    """What was cut so that the package fits (`--fit`)."""

    budget: Annotated[Positive, about("The number of tokens it had to fit.")]
    before: Annotated[Count, about("Its size before anything was cut.")]
    after: Annotated[Count, about("Its size, with the list of cuts.")]
    floor: Annotated[Count, about("Its size if everything is cut that can be.")]
    cut: Annotated[list[CutDocument], about("The documents that were cut, in order.")]


class BuildContextDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-build-context/1"):
    """What `yg build-context --json` prints: the context package of one node, or of several."""

    CONDITIONS: ClassVar[dict[str, Any]] = {
        "oneOf": [{"required": ["node", "digest"]}, {"required": ["nodes"]}]
    }

    node: Annotated[PackagedNode | UnsetType, about("The node that the package is for.")] = UNSET
    nodes: Annotated[
        list[PackagedNode] | UnsetType,
        about("The nodes, if these are several or, with `--diff`, none."),
    ] = UNSET
    digest: Annotated[
        Digest | UnsetType,
        about("The digest of the package of one node without options, for `--have NODE:DIGEST`."),
    ] = UNSET
    tokens: Tokens
    tokenizer: Tokenizer = UNSET
    characters: Characters
    budget: TokenBudget
    blocks: Annotated[list[PackageBlock], about("The parts of the package, in order.")]
    files: Annotated[
        UniqueTexts, about("All files of the graph that the package depends on, sorted.")
    ]
    fit: Annotated[FittedPackage | UnsetType, about("What was cut with `--fit`.")] = UNSET
