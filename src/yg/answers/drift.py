"""The `drift` command: compare mapped nodes with their baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg.answers.answer import STANDARD, Answer, warnings
from yg.code.changes import ChangeClass
from yg.disk.changes import unstaged_files
from yg.disk.facts import WorkTreeFacts
from yg.disk.hashes import WorkTreeHashes
from yg.disk.index import DRIFT
from yg.kernel.codec import Codec
from yg.kernel.errors import NotFoundError, YgError
from yg.kernel.escapes import shell_word
from yg.kernel.paths import ROOT
from yg.render.drift import (
    View,
    drift_data,
    drift_text,
    reviews_data,
    reviews_text,
    show_text,
)
from yg.yggdrasil.baseline import FOLDER, node_of, state_file
from yg.yggdrasil.classify import Classifier, fails, needs_reason, tolerated
from yg.yggdrasil.drift import (
    NodeDrift,
    Tracker,
    concerned,
    lost_files,
    mapped_nodes,
    node_drift,
    with_moves,
)
from yg.yggdrasil.mapping import Ownership
from yg.yggdrasil.moves import Finder
from yg.yggdrasil.recorded import recorded_reviews

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg.answers.answer import Hashing
    from yg.kernel.errors import UnreadableError
    from yg.render.drift import Differences
    from yg.render.plain import Palette
    from yg.workspace import OpenWorkspace
    from yg.yggdrasil.baseline import Baseline
    from yg.yggdrasil.drift import Hashes, Tracked
    from yg.yggdrasil.model import Node
    from yg.yggdrasil.moves import Lost


EVERYTHING = "all"


class Tolerance(Struct, frozen=True, kw_only=True):
    """Which changes of sources count; the standard is what the configuration says."""

    tolerate: ChangeClass | None = None  # instead of the class in the configuration
    strict: bool = False  # ignore the configuration
    fail_on: ChangeClass | None = None  # the lowest class that makes exit code 1


CONFIGURED = Tolerance()
CLASSES = tuple(kind.value for kind in ChangeClass if kind is not ChangeClass.UNKNOWN)


def chosen_tolerance(tolerate: str | None, fail_on: str | None, *, strict: bool) -> Tolerance:
    """Return the tolerance for the names of classes; with `strict`, nothing is tolerated."""
    return Tolerance(
        tolerate=ChangeClass(tolerate) if tolerate else None,
        strict=strict,
        fail_on=ChangeClass(fail_on) if fail_on else None,
    )


def drift(  # noqa: PLR0913
    workspace: OpenWorkspace,
    *,
    scope: str = EVERYTHING,
    files: Iterable[str] | None = None,
    drifted_only: bool = False,
    limit: int | None = None,
    tolerance: Tolerance = CONFIGURED,
    show: bool = False,
    hashing: Hashing = STANDARD,
    may_migrate: bool = True,
) -> Answer:
    """Report the drift of mapped nodes, optionally limited to a scope and to given files."""
    changed = None if files is None else known_here(workspace, files)
    found = drift_of(workspace, scope, changed, hashing, tolerance, may_migrate=may_migrate)
    is_failure = found.skipped or any(fails(node, tolerance.fail_on) for node in found.drifts)
    everything = "--all" if scope == EVERYTHING else f"{shell_word(scope)} --recursive"
    view = View(
        drifted_only=drifted_only,
        limit=limit,
        whole=everything if changed is None else "",
        uncommitted=_uncommitted(workspace),
        tolerated=found.tolerate,
        gated=frozenset(found.gated),
    )
    differences = _differences(workspace, found.drifts) if show else None
    return Answer(
        data=lambda: drift_data(
            found.drifts,
            view,
            scope=scope,
            files=changed,
            notes=found.notes,
            differences=differences,
        ),
        forms={"text": lambda palette: _text(found.drifts, palette, view, differences)},
        notes=warnings(found.notes),
        code=1 if is_failure else 0,
    )


def _text(
    drifts: Sequence[NodeDrift],
    palette: Palette,
    view: View,
    differences: Differences | None,
) -> str:
    if differences is None:
        return drift_text(drifts, palette, view)
    return show_text(drifts, differences, palette, view)


def _differences(workspace: OpenWorkspace, drifts: Sequence[NodeDrift]) -> Differences:
    from yg.answers.differences import differences_of

    return differences_of(workspace, drifts)


def reviews(workspace: OpenWorkspace, node: str) -> Answer:
    """Return why changes of a node were recorded without a change of its texts."""
    workspace.require_baselines()
    path = workspace.node(node).path
    baseline = workspace.baselines.get(path)
    found, problem = recorded_reviews(baseline) if baseline else ((), "")
    problems = dict(workspace.baselines.problems)
    if problem:
        problems[state_file(path)] = problem
    notes = [f"{file}: {reason}" for file, reason in problems.items()]
    return Answer(
        data=lambda: reviews_data(path, found, notes),
        forms={"text": lambda _palette: reviews_text(path, found)},
        notes=warnings(notes),
    )


def _uncommitted(workspace: OpenWorkspace) -> int | None:
    """Count the baselines that were changed but not added to git; None if git cannot tell."""
    files = unstaged_files(f"{workspace.root}/{FOLDER}")
    return None if files is None else sum(node_of(f"{FOLDER}/{file}") is not None for file in files)


def drift_of(  # noqa: PLR0913
    workspace: OpenWorkspace,
    scope: str = EVERYTHING,
    files: list[str] | None = None,
    hashing: Hashing = STANDARD,
    tolerance: Tolerance = CONFIGURED,
    *,
    may_migrate: bool = True,
) -> DriftReport:
    """Find drift in a scope; raise an error if the graph has no baselines."""
    workspace.require_baselines()
    nodes = _nodes(workspace, scope, files)
    return find_drift(workspace, nodes, hashing, tolerance, may_migrate=may_migrate)


def known_here(workspace: OpenWorkspace, files: Iterable[str]) -> list[str]:
    """Return files relative to the repository, sorted; drop those outside it."""
    known = (workspace.relative(file) for file in files)
    return sorted({path for path in known if path is not None})


def _nodes(
    workspace: OpenWorkspace, scope: str, files: list[str] | None
) -> tuple[Node, ...] | None:
    """Return the nodes to check; None for all."""
    is_all = scope == EVERYTHING
    if is_all and files is None:
        return None
    nodes = mapped_nodes(workspace.graph) if is_all else nodes_in_scope(workspace, scope)
    if files is None:
        return nodes
    baselines, sources = workspace.baselines, workspace.sources
    return tuple(concerned(workspace.graph, sources, baselines, nodes, files))


class DriftReport(Struct, frozen=True):
    """The drift of some nodes, with warnings."""

    drifts: tuple[NodeDrift, ...]
    notes: tuple[str, ...]
    skipped: bool  # some node could not be read, so its drift is unknown
    # From the configuration, so that a stored report needs no graph.
    tolerate: ChangeClass | None = None
    gated: tuple[str, ...] = ()  # nodes that need a reason when they are recorded


class TrackedFiles:
    """The tracked files of nodes, hashed on demand."""

    def __init__(self, workspace: OpenWorkspace, nodes: Sequence[Node], hashing: Hashing) -> None:
        tracker = Tracker(workspace.graph, workspace.sources)
        self.tracked: dict[str, Tracked] = {node.path: tracker.tracked(node) for node in nodes}
        self._files = {file for tracked in self.tracked.values() for file in tracked.files}
        self._hashed = 0
        self._hashing = hashing
        self.hashes = WorkTreeHashes(workspace.tree, self._on_file)
        self.facts = WorkTreeFacts(workspace.tree, self.hashes)

    def _on_file(self) -> None:
        # Files without an owner may be hashed too, to see where a deleted file has gone.
        self._hashed += 1
        self._hashing.on_file(self._hashed, max(self._hashed, len(self._files)))

    @property
    def failures(self) -> tuple[UnreadableError, ...]:
        """The tracked files that could not be read, by path."""
        return tuple(error for error in self.hashes.failures if error.path in self._files)


def nodes_in_scope(workspace: OpenWorkspace, scope: str) -> tuple[Node, ...]:
    """Return the mapped nodes of a scope; raise NotFoundError if there are none."""
    path = workspace.directory(scope)
    nodes = mapped_nodes(workspace.graph, path)
    if not nodes:
        raise NotFoundError(
            f"neither '{path}' nor any node below it has a mapping",
            hint="Only mapped files can drift: add 'mapping' to a yg-node.yaml.",
        )
    return nodes


DRIFT_REPORT: Codec[DriftReport] = Codec(DriftReport)


def find_drift(
    workspace: OpenWorkspace,
    nodes: Sequence[Node] | None,
    hashing: Hashing,
    tolerance: Tolerance = CONFIGURED,
    *,
    may_migrate: bool = True,
) -> DriftReport:
    """Compare nodes with their baselines; None stands for all mapped nodes."""
    notes = _migrate(workspace) if may_migrate else ()
    if nodes is None:
        found = workspace.result(
            "drift",
            DRIFT,
            DRIFT_REPORT,
            lambda: _compare(workspace, mapped_nodes(workspace.graph), hashing),
        )
    else:
        found = _compare(workspace, nodes, hashing)
    most = None if tolerance.strict else tolerance.tolerate or found.tolerate
    if most is not None:
        found = replace(found, drifts=tuple(tolerated(drift, most) for drift in found.drifts))
    return replace(found, notes=(*notes, *found.notes)) if notes else found


def _compare(workspace: OpenWorkspace, nodes: Sequence[Node], hashing: Hashing) -> DriftReport:
    notes: list[str] = []
    files = TrackedFiles(workspace, nodes, hashing)
    baselines, sources = workspace.baselines, workspace.sources
    drifts: dict[str, NodeDrift] = {}
    changed: dict[str, Baseline | None] = {}  # the baselines of nodes with changed sources
    lost: dict[str, Lost] = {}
    for path, tracked in files.tracked.items():
        baseline = baselines.get(path)
        drifts[path] = node_drift(path, tracked, baseline, files.hashes, sources)
        if found := lost_files(drifts[path], baseline, sources):
            lost[path] = found
        if drifts[path].source or found:
            changed[path] = baseline
    if lost:
        _find_moves(workspace, drifts, lost, files.hashes)
    classifier = Classifier(workspace.graph, files.facts)
    for path, baseline in changed.items():
        drifts[path] = classifier.classified(drifts[path], baseline)
    notes += [f"{file}: {reason}; baseline ignored" for file, reason in baselines.problems.items()]
    notes += classifier.notes
    notes += [failure.message for failure in files.failures]
    notes += [f"cannot look into '{path}'" for path in sources.unseen()]
    notes += [f"'{path}' is not tracked: its name is not UTF-8" for path in sources.misnamed()]
    missing = left_out(workspace)
    return DriftReport(
        tuple(drifts.values()),
        (*notes, *missing),
        skipped=bool(missing),
        tolerate=workspace.graph.config.drift.tolerate,
        gated=_gated(workspace, drifts.values()),
    )


def _gated(workspace: OpenWorkspace, drifts: Iterable[NodeDrift]) -> tuple[str, ...]:
    """Return the nodes that need a reason when they are recorded."""
    graph = workspace.graph
    gate = graph.config.drift.gate
    if gate is None:
        return ()
    drifted = ((drift, graph.nodes.get(drift.node)) for drift in drifts if drift.source)
    return tuple(drift.node for drift, node in drifted if node and needs_reason(drift, node, gate))


def _find_moves(
    workspace: OpenWorkspace, drifts: dict[str, NodeDrift], lost: dict[str, Lost], hashes: Hashes
) -> None:
    """Mark deleted files as moved if their content is in a new file."""

    def unowned() -> Iterator[str]:
        ownership = Ownership(workspace.graph, workspace.sources)
        files = workspace.sources.files(ROOT)
        return (file for file in files if ownership.get_listed(file) is None)

    finder = Finder(lost, unowned, hashes.of, workspace.baselines.unknown)
    for path in lost:
        drifts[path] = with_moves(drifts[path], finder.moves(path))


def left_out(workspace: OpenWorkspace) -> list[str]:
    """Return a note for each node whose drift is unknown because it could not be read."""
    return [f"{finding.subject} is left out: {finding.message}" for finding in workspace.skipped()]


def _migrate(workspace: OpenWorkspace) -> tuple[str, ...]:
    """Migrate baselines of older versions; if that fails, return a note and use them as is."""
    try:
        return workspace.migrate_baselines()
    except YgError as error:
        return (f"the old drift state was not migrated: {error.message}",)
