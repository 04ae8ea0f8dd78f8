"""Rules about digests of node files and pinned sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.digest import file_digest, file_digests
from yg_old.kernel.issue import Finding, Severity
from yg_old.kernel.rule import rule
from yg_old.specgraph.model import LinkKind, Shape
from yg_old.specgraph.node_shapes import DIGEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.specgraph.graph import SpecGraph
    from yg_old.specgraph.model import SpecNode


@rule("E114", "digest-mismatch", Severity.ERROR)
def digest_mismatch(graph: SpecGraph) -> Iterator[Finding]:
    """Every digest matches the content it was computed from.

    The `sha256` of an entry in `graph.json` is the digest of the node's file. The `sha256` of a pin
    is the `artifact.sha256` of its source, or the digest of the source's file if it has none. Line
    endings are ignored, and the case of the digits.

    Why: a different digest means that the content has changed since the digest was recorded.
    Fix: review the change; then record the new digest, or restore the old content.
    Example:
        {"id": "TOK-1", "path": "nodes/TOK-1.json", "sha256": "0000.."}    # E114: it is 9f86..
    """
    for reference in graph.references.values():
        node, digest = graph.get(reference.id), reference.sha256
        if node and DIGEST.fits(digest) and not is_file_digest(graph, node, digest):
            message = f"'{reference.path}' does not match its sha256 in graph.json"
            place = graph.files.place(graph.file, "nodes", reference.position, "sha256")
            yield Finding(node.id, message, place, (_now(_file_digest(graph, node)),))
    for node in graph.nodes.values():
        yield from _stale_pins(graph, node)


def _stale_pins(graph: SpecGraph, node: SpecNode) -> Iterator[Finding]:
    for pin in node.pins:
        source = graph.nodes.get(pin.id)
        artifact = source.artifact.sha256 if source and source.artifact else ""
        if source is None or not all(map(DIGEST.fits, (pin.sha256, artifact or pin.sha256))):
            continue  # another rule reports this
        if not is_pinned(graph, source, pin.sha256):
            message = f"the pin of '{pin.id}' does not match its current digest"
            place = graph.place(node, "pins", pin.id, "sha256")
            now = _now(digest_of(graph, source))
            yield Finding(node.id, message, place, (now,), (source.id,))


@rule("W105", "unpinned-derivation", Severity.WARNING)
def unpinned_derivation(graph: SpecGraph) -> Iterator[Finding]:
    """Every source in `derived_from` is pinned.

    Features, layers and behaviors cannot have pins and are not checked.

    Why: without a pin, a change of the source is not detected.
    Fix: add an entry to `pins` with the id of the source and its SHA-256.
    Example:
        "links": {"derived_from": ["ART-1"]}, "pins": []    # W105
    """
    for node in graph.nodes.values():
        if node.kind.shape is Shape.CONTRACT:
            for source in unpinned_sources(graph, node):
                message = f"is derived from '{source.id}' without a pin"
                digest = digest_of(graph, source)
                advice = f'Add {{"id": "{source.id}", "sha256": "{digest}"}} to \'pins\'.'
                place = graph.place(node, "links", LinkKind.DERIVED_FROM, source.id)
                yield Finding(node.id, message, place, (advice,), (source.id,))


def unpinned_sources(graph: SpecGraph, node: SpecNode) -> Iterator[SpecNode]:
    """Yield the nodes that a node is derived from without a pin."""
    known = {node.id, *(pin.id for pin in node.pins)}
    for source in node.targets(LinkKind.DERIVED_FROM):
        if source in graph.nodes and source not in known:
            yield graph.nodes[source]


def is_pinned(graph: SpecGraph, source: SpecNode, digest: str) -> bool:
    """Check whether a pin of a source has its current digest."""
    if source.artifact:
        return digest.lower() == source.artifact.sha256.lower()
    return is_file_digest(graph, source, digest)


def digest_of(graph: SpecGraph, source: SpecNode) -> str:
    """Return the digest that a pin of a source must have."""
    return source.artifact.sha256 if source.artifact else _file_digest(graph, source)


def _file_digest(graph: SpecGraph, node: SpecNode) -> str:
    return file_digest([graph.snapshot.read(node.file)])


def is_file_digest(graph: SpecGraph, node: SpecNode, digest: str) -> bool:
    """Check whether a digest matches a node's file, whatever its line endings."""
    return file_digests([graph.snapshot.read(node.file)]).matches(digest.lower())


def _now(digest: str) -> str:
    return f"The current digest is {digest}."
