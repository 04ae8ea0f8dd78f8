"""Render one node of a Spec Graph as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.render.shapes.node import NodeDocument
    from yg.specgraph.model import SpecNode


def node_text(node: SpecNode, text: str, links: Sequence[tuple[str, str]]) -> str:
    """Write the file of a node, and the links to it."""
    ending = "" if text.endswith("\n") else "\n"
    lines = "".join(f"  {visible(source)} {link}\n" for source, link in links)
    return f"{visible(node.file)}\n{text}{ending}" + (f"Links to it:\n{lines}" if lines else "")


def node_data(node: SpecNode, text: str, links: Sequence[tuple[str, str]]) -> NodeDocument:
    """Return a node as data."""
    from yg.render.shapes.node import IncomingLink, NodeDocument

    return NodeDocument(
        id=node.id,
        type=node.type,
        title=node.title,
        file=node.file,
        text=text,
        links=[IncomingLink(source=source, link=link) for source, link in links],
    )
