"""`yg owner`: show which node owns a file."""

from __future__ import annotations

import os
from bisect import bisect_left
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from yg.commands.command import (
    Command,
    Document,
    Record,
    Request,
    Revision,
    SkippedEntries,
    operand,
    skipped_below,
    skipped_notes,
)
from yg.kernel.errors import NoGraphError
from yg.kernel.snapshot import Kind
from yg.text.escapes import shell_word, visible
from yg.text.paths import ROOT, is_inside
from yg.text.suggest import listing
from yg.yggdrasil.model import NODE_FILE
from yg.yggdrasil.owner import Owners, PartKind, is_source, part_of
from yg.yggdrasil.surroundings import NO_NAME, Case, Neighbourhood, proposed_node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.commands.workspace import Workspace
    from yg.kernel.palette import Palette
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.surroundings import Surroundings


class OwnerRequest(Request, frozen=True, kw_only=True):
    """The files to look up."""

    files: Annotated[
        tuple[str, ...],
        operand(
            "FILE",
            "files, or - to read names from stdin",
            hint="Give files, or - to read names from stdin.",
            reads_input=True,
        ),
    ]
    at: Revision = None


class Way(Record, frozen=True, kw_only=True):
    """One thing that can be done about a file without an owner."""

    what: Annotated[str, Meta(description="What it is, in a few words.")]
    how: Annotated[str, Meta(description="The command for it, or what to do.")]


class OwnedFile(Record, frozen=True, kw_only=True):
    """One file and its owner."""

    file: Annotated[
        str,
        Meta(description="The file, relative to the root of the repository; as named if outside."),
    ]
    status: Annotated[
        Literal["owned", "uncovered", "graph", "outside", "no-graph"],
        Meta(
            description="Whether it has an owner, has none, is a file of the graph, is outside "
            "the repository, or there is no graph at all."
        ),
    ]
    exists: Annotated[bool, Meta(description="Whether the path exists.")]
    ignored: Annotated[
        bool, Meta(description="Whether git ignores it, so that drift does not track it.")
    ] = False
    node: Annotated[
        str | None,
        Meta(description="The path of the node that it belongs to; null when there is none."),
    ] = None
    mapping: Annotated[
        str | None,
        Meta(description="The path in that node's mapping that covers it; null when none does."),
    ] = None
    aspect: Annotated[
        str | None,
        Meta(description="The id of the aspect it belongs to, for a file of the graph; or null."),
    ] = None
    flow: Annotated[
        str | None,
        Meta(description="The id of the flow it belongs to, for a file of the graph; or null."),
    ] = None
    case: Annotated[
        Case | None,
        Meta(
            description="What a file without an owner is, by the files in its folder: there are "
            "none, nodes own some of them, or no node owns any; null with an owner, or if git "
            "ignores the file."
        ),
    ] = None
    neighbours: Annotated[
        tuple[str, ...],
        Meta(description="The nodes that own files in the folder of such a file, sorted."),
    ] = ()
    folder: Annotated[
        str | UnsetType, Meta(description="The folder of such a file; absent without a case.")
    ] = UNSET
    ways: Annotated[
        tuple[Way, ...] | UnsetType,
        Meta(description="What the user can choose to do; absent without a case."),
    ] = UNSET


class FileOwners(Document, frozen=True, kw_only=True, tag="yg-owner/1"):
    """What `yg owner --json` prints: the node that each file belongs to."""

    files: Annotated[
        tuple[OwnedFile, ...], Meta(description="One entry per file, in the order given.")
    ]
    skipped: SkippedEntries

    @property
    def notes(self) -> tuple[str, ...]:
        """A line for each node that could not be read."""
        return skipped_notes(self.skipped)


def ask(workspace: Workspace, request: OwnerRequest) -> FileOwners:
    """Find the owner of each file."""
    try:
        graph = workspace.readable_graph
    except NoGraphError:
        files = (_elsewhere(workspace, file, "no-graph") for file in request.files)
        return FileOwners(files=tuple(files), skipped=())
    finder = _Finder(workspace, graph, is_past=request.at is not None)
    return FileOwners(
        files=tuple(map(finder.find, request.files)),
        skipped=skipped_below(graph, f"{graph.folder}/model"),
    )


def _elsewhere(
    workspace: Workspace, file: str, status: Literal["no-graph", "outside"]
) -> OwnedFile:
    exists = os.path.lexists(os.path.join(workspace.directory, file))
    return OwnedFile(file=file, status=status, exists=exists)


