"""`yg build-context`: everything to know before working on one node."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from yg.cli.arguments import add_node, add_revision, chosen_node, command_parser, workspace_of
from yg.cli.outcome import Outcome
from yg.cli.skipped import skipped
from yg.kernel.errors import NotFoundError, RefusedError, UsageError
from yg.render.data import document
from yg.render.issues import skipped_text
from yg.render.package import package_data, package_reasons, package_text
from yg.render.package_markdown import package_markdown
from yg.yggdrasil.assemble import assemble
from yg.yggdrasil.owner import Ownership
from yg.yggdrasil.rules import errors_around, errors_in, errors_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call
    from yg.kernel.issue import Issue
    from yg.kernel.package import Package
    from yg.workspace import Workspace


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary, ("text", "markdown", "json"))
    result.set_defaults(format=None)  # the kind of graph decides
    add_node(result, "the node to work on")
    result.add_argument("--file", metavar="PATH", help="the node that owns this file instead")
    result.add_argument("--why", action="store_true", help="show why each block is there")
    result.add_argument(
        "--no-stamp", action="store_true", help="0.x: leave out the time of generation"
    )
    result.add_argument(
        "--lenient", action="store_true", help="refuse only for errors that touch this package"
    )
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Assemble the package of a node, unless errors make it unreliable."""
    args = call.args
    if args.why and args.format == "markdown":
        raise UsageError("--why is a table of its own", hint="Leave out --format markdown.")
    workspace = workspace_of(args)
    node = workspace.node(_node_name(call, workspace))
    refuse_errors(workspace, node.path, is_lenient=args.lenient)
    package = assemble(workspace.graph, node)
    style = args.format or workspace.format.style
    stamp = "" if workspace.graph.edition.refuses_on_any_error or args.no_stamp else _now()
    notes = _budget_note(package)
    if args.file is not None:  # a node that cannot be read might own the file as well
        notes += skipped_text(skipped(workspace.graph.nodes), call.terminal.err)
    return Outcome(_rendered(package, style, stamp, why=args.why), notes=notes)


def _node_name(call: Call, workspace: Workspace) -> str:
    named, file = chosen_node(call.args), call.args.file
    if (named is None) == (file is None) or file == "":
        raise UsageError(
            "name one node, or one file with --file", hint="'yg tree' lists all nodes."
        )
    if named is not None:
        return named
    path = workspace.relative(file)
    owner = Ownership(workspace.graph).of(path) if path is not None else None
    if owner is None:
        hint = "Map the file in a node's yg-node.yaml, or name the node yourself."
        raise NotFoundError(f"no node owns '{file}'", hint=hint)
    return owner.node


def refuse_errors(workspace: Workspace, path: str, *, is_lenient: bool) -> None:
    """Refuse to answer from a graph with errors; those that touch the package come first."""
    graph, sources = workspace.graph, workspace.sources
    if not graph.edition.refuses_on_any_error:
        _refuse_own_errors(errors_in(graph, sources, path), path)
        return
    touching = errors_around(graph, sources, path)
    rest = () if is_lenient else errors_of(graph, sources)
    others = tuple(issue for issue in rest if issue not in touching)
    if not touching and not others:
        return
    total = len(touching) + len(others)
    what = "1 error" if total == 1 else f"{total} errors"
    message = f"no package for '{path}': the graph has {what}, {len(touching)} in what it needs"
    if is_lenient:
        verb = "is" if total == 1 else "are"
        message = f"no package for '{path}': there {verb} {what} in what it needs"
    hint = "Mend the errors first."
    if not touching:
        hint += " Or use --lenient: none of them is in what this node needs."
    raise RefusedError(message, hint=hint, issues=(*touching, *others))


def _refuse_own_errors(issues: Sequence[Issue], path: str) -> None:
    if issues:
        hint = "Mend what is listed; the rest of the graph is not looked at."
        raise RefusedError(f"no package for '{path}'", hint=hint, issues=issues)


def _rendered(package: Package, style: str, stamp: str, *, why: bool) -> str:
    if style == "json":
        return document("build-context", package_data(package))
    if why:
        return package_reasons(package)
    return package_markdown(package, stamp) if style == "markdown" else package_text(package)


def _now() -> str:
    """Return the one time in the product; SOURCE_DATE_EPOCH makes it the same every time."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        seconds = int(time.time())
    elif epoch.isascii() and epoch.isdigit() and len(epoch) <= 11:  # noqa: PLR2004
        seconds = int(epoch)
    else:
        raise UsageError(f"SOURCE_DATE_EPOCH is '{epoch}'", hint="It has to be seconds since 1970.")
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _budget_note(package: Package) -> str:
    if package.status != "error":
        return ""
    size = f"{package.tokens} tokens, more than {package.budget.error}"
    return f"warning: the package is too large ({size}); split the node '{package.path}'.\n"
