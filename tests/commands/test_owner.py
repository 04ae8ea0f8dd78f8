"""`yg owner`: the node with the longest mapping that covers a file, and what to do without one."""

from __future__ import annotations

import io
import json
import os
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import git, graph_from, write
from yg.commands.explain import json_schema
from yg.commands.owner import FileOwners
from yg.surfaces.cli.main import Outcome, answer
from yg.yggdrasil.owner import Owners
from yg.yggdrasil.surroundings import Case, Neighbourhood, Surroundings, proposed_node

FILES = {
    "yg-config.yaml": "name: t\nnode_types: {service: {description: S}}\n",
    "src/a.py": "",
    "src/b/x.py": "",
    "src/b/c/y.py": "",
    "README.md": "",
}
ADVICE = re.compile("^ {4}.*\n|^  (?:New code|Partly|Existing|Stop).*\n", re.MULTILINE)


def node(*mapped: str) -> str:
    return json.dumps({"name": "N", "type": "service", "mapping": {"paths": mapped}})


def repository(root: Path, files: dict[str, str] = {}, /, **mapped: str) -> str:
    """Make a repository of some source files and of nodes that are mapped to one path each."""
    nodes = {f"model/{name}/yg-node.yaml": node(path) for name, path in mapped.items()}
    return str(write(root, {**FILES, **files, **nodes}))


def owner(place: str, *words: str) -> Outcome:
    """Run the command, without what is said of files that have no owner."""
    found = answer(["owner", "-C", place, *words])
    return Outcome(ADVICE.sub("", found.text), found.notes, found.code)


def comes_from(mapping: str, path: str) -> str:
    return (
        f"  No mapping of its own; the context comes from {mapping}. "
        f"Use: yg build-context --node {path}\n"
    )


def test_a_file_of_its_own_has_one_line(tmp_path: Path) -> None:
    place = repository(tmp_path, a="src/a.py")
    assert owner(place, "src/a.py") == owner(place, "--file", "src/a.py")
    assert owner(place, "src/a.py") == Outcome("src/a.py -> a\n")


def test_a_file_of_a_mapped_directory_has_two_lines(tmp_path: Path) -> None:
    place = repository(tmp_path, b="src/b")
    assert owner(place, "src/b/x.py", "src/b/c", "src/b") == Outcome(
        f"src/b/x.py -> b\n{comes_from('src/b', 'b')}"
        f"src/b/c -> b\n{comes_from('src/b', 'b')}"
        "src/b -> b\n"
    )


def test_the_longest_mapping_wins(tmp_path: Path) -> None:
    place = repository(tmp_path, top=".", all="src", b="src/b", file="src/b/c/y.py")
    assert owner(place, "README.md", "src/a.py", "src/b/x.py", "src/b/c/y.py") == Outcome(
        f"README.md -> top\n{comes_from('.', 'top')}"
        f"src/a.py -> all\n{comes_from('src', 'all')}"
        f"src/b/x.py -> b\n{comes_from('src/b', 'b')}"
        "src/b/c/y.py -> file\n"
    )


def test_a_mapping_covers_whole_names_only(tmp_path: Path) -> None:
    place = repository(tmp_path, a="src/a", b="SRC/b")
    expected = "src/a.py -> no graph coverage\nsrc/b/x.py -> no graph coverage\n"
    assert owner(place, "src/a.py", "src/b/x.py") == Outcome(expected)


@pytest.mark.parametrize("file", ["./src/a.py", "src//a.py", "src/b/../a.py", "src/a.py/"])
def test_a_file_is_named_by_its_shortest_path(tmp_path: Path, file: str) -> None:
    assert owner(repository(tmp_path, a="src/a.py"), file) == Outcome("src/a.py -> a\n")


def test_files_are_named_from_the_directory_or_else_from_the_root(tmp_path: Path) -> None:
    place = repository(tmp_path, a="src/a.py", b="src/b/c/y.py")
    files = ("y.py", "../../a.py", "src/a.py", f"{place}/src/a.py")
    assert owner(f"{place}/src/b/c", *files) == Outcome(
        "src/b/c/y.py -> b\n" + 3 * "src/a.py -> a\n"
    )


def test_a_repository_reached_through_a_link_is_the_same(tmp_path: Path) -> None:
    place = repository(tmp_path / "there", a="src/a.py")
    link = str(tmp_path / "link")
    os.symlink("there", link)
    for start in (place, link):
        files = ("src/a.py", f"{place}/src/a.py", f"{link}/src/a.py")
        assert owner(start, *files) == Outcome(3 * "src/a.py -> a\n")


