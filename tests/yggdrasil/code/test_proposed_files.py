"""Drafts of random trees: valid at once, complete, and finished after one run."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from yg.code.draft.propose import NOTHING_KNOWN, propose
from yg.code.draft.roles import TEST_FILES
from yg.kernel.edit import Write
from yg.kernel.issue import Severity
from yg.kernel.snapshot import DictSnapshot
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.code.proposed_files import TYPE, draft_config, draft_files
from yg.yggdrasil.code.unowned import known_graph, unowned_project
from yg.yggdrasil.model import STANDARD_CODE
from yg.yggdrasil.read.v2 import read
from yg.yggdrasil.rules.check import validate
from yg.yggdrasil.start.init import new_graph

NAMES = ("a", "b", "A", "src", "tests", "docs", "vendor", "__init__", "x y", "test", "caf\xe9")


@st.composite
def trees(draw: st.DrawFn) -> dict[str, str]:
    """Small Python files that import one another, and some other files."""
    folders = draw(
        st.lists(st.lists(st.sampled_from(NAMES), max_size=3).map(tuple), min_size=1, max_size=6)
    )
    found: dict[str, str] = {}
    for folder in folders:
        for name in draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3)):
            ending = draw(st.sampled_from((".py", ".py", ".py", ".md", ".go")))
            found["/".join((*folder, f"{name}{ending}"))] = ""
    files = {path for path in found if not any(other.startswith(f"{path}/") for other in found)}
    modules = [path.removesuffix(".py").replace("/", ".") for path in sorted(files)]
    for path in sorted(files):
        imports = draw(st.lists(st.sampled_from(modules), max_size=4))
        lines = [f"from {module} import f" for module in imports if " " not in module]
        size = draw(st.sampled_from((0, 3_000, 12_000)))
        found[path] = "\n".join((*lines, "def f(): ...", "# " + "x" * size, ""))
    return {path: found[path] for path in files}


def drafted(tree: dict[str, str], most: int) -> dict[str, str]:
    """Return a tree with the graph that is drafted for it."""
    sources = SnapshotSources(DictSnapshot(tree))
    project = unowned_project(
        sources, NOTHING_KNOWN, STANDARD_CODE, tops=(".",), ignored=TEST_FILES
    )
    proposal = propose(project, most=most)
    assert len(proposal.nodes) <= most
    files = dict(tree)
    for edit in (*new_graph("test"), *draft_files(proposal, TYPE, has_texts=True)):
        if isinstance(edit, Write):
            assert edit.path not in files
            files[edit.path] = edit.content.decode()
    config = ".yggdrasil/yg-config.yaml"
    return {**files, config: draft_config(files[config], TEST_FILES)}


@given(trees(), st.integers(2, 12))
def test_a_draft_is_valid_and_complete(tree: dict[str, str], most: int) -> None:
    snapshot = DictSnapshot(drafted(tree, most))
    graph, sources = read(snapshot), SnapshotSources(snapshot)
    issues = validate(graph, sources).issues
    assert [issue for issue in issues if issue.severity is Severity.ERROR] == []
    known = known_graph(graph, sources)
    assert {file for file in tree if file.endswith((".py", ".go"))} <= known.owners.keys()
    rest = unowned_project(sources, known, STANDARD_CODE, tops=(".",))
    assert propose(rest, most=most).nodes == ()


@settings(max_examples=30, deadline=None)
@given(trees(), st.randoms(use_true_random=False))
def test_the_order_of_files_never_shows(tree: dict[str, str], random: st.DataObject) -> None:
    shuffled = list(tree.items())
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert drafted(tree, 9) == drafted(dict(shuffled), 9)
