"""The graph of this repository says of the code what the code says of itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from support import REPOSITORY
from yg.kernel import paths
from yg.kernel.sources import SnapshotSources
from yg.workspace import open_workspace
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.mapping import Ownership

SOURCES = REPOSITORY / "src"
FOR_TYPES = "TYPE_CHECKING"
Tie = tuple[str, str]  # a node, and one that it needs


@cache
def own_graph() -> Graph:
    return open_workspace(str(REPOSITORY)).graph


def imports(tree: ast.AST, *, for_types: bool) -> Iterator[str]:
    """Yield the names that a module imports, with or without those for type checkers alone."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and ast.unparse(child.test) == FOR_TYPES:
            if for_types:
                yield from imports(child, for_types=True)
            continue
        if isinstance(child, ast.ImportFrom):
            yield from (f"{child.module}.{alias.name}" for alias in child.names)
        yield from imports(child, for_types=for_types)


def file_of(name: str) -> Path | None:
    """Return the file of ours that an imported name comes from: a module, or one that holds it."""
    for module in (name, name.rpartition(".")[0]):
        place = SOURCES.joinpath(*module.split("."))
        for file in (place.with_suffix(".py"), place / "__init__.py"):
            if file.is_file():
                return file
    return None


def ties(*, for_types: bool) -> set[Tie]:
    """Return which node imports from which, by the files that they own."""
    graph = own_graph()
    ownership = Ownership(graph, SnapshotSources(graph.snapshot))
    found: set[Tie] = set()
    for file in sorted(SOURCES.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        targets = filter(None, map(file_of, imports(tree, for_types=for_types)))
        found |= {(owner_of(file, ownership), owner_of(each, ownership)) for each in targets}
    return found


def owner_of(file: Path, ownership: Ownership) -> str:
    """Return the node that owns a file of the program; every one has an owner."""
    owner = ownership.get(file.relative_to(REPOSITORY).as_posix())
    assert owner is not None, file
    return owner.node


def relations() -> set[Tie]:
    """Return the relations of nodes that own source files of the program."""
    return {
        (node.path, relation.target.text)
        for node in own_graph().nodes
        if any(word.text.startswith("src/") for word in node.mapping)
        for relation in node.relations
    }


def is_told(tie: Tie, told: set[Tie]) -> bool:
    """Tell whether a package shows what its code imports: as a relation, or because it is above."""
    node, target = tie
    if paths.is_inside(node, target):
        return True
    return any((node, each) in told for each in (target, *paths.lineage(target)))


def test_whatever_a_node_imports_stands_in_its_package() -> None:
    told = relations()
    assert sorted(tie for tie in ties(for_types=False) if not is_told(tie, told)) == []


def test_no_node_claims_a_relation_that_its_code_does_not_have() -> None:
    real = {(node, each) for node, t in ties(for_types=True) for each in (t, *paths.lineage(t))}
    assert sorted(relations() - real) == []
