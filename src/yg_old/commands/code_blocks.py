"""The public names in the code of nodes, as code blocks of packages show them."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from yg_old.code.outline import SourceOutline, outline
from yg_old.code.read import facts_of
from yg_old.disk.index.changes import CODE
from yg_old.text import paths
from yg_old.workspace.results import code_table
from yg_old.yggdrasil.block_kind import BlockKind
from yg_old.yggdrasil.code.evidence import read_imports
from yg_old.yggdrasil.code.interfaces import PUBLIC_PARTS, Interfaces, public_parts
from yg_old.yggdrasil.code.uses import NodeUses
from yg_old.yggdrasil.model import CodeInPackages
from yg_old.yggdrasil.package.code import CodeLine, CodeName, NodeNames, with_code

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

    from yg_old.code.outline import OutlineEntry
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.code.interfaces import PublicPart, PublicParts
    from yg_old.yggdrasil.package.blocks import ContextPackage


def code_marks(
    workspace: OpenWorkspace, packages: Sequence[ContextPackage], which: CodeInPackages
) -> Callable[[ContextPackage], ContextPackage]:
    """Return the function that adds code blocks to these packages, or to all of them in one."""
    code = _Code(workspace, packages, which)
    return partial(with_code, own=code.own, used=code.used, describe=code.line)


def with_code_blocks(
    workspace: OpenWorkspace, packages: Iterable[ContextPackage]
) -> Iterable[ContextPackage]:
    """Add code blocks to the packages of all nodes, if the configuration asks for them."""
    which = workspace.graph.config.code_in_packages
    if which is CodeInPackages.OFF:
        return packages
    every = tuple(packages)
    return map(code_marks(workspace, every, which), every)


def _parts(workspace: OpenWorkspace, packages: Iterable[ContextPackage]) -> PublicParts:
    """Return the public parts of the nodes of packages and of their dependencies."""
    nodes = {
        block.subject
        for package in packages
        for block in package.parts
        if block.kind in (BlockKind.OWN, BlockKind.DEPENDENCY) and not block.contract
    }

    def find() -> PublicParts:
        imports, table = read_imports(workspace.graph, workspace.sources), code_table(workspace)
        imports.owners = table.owners
        inside = (node for node in dict.fromkeys(table.owners.values()) if _is_in(node, nodes))
        return public_parts(imports, NodeUses(imports, table), {*nodes, *inside})

    name = f"public parts of {' '.join(sorted(nodes))}"
    return workspace.result(name, CODE, PUBLIC_PARTS, find)


def _is_in(node: str, others: Container[str]) -> bool:
    """Return whether a node is inside one of some others."""
    return any(above in others for above in paths.lineage(node))


class _Code:
    """The code of a workspace; each file is read once."""

    def __init__(
        self,
        workspace: OpenWorkspace,
        packages: Sequence[ContextPackage],
        which: CodeInPackages,
    ) -> None:
        self._workspace = workspace
        self._sources = workspace.sources
        self._packages = packages
        self._only_used = which is CodeInPackages.CONSUMED
        self._outlines: dict[str, tuple[SourceOutline, dict[str, OutlineEntry]]] = {}

    @cached_property
    def _interfaces(self) -> Interfaces:
        return Interfaces(self._workspace.graph, _parts(self._workspace, self._packages))

    def own(self, node: str) -> NodeNames:
        """Return the names of a node that its own package shows."""
        interfaces = self._interfaces
        is_limited = self._only_used
        wanted = interfaces.used_by_others(node) if is_limited else interfaces.public(node)
        return NodeNames(_code_names(wanted), _code_names(interfaces.public(node)))

    def used(self, node: str, target: str, consumes: Sequence[str]) -> NodeNames:
        """Return the names of a dependency that a node uses."""
        wanted = self._interfaces.used_by(node, target, consumes)
        return NodeNames(_code_names(wanted), _code_names(self._interfaces.inside(target)))

    def line(self, name: CodeName) -> CodeLine:
        """Return the header and the first sentence of a name."""
        source, entries = self._outline(name.path)
        entry = entries[name.name]
        return CodeLine(entry.last, source.header(entry), source.sentence(entry))

    def _outline(self, path: str) -> tuple[SourceOutline, dict[str, OutlineEntry]]:
        facts = None if path in self._outlines else facts_of(self._sources, path)
        if facts is not None:
            text = self._sources.read(path).decode("utf-8-sig")
            entries = {entry.name: entry for entry in reversed(outline(facts.parts))}
            self._outlines[path] = SourceOutline(path, text, facts), entries
        return self._outlines[path]


def _code_names(parts: Iterable[PublicPart]) -> tuple[CodeName, ...]:
    return tuple(CodeName(part.path, part.first, part.name) for part in parts)
