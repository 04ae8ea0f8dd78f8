"""The search for a graph ends where the files of the user end; a linked graph stays inside."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hostile import commit_all, config_text, give_away, needs_root, sh, write
from yg.disk.opening import (
    ForeignGraphError,
    Found,
    GraphKind,
    find_graph,
    find_graph_in,
    graph_at,
)
from yg.disk.repository import require_repository
from yg.kernel.errors import NoGraphError, UsageError, YgError

TWO = GraphKind("yggdrasil", ".yggdrasil")
ZERO = GraphKind("yggdrasil-0x", "yggdrasil", marker="config.yaml")
SPECS = GraphKind("specgraph", "specgraph", marker="specgraph.yaml", trace="nodes")
KINDS = (TWO, ZERO, SPECS)
GRAPH = {".yggdrasil/yg-config.yaml": "name: G\n"}


def found(directory: Path) -> tuple[str, str, str, str]:
    graph = find_graph(str(directory), KINDS)
    return graph.root, graph.kind.name, graph.base, graph.path


def missing(directory: Path) -> str:
    with pytest.raises(NoGraphError) as caught:
        find_graph(str(directory), KINDS)
    return caught.value.message


def trust(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *places: str) -> None:
    """Let the user's own configuration name directories as safe."""
    text = "".join(config_text({"safe.directory": place}) for place in places)
    write(tmp_path, {"own-config": text})
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "own-config"))


NONE = "No .yggdrasil/ directory found. Run 'yg init' first."


# How far the search goes.


def test_the_nearest_graph_above_is_found(tmp_path: Path) -> None:
    root = str(tmp_path)
    write(tmp_path, {**GRAPH, "src/deep/a.py": "", "other/.yggdrasil/x": ""})
    for place in (".", "src/deep", ".yggdrasil"):
        assert found(tmp_path / place) == (root, "yggdrasil", root, ".yggdrasil")
    assert found(tmp_path / "other")[0] == f"{root}/other"


def test_other_kinds_are_found_by_their_marker_or_their_trace(tmp_path: Path) -> None:
    write(tmp_path, {"a/yggdrasil/config.yaml": "", "b/specgraph/nodes/x": "", "c/yggdrasil/x": ""})
    assert found(tmp_path / "a")[1] == "yggdrasil-0x"
    assert found(tmp_path / "b")[1] == "specgraph"
    assert missing(tmp_path / "c") == NONE


def test_two_kinds_in_one_place_have_to_be_told_apart(tmp_path: Path) -> None:
    write(tmp_path, {**GRAPH, "yggdrasil/config.yaml": ""})
    with pytest.raises(UsageError) as caught:
        find_graph(str(tmp_path), KINDS)
    assert caught.value.message == "there are graphs of kinds yggdrasil and yggdrasil-0x here"
    assert caught.value.hint == "Choose one with --kind yggdrasil or --kind yggdrasil-0x."
    assert find_graph(str(tmp_path), (ZERO,)).kind == ZERO


def test_without_a_graph_the_message_says_what_to_do(tmp_path: Path) -> None:
    assert missing(tmp_path) == NONE
    with pytest.raises(NoGraphError) as caught:
        find_graph(str(tmp_path), (SPECS,))
    assert caught.value.message == "No graph of kind specgraph found from here upwards."
    with pytest.raises(YgError, match="nowhere' is not a directory"):
        find_graph(str(tmp_path / "nowhere"), KINDS)


def test_the_search_ends_at_the_top_of_the_work_tree(tmp_path: Path) -> None:
    write(tmp_path, GRAPH)
    commit_all(tmp_path / "clone", {"src/a.py": ""})
    assert missing(tmp_path / "clone/src") == NONE
    write(tmp_path / "clone", GRAPH)
    assert found(tmp_path / "clone/src")[0] == str(tmp_path / "clone")


@pytest.mark.parametrize("content", ["gitdir: nowhere\n", "gitdir: ../main/.git/worktrees/clone\n"])
def test_a_work_tree_whose_git_directory_is_gone_is_the_end_too(
    tmp_path: Path, content: str
) -> None:
    write(tmp_path, {**GRAPH, "clone/.git": content, "clone/src/a.py": ""})
    assert missing(tmp_path / "clone/src") == NONE


