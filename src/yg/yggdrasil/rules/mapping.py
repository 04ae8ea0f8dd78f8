"""Rules about the source files that nodes map."""

from __future__ import annotations

from contextlib import suppress
from itertools import groupby, takewhile
from typing import TYPE_CHECKING

from yg.kernel.errors import UnreadableError
from yg.kernel.issue import Finding, Severity
from yg.kernel.rule import rule
from yg.kernel.snapshot import Kind
from yg.text import paths
from yg.text.suggest import listing
from yg.yggdrasil.owner import Owners, mapped_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.model import Node
    from yg.yggdrasil.survey import Mapped, Survey

_WILDCARDS = frozenset("*?")
MOST_ANCHORS = 1_000  # of a node; looking for all of them takes time for each byte of its files


@rule("E009", "overlapping-mapping", Severity.ERROR)
def overlapping_mapping(survey: Survey) -> Iterator[Finding]:
    """No file belongs to two nodes.

    A node may map the same path as its ancestor or descendant, or a path inside it; the longer path
    wins, and of the same path the descendant's.

    Why: if a file has two owners, it is not clear which description applies.
    Fix: map the path in one node only.
    Example:
        # orders/order-service
        mapping:
          paths: [src/orders]
        # payments/payment-service
        mapping:
          paths: [src/orders/payment.py]    # E009: inside src/orders
    """
    around: list[Mapped] = []  # the mappings of directories around the current one, each path once
    for mapping in sorted(survey.sound_mappings, key=_file_order):
        while around and not paths.is_inside(mapping.path, around[-1].path):
            around.pop()
        node = mapping.node.path
        others = (other for other in reversed(around) if not paths.overlap(node, other.node.path))
        clash = next(others, None)
        if clash is not None:
            yield _overlap(mapping, clash)
            if clash.path == mapping.path:
                continue
        # Of related nodes with the same path, the lowest stands for all: nodes that are related to
        # it are related to those above it.
        if not around or around[-1].path != mapping.path:
            around.append(mapping)
        elif paths.is_inside(node, around[-1].node.path):
            around[-1] = mapping


def _file_order(mapping: Mapped) -> tuple[list[str], str]:
    """Return a sort key that puts the contents of a directory right after it."""
    parts = [] if mapping.path == paths.ROOT else mapping.path.split("/")
    return parts, mapping.node.path


def _overlap(mapping: Mapped, other: Mapped) -> Finding:
    if mapping.path == other.path:
        message = f"mapping '{mapping.path}' is also mapped by '{other.node.path}'"
    else:
        message = (
            f"mapping '{mapping.path}' is inside '{other.path}', mapped by '{other.node.path}'"
        )
    advice = ("Map it in only one of the two nodes.",)
    return Finding(mapping.node.path, message, mapping.place, advice, (other.node.path,))


@rule("E020", "invalid-mapping-path", Severity.ERROR)
def invalid_mapping_path(survey: Survey) -> Iterator[Finding]:
    """Every mapped path is a regular file or directory inside the repository.

    The path is relative to the directory that contains `.yggdrasil/`. It is not empty, not inside
    `.yggdrasil/` or `.git/`, not a link, and listed only once per node.

    Why: files outside the repository, or behind a link, are not versioned with the graph.
    Fix: write the path relative to the repository root, as `git ls-files` prints it.
    Example:
        mapping:
          paths:
            - ../other/src    # E020: outside the repository
    """
    seen: set[tuple[str, str]] = set()
    for mapping in survey.mappings:
        fault, advice = mapping.fault, _INSIDE
        if not fault and (mapping.node.path, mapping.path) in seen:
            fault, advice = "is listed twice", "Keep one entry."
        if fault:
            message = f"mapping '{mapping.entry}' {fault}"
            yield Finding(mapping.node.path, message, mapping.place, (advice,))
        else:
            seen.add((mapping.node.path, mapping.path))


_INSIDE = "Use a file or directory in this repository, relative to its root."


@rule("W012", "mapping-path-missing", Severity.WARNING)
def mapping_path_missing(survey: Survey) -> Iterator[Finding]:
    """Every mapped path exists.

    Patterns such as `*.py` are not supported.

    Why: a mapping to a missing path covers no file, so drift in the real file is not detected.
    Fix: write the file, correct the path if the file was moved, or remove it from the mapping.
    Example:
        mapping:
          paths:
            - src/orders/servce.py    # W012: the file is src/orders/service.py
    """
    for mapping in survey.sound_mappings:
        if survey.kind(mapping.path) is None:
            message = f"mapping path '{mapping.entry}' does not exist"
            yield Finding(mapping.node.path, message, mapping.place, (_ways_out(mapping),))


