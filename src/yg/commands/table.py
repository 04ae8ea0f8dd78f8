"""The table of commands: their modules and summaries, grouped by purpose for the help."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.commands.command import Command


class Entry(Struct, frozen=True):
    """A command with its one-line summary and its group in the help."""

    name: str
    summary: str
    group: str

    def load(self) -> Command[Any, Any]:
        """Import the module of the command, which is named like it."""
        module = import_module(f"yg.commands.{self.name.replace('-', '_')}")
        command: Command[Any, Any] = module.COMMAND
        return command


GROUPS = (
    *("Get started", "Write the graph", "Work on a node", "Plan a change", "Explore", "Check"),
    *("For agents", "For editors"),
)
COMMANDS = (
    Entry("build-context", "Assemble the context package of a node.", "Work on a node"),
    Entry("owner", "Show which node owns a file.", "Work on a node"),
    Entry("tree", "Show the nodes of the graph as a tree.", "Explore"),
    Entry("aspects", "List the aspects: requirements that apply to many nodes.", "Explore"),
    Entry("flows", "List the flows: processes that involve several nodes.", "Explore"),
    Entry("validate", "Check the graph and report how to fix each problem.", "Check"),
    Entry("coverage", "Show which files no node owns.", "Check"),
    Entry("explain", "Explain a rule: what it checks, why, how to fix it.", "Check"),
)
BY_NAME = {entry.name: entry for entry in COMMANDS}
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
  yg owner FILE                  find the node that owns a file
  yg build-context NODE          print the context of a node

Common options:
  -C DIR           run as if started in DIR
  --format FORMAT  output format: text or json, or another that the command lists
  --json           short for --format json
  --no-cache       do not read or write the local cache
  --kind KIND      kind of graph to open: yggdrasil, yggdrasil-0x or specgraph
  --help           show this help, or the options of a command
  --version        show the version

Exit codes: 0 success, 1 findings or failure, 2 usage error, 70 bug in yg.
"""


def overview(entries: Sequence[Entry] = COMMANDS) -> str:
    """Return the help of the program."""
    sections = [OPENING]
    for group in GROUPS:
        members = (entry for entry in entries if entry.group == group)
        if lines := "".join(f"  {entry.name:<16}{entry.summary}\n" for entry in members):
            sections.append(f"{group}:\n{lines}")
    return "\n".join([*sections, CLOSING])
