"""Links in a stranger's repository lead no command to what is outside of its work tree."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphs import NODE, write
from hostile import commit_all, files_below
from security.asking import LINES, SHOP, TEXT, ask, ask_all

SECRET = "hunter2"  # noqa: S105
PRIVATE = f"The secret of another repository is {SECRET}.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a repository, beside a directory that is none of its business."""
    write(tmp_path, {"outside/secret.md": PRIVATE, "outside/yg-node.yaml": NODE})
    return write(tmp_path / "root", SHOP)


@pytest.fixture(params=["with git", "without git"])
def either(request: pytest.FixtureRequest, root: Path) -> Path:
    """Make the same with and without git."""
    if request.param == "with git":
        commit_all(root)
    return root


def assert_no_secret(root: Path) -> None:
    before = files_below(root.parent)
    for line, outcome in ask_all(root).items():
        assert SECRET not in outcome.text + outcome.notes, line
    assert files_below(root.parent) == before


# The folder of the graph.


def test_a_graph_behind_a_link_in_the_same_work_tree_gives_the_same_answers(root: Path) -> None:
    commit_all(root)
    plain = ask_all(root)
    (root / ".yggdrasil").rename(root / "graphs")
    (root / ".yggdrasil").symlink_to("graphs")
    linked = ask_all(root)
    same = [line for line in LINES if "coverage" not in line]  # the files are elsewhere now
    assert {line: linked[line] for line in same} == {line: plain[line] for line in same}


def test_a_repository_that_is_reached_by_a_link_is_the_same(either: Path) -> None:
    (either.parent / "way").symlink_to("root")
    assert ask_all(either.parent / "way") == ask_all(either)


def test_a_link_that_is_turned_to_another_place_is_refused_whatever_is_cached(
    either: Path,
) -> None:
    (either / ".yggdrasil").rename(either / "inside")
    (either / ".yggdrasil").symlink_to("inside")
    ask_all(either)
    write(either.parent / "other", {"model/a/yg-node.yaml": NODE, "model/a/x.md": PRIVATE})
    (either.parent / "other/.yggdrasil").rename(either.parent / "outside/graph")
    (either / ".yggdrasil").unlink()
    (either / ".yggdrasil").symlink_to("../outside/graph")
    for line in LINES[:-1]:
        outcome = ask(either, line)
        assert (outcome.code, outcome.text) == (1, ""), line
        assert "is a link to a place outside this work tree" in outcome.notes


# Links inside a graph.

TARGETS = ("../../../outside/secret.md", "/dev/zero", "/proc/self/environ", "gone", "itself")
PLACES = (
    "model/a/responsibility.md",
    "model/a/yg-node.yaml",
    "aspects/z/content.md",
    "aspects/z/yg-aspect.yaml",
    "flows/f/description.md",
    "yg-config.yaml",
    "model",
    "aspects",
    "model/a",
    "schemas",
)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("place", PLACES)
def test_no_text_of_a_graph_is_read_through_a_link(root: Path, place: str, target: str) -> None:
    link = root / ".yggdrasil" / place
    link.rename(root / "away")
    if target.startswith(".."):
        link.symlink_to(root.parent / "outside" / ("secret.md" if link.suffix else ""))
    else:
        link.symlink_to(link.name if target == "itself" else target)
    assert_no_secret(root)


def test_loops_of_links_end_everywhere(either: Path) -> None:
    for place in (".", "src", ".yggdrasil", ".yggdrasil/model", ".yggdrasil/model/a"):
        (either / place / "loop").symlink_to(".")
        (either / place / "up").symlink_to("..")
        (either / place / "one").symlink_to("two")
        (either / place / "two").symlink_to("one")
    outcomes = ask_all(either)
    names = ("loop", "up", "one", "two")
    assert all(f"'{name}' is a link and is ignored" in outcomes["validate"].text for name in names)
    assert outcomes["tree"].text.count("[service]") == 2


# Links among the source files.


@pytest.mark.parametrize("place", ["src/link.py", "src/deep"])
def test_an_anchor_is_not_looked_for_behind_a_link(either: Path, place: str) -> None:
    uses = f"aspects: [{{aspect: z, anchors: [{SECRET}]}}]\n"
    write(either, {"model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src]}}\n{uses}"})
    (either / place).symlink_to(either.parent / "outside" / ("secret.md" if "." in place else ""))
    assert f"anchor '{SECRET}' of aspect 'z' is not in any mapped file" in (
        ask(either, "validate").text
    )


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("link.md", "is a link"),
        ("way", "is a link"),
        ("way/secret.md", "passes through the link 'way'"),
        ("../outside", "leaves the repository"),
        ("src/../../outside", "leaves the repository"),
        ("/etc/passwd", "is absolute"),
    ],
)
def test_a_mapping_does_not_lead_outside(either: Path, path: str, fault: str) -> None:
    write(either, {"model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [{path}]}}\n"})
    (either / "link.md").symlink_to("../outside/secret.md")
    (either / "way").symlink_to("../outside")
    assert f"E020 a -> mapping '{path}' {fault}" in ask(either, "validate").text
    assert_no_secret(either)


def test_patterns_are_not_read_through_a_link(root: Path) -> None:
    write(root.parent, {"outside/ignore": "*.py\n"})
    for place in (".", "other"):
        (root / place / ".gitignore").symlink_to(root.parent / "outside/ignore")
    assert "other/b.py" in ask(root, "coverage --uncovered").text


def test_a_file_behind_a_link_has_no_owner_and_no_text(either: Path) -> None:
    (either / "src/way").symlink_to(either.parent / "outside")
    (either / ".yggdrasil/model/way").symlink_to(either.parent / "outside")
    for file in ("src/way/secret.md", ".yggdrasil/model/way/secret.md", "../outside/secret.md"):
        outcome = ask(either, ("owner", file))
        assert SECRET not in outcome.text
        assert SECRET not in ask(either, ("build-context", "--file", file)).text
    assert TEXT in ask(either, ("build-context", "--file", "src/a.py")).text


def test_every_link_stays_what_it_was(either: Path) -> None:
    for place in (".", "src", ".yggdrasil", ".yggdrasil/model/a"):
        (either / place / "way").symlink_to(either.parent / "outside")
        (either / place / "gone").symlink_to("nowhere")
    before = {path: os.lstat(path) for path in either.parent.rglob("*") if path.is_symlink()}
    assert_no_secret(either)
    assert {path: os.lstat(path) for path in before} == before
