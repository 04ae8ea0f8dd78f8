"""The table of commands, grouped by purpose."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Command(Struct, frozen=True):
    """A command with its one-line summary and its group in the help."""

    name: str
    summary: str
    group: str
    module: str = ""  # if it is not named like the command

    def load(self) -> Any:
        """Import the module that implements the command."""
        return __import__(f"yg.cli.{self.module or self.name.replace('-', '_')}", fromlist=["run"])


COMMANDS = (
    Command("init", "Create a graph here, or upgrade an older one.", "Get started"),
    Command("draft", "Propose nodes and relations for existing code.", "Get started"),
    Command("completions", "Print a shell completion script.", "Get started"),
    Command("new", "Create a node, an aspect or a flow.", "Write the graph"),
    Command("mv", "Rename or move a node, an aspect or a flow.", "Write the graph"),
    Command("node", "Add, change, remove or show a node of a Spec Graph.", "Write the graph"),
    Command("link", "Add a link to a Spec Graph.", "Write the graph"),
    Command("unlink", "Remove a link of a Spec Graph.", "Write the graph", module="link"),
    Command("pin", "Refresh the pins of a Spec Graph's node.", "Write the graph"),
    Command("lock", "Record the digests of a Spec Graph's nodes.", "Write the graph"),
    Command("build-context", "Assemble the context package of a node.", "Work on a node"),
    Command("owner", "Show which node owns a file.", "Work on a node"),
    Command("deps", "Show the dependencies of a node as a tree.", "Work on a node"),
    Command("impact", "Show what a change affects.", "Plan a change"),
    Command("plan", "Show the order in which nodes can be built.", "Plan a change"),
    Command("find", "Search the names, paths and texts of the graph.", "Explore"),
    Command("tree", "Show the nodes of the graph as a tree.", "Explore"),
    Command(
        "aspects",
        "List the aspects: requirements that apply to many nodes.",
        "Explore",
        module="catalog",
    ),
    Command(
        "flows",
        "List the flows: processes that involve several nodes.",
        "Explore",
        module="catalog",
    ),
    Command("status", "Show statistics about the graph.", "Explore"),
    Command("explore", "Show the graph in a browser.", "Explore"),
    Command("export", "Export the graph as a page, a diagram, a table or data.", "Explore"),
    Command("inventory", "List the nodes for other repositories to import.", "Other repositories"),
    Command(
        "import", "Take in inventories of other repositories.", "Other repositories", "imports"
    ),
    Command("validate", "Check the graph and report how to fix each problem.", "Check"),
    Command("drift", "Show which nodes changed, in code or graph, since their baseline.", "Check"),
    Command("drift-sync", "Record the current files of nodes as their baseline.", "Check"),
    Command("coverage", "Show which files no node owns.", "Check"),
    Command("preflight", "Run all checks before you start working.", "Check"),
    Command("verify", "Run the checks of a Spec Graph's node.", "Check"),
    Command("explain", "Explain a rule: what it checks, why, how to fix it.", "Check"),
    Command("mcp", "Serve the graph to agents over the Model Context Protocol.", "For agents"),
    Command("lsp", "Serve the graph to editors over the Language Server Protocol.", "For editors"),
)
# Commands that read a Spec Graph and change nothing: they can be run again.
REPEATABLE = frozenset(
    (
        *("build-context", "deps", "impact", "plan", "find", "tree", "status", "export"),
        *("validate", "preflight"),
    )
)
BY_NAME = {command.name: command for command in COMMANDS}
BY_NAME["check"] = BY_NAME["validate"]  # the 0.x name

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

Options:
  -C DIR       run as if started in DIR
  --version    show the version
  --help       show this help, or the options of a command

Exit codes: 0 success, 1 findings or failure, 2 usage error, 70 bug in yg.
"""


def overview() -> str:
    """Return the help of the program."""
    width = max(len(command.name) for command in COMMANDS) + 3
    groups = dict.fromkeys(command.group for command in COMMANDS)
    sections = [OPENING]
    for group in groups:
        lines = [f"{group}:\n"]
        lines.extend(
            f"  {command.name:<{width}}{command.summary}\n"
            for command in COMMANDS
            if command.group == group
        )
        sections.append("".join(lines))
    return "\n".join([*sections, CLOSING])