def test_a_submodule_and_a_linked_work_tree_have_a_graph_of_their_own(tmp_path: Path) -> None:
    commit_all(tmp_path / "inner", {"x": ""})
    main = tmp_path / "main"
    commit_all(main, GRAPH)
    sh(main, "submodule", "-q", "add", str(tmp_path / "inner"), "sub")
    sh(main, "worktree", "add", "-q", "--detach", str(main / "linked"))
    assert missing(main / "sub") == NONE
    assert found(main / "linked")[0] == str(main / "linked")
    shutil.rmtree(main / "linked/.yggdrasil")
    assert missing(main / "linked") == NONE


@needs_root
def test_outside_of_git_only_directories_of_the_user_are_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {**GRAPH, "theirs/mine/src/a.py": "", "theirs/mine/.yggdrasil/x": ""})
    os.chown(tmp_path / "theirs", 54_321, 54_321)
    assert found(tmp_path / "theirs/mine/src")[0] == str(tmp_path / "theirs/mine")
    shutil.rmtree(tmp_path / "theirs/mine/.yggdrasil")
    assert missing(tmp_path / "theirs/mine/src") == NONE
    trust(monkeypatch, tmp_path, str(tmp_path / "theirs"))
    assert found(tmp_path / "theirs/mine/src")[0] == str(tmp_path)


# Whose graph it is.


@needs_root
@pytest.mark.parametrize("has_repository", [True, False])
def test_a_graph_of_somebody_else_is_used_only_if_the_user_trusts_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_repository: bool
) -> None:
    root = write(tmp_path / "it's root", GRAPH)
    if has_repository:
        commit_all(root)
    give_away(root / ".yggdrasil")
    with pytest.raises(ForeignGraphError) as caught:
        find_graph(str(root), KINDS)
    assert caught.value.message == f"the graph in '{root}' belongs to another user"
    expected = f"""'{tmp_path}/it'"'"'s root'"""
    hint = f"If you trust it: git config --global --add safe.directory {expected}"
    assert caught.value.hint == hint
    for places in (("/elsewhere",), ("*", ""), (f"{root}/.yggdrasil",)):
        trust(monkeypatch, tmp_path, *places)
        with pytest.raises(ForeignGraphError):
            find_graph(str(root), KINDS)
    for places in ((str(root),), ("*",), ("", str(root)), (f"{tmp_path}/*",)):
        trust(monkeypatch, tmp_path, *places)
        assert find_graph(str(root), KINDS).root == str(root)


@needs_root
def test_the_repository_itself_cannot_say_that_it_is_safe(tmp_path: Path) -> None:
    commit_all(tmp_path, GRAPH)
    sh(tmp_path, "config", "safe.directory", "*")
    give_away(tmp_path / ".yggdrasil")
    with pytest.raises(ForeignGraphError):
        find_graph(str(tmp_path), KINDS)


def test_a_directory_without_a_graph_is_a_place_for_one(tmp_path: Path) -> None:
    root = str(tmp_path)
    assert graph_at(root, TWO) == Found(root, TWO, root, ".yggdrasil")


# In a commit.


def test_a_commit_has_the_graph_that_was_committed(tmp_path: Path) -> None:
    first = commit_all(tmp_path, {"a": "", "sub/yggdrasil/config.yaml": ""})
    second = commit_all(tmp_path, GRAPH)
    top, sub = (require_repository(str(place)) for place in (tmp_path, tmp_path / "sub"))
    assert find_graph_in(top, second, KINDS) == TWO
    assert find_graph_in(sub, first, KINDS) == ZERO
    with pytest.raises(NoGraphError, match=f"there is no graph in commit {first[:12]}"):
        find_graph_in(top, first, KINDS)


# Where a link may lead.


def refused(root: Path) -> str:
    with pytest.raises(YgError) as caught:
        find_graph(str(root), KINDS)
    assert caught.value.hint.startswith("yg follows such a link only to a directory of the same")
    return caught.value.message


OUTSIDE = ".yggdrasil is a link to a place outside this work tree"


