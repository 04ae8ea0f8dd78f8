"""`yg build-context`: which nodes are meant, what is shown of them, and when it is refused."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from graphs import CONFIG, NODE, git, write
from yg.surfaces.cli.main import Outcome, answer

NODES = {
    "yg-config.yaml": CONFIG,
    "model/a/yg-node.yaml": "name: A\ntype: module\n",
    "model/a/b/yg-node.yaml": "name: B\ntype: service\nmapping: {paths: [src/b]}\n",
    "model/a/b/responsibility.md": "What B does.\n",
}


def node(**keys: str) -> str:
    return NODE + "".join(f"{key}: {value}\n" for key, value in keys.items())


def run(root: Path, *words: str) -> Outcome:
    return answer(["build-context", *words, "-C", str(root)])


def packages(root: Path, *words: str) -> Any:
    outcome = run(root, *words, "--json")
    assert (outcome.code, outcome.notes) == (0, "")
    document = json.loads(outcome.text)
    assert list(document) == ["schema", "packages"]
    assert document["schema"] == "yg-build-context/2"
    return document["packages"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with two nodes, which no test changes."""
    files = {f"src/{name}": "" for name in ("b/x.py", "c/x.py", "my code.py")}
    return write(tmp_path_factory.mktemp("nodes"), {**NODES, **files})


# Which node.


@pytest.mark.parametrize(
    "name",
    ["./a/b", "a/b/", "a/b///", "model/a/b", "./model/a/b/", "a//b", "a/./b", "a/../a/b"],
)
def test_a_node_is_found_by_every_spelling_of_its_path(place: Path, name: str) -> None:
    expected = run(place, "a/b")
    assert (expected.code, expected.notes) == (0, "")
    assert run(place, name) == run(place, "--node", name) == expected


@pytest.mark.parametrize("name", ["/a/b", "../a/b", "a/../../b", "A/B", "a b", "a/b/c", ".a", "."])
def test_no_other_spelling_finds_a_node(place: Path, name: str) -> None:
    outcome = run(place, name)
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith(f"error: no node at '{name}'\n  ")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("a/bb", "Did you mean 'a/b'?"),
        ("zzz", "'yg tree' lists all nodes."),
        ("src/b/x.py", "It is a file. Use: yg build-context --file src/b/x.py"),
        ("src/my code.py", "It is a file. Use: yg build-context --file 'src/my code.py'"),
    ],
)
def test_an_unknown_node_comes_with_what_was_probably_meant(
    place: Path, name: str, hint: str
) -> None:
    assert run(place, name) == Outcome("", f"error: no node at '{name}'\n  {hint}\n", 1)


def test_a_node_below_a_node_called_model_keeps_its_name(tmp_path: Path) -> None:
    nodes = {f"model/{path}/yg-node.yaml": NODE for path in ("model/a", "a")}
    root = write(tmp_path, {"yg-config.yaml": CONFIG, **nodes})
    found = [packages(root, name)[0]["node"]["path"] for name in ("model/a", "model/model/a", "a")]
    assert found == ["model/a", "model/a", "a"]


@pytest.mark.parametrize(
    "path", ["mit Leerzeichen", "bäckerei/größe", "日本", "-dash", 'a"b', "n\nl"]
)
def test_any_name_of_a_directory_may_be_the_name_of_a_node(tmp_path: Path, path: str) -> None:
    root = write(tmp_path, {"yg-config.yaml": CONFIG, f"model/{path}/yg-node.yaml": NODE})
    written = path.replace('"', "&quot;").replace("\n", "&#10;")
    outcome = run(root, f"--node={path}")
    assert outcome.text.startswith(f'<context-package node-path="{written}" node-name="N" ')
    assert (outcome.code, outcome.notes) == (0, "")


