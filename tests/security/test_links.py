"""A graph folder that is a link is followed inside its own work tree and nowhere else."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import yg
from agent import SPEC_GRAPH, agent, texts
from hostile import COMMANDS, commit_all, sh
from support import CONFIG, NODE, files_below, run, write, write_graph
from yg.disk.files.graph_folder import graph_place
from yg.kernel.errors import YgError
from yg.kernel.steps import finished
from yg.surfaces.lsp.checks import Checker
from yg.surfaces.lsp.documents import Documents
from yg.surfaces.lsp.positions import UTF16
from yg.surfaces.lsp.session import Session

OUTSIDE = "error: {} is a link to a place outside this work tree\n"
PRIVATE = "The secret of another repository, which nobody here may read."
GRAPH: dict[str, str | bytes] = {
    "yg-config.yaml": CONFIG,
    "model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src]}}\n",
    "model/a/responsibility.md": f"{PRIVATE}\n",
}
OLD: dict[str, str | bytes] = {"config.yaml": "name: Old\n"}
SPECS = {path.removeprefix("specgraph/"): text for path, text in SPEC_GRAPH.items()}


def linked(root: Path, target: str | Path, folder: str = ".yggdrasil") -> Path:
    """Make a repository with one source file, whose graph folder is a link."""
    write(root, {"src/a.py": "a = 1\n"})
    (root / folder).symlink_to(target)
    return root


def refused(root: Path, *argv: str, because: str = OUTSIDE.format(".yggdrasil")) -> None:
    outcome = run(*argv, "-C", str(root))
    assert (outcome.code, outcome.text) == (1, ""), argv
    assert outcome.notes.startswith(because), argv


# Where a link may lead.


def test_a_link_inside_the_work_tree_is_followed(tmp_path: Path) -> None:
    write(tmp_path / "graphs/here", GRAPH)
    commit_all(linked(tmp_path, "graphs/here"))
    assert PRIVATE in run("build-context", "a", "-C", str(tmp_path)).text
    assert run("drift-sync", "--all", "-C", str(tmp_path)).code == 0
    assert (tmp_path / "graphs/here/.drift-state").is_dir()
    assert run("init", "--upgrade", "-C", str(tmp_path)).code == 0


def test_a_link_from_a_part_may_lead_to_any_place_of_the_work_tree(tmp_path: Path) -> None:
    write(tmp_path / "graphs", GRAPH)
    part = linked(tmp_path / "part", "../graphs")
    refused(part, "tree")  # without git, the part is all there is
    commit_all(tmp_path)
    assert run("tree", "-C", str(part)).code == 0
    assert run("drift-sync", "--all", "-C", str(part)).code == 0
    assert (tmp_path / "graphs/.drift-state").is_dir()


def test_a_chain_of_links_is_judged_by_its_end(tmp_path: Path) -> None:
    write(tmp_path / "root/graphs", GRAPH)
    root = commit_and_link(tmp_path / "root", "one")
    (root / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(root / ".git/three")
    (root / ".git/three").symlink_to("../graphs")
    assert run("tree", "-C", str(root)).code == 0
    (root / ".git/three").unlink()
    (root / ".git/three").symlink_to(write(tmp_path / "elsewhere", GRAPH))
    refused(root, "tree")


def commit_and_link(root: Path, target: str | Path) -> Path:
    write(root, {"src/a.py": "a = 1\n"})
    commit_all(root)
    return linked(root, target)


def in_git(root: Path) -> str:
    write(root / ".git/graph", GRAPH)
    return ".git/graph"


def in_separate_git(root: Path) -> str:
    (root / ".git").rename(root / "store.git")
    (root / ".git").write_text("gitdir: store.git\n")
    write(root / "store.git/graph", GRAPH)
    return "store.git/graph"


def in_submodule(root: Path) -> str:
    commit_all(
        write(root.parent / "inner", {f"graph/{path}": text for path, text in GRAPH.items()})
    )
    sh(root, "submodule", "-q", "add", str(root.parent / "inner"), "sub")
    return "sub/graph"


def in_clone(root: Path) -> str:
    commit_all(write(root / "clone", {f"graph/{path}": text for path, text in GRAPH.items()}))
    return "clone/graph"


def in_linked_work_tree(root: Path) -> str:
    sh(root, "worktree", "add", "-q", "tree", "-b", "other")
    write(root / "tree/graph", GRAPH)
    return "tree/graph"


def beside(root: Path) -> str:
    write(root.parent / "beside", GRAPH)
    return "../beside"


def with_a_similar_name(root: Path) -> str:
    write(root.parent / f"{root.name}-too", GRAPH)
    return f"../{root.name}-too"


def at_the_top(root: Path) -> str:
    write(root, GRAPH)
    return "."


PLACES = [
    in_git,
    in_separate_git,
    in_submodule,
    in_clone,
    in_linked_work_tree,
    beside,
    with_a_similar_name,
    at_the_top,
]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_what_is_not_of_the_work_tree_is_outside(
    tmp_path: Path, place: Callable[[Path], str]
) -> None:
    root = tmp_path / "root"
    commit_all(write(root, {"src/a.py": "a = 1\n"}))
    linked(root, place(root))
    assert (root / ".yggdrasil/model").is_dir()
    before = sorted(tmp_path.rglob("*"))
    for argv in (("tree",), ("drift-sync", "--all"), ("init", "--upgrade")):
        refused(root, *argv)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (".yggdrasil", "cannot be followed: Too many levels of symbolic links\n"),
        ("nowhere", "cannot be followed: No such file or directory\n"),
        ("../nowhere", "cannot be followed: No such file or directory\n"),
        ("src/a.py", "to something that is not a directory\n"),
        ("src/a.py/x", "cannot be followed: Not a directory\n"),
        ("/dev/null", "to a place outside this work tree\n"),
        ("/etc", "to a place outside this work tree\n"),
        ("/", "to a place outside this work tree\n"),
    ],
)
def test_a_link_without_a_graph_is_refused_even_below_another_graph(
    tmp_path: Path, target: str, reason: str
) -> None:
    write_graph(tmp_path, GRAPH)
    root = linked(tmp_path / "root", target)
    link = "that " if reason.startswith("cannot") else ""
    because = f"error: .yggdrasil is a link {link}{reason}"
    for argv in (("tree",), ("status",), ("init", "--nested"), ("init", "--upgrade"), ("draft",)):
        refused(root, *argv, because=because)
    assert sorted(os.listdir(root)) == [".yggdrasil", "src"]


def test_links_of_other_names_that_hold_no_graph_are_none_of_ours(tmp_path: Path) -> None:
    root = write_graph(tmp_path / "root", {path: str(text) for path, text in GRAPH.items()})
    (root / "yggdrasil").symlink_to("/etc")
    (root / "specgraph").symlink_to("nowhere")
    assert run("tree", "-C", str(root)).code == 0


# Every command and every surface.

WITHOUT_GIT = (
    ("owner", "src/a.py"),
    ("show", "src/a.py:1", "a"),
    ("deps", "a"),
    ("uses", "src/a.py::a"),
    ("aspects",),
    ("flows",),
    ("mv", "a", "b"),
    ("rm", "a", "--force"),
    ("new", "node", "b"),
)
OF_SPECS = (
    ("node", "remove", "MAIL-01"),
    ("node", "set", "MAIL", "title", "Post"),
    ("link", "MAIL", "depends_on", "MAIL-01"),
    ("unlink", "MAIL", "contains", "MAIL-01"),
    ("pin", "MAIL"),
    ("lock",),
    ("verify", "MAIL-01"),
)


@pytest.mark.parametrize("command", [*COMMANDS, *WITHOUT_GIT], ids=" ".join)
def test_every_command_refuses_a_link_to_another_place(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    outside = write(tmp_path / "outside", GRAPH)
    root = commit_and_link(tmp_path / "root", "../outside")
    before = files_below(outside)
    refused(root, *command)
    assert files_below(outside) == before


@pytest.mark.parametrize(
    ("folder", "files", "kind"),
    [("yggdrasil", OLD, "yggdrasil-0x"), ("specgraph", SPECS, "specgraph")],
)
def test_the_other_kinds_of_graphs_obey_the_same_rule(
    tmp_path: Path, folder: str, files: dict[str, str | bytes], kind: str
) -> None:
    write(tmp_path / "outside", files)
    root = linked(tmp_path / "root", "../outside", folder)
    before = files_below(tmp_path)
    because = OUTSIDE.format(folder)
    refused(root, "tree", because=because)
    refused(root, "tree", "--kind", kind, because=because)
    init = ("init",) if folder == "yggdrasil" else ("init", "--kind", kind)
    refused(root, *init, because=because)
    assert files_below(tmp_path) == before
    (root / folder).unlink()
    (tmp_path / "outside").rename(root / "inside")
    (root / folder).symlink_to("inside")
    assert run("tree", "-C", str(root)).code == 0


@pytest.mark.parametrize("command", OF_SPECS, ids=" ".join)
def test_the_commands_of_spec_graphs_refuse_it_too(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    write(tmp_path / "outside", SPECS)
    root = linked(tmp_path / "root", "../outside", "specgraph")
    before = files_below(tmp_path)
    refused(root, *command, because=OUTSIDE.format("specgraph"))
    assert files_below(tmp_path) == before


def test_what_an_interrupted_write_left_outside_is_not_completed(tmp_path: Path) -> None:
    write(tmp_path / "outside", SPECS | {".cache/journal": "x" * 100})
    root = linked(tmp_path / "root", "../outside", "specgraph")
    before = files_below(tmp_path / "outside")
    refused(root, "validate", because=OUTSIDE.format("specgraph"))
    assert files_below(tmp_path / "outside") == before


def test_the_mcp_server_refuses_it_and_notices_when_a_link_changes(tmp_path: Path) -> None:
    write(tmp_path / "root/inside", GRAPH)
    root = linked(tmp_path / "root", "way")
    (root / "way").symlink_to("inside")
    outside = write(tmp_path / "outside", GRAPH)
    with agent("-C", str(root)) as client:
        assert not client.call("tree").is_error
        (root / "way").unlink()
        (root / "way").symlink_to(outside)
        result = client.call("build-context", node="a")
        assert result.is_error
        assert "outside this work tree" in "".join(texts(result))
        assert PRIVATE not in "".join(texts(result))


def test_the_language_server_refuses_it(tmp_path: Path) -> None:
    write(tmp_path / "outside", GRAPH)
    root = linked(tmp_path / "root", "../outside")
    checker = Checker(Session(str(root), uses_index=False))
    checked = finished(checker.steps(Documents(), UTF16))
    assert "outside this work tree" in checked.problem
    assert checked.diagnostics == {}
    with pytest.raises(YgError, match="outside this work tree"):
        checker.view(Documents(), UTF16)


def test_the_explorer_refuses_it_and_shows_the_last_state_when_a_link_changes(
    tmp_path: Path,
) -> None:
    from yg.surfaces.explorer.source import PageSource
    from yg.workspace.opening import open_workspace

    write(tmp_path / "root/inside", GRAPH)
    root = linked(tmp_path / "root", "inside")
    refused(linked(tmp_path / "other", "../root/inside"), "explore", "--no-open")
    source = PageSource(lambda: open_workspace(str(root), uses_index=False))
    before = source.data()
    (root / ".yggdrasil").unlink()
    (root / ".yggdrasil").symlink_to(write(tmp_path / "outside", GRAPH | {"model/b/x": ""}))
    source._next_look = 0.0
    assert source.data() == before


def test_the_api_refuses_it(tmp_path: Path) -> None:
    write(tmp_path / "outside", GRAPH)
    with pytest.raises(YgError, match="outside this work tree"):
        yg.open_workspace(linked(tmp_path / "root", "../outside"))


def test_an_import_reads_the_graph_of_its_source_under_the_same_rule(tmp_path: Path) -> None:
    here = write_graph(tmp_path / "here", {"yg-config.yaml": CONFIG})
    source = tmp_path / "source"
    commit_all(write_graph(source, GRAPH))
    assert run("import", "add", "other", "../source", "-C", str(here)).code == 0
    (source / ".yggdrasil").rename(tmp_path / "outside")
    (source / ".yggdrasil").symlink_to("../outside")
    write(tmp_path / "outside", {"model/a/interface.md": "Another secret.\n"})
    before = files_below(here)
    for argv in (("add", "other", "../source"), ("update", "other"), ("update",)):
        outcome = run("import", *argv, "-C", str(here))
        assert (outcome.code, outcome.text) == (1, "")
        assert "outside this work tree" in outcome.notes
    assert files_below(here) == before
    (source / ".yggdrasil").unlink()
    (tmp_path / "outside").rename(source / "inside")
    (source / ".yggdrasil").symlink_to("inside")
    assert run("import", "update", "other", "-C", str(here)).code == 0


def test_links_inside_a_graph_are_still_not_followed(tmp_path: Path) -> None:
    write(tmp_path / "outside", {"yg-node.yaml": NODE, "responsibility.md": f"{PRIVATE}\n"})
    write(tmp_path / "root/inside", GRAPH)
    root = linked(tmp_path / "root", "inside")
    (root / "inside/model/b").symlink_to(tmp_path / "outside")
    outcome = run("validate", "-C", str(root))
    assert "W019" in outcome.text


# What is not a link.


def test_the_place_of_a_graph_that_is_not_linked_is_its_folder(tmp_path: Path) -> None:
    root = str(write_graph(tmp_path / "root", {"yg-config.yaml": CONFIG}))
    assert graph_place(root, ".yggdrasil") == (root, ".yggdrasil")
    assert graph_place(root, "specgraph") == (root, "specgraph")  # there is none yet


def test_a_work_tree_that_is_reached_by_a_link_is_the_same(tmp_path: Path) -> None:
    write(tmp_path / "root/graphs", GRAPH)
    linked(tmp_path / "root", "graphs")
    (tmp_path / "way").symlink_to("root")
    assert run("drift-sync", "--all", "-C", str(tmp_path / "way")).code == 0
    shutil.rmtree(tmp_path / "root/graphs/.drift-state")
