"""Graphs of formats 2.3 to 3.0, as other tools write them: no false error and no false drift."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from later_formats import (
    FORMATS,
    NAMED,
    SOURCES,
    bytes_below,
    graph_files,
    repository,
)
from support import git, run, write
from yg.commands.explore.data import explore
from yg.workspace.opening import open_workspace

CATALOG = ".yggdrasil/model/library/catalog"
ALL_OK = "0 source-drift, 0 graph-drift, 0 full-drift, 0 missing, 0 unmaterialized, 4 ok"
every_format = pytest.mark.parametrize("name", FORMATS)


def ask(root: Path, *argv: str) -> Any:
    return json.loads(run(*argv, "-C", str(root), "--json").text)


def drifted(root: Path) -> dict[str, list[str]]:
    """Return the changed files of each node that is not ok, with what happened to them."""
    nodes = ask(root, "drift", "--drifted-only")["nodes"]
    return {
        node["node"]: [f"{change['path']} {change['how']}" for change in node["graph"]]
        + [f"{change['path']} {change['class']}" for change in node["source"]]
        for node in nodes
    }


# Validation.


@every_format
def test_the_keys_of_a_format_are_known_and_its_name_is_said_once(
    tmp_path: Path, name: str
) -> None:
    root = write(tmp_path, {**graph_files(name), **SOURCES})
    version = NAMED.get(name, name)
    said = f" Format {version}." if version else ""
    for _ in range(2):  # the second time, from the index
        outcome = run("validate", "-C", str(root))
        assert outcome.text == f"No issues found. 7 nodes checked.{said}\n"
        assert (outcome.code, outcome.notes) == (0, "")
    status = run("status", "-C", str(root)).text
    assert status.count("Format") == bool(version)
    assert f"Format: {version}\n" in status if version else "Format" not in status
    assert ask(root, "validate").get("format", "") == version
    assert ask(root, "status").get("format", "") == version


@every_format
def test_a_graph_without_issues_is_not_changed_by_fixes(tmp_path: Path, name: str) -> None:
    root = repository(tmp_path, name)
    before = bytes_below(root)
    assert ask(root, "validate", "--fix")["fixed"] == []
    assert bytes_below(root) == before


def test_an_unknown_key_of_many_files_is_one_line_of_text(tmp_path: Path) -> None:
    files = graph_files("3.0.0")
    nodes = [path for path in files if "/model/" in path and path.endswith(".yaml")]
    root = write(tmp_path, {**files, **{path: f"{files[path]}owner: me\n" for path in nodes}})
    write(root, {**SOURCES, nodes[0]: f"{files[nodes[0]]}owner: me\nteam: us\n"})
    text = run("validate", "-C", str(root)).text
    first = ".yggdrasil/model/app/player/yg-node.yaml:10:1"
    line = f"W016 unknown key 'owner' in 7 files, such as {first}\n"
    assert f"{line}  Known keys: " in text
    assert "W016 app -> unknown key 'team'.\n" in text
    assert text.count("W016") == 2
    found = [issue for issue in ask(root, "validate")["issues"] if issue["code"] == "W016"]
    assert len(found) == 8
    assert run("validate", "--all", "-C", str(root)).text.count("W016") == 8


def test_an_unknown_key_of_many_files_has_its_suggestion_once(tmp_path: Path) -> None:
    files = graph_files("3.0.0")
    nodes = [path for path in files if "/model/" in path and path.endswith(".yaml")]
    root = write(tmp_path, {**files, **{path: f"{files[path]}relation: []\n" for path in nodes}})
    text = run("validate", "-C", str(root)).text
    line = next(line for line in text.splitlines() if line.startswith("W016"))
    assert line.startswith(f"W016 unknown key 'relation' in {len(nodes)} files, such as ")
    assert f"{line}\n  Did you mean 'relations'?\n" in text
    assert text.count("Did you mean 'relations'?") == 1


# Drift.


@every_format
@pytest.mark.parametrize("has_crlf", [False, True])
@pytest.mark.parametrize("has_blackbox", [False, True])
def test_nothing_has_drifted_from_a_baseline_of_another_tool(
    tmp_path: Path, name: str, *, has_crlf: bool, has_blackbox: bool
) -> None:
    root = repository(tmp_path, name, has_crlf=has_crlf, has_blackbox=has_blackbox)
    for options in ((), (), ("--no-cache",)):
        outcome = run("drift", "-C", str(root), *options)
        assert outcome.text.endswith(f"Summary: {ALL_OK}\n")
        assert (outcome.code, outcome.notes) == (0, "")
        assert (" old (not recorded)\n" in outcome.text) is not has_blackbox


@pytest.mark.parametrize(
    ("file", "nodes"),
    [
        ("library/responsibility.md", {"app/player"}),  # an ancestor of a target
        ("mail/sender/interface.md", {"app/player"}),  # the target of an event
        ("mail/interface.md", {"app/player"}),  # an ancestor of that
    ],
)
@pytest.mark.parametrize("has_crlf", [False, True])
def test_a_file_that_only_another_tool_tracks_counts_if_it_changed(
    tmp_path: Path, file: str, nodes: set[str], *, has_crlf: bool
) -> None:
    root = repository(tmp_path, "2.8.0", has_crlf=has_crlf)
    path = f".yggdrasil/model/{file}"
    write(root, {path: "Changed.\n"})
    found = drifted(root)
    assert nodes <= found.keys()
    assert all(found[node] == [f"{path} changed"] for node in nodes)
    (node,) = (
        node for node in ask(root, "drift", "--drifted-only")["nodes"] if node["node"] in nodes
    )
    assert (node["state"], node["graph"][0]["outside"]) == ("graph-drift", True)
    line = f"    {path} (changed) (not part of the package here)\n"
    assert line in run("drift", "app/player", "-C", str(root)).text


def test_a_deleted_file_of_another_tool_is_drift(tmp_path: Path) -> None:
    root = repository(tmp_path, "3.0.0")
    file = ".yggdrasil/model/library/interface.md"
    (root / file).unlink()
    assert drifted(root)["app/player"] == [f"{file} deleted"]


@every_format
def test_a_sync_changes_baselines_and_nothing_else(tmp_path: Path, name: str) -> None:
    root = repository(tmp_path, name)
    before = bytes_below(root)
    assert run("drift-sync", "--all", "-C", str(root)).code == 0
    after = bytes_below(root)
    states = ".yggdrasil/.drift-state/"
    assert {path: text for path, text in after.items() if not path.startswith(states)} == {
        path: text for path, text in before.items() if not path.startswith(states)
    }
    assert run("drift", "-C", str(root)).text.endswith(f"Summary: {ALL_OK}\n")


@pytest.mark.parametrize("has_crlf", [False, True])
def test_the_class_of_a_change_comes_from_the_old_text_in_git(
    tmp_path: Path, *, has_crlf: bool
) -> None:
    root = repository(tmp_path, "2.8.0", has_crlf=has_crlf)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    changed = SOURCES["src/player/play.py"].replace("import os\n", "import os\nimport sys\n")
    write(root, {"src/player/play.py": changed, "src/player/stop.py": "# Stop\nSTOP = 1\n"})
    git(root, "commit", "-qam", "two")
    for _ in range(2):
        assert drifted(root) == {
            "app/player": ["src/player/play.py imports", "src/player/stop.py cosmetic"]
        }
    assert run("drift", "--tolerate", "imports", "-C", str(root)).code == 0
    assert run("drift", "--tolerate", "docs", "-C", str(root)).code == 1
    shown = run("drift", "--show", "-C", str(root)).text
    assert "+import sys\n" in shown


def test_without_git_a_foreign_baseline_gives_no_class(tmp_path: Path) -> None:
    root = repository(tmp_path, "2.8.0")
    write(root, {"src/player/stop.py": "# Stop\nSTOP = 1\n"})
    assert drifted(root) == {"app/player": ["src/player/stop.py unknown"]}


def test_a_file_that_moved_is_found_by_its_digest_with_crlf(tmp_path: Path) -> None:
    root = repository(tmp_path, "2.8.0", has_crlf=True)
    (root / "src/player/stop.py").rename(root / "src/player/halt.py")
    text = run("drift", "-C", str(root)).text
    assert "    src/player/stop.py (moved to src/player/halt.py)\n" in text


# Packages, and other answers.


@every_format
def test_a_package_has_all_texts_and_the_descriptions(tmp_path: Path, name: str) -> None:
    root = write(tmp_path, {**graph_files(name), **SOURCES})
    outcome = run("build-context", "app/player", "-C", str(root))
    assert outcome.code == 0
    texts = ["app responsibility.md", "app/player internals.md", "library/catalog interface.md"]
    assert all(f"{text}: " in outcome.text for text in texts)
    assert "library/catalog internals.md: " not in outcome.text
    assert "library responsibility.md: " not in outcome.text
    is_described = FORMATS[name][1]
    lines = {
        '<hierarchy path="app/" aspects="audit">': "Description: About app",
        '<dependency target="library/catalog" type="calls" consumes="find" '
        'failure="stays silent">': "Description: About library/catalog",
        '<flow name="Listen">': "Description: From the click to the sound",
    }
    written = outcome.text.split("\n")
    for tag, line in lines.items():
        first = written[written.index(tag) + 1]
        assert (first == line) is is_described


def test_the_description_of_a_dependency_is_above_what_it_is_used_for(tmp_path: Path) -> None:
    root = write(tmp_path, {**graph_files("2.6.0"), **SOURCES})
    text = run("build-context", "app/player", "-C", str(root)).text
    block = text.split("<dependency")[1].split("</dependency>")[0]
    assert block.split("\n")[1:6] == [
        "Description: About library/catalog",
        "Consumes: find",
        "On failure: stays silent",
        "",
        "### responsibility.md",
    ]


def test_descriptions_are_in_lists_exports_searches_and_the_explorer(tmp_path: Path) -> None:
    root = write(tmp_path, {**graph_files("2.6.0"), **SOURCES})
    (flow,) = ask(root, "flows")["flows"]
    assert flow["description"] == "From the click to the sound"
    assert "  description: From the click to the sound\n" in run("flows", "-C", str(root)).text
    exported = {node["id"]: node for node in ask(root, "export")["nodes"]}
    found = {node["path"]: node.get("description") for node in exported.values()}
    assert found["library/catalog"] == "About library/catalog"
    assert found["listen"] == "From the click to the sound"
    assert "library/catalog" in run("find", "About library/catalog", "-C", str(root)).text
    assert "flows/listen" in run("find", "click", "-C", str(root)).text
    shown = explore(open_workspace(str(root))).graph.nodes
    texts = {node.path: node.description for node in shown if node.kind != "aspect"}
    assert texts["app"] == "About app"
    assert texts["listen"] == "From the click to the sound"


def test_artifacts_of_format_3_are_written_for_a_new_node(tmp_path: Path) -> None:
    root = write(tmp_path, {**graph_files("3.0.0"), **SOURCES})
    assert run("new", "node", "app/list", "--type", "service", "-C", str(root)).code == 0
    assert (root / ".yggdrasil/model/app/list/responsibility.md").exists()


# Writing.


@every_format
def test_an_upgrade_keeps_the_version_and_the_schemas_of_another_tool(
    tmp_path: Path, name: str
) -> None:
    root = repository(tmp_path, name)
    before = bytes_below(root)
    assert run("init", "--upgrade", "-C", str(root)).code == 0
    after = bytes_below(root)
    changed = {path for path in before if after[path] != before[path]}
    if name == "2.0.0":  # nothing in it is of a later format
        assert b'version: "2.2.0"' in after[".yggdrasil/yg-config.yaml"]
        return
    rules = ".yggdrasil/agent-rules.md"
    assert changed == {rules, ".yggdrasil/.gitignore"}
    assert after[".yggdrasil/.gitignore"].startswith(b"x\n")
    assert any(path.endswith(".schema.json") for path in after)
    copies = [path for path in after if path.endswith(".before-upgrade")]
    assert copies == [f"{rules}.before-upgrade"]


def test_participants_follow_a_node_that_is_renamed_or_removed(tmp_path: Path) -> None:
    root = repository(tmp_path, "2.5.1")
    flow = root / ".yggdrasil/flows/listen/yg-flow.yaml"
    assert run("mv", "library/catalog", "library/index", "-C", str(root)).code == 0
    expected = "name: Listen\nparticipants:\n  - app/player\n  - library/index\n"
    assert flow.read_text(encoding="utf-8") == expected
    assert run("drift", "-C", str(root)).text.endswith(f"Summary: {ALL_OK}\n")
    assert run("rm", "library/index", "--force", "-C", str(root)).code == 0
    assert flow.read_text(encoding="utf-8") == "name: Listen\nparticipants:\n  - app/player\n"


def test_keys_that_nobody_knows_are_kept_when_a_file_is_rewritten(tmp_path: Path) -> None:
    root = repository(tmp_path, "2.8.0")
    node = root / f"{CATALOG}/yg-node.yaml"
    text = f"{node.read_text(encoding='utf-8')}x-team: sound # ours\n"
    node.write_text(text, encoding="utf-8")
    assert run("mv", "library/catalog", "library/index", "-C", str(root)).code == 0
    moved = root / ".yggdrasil/model/library/index/yg-node.yaml"
    assert moved.read_text(encoding="utf-8") == text


# Options that people know from other tools.


def test_the_impact_of_a_file_is_that_of_its_node(tmp_path: Path) -> None:
    root = write(tmp_path, {**graph_files("2.8.0"), **SOURCES})
    expected = run("impact", "library/catalog", "-C", str(root))
    assert run("impact", "--file", f"{root}/src/catalog.py", "-C", str(root)) == expected
    assert ask(root, "impact", "--file", f"{root}/src/catalog.py")["node"] == "library/catalog"
    missing = run("impact", "--file", f"{root}/setup.py", "-C", str(root))
    assert missing.notes.startswith("error: there is no file ")
    both = run("impact", "app", "--file", "src/catalog.py", "-C", str(root))
    assert both.code == 2


def test_a_package_can_have_only_the_texts_of_the_node(tmp_path: Path) -> None:
    root = write(tmp_path, {**graph_files("3.0.0"), **SOURCES})
    own = run("build-context", "app/player", "--self", "-C", str(root))
    assert own == run("build-context", "app/player", "--only", "own", "-C", str(root))
    assert "<own-artifacts" in own.text
    assert "<hierarchy" not in own.text