def test_a_graph_or_a_repository_behind_a_link_works(tmp_path: Path, place: Path) -> None:
    os.symlink(place, tmp_path / "link")
    assert run(tmp_path / "link", "a/b") == run(place, "a/b")
    root = write(
        tmp_path / "repository", {f"there/.yggdrasil/{path}": text for path, text in NODES.items()}
    )
    os.symlink("there/.yggdrasil", root / ".yggdrasil")
    assert run(root, "a/b") == run(place, "a/b")


def test_a_node_is_needed(place: Path) -> None:
    outcome = run(place)
    assert (
        outcome.notes
        == "error: expected a node, or a file with --file\n  'yg tree' lists all nodes.\n"
    )
    assert (outcome.code, outcome.text) == (2, "")


# Which file.


@pytest.mark.parametrize(
    ("start", "file"),
    [
        (".", "src/b/x.py"),
        (".", "./src//b/x.py"),
        (".", "src/b"),
        (".", "src/b/gone.py"),
        (".", ".yggdrasil/model/a/b/responsibility.md"),
        ("src", "b/x.py"),
        ("src/b", "x.py"),
        ("src/c", "../b/x.py"),
        ("src/b", "src/b/x.py"),
        (".yggdrasil/model", "../../src/b/x.py"),
    ],
)
def test_a_file_stands_for_its_owner(place: Path, start: str, file: str) -> None:
    expected = run(place, "a/b")
    assert run(place / start, "--file", file) == expected
    if start != "src/b":
        absolute = os.path.normpath(place / start / file)
        assert run(place, "--file", absolute) == expected


@pytest.mark.parametrize(
    "file", ["src/c/x.py", "src", "src/bb", ".", "/", "../x", "src/my code.py"]
)
def test_a_file_without_an_owner_has_no_package(place: Path, file: str) -> None:
    quoted = f"'{file}'" if " " in file else file
    hint = f"'yg owner {quoted}' says what can be done."
    assert run(place, "--file", file) == Outcome("", f"error: no node owns '{file}'\n  {hint}\n", 1)


# Several nodes, and parts of packages.

SHARED = {
    "yg-config.yaml": f"{CONFIG}quality: {{context_budget: {{warning: 40, error: 60}}}}\n",
    "model/p/yg-node.yaml": "name: P\ntype: module\n",
    "model/p/responsibility.md": "Parent.\n",
    "model/p/a/yg-node.yaml": node(aspects="[{aspect: x}]", mapping="{paths: [src]}"),
    "model/p/b/yg-node.yaml": node(aspects="[{aspect: x, exceptions: [No]}]"),
    "model/p/c/yg-node.yaml": node(aspects="[{aspect: x}]"),
    "aspects/x/yg-aspect.yaml": "name: X\n",
    "aspects/x/content.md": "Be quick.\n",
    "flows/f/yg-flow.yaml": "name: F\nnodes: [p]\n",
}
ABOVE = """\
<global>
**Project:** test
</global>

<hierarchy path="p/">
### responsibility.md
Parent.
</hierarchy>
"""
SEVERAL = f"""\
<context-package node-path="p/a" node-name="N" token-count="41">

{ABOVE}
<own-artifacts aspects="x">
### yg-node.yaml
{SHARED["model/p/a/yg-node.yaml"]}</own-artifacts>

<materialization-target paths="src"/>

<aspect name="X" id="x">
### content.md
Be quick.
</aspect>

<flow name="F">
</flow>

</context-package>
Budget status: warning

<context-package node-path="p/b" node-name="N" token-count="48">

<global same-as="p/a"/>

<hierarchy path="p/" same-as="p/a"/>

<own-artifacts aspects="x">
### yg-node.yaml
{SHARED["model/p/b/yg-node.yaml"]}</own-artifacts>

<aspect name="X" id="x">
### content.md
Be quick.
**Exception for this node:** No
</aspect>

<flow name="F" same-as="p/a"/>

</context-package>
Budget status: warning

<context-package node-path="p/c" node-name="N" token-count="35">

<global same-as="p/a"/>

<hierarchy path="p/" same-as="p/a"/>

<own-artifacts aspects="x">
### yg-node.yaml
{SHARED["model/p/c/yg-node.yaml"]}</own-artifacts>

<aspect name="X" id="x" same-as="p/a"/>

<flow name="F" same-as="p/a"/>

</context-package>
Budget status: ok
"""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("shared"), SHARED)