def test_a_file_that_does_not_exist_still_has_an_owner(tmp_path: Path) -> None:
    place = repository(tmp_path, gone="src/gone.py", b="src/b")
    assert owner(place, "src/gone.py", "src/b/gone.py", "gone.py", "README.md/x") == Outcome(
        "src/gone.py -> gone (not written yet)\n"
        f"src/b/gone.py -> b (file not found)\n{comes_from('src/b', 'b')}"
        "gone.py -> no graph coverage (file not found)\n"
        "README.md/x -> no graph coverage (file not found)\n"
    )


@pytest.mark.parametrize("file", ["/", "/etc/passwd", "..", "../src/a.py", "src/../../x", "a\0b"])
def test_a_file_outside_is_an_answer(tmp_path: Path, file: str) -> None:
    shown = file.replace("\0", r"\x00")
    expected = Outcome(f"{shown} -> outside the repository\n")
    assert owner(repository(tmp_path, top="."), file) == expected


def test_without_a_graph_there_is_an_answer(tmp_path: Path) -> None:
    expected = Outcome("src/a.py -> no graph here\n../x -> no graph here\n")
    assert owner(str(tmp_path), "src/a.py", "../x") == expected


def test_files_are_read_from_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = repository(tmp_path, a="src/a.py")
    stream = io.BytesIO(b"README.md\n\nsrc/a.py\r\n")
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=stream))
    assert owner(place, "x", "-", "y") == Outcome(
        "x -> no graph coverage (file not found)\n"
        "README.md -> no graph coverage\n"
        "src/a.py -> a\n"
        "y -> no graph coverage (file not found)\n"
    )
    assert answer(["owner", "-", "-C", place]) == Outcome("")


def test_without_a_file_it_is_wrong_usage(tmp_path: Path) -> None:
    hint = "Give files, or - to read names from stdin."
    assert owner(repository(tmp_path)) == Outcome("", f"error: no file given\n  {hint}\n", 2)
    assert owner(repository(tmp_path), "").code == 2


def test_names_are_shown_as_they_are_unless_they_play_with_the_terminal(tmp_path: Path) -> None:
    place = repository(tmp_path, **{"e\x1b[1m": "e\x1b[31m\nvil.py", "n\x07": "d\x1b[2J"})
    missing = "no graph coverage (file not found)\n"
    names = ("mit Leerzeichen.py", "größe.py", "e\x1b[31m\nvil.py", "\udcff.py", "d\x1b[2J/x.py")
    assert owner(place, *names) == Outcome(
        f"mit Leerzeichen.py -> {missing}"
        f"größe.py -> {missing}"
        r"e\x1b[31m\nvil.py -> e\x1b[1m (not written yet)"
        "\n"
        rf"\377.py -> {missing}"
        r"d\x1b[2J/x.py -> n\x07 (file not found)"
        "\n" + comes_from(r"d\x1b[2J", r"'n\x07'")
    )


def test_a_file_of_the_graph_belongs_to_its_part(tmp_path: Path) -> None:
    files = {
        "model/a/notes/more.md": "",
        "model/bad/yg-node.yaml": "name: [\n",
        "aspects/x/yg-aspect.yaml": "name: X\n",
        "aspects/x/rule.md": "",
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\n",
    }
    place, graph = repository(tmp_path, files, a="src/a.py"), ".yggdrasil"
    asked = ("model/a/notes/more.md", "model/bad/yg-node.yaml", "aspects/x/rule.md", "flows/f/x.md")
    found = owner(place, *(f"{graph}/{file}" for file in (*asked, "yg-config.yaml")))
    assert found.text == (
        f"{graph}/model/a/notes/more.md -> a (file of the graph)\n"
        f"{graph}/model/bad/yg-node.yaml -> bad (file of the graph)\n"
        f"{graph}/aspects/x/rule.md -> aspect x (file of the graph)\n"
        f"{graph}/flows/f/x.md -> flow f (file of the graph) (file not found)\n"
        f"{graph}/yg-config.yaml -> no node (file of the graph)\n"
    )
    assert found.notes == (
        "skipped bad: not valid YAML: '[' is not closed (.yggdrasil/model/bad/yg-node.yaml:1:7)\n"
    )


@pytest.mark.parametrize("config", ["name: [\n", "name: ''\n", "artifacts: 5\n"])
def test_a_configuration_that_cannot_be_used_is_not_needed(tmp_path: Path, config: str) -> None:
    place = repository(tmp_path, {"yg-config.yaml": config}, a="src/a.py")
    assert owner(place, "src/a.py") == Outcome("src/a.py -> a\n")


