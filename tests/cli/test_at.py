"""`--at REV` answers as if that commit were checked out somewhere and asked there."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from support import CONFIG, NODE, git, run
from support import write as write_files
from yg.surfaces.cli.outcome import Outcome

LONG = "This text is long enough to satisfy every reader and every rule. "
# Relations, events, aspects, flows, anchors, mappings, names outside ASCII, CRLF and a BOM.
SOUND: dict[str, str | bytes] = {
    "yg-config.yaml": CONFIG,
    "model/top/yg-node.yaml": "name: Top\ntype: module\naspects: [{aspect: äspect}]\n",
    "model/top/responsibility.md": f"\ufeff{LONG}\r\nTop.\r\n",
    "model/top/a/yg-node.yaml": """\
name: A
type: service
aspects:
  - aspect: other
    anchors: [needle, nowhere]
    exceptions: [Not on Sundays]
relations:
  - {target: b, type: calls, consumes: [x], failure: retry}
  - {target: b, type: emits, event_name: E}
  - {target: box, type: uses}
mapping: {paths: [src/a, "src/ä ö.py", gone.py, built]}
""",
    "model/top/a/responsibility.md": LONG,
    "model/top/a/unknown.md": "Nobody reads this.\n",
    "model/b/yg-node.yaml": "name: B\ntype: service\nrelations: [{target: top/a, type: listens}]\n",
    "model/b/responsibility.md": f"{LONG}B.\n",
    "model/b/interface.md": "short\n",
    "model/box/yg-node.yaml": "name: Box\ntype: service\nblackbox: true\nmapping: {paths: [lib]}\n",
    "model/.hidden/yg-node.yaml": NODE,
    "aspects/äspect/yg-aspect.yaml": "name: Äspect\nimplies: [other]\nstability: protocol\n",
    "aspects/äspect/content.md": "Mind the dots.\n",
    "aspects/other/yg-aspect.yaml": "name: Other\n",
    "flows/f/yg-flow.yaml": "name: Flow\nnodes: [top]\naspects: [other]\n",
    "flows/f/description.md": "## Goal\nTo flow.\n",
}
SOURCES: dict[str, str | bytes] = {
    "src/a/one.py": "needle\n",
    "src/a/data.bin": b"\xff\x00",
    "src/ä ö.py": "",
    "lib/x": "",
    "built/out.txt": "",
    ".gitignore": "built/\n*.log\n",
    "README.md": "",
}
BROKEN: dict[str, str | bytes] = {
    **SOUND,
    "model/top/a/yg-node.yaml": "name: A\ntype: wizard\nrelations: [{target: gone, type: uses}]\n",
    "model/b/yg-node.yaml": "name: [\n",
    "model/c/yg-node.yaml": b"name: \xff\n",
    "model/d/internals.md": "No node.\n",
    "model/e/f/yg-node.yaml": "name: F\ntype: service\nmapping: {paths: [src, ../x, lib]}\n",
    "aspects/x/content.md": "An aspect without a declaration.\n",
    "flows/g/yg-flow.yaml": "name: G\nnodes: [nowhere]\naspects: [nothing]\n",
}
COMMANDS = (
    ("build-context", "top/a"),
    ("build-context", "b"),
    ("build-context", "top/a", "--json"),
    ("build-context", "top/a", "--why"),
    ("build-context", "top/a", "--format", "markdown"),
    ("build-context", "--file", "src/a/one.py"),
    ("build-context", "--file", "README.md"),
    ("build-context", "nowhere"),
    ("tree",),
    ("tree", "--json"),
    ("tree", "top"),
    ("validate",),
    ("validate", "--json"),
    ("validate", "--scope", "top"),
    ("validate", "--format", "sarif"),
    ("deps", "top/a"),
    ("deps", "top/a", "--json"),
    ("owner", "src/a/one.py", "src/a/gone.py", "src/ä ö.py", "lib", "README.md", "linked", "/"),
    ("owner", "src/a/one.py", "nowhere", "--json"),
    ("impact", "b"),
    ("impact", "b", "--json"),
    ("impact", "top/a", "--method", "x"),
    ("impact", "--aspect", "other"),
    ("impact", "--flow", "Flow"),
    ("coverage",),
    ("coverage", "--uncovered"),
)


def write(root: Path, files: Mapping[str, str | bytes], folder: str = "") -> Path:
    write_files(root / folder, files)
    return root


def commit(root: Path, graph: Mapping[str, str | bytes], tag: str) -> Path:
    """Put a graph and sources into a commit, with links, ignored files and a tool."""
    write(write(root, SOURCES), graph, ".yggdrasil")
    if not (root / ".git").exists():
        git(root, "init", "-q")
    if not (root / "linked").is_symlink():
        (root / "linked").symlink_to("README.md")
        (root / ".yggdrasil" / "model" / "linked").symlink_to("top")
        (root / ".yggdrasil" / "model" / "top" / "internals.md").symlink_to("responsibility.md")
    (root / "src" / "a" / "tool").write_text("#!/bin/sh\n")
    (root / "src" / "a" / "tool").chmod(0o755)
    git(root, "add", "-A")
    git(root, "add", "-f", "built")
    git(root, "commit", "-q", "-m", tag)
    git(root, "tag", tag)
    return root


def answer(argv: tuple[str, ...], root: Path, *options: str) -> Outcome:
    return run(*argv, *options, "-C", str(root))


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a repository of two commits whose work tree is like neither."""
    root = commit(tmp_path_factory.mktemp("history") / "shop", SOUND, "sound")
    commit(root, BROKEN, "broken")
    write(root, {"model/new/yg-node.yaml": NODE, "yg-config.yaml": "name: [\n"}, ".yggdrasil")
    (root / "src" / "a" / "one.py").unlink()
    git(root, "rm", "-q", "--cached", "lib/x")
    return root


