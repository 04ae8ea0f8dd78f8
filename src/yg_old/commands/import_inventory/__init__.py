"""`yg import`: take in inventories of other repositories, and list them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from yg_old.commands.command import Actions, Command, warnings
from yg_old.commands.edits import edits_text
from yg_old.commands.import_inventory.sources import (
    existing,
    read_source,
    require_distinct,
    source_of,
    updated,
)
from yg_old.commands.issues import error_text
from yg_old.commands.request import DryRun, Operand, Option, Request
from yg_old.disk.files.apply import cleared_applier
from yg_old.disk.writing.lock import writing
from yg_old.kernel.document import Document, Text, about, one_of
from yg_old.kernel.edit import Edits, WasDryRun
from yg_old.kernel.errors import UsageError, YgError
from yg_old.kernel.inventory_names import NAME_HINT, is_import_name
from yg_old.kernel.palette import visible
from yg_old.text.plural import counted
from yg_old.yggdrasil.inventories.take_in import ImportRecord, TakenImport, TargetChange, listed, taken
from yg_old.yggdrasil.inventory_copies import SHORT_COMMIT
from yg_old.yggdrasil.places import FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace

WHAT = "yg import"
EPILOG = """\
yg import add NAME PATH [--no-contracts]
yg import update [NAME]
yg import list