def test_several_packages_follow_one_another_and_share_their_blocks(shared: Path) -> None:
    assert run(shared, "p/a", "p/b", "p/c") == Outcome(SEVERAL)


def test_a_node_that_is_named_twice_has_one_package(shared: Path) -> None:
    expected = run(shared, "p/a", "p/b")
    assert run(shared, "p/a", "p/b", "./p/a/", "model/p/b") == expected
    assert run(shared, "p/b", "--file", "src") == run(shared, "p/b", "p/a")


def test_the_size_of_a_package_is_that_of_the_whole(shared: Path) -> None:
    (alone,) = packages(shared, "p/c")
    together = packages(shared, "p/a", "p/b", "p/c")[2]
    assert {key: alone[key] for key in ("tokens", "characters", "budget", "files")} == {
        key: together[key] for key in ("tokens", "characters", "budget", "files")
    }
    assert [block["tokens"] for block in alone["blocks"]] == [
        block["tokens"] for block in together["blocks"]
    ]
    assert [block.get("same_as") for block in together["blocks"]] == [
        *("p/a", "p/a", None, "p/a", "p/a")
    ]
    assert all(block["documents"] == [] for block in together["blocks"] if "same_as" in block)


def test_data_has_every_block_with_its_documents_and_reasons(shared: Path) -> None:
    (package,) = packages(shared, "p/a")
    blocks = package.pop("blocks")
    assert package == {
        "node": {"path": "p/a", "name": "N", "type": "service"},
        "tokens": 41,
        "characters": 163,
        "budget": {"status": "warning", "warning": 40, "error": 60},
        "files": [
            ".yggdrasil/aspects/x/content.md",
            ".yggdrasil/aspects/x/yg-aspect.yaml",
            ".yggdrasil/flows/f/yg-flow.yaml",
            ".yggdrasil/model/p/a/yg-node.yaml",
            ".yggdrasil/model/p/responsibility.md",
            ".yggdrasil/model/p/yg-node.yaml",
        ],
    }
    assert blocks[4] == {
        "kind": "aspect",
        "subject": "x",
        "attributes": {"name": "X", "id": "x"},
        "opening": [],
        "documents": [
            {
                "name": "content.md",
                "path": ".yggdrasil/aspects/x/content.md",
                "characters": 25,
                "tokens": 7,
                "binary": 0,
                "text": "Be quick.\n",
            }
        ],
        "closing": [],
        "reasons": ["own"],
        "files": [".yggdrasil/aspects/x/yg-aspect.yaml", ".yggdrasil/aspects/x/content.md"],
        "characters": 24,
        "tokens": 6,
    }


@pytest.mark.parametrize(
    ("kinds", "tags"),
    [
        (("global",), ["global"]),
        (("own",), ["own-artifacts", "materialization-target"]),
        (("flows", "hierarchy"), ["hierarchy", "flow"]),
        (("aspects", "aspects"), ["aspect"]),
        (("dependencies", "events"), []),
        (
            ("global", "hierarchy", "own", "aspects", "dependencies", "events", "flows"),
            ["global", "hierarchy", "own-artifacts", "materialization-target", "aspect", "flow"],
        ),
    ],
)
def test_a_part_of_a_package_is_the_blocks_of_some_kinds(
    shared: Path, kinds: tuple[str, ...], tags: list[str]
) -> None:
    words = [word for kind in kinds for word in ("--only", kind)]
    (package,) = packages(shared, "p/a", *words)
    assert [block["kind"] for block in package["blocks"]] == tags
    assert package["tokens"] == 41
    text = run(shared, "p/a", *words).text
    assert text.startswith('<context-package node-path="p/a" node-name="N" token-count="41">\n\n')
    assert text.endswith("\n</context-package>\nBudget status: warning\n")


