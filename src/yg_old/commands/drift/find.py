"""The drift of nodes: compare their tracked files with their baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg_old.code.change_class import ChangeClass
from yg_old.commands.command import no_progress
from yg_old.commands.drift.recorded import RecordedContents, git_state
from yg_old.commands.drift.steps import left_over, sync_command
from yg_old.commands.refusal import refuse_unnamed
from yg_old.disk.index.changes import DRIFT
from yg_old.disk.reading.facts import WorkTreeFacts
from yg_old.disk.reading.hashes import WorkTreeHashes
from yg_old.kernel.codec import Codec
from yg_old.kernel.errors import NotFoundError, UnreadableError, YgError
from yg_old.text.paths import ROOT
from yg_old.text.plural import listed
from yg_old.workspace.given import relative_path
from yg_old.workspace.migration import migrate_baselines
from yg_old.workspace.source_drift import SourceHashes
from yg_old.yggdrasil.drift.classify import Classifier, needs_reason, tolerated, without_facts
from yg_old.yggdrasil.drift.moves import Finder
from yg_old.yggdrasil.drift.states import How, NodeDrift, State
from yg_old.yggdrasil.drift.tracking import (
    Tracker,
    concerned,
    lost_files,
    mapped_nodes,
    node_drift,
    untracked_nodes,
    with_moves,
    without_added,
)
from yg_old.yggdrasil.owners import Ownership, may_map, sound_paths
from yg_old.yggdrasil.resolve import node_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from yg_old.code.facts import FileFacts
    from yg_old.commands.command import Run
    from yg_old.kernel.sources import Sources
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.drift.baseline import Baseline
    from yg_old.yggdrasil.drift.classify import FactsReader
    from yg_old.yggdrasil.drift.moves import Lost
    from yg_old.yggdrasil.drift.tracking import Hashes, Tracked
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Node

    OnFile = Callable[[int, int], None]  # called with the number of files hashed and their total

EVERYTHING = "all"


class Tolerance(Struct, frozen=True, kw_only=True):
    """Which changes of sources count; the standard is what the configuration says."""

    tolerate: ChangeClass | None = None  # instead of the class in the configuration
    strict: bool = False  # ignore the configuration


CONFIGURED = Tolerance()


def migrate_first(run: Run) -> tuple[str, ...]:
    """Migrate baselines of older versions before they are read; return notes for the user.

    If that is not allowed or fails, they are used as they are. Afterwards, use `run.workspace`: it
    is opened again if anything was migrated.
    """
    if not run.may_migrate:
        return ()
    workspace = run.workspace
    try:
        notes = migrate_baselines(workspace)
    except YgError as error:
        return (f"the old drift state was not migrated: {error.message}",)
    if notes or workspace.baselines.legacy is not None:
        run.reopen()  # the files were listed before, and another process may have migrated them
    return notes


def drift_in_scope(
    run: Run,
    scope: str = EVERYTHING,
    files: Sequence[str] | None = None,
    tolerance: Tolerance = CONFIGURED,
) -> DriftReport:
    """Find drift in a scope; raise an error if the graph has no baselines."""
    run.workspace.require_baselines()
    refuse_unnamed(run.workspace, "drift")
    notes = migrate_first(run)
    workspace = run.workspace
    nodes = _nodes(workspace, scope, files)
    found = find_drift(workspace, nodes, run.on_file, tolerance)
    if nodes is not None and files is None:
        found = replace(found, not_tracked=_not_tracked(workspace, workspace.directory(scope)))
    return replace(found, notes=(*notes, *found.notes))


def _not_tracked(workspace: OpenWorkspace, scope: str) -> int:
    return len(untracked_nodes(workspace.graph, scope))


def known_here(workspace: OpenWorkspace, files: Iterable[str]) -> tuple[str, ...]:
    """Return files relative to the repository, sorted; drop those outside it."""
    known = (relative_path(workspace, file) for file in files)
    return tuple(sorted({path for path in known if path is not None}))


def _nodes(
    workspace: OpenWorkspace, scope: str, files: Sequence[str] | None
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
    textless: tuple[str, ...] = ()  # nodes with other graph files, and no text but drafts
    lacking_in: str = ""  # the state of git in which it did not have some old content
    not_tracked: int = 0  # mapped nodes in scope with `drift: off`


class TrackedFiles:
    """The tracked files of nodes, hashed on demand."""

    def __init__(self, workspace: OpenWorkspace, nodes: Sequence[Node], on_file: OnFile) -> None:
        tracker = Tracker(workspace.graph, workspace.sources)
        self.tracked: dict[str, Tracked] = {node.path: tracker.tracked(node) for node in nodes}
        self._files = {file for tracked in self.tracked.values() for file in tracked.files}
        self._hashed = 0
        self._report = on_file
        self.hashes = WorkTreeHashes(workspace.tree, self._on_file)
        self.facts = WorkTreeFacts(workspace.tree, self.hashes)

    def _on_file(self) -> None:
        # Files without an owner may be hashed too, to see where a deleted file has gone.
        self._hashed += 1
        self._report(self._hashed, max(self._hashed, len(self._files)))

    @property
    def failures(self) -> tuple[UnreadableError, ...]:
        """The tracked files that could not be read, by path."""
        return tuple(error for error in self.hashes.failures if error.path in self._files)


def nodes_in_scope(workspace: OpenWorkspace, scope: str) -> tuple[Node, ...]:
    """Return the mapped nodes of a scope; raise NotFoundError if there are none."""
    path = workspace.directory(scope)
    nodes = mapped_nodes(workspace.graph, path)
    if not nodes and untracked_nodes(workspace.graph, path):
        raise NotFoundError(
            f"no mapped node at or below '{path}' is tracked",
            hint="They have 'drift: off' in their yg-node.yaml.",
        )
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
    on_file: OnFile = no_progress,
    tolerance: Tolerance = CONFIGURED,
) -> DriftReport:
    """Compare nodes with their baselines; None stands for all mapped nodes."""
    if nodes is None:
        found = workspace.result(
            "drift",
            DRIFT,
            DRIFT_REPORT,
            lambda: _compared_all(workspace, on_file),
            holds=lambda report: (
                not report.lacking_in or report.lacking_in == git_state(workspace.root)
            ),
            amend=lambda report, files: _amended(workspace, report, files),
        )
    else:
        found = _compare(workspace, nodes, on_file)
    most = None if tolerance.strict else tolerance.tolerate or found.tolerate
    if most is not None:
        found = replace(found, drifts=tuple(tolerated(drift, most) for drift in found.drifts))
    return found


def _compared_all(workspace: OpenWorkspace, on_file: OnFile) -> DriftReport:
    found = _compare(workspace, mapped_nodes(workspace.graph), on_file)
    return replace(found, not_tracked=_not_tracked(workspace, ROOT))


def _compare(workspace: OpenWorkspace, nodes: Sequence[Node], on_file: OnFile) -> DriftReport:
    notes: list[str] = []
    files = TrackedFiles(workspace, nodes, on_file)
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
        _find_moves(workspace, drifts, lost, files.hashes, files.facts)
    contents = _recorded_contents(workspace, drifts, changed, files.facts)
    classifier = Classifier(workspace.graph, files.facts, contents)
    for path, baseline in changed.items():
        drifts[path] = classifier.classified(drifts[path], baseline)
    notes += [f"{file}: {reason}; baseline ignored" for file, reason in baselines.problems.items()]
    notes += _conflict_notes(sorted(baselines.merged))
    notes += [*classifier.notes, *contents.notes]
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
        textless=tuple(_textless(workspace.graph, drifts.values())),
        lacking_in=contents.lacking_in,
    )


def _conflict_notes(nodes: Sequence[str]) -> list[str]:
    """Return a note about the baselines with merge conflicts, if there are any."""
    if not nodes:
        return []
    several = len(nodes) > 1
    what = f"{'baselines' if several else 'baseline'} of {listed(nodes)}"
    how = f"{sync_command(nodes)} resolves {'them' if several else 'it'}"
    return [f"merge conflict in the {what}; {how}", *left_over(nodes)]


def _recorded_contents(
    workspace: OpenWorkspace,
    drifts: Mapping[str, NodeDrift],
    changed: Mapping[str, Baseline | None],
    facts: FactsReader,
) -> RecordedContents:
    """Search git for the recorded contents about which baselines do not know enough."""
    contents = RecordedContents(workspace)
    contents.search(
        lacking
        for path, baseline in changed.items()
        for lacking in without_facts(drifts[path], baseline, facts)
    )
    return contents


class _Facts:
    """The facts of sources in any state of the repository."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def of(self, path: str) -> FileFacts | None:
        """Return the facts of a file; None if it has none or cannot be read."""
        from yg_old.code.read import facts_of

        return facts_of(self._sources, path)


