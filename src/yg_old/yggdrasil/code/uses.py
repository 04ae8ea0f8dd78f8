"""Uses of parts of the code, with the nodes that own the files.

    NodeUses(imports, table=None).uses(parts) -> Uses  # of code.uses.search, by path and line

`workspace.results.code_table(workspace)` returns the table that the index keeps.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.languages import ENDINGS, ending
from yg_old.code.resolve import RESOLVED
from yg_old.code.uses.bindings import CodeFile, code_file
from yg_old.code.uses.matches import SourcePart
from yg_old.code.uses.search import CodeUses
from yg_old.kernel.codec import Codec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg_old.code.facts import ImportFact
    from yg_old.code.resolve import Resolution
    from yg_old.code.resolvers.tree import ImportTarget
    from yg_old.code.uses.search import Uses
    from yg_old.yggdrasil.code.imports import NodeImports
    from yg_old.yggdrasil.code.named_parts import NamedPart


class CodeTable(Struct, frozen=True):
    """What the code of a repository consists of, small enough to keep."""

    files: dict[str, CodeFile]  # source files that can be read, owned or not
    names: dict[str, tuple[str, ...]]  # owned files by the last words of the names of their parts

    @property
    def owners(self) -> dict[str, str]:
        """The owners of the files that have one."""
        return {file: code.node for file, code in self.files.items() if code.node}


CODE_TABLE: Codec[CodeTable] = Codec(CodeTable)


def code_table(imports: NodeImports) -> CodeTable:
    """Read all source files whose imports can be resolved."""
    known = (file for file in imports.files if ENDINGS.get(ending(file)) in RESOLVED)
    read = ((file, imports.facts_of(file)) for file in known)
    facts = {file: found for file, found in read if found is not None}
    resolution = imports.resolution(facts)
    owners = imports.owners
    names: dict[str, dict[str, None]] = {}
    for file, found in facts.items():
        for name in found.parts if file in owners else ():
            names.setdefault(name.rpartition(".")[2], {})[file] = None
    return CodeTable(
        {
            file: code_file(file, found, resolution, owners.get(file, ""))
            for file, found in facts.items()
        },
        {name: tuple(files) for name, files in names.items()},
    )


class NodeUses:
    """The uses of parts in all source files of a repository, owned or not.

    A table that was stored is one that the imports would give.
    """

    def __init__(self, imports: NodeImports, table: CodeTable | None = None) -> None:
        self._imports = imports
        self._table = table or code_table(imports)
        self._code = CodeUses(
            self._table.files, imports.facts_of, imports.identifiers_of, self._targets
        )

    def uses(self, parts: Iterable[NamedPart]) -> Uses:
        """Return the uses of some parts, by path and line."""
        return self._code.uses(SourcePart(part.path, part.name) for part in parts)

    def _targets(self, file: str, fact: ImportFact) -> Iterable[ImportTarget]:
        return self._resolution.targets(file, fact)

    @cached_property
    def _resolution(self) -> Resolution:
        """The imports of Rust files: only their paths are resolved one by one."""
        files = (file for file in self._table.files if ending(file) == "rs")
        read = ((file, self._imports.facts_of(file)) for file in files)
        return self._imports.resolution({file: facts for file, facts in read if facts})
