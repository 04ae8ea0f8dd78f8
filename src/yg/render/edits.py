"""Render edits as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.edit import Copy, Delete, MakeDirectory, Rename, Write
from yg.kernel.escapes import escape_controls
from yg.kernel.plural import counted
from yg.render.issues import issue_data, issue_text
from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from yg.kernel.edit import Edit
    from yg.kernel.issue import Issue
    from yg.render.plain import Palette
    from yg.render.shapes.edits import (
        InitDocument,
        MoveDocument,
        NewDocument,
        PlannedEdit,
        WriteDocument,
    )
    from yg.specgraph.draft import SpecChange
    from yg.yggdrasil.create import New
    from yg.yggdrasil.rename import Move

DRAFTS_NOT_FOUND = "It reports drafts only if yg-config.yaml has a 'code' section."


def edits_text(edits: Iterable[Edit]) -> str:
    """Write one line per edit."""
    return "".join(f"{visible(_line(edit))}\n" for edit in edits)


def _line(edit: Edit) -> str:
    match edit:
        case Write(path, content):
            return f"write   {path} ({counted(len(content), 'byte')})"
        case Delete(path):
            return f"delete  {path}"
        case Rename(path, to):
            return f"rename  {path} -> {to}"
        case Copy(path, to):
            return f"copy    {path} -> {to}"
        case MakeDirectory(path):
            return f"make    {path}/"


def init_data(  # noqa: PLR0913
    edits: Iterable[Edit],
    *,
    platforms: list[str],
    dry_run: bool,
    done: list[str],
    warnings: list[str],
    unfinished: list[str],
) -> InitDocument:
    """Return the edits of `yg init` as data."""
    from msgspec import UNSET

    from yg.render.shapes.edits import InitDocument

    return InitDocument(
        platform=platforms[0] if platforms else UNSET,
        platforms=platforms or UNSET,
        dry_run=dry_run,
        edits=[edit_data(edit) for edit in edits],
        done=done,
        warnings=warnings,
        unfinished=unfinished,
    )


NEXT_SPECS = """\
Next, add what the software does, and read the context of it:
  yg node add behavior {group}-02 --title 'The title' \\
    --statement 'What can be seen' --verification 'the command that shows it'
  yg link {group} contains {group}-02
  yg build-context {group}-02
"""


def started_text(edits: Sequence[Edit], group: str, *, dry_run: bool) -> str:
    """Write the files of a new Spec Graph, and the next steps."""
    if not edits:
        return "Nothing to write: there is a Spec Graph already.\n"
    return edits_text(edits) + ("" if dry_run else f"\n{NEXT_SPECS.format(group=group)}")


def started_data(edits: Iterable[Edit], *, dry_run: bool) -> InitDocument:
    """Return the files of a new Spec Graph as data."""
    return init_data(edits, platforms=[], dry_run=dry_run, done=[], warnings=[], unfinished=[])


def new_text(new: New, *, dry_run: bool, finds_drafts: bool) -> str:
    """Write the files of something new; for a dry run with their content.

    `finds_drafts` says whether `yg validate` reports the drafts that are left.
    """
    if dry_run:
        return "".join(f"{edits_text([edit])}{_indented(edit.content)}" for edit in new.edits)
    rest = about_drafts(finds_drafts=finds_drafts)
    return f"{edits_text(new.edits)}Next: replace the drafts, then run 'yg validate'.{rest}\n"


def about_drafts(*, finds_drafts: bool) -> str:
    """Return what to add to advice to run `yg validate`, if it does not report drafts."""
    return "" if finds_drafts else f" {DRAFTS_NOT_FOUND}"


def _indented(content: bytes) -> str:
    lines = escape_controls(content.decode()).splitlines()
    return "".join(f"    {line}".rstrip() + "\n" for line in lines)


def new_data(new: New, *, dry_run: bool) -> NewDocument:
    """Return the files of something new as data."""
    from yg.render.shapes.edits import NewDocument

    return NewDocument(
        kind=new.kind,
        id=new.id,
        dry_run=dry_run,
        edits=[edit_data(edit) for edit in new.edits],
        notes=list(new.notes),
    )


def move_text(move: Move, *, dry_run: bool) -> str:
    """Write what a move changes; for a dry run also every edit."""
    record = move.record
    what = [
        counted(move.ids, record.kind),
        f"{counted(move.references, 'reference')} in {counted(move.files, 'file')}",
        counted(move.baselines, "baseline"),
    ]
    verb = "would move" if dry_run else "moved"
    line = f"{verb} {record.kind} {record.old} -> {record.new} ({', '.join(what)})"
    return f"{visible(line)}\n" + (edits_text(move.edits) if dry_run else "")


def move_data(move: Move, *, dry_run: bool) -> MoveDocument:
    """Return what a move changes as data."""
    from yg.render.shapes.edits import MoveDocument

    return MoveDocument(
        kind=move.record.kind,
        old=move.record.old,
        new=move.record.new,
        dry_run=dry_run,
        moved=move.ids,
        references=move.references,
        files=move.files,
        baselines=move.baselines,
        edits=[edit_data(edit) for edit in move.edits],
        notes=list(move.notes),
    )


def written_text(
    change: SpecChange, stale: Sequence[Issue], palette: Palette, *, dry_run: bool
) -> str:
    """Write the edits of a Spec Graph, for a dry run with differences, and stale pins."""
    if not change.edits:
        return "Nothing to write.\n"
    lines = [
        edits_text([edit]) + (_difference(edit, change.read, palette) if dry_run else "")
        for edit in change.edits
    ]
    pins = "".join(issue_text(issue, palette) for issue in stale)
    next_step = "Review these nodes; 'yg pin NODE' then refreshes their pins.\n" if stale else ""
    return "".join(lines) + pins + next_step


def _difference(edit: Edit, read: Mapping[str, bytes | None], palette: Palette) -> str:
    """Write the difference that a write makes, indented."""
    if not isinstance(edit, Write):
        return ""
    from yg.render.unified import unified

    before, after = (read.get(edit.path) or b"").decode("utf-8", "replace"), edit.content.decode()
    paint = {"+": palette.added, "-": palette.removed, "@": palette.place}
    return "".join(
        f"    {paint.get(line[0], str)(escape_controls(line))}".rstrip() + "\n"
        for line in unified(before.replace("\r\n", "\n"), after.replace("\r\n", "\n"))
    )


def written_data(
    command: str,
    change: SpecChange,
    stale: Sequence[Issue],
    *,
    dry_run: bool,
    notes: Sequence[str],
) -> WriteDocument:
    """Return the edits of a Spec Graph as data."""
    from yg.render.shapes.edits import WriteDocument

    return WriteDocument(
        command=command,
        dry_run=dry_run,
        edits=[edit_data(edit) for edit in change.edits],
        stale_pins=[issue_data(issue) for issue in stale],
        notes=list(notes),
    )


def edit_data(edit: Edit) -> PlannedEdit:
    """Return one edit as data."""
    from yg.render.shapes import edits as shapes

    match edit:
        case Write(path, content):
            return shapes.WriteFile(path=path, bytes=len(content))
        case Delete(path):
            return shapes.DeleteFile(path=path)
        case Rename(path, to):
            return shapes.RenamePath(path=path, to=to)
        case Copy(path, to):
            return shapes.CopyFile(path=path, to=to)
        case MakeDirectory(path):
            return shapes.CreateDirectory(path=path)
