"""The example repository is valid, complete, and what the documentation says of it is true."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from support import REPOSITORY
from yg.disk.reading.worktree import WorkTree
from yg.specgraph.context.assemble import assemble
from yg.specgraph.graph import SpecGraph
from yg.specgraph.model import TYPES, Section, VerificationKind
from yg.specgraph.places import FOLDER
from yg.specgraph.read.reader import read
from yg.specgraph.rules.check import validate

ROOT = REPOSITORY / "examples" / "spec-shop"
INVALID_ONLY = {Section.OTHER_DECISIONS, Section.OTHER_NODES}  # a valid graph has none of these


@pytest.fixture(scope="module")
def graph() -> SpecGraph:
    return read(WorkTree(str(ROOT), FOLDER))


def test_nothing_is_wrong_with_it(graph: SpecGraph) -> None:
    assert validate(graph).issues == ()


def test_it_has_a_node_of_every_type_and_a_check_of_every_kind(graph: SpecGraph) -> None:
    nodes = graph.nodes.values()
    assert {node.type for node in nodes} == set(TYPES)
    assert {item.kind for node in nodes for item in node.verification} == set(VerificationKind)


def test_its_documents_have_every_section_that_a_valid_graph_can_have(graph: SpecGraph) -> None:
    found = {item.kind for name in graph.nodes for item in assemble(graph, name, "full").parts}
    expected = {str(section) for section in Section if section not in INVALID_ONLY}
    assert found >= expected | {"Affected Nodes", "Warnings", "Verification"}
    assert found >= {kind.heading for kind in TYPES.values()}


def test_its_artifact_is_the_file_it_names(graph: SpecGraph) -> None:
    artifact = graph.nodes["ART-OPENAPI"].artifact
    assert artifact is not None
    assert sha256((ROOT / artifact.source).read_bytes()).hexdigest() == artifact.sha256


SCRIPT = """
import sys
from yg.disk.reading.worktree import WorkTree
from yg.commands.build_context.spec_context import context_document, context_reasons
from yg.specgraph.context.assemble import assemble
from yg.specgraph.read.reader import read
graph = read(WorkTree(sys.argv[1], "specgraph"))
for name in graph.nodes:
    context = assemble(graph, name, "full")
    print(context_document(context), context.source_files, context_reasons(context))
"""


def test_the_hash_seed_never_shows() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT, str(ROOT)],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(REPOSITORY, "src"))},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4294967295")
    ]
    assert len(runs[0]) > 10_000
    assert runs[0] == runs[1] == runs[2]
