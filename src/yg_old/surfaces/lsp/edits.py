"""Edits of the editor: code actions from fixes, and a rename from the edits of a move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from yg_old.kernel.edit import Rename, Write
from yg_old.kernel.errors import YgError
from yg_old.kernel.fix import all_changed
from yg_old.kernel.overlay import can_be_file
from yg_old.kernel.snapshot import Kind, decode_utf8
from yg_old.surfaces.lsp.diagnostics import diagnostics_of, range_of, shown_on, span
from yg_old.surfaces.lsp.navigation import part_at, value_at
from yg_old.surfaces.lsp.positions import difference
from yg_old.surfaces.lsp.uris import uri_of
from yg_old.text.paths import is_inside, join
from yg_old.yggdrasil.edit.rename import move

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.kernel.edit import Edit
    from yg_old.kernel.issue import Fix, Issue
    from yg_old.surfaces.lsp.session import EditorView

    Operation = types.TextDocumentEdit | types.RenameFile | types.CreateFile


def actions(
    view: EditorView, file: str, wanted: types.Range, issues: Iterable[Issue]
) -> list[types.CodeAction]:
    """Return the fixes of the issues in a range."""
    found: list[types.CodeAction] = []
    fixable = (issue for issue in issues if issue.fixes and shown_on(view, issue.place) == file)
    for issue in fixable:
        if _touches(range_of(view, issue.place), wanted):
            diagnostic = diagnostics_of(view, [issue])[file]
            found += _actions(view, issue.fixes, diagnostic, is_preferred=len(issue.fixes) == 1)
    return found


def _touches(one: types.Range, two: types.Range) -> bool:
    return one.start.line <= two.end.line and two.start.line <= one.end.line


def _actions(
    view: EditorView,
    fixes: Iterable[Fix],
    diagnostics: list[types.Diagnostic],
    *,
    is_preferred: bool,
) -> Iterator[types.CodeAction]:
    for fix in fixes:
        edit = _fixed(view, fix)
        if edit is not None:
            yield types.CodeAction(
                title=fix.title,
                kind=types.CodeActionKind.QuickFix,
                diagnostics=diagnostics,
                is_preferred=is_preferred,
                edit=edit,
            )


def _fixed(view: EditorView, fix: Fix) -> types.WorkspaceEdit | None:
    """Return the edit that a fix makes; None if the file or its text has no place for it."""
    file = fix.change.file
    if not _is_writable(view, file):
        return None
    before = view.lines(file).text
    after, done = all_changed(before, [fix.change])
    if not done:
        return None
    is_new = view.workspace.snapshot.kind(file) is not Kind.FILE
    create: list[Operation] = [types.CreateFile(view.uri(file))] if is_new else []
    return types.WorkspaceEdit(document_changes=[*create, _rewritten(view, file, after)])


def _is_writable(view: EditorView, file: str) -> bool:
    """Return whether a path is a file of the graph, or can become one: not through a link."""
    snapshot = view.workspace.snapshot
    return is_inside(file, view.workspace.format.folder) and can_be_file(snapshot, file)


def _rewritten(view: EditorView, file: str, after: str) -> types.TextDocumentEdit:
    """Return the smallest edit that gives a file another text."""
    start, end, new = difference(view.lines(file).text, after)
    document = types.OptionalVersionedTextDocumentIdentifier(view.uri(file), view.version(file))
    return types.TextDocumentEdit(document, [types.TextEdit(span(view, file, start, end), new)])


def renamable(view: EditorView, file: str, offset: int) -> types.PrepareRenamePlaceholder | None:
    """Return the range of a name that can be renamed, and the id that it stands for."""
    if not view.workspace.format.has_drift:
        return None
    value, part = value_at(view, file, offset), part_at(view, file, offset)
    if value is None or part is None or part.id == ".":
        return None
    return types.PrepareRenamePlaceholder(span(view, file, value.start, value.end), part.id)


def renamed(view: EditorView, file: str, offset: int, new: str) -> types.WorkspaceEdit | None:
    """Return the edit that gives the part at an offset another id, under any parent.

    Raises YgError as `yg mv` does.
    """
    view.workspace.require_writable("renaming")
    part = part_at(view, file, offset)
    if part is None:
        return None
    baselines = view.workspace.baselines
    if baselines.legacy is not None:
        raise YgError("the baselines are still in one file", hint="Run 'yg drift' first.")
    found = move(view.graph, baselines, part.id, new, part.kind)
    return types.WorkspaceEdit(document_changes=[_operation(view, edit) for edit in found.edits])


def _operation(view: EditorView, edit: Edit) -> Operation:
    match edit:
        case Write(path, content):
            return _rewritten(view, path, decode_utf8(path, content))
        case Rename(path, to):
            root = view.workspace.root
            return types.RenameFile(uri_of(join(root, path)), uri_of(join(root, to)))
        case _:
            raise TypeError(f"a move has no {type(edit).__name__}")
