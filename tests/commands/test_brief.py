"""`yg brief` and `yg overview`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support import CONFIG, NODE, run, write
from yg.kernel.front_page import LONGEST
from yg.surfaces.cli.complete import suggested

ASPECT = "name: {}\n"
DRAFT = "<!-- draft: replace this -->\n"


def written(root: Path, files: dict[str, str]) -> Path:
    graph = {"yg-config.yaml": CONFIG, **files}
    return write(root, {f".yggdrasil/{name}": text for name, text in graph.items()})


def brief(root: Path, *argv: str) -> str:
    outcome = run("brief", *argv, "-C", str(root))
    assert outcome.code == 0, outcome.notes
    return outcome.text


def document(root: Path, *argv: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*argv, "--json", "-C", str(root)).text)
    return found


def test_a_node_about_which_nobody_has_written_has_an_empty_brief(tmp_path: Path) -> None:
    calls = NODE + "relations:\n  - {target: a, type: calls}\n"
    files = {"model/a/yg-node.yaml": NODE, "model/b/yg-node.yaml": calls}
    outcome = run("brief", "a", "-C", str(written(tmp_path, files)))
    assert (outcome.code, outcome.text) == (0, "")
    note = "nothing is written about a yet; 'yg build-context a' shows the rest\n"
    assert outcome.notes == note


def test_a_draft_says_nothing(tmp_path: Path) -> None:
    files = {
        "model/a/yg-node.yaml": NODE + "aspects: [{aspect: x}]\n",
        "model/a/responsibility.md": DRAFT,
        "aspects/x/yg-aspect.yaml": ASPECT.format("X"),
        "aspects/x/content.md": DRAFT,
    }
    assert brief(written(tmp_path, files), "a") == ""


def test_an_aspect_without_text_is_its_description(tmp_path: Path) -> None:
    files = {
        "model/a/yg-node.yaml": NODE + "aspects: [{aspect: x, exceptions: [Not on Sundays.]}]\n",
        "aspects/x/yg-aspect.yaml": "name: X\ndescription: Be kind.\n",
    }
    found = document(written(tmp_path, files), "brief", "a")
    assert [(block["kind"], block["text"]) for block in found["blocks"]] == [
        ("rule", "- **X** (x): Be kind."),
        ("exception", "- x, for this node: Not on Sundays."),
    ]


def test_rules_of_ancestors_and_flows_apply_in_the_order_of_the_package(tmp_path: Path) -> None:
    files = {
        "model/a/yg-node.yaml": NODE + "aspects: [{aspect: above}]\n",
        "model/a/b/yg-node.yaml": NODE + "aspects: [{aspect: own}]\n",
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a/b]\naspects: [flow]\n",
        **{
            f"aspects/{name}/yg-aspect.yaml": ASPECT.format(name)
            for name in ("above", "own", "flow")
        },
        **{f"aspects/{name}/content.md": f"Rule {name}.\n" for name in ("above", "own", "flow")},
    }
    found = document(written(tmp_path, files), "brief", "a/b")
    assert [block["subject"] for block in found["blocks"]] == ["above", "own", "flow", "a/b"]
    assert found["blocks"][-1]["text"] == "- F"


@pytest.mark.parametrize("limit", [100, 300, 1_000, 2_000])
def test_a_brief_is_never_longer_than_it_may_be(limit: int, tmp_path: Path) -> None:
    names = [f"x{at}" for at in range(30)]
    uses = "".join(f"  - aspect: {name}\n" for name in names)
    files = {
        "model/a/yg-node.yaml": f"{NODE}aspects:\n{uses}",
        "model/a/responsibility.md": "It does something that matters. " * 100,
        **{f"aspects/{name}/yg-aspect.yaml": ASPECT.format(name) for name in names},
        **{f"aspects/{name}/content.md": "A rule is a rule. " * 50 for name in names},
    }
    text = brief(written(tmp_path, files), "a", "--limit", str(limit))
    assert len(text) <= 4 * limit
    assert limit == 100 or text.rstrip().endswith("`yg build-context a` shows everything.")


def test_a_file_in_a_mapped_folder_has_the_brief_of_its_node(tmp_path: Path) -> None:
    files = {
        "model/a/yg-node.yaml": NODE + "mapping: {paths: [src]}\n",
        "model/a/responsibility.md": "# A\n\nKeeps a.\n",
    }
    root = write(written(tmp_path, files), {"src/x.py": "", "y.py": ""})
    assert "\nKeeps a.\n" in brief(root, "src/x.py")
    outcome = run("brief", "y.py", "src/x.py", "-C", str(root))
    assert (outcome.code, outcome.notes) == (0, "no node owns 'y.py'\n")
    outcome = run("brief", "y.py", "-C", str(root))
    assert (outcome.code, outcome.text, outcome.notes) == (1, "", "no node owns 'y.py'\n")


def test_an_overview_of_a_large_graph_fits_on_a_page(tmp_path: Path) -> None:
    for count in (30, 60, 300):
        files = {}
        for at in range(count):
            files[f"model/n{at:03}/yg-node.yaml"] = NODE
            files[f"model/n{at:03}/responsibility.md"] = f"Does the work number {at} of many."
            files[f"model/n{at:03}/inner{at:03}/yg-node.yaml"] = NODE
            files[f"aspects/aspect{at:03}/yg-aspect.yaml"] = ASPECT.format(f"Aspect number {at}")
        root = written(tmp_path / str(count), files)
        text = run("overview", "-C", str(root)).text
        assert len(text) <= LONGEST
        assert text.startswith("# test\n\n- n000")
        assert "`yg find WORD`" in text
        assert len(document(root, "overview")["nodes"]) == count


def test_a_root_node_says_what_the_project_is(tmp_path: Path) -> None:
    files = {
        "model/yg-node.yaml": NODE,
        "model/responsibility.md": "Sells books. And more.",
        "model/a/yg-node.yaml": NODE,
    }
    text = run("overview", "-C", str(written(tmp_path, files))).text
    assert text.startswith("# test\n\nSells books.\n\n- a\n")


def test_an_overview_leaves_out_what_cannot_be_read(tmp_path: Path) -> None:
    files = {"model/a/yg-node.yaml": "][", "model/b/yg-node.yaml": NODE}
    outcome = run("overview", "-C", str(written(tmp_path, files)))
    assert "- b\n" in outcome.text
    assert "a" in outcome.notes


def test_a_shell_completes_nodes_harnesses_and_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(written(tmp_path, {"model/a/yg-node.yaml": NODE}))
    assert suggested(["brief"], "").words == (("a", ""),)
    assert ("gemini", "") in suggested(["hook"], "").words
    assert ("compact", "") in suggested(["hook", "gemini"], "").words


def test_decisions_in_force_have_one_line_each(tmp_path: Path) -> None:
    files = {
        "model/a/yg-node.yaml": NODE + "decisions: [1]\n",
        "model/a/b/yg-node.yaml": NODE + "decisions: [2, 3]\n",
    }
    decisions = {
        "docs/adr/0001-files.md": "# 1. Plain files\n\nStatus: accepted\n",
        "docs/adr/0002-sqlite.md": "# 2. SQLite\n\nStatus: superseded by 3\n",
        "docs/adr/0003-none.md": "# 3. No database\n",
    }
    found = document(write(written(tmp_path, files), decisions), "brief", "a/b")
    assert [(block["kind"], block["text"]) for block in found["blocks"]] == [
        ("decision", "- Decision 3: No database (accepted), docs/adr/0003-none.md"),
        ("decision", "- Decision 1: Plain files (accepted), docs/adr/0001-files.md"),
    ]


def test_a_section_elsewhere_can_stand_for_the_responsibility(tmp_path: Path) -> None:
    declared = NODE + "artifacts: {responsibility.md: README.md#Purpose}\n"
    readme = {"README.md": "# A\n\n## Purpose\n\nKeeps a.\n\n## Other\n\nMore.\n"}
    root = write(written(tmp_path, {"model/a/yg-node.yaml": declared}), readme)
    assert "## Responsibility\n\nKeeps a.\n" in brief(root, "a")
