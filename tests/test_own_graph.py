"""The graph of this repository says of the code what the code says of itself."""

from __future__ import annotations

from functools import cache

import pytest

from support import REPOSITORY
from yg.kernel.issue import Level
from yg.workspace import results
from yg.workspace.opened import OpenWorkspace
from yg.workspace.opening import open_workspace
from yg.yggdrasil.code.evidence import read_imports
from yg.yggdrasil.code.imports import NodeImports

pytestmark = pytest.mark.slow  # it reads all sources; `make check` looks at the graph too

CODE_RULES = ("W021", "W022", "W023", "W024")


@cache
def own_workspace() -> OpenWorkspace:
    return open_workspace(str(REPOSITORY), uses_index=False)


@cache
def own_imports() -> NodeImports:
    return read_imports(own_workspace().graph, own_workspace().sources)


def test_whatever_a_node_imports_is_an_error_unless_it_is_declared() -> None:
    code = own_workspace().graph.config.code
    assert code is not None
    assert code.imports is Level.ERROR
    assert own_imports().reported == {}
    assert len(own_imports().counted) > 100


def test_relations_and_interfaces_name_what_the_code_has() -> None:
    issues = results.verdict(own_workspace()).issues
    assert [issue.message for issue in issues if issue.code in CODE_RULES] == []


def test_no_node_claims_a_relation_that_its_code_does_not_have() -> None:
    graph, imports = own_workspace().graph, own_imports()
    relations = [
        (node.path, relation.target.text)
        for node in graph.nodes
        if any(word.text.startswith("src/") for word in node.mapping)
        for relation in node.relations
    ]
    assert [tie for tie in relations if not imports.backing(*tie)] == []