To remove an import, delete its file: .yggdrasil/imports/NAME.jsonl
"""
_NONE = "There are no imports; 'yg import add NAME PATH' takes one in.\n"
_NEXT = "Next: 'yg drift --show' shows what changed; 'yg drift-sync' records the nodes again.\n"
_NEXT_GONE = "Next: 'yg validate' shows the relations to nodes that are gone.\n"
_MOST_NODES = 8
_CONTRACTS = {True: "with contracts", False: "without contracts"}


class AddImportRequest(Request["TakenImports"], frozen=True, kw_only=True):
    """The inventory to take in, and the name of the import."""

    name: Annotated[str, Operand("NAME", "name of the import")]
    path: Annotated[str, Operand("PATH", "repository, or file of an inventory")]
    no_contracts: Annotated[
        bool, Option(help="leave out the texts of the other repository, now and in updates")
    ] = False
    dry_run: DryRun = False


class UpdateImportsRequest(Request["TakenImports"], frozen=True, kw_only=True):
    """The import to take again from its source; all if there is no name."""

    name: Annotated[str | None, Operand("NAME", "name of the import")] = None
    dry_run: DryRun = False


class ListImportsRequest(Request["Imports"], frozen=True, kw_only=True):
    """Everything is listed."""


class TakenImports(Document, frozen=True, kw_only=True, tag="yg-import/1"):
    """What `yg import add` and `yg import update` print with `--json`."""

    HIDDEN = ("failures",)
    HIDING = ("imports", "edits")

    action: Annotated[str, one_of("add", "update"), about("What was done.")]
    dry_run: WasDryRun
    imports: Annotated[tuple[TakenImport, ...], about("The imports, by name.")]
    edits: Annotated[Edits, about("The changes to files; none if nothing changed.")]
    notes: Annotated[
        tuple[Text, ...], about("Warnings, and why some imports could not be updated.")
    ]
    failures: tuple[YgError, ...] = ()  # why some imports could not be updated

    @property
    def exit_code(self) -> int:
        """Whether an import could not be updated."""
        return 1 if self.failures else 0


class Imports(Document, frozen=True, kw_only=True, tag="yg-imports/1"):
    """What `yg import list --json` prints: the inventories taken in from other repositories."""

    imports: Annotated[tuple[ImportRecord, ...], about("The imports, by name.")]


def add(run: Run, request: AddImportRequest) -> TakenImports:
    """Take in the inventory in a file, or that of the repository in a directory, under a name."""
    workspace = run.workspace
    workspace.require_writable(WHAT)
    name, contracts = request.name, not request.no_contracts
    if not is_import_name(name):
        raise UsageError(f"'{name}' cannot be the name of an import", hint=NAME_HINT)
    source = source_of(workspace, request.path)
    inventory, notes = read_source(workspace, source, name, contracts=contracts)

    def take(now: OpenWorkspace) -> list[TakenImport]:
        require_distinct(now, name)
        return [taken(now.graph, name, inventory, source.stored, contracts=contracts)]

    found = take(workspace) if request.dry_run else _written(run, take)
    return _document("add", found, (), notes, dry_run=request.dry_run)


def update(run: Run, request: UpdateImportsRequest) -> TakenImports:
    """Take the import of a name again from its source, or all imports."""
    workspace = run.workspace
    workspace.require_writable(WHAT)
    named = request.name
    names = workspace.graph.inventories.names if named is None else (existing(workspace, named),)
    notes: list[str] = []
    failures: list[YgError] = []

    def take_all(now: OpenWorkspace) -> list[TakenImport]:
        found = []
        for name in names:
            try:
                again, remarks = updated(now, name, is_named=named is not None)
            except YgError as error:
                if named is not None:
                    raise
                failures.append(YgError(f"{name}: {error.message}", hint=error.hint))
            else:
                found.append(again)
                notes.extend(remarks)
        return found

    found = take_all(workspace) if request.dry_run else _written(run, take_all)
    return _document("update", found, failures, notes, dry_run=request.dry_run)


def ask_list(run: Run, _request: ListImportsRequest) -> Imports:
    """List the imports, and how many nodes use each."""
    run.workspace.require_writable(WHAT)
    return Imports(imports=listed(run.workspace.graph))


def _written(run: Run, take: Callable[[OpenWorkspace], list[TakenImport]]) -> list[TakenImport]:
    """Compute imports and write them, under the lock."""
    root = run.workspace.root
    with writing(root, FOLDER):
        # Reopen after taking the lock: another process may have changed files in the meantime.
        found = take(run.reopen())
        cleared_applier(root, FOLDER).apply(entry.edit for entry in found if entry.edit is not None)
    return found


def _document(
    action: str,
    found: Sequence[TakenImport],
    failures: Sequence[YgError],
    notes: Sequence[str],
    *,
    dry_run: bool,
) -> TakenImports:
    problems = (f"{error.message}. {error.hint}".rstrip() for error in failures)
    return TakenImports(
        action=action,
        dry_run=dry_run,
        imports=tuple(found),
        edits=tuple(entry.edit for entry in found if entry.edit),
        notes=(*notes, *problems),
        failures=tuple(failures),
    )


def taken_text(document: TakenImports, palette: Palette) -> str:
    """Write what was added or updated, and which contracts in use changed."""
    found, dry_run = document.imports, document.dry_run
    if not found:
        return "" if document.failures else _NONE
    head = _added if document.action == "add" else _updated
    lines = [
        line
        for entry in found
        for line in (
            head(entry, dry_run=dry_run),
            *_replaced(entry, dry_run=dry_run),
            *_changes(entry, palette),
        )
    ]
    end = edits_text(document.edits) if dry_run else _next(found)
    return "".join(f"{line}\n" for line in lines) + end


def _next(found: Sequence[TakenImport]) -> str:
    """Write what to do about changed nodes that are in use."""
    kinds = {change.change for taken in found for change in taken.changes}
    return (_NEXT_GONE if TargetChange.GONE in kinds else "") + (
        _NEXT if kinds - {TargetChange.GONE} else ""
    )


def _added(taken: TakenImport, *, dry_run: bool) -> str:
    verb = "would import" if dry_run else "imported"
    source = f"{visible(taken.source)}{_at(taken.commit)}"
    return f"{verb} {taken.name} from {source} ({_content(taken)})"


def _updated(taken: TakenImport, *, dry_run: bool) -> str:
    return f"{taken.name}: {_progress(taken, dry_run=dry_run)} ({_content(taken)})"


def _progress(taken: TakenImport, *, dry_run: bool) -> str:
    """Write how an update changes an import: its commit, only its content, or nothing."""
    if taken.edit is None:
        return f"unchanged since {_short(taken.commit)}" if taken.commit else "unchanged"
    if taken.previous_commit == taken.commit:
        return f"{'would change' if dry_run else 'changed'}{_at(taken.commit)}"
    before = "damaged" if taken.previous_commit is None else _short(taken.previous_commit)
    return f"{before} {'would become' if dry_run else '->'} {_short(taken.commit)}"


def _replaced(taken: TakenImport, *, dry_run: bool) -> Iterator[str]:
    """Yield a line about an import of another source or repository with the same name."""
    if before := taken.replaced:
        verb = "would replace" if dry_run else "replaced"
        then = f"repository {visible(before.repository)}{_at(before.commit)}"
        is_other = before.repository != taken.repository
        now = f", now repository {visible(taken.repository)}" if is_other else ""
        yield f"  {verb} {visible(before.source)} ({then}){now}"


def _content(taken: TakenImport) -> str:
    return f"{counted(taken.nodes, 'node')}, {_CONTRACTS[taken.contracts]}"


def _changes(taken: TakenImport, palette: Palette) -> Iterator[str]:
    """Yield a line for each change of a node in use."""
    for change in taken.changes:
        label = palette.yellow(f"{change.change:<7}")
        nodes = [visible(node) for node in change.nodes[:_MOST_NODES]]
        rest = len(change.nodes) - len(nodes)
        more = f" and {rest} more" if rest else ""
        yield f"  {label}  {visible(change.target)}  used by {', '.join(nodes)}{more}"


def _short(commit: str) -> str:
    return visible(commit[:SHORT_COMMIT]) or "no commit"


def _at(commit: str) -> str:
    return f" at {_short(commit)}" if commit else ""


def taken_notes(document: TakenImports, palette: Palette) -> str:
    """Write warnings, and why some imports could not be updated."""
    notes = document.notes[: len(document.notes) - len(document.failures)]
    errors = (error_text(error, palette) for error in document.failures)
    return warnings(notes, palette) + "".join(errors)


def list_text(document: Imports, palette: Palette) -> str:
    """Write one line per import."""
    if not document.imports:
        return _NONE
    width = max(len(entry.name) for entry in document.imports)
    lines = (f"{entry.name:<{width}}  {_state(entry, palette)}\n" for entry in document.imports)
    return "".join(lines)


def _state(entry: ImportRecord, palette: Palette) -> str:
    used = f"used by {counted(len(entry.used_by), 'node')}"
    if entry.problem:
        return f"{palette.red(visible(entry.problem))}, {used}"
    nodes = f"{counted(entry.nodes or 0, 'node')} {_CONTRACTS[bool(entry.contracts)]}"
    pinned = f"{visible(entry.repository or '')} at {_short(entry.commit or '')}"
    return f"{pinned}, {nodes}, {used}, from {visible(entry.source or '')}"


IMPORT = Actions(
    actions={
        "add": Command(
            request=AddImportRequest,
            documents=(TakenImports,),
            ask=add,
            text=taken_text,
            notes=taken_notes,
        ),
        "update": Command(
            request=UpdateImportsRequest,
            documents=(TakenImports,),
            ask=update,
            text=taken_text,
            notes=taken_notes,
        ),
        "list": Command(
            request=ListImportsRequest, documents=(Imports,), ask=ask_list, text=list_text
        ),
    },
    epilog=EPILOG,
)
