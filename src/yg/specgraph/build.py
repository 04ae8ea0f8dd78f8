"""Builds a node from its decoded file, as far as it has the right shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.specgraph import lenient
from yg.specgraph.model import (
    Artifact,
    LinkKind,
    Node,
    Pin,
    Rejected,
    Shape,
    Verification,
    VerificationKind,
)
from yg.specgraph.node_shapes import NODE, VERIFICATION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.kernel.decode import Datum
    from yg.kernel.fields import Word
    from yg.specgraph.lenient import Entries

_SAYINGS = (Shape.BEHAVIOR, Shape.CONTRACT, Shape.GROUPING)
_MAIN_KEYS = {VerificationKind.COMMAND: "command", VerificationKind.POLICY: "ruleId"}


def node_from(datum: Datum, name: str, file: str) -> Node:
    """Build the node that graph.json calls `name`."""
    entries = _known(lenient.entries_of(datum))
    metadata = lenient.record(entries, "metadata")
    return Node(
        id=name,
        file=file,
        type=lenient.text(entries, "type"),
        title=lenient.text(entries, "title"),
        text=next(filter(None, (lenient.text(entries, key) for key in _SAYINGS)), ""),
        category=lenient.text(entries, "category"),
        severity=lenient.word(entries, "severity"),
        constraints=lenient.texts(entries, "constraints"),
        verification=tuple(_verification(entries)),
        artifact=_artifact(lenient.record(entries, "artifact")),
        pins=tuple(_pins(entries)),
        rationale=lenient.text(metadata, "rationale"),
        rejected=tuple(_rejected(metadata)),
        links=_links(lenient.record(entries, "links")),
    )


def _known(entries: Entries) -> Entries:
    """Leave out what nodes of this type do not have; of an unknown type, all may mean something."""
    branch = NODE.branches.get(lenient.text(entries, "type"))
    if branch is None:
        return entries
    return {key: entry for key, entry in entries.items() if key in branch.keys}


def _links(record: Entries) -> dict[LinkKind, tuple[Word, ...]]:
    found = {kind: tuple(lenient.words(record, kind)) for kind in LinkKind if kind in record}
    return {kind: words for kind, words in found.items() if words}


def _pins(entries: Entries) -> Iterator[Pin]:
    for item in lenient.items(entries, "pins"):
        inner = lenient.entries_of(item)
        source, digest = lenient.word(inner, "id"), lenient.word(inner, "sha256")
        if source is not None and digest is not None:
            yield Pin(source, digest)


def _rejected(metadata: Entries) -> Iterator[Rejected]:
    for item in lenient.items(metadata, "rejected_alternatives"):
        inner = lenient.entries_of(item)
        if title := lenient.text(inner, "title"):
            yield Rejected(title, lenient.text(inner, "reason"))


def _artifact(record: Entries) -> Artifact | None:
    digest = lenient.text(record, "sha256")
    if not digest:
        return None
    return Artifact(digest, lenient.text(record, "source"), lenient.text(record, "format"))


def _verification(entries: Entries) -> Iterator[Verification]:
    """Yield the entries of a list, or the one text that a behavior has."""
    if text := lenient.text(entries, "verification"):
        yield Verification(kind=VerificationKind.TEXT, text=text)
    for item in lenient.items(entries, "verification"):
        if isinstance(item.value, str) and item.value.strip():
            yield Verification(kind=VerificationKind.TEXT, text=item.value)
        record = lenient.entries_of(item)
        if lenient.text(record, "kind") in VERIFICATION.branches:
            yield _structured(record)


def _structured(record: Entries) -> Verification:
    kind = VerificationKind(lenient.text(record, "kind"))
    env = lenient.record(record, "env")
    return Verification(
        kind=kind,
        text=lenient.text(record, _MAIN_KEYS.get(kind, "")),
        method=lenient.text(record, "method"),
        url=lenient.text(record, "url"),
        status=lenient.scalar(record, "expectStatus"),
        steps=lenient.texts(record, "steps"),
        description=lenient.text(record, "description"),
        cwd=lenient.text(record, "cwd"),
        env=tuple((name, lenient.scalar(env, name)) for name in sorted(env)),
        timeout=lenient.scalar(record, "timeoutSeconds"),
        expected=lenient.scalar(record, "expected"),
    )
