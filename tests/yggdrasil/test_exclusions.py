"""The exclusions of a mapping mean what the same lines mean in a .gitignore file."""

from __future__ import annotations

import json
import subprocess
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from support import graph_from, snapshot_from
from yg.kernel.sources import SnapshotSources
from yg.yggdrasil.owners import Ownership, own_files

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FOLDERS, NAMES = ("a", "b", "a/b", "b/a", "a/b/a"), ("a", "b", "a.test.ts", "b.ts")
FILES = [f"src/{folder}/{name}" for folder, name in product(FOLDERS, NAMES) if folder != name]
FILES = [file for file in FILES if not any(other.startswith(f"{file}/") for other in FILES)]
PIECES = ("a", "b", "src", "*", "**", "/", "!", ".ts", ".test", "?", "[ab]", "src/", "a/b", "/**")
LINES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "--quiet", root], check=True)
    for file in FILES:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text("")
    return root


def ignored(root: Path) -> set[str]:
    asked = ["git", "check-ignore", "--no-index", "--stdin"]
    listed = "".join(f"{file}\n" for file in FILES)
    answer = subprocess.run(asked, cwd=root, input=listed, capture_output=True, text=True)  # noqa: PLW1510
    return set(answer.stdout.splitlines())


@given(st.lists(LINES, min_size=1, max_size=4))
@example(["src/a", "!src/a/b"])  # nothing is included again below an excluded directory
@example(["*", "!*/", "!*.test.ts"])
@example(["src/**/b", "!src/b/"])
def test_a_node_owns_what_git_would_not_ignore(repository: Path, lines: Sequence[str]) -> None:
    (repository / ".gitignore").write_text("".join(f"{line}\n" for line in lines))
    mapping = json.dumps({"paths": ["src"], "exclude": lines})
    declared = {"model/a/yg-node.yaml": f"name: A\ntype: service\nmapping: {mapping}\n"}
    files = dict.fromkeys(FILES, "")
    graph, sources = (
        graph_from(declared, files),
        SnapshotSources(snapshot_from(declared, files)),
    )
    node = graph.nodes.get("a")
    assert node is not None
    found = own_files(sources, Ownership(graph, sources), node)
    assert set(found) == set(FILES) - ignored(repository)
