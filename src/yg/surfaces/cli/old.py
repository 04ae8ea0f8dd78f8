"""What the program of version 0.3.0 still answers: commands and kinds of graph to be rebuilt."""

from __future__ import annotations

import os
import re

TYPE_CHECKING = False  # importing `typing` takes time; type checkers accept this
if TYPE_CHECKING:
    from collections.abc import Sequence

# Commands that will move, with their summaries and groups, and those that will go.
MOVING = {
    "init": ("Create a graph here, or upgrade an older one.", "Get started"),
    "draft": ("Propose nodes and relations for existing code.", "Get started"),
    "completions": ("Print a shell completion script.", "Get started"),
    "new": ("Create a node, an aspect or a flow.", "Write the graph"),
    "mv": ("Rename or move a node, an aspect or a flow.", "Write the graph"),
    "brief": ("Show what to know before a change, on one page.", "Work on a node"),
    "deps": ("Show the dependencies of a node as a tree.", "Work on a node"),
    "impact": ("Show what a change affects.", "Plan a change"),
    "plan": ("Show the order in which nodes can be built.", "Plan a change"),
    "find": ("Search the names, paths and texts of the graph.", "Explore"),
    "status": ("Show statistics about the graph.", "Explore"),
    "explore": ("Show the graph in a browser.", "Explore"),
    "export": ("Export the graph as a diagram, tables or data.", "Explore"),
    "drift": ("Show which nodes changed, in code or graph, since their baseline.", "Check"),
    "review": ("Show the sentences that a change of the code concerns.", "Check"),
    "drift-sync": ("Record the current files of nodes as their baseline.", "Check"),
    "preflight": ("Show drift and issues before you start working.", "Check"),
    "mcp": ("Serve the graph to agents over the Model Context Protocol.", "For agents"),
    "hook": ("Answer an event of an agent's harness: what to know, unasked.", "For agents"),
    "lsp": ("Serve the graph to editors over the Language Server Protocol.", "For editors"),
}
GOING = (
    *("advise", "check-docs", "decisions", "help", "import", "inventory", "link", "lock", "node"),
    *("overview", "pin", "rm", "show", "unlink", "uses", "verify"),
)
# Documents of commands that will move, and of Spec Graphs.
DOCUMENTS = frozenset((*MOVING, "graph-preflight", "graph-status", "spec-context", "explorer"))
MARKERS = (
    (".yggdrasil", "yggdrasil"),
    ("yggdrasil/config.yaml", "yggdrasil-0x"),
    ("specgraph/graph.json", "specgraph"),
    ("specgraph/nodes", "specgraph"),
)
_SPEC_RULE = re.compile(r"[EW]1\d\d", re.IGNORECASE)
_OPTIONS_WITH_VALUE = ("-C", "--format", "--kind", "--at")


def run_old() -> int:
    """Run the program of version 0.3.0 with the arguments of this process."""
    from yg_old.__main__ import main

    code: int = main()
    return code


def is_for_old(argv: Sequence[str]) -> bool:
    """Return whether version 0.3.0 answers a command line."""
    words, directory, kind = _read(argv)
    name = words[0] if words else ""
    if name in MOVING or name in GOING or argv[:1] == ["--complete"]:
        return True
    if name == "explain":
        names = (re.sub(r"^yg-|/\d+$", "", word) for word in words[1:])
        return any(name in DOCUMENTS or _SPEC_RULE.fullmatch(name) for name in names)
    kind = kind or os.environ.get("YG_KIND", "")
    return bool(name) and (kind or _kind_above(directory)) not in ("", "yggdrasil")


def _read(argv: Sequence[str]) -> tuple[list[str], str, str]:
    """Return the operands of a command line, its directory, and the kind of graph it names."""
    operands, options, rest = [], {"-C": ".", "--kind": ""}, iter(argv)
    for word in rest:
        name, equals, value = word.partition("=")
        if word.startswith("-C") and len(word) > len("-C"):
            options["-C"] = word.removeprefix("-C")
        elif name in _OPTIONS_WITH_VALUE:
            options[name] = value if equals else next(rest, "")
        elif not word.startswith("-"):
            operands.append(word)
    return operands, options["-C"], options["--kind"]


def _kind_above(directory: str) -> str:
    """Return the kinds of graph in a directory or the nearest one above; empty if there is none."""
    place = os.path.abspath(directory)
    while True:
        found = (kind for path, kind in MARKERS if os.path.exists(os.path.join(place, path)))
        kinds = " ".join(dict.fromkeys(found))
        if kinds or os.path.dirname(place) == place:
            return kinds
        place = os.path.dirname(place)