def test_an_ignored_file_is_named_as_such_unless_it_is_mapped_itself(tmp_path: Path) -> None:
    ignored = {".gitignore": "*.log\nbuild/\n", "src/b/x.log": "", "src/b/mapped.log": ""}
    files = {**ignored, "top.log": "", "build/out.py": ""}
    place = repository(tmp_path, files, b="src/b", c="src/b/mapped.log")
    (tmp_path / "src/b/empty").mkdir()
    asked = ("src/b/x.log", "src/b/mapped.log", "src/b/x.py", "top.log", "build", "src/b/empty")
    expected = Outcome(
        f"src/b/x.log -> b (ignored by git)\n{comes_from('src/b', 'b')}"
        "src/b/mapped.log -> c\n"
        f"src/b/x.py -> b\n{comes_from('src/b', 'b')}"
        "top.log -> no graph coverage (ignored by git)\n"
        "build -> no graph coverage (ignored by git)\n"
        f"src/b/empty -> b\n{comes_from('src/b', 'b')}"
    )
    assert owner(place, *asked) == expected
    git(tmp_path, "init", "-q")
    assert owner(place, *asked) == expected


def test_json_has_status_node_and_mapping(tmp_path: Path) -> None:
    place = repository(tmp_path, a="src/a.py", b="./src/b/")
    files = ("src/a.py", "src/b/gone.py", "/", ".yggdrasil/x")
    document = json.loads(answer(["owner", "--json", "-C", place, *files]).text)
    jsonschema.validate(document, json_schema(FileOwners))
    assert document["skipped"] == []
    none: dict[str, Any] = {"aspect": None, "flow": None, "case": None, "neighbours": []}
    nothing = {"ignored": False, "node": None, "mapping": None, **none}
    owned = {"status": "owned", "ignored": False, **none}
    assert document["files"] == [
        {"file": "src/a.py", "exists": True, "node": "a", "mapping": "src/a.py", **owned},
        {"file": "src/b/gone.py", "exists": False, "node": "b", "mapping": "src/b", **owned},
        {"file": "/", "status": "outside", "exists": True, **nothing},
        {"file": ".yggdrasil/x", "status": "graph", "exists": False, **nothing},
    ]


# Files without an owner.

SHOP = {
    "model/orders/yg-node.yaml": node("src/orders/core.py"),
    "model/orders/tax/yg-node.yaml": node("src/orders/tax/rates.py"),
    ".gitignore": "*.log\n",
    "src/orders/core.py": "",
    "src/orders/util.py": "",
    "src/orders/tax/rates.py": "",
    "src/orders/tax/x.py": "",
    "legacy/old thing/a.c": "",
    "legacy/old thing/b.c": "",
    "alone/z.py": "",
    "setup.py": "",
}


@pytest.fixture
def shop(tmp_path: Path) -> str:
    """Commit a repository with files that have no owner."""
    write(tmp_path, {**SHOP, "yg-config.yaml": FILES["yg-config.yaml"]})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    return str(tmp_path)


def cases(place: str, *words: str) -> list[tuple[str | None, list[str]]]:
    document: dict[str, Any] = json.loads(answer(["owner", "--json", "-C", place, *words]).text)
    jsonschema.validate(document, json_schema(FileOwners))
    return [(found["case"], found["neighbours"]) for found in document["files"]]


def test_a_file_beside_files_of_a_node_is_partly_mapped(shop: str) -> None:
    assert answer(["owner", "src/orders/util.py", "-C", shop]) == Outcome(
        "src/orders/util.py -> no graph coverage\n"
        "  Partly mapped: other files in src/orders belong to orders.\n"
        "  Stop, and let the user choose:\n"
        "    add it to a node   list it under 'mapping' in .yggdrasil/model/orders/yg-node.yaml\n"
        "    a node of its own  yg new node util --map src/orders/util.py\n"
    )


def test_a_file_among_files_without_nodes_is_existing_code(shop: str) -> None:
    assert answer(["owner", "legacy/old thing/a.c", "legacy/old thing/b.c", "-C", shop]) == Outcome(
        "legacy/old thing/a.c -> no graph coverage\n"
        "  Existing code: no node owns anything in legacy/old thing.\n"
        "  Stop, and let the user choose:\n"
        "    describe it      yg new node 'old thing' --map 'legacy/old thing'\n"
        "    a blackbox node  yg new node 'old thing' --blackbox --map 'legacy/old thing'\n"
        "    leave it alone   yg coverage --uncovered lists what has no owner yet\n"
        "legacy/old thing/b.c -> no graph coverage\n"
    )


def test_the_folder_of_new_code_has_no_other_files(shop: str) -> None:
    write(Path(shop), {"new/written.py": "", "new/noise.log": ""})
    found = cases(shop, "new/written.py", "fresh/x.py")
    assert found == [("new-code", []), ("new-code", [])]
    assert answer(["owner", "fresh/x.py", "-C", shop]) == Outcome(
        "fresh/x.py -> no graph coverage (file not found)\n"
        "  New code: fresh has no other files. Never use a blackbox node for it.\n"
        "  Stop, and let the user choose:\n"
        "    describe it first  yg new node fresh --map fresh\n"
    )


