"""The Python API: what its page shows, what it promises, and what type checkers make of it."""

from __future__ import annotations

import doctest
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import yg
from damage import index_of
from support import CONFIG, NODE, REPOSITORY, SHOP_ROOT, run, run_shop, write
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.model import Node
from yg.yggdrasil.package.assemble import assemble
from yg.yggdrasil.package.blocks import ContextPackage

PAGE = (REPOSITORY / "docs" / "api.md").read_text(encoding="utf-8")
PROMISED = {
    name: attributes.replace("`", "").split()
    for name, attributes in re.findall(r"^\| `(\S+)` \| (.*?) ?\|$", PAGE, re.MULTILINE)
}
ORDER = "orders/order-service"


@pytest.fixture
def shop(committed_shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy the example, committed and recorded, and go there."""
    root = Path(shutil.copytree(committed_shop, tmp_path / "shop"))
    monkeypatch.chdir(root)
    return root


# The index.


def test_a_package_is_assembled_once_and_saved_for_the_next_process(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assembled: list[str] = []

    def counted(graph: Graph, node: Node) -> ContextPackage:
        assembled.append(node.path)
        return assemble(graph, node)

    def fail(*_arguments: object) -> None:
        raise AssertionError

    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))  # all files are old enough
    monkeypatch.setattr("yg.yggdrasil.package.assemble.assemble", counted)
    package = yg.open_workspace(shop).package(ORDER)
    assert (assembled, index_of(shop).is_file()) == ([ORDER], True)
    monkeypatch.setattr("yg.text.decode_yaml.decode_yaml", fail)
    monkeypatch.setattr("yg.kernel.rule.check", fail)
    assert yg.open_workspace(shop).package(ORDER) == package


# The page.


@pytest.mark.usefixtures("shop")
def test_every_example_of_the_page_gives_what_it_says() -> None:
    examples = "\n".join(re.findall(r"```pycon\n(.*?)```", PAGE, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "api.md", "api.md", 0)
    told: list[str] = []
    result = doctest.DocTestRunner().run(test, out=told.append)
    assert (result.failed, "".join(told)) == (0, "")
    assert result.attempted == examples.count(">>> ")


def test_the_page_promises_what_can_be_imported() -> None:
    assert {name for name in PROMISED if "." not in name} == set(yg.__all__)


def examples(workspace: yg.Workspace, broken: yg.Workspace) -> dict[str, Any]:
    """Return something for each name that attributes are promised for."""
    drifts = workspace.drift()
    impact = workspace.impact("payments/stripe-gateway")
    (review,) = workspace.review("orders/pricing")
    return {
        "Workspace": workspace,
        "Package": workspace.package(ORDER),
        "Issue": workspace.issues()[0],
        "Issue.follows": next(issue.follows for issue in broken.issues() if issue.follows),
        "Issue.place": workspace.issues()[0].place,
        "NodeDrift": drifts[0],
        "NodeDrift.source": next(drift.source[0] for drift in drifts if drift.source),
        "NodeReview": review,
        "NodeReview.sentences": review.sentences[0],
        "NodeReview.unmentioned": review.unmentioned[0],
        "Dependency": workspace.deps(ORDER)[0],
        "Found": workspace.find("order")[0],
        "NodeImpact": impact,
        "NodeImpact.direct": impact.direct[0],
        "NodeImpact.transitive": impact.transitive[0],
        "DiffImpact": workspace.changes(),
        "Plan": workspace.plan(),
        "Plan.unordered": broken.plan(lenient=True).unordered[0],
        "Severity": yg.Severity,
        "State": yg.State,
        "YgError": yg.YgError("no"),
    }


def test_everything_that_is_promised_is_there(shop: Path) -> None:
    note = ".yggdrasil/model/email-service/internals.md"
    write(shop, {note: "Short.\n", "src/shop/orders/pricing.py": "# changed\n"})
    broken = Path(shutil.copytree(shop, shop.parent / "broken"))
    write(broken, {".yggdrasil/model/payments/payment-service/yg-node.yaml": "- no mapping\n"})
    found = examples(yg.open_workspace(shop), yg.open_workspace(broken))
    assert list(found) == [name for name, attributes in PROMISED.items() if attributes]
    missing = [
        f"{name}.{attribute}"
        for name, value in found.items()
        for attribute in PROMISED[name]
        if not hasattr(value, attribute)
    ]
    assert missing == []


VALUES: list[Any] = [
    yg.Dependency,
    yg.DiffImpact,
    yg.Issue,
    yg.NodeDrift,
    yg.NodeImpact,
    yg.Package,
    yg.Plan,
]


@pytest.mark.parametrize("value", VALUES)
def test_values_cannot_be_changed(value: Any) -> None:
    assert value.__struct_config__.frozen


# The surface.


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, yg; print(sorted(name for name in sys.modules if name.startswith('yg')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['yg']\n"
    code = "import sys; before = set(sys.modules); import yg; print(set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "{'yg'}\n"


def test_a_name_that_is_not_there_is_an_ordinary_mistake() -> None:
    with pytest.raises(AttributeError, match="module 'yg' has no attribute 'open'"):
        _ = getattr(yg, "open")  # noqa: B009


def test_all_names_can_be_listed_and_imported_at_once() -> None:
    names: dict[str, object] = {}
    exec("from yg import *", names)  # noqa: S102
    assert set(yg.__all__) <= set(names)
    assert set(yg.__all__) <= set(dir(yg))


USE = """\
from pathlib import Path
from typing import assert_type

import yg

workspace = yg.open_workspace(Path("."), at="HEAD", kind="yggdrasil")
assert_type(workspace, yg.Workspace)
assert_type(workspace.nodes(), tuple[str, ...])
assert_type(workspace.package("a", depth="full", lenient=True), yg.Package)
assert_type(workspace.package("a").files, tuple[str, ...])
assert_type(workspace.package("a", "b", files=[Path("c")], have=["d"], fit=9).digest, str)
assert_type(workspace.issues("a"), tuple[yg.Issue, ...])
assert_type(workspace.issues()[0].severity, yg.Severity)
assert_type(workspace.issues()[0].place.line, int)
assert_type(workspace.drift("a", files=["b", Path("c")]), tuple[yg.NodeDrift, ...])
assert_type(workspace.drift()[0].state, yg.State)
assert_type(workspace.review("a", since="HEAD"), tuple[yg.NodeReview, ...])
assert_type(workspace.review()[0].sentences[0].line, int)
assert_type(workspace.drift()[0].source[0].path, str)
assert_type(workspace.owner(Path("b")), str | None)
assert_type(workspace.deps("a", depth=1), tuple[yg.Dependency, ...])
assert_type(workspace.impact("a"), yg.NodeImpact)
assert_type(workspace.impact("a").direct[0].node, str)
assert_type(workspace.changes(since="main"), yg.DiffImpact)
assert_type(workspace.changes().affected, tuple[str, ...])
assert_type(workspace.plan("a"), yg.Plan)
assert_type(workspace.plan().stages, tuple[tuple[str, ...], ...])
assert_type(yg.YgError("no").hint, str)
assert_type(yg.__version__, str)
"""
MISUSE = """\
import yg

yg.open("x")
yg.open_workspace(".").deps(3)
yg.open_workspace(".").package("a").tokens = 1
"""


@pytest.mark.slow
def test_type_checkers_know_every_type(tmp_path: Path) -> None:
    write(tmp_path, {"use.py": USE, "misuse.py": MISUSE})
    command = [sys.executable, "-m", "mypy", "--strict"]
    done = subprocess.run(
        [*command, "use.py", "misuse.py"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    told = re.findall(r"^(\S+): error: .*\[(.*)\]$", done.stdout, re.MULTILINE)
    assert told == [
        ("misuse.py:3", "attr-defined"),
        ("misuse.py:4", "arg-type"),
        ("misuse.py:5", "misc"),
    ]


# The answers are those of the command line.


def test_a_package_is_the_one_that_the_command_prints() -> None:
    workspace = yg.open_workspace(SHOP_ROOT)
    for node in workspace.nodes():
        package = workspace.package(node)
        assert package.text == run_shop("build-context", node).text
        assert f'token-count="{package.tokens}"' in package.text


def test_a_graph_of_another_kind_answers_what_it_can() -> None:
    workspace = yg.open_workspace(REPOSITORY / "examples" / "shop-0x")
    assert workspace.kind == "yggdrasil-0x"
    assert workspace.package(workspace.nodes()[0]).text.startswith("# ")
    with pytest.raises(yg.YgError) as caught:
        workspace.drift()
    assert caught.value.code == "old-edition"


def test_a_spec_graph_answers_what_it_can(tmp_path: Path) -> None:
    node = '{"id": "%s", "type": "behavior", "title": "%s", "expectation": "It is hot", %s}'
    verified = '"verification": "true"'
    files = {
        "graph.json": """{"specgraphVersion": "1.0.0", "nodes": [
            {"id": "BREW", "path": "nodes/brew.json"}, {"id": "BOIL", "path": "nodes/boil.json"}
        ]}""",
        "nodes/brew.json": node
        % ("BREW", "Tea", f'{verified}, "links": {{"depends_on": ["BOIL"]}}'),
        "nodes/boil.json": node % ("BOIL", "Water", verified),
    }
    write(tmp_path / "specgraph", files)
    workspace = yg.open_workspace(tmp_path)
    assert (workspace.kind, workspace.nodes()) == ("specgraph", ("BOIL", "BREW"))
    package = workspace.package("BREW", depth="full")
    assert package.text == run("build-context", "BREW", "-C", str(tmp_path), "--depth=full").text
    assert package.files == tuple(f"specgraph/{file}" for file in sorted(files))
    assert [dependency.path for dependency in workspace.deps("BREW")] == ["BOIL"]
    assert workspace.impact("BOIL").affected == ("BREW",)
    assert workspace.plan().stages == (("BOIL",), ("BREW",))
    for question in (workspace.drift, lambda: workspace.owner("a")):
        with pytest.raises(yg.YgError, match="belongs to Yggdrasil graphs"):
            question()


def test_files_are_named_from_the_directory_that_was_opened() -> None:
    below = yg.open_workspace(SHOP_ROOT / "src/shop/orders")
    assert below.root == str(SHOP_ROOT)
    assert below.owner("pricing.py") == below.owner(SHOP_ROOT / "src/shop/orders/pricing.py")
    assert below.owner(Path("pricing.py")) == "orders/pricing"
    assert (below.owner("../app.py"), below.owner("/etc/hosts")) == (None, None)


def test_a_commit_is_read_without_being_checked_out(shop: Path) -> None:
    write(shop, {".yggdrasil/model/new/yg-node.yaml": NODE})
    then, now = yg.open_workspace(shop, at="HEAD"), yg.open_workspace(shop)
    assert (len(then.commit), now.commit) == (40, "")
    assert sorted(set(now.nodes()) - set(then.nodes())) == ["new"]
    for question in (then.drift, then.review, then.changes):
        with pytest.raises(yg.YgError, match="requires the work tree, not a commit"):
            question()


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    files = {
        ".yggdrasil/yg-config.yaml": CONFIG,
        ".yggdrasil/model/a/yg-node.yaml": NODE,
        ".yggdrasil/model/b/yg-node.yaml": "name: [\n",
    }
    workspace = yg.open_workspace(write(tmp_path, files))
    assert (workspace.nodes(), workspace.skipped()) == (("a",), ("b",))
    assert workspace.issues("b")[0].code == "E001"
    with pytest.raises(yg.YgError) as caught:
        workspace.package("a")
    assert caught.value.code == "refused"
    assert [issue.code for issue in caught.value.issues][:1] == ["E001"]


def test_without_a_graph_the_first_question_is_where_it_is(tmp_path: Path) -> None:
    with pytest.raises(yg.YgError) as caught:
        yg.open_workspace(tmp_path, kind="yggdrasil")
    assert caught.value.code == "no-graph"


# Tools by name.


def test_a_tool_answers_with_the_json_of_its_command(shop: Path) -> None:
    workspace = yg.open_workspace(shop)
    assert workspace.ask("deps", node=ORDER, depth=1) == json.loads(
        run("deps", "-C", str(shop), ORDER, "--depth", "1", "--json").text
    )
    committed = yg.open_workspace(shop, at="HEAD").ask("tree", depth=1)
    assert committed == workspace.ask("tree", depth=1)


@pytest.mark.parametrize(
    ("at", "tool", "arguments", "message"),
    [
        (None, "dpes", {}, "unknown tool 'dpes'"),
        (None, "drift-sync", {"nodes": [ORDER]}, "unknown tool 'drift-sync'"),
        (None, "deps", {"nod": ORDER}, "unknown argument 'nod'"),
        (None, "deps", {}, "missing argument 'node'"),
        (None, "deps", {"node": ORDER, "depth": -1}, "'depth' must be an integer from 0"),
        (None, "build-context", {"tokenizer": "o200k"}, "unknown argument 'tokenizer'"),
        ("HEAD", "drift", {}, "'drift' requires the work tree, not a commit"),
        ("HEAD", "impact", {"diff": "HEAD"}, "--at"),
    ],
)
def test_a_tool_cannot_be_asked_everything(
    shop: Path, at: str | None, tool: str, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(yg.YgError) as caught:
        yg.open_workspace(shop, at=at).ask(tool, **arguments)
    assert message in caught.value.message
    assert caught.value.code == "usage"