def classified_sources(
    workspace: OpenWorkspace, found: Sequence[NodeDrift]
) -> tuple[NodeDrift, ...]:
    """Add moves and the classes of changes to the drift of sources."""
    baselines, sources = workspace.baselines, workspace.sources
    drifts = {drift.node: drift for drift in found}
    known = {path: baselines.get(path) for path in drifts}
    lost = {
        path: gone
        for path, drift in drifts.items()
        if (gone := lost_files(drift, known[path], sources))
    }
    if lost:
        _find_moves(workspace, drifts, lost, SourceHashes(sources), _Facts(sources))
    facts = _Facts(sources)
    contents = _recorded_contents(workspace, drifts, known, facts)
    classifier = Classifier(workspace.graph, facts, contents)
    return tuple(classifier.classified(drifts[path], known[path]) for path in drifts)


def _amended(
    workspace: OpenWorkspace, report: DriftReport, files: Sequence[str]
) -> DriftReport | None:
    """Return a report after changes of some sources; None if all nodes must be compared again.

    Files that moved are found by their content, so they may concern any node.
    """
    if report.notes or report.skipped or report.lacking_in or _has_moves(report):
        return None
    ownership = Ownership(workspace.graph, workspace.sources)
    owners = {owner.node for file in files if (owner := ownership.get_listed(file)) is not None}
    nodes = [node for node in map(workspace.graph.nodes.get, sorted(owners)) if node is not None]
    found = _compare(workspace, nodes, no_progress)
    if found.notes or found.skipped or found.lacking_in or _has_moves(found):
        return None
    drifts = {drift.node: drift for drift in found.drifts}

    def of_nodes(then: Sequence[str], now: Sequence[str]) -> tuple[str, ...]:
        named = {*now, *(node for node in then if node not in drifts)}
        return tuple(drift.node for drift in report.drifts if drift.node in named)

    return replace(
        report,
        drifts=tuple(drifts.get(drift.node, drift) for drift in report.drifts),
        gated=of_nodes(report.gated, found.gated),
        textless=of_nodes(report.textless, found.textless),
    )


