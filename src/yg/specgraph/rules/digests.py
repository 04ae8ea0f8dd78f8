"""Rules about digests: whether things are still what they were."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

from yg.kernel.digest import file_digest
from yg.kernel.issue import Finding, Place, Severity
from yg.kernel.rule import rule
from yg.specgraph.model import LinkKind, Shape
from yg.specgraph.node_shapes import DIGEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.kernel.fields import Word
    from yg.specgraph.graph import Graph
    from yg.specgraph.model import Node


@rule("E114", "digest-mismatch", Severity.ERROR)
def digest_mismatch(graph: Graph) -> Iterator[Finding]:
    """Every digest is that of what it stands for.

    The `sha256` of an entry of `graph.json` stands for the node's file. A pin stands for the
    `artifact.sha256` of its source, or for the source's file if it has none. The line endings of a
    checkout make no difference.

    Why: what was agreed on, or derived from, has changed since.
    Fix: look at what changed; then write the new digest, or restore the old state.
    Example:
        {"id": "TOK-1", "path": "nodes/TOK-1.json", "sha256": "0000.."}    # E114: it is 9f86..
    """
    for reference in graph.references.values():
        node = graph.get(reference.id.text)
        word = reference.sha256
        if node and word and _is_digest(word.text) and not _is_file(graph, node, word.text):
            message = f"'{reference.path}' is not what graph.json says it is"
            place = Place(graph.file, word.line, word.column)
            yield Finding(node.id, message, place, (_now(_file_digest(graph, node)),))
    for node in graph.nodes.values():
        yield from _stale_pins(graph, node)


def _stale_pins(graph: Graph, node: Node) -> Iterator[Finding]:
    for pin in node.pins:
        source, digest = graph.nodes.get(pin.id.text), pin.sha256.text
        artifact = source.artifact.sha256 if source and source.artifact else ""
        if source is None or not all(map(_is_digest, (digest, artifact or digest))):
            continue  # of which another rule tells
        if not (digest == artifact if artifact else _is_file(graph, source, digest)):
            message = f"the pin of '{pin.id}' is not what it is now"
            now = _now(_digest_of(graph, source))
            yield Finding(node.id, message, node.place(pin.sha256), (now,), (source.id,))


@rule("W105", "unpinned-derivation", Severity.WARNING)
def unpinned_derivation(graph: Graph) -> Iterator[Finding]:
    """Whatever a node is derived from is pinned.

    Features, layers and behaviors cannot have pins and are not asked for them.

    Why: without a pin nobody learns that the source has changed since.
    Fix: add an entry to `pins` with the id of the source and its SHA-256.
    Example:
        "links": {"derived_from": ["ART-1"]}, "pins": []    # W105
    """
    for node in graph.nodes.values():
        if node.kind.shape is Shape.CONTRACT:
            pinned = {pin.id.text for pin in node.pins}
            for word in _unpinned(graph, node, pinned):
                message = f"is derived from '{word}' without a pin"
                digest = _digest_of(graph, graph.nodes[word.text])
                advice = f'Add {{"id": "{word}", "sha256": "{digest}"}} to \'pins\'.'
                yield Finding(node.id, message, node.place(word), (advice,), (word.text,))


def _unpinned(graph: Graph, node: Node, pinned: set[str]) -> Iterator[Word]:
    for word in node.linked(LinkKind.DERIVED_FROM):
        if word.text in graph.nodes and word.text not in pinned and word.text != node.id:
            yield word


def _digest_of(graph: Graph, source: Node) -> str:
    return source.artifact.sha256 if source.artifact else _file_digest(graph, source)


def _file_digest(graph: Graph, node: Node) -> str:
    return file_digest([graph.snapshot.read(node.file)])


def _is_file(graph: Graph, node: Node, digest: str) -> bool:
    """Tell whether a digest is that of a node's file, as it is or with other line endings."""
    data = graph.snapshot.read(node.file)
    return digest in (sha256(data).hexdigest(), file_digest([data]))


def _is_digest(text: str) -> bool:
    return re.fullmatch(DIGEST.pattern, text) is not None


def _now(digest: str) -> str:
    return f"It is {digest} now."
