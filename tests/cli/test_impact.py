"""`yg impact`: what a change to a node, an aspect, a flow or some files can reach."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from schemas import faults
from support import CONFIG, NODE, git, run
from support import write as write_files
from yg.surfaces.cli.outcome import Outcome

# b calls a, c uses b, and e listens to a, which has a child and takes part in a flow.
GRAPH = {
    "yg-config.yaml": CONFIG,
    "model/a/yg-node.yaml": (
        f"{NODE}aspects: [{{aspect: careful}}]\nmapping: {{paths: [src/a, src/a.py]}}\n"
    ),
    "model/a/responsibility.md": "A is responsible.\n",
    "model/a/interface.md": "charge(amount)\n",
    "model/a/internals.md": "A loop.\n",
    "model/a/child/yg-node.yaml": NODE,
    "model/b/yg-node.yaml": (
        f"{NODE}relations: [{{target: a, type: calls, consumes: [charge]}}]\n"
        "mapping: {paths: [src/b]}\n"
    ),
    "model/b/responsibility.md": "B is responsible.\n",
    "model/c/yg-node.yaml": (
        f"{NODE}relations: [{{target: b, type: uses}}]\nmapping: {{paths: [src/c]}}\n"
    ),
    "model/e/yg-node.yaml": f"{NODE}relations: [{{target: a, type: listens, event_name: Done}}]\n",
    "aspects/careful/yg-aspect.yaml": "name: Careful\n",
    "aspects/careful/content.md": "Be careful.\n",
    "flows/checkout/yg-flow.yaml": "name: Check Out\nnodes: [a, c]\naspects: [careful]\n",
    "flows/checkout/description.md": "How it goes.\n",
}
SOURCES = {
    "src/a/one.py": "1\n",
    "src/a.py": "a\n",
    "src/b/two.py": "2\n",
    "src/c/three.py": "3\n",
    "other/free.py": "4\n",
    ".gitignore": "*.log\n",
}
NODE_TEXT = """\
Impact of changes in a:

Directly dependent:
  <- b (calls, you consume: charge)
Transitively dependent:
  <- b <- c
Event-dependent:
  <- e (listens: Done)
Descendants (hierarchy impact):
  a/child
Flows: checkout
Aspects (scope covers node): careful
Nodes sharing aspects:
  c (careful)

Total scope: 4 nodes, 1 flows, 1 aspects
"""


def write(root: Path, files: Mapping[str, str], folder: str = "") -> Path:
    write_files(root / folder, files)
    return root


def graph(root: Path, files: Mapping[str, str] = GRAPH) -> Path:
    """Write files of the graph."""
    return write(root, files, ".yggdrasil")


def commit(root: Path) -> Path:
    """Commit everything there is."""
    if not (root / ".git").exists():
        git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "one")
    return root


def repository(root: Path) -> Path:
    return commit(write(graph(root), SOURCES))


def impact(root: Path, *argv: str) -> Outcome:
    return run("impact", *argv, "-C", str(root))


def simulation(root: Path, *argv: str) -> str:
    """Return what `--simulate` adds to the text."""
    outcome = impact(root, *argv, "--simulate")
    assert (outcome.code, outcome.notes) == (0, "")
    return outcome.text.partition("\nChanges in context packages:\n")[2]


def changed_interface(root: Path, *argv: str) -> list[str]:
    """Return the nodes of a simulation that see another interface of the target."""
    outcome = impact(root, *argv, "--simulate", "--json")
    return [str(package["node"]) for package in packages(outcome) if package["interface_changed"]]


def packages(outcome: Outcome) -> list[dict[str, object]]:
    """Return the packages of a document, which has to follow its schema."""
    assert (outcome.code, outcome.notes, faults(outcome.text)) == (0, "", [])
    found = json.loads(outcome.text)["packages"]
    assert isinstance(found, list)
    return found


# The three modes.


@pytest.mark.parametrize(
    "argv",
    [("a",), ("--node", "a"), ("./model/a/",), ("a", "--node", "a"), ("--node=model/a",)],
    ids=" ".join,
)
def test_a_node_is_named_in_any_way(tmp_path: Path, argv: tuple[str, ...]) -> None:
    assert impact(graph(tmp_path), *argv) == Outcome(NODE_TEXT)


def test_a_method_filters_dependents(tmp_path: Path) -> None:
    outcome = impact(graph(tmp_path), "a", "--method", "refund")
    assert outcome.text.splitlines()[:5] == [
        "Impact of changes in a (method refund):",
        "No node consumes refund by name. Consumed: charge.",
        "",
        "Directly dependent: (none)",
        "Transitively dependent: (none)",
    ]
    assert impact(tmp_path, "b", "--method", "refund").text.splitlines()[1] == (
        "No node consumes refund by name: no relation to this node has 'consumes'."
    )
    charged = impact(tmp_path, "a", "--method", "charge")
    assert charged.text == NODE_TEXT.replace("in a:", "in a (method charge):")


@pytest.mark.parametrize("name", ["careful", "aspects/careful", "careful/", "aspects/careful/"])
def test_an_aspect_is_named_by_its_id(tmp_path: Path, name: str) -> None:
    assert impact(graph(tmp_path), "--aspect", name) == Outcome("""\
