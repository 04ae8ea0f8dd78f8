"""What differs between 0.x and 2.x: each row of the table, on the same small graph."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from support import run
from yg.kernel.snapshot import DictSnapshot
from yg.surfaces.cli.outcome import Outcome
from yg.yggdrasil.block_kind import BlockKind
from yg.yggdrasil.editions import V0, V2
from yg.yggdrasil.package.assemble import assemble
from yg.yggdrasil.package.blocks import ContextPackage
from yg.yggdrasil.read.v0 import read
from yg.yggdrasil.resolve import description_first

NODE = "name: N\ntype: t\n"
AUDIT = "name: Audit\ntag: audit\n"


@pytest.fixture(autouse=True)
def _no_kind_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("YG_KIND", raising=False)


def package(files: Mapping[str, str], path: str) -> ContextPackage:
    every = {"config.yaml": "name: P\n", **files}
    graph = read(DictSnapshot({f"yggdrasil/{name}": text for name, text in every.items()}))
    node = graph.nodes.get(path)
    assert node is not None
    return assemble(graph, node)


def documents(files: Mapping[str, str], path: str, kind: BlockKind) -> list[list[str]]:
    """Return the documents of each block of a kind."""
    blocks = package(files, path).parts
    return [
        [document.name for document in block.documents] for block in blocks if block.kind is kind
    ]


def build(root: Path, files: Mapping[str, str | bytes], path: str) -> Outcome:
    for name, text in {"config.yaml": "name: P\n", **files}.items():
        file = root / "yggdrasil" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return run("build-context", path, "-C", str(root), "--no-stamp")


def tagged(*tags: str) -> str:
    return f"{NODE}tags: [{', '.join(tags)}]\n"


def related(*targets: str) -> str:
    relations = "".join(f"  - {{target: {target}, type: needs}}\n" for target in targets)
    return f"{NODE}relations:\n{relations}"


def test_the_two_editions_differ_in_these_facts() -> None:
    flags = [
        (item.shows_declaration, item.skips_ancestors, item.reports_missing_targets)
        for item in (V0, V2)
    ]
    assert flags == [(False, False, True), (True, True, False)]
    ways = [(item.configures_artifacts, item.has_tags, item.inherits_flows) for item in (V0, V2)]
    assert ways == [(False, True, False), (True, False, True)]
    assert (V0.refuses_on_any_error, V2.refuses_on_any_error) == (False, True)
    assert set(V0.order) == set(V2.order) - {BlockKind.EVENT}


def test_a_description_comes_first_and_the_rest_by_name() -> None:
    names = ["b.md", "a.md", "description.md", "Z.md"]
    assert description_first(names) == ("description.md", "Z.md", "a.md", "b.md")


# Artifacts.


def test_every_file_is_an_artifact_except_the_declaration_and_dot_files() -> None:
    names = ["z.md", "description.md", "node.yaml", ".hidden", "a.txt", "Makefile"]
    files = {f"a/{name}": NODE for name in names}
    expected = [["description.md", "Makefile", "a.txt", "z.md"]]
    assert documents(files, "a", BlockKind.OWN) == expected


def test_files_of_directories_below_are_none_of_a_node() -> None:
    files = {"a/node.yaml": NODE, "a/x.md": "", "a/plain/y.md": "", "a/b/node.yaml": NODE}
    assert documents(files, "a", BlockKind.OWN) == [["x.md"]]


# Aspects.


@pytest.mark.parametrize(
    ("above", "own", "aspect", "reasons"),
    [
        (NODE, tagged("audit"), AUDIT, ["own"]),
        (tagged("audit"), NODE, AUDIT, ["hierarchy from a"]),
        (tagged("audit"), tagged("audit"), AUDIT, ["hierarchy from a", "own"]),
        (NODE, NODE, AUDIT, None),
        (NODE, tagged("Audit"), AUDIT, None),
        (tagged("audit"), NODE, f"{AUDIT}propagates: false\n", None),
        (NODE, tagged("audit"), f"{AUDIT}propagates: false\n", ["own"]),
        (tagged("audit"), tagged("audit"), f"{AUDIT}propagates: false\n", ["own"]),
        (tagged("audit"), NODE, f"{AUDIT}propagates: true\n", ["hierarchy from a"]),
    ],
)
def test_an_aspect_applies_by_its_tag(
    above: str, own: str, aspect: str, reasons: list[str] | None
) -> None:
    files = {"a/node.yaml": above, "a/b/node.yaml": own, "aspects/x.yaml": aspect}
    found = [
        list(block.reasons)
        for block in package(files, "a/b").parts
        if block.kind is BlockKind.ASPECT
    ]
    assert found == ([] if reasons is None else [reasons])


def test_a_tag_comes_down_from_any_height() -> None:
    files = {
        "a/node.yaml": tagged("audit"),
        "a/b/node.yaml": NODE,
        "a/b/c/node.yaml": NODE,
        "aspects/x.yaml": AUDIT,
    }
    assert documents(files, "a/b/c", BlockKind.ASPECT) == [["x.yaml"]]


def test_several_aspects_may_answer_to_one_tag_by_file_name() -> None:
    files = {
        "a/node.yaml": tagged("z", "audit"),
        "aspects/c.yaml": AUDIT,
        "aspects/a.yaml": AUDIT,
        "aspects/b.yml": "name: Z\ntag: z\n",
    }
    blocks = package(files, "a").parts
    subjects = [block.subject for block in blocks if block.kind is BlockKind.ASPECT]
    assert subjects == ["a.yaml", "b.yml", "c.yaml"]


def test_the_content_of_an_aspect_is_its_file_verbatim() -> None:
    text = "# why\nname: Audit\r\ntag: audit\nrules: [ a,b ]\n\n"
    blocks = package({"a/node.yaml": tagged("audit"), "aspects/x.yaml": text}, "a").parts
    found = [block for block in blocks if block.kind is BlockKind.ASPECT]
    assert [document.source.value for block in found for document in block.documents] == [text]


# Relations.


def test_a_relation_brings_all_artifacts_of_its_target_and_nothing_further() -> None:
    files = {
        "a/node.yaml": related("b"),
        "b/node.yaml": related("c"),
        "b/z.md": "",
        "b/description.md": "",
        "b/api.yaml": "",
        "b/child/node.yaml": NODE,
        "b/child/x.md": "",
        "c/node.yaml": NODE,
        "c/c.md": "",
    }
    expected = [["description.md", "api.yaml", "z.md"]]
    assert documents(files, "a", BlockKind.DEPENDENCY) == expected


def test_relations_come_in_the_order_in_which_they_are_declared() -> None:
    files = {"a/node.yaml": related("c", "b"), "b/node.yaml": NODE, "c/node.yaml": NODE}
    blocks = package(files, "a").parts
    subjects = [block.subject for block in blocks if block.kind is BlockKind.DEPENDENCY]
    assert subjects == ["c", "b"]


def test_a_relation_to_an_ancestor_quotes_it_once_more() -> None:
    files = {"a/node.yaml": NODE, "a/x.md": "", "a/b/node.yaml": related("a")}
    assert documents(files, "a/b", BlockKind.HIERARCHY) == [["x.md"]]
    assert documents(files, "a/b", BlockKind.DEPENDENCY) == [["x.md"]]


def test_a_missing_target_is_a_line_and_no_failure(tmp_path: Path) -> None:
    outcome = build(tmp_path, {"a/node.yaml": related("gone")}, "a")
    assert (outcome.code, outcome.notes) == (0, "")
    assert "## Dependencies\n\n### gone (needs)\n\nThere is no node 'gone'.\n" in outcome.text


# Flows.


def test_a_flow_counts_only_where_the_node_itself_is_listed() -> None:
    files = {
        "a/node.yaml": NODE,
        "a/b/node.yaml": NODE,
        "flows/z/flow.yaml": "name: Z\nnodes: [a]\n",
        "flows/z/x.md": "",
        "flows/z/description.md": "",
        "flows/y/flow.yaml": "name: Y\nnodes: [a/b, a]\n",
    }
    expected = [[], ["description.md", "x.md"]]
    assert documents(files, "a", BlockKind.FLOW) == expected
    assert documents(files, "a/b", BlockKind.FLOW) == [[]]


# Order.


def test_the_sections_come_in_the_order_of_the_specification() -> None:
    files = {
        "m/node.yaml": tagged("audit"),
        "m/x.md": "",
        "m/a/node.yaml": f"{related('b')}mapping: src\n",
        "b/node.yaml": NODE,
        "aspects/x.yaml": AUDIT,
        "flows/f/flow.yaml": "name: F\nnodes: [m/a]\n",
    }
    assert [block.kind for block in package(files, "m/a").parts] == [
        BlockKind.GLOBAL,
        BlockKind.HIERARCHY,
        BlockKind.OWN,
        BlockKind.DEPENDENCY,
        BlockKind.ASPECT,
        BlockKind.FLOW,
        BlockKind.TARGET,
    ]


def test_ancestors_come_from_the_root_down_and_empty_ones_are_left_out(tmp_path: Path) -> None:
    files = {
        "a/node.yaml": NODE,
        "a/x.md": "From a.",
        "a/b/node.yaml": NODE,
        "a/b/c/node.yaml": NODE,
        "a/b/c/y.md": "From c.",
        "a/b/c/d/node.yaml": NODE,
    }
    assert (
        build(tmp_path, files, "a/b/c/d").text
        == """\
