"""Render a dependency tree as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from yg.kernel.plural import counted
from yg.render.data import known
from yg.render.plain import visible
from yg.render.tree import BLACKBOX, Branches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg.kernel.dependencies import Dependency, DependencyTree
    from yg.render.plain import Palette
    from yg.render.shapes.deps import DepsDocument
    from yg.render.shapes.imports import ImportingNode
    from yg.yggdrasil.evidence import DependencyEvidence, ImportPlaces

DEEPEST = 40  # deepest level to indent; deeper levels are numbered instead


def dependencies_text(
    tree: DependencyTree, palette: Palette, evidence: DependencyEvidence | None = None
) -> str:
    """Draw a dependency tree, with the imports that back its relations."""
    branches = Branches()
    lines = [_label(tree.root, palette, is_blackbox=tree.is_blackbox)]
    for at, dependency in enumerate(tree.lines):
        if dependency.level > DEEPEST:
            prefix = f"(level {dependency.level}) "
        else:
            prefix = branches.before(dependency.level, is_last=dependency.is_last)
        backing = ""
        if evidence and not dependency.is_external:
            backing = palette.dim(f" ({_imports(evidence.counts[at])})")
        kind = palette.dim(dependency.kind)
        lines.append(f"{prefix}{kind} {_target(dependency, palette)}{backing}")
    if evidence:
        lines += ["", *import_lines("Imports without a relation", evidence.undeclared)]
    return "".join(f"{line}\n" for line in lines)


def _imports(count: int) -> str:
    return counted(count, "import") if count else "no import found"


def import_lines(title: str, nodes: Sequence[ImportPlaces]) -> Iterator[str]:
    """Write nodes with the first places of their imports, below a title."""
    yield f"{title}:" if nodes else f"{title}: (none)"
    for found in nodes:
        shown = ", ".join(f"{visible(file)}:{line}" for file, line in found.places[:MOST_PLACES])
        rest = len(found.places) - MOST_PLACES
        more = f" and {rest} more" if rest > 0 else ""
        yield f"  {visible(found.node)} ({_imports(len(found.places))}: {shown}{more})"


MOST_PLACES = 3


def _target(dependency: Dependency, palette: Palette) -> str:
    label = _label(dependency.path, palette, is_blackbox=dependency.is_blackbox)
    if dependency.is_external:
        label += palette.dim(" (external)")
    if dependency.is_broken:
        label += palette.red(" (cannot be read)" if dependency.is_bad else " (does not resolve)")
    if dependency.required_by:
        groups = ", ".join(map(visible, dependency.required_by))
        label += palette.dim(f" (required by {groups})")
    return label + (palette.dim(f" ({dependency.repeat})") if dependency.repeat else "")


def _label(path: str, palette: Palette, *, is_blackbox: bool | None) -> str:
    return visible(path) + (palette.yellow(f" {BLACKBOX}") if is_blackbox else "")


def dependencies_data(
    tree: DependencyTree, evidence: DependencyEvidence | None = None
) -> DepsDocument:
    """Return a dependency tree as data, in the order of the text."""
    from yg.render.shapes.deps import DependencyLine, DepsDocument

    lines = [
        DependencyLine(
            level=dependency.level,
            type=dependency.kind,
            target=dependency.path,
            blackbox=known(dependency.is_blackbox),
            resolved=not dependency.is_broken,
            external=True if dependency.is_external else UNSET,
            repeated=dependency.repeat is not None,
            required_by=list(dependency.required_by) or UNSET,
            imports=evidence.counts[at] if evidence and not dependency.is_external else UNSET,
        )
        for at, dependency in enumerate(tree.lines)
    ]
    undeclared = imports_data(evidence.undeclared) if evidence else UNSET
    return DepsDocument(node=tree.root, dependencies=lines, undeclared=undeclared)


def imports_data(nodes: Iterable[ImportPlaces]) -> list[ImportingNode]:
    """Return nodes with all places of their imports as data."""
    from yg.render.shapes.imports import ImportingNode, ImportPlace

    return [
        ImportingNode(
            node=found.node,
            places=[ImportPlace(file=file, line=line) for file, line in found.places],
        )
        for found in nodes
    ]
