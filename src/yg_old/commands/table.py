"""The table of commands, grouped by purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg_old.commands.command import Actions, Server

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.commands.command import Command


class Entry(Struct, frozen=True):
    """A command with its one-line summary and its group in the help."""

    name: str
    summary: str
    group: str
    module: str = ""  # if it is not named like the command, or of a server in another room
    only_in_specs: bool = False  # whether only Spec Graphs have it

    def load(self, action: str = "") -> Command[Any, Any]:
        """Import the command, or one of its actions."""
        found = self.load_all()
        if isinstance(found, Server):
            raise TypeError(f"{self.name} answers no requests")
        return found.actions[action] if isinstance(found, Actions) else found

    def load_all(self) -> Command[Any, Any] | Actions | Server[Any]:
        """Import the command, with its actions if it has some."""
        name = self.name.replace("-", "_")
        is_shared = bool(self.module) and "." not in self.module
        attribute = name.upper() if is_shared else "COMMAND"
        place = self.module if "." in self.module else f"yg_old.commands.{self.module or name}"
        command: Command[Any, Any] | Actions | Server[Any] = getattr(
            __import__(place, fromlist=[attribute]), attribute
        )
        return command


COMMANDS = (
    Entry("init", "Create a graph here, or upgrade an older one.", "Get started"),
    Entry("draft", "Propose nodes and relations for existing code.", "Get started"),
    Entry("completions", "Print a shell completion script.", "Get started"),
    Entry("new", "Create a node, an aspect, a flow or a decision.", "Write the graph"),
    Entry("mv", "Rename or move a node, an aspect or a flow.", "Write the graph"),
    Entry("rm", "Remove a node and everything that names it.", "Write the graph"),
    Entry(
        "node",
        "Add, change, remove or show a node of a Spec Graph.",
        "Write the graph",
        only_in_specs=True,
    ),
    Entry("link", "Add a link to a Spec Graph.", "Write the graph", "link", only_in_specs=True),
    Entry(
        "unlink", "Remove a link of a Spec Graph.", "Write the graph", "link", only_in_specs=True
    ),
    Entry("pin", "Refresh the pins of a Spec Graph's node.", "Write the graph", only_in_specs=True),
    Entry(
        "lock", "Record the digests of a Spec Graph's nodes.", "Write the graph", only_in_specs=True
    ),
    Entry("build-context", "Assemble the context package of a node.", "Work on a node"),
    Entry("brief", "Show what to know before a change, on one page.", "Work on a node"),
    Entry("owner", "Show which node owns a file.", "Work on a node"),
    Entry("deps", "Show the dependencies of a node as a tree.", "Work on a node"),
    Entry("impact", "Show what a change affects.", "Plan a change"),
    Entry("plan", "Show the order in which nodes can be built.", "Plan a change"),
    Entry("overview", "Show the graph on one page.", "Explore"),
    Entry("find", "Search the names, paths and texts of the graph.", "Explore"),
    Entry("show", "Print parts of the source code, by name or line.", "Explore"),
    Entry("uses", "Show where a part of the code is used.", "Explore"),
    Entry("tree", "Show the nodes of the graph as a tree.", "Explore"),
    Entry(
        "aspects",
        "List the aspects: requirements that apply to many nodes.",
        "Explore",
        module="catalog",
    ),
    Entry(
        "flows",
        "List the flows: processes that involve several nodes.",
        "Explore",
        module="catalog",
    ),
    Entry("decisions", "List the decision records and the nodes that rest on them.", "Explore"),
    Entry("status", "Show statistics about the graph.", "Explore"),
    Entry("explore", "Show the graph in a browser.", "Explore", "yg_old.surfaces.cli.explore"),
    Entry("export", "Export the graph as a page, a diagram, a table or data.", "Explore"),
    Entry("inventory", "List the nodes for other repositories to import.", "Other repositories"),
    Entry(
        "import",
        "Take in inventories of other repositories.",
        "Other repositories",
        "import_inventory",
    ),
    Entry("validate", "Check the graph and report how to fix each problem.", "Check"),
    Entry("drift", "Show which nodes changed, in code or graph, since their baseline.", "Check"),
    Entry("review", "Show the sentences that a change of the code concerns.", "Check"),
    Entry("check-docs", "Find references in Markdown that are no longer true.", "Check"),
    Entry("drift-sync", "Record the current files of nodes as their baseline.", "Check"),
    Entry("coverage", "Show which files no node owns.", "Check"),
    Entry("advise", "Say what is most worth doing next, and why.", "Check"),
    Entry("preflight", "Show drift and issues before you start working.", "Check"),
    Entry("verify", "Run the checks of a Spec Graph's node.", "Check", only_in_specs=True),
    Entry("explain", "Explain a rule: what it checks, why, how to fix it.", "Check"),
    Entry(
        "mcp",
        "Serve the graph to agents over the Model Context Protocol.",
        "For agents",
        "yg_old.surfaces.cli.mcp",
    ),
    Entry(
        "hook",
        "Answer an event of an agent's harness: what to know, unasked.",
        "For agents",
        "yg_old.surfaces.cli.hook",
    ),
    Entry(
        "lsp",
        "Serve the graph to editors over the Language Server Protocol.",
        "For editors",
        "yg_old.surfaces.cli.lsp",
    ),
)
# Commands that read a Spec Graph and change nothing: they can be run again.
REPEATABLE = frozenset(
    (
        *("build-context", "deps", "impact", "plan", "find", "tree", "status", "export"),
        *("validate", "preflight"),
    )
)
# Commands that agents and scripts can call, in the order in which a server lists all their tools.
TOOLS = (
    *("build-context", "brief", "overview", "find", "tree", "show", "uses", "owner", "deps"),
    *("impact", "validate", "drift", "review", "preflight", "advise", "plan", "explain"),
    *("drift-sync", "node", "link", "unlink", "pin", "lock"),
)
# The reading tools that a server lists by default: at most ten for a kind of graph.
LISTED = (
    *("overview", "find", "brief", "build-context", "show", "uses", "owner", "impact", "review"),
    "preflight",
)
LISTED_IN_SPECS = (
    *("tree", "find", "node", "build-context", "deps", "impact", "plan", "validate", "explain"),
)
BY_NAME = {command.name: command for command in COMMANDS}
BY_NAME["check"] = BY_NAME["validate"]  # the 0.x name


def tools() -> dict[str, Command[Any, Any]]:
    """Return the commands that agents and scripts can call, and such actions, by their tools."""
    found: dict[str, Command[Any, Any]] = {}
    for name in TOOLS:
        loaded = BY_NAME[name].load_all()
        actions = loaded.actions if isinstance(loaded, Actions) else {"": loaded}
        for action, command in actions.items():
            if not isinstance(command, Server) and command.tool is not None:
                found[command.tool.name or "-".join(filter(None, (name, action)))] = command
    return found


OPENING = """\
usage: yg [-C DIR] COMMAND [options]

