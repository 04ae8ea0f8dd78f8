"""`yg build-context`: assemble the context packages of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta
from msgspec.structs import replace

from yg.commands.command import NODE_HINT, Command, Document, Request, Revision, operand, option
from yg.kernel.errors import NotFoundError, RefusedError, UsageError, YgError
from yg.kernel.issue import independent
from yg.kernel.report import errors_text, table
from yg.text.escapes import shell_quoted
from yg.yggdrasil.owner import Owners, PartKind, part_of
from yg.yggdrasil.package import Assembler, Package, Selection
from yg.yggdrasil.render import package_markdown, package_text, reason_rows
from yg.yggdrasil.resolve import subjects_of
from yg.yggdrasil.texts import read_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from yg.commands.workspace import Workspace
    from yg.kernel.issue import Issue
    from yg.kernel.palette import Palette
    from yg.yggdrasil.model import Node
    from yg.yggdrasil.package import Block


class ContextRequest(Request, frozen=True, kw_only=True):
    """The nodes to work on, and what to show of their packages."""

    nodes: Annotated[tuple[str, ...], operand("NODE", "nodes to work on", hint=NODE_HINT)] = ()
    file: Annotated[tuple[str, ...], option("use the node that owns this file", "PATH")] = ()
    only: Annotated[tuple[Selection, ...], option("show only blocks of this kind", "KIND")] = ()
    why: Annotated[bool, option("show why each block is included")] = False
    depth: Annotated[str | None, option("Spec Graphs: follow N levels of links, or full", "N")] = (
        None
    )
    lenient: Annotated[bool, option("fail only on errors that affect these packages")] = False
    at: Revision = None


class Context(Document, frozen=True, kw_only=True, tag="yg-build-context/2"):
    """What `yg build-context --json` prints: the packages of nodes."""

    packages: Annotated[
        tuple[Package, ...], Meta(description="The packages, in the order of the nodes.")
    ]

    @property
    def notes(self) -> tuple[str, ...]:
        """A line for each package that is too large to work with."""
        return tuple(
            f"warning: the package is too large ({package.tokens} tokens, more than "
            f"{package.budget.error}); split the node '{package.node.path}'."
            for package in self.packages
            if package.budget.status == "error"
        )


class ContextReasons(Context, frozen=True, kw_only=True, tag="yg-build-context/2"):
    """The same packages, written as tables of the reasons for their blocks."""


def ask(workspace: Workspace, request: ContextRequest) -> Context:
    """Assemble packages; raises RefusedError if errors of the graph make them unreliable."""
    if request.depth is not None:
        if request.depth != "full" and not request.depth.isdecimal():
            raise UsageError(f"expected a number >= 1 or 'full', got '{request.depth}'")
        raise YgError(
            "a depth (--depth) belongs to Spec Graphs, and the graph in "
            f"{workspace.graph.folder}/ is of kind yggdrasil"
        )
    nodes = [workspace.node(name) for name in request.nodes]
    nodes += [_owner(workspace, file) for file in request.file]
    if not nodes:
        hint = "'yg tree' lists all nodes."
        raise UsageError("expected a node, or a file with --file", hint=hint)
    unique = list({node.path: node for node in nodes}.values())
    _refuse_errors(workspace, unique, is_lenient=request.lenient)
    assembler = Assembler(workspace.graph, workspace.survey.facts)
    kinds = [kind for selection in request.only or Selection for kind in selection.kinds]
    packages: list[Package] = []
    shown: dict[Hashable, str] = {}
    for node in unique:
        package = assembler.package(node)
        blocks = [block for block in package.blocks if block.kind in kinds]
        packages.append(replace(package, blocks=tuple(_once(workspace, blocks, node.path, shown))))
    document = ContextReasons if request.why else Context
    return document(packages=tuple(packages))


def _owner(workspace: Workspace, file: str) -> Node:
    """Return the node that owns a file, or that a file of the graph describes."""
    path = workspace.path_from_root(file)
    part = part_of(workspace.graph, path) if path is not None else None
    if part is not None and part.kind is PartKind.NODE:
        return workspace.node(part.id)
    owner = Owners(workspace.graph).get(path) if path is not None else None
    if owner is None:
        raise NotFoundError(
            f"no node owns '{file}'",
            hint=f"'yg owner {shell_quoted(file)}' says what can be done.",
        )
    return workspace.node(owner.node)


def _once(
    workspace: Workspace,
    blocks: Sequence[Block],
    node: str,
    shown: dict[Hashable, str],
) -> Iterator[Block]:
    """Yield blocks with their texts; one that an earlier package has is left empty.

    `shown` has the node whose package was the first with a block.
    """
    for block in blocks:
        first = shown.setdefault(block.identity, node)
        if first != node:
            yield replace(block, opening=(), documents=(), closing=(), same_as=first)
            continue
        documents = [
            document
            if document.binary
            else replace(document, text=read_text(workspace.snapshot, document.path))
            for document in block.documents
        ]
        yield replace(block, documents=tuple(documents))


def _refuse_errors(workspace: Workspace, nodes: Sequence[Node], *, is_lenient: bool) -> None:
    """Raise RefusedError if the graph has errors; those that affect the packages come first.

    With `is_lenient`, no other errors count.
    """
    if not workspace.errors:
        return
    touched = frozenset[str]().union(*(subjects_of(workspace.graph, node.path) for node in nodes))
    close = [issue for issue in workspace.errors if _concerns(issue, touched)]
    others = [
        issue for issue in workspace.errors if not is_lenient and not _concerns(issue, touched)
    ]
    if not close and not others:
        return
    listed = independent((*close, *others))
    errors = errors_text(len(listed), len(close) + len(others) - len(listed))
    what = "no package for " + ", ".join(f"'{node.path}'" for node in nodes)
    is_one = len(nodes) == 1
    affected, package = ("it", "this package") if is_one else ("them", "these packages")
    affecting = sum(_concerns(issue, touched) for issue in listed)
    if is_lenient:
        verb = "affects" if affecting == 1 else "affect"
        raise RefusedError(
            f"{what}: {errors} {verb} {affected}", hint="Fix the errors first.", issues=listed
        )
    hint = "Fix the errors first."
    if not close:
        hint += f" Or use --lenient: none of them affects {package}."
    message = f"{what}: the graph has {errors}, {affecting} affecting {affected}"
    raise RefusedError(message, hint=hint, issues=listed)


def _concerns(issue: Issue, touched: frozenset[str]) -> bool:
    return issue.subject in touched or not touched.isdisjoint(issue.also)


def text(context: Context, palette: Palette) -> str:
    """Write the packages, or the reasons for their blocks."""
    del palette  # the bytes of a package are the same everywhere
    write = _reasons if isinstance(context, ContextReasons) else package_text
    return "\n".join(map(write, context.packages))


def _reasons(package: Package) -> str:
    return table(list(reason_rows(package)), left=(0, 3))


def markdown(context: Context) -> str:
    """Write the packages as Markdown."""
    if isinstance(context, ContextReasons):
        hint = "It prints a table; omit --format."
        raise UsageError("--why cannot be combined with --format markdown", hint=hint)
    return "\n".join(map(package_markdown, context.packages))


COMMAND = Command(
    name="build-context",
    request=ContextRequest,
    documents=(Context,),
    ask=ask,
    text=text,
    formats={"markdown": markdown},
)