Impact of changes in aspect careful:

Affected nodes (3):
  a (own, flow: checkout)
  a/child (hierarchy from a, flow: checkout)
  c (flow: checkout)
Flows propagating this aspect: checkout
Implied by: (none)
Implies: (none)

Total scope: 3 nodes, 1 flows
""")


@pytest.mark.parametrize("name", ["checkout", "flows/checkout/", "Check Out"])
def test_a_flow_is_named_by_its_directory_or_its_name(tmp_path: Path, name: str) -> None:
    assert impact(graph(tmp_path), "--flow", name) == Outcome("""\
Impact of changes in flow Check Out:

Participants:
  a
  a/child (descendant)
  c
Flow aspects: careful

Total scope: 3 nodes
""")


def test_the_directory_of_a_flow_wins_over_the_name_of_another(tmp_path: Path) -> None:
    other = {"flows/other/yg-flow.yaml": "name: checkout\nnodes: [b]\n"}
    outcome = impact(graph(tmp_path, {**GRAPH, **other}), "--flow", "checkout")
    assert outcome.text.startswith("Impact of changes in flow Check Out:\n")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("x",), "no node at 'x'"),
        (("a/chidl",), "no node at 'a/chidl'\n  Did you mean 'a/child'?"),
        (("--aspect", "carefull"), "no aspect 'carefull'\n  Did you mean 'careful'?"),
        (("--aspect", "zzz"), "no aspect 'zzz'\n  'yg aspects' lists them."),
        (("--aspect", "../model/a"), "no aspect '../model/a'"),
        (("--aspect", ""), "no aspect ''"),
        (("--flow", "chekout"), "no flow 'chekout'\n  Did you mean 'checkout'?"),
        (("--flow", "zzz"), "no flow 'zzz'\n  'yg flows' lists them."),
        (("--flow", ""), "no flow ''"),
    ],
)
def test_what_does_not_exist_is_reported_with_the_nearest_names(
    tmp_path: Path, argv: tuple[str, ...], message: str
) -> None:
    outcome = impact(graph(tmp_path), *argv)
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith(f"error: {message}\n")


@pytest.mark.parametrize(
    "argv",
    [
        (),
        ("a", "--aspect", "careful"),
        ("a", "--flow", "checkout"),
        ("--aspect", "careful", "--flow", "checkout"),
        ("--node", "a", "--diff"),
        ("--aspect", "careful", "--diff", "HEAD"),
        ("a", "--aspect", "careful", "--flow", "checkout", "--diff"),
        ("a", "--aspect", ""),
    ],
    ids=" ".join,
)
def test_exactly_one_mode_has_to_be_named(tmp_path: Path, argv: tuple[str, ...]) -> None:
    assert impact(graph(tmp_path), *argv) == Outcome(
        "",
        2,
        "error: expected exactly one of: a node, --file, --aspect, --flow, --diff\n",
    )


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("a", "--node", "b"), "two nodes given: 'a' and 'b'"),
        (("",), "empty node name"),
        (("--aspect", "careful", "--method", "x"), "--method requires a node"),
        (("--diff", "--method", "x"), "--method requires a node"),
        (("--aspect", "careful", "--all"), "--all requires a node"),
        (
            ("a", "--at", "HEAD", "--simulate", "--patch", "-"),
            "--at cannot be combined with --patch",
        ),
        (("--diff", "--at", "HEAD"), "--at cannot be combined with --diff"),
        (("--diff", "--patch", "-"), "--diff cannot be combined with --simulate or --patch"),
        (("a", "--simulate", "--patch", ""), "empty file name"),
        (("a", "--format", "markdown"), "--format markdown requires --diff"),
        (("a", "--staged"), "--staged requires --diff"),
        (("a", "--since", "HEAD"), "--since requires --simulate"),
        (("--diff", "--since", "HEAD"), "--since requires --simulate"),
        (("a", "--show"), "--show requires --simulate or --diff"),
        (("a", "b"), "yg impact: unrecognized arguments: b"),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(
    tmp_path: Path, argv: tuple[str, ...], message: str
) -> None:
    outcome = impact(graph(tmp_path), *argv)
    assert (outcome.code, outcome.text) == (2, "")
    assert outcome.notes.splitlines()[0] == f"error: {message}"
    as_json = impact(tmp_path, *argv, "--json")
    if "markdown" not in argv:
        assert (as_json.code, json.loads(as_json.notes)["message"]) == (2, message)


@pytest.mark.parametrize(
    "argv",
    [("a",), ("a", "--method", "charge"), ("--aspect", "careful"), ("--flow", "checkout")],
    ids=" ".join,
)
def test_every_mode_as_data_follows_the_schema(tmp_path: Path, argv: tuple[str, ...]) -> None:
    root = repository(tmp_path)
    plain = impact(root, *argv, "--json")
    assert (plain.code, plain.notes, faults(plain.text)) == (0, "", [])
    assert "packages" not in json.loads(plain.text)
    found = packages(impact(root, *argv, "--simulate", "--show", "--json"))
    assert [entry["node"] for entry in found] == json.loads(plain.text)["affected"]


def test_a_node_that_cannot_be_read_is_reported_missing(tmp_path: Path) -> None:
    root = graph(repository(tmp_path), {"model/bad/yg-node.yaml": "name: [\n"})
    plain = impact(root, "a")
    assert (plain.code, plain.text) == (0, NODE_TEXT)
    assert plain.notes.startswith("skipped bad: ")
    assert impact(root, "--diff").notes == plain.notes
    lenient = ("a", "--simulate", "--lenient")
    for argv in (("a",), lenient, ("--aspect", "careful"), ("--diff",)):
        text = impact(root, *argv, "--json").text
        assert [entry["subject"] for entry in json.loads(text)["skipped"]] == ["bad"]
        assert faults(text) == []


# Simulation.


def test_a_simulation_follows_the_impact(tmp_path: Path) -> None:
    root = repository(tmp_path)
    graph(root, {"model/a/interface.md": "charge(amount, currency)\n"})
    assert impact(root, "a", "--simulate") == Outcome(
        NODE_TEXT
        + """
