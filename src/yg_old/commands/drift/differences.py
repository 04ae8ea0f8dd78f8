"""The texts of changed files at their baseline, found in git by their digests, and now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg_old.commands.drift.comparison import Comparison
from yg_old.disk.git.history import History
from yg_old.kernel.digest import HEAD
from yg_old.kernel.errors import UnreadableError
from yg_old.yggdrasil.drift.baseline_parts import recorded_contracts
from yg_old.yggdrasil.drift.states import How
from yg_old.yggdrasil.inventories.relations import is_contract
from yg_old.yggdrasil.places import is_graph_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from yg_old.disk.git.history import OldVersion
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.drift.states import Change, NodeDrift

NO_GIT = "the old text is not known: this is not a git repository"
NOT_IN_GIT = "the old text is not known: git does not have it"
BINARY = "binary files differ"
_OLD = (How.CHANGED, How.DELETED)  # the changes of files that have an old text


class _Sought(Struct, frozen=True):
    """A changed file or contract, and its digest in a node's baseline; empty if it has none."""

    node: str
    change: Change
    digest: str
    is_target: bool  # the new place of a moved file, which has its content
    is_contract: bool  # of a node of another repository, or a document: not a file

    @property
    def key(self) -> tuple[str, str]:
        """The node and the path."""
        return self.node, self.change.path


def with_differences(
    workspace: OpenWorkspace, drifts: Sequence[NodeDrift]
) -> tuple[NodeDrift, ...]:
    """Return the drift of nodes with the difference of each changed file and contract."""
    sought = list(_sought(workspace, drifts))
    files = [file for file in sought if not file.is_contract]
    contracts = [file for file in sought if file.is_contract and is_contract(file.change.path)]
    documents = [file for file in sought if file.is_contract and file not in contracts]
    history = History(workspace.root)
    versions = _Versions(history, files)
    found = {file.key: _of_file(workspace, file, versions) for file in files}
    if contracts:
        found |= _of_contracts(workspace, history, contracts)
    if documents:
        found |= _of_documents(workspace, history, documents)
    return tuple(_with_differences(drift, found) for drift in drifts)


def _with_differences(drift: NodeDrift, found: Mapping[tuple[str, str], Comparison]) -> NodeDrift:
    source = (
        replace(change, difference=found[drift.node, change.path].difference)
        for change in drift.source
    )
    graph = (
        replace(change, difference=found[drift.node, change.path].difference)
        for change in drift.graph
    )
    return replace(drift, source=tuple(source), graph=tuple(graph))


def _of_contracts(
    workspace: OpenWorkspace, history: History, sought: Sequence[_Sought]
) -> dict[tuple[str, str], Comparison]:
    from yg_old.commands.drift.contracts import Contracts  # few graphs have imports

    changed = [file for file in sought if file.change.how is How.CHANGED]
    wanted = ((file.change.path, file.digest) for file in changed)
    contracts = Contracts(workspace.graph, history, wanted)
    return {file.key: contracts.compared(file.change, file.digest) for file in sought}


def _of_documents(
    workspace: OpenWorkspace, history: History, sought: Sequence[_Sought]
) -> dict[tuple[str, str], Comparison]:
    from yg_old.commands.drift.outside import compared  # few graphs refer to documents

    known: dict[tuple[str, How, str], Comparison] = {}  # several nodes may list a document
    for file in sought:
        key = file.change.path, file.change.how, file.digest
        if key not in known:
            known[key] = compared(workspace.graph, history, file.change, file.digest)
    return {file.key: known[file.change.path, file.change.how, file.digest] for file in sought}


def _sought(workspace: OpenWorkspace, drifts: Sequence[NodeDrift]) -> Iterator[_Sought]:
    for drift in drifts:
        targets = {change.to for change in drift.source}
        contracts = {change for change in drift.graph if not is_graph_file(change.path)}
        changes = (*drift.source, *drift.graph)
        baseline = workspace.baselines.get(drift.node) if changes else None
        recorded = recorded_contracts(baseline) if contracts else {}
        files = baseline.files if baseline else {}
        for change in changes:
            yield _Sought(
                drift.node,
                change,
                (recorded if change in contracts else files).get(change.path, ""),
                is_target=change.path in targets,
                is_contract=change in contracts,
            )


