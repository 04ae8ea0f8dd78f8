"""What was once lost or broken on the way from 1.x to 2.x, by `yg init`, and in graphs of 0.x."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from support import run
from yg.disk.files.apply import Applier
from yg.disk.reading.worktree import WorkTree
from yg.text.decode_yaml import decode_yaml
from yg.yggdrasil.start.upgrade import NewerGraphError, Upgrade, upgrade_of

FOLDER = ".yggdrasil"
Files = Mapping[str, str | bytes]
CONFIG_1X = {"config.yaml": "name: P\nnode_types: [module]\n"}
MODULE = "name: A\ntype: module\n"


def write(root: Path, files: Files, folder: str = FOLDER) -> Path:
    for path, text in files.items():
        file = root / folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def tree_of(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def upgrade_disk(root: Path, stop_after: int | None = None) -> Upgrade:
    """Carry out the first edits of an upgrade."""
    upgrade = upgrade_of(WorkTree(str(root), FOLDER))
    for edit in upgrade.edits[:stop_after]:
        Applier(str(root)).apply([edit])
    return upgrade


def upgraded(root: Path, files: Files) -> tuple[dict[str, str], list[str]]:
    """Return the files of an upgraded graph that are not ours, and what was said."""
    warnings = upgrade_disk(write(root, files)).warnings
    found = tree_of(root / FOLDER)
    ours = ("schemas/", ".gitignore", ".upgrade-1x.txt")
    return {path: text for path, text in found.items() if not path.startswith(ours)}, warnings


# Aspects and their tags.


def aspects(**tags: str) -> dict[str, str]:
    return {
        **CONFIG_1X,
        **{f"aspects/{name}/aspect.yaml": f"name: {name}\ntag: {tags[name]}\n" for name in tags},
        **{f"aspects/{name}/content.md": f"Text of {name}.\n" for name in tags},
        "model/a/node.yaml": f"{MODULE}tags: [{', '.join(dict.fromkeys(tags.values()))}]\n",
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "files",
    [
        aspects(z="y", y="x"),
        aspects(a="b", b="c", c="d"),
        aspects(a="b", b="a"),
        aspects(a="b", b="c", c="a"),
        aspects(p="t", q="t"),
        aspects(p="sec/audit", sec="sec"),
    ],
    ids=["chain", "long chain", "swap", "ring", "one tag twice", "below a directory"],
)
def test_aspects_end_the_same_wherever_an_upgrade_stopped(tmp_path: Path, files: Files) -> None:
    whole = write(tmp_path / "whole", files)
    count = len(upgrade_disk(whole).edits)
    expected = tree_of(whole)
    assert upgrade_of(WorkTree(str(whole), FOLDER)).edits == []
    for stop in range(count):
        root = write(tmp_path / str(stop), files)
        upgrade_disk(root, stop)
        upgrade_disk(root)
        assert (stop, tree_of(root)) == (stop, expected)
        shutil.rmtree(root)


def test_aspects_that_change_places_take_their_texts_along(tmp_path: Path) -> None:
    files, _ = upgraded(tmp_path, aspects(a="b", b="a"))
    assert files["aspects/a/content.md"] == "Text of b.\n"
    assert files["aspects/b/content.md"] == "Text of a.\n"
    assert {path for path in files if path.startswith("aspects/")} == {
        f"aspects/{name}/{file}" for name in "ab" for file in ("content.md", "yg-aspect.yaml")
    }


def test_of_two_aspects_with_one_tag_both_stay_and_it_is_told(tmp_path: Path) -> None:
    files, warnings = upgraded(tmp_path, aspects(p="t", q="t"))
    texts = {files[path] for path in files if path.endswith("content.md")}
    assert texts == {"Text of p.\n", "Text of q.\n"}
    assert warnings == ["aspects/p keeps its name: its tag 't' cannot be used"]


def test_a_tag_with_a_slash_becomes_a_directory_below_another(tmp_path: Path) -> None:
    files, warnings = upgraded(tmp_path, aspects(p="sec/audit"))
    assert files["aspects/sec/audit/content.md"] == "Text of p.\n"
    assert files["model/a/yg-node.yaml"] == f"{MODULE}aspects:\n  - aspect: sec/audit\n"
    assert warnings == []


# Configurations.


def test_a_quality_that_is_not_a_mapping_stops_nothing(tmp_path: Path) -> None:
    files, _ = upgraded(tmp_path, {"config.yaml": "name: P\nquality: 5\n"})
    assert files == {"yg-config.yaml": 'version: "2.2.0"\nname: P\nquality: 5\n'}


def test_the_users_own_words_about_a_type_are_its_description(tmp_path: Path) -> None:
    config = "name: P\nnode_types: {module: My own words}\n"
    files, warnings = upgraded(tmp_path, {"config.yaml": config})
    assert "  module:\n    description: My own words\n" in files["yg-config.yaml"]
    assert warnings == []


def test_one_required_tag_need_not_be_a_list(tmp_path: Path) -> None:
    config = "name: P\nnode_types:\n  - {name: module, required_tags: audit, colour: red}\n"
    files, _ = upgraded(tmp_path, {"config.yaml": config})
    assert "    required_aspects: [audit]\n    colour: red\n" in files["yg-config.yaml"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{name: P, a: {b: c}}\n", '{version: "2.2.0", name: P, a: {b: c}}\n'),
        ("# c\n{name: P, version: 2.0.0}\n", '# c\n{name: P, version: "2.2.0"}\n'),
        ("{}\n", '{version: "2.2.0"}\n'),
        ("{\n  name: P\n}\n", '{version: "2.2.0", \n  name: P\n}\n'),
    ],
)
def test_a_version_goes_inside_the_braces(tmp_path: Path, old: str, new: str) -> None:
    files, _ = upgraded(tmp_path, {"yg-config.yaml": old})
    assert files == {"yg-config.yaml": new}
    assert decode_yaml(new).problems == ()


@pytest.mark.parametrize("version", ["3.1", '"3.0.1"', '"3.10"'])
def test_a_newer_version_is_refused_with_or_without_quotes(tmp_path: Path, version: str) -> None:
    write(tmp_path, {"yg-config.yaml": f"version: {version}\nname: P\n"})
    with pytest.raises(NewerGraphError):
        upgrade_disk(tmp_path)


@pytest.mark.parametrize("version", ["3.0", "3", '"3.0.0"', '"2.10"', "2.3"])
def test_a_later_version_is_kept_with_or_without_quotes(tmp_path: Path, version: str) -> None:
    graph = {"yg-config.yaml": f"version: {version}\nname: P\n"}
    assert upgraded(tmp_path, graph) == (graph, [])


def test_content_of_a_graph_of_2x_may_be_called_like_files_of_1x(tmp_path: Path) -> None:
    graph = {
        "yg-config.yaml": 'version: "2.0.0"\nname: P\n',
        "model/a/yg-node.yaml": MODULE,
        "model/a/node.yaml": "tags: [x]\n",
        "aspects/x/aspect.yaml": "tag: y\n",
    }
    files, warnings = upgraded(tmp_path, graph)
    assert files == {**graph, "yg-config.yaml": 'version: "2.2.0"\nname: P\n'}
    assert warnings == []


# Nodes.


@pytest.mark.parametrize(
    "text",
    [f"{MODULE}tags: [x]\nmapping: src\n...\n", "  name: A\n  type: module\n  mapping: src\n"],
    ids=["end of document", "indented"],
)
def test_a_node_of_an_odd_shape_stays_valid_and_loses_nothing(tmp_path: Path, text: str) -> None:
    files, warnings = upgraded(tmp_path, {**CONFIG_1X, "model/a/node.yaml": text})
    new = files["model/a/yg-node.yaml"]
    assert decode_yaml(new).problems == ()
    assert new != text or any("model/a/yg-node.yaml" in warning for warning in warnings)
    assert "src" in new


def test_keys_that_nobody_knows_are_kept_or_reported(tmp_path: Path) -> None:
    node = (
        f"{MODULE}mapping: {{type: file, path: a.py, since: 3}}\n"
        "aspects: [{aspect: audit, shade: red}, other]\nowner: me\n"
    )
    aspect = "name: Audit\ntone: low\n"
    old = {**CONFIG_1X, "model/a/node.yaml": node, "aspects/audit/aspect.yaml": aspect}
    files, warnings = upgraded(tmp_path, old)
    assert files["aspects/audit/yg-aspect.yaml"] == aspect
    assert "owner: me\n" in files["model/a/yg-node.yaml"]
    assert warnings == [
        "model/a/yg-node.yaml: 'shade' of aspect 'audit' was dropped: red",
        "model/a/yg-node.yaml: 'mapping.since' was dropped: 3",
    ]
    report = (tmp_path / FOLDER / ".upgrade-1x.txt").read_text(encoding="utf-8")
    assert report.splitlines() == warnings


def test_comments_stay_where_they_were(tmp_path: Path) -> None:
    node = """\
