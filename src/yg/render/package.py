"""Render a context package as tagged text, as data, and as a table of reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct

from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from yg.kernel.package import Budget, Document, Measured
    from yg.render.shapes.base import JsonDocument
    from yg.render.shapes.context import ContextBudget
    from yg.render.shapes.package import BuildContextDocument, PackageBlock, QuotedDocument
    from yg.yggdrasil.package import Block, ContextPackage


class ContextForms(Struct, frozen=True):
    """The renderers for the contexts of one kind of graph."""

    data: Callable[[Any], JsonDocument]
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
    opening = tag(
        "context-package",
        (
            ("node-path", package.path),
            ("node-name", package.name),
            *size_attributes(package),
        ),
    )
    blocks = [_block(block) for block in package.blocks]
    body = "\n\n".join([f"<{opening}>", *blocks, "</context-package>"])
    return f"{body}\nBudget status: {package.status}\n"


def size_attributes(whole: Measured) -> tuple[tuple[str, str], ...]:
    """Return the attributes of a tag with the size of a context."""
    count, tokenizer = ("token-count", str(whole.tokens)), whole.budget.tokenizer
    return (count, ("tokenizer", tokenizer)) if tokenizer else (count,)


def _block(block: Block) -> str:
    opening = tag(block.kind, block.attributes)
    if not block.has_content:
        return f"<{opening}/>"
    return f"<{opening}>\n{block.content}</{block.kind}>"


def tag(name: str, attributes: tuple[tuple[str, str], ...]) -> str:
    """Write the name and the quoted attributes of a tag."""
    return name + "".join(f' {key}="{value.translate(_ESCAPES)}"' for key, value in attributes)


def package_data(package: ContextPackage) -> BuildContextDocument:
    """Return a package as data."""
    from yg.render.shapes.package import BuildContextDocument, PackagedNode

    budget = package.budget
    return BuildContextDocument(
        node=PackagedNode(path=package.path, name=package.name, type=package.type),
        tokens=package.tokens,
        tokenizer=budget.tokenizer or UNSET,
        characters=package.characters,
        budget=budget_data(package),
        blocks=[_block_data(block, budget) for block in package.blocks],
        files=list(package.source_files),
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
        closing=list(block.closing),
        characters=block.characters,
        tokens=_tokens(block, budget),
        because=list(block.reasons),
        files=list(block.source_files),
    )


def _document_data(document: Document, budget: Budget) -> QuotedDocument:
    from yg.render.shapes.package import QuotedDocument

    is_binary = document.is_binary
    text = "" if is_binary else document.source.value
    return QuotedDocument(
        name=document.name,
        path=document.source.path,
        binary=is_binary,
        text=text,
        characters=len(text),
        tokens=budget.measure(len(text), lambda: text),
    )


def package_reasons(package: ContextPackage) -> str:
    """Write a table of blocks with their size, their share and the reason they are included."""
    blocks = (
        (
            f"{block.kind} {block.subject}",
            block.characters,
            _tokens(block, package.budget),
            ", ".join(block.reasons),
        )
        for block in package.blocks
    )
    return reason_table("block", blocks, package)


def _tokens(block: Block, budget: Budget) -> int:
    return budget.measure(block.characters, lambda: block.text)


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
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "".join(
        f"{label:<{widths[0]}}  {size:>{widths[1]}}  {share:>{widths[2]}}  {because}\n"
        for label, size, share, because in rows
    )