Changes in context packages:
  a/child:
    + Changed dependency interface: a
    Budget: 54 -> 57 tokens (ok)
    Mapped files (on-disk): no mapping
  b:
    + Changed dependency interface: a
    Budget: 68 -> 71 tokens (ok)
    Mapped files (on-disk): source-drift (no baseline)
  c:
    Budget: 56 -> 56 tokens (ok)
    Mapped files (on-disk): source-drift (no baseline)
  e:
    Budget: 37 -> 37 tokens (ok)
    Mapped files (on-disk): no mapping
"""
    )


def test_a_budget_is_the_size_of_the_packages_themselves(tmp_path: Path) -> None:
    root = repository(tmp_path)
    graph(root, {"model/a/interface.md": "charge(amount, currency)\n"})
    for package in packages(impact(root, "a", "--simulate", "--json")):
        argv = ("build-context", str(package["node"]), "--json", "-C", str(root))
        then, now = json.loads(run(*argv, "--at", "HEAD").text), json.loads(run(*argv).text)
        assert (package["tokens_then"], package["tokens_now"]) == (then["tokens"], now["tokens"])


def test_nothing_changed_is_not_a_changed_interface(tmp_path: Path) -> None:
    root = repository(tmp_path)
    assert changed_interface(root, "a") == []
    assert not any(
        package["changed"] for package in packages(impact(root, "a", "--simulate", "--json"))
    )


@pytest.mark.parametrize(
    ("file", "text", "nodes"),
    [
        ("model/a/interface.md", "pay()\n", ["a/child", "b"]),
        ("model/a/interface.md", "charge(amount)\n\n\n", []),
        ("model/a/internals.md", "A recursion.\n", ["a/child"]),
        ("model/b/responsibility.md", "B is not.\n", []),
        ("aspects/careful/content.md", "Be bold.\n", []),
        ("flows/checkout/description.md", "How it went.\n", []),
    ],
)
def test_an_interface_has_changed_only_for_nodes_that_see_another_one(
    tmp_path: Path, file: str, text: str, nodes: list[str]
) -> None:
    root = repository(tmp_path)
    graph(root, {file: text})
    assert changed_interface(root, "a") == nodes


def test_an_aspect_or_a_flow_has_no_interface(tmp_path: Path) -> None:
    root = repository(tmp_path)
    graph(root, {"model/a/interface.md": "pay()\n", "aspects/careful/content.md": "Be bold.\n"})
    for argv in (("--aspect", "careful"), ("--flow", "checkout")):
        assert "Changed dependency interface" not in simulation(root, *argv)
        found = packages(impact(root, *argv, "--simulate", "--json"))
        assert all(entry["changed"] and not entry["interface_changed"] for entry in found)


def test_another_commit_may_be_the_baseline(tmp_path: Path) -> None:
    root = repository(tmp_path)
    graph(root, {"model/a/interface.md": "pay()\n"})
    commit(root)
    assert changed_interface(root, "a") == []
    assert changed_interface(root, "a", "--since", "HEAD~1") == ["a/child", "b"]
    assert changed_interface(root, "a", "--since", "main^") == ["a/child", "b"]


def test_a_simulation_is_the_same_from_a_sub_directory(tmp_path: Path) -> None:
    root = repository(tmp_path)
    graph(root, {"model/a/interface.md": "pay()\n"})
    expected = impact(root, "a", "--simulate", "--show")
    for place in ("src/a", ".yggdrasil/model/b"):
        assert impact(root / place, "a", "--simulate", "--show") == expected


def test_uncommitted_work_is_left_alone(tmp_path: Path) -> None:
    root = repository(tmp_path)
    run("drift-sync", "--all", "-C", str(root))
    commit(root)
    graph(root, {"model/a/interface.md": "pay()\n", "model/new/yg-node.yaml": NODE})
    write(root, {"src/a/one.py": "changed\n", "src/b/new.py": "new\n", "src/x.log": "ignored\n"})
    (root / "src" / "c" / "three.py").unlink()
    git(root, "add", "src/a/one.py")
    before = git(root, "status", "--porcelain"), git(root, "diff"), git(root, "diff", "--cached")
    for argv in (("a", "--simulate"), ("--aspect", "careful", "--simulate"), ("--diff",)):
        assert impact(root, *argv).code == 0
    after = git(root, "status", "--porcelain"), git(root, "diff"), git(root, "diff", "--cached")
    assert after == before
    assert (git(root, "stash", "list"), git(root, "rev-parse", "--abbrev-ref", "HEAD")) == (
        "",
        "main",
    )


def test_the_state_of_mapped_files_is_reported(tmp_path: Path) -> None:
    root = repository(tmp_path)
    run("drift-sync", "--all", "-C", str(root))
    commit(root)
    write(root, {"src/b/two.py": "changed\n", "src/b/new.py": "new\n"})
    (root / "src" / "c" / "three.py").unlink()
    (root / "src" / "c").rmdir()
    lines = [line.strip() for line in simulation(root, "a").splitlines() if "Mapped" in line]
    assert lines == [
        "Mapped files (on-disk): no mapping",
        "Mapped files (on-disk): drift (Changed files: src/b/new.py, src/b/two.py)",
        "Mapped files (on-disk): missing",
        "Mapped files (on-disk): no mapping",
    ]
    write(root, SOURCES)
    (root / "src" / "b" / "new.py").unlink()
    assert simulation(root, "a").count("Mapped files (on-disk): ok") == 2


def test_a_dependent_that_is_new_has_no_package_then(tmp_path: Path) -> None:
    root = repository(tmp_path)
    graph(root, {"model/new/yg-node.yaml": f"{NODE}relations: [{{target: c, type: uses}}]\n"})
    assert "  new:\n    Budget: none -> 24 tokens (ok)\n" in simulation(root, "a")


def test_a_dependent_that_is_gone_is_not_affected(tmp_path: Path) -> None:
    root = repository(tmp_path)
    shutil.rmtree(root / ".yggdrasil" / "model" / "c")
    flow = "name: Check Out\nnodes: [a]\naspects: [careful]\n"
    graph(root, {"flows/checkout/yg-flow.yaml": flow})
    found = packages(impact(root, "a", "--simulate", "--json"))
    assert [entry["node"] for entry in found] == ["a/child", "b", "e"]


def test_a_simulation_is_refused_while_the_graph_has_errors(tmp_path: Path) -> None:
    root = graph(repository(tmp_path), {"model/bad/yg-node.yaml": "name: [\n"})
    outcome = impact(root, "a", "--simulate")
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith("E001 bad -> ")
    assert outcome.notes.endswith(
        "error: no simulation: the graph has 1 error, 0 affecting it\n"
        "  Fix the errors first. Or use --lenient: none of them affects these packages.\n"
    )
    assert impact(root, "a", "--simulate", "--lenient").code == 0


def test_a_lenient_simulation_is_refused_for_errors_in_its_packages(tmp_path: Path) -> None:
    relations = "relations: [{target: a, type: calls}, {target: gone, type: uses}]\n"
    root = graph(repository(tmp_path), {"model/b/yg-node.yaml": NODE + relations})
    outcome = impact(root, "a", "--simulate", "--lenient")
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.endswith(
        "error: no simulation: 1 error affects it\n  Fix the errors first.\n"
    )


def test_a_warning_raised_to_an_error_refuses_no_simulation(tmp_path: Path) -> None:
    config = f"{CONFIG}rules: {{W001: error}}\n"
    root = graph(repository(tmp_path), {"yg-config.yaml": config})
    assert run("validate", "-C", str(root)).code == 1
    assert impact(root, "a", "--simulate").code == 0


def test_a_node_that_has_just_been_made_can_be_simulated(tmp_path: Path) -> None:
    root = repository(tmp_path)
    graph(root, {"model/new/yg-node.yaml": NODE})
    assert simulation(root, "new") == "  (none)\n"


def test_differences_are_shown_below_their_node(tmp_path: Path) -> None:
    root = repository(tmp_path)
    graph(root, {"model/a/interface.md": "pay()\n"})
    text = simulation(root, "a", "--show")
    assert "--- then/b\n+++ now/b\n" in text
    assert "\n-charge(amount)\n+pay()\n" in text
    assert "then/c" not in text
    found = packages(impact(root, "a", "--simulate", "--show", "--json"))
    assert [bool(entry["diff"]) for entry in found] == [True, True, False, False]


def test_a_simulation_below_the_top_of_the_git_repository_reads_its_own_graph(
    tmp_path: Path,
) -> None:
    graph(tmp_path)
    commit(write(graph(tmp_path / "deep" / "shop"), SOURCES).parents[1])
    graph(tmp_path, {"model/a/interface.md": "other()\n"})
    assert changed_interface(tmp_path / "deep" / "shop", "a") == []
    graph(tmp_path / "deep" / "shop", {"model/a/interface.md": "pay()\n"})
    assert changed_interface(tmp_path / "deep" / "shop" / "src", "a") == ["a/child", "b"]


def test_a_linked_work_tree_and_a_detached_head_have_a_baseline(tmp_path: Path) -> None:
    root = repository(tmp_path / "main")
    git(root, "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    graph(tmp_path / "linked", {"model/a/interface.md": "pay()\n"})
    assert changed_interface(tmp_path / "linked", "a") == ["a/child", "b"]
    assert changed_interface(root, "a") == []


def test_a_submodule_has_commits_of_its_own(tmp_path: Path) -> None:
    repository(tmp_path / "shop")
    commit(write(tmp_path / "all", {"README.md": ""}))
    source = str(tmp_path / "shop")
    git(tmp_path / "all", "-c", "protocol.file.allow=always", "submodule", "-q", "add", source)
    graph(tmp_path / "all" / "shop", {"model/a/interface.md": "pay()\n"})
    assert changed_interface(tmp_path / "all" / "shop", "a") == ["a/child", "b"]
    assert impact(tmp_path / "all" / "shop", "--diff").text.startswith("Impact of 1 changed file")


def test_a_shallow_clone_has_its_last_commit(tmp_path: Path) -> None:
    commit(repository(tmp_path / "main"))
    git(tmp_path, "clone", "-q", "--depth", "1", (tmp_path / "main").as_uri(), "shallow")
    assert changed_interface(tmp_path / "shallow", "a") == []
    outcome = impact(tmp_path / "shallow", "a", "--simulate", "--since", "HEAD~1")
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.splitlines()[0] == "error: there is no revision 'HEAD~1' here"


def test_without_git_there_is_no_baseline(tmp_path: Path) -> None:
    root = graph(tmp_path)
    reason = "this is not a git repository"
    outcome = impact(root, "a", "--simulate")
    head = f"{NODE_TEXT}\nChanges in context packages:\n  no baseline: {reason}\n  a/child:\n"
    assert outcome.text.startswith(f"{head}    Budget: none -> ")
    assert "Changed dependency interface" not in outcome.text
    assert (outcome.code, outcome.notes) == (0, "")
    document = impact(root, "a", "--simulate", "--json").text
    assert faults(document) == []
    found = json.loads(document)
    assert found["no_baseline"] == reason
    assert {package["tokens_then"] for package in found["packages"]} == {None}
    for mode in (("--aspect", "careful"), ("--flow", "checkout")):
        assert f"\n  no baseline: {reason}\n" in impact(root, *mode, "--simulate").text, mode


def test_a_revision_of_no_repository_is_an_error(tmp_path: Path) -> None:
    outcome = impact(graph(tmp_path), "a", "--simulate", "--since", "HEAD")
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.splitlines()[0] == "error: this is not a git repository"


def test_without_commits_there_is_no_baseline(tmp_path: Path) -> None:
    git(graph(tmp_path), "init", "-q")
    outcome = impact(tmp_path, "a", "--simulate")
    assert (outcome.code, outcome.notes) == (0, "")
    assert "\n  no baseline: this git repository has no commits yet\n" in outcome.text


def test_without_the_git_program_there_is_no_baseline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert impact(root, "a") == Outcome(NODE_TEXT)
    outcome = impact(root, "a", "--simulate")
    assert outcome.code == 0
    assert "\n  no baseline: git is not installed\n" in outcome.text


@pytest.mark.parametrize("name", ["nope", "-x", "--all", "HEAD~7", "HEAD:src"])
def test_a_baseline_that_was_asked_for_has_to_exist(tmp_path: Path, name: str) -> None:
    root = repository(tmp_path)
    error = Outcome(
        "", 1, f"error: there is no revision '{name}'\n  'git log' lists the commits.\n"
    )
    assert impact(root, "a", "--simulate", f"--since={name}") == error
    assert impact(root, f"--diff={name}") == error


def test_a_bare_repository_has_no_work_tree_to_compare(tmp_path: Path) -> None:
    repository(tmp_path / "main")
    git(tmp_path, "clone", "-q", "--bare", "main", "bare")
    error = Outcome("", 1, "error: No .yggdrasil/ directory found. Run 'yg init' first.\n")
    assert impact(tmp_path / "bare", "a", "--simulate") == error
    assert impact(tmp_path / "bare", "--diff") == error
    assert impact(tmp_path / "bare", "a", "--at", "HEAD") == Outcome(NODE_TEXT)


# From changed files.


def test_changed_files_lead_to_owners_packages_and_nodes_that_depend_on_them(
    tmp_path: Path,
) -> None:
    root = repository(tmp_path)
    write(root, {"src/a/one.py": "changed\n", "other/new.py": "new\n", "x.log": "ignored\n"})
    graph(root, {"model/b/responsibility.md": "B is very responsible.\n"})
    assert impact(root, "--diff") == Outcome("""\
