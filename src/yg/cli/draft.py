"""`yg draft`: propose a first graph for the code, and write it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from yg.answers.draft import MOST_NODES, DraftOptions, draft
from yg.cli.arguments import command_parser, workspace_of
from yg.cli.outcome import shown
from yg.formats import YGGDRASIL
from yg.kernel.errors import NoGraphError
from yg.workspace import OpenWorkspace

if TYPE_CHECKING:
    from argparse import Namespace

    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.add_argument(
        "--max-nodes",
        type=int,
        default=MOST_NODES,
        metavar="N",
        help=f"the most nodes that the graph may have (default {MOST_NODES})",
    )
    result.add_argument(
        "--root",
        action="extend",
        nargs="+",
        default=[],
        metavar="DIR",
        help="draft only the files in these directories",
    )
    result.add_argument(
        "--no-tests",
        action="store_true",
        help="leave out tests, documentation, examples, and vendored or generated code",
    )
    result.add_argument(
        "--add", action="store_true", help="add nodes for the files that no node owns"
    )
    result.add_argument(
        "--dry-run", action="store_true", help="show the nodes without writing them"
    )
    return result


def run(call: Call) -> Outcome:
    """Draft a graph."""
    args = call.args
    options = DraftOptions(
        most=args.max_nodes,
        tops=args.root,
        with_others=not args.no_tests,
        add=args.add,
        dry_run=args.dry_run,
    )
    return shown(call, draft(lambda: _workspace(args), options))


def _workspace(args: Namespace) -> OpenWorkspace:
    """Open the graph, or this directory if its repository has no graph yet."""
    try:
        found = workspace_of(args)
        if not found.is_outside:
            return found
        args.workspace = None  # the graph of another repository does not matter
    except NoGraphError:
        pass
    root = os.path.abspath(args.directory)
    return OpenWorkspace(root, root, YGGDRASIL, uses_index=False)
