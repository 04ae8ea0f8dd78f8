"""Packages of unusual nodes: blackboxes, binary files, repeated entries, missing parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import CONFIG, NODE, graph_from, json_of, run, write, write_graph
from yg.commands.build_context.package import package_document, package_text
from yg.disk.reading.worktree import WorkTree
from yg.yggdrasil.block_kind import BlockKind
from yg.yggdrasil.package.assemble import assemble
from yg.yggdrasil.package.blocks import ContextPackage
from yg.yggdrasil.package.markdown import package_markdown
from yg.yggdrasil.places import DRIFT_STATE

PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\xff" * 11_200
TITLE = "diagram.png (binary, 12 kB, left out)"


def package_of(files: dict[str, str | bytes], path: str = "a") -> ContextPackage:
    graph = graph_from(files)
    node = graph.nodes.get(path)
    assert node is not None
    return assemble(graph, node)


def test_a_blackbox_has_no_target_and_no_limit() -> None:
    files: dict[str, str | bytes] = {
        "yg-config.yaml": CONFIG + "quality: {context_budget: {warning: 1, error: 2}}\n",
        "model/a/yg-node.yaml": f"{NODE}blackbox: true\nmapping: {{paths: [src]}}\n",
    }
    package = package_of(files)
    assert package.status == "ok"
    assert "materialization-target" not in package_text(package)
    assert package_text(package).endswith("\nBudget status: ok\n")
    assert package_markdown(package).endswith("(threshold 1: ok)\n")


def test_the_document_of_a_package_has_what_a_mapping_excludes() -> None:
    mapping = "mapping: {paths: [src], exclude: [src/b, '*.gen.py']}\n"
    document = json_of(package_document(package_of({"model/a/yg-node.yaml": NODE + mapping})))
    (target,) = (block for block in document["blocks"] if block["kind"] == BlockKind.TARGET)
    assert target["attributes"] == {"paths": "src", "exclude": "src/b, *.gen.py"}


def test_an_aspect_without_files_shows_its_description() -> None:
    files: dict[str, str | bytes] = {
        "model/a/yg-node.yaml": f"{NODE}aspects: [{{aspect: x}}, {{aspect: y}}]\n",
        "aspects/x/yg-aspect.yaml": "name: X\ndescription: Write it down.\nstability: schema\n",
        "aspects/y/yg-aspect.yaml": "name: Y\ndescription: Not shown.\n",
        "aspects/y/content.md": "Shown.\n",
    }
    package = package_of(files)
    text = package_text(package)
    assert '<aspect name="X" id="x">\nWrite it down.\n**Stability tier:** schema\n</aspect>' in text
    assert "Not shown." not in text
    assert "### X (aspect: x)\n\nWrite it down.\n\n" in package_markdown(package)


def test_an_aspect_of_which_no_text_is_left_shows_its_description() -> None:
    files: dict[str, str | bytes] = {
        "model/a/yg-node.yaml": f"{NODE}aspects: [{{aspect: x}}]\n",
        "aspects/x/yg-aspect.yaml": "name: X\ndescription: Write it down.\n",
        "aspects/x/diagram.png": PICTURE,
    }
    block = f'<aspect name="X" id="x">\nWrite it down.\n\n### {TITLE}\n</aspect>'
    assert block in package_text(package_of(files))


def test_a_binary_file_is_named_and_left_out() -> None:
    files: dict[str, str | bytes] = {
        "model/a/yg-node.yaml": f"{NODE}aspects: [{{aspect: x}}]\n",
        "aspects/x/yg-aspect.yaml": "name: X\n",
        "aspects/x/diagram.png": PICTURE,
        "aspects/x/rule.md": "Rule.\n",
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\n",
        "flows/f/diagram.png": PICTURE,
    }
    package = package_of(files)
    assert f'<aspect name="X" id="x">\n### {TITLE}\n### rule.md\nRule.\n</aspect>' in (
        package_text(package)
    )
    assert f'<flow name="F">\n### {TITLE}\n</flow>' in package_text(package)
    assert f"### X (aspect: x)\n\n### {TITLE}\n\nRule.\n" in package_markdown(package)
    contents = [block.content.removesuffix("\n") for block in package.parts if block.has_content]
    assert package.characters == len("\n\n".join(contents))
    documents = [
        (document.binary, document.text)
        for block in package_document(package).completed().blocks
        for document in block.documents
    ]
    assert documents[1:] == [(True, ""), (False, "Rule.\n"), (True, "")]


def test_repeated_entries_are_shown_once() -> None:
    node = f"""\
{NODE}aspects:
  - {{aspect: x, exceptions: [One, Two]}}
  - {{aspect: x, exceptions: [Two, Three]}}
