"""What `drift` advises can be done, and what `drift-sync` prints names its node."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from support import CONFIG, NODE, run, write, write_graph
from yg.surfaces.cli.outcome import Outcome

TWO_PATHS = f"{NODE}mapping: {{paths: [src/a.py, src/b.py]}}\n"


def repository(root: Path) -> str:
    write_graph(root, {"model/n/yg-node.yaml": TWO_PATHS, "model/n/responsibility.md": "It is.\n"})
    (root / "src").mkdir()
    (root / "src" / "a.py").write_text("a = 1\n", encoding="utf-8")
    return str(root)


def steps(root: str) -> list[str]:
    lines = run("drift", "-C", root).text.splitlines()
    return [line.removeprefix("  Next: ") for line in lines if "Next:" in line]


def test_a_node_without_baseline_and_with_a_missing_file_is_completed_first(
    tmp_path: Path,
) -> None:
    root = repository(tmp_path)
    assert steps(root) == ["write src/b.py, or correct the mapping; then run: yg drift-sync n"]
    node = json.loads(run("drift", "-C", root, "--json").text)["nodes"][0]
    assert (node["baseline"], node["missing_paths"]) == (False, ["src/b.py"])
    assert run("drift-sync", "n", "-C", root).code == 1
    (tmp_path / "src" / "b.py").write_text("b = 1\n", encoding="utf-8")
    assert steps(root) == ["compare code and graph, then run: yg drift-sync n"]
    assert run("drift-sync", "n", "-C", root).code == 0


def test_a_node_that_lost_a_file_is_completed_first(tmp_path: Path) -> None:
    root = repository(tmp_path)
    (tmp_path / "src" / "b.py").write_text("b = 1\n", encoding="utf-8")
    run("drift-sync", "n", "-C", root)
    (tmp_path / "src" / "b.py").unlink()
    (tmp_path / ".yggdrasil/model/n/responsibility.md").write_text("New.\n", encoding="utf-8")
    assert steps(root) == ["write src/b.py, or correct the mapping; then run: yg drift-sync n"]


FIX = "correct the mapping of moved files, run: yg validate --fix"
MORE = "'yg drift --drifted-only' shows what changed"


def several(root: Path) -> str:
    """Write and record a graph with three nodes below one, and another one."""
    names = ("p/a", "p/b", "p/c", "q")
    nodes = {f"model/{name}/yg-node.yaml": mapped(f"src/{name}.py") for name in names}
    write_graph(root, {"model/p/yg-node.yaml": NODE, **nodes})
    write(root, {f"src/{name}.py": f"def {name[-1]}():\n    return 1\n" for name in names})
    assert run("drift-sync", "--all", "-C", str(root)).code == 0
    return str(root)


def mapped(path: str) -> str:
    return f"{NODE}mapping: {{paths: [{path}]}}\n"


def test_many_nodes_below_a_parent_need_one_command(tmp_path: Path) -> None:
    root = several(tmp_path)
    write(tmp_path, {f"src/p/{name}.py": f"def {name}():\n    return 2\n" for name in "ab"})
    first = "check that the graph still describes the code, then run"
    assert steps(root) == [f"{first}: yg drift-sync p --recursive"]
    assert run("drift-sync", "p", "--recursive", "-C", root).code == 0
    write(tmp_path, {f"src/p/{name}.py": f"def {name}():\n    return 3\n" for name in "ab"})
    write(
        tmp_path, {".yggdrasil/model/p/c/responsibility.md": "Something else is to be checked.\n"}
    )
    assert steps(root) == [
        f"{first}: yg drift-sync p/a p/b",
        "check that the code still does what the graph says, then run: yg drift-sync p/c",
    ]
    write(tmp_path, {"src/q.py": "def q():\n    return 3\n"})
    run("drift-sync", "p/c", "-C", root)
    assert steps(root) == [f"{first}: yg drift-sync p/a p/b q"]
    assert run("drift-sync", "p/a", "p/b", "q", "-C", root).code == 0
    assert steps(root) == []


MANY = [f"{parent}/n{number:02}" for parent in "ab" for number in range(8)]


def many(root: Path) -> str:
    """Write and record two groups of eight nodes, and one node that is not in a group."""
    nodes = {f"model/{name}/yg-node.yaml": mapped(f"src/{name}.py") for name in (*MANY, "c")}
    write_graph(root, {"model/a/yg-node.yaml": NODE, "model/b/yg-node.yaml": NODE, **nodes})
    write(root, {f"src/{name}.py": "def f():\n    return 1\n" for name in (*MANY, "c")})
    assert run("drift-sync", "--all", "-C", str(root)).code == 0
    return str(root)


def edit(root: Path, names: list[str]) -> None:
    write(root, {f"src/{name}.py": "def f():\n    return 2\n" for name in names})


def test_more_nodes_than_one_command_can_name_are_named_by_their_parents(tmp_path: Path) -> None:
    root = many(tmp_path)
    edit(tmp_path, MANY)
    first = "check that the graph still describes the code, then run"
    assert steps(root) == [f"{first}: yg drift-sync a b --recursive"]
    assert run("drift-sync", "a", "b", "--recursive", "-C", root).code == 0
    assert steps(root) == []


def test_if_other_nodes_drifted_too_some_are_named_and_the_others_follow(tmp_path: Path) -> None:
    root = many(tmp_path)
    edit(tmp_path, MANY)
    for gone in ("a/n00", "b/n00"):
        (tmp_path / f"src/{gone}.py").unlink()
    found = steps(root)
    left = [name for name in MANY if not name.endswith("00")]
    named = " ".join(left[:10])
    assert found[:2] == [
        f"check that the graph still describes the code, then run: yg drift-sync {named}",
        "run 'yg drift' again for 4 other nodes",
    ]
    assert run("drift-sync", *named.split(), "-C", root).code == 0
    assert steps(root)[0].endswith(f"run: yg drift-sync {' '.join(left[10:])}")


def test_all_is_advised_only_if_nothing_else_drifted(tmp_path: Path) -> None:
    names = [f"n{number:02}" for number in range(12)]
    nodes = {f"model/{name}/yg-node.yaml": mapped(f"src/{name}.py") for name in names}
    write_graph(tmp_path, nodes)
    write(tmp_path, {f"src/{name}.py": "def f():\n    return 1\n" for name in names})
    root = str(tmp_path)
    assert run("drift-sync", "--all", "-C", root).code == 0
    edit(tmp_path, names)
    first = "check that the graph still describes the code, then run"
    assert steps(root) == [f"{first}: yg drift-sync --all"]
    (tmp_path / "src/n00.py").unlink()
    assert steps(root)[:2] == [
        f"{first}: yg drift-sync {' '.join(names[1:11])}",
        "run 'yg drift' again for 1 other node",
    ]


GATED = f"{CONFIG}drift: {{gate: body}}\n"


def test_nodes_that_need_a_reason_have_one_command_in_every_text(tmp_path: Path) -> None:
    names = ("a b", "c")
    nodes = {f"model/{name}/yg-node.yaml": mapped(f"src/{name[0]}.py") for name in names}
    write_graph(tmp_path, {"yg-config.yaml": GATED, **nodes})
    write(tmp_path, {f"src/{name[0]}.py": "def f():\n    return 1\n" for name in names})
    root = str(tmp_path)
    assert run("drift-sync", "--all", "-C", root).code == 0
    write(tmp_path, {f"src/{name[0]}.py": "def f():\n    return 2\n" for name in names})
    command = "yg drift-sync 'a b' c --reason TEXT"
    assert steps(root) == [f"change the texts, or say why they are still true; run: {command}"]
    assert run("review", "-C", root).text.endswith(f"\nNext: run: {command}\n")
    still = f"hange the texts, or say why they are still true: {command}\n"
    assert run("drift-sync", "--all", "-C", root).text.endswith(f"Next: c{still}")
    refused = run("drift-sync", "a b", "c", "-C", root)
    assert "'yg review 'a b' c' shows what to check. C" in refused.notes
    assert refused.notes.endswith(f"C{still}")
    reason = ("--reason", "the constant is internal")
    assert run("drift-sync", "a b", "c", *reason, "-C", root).code == 0
    assert steps(root) == []


def test_a_moved_file_is_mapped_by_one_command(tmp_path: Path) -> None:
    root = several(tmp_path)
    (tmp_path / "src/q.py").rename(tmp_path / "src/r.py")
    assert steps(root) == [FIX]
    assert f"Drift:\n  q missing\n  Next: {FIX}\n  {MORE}\n" in run("preflight", "-C", root).text
    assert f"4 ok\n  Next: {FIX}\n" not in run("status", "-C", root).text
    assert f"3 ok\n  Next: {FIX}\n" in run("status", "-C", root).text
    assert run("validate", "--fix", "-C", root).code == 0
    assert "src/r.py" in (tmp_path / ".yggdrasil/model/q/yg-node.yaml").read_text(encoding="utf-8")
    assert FIX not in "".join(steps(root))


def test_a_file_that_moved_inside_a_mapped_directory_needs_no_other_mapping(
    tmp_path: Path,
) -> None:
    write_graph(tmp_path, {"model/n/yg-node.yaml": mapped("src")})
    write(tmp_path, {"src/a.py": "def a():\n    return 1\n"})
    run("drift-sync", "--all", "-C", str(tmp_path))
    (tmp_path / "src/a.py").rename(tmp_path / "src/b.py")
    (step,) = steps(str(tmp_path))
    assert step.endswith("run: yg drift-sync n")


@pytest.mark.parametrize(
    ("old", "new"), [("src/own.py", "src/its.py"), ("src/own", "src/its"), ("src/own", "src/x/own")]
)
def test_what_moved_inside_the_directory_of_another_node_is_mapped_by_one_command(
    tmp_path: Path, old: str, new: str
) -> None:
    root = str(tmp_path)
    write_graph(tmp_path, {"model/n/yg-node.yaml": mapped("src")})
    write(tmp_path, {".yggdrasil/model/n/own/yg-node.yaml": mapped(old)})
    file = "" if old.endswith(".py") else "/a.py"
    write(tmp_path, {f"{old}{file}": "def a():\n    return 1\n", "src/b.py": "B = 1\n"})
    run("drift-sync", "--all", "-C", root)
    (tmp_path / new).parent.mkdir(exist_ok=True)
    (tmp_path / old).rename(tmp_path / new)
    assert steps(root) == [FIX]
    assert "  [ok] n\n" in run("drift", "-C", root).text
    assert run("review", "-C", root).text.count("Next:") == 0
    moved = f"  [missing] n/own\n    {old}{file} (moved to {new}{file})\n"
    assert moved in run("drift", "-C", root).text
    advice = f"  Its content is now in '{new}': map that path instead.\n"
    assert advice in run("validate", "-C", root).text
    assert run("validate", "--fix", "-C", root).code == 0
    assert {step.rpartition(" ")[2] for step in steps(root)} == {"n/own"}


def test_a_file_that_moved_into_another_node_is_not_mapped_twice(tmp_path: Path) -> None:
    root = several(tmp_path)
    write(tmp_path, {"other/a.py": "A = 1\n", ".yggdrasil/model/o/yg-node.yaml": mapped("other")})
    run("drift-sync", "o", "-C", root)
    (tmp_path / "src/q.py").rename(tmp_path / "other/q.py")
    assert FIX not in steps(root)
    advice = "  Its content is now in 'other/q.py', which 'o' maps: remove this path.\n"
    assert advice in run("validate", "-C", root).text


def test_a_node_whose_files_are_all_gone_can_be_removed(tmp_path: Path) -> None:
    root = several(tmp_path)
    (tmp_path / "src/q.py").unlink()
    first = "restore the missing files, or correct the mapping of the node"
    assert steps(root) == [f"{first}; to remove it too, run: yg rm q"]
    assert run("rm", "q", "-C", root).code == 0
    assert steps(root) == []


def test_nodes_whose_files_are_all_gone_have_a_command_each(tmp_path: Path) -> None:
    root = many(tmp_path)
    shutil.rmtree(tmp_path / "src")
    removal = " && ".join(f"yg rm {node}" for node in MANY[:10])
    first, rest = steps(root)
    assert first.endswith(f"; to remove such nodes too, run: {removal}")
    assert rest == "run 'yg drift' again for 7 other nodes"


def test_a_node_that_has_not_changed_is_named_with_its_hash(tmp_path: Path) -> None:
    root = repository(tmp_path)
    (tmp_path / "src" / "b.py").write_text("b = 1\n", encoding="utf-8")
    run("drift-sync", "n", "-C", root)
    state = json.loads((tmp_path / ".yggdrasil/.drift-state/n.json").read_text(encoding="utf-8"))
    expected = f"Unchanged: n\n  Hash: {state['hash'][:8]}\n"
    assert run("drift-sync", "n", "-C", root) == Outcome(expected)
    assert run("drift-sync", "--all", "-C", root) == Outcome("Unchanged: 1 node\n")


def test_a_newer_format_is_mentioned_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))  # so that answers are kept
    root = repository(tmp_path)
    config = tmp_path / ".yggdrasil" / "yg-config.yaml"
    text = config.read_text(encoding="utf-8").replace("2.2.0", "3.1.0")
    config.write_text(text, encoding="utf-8")
    note = "warning: the graph has format 3.1.0; this yg knows formats up to 3.0.0\n"
    for command in ("drift", "validate", "status"):
        assert [run(command, "-C", root).notes for _ in range(3)] == [note] * 3, command


def test_without_a_graph_no_file_has_an_owner(tmp_path: Path) -> None:
    expected = "src/x -> no graph here\n../y -> no graph here\n"
    assert run("owner", "src/x", "../y", "-C", str(tmp_path)) == Outcome(expected)
    found = json.loads(run("owner", "src/x", "-C", str(tmp_path), "--json").text)["files"]
    assert [(file["status"], file["exists"]) for file in found] == [("no-graph", False)]
