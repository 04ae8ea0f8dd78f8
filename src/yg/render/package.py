"""Render a context package as tagged text, as data, and as a table of reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct

from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from yg.kernel.package import Budget, Document, Measured
    from yg.render.shapes.base import JsonDocument
    from yg.render.shapes.context import ContextBudget
    from yg.render.shapes.package import (
        BuildContextDocument,
        FittedPackage,
        PackageBlock,
        QuotedDocument,
    )
    from yg.yggdrasil.package import Block, ContextPackage, Fit


class ContextForms(Struct, frozen=True):
    """The renderers for the contexts of one kind of graph."""

    data: Callable[[Any, str], JsonDocument]  # the second argument is the digest, if any
    text: Callable[[Any], str]
    markdown: Callable[[Any, str], str]  # the second argument is the time stamp, if any
    reasons: Callable[[Any], str]
    left_out: Callable[[Any], tuple[str, ...]] = lambda _context: ()  # lines to warn about


_NAMES = ("amp", "lt", "gt", "quot")
_ESCAPES = str.maketrans(
    {
        **{code: f"&#{code};" for code in (*range(9), *range(10, 0x20), *range(0x7F, 0xA0))},
        **{ord(letter): f"&{name};" for letter, name in zip('&<>"', _NAMES, strict=True)},
    }
)


def package_text(package: ContextPackage) -> str:
    """Write a package: tags with attributes, and the content verbatim between them."""
    opening = tag("context-package", (*_node_attributes(package), *size_attributes(package)))
    blocks = [_block(block) for block in package.blocks]
    body = "\n\n".join([f"<{opening}>", *blocks, "</context-package>"])
    return f"{body}\nBudget status: {package.status}\n"


def size_attributes(whole: Measured) -> tuple[tuple[str, str], ...]:
    """Return the attributes of a tag with the size of a context."""
    count, tokenizer = ("token-count", str(whole.tokens)), whole.budget.tokenizer
    return (count, ("tokenizer", tokenizer)) if tokenizer else (count,)


def _node_attributes(package: ContextPackage) -> tuple[tuple[str, str], ...]:
    if len(package.nodes) == 1:
        [node] = package.nodes
        return ("node-path", node.path), ("node-name", node.name)
    return (("nodes", ", ".join(node.path for node in package.nodes)),)


def _block(block: Block) -> str:
    if block.same_as:
        return f"<{tag(block.kind, (('subject', block.subject), ('same-as', block.same_as)))}/>"
    opening = tag(block.kind, block.attributes)
    if not block.has_content:
        return f"<{opening}/>"
    return f"<{opening}>\n{block.content}</{block.kind}>"


def tag(name: str, attributes: tuple[tuple[str, str], ...]) -> str:
    """Write the name and the quoted attributes of a tag."""
    return name + "".join(f' {key}="{value.translate(_ESCAPES)}"' for key, value in attributes)


def package_data(package: ContextPackage, digest: str = "") -> BuildContextDocument:
    """Return a package as data; the list of cuts is not among its blocks."""
    from yg.render.shapes.package import BuildContextDocument, PackagedNode

    budget = package.budget
    nodes = [PackagedNode(path=node.path, name=node.name, type=node.type) for node in package.nodes]
    is_one = len(nodes) == 1
    return BuildContextDocument(
        node=nodes[0] if is_one else UNSET,
        nodes=UNSET if is_one else nodes,
        digest=digest or UNSET,
        tokens=package.tokens,
        tokenizer=budget.tokenizer or UNSET,
        characters=package.characters,
        budget=budget_data(package),
        blocks=[_block_data(block, budget) for block in package.blocks if not block.is_listing],
        files=list(package.source_files),
        fit=UNSET if package.fit is None else _fit_data(package.fit, package.tokens),
    )


def _fit_data(fit: Fit, after: int) -> FittedPackage:
    from yg.render.shapes.package import CutDocument, FittedPackage

    return FittedPackage(
        budget=fit.budget,
        before=fit.before,
        after=after,
        floor=fit.floor,
        cut=[
            CutDocument(
                block=cut.block.kind,
                subject=cut.block.subject,
                document=cut.document.name,
                tokens=cut.tokens,
                step=cut.step,
                command=cut.command,
            )
            for cut in fit.cuts
        ],
    )


def budget_data(whole: Measured) -> ContextBudget:
    """Return the budget of a context as data."""
    from yg.render.shapes.context import ContextBudget

    budget = whole.budget
    return ContextBudget(status=whole.status, warning=budget.warning, error=budget.error)


def _block_data(block: Block, budget: Budget) -> PackageBlock:
    from yg.render.shapes.package import BlockAttributes, PackageBlock

    attributes = {key.replace("-", "_"): value for key, value in block.attributes}
    return PackageBlock(
        kind=block.kind,
        subject=block.subject,
        attributes=BlockAttributes(**attributes),
        opening=list(block.opening),
        documents=[_document_data(document, budget) for document in block.documents],
        closing=list(block.lines_after),
        see=block.see or UNSET,
        same_as=block.same_as or UNSET,
        characters=block.characters,
        tokens=_tokens(block, budget),
        because=list(block.reasons),
        files=list(block.source_files),
    )


def _document_data(document: Document, budget: Budget) -> QuotedDocument:
    from yg.render.shapes.package import QuotedDocument

    is_binary, as_in = document.is_binary, document.as_in
    text = "" if is_binary or as_in else document.source.value
    return QuotedDocument(
        name=document.name,
        path=document.source.path,
        binary=is_binary,
        text=UNSET if as_in else text,
        as_in=as_in or UNSET,
        characters=len(text),
        tokens=budget.measure(len(text), lambda: text),
    )


def package_reasons(package: ContextPackage) -> str:
    """Write a table of blocks with their size, their share and the reason they are included.

    What the package leaves out follows in a table of its own, with the reason for that.
    """
    blocks = (
        (
            f"{block.kind} {block.subject}".rstrip(),
            block.characters,
            _tokens(block, package.budget),
            ", ".join(block.reasons),
        )
        for block in package.blocks
        if not block.same_as
    )
    shown = reason_table("block", blocks, package)
    return f"{shown}\n{_omission_table(package)}" if package.omissions else shown


def _omission_table(package: ContextPackage) -> str:
    rows = [("left out", package.budget.unit, "because")]
    for omission in package.omissions:
        document = omission.document
        name = f": {document.name}" if document else ""
        size = _tokens(document or omission.block, package.budget)
        rows.append((visible(omission.block.label + name), str(size), visible(omission.reason)))
    return table(rows, "<><")


def _tokens(part: Block | Document, budget: Budget) -> int:
    return budget.measure(part.characters, lambda: part.text)


def _markdown(package: ContextPackage, stamp: str) -> str:
    from yg.yggdrasil.markdown import package_markdown

    return package_markdown(package, stamp)


def _left_out(package: ContextPackage) -> tuple[str, ...]:
    return package.left_out


FORMS = ContextForms(package_data, package_text, _markdown, package_reasons, _left_out)


def reason_table(title: str, parts: Iterable[tuple[str, int, int, str]], whole: Measured) -> str:
    """Write a table of parts, each a label, a length, a size and a reason, with a total."""
    rows = [(title, whole.budget.unit, "share", "because")]
    total = whole.characters  # computed from all parts, so read it once
    for label, length, tokens, because in parts:
        share = 100 * length / total if total else 0.0
        rows.append((visible(label), str(tokens), f"{share:.1f}%", visible(because)))
    verdict = f"{whole.status}, warning above {whole.budget.warning}"
    rows.append(("total", str(whole.tokens), "100.0%", verdict))
    return table(rows, "<>><")


def table(rows: Sequence[Sequence[str]], alignment: str) -> str:
    """Write rows in columns; `alignment` has `<` or `>` for each, and the last is not padded."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(alignment) - 1)]
    return "".join(
        "  ".join(
            [
                *(
                    f"{cell:{side}{width}}"
                    for cell, side, width in zip(row, alignment, widths, strict=False)
                ),
                row[-1],
            ]
        )
        + "\n"
        for row in rows
    )
