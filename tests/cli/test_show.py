"""`yg show`: parts of the source code by name or by line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support import git, node_owning, run, write, write_graph
from yg.commands.show import FIRST, LONGEST

CART = """\
LIMIT = 3


class Cart:
    \"\"\"A cart.\"\"\"

    @property
    def total(self):
        return 1

    @total.setter
    def total(self, value): pass


def _reset(): pass
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {
        "src/cart.py": CART,
        "src/crlf.ts": "/** Doc. */\r\nfunction run() {\r\n}\r\n",
        "src/end.go": "package a\n\nfunc End() {}",
        "src/tool.rb": "def run; end\n",
        "src/broken.py": "def f(:\n",
        "src/notes.txt": "text\n",
        "other.py": "def loose(): pass\n",
    }
    write_graph(tmp_path, {"model/orders/yg-node.yaml": node_owning("src")})
    return write(tmp_path, files)


def shown(root: Path, *argv: str) -> str:
    outcome = run("show", *argv, "-C", str(root))
    assert (outcome.code, outcome.notes) == (0, "")
    return outcome.text


def refused(root: Path, *argv: str) -> str:
    outcome = run("show", *argv, "-C", str(root))
    assert (outcome.code, outcome.text) == (1, "")
    return outcome.notes


def test_a_part_is_shown_with_exactly_its_lines(root: Path) -> None:
    assert shown(root, "_reset") == (
        "### src/cart.py:15-15 def _reset() (orders)\ndef _reset(): pass\n"
    )


@pytest.mark.parametrize(
    "name", ["Cart.total", "total", "src/cart.py::Cart.total", "orders::total", "src/cart.py:8"]
)
def test_a_name_may_be_short_and_its_place_a_file_a_node_or_a_line(root: Path, name: str) -> None:
    first, second = shown(root, name).split("\n\n")
    assert first.splitlines()[0] == "### src/cart.py:7-9 def total(self) (orders)"
    assert second.splitlines()[0] == "### src/cart.py:11-12 def total(self, value) (orders)"
    assert second.endswith("    @total.setter\n    def total(self, value): pass\n")


def test_line_ends_are_those_of_the_file(root: Path) -> None:
    assert shown(root, "run").endswith("/** Doc. */\r\nfunction run() {\r\n}\r\n")
    assert shown(root, "End").endswith("\nfunc End() {}\n")
    text = json.loads(shown(root, "End", "--json"))["parts"][0]["text"]
    assert text == "func End() {}"


def test_a_whole_name_wins_over_the_end_of_another(root: Path) -> None:
    write(root, {"src/more.py": "def total(): pass\n"})
    assert shown(root, "total").startswith("### src/more.py:1-1 ")


def test_a_file_without_an_owner_can_be_named(root: Path) -> None:
    assert shown(root, "other.py::loose").startswith("### other.py:1-1 def loose()\n")
    assert "is named 'loose'" in refused(root, "loose")


def test_paths_may_be_relative_to_the_directory(root: Path) -> None:
    inside = run("show", "cart.py:15", "-C", str(root / "src"))
    assert inside.text.startswith("### src/cart.py:15-15 ")


def test_several_parts_of_a_name_are_listed_and_others_shown(root: Path) -> None:
    write(root, {"src/a.py": "def run(): pass\n"})
    outcome = run("show", "LIMIT", "run", "nowhere", "-C", str(root))
    assert outcome.code == 1
    assert outcome.text == (
        "### src/cart.py:1-1 LIMIT = 3 (orders)\nLIMIT = 3\n"
        "\n'run' is the name of 2 parts; give FILE::NAME:\n"
        "  src/a.py:1 run (orders)\n  src/crlf.ts:1 run (orders)\n"
    )
    assert "error: no part of the code is named 'nowhere'" in outcome.notes


def test_generated_code_and_tests_are_meant_only_if_nothing_else_has_the_name(root: Path) -> None:
    generated = f"{node_owning('dist')}blackbox: true\ndrift: off\n"
    write(root, {".yggdrasil/model/generated/yg-node.yaml": generated})
    copies = {"dist/run.js": "function run() {}\nfunction only() {}\n"}
    write(root, {**copies, "dist/more.js": "function only() {}\n"})
    assert shown(root, "run").startswith("### src/crlf.ts:1-3 ")
    assert shown(root, "generated::run").startswith("### dist/run.js:1-1 ")
    assert shown(root, "dist/run.js::only").startswith("### dist/run.js:2-2 ")
    outcome = run("show", "only", "-C", str(root))
    assert outcome.text.startswith("'only' is the name of 2 parts")


