"""The Markdown form of a context package."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from yg_old.text.escapes import one_line, visible
from yg_old.yggdrasil.block_kind import BlockKind, Role
from yg_old.yggdrasil.package.blocks import Block, ContextPackage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.kernel.package import Document
    from yg_old.kernel.parts import Cut

_RULE = "\n\n---\n\n"
_FENCE = re.compile("`+")
_LIST_HEADING = "## Left Out"


def package_markdown(package: ContextPackage, generated: str = "") -> str:
    """Return a package as Markdown; its size in the last line is the same in every format."""
    title, body = _title_and_body(package)
    verdict = "ok" if package.status == "ok" else "exceeded"
    stamp = f"\n# Generated: {generated}" if generated else ""
    size = f"{package.tokens} {package.budget.unit} (threshold {package.budget.warning}: {verdict})"
    return f"{title}{stamp}{body}Context size: {size}\n{package.stale_line}"


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

    def cut_cost(self, cut: Cut) -> int:
        """Return the size of a document in the Markdown form, with the blank line before it.

        Of changed code the heading stays.
        """
        shown = (cut.document,) if cut.document else ()
        if cut.document is None:
            text = "".join(_entry(part) for part in cut.parts if isinstance(part, Block))
            return self.cost_of(len(text), lambda: text)
        if cut.part.kind is BlockKind.STALE:
            code = "".join(map(_fenced, shown))
            return self.cost_of(len(code), lambda: code)
        [text] = _documents(cut.part.kind, shown) or [""]
        return self.cost_of(len(text) + 2, lambda: f"\n\n{text}") if text else 0

    def line_cost(self, line: str) -> int:
        """Return the size of an item of the list of cuts."""
        return self.cost_of(len(line) + 3, lambda: f"\n- {line}")


def _title_and_body(package: ContextPackage) -> tuple[str, str]:
    """Return the title and the body of a package, without the line with its size."""
    sections = [section for section in _sections(package) if section]
    return package_title(package), _RULE.join(["", *sections, ""])


def package_title(package: ContextPackage) -> str:
    """Return the lines that open the document, without a time stamp."""
    names = ", ".join(_heading(node.name) for node in package.nodes)
    paths = ", ".join(_heading(node.path) for node in package.nodes)
    return f"# Context Package: {names}\n# Path: {paths}"


def _sections(package: ContextPackage) -> Iterator[str]:
    """Yield a section for each run of blocks of one kind; dependencies and events share one."""
    names = {node.path: node.name for node in package.nodes}
    for heading, blocks in groupby(_stale_first(package.parts), key=_heading_of):
        match heading:
            case "":
                yield from (_section(names, block) for block in blocks)
            case _:
                yield "\n\n".join([f"## {heading}", *(_entry(block) for block in blocks)])


def _stale_first(parts: Iterable[Block]) -> Iterator[Block]:
    """Yield blocks; those about stale dependencies stand before the section of dependencies."""
    for kind, group in groupby(parts, key=_is_of_dependencies):
        blocks = [*group]
        if kind:
            yield from (block for block in blocks if block.kind is BlockKind.STALE)
        yield from (block for block in blocks if not kind or block.kind is not BlockKind.STALE)


def _is_of_dependencies(block: Block) -> bool:
    is_stale = block.kind is BlockKind.STALE and block.role is Role.DEPENDENCY
    return is_stale or _heading_of(block) == "Dependencies"


def _heading_of(block: Block) -> str:
    match block.kind:
        case BlockKind.ASPECT:
            return "Aspects"
        case BlockKind.DEPENDENCY | BlockKind.EVENT:
            return "Dependencies"
        case BlockKind.CODE if block.role is Role.DEPENDENCY:
            return "Dependencies"
        case BlockKind.FLOW:
            return "Flows"
        case _:
            return ""


def block_heading(package: ContextPackage, block: Block) -> str:
    """Return the heading of a block; that of a materialization target is its whole section."""
    if _heading_of(block):
        return _entry_heading(block)
    return _section_heading({node.path: node.name for node in package.nodes}, block)


def _section_heading(  # noqa: PLR0911 - one per kind
    names: dict[str, str], block: Block
) -> str:
    """Return the heading of a section; `names` are the names of the nodes of the package."""
    match block.kind:
        case BlockKind.GLOBAL:
            return "## Global Context"
        case BlockKind.HIERARCHY:
            return _module_heading(block)
        case BlockKind.OWN:
            return f"## Node: {_heading(names[block.subject])}"
        case BlockKind.STALE:
            return f"## Stale: {visible(block.subject)}"
        case BlockKind.CODE:
            return f"## {_code_heading(block)}"
        case BlockKind.LEFT_OUT:
            return _LIST_HEADING
        case _:
            attributes = dict(block.attributes)
            mapping = attributes["paths"]
            if "exclude" in attributes:
                mapping = f"{mapping} (without {attributes['exclude']})"
            heading = f"## Materialization Target{_for_nodes(block)}"
            return f"{heading}\n\n**Mapping:** {_heading(mapping)}"


def _section(names: dict[str, str], block: Block) -> str:  # noqa: PLR0911 - one per kind
    """Return the section of a single block; empty if it has no content."""
    heading = _section_heading(names, block)
    match block.kind:
        case BlockKind.GLOBAL:
            return "\n\n".join([heading, "\n".join(block.opening), *block.closing])
        case BlockKind.HIERARCHY:
            bodies = [*_documents(block.kind, block.documents), *block.closing]
            return "\n\n".join([heading, *bodies]) if bodies or block.same_as else ""
        case BlockKind.OWN:
            return "\n\n".join([heading, *_documents(block.kind, block.documents)])
        case BlockKind.STALE:
            return f"{heading}\n\n{stale_markdown(block)}"
        case BlockKind.CODE:
            return "\n\n".join([heading, *_code_lines(block)])
        case BlockKind.LEFT_OUT:
            return "\n".join([heading, "", *(f"- {line}" for line in block.opening)])
        case _:
            return heading


def stale_markdown(block: Block) -> str:
    """Return what a stale block says: the warning, the sentences to check, and the code."""
    warning, *sentences = block.opening
    code = _documents(block.kind, block.documents)
    listed = ["\n".join(sentences)] if sentences else []
    return "\n\n".join([warning, *listed, *code, *block.closing])


def _code_heading(block: Block) -> str:
    return f"Code: {visible(block.subject)} ({dict(block.attributes)['names']} names)"


def _code_lines(block: Block) -> tuple[str, ...]:
    """Return the lines of a code block in a fence, and those after them."""
    lines = "\n".join(block.opening)
    fence = _fence(lines)
    return (f"{fence}\n{lines}\n{fence}", *block.closing)


def _module_heading(block: Block) -> str:
    return f"## Module Context ({visible(block.subject)}/){_same_as(block)}"


def _entry(block: Block) -> str:
    """Return the entry of a block in a shared section."""
    heading = _entry_heading(block)
    if block.kind is BlockKind.CODE:
        return "\n\n".join([heading, *_code_lines(block)])
    parts = (block.lines_before, block.lines_after)
    lines = ["\n".join(lines) for lines in parts if lines]
    documents = _documents(block.kind, block.documents)
    if block.kind in (BlockKind.ASPECT, BlockKind.FLOW):
        return "\n\n".join([heading, *documents, *lines])
    return "\n\n".join([heading, *lines, *documents])


def _entry_heading(block: Block) -> str:
    attributes = dict(block.attributes)
    match block.kind:
        case BlockKind.ASPECT:
            label = (
                f"tag: {attributes['tag']}" if "tag" in attributes else f"aspect: {block.subject}"
            )
            heading = f"### {_heading(attributes['name'])} ({_heading(label)})"
            heading += _for_nodes(block) if "nodes" in attributes else ""
            return heading + _same_as(block)
        case BlockKind.FLOW:
            return f"### {_heading(attributes['name'])}{_same_as(block)}"
        case BlockKind.CODE:
            return f"### {_code_heading(block)}{_for_nodes(block)}"
        case _:
            origin = f", {attributes['source']}" if "source" in attributes else ""
            heading = f"### {visible(block.subject)} ({_heading(attributes['type'] + origin)})"
            return heading + _for_nodes(block)


def _for_nodes(block: Block) -> str:
    """Return the end of a heading that names the nodes of a block, in a package of several."""
    return f" for {', '.join(map(visible, block.nodes))}" if block.nodes else ""


def _same_as(block: Block) -> str:
    return f" (as in {visible(block.same_as)})" if block.same_as else ""


def _documents(kind: str, documents: Iterable[Document]) -> list[str]:
    """Return documents as the section of a kind shows them: only some have a heading."""
    match kind:
        case BlockKind.OWN:
            return [f"### {document.title}\n{document.body}" for document in documents]
        case BlockKind.STALE:
            return [_code(document) for document in documents]
        case BlockKind.DEPENDENCY:
            return [f"#### {document.title}\n{document.body}" for document in documents]
        case BlockKind.HIERARCHY:
            return [body for document in documents if (body := _body(document))]
        case _:
            return [_body(document) for document in documents]


def _code(document: Document) -> str:
    """Return a heading, and the code below it in a fence that is longer than any in it."""
    return f"### {document.title}{_fenced(document) if document.has_text else ''}"


def _fenced(document: Document) -> str:
    fence = _fence(document.body)
    return f"\n\n{fence}\n{document.body}\n{fence}"


def _fence(code: str) -> str:
    return "`" * max(3, 1 + max((len(run) for run in _FENCE.findall(code)), default=0))


def _body(document: Document) -> str:
    """Return the text of a document in a section without file names; without text, its heading."""
    has_text = not document.as_in and not document.is_binary and not document.source.is_draft
    return document.body if has_text else document.heading.rstrip("\n")


def _heading(text: str) -> str:
    """Return a heading on one line, so that a name cannot add another heading."""
    return visible(one_line(text))