relations:
  - {{target: b, type: calls, consumes: [charge], failure: Retry}}
  - {{target: b, type: calls, consumes: [refund, charge], failure: Give up}}
  - {{target: b, type: emits, event_name: Done}}
  - {{target: b, type: emits, event_name: Done, consumes: [id]}}
"""
    files: dict[str, str | bytes] = {
        "model/a/yg-node.yaml": node,
        "model/b/yg-node.yaml": NODE,
        "aspects/x/yg-aspect.yaml": "name: X\n",
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a, a]\n",
    }
    text = package_text(package_of(files)).partition("</own-artifacts>")[2]
    assert text.count("**Exception for this node:** ") == 3
    assert text.count("<event ") == text.count("<flow ") == 1
    assert (
        '<dependency target="b" type="calls" consumes="charge, refund" failure="Retry; Give up">\n'
        "Consumes: charge, refund\nOn failure: Retry\nOn failure: Give up\n</dependency>"
    ) in text


def test_an_entry_that_consumes_everything_wins() -> None:
    relations = "relations: [{target: b, type: uses, consumes: [x]}, {target: b, type: uses}]\n"
    graph = graph_from({"model/a/yg-node.yaml": NODE + relations})
    node = graph.nodes.get("a")
    assert node is not None
    assert [relation.consumes for relation in node.relations] == [()]


# The 0.x edition.

OLD = "name: N\ntype: service\n"


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("p/node.yaml", "Left out: p, because yggdrasil/p/node.yaml could not be read."),
        ("t/node.yaml", "Left out: t, because yggdrasil/t/node.yaml could not be read."),
        (
            "aspects/x.yaml",
            "Left out: aspects/x.yaml, because yggdrasil/aspects/x.yaml could not be read.",
        ),
        (
            "flows/f/flow.yaml",
            "Left out: flows/f, because yggdrasil/flows/f/flow.yaml could not be read.",
        ),
        ("config.yaml", "Left out: settings of yggdrasil/config.yaml that could not be read."),
    ],
)
@pytest.mark.parametrize("content", ["name: [\n", "<<<<<<< HEAD\n", b"\xff"])
def test_whatever_is_left_out_of_a_0x_package_leaves_a_line(
    tmp_path: Path, file: str, line: str, content: str | bytes
) -> None:
    files: dict[str, str | bytes] = {
        "config.yaml": "name: P\n",
        "p/node.yaml": OLD,
        "p/a/node.yaml": f"{OLD}relations: [{{target: t, type: needs}}]\n",
        "t/node.yaml": OLD,
        "aspects/x.yaml": "name: X\ntag: x\n",
        "flows/f/flow.yaml": "name: F\nnodes: [p/a]\n",
        file: content,
    }
    place = write(tmp_path, {f"yggdrasil/{path}": text for path, text in files.items()})
    for form in ("markdown", "text"):
        outcome = run("build-context", "p/a", "--no-stamp", "--format", form, "-C", str(place))
        assert (outcome.code, outcome.notes) == (0, f"warning: {line}\n")
        assert outcome.text.count(f"\n{line}\n") == 1


def test_a_binary_file_of_a_0x_node_is_named_and_left_out(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "yggdrasil/config.yaml": "name: P\n",
        "yggdrasil/p/node.yaml": OLD,
        "yggdrasil/p/diagram.png": PICTURE,
        "yggdrasil/p/a/node.yaml": OLD,
        "yggdrasil/p/a/diagram.png": PICTURE,
        "yggdrasil/aspects/x.yaml": "name: X\ntag: fast\n",
    }
    place = str(write(tmp_path, files))
    outcome = run("build-context", "p/a", "--no-stamp", "-C", place)
    assert f"## Module Context (p/)\n\n### {TITLE}\n\n---\n\n## Node: N\n\n### {TITLE}\n" in (
        outcome.text
    )
    assert outcome.notes == ""
    assert run("validate", "-C", place).text.count("W027 ") == 2
    assert run("aspects", "-C", place).text == "- id: x.yaml\n  tag: fast\n  name: X\n"


# Baselines and the index.

LATER = "yg.disk.files.stamps.SETTLED_NS"


def test_a_missing_file_is_looked_for_by_its_content(tmp_path: Path) -> None:
    files = {"model/a/yg-node.yaml": f"{NODE}mapping: {{paths: [src/a.py, src/b.py]}}\n"}
    place = write_graph(tmp_path, files)
    write(tmp_path, {"src/a.py": "a\n", "src/b.py": "b\n"})
    assert run("drift-sync", "--all", "-C", str(place)).code == 0
    (tmp_path / "src/a.py").rename(tmp_path / "src/moved.py")
    (tmp_path / "src/b.py").unlink()
    text = run("validate", "-C", str(place)).text
    assert "mapping path 'src/a.py' does not exist.\n" in text
    assert "  Its content is now in 'src/moved.py': map that path instead.\n" in text
    assert "mapping path 'src/b.py' does not exist.\n" in text
    assert "  Correct it if the file was moved, or remove it from the mapping.\n" in text


@pytest.mark.parametrize(
    ("old", "new", "advice"),
    [
        ("src/a.py", "b.py", "'b.py': map that path instead."),
        ("src/d/x.py", "lib/d/x.py", "'lib/d': map that path instead."),
        ("src/d/x.py", "lib/y.py", "'lib/y.py': map that path instead."),
        ("src/a.py", "src/own/z.py", "'src/own/z.py', which 'a' maps: remove this path."),
        ("src/a.py", "other/z.py", "'other/z.py', which 'b' maps: remove this path."),
        ("src/empty.py", "lib/empty.py", "'lib/empty.py': map that path instead."),
    ],
)
def test_a_missing_path_is_looked_for_everywhere(
    tmp_path: Path, old: str, new: str, advice: str
) -> None:
    mapping = "mapping: {paths: [src/a.py, src/d, src/own, src/empty.py]}\n"
    files = {
        "model/a/yg-node.yaml": f"{NODE}{mapping}",
        "model/b/yg-node.yaml": f"{NODE}mapping: {{paths: [other]}}\n",
    }
    place = write_graph(tmp_path, files)
    sources = {"src/a.py": "a\n", "src/d/x.py": "d\n", "src/own/o.py": "o\n", "src/empty.py": ""}
    write(tmp_path, {**sources, "other/b.py": "b\n", "unrelated": ""})
    assert run("drift-sync", "--all", "-C", str(place)).code == 0
    (tmp_path / new).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / old).rename(tmp_path / new)
    if old.startswith("src/d/"):
        (tmp_path / "src/d").rmdir()
    assert f"  Its content is now in {advice}\n" in run("validate", "-C", str(place)).text
    (tmp_path / new).unlink()
    assert "Its content is now" not in run("validate", "-C", str(place)).text


def test_a_conflict_in_a_baseline_is_an_error_but_stops_no_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LATER, -(1 << 62))
    place = str(
        write_graph(tmp_path, {"model/my a/yg-node.yaml": f"{NODE}mapping: {{paths: [a.py]}}\n"})
    )
    write(tmp_path, {"a.py": "a\n"})
    run("drift-sync", "--all", "-C", place)
    assert run("validate", "-C", place).code == 0
    baseline = tmp_path / ".yggdrasil/.drift-state/my a.json"
    sound = baseline.read_text()
    baseline.write_text(f"<<<<<<< HEAD\n{sound}")
    outcome = run("validate", "-C", place)
    assert outcome.code == 1
    assert outcome.text.startswith(
        "E025 my a -> unresolved merge conflict.\n"
        "  .yggdrasil/.drift-state/my a.json:1:1\n"
        "  Check the node, then write it again: yg drift-sync --node 'my a'\n"
    )
    assert run("build-context", "my a", "-C", place).code == 0
    baseline.write_text(sound)
    assert run("validate", "-C", place).code == 0


def test_a_conflict_comes_and_goes_with_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LATER, -(1 << 62))
    files = {"model/a/yg-node.yaml": NODE, "model/a/responsibility.md": "A text.\n"}
    place = str(write_graph(tmp_path, files))
    text = tmp_path / ".yggdrasil/model/a/responsibility.md"
    for content, code in (("A text.\n", 0), ("<<<<<<< HEAD\n", 1), ("Another.\n", 0), ("\0", 1)):
        text.write_text(content)
        for _ in range(2):
            assert run("build-context", "a", "-C", place).code == code
            assert run("validate", "-C", place).code == code


def test_nothing_is_read_again_although_an_aspect_has_a_binary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LATER, -(1 << 62))
    files: dict[str, str | bytes] = {
        "model/a/yg-node.yaml": f"{NODE}aspects: [{{aspect: x}}]\nmapping: {{paths: [a.py]}}\n",
        "aspects/x/yg-aspect.yaml": "name: X\n",
        "aspects/x/diagram.png": PICTURE,
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\n",
        "flows/f/description.md": "## Goal\n",
    }
    place = str(write_graph(tmp_path, files))
    write(tmp_path, {"a.py": "a\n"})
    run("drift-sync", "--all", "-C", place)
    first = run("validate", "-C", place)
    assert "W027 aspects/x -> " in first.text
    read = WorkTree.read

    def read_baseline(tree: WorkTree, path: str) -> bytes:
        assert path.startswith(DRIFT_STATE), f"{path} is read"
        return read(tree, path)

    monkeypatch.setattr(WorkTree, "read", read_baseline)
    assert run("validate", "-C", place) == first
    assert run("build-context", "a", "--why", "-C", place).code == 0
