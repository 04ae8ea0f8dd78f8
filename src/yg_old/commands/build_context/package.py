"""The package of nodes in a Yggdrasil graph: its document, its text and the reasons for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from yg_old.commands.budget import Tokenizer
from yg_old.commands.build_context.context import (
    MARKDOWN,
    TEXT,
    Characters,
    ContextDocument,
    ContextFiles,
    ShortDigest,
    TokenBudget,
    Tokens,
    budget_of,
    fitted_sizes,
    reason_tables,
    tag,
    tagged,
)
from yg_old.kernel.document import (
    UNIQUE,
    Count,
    File,
    Positive,
    Record,
    Text,
    about,
    one_of,
)
from yg_old.kernel.package import Fitted
from yg_old.yggdrasil.block_kind import CONTENT_KINDS, BlockKind
from yg_old.yggdrasil.package.blocks import ContextPackage, PackageNode
from yg_old.yggdrasil.package.split import Split, split_of

if TYPE_CHECKING:
    from typing import Self

    from yg_old.kernel.package import Budget, Document
    from yg_old.kernel.parts import Fit
    from yg_old.yggdrasil.package.blocks import Block


class BlockAttributes(Record, frozen=True, kw_only=True, rename="kebab"):
    """The attributes of a tag, in the order in which they are written."""

    node_path: Annotated[
        Text | UnsetType,
        about(
            "The node whose texts are stale, or whose code is shown; in a package of several: that "
            "has the block."
        ),
    ] = UNSET
    node_name: Annotated[Text | UnsetType, about("The name of that node.")] = UNSET
    names: Annotated[
        Text | UnsetType,
        about("How many names of the code are shown, of how many public ones."),
    ] = UNSET
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
    changes: Annotated[
        Text | UnsetType,
        about("How much the code changed that stale texts describe: the highest class."),
    ] = UNSET
    paths: Annotated[
        Text | UnsetType, about("The files and directories to write, joined by commas.")
    ] = UNSET
    exclude: Annotated[
        Text | UnsetType,
        about("The patterns of files in them that belong to others, joined by commas."),
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
    draft: Annotated[
        Literal[True] | UnsetType,
        about("Present if nobody has written the text yet, so that it is left out."),
    ] = UNSET
    text: Annotated[
        str | UnsetType,
        about("Its full text; empty if it is left out, absent if the reader has it already."),
    ] = UNSET
    as_in: Annotated[
        Text | UnsetType,
        about("The node in whose package (`--have`) or block the reader has the text."),
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
    BlockKind.CODE: {"required": ["node-path", "names"]},
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
    opening: Annotated[tuple[str, ...], about("The lines before the documents.")]
    documents: Annotated[tuple[QuotedDocument, ...], about("The files it quotes, in order.")]
    closing: Annotated[tuple[str, ...], about("The lines after the documents.")]
    see: Annotated[
        Text | UnsetType, about("The block that has its documents, in a package of several nodes.")
    ] = UNSET
    same_as: Annotated[
        Text | UnsetType,
        about("The node in whose package the reader has the same block (`--have`)."),
    ] = UNSET
    characters: Annotated[Count, about("The size of its content in characters.")]
    tokens: Annotated[Count, about("The size of its content in tokens, estimated or counted.")]
    because: Annotated[
        tuple[Text, ...],
        Meta(min_length=1, extra_json_schema=UNIQUE),
        about("The declarations that include it."),
    ]
    files: Annotated[tuple[Text, ...], about("The files of the graph that the block depends on.")]


class CutDocument(Record, frozen=True, kw_only=True):
    """A document that was cut."""

    block: Annotated[str, one_of(*CONTENT_KINDS), about("The kind of the block that has it.")]
    subject: Annotated[str, about("The subject of that block; empty if several were cut.")]
    document: Annotated[
        Text | UnsetType, about("The name of the file; absent if the whole block was cut.")
    ] = UNSET
    tokens: Annotated[Count, about("The estimated size of its text in tokens.")]
    step: Annotated[Positive, about("The step of the order in which documents are cut.")]
    command: Annotated[Text, about("A command that shows it.")]


class FittedPackage(Fitted, frozen=True, kw_only=True):
    """What was cut so that the package fits (`--fit`)."""

    cut: Annotated[tuple[CutDocument, ...], about("The documents that were cut, in order.")]


class Package(ContextDocument, frozen=True, kw_only=True, tag="yg-build-context/1"):
    """What `yg build-context --json` prints: the context package of one node, or of several."""

    CONDITIONS: ClassVar[dict[str, Any]] = {
        "oneOf": [{"required": ["node", "digest"]}, {"required": ["nodes"]}]
    }

    whole: ContextPackage
    node: Annotated[PackageNode | UnsetType, about("The node that the package is for.")] = UNSET
    nodes: Annotated[
        tuple[PackageNode, ...] | UnsetType,
        about("The nodes, if these are several or, with `--diff`, none."),
    ] = UNSET
    digest: Annotated[
        ShortDigest | UnsetType,
        about("The digest of the package of one node without options, for `--have NODE:DIGEST`."),
    ] = UNSET
    tokens: Tokens
    tokenizer: Tokenizer = UNSET
    characters: Characters
    budget: TokenBudget
    blocks: Annotated[tuple[PackageBlock, ...], about("The parts of the package, in order.")] = ()
    files: ContextFiles
    stale: Annotated[
        tuple[Text, ...] | UnsetType,
        about("The nodes whose code changed after their texts were confirmed; absent if none."),
    ] = UNSET
    fit: Annotated[FittedPackage | UnsetType, about("What was cut with `--fit`.")] = UNSET
    split: Annotated[
        Split | UnsetType,
        about("The parts that could belong to other nodes, if the package of a node is too large."),
    ] = UNSET

    def completed(self) -> Self:
        """Add the digest, and the blocks with their sizes; the list of cuts is none of them."""
        whole = self.whole
        blocks = (_block(block, whole) for block in whole.parts if not block.is_listing)
        split = split_of(whole) or UNSET
        return replace(super().completed(), blocks=tuple(blocks), split=split)

    def written(self, form: str) -> str:
        """Write the package in a form."""
        return written(self.whole, form, self.stamp)


def package_document(package: ContextPackage) -> Package:
    """Return the document of a package; its blocks are added when they are needed."""
    is_one = len(package.nodes) == 1
    return Package(
        whole=package,
        remarks=package.left_out,
        node=package.nodes[0] if is_one else UNSET,
        nodes=UNSET if is_one else package.nodes,
        tokens=package.tokens,
        tokenizer=package.budget.tokenizer or UNSET,
        characters=package.characters,
        budget=budget_of(package),
        files=package.source_files,
        stale=package.stale or UNSET,
        fit=UNSET if package.fit is None else _fit(package, package.fit),
    )


def _fit(package: ContextPackage, fit: Fit) -> FittedPackage:
    return FittedPackage(
        **fitted_sizes(fit, package),
        cut=tuple(
            CutDocument(
                block=cut.part.kind,
                subject=cut.subject,
                document=cut.document.name if cut.document else UNSET,
                tokens=cut.tokens,
                step=cut.step,
                command=cut.command,
            )
            for cut in fit.cuts
        ),
    )


def _block(block: Block, package: ContextPackage) -> PackageBlock:
    attributes = {key.replace("-", "_"): value for key, value in block.attributes}
    return PackageBlock(
        kind=block.kind,
        subject=block.subject,
        attributes=BlockAttributes(**attributes),
        opening=block.opening,
        documents=tuple(_document(document, package.budget) for document in block.documents),
        closing=block.lines_after,
        see=block.see or UNSET,
        same_as=block.same_as or UNSET,
        characters=block.characters,
        tokens=package.size_of(block),
        because=block.reasons,
        files=block.source_files,
    )


def _document(document: Document, budget: Budget) -> QuotedDocument:
    is_binary, as_in = document.is_binary, document.as_in
    is_draft = document.source.is_draft
    text = "" if is_binary or is_draft or as_in else document.source.value
    return QuotedDocument(
        name=document.name,
        path=document.source.path,
        binary=is_binary,
        draft=True if is_draft else UNSET,
        text=UNSET if as_in else text,
        as_in=as_in or UNSET,
        characters=len(text),
        tokens=budget.measure(len(text), lambda: text),
    )


def written(package: ContextPackage, form: str = TEXT, stamp: str = "") -> str:
    """Write a package in a form; only Markdown has a time stamp."""
    if form == TEXT:
        return package_text(package)
    if form != MARKDOWN:
        return package_reasons(package)
    from yg_old.yggdrasil.package.markdown import package_markdown

    return package_markdown(package, stamp)


def package_text(package: ContextPackage) -> str:
    """Write a package: tags with attributes, and the content verbatim between them."""
    text = tagged(package, _node_attributes(package), map(_block_text, package.parts))
    return text + package.stale_line


def _node_attributes(package: ContextPackage) -> tuple[tuple[str, str], ...]:
    if len(package.nodes) == 1:
        [node] = package.nodes
        return ("node-path", node.path), ("node-name", node.name)
    return (("nodes", ", ".join(node.path for node in package.nodes)),)


def _block_text(block: Block) -> str:
    if block.same_as:
        return f"<{tag(block.kind, (('subject', block.subject), ('same-as', block.same_as)))}/>"
    opening = tag(block.kind, block.attributes)
    if not block.has_content:
        return f"<{opening}/>"
    return f"<{opening}>\n{block.content}</{block.kind}>"


def package_reasons(package: ContextPackage) -> str:
    """Write tables of the blocks that are shown and of what is left out, with the reasons."""
    blocks = (
        (
            f"{block.kind} {block.subject}".rstrip(),
            block.characters,
            package.size_of(block),
            ", ".join(block.reasons),
        )
        for block in package.parts
        if not block.same_as
    )
    split = split_of(package)
    return reason_tables("block", blocks, package) + (f"\n{split.text}\n" if split else "")
