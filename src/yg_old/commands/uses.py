"""`yg uses`: show where a part of the code is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from yg_old.commands.command import Command, Tool
from yg_old.commands.named_code import like_names, meant_parts
from yg_old.commands.request import Argument, Operand, Option, Request, Revision
from yg_old.kernel.document import Count, Document, File, Positive, Record, Text, about
from yg_old.kernel.errors import NotFoundError
from yg_old.kernel.palette import visible
from yg_old.text.plural import and_more, counted
from yg_old.workspace.results import code_table
from yg_old.yggdrasil.code.evidence import read_imports
from yg_old.yggdrasil.code.uses import NodeUses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.yggdrasil.code.imports import NodeImports
    from yg_old.yggdrasil.code.named_parts import NamedPart

MANY = 50  # uses, unless another number is asked for
MOST_PARTS = 50  # of a name that are listed

Node = Annotated[Text | None, about("The node that owns the file; null if none does.")]


class UsesRequest(Request["FoundUses"], frozen=True, kw_only=True):
    """The part whose uses to show."""

    name: Annotated[
        str,
        Operand(
            "NAME",
            "function, class or other part: quote, Cart.total, FILE::NAME or NODE::NAME",
            missing=("no name given", "Give the name of a function, a class or a method."),
        ),
        Argument("Name such as quote, Cart.total, FILE::NAME or NODE::NAME.", "Cart.total"),
    ]
    limit: Annotated[
        Positive,
        Option(metavar="N", help=f"maximum number of uses (default {MANY})"),
        Argument(f"Maximum uses (default {MANY}).", 5, most=10_000),
    ] = MANY
    at: Revision = None


class UsedPart(Record, frozen=True, kw_only=True):
    """A part of the code that has the name."""

    path: File
    first: Annotated[Positive, about("Its first line, with decorators and doc comment, from 1.")]
    last: Annotated[Positive, about("Its last line.")]
    name: Annotated[Text, about("Its qualified name.")]
    node: Node


class FoundUse(Record, frozen=True, kw_only=True):
    """A line that names the part."""

    path: File
    line: Annotated[Positive, about("The line, from 1.")]
    part: Annotated[Text | None, about("The innermost part around the line; null if none is.")]
    node: Node
    sure: Annotated[
        bool, about("False if the line names a member like that, but it is not known of what.")
    ]


class UnseenImport(Record, frozen=True, kw_only=True):
    """An import by a call, whose value has no name."""

    path: File
    line: Annotated[Positive, about("The line of the call, from 1.")]


class FoundUses(Document, frozen=True, kw_only=True, tag="yg-uses/1"):
    """What `yg uses --json` prints: the lines of the code that name a part."""

    HIDING = ("uses",)

    name: Annotated[Text, about("The name as given.")]
    parts: Annotated[
        tuple[UsedPart, ...],
        about("The part of that name; if there are several, no uses are looked for."),
    ]
    uses: Annotated[tuple[FoundUse, ...], about("The first of its uses, by path and line.")]
    total: Annotated[Count, about("How many uses there are.")]
    unseen: Annotated[
        tuple[UnseenImport, ...],
        about("Imports of its module by calls, through which there may be more uses."),
    ]

    @property
    def exit_code(self) -> int:
        """Whether several parts have the name."""
        return 1 if len(self.parts) > 1 else 0


def ask(run: Run, request: UsesRequest) -> FoundUses:
    """Find the part of a name, and its uses."""
    workspace = run.workspace
    workspace.require_yggdrasil("uses of code")
    table = code_table(workspace)
    imports = read_imports(workspace.graph, workspace.sources)
    found_parts = meant_parts(workspace, imports, request.name)
    if not found_parts:
        raise NotFoundError(
            f"no part of the code is named '{request.name}'",
            hint=like_names(workspace, request.name)
            or "Only files that a node owns count, unless you name one: FILE::NAME.",
        )
    parts = _only_public(imports, found_parts)
    found = NodeUses(imports, table).uses(parts) if len(parts) == 1 else None
    uses = found.uses if found else ()
    return FoundUses(
        name=request.name,
        parts=tuple(
            UsedPart(
                path=part.path,
                first=part.first,
                last=part.last,
                name=part.name,
                node=part.node or None,
            )
            for part in parts
        ),
        uses=tuple(
            FoundUse(
                path=use.path,
                line=use.line,
                part=use.part or None,
                node=imports.owners.get(use.path),
                sure=use.sure,
            )
            for use in uses[: request.limit]
        ),
        total=len(uses),
        unseen=tuple(
            UnseenImport(path=place.path, line=place.line)
            for place in (found.dynamic if found else ())
        ),
    )


def _only_public(imports: NodeImports, parts: tuple[NamedPart, ...]) -> tuple[NamedPart, ...]:
    """Return the only public part of several."""
    public = tuple(part for part in parts if imports.is_public(part.path, part.name))
    return public if len(public) == 1 else parts


def text(found: FoundUses, palette: Palette) -> str:
    """Write the uses of a part, or the parts that a name can mean."""
    if len(found.parts) > 1:
        return "".join(_several(found, palette))
    return "".join(_uses(found, palette))


def _several(found: FoundUses, palette: Palette) -> Iterator[str]:
    yield f"{counted(len(found.parts), 'part')} named '{visible(found.name)}':\n"
    for part in found.parts[:MOST_PARTS]:
        place = palette.bold(f"{visible(part.path)}:{part.first}")
        yield f"  {place}  {visible(part.name)}{_node(part.node, palette)}\n"
    yield from _more(len(found.parts) - MOST_PARTS)
    yield "Say which: its whole name (Cart.total), FILE::NAME or NODE::NAME.\n"


def _uses(found: FoundUses, palette: Palette) -> Iterator[str]:
    for part in found.parts:
        place = f"{visible(part.path)}:{part.first}-{part.last}"
        number = counted(found.total, "use") if found.total else "no use found"
        yield f"{visible(part.name)} at {place}{_node(part.node, palette)}: {number}\n"
    for use in found.uses:
        place = palette.bold(f"{visible(use.path)}:{use.line}")
        part_name = f"  {visible(use.part)}" if use.part else ""
        mark = "" if use.sure else palette.yellow("  ?")
        yield f"  {place}{part_name}{_node(use.node, palette)}{mark}\n"
    yield from _more(found.total - len(found.uses))
    if any(not use.sure for use in found.uses):
        yield "?: a member of that name, of an object that is not known\n"


def _node(node: str | None, palette: Palette) -> str:
    return palette.dim(f"  ({visible(node)})") if node else ""


def _more(rest: int) -> Iterator[str]:
    if rest > 0:
        yield f"  {and_more(rest)}\n"


def _notes(found: FoundUses, _palette: Palette) -> str:
    """Write what could not be seen."""
    return "".join(
        f"note: {visible(place.path)}:{place.line} imports the module by a call and gives it no "
        "name; what it uses is not known\n"
        for place in found.unseen[:MANY]
    )


COMMAND = Command(
    request=UsesRequest,
    documents=(FoundUses,),
    ask=ask,
    text=text,
    notes=_notes,
    tool=Tool(
        title="Show where a part of the code is used",
        when="Use before changing a function, class or method: returns the lines that use it, "
        "with the node of each, also through namespaces and re-exports.",
        when_in_specs=None,
    ),
)
