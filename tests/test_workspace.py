"""A workspace is found from any directory inside it, and answers to names as people type them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from support import CONFIG, NODE, git
from support import write as write_files
from yg.disk.git.process import GitError
from yg.kernel.errors import (
    NoGraphError,
    NotFoundError,
    OldEditionError,
    RefusedError,
    YgError,
)
from yg.workspace.given import relative_path
from yg.workspace.opened import OpenWorkspace, yggdrasil_graph
from yg.workspace.opening import open_workspace
from yg.workspace.past import queries_at

GRAPH = {
    ".yggdrasil/yg-config.yaml": CONFIG,
    ".yggdrasil/model/orders/yg-node.yaml": NODE,
    ".yggdrasil/model/orders/order-service/yg-node.yaml": NODE,
    ".yggdrasil/model/bare/deep/yg-node.yaml": NODE,
    ".yggdrasil/model/bad/yg-node.yaml": "name: 1\n",
    "src/orders/a.py": "a\n",
}


def write(root: Path, files: Mapping[str, str] = GRAPH) -> Path:
    return write_files(root, files)


def commit(root: Path, files: Mapping[str, str] = GRAPH) -> str:
    """Write files, commit everything there is, and return the id of the commit."""
    write(root, files)
    if not (root / ".git").exists():
        git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "one")
    return git(root, "rev-parse", "HEAD")


def opened(directory: Path, revision: str | None = None) -> OpenWorkspace:
    return open_workspace(str(directory), revision)


def nodes(workspace: OpenWorkspace) -> list[str]:
    return [node.path for node in workspace.graph.nodes]


# Finding the graph.


@pytest.mark.parametrize("place", [".", "src", "src/orders", ".yggdrasil", ".yggdrasil/model"])
def test_the_graph_is_found_from_every_directory_below(tmp_path: Path, place: str) -> None:
    workspace = opened(write(tmp_path) / place)
    assert (workspace.root, workspace.commit) == (str(tmp_path), "")
    assert nodes(workspace) == ["bare/deep", "orders", "orders/order-service"]


def test_the_nearest_graph_counts(tmp_path: Path) -> None:
    write(tmp_path / "inner", {**GRAPH, "sub/x": ""})
    assert opened(write(tmp_path) / "inner" / "sub").root == str(tmp_path / "inner")
    assert opened(tmp_path).root == str(tmp_path)


def test_the_way_up_does_not_end_at_the_top_of_a_git_repository(tmp_path: Path) -> None:
    commit(write(tmp_path) / "service", {"src/x.py": ""})
    for place, folder in (("service", "../.yggdrasil"), ("service/src", "../../.yggdrasil")):
        workspace = opened(tmp_path / place)
        assert workspace.root == str(tmp_path)
        assert workspace.notes == (f"this git repository has no graph; using {folder}",)


def test_a_graph_of_the_same_repository_needs_no_note(tmp_path: Path) -> None:
    commit(tmp_path, {f"shop/{path}": text for path, text in GRAPH.items()})
    assert opened(tmp_path / "shop" / "src").notes == ()
    assert opened(write(tmp_path / "plain") / "src").notes == ()


def test_a_submodule_and_a_linked_work_tree_are_repositories_of_their_own(tmp_path: Path) -> None:
    commit(tmp_path / "library", {"x.py": ""})
    commit(tmp_path / "main")
    git(tmp_path / "main", "checkout", "-q", "--orphan", "bald")
    git(tmp_path / "main", "rm", "-rfq", ".")
    commit(tmp_path / "main", {"y.py": ""})
    git(tmp_path / "main", "checkout", "-q", "main")
    git(tmp_path / "main", "worktree", "add", "-q", "trees/bald", "bald")
    add = ("-c", "protocol.file.allow=always", "submodule", "--quiet", "add")
    git(tmp_path / "main", *add, str(tmp_path / "library"), "vendor")
    for place, folder in (("vendor", ".."), ("trees/bald", "../..")):
        workspace = opened(tmp_path / "main" / place)
        assert workspace.root == str(tmp_path / "main")
        assert workspace.notes == (f"this git repository has no graph; using {folder}/.yggdrasil",)
        with pytest.raises(NoGraphError) as caught:
            opened(tmp_path / "main" / place, "HEAD")
        assert caught.value.hint == f"The graph in {folder} is outside this git repository."
    assert nodes(opened(tmp_path / "main" / "trees" / "bald", "main")) == [
        "bare/deep",
        "orders",
        "orders/order-service",
    ]


def test_a_file_of_that_name_is_not_a_graph(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / ".yggdrasil").write_text("x")
    assert opened(tmp_path / "inner").root == str(tmp_path)


def test_without_a_graph_one_is_told_how_to_begin(tmp_path: Path) -> None:
    with pytest.raises(NoGraphError) as caught:
        opened(tmp_path)
    assert caught.value.message == "No .yggdrasil/ directory found. Run 'yg init' first."


@pytest.mark.parametrize("place", ["nowhere", "src/orders/a.py"])
def test_a_start_has_to_be_a_directory(tmp_path: Path, place: str) -> None:
    with pytest.raises(YgError) as caught:
        opened(write(tmp_path) / place)
    assert caught.value.message == f"'{tmp_path / place}' is not a directory"


def test_a_linked_graph_folder_works(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere")
    (tmp_path / ".yggdrasil").symlink_to("elsewhere/.yggdrasil")
    workspace = opened(tmp_path)
    assert workspace.root == str(tmp_path)
    assert nodes(workspace) == ["bare/deep", "orders", "orders/order-service"]


def test_a_graph_of_the_old_layout_has_to_be_upgraded(tmp_path: Path) -> None:
    with pytest.raises(OldEditionError) as caught:
        _ = opened(write(tmp_path, {".yggdrasil/config.yaml": "name: x\n"})).graph
    assert "yg init --upgrade" in caught.value.hint


# Names as people type them.


@pytest.mark.parametrize(
    "name",
    [
        "orders/order-service",
        "./orders/order-service",
        "orders/order-service/",
        "orders//order-service///",
        "model/orders/order-service",
        "./model/orders/order-service/",
        "orders/./order-service",
        "bare/../orders/order-service",
    ],
)
def test_a_node_is_found_by_every_spelling_of_its_path(tmp_path: Path, name: str) -> None:
    assert opened(write(tmp_path)).node(name).path == "orders/order-service"


def test_a_node_below_a_folder_called_model_wins_over_the_prefix(tmp_path: Path) -> None:
    files = {".yggdrasil/model/model/orders/yg-node.yaml": NODE}
    assert opened(write(tmp_path, {**GRAPH, **files})).node("model/orders").path == "model/orders"


@pytest.mark.parametrize("name", ["order/order-service", "../orders", "/orders", "bare", "..", ""])
def test_a_name_that_no_node_has_is_reported_with_the_nearest_ones(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(NotFoundError) as caught:
        opened(write(tmp_path)).node(name)
    assert caught.value.message == f"no node at '{name}'"
    assert caught.value.hint != ""


def test_a_name_close_to_one_that_exists_is_a_suggestion(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError) as caught:
        opened(write(tmp_path)).node("order/order-service")
    assert caught.value.hint == "Did you mean 'orders/order-service'?"


def test_a_node_that_cannot_be_read_is_refused_with_its_errors(tmp_path: Path) -> None:
    workspace = opened(write(tmp_path))
    assert workspace.directory("bad") == "bad"
    with pytest.raises(RefusedError) as caught:
        workspace.node("bad")
    assert caught.value.message == "node 'bad' could not be read"
    assert {issue.code for issue in caught.value.issues} == {"E001"}


@pytest.mark.parametrize(
    ("name", "path"), [("bare", "bare"), ("./bare/", "bare"), ("model/bare", "bare"), (".", ".")]
)
def test_a_directory_that_leads_to_nodes_is_found_like_a_node(
    tmp_path: Path, name: str, path: str
) -> None:
    assert opened(write(tmp_path)).directory(name) == path


def test_a_directory_that_leads_nowhere_is_reported(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no node at 'bar'"):
        opened(write(tmp_path)).directory("bar")


@pytest.mark.parametrize(
    ("file", "path"),
    [
        ("a.py", "src/orders/a.py"),
        ("./x/../a.py", "src/orders/a.py"),
        ("../b.py", "src/b.py"),
        ("../..", "."),
        ("gone/deep", "src/orders/gone/deep"),
        ("../../..", None),
        ("../../../elsewhere", None),
        ("/", None),
        ("/etc/passwd", None),
    ],
)
def test_a_file_is_named_from_the_root_of_the_repository(
    tmp_path: Path, file: str, path: str | None
) -> None:
    write(tmp_path / "repository")
    assert relative_path(opened(tmp_path / "repository" / "src" / "orders"), file) == path


def test_a_neighbour_with_the_same_beginning_is_outside(tmp_path: Path) -> None:
    workspace = opened(write(tmp_path / "shop"))
    assert relative_path(workspace, str(tmp_path / "shop2" / "a.py")) is None
    assert relative_path(workspace, str(tmp_path / "shop" / "a.py")) == "a.py"


def test_a_link_above_the_repository_is_not_a_way_out_of_it(tmp_path: Path) -> None:
    write(tmp_path / "real" / "shop")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    by_link, by_name = opened(tmp_path / "link" / "shop"), opened(tmp_path / "real" / "shop")
    for workspace in (by_link, by_name):
        for way in ("link", "real"):
            file = tmp_path / way / "shop" / "src" / "orders" / "a.py"
            assert relative_path(workspace, str(file)) == "src/orders/a.py"


def test_a_link_inside_the_repository_is_named_as_itself(tmp_path: Path) -> None:
    workspace = opened(write(tmp_path))
    (tmp_path / "src" / "link.py").symlink_to("/etc/passwd")
    assert relative_path(workspace, "src/link.py") == "src/link.py"


# A commit instead of the work tree.


def test_a_commit_is_seen_as_it_was(tmp_path: Path) -> None:
    made = commit(tmp_path)
    write(tmp_path, {".yggdrasil/model/new/yg-node.yaml": NODE})
    (tmp_path / ".yggdrasil" / "model" / "bare" / "deep" / "yg-node.yaml").unlink()
    workspace = opened(tmp_path / "src", "HEAD")
    assert (workspace.root, workspace.commit) == (str(tmp_path), made)
    assert nodes(workspace) == ["bare/deep", "orders", "orders/order-service"]
    assert nodes(opened(tmp_path)) == ["new", "orders", "orders/order-service"]


def test_the_sources_of_a_commit_are_its_own(tmp_path: Path) -> None:
    commit(tmp_path)
    (tmp_path / "src" / "orders" / "a.py").unlink()
    write(tmp_path, {"src/orders/b.py": "b"})
    assert opened(tmp_path, "HEAD").sources.files("src") == ("src/orders/a.py",)
    assert opened(tmp_path).sources.files("src") == ("src/orders/b.py",)


def test_the_graph_of_another_commit_is_beside_the_present_one(tmp_path: Path) -> None:
    commit(tmp_path)
    commit(tmp_path, {".yggdrasil/model/new/yg-node.yaml": NODE})
    workspace = opened(tmp_path)
    assert yggdrasil_graph(queries_at(workspace, "HEAD~1")[0]).nodes.get("new") is None
    assert yggdrasil_graph(queries_at(workspace, "HEAD")[0]).nodes.get("new") is not None


@pytest.mark.parametrize("place", ["shop", "shop/src/orders"])
def test_a_graph_below_the_top_of_the_git_repository_is_its_own_root(
    tmp_path: Path, place: str
) -> None:
    commit(tmp_path, {f"shop/{path}": text for path, text in GRAPH.items()})
    workspace = opened(tmp_path / place, "HEAD")
    assert workspace.root == str(tmp_path / "shop")
    assert workspace.sources.files("src") == ("src/orders/a.py",)
    assert nodes(workspace) == nodes(opened(tmp_path / place))


def test_a_graph_that_only_the_commit_has_is_found_by_walking_up_in_it(tmp_path: Path) -> None:
    commit(tmp_path, {f"shop/{path}": text for path, text in GRAPH.items()})
    git(tmp_path, "tag", "then")
    git(tmp_path, "rm", "-rq", "shop/.yggdrasil")
    commit(tmp_path, {"shop/src/deep/new.py": ""})
    for place in ("shop", "shop/src/orders", "shop/src/deep"):
        workspace = opened(tmp_path / place, "then")
        assert workspace.root == str(tmp_path / "shop")
        assert nodes(workspace) == ["bare/deep", "orders", "orders/order-service"]
    assert relative_path(opened(tmp_path / "shop" / "src" / "deep", "then"), "x") == "src/deep/x"


def test_a_graph_beside_the_way_up_is_not_found(tmp_path: Path) -> None:
    commit(tmp_path, {f"shop/{path}": text for path, text in GRAPH.items()})
    with pytest.raises(NoGraphError, match=r"there is no .* in commit"):
        opened(tmp_path, "HEAD")


def test_a_bare_repository_has_a_graph_in_its_commits(tmp_path: Path) -> None:
    commit(tmp_path / "main")
    git(tmp_path, "clone", "-q", "--bare", "main", "bare")
    assert nodes(opened(tmp_path / "bare", "main")) == [
        "bare/deep",
        "orders",
        "orders/order-service",
    ]
    with pytest.raises(NoGraphError, match=r"No \.yggdrasil/ directory found"):
        opened(tmp_path / "bare")


@pytest.mark.parametrize("outer", [write, commit])
@pytest.mark.parametrize("place", ["inner", "inner/src"])
def test_a_commit_of_a_repository_without_a_graph_never_gives_that_of_another(
    tmp_path: Path, outer: Callable[[Path], object], place: str
) -> None:
    outer(tmp_path)
    made = commit(tmp_path / "inner", {"src/x.py": ""})
    with pytest.raises(NoGraphError) as caught:
        opened(tmp_path / place, "HEAD")
    assert caught.value.message == f"there is no graph in commit {made[:12]}"
    assert caught.value.hint.endswith(" is outside this git repository.")
    git(tmp_path / "inner", "tag", "without")
    commit(tmp_path / "inner", {".yggdrasil/model/own/yg-node.yaml": NODE})
    git(tmp_path / "inner", "tag", "with")
    git(tmp_path / "inner", "checkout", "-q", "without")
    workspace = opened(tmp_path / place, "with")
    assert (workspace.root, nodes(workspace)) == (str(tmp_path / "inner"), ["own"])
    assert workspace.notes == ()


def test_a_bare_repository_below_a_graph_is_read_or_refused(tmp_path: Path) -> None:
    made = commit(tmp_path / "inner", {"x.py": ""})
    write(tmp_path / "plain")
    commit(tmp_path / "work")
    for folder in ("plain", "work"):
        git(tmp_path, "clone", "-q", "--bare", "inner", f"{folder}/inner.git")
        workspace = opened(tmp_path / folder / "inner.git")
        assert workspace.notes == ("this git repository has no graph; using ../.yggdrasil",)
    with pytest.raises(NoGraphError, match=f"no graph in commit {made[:12]}"):
        opened(tmp_path / "plain" / "inner.git", "HEAD")
    # git must not be started in a directory of a work tree that only looks like a repository.
    with pytest.raises(GitError) as caught:
        opened(tmp_path / "work" / "inner.git" / "refs", "HEAD")
    assert caught.value.message == (
        "inner.git is a bare git repository inside the work tree of another one"
    )
    assert opened(tmp_path / "work" / ".git" / "refs", "HEAD").root == str(tmp_path / "work")


def test_a_commit_without_a_graph_is_reported(tmp_path: Path) -> None:
    made = commit(tmp_path, {"README.md": "x"})
    write(tmp_path)
    with pytest.raises(NoGraphError) as caught:
        _ = opened(tmp_path, "HEAD").graph
    assert caught.value.message == f"there is no .yggdrasil/ in commit {made[:12]}"


def test_a_commit_with_a_graph_of_the_old_layout_is_reported(tmp_path: Path) -> None:
    commit(tmp_path, {".yggdrasil/config.yaml": "name: x\n"})
    (tmp_path / ".yggdrasil" / "config.yaml").unlink()
    write(tmp_path)
    with pytest.raises(OldEditionError):
        _ = opened(tmp_path, "HEAD").graph