class _Versions:
    """The old versions of changed files."""

    def __init__(self, history: History, sought: Sequence[_Sought]) -> None:
        self.has_git = history.has_git
        old = [file for file in sought if file.change.how in _OLD and file.digest]
        wanted: dict[str, set[str]] = {}
        for file in old:
            wanted.setdefault(file.change.path, set()).add(file.digest)
        deleted = {
            (file.node, file.digest): file.change.path
            for file in old
            if file.change.how is How.DELETED
        }
        by_node: dict[str, set[str]] = {}
        for node, digest in deleted:
            by_node.setdefault(node, set()).add(digest)
        added = [file for file in sought if file.change.how is How.ADDED and file.node in by_node]
        for file in added:
            # A file that git knew with the content of a deleted one was renamed, then changed.
            wanted.setdefault(file.change.path, set()).update(by_node[file.node])
        self._found = history.at_paths(wanted)
        self.renamed = self._renamed(added, by_node, deleted)
        self.new_paths = {(node, old): new for (node, new), (old, _) in self.renamed.items()}
        left = {
            file.digest: file.change.path
            for file in old
            if (file.change.path, file.digest) not in self._found
        }
        self._elsewhere = history.anywhere(left)

    def _renamed(
        self,
        added: Sequence[_Sought],
        by_node: Mapping[str, set[str]],
        deleted: Mapping[tuple[str, str], str],
    ) -> dict[tuple[str, str], tuple[str, OldVersion]]:
        """Return the old path and text of files that were renamed and then changed."""
        found: dict[tuple[str, str], tuple[str, OldVersion]] = {}
        for file in added:
            path = file.change.path
            for digest in sorted(by_node[file.node]):
                version = self._found.get((path, digest))
                if version is not None:
                    found[file.node, path] = (deleted[file.node, digest], version)
                    break
        return found

    def get(self, path: str, digest: str) -> OldVersion | None:
        """Return the version of a path with a digest, wherever git has it."""
        return self._found.get((path, digest)) or self._elsewhere.get(digest)


def _of_file(workspace: OpenWorkspace, sought: _Sought, versions: _Versions) -> Comparison:
    path = sought.change.path
    match sought.change.how:
        case How.ADDED if not sought.is_target:
            old_path, version = versions.renamed.get((sought.node, path), ("", None))
            facts = Comparison(path=path, is_new=version is None, old_path=old_path)
            if version is None:
                return _compared(workspace, facts, b"")
            return _compared(workspace, replace(facts, commit=version.commit), version.content)
        case How.CHANGED:
            return _since(workspace, sought, versions, Comparison(path=path))
        case How.DELETED:
            new_path = versions.new_paths.get((sought.node, path))
            if new_path is not None:
                return Comparison(path=path, note=f"renamed to {new_path} and changed")
            return _since(workspace, sought, versions, Comparison(path=path, is_deleted=True))
    return Comparison(path=path)


def _since(
    workspace: OpenWorkspace, sought: _Sought, versions: _Versions, facts: Comparison
) -> Comparison:
    """Compare a file with its old text, if git has that."""
    version = versions.get(facts.path, sought.digest)
    if version is None:
        return replace(facts, note=NOT_IN_GIT if versions.has_git else NO_GIT)
    old_path = version.path if version.path != facts.path else ""
    known = replace(facts, commit=version.commit, old_path=old_path)
    return _compared(workspace, known, version.content)


def _compared(workspace: OpenWorkspace, facts: Comparison, old: bytes) -> Comparison:
    """Add the texts of a file to what is known of its difference."""
    try:
        new = b"" if facts.is_deleted else workspace.tree.read(facts.path)
    except UnreadableError as error:
        return replace(facts, note=error.reason)
    if any(b"\0" in content[:HEAD] for content in (old, new)):
        return replace(facts, note=BINARY)
    return replace(facts, old=_text(old), new=_text(new))


def _text(content: bytes) -> str:
    """Decode a text; drift ignores its kind of line endings, so they are not shown either."""
    return content.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
