"""The nodes that a request for a package names: by path, by a file, or by their changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.errors import NotFoundError
from yg_old.kernel.inventory_names import SEPARATOR
from yg_old.kernel.snapshot import Kind
from yg_old.text.escapes import shell_quoted
from yg_old.workspace.given import path_from_root, relative_path

if TYPE_CHECKING:
    from yg_old.commands.build_context.request import ContextRequest
    from yg_old.workspace.opened import OpenWorkspace

_HAVE = "--have takes NODE or NODE:DIGEST, of this repository: the nodes whose packages you have."


def nodes_of(
    workspace: OpenWorkspace, request: ContextRequest
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the nodes that a request is for, each once, and notes for the user."""
    if request.diff is not None:
        from yg_old.commands.since import nodes_changed_since

        return nodes_changed_since(workspace, request.diff)
    named = (
        owner_of(workspace, wanted.name) if wanted.is_file else _find(workspace, wanted.name)
        for wanted in request.wanted
    )
    return tuple(dict.fromkeys(named)), ()


class Known(Struct, frozen=True):
    """A package that the reader has."""

    node: str
    digest: str  # empty: the present one


def known_of(workspace: OpenWorkspace, text: str) -> Known:
    """Parse `NODE` or `NODE:DIGEST`; the path of a node may have a colon, too."""
    name, colon, digest = text.rpartition(":")
    try:
        return Known(_find(workspace, text), "")
    except NotFoundError:
        if not colon:
            raise
    try:
        return Known(_find(workspace, name), digest)
    except NotFoundError as error:
        if SEPARATOR not in text:
            raise
        raise NotFoundError(f"no node at '{text}'", hint=_HAVE) from error


def owner_of(workspace: OpenWorkspace, file: str) -> str:
    """Return the node that owns a file; raise NotFoundError if there is none."""
    workspace.require_yggdrasil("a file (--file)")
    from yg_old.commands.owner import look_up
    from yg_old.yggdrasil.owners import Ownership

    graph = workspace.graph
    known = look_up(workspace, Ownership(graph, workspace.sources), file)
    node, part = known.node, known.part
    if not known.exists and not known.is_expected:
        hint = "Give its path from the current directory or from the root of the repository."
        if node is not None:
            option = f"--node {shell_quoted(node)}"
            hint = f"A file there would belong to '{node}': use {option}."
        raise NotFoundError(f"there is no file '{file}'", hint=hint)
    if node is None and part is not None:
        command = f"yg impact --{part.kind} {shell_quoted(part.id)}"
        raise NotFoundError(
            f"'{file}' belongs to the {part.kind} '{part.id}', not to a node",
            hint=f"For the nodes it applies to: {command}",
        )
    if node is None and known.status == "graph":
        raise NotFoundError(
            f"'{file}' is a file of the graph, but of no node", hint="Name the node with --node."
        )
    if node is None:
        mapping = f"a node's mapping in {graph.nodes.spec.file}"
        hint = f"Add the file to {mapping}, or name the node with --node."
        raise NotFoundError(f"no node owns '{file}'", hint=hint)
    return node


def _find(workspace: OpenWorkspace, name: str) -> str:
    """Find a node; if the name is that of a file, suggest to ask for its owner."""
    try:
        return workspace.find(name)
    except NotFoundError as error:
        found = (relative_path(workspace, name), path_from_root(name))
        is_file = any(path and workspace.snapshot.kind(path) is Kind.FILE for path in found)
        if not is_file or not workspace.format.is_yggdrasil:
            raise
        command = f"yg build-context --file {shell_quoted(name)}"
        hint = f"It is a file. For the node that owns it: {command}"
        raise NotFoundError(error.message, hint=hint) from error
