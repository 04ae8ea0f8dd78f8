"""`yg hook --test` shows notes about a file of the graph that it finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import NODE, write, write_graph
from yg.surfaces.hook.event import CLAUDE
from yg.surfaces.hook.samples import shown


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_file_of_a_described_node_is_read(tmp_path: Path) -> None:
    root = tmp_path / "root"
    mapped = "mapping: {paths: [src/%s]}\n"
    graph = {
        "model/a/yg-node.yaml": NODE + mapped % "a",
        "model/a/responsibility.md": "<!-- draft: replace this -->\n",
        "model/b/yg-node.yaml": NODE + mapped % "b",
        "model/b/responsibility.md": "It keeps accounts in order.\n",
        "model/a/own/yg-node.yaml": NODE + mapped % "a/x.py",
        "model/b/own/yg-node.yaml": NODE + mapped % "b/a.py",
    }
    write_graph(root, graph)
    write(root, {f"src/{file}": "X = 1\n" for file in ("a/x.py", "b/0.txt", "b/a.py", "b/c.py")})
    text = shown(str(root), CLAUDE)
    assert "== post-tool: src/b/c.py is read\nb owns src/b/c.py.\n" in text
    assert "It keeps accounts in order." in text
    write_graph(root, {"model/a/own/responsibility.md": "It is mapped alone.\n"})
    assert "== post-tool: src/a/x.py is read\n" in shown(str(root), CLAUDE)


def test_without_a_text_there_is_nothing_to_show(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write_graph(root, {"model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src]}}\n"})
    write(root, {"src/a.py": "X = 1\n"})
    assert "== post-tool: README.md is read\n(nothing)\n" in shown(str(root), CLAUDE)