def test_an_unknown_kind_is_wrong_usage(shared: Path) -> None:
    outcome = run(shared, "p/a", "--only", "aspect")
    assert (outcome.code, outcome.text) == (2, "")
    assert "aspect" in outcome.notes


def test_reasons_stand_in_the_place_of_the_package(shared: Path) -> None:
    assert (
        run(shared, "p/c", "--why", "--only", "aspects", "--only", "own").text
        == """\
block              tokens   share  because
own-artifacts p/c      16   43.9%  own
aspect x                6   17.3%  own
total                  35  100.0%  ok, warning above 40
"""
    )
    both = run(shared, "p/a", "p/c", "--why").text.split("\n\n")
    assert [table.split("\n")[0].split() for table in both] == [
        ["block", "tokens", "share", "because"]
    ] * 2


def test_a_graph_of_spec_graphs_only_has_depths(place: Path) -> None:
    outcome = run(place, "a/b", "--depth", "full")
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith("error: a depth (--depth) belongs to Spec Graphs")


# The budget.


@pytest.mark.parametrize("options", [(), ("--why",), ("--format", "markdown")], ids=str)
def test_a_package_that_is_too_large_is_printed_with_a_line_on_standard_error(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    budget = "quality: {context_budget: {warning: 5, error: 10}}\n"
    files = {
        "yg-config.yaml": CONFIG + budget,
        "model/a/yg-node.yaml": NODE,
        "model/b/yg-node.yaml": NODE,
        "model/box/yg-node.yaml": f"{NODE}blackbox: true\n",
    }
    outcome = run(write(tmp_path, files), "a", "box", "b", *options)
    assert outcome.code == 0
    assert outcome.notes == "".join(
        f"warning: the package is too large (15 tokens, more than 10); split the node '{name}'.\n"
        for name in "ab"
    )
    if not options:
        statuses = [line for line in outcome.text.split("\n") if line.startswith("Budget")]
        assert [line[15:] for line in statuses] == ["error", "ok", "error"]


# Refusal.

BROKEN = {
    "yg-config.yaml": CONFIG,
    "model/a/yg-node.yaml": node(relations="[{target: gone, type: uses}]"),
    "model/m/yg-node.yaml": node(relations="[{target: z, type: uses}]"),
    "model/n/yg-node.yaml": NODE,
    "model/z/yg-node.yaml": node(aspects="[{aspect: gone}]"),
}
A_IS_BROKEN = """\
E004 a -> relation to 'gone' does not resolve.
  Existing nodes in model/: m, n, z
  .yggdrasil/model/a/yg-node.yaml:3:22
"""
Z_IS_BROKEN = """\
E003 z -> aspect 'gone' does not resolve.
  There are no aspects yet: add .yggdrasil/aspects/gone/yg-aspect.yaml.
  .yggdrasil/model/z/yg-node.yaml:3:20
"""


@pytest.mark.parametrize(
    ("nodes", "notes"),
    [
        (
            ("m",),
            (
                f"{Z_IS_BROKEN}{A_IS_BROKEN}"
                "error: no package for 'm': the graph has 2 errors, 1 affecting it\n"
                "  Fix the errors first.\n"
            ),
        ),
        (
            ("n",),
            (
                f"{A_IS_BROKEN}{Z_IS_BROKEN}"
                "error: no package for 'n': the graph has 2 errors, 0 affecting it\n"
                "  Fix the errors first. Or use --lenient: none of them affects this package.\n"
            ),
        ),
        (
            ("n", "m"),
            (
                f"{Z_IS_BROKEN}{A_IS_BROKEN}"
                "error: no package for 'n', 'm': the graph has 2 errors, 1 affecting them\n"
                "  Fix the errors first.\n"
            ),
        ),
        (
            ("m", "--lenient"),
            (
                f"{Z_IS_BROKEN}error: no package for 'm': 1 error affects it\n"
                "  Fix the errors first.\n"
            ),
        ),
    ],
    ids=str,
)
def test_errors_that_touch_the_package_come_first(
    tmp_path: Path, nodes: tuple[str, ...], notes: str
) -> None:
    root = write(tmp_path, BROKEN)
    for options in ((), ("--why",), ("--format", "markdown")):
        assert run(root, *nodes, *options) == Outcome("", notes, 1)


def test_a_refusal_as_data_lists_the_same_errors(tmp_path: Path) -> None:
    outcome = run(write(tmp_path, BROKEN), "m", "--json")
    assert (outcome.code, outcome.text) == (1, "")
    document = json.loads(outcome.notes)
    assert [
        (issue["code"], issue["subject"], issue["line"]) for issue in document.pop("issues")
    ] == [
        ("E003", "z", 3),
        ("E004", "a", 3),
    ]
    assert document == {
        "schema": "yg-error/1",
        "code": "refused",
        "message": "no package for 'm': the graph has 2 errors, 1 affecting it",
        "hint": "Fix the errors first.",
    }


def test_errors_that_only_follow_are_counted(tmp_path: Path) -> None:
    files = {
        "yg-config.yaml": CONFIG,
        "model/bad/yg-node.yaml": "",
        "model/a/yg-node.yaml": node(relations="[{target: bad, type: calls}]"),
        "model/b/yg-node.yaml": node(relations="[{target: bad, type: calls}]"),
    }
    root = write(tmp_path, files)
    notes = run(root, "a").notes
    assert [line[:10] for line in notes.split("\n") if " -> " in line] == ["E001 bad -"]
    assert notes.endswith(
        "error: no package for 'a': the graph has 1 error (and 2 that follow from it), "
        "1 affecting it\n  Fix the errors first.\n"
    )
    lenient = "error: no package for 'a': 1 error (and 1 that follows from it) affects it\n"
    assert lenient in run(root, "a", "--lenient").notes


@pytest.mark.parametrize("options", [(), ("--lenient",)], ids=str)
def test_a_node_that_cannot_be_read_has_no_package(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    files = {"yg-config.yaml": CONFIG, "model/a/yg-node.yaml": "name: 12\ntype: service\n"}
    assert run(write(tmp_path, files), "a", *options) == Outcome(
        "",
        "E001 a -> 'name' must be text, found a whole number.\n"
        "  Put it in quotes if it is meant as text.\n"
        "  .yggdrasil/model/a/yg-node.yaml:1:7\n"
        "error: node 'a' could not be read\n"
        "  Fix its yg-node.yaml first.\n",
        1,
    )


@pytest.mark.parametrize(
    "broken",
    [
        {"model/z/yg-node.yaml": "name: [\n"},
        {"model/z/yg-node.yaml": node(relations="[{target: gone, type: uses}]")},
        {"model/a/b/c/yg-node.yaml": "name: [\n"},
        {"model/z/yg-node.yaml": node(), "model/z/responsibility.md": b"\xff"},
        {"aspects/x/yg-aspect.yaml": "name: 1\n"},
        {"aspects/x/content.md": "Nothing declares this.\n"},
        {"flows/f/yg-flow.yaml": "name: F\nnodes: [gone]\n"},
    ],
    ids=ascii,
)
def test_lenient_passes_over_what_is_wrong_elsewhere(
    tmp_path: Path, place: Path, broken: Mapping[str, str | bytes]
) -> None:
    root = write(tmp_path, {**NODES, **broken})
    assert run(root, "a/b").code == 1
    assert run(root, "a/b", "--lenient") == run(place, "a/b")


NEAR = {
    **NODES,
    "model/a/b/yg-node.yaml": node(aspects="[{aspect: x}]", relations="[{target: t, type: uses}]"),
    "model/t/yg-node.yaml": node(),
    "aspects/x/yg-aspect.yaml": "name: X\nimplies: [y]\n",
    "aspects/y/yg-aspect.yaml": "name: Y\n",
    "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\n",
}


@pytest.mark.parametrize(
    ("path", "content", "issue"),
    [
        ("model/a/yg-node.yaml", "name: [\n", "E001 a"),
        ("model/a/yg-node.yaml", node(aspects="[{aspect: gone}]"), "E003 a"),
        ("model/a/responsibility.md", b"\xff", "E021 a"),
        ("model/a/b/interface.md", b"\xff", "E021 a/b"),
        ("model/a/b/interface.md", "<<<<<<< HEAD\n", "E025 a/b"),
        ("model/t/yg-node.yaml", "name: [\n", "E001 t"),
        ("model/t/yg-node.yaml", "name: T\ntype: unheard of\n", "E002 t"),
        ("model/t/interface.md", b"\0", "E021 t"),
        ("aspects/x/yg-aspect.yaml", "name: 1\n", "E018 aspects/x"),
        ("aspects/x/content.md", b"\xff", "E021 aspects/x"),
        ("aspects/y/yg-aspect.yaml", "name: 1\n", "E018 aspects/y"),
        ("aspects/y/yg-aspect.yaml", "name: Y\nimplies: [gone]\n", "E016 aspects/y"),
        ("aspects/y/yg-aspect.yaml", "name: Y\nimplies: [x]\n", "E017 aspects/x"),
        ("flows/f/yg-flow.yaml", "name: F\nnodes: [a, gone]\n", "E006 flows/f"),
        ("flows/f/yg-flow.yaml", "name: F\nnodes: [a]\naspects: [gone]\n", "E007 flows/f"),
        ("flows/g/yg-flow.yaml", "name: [\n", "E019 flows/g"),
        ("flows/f/description.md", b"\xff", "E021 flows/f"),
        ("yg-config.yaml", CONFIG + "coverage: 5\n", "E012 yg-config.yaml"),
    ],
)
def test_lenient_refuses_for_what_is_wrong_nearby(
    tmp_path: Path, path: str, content: str | bytes, issue: str
) -> None:
    outcome = run(write(tmp_path, {**NEAR, path: content}), "a/b", "--lenient")
    assert (outcome.code, outcome.text) == (1, "")
    assert issue in [line.split(" -> ")[0] for line in outcome.notes.split("\n")]


def test_a_warning_that_was_raised_to_an_error_refuses_nothing(tmp_path: Path) -> None:
    files = {**NODES, "yg-config.yaml": f"{CONFIG}rules: {{W016: error}}\nzzz: 1\n"}
    root = write(tmp_path, files)
    assert answer(["validate", "-C", str(root)]).code == 1
    assert run(root, "a/b").code == 0


def test_a_binary_file_of_an_aspect_refuses_nothing(tmp_path: Path) -> None:
    assert run(write(tmp_path, {**NEAR, "aspects/x/a.png": b"\0\xff"}), "a/b").code == 0


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("name: [\n", "E012 yg-config.yaml -> not valid YAML: '[' is not closed."),
        (
            CONFIG.replace("name: test", 'name: ""'),
            "E012 yg-config.yaml -> 'name' must not be empty.",
        ),
        (b"\xff", "E021 yg-config.yaml -> 'yg-config.yaml' cannot be read: not UTF-8 at byte 0"),
        ("<<<<<<< ours\n", "E025 yg-config.yaml -> unresolved merge conflict."),
    ],
    ids=ascii,
)
@pytest.mark.parametrize("command", ["build-context a/b", "tree", "aspects", "flows", "coverage"])
def test_a_configuration_that_cannot_be_used_ends_every_command(
    tmp_path: Path, config: str | bytes, message: str, command: str
) -> None:
    root = write(tmp_path, {**BROKEN, **NODES, "yg-config.yaml": config})
    outcome = answer([*command.split(), "-C", str(root)])
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith(message)
    assert outcome.notes.endswith(
        "error: the configuration cannot be used\n  Fix its errors first.\n"
    )
    assert "E003" not in outcome.notes
    assert answer(["owner", "src/b", "-C", str(root)]).text.startswith("src/b -> a/b ")


