"""Rules about mappings: which files a node stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.errors import UnreadableError
from yg.kernel.issue import Finding, Severity
from yg.kernel.rule import rule
from yg.kernel.snapshot import Kind
from yg.yggdrasil.mapping import own_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.kernel.sources import Sources
    from yg.yggdrasil.mapping import Mapped
    from yg.yggdrasil.survey import Survey


@rule("E009", "overlapping-mapping", Severity.ERROR)
def overlapping_mapping(survey: Survey) -> Iterator[Finding]:
    """No file belongs to two nodes.

    A node may map something inside what its own ancestor or descendant maps: the longer mapping
    wins. The same path twice is never allowed.

    Why: a file with two owners has two truths about it, and nobody knows which one holds.
    Fix: let one node map the path, or map what is inside it file by file.
    Example:
        # orders/order-service
        mapping:
          paths: [src/orders]
        # payments/payment-service
        mapping:
          paths: [src/orders/payment.py]    # E009: inside what orders/order-service maps
    """
    open_directories: list[Mapped] = []
    for mapping in sorted(_valid_mappings(survey), key=_file_order):
        while open_directories and not paths.is_inside(mapping.path, open_directories[-1].path):
            open_directories.pop()
        for other in reversed(open_directories):
            if _is_conflict(mapping, other):
                yield _overlap(mapping, other)
                break
        if not open_directories or open_directories[-1].path != mapping.path:
            open_directories.append(mapping)


def _valid_mappings(survey: Survey) -> Iterable[Mapped]:
    """Return what each node maps; of the same path twice in one node, the first."""
    found: dict[tuple[str, str], Mapped] = {}
    for each in survey.mappings:
        if not each.fault:
            found.setdefault((each.node.path, each.path), each)
    return found.values()


def _file_order(mapping: Mapped) -> tuple[list[str], str]:
    """Order paths so that what lies in a directory follows it directly."""
    parts = [] if mapping.path == paths.ROOT else mapping.path.split("/")
    return parts, mapping.node.path


def _is_conflict(mapping: Mapped, other: Mapped) -> bool:
    if mapping.node.path == other.node.path:
        return False
    if mapping.path == other.path:
        return True
    one, two = mapping.node.path, other.node.path
    return not paths.is_inside(one, two) and not paths.is_inside(two, one)


def _overlap(mapping: Mapped, other: Mapped) -> Finding:
    if mapping.path == other.path:
        message = f"mapping '{mapping.path}' is also a mapping of '{other.node.path}'"
    else:
        message = f"mapping '{mapping.path}' lies inside '{other.path}' of '{other.node.path}'"
    node = mapping.node
    advice = ("Let one of the two nodes map it.",)
    return Finding(node.path, message, node.place(mapping.word), advice, (other.node.path,))


@rule("E020", "invalid-mapping-path", Severity.ERROR)
def invalid_mapping_path(survey: Survey) -> Iterator[Finding]:
    """Every mapped path is a plain file or directory inside the repository.

    It is relative to the directory that holds `.yggdrasil/`, not empty, not inside `.yggdrasil/`
    or `.git/`, not a link, and named once in a node.

    Why: what is outside, or behind a link, is not this repository's to own or to watch.
    Fix: write the path relative to the repository, as `git ls-files` would.
    Example:
        mapping:
          paths:
            - ../other/src    # E020: leaves the repository
    """
    seen: set[tuple[str, str]] = set()
    for each in survey.mappings:
        place = each.node.path, each.path
        fault = each.fault
        if not fault and place in seen:
            fault = "is named twice; once is enough"
        seen.add(place)
        if fault:
            message = f"mapping '{each.word}' {fault}"
            advice = ("Name a file or directory of this repository, relative to its root.",)
            yield Finding(each.node.path, message, each.node.place(each.word), advice)


@rule("W012", "mapping-path-missing", Severity.WARNING)
def mapping_path_missing(survey: Survey) -> Iterator[Finding]:
    """Every mapped path exists.

    Why: a mapping that points at nothing owns nothing; drift of the real file goes unseen.
    Fix: correct the path if the file was moved, or remove it from the mapping.
    Example:
        mapping:
          paths:
            - src/orders/servce.py    # W012: the file is src/orders/service.py
    """
    for each in survey.mappings:
        if each.fault:
            continue  # E020 tells of it
        if survey.sources.kind(each.path) is None:
            message = f"mapping path '{each.word}' does not exist"
            advice = ("Correct it if the file was moved, or remove it from the mapping.",)
            yield Finding(each.node.path, message, each.node.place(each.word), advice)


@rule("W014", "anchor-not-found", Severity.WARNING)
def anchor_not_found(survey: Survey) -> Iterator[Finding]:
    """Every anchor of an aspect occurs in the node's mapped files.

    Why: an anchor marks where the code meets the requirement; when it is gone, the requirement
    may be gone too.
    Fix: look where the code meets the requirement now, and correct the anchor.
    Example:
        aspects:
          - aspect: requires-audit
            anchors: [record_audit]    # W014 when no mapped file holds that text
    """
    for node in survey.nodes:
        anchors = frozenset(word.text for use in node.aspects for word in use.anchors)
        if not anchors or not node.mapping:
            continue
        files = own_files(survey.sources, survey.ownership, node)
        missing = _missing(survey.sources, files, anchors)
        for use in node.aspects:
            for word in use.anchors:
                if word.text in missing:
                    message = f"anchor '{word}' of aspect '{use.aspect}' is in no mapped file"
                    advice = (f"Files searched: {len(files)}.",)
                    yield Finding(node.path, message, node.place(word), advice)


def _missing(sources: Sources, files: tuple[str, ...], anchors: frozenset[str]) -> frozenset[str]:
    for file in files:
        try:
            anchors = sources.lacking(file, anchors)
        except UnreadableError:
            continue  # nothing can be found in it; drift tells of it
        if not anchors:
            break
    return anchors


@rule("W017", "mapping-ignored", Severity.WARNING)
def mapping_ignored(survey: Survey) -> Iterator[Finding]:
    """No mapped directory is hidden by .gitignore.

    Why: ignored files are not part of the repository, so no change in them is ever seen as drift.
    Fix: map what the files are made from, or stop ignoring the directory.
    Example:
        mapping:
          paths:
            - build/generated    # W017: .gitignore holds 'build/'
    """
    for each in survey.mappings:
        if each.fault:
            continue  # E020 tells of it
        is_directory = survey.sources.kind(each.path) is Kind.DIRECTORY
        if is_directory and survey.sources.is_ignored(each.path):
            message = f"mapped directory '{each.word}' is ignored by git"
            advice = ("Map what is not ignored: drift cannot see into it.",)
            yield Finding(each.node.path, message, each.node.place(each.word), advice)