def _has_moves(report: DriftReport) -> bool:
    """Tell whether some node has lost a file."""
    lost = (How.DELETED, How.MOVED, How.UNTRACKED, How.UNREADABLE)
    return any(
        drift.state in (State.MISSING, State.UNKNOWN)
        or any(change.how in lost for change in drift.source)
        for drift in report.drifts
    )


def _gated(workspace: OpenWorkspace, drifts: Iterable[NodeDrift]) -> tuple[str, ...]:
    """Return the nodes that need a reason when they are recorded."""
    graph = workspace.graph
    gate = graph.config.drift.gate
    if gate is None:
        return ()
    drifted = ((drift, graph.nodes.get(drift.node)) for drift in drifts if drift.source)
    return tuple(drift.node for drift, node in drifted if node and needs_reason(drift, node, gate))


def _textless(graph: Graph, drifts: Iterable[NodeDrift]) -> Iterator[str]:
    """Yield the nodes with changed graph files that have no text of their own but drafts."""
    for drift in drifts:
        node = graph.nodes.get(drift.node) if drift.graph else None
        if node and all(text.source.is_draft for text in node_texts(graph, node)):
            yield drift.node


def _find_moves(
    workspace: OpenWorkspace,
    drifts: dict[str, NodeDrift],
    lost: dict[str, Lost],
    hashes: Hashes,
    facts: FactsReader,
) -> None:
    """Mark deleted files as moved if their content, or most of their parts, is in a new file.

    A node that owns the new file only until the mapping is corrected is not changed by it.
    """
    places = _Places(workspace, lost)
    finder = Finder(lost, places.all, hashes.of, workspace.baselines.unknown, facts.of)
    for path, files in lost.items():
        moves = {old: to for old, to in finder.moves(path).items() if places.suits(path, to)}
        plain = [old for old, to in moves.items() if hashes.of(to).matches(files.deleted[old])]
        drifts[path] = with_moves(drifts[path], moves, plain)
        for place in moves.values():
            owner = places.owner(place)
            if owner != path and owner in drifts:
                drifts[owner] = without_added(drifts[owner], place)


class _Places:
    """The files that may have the content of lost ones: those that their nodes own or may map."""

    def __init__(self, workspace: OpenWorkspace, nodes: Iterable[str]) -> None:
        self._sources = workspace.sources
        self._ownership = Ownership(workspace.graph, workspace.sources)
        found = ((path, workspace.graph.nodes.get(path)) for path in nodes)
        self._gone = {path: tuple(self._gone_of(node)) for path, node in found if node is not None}

    def _gone_of(self, node: Node) -> Iterator[str]:
        mapped = sound_paths(self._sources, node)
        return (path for path in mapped if not self._sources.files(path))

    def all(self) -> Iterator[str]:
        """Yield the files that some of the nodes may map."""
        for file in self._sources.files(ROOT):
            owner = self._ownership.get_listed(file)
            if any(may_map(owner, node, gone) for node, gone in self._gone.items()):
                yield file

    def suits(self, node: str, file: str) -> bool:
        """Tell whether a node owns a file or may map it."""
        owner = self._ownership.get_listed(file)
        is_own = owner is not None and owner.node == node
        return is_own or may_map(owner, node, self._gone.get(node, ()))

    def owner(self, file: str) -> str:
        """Return the node that owns a file now; empty if none does."""
        found = self._ownership.get_listed(file)
        return found.node if found is not None else ""


def left_out(workspace: OpenWorkspace) -> list[str]:
    """Return a note for each file of the graph without which drift is not known for sure."""
    queries = workspace.queries
    return [
        *(f"{finding.subject}: {finding.message}" for finding in queries.unread_configuration()),
        *(f"{finding.subject} is left out: {finding.message}" for finding in queries.skipped(ROOT)),
    ]
