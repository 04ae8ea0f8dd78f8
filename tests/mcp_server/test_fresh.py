"""A server keeps what it knows between calls, and still sees every change in the next one."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from agent import texts
from support import NODE, git, run, write, write_graph
from yg.surfaces.mcp.calls import call_tool
from yg.surfaces.mcp.service import Roots, Service

MAPPED = f"{NODE}mapping: {{paths: [src/a.py]}}\n"
GRAPH = {
    "model/a/yg-node.yaml": MAPPED,
    "model/a/responsibility.md": "Adds numbers with `add`.\n",
    "model/b/yg-node.yaml": f"{NODE}relations: [{{target: a, type: calls}}]\n",
}
SOURCE = "def add(a, b):\n    return a + b\n"
TEXT = ".yggdrasil/model/a/responsibility.md"
BASELINE = ".yggdrasil/.drift-state/a.json"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))
    root = write_graph(tmp_path.resolve(), GRAPH)
    write(root, {"src/a.py": SOURCE})
    assert run("drift-sync", "-C", str(root), "--all").code == 0
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "first")
    return root


def asked(service: Service, tool: str = "build-context") -> list[str]:
    given = {"node": "b"} if tool == "build-context" else {}
    return texts(call_tool(service, tool, given))


def fresh(root: Path) -> Service:
    return Service(roots=Roots((str(root),)), uses_index=False)


def moved_over(root: Path) -> None:
    """Put another file in the place of one, with its size and time."""
    stat = (root / TEXT).stat()
    write(root, {"other": (root / TEXT).read_text(encoding="utf-8").upper()})
    os.utime(root / "other", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    os.replace(root / "other", root / TEXT)


def committed(root: Path) -> None:
    write(root, {TEXT: "Something else.\n"})
    git(root, "commit", "-qam", "second")


CHANGES: dict[str, Callable[[Path], object]] = {
    "a text": lambda root: write(root, {TEXT: "Subtracts numbers.\n"}),
    "a text of the same size": lambda root: write(root, {TEXT: "Adds letters with `add`.\n"}),
    "another file in its place": moved_over,
    "a deleted text": lambda root: (root / TEXT).unlink(),
    "a new text": lambda root: write(root, {".yggdrasil/model/a/interface.md": "`add(a, b)`\n"}),
    "a declaration": lambda root: write(root, {".yggdrasil/model/b/yg-node.yaml": NODE}),
    "a broken declaration": lambda root: write(root, {".yggdrasil/model/b/yg-node.yaml": "["}),
    "a source": lambda root: write(root, {"src/a.py": SOURCE.replace("a, b", "a, b, c")}),
    "a deleted source": lambda root: (root / "src" / "a.py").unlink(),
    "a commit": committed,
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_seen_by_the_next_call(root: Path, name: str) -> None:
    service = Service(roots=Roots((str(root),)))
    before = [asked(service) for _ in range(3)]
    assert before == [asked(fresh(root))] * 3
    CHANGES[name](root)
    after = asked(service)
    assert after == asked(service) == asked(fresh(root))
    assert after[0] != before[0][0]


def test_a_baseline_is_compared_in_each_call(root: Path) -> None:
    service = Service(roots=Roots((str(root),)))
    kept = (root / BASELINE).read_bytes()
    write(root, {"src/a.py": SOURCE.replace("a, b", "a, b, c")})
    git(root, "commit", "-qam", "second")
    stale = asked(service)
    assert "<stale " in stale[0]
    (root / BASELINE).unlink()
    assert "<stale " not in asked(service)[0]
    (root / BASELINE).write_bytes(kept)
    assert asked(service) == stale
    assert run("drift-sync", "-C", str(root), "--all").code == 0
    assert "<stale " not in asked(service)[0]


def test_a_file_of_the_graph_is_looked_at_once_in_a_call(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(roots=Roots((str(root),)))
    for _ in range(3):
        asked(service, "deps")
        asked(service)
    looked: Counter[str] = Counter()
    real = os.lstat

    def counted(place: str) -> os.stat_result:
        looked[place] += 1
        return real(place)

    monkeypatch.setattr(os, "lstat", counted)
    asked(service)
    assert looked[str(root / TEXT)] == 1


def test_the_files_of_a_graph_below_the_top_are_compared_as_well(root: Path) -> None:
    below = root / "part"
    shutil.copytree(root / ".yggdrasil", below / ".yggdrasil")
    write(below, {"src/a.py": SOURCE})
    git(root, "add", ".")
    git(root, "commit", "-qm", "second")
    service = Service(roots=Roots((str(below),)))
    before = [asked(service) for _ in range(3)]
    write(below, {TEXT: "Adds letters with `add`.\n"})
    assert asked(service) == asked(fresh(below)) != before[-1]
