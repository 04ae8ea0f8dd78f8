"""`yg init --upgrade` in a repository with a 0.x graph."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from schemas import faults
from support import REPOSITORY, files_below, run, write

SOUND = {
    "yggdrasil/config.yaml": (
        "project: Old\nstack: {db: PostgreSQL, cache: 7}\nstandards: Be kind.\n"
        "testing: [pytest, '100%']\nlimits: {context_warning_tokens: 30000}\n"
    ),
    "yggdrasil/aspects/audit.yaml": "name: Audit\ntag: needs audit\nrules: [write it down]\n",
    "yggdrasil/aspects/more.yaml": "name: More\ntag: needs audit\n",
    "yggdrasil/aspects/AUDIT.yaml": "name: Loud\ntag: Needs Audit\npropagates: false\n",
    "yggdrasil/aspects/odd.yaml": "name: Odd\ntag: ../../x\n",
    "yggdrasil/flows/buy/flow.yaml": "name: 'Buy: all'\nnodes: [a, a/b]\n",
    "yggdrasil/flows/buy/notes.md": "Step by step.\n",
    "yggdrasil/a/node.yaml": (
        "name: A\ntype: thing\ntags: [needs audit, ../../x]\n"
        "relations: [{target: a/b, type: depends on}, {target: c, type: emits}]\n"
        "mapping: [src/a/, ./src/x.py]\n"
    ),
    "yggdrasil/a/description.md": "What A does.\r\nAnd why.\r\n",
    "yggdrasil/a/b/node.yaml": (
        "name: B\ntype: service\ntags: [Needs Audit]\n"
        "relations: [{target: a, type: uses}]\nmapping: src/a/b.py\n"
    ),
    "yggdrasil/a/b/zones.txt": "no heading\n",
    "yggdrasil/group/c2/node.yaml": "name: C2\ntype: module\n",
    "yggdrasil/c/node.yaml": "name: C\ntype: module\nmapping: src/c.py\n",
    "src/a/b.py": "",
    "src/a/a.py": "",
    "src/x.py": "",
    "src/c.py": "",
}


def upgraded(root: Path, files: dict[str, str | bytes] | dict[str, str]) -> dict[str, str]:
    """Upgrade a repository; return the new files below `.yggdrasil/`."""
    write(root, files)
    before = {path: (root / path).read_bytes() for path in files}
    outcome = run("init", "--upgrade", "-C", str(root))
    assert (outcome.code, outcome.notes) == (0, "")
    assert {path: (root / path).read_bytes() for path in files} == before
    return files_below(root / ".yggdrasil")


def errors(root: Path) -> list[str]:
    document = run("validate", "--json", "--kind", "yggdrasil", "-C", str(root)).text
    issues = json.loads(document)["issues"]
    return [
        f"{issue['code']} {issue['message']}" for issue in issues if issue["severity"] == "error"
    ]


def test_a_sound_graph_becomes_one_that_validates(tmp_path: Path) -> None:
    new = upgraded(tmp_path, SOUND)
    assert errors(tmp_path) == []
    assert (
        new["model/a/yg-node.yaml"]
        == """\
name: A
type: thing
aspects:
  - aspect: needs audit-2
  - aspect: odd
relations:
  - target: a/b
    type: uses
  - target: c
    type: emits
mapping:
  paths:
    - src/a
    - src/x.py