def _ways_out(mapping: Mapped) -> str:
    """Return what to do about a path that does not exist."""
    if _is_pattern(mapping.path):
        literal = "/".join(takewhile(_WILDCARDS.isdisjoint, mapping.path.split("/")))
        directory = f"the directory '{literal}'" if literal else "the directory"
        return f"Globs are not supported: map {directory} or list the files."
    if mapping.node.blackbox:
        return "Correct it, or remove it: a blackbox is for existing code."
    return "Write it, or correct the path if the file exists elsewhere."


def _is_pattern(path: str) -> bool:
    return not _WILDCARDS.isdisjoint(path)


@rule("W014", "anchor-not-found", Severity.WARNING)
def anchor_not_found(survey: Survey) -> Iterator[Finding]:
    """Every anchor of an aspect occurs in the node's mapped files.

    It is looked for as it is written; of a node, the first 1,000 anchors are. A node without files
    is not checked: it is not written yet.

    Why: an anchor marks the code that implements the requirement; if it is gone, the requirement
    may no longer be met.
    Fix: find the code that implements the requirement now, and correct the anchor.
    Example:
        aspects:
          - aspect: requires-audit
            anchors: [record_audit]    # W014 if no mapped file contains that text
    """
    owners: Owners | None = None
    for node in survey.graph.nodes.values():
        anchors = [(use, anchor) for use in node.aspects for anchor in use.anchors]
        if not anchors or not node.mapped:
            continue
        owners = owners or Owners(survey.graph)
        del anchors[MOST_ANCHORS:]
        missing = {anchor.text: anchor.text.encode() for _, anchor in anchors}
        searched = 0
        for content in _own_files(survey, owners, node):
            searched += 1
            missing = {text: data for text, data in missing.items() if data not in content}
        for use, anchor in anchors if searched else ():
            if anchor.text in missing:
                message = f"anchor '{anchor}' of aspect '{use.aspect}' is not in any mapped file"
                advice = (_CORRECT_ANCHOR, f"Files searched: {searched}.")
                yield Finding(node.path, message, node.place(anchor), advice)


_CORRECT_ANCHOR = "Correct it to a text in the code that meets the aspect, or remove it."


def _own_files(survey: Survey, owners: Owners, node: Node) -> Iterator[bytes]:
    """Yield the contents of the files that a node owns and that can be read."""
    mapped = dict.fromkeys(mapped_path(entry.text) or "" for entry in node.mapped)
    # Nodes may map the same path: only its owner looks for files there.
    own = [path for path in mapped if owners.by_path.get(path) == node.path]
    for file in sorted({file for path in own for file in survey.files(path)}):
        owner = owners.get(file)
        if owner is not None and owner.node == node.path and survey.kind(file) is Kind.FILE:
            with suppress(UnreadableError):  # drift reports the file
                yield survey.snapshot.read(file)


@rule("W037", "blackbox-without-code", Severity.WARNING)
def blackbox_without_code(survey: Survey) -> Iterator[Finding]:
    """No blackbox is mapped to code that does not exist.

    Reported if no mapped path of the node exists. A blackbox without a mapping, such as an external
    service, is not checked.

    Why: a blackbox says that nobody has described the code yet; code that is still to be written
    can be described from the start.
    Fix: remove `blackbox: true` and describe the node before you write it, correct its mapping, or
    remove the node if its code was deleted.
    Example:
        # orders/refund-service, in a new project
        blackbox: true    # W037: src/orders/refunds does not exist
        mapping:
          paths: [src/orders/refunds]
    """
    mappings = (mapping for mapping in survey.mappings if mapping.node.blackbox)
    for _, group in groupby(mappings, key=lambda mapping: mapping.node.path):
        mapped = list(group)
        # E020 or W012 reports the others.
        is_plain = not any(mapping.fault or _is_pattern(mapping.path) for mapping in mapped)
        if is_plain and all(survey.kind(mapping.path) is None for mapping in mapped):
            entries = listing([f"'{mapping.entry}'" for mapping in mapped])
            message = f"is a blackbox, but there is no code in {entries}"
            yield Finding(mapped[0].node.path, message, mapped[0].place, _BLACKBOX)


_BLACKBOX = (
    "A blackbox is for existing code: correct the mapping if the code is elsewhere.",
    "For new code, remove 'blackbox: true' and describe the node before you write it.",
    "If the code was deleted, remove the node.",
)