Impact of 3 changed files since HEAD:

Changed sources:
  other/new.py -> no graph coverage
  src/a/one.py -> a
Changed graph files:
  .yggdrasil/model/b/responsibility.md
Changed packages:
  b: 68 -> 70 tokens (ok)
  c: 56 -> 57 tokens (ok)
Reached through relations: (none)

Total scope: 3 nodes (3 changed, 0 reached)
""")


def test_nothing_changed_reaches_nobody(tmp_path: Path) -> None:
    assert impact(repository(tmp_path), "--diff") == Outcome("""\
Impact of 0 changed files since HEAD:

Changed sources: (none)
Changed graph files: (none)
Changed packages: (none)
Reached through relations: (none)

Total scope: 0 nodes (0 changed, 0 reached)
""")


def sources(root: Path, *argv: str) -> list[tuple[str, str | None]]:
    """Return the changed sources and their owners."""
    outcome = impact(root, "--diff", *argv, "--json")
    assert (outcome.code, outcome.notes, faults(outcome.text)) == (0, "", [])
    return [(source["path"], source["node"]) for source in json.loads(outcome.text)["sources"]]


def test_every_kind_of_change_is_seen(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"src/a/one.py": "staged\n", "src/b/new.py": "untracked\n", "y.log": "ignored\n"})
    git(root, "add", "src/a/one.py")
    (root / "src" / "c" / "three.py").unlink()
    git(root, "mv", "other/free.py", "src/b/moved.py")
    assert sources(root) == [
        ("other/free.py", "b"),
        ("src/a/one.py", "a"),
        ("src/b/new.py", "b"),
        ("src/c/three.py", "c"),
    ]
    assert sources(root, "--staged") == [("other/free.py", "b"), ("src/a/one.py", "a")]


CODE = "".join(f"def f{at}(x):\n    return x + {at}\n\n\n" for at in range(10))


def test_a_moved_file_is_one_changed_file(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"src/a/one.py": CODE, "src/b/two.py": "not python at all\n"})
    commit(root)
    (root / "src/a/one.py").unlink()
    (root / "src/b/two.py").rename(root / "other/two.py")
    write(root, {"src/c/one.py": CODE.replace("x + 3", "x - 3")})
    outcome = impact(root, "--diff")
    assert outcome.text.startswith("""\