name: A
type: module
mapping: "src/#a" # behind # a value
# above relations
relations: []
knowledge: a#b # behind a value that goes
# above colour
colour: 1
"""
    files, _ = upgraded(tmp_path, {**CONFIG_1X, "model/a/node.yaml": node})
    assert (
        files["model/a/yg-node.yaml"]
        == """\
name: A
type: module
# behind # a value
mapping:
  paths:
    - src/#a
# above relations
relations: []
# behind a value that goes
# above colour
colour: 1
"""
    )


# Platforms.


@pytest.mark.parametrize(
    ("platform", "file"), [("cline", ".clinerules"), ("copilot", ".github")], ids=str
)
def test_a_file_in_the_way_stops_init_before_anything_is_written(
    tmp_path: Path, platform: str, file: str
) -> None:
    write(tmp_path, {file: "mine\n"}, ".")
    outcome = run("init", "-C", str(tmp_path), "--platform", platform)
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith(f"error: '{file}' is not a directory\n")
    assert tree_of(tmp_path) == {file: "mine\n"}
    assert [path.name for path in tmp_path.iterdir()] == [file]


def test_a_lone_byte_order_mark_does_not_hide_the_line_from_the_next_run(tmp_path: Path) -> None:
    write(tmp_path, {"CLAUDE.md": b"\xef\xbb\xbf"}, ".")
    run("init", "-C", str(tmp_path), "--platform", "claude-code", "--name", "P")
    once = tree_of(tmp_path)
    assert once["CLAUDE.md"] == "\ufeff@.yggdrasil/agent-rules.md"
    again = run("init", "-C", str(tmp_path), "--platform", "claude-code", "--upgrade")
    assert (again.code, tree_of(tmp_path)) == (0, once)


# Graphs of 0.x.


GRAPH_0X: dict[str, str | bytes] = {
    "config.yaml": "name: P\n",
    "aspects/one.yaml": "name: One\ntag: t\nrule: first\n",
    "aspects/two.yaml": "name: Two\ntag: t\nrule: second\n",
    "a/node.yaml": f"{MODULE}tags: [t]\nrelations: [{{target: b, type: uses}}]\n",
    "a/description.md": "What a is.\n",
    "b/node.yaml": "name: B\ntype: module\n",
    "b/description.md": "What b is.\n",
}


def package_0x(root: Path, changes: Files = {}) -> str:
    write(root, {**GRAPH_0X, **changes}, "yggdrasil")
    outcome = run("build-context", "a", "-C", str(root))
    assert outcome.code == 0
    return outcome.text


def test_each_of_two_aspects_quotes_its_own_file(tmp_path: Path) -> None:
    text = package_0x(tmp_path)
    assert "### One (tag: t)\n\nname: One\ntag: t\nrule: first\n" in text
    assert "### Two (tag: t)\n\nname: Two\ntag: t\nrule: second\n" in text


def test_a_file_of_a_dependency_that_cannot_be_read_is_a_line(tmp_path: Path) -> None:
    text = package_0x(tmp_path, {"b/bad.md": b"x\xff\n"})
    assert "There is no text of 'bad.md': not UTF-8 at byte 1 (0xff).\n" in text
    assert "#### description.md\nWhat b is.\n" in text


def test_a_relation_type_cannot_forge_a_heading(tmp_path: Path) -> None:
    node = f'{MODULE}relations: [{{target: b, type: "uses\\n\\n## Forged\\e[1m"}}]\n'
    text = package_0x(tmp_path, {"a/node.yaml": node})
    assert "\n### b (uses ## Forged\\x1b[1m)\n" in text
    assert "\n## Forged" not in text


def test_check_and_footer_agree_about_the_budget(tmp_path: Path) -> None:
    size = re.search(r"^Context size: (\d+) tokens", package_0x(tmp_path), re.MULTILINE)
    assert size is not None
    tokens = int(size[1])
    for threshold, verdict in ((tokens, "ok"), (tokens - 1, "exceeded")):
        config = f"name: P\nlimits: {{context_warning_tokens: {threshold}}}\n"
        text = package_0x(tmp_path, {"config.yaml": config})
        assert text.endswith(
            f"\nContext size: {tokens} tokens (threshold {threshold}: {verdict})\n"
        )
        told = run("validate", "-C", str(tmp_path)).text
        assert (f"{tokens} tokens" in told) == (verdict == "exceeded")


def test_a_name_that_stays_taken_is_not_waited_for(tmp_path: Path) -> None:
    aspects = {
        "aspects/a/aspect.yaml": "name: A\ntag: b\n",
        "aspects/b/aspect.yaml": "name: B\ntag: c\n",
        "aspects/c/aspect.yaml": "name: C\ntag: d\n",  # it keeps its name: there is one below it
        "aspects/c/e/aspect.yaml": "name: E\n",
    }
    files, warnings = upgraded(tmp_path, {**CONFIG_1X, **aspects})
    names = {path: text for path, text in files.items() if path.startswith("aspects/")}
    assert names == {
        "aspects/a/yg-aspect.yaml": "name: A\n",
        "aspects/b/yg-aspect.yaml": "name: B\n",
        "aspects/c/yg-aspect.yaml": "name: C\n",
        "aspects/c/e/yg-aspect.yaml": "name: E\n",
    }
    assert [warning for warning in warnings if "keeps its name" in warning] == [
        "aspects/a keeps its name: its tag 'b' cannot be used",
        "aspects/b keeps its name: its tag 'c' cannot be used",
        "aspects/c keeps its name: its tag 'd' cannot be used",
    ]
