"""`yg new`: create a node, an aspect, a flow or a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec.structs import replace

from yg_old.commands.command import Command
from yg_old.commands.edits import edits_text
from yg_old.commands.request import Operand, Option, Request
from yg_old.disk.files.apply import Applier, cleared_applier
from yg_old.disk.writing.lock import writing
from yg_old.kernel.edit import Write
from yg_old.kernel.errors import UsageError, YgError
from yg_old.text.escapes import escape_controls
from yg_old.workspace.given import relative_path
from yg_old.yggdrasil.edit.create import New, new_aspect, new_flow, new_node
from yg_old.yggdrasil.edit.decide import KIND, new_decision
from yg_old.yggdrasil.places import FOLDER

if TYPE_CHECKING:
    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace


class NewRequest(Request["New"], frozen=True, kw_only=True):
    """What to create."""

    what: Annotated[
        Literal["node", "aspect", "flow", "decision"],
        Operand("KIND", "node, aspect, flow or decision"),
    ]
    name: Annotated[
        str, Operand("NAME", "path of the node, id of the aspect or flow, or title of the decision")
    ]
    nodes: Annotated[tuple[str, ...], Operand("NODE", "nodes that take part in the flow")] = ()
    type: Annotated[
        str, Option(metavar="TYPE", help="type of the node (default: the first configured)")
    ] = ""
    map: Annotated[
        tuple[str, ...],
        Option(
            metavar="PATH",
            help="files or directories that the node stands for",
            takes_many=True,
        ),
    ] = ()
    blackbox: Annotated[bool, Option(help="describe existing code only from outside, for now")] = (
        False
    )
    supersedes: Annotated[
        int | None, Option(metavar="NUMBER", help="decision that the new one replaces")
    ] = None
    node: Annotated[
        tuple[str, ...],
        Option(metavar="NODE", help="nodes that list the new decision", takes_many=True),
    ] = ()
    dry_run: Annotated[bool, Option(help="show the files without writing them")] = False

    def check(self) -> None:
        """Raise UsageError for a parameter that belongs to something else."""
        if self.what != "node" and (self.type or self.map or self.blackbox):
            raise UsageError("--type, --map and --blackbox require 'yg new node'")
        if self.what != KIND and (self.supersedes is not None or self.node):
            raise UsageError("--supersedes and --node require 'yg new decision'")
        if self.what != "flow" and self.nodes:
            hint = "Only a flow lists nodes."
            raise UsageError(f"unexpected argument '{self.nodes[0]}'", hint=hint)


def ask(run: Run, request: NewRequest) -> New:
    """Write the files of something new, unless this is a dry run."""
    workspace = run.workspace
    workspace.require_writable("yg new")
    if request.dry_run:
        return replace(_new(workspace, request), dry_run=True)
    with writing(workspace.root, FOLDER):
        # Reopen after taking the lock: another process may have changed files in the meantime.
        new = _new(run.reopen(), request)
        applier = cleared_applier(workspace.root, FOLDER)
        if request.what == KIND:
            applier = Applier(workspace.root, graph=FOLDER)  # decisions are outside the graph
        applier.apply(new.edits)
    return new


def _new(workspace: OpenWorkspace, request: NewRequest) -> New:
    graph, name = workspace.graph, request.name
    match request.what:
        case "node":
            inside = [_inside(workspace, path) for path in request.map]
            return new_node(
                graph,
                workspace.sources,
                name,
                type_name=request.type,
                mapping=inside,
                is_blackbox=request.blackbox,
            )
        case "aspect":
            return new_aspect(graph, name)
        case "flow":
            return new_flow(graph, name, request.nodes)
        case "decision":
            return new_decision(graph, name, request.supersedes, request.node)


def _inside(workspace: OpenWorkspace, path: str) -> str:
    """Return a path, which is relative to the directory of the workspace, from the root."""
    relative = relative_path(workspace, path)
    if relative is None:
        raise YgError(f"cannot map '{path}': it is outside the repository")
    return relative


def text(new: New, _palette: Palette) -> str:
    """Write the files of something new; for a dry run with their content."""
    if new.dry_run:
        files = (edit for edit in new.edits if isinstance(edit, Write))
        return "".join(f"{edits_text([file])}{_indented(file.content)}" for file in files)
    step = "replace the drafts, then run 'yg validate'."
    if new.kind == KIND:
        step = "write the sections, then run 'yg validate'."
    if new.blackbox:
        step = "run 'yg validate'. Describe it when you have to change it."
    return f"{edits_text(new.edits)}Next: {step}\n"


def _indented(content: bytes) -> str:
    lines = escape_controls(content.decode()).splitlines()
    return "".join(f"    {line}".rstrip() + "\n" for line in lines)


COMMAND = Command(request=NewRequest, documents=(New,), ask=ask, text=text)
