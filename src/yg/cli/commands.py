"""The commands, grouped by what one wants to do."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Command(Struct, frozen=True):
    """A command: its name, what it does in one line, and the group it is listed under."""

    name: str
    summary: str
    group: str

    def load(self) -> Any:
        """Import the module that implements the command."""
        return __import__(f"yg.cli.{self.name.replace('-', '_')}", fromlist=["run"])


COMMANDS = (
    Command("init", "Start a graph here, or bring an older one up to date.", "Begin"),
    Command("completions", "Make a shell complete commands, options and names.", "Begin"),
    Command("build-context", "Assemble the context package of a node.", "Work on a node"),
    Command("owner", "Tell which node owns a file.", "Work on a node"),
    Command("deps", "Show what a node depends on, and what that depends on.", "Work on a node"),
    Command("impact", "Show what a change can reach.", "Plan a change"),
    Command("plan", "Show in which order nodes can be built.", "Plan a change"),
    Command("find", "Find nodes by words in their name, path or responsibility.", "Look around"),
    Command("tree", "Show the nodes of the graph as a tree.", "Look around"),
    Command("aspects", "List the aspects: requirements that cut across nodes.", "Look around"),
    Command("flows", "List the flows: processes that span nodes.", "Look around"),
    Command("status", "Show the graph in numbers.", "Look around"),
    Command("export", "Hand the graph to other programs: pictures, tables, data.", "Look around"),
    Command(
        "validate", "Check the graph, and tell what to do about each problem.", "Keep it sound"
    ),
    Command("drift", "Show where code and graph have moved apart.", "Keep it sound"),
    Command("drift-sync", "Record the files of nodes as they are now.", "Keep it sound"),
    Command("coverage", "Show which files no node owns.", "Keep it sound"),
    Command("preflight", "Check everything at once before work begins.", "Keep it sound"),
    Command("explain", "Explain a rule: what it checks, why, how to fix it.", "Keep it sound"),
    Command("mcp", "Serve all this to agents by the Model Context Protocol.", "For agents"),
)
BY_NAME = {command.name: command for command in COMMANDS}
BY_NAME["check"] = BY_NAME["validate"]  # its name in 0.x

OPENING = """\
usage: yg [-C DIR] COMMAND [options]

The deterministic memory of a repository for AI coding agents. yg reads the
graph in .yggdrasil/, or the Spec Graph in specgraph/, and gives exactly the
context needed to work on one node.
"""
CLOSING = """\
Start here:
  yg tree                        what the graph describes
  yg find WORD                   which nodes are about it
  yg owner FILE                  which node a file belongs to
  yg build-context NODE          everything to know before working on it

Options:
  -C DIR       run as if started in DIR
  --version    show the version
  --help       show this, or with a command its options

Exit codes: 0 done, 1 findings or not possible, 2 wrong usage, 70 a bug in yg.
"""


def overview() -> str:
    """Write the help of the program as a whole."""
    width = max(len(command.name) for command in COMMANDS) + 3
    groups = dict.fromkeys(command.group for command in COMMANDS)
    parts = [OPENING]
    for group in groups:
        lines = [f"{group}:\n"]
        lines.extend(
            f"  {command.name:<{width}}{command.summary}\n"
            for command in COMMANDS
            if command.group == group
        )
        parts.append("".join(lines))
    return "\n".join([*parts, CLOSING])
