"""`yg node`: add a node to a Spec Graph, change a field of one, remove or show one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

from yg_old.commands.command import Actions, Command, Tool
from yg_old.commands.request import Argument, DryRun, LongText, Operand, Option, Request
from yg_old.commands.write_specs import CHECKED, Written, writer, written
from yg_old.disk.reading.worktree import WorkTree
from yg_old.kernel.document import Document, Record, Text, about
from yg_old.kernel.errors import YgError
from yg_old.kernel.palette import visible
from yg_old.specgraph.edit import write as edit
from yg_old.specgraph.find import node_named
from yg_old.specgraph.model import TYPES, LinkKind
from yg_old.text.decode import plain
from yg_old.text.decode_json import decode_json

if TYPE_CHECKING:
    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette

EPILOG = """\
yg node add TYPE ID --title TEXT --statement TEXT [--from FILE]
yg node set ID FIELD VALUE
yg node remove ID [--force]
yg node show ID
"""

NodeType = Annotated[
    str,
    Operand("TYPE", "its type", choices=TYPES),
    Argument("Its type.", "behavior"),
]
NodeId = Annotated[str, Operand("ID", "id of the node"), Argument("Id of the node.", "AUTH-01")]


class AddRequest(Request["Written"], frozen=True, kw_only=True):
    """The node to add."""

    type: NodeType
    id: Annotated[str, Operand("ID", "its id"), Argument("Its id, which must be new.", "AUTH-02")]
    title: Annotated[
        LongText | None,
        Option(metavar="TEXT", help="its title"),
        Argument("Its title.", "Sign out"),
    ] = None
    statement: Annotated[
        LongText | None,
        Option(metavar="TEXT", help="its statement, expectation or description"),
        Argument("Statement, expectation or description.", "It ends."),
    ] = None
    verification: Annotated[
        LongText | None,
        Option(metavar="TEXT", help="how to verify it"),
        Argument("How to verify it.", "pytest -k AUTH_02"),
    ] = None
    fields: Annotated[
        dict[str, Any] | None, Argument("Further fields.", {"metadata": {"owner": "web"}})
    ] = None
    source: Annotated[
        str | None,
        Option(names=("--from",), metavar="FILE", help="a JSON object with further fields"),
    ] = None
    dry_run: DryRun = False


class SetRequest(Request["Written"], frozen=True, kw_only=True):
    """The field to change."""

    node: NodeId
    field: Annotated[
        str,
        Operand("FIELD", "field; dots for nested ones"),
        Argument("Field; dots for nested ones.", "title"),
    ]
    value: Annotated[
        LongText,
        Operand("VALUE", "text, or JSON; empty: remove it"),
        Argument("Text, or JSON; empty: remove it.", "Sign in"),
    ]
    dry_run: DryRun = False


class RemoveRequest(Request["Written"], frozen=True, kw_only=True):
    """The node to remove."""

    node: NodeId
    force: Annotated[
        bool,
        Option(help="remove the links to it as well"),
        Argument("Remove the links to it too."),
    ] = False
    dry_run: DryRun = False


class ShowRequest(Request["ShownNode"], frozen=True, kw_only=True):
    """The node to show."""

    node: NodeId


class IncomingLink(Record, frozen=True, kw_only=True):
    """A link to the node."""

    source: Annotated[Text, about("The node that holds the link.")]
    link: Annotated[LinkKind, about("The kind of link.")]


class ShownNode(Document, frozen=True, kw_only=True, tag="yg-node/1"):
    """What `yg node show --json` prints: one node of a Spec Graph in full."""

    id: Annotated[Text, about("Its id.")]
    type: Annotated[str, about("Its type; empty when missing.")]
    title: Annotated[str, about("Its title; empty when missing.")]
    file: Annotated[Text, about("Its file.")]
    text: Annotated[Text, about("The content of the file: a JSON document.")]
    links: Annotated[tuple[IncomingLink, ...], about("The links of other nodes to it, by kind.")]


def add(run: Run, request: AddRequest) -> Written:
    """Add a node."""
    texts = {
        "title": request.title,
        "statement": request.statement,
        "verification": request.verification,
    }
    fields = _fields_in(run.directory, request.source) if request.source else request.fields or {}
    fields = {**fields, **{name: said for name, said in texts.items() if said is not None}}
    return written(
        run,
        "node add",
        lambda graph: edit.add_node(graph, request.type, request.id, fields),
        dry_run=request.dry_run,
    )


def _fields_in(directory: str, file: str) -> dict[str, Any]:
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


def set_field(run: Run, request: SetRequest) -> Written:
    """Set a field of a node."""
    return written(
        run,
        "node set",
        lambda graph: edit.set_field(graph, request.node, request.field, request.value),
        dry_run=request.dry_run,
    )


def remove(run: Run, request: RemoveRequest) -> Written:
    """Remove a node."""
    return written(
        run,
        "node remove",
        lambda graph: edit.remove_node(graph, request.node, force=request.force),
        dry_run=request.dry_run,
    )


def show(run: Run, request: ShowRequest) -> ShownNode:
    """Show a node: its file as written, and the nodes that link to it."""
    workspace = run.workspace
    workspace.require_specs("yg node show")
    graph = workspace.specs
    node = node_named(graph, request.node)
    return ShownNode(
        id=node.id,
        type=node.type,
        title=node.title,
        file=node.file,
        text=graph.snapshot.text(node.file).value,
        links=tuple(
            IncomingLink(source=source, link=kind)
            for kind in LinkKind
            for source in graph.sources(kind, node.id)
        ),
    )


def text(node: ShownNode, _palette: Palette) -> str:
    """Write the file of a node, and the links to it."""
    ending = "" if node.text.endswith("\n") else "\n"
    lines = "".join(f"  {visible(link.source)} {link.link}\n" for link in node.links)
    links = f"Links to it:\n{lines}" if lines else ""
    return f"{visible(node.file)}\n{node.text}{ending}{links}"


COMMAND = Actions(
    actions={
        "add": writer(
            AddRequest, add, title="Add a node", when=f"Use to specify something new. {CHECKED}"
        ),
        "set": writer(
            SetRequest,
            set_field,
            title="Change a field of a node",
            when=f"Use to change what a node says. {CHECKED}",
        ),
        "remove": writer(
            RemoveRequest,
            remove,
            title="Remove a node",
            when="Use only if the user wants it gone. Refused while other nodes refer to it.",
        ),
        "show": Command(
            request=ShowRequest,
            documents=(ShownNode,),
            ask=show,
            text=text,
            tool=Tool(
                name="node",
                title="Show one node in full",
                when="Use to read everything that one node says, before changing it: its file as "
                "written, and the nodes that link to it.",
                only_in_specs=True,
            ),
        ),
    },
    epilog=EPILOG,
)
