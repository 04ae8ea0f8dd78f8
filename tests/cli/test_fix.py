"""`yg validate --fix`: makes the fixes that leave no choice, and no others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support import CONFIG, NODE, run, write_graph
from support import write as write_files
from yg.disk.files import stamps

TEXT = "Fifty characters: the least that an artifact says.\n"
SCHEMAS = {f"schemas/{name}.yaml": "" for name in ("yg-node", "yg-aspect", "yg-flow")}
CODE = f"{CONFIG}code: {{imports: warning}}\n"


def repository(root: Path, files: dict[str, str], sources: dict[str, str] = {}) -> Path:
    texts = {
        f"{path.removesuffix('yg-node.yaml')}{name}": TEXT
        for path in files
        if path.endswith("yg-node.yaml")
        for name in ("responsibility.md", "interface.md")
    }
    write_graph(root, {**SCHEMAS, **texts, **files})
    return write_files(root, sources)


def fix(root: Path, *options: str) -> str:
    return run("validate", "--fix", "-C", str(root), *options).text


def text_of(root: Path, file: str) -> str:
    return (root / ".yggdrasil" / file).read_text(encoding="utf-8")


def uses(*targets: str) -> str:
    return NODE + "relations:\n" + "".join(f"  - {{target: {t}, type: uses}}\n" for t in targets)


MISTAKES = {
    "model/payments/yg-node.yaml": NODE,
    "model/a/yg-node.yaml": uses("paymnets"),
    "model/b/yg-node.yaml": uses("./payments/"),
    "model/c/yg-node.yaml": "name: N\ntype: servce\nmappng: {paths: [src/c.py]}\n",
    "model/d/yg-node.yaml": f"{NODE}aspects: [{{aspect: audits}}]\n",
    "aspects/audit/yg-aspect.yaml": "name: A\nimplies: [log]\n",
    "aspects/logs/yg-aspect.yaml": "name: A\n",
    "flows/f/yg-flow.yaml": "name: F\nnodes: [model/a]\naspects: [audti]\n",
}
SOURCES = {"src/c.py": ""}


def test_misspelled_names_keys_and_paths_are_corrected(tmp_path: Path) -> None:
    root = repository(tmp_path, {**MISTAKES, "flows/f/description.md": "x"}, SOURCES)
    out = run("validate", "--fix", "-C", str(root)).text
    assert text_of(root, "model/a/yg-node.yaml") == uses("payments")
    assert text_of(root, "model/b/yg-node.yaml") == uses("payments")
    assert text_of(root, "model/c/yg-node.yaml") == (
        "name: N\ntype: service\nmapping: {paths: [src/c.py]}\n"
    )
    assert text_of(root, "model/d/yg-node.yaml") == f"{NODE}aspects: [{{aspect: audit}}]\n"
    assert text_of(root, "aspects/audit/yg-aspect.yaml") == "name: A\nimplies: [logs]\n"
    assert text_of(root, "flows/f/yg-flow.yaml") == "name: F\nnodes: [a]\naspects: [audit]\n"
    assert "fixed E004 .yggdrasil/model/a/yg-node.yaml:4:14: Change to 'payments'\n" in out
    assert "E0" not in out.split("W015")[-1]  # only the flow's headings are left


def test_a_second_run_has_nothing_to_do(tmp_path: Path) -> None:
    root = repository(tmp_path, MISTAKES, SOURCES)
    fix(root)
    assert json.loads(fix(root, "--json"))["fixed"] == []


def test_a_dry_run_shows_the_difference_and_writes_nothing(tmp_path: Path) -> None:
    root = repository(tmp_path, {"model/a/yg-node.yaml": "name: N\ntype: servce\n"})
    outcome = run("validate", "--fix", "--dry-run", "-C", str(root))
    assert outcome.code == 1
    assert outcome.text.startswith(
        "would fix E002 .yggdrasil/model/a/yg-node.yaml:2:7: Change to 'service'\n"
        "    @@ -1,2 +1,2 @@\n     name: N\n    -type: servce\n    +type: service\nE002 a -> "
    )
    assert text_of(root, "model/a/yg-node.yaml") == "name: N\ntype: servce\n"


def test_several_near_names_are_left_to_the_user(tmp_path: Path) -> None:
    files = {
        "model/x/pay/yg-node.yaml": NODE,
        "model/y/pay/yg-node.yaml": NODE,
        "model/a/yg-node.yaml": uses("z/pay"),
    }
    root = repository(tmp_path, files)
    assert "fixed" not in fix(root)
    assert text_of(root, "model/a/yg-node.yaml") == uses("z/pay")


DEFINITIONS = "def f(): ...\ndef g(): ...\n"
IMPORTING = {
    "model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [a.py]}}\n",
    "model/b/yg-node.yaml": f"{NODE}mapping: {{paths: [b.py]}}\n",
    "yg-config.yaml": CODE,
}


def test_an_undeclared_import_becomes_a_relation(tmp_path: Path) -> None:
    root = repository(tmp_path, IMPORTING, {"a.py": "from b import g, f\n", "b.py": DEFINITIONS})
    document = json.loads(fix(root, "--json"))
    assert document["issues"] == []
    assert document["fixed"] == [
        {
            "code": "W021",
            "subject": "a",
            "file": ".yggdrasil/model/a/yg-node.yaml",
            "line": None,
            "column": None,
            "title": "Add a relation to 'b'",
        }
    ]
    assert text_of(root, "model/a/yg-node.yaml") == (
        f"{IMPORTING['model/a/yg-node.yaml']}relations:\n  - target: b\n    type: uses\n"
        "    consumes: [f, g]\n"
    )


def test_a_corrected_target_is_not_declared_a_second_time(tmp_path: Path) -> None:
    files = {**IMPORTING, "model/bill/yg-node.yaml": IMPORTING["model/b/yg-node.yaml"]}
    del files["model/b/yg-node.yaml"]
    files["model/a/yg-node.yaml"] += "relations: [{target: bil, type: uses}]\n"
    root = repository(tmp_path, files, {"a.py": "import b\n", "b.py": DEFINITIONS})
    fix(root)
    assert text_of(root, "model/a/yg-node.yaml") == (
        files["model/a/yg-node.yaml"].replace("bil,", "bill,")
    )


def test_imports_that_cannot_all_be_declared_are_left_to_the_user(tmp_path: Path) -> None:
    root = repository(tmp_path, IMPORTING, {"a.py": "import b\n", "b.py": "import a\n"})
    assert "fixed" not in fix(root)


@pytest.mark.parametrize(
    ("name", "line"), [("chrage", None), ("webhook", "- webhook"), ("x.webhook", "- webhook")]
)
def test_an_unknown_name_is_described_unless_it_may_be_misspelled(
    tmp_path: Path, name: str, line: str | None
) -> None:
    relation = f"relations: [{{target: b, type: uses, consumes: [{name}]}}]\n"
    files = {**IMPORTING, "model/a/yg-node.yaml": NODE + relation}
    root = repository(tmp_path, files, {"b.py": "def charge(): ...\n"})
    out = fix(root)
    added = f"\n{line}\n" if line else ""
    assert text_of(root, "model/b/interface.md") == f"{TEXT}{added}"
    assert ("W023 a -> " in out) == (line is None)


def test_a_moved_file_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stamps, "SETTLED_NS", 0)
    files = {"model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [old.py]}}\n"}
    root = repository(tmp_path, files, {"old.py": "x = 1\n"})
    run("drift-sync", "-C", str(root), "--all")
    (root / "old.py").rename(root / "new.py")
    fix(root)
    assert text_of(root, "model/a/yg-node.yaml") == f"{NODE}mapping: {{paths: [new.py]}}\n"


def test_a_scope_limits_the_fixes(tmp_path: Path) -> None:
    root = repository(tmp_path, MISTAKES, SOURCES)
    fix(root, "a")
    assert text_of(root, "model/a/yg-node.yaml") == uses("payments")
    assert text_of(root, "model/d/yg-node.yaml") == MISTAKES["model/d/yg-node.yaml"]


@pytest.mark.parametrize("options", [("--dry-run",), ("--fix", "--at", "HEAD")])
def test_fixes_are_for_the_work_tree(tmp_path: Path, options: tuple[str, ...]) -> None:
    root = repository(tmp_path, {})
    assert run("validate", "-C", str(root), *options).code == 2


def test_0x_graphs_are_not_written(tmp_path: Path) -> None:
    write_files(tmp_path, {"yggdrasil/config.yaml": "name: x\n"})
    outcome = run("validate", "--fix", "-C", str(tmp_path))
    assert outcome.code == 1
    assert "0.x" in outcome.notes