def test_a_line_in_no_part_names_its_neighbours(root: Path) -> None:
    notes = refused(root, "src/cart.py:2")
    assert "no part of src/cart.py is at line 2" in notes
    assert "Next to it: LIMIT (1-1), Cart (4-12)." in notes


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("src/tool.rb:1", "the parts of src/tool.rb are not known: of ruby, yg reads only tokens"),
        ("src/broken.py:1", "it cannot be read as python"),
        ("src/notes.txt:1", "its language is not one that yg reads"),
        ("orders", "To see what is in it: yg show --outline orders"),
        ("src/cart.py", "To see what is in it: yg show --outline src/cart.py"),
        ("Crat", "Did you mean 'Cart'"),
        ("src/cart.py::nothing", "is named 'src/cart.py::nothing'"),
        (".yggdrasil/yg-config.yaml:1", "no part of the code is named"),
        ("../x.py:1", "no part of the code is named"),
        ("(file)", "no part of the code is named"),
    ],
)
def test_what_cannot_be_shown_is_an_error_with_a_reason(
    root: Path, name: str, message: str
) -> None:
    assert message in refused(root, name)


def test_an_outline_has_the_headers_of_a_file_a_node_or_a_part(root: Path) -> None:
    outline = (
        "### src/cart.py (orders)\n1-1 LIMIT = 3\n4-12 class Cart\n7-9   def total(self)\n"
        "11-12   def total(self, value)\n15-15 def _reset()\n"
    )
    assert shown(root, "--outline", "src/cart.py") == outline
    assert shown(root, "--outline", "Cart").splitlines()[1:] == outline.splitlines()[2:5]
    of_node = shown(root, "--outline", "orders")
    assert outline in of_node
    assert "### src/tool.rb (orders)\nNo parts: of ruby, yg reads only tokens.\n" in of_node


def test_a_header_has_the_standard_types_of_its_type_parameters(root: Path) -> None:
    script = """\
export interface Fault<T = unknown> extends Error {}
const small = 1 < 2 ? (x) => x : 0;
export const Fault: Make<Fault> = 1;
export default class Open<A extends B, C = A["x"]> {}
"""
    rust = "pub(crate) fn all<I: Iterator<Item = u8>>(i: I) -> Vec<Vec<u8>> { i }\n"
    write(root, {"src/fault.ts": script, "src/all.rs": rust})
    assert shown(root, "--outline", "src/fault.ts").splitlines()[1:] == [
        "1-1 interface Fault<T = unknown> extends Error",
        "2-2 const small",
        "3-3 const Fault: Make<Fault>",
        '4-4 class Open<A extends B, C = A["x"]>',
    ]
    assert "fn all<I: Iterator<Item = u8>>(i: I) -> Vec<Vec<u8>>\n" in shown(
        root, "--outline", "src/all.rs"
    )


def test_a_long_part_is_shown_as_its_outline_and_its_first_lines(root: Path) -> None:
    body = "".join(f"    x{number} = {number}\n" for number in range(LONGEST))
    write(root, {"src/long.py": f"class Long:\n    def run(self): pass\n{body}"})
    lines = shown(root, "Long").splitlines()
    assert lines[:5] == [
        f"### src/long.py:1-{LONGEST + 2} class Long (orders)",
        "2-2 def run(self)",
        "",
        "class Long:",
        "    def run(self): pass",
    ]
    assert lines[-2:] == [
        f"    x{FIRST - 3} = {FIRST - 3}",
        f"... {LONGEST + 2 - FIRST} more lines",
    ]
    part = json.loads(shown(root, "Long", "--json"))["parts"][0]
    assert part["text"].count("\n") == FIRST
    assert [inner["name"] for inner in part["outline"]] == ["Long.run"]


def test_a_commit_has_its_own_parts(root: Path) -> None:
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    write(root, {"src/cart.py": "\n" + CART.replace("LIMIT = 3", "LIMIT = 4")})
    assert "LIMIT = 4" in shown(root, "LIMIT")
    assert shown(root, "LIMIT", "--at", "HEAD").startswith("### src/cart.py:1-1 LIMIT = 3")


def test_only_the_file_of_the_part_is_read_when_the_index_knows_the_rest(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from yg.disk.reading.worktree import WorkTree

    expected = shown(root, "_reset")
    read: list[str] = []
    original = WorkTree.read

    def noted(tree: WorkTree, path: str) -> bytes:
        read.append(path)
        return original(tree, path)

    monkeypatch.setattr(WorkTree, "read", noted)
    assert shown(root, "_reset") == expected
    assert [path for path in read if path.startswith("src/")] == ["src/cart.py"]
    assert shown(root, "_reset", "--no-cache") == expected