EVIL = "e\x1b[31m\u202e\nvil"


def test_reasons_and_errors_have_no_control_characters(tmp_path: Path) -> None:
    bad = node(relations='[{target: "\\e[1m", type: uses}]')
    root = write(tmp_path, {**NODES, f"model/{EVIL}/yg-node.yaml": bad})
    outcomes = [run(root, *words) for words in ((EVIL,), ("\x07",), (EVIL, "--lenient", "--json"))]
    write(root, {f"model/{EVIL}/yg-node.yaml": NODE})
    outcomes += [run(root, EVIL, "--why"), run(root, EVIL, "--json")]
    assert [outcome.code for outcome in outcomes] == [1, 1, 1, 0, 0]
    for outcome in outcomes:
        assert f"{outcome.text}{outcome.notes}".replace("\n", "").isprintable()


# Commits and other places.


def test_a_commit_answers_like_its_checkout(tmp_path: Path, place: Path) -> None:
    root = write(tmp_path / "repository", {**NODES, "src/b/x.py": ""})
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "one")
    expected = run(place, "a/b")
    write(root, {"yg-config.yaml": "name: [\n", "model/a/b/responsibility.md": "Now.\n"})
    assert run(root, "a/b").code == 1
    for start in (root, root / "src/b", root / ".yggdrasil/model"):
        assert run(start, "a/b", "--at", "main") == expected
    assert run(root / "src", "--file", "b/x.py", "--at", "HEAD") == expected
    assert run(root, "a/b", "--at", "HEAD", "--format", "markdown").code == 0
    git(root, "rm", "-qrf", ".yggdrasil")
    assert run(root, "a/b", "--at", "main") == expected
    assert run(root, "a/b", "--at", "gone") == Outcome(
        "", "error: there is no revision 'gone'\n  'git log' lists the commits.\n", 1
    )


