"""Changes since a commit: the files that differ, the nodes that these affect, and new issues."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg_old.commands.issues import Compared
from yg_old.disk.git.changed_files import changed_among, changed_files, renamed_files
from yg_old.disk.git.process import base_of, commit_of
from yg_old.kernel.errors import NoGraphError
from yg_old.kernel.issue import Verdict
from yg_old.kernel.new_issues import new_issues
from yg_old.workspace import results
from yg_old.workspace.opened import yggdrasil_graph
from yg_old.workspace.past import past_queries, workspace_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from yg_old.disk.git.changed_files import Changes
    from yg_old.kernel.compare import DiffImpact
    from yg_old.kernel.queries import Queries
    from yg_old.workspace.opened import OpenWorkspace


class ChangesSince:
    """The changes of the work tree since the last common commit of HEAD and a revision.

    The commit is read only if its issues are not known, or if something may have been renamed.
    """

    def __init__(self, workspace: OpenWorkspace, revision: str) -> None:
        self.workspace = workspace
        self.revision = revision
        self.commit = base_of(workspace.root, revision)
        self.notes: tuple[str, ...] = ()  # on how the answer was found

    def compared(self, older: int) -> Compared:
        """Return what an answer says about the commit, with the number of older things."""
        return Compared(
            revision=self.revision, commit=self.commit, older=older, notes=list(self.notes)
        )

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The files that differ, by path."""
        return self._changes.files

    @cached_property
    def _changes(self) -> Changes:
        changes = changed_files(self.workspace.root, self.commit, staged=False)
        self.notes = (*self.notes, *changes.notes)
        return changes

    def among(self, files: Iterable[str]) -> tuple[str, ...]:
        """Return the sources among some visible ones that differ, in their order.

        That takes less time than `files`, because the files of the graph are not compared.
        """
        graph = self.workspace.format.folder
        changes = changed_among(self.workspace.root, self.commit, files, without=graph)
        self.notes = (*self.notes, *changes.notes)
        return changes.files

    @cached_property
    def _past(self) -> OpenWorkspace:
        return workspace_at(self.workspace, self.commit)

    @property
    def past_queries(self) -> Queries:
        """The graph at the commit; an empty one if there is none that can be read."""
        from yg_old.kernel.snapshot import DictSnapshot

        try:
            return self._past.queries
        except NoGraphError:
            return self.workspace.format.queries.read(DictSnapshot({}))

    def new_issues(self, verdict: Verdict) -> Verdict:
        """Return the issues that the commit does not have."""
        try:
            past = results.verdict_at(self.workspace, self.commit, self._past_verdict)
        except NoGraphError as error:
            self.notes = (*self.notes, f"{error.message}, so every issue counts as new")
            past = Verdict("", 0, ())
        found = new_issues(past.issues, verdict.issues, self._new_names)
        return replace(verdict, issues=found)

    def _past_verdict(self) -> Verdict:
        return results.verdict(self._past)

    def _new_names(self) -> Mapping[str, str]:
        """Return the new names of what was renamed, by old name."""
        workspace = self.workspace
        if not workspace.format.is_yggdrasil or not self.files:
            return {}
        from yg_old.yggdrasil.questions.new_names import new_names

        then = yggdrasil_graph(self._past.queries)
        renamed = renamed_files(workspace.root, self.commit)
        return new_names(then, workspace.graph, workspace.sources, self.files, renamed)


def new_since(
    workspace: OpenWorkspace, revision: str, verdict: Verdict, within: str = ""
) -> tuple[Verdict, Compared]:
    """Return the new issues in a scope, and the number of the older ones there."""
    changes = ChangesSince(workspace, revision)
    new = changes.new_issues(verdict)
    if within:
        restrict = workspace.queries.restrict
        verdict, new = restrict(verdict, within), restrict(new, within)
    return new, changes.compared(len(verdict.issues) - len(new.issues))


def changes_since(
    workspace: OpenWorkspace, queries: Queries, since: str, *, staged: bool = False
) -> tuple[DiffImpact, tuple[str, ...]]:
    """Compare a graph and the source files with a commit; return the impact and the notes."""
    commit = commit_of(workspace.root, since)
    changes = changed_files(workspace.root, commit, staged=staged)
    then, note = past_queries(workspace, commit, queries.tokenizer)
    notes = (*changes.notes, note) if note else changes.notes
    return queries.diff(then, workspace.sources, changes.files, since=since), notes


def nodes_changed_since(
    workspace: OpenWorkspace, since: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the nodes with changed files, their own or source files, by path; and the notes."""
    commit = commit_of(workspace.root, since)
    changes = changed_files(workspace.root, commit, staged=False)
    queries = workspace.queries
    found = queries.changed(
        lambda: past_queries(workspace, commit, queries.tokenizer)[0],
        workspace.sources,
        changes.files,
    )
    return found, changes.notes
