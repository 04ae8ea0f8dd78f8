"""The public names in the code of nodes, as code blocks of packages show them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from yg.code.outline import SourceOutline, outline
from yg.yggdrasil.code.evidence import read_imports
from yg.yggdrasil.code.interfaces import Interfaces
from yg.yggdrasil.model import CodeInPackages
from yg.yggdrasil.package.code import CodeLine, CodeName, NodeNames, with_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from yg.code.outline import OutlineEntry
    from yg.workspace.opened import OpenWorkspace
    from yg.yggdrasil.code.interfaces import Interface
    from yg.yggdrasil.code.named_parts import NamedPart
    from yg.yggdrasil.package.blocks import ContextPackage


def code_marks(
    workspace: OpenWorkspace, which: CodeInPackages
) -> Callable[[ContextPackage], ContextPackage]:
    """Return the function that adds code blocks to a package."""
    code = _Code(workspace, which)
    return partial(with_code, own=code.own, used=code.used, describe=code.line)


class _Code:
    """The code of a workspace; each file is read once."""

    def __init__(self, workspace: OpenWorkspace, which: CodeInPackages) -> None:
        self._sources = workspace.sources
        self._imports = read_imports(workspace.graph, workspace.sources)
        self._interfaces = Interfaces(workspace.graph, self._imports)
        self._only_used = which is CodeInPackages.CONSUMED
        self._outlines: dict[str, tuple[SourceOutline, dict[str, OutlineEntry]]] = {}

    def own(self, node: str) -> NodeNames:
        """Return the names of a node that its own package shows."""
        return self._names(node, self._interfaces.of(node, only_used=self._only_used))

    def used(self, node: str, target: str, consumes: Sequence[str]) -> NodeNames:
        """Return the names of a dependency that a node uses."""
        return self._names(target, self._interfaces.used_by(node, target, consumes))

    def _names(self, node: str, found: Interface) -> NodeNames:
        return NodeNames(_code_names(found.parts), _code_names(self._interfaces.public(node)))

    def line(self, name: CodeName) -> CodeLine:
        """Return the header and the first sentence of a name."""
        source, entries = self._outline(name.path)
        entry = entries[name.name]
        return CodeLine(entry.last, source.header(entry), source.sentence(entry))

    def _outline(self, path: str) -> tuple[SourceOutline, dict[str, OutlineEntry]]:
        if path not in self._outlines:
            facts = self._imports.facts[path]
            text = self._sources.read(path).decode("utf-8-sig")
            entries = {entry.name: entry for entry in reversed(outline(facts.parts))}
            self._outlines[path] = SourceOutline(path, text, facts), entries
        return self._outlines[path]


def _code_names(parts: Iterable[NamedPart]) -> tuple[CodeName, ...]:
    return tuple(CodeName(part.path, part.first, part.name) for part in parts)