"""
    )
    assert (tmp_path / ".yggdrasil/model/a/description.md").read_bytes().count(b"\r\n") == 2
    assert new["aspects/needs audit-2/audit.yaml"] == SOUND["yggdrasil/aspects/audit.yaml"]
    assert new["aspects/needs audit-2/more.yaml"] == SOUND["yggdrasil/aspects/more.yaml"]
    assert new["aspects/odd/odd.yaml"] == SOUND["yggdrasil/aspects/odd.yaml"]
    assert new["flows/buy/yg-flow.yaml"] == "name: 'Buy: all'\nnodes:\n  - a\n  - a/b\n".replace(
        "'", '"'
    )
    assert new["flows/buy/notes.md"] == "Step by step.\n"
    assert new["model/yg-node.yaml"] == "name: Old\ntype: module\n"
    assert new["model/internals.md"] == (
        "## Technology Stack\n\n- **db:** PostgreSQL\n- **cache:** 7\n\n"
        "## Standards\n\nBe kind.\n\n## Testing\n\n- pytest\n- 100%\n"
    )
    assert "    warning: 30000\n    error: 30000\n" in new["yg-config.yaml"]
    assert "  E010: warning" in new["yg-config.yaml"]  # a and a/b use each other


def test_everything_without_a_counterpart_is_listed_once(tmp_path: Path) -> None:
    new = upgraded(tmp_path, {**SOUND, "yggdrasil/group/readme.md": "", "yggdrasil/aspects/x": ""})
    listed = new[".upgrade-0x.txt"].splitlines()
    assert len(set(listed)) == len(listed)
    text = "\n".join(listed)
    for line in (
        "yggdrasil/aspects/AUDIT.yaml: 2.x has no 'propagates: false'",
        "yggdrasil/aspects/more.yaml: another aspect has the tag 'needs audit' too",
        "yggdrasil/aspects/audit.yaml: the tag 'needs audit' is the aspect 'needs audit-2' now",
        "yggdrasil/aspects/odd.yaml: the tag '../../x' is the aspect 'odd' now",
        "yggdrasil/a/node.yaml:4:22: the relation 'depends on' to 'a/b' has a type that 2.x",
        "yg-config.yaml: node type 'thing' has no description",
        "yg-config.yaml: relations form a cycle",
        "yggdrasil/group/readme.md: no node, aspect or flow has it",
        "yggdrasil/aspects/x: no node, aspect or flow has it",
    ):
        assert line in text


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    new = upgraded(tmp_path, SOUND)
    again = run("init", "--upgrade", "-C", str(tmp_path))
    assert again.code == 0
    assert "yggdrasil/ was not read again" in again.text
    assert files_below(tmp_path / ".yggdrasil") == new


@pytest.mark.parametrize("kept", range(0, 40, 3))
def test_an_interrupted_run_is_simply_run_again(tmp_path: Path, kept: int) -> None:
    whole = upgraded(tmp_path / "one", SOUND)
    root = tmp_path / "two"
    write(root, SOUND)
    document = json.loads(run("init", "--upgrade", "--dry-run", "--json", "-C", str(root)).text)
    assert not (root / ".yggdrasil").exists()
    paths = [edit["path"] for edit in document["edits"] if edit["edit"] == "write"]
    order = [path.removeprefix(".yggdrasil/") for path in paths]
    assert order.index("yg-config.yaml") == max(map(order.index, set(order) - {"agent-rules.md"}))
    made = {path: (tmp_path / "one/.yggdrasil" / path).read_bytes() for path in order[:kept]}
    write(root / ".yggdrasil", made)
    assert run("init", "--upgrade", "-C", str(root)).code == 0
    assert files_below(root / ".yggdrasil") == whole


BROKEN: dict[str, str | bytes] = {
    **SOUND,
    "yggdrasil/config.yaml": "name: 5\nstack: {db: PostgreSQL}\nlimits: []\nowner: me\n",
    "yggdrasil/a/node.yaml": "name: A\ntype: service\nrelations: [{target: c}]\nmapping: 7\nx: 1\n",
    "yggdrasil/a/b/node.yaml": "name: [\n",
    "yggdrasil/c/node.yaml": b"\xff\xfe",
    "yggdrasil/c/description.md": "Still there.\n",
    "yggdrasil/c/picture.png": b"\0\1\2",
    "yggdrasil/c/latin.md": "\xe9".encode("latin-1"),
    "yggdrasil/d/node.yaml": (
        "name: D\ntype: service\ntags: [nobody]\nmapping: [../out, src/c.py, src/a/b.py, '']\n"
        "relations: [{target: gone, type: uses}, {target: d, type: uses}]\n"
    ),
    "yggdrasil/d/yg-node.yaml": "x",
    "yggdrasil/e/node.yaml": "<<<<<<< ours\nname: E\n=======\nname: F\n>>>>>>> theirs\n",
    "yggdrasil/aspects/audit.yaml": "name: Audit\n",
    "yggdrasil/aspects/odd.yaml": "- a list\n",
    "yggdrasil/flows/buy/flow.yaml": "nodes: [gone, d]\n",
    "yggdrasil/flows/none/flow.yaml": "name: None\nnodes: [gone]\n",
    "yggdrasil/flows/none/text.md": "x\n",
}


def test_of_broken_files_what_can_be_read_is_carried_over(tmp_path: Path) -> None:
    write(tmp_path, BROKEN)
    outcome = run("init", "--upgrade", "-C", str(tmp_path))
    assert (outcome.code, outcome.notes) == (0, "")
    new = files_below(tmp_path / ".yggdrasil")
    assert errors(tmp_path) == []
    assert new["model/a/yg-node.yaml"] == "name: A\ntype: service\n"
    assert new["model/a/b/yg-node.yaml"] == "name: b\ntype: module\n"
    assert new["model/a/b/zones.txt"] == "no heading\n"
    assert new["model/c/yg-node.yaml"] == "name: c\ntype: module\n"
    assert new["model/c/description.md"] == "Still there.\n"
    assert "model/c/picture.png" not in new
    assert "model/c/latin.md" not in new
    assert new["model/d/yg-node.yaml"] == (
        "name: D\ntype: service\nmapping:\n  paths:\n    - src/c.py\n    - src/a/b.py\n"
    )
    assert new["flows/buy/yg-flow.yaml"] == "name: buy\nnodes:\n  - d\n"
    assert "flows/none/yg-flow.yaml" not in new
    assert new["model/internals.md"] == "## Technology Stack\n\n- **db:** PostgreSQL\n"


@pytest.mark.parametrize(
    "line",
    [
        "yggdrasil/config.yaml:1:7: ",
        "yggdrasil/config.yaml:3:9: ",
        "yggdrasil/config.yaml:4:1: the key 'owner' has no counterpart",
        "yggdrasil/a/node.yaml:3:13: ",
        "yggdrasil/a/node.yaml:4:10: ",
        "yggdrasil/a/node.yaml:5:1: the key 'x' has no counterpart",
        "yggdrasil/a/b/node.yaml:1:7: ",
        "yggdrasil/c/node.yaml: ",
        "yggdrasil/c/picture.png: it is binary",
        "yggdrasil/c/latin.md: it cannot be read",
        "yggdrasil/d/node.yaml:3:8: no aspect has the tag 'nobody'",
        "yggdrasil/d/node.yaml:4:11: the mapping '../out' leaves the repository",
        "yggdrasil/d/node.yaml:5:22: the relation 'uses' to 'gone' leads to no node",
        "yggdrasil/d/node.yaml:5:50: the relation 'uses' to 'd' leads to the node itself",
        "yggdrasil/d/yg-node.yaml: its name is reserved",
        "yggdrasil/e/node.yaml:1:1: unresolved merge conflict",
        "yggdrasil/aspects/audit.yaml:1:1: ",
        "yggdrasil/aspects/odd.yaml:1:1: ",
        "yggdrasil/flows/buy/flow.yaml:1:9: there is no node 'gone'",
        "yggdrasil/flows/none/: the flow has no nodes",
    ],
)
def test_every_broken_part_is_listed_with_its_place(tmp_path: Path, line: str) -> None:
    write(tmp_path, BROKEN)
    document = run("init", "--upgrade", "--json", "-C", str(tmp_path)).text
    assert faults(document) == []
    warnings = json.loads(document)["warnings"]
    assert [found for found in warnings if found.startswith(line)]
    report = (tmp_path / ".yggdrasil/.upgrade-0x.txt").read_text(encoding="utf-8")
    assert report.splitlines() == warnings


def test_mappings_that_overlap_keep_one_owner(tmp_path: Path) -> None:
    files = {
        "yggdrasil/config.yaml": "name: x\n",
        "yggdrasil/a/node.yaml": "name: A\ntype: service\nmapping: [src, src/./x.py]\n",
        "yggdrasil/b/node.yaml": "name: B\ntype: service\nmapping: [src/x.py, lib]\n",
        "yggdrasil/c/node.yaml": "name: C\ntype: service\nmapping: lib/\n",
        "src/x.py": "",
        "lib/y.py": "",
    }
    new = upgraded(tmp_path, files)
    assert errors(tmp_path) == []
    assert new["model/b/yg-node.yaml"].endswith("paths:\n    - lib\n")
    assert "mapping" not in new["model/c/yg-node.yaml"]
    report = new[".upgrade-0x.txt"]
    assert "yggdrasil/b/node.yaml:3:11: the mapping 'src/x.py' overlaps 'src' of 'a'\n" in report
    assert "yggdrasil/c/node.yaml:3:10: the mapping 'lib/' overlaps 'lib' of 'b'\n" in report


def test_a_root_node_keeps_its_texts_and_gets_the_stack(tmp_path: Path) -> None:
    files = {
        "yggdrasil/config.yaml": "name: x\nstandards: Tidy.\n",
        "yggdrasil/node.yaml": "name: Top\ntype: system\n",
        "yggdrasil/internals.md": "Own words.",
        "yggdrasil/a/node.yaml": "name: A\ntype: system\n",
    }
    new = upgraded(tmp_path, files)
    assert new["model/yg-node.yaml"] == "name: Top\ntype: system\n"
    assert new["model/internals.md"] == "Own words.\n\n## Standards\n\nTidy.\n"
    assert errors(tmp_path) == []


@pytest.mark.parametrize(
    "config", ["", "name: x\n", "[", "- x\n", b"\xff", "stack: [\n", "name: x\nstack: 5\n"]
)
def test_an_empty_graph_becomes_an_empty_one(tmp_path: Path, config: str | bytes) -> None:
    root = tmp_path / "shop"
    write(root, {"yggdrasil/config.yaml": config})
    assert run("init", "--upgrade", "-C", str(root)).code == 0
    assert errors(root) == []
    assert (root / ".yggdrasil/model").is_dir()


def test_files_that_are_there_already_are_left_alone(tmp_path: Path) -> None:
    write(tmp_path, {**SOUND, ".yggdrasil/model/a/yg-node.yaml": "name: mine\ntype: service\n"})
    outcome = run("init", "--upgrade", "-C", str(tmp_path))
    assert ".yggdrasil/model/a/yg-node.yaml: it exists already and differs" in outcome.text
    text = (tmp_path / ".yggdrasil/model/a/yg-node.yaml").read_text(encoding="utf-8")
    assert text == "name: mine\ntype: service\n"


def test_packages_say_the_same_in_both_graphs(tmp_path: Path) -> None:
    place = tmp_path / "shop"
    shutil.copytree(REPOSITORY / "examples" / "shop-0x", place)
    assert run("init", "--upgrade", "-C", str(place)).code == 0
    assert errors(place) == []
    for node in ("orders/order-service", "payments/payment-service", "auth/auth-api"):
        old = run("build-context", node, "-C", str(place), "--kind", "yggdrasil-0x", "--json")
        new = run("build-context", node, "-C", str(place), "--kind", "yggdrasil", "--json").text
        blocks = json.loads(old.text)["blocks"]
        texts = [document["text"] for block in blocks for document in block["documents"]]
        assert texts
        assert [
            text for text in texts if json.dumps(text, ensure_ascii=False)[1:-1] not in new
        ] == []


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ((), 1, "this directory has a 0.x graph\n  'yg init --upgrade' writes its content"),
        (("--upgrade", "--name", "x"), 2, "--name cannot be combined with --upgrade"),
    ],
)
def test_other_ways_to_start_are_refused(
    tmp_path: Path, options: tuple[str, ...], code: int, message: str
) -> None:
    write(tmp_path, SOUND)
    outcome = run("init", *options, "-C", str(tmp_path))
    assert (outcome.text, outcome.code) == ("", code)
    assert outcome.notes.startswith(f"error: {message}")
    assert not (tmp_path / ".yggdrasil").exists()
