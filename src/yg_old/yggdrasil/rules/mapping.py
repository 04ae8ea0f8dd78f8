"""Rules about the source files that nodes map."""

from __future__ import annotations

import re
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.issue import Finding, Severity, correction
from yg_old.kernel.rule import rule
from yg_old.kernel.snapshot import Kind
from yg_old.kernel.sources import words_lacking
from yg_old.text import paths
from yg_old.text.escapes import shell_word
from yg_old.text.plural import counted
from yg_old.text.suggest import listing
from yg_old.yggdrasil.owners import (
    excluded_files,
    has_shared_file,
    is_overlap,
    mapping_fault,
    may_map,
    own_files,
    sound_paths,
)
from yg_old.yggdrasil.places import mapped_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from yg_old.kernel.sources import Sources
    from yg_old.yggdrasil.drift.moves import Finder, Lost
    from yg_old.yggdrasil.model import Node
    from yg_old.yggdrasil.owners import Mapped
    from yg_old.yggdrasil.rules.survey import Survey

_WILDCARDS = frozenset("*?")
MOST_HASHED = 1_000  # files in which the content of missing ones is looked for
_WORD = re.compile(r"\w+")


@rule("E009", "overlapping-mapping", Severity.ERROR)
def overlapping_mapping(survey: Survey) -> Iterator[Finding]:
    """No file belongs to two nodes.

    A node may map a path inside one that its ancestor or descendant maps; the longer path wins. Two
    nodes can never map the same path, unless no file of it is left that both claim: a file that
    one of them lists under `exclude` belongs to the other.

    Why: if a file has two owners, it is not clear which description applies.
    Fix: map the path in one node only, or exclude it from the mapping of the other one.
    Example:
        # orders/order-service
        mapping:
          paths: [src/orders]
        # payments/payment-service
        mapping:
          paths: [src/orders/payment.py]    # E009: inside src/orders
    """
    excluded = {node.path: excluded_files(node) for node in survey.nodes}
    open_directories: list[Mapped] = []
    for mapping in sorted(_valid_mappings(survey), key=_file_order):
        while open_directories and not paths.is_inside(mapping.path, open_directories[-1].path):
            open_directories.pop()
        within = (
            other
            for other in reversed(open_directories)
            if is_overlap((mapping.node.path, mapping.path), (other.node.path, other.path))
            and has_shared_file(
                survey.sources,
                mapping.path,
                (excluded[mapping.node.path], excluded[other.node.path]),
            )
        )
        clash = next(within, None)
        if clash is not None:
            yield _overlap(mapping, clash)
        if clash is None or clash.path != mapping.path:
            open_directories.append(mapping)


def _valid_mappings(survey: Survey) -> Iterable[Mapped]:
    """Return the valid mappings, without repeated paths in one node."""
    found: dict[tuple[str, str], Mapped] = {}
    for mapping in survey.mappings:
        if not mapping.fault:
            found.setdefault((mapping.node.path, mapping.path), mapping)
    return found.values()


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
    node = mapping.node
    advice = ("Map it in only one of the two nodes.",)
    return Finding(node.path, message, node.place(mapping.entry), advice, (other.node.path,))


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
        claim = mapping.node.path, mapping.path
        fault = mapping.fault
        advice = "Use a file or directory in this repository, relative to its root."
        if not fault and claim in seen:
            fault, advice = "is listed twice", "Keep one entry."
        if not fault:
            seen.add(claim)
        else:
            message = f"mapping '{mapping.entry}' {fault}"
            place = mapping.node.place(mapping.entry)
            fixes = correction(place, tuple(_from_root(survey.sources, mapping.entry.text)))
            yield Finding(mapping.node.path, message, place, (advice,), fixes=fixes)


def _from_root(sources: Sources, text: str) -> Iterator[str]:
    """Yield the existing path that an absolute one means if it starts at the root."""
    path = mapped_path(text.replace("\\", "/").lstrip("/"))
    is_absolute = text.startswith(("/", "\\"))
    if is_absolute and path and not mapping_fault(sources, path) and sources.kind(path) is not None:
        yield path


