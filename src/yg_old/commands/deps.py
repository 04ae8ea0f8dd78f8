"""`yg deps`: show what a node depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from yg_old.commands.branches import BLACKBOX, Branches
from yg_old.commands.command import PAGE, Command, Tool
from yg_old.commands.importers import import_count, import_lines
from yg_old.commands.issues import SkippedEntries, skipped_data
from yg_old.commands.request import Argument, Depth, Operand, Option, Request, Revision
from yg_old.kernel.dependencies import Dependency, ImportingNode
from yg_old.kernel.document import Document, Text, about
from yg_old.kernel.palette import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.commands.command import Run
    from yg_old.kernel.dependencies import DependencyTree
    from yg_old.kernel.issue import Finding
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace

ALL = "all"
DEEPEST = 40  # deepest level to indent; deeper levels are numbered instead


class DepsRequest(Request["Deps"], frozen=True, kw_only=True):
    """Which dependencies of which node to show."""

    node: Annotated[
        str,
        Operand("NODE", "node to start from", option="--node"),
        Argument(
            "Path of the node.",
            "orders/order-service",
            in_specs="Id of the node.",
            example_in_specs="AUTH-01",
        ),
    ]
    depth: Annotated[
        Depth | None,
        Option(metavar="N", help="follow N levels of relations"),
        Argument("Levels to follow.", 2),
    ] = None
    type: Annotated[
        Literal["structural", "event", "all"],
        Option(help="relations to follow (default all)"),
        Argument("Relations to follow.", "structural", in_specs=None),
    ] = "all"
    code: Annotated[
        bool,
        Option(help="show which imports back the relations"),
        Argument("Say which relations imports back, and which imports have none.", in_specs=None),
    ] = False
    at: Revision = None


class Deps(Document, frozen=True, kw_only=True, tag="yg-deps/1"):
    """What `yg deps --json` prints: what a node depends on, as the lines of a tree."""

    HIDDEN = ("blackbox",)
    HIDING = ("dependencies",)

    node: Annotated[Text, about("The path or id of the requested node.")]
    dependencies: Annotated[
        tuple[Dependency, ...],
        about("The lines below that node, depth first, in the order they are drawn."),
    ]
    undeclared: Annotated[
        tuple[ImportingNode, ...] | UnsetType,
        about("With --code: the nodes that it imports without a relation, by path."),
    ] = UNSET
    skipped: SkippedEntries
    blackbox: bool  # whether the node is one


def ask(run: Run, request: DepsRequest) -> Deps:
    """List the dependencies of a node, optionally limited by depth and class of relation.

    With `code`, say which relations imports back, and which imports have no relation.
    """
    tree = _tree(run.workspace, request)
    found = deps_of(tree, run.workspace.queries.unread_configuration())
    return _with_imports(run.workspace, tree, found) if request.code else found


def deps_of(tree: DependencyTree, skipped: Sequence[Finding] = ()) -> Deps:
    """Return the document of a dependency tree."""
    return Deps(
        node=tree.root,
        dependencies=tree.lines,
        skipped=skipped_data(skipped),
        blackbox=bool(tree.is_blackbox),
    )


def _tree(workspace: OpenWorkspace, request: DepsRequest) -> DependencyTree:
    if request.type == ALL:
        return workspace.queries.dependencies(workspace.find(request.node), request.depth)
    workspace.require_yggdrasil("a class of relations (--type)")
    from yg_old.yggdrasil.questions.deps import RelationClass, dependency_tree

    path = workspace.find(request.node)
    return dependency_tree(workspace.graph, path, request.depth, RelationClass(request.type))


def _with_imports(workspace: OpenWorkspace, tree: DependencyTree, found: Deps) -> Deps:
    workspace.require_yggdrasil("imports (--code)")
    from yg_old.yggdrasil.code.evidence import dependency_evidence, read_imports

    evidence = dependency_evidence(read_imports(workspace.graph, workspace.sources), tree)
    lines = zip(found.dependencies, evidence.counts, strict=True)
    return replace(
        found,
        dependencies=tuple(
            line if line.external else replace(line, imports=count) for line, count in lines
        ),
        undeclared=evidence.undeclared,
    )


def text(deps: Deps, palette: Palette) -> str:
    """Draw a dependency tree, with the imports that back its relations."""
    branches = Branches()
    lines = [_label(deps.node, palette, is_blackbox=deps.blackbox)]
    for line in deps.dependencies:
        if line.level > DEEPEST:
            prefix = f"(level {line.level}) "
        else:
            prefix = branches.before(line.level, is_last=line.is_last)
        backing = ""
        if line.imports is not UNSET:
            backing = palette.dim(f" ({import_count(line.imports)})")
        lines.append(f"{prefix}{palette.dim(line.kind)} {_target(line, palette)}{backing}")
    if deps.undeclared is not UNSET:
        lines += ["", *import_lines("Imports without a relation", deps.undeclared)]
    return "".join(f"{line}\n" for line in lines)


def _target(line: Dependency, palette: Palette) -> str:
    label = _label(line.path, palette, is_blackbox=bool(line.blackbox))
    if line.external:
        label += palette.dim(" (external)")
    if not line.resolved:
        label += palette.red(" (cannot be read)" if line.is_bad else " (does not resolve)")
    if line.required_by:
        groups = ", ".join(map(visible, line.required_by))
        label += palette.dim(f" (required by {groups})")
    return label + (palette.dim(f" ({line.repeat})") if line.repeat else "")


def _label(path: str, palette: Palette, *, is_blackbox: bool) -> str:
    return visible(path) + (palette.yellow(f" {BLACKBOX}") if is_blackbox else "")


COMMAND = Command(
    request=DepsRequest,
    documents=(Deps,),
    ask=ask,
    text=text,
    tool=Tool(
        title="Show the dependencies of a node",
        when="Use to see what a node depends on, directly and indirectly, also in other "
        "repositories.",
        limit=PAGE,
    ),
)
