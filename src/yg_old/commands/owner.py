"""`yg owner`: show which node owns a file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from yg_old.commands.command import Command, Tool
from yg_old.commands.issues import SkippedEntries, skipped_data
from yg_old.commands.request import Argument, Operand, Request, Revision
from yg_old.kernel.document import Document, Record, Text, about
from yg_old.kernel.errors import NoGraphError
from yg_old.kernel.palette import visible
from yg_old.kernel.sources import is_source
from yg_old.text.escapes import shell_quoted
from yg_old.text.paths import ROOT, is_inside
from yg_old.text.suggest import listing
from yg_old.workspace.code_owners import people
from yg_old.workspace.given import (
    exists_in,
    file_exists,
    path_exists,
    path_from_root,
    relative_path,
)
from yg_old.yggdrasil.edit.ids import proposed_id
from yg_old.yggdrasil.owners import Ownership
from yg_old.yggdrasil.parts import GraphPart, PartKind, part_of
from yg_old.yggdrasil.resolve import referring_parts
from yg_old.yggdrasil.surroundings import Case, Neighbourhood

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.kernel.sources import Owner
    from yg_old.workspace.code_owners import People
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.surroundings import Surroundings


class OwnerRequest(Request["Owners"], frozen=True, kw_only=True):
    """The files to look up."""

    files: Annotated[
        tuple[str, ...],
        Operand(
            "FILE",
            "files, or - to read names from stdin",
            option="--file",
            missing=("no file given", "Give files, or - to read names from stdin."),
            reads_input=True,
        ),
        Argument("Paths, relative to root or absolute.", ["src/shop/app.py"]),
    ]
    at: Revision = None


def _only(*keys: str, status: str) -> dict[str, Any]:
    """Return a schema that requires a status and which keys are not null."""
    types = {
        key: {"type": "string" if key in keys else "null"}
        for key in ("node", "mapping", "aspect", "flow")
    }
    return {"properties": {"status": {"const": status}, **types}}


class OwnedFile(Record, frozen=True, kw_only=True):
    """One file and its owner."""

    CONDITIONS: ClassVar[dict[str, Any]] = {
        "oneOf": [
            _only("node", "mapping", status="owned"),
            _only("node", status="graph"),
            _only("aspect", status="graph"),
            _only("flow", status="graph"),
            _only(status="graph"),
            _only(status="uncovered"),
            _only(status="outside"),
            _only(status="no-graph"),
        ]
    }

    HIDDEN = ("ways", "folder")

    file: Annotated[
        Text, about("The file, relative to the root of the repository; as named when outside.")
    ]
    status: Annotated[
        Literal["owned", "uncovered", "graph", "outside", "no-graph"],
        about(
            "Whether it has an owner, has none, is a file of the graph, is outside the "
            "repository, or there is no graph at all."
        ),
    ]
    exists: Annotated[bool, about("Whether the path exists.")]
    ignored: Annotated[bool, about("Whether git ignores it, so that drift does not track it.")]
    node: Annotated[
        Text | None, about("The path of the node that it belongs to; null when there is none.")
    ]
    mapping: Annotated[
        Text | None, about("The path in that node's mapping that covers it; null when none does.")
    ]
    aspect: Annotated[
        Text | None, about("The id of the aspect it belongs to, for a file of the graph; or null.")
    ]
    flow: Annotated[
        Text | None, about("The id of the flow it belongs to, for a file of the graph; or null.")
    ]

    case: Annotated[
        Case | None,
        about(
            "What a file without an owner is, by the files in its folder: there are none, nodes "
            "own some of them, or no node owns any; null with an owner, or if git ignores the file."
        ),
    ] = None
    neighbours: Annotated[
        tuple[Text, ...], about("The nodes that own files in the folder of such a file, sorted.")
    ] = ()
    document_of: Annotated[
        Annotated[tuple[Text, ...], Meta(min_length=1)] | UnsetType,
        about(
            "The nodes, and aspects as `aspects/ID`, that list the file among their documents or "
            "decisions; absent if none does."
        ),
    ] = UNSET
    owners: Annotated[
        tuple[Text, ...] | UnsetType,
        about("Whom CODEOWNERS names for it, sorted; absent if there is no such file."),
    ] = UNSET
    folder: str = ""
    ways: tuple[tuple[str, str], ...] = ()  # what can be done, each with its command

    @property
    def part(self) -> GraphPart | None:
        """What a file of the graph describes; None for the configuration, for example."""
        ids = {PartKind.NODE: self.node, PartKind.ASPECT: self.aspect, PartKind.FLOW: self.flow}
        parts = (GraphPart(kind, found) for kind, found in ids.items() if found)
        return next(parts, None) if self.status == "graph" else None

    @property
    def is_expected(self) -> bool:
        """Whether the file is mapped but not written yet."""
        return self.mapping == self.file and not self.exists


class Owners(Document, frozen=True, kw_only=True, tag="yg-owner/1"):
    """What `yg owner --json` prints: the node that each file belongs to."""

    HIDING = ("files",)

    files: Annotated[tuple[OwnedFile, ...], about("One entry per file, in the order given.")]
    skipped: SkippedEntries


def ask(run: Run, request: OwnerRequest) -> Owners:
    """Find the owner of each file."""
    try:
        workspace = run.workspace
    except NoGraphError:
        return Owners(files=tuple(_without_graph(run, file) for file in request.files), skipped=[])
    workspace.require_yggdrasil("the owner of a file")
    ownership = Ownership(workspace.graph, workspace.sources)
    is_new = partial(_is_uncommitted, workspace)
    around = Neighbourhood(ownership, workspace.sources, is_new)
    found = (look_up(workspace, ownership, file) for file in request.files)
    documents, asked = referring_parts(workspace.graph), people(workspace)
    return Owners(
        files=tuple(
            replace(
                _with_owners(asked, _with_case(workspace, around, file)),
                document_of=documents.get(file.file) or UNSET,
            )
            for file in found
        ),
        skipped=skipped_data(workspace.skipped()),
    )


def _with_owners(asked: People | None, found: OwnedFile) -> OwnedFile:
    """Add to a file whom to ask about it, if the repository says so."""
    if asked is None or found.status == "outside":
        return found
    return replace(found, owners=asked.of_file(found.file))


def _is_uncommitted(workspace: OpenWorkspace, folder: str) -> bool:
    """Tell whether the last commit lacks a folder of the work tree; without commits it does not."""
    if workspace.commit:
        return False
    from yg_old.disk.git.process import head_commit

    commit = head_commit(workspace.root)
    return bool(commit) and workspace.snapshot_of(commit).kind(folder) is None


def _with_case(workspace: OpenWorkspace, around: Neighbourhood, found: OwnedFile) -> OwnedFile:
    """Add to a file without an owner what the files around it say, and what can be done."""
    path = found.file
    if found.status != "uncovered" or not is_source(path):
        return found
    if found.exists and workspace.sources.ignores(path):
        return found
    place = around.around(path)
    ways = tuple(_ways(workspace, place)) if workspace.format.has_drift else ()
    return replace(
        found, case=place.case, neighbours=place.neighbours, folder=place.folder, ways=ways
    )


def _ways(workspace: OpenWorkspace, place: Surroundings) -> Iterator[tuple[str, str]]:
    """Yield what can be done about a file without an owner, each with its command."""
    name = proposed_id(workspace.graph, place.mapping, is_file=place.is_of_file)
    new = f"yg new node {visible(shell_quoted(name))}"
    mapped = f"--map {visible(shell_quoted(place.mapping))}"
    match place.case:
        case Case.NEW:
            yield "describe it first", f"{new} {mapped}"
        case Case.PARTLY:
            node = place.neighbours[0] if len(place.neighbours) == 1 else "NODE"
            file = workspace.graph.nodes.spec.file_of(node)
            yield "add it to a node", f"list it under 'mapping' in {visible(file)}"
            yield "a node of its own", f"{new} {mapped}"
        case Case.EXISTING:
            yield "describe it", f"{new} {mapped}"
            if workspace.sources.kind(place.mapping) is not None:
                yield "a blackbox node", f"{new} --blackbox {mapped}"
            yield "leave it alone", "yg coverage --uncovered lists what has no owner yet"


def _without_graph(run: Run, file: str) -> OwnedFile:
    exists = exists_in(run.directory, file)
    return _owned(file, None, exists=exists, status="no-graph")


def look_up(workspace: OpenWorkspace, ownership: Ownership, file: str) -> OwnedFile:
    """Find the owner of a file that a user named.

    A path that does not exist in the current directory may be one from the root of the repository.
    A file that a mapping names belongs to its node before it is written.
    """
    here, from_root = relative_path(workspace, file), path_from_root(file)
    if here is not None and file_exists(workspace, file):
        return _existing(workspace, ownership, here)
    if from_root is not None and path_exists(workspace, from_root):
        return _existing(workspace, ownership, from_root)
    for path in (here, from_root):
        owner = ownership.get(path) if path is not None else None
        if path is not None and owner is not None and owner.mapping == path:
            return _owned(path, owner, exists=False)
    if here is None:
        return _owned(file, None, exists=file_exists(workspace, file), status="outside")
    if is_inside(here, workspace.format.folder):
        return _of_graph(here, part_of(workspace.graph, here), exists=False)
    return _owned(here, ownership.get(here), exists=False)


def _existing(workspace: OpenWorkspace, ownership: Ownership, path: str) -> OwnedFile:
    """Return the owner of an existing file."""
    if is_inside(path, workspace.format.folder):
        return _of_graph(path, part_of(workspace.graph, path), exists=True)
    owner = ownership.get(path)
    is_below = owner is not None and owner.mapping != path
    is_ignored = is_below and workspace.sources.ignores(path)
    return _owned(path, owner, exists=True, ignored=is_ignored)


def _owned(
    file: str,
    owner: Owner | None,
    *,
    exists: bool,
    ignored: bool = False,
    status: Literal["owned", "uncovered", "outside", "no-graph"] | None = None,
) -> OwnedFile:
    return OwnedFile(
        file=file,
        status=status or ("owned" if owner else "uncovered"),
        exists=exists,
        ignored=ignored,
        node=owner.node if owner else None,
        mapping=owner.mapping if owner else None,
        aspect=None,
        flow=None,
    )


def _of_graph(file: str, part: GraphPart | None, *, exists: bool) -> OwnedFile:
    """Return a file of the graph, and the part of the graph that it describes."""
    ids = {part.kind: part.id} if part else {}
    return OwnedFile(
        file=file,
        status="graph",
        exists=exists,
        ignored=False,
        node=ids.get(PartKind.NODE),
        mapping=None,
        aspect=ids.get(PartKind.ASPECT),
        flow=ids.get(PartKind.FLOW),
    )


def text(owners: Owners, _palette: Palette) -> str:
    """Write one line per file, and below it what follows if the file is not mapped itself.

    What can be done about files without an owner is written once for each folder.
    """
    parts = []
    told: set[tuple[Case, str]] = set()
    for found in owners.files:
        parts.append(_lines(found))
        if found.owners:
            parts.append(f"  Owners: {visible(' '.join(found.owners))}\n")
        if found.document_of:
            continue
        if found.case is not None and (found.case, found.folder) not in told:
            told.add((found.case, found.folder))
            parts.append(_advice(found, found.case))
    return "".join(parts)


def _advice(found: OwnedFile, case: Case) -> str:
    """Write which case a file without an owner is, and what can be done."""
    folder = "the top directory" if found.folder == ROOT else visible(found.folder)
    about_case = {
        Case.NEW: f"New code: {folder} has no other files. Never use a blackbox node for it.",
        Case.PARTLY: f"Partly mapped: other files in {folder} belong to "
        f"{visible(listing(found.neighbours))}.",
        Case.EXISTING: f"Existing code: no node owns anything in {folder}.",
    }
    width = max((len(way) for way, _ in found.ways), default=0)
    lines = (f"    {way:<{width}}  {command}\n" for way, command in found.ways)
    return f"  {about_case[case]}\n{''.join(lines)}"


def _lines(found: OwnedFile) -> str:
    file, state = visible(found.file), _state(found)
    if found.status == "outside":
        return f"{file} -> outside the repository\n"
    if found.status == "no-graph":
        return f"{file} -> no graph here\n"
    if found.status == "graph":
        return f"{file} -> {_part(found)} (file of the graph){state}\n"
    listed_by = f"documents of {listing(found.document_of)}" if found.document_of else ""
    if found.node is None or found.mapping is None:
        return f"{file} -> {visible(listed_by) or 'no graph coverage'}{state}\n"
    line = f"{file} -> {visible(found.node)}{state}\n"
    line += f"  {visible(listed_by)}\n" if listed_by else ""
    if found.mapping == found.file:
        return line
    source = f"the context comes from {visible(found.mapping)}"
    use = f"Use: yg build-context --node {visible(shell_quoted(found.node))}"
    return f"{line}  No mapping of its own; {source}. {use}\n"


def _part(found: OwnedFile) -> str:
    if found.part is None:
        return "no node"
    kind, name = found.part.kind, visible(found.part.id)
    return name if kind is PartKind.NODE else f"{kind} {name}"


def _state(found: OwnedFile) -> str:
    if found.is_expected:
        return " (not written yet)"
    if not found.exists:
        return " (file not found)"
    return " (ignored by git)" if found.ignored else ""


COMMAND = Command(
    request=OwnerRequest,
    documents=(Owners,),
    ask=ask,
    text=text,
    tool=Tool(
        title="Show which node owns a file",
        when="Use before changing files: returns the node that owns each file, or what to do "
        "about a file without one.",
        when_in_specs=None,
    ),
)
