"""Packages as text: between tags, as Markdown, or as a table of reasons."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from yg.text.escapes import one_line, visible
from yg.yggdrasil.package import BlockKind
from yg.yggdrasil.texts import break_length, text_body

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from yg.yggdrasil.package import Block, Document, Package


_ESCAPES = str.maketrans(
    {
        **{code: f"&#{code};" for code in (*range(9), *range(10, 0x20), *range(0x7F, 0xA0))},
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
    }
)
_RULE = "\n\n---\n\n"


def package_text(package: Package) -> str:
    """Write a package between tags; the content of documents is verbatim."""
    node = package.node
    opening = _tag(
        "context-package",
        {"node-path": node.path, "node-name": node.name, "token-count": str(package.tokens)},
    )
    body = "\n\n".join(
        [f"<{opening}>", *[block_text(block) for block in package.blocks], "</context-package>"]
    )
    return f"{body}\nBudget status: {package.budget.status}\n"


def block_text(block: Block) -> str:
    """Write a block between its tags; one that the reader has already is closed at once."""
    if block.same_as:
        return f"<{_tag(block.kind, {**block.attributes, 'same-as': block.same_as})}/>"
    opening = _tag(block.kind, block.attributes)
    if not block.has_content:
        return f"<{opening}/>"
    documents = "".join([_document_text(document) for document in block.documents])
    before, after = (
        "".join([f"{line}\n" for line in lines]) for lines in (block.opening, block.closing)
    )
    return f"<{opening}>\n{before}{documents}{after}</{block.kind}>"


def _tag(name: str, attributes: Mapping[str, str]) -> str:
    pairs = [f' {key}="{value.translate(_ESCAPES)}"' for key, value in attributes.items()]
    return name + "".join(pairs)


def _document_text(document: Document) -> str:
    """Write a heading and the text, which ends in exactly one line break."""
    heading, text = f"### {document.title}\n", document.text or ""
    body = text_body(text)
    if not body:
        return heading
    ending = "\r\n" if break_length(text, body) > 1 else "\n"
    return f"{heading}{body}{ending}"


def _body(document: Document) -> str:
    """Return a text without its final line breaks; empty for a file that is not text."""
    return text_body(document.text or "")


def reason_rows(package: Package) -> Iterator[tuple[str, str, str, str]]:
    """Yield the rows of a table: each block, its tokens, its share and why it is there."""
    yield "block", "tokens", "share", "because"
    total = package.characters
    for block in package.blocks:
        share = 100 * block.characters / total
        label = visible(f"{block.kind} {block.subject}".rstrip())
        yield label, str(block.tokens), f"{share:.1f}%", visible(", ".join(block.reasons))
    verdict = f"{package.budget.status}, warning above {package.budget.warning}"
    yield "total", str(package.tokens), "100.0%", verdict


# Markdown, the form of packages in the 0.x edition.


def package_markdown(package: Package) -> str:
    """Write a package as Markdown."""
    title = (
        f"# Context Package: {_heading(package.node.name)}\n# Path: {_heading(package.node.path)}"
    )
    sections = [section for section in _sections(package) if section]
    body = _RULE.join([title, *sections, ""])
    verdict = "ok" if package.budget.status == "ok" else "exceeded"
    size = f"{package.tokens} tokens (threshold {package.budget.warning}: {verdict})"
    return f"{body}Context size: {size}\n"


_SHARED = {
    BlockKind.ASPECT: "Aspects",
    BlockKind.DEPENDENCY: "Dependencies",
    BlockKind.EVENT: "Dependencies",
    BlockKind.FLOW: "Flows",
}


def _sections(package: Package) -> Iterator[str]:
    """Yield a section for each run of blocks that share one."""
    for heading, blocks in groupby(package.blocks, key=lambda block: _SHARED.get(block.kind, "")):
        if heading:
            yield "\n\n".join([f"## {heading}", *(_entry(block) for block in blocks)])
        else:
            yield from (_section(package, block) for block in blocks)


def _section(package: Package, block: Block) -> str:
    """Write the section of a single block; empty if it has no content."""
    bodies = [_body(document) for document in block.documents]
    match block.kind:
        case BlockKind.GLOBAL:
            return "\n\n".join([f"## Global Context{_same_as(block)}", *block.opening])
        case BlockKind.HIERARCHY:
            heading = f"## Module Context ({visible(block.subject)}/){_same_as(block)}"
            parts = [*_paragraphs(block.opening), *filter(None, bodies)]
            return "\n\n".join([heading, *parts]) if parts or block.same_as else ""
        case BlockKind.OWN:
            documents = _headed(block.documents, "###", bodies)
            return "\n\n".join([f"## Node: {_heading(package.node.name)}", *documents])
        case _:
            mapping = block.attributes["paths"]
            return f"## Materialization Target\n\n**Mapping:** {_heading(mapping)}"


def _entry(block: Block) -> str:
    """Write the entry of a block in a shared section."""
    attributes = block.attributes
    bodies = [_body(document) for document in block.documents]
    opening, closing = _paragraphs(block.opening), _paragraphs(block.closing)
    match block.kind:
        case BlockKind.ASPECT:
            heading = f"{_heading(attributes['name'])} (aspect: {_heading(block.subject)})"
            parts = [*_bodies(block.documents, bodies), *opening, *closing]
        case BlockKind.FLOW:
            heading = _heading(attributes["name"])
            parts = [*opening, *_bodies(block.documents, bodies)]
        case _:
            heading = f"{visible(block.subject)} ({_heading(attributes['type'])})"
            parts = [*opening, *_headed(block.documents, "####", bodies)]
    return "\n\n".join([f"### {heading}{_same_as(block)}", *parts])


def _same_as(block: Block) -> str:
    """Return the end of the heading of a block that the reader has already."""
    return f" (as in {visible(block.same_as)})" if block.same_as else ""


def _paragraphs(lines: tuple[str, ...]) -> list[str]:
    """Join lines into paragraphs, which empty lines separate."""
    return ["\n".join(group) for has_text, group in groupby(lines, key=bool) if has_text]


def _headed(documents: Iterable[Document], level: str, bodies: Iterable[str]) -> list[str]:
    return [
        f"{level} {document.title}\n{body}"
        for document, body in zip(documents, bodies, strict=True)
    ]


def _bodies(documents: Iterable[Document], bodies: Iterable[str]) -> list[str]:
    """Return texts without their file names; a file whose content is left out shows its name."""
    return [
        body or f"### {document.title}" if document.binary else body
        for document, body in zip(documents, bodies, strict=True)
    ]


def _heading(text: str) -> str:
    """Return a heading on one line, so that a name cannot add another heading."""
    return visible(one_line(text))