def test_a_graph_below_the_top_of_the_repository_is_read_from_a_commit_too(tmp_path: Path) -> None:
    root = write(tmp_path / "apps/shop", NODES)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "one")
    expected = run(root, "a/b")
    (root / ".yggdrasil/model/a/b/responsibility.md").unlink()
    assert run(root, "a/b") != expected
    assert run(root, "a/b", "--at", "HEAD") == expected


def test_in_markdown_a_heading_names_the_package_that_has_the_block(shared: Path) -> None:
    one, both = (
        run(shared, *nodes.split(), "--format", "markdown").text for nodes in ("p/a", "p/a p/c")
    )
    assert both.startswith(f"{one}\n# Context Package: ")
    rest = both.removeprefix(one)
    assert "## Global Context (as in p/a)\n\n---\n\n## Module Context (p/) (as in p/a)\n" in rest


# Formats of other versions.

LATER = """\
version: "3.0.0"
name: Music
node_types:
  module: {description: A domain}
  service: {description: A part}
quality:
  max_mapping_source_files: 10
  context_budget: {warning: 10000, error: 20000, own_warning: 5000}
"""
MUSIC = {
    "yg-config.yaml": LATER,
    "model/app/yg-node.yaml": "name: App\ntype: module\ndescription: All of it\n",
    "model/app/player/yg-node.yaml": "name: Player\ntype: service\ndescription: Plays\n"
    "relations: [{target: songs, type: calls}]\n",
    **{
        f"model/{node}/{name}.md": f"{node} {name}\n"
        for node in ("app/player", "songs")
        for name in ("interface", "internals", "responsibility", "notes")
    },
    "model/songs/yg-node.yaml": "name: Songs\ntype: service\ndescription: Has songs\n",
    "flows/listen/yg-flow.yaml": "name: Listen\ndescription: Click\nparticipants: [app, songs]\n",
}
NEWER = (
    "warning: the graph has format {}, which is newer than 2.2.0; "
    "what this yg knows of it is read\n"
)


