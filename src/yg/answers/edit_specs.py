"""The commands that write a Spec Graph: `node`, `link`, `unlink`, `pin` and `lock`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from yg.answers.answer import Answer, warnings
from yg.disk.index import ALL_RULES
from yg.disk.journal import commit, complete
from yg.disk.lock import writing
from yg.disk.worktree import WorkTree
from yg.kernel.decode import plain
from yg.kernel.decode_json import decode_json
from yg.kernel.errors import RefusedError, YgError
from yg.kernel.issue import ISSUES
from yg.kernel.plural import counted
from yg.render.edits import written_data, written_text
from yg.specgraph import edit
from yg.specgraph.consequences import consequences, errors_of
from yg.specgraph.places import FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from yg.kernel.issue import Issue
    from yg.specgraph.draft import SpecChange
    from yg.specgraph.graph import SpecGraph
    from yg.specgraph.model import LinkKind
    from yg.workspace import OpenWorkspace

    Reopen = Callable[[], OpenWorkspace]
    Make = Callable[[SpecGraph], SpecChange]


def add_node(
    reopen: Reopen, type_name: str, node_id: str, fields: Mapping[str, Any], *, dry_run: bool
) -> Answer:
    """Add a node."""

    def make(graph: SpecGraph) -> SpecChange:
        return edit.add_node(graph, type_name, node_id, fields)

    return _written(reopen, "node add", make, dry_run=dry_run)


def fields_in(directory: str, file: str) -> dict[str, Any]:
    """Read the fields of a new node from a JSON file that the user names."""
    place, name = os.path.split(os.path.abspath(os.path.join(directory, file)))
    decoded = decode_json(WorkTree(place, "").text(name).value)
    if decoded.problems:
        problem = decoded.problems[0]
        raise YgError(f"cannot read '{file}': {problem.message} (line {problem.line})")
    found = plain(decoded.datum)
    if not isinstance(found, dict):
        raise YgError(f"'{file}' does not hold a JSON object")
    return found


def set_field(reopen: Reopen, node_id: str, field: str, value: str, *, dry_run: bool) -> Answer:
    """Set a field of a node."""

    def make(graph: SpecGraph) -> SpecChange:
        return edit.set_field(graph, node_id, field, value)

    return _written(reopen, "node set", make, dry_run=dry_run)


def remove_node(reopen: Reopen, node_id: str, *, force: bool, dry_run: bool) -> Answer:
    """Remove a node."""

    def make(graph: SpecGraph) -> SpecChange:
        return edit.remove_node(graph, node_id, force=force)

    return _written(reopen, "node remove", make, dry_run=dry_run)


def link(reopen: Reopen, source: str, kind: LinkKind, target: str, *, dry_run: bool) -> Answer:
    """Add a link."""

    def make(graph: SpecGraph) -> SpecChange:
        return edit.link(graph, source, kind, target)

    return _written(reopen, "link", make, dry_run=dry_run)


def unlink(reopen: Reopen, source: str, kind: LinkKind, target: str, *, dry_run: bool) -> Answer:
    """Remove a link."""

    def make(graph: SpecGraph) -> SpecChange:
        return edit.unlink(graph, source, kind, target)

    return _written(reopen, "unlink", make, dry_run=dry_run)


def pin(reopen: Reopen, node_id: str, *, dry_run: bool) -> Answer:
    """Refresh the pins and the digest of a node."""
    return _written(reopen, "pin", lambda graph: edit.pin(graph, node_id), dry_run=dry_run)


def lock(reopen: Reopen, *, dry_run: bool) -> Answer:
    """Write the lock file."""
    return _written(reopen, "lock", edit.lock, dry_run=dry_run)


def _written(reopen: Reopen, command: str, make: Make, *, dry_run: bool) -> Answer:
    """Carry out a change that adds no errors, unless this is a dry run."""
    workspace = reopen()
    workspace.require_specs(f"yg {command}")
    notes: tuple[str, ...] = ()
    if dry_run:
        change, stale = _checked(workspace, make)
    else:
        with writing(workspace.root, FOLDER):
            notes = (*workspace.recovered, *complete(workspace.root, FOLDER))
            # Reopen after taking the lock: another process may have changed files in the meantime.
            change, stale = _checked(reopen(), make)
            if change.edits:
                commit(workspace.root, FOLDER, change.edits, change.read)
    return Answer(
        data=lambda: written_data(command, change, stale, dry_run=dry_run, notes=notes),
        forms={"text": lambda palette: written_text(change, stale, palette, dry_run=dry_run)},
        notes=warnings(notes),
    )


def _checked(workspace: OpenWorkspace, make: Make) -> tuple[SpecChange, tuple[Issue, ...]]:
    """Return a change and the pins that it makes stale; raise RefusedError for new errors."""
    graph = workspace.specs
    change = make(graph)
    if not change.edits:
        return change, ()
    before = workspace.result("spec-errors", ALL_RULES, ISSUES, lambda: errors_of(graph))
    found = consequences(graph, before, change)
    if found.errors:
        count = counted(len(found.errors), "error")
        what = f"nothing was written: the change would add {count}"
        raise RefusedError(
            what, hint="Errors that exist already do not count.", issues=found.errors
        )
    return change, found.stale_pins
