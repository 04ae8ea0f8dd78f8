"""The packages of a plan as files, in a folder for each stage: one for each worker."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from yg_old.commands.build_context import writer_of
from yg_old.commands.plan.documents import PackageFile, PackageFolder
from yg_old.disk.files.generated_folder import GeneratedFolder, place_of
from yg_old.kernel.errors import UsageError, YgError
from yg_old.text import paths
from yg_old.workspace.given import relative_path
from yg_old.workspace.opened import is_below

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg_old.commands.command import Run
    from yg_old.kernel.plan import Plan
    from yg_old.workspace.opened import OpenWorkspace

SUFFIXES = {"text": ".txt", "markdown": ".md"}
ROOT_NAME = "model"  # of the file of a node for the whole model


def write_packages(run: Run, order: Plan, directory: str, *, is_lenient: bool) -> PackageFolder:
    """Write the packages of all nodes of a plan into a directory of their own.

    Raises YgError if the directory belongs to something else, and RefusedError if errors affect the
    packages.
    """
    workspace = run.workspace
    if not directory:
        raise UsageError("empty directory name")
    folder = _folder(run, directory)
    nodes = [node for stage in order.stages for node in stage]
    if workspace.format.refuses_errors and nodes:
        from yg_old.commands.refusal import refuse_errors

        refuse_errors(workspace, "no packages", nodes, is_lenient=is_lenient)
    contents: dict[str, bytes] = {}
    files = tuple(_files(workspace, order, contents))
    _refuse_collisions(files)
    folder.replace(contents)
    return PackageFolder(directory=directory, files=files)


def _folder(run: Run, directory: str) -> GeneratedFolder:
    """Return the folder to write; raise YgError if it is part of something else."""
    workspace = run.workspace
    if "\0" in directory:
        raise YgError(f"'{directory}' is not a valid name of a directory")
    path = os.path.abspath(os.path.join(run.directory, directory))
    graph = os.path.join(workspace.root, workspace.format.folder)
    hint = "Name a directory outside the graph, such as one in /tmp or one that git ignores."
    if is_below(path, graph) or is_below(os.path.realpath(path), os.path.realpath(graph)):
        raise YgError(f"'{directory}' is inside the graph", hint=hint)
    if ".git" in map(str.casefold, path.split(os.sep)):
        raise YgError(f"'{directory}' is inside .git/", hint=hint)
    inside = relative_path(workspace, path)
    if inside is not None and workspace.format.is_yggdrasil:
        from yg_old.yggdrasil.owners import Ownership

        owner = Ownership(workspace.graph, workspace.sources).get(inside)
        if owner is not None:
            raise YgError(f"'{directory}' belongs to node '{owner.node}'", hint=hint)
    # No link of the repository is followed; the way to other places is the user's own.
    base, rest = place_of(path) if inside is None else (workspace.root, inside)
    if rest == paths.ROOT:
        raise YgError(f"'{directory}' exists, and yg has not written it", hint=hint)
    return GeneratedFolder(base, rest, workspace.format.folder, directory.rstrip("/") or "/")


def _files(
    workspace: OpenWorkspace, order: Plan, contents: dict[str, bytes]
) -> Iterator[PackageFile]:
    """Yield the files in build order, and add their contents."""
    write, style = writer_of(workspace), workspace.format.style
    width = len(str(len(order.stages)))
    for number, stage in enumerate(order.stages, 1):
        for node in stage:
            package = workspace.queries.package(node, None)
            name = ROOT_NAME if node == paths.ROOT else node
            file = f"stage-{number:0{width}}/{name}{SUFFIXES[style]}"
            contents[file] = write(package, style).encode("utf-8", "backslashreplace")
            yield PackageFile(stage=number, node=node, file=file, tokens=package.tokens)


def _refuse_collisions(files: tuple[PackageFile, ...]) -> None:
    """Raise YgError if the file of one node would be the directory, or the file, of another."""
    nodes: Mapping[str, str] = {entry.file: entry.node for entry in reversed(files)}
    for entry in files:
        for place in (*paths.lineage(entry.file), entry.file):
            if nodes.get(place, entry.node) != entry.node:
                raise YgError(
                    f"the packages of '{nodes[place]}' and '{entry.node}' need the same file name",
                    hint="Rename one of the nodes: yg mv OLD NEW",
                )
