"""Changes to the files of a Spec Graph: what `node`, `link`, `unlink`, `pin` and `lock` share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from yg_old.commands.command import Command, Tool
from yg_old.commands.edits import edits_text
from yg_old.commands.issues import IssueRecord, issue_data, issue_text
from yg_old.disk.index.changes import ALL_RULES
from yg_old.disk.writing.journal import commit, complete
from yg_old.disk.writing.lock import writing
from yg_old.kernel.document import Document, Text, about, one_of
from yg_old.kernel.edit import Edits, WasDryRun, Write
from yg_old.kernel.errors import RefusedError
from yg_old.kernel.issue import ISSUES, Issue
from yg_old.specgraph.edit.consequences import consequences, errors_of
from yg_old.specgraph.places import FOLDER
from yg_old.text.escapes import escape_controls
from yg_old.text.plural import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.commands.command import Run
    from yg_old.commands.request import Request
    from yg_old.kernel.edit import Edit
    from yg_old.kernel.palette import Palette
    from yg_old.specgraph.edit.pending import SpecChange
    from yg_old.specgraph.graph import SpecGraph
    from yg_old.workspace.opened import OpenWorkspace

    Make = Callable[[SpecGraph], SpecChange]

R = TypeVar("R", bound="Request[Any]")

CHECKED = "Refused if the graph would get new errors."  # for the descriptions of tools


class Written(Document, frozen=True, kw_only=True, tag="yg-write/1"):
    """What the commands that write a Spec Graph print with `--json`: the files they change."""

    HIDDEN = ("stale", "read")
    HIDING = ("edits",)

    command: Annotated[
        str,
        one_of("node add", "node set", "node remove", "link", "unlink", "pin", "lock"),
        about("The command."),
    ]
    dry_run: WasDryRun
    edits: Annotated[Edits, about("The changes to files; none if it was so already.")]
    stale_pins: Annotated[
        tuple[IssueRecord, ...],
        about("The pins of other nodes that no longer match, as `yg validate` reports them."),
    ]
    notes: Annotated[
        tuple[Text, ...], about("What else was done, such as an interrupted write completed.")
    ]
    stale: tuple[Issue, ...]  # these pins
    read: Mapping[str, bytes | None]  # the contents before, by path; None: no such file


def written(run: Run, command: str, make: Make, *, dry_run: bool) -> Written:
    """Carry out a change that adds no errors, unless this is a dry run."""
    workspace = run.workspace
    workspace.require_specs(f"yg {command}")
    notes: tuple[str, ...] = ()
    if dry_run:
        change, stale = _checked(workspace, make)
    else:
        with writing(workspace.root, FOLDER):
            notes = (*workspace.recovered, *complete(workspace.root, FOLDER))
            # Reopen after taking the lock: another process may have changed files in the meantime.
            change, stale = _checked(run.reopen(), make)
            if change.edits:
                commit(workspace.root, FOLDER, change.edits, change.read)
    return Written(
        command=command,
        dry_run=dry_run,
        edits=change.edits,
        stale_pins=tuple(map(issue_data, stale)),
        notes=notes,
        stale=stale,
        read=change.read,
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


def text(written: Written, palette: Palette) -> str:
    """Write the edits, for a dry run with differences, and the pins that are stale now."""
    if not written.edits:
        return "Nothing to write.\n"
    lines = [
        edits_text([edit]) + (_difference(edit, written.read, palette) if written.dry_run else "")
        for edit in written.edits
    ]
    if written.stale:
        lines += [issue_text(issue, palette) for issue in written.stale]
        lines.append("Review these nodes; 'yg pin NODE' then refreshes their pins.\n")
    return "".join(lines)


def _difference(edit: Edit, read: Mapping[str, bytes | None], palette: Palette) -> str:
    """Write the difference that a write makes, indented."""
    if not isinstance(edit, Write):
        return ""
    from yg_old.commands.unified import unified

    before, after = (read.get(edit.path) or b"").decode("utf-8", "replace"), edit.content.decode()
    paint = {"+": palette.added, "-": palette.removed, "@": palette.place}
    return "".join(
        f"    {paint.get(line[0], str)(escape_controls(line))}".rstrip() + "\n"
        for line in unified(before.replace("\r\n", "\n"), after.replace("\r\n", "\n"))
    )


def writer(
    request: type[R], ask: Callable[[Run, R], Written], *, title: str, when: str
) -> Command[R, Written]:
    """Return a command, or an action of one, that writes a Spec Graph, with its tool."""
    tool = Tool(title=title, when=when, only_in_specs=True, writes=True, levels=0)
    return Command(request=request, documents=(Written,), ask=ask, text=text, tool=tool)