def test_a_link_inside_the_work_tree_is_followed(tmp_path: Path) -> None:
    write(tmp_path, {"graphs/here/x": ""})
    (tmp_path / ".yggdrasil").symlink_to("graphs/here")
    root = str(tmp_path)
    assert found(tmp_path) == (root, "yggdrasil", root, "graphs/here")
    commit_all(tmp_path)
    assert found(tmp_path) == (root, "yggdrasil", root, "graphs/here")


def test_a_link_from_a_part_may_lead_to_any_place_of_the_work_tree(tmp_path: Path) -> None:
    write(tmp_path, {"graphs/x": "", "part/a": ""})
    (tmp_path / "part/.yggdrasil").symlink_to("../graphs")
    assert refused(tmp_path / "part") == OUTSIDE  # without git, the part is all there is
    commit_all(tmp_path)
    part = str(tmp_path / "part")
    assert found(tmp_path / "part") == (part, "yggdrasil", str(tmp_path), "graphs")


def test_a_chain_of_links_is_judged_by_its_end(tmp_path: Path) -> None:
    root = tmp_path / "root"
    commit_all(root, {"graphs/x": ""})
    (root / ".yggdrasil").symlink_to("one")
    (root / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(root / ".git/three")
    (root / ".git/three").symlink_to("../graphs")
    assert found(root)[3] == "graphs"
    (root / ".git/three").unlink()
    (root / ".git/three").symlink_to(write(tmp_path / "elsewhere", {"x": ""}))
    assert refused(root) == OUTSIDE


def in_git(root: Path) -> str:
    write(root, {".git/graph/x": ""})
    return ".git/graph"


def in_separate_git(root: Path) -> str:
    (root / ".git").rename(root / "store.git")
    write(root, {".git": "gitdir: store.git\n", "store.git/graph/x": ""})
    return "store.git/graph"


def in_submodule(root: Path) -> str:
    commit_all(root.parent / "inner", {"graph/x": ""})
    sh(root, "submodule", "-q", "add", str(root.parent / "inner"), "sub")
    return "sub/graph"


def in_clone(root: Path) -> str:
    commit_all(root / "clone", {"graph/x": ""})
    return "clone/graph"


def in_linked_work_tree(root: Path) -> str:
    sh(root, "worktree", "add", "-q", "tree", "-b", "other")
    write(root, {"tree/graph/x": ""})
    return "tree/graph"


def beside(root: Path) -> str:
    write(root.parent, {"beside/x": ""})
    return "../beside"


def with_a_similar_name(root: Path) -> str:
    write(root.parent, {f"{root.name}-too/x": ""})
    return f"../{root.name}-too"


def at_the_top(_root: Path) -> str:
    return "."


PLACES = [
    *(in_git, in_separate_git, in_submodule, in_clone, in_linked_work_tree),
    *(beside, with_a_similar_name, at_the_top),
]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_what_is_not_of_the_work_tree_is_outside(
    tmp_path: Path, place: Callable[[Path], str]
) -> None:
    root = tmp_path / "root"
    commit_all(root, {"src/a.py": "a = 1\n"})
    (root / ".yggdrasil").symlink_to(place(root))
    assert (root / ".yggdrasil").is_dir()
    assert refused(root) == OUTSIDE


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (".yggdrasil", "that cannot be followed: Too many levels of symbolic links"),
        ("nowhere", "that cannot be followed: No such file or directory"),
        ("src/a.py", "to something that is not a directory"),
        ("src/a.py/x", "that cannot be followed: Not a directory"),
        ("/dev/null", "to a place outside this work tree"),
        ("/etc", "to a place outside this work tree"),
        ("/", "to a place outside this work tree"),
    ],
)
def test_a_link_without_a_graph_is_refused_even_below_another_graph(
    tmp_path: Path, target: str, reason: str
) -> None:
    write(tmp_path, {**GRAPH, "root/src/a.py": ""})
    (tmp_path / "root/.yggdrasil").symlink_to(target)
    assert refused(tmp_path / "root/src") == f".yggdrasil is a link {reason}"


def test_links_of_other_names_without_a_graph_are_ignored(tmp_path: Path) -> None:
    write(tmp_path, GRAPH)
    (tmp_path / "yggdrasil").symlink_to("/etc")
    (tmp_path / "specgraph").symlink_to("nowhere")
    assert found(tmp_path)[1] == "yggdrasil"
