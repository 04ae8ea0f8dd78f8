"""Build a node from the valid parts of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.specgraph import lenient
from yg_old.specgraph.model import (
    Artifact,
    LinkKind,
    Pin,
    Shape,
    SpecNode,
    Verification,
    VerificationKind,
)
from yg_old.specgraph.node_shapes import NODE, VERIFICATION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.specgraph.lenient import Object

_TEXT_KEYS = (Shape.BEHAVIOR, Shape.CONTRACT, Shape.GROUPING)
_MAIN_KEYS = {VerificationKind.COMMAND: "command", VerificationKind.POLICY: "ruleId"}


def node_from(data: Object, name: str, file: str) -> SpecNode:
    """Build the node with the id `name`."""
    known = _known(data)
    return SpecNode(
        id=name,
        file=file,
        type=lenient.text(known, "type"),
        title=lenient.text(known, "title"),
        text=next(filter(None, (lenient.text(known, key) for key in _TEXT_KEYS)), ""),
        category=lenient.text(known, "category"),
        severity=lenient.text(known, "severity"),
        constraints=lenient.texts(known, "constraints"),
        verification=tuple(_verification(known)),
        artifact=_artifact(lenient.record(known, "artifact")),
        pins=tuple(_pins(known)),
        metadata=lenient.record(known, "metadata"),
        links=_links(lenient.record(known, "links")),
    )


def _known(data: Object) -> Object:
    """Return the entries that nodes of this type have; all if the type is unknown."""
    branch = NODE.branches.get(lenient.text(data, "type"))
    if branch is None:
        return data
    return {key: value for key, value in data.items() if key in branch.keys}


def _links(record: Object) -> dict[LinkKind, tuple[str, ...]]:
    found = ((kind, lenient.texts(record, kind)) for kind in LinkKind if kind in record)
    return {kind: tuple(dict.fromkeys(ids)) for kind, ids in found if ids}


def _pins(known: Object) -> Iterator[Pin]:
    for item in map(lenient.as_object, lenient.items(known, "pins")):
        source, digest = lenient.text(item, "id"), lenient.text(item, "sha256")
        if source and digest:
            yield Pin(source, digest)


def _artifact(record: Object) -> Artifact | None:
    digest = lenient.text(record, "sha256")
    if not digest:
        return None
    return Artifact(digest, lenient.text(record, "source"), lenient.text(record, "format"))


def _verification(known: Object) -> Iterator[Verification]:
    """Yield the entries of a list, or the one text that a behavior has."""
    value = known.get("verification")
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str) and item.strip():
            yield Verification(kind=VerificationKind.TEXT, text=item)
        elif lenient.text(lenient.as_object(item), "kind") in VERIFICATION.branches:
            yield _structured(lenient.as_object(item))


def _structured(record: Object) -> Verification:
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