Impact of 2 changed files since HEAD:

Changed sources:
  src/a/one.py (moved to src/c/one.py) -> a, now c
  src/b/two.py (moved to other/two.py) -> b
""")
    found = json.loads(impact(root, "--diff", "--json").text)
    assert found["sources"] == [
        {"path": "src/a/one.py", "node": "a", "to": "src/c/one.py", "new_node": "c"},
        {"path": "src/b/two.py", "node": "b", "to": "other/two.py"},
    ]
    assert found["changed"] == ["a", "b", "c"]
    row = "| `src/a/one.py`, moved to `src/c/one.py` | `a`, now `c` |"
    assert row in impact(root, "--diff", "--format", "markdown").text
    git(root, "add", "-A")
    assert impact(root, "--diff", "--staged").text == outcome.text


def test_changes_since_another_commit_include_those_of_later_ones(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"src/a.py": "changed\n"})
    commit(root)
    write(root, {"src/b/two.py": "changed\n"})
    assert sources(root) == [("src/b/two.py", "b")]
    assert sources(root, "HEAD~1") == [("src/a.py", "a"), ("src/b/two.py", "b")]
    assert impact(root, "--diff", "HEAD~1").text.startswith(
        "Impact of 2 changed files since HEAD~1:\n"
    )


def packages_of(root: Path, *argv: str) -> list[str]:
    return [str(package["node"]) for package in packages(impact(root, "--diff", *argv, "--json"))]


@pytest.mark.parametrize(
    ("changes", "nodes"),
    [
        ({"aspects/careful/content.md": "Be bold.\n"}, ["a", "a/child", "c"]),
        ({"aspects/careful/yg-aspect.yaml": "name: Bold\n"}, ["a", "a/child", "c"]),
        ({"flows/checkout/description.md": "How it went.\n"}, ["a", "a/child", "c"]),
        (
            {"flows/checkout/yg-flow.yaml": "name: Check Out\nnodes: [b]\n"},
            ["a", "a/child", "b", "c"],
        ),
        ({"flows/new/yg-flow.yaml": "name: New\nnodes: [e]\n"}, ["e"]),
        ({"model/a/interface.md": "pay()\n"}, ["a", "a/child", "b"]),
        ({"model/a/internals.md": "A recursion.\n"}, ["a", "a/child"]),
        ({"model/new/yg-node.yaml": NODE}, ["new"]),
        ({"yg-config.yaml": f"{CONFIG}# The same.\n"}, []),
        ({"yg-config.yaml": CONFIG.replace("test", "x")}, ["a", "a/child", "b", "c", "e"]),
        ({"yg-config.yaml": CONFIG.replace("interface.md", "x.md")}, ["a", "a/child", "b"]),
        ({"schemas/yg-node.yaml": "x\n"}, []),
        ({".drift-state/a.json": "{}\n"}, []),
    ],
)
def test_changed_graph_files_lead_to_the_packages_that_differ(
    tmp_path: Path, changes: dict[str, str], nodes: list[str]
) -> None:
    root = graph(repository(tmp_path), changes)
    assert packages_of(root) == nodes
    git(root, "add", "-A")
    assert packages_of(root, "--staged") == nodes


def test_what_is_staged_is_told_apart_from_the_work_tree(tmp_path: Path) -> None:
    root = graph(repository(tmp_path), {"model/a/interface.md": "staged()\n"})
    git(root, "add", "-A")
    graph(root, {"model/a/interface.md": "later()\n", "model/b/responsibility.md": "Later.\n"})
    text = impact(root, "--diff", "--staged", "--show").text
    assert packages_of(root, "--staged") == ["a", "a/child", "b"]
    assert ("+staged()" in text, "later()" in text, "Later." in text) == (True, False, False)
    graph(root, GRAPH)
    assert packages_of(root, "--staged") == ["a", "a/child", "b"]
    assert packages_of(root) == []


def test_a_hook_that_names_its_repository_misleads_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(write(graph(tmp_path / "shop"), SOURCES).parent)
    write(tmp_path, {"shop/src/a.py": "2\n"})
    git(tmp_path, "add", "-A")
    expected = impact(tmp_path / "shop", "--diff", "--staged")
    assert "  src/a.py -> a\n" in expected.text
    monkeypatch.setenv("GIT_DIR", str(tmp_path / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    monkeypatch.setenv("GIT_PREFIX", "")
    assert impact(tmp_path / "shop", "--diff", "--staged") == expected
    assert changed_interface(tmp_path / "shop", "a") == []


def test_a_node_that_is_gone_has_no_package_and_its_dependents_are_listed(
    tmp_path: Path,
) -> None:
    root = repository(tmp_path)
    shutil.rmtree(root / ".yggdrasil" / "model" / "b")
    text = impact(root, "--diff").text
    assert "  b: 68 -> none\n  c: 56 -> 46 tokens (ok)\n" in text
    assert text.endswith("Total scope: 2 nodes (2 changed, 0 reached)\n")


def test_a_change_is_followed_backwards_through_relations(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"src/a/one.py": "changed\n"})
    assert impact(root, "--diff").text.endswith("""\
