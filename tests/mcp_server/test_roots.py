"""A server sees what is there now, and only in the directories it was given."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent import ALPHA, Agent, node_names, texts
from support import write_graph


def test_a_file_that_changed_is_seen_by_the_next_call(asking: Agent, places: Path) -> None:
    file = places / "one" / ".yggdrasil" / "model" / "a" / "yg-node.yaml"
    before = node_names(asking)
    file.write_text(ALPHA.replace("Alpha", "Aleph"), encoding="utf-8")
    after = node_names(asking)
    file.write_text(ALPHA, encoding="utf-8")
    assert (before, after, node_names(asking)) == (["Alpha", "N"], ["Aleph", "N"], ["Alpha", "N"])


def test_a_new_node_is_seen_by_the_next_call(asking: Agent, places: Path) -> None:
    write_graph(places / "two", {"model/new/yg-node.yaml": "name: New\ntype: service\n"})
    root = str(places / "two")
    assert node_names(asking, root=root) == ["Alpha", "N", "New"]
    (places / "two" / ".yggdrasil" / "model" / "new" / "yg-node.yaml").unlink()
    assert node_names(asking, root=root) == ["Alpha", "N"]


@pytest.mark.parametrize("root", ["{}/two", "../two", "src", "{}/one/.yggdrasil/model"])
def test_a_call_may_name_any_directory_of_those_served(
    asking: Agent, places: Path, root: str
) -> None:
    assert node_names(asking, root=root.format(places)) == ["Alpha", "N"]


@pytest.mark.parametrize("root", ["{}/three", "..", "/", "link", "a\0b", "{}/onerous"])
def test_a_call_may_not_leave_the_directories_served(
    asking: Agent, places: Path, root: str
) -> None:
    named = root.format(places)
    result = asking.call("tree", root=named)
    text = texts(result)[0]
    assert (result.is_error, len(result.content)) == (True, 1)
    assert "is not allowed" in text
    assert f"This server serves {places}/one, {places}/two, " in text


def test_outside_git_there_is_no_commit(asking: Agent, places: Path) -> None:
    result = asking.call("tree")
    state = {"root": str(places / "one"), "commit": None, "dirty": None}
    assert ((result.meta or {})["yg/state"], texts(result)[1]) == (
        state,
        f"[root {places}/one, not in git]\n",
    )


def test_before_the_first_commit_there_is_none(asking: Agent, places: Path) -> None:
    result = asking.call("tree", root="../two")
    assert texts(result)[1] == f"[root {places}/two, no commit yet, work tree dirty]\n"


def test_without_a_graph_the_server_lives_and_says_so(asking: Agent, places: Path) -> None:
    text = texts(asking.call("tree", root="../empty"))[0]
    assert text == "error: No .yggdrasil/ directory found. Run 'yg init' first.\n"
    write_graph(places / "empty", {"model/a/yg-node.yaml": ALPHA})
    assert node_names(asking, root="../empty") == ["Alpha"]


def test_a_server_that_may_not_sync_leaves_an_old_drift_state_as_it_is(
    asking: Agent, places: Path
) -> None:
    def files() -> list[Path]:
        return sorted((places / "old").rglob("*"))

    before = files()
    assert asking.call("drift", root="../old").structured_content["nodes"][0]["node"] == "a"
    assert not asking.call("plan", root="../old", changed=True).is_error
    assert files() == before
