"""The Markdown form of a context package."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from yg.kernel.escapes import one_line, visible
from yg.yggdrasil.package import BlockKind, ContextPackage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.kernel.package import Document
    from yg.yggdrasil.package import Block

_RULE = "---"


def package_markdown(package: ContextPackage, generated: str = "") -> str:
    """Return a package as Markdown; its size in the last line is the same in every format."""
    title, body = _title_and_body(package)
    verdict = "ok" if package.status == "ok" else "exceeded"
    stamp = f"\n# Generated: {generated}" if generated else ""
    size = f"{package.tokens} {package.budget.unit} (threshold {package.budget.warning}: {verdict})"
    return f"{title}{stamp}{body}Context size: {size}\n"


class MarkdownPackage(ContextPackage, frozen=True, kw_only=True):
    """A package whose size is that of its Markdown form."""

    @property
    def characters(self) -> int:
        """The length of the text."""
        return len(self.text)

    @property
    def text(self) -> str:
        """The document, without its time stamp and its last line."""
        return "".join(_title_and_body(self))


def _title_and_body(package: ContextPackage) -> tuple[str, str]:
    """Return the title and the body of a package, without the line with its size."""
    title = f"# Context Package: {_heading(package.name)}\n# Path: {_heading(package.path)}"
    sections = [section for section in _sections(package) if section]
    return title, f"\n\n{_RULE}\n\n".join(["", *sections, ""])


def _sections(package: ContextPackage) -> Iterator[str]:
    """Yield a section for each run of blocks of one kind; dependencies and events share one."""
    for heading, blocks in groupby(package.blocks, key=_heading_of):
        match heading:
            case "":
                yield from (_section(package, block) for block in blocks)
            case _:
                yield "\n\n".join([f"## {heading}", *(_entry(block) for block in blocks)])


def _heading_of(block: Block) -> str:
    match block.kind:
        case BlockKind.ASPECT:
            return "Aspects"
        case BlockKind.DEPENDENCY | BlockKind.EVENT:
            return "Dependencies"
        case BlockKind.FLOW:
            return "Flows"
        case _:
            return ""


def _section(package: ContextPackage, block: Block) -> str:
    """Return the section of a single block; empty if it has no content."""
    bodies = [body for document in block.documents if (body := _body(document))]
    match block.kind:
        case BlockKind.GLOBAL:
            lines = ["\n".join(block.opening), *block.closing]
            return "\n\n".join(["## Global Context", *lines])
        case BlockKind.HIERARCHY:
            bodies += block.closing
            heading = f"## Module Context ({visible(block.subject)}/)"
            return "\n\n".join([heading, *bodies]) if bodies else ""
        case BlockKind.OWN:
            documents = _documents("###", block)
            return "\n\n".join([f"## Node: {_heading(package.name)}", *documents])
        case _:
            mapping = dict(block.attributes)["paths"]
            return f"## Materialization Target\n\n**Mapping:** {_heading(mapping)}"


def _entry(block: Block) -> str:
    """Return the entry of a block in a shared section."""
    attributes = dict(block.attributes)
    lines = ["\n".join(lines) for lines in (block.opening, block.closing) if lines]
    match block.kind:
        case BlockKind.ASPECT:
            label = (
                f"tag: {attributes['tag']}" if "tag" in attributes else f"aspect: {block.subject}"
            )
            heading = f"### {_heading(attributes['name'])} ({_heading(label)})"
            return "\n\n".join([heading, *map(_body, block.documents), *lines])
        case BlockKind.FLOW:
            heading = f"### {_heading(attributes['name'])}"
            return "\n\n".join([heading, *map(_body, block.documents), *lines])
        case _:
            heading = f"### {visible(block.subject)} ({_heading(attributes['type'])})"
            return "\n\n".join([heading, *lines, *_documents("####", block)])


def _documents(marks: str, block: Block) -> Iterable[str]:
    return (f"{marks} {document.title}\n{document.body}" for document in block.documents)


def _body(document: Document) -> str:
    """Return the text of a document in a section without file names; a binary file is named."""
    return document.heading.rstrip("\n") if document.is_binary else document.body


def _heading(text: str) -> str:
    """Return a heading on one line, so that a name cannot add another heading."""
    return visible(one_line(text))