@pytest.fixture(scope="module", params=["sound", "broken"])
def revision(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def checkout(history: Path, revision: str) -> Path:
    """Check the commit out in a directory of its own."""
    other = history.parent / f"checkout {revision}"
    if not other.exists():
        git(history.parent, "clone", "-q", str(history), str(other))
        git(other, "checkout", "-q", "--detach", revision)
    return other


@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
def test_a_commit_answers_like_its_checkout(
    history: Path, revision: str, checkout: Path, argv: tuple[str, ...]
) -> None:
    expected = answer(argv, checkout)
    assert expected.code in {0, 1}
    assert answer(argv, history, "--at", revision) == expected


@pytest.mark.parametrize("rest", [(), ("--all",), ("top/a",)], ids=" ".join)
def test_a_plan_of_a_commit_has_no_states_but_the_same_order(
    history: Path, revision: str, checkout: Path, rest: tuple[str, ...]
) -> None:
    argv = ("plan", *rest, "--lenient", "--json")
    then = json.loads(answer(argv, history, "--at", revision).text)
    now = json.loads(answer(argv, checkout).text)
    assert (then.pop("states"), isinstance(now.pop("states"), dict)) == (None, True)
    assert then == now


def test_the_checkouts_show_what_they_are_meant_to_show(history: Path) -> None:
    found = answer(("validate",), history, "--at", "sound")
    assert found.code == 0
    assert {"W012", "W014", "W018", "W019"} <= {line[:4] for line in found.text.splitlines()}
    broken = answer(("validate",), history, "--at", "broken")
    assert {"E001", "E002", "E004", "E006", "E007", "E009", "E015", "E018", "E020", "E021"} <= {
        line[:4] for line in broken.text.splitlines()
    }


@pytest.mark.parametrize("place", ["src/a", ".yggdrasil/model", ".git"])
def test_a_commit_answers_the_same_from_every_directory(history: Path, place: str) -> None:
    argv = ("build-context", "top/a", "--at", "sound")
    assert answer(argv, history / place) == answer(argv, history)


def test_files_are_named_from_the_directory_one_is_in(history: Path) -> None:
    found = answer(("owner", "one.py", "../../lib/x", "--at", "sound"), history / "src" / "a")
    assert found.text.splitlines()[::2] == ["src/a/one.py -> top/a", "lib/x -> box"]
    package = answer(("build-context", "--file", "one.py", "--at", "sound"), history / "src/a")
    assert package == answer(("build-context", "top/a", "--at", "sound"), history)


@pytest.mark.parametrize("name", ["sound", "HEAD~1", "main^", "sound^{commit}"])
def test_every_name_of_a_commit_will_do(history: Path, name: str) -> None:
    assert answer(("tree",), history, "--at", name) == answer(("tree",), history, "--at", "sound")


def test_asking_about_a_commit_changes_nothing(history: Path) -> None:
    before = git(history, "status", "--porcelain", "--ignored"), git(history, "stash", "list")
    for argv in COMMANDS:
        answer(argv, history, "--at", "sound")
    assert (git(history, "status", "--porcelain", "--ignored"), git(history, "stash", "list")) == (
        before
    )


def test_a_work_tree_without_a_graph_still_has_those_of_its_commits(
    history: Path, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "-q", str(history), "other")
    other = tmp_path / "other"
    git(other, "rm", "-rq", ".yggdrasil")
    git(other, "commit", "-q", "-m", "gone")
    assert answer(("tree",), other).notes == (
        "error: No .yggdrasil/ directory found. Run 'yg init' first.\n"
    )
    expected = answer(("tree",), history, "--at", "sound")
    assert answer(("tree",), other, "--at", "sound") == expected
    assert answer(("tree",), other / "src" / "a", "--at", "sound") == expected


def test_a_bare_repository_and_a_linked_work_tree_answer_alike(
    history: Path, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(history), "bare")
    git(tmp_path / "bare", "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    for argv in (COMMANDS[0], ("validate",), ("owner", "src/a/one.py")):
        expected = answer(argv, history, "--at", "sound")
        assert answer(argv, tmp_path / "bare", "--at", "sound") == expected
        assert answer(argv, tmp_path / "linked", "--at", "sound") == expected


def test_a_graph_below_the_top_of_the_repository_answers_alike(
    history: Path, tmp_path: Path
) -> None:
    commit(tmp_path / "deep" / "shop", SOUND, "unused")
    inner = tmp_path / "deep" / "shop"
    shutil.rmtree(inner / ".git")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A", "-f")
    git(tmp_path, "commit", "-q", "-m", "all")
    write(inner, {"yg-config.yaml": "name: [\n"}, ".yggdrasil")
    for argv in COMMANDS:
        if "sarif" not in argv:  # which names files from the top, where its readers look for them
            assert answer(argv, inner, "--at", "HEAD") == answer(argv, history, "--at", "sound")


# What has no answer.


@pytest.mark.parametrize(
    "command", ["build-context top/a", "tree", "validate", "deps b", "impact b"]
)
def test_a_revision_that_does_not_exist_is_one_sentence(history: Path, command: str) -> None:
    assert answer(tuple(command.split()), history, "--at", "nope") == Outcome(
        "", 1, "error: there is no revision 'nope'\n  'git log' lists the commits.\n"
    )


@pytest.mark.parametrize("name", ["-x", "--all", "--output=/tmp/x", "HEAD:README.md", "a..b", ""])
def test_a_revision_is_never_taken_for_an_option(history: Path, name: str) -> None:
    assert answer(("tree",), history, f"--at={name}") == Outcome(
        "", 1, f"error: there is no revision '{name}'\n  'git log' lists the commits.\n"
    )


def test_a_revision_has_to_be_given(history: Path) -> None:
    outcome = answer(("tree",), history, "--at", "-x")
    assert (outcome.code, outcome.text) == (2, "")
    assert outcome.notes.startswith("error: yg tree: argument --at: expected one argument\n")


def test_a_place_without_git_is_one_sentence(tmp_path: Path) -> None:
    write(tmp_path, SOUND, ".yggdrasil")
    outcome = answer(("tree",), tmp_path, "--at", "HEAD")
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.splitlines()[0] == "error: this is not a git repository"


def test_a_repository_without_commits_is_one_sentence(tmp_path: Path) -> None:
    git(write(tmp_path, SOUND, ".yggdrasil"), "init", "-q")
    outcome = answer(("validate",), tmp_path, "--at", "HEAD")
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.splitlines()[0] == "error: this git repository has no commits yet"


def test_a_commit_without_a_graph_is_one_sentence(tmp_path: Path) -> None:
    git(write(tmp_path, {"README.md": ""}), "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "one")
    write(tmp_path, SOUND, ".yggdrasil")
    made = git(tmp_path, "rev-parse", "HEAD")[:12]
    assert answer(("tree",), tmp_path, "--at", "HEAD") == Outcome(
        "", 1, f"error: there is no .yggdrasil/ in commit {made}\n"
    )


def test_the_missing_history_of_a_shallow_clone_is_told(history: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", history.as_uri(), "shallow")
    outcome = answer(("tree",), tmp_path / "shallow", "--at", "HEAD~1")
    assert outcome == Outcome(
        "",
        1,
        "error: there is no revision 'HEAD~1' here\n"
        "  This clone is shallow; 'git fetch --unshallow' fetches the rest of the history.\n",
    )


def test_a_machine_without_git_is_one_sentence(
    history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert answer(("tree",), history, "--at", "HEAD") == Outcome(
        "", 1, "error: git is not installed\n  Reading a commit needs the git program.\n"
    )