# Context Package: N
# Path: a/b/c/d

---

## Global Context

**Project:** P

---

## Module Context (a/)

From a.

---

## Module Context (a/b/c/)

From c.

---

## Node: N

---

Context size: 45 tokens (threshold 8000: ok)
"""
    )


# Refusal.

BROKEN: dict[str, str | bytes] = {
    "a/node.yaml": NODE,
    "a/x.md": "Mine.\n",
    "bad/node.yaml": "name: [\n",
    "odd/node.yaml": tagged("nobody"),
    "lost/node.yaml": related("gone"),
    "binary/node.yaml": NODE,
    "binary/x.md": b"\xff",
    "aspects/bad.yaml": "name: [\n",
    "flows/bad/flow.yaml": "name: [\n",
    "flows/lost/flow.yaml": "name: F\nnodes: [gone]\n",
}


def test_errors_of_other_nodes_are_not_a_reason_to_refuse(tmp_path: Path) -> None:
    outcome = build(tmp_path, BROKEN, "a")
    left_out = (
        "Left out: aspects/bad.yaml, because yggdrasil/aspects/bad.yaml could not be read.",
        "Left out: flows/bad, because yggdrasil/flows/bad/flow.yaml could not be read.",
    )
    assert outcome.code == 0
    assert outcome.notes == "".join(f"warning: {line}\n" for line in left_out)
    assert "**Project:** P\n\n{}\n\n{}\n\n---\n".format(*left_out) in outcome.text
    assert "### x.md\nMine.\n" in outcome.text
    assert run("validate", "-C", str(tmp_path)).code == 1


@pytest.mark.parametrize(("path", "code"), [("bad", "E001 bad -> "), ("binary", "E021 binary -> ")])
def test_errors_in_the_files_of_the_node_itself_are(tmp_path: Path, path: str, code: str) -> None:
    outcome = build(tmp_path, BROKEN, path)
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith(code)


def test_a_broken_relation_of_the_node_itself_is_none_either(tmp_path: Path) -> None:
    assert build(tmp_path, BROKEN, "lost").code == 0


def test_the_check_finds_what_packages_overlook(tmp_path: Path) -> None:
    build(tmp_path, BROKEN, "a")
    outcome = run("check", "-C", str(tmp_path))
    codes = [line.split()[0] for line in outcome.text.splitlines() if " -> " in line]
    assert (outcome.code, sorted(codes)) == (
        1,
        ["E001", "E004", "E006", "E018", "E019", "E021", "W020"],
    )


# Budget.


def test_there_is_one_threshold_and_no_error_above_it(tmp_path: Path) -> None:
    files = {
        "config.yaml": "name: P\nlimits: {context_warning_tokens: 1}\n",
        "a/node.yaml": NODE,
        "a/description.md": "x" * 100_000,
    }
    outcome = build(tmp_path, files, "a")
    assert (outcome.code, outcome.notes) == (0, "")
    assert outcome.text.endswith(" tokens (threshold 1: exceeded)\n")
    text = run("validate", "-C", str(tmp_path)).text
    assert text.startswith("W005 a -> ")
    assert text.endswith("\n0 errors, 1 warning. 1 node checked.\n")