def test_a_graph_of_format_3_has_three_artifacts_and_descriptions(tmp_path: Path) -> None:
    outcome = run(write(tmp_path, MUSIC), "app/player")
    assert (outcome.code, outcome.notes) == (0, NEWER.format("3.0.0"))
    blocks = outcome.text.split("\n\n<")[2:]
    assert blocks[0] == 'hierarchy path="app/">\nDescription: All of it\n</hierarchy>'
    assert [line for line in blocks[1].split("\n") if line.startswith("### ")] == [
        "### yg-node.yaml",
        "### responsibility.md",
        "### interface.md",
        "### internals.md",
    ]
    assert blocks[2] == (
        'dependency target="songs" type="calls">\nDescription: Has songs\n\n'
        "### responsibility.md\nsongs responsibility\n"
        "### interface.md\nsongs interface\n</dependency>"
    )
    assert blocks[3] == 'flow name="Listen">\nDescription: Click\n</flow>'


@pytest.mark.parametrize("version", ["2.3.0", "2.12.0", "3.1.0"])
@pytest.mark.parametrize("command", ["build-context app", "tree", "validate", "owner x", "flows"])
def test_a_graph_that_is_newer_says_so_once(tmp_path: Path, version: str, command: str) -> None:
    config = CONFIG.replace("name: test", f'name: test\nversion: "{version}"')
    root = write(tmp_path, {**MUSIC, "yg-config.yaml": config})
    for _ in range(2):  # the second time, from the cache
        outcome = answer([*command.split(), "-C", str(root)])
        assert (outcome.code, outcome.notes) == (0, NEWER.format(version))
    assert answer([*command.split(), "-C", str(root), "--json"]).notes == NEWER.format(version)


