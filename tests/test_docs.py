"""Pages and pictures that come from the program say what it says today."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

import yg
from support import REPOSITORY, SHOP_ROOT, benchmark, run
from yg.commands.export.drawing import Part, Style, label, nested, title
from yg.surfaces.cli.manual import manual
from yg.workspace.opening import open_workspace
from yg.yggdrasil.model import Agreement
from yg.yggdrasil.start.platforms import rules_text
from yg.yggdrasil.start.templates import template

DOCS = REPOSITORY / "docs"
FIGURES = (REPOSITORY / "benchmarks" / "README.md").read_text(encoding="utf-8")


def test_the_manual_is_what_the_parsers_say() -> None:
    assert (DOCS / "cli.md").read_text(encoding="utf-8") == manual()


def test_the_picture_of_the_example_shows_the_example() -> None:
    shop = open_workspace(str(SHOP_ROOT))
    export = shop.queries.export("shop")
    picture = nested(export)
    titles, words = {"shop"}, {label(edge) for edge in picture.edges if label(edge)}
    for step in picture.steps:
        words |= {title(step.vertex), Style(export).remark(step.vertex)}
        if step.part is not Part.END:
            frame = "cluster " if step.part is Part.FRAME else ""
            titles.add(f"{frame}{step.vertex.id}")
    titles |= {f"{edge.source}->{edge.target}" for edge in picture.edges}
    drawn = ET.parse(DOCS / "shop.svg").getroot()  # noqa: S314 (a file of our own)
    shown = {(item.tag.rpartition("}")[2], (item.text or "").strip()) for item in drawn.iter()}
    assert {text for tag, text in shown if tag == "title"} == titles
    assert {text for tag, text in shown if tag == "text"} == words


def test_the_rules_for_agents_stay_short_and_name_the_notes_first() -> None:
    rules = template("rules.md")
    assert max(len(rules_text(agreement)) for agreement in Agreement) <= 2_000
    assert rules.index("Notes of `yg` may come by themselves") < rules.index("`yg brief FILE ..`")
    assert re.findall(r"`(yg [a-z-]+)", rules)[0] == "yg brief"


def test_the_rules_for_agents_teach_to_ask_for_a_task_and_to_say_what_is_known() -> None:
    commands = re.findall(r"`(yg build-context[^`]*)`", template("rules.md"))
    assert "yg build-context A B C" in commands
    assert "yg build-context D --have A --have B" in commands


BENCHMARKS = sorted(path.stem for path in (REPOSITORY / "benchmarks").glob("*.py"))


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_uses_only_what_the_program_has(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(REPOSITORY / "benchmarks")
    assert benchmark(name).__doc__


@pytest.fixture(scope="module")
def why() -> ModuleType:
    return benchmark("why")


def test_a_session_asks_for_ten_nodes_that_exist() -> None:
    for root, nodes in benchmark("session").GRAPHS.values():
        assert len({*nodes}) == 10
        assert {*nodes} <= {*yg.open_workspace(root).nodes()}


def test_the_questions_about_our_code_name_parts_and_nodes_that_exist() -> None:
    session = benchmark("session")
    files = [(file, names) for task in session.TASKS for file, names in task.names.items()]
    wanted = [f"{session.SOURCE}/{file}::{name}" for file, names in files for name in names.split()]
    assert run("show", "-C", str(REPOSITORY), *wanted).code == 0
    assert {task.node for task in session.TASKS} <= {*yg.open_workspace(REPOSITORY).nodes()}


def test_the_figures_of_a_session_have_the_rows_of_the_measurement() -> None:
    for name in benchmark("session").GRAPHS:
        assert re.search(
            rf"^\| {name} \| [\d,]+ \|( [\d,]+ \(\d+ %\) \|){{3}}$", FIGURES, re.MULTILINE
        )


def test_the_figures_of_why_have_the_rows_of_the_measurement(why: ModuleType) -> None:
    figures = FIGURES.partition(why.MARKS[0])[2].partition(why.MARKS[1])[0]
    rows = [line.split(" | ")[0] for line in figures.splitlines() if line.startswith("| ")]
    assert [row for row in rows if row[2:] in why.ROWS] == [f"| {row}" for row in why.ROWS] * 2


@pytest.mark.slow
def test_our_own_packages_can_be_measured(why: ModuleType) -> None:
    project = why.measure("yg", REPOSITORY, "src/yg")
    sizes = {node.path: node.sizes for node in project.nodes}
    package, source, both, *_ = sizes["surfaces/api"]
    names = ("__init__.py", "surfaces/__init__.py", "surfaces/api.py")
    files = [project.sources[f"src/yg/{name}"] for name in names]
    assert source == why.tokens(*files)
    assert both == package + source
    assert all(len(size) == len(why.ROWS) for size in sizes.values())


def test_a_signature_map_has_no_bodies(why: ModuleType) -> None:
    source = "class A(B, x=1):\n    async def f(self, y: int = 2) -> C:\n        return D\n"
    expected = "a.py\nclass A(B, x=1)\n    async def f(self, y: int=2) -> C\n"
    assert why.signature_map({"a.py": source}) == expected


def test_the_graph_of_another_package_is_valid(why: ModuleType, tmp_path: Path) -> None:
    for name in why.OTHERS:
        root = tmp_path / name
        shutil.copytree(REPOSITORY / "benchmarks" / "graphs" / name, root / ".yggdrasil")
        assert run("validate", "-C", str(root)).code == 0