@rule("W012", "mapping-path-missing", Severity.WARNING)
def mapping_path_missing(survey: Survey) -> Iterator[Finding]:
    """Every mapped path exists, and every exclusion matches a file.

    If the node has a baseline, the path existed once; if a new file has its content or most of it,
    that is named. Patterns such as `*.py` are not supported, except under `exclude`: there, one
    that matches no mapped file is reported, and so are patterns that leave no file. A blackbox
    without any code is reported by W037 instead.

    Why: a mapping to a missing path covers no file, so drift in the real file is not detected.
    Fix: write the file, correct the path if the file was moved, or remove it from the mapping.
    Example:
        mapping:
          paths:
            - src/orders/servce.py    # W012: the file is src/orders/service.py
    """
    # A path with a fault is reported by E020.
    sound = (mapping for mapping in survey.mappings if not mapping.fault)
    unwritten = {node.path for node in _unwritten_blackboxes(survey)}
    absent = [
        mapping
        for mapping in sound
        if survey.sources.kind(mapping.path) is None and mapping.node.path not in unwritten
    ]
    missing = []
    for mapping in absent:
        if closed := _closed_directory(survey.sources, mapping.path):
            message = f"mapping path '{mapping.entry}' is in '{closed}', which cannot be read"
            place = mapping.node.place(mapping.entry)
            yield Finding(mapping.node.path, message, place, ("Fix its permissions.",))
        else:
            missing.append(mapping)
    lost = _lost_files(survey, missing)
    finder = _finder(survey, lost) if lost else None
    moves = {node: _by_directory(finder.moves(node)) for node in lost} if finder else {}
    for mapping in missing:
        path = mapping.node.path
        known_moves = moves.get(path)
        state, advice = _why_missing(survey, mapping, known_moves)
        message = f"mapping path '{mapping.entry}' {state}"
        place = mapping.node.place(mapping.entry)
        fixes = correction(place, _new_places(survey, mapping, known_moves or {}))
        yield Finding(path, message, place, (advice,), fixes=fixes)
    for node in survey.nodes:
        if node.excluded:
            yield from _idle_exclusions(survey.sources, node)


def _closed_directory(sources: Sources, path: str) -> str:
    """Return the directory above a path that cannot be read; empty if there is none."""
    return next((closed for closed in sources.unseen() if paths.is_inside(path, closed)), "")


def _idle_exclusions(sources: Sources, node: Node) -> Iterator[Finding]:
    """Yield the exclusions of a node that match no file, or one for all if they leave no file."""
    from yg_old.text.patterns import Patterns

    mapped = sound_paths(sources, node)
    files = [file for path in mapped for file in sources.files(path)]
    if not files:
        return  # not written yet
    if any(paths.overlap(closed, path) for closed in sources.unseen() for path in mapped):
        return  # an exclusion may be for files that cannot be seen
    excluded = excluded_files(node)
    if excluded is not None and all(map(excluded.excludes, files)):
        message = f"excludes every file of its mapping ({counted(len(files), 'file')})"
        advice = ("Correct 'exclude', or remove 'mapping'.",)
        yield Finding(node.path, message, node.place(node.excluded[0]), advice)
        return
    for entry in node.excluded:
        alone = Patterns.from_lines((entry.text.removeprefix("!"),))
        if not any(map(alone.excludes, files)):
            message = f"exclusion '{entry}' matches no file of the mapping"
            yield Finding(node.path, message, node.place(entry), _IDLE)


_IDLE = ("Correct or remove it: patterns are as in .gitignore, relative to the repository.",)


def _lost_files(survey: Survey, missing: Iterable[Mapped]) -> dict[str, Lost]:
    """Return the files at missing paths for each node with a baseline, and its new files."""
    from yg_old.yggdrasil.drift.baseline_parts import has_current_facts, recorded_facts
    from yg_old.yggdrasil.drift.moves import Lost

    by_node: dict[str, list[Mapped]] = {}
    for mapping in missing:
        by_node.setdefault(mapping.node.path, []).append(mapping)
    lost = {}
    for path, mapped in by_node.items():
        baseline = survey.baselines.get(path) if survey.baselines else None
        if baseline is not None:
            places = {mapping.path for mapping in mapped}
            deleted = {
                file: digest
                for file, digest in baseline.files.items()
                if not places.isdisjoint((*paths.lineage(file), file))
            }
            own = own_files(survey.sources, survey.ownership, mapped[0].node)
            added = tuple(file for file in own if file not in baseline.files)
            known = recorded_facts(baseline)[0] if has_current_facts(baseline) else {}
            facts = {file: known[file] for file in deleted if file in known}
            lost[path] = Lost(deleted, added, facts)
    return lost


def _finder(survey: Survey, lost: Mapping[str, Lost]) -> Finder:
    """Return a search for lost files in the whole repository, likely places first."""
    names = {paths.name_of(file) for node in lost.values() for file in node.deleted}
    suffixes = {_suffix(name) for name in names}

    def unlikelihood(file: str) -> tuple[bool, bool, bool]:
        name = paths.name_of(file)
        is_owned = survey.ownership.get_listed(file) is not None
        return name not in names, is_owned, _suffix(name) not in suffixes

    def likely_files() -> Iterable[str]:
        return sorted(survey.sources.files(paths.ROOT), key=unlikelihood)[:MOST_HASHED]

    from yg_old.code.read import facts_of
    from yg_old.yggdrasil.drift.moves import Finder

    unknown = survey.baselines.unknown if survey.baselines else set
    return Finder(
        lost, likely_files, survey.sources.digest, unknown, partial(facts_of, survey.sources)
    )