def test_json_has_the_ways_and_their_commands(shop: str) -> None:
    document = json.loads(answer(["owner", "fresh/x.py", "--json", "-C", shop]).text)
    found = document["files"][0]
    assert (found["status"], found["case"], found["folder"]) == ("uncovered", "new-code", "fresh")
    how = "yg new node fresh --map fresh"
    assert found["ways"] == [{"what": "describe it first", "how": how}]


def test_neighbours_are_the_owners_in_the_folder_or_else_below_it(shop: str) -> None:
    assert cases(shop, "src/main.py", "src/orders/tax/x.py", "src") == [
        ("partly-mapped", ["orders", "orders/tax"]),
        ("partly-mapped", ["orders/tax"]),
        ("partly-mapped", ["orders", "orders/tax"]),
    ]


def test_a_lone_file_that_is_committed_is_existing_code(shop: str) -> None:
    assert cases(shop, "alone/z.py") == [("existing-code", [])]
    os.remove(f"{shop}/alone/z.py")
    git(Path(shop), "commit", "-q", "-a", "-m", "Remove")
    assert cases(shop, "alone/z.py") == [("new-code", [])]
    assert cases(shop, "alone/z.py", "--at", "HEAD^") == [("existing-code", [])]


def test_ignored_files_and_files_of_git_are_no_case(shop: str) -> None:
    write(Path(shop), {"src/run.log": ""})
    assert cases(shop, "src/run.log", ".git/config") == [(None, []), (None, [])]


def test_at_the_top_only_the_file_itself_would_be_mapped(shop: str) -> None:
    existing, later = (answer(["owner", file, "-C", shop]).text for file in ("setup.py", "l.py"))
    assert "yg new node setup --blackbox --map setup.py\n" in existing
    assert "yg new node l --map l.py\n" in later
    assert "blackbox" not in later


def test_the_owner_in_a_commit_is_the_one_it_has(shop: str) -> None:
    write(Path(shop), {"model/later/yg-node.yaml": node("setup.py")})
    os.remove(f"{shop}/src/orders/core.py")
    files = ("setup.py", "src/orders/core.py", "nowhere.py")
    now = "setup.py -> later\nsrc/orders/core.py -> orders (not written yet)\n"
    then = "setup.py -> no graph coverage\nsrc/orders/core.py -> orders\n"
    gone = "nowhere.py -> no graph coverage (file not found)\n"
    assert owner(shop, *files) == Outcome(now + gone)
    assert owner(shop, *files, "--at", "HEAD") == Outcome(then + gone)


# The pure parts.


@pytest.mark.parametrize(
    ("path", "is_file", "name"),
    [
        ("src/util.py", True, "util"),
        ("src/util", False, "util"),
        ("src/v1.2", False, "v1.2"),
        (".github/ci.yaml", True, "ci"),
        ("lib/Orders", False, "lib-Orders"),  # `orders` is taken
        ("orders", False, "NODE"),
        ("a/\x1b", False, "NODE"),
    ],
)
def test_a_free_name_is_proposed_from_the_path(path: str, name: str, *, is_file: bool) -> None:
    graph = graph_from({"model/orders/yg-node.yaml": node("src")})
    surroundings = Surroundings(Case.NEW, "folder" if is_file else path, path)
    assert proposed_node(graph, surroundings) == name


def test_each_folder_is_looked_at_once() -> None:
    asked: list[str] = []

    def files(folder: str) -> tuple[str, ...]:
        asked.append(folder)
        return (f"{folder}/one", f"{folder}/two")

    around = Neighbourhood(Owners(graph_from({})), files, lambda _: False)
    for file in ("a/one", "a/two", "b/one"):
        assert around.around(file, is_folder=False).case is Case.EXISTING
    assert asked == ["a", "b"]


PATHS = st.lists(st.sampled_from("ab"), min_size=1, max_size=4).map("/".join)


@given(st.dictionaries(st.sampled_from("mnop"), PATHS, max_size=4), PATHS)
def test_the_owner_is_the_node_with_the_longest_covering_path(
    mapped: dict[str, str], file: str
) -> None:
    graph = graph_from({f"model/{name}/yg-node.yaml": node(path) for name, path in mapped.items()})
    covering = [path for path in mapped.values() if f"{file}/".startswith(f"{path}/")]
    found = Owners(graph).get(file)
    assert (found.mapping if found else None) == max(covering, key=len, default=None)
    assert found is None or mapped[found.node] == found.mapping
