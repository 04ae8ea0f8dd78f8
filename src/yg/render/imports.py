"""Render the imports of a graph, and what taking them in changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.plural import counted
from yg.render.edits import edit_data, edits_text
from yg.render.plain import visible
from yg.yggdrasil.imported import SHORT_COMMIT, import_file
from yg.yggdrasil.importing import TargetChange

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.render.plain import Palette
    from yg.render.shapes.inventory import (
        ImportDocument,
        ImportRecord,
        ImportsDocument,
        TakenImport,
    )
    from yg.yggdrasil.importing import ListedImport, Taken

_NONE = "There are no imports; 'yg import add NAME PATH' takes one in.\n"
_NEXT = "Next: 'yg drift --show' shows what changed; 'yg drift-sync' records the nodes again.\n"
_NEXT_GONE = "Next: 'yg validate' shows the relations to nodes that are gone.\n"
_MOST_NODES = 8
_CONTRACTS = {True: "with contracts", False: "without contracts"}


def taken_text(action: str, found: Sequence[Taken], palette: Palette, *, dry_run: bool) -> str:
    """Write what was added or updated, and which contracts in use changed."""
    if not found:
        return _NONE
    head = _added if action == "add" else _updated
    lines = [
        line
        for taken in found
        for line in (
            head(taken, dry_run=dry_run),
            *_replaced(taken, dry_run=dry_run),
            *_changes(taken, palette),
        )
    ]
    edits = edits_text(taken.edit for taken in found if taken.edit) if dry_run else ""
    return "".join(f"{line}\n" for line in lines) + (edits if dry_run else _next(found))


def _next(found: Sequence[Taken]) -> str:
    """Write what to do about changed nodes that are in use."""
    kinds = {change.how for taken in found for change in taken.changes}
    return (_NEXT_GONE if TargetChange.GONE in kinds else "") + (
        _NEXT if kinds - {TargetChange.GONE} else ""
    )


def _added(taken: Taken, *, dry_run: bool) -> str:
    verb = "would import" if dry_run else "imported"
    source = f"{visible(taken.source)}{_at(taken.commit)}"
    return f"{verb} {taken.name} from {source} ({_content(taken)})"


def _updated(taken: Taken, *, dry_run: bool) -> str:
    return f"{taken.name}: {_progress(taken, dry_run=dry_run)} ({_content(taken)})"


def _progress(taken: Taken, *, dry_run: bool) -> str:
    """Write how an update changes an import: its commit, only its content, or nothing."""
    if taken.edit is None:
        return f"unchanged since {_short(taken.commit)}" if taken.commit else "unchanged"
    if taken.before and taken.before.commit == taken.commit:
        return f"{'would change' if dry_run else 'changed'}{_at(taken.commit)}"
    before = _short(taken.before.commit) if taken.before else "damaged"
    return f"{before} {'would become' if dry_run else '->'} {_short(taken.commit)}"


def _replaced(taken: Taken, *, dry_run: bool) -> Iterator[str]:
    """Yield a line about an import of another source or repository with the same name."""
    if before := taken.replaced:
        verb = "would replace" if dry_run else "replaced"
        then = f"repository {visible(before.repository)}{_at(before.commit)}"
        is_other = before.repository != taken.repository
        now = f", now repository {visible(taken.repository)}" if is_other else ""
        yield f"  {verb} {visible(before.source)} ({then}){now}"


def _content(taken: Taken) -> str:
    return f"{counted(taken.nodes, 'node')}, {_CONTRACTS[taken.has_contracts]}"


def _changes(taken: Taken, palette: Palette) -> Iterator[str]:
    """Yield a line for each change of a node in use."""
    for change in taken.changes:
        label = palette.yellow(f"{change.how:<7}")
        nodes = [visible(node) for node in change.nodes[:_MOST_NODES]]
        rest = len(change.nodes) - len(nodes)
        more = f" and {rest} more" if rest else ""
        yield f"  {label}  {visible(change.target)}  used by {', '.join(nodes)}{more}"


def _short(commit: str) -> str:
    return visible(commit[:SHORT_COMMIT]) or "no commit"


def _at(commit: str) -> str:
    return f" at {_short(commit)}" if commit else ""


def taken_data(
    action: str, found: Sequence[Taken], notes: Sequence[str], *, dry_run: bool
) -> ImportDocument:
    """Return what was added or updated as data."""
    from yg.render.shapes.inventory import ImportDocument

    return ImportDocument(
        action=action,
        dry_run=dry_run,
        imports=[_taken_data(taken) for taken in found],
        edits=[edit_data(taken.edit) for taken in found if taken.edit],
        notes=list(notes),
    )


def _taken_data(taken: Taken) -> TakenImport:
    from yg.render.shapes.inventory import ReplacedImport, TakenImport, UsedNodeChange

    replaced = taken.replaced
    return TakenImport(
        name=taken.name,
        file=import_file(taken.name),
        source=taken.source,
        repository=taken.repository,
        commit=taken.commit,
        previous_commit=taken.before.commit if taken.before else None,
        replaced=ReplacedImport(
            source=replaced.source, repository=replaced.repository, commit=replaced.commit
        )
        if replaced
        else None,
        nodes=taken.nodes,
        contracts=taken.has_contracts,
        changes=[
            UsedNodeChange(target=change.target, change=change.how, nodes=list(change.nodes))
            for change in taken.changes
        ],
    )


def imports_text(found: Sequence[ListedImport], palette: Palette) -> str:
    """Write one line per import."""
    if not found:
        return _NONE
    width = max(len(entry.name) for entry in found)
    return "".join(f"{entry.name:<{width}}  {_state(entry, palette)}\n" for entry in found)


def _state(entry: ListedImport, palette: Palette) -> str:
    imported, used = entry.imported, f"used by {counted(len(entry.users), 'node')}"
    if imported is None:
        return f"{palette.red(visible(entry.fault))}, {used}"
    nodes = f"{counted(len(imported.nodes), 'node')} {_CONTRACTS[imported.has_contracts]}"
    pinned = f"{visible(imported.repository)} at {_short(imported.commit)}"
    return f"{pinned}, {nodes}, {used}, from {visible(imported.source)}"


def imports_data(found: Sequence[ListedImport]) -> ImportsDocument:
    """Return the imports as data."""
    from yg.render.shapes.inventory import ImportsDocument

    return ImportsDocument(imports=[_listed_data(entry) for entry in found])


def _listed_data(entry: ListedImport) -> ImportRecord:
    from yg.render.shapes.inventory import ImportRecord

    imported = entry.imported
    return ImportRecord(
        name=entry.name,
        file=import_file(entry.name),
        source=imported.source if imported else None,
        repository=imported.repository if imported else None,
        commit=imported.commit if imported else None,
        nodes=len(imported.nodes) if imported else None,
        contracts=imported.has_contracts if imported else None,
        used_by=list(entry.users),
        problem=entry.fault,
    )