def _suffix(name: str) -> str:
    return name.rpartition(".")[2]


def _by_directory(moves: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return the first move, from and to, for each file and each directory above one."""
    found: dict[str, tuple[str, str]] = {}
    for move in moves.items():
        for path in (*paths.lineage(move[0]), move[0]):
            found.setdefault(path, move)
    return found


def _why_missing(
    survey: Survey, mapping: Mapped, moves: Mapping[str, tuple[str, str]] | None
) -> tuple[str, str]:
    """Return what is wrong with the path of a missing file, and what to do.

    `moves` has a move of the node's files for each path; None if the node has no baseline.
    """
    parts = mapping.path.split("/")
    literal = list(takewhile(_WILDCARDS.isdisjoint, parts))
    if _is_pattern(mapping.path):
        directory = f"the directory '{'/'.join(literal)}'" if literal else "the directory"
        return "does not exist", f"Globs are not supported: map {directory} or list the files."
    if moves is None and mapping.node.is_blackbox:
        return "does not exist", "Correct it, or remove it: a blackbox is for existing code."
    if moves is None:
        return "is not written yet", "Write it, or correct the path if the file exists elsewhere."
    if mapping.path in moves:
        return "does not exist", _moved_advice(survey, mapping, *moves[mapping.path])
    return "does not exist", "Correct it if the file was moved, or remove it from the mapping."


def _is_pattern(path: str) -> bool:
    return not _WILDCARDS.isdisjoint(path)


def _new_places(
    survey: Survey, mapping: Mapped, moves: Mapping[str, tuple[str, str]]
) -> tuple[str, ...]:
    """Return where a mapped path has gone, if its node can map it there."""
    if mapping.path not in moves:
        return ()
    file, place = moves[mapping.path]
    owner = survey.ownership.get_listed(place)
    is_free = may_map(owner, mapping.node.path, (mapping.path,))
    return (_moved_to(mapping.path, file, place),) if is_free else ()


def _moved_to(path: str, file: str, place: str) -> str:
    below = file.removeprefix(path)  # empty for a mapped file
    return place.removesuffix(below)  # the whole directory, if the file kept its path in it


def _moved_advice(survey: Survey, mapping: Mapped, file: str, place: str) -> str:
    """Say where a mapped path has gone, given the new place of the file there or of one below."""
    owner, moved_to = survey.ownership.get_listed(place), _moved_to(mapping.path, file, place)
    if owner is None or may_map(owner, mapping.node.path, (mapping.path,)):
        return f"Its content is now in '{moved_to}': map that path instead."
    return f"Its content is now in '{moved_to}', which '{owner.node}' maps: remove this path."


@rule("W037", "blackbox-without-code", Severity.WARNING)
def blackbox_without_code(survey: Survey) -> Iterator[Finding]:
    """No blackbox is mapped to code that does not exist.

    Reported if no mapped path of the node has a file and the node has no baseline. A blackbox
    without a mapping, such as an external service, is not checked.

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
    for node in _unwritten_blackboxes(survey):
        entries = listing([f"'{entry}'" for entry in node.mapping])
        message = f"is a blackbox, but there is no code in {entries}"
        yield Finding(node.path, message, node.place(node.mapping[0]), (*_DESCRIBE, _remove(node)))


_DESCRIBE = (
    "A blackbox is for existing code: correct the mapping if the code is elsewhere.",
    "For new code, remove 'blackbox: true' and describe the node before you write it.",
)


def _remove(node: Node) -> str:
    return f"If the code was deleted, remove the node: yg rm {shell_word(node.path)}"


def _unwritten_blackboxes(survey: Survey) -> Iterator[Node]:
    """Yield each blackbox whose mapping has no files and never had any."""
    by_node: dict[str, list[Mapped]] = {}
    for mapping in survey.mappings:
        if mapping.node.is_blackbox:
            by_node.setdefault(mapping.node.path, []).append(mapping)
    for path, mapped in by_node.items():
        if any(mapping.fault or _is_pattern(mapping.path) for mapping in mapped):
            continue  # reported by E020 or W012
        if any(_has_code(survey.sources, mapping.path) for mapping in mapped):
            continue
        if survey.baselines is None or survey.baselines.get(path) is None:
            yield mapped[0].node


def _has_code(sources: Sources, path: str) -> bool:
    kind = sources.kind(path)
    if kind is not Kind.DIRECTORY:
        return kind is not None
    return sources.is_ignored(path) or any(True for _ in sources.files(path))


@rule("W014", "anchor-not-found", Severity.WARNING)
def anchor_not_found(survey: Survey) -> Iterator[Finding]:
    """Every anchor of an aspect occurs in the node's mapped files.

    In a language that yg can read, an anchor is looked for in the code, not in comments, and white
    space in it does not matter; one without code, such as a comment, is looked for as it is. A node
    without files is not checked: it is not written yet.

    Why: an anchor marks the code that implements the requirement; if it is gone, the requirement
    may no longer be met.
    Fix: find the code that implements the requirement now, and correct the anchor.
    Example:
        aspects:
          - aspect: requires-audit
            anchors: [record_audit]    # W014 if no mapped file contains that text
    """
    for node in survey.nodes:
        anchors = frozenset(anchor.text for use in node.aspects for anchor in use.anchors)
        if not anchors or not node.mapping:
            continue
        files = own_files(survey.sources, survey.ownership, node)
        missing = _missing(survey.sources, files, anchors) if files else frozenset()
        for use in node.aspects:
            for anchor in use.anchors:
                if anchor.text in missing:
                    message = (
                        f"anchor '{anchor}' of aspect '{use.aspect}' is not in any mapped file"
                    )
                    fix = "Correct it to a text in the code that meets the aspect, or remove it."
                    advice = (fix, f"Files searched: {len(files)}.")
                    yield Finding(node.path, message, node.place(anchor), advice)


def _missing(sources: Sources, files: tuple[str, ...], anchors: frozenset[str]) -> frozenset[str]:
    for file in files:
        try:
            anchors = _lacking(sources, file, anchors)
        except UnreadableError:
            continue  # drift reports the unreadable file
        if not anchors:
            break
    return anchors


def _lacking(sources: Sources, file: str, anchors: frozenset[str]) -> frozenset[str]:
    """Return the anchors that are not in a file: not among its tokens if its language is known."""
    from yg_old.code.languages import ENDINGS, ending

    if ending(file) not in ENDINGS:
        return sources.lacking(file, anchors)
    try:
        text = sources.read(file).decode()
    except (UnreadableError, UnicodeDecodeError):  # perhaps only too large to be scanned
        return sources.lacking(file, anchors)
    # Scanning takes time: a file without the words of an anchor does not contain it.
    words = {anchor: frozenset(_WORD.findall(anchor)) for anchor in anchors}
    missing = words_lacking([text.encode()], frozenset().union(*words.values()))
    likely = frozenset(anchor for anchor in anchors if missing.isdisjoint(words[anchor]))
    if not likely:
        return anchors
    from yg_old.code.read import lacking_anchors

    return (anchors - likely) | lacking_anchors(file, text, likely)


@rule("W035", "wide-node", Severity.WARNING)
def wide_node(survey: Survey) -> Iterator[Finding]:
    """No node has more source files than `quality.max_mapping_source_files`.

    Checked if `yg-config.yaml` has that key. Files that another node maps more closely do not
    count. Blackbox nodes are not checked.

    Why: texts about many files say little about each of them.
    Fix: split the node, or raise the number.
    Example:
        orders    # W035: 31 source files, at most 10
    """
    most = survey.graph.config.quality.max_mapping_source_files
    if most is None:
        return
    for node in survey.nodes:
        if node.is_blackbox or not node.mapping:
            continue
        files = len(own_files(survey.sources, survey.ownership, node))
        if files > most:
            message = f"has {counted(files, 'source file')} (maximum: {most})"
            advice = ("Split it, so that each node has texts of its own.",)
            yield Finding(node.path, message, node.place(node.mapping[0]), advice)


@rule("W017", "mapping-ignored", Severity.WARNING)
def mapping_ignored(survey: Survey) -> Iterator[Finding]:
    """No mapped directory is excluded by `.gitignore`.

    Why: ignored files are not part of the repository, so changes in them are never reported as
    drift.
    Fix: map the sources that the files are generated from, or stop ignoring the directory.
    Example:
        mapping:
          paths:
            - build/generated    # W017: .gitignore contains 'build/'
    """
    for mapping in survey.mappings:
        if mapping.fault:
            continue  # reported by E020
        is_directory = survey.sources.kind(mapping.path) is Kind.DIRECTORY
        if is_directory and survey.sources.is_ignored(mapping.path):
            message = f"mapped directory '{mapping.entry}' is ignored by git"
            advice = ("Drift does not look into ignored directories; map one that git tracks.",)
            yield Finding(mapping.node.path, message, mapping.node.place(mapping.entry), advice)