Changed packages: (none)
Reached through relations:
  b <- a
  c <- b

Total scope: 3 nodes (1 changed, 2 reached)
""")


def test_only_changes_beside_the_graph_count(tmp_path: Path) -> None:
    commit(write(write(graph(tmp_path / "shop"), SOURCES).parent, {"outside.py": "1\n"}))
    write(tmp_path, {"outside.py": "2\n", "new.py": "2\n", "shop/src/a.py": "2\n"})
    for place in ("shop", "shop/src/a"):
        assert sources(tmp_path / place) == [("src/a.py", "a")]


def test_changes_as_markdown_are_a_comment_for_a_pull_request(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"src/a/x|y.py": "new\n", "other/<b>.py": "new\n"})
    graph(root, {"model/c/internals.md": "A loop.\n"})
    assert impact(root, "--diff", "--format", "markdown") == Outcome(
        r"""
## What this change reaches

3 changed files since `HEAD`, 3 nodes (2 changed, 1 reached).

| Source | Owner |
| --- | --- |
| `other/<b>.py` | no graph coverage |
| `src/a/x\|y.py` | `a` |

Graph files:

- `.yggdrasil/model/c/internals.md`

| Package | Tokens |
| --- | --- |
| `c` | 56 -> 62 tokens (ok) |