@pytest.mark.parametrize("version", ["1.0.0", "2.0.0", "2.2", "2.2.0"])
def test_earlier_formats_are_not_mentioned(tmp_path: Path, version: str) -> None:
    config = CONFIG.replace("name: test", f'name: test\nversion: "{version}"')
    assert run(write(tmp_path, {**MUSIC, "yg-config.yaml": config}), "app").notes == ""


@pytest.mark.parametrize(
    "command", ["build-context app", "tree", "aspects", "flows", "validate", "owner x", "coverage"]
)
def test_a_graph_of_another_model_is_one_error_for_every_command(
    tmp_path: Path, command: str
) -> None:
    root = write(tmp_path, {**MUSIC, "yg-architecture.yaml": ""})
    said = (
        "the graph in .yggdrasil/ has format 4 or later, which has another model; "
        "yg reads formats up to 3.0.0"
    )
    outcome = answer([*command.split(), "-C", str(root)])
    assert outcome == Outcome("", f"error: {said}\n", 1)
    failed = answer([*command.split(), "-C", str(root), "--json"])
    assert json.loads(failed.notes) == {
        "schema": "yg-error/1",
        "code": "another-model",
        "message": said,
        "hint": "",
    }


def test_git_knows_the_last_commit_that_can_be_read(tmp_path: Path) -> None:
    root = write(tmp_path, MUSIC)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "one")
    older = git(root, "rev-parse", "HEAD")[:12]
    write(root, {"yg-architecture.yaml": ""})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "two")
    notes = run(root, "app").notes
    assert notes.endswith(
        f"\n  The last commit with an older graph is {older}; to read it: --at {older}\n"
    )
    assert run(root, "app", "--at", older).code == 0