class _Finder:
    """Finds the owners of files that a user named."""

    def __init__(self, workspace: Workspace, graph: Graph, *, is_past: bool) -> None:
        self._workspace = workspace
        self._graph = graph
        self._is_past = is_past
        self._owners = Owners(graph)
        self._around = Neighbourhood(self._owners, workspace.files_below, self._is_new)

    def find(self, file: str) -> OwnedFile:
        """Find the owner of a file, which need not exist."""
        path = self._workspace.path_from_root(file)
        if path is None:
            return _elsewhere(self._workspace, file, "outside")
        exists = self._workspace.exists(path)
        if is_inside(path, self._graph.folder):
            return self._of_graph(path, exists=exists)
        owner = self._owners.get(path)
        if owner is None:
            return self._uncovered(path, exists=exists)
        return OwnedFile(
            file=path,
            status="owned",
            exists=exists,
            ignored=exists and owner.mapping != path and self._is_ignored(path),
            node=owner.node,
            mapping=owner.mapping,
        )

    def _of_graph(self, path: str, *, exists: bool) -> OwnedFile:
        part = part_of(self._graph, path)
        kind, name = (part.kind, part.id) if part else (None, None)
        return OwnedFile(
            file=path,
            status="graph",
            exists=exists,
            node=name if kind is PartKind.NODE else None,
            aspect=name if kind is PartKind.ASPECT else None,
            flow=name if kind is PartKind.FLOW else None,
        )

    def _uncovered(self, path: str, *, exists: bool) -> OwnedFile:
        """Return a file without an owner, with what the files around it say and what to do."""
        ignored = exists and self._is_ignored(path)
        found = OwnedFile(file=path, status="uncovered", exists=exists, ignored=ignored)
        if ignored or not is_source(path):
            return found
        if self._graph.unread_nodes:
            return found  # one of these nodes may own it
        place = self._around.around(path, is_folder=self._is_folder(path))
        return replace(
            found,
            case=place.case,
            neighbours=place.neighbours,
            folder=place.folder,
            ways=tuple(self._ways(place)),
        )

    def _ways(self, place: Surroundings) -> Iterator[Way]:
        """Yield what can be done about a file without an owner, each with its command."""
        if not place.mapping.isprintable():
            return  # nobody could type the command
        new = f"yg new node {shell_word(proposed_node(self._graph, place))}"
        mapped = f"--map {shell_word(place.mapping)}"
        match place.case:
            case Case.NEW:
                yield Way(what="describe it first", how=f"{new} {mapped}")
            case Case.PARTLY:
                node = place.neighbours[0] if len(place.neighbours) == 1 else NO_NAME
                known = self._graph.nodes.get(node)
                file = known.file if known else f"{self._graph.folder}/model/{node}/{NODE_FILE}"
                yield Way(what="add it to a node", how=f"list it under 'mapping' in {file}")
                yield Way(what="a node of its own", how=f"{new} {mapped}")
            case Case.EXISTING:
                yield Way(what="describe it", how=f"{new} {mapped}")
                if self._workspace.snapshot.kind(place.mapping) is not None:
                    yield Way(what="a blackbox node", how=f"{new} --blackbox {mapped}")
                leave = "yg coverage --uncovered lists what has no owner yet"
                yield Way(what="leave it alone", how=leave)

    def _is_folder(self, path: str) -> bool:
        return self._workspace.snapshot.kind(path) is Kind.DIRECTORY

    def _is_ignored(self, path: str) -> bool:
        """Return whether git ignores a path that exists; of a folder, every file in it."""
        workspace = self._workspace
        if self._is_folder(path):
            from yg.disk.visible import is_ignored

            return not workspace.files_below(path) and is_ignored(workspace.root, f"{path}/file")
        at = bisect_left(workspace.files, path)
        return workspace.files[at : at + 1] != (path,)

    def _is_new(self, folder: str) -> bool:
        """Return whether the last commit lacks a folder; False without commits."""
        from yg.disk.commit import CommitSnapshot, resolve_commit
        from yg.disk.git import GitError
        from yg.disk.repository import require_repository

        if self._is_past:
            return False
        try:
            repository = require_repository(self._workspace.root)
            head = CommitSnapshot(repository, resolve_commit(repository, "HEAD"))
        except GitError:  # whoever lists the files has said so
            return False
        return head.kind(folder) is None


def text(owners: FileOwners, _palette: Palette) -> str:
    """Write one line per file, and below it what follows if the file is not mapped itself.

    What can be done about files without an owner is written once for each folder.
    """
    lines: list[str] = []
    told: set[tuple[str, object]] = set()
    for found in owners.files:
        lines += _lines(found)
        if found.case is not None and (found.case, found.folder) not in told:
            told.add((found.case, found.folder))
            lines += _advice(found)
    return "".join(f"{visible(line)}\n" for line in lines)


def _lines(found: OwnedFile) -> Iterator[str]:
    if found.status == "outside":
        yield f"{found.file} -> outside the repository"
    elif found.status == "no-graph":
        yield f"{found.file} -> no graph here"
    elif found.status == "graph":
        yield f"{found.file} -> {_part(found)} (file of the graph){_state(found)}"
    elif found.node is None:
        yield f"{found.file} -> no graph coverage{_state(found)}"
    else:
        yield f"{found.file} -> {found.node}{_state(found)}"
        if found.mapping != found.file:
            source = f"the context comes from {found.mapping}"
            use = f"Use: yg build-context --node {shell_word(found.node)}"
            yield f"  No mapping of its own; {source}. {use}"


def _part(found: OwnedFile) -> str:
    """Return what a file of the graph describes."""
    ids = {PartKind.ASPECT: found.aspect, PartKind.FLOW: found.flow}
    parts = (f"{kind} {name}" for kind, name in ids.items() if name is not None)
    return found.node if found.node is not None else next(parts, "no node")


def _state(found: OwnedFile) -> str:
    if not found.exists:
        return " (not written yet)" if found.mapping == found.file else " (file not found)"
    return " (ignored by git)" if found.ignored else ""


def _advice(found: OwnedFile) -> Iterator[str]:
    """Yield which case a file without an owner is, and what the user can choose."""
    folder = "the top directory" if found.folder == ROOT else found.folder
    match found.case:
        case Case.NEW:
            yield f"  New code: {folder} has no other files. Never use a blackbox node for it."
        case Case.PARTLY:
            nodes = listing(found.neighbours)
            yield f"  Partly mapped: other files in {folder} belong to {nodes}."
        case _:
            yield f"  Existing code: no node owns anything in {folder}."
    ways = found.ways or ()
    yield f"  Stop, and let the user choose{':' if ways else '.'}"
    width = max((len(way.what) for way in ways), default=0)
    for way in ways:
        yield f"    {way.what:<{width}}  {way.how}"


COMMAND = Command("owner", OwnerRequest, (FileOwners,), ask, text)