The deterministic memory of a repository for AI coding agents. yg reads the
graph in .yggdrasil/, or the Spec Graph in specgraph/, and prints exactly the
context you need to work on one node.
"""
CLOSING = """\
Start here:
  yg tree                        list the nodes
  yg find WORD                   search names and texts
  yg owner FILE                  find the node that owns a file
  yg build-context NODE          print the context of a node

Common options:
  -C DIR           run as if started in DIR
  --format FORMAT  output format: text or json, or another that the command lists
  --json           short for --format json
  --no-cache       do not read or write the local index
  --kind KIND      kind of graph to open: yggdrasil, yggdrasil-0x or specgraph
  --help           show this help, or the options of a command
  --version        show the version

Exit codes: 0 success, 1 findings or failure, 2 usage error, 70 bug in yg.
"""


SPEC_TOPIC = "specgraph"  # of the help


def overview(*, in_specs: bool = False) -> str:
    """Return the help of the program; commands for Spec Graphs are listed by name, or in full."""
    shown = [command for command in COMMANDS if in_specs or not command.only_in_specs]
    width = max(len(command.name) for command in shown) + 3
    sections = [OPENING]
    for group in dict.fromkeys(command.group for command in shown):
        members = [command for command in shown if command.group == group]
        sections.append(f"{group}:\n{_summaries(members, width)}")
    if not in_specs:
        names = ", ".join(command.name for command in COMMANDS if command.only_in_specs)
        sections.append(f"Spec Graphs: {names} (yg help {SPEC_TOPIC})\n")
    return "\n".join([*sections, CLOSING])


def spec_overview() -> str:
    """Return the help about the commands that only Spec Graphs have."""
    members = [command for command in COMMANDS if command.only_in_specs]
    return f"For Spec Graphs only:\n{_summaries(members, 9)}"


def _summaries(commands: Sequence[Entry], width: int) -> str:
    return "".join(f"  {command.name:<{width}}{command.summary}\n" for command in commands)