| Reached | Through |
| --- | --- |
| `b` | `a` |
"""[1:]
    )


@pytest.mark.parametrize("argv", [(), ("--show",), ("--staged",)], ids=" ".join)
def test_changes_as_data_follow_the_schema(tmp_path: Path, argv: tuple[str, ...]) -> None:
    root = repository(tmp_path)
    write(root, {"src/a/ä\n.py": "new\n", "src/b/two.py": "changed\n"})
    graph(root, {"model/new/yg-node.yaml": NODE, "model/b/yg-node.yaml": "name: [\n"})
    shutil.rmtree(root / ".yggdrasil" / "model" / "e")
    git(root, "add", ".yggdrasil")
    outcome = impact(root, "--diff", "--json", *argv)
    assert (outcome.code, outcome.notes, faults(outcome.text)) == (0, "", [])


def test_differences_of_changed_packages_are_shown(tmp_path: Path) -> None:
    root = graph(repository(tmp_path), {"model/a/internals.md": "A recursion.\n"})
    text = impact(root, "--diff", "--show").text
    assert text.count("\n-A loop.\n+A recursion.\n") == 2
    markdown = impact(root, "--diff", "--show", "--format", "markdown").text
    assert markdown.count("\n\n```diff\n--- then/a") == 2


def test_changes_need_a_commit_to_compare_with(tmp_path: Path) -> None:
    outcome = impact(graph(tmp_path), "--diff")
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.splitlines()[0] == "error: this is not a git repository"
    git(tmp_path, "init", "-q")
    outcome = impact(tmp_path, "--diff", "--json")
    assert (outcome.code, outcome.text) == (1, "")
    assert json.loads(outcome.notes)["message"] == "this git repository has no commits yet"


def test_a_change_that_breaks_a_node_still_has_an_answer(tmp_path: Path) -> None:
    root = graph(repository(tmp_path), {"model/a/yg-node.yaml": "name: [\n"})
    assert "  a: 70 -> none\n" in impact(root, "--diff").text
    found = json.loads(impact(root, "--diff", "--json").text)
    assert found["affected"] == ["a", "a/child", "b", "c"]
