"""The table of tools, with descriptions for agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from yg_old.commands.arguments import LONGEST, Argument, arguments_of
from yg_old.commands.request import LARGEST
from yg_old.commands.schema import schemas_of
from yg_old.commands.table import tools
from yg_old.formats import FORMATS
from yg_old.surfaces.mcp.reply import Window

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yg_old.commands.command import Command
    from yg_old.commands.schema import DocumentSchema

SCHEMA_LEVELS = 1  # the document itself
MOST = 1_000


class Tool(Struct, frozen=True, kw_only=True):
    """One tool, named after the command with the same output."""

    name: str
    title: str
    when: str
    arguments: tuple[Argument, ...]
    command: Command[Any, Any]
    documents: tuple[DocumentSchema, ...]  # which it returns
    limit: int | None = None  # default number of entries per list; None: no limit
    writes: bool = False
    levels: int = SCHEMA_LEVELS  # of its output schema
    has_kinds: bool = True  # whether it answers for several kinds of graphs

    @property
    def accepts(self) -> tuple[Argument, ...]:
        """All arguments: its own, those for paging and the common ones."""
        anywhere = (ROOT, KIND) if self.has_kinds else (ROOT,)
        return (*self.arguments, *(_paging(self.limit) if self.limit else ()), *anywhere)

    def window(self, arguments: Mapping[str, Any]) -> Window | None:
        """Return the requested range of entries; None for all."""
        if self.limit is None:
            return None
        return Window(arguments.get("limit", self.limit), arguments.get("offset", 0))


def _paging(limit: int) -> tuple[Argument, ...]:
    return (
        Argument(
            "limit",
            Annotated[int, Meta(ge=1, le=MOST)],
            f"Maximum entries per list (default {limit}).",
            50,
        ),
        Argument(
            "offset",
            Annotated[int, Meta(ge=0, le=LARGEST)],
            "Index of the first entry of longer lists (default 0).",
            limit,
        ),
    )


ROOT = Argument(
    "root",
    Annotated[str, Meta(min_length=1, max_length=LONGEST)],  # `Roots` checks the rest
    "Repository (default: the server's first).",
    "/work/shop",
)
KIND = Argument(
    "kind",
    Literal[tuple(graph_format.name for graph_format in FORMATS)],
    "Kind of graph, if there are several.",
    "yggdrasil",
)


def tool_of(name: str, command: Command[Any, Any], *, in_specs: bool = False) -> Tool:
    """Return the tool of a command or of one of its actions, as it describes itself."""
    tool = command.tool
    if tool is None:
        raise ValueError(name)
    when, levels, formats_about = tool.when, tool.levels, tool.formats_about
    if in_specs:
        when = tool.when_in_specs or when
        formats_about = tool.formats_about_in_specs or formats_about
        levels = levels if tool.levels_in_specs is None else tool.levels_in_specs
    formats: tuple[Argument, ...] = ()
    if tool.formats:
        formats = (Argument("format", Literal[tool.formats], formats_about, tool.formats[1]),)
    return Tool(
        name=name,
        title=tool.title,
        when=when,
        arguments=(*arguments_of(command, in_specs=in_specs), *formats),
        command=command,
        limit=tool.limit,
        writes=tool.writes,
        levels=levels,
        has_kinds=not (in_specs or tool.only_in_specs),
        documents=tuple(schemas_of(command, tool.documents)),
    )


def _tools(*, writes: bool, only_in_specs: bool) -> tuple[Tool, ...]:
    """Return the tools that read or write, for all kinds of graphs or for Spec Graphs only."""
    return tuple(
        tool_of(name, command)
        for name, command in COMMANDS.items()
        if command.tool is not None
        and (command.tool.writes, command.tool.only_in_specs) == (writes, only_in_specs)
    )


COMMANDS = tools()
READING = _tools(writes=False, only_in_specs=False)
SYNC = _tools(writes=True, only_in_specs=False)
WRITING = _tools(writes=True, only_in_specs=True)
ONLY_IN_SPECS = _tools(writes=False, only_in_specs=True)
SPEC_READING = (
    *ONLY_IN_SPECS,
    *(
        tool_of(tool.name, tool.command, in_specs=True)
        for tool in READING
        if tool.command.tool is not None and tool.command.tool.when_in_specs is not None
    ),
)
